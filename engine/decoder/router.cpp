// SPDX-License-Identifier: Apache-2.0
// See router.h. Sums in double and in a fixed order.
#include "decoder/router.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine {
namespace {

/// k passes: works for any numbers, NaN included, and keeps the order of equal ones.
void rank(std::span<const float> logits, std::span<Choice> out) {
    const auto taken = [&out](size_t count, int32_t expert) {
        return std::any_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count),
                           [expert](const Choice& choice) { return choice.expert == expert; });
    };
    for (size_t k = 0; k < out.size(); ++k) {
        int32_t best = -1;
        for (int32_t e = 0; e < static_cast<int32_t>(logits.size()); ++e) {
            if (taken(k, e)) continue;
            if (best < 0 || logits[static_cast<size_t>(e)] > logits[static_cast<size_t>(best)]) best = e;
        }
        out[k].expert = best;
    }
}

double softmaxSum(std::span<const float> logits, double largest) {
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
    return sum;
}

} // namespace

void chooseExperts(const ModelShape& shape, std::span<const float> logits, std::span<Choice> out) {
    rank(logits, out);
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

} // namespace coterie::engine
