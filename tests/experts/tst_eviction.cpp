// SPDX-License-Identifier: Apache-2.0
// Tests which expert makes room: each policy is compared with a plain one that keeps the whole history and computes
// everything anew.
#include "experts/eviction.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr EvictionKind kKinds[] = {EvictionKind::ExpectedUse, EvictionKind::LeastRecentlyUsed,
                                   EvictionKind::LeastFrequentlyUsed};

/// Remembers everything that happened, and computes from it the values that eviction.h describes.
class History {
  public:
    explicit History(EvictionShape shape) : shape_(std::move(shape)), slots_(shape_.slots) {}

    void layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) {
        if (passes_.empty() || layer <= passes_.back().layer) rounds_.emplace_back(shape_.expertsOfLayer.size());
        passes_.push_back({layer, tokens, {demands.begin(), demands.end()}, ++clock_});
        std::set<int>& used = rounds_.back()[static_cast<size_t>(layer)];
        for (const ExpertDemand& demand : demands)
            if (tokens == 1) used.insert(demand.expert);
        compare(static_cast<size_t>(layer));
        recallOf_[layer] = recall(static_cast<size_t>(layer));
    }
    void filled(uint32_t slot, int layer, int expert) {
        slots_[slot] = {layer, expert};
        fills_.push_back({layer, expert, ++clock_});
    }
    void emptied(uint32_t slot) { slots_[slot].reset(); }

    bool isFilled(uint32_t slot) const { return slots_[slot].has_value(); }
    bool resident(int layer, int expert) const {
        return std::find(slots_.begin(), slots_.end(), std::optional(std::pair(layer, expert))) != slots_.end();
    }

    /// The expert with the larger key is evicted first. The second number is 0 if the first one decides alone.
    std::pair<double, double> claim(EvictionKind kind, uint32_t slot) const {
        const auto [layer, expert] = *slots_[slot];
        if (kind == EvictionKind::ExpectedUse) return {wait(layer, expert), 0};
        const double age = -static_cast<double>(lastTouch(layer, expert));
        if (kind == EvictionKind::LeastRecentlyUsed) return {age, 0};
        return {-static_cast<double>(uses(layer, expert)), age};
    }

    double wait(int layer, int expert) const {
        const int layers = static_cast<int>(shape_.expertsOfLayer.size());
        const int now = passes_.empty() ? layers - 1 : passes_.back().layer;
        int steps = 0;
        do ++steps;
        while ((now + steps) % layers != layer);
        const double p = share(layer, expert);
        double worth = std::pow(0.35, 4) * 2 * p / (1 + p), weights = std::pow(0.35, 4);
        if (const auto recalled = recallOf_.find(layer); recalled != recallOf_.end()) {
            for (const auto& [weight, roundsUntil] : recalled->second) {
                weights += weight;
                if (!roundsUntil) { // not one of the most alike moments
                    worth += weight * 2 * p / (1 + p);
                } else if (const auto rounds = roundsUntil->find(expert); rounds != roundsUntil->end()) {
                    worth += weight * std::exp2(-rounds->second);
                }
            }
        }
        return static_cast<double>(steps) / layers - std::log2(std::max(1e-12, worth / weights));
    }

  private:
    struct Pass {
        int layer = 0;
        int64_t tokens = 0;
        std::vector<ExpertDemand> demands;
        int64_t time = 0;
    };
    struct Fill {
        int layer = 0, expert = 0;
        int64_t time = 0;
    };

    static int64_t used(const Pass& pass, int expert) {
        for (const ExpertDemand& demand : pass.demands)
            if (demand.expert == expert) return demand.tokens;
        return 0;
    }
    /// The mean of the shares of all tokens, where each token has 0.97 times the weight of the one after it.
    double share(int layer, int expert) const {
        double sum = 0, weights = 0, weight = 1;
        for (auto pass = passes_.rbegin(); pass != passes_.rend(); ++pass) {
            if (pass->layer != layer) continue;
            const double share = static_cast<double>(used(*pass, expert)) / static_cast<double>(pass->tokens);
            for (int64_t t = 0; t < pass->tokens; ++t, weight *= 0.97) {
                sum += weight * share;
                weights += weight;
            }
        }
        return weights > 0 ? sum / weights : 0;
    }

    /// How alike each lag is to now. It uses the same float operations as the policy, so that equal values are equal:
    /// else other moments would be the most alike ones.
    void compare(size_t layer) {
        const auto fade = static_cast<float>(std::exp2(-1.0 / static_cast<double>(shape_.expertsOfLayer.size())));
        const std::set<int>& now = rounds_.back()[layer];
        const float share = (1.0f - fade) / static_cast<float>(std::max<size_t>(now.size(), 1));
        alike_.resize(std::min<size_t>(rounds_.size(), 256));
        for (float& alike : alike_) alike = alike < 1e-6f ? 0.0f : alike * fade;
        for (size_t lag = 1; lag < alike_.size(); ++lag)
            for (const int expert : rounds_[rounds_.size() - 1 - lag][layer])
                if (now.count(expert) != 0) alike_[lag] += share;
    }

    /// A moment's weight and, if it is one of the most alike ones, after how many rounds each expert was used.
    using Moment = std::pair<double, std::optional<std::map<int, int>>>;

    std::vector<Moment> recall(size_t layer) const {
        std::vector<size_t> lags(alike_.empty() ? 0 : alike_.size() - 1);
        std::iota(lags.begin(), lags.end(), size_t{1});
        std::stable_sort(lags.begin(), lags.end(), [this](size_t a, size_t b) { return alike_[a] > alike_[b]; });
        std::vector<Moment> moments;
        for (const size_t lag : lags) {
            Moment& moment = moments.emplace_back(std::pow(static_cast<double>(alike_[lag]), 4), std::nullopt);
            if (moments.size() > 8) continue;
            moment.second.emplace();
            for (size_t round = 0; round < std::min<size_t>(lag, 6); ++round)
                for (const int expert : rounds_[rounds_.size() - lag + round][layer])
                    moment.second->try_emplace(expert, static_cast<int>(round));
        }
        return moments;
    }

    int64_t uses(int layer, int expert) const {
        int64_t sum = 0;
        for (const Pass& pass : passes_)
            if (pass.layer == layer) sum += used(pass, expert);
        return sum;
    }
    int64_t lastTouch(int layer, int expert) const {
        int64_t last = 0;
        for (const Pass& pass : passes_) {
            if (pass.layer != layer) continue;
            for (size_t i = 0; i < pass.demands.size(); ++i) // within a pass, experts named later count as later
                if (pass.demands[i].expert == expert) last = std::max(last, pass.time * 1000 + static_cast<int64_t>(i));
        }
        for (const Fill& fill : fills_)
            if (fill.layer == layer && fill.expert == expert) last = std::max(last, fill.time * 1000);
        return last;
    }

    EvictionShape shape_;
    std::vector<Pass> passes_;
    std::vector<std::vector<std::set<int>>> rounds_; // [rounds][layers] experts that a single token used
    std::vector<float> alike_;                       // [lags]
    std::map<int, std::vector<Moment>> recallOf_;    // by layer, as it was when the layer began
    std::vector<Fill> fills_;
    std::vector<std::optional<std::pair<int, int>>> slots_;
    int64_t clock_ = 0;
};

