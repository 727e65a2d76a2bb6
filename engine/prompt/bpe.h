// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding: text is cut into words, and neighbours within a word merge in the order of the vocabulary's list.
// GPT-2 introduced it, with bytes as the first symbols, and most published models use it (tokenizer.ggml.model "gpt2").
// Gemma 4's begins with characters (character_bpe.h).
#pragma once

#include "prompt/tokenizer.h"

#include <memory>
#include <string_view>

namespace coterie::engine {

/// rule: the pre-tokenizer, whatever the file says; "": the one that it names. Returns the same errors as
/// Tokenizer::create().
Result<std::unique_ptr<Tokenizer>> createPairTokenizer(const gguf::Header& header, std::string_view rule);

} // namespace coterie::engine
