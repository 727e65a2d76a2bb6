// SPDX-License-Identifier: Apache-2.0
// See expert_statistics.h. Gini index: Gini 1912, in the form for sorted values; quartiles: Hyndman and Fan 1996,
// type 7.
#include "records/expert_statistics.h"

#include "experts/replay.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace coterie::engine {
namespace {

bool isDense(const TracedLayer& layer) {
    return layer.uses.size() == 1 && layer.uses.front().expert == 0 && layer.uses.front().weight == 1;
}

/// Whether the model has this expert. Layers with one expert are dense.
bool has(std::span<const int64_t> expertsOfLayer, int layer, int expert) {
    return layer >= 0 && static_cast<size_t>(layer) < expertsOfLayer.size() && expert >= 0 &&
           expert < expertsOfLayer[static_cast<size_t>(layer)];
}

bool routes(std::span<const int64_t> expertsOfLayer, int layer) { return has(expertsOfLayer, layer, 1); }

int64_t routedExperts(std::span<const int64_t> expertsOfLayer) {
    int64_t sum = 0;
    for (const int64_t experts : expertsOfLayer) sum += experts > 1 ? experts : 0;
    return sum;
}

double quantile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(at);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Uses of single experts and of pairs in one layer.
struct LayerPairs {
    uint64_t tokens = 0;
    std::map<int, uint64_t> uses{};
    std::map<std::pair<int, int>, uint64_t> together{};
};

void addPairs(LayerPairs& counts, const TracedLayer& layer, std::span<const int64_t> expertsOfLayer) {
    ++counts.tokens;
    for (const ExpertUse& use : layer.uses) {
        if (!has(expertsOfLayer, layer.layer, use.expert)) continue;
        ++counts.uses[use.expert];
        for (const ExpertUse& other : layer.uses)
            if (use.expert < other.expert && has(expertsOfLayer, layer.layer, other.expert))
                ++counts.together[{use.expert, other.expert}];
    }
}

Result<RoutingTrace> routingOf(std::span<const TracedToken> tokens) {
    RoutingTrace trace;
    std::vector<int> experts;
    for (const TracedToken& token : tokens) {
        for (const TracedLayer& layer : token.layers) {
            experts.clear();
            for (const ExpertUse& use : layer.uses) experts.push_back(use.expert);
            if (experts.empty()) continue;
            if (const Status added = trace.add(layer.layer, experts); !added) return added.error();
        }
    }
    return trace;
}

} // namespace

std::vector<int64_t> expertsOfLayers(const TraceShape& shape, std::span<const TracedToken> tokens) {
    std::vector<int64_t> experts(static_cast<size_t>(shape.layers), shape.experts);
    std::vector<bool> used(experts.size(), false), dense(experts.size(), true);
    for (const TracedToken& token : tokens) {
        for (const TracedLayer& layer : token.layers) {
            const auto at = static_cast<size_t>(layer.layer);
            if (layer.layer < 0 || at >= experts.size() || layer.uses.empty()) continue;
            used[at] = true;
            dense[at] = dense[at] && isDense(layer);
        }
    }
    for (size_t l = 0; l < experts.size(); ++l)
        if (used[l] && dense[l]) experts[l] = 1;
    return experts;
}

ExpertUsage::ExpertUsage(std::vector<int64_t> expertsOfLayer) : expertsOfLayer_(std::move(expertsOfLayer)) {
    for (int64_t& experts : expertsOfLayer_) experts = std::max<int64_t>(experts, 0);
    index_ = ExpertIndex(expertsOfLayer_);
    uses_.resize(index_.experts());
    misses_.resize(index_.experts());
    weights_.resize(index_.experts());
}

void ExpertUsage::add(const TracedToken& token) {
    ++tokens_;
    seconds_ += token.seconds;
    for (const TracedLayer& layer : token.layers) {
        waitSeconds_ += layer.waitSeconds;
        for (const ExpertUse& use : layer.uses) {
            if (!index_.has(layer.layer, use.expert)) continue;
            const size_t at = index_.number(layer.layer, use.expert);
            ++uses_[at];
            weights_[at] += static_cast<double>(use.weight);
            ++requests_;
            activeNeurons_ += static_cast<uint64_t>(std::max(use.activeNeurons, 0));
            if (use.hit) continue;
            ++misses_[at];
            ++missed_;
        }
    }
}

