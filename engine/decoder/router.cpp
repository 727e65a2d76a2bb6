// SPDX-License-Identifier: Apache-2.0
// See router.h. Sums are computed in double and in a fixed order.
#include "decoder/router.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace coterie::engine {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// The least number by which weights are divided. Source: llama.cpp, which takes the smallest normal number of F16.
constexpr double kLeastWeightSum = 1.0 / (1 << 14);

double softmaxSum(std::span<const float> logits, double largest) {
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
    return sum;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Fills out, from index `first` on, with the experts of highest score that are not in it yet. The k passes work for
/// any numbers, NaN included, and keep the order of equal ones.
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

/// Sorts the highest first, and equal ones in the order of their numbers.
void sortBy(std::span<const float> scores, std::span<Choice> choices) {
    const auto score = [&scores](const Choice& choice) {
        const float value = scores[static_cast<size_t>(choice.expert)];
        return std::isnan(value) ? kNever : value;
    };
    std::sort(choices.begin(), choices.end(), [&score](const Choice& a, const Choice& b) {
        return score(a) != score(b) ? score(a) > score(b) : a.expert < b.expert;
    });
}

/// Returns the difference between the largest and the smallest of the finite scores.
double rangeOf(std::span<const float> scores) {
    float least = std::numeric_limits<float>::max(), largest = std::numeric_limits<float>::lowest();
    for (const float score : scores) {
        if (!std::isfinite(score)) continue;
        least = std::min(least, score);
        largest = std::max(largest, score);
    }
    return std::max(0.0, static_cast<double>(largest) - static_cast<double>(least));
}

double bonusOf(std::span<const float> scores, float preferCached) {
    return static_cast<double>(preferCached) * rangeOf(scores);
}

/// Sets the scores of all groups except the best ones to minus infinity. Of equal groups the first is the better one.
void keepBestGroups(const RouterShape& router, std::span<float> scores) {
    const size_t each = scores.size() / static_cast<size_t>(router.groups);
    const auto scoreOf = [&](int64_t group) {
        double best = static_cast<double>(kNever), second = best;
        for (const float score : scores.subspan(static_cast<size_t>(group) * each, each)) {
            second = std::max(second, std::min(best, static_cast<double>(score)));
            best = std::max(best, static_cast<double>(score));
        }
        return best + second;
    };
    for (int64_t group = 0; group < router.groups; ++group) {
        const double score = scoreOf(group);
        int64_t better = 0; // a group that was set aside cannot be among the best: it makes no difference here
        for (int64_t other = 0; other < router.groups; ++other) {
            const double others = scoreOf(other);
            better += others > score || (others == score && other < group);
        }
        if (better < router.groupsUsed) continue;
        for (float& expert : scores.subspan(static_cast<size_t>(group) * each, each)) expert = kNever;
    }
}

/// Returns how many experts, best first, together have that share of all weights.
size_t fewestHolding(float share, std::span<const Choice> chosen) {
    const auto add = [](double sum, const Choice& choice) { return sum + static_cast<double>(choice.weight); };
    const double needed = static_cast<double>(share) * std::accumulate(chosen.begin(), chosen.end(), 0.0, add);
    double sum = 0;
    for (size_t kept = 1; kept < chosen.size(); ++kept)
        if ((sum = add(sum, chosen[kept - 1])) >= needed) return kept;
    return chosen.size();
}

/// Weights of the chosen experts, without the router's scale.
void weigh(const RouterShape& router, std::span<const float> logits, std::span<Choice> out) {
    const auto logit = [&](const Choice& choice) {
        return static_cast<double>(logits[static_cast<size_t>(choice.expert)]);
    };
    double sum = 0;
    if (router.gating == Gating::Sigmoid) {
        for (const Choice& choice : out) sum += sigmoid(logit(choice));
        const double divisor = router.normalised ? std::max(sum, kLeastWeightSum) : 1;
        for (Choice& choice : out) choice.weight = static_cast<float>(sigmoid(logit(choice)) / divisor);
        return;
    }
    // Divided by their sum, weights of a softmax over all are those of a softmax over the chosen.
    const double largest = logit(out[0]);
    for (const Choice& choice : out) sum += std::exp(logit(choice) - largest);
    const double divisor = router.normalised ? sum : softmaxSum(logits, largest);
    for (Choice& choice : out) choice.weight = static_cast<float>(std::exp(logit(choice) - largest) / divisor);
}

/// Like rankExperts(), but with the bonus of cached experts; the best expert stays in any case. Returns whether the
/// bonus changes which experts are chosen. Computed in double, so that equal additions keep the scores in their order.
bool rankPreferring(std::span<const float> scores, float preferCached, std::span<const uint8_t> cached,
                    std::span<Choice> out) {
    rankExperts(scores, out);
    if (preferCached == 0) return false;
    const int32_t lastOfBest = out.back().expert;
    const double bonus = bonusOf(scores, preferCached);
    rankBy([&](size_t e) { return static_cast<double>(scores[e]) + (cached[e] != 0 ? bonus : 0); }, scores.size(), out,
           1);
    sortBy(scores, out.subspan(1));
    return out.back().expert != lastOfBest; // any other expert would rank behind it
}

/// Once the experts are chosen, a selection bias does not affect their order.
void orderByLogits(std::span<const float> logits, std::span<const float> scores, std::span<Choice> out) {
    if (scores.data() != logits.data()) sortBy(logits, out);
}

} // namespace

