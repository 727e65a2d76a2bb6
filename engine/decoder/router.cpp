// SPDX-License-Identifier: Apache-2.0
// See router.h. Sums in double and in a fixed order.
#include "decoder/router.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace coterie::engine {
namespace {

double softmaxSum(std::span<const float> logits, double largest) {
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
    return sum;
}

/// Fills out from its place `first` on with the experts of highest score that are not in it yet. k passes: works for
/// any numbers, NaN included, and keeps the order of equal ones.
template <typename Score>
void rankBy(const Score& score, size_t experts, std::span<Choice> out, size_t first) {
    const auto taken = [&out](size_t count, int32_t expert) {
        return std::any_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count),
                           [expert](const Choice& choice) { return choice.expert == expert; });
    };
    for (size_t k = first; k < out.size(); ++k) {
        int32_t best = -1;
        for (int32_t e = 0; e < static_cast<int32_t>(experts); ++e) {
            if (taken(k, e)) continue;
            if (best < 0 || score(static_cast<size_t>(e)) > score(static_cast<size_t>(best))) best = e;
        }
        out[k].expert = best;
    }
}

/// From the least to the largest of the logits that are numbers.
double rangeOf(std::span<const float> logits) {
    float least = std::numeric_limits<float>::max(), largest = std::numeric_limits<float>::lowest();
    for (const float logit : logits) {
        if (!std::isfinite(logit)) continue;
        least = std::min(least, logit);
        largest = std::max(largest, logit);
    }
    return std::max(0.0, static_cast<double>(largest) - static_cast<double>(least));
}

double bonusOf(std::span<const float> logits, float preferCached) {
    return static_cast<double>(preferCached) * rangeOf(logits);
}

/// Of the best ones first, as many as hold that share of all weights.
size_t fewestHolding(float share, std::span<const Choice> chosen) {
    const auto add = [](double sum, const Choice& choice) { return sum + static_cast<double>(choice.weight); };
    const double wanted = static_cast<double>(share) * std::accumulate(chosen.begin(), chosen.end(), 0.0, add);
    double sum = 0;
    for (size_t kept = 1; kept < chosen.size(); ++kept)
        if ((sum = add(sum, chosen[kept - 1])) >= wanted) return kept;
    return chosen.size();
}

/// Weights of experts that are chosen, the best first.
void weigh(const ModelShape& shape, std::span<const float> logits, std::span<Choice> out) {
    const auto logit = [&](const Choice& choice) {
        return static_cast<double>(logits[static_cast<size_t>(choice.expert)]);
    };
    const double largest = logit(out[0]);
    // Where all logits are far below 0 a sigmoid is exp(logit): divided by their sum, a softmax of the chosen.
    constexpr double farBelow = -500;
    const bool sigmoid =
        shape.gating == Gating::Sigmoid && !(shape.architecture->normaliseWeights && largest < farBelow);
    const auto score = [&](const Choice& choice) {
        return sigmoid ? 1 / (1 + std::exp(-logit(choice))) : std::exp(logit(choice) - largest);
    };
    double divisor = sigmoid ? 1 : softmaxSum(logits, largest);
    if (shape.architecture->normaliseWeights) {
        divisor = 0;
        for (const Choice& choice : out) divisor += score(choice);
    }
    for (Choice& choice : out) choice.weight = static_cast<float>(score(choice) / divisor);
}

/// rankExperts() with what is there lifted. Best first by true logits. Returns whether others are chosen than without.
/// In double, so that equal additions leave logits in their order.
bool rankPreferring(std::span<const float> logits, float preferCached, std::span<const uint8_t> there,
                    std::span<Choice> out) {
    rankExperts(logits, out);
    if (preferCached == 0) return false;
    const int32_t lastOfBest = out.back().expert;
    const double bonus = bonusOf(logits, preferCached);
    rankBy([&](size_t e) { return static_cast<double>(logits[e]) + (there[e] != 0 ? bonus : 0); }, logits.size(), out,
           1);
    const auto logit = [&logits](const Choice& choice) {
        const float value = logits[static_cast<size_t>(choice.expert)];
        return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
    };
    std::sort(out.begin() + 1, out.end(), [&logit](const Choice& a, const Choice& b) {
        return logit(a) != logit(b) ? logit(a) > logit(b) : a.expert < b.expert;
    });
    return out.back().expert != lastOfBest; // any other expert would stand behind it
}

} // namespace

void rankExperts(std::span<const float> logits, std::span<Choice> out) {
    rankBy([&logits](size_t e) { return logits[e]; }, logits.size(), out, 0);
}

void liftPresent(std::span<float> logits, float preferCached, std::span<const uint8_t> there) {
    if (preferCached == 0) return;
    const double bonus = bonusOf(logits, preferCached);
    for (size_t e = 0; e < logits.size(); ++e)
        if (there[e] != 0) logits[e] = static_cast<float>(static_cast<double>(logits[e]) + bonus);
}

void leadsOf(std::span<float> logits, size_t chosen, std::span<float> scratch) {
    double sum = 0, squares = 0;
    for (const float logit : logits) {
        sum += static_cast<double>(logit);
        squares += static_cast<double>(logit) * static_cast<double>(logit);
    }
    const auto count = static_cast<double>(logits.size());
    const auto deviation = static_cast<float>(std::sqrt(std::max(squares / count - sum / count * (sum / count), 0.0)));
    std::transform(logits.begin(), logits.end(), scratch.begin(),
                   [](float logit) { return std::isnan(logit) ? std::numeric_limits<float>::lowest() : logit; });
    const auto last = scratch.begin() + static_cast<std::ptrdiff_t>(chosen) - 1;
    std::nth_element(scratch.begin(), last, scratch.end(), std::greater<>());
    const float highestOut = chosen < scratch.size() ? *std::max_element(last + 1, scratch.end()) : *last;
    const float limit = std::midpoint(*last, highestOut);
    for (float& logit : logits) logit = (logit - limit) / deviation;
}

void chooseExperts(const ModelShape& shape, std::span<const float> logits, std::span<Choice> out) {
    rankExperts(logits, out);
    weigh(shape, logits, out);
}

BentChoice chooseExperts(const ModelShape& shape, std::span<const float> logits, const ApproximateRouting& routing,
                         std::span<const uint8_t> there, std::span<Choice> out) {
    const bool others = rankPreferring(logits, routing.preferCached, there, out);
    weigh(shape, logits, out);
    if (routing.sure == 0) return {out.size(), others};
    const size_t kept = fewestHolding(routing.sure, out);
    weigh(shape, logits, out.first(kept)); // again over those that stay
    return {kept, others || kept < out.size()};
}

} // namespace coterie::engine
