// SPDX-License-Identifier: Apache-2.0
// Finds the place of each token of a prompt in the text that it was made of.
#pragma once

#include "prompt/prompt_text.h"
#include "prompt/tokenizer.h"

#include <span>
#include <vector>

namespace coterie::engine {

/// Returns the bytes of the prompt's text that each token stands for, rising. tokens: those of the prompt, maybe with a
/// BOS before them. A token that stands for nothing in the text, as that BOS or the space that SentencePiece puts
/// before a text, has an empty range. Bytes that the vocabulary can't express are in no range.
std::vector<ByteRange> tokenPlaces(const PromptText& prompt, std::span<const TokenId> tokens,
                                   const Tokenizer& tokenizer);

} // namespace coterie::engine