void ExpertUsage::add(const ExpertUsage& other) {
    if (other.expertsOfLayer_ != expertsOfLayer_) return;
    const auto sum = [](auto& to, const auto& from) {
        std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>());
    };
    sum(uses_, other.uses_);
    sum(misses_, other.misses_);
    sum(weights_, other.weights_);
    tokens_ += other.tokens_;
    requests_ += other.requests_;
    missed_ += other.missed_;
    activeNeurons_ += other.activeNeurons_;
    waitSeconds_ += other.waitSeconds_;
    seconds_ += other.seconds_;
}

std::span<const uint64_t> ExpertUsage::uses(int layer) const {
    const auto at = static_cast<size_t>(layer);
    return std::span(uses_).subspan(index_.first(at), index_.expertsOf(at));
}

uint64_t ExpertUsage::missesOf(int layer, int expert) const { return misses_[index_.number(layer, expert)]; }

double ExpertUsage::weightOf(int layer, int expert) const { return weights_[index_.number(layer, expert)]; }

uint64_t ExpertUsage::mostUses() const {
    const bool dense = routedExperts(expertsOfLayer_) == 0;
    uint64_t most = 0;
    for (size_t layer = 0; layer < expertsOfLayer_.size(); ++layer)
        if (dense || expertsOfLayer_[layer] > 1)
            for (const uint64_t count : uses(static_cast<int>(layer))) most = std::max(most, count);
    return most;
}

double giniIndex(std::span<const uint64_t> uses) {
    std::vector<uint64_t> sorted(uses.begin(), uses.end());
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(sorted.size());
    double weighted = 0, sum = 0;
    for (size_t i = 0; i < sorted.size(); ++i) {
        const auto x = static_cast<double>(sorted[i]);
        weighted += (2 * static_cast<double>(i + 1) - n - 1) * x;
        sum += x;
    }
    return sum == 0 ? 0 : weighted / (n * sum);
}

double entropyBits(std::span<const uint64_t> uses) {
    const double sum = static_cast<double>(std::accumulate(uses.begin(), uses.end(), uint64_t{0}));
    double bits = 0;
    for (const uint64_t x : uses)
        if (x > 0) bits -= static_cast<double>(x) / sum * std::log2(static_cast<double>(x) / sum);
    return bits;
}

std::vector<double> coverage(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer) {
    std::vector<std::vector<bool>> seen;
    for (const int64_t experts : expertsOfLayer) seen.emplace_back(static_cast<size_t>(std::max<int64_t>(experts, 0)));
    const auto all = static_cast<double>(routedExperts(expertsOfLayer));
    double distinct = 0;
    std::vector<double> shares;
    shares.reserve(tokens.size());
    for (const TracedToken& token : tokens) {
        for (const TracedLayer& layer : token.layers) {
            for (const ExpertUse& use : layer.uses) {
                if (!routes(expertsOfLayer, layer.layer) || !has(expertsOfLayer, layer.layer, use.expert)) continue;
                auto mark = seen[static_cast<size_t>(layer.layer)][static_cast<size_t>(use.expert)];
                distinct += mark ? 0 : 1;
                mark = true;
            }
        }
        shares.push_back(all == 0 ? 0 : distinct / all);
    }
    return shares;
}

std::vector<double> uniformCoverage(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer) {
    std::vector<double> used(expertsOfLayer.size(), 0);
    for (const TracedToken& token : tokens)
        for (const TracedLayer& layer : token.layers)
            if (routes(expertsOfLayer, layer.layer))
                for (const ExpertUse& use : layer.uses)
                    used[static_cast<size_t>(layer.layer)] += has(expertsOfLayer, layer.layer, use.expert) ? 1 : 0;
    const auto all = static_cast<double>(routedExperts(expertsOfLayer));
    std::vector<double> shares(tokens.size(), 0);
    for (size_t l = 0; l < expertsOfLayer.size() && all > 0; ++l) {
        if (expertsOfLayer[l] <= 1) continue;
        const auto n = static_cast<double>(expertsOfLayer[l]);
        const double missed = 1 - std::min(1.0, used[l] / static_cast<double>(tokens.size()) / n);
        double unseen = 1;
        for (double& share : shares) {
            unseen *= missed;
            share += (1 - unseen) * n / all;
        }
    }
    return shares;
}

