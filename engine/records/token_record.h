// SPDX-License-Identifier: Apache-2.0
// The facts that an answer gives about each of its tokens. Plain values.
#pragma once

#include "prompt/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coterie::engine {

/// Selects what an answer's token records hold besides id, text range and time, which cost nothing.
///
/// Probabilities need the logit of every token of the vocabulary, but a predicted head leaves most rows out (they are
/// minus infinity). So an answer that asks for either of these computes all rows, as HeadRows::All does. This reads the
/// whole head for each token: a quarter or more of the weights that a token reads if the vocabulary is large and few
/// experts are active. One exponential per row comes on top, about a millisecond for 150,000 rows. A greedy or top-k
/// draw from all rows can differ from one that trusts the predictor.
struct TokenDetails {
    bool probabilities = false; ///< TokenRecord::probability and entropy
    int64_t alternatives = 0;   ///< number of likeliest tokens to name; more than 0 gives the probabilities too

    bool none() const { return !probabilities && alternatives == 0; }
};

/// A token that the model could have written, and how likely it was.
struct TokenChance {
    TokenId id = -1;
    double probability = 0;

    bool operator==(const TokenChance&) const = default;
};

/// Bytes [begin, end) of a part's text.
struct TextRange {
    size_t part = 0; ///< index in Generated::parts
    size_t begin = 0, end = 0;

    bool operator==(const TextRange&) const = default;
};

/// One token of an answer.
///
/// Every byte of the parts belongs to exactly one token, or to the prefix that the answer continues. A character
/// that several tokens make belongs to the token that completes it, so no range cuts a character.
struct TokenRecord {
    TokenId id = -1;
    double seconds = 0; ///< from the call to the moment at which it was drawn
    /// The text that it wrote, at most one range per part. Usually there is one. There is none if the token is a
    /// marker, white space around a marker, part of a stop string, or the beginning of a character. There are several
    /// if its text goes across the border of two parts.
    std::vector<TextRange> text{};
    /// Its share of the softmax of the raw logits: at temperature 1, before penalties and before any filter of the
    /// sampler. Nothing unless GenerateOptions::details asks for it.
    std::optional<double> probability{};
    std::optional<double> entropy{};         ///< entropy of the same distribution, in nats; set if probability is
    std::vector<TokenChance> alternatives{}; ///< the likeliest tokens of the same distribution, the best first

    bool operator==(const TokenRecord&) const = default;
};

} // namespace coterie::engine
