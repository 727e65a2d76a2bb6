// SPDX-License-Identifier: Apache-2.0
// What a model expects at one position, small enough to be kept for each of a text's, and how far another is from it.
#pragma once

#include "gguf/token_id.h"

#include <span>
#include <vector>

namespace coterie::app {

/// Of some tokens one by one, and of all others together.
struct Distribution {
    std::vector<engine::TokenId> tokens;  ///< rising
    std::vector<double> logProbabilities; ///< [tokens], natural
    double others = 0;                    ///< probability of all that are not among them
    engine::TokenId likeliest = -1;       ///< of all; of equal ones the smallest id
};

/// Softmax of logits: [vocabulary]; what is not a number counts as minus infinity. tokens: rising.
Distribution distributionOf(std::span<const float> logits, std::vector<engine::TokenId> tokens);
/// The same of its `most` likeliest tokens.
Distribution likeliestOf(std::span<const float> logits, size_t most);

/// The Kullback-Leibler divergence D(exact || other) in nats, from 0 up. Both are about the same tokens: what differs
/// among the others is not seen, so it is at most that of the whole vocabulary.
double divergence(const Distribution& exact, const Distribution& other);

} // namespace coterie::app