/// Different experts of a layer, and how many of the tokens use each.
std::vector<ExpertDemand> drawDemands(std::mt19937& random, int experts, int64_t tokens) {
    std::vector<ExpertDemand> demands;
    for (int expert = 0; expert < experts; ++expert) {
        const bool liked = random() % (1 + static_cast<uint32_t>(expert)) == 0; // low numbers are used more
        const auto count = static_cast<int64_t>(random() % static_cast<uint32_t>(tokens)) + 1;
        if (liked) demands.push_back({expert, count});
    }
    std::shuffle(demands.begin(), demands.end(), random);
    return demands;
}

} // namespace

class TestEviction : public QObject {
    Q_OBJECT

    static std::vector<uint8_t> free(uint32_t slots) { return std::vector<uint8_t>(slots); }

    /// Fills slots 0, 1, ... with `experts` of layer 0.
    static void fill(EvictionPolicy& policy, std::initializer_list<int> experts) {
        for (uint32_t slot = 0; const int expert : experts) policy.filled(slot++, 0, expert);
    }

    /// Begins a layer in both policies; its misses take the victims' slots. Returns false if a victim is not the right
    /// one.
    static bool step(EvictionKind kind, EvictionPolicy& policy, History& history, int layer,
                     std::span<const ExpertDemand> demands, int64_t tokens, std::mt19937& random) {
        policy.layerReached(layer, demands, tokens);
        history.layerReached(layer, demands, tokens);
        for (const ExpertDemand& demand : demands) {
            if (history.resident(layer, demand.expert)) continue;
            std::vector<uint8_t> held(7);
            for (uint8_t& h : held) h = random() % 3 == 0 ? static_cast<uint8_t>(1 + random() % 200) : 0;
            const auto victim = policy.victim(held);
            if (!right(kind, history, held, victim)) return false;
            uint32_t slot = 0;
            while (slot < held.size() && history.isFilled(slot)) ++slot;
            if (slot == held.size()) {
                if (!victim) continue;
                slot = *victim;
                if (random() % 2 ==
                    0) { // the store empties a slot before it fills it; filling it without that is allowed too
                    policy.emptied(slot);
                    history.emptied(slot);
                }
            }
            policy.filled(slot, layer, demand.expert);
            history.filled(slot, layer, demand.expert);
        }
        return true;
    }

