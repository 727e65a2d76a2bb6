// SPDX-License-Identifier: Apache-2.0
// SentencePiece's BPE flavour, as Llama 1 and 2 brought it (tokenizer.ggml.model "llama"): no words, scores instead of
// a list of merges, U+2581 for a space, and <0xNN> tokens for what no piece covers. Not its unigram flavour.
#pragma once

#include "prompt/tokenizer.h"

#include <memory>

namespace coterie::engine {

/// Errors as Tokenizer::create().
Result<std::unique_ptr<Tokenizer>> createSentencePieceTokenizer(const gguf::Header& header);

} // namespace coterie::engine
