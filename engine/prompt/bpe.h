// SPDX-License-Identifier: Apache-2.0
// Byte-level byte-pair encoding, which GPT-2 introduced and most published models use (tokenizer.ggml.model "gpt2"):
// text is cut into words, each byte of a word is a symbol, and neighbours merge in the order of the vocabulary's list.
#pragma once

#include "prompt/tokenizer.h"

#include <memory>

namespace coterie::engine {

/// Returns the same errors as Tokenizer::create().
Result<std::unique_ptr<Tokenizer>> createBytePairTokenizer(const gguf::Header& header);

} // namespace coterie::engine
