// SPDX-License-Identifier: Apache-2.0
// The softmax of all logits, summed in double. With p = exp(l - max) / total, the entropy is
// -sum p ln p = ln(total) - sum (l - max) exp(l - max) / total.
#include "records/token_chances.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine {

namespace {

/// Returns a logit's distance from the largest, at most 0; minus infinity if the logit is not a number.
double below(float logit, float largest) {
    if (std::isnan(logit) || logit == -std::numeric_limits<float>::infinity())
        return -std::numeric_limits<double>::infinity();
    const float finite = std::min(logit, std::numeric_limits<float>::max());
    return static_cast<double>(finite) - static_cast<double>(largest);
}

float largestOf(std::span<const float> logits) {
    float largest = std::numeric_limits<float>::lowest();
    for (const float logit : logits) largest = logit > largest ? logit : largest; // NaN is not larger
    return std::min(largest, std::numeric_limits<float>::max());
}

} // namespace

void setChances(std::span<const float> logits, int64_t alternatives, TokenRecord& record) {
    const float largest = largestOf(logits);
    double total = 0, weighted = 0;
    for (const float logit : logits) {
        const double distance = below(logit, largest);
        if (std::isinf(distance)) continue;
        const double weight = std::exp(distance);
        total += weight;
        weighted += distance * weight;
    }
    if (total == 0) return;
    const auto probability = [&](TokenId id) {
        return std::exp(below(logits[static_cast<size_t>(id)], largest)) / total;
    };
    record.probability = probability(record.id);
    record.entropy = std::max(0.0, std::log(total) - weighted / total);

    std::vector<TokenId> best; // a heap whose front is the worst
    const auto better = [&](TokenId a, TokenId b) {
        const double x = below(logits[static_cast<size_t>(a)], largest);
        const double y = below(logits[static_cast<size_t>(b)], largest);
        return x != y ? x > y : a < b;
    };
    const size_t most = std::min(static_cast<size_t>(alternatives), logits.size());
    for (size_t i = 0; i < logits.size() && most > 0; ++i) {
        const auto id = static_cast<TokenId>(i);
        if (best.size() == most && !better(id, best.front())) continue;
        if (best.size() == most) {
            std::pop_heap(best.begin(), best.end(), better);
            best.pop_back();
        }
        best.push_back(id);
        std::push_heap(best.begin(), best.end(), better);
    }
    std::sort_heap(best.begin(), best.end(), better);
    for (const TokenId id : best)
        if (probability(id) > 0) record.alternatives.push_back({id, probability(id)});
}

} // namespace coterie::engine