std::vector<ExpertPair> expertPairs(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer,
                                    size_t most) {
    std::vector<LayerPairs> layers(expertsOfLayer.size());
    for (const TracedToken& token : tokens)
        for (const TracedLayer& layer : token.layers)
            if (routes(expertsOfLayer, layer.layer))
                addPairs(layers[static_cast<size_t>(layer.layer)], layer, expertsOfLayer);
    struct Candidate {
        ExpertPair pair;
        double beyondChance = 0;
    };
    std::vector<Candidate> found;
    for (size_t l = 0; l < layers.size(); ++l) {
        for (const auto& [experts, together] : layers[l].together) {
            const auto count = static_cast<double>(together);
            const double expected = static_cast<double>(layers[l].uses[experts.first]) *
                                    static_cast<double>(layers[l].uses[experts.second]) /
                                    static_cast<double>(layers[l].tokens);
            if (count <= expected) continue;
            found.push_back({.pair = {.layer = static_cast<int>(l),
                                      .first = experts.first,
                                      .second = experts.second,
                                      .together = together,
                                      .lift = count / expected},
                             .beyondChance = count - expected});
        }
    }
    // Equal candidates stay in the order of layers and experts, so that the result is the same everywhere.
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.beyondChance > b.beyondChance; });
    std::vector<ExpertPair> pairs;
    for (size_t i = 0; i < std::min(most, found.size()); ++i) pairs.push_back(found[i].pair);
    return pairs;
}

std::optional<Spread> spreadOf(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    return Spread{.least = values.front(),
                  .lowerQuartile = quantile(values, 0.25),
                  .median = quantile(values, 0.5),
                  .upperQuartile = quantile(values, 0.75),
                  .most = values.back()};
}

std::vector<std::optional<Spread>> activeShares(std::span<const TracedToken> tokens, const TraceShape& shape) {
    std::vector<std::vector<double>> shares(static_cast<size_t>(shape.layers));
    std::vector<bool> active(shares.size(), false);
    for (const TracedToken& token : tokens) {
        for (const TracedLayer& layer : token.layers) {
            const auto at = static_cast<size_t>(layer.layer);
            if (layer.layer < 0 || at >= shares.size() || layer.uses.empty() || shape.neurons <= 0) continue;
            double neurons = 0;
            for (const ExpertUse& use : layer.uses) neurons += use.activeNeurons;
            active[at] = active[at] || neurons > 0;
            shares[at].push_back(neurons / static_cast<double>(layer.uses.size()) / static_cast<double>(shape.neurons));
        }
    }
    std::vector<std::optional<Spread>> spreads;
    for (size_t l = 0; l < shares.size(); ++l)
        spreads.push_back(active[l] ? spreadOf(std::move(shares[l])) : std::nullopt);
    return spreads;
}

Result<std::vector<BudgetPoint>> replayBudgets(std::span<const TracedToken> tokens, std::span<const uint64_t> slots) {
    Result<RoutingTrace> trace = routingOf(tokens);
    if (!trace) return trace.error();
    if (trace->uses() == 0)
        return Error{ErrorKind::BadInput, "No budget can be compared", "The trace has no tokens",
                     "Let the model answer first"};
    std::vector<BudgetPoint> points;
    for (const uint64_t count : slots) {
        if (count < trace->mostAtOnce()) continue;
        const Result<ReplayCounts> counts = replay(*trace, EvictionKind::ExpectedUse, count);
        if (!counts) return counts.error();
        const Result<ReplayCounts> best = replayClairvoyant(*trace, count);
        if (!best) return best.error();
        points.push_back({.slots = count, .hitRate = counts->hitRate(), .bestPossible = best->hitRate()});
    }
    return points;
}

std::vector<double> usageDifference(const ExpertUsage& first, const ExpertUsage& second) {
    std::vector<double> differences;
    if (first.expertsOfLayer() != second.expertsOfLayer()) return differences;
    const auto sumOf = [](std::span<const uint64_t> uses) {
        return static_cast<double>(std::accumulate(uses.begin(), uses.end(), uint64_t{0}));
    };
    for (size_t l = 0; l < first.expertsOfLayer().size(); ++l) {
        const auto before = first.uses(static_cast<int>(l)), after = second.uses(static_cast<int>(l));
        const double sumBefore = sumOf(before), sumAfter = sumOf(after);
        const bool both = sumBefore > 0 && sumAfter > 0;
        for (size_t e = 0; e < before.size(); ++e)
            differences.push_back(
                both ? static_cast<double>(after[e]) / sumAfter - static_cast<double>(before[e]) / sumBefore : 0);
    }
    return differences;
}

} // namespace coterie::engine