    /// Returns whether no other expert had to be evicted before the victim. Sums in another order may differ slightly.
    static bool right(EvictionKind kind, const History& history, std::span<const uint8_t> held,
                      std::optional<uint32_t> victim) {
        const double hair = kind == EvictionKind::ExpectedUse ? 1e-5 : 0;
        for (uint32_t slot = 0; slot < held.size(); ++slot) {
            if (held[slot] != 0 || !history.isFilled(slot)) {
                if (victim == slot) return false;
                continue;
            }
            if (!victim) return false;
            const auto mine = history.claim(kind, *victim), other = history.claim(kind, slot);
            if (other.first > mine.first + hair * std::abs(mine.first)) return false;
            if (other.first == mine.first && other.second > mine.second) return false;
        }
        return true;
    }

  private Q_SLOTS:
    void names() {
        QCOMPARE(std::size(kEvictionNames), std::size(kKinds));
        for (size_t i = 0; i < std::size(kKinds); ++i) {
            QCOMPARE(int(kEvictionNames[i].kind), int(kKinds[i]));
            QCOMPARE(evictionName(kKinds[i]), kEvictionNames[i].name);
        }
    }

    /// Layers of different sizes, one without experts, chunks, held and emptied slots.
    void agreeWithAPlainHistory() {
        const EvictionShape shape{{5, 0, 9, 3}, 7};
        for (const EvictionKind kind : kKinds) {
            const auto policy = createEviction(kind, shape);
            History history(shape);
            std::mt19937 random(5);
            for (int i = 0; i < 1600; ++i) {
                const int layer = i % 4;
                const int64_t tokens = random() % 8 == 0 ? 1 + static_cast<int64_t>(random() % 6) : 1;
                const auto demands = drawDemands(random, shape.expertsOfLayer[static_cast<size_t>(layer)], tokens);
                QVERIFY2(step(kind, *policy, history, layer, demands, tokens, random), evictionName(kind));
                if (random() % 5 == 0) {
                    const auto slot = static_cast<uint32_t>(random() % shape.slots);
                    policy->emptied(slot); // empty slots too: that changes nothing
                    history.emptied(slot);
                }
                if (kind != EvictionKind::ExpectedUse) continue;
                for (int expert = 0; expert < 9; ++expert) {
                    const double wanted = history.wait(2, expert);
                    QVERIFY(std::abs(policy->expectedWait(2, expert) - wanted) <= 1e-5 * wanted);
                }
            }
        }
    }

    void nothingToGive() {
        for (const EvictionKind kind : kKinds) {
            const auto policy = createEviction(kind, {{4}, 3});
            QVERIFY(!policy->victim(free(3)));
            fill(*policy, {2, 0, 1});
            QVERIFY(!policy->victim(std::vector<uint8_t>{1, 255, 2}));
            QVERIFY(policy->victim(std::vector<uint8_t>{1, 0, 2}) == std::optional<uint32_t>(1));
            for (const uint32_t slot : {0u, 1u, 2u}) policy->emptied(slot);
            QVERIFY(!policy->victim(free(3)));
        }
    }

    /// Before anything was used, experts differ only by the distance to their layer.
    void beforeAnythingWasUsed() {
        const auto policy = createEviction(EvictionKind::ExpectedUse, {{2, 2, 2}, 4});
        policy->filled(0, 0, 0);
        policy->filled(1, 2, 0);
        policy->filled(2, 2, 1);
        policy->filled(3, 1, 0);
        QVERIFY(policy->victim(free(4)) == std::optional<uint32_t>(1)); // the farthest layer; of equals, the lower slot
        QVERIFY(std::isfinite(policy->expectedWait(0, 0)));
        QVERIFY(policy->expectedWait(0, 0) < policy->expectedWait(1, 0));
        policy->layerReached(0, {}, 1);
        QVERIFY(policy->victim(free(4)) == std::optional<uint32_t>(0)); // its layer has just passed
    }

    /// The main difference to lru: layers come in a circle, so the oldest expert is needed next and must not be
    /// evicted.
    void aCircleThatDoesNotFit() {
        constexpr int layers = 4;
        constexpr uint32_t slots = 3;
        const auto hits = [](EvictionKind kind) {
            const auto policy = createEviction(kind, {std::vector<int>(layers, 1), slots});
            std::vector<int> slotOf(layers, -1);
            int found = 0;
            for (int i = 0; i < 10 * layers; ++i) {
                const int layer = i % layers;
                policy->layerReached(layer, std::vector<ExpertDemand>{{0, 1}}, 1);
                if (slotOf[static_cast<size_t>(layer)] >= 0) {
                    ++found;
                    continue;
                }
                uint32_t slot = static_cast<uint32_t>(i);
                if (slot >= slots) {
                    slot = *policy->victim(free(slots));
                    std::replace(slotOf.begin(), slotOf.end(), static_cast<int>(slot), -1);
                    policy->emptied(slot);
                }
                policy->filled(slot, layer, 0);
                slotOf[static_cast<size_t>(layer)] = static_cast<int>(slot);
            }
            return found;
        };
        QCOMPARE(hits(EvictionKind::LeastRecentlyUsed), 0);
        QVERIFY(hits(EvictionKind::ExpectedUse) >= 24); // about two of three
    }

