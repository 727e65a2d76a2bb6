// SPDX-License-Identifier: Apache-2.0
// SentencePiece's BPE, as Llama 1 and 2 use it (tokenizer.ggml.model "llama"): no words, scores instead of a list of
// merges, U+2581 for a space, and <0xNN> tokens for bytes that no piece covers. Not SentencePiece's unigram model.
#pragma once

#include "prompt/tokenizer.h"

#include <memory>

namespace coterie::engine {

/// Returns the same errors as Tokenizer::create().
Result<std::unique_ptr<Tokenizer>> createSentencePieceTokenizer(const gguf::Header& header);

} // namespace coterie::engine
