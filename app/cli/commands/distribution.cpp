// SPDX-License-Identifier: Apache-2.0
// See distribution.h. Equal logits give equal bits, and so a divergence of exactly 0.
#include "cli/commands/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace coterie::app {

using engine::TokenId;

namespace {

double logitOf(std::span<const float> logits, TokenId token) {
    const float logit = logits[static_cast<size_t>(token)];
    return std::isnan(logit) ? -std::numeric_limits<double>::infinity() : static_cast<double>(logit);
}

/// p log(p / q). The term is 0 if p is 0.
double term(double probability, double logarithm, double other) {
    return probability > 0 ? probability * (logarithm - other) : 0;
}

} // namespace

Distribution distributionOf(std::span<const float> logits, std::vector<TokenId> tokens) {
    Distribution out;
    const auto vocabulary = static_cast<TokenId>(logits.size());
    for (TokenId token = 0; token < vocabulary; ++token)
        if (out.likeliest < 0 || logitOf(logits, token) > logitOf(logits, out.likeliest)) out.likeliest = token;
    if (out.likeliest < 0) return out;
    const double largest = logitOf(logits, out.likeliest);
    double named = 0, others = 0;
    auto next = tokens.begin();
    for (TokenId token = 0; token < vocabulary; ++token) {
        const bool isNamed = next != tokens.end() && *next == token;
        if (isNamed) ++next;
        (isNamed ? named : others) += std::exp(logitOf(logits, token) - largest);
    }
    const double logSum = std::log(named + others);
    for (const TokenId token : tokens) out.logProbabilities.push_back(logitOf(logits, token) - largest - logSum);
    out.others = others / (named + others);
    out.tokens = std::move(tokens);
    return out;
}

Distribution likeliestOf(std::span<const float> logits, size_t most) {
    std::vector<TokenId> tokens(logits.size());
    std::iota(tokens.begin(), tokens.end(), 0);
    const auto kept = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(most, tokens.size()));
    std::partial_sort(tokens.begin(), kept, tokens.end(), [&logits](TokenId a, TokenId b) {
        const double one = logitOf(logits, a), two = logitOf(logits, b);
        return one != two ? one > two : a < b;
    });
    tokens.erase(kept, tokens.end());
    std::sort(tokens.begin(), tokens.end());
    return distributionOf(logits, std::move(tokens));
}

double divergence(const Distribution& exact, const Distribution& other) {
    double sum = term(exact.others, std::log(exact.others), std::log(other.others));
    for (size_t i = 0; i < exact.tokens.size(); ++i)
        sum += term(std::exp(exact.logProbabilities[i]), exact.logProbabilities[i], other.logProbabilities[i]);
    return std::max(0.0, sum); // rounding may leave it slightly below 0
}

} // namespace coterie::app