std::span<const float> selectionScores(const RouterShape& router, std::span<const float> logits, const float* bias,
                                       std::span<float> scratch) {
    if (bias == nullptr && router.groups == 1) return logits;
    const bool softmax = router.gating == Gating::Softmax;
    const double largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    const double sum = softmax ? softmaxSum(logits, largest) : 1;
    const std::span<float> scores = scratch.first(logits.size());
    for (size_t e = 0; e < scores.size(); ++e) {
        const double logit = static_cast<double>(logits[e]);
        const double p = softmax ? std::exp(logit - largest) / sum : sigmoid(logit);
        scores[e] = static_cast<float>(p + (bias == nullptr ? 0 : static_cast<double>(bias[e])));
    }
    if (router.groups > 1) keepBestGroups(router, scores);
    return scores;
}

void rankExperts(std::span<const float> scores, std::span<Choice> out) {
    rankBy([&scores](size_t e) { return scores[e]; }, scores.size(), out, 0);
}

void addCachedBonus(std::span<float> scores, float preferCached, std::span<const uint8_t> cached) {
    if (preferCached == 0) return;
    const double bonus = bonusOf(scores, preferCached);
    for (size_t e = 0; e < scores.size(); ++e)
        if (cached[e] != 0) scores[e] = static_cast<float>(static_cast<double>(scores[e]) + bonus);
}

void selectionMargins(std::span<float> scores, size_t chosen, std::span<float> scratch) {
    double count = 0, sum = 0, squares = 0;
    for (const float score : scores) {
        if (score == kNever) continue;
        ++count;
        sum += static_cast<double>(score);
        squares += static_cast<double>(score) * static_cast<double>(score);
    }
    const auto deviation = static_cast<float>(std::sqrt(std::max(squares / count - sum / count * (sum / count), 0.0)));
    std::transform(scores.begin(), scores.end(), scratch.begin(),
                   [](float score) { return std::isnan(score) ? std::numeric_limits<float>::lowest() : score; });
    const auto end = scratch.begin() + static_cast<std::ptrdiff_t>(scores.size());
    const auto last = scratch.begin() + static_cast<std::ptrdiff_t>(chosen) - 1;
    std::nth_element(scratch.begin(), last, end, std::greater<>());
    const float highestOut = chosen < scores.size() ? *std::max_element(last + 1, end) : *last;
    const float limit = highestOut == kNever ? *last : std::midpoint(*last, highestOut);
    for (float& score : scores) score = (score - limit) / deviation;
}

void chooseExperts(const RouterShape& router, std::span<const float> logits, std::span<const float> scores,
                   std::span<Choice> out) {
    rankExperts(scores, out);
    orderByLogits(logits, scores, out);
    weigh(router, logits, out);
}

ApproximateChoice chooseExperts(const RouterShape& router, std::span<const float> logits, std::span<const float> scores,
                                const ApproximateRouting& routing, std::span<const uint8_t> cached,
                                std::span<Choice> out) {
    const bool others = rankPreferring(scores, routing.preferCached, cached, out);
    orderByLogits(logits, scores, out);
    weigh(router, logits, out);
    if (routing.topWeightShare == 0) return {out.size(), others};
    const size_t kept = fewestHolding(routing.topWeightShare, out);
    weigh(router, logits, out.first(kept)); // again, over those that stay
    return {kept, others || kept < out.size()};
}

} // namespace coterie::engine
