// SPDX-License-Identifier: Apache-2.0
// Finds the tokens of a prompt that hold the words of its question, the last message of the user, so that a trace can
// say what the model did for each of these words.
#pragma once

#include "decoder/trace.h"
#include "prompt/parts.h"
#include "prompt/prompt_text.h"
#include "prompt/tokenizer.h"

#include <span>

namespace coterie::engine {

/// tokens: those of the prompt. Returns no tokens if the question is empty, or if the template changes its words. The
/// white space around the words may be missing in the prompt: templates cut it.
QuestionTokens questionTokens(std::span<const Message> conversation, const PromptText& prompt,
                              std::span<const TokenId> tokens, const Tokenizer& tokenizer);

} // namespace coterie::engine