    /// Averages can't predict this: a quarter of the tokens use each of the four experts, in turn.
    void whatCameAfterTheLikeComesAgain() {
        const auto policy = createEviction(EvictionKind::ExpectedUse, {{4}, 4});
        for (int i = 0; i < 41; ++i) policy->layerReached(0, std::vector<ExpertDemand>{{i % 4, 1}}, 1);
        fill(*policy, {0, 1, 2, 3});
        QVERIFY(policy->expectedWait(0, 1) < 1.25); // it comes next
        QVERIFY(policy->expectedWait(0, 2) > policy->expectedWait(0, 1) + 0.5);
        QVERIFY(policy->expectedWait(0, 3) > policy->expectedWait(0, 2) + 0.5);
        QVERIFY(policy->expectedWait(0, 0) > policy->expectedWait(0, 3) + 0.25);
        QVERIFY(policy->victim(free(4)) == std::optional<uint32_t>(0));
        policy->layerReached(0, std::vector<ExpertDemand>{{0, 4}, {1, 4}, {2, 4}, {3, 4}}, 16);
        for (int i = 0; i < 12; ++i) policy->layerReached(0, std::vector<ExpertDemand>{{0, 2}, {3, 2}}, 4);
        QVERIFY(policy->expectedWait(0, 3) < policy->expectedWait(0, 1)); // after chunks, all moments are less alike
    }

    /// A chunk counts as many tokens as it has, not as one.
    void chunksCountTheirTokens() {
        const auto policy = createEviction(EvictionKind::ExpectedUse, {{3}, 3});
        const std::vector<ExpertDemand> chunk{{0, 90}, {1, 10}};
        policy->layerReached(0, chunk, 100);
        fill(*policy, {0, 1, 2});
        const auto wait = [](double p) { return 1 - std::log2(2 * p / (1 + p)); };
        QVERIFY(std::abs(policy->expectedWait(0, 0) - wait(0.9)) < 0.01);
        QVERIFY(std::abs(policy->expectedWait(0, 1) - wait(0.1)) < 0.01);
        QVERIFY(policy->victim(free(3)) == std::optional<uint32_t>(2));
        const auto counted = createEviction(EvictionKind::LeastFrequentlyUsed, {{3}, 3});
        counted->layerReached(0, chunk, 100);
        for (int i = 0; i < 20; ++i) counted->layerReached(0, std::vector<ExpertDemand>{{1, 1}, {2, 1}}, 1);
        fill(*counted, {0, 1, 2});
        QVERIFY(counted->victim(free(3)) == std::optional<uint32_t>(2)); // 90, 30 and 20 uses
    }

    /// A prefetched expert is not evicted first, and its expected wait still follows from its uses only.
    void expectedWaitsCompareGuesses() {
        for (const EvictionKind kind : kKinds) {
            const auto policy = createEviction(kind, {{4, 4}, 4});
            for (int i = 0; i < 6; ++i) {
                policy->layerReached(0, std::vector<ExpertDemand>{{0, 1}, {i % 2 == 0 ? 1 : 2, 1}}, 1);
                policy->layerReached(1, {}, 1);
            }
            QVERIFY(policy->expectedWait(0, 0) <= policy->expectedWait(0, 1));
            QVERIFY(policy->expectedWait(0, 1) < policy->expectedWait(0, 3));
            QVERIFY(std::isfinite(policy->expectedWait(0, 3)));
        }
    }

    void theSameCallsTheSameVictims() {
        for (const EvictionKind kind : kKinds) {
            std::vector<std::optional<uint32_t>> runs[2];
            for (auto& run : runs) {
                const auto policy = createEviction(kind, {{40, 40}, 16});
                std::mt19937 random(3);
                for (uint32_t slot = 0; slot < 16; ++slot) policy->filled(slot, 1, static_cast<int>(slot));
                for (int i = 0; i < 400; ++i) {
                    policy->layerReached(i % 2, drawDemands(random, 40, 3), 3);
                    run.push_back(policy->victim(free(16)));
                }
            }
            QVERIFY(runs[0] == runs[1]);
        }
    }
};

QTEST_APPLESS_MAIN(TestEviction)
#include "tst_eviction.moc"
