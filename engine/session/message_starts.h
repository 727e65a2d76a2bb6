// SPDX-License-Identifier: Apache-2.0
// Finds the tokens of a prompt at which the user's messages begin. Another prompt that differs in such a message shares
// all tokens before it, so a recurrent layer's state is worth keeping there. A message that is not found costs time and
// changes no answer.
#pragma once

#include "prompt/parts.h"
#include "prompt/prompt_text.h"
#include "prompt/tokenizer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

/// tokens: those of the prompt. Returns the number of tokens before each of the user's messages, rising: before the
/// last control token in front of its words, or before the token with its first letter if there is none.
std::vector<int64_t> messageStarts(std::span<const Message> conversation, const PromptText& prompt,
                                   std::span<const TokenId> tokens, const Tokenizer& tokenizer);

} // namespace coterie::engine
