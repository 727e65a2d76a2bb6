// SPDX-License-Identifier: Apache-2.0
// The distribution of a model's next token at one position, small enough to be kept for every position of a text, and
// the divergence between two of them.
#pragma once

#include "gguf/token_id.h"

#include <span>
#include <vector>

namespace coterie::app {

/// Probabilities of some tokens one by one, and of all others together.
struct Distribution {
    std::vector<engine::TokenId> tokens;  ///< in rising order
    std::vector<double> logProbabilities; ///< [tokens], natural
    double others = 0;                    ///< probability of all tokens that are not in `tokens`
    engine::TokenId likeliest = -1;       ///< likeliest of all tokens; of equal ones the smallest id
};

/// Computes the softmax. logits: [vocabulary]; NaN counts as minus infinity. tokens: in rising order.
Distribution distributionOf(std::span<const float> logits, std::vector<engine::TokenId> tokens);
/// The same for the `most` likeliest tokens.
Distribution likeliestOf(std::span<const float> logits, size_t most);

/// The Kullback-Leibler divergence D(exact || other) in nats, from 0 up. Both have the same tokens. Differences among
/// the other tokens are not seen, so the result is at most the divergence over the whole vocabulary.
double divergence(const Distribution& exact, const Distribution& other);

} // namespace coterie::app
