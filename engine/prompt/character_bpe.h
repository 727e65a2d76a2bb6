// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding whose first symbols are characters, as Gemma 4's vocabularies have it: no byte alphabet, U+2581
// for a space, and tokens <0xNN> for the bytes of characters that have no token.
#pragma once

#include "prompt/pretokenizer.h"
#include "prompt/vocabulary.h"

#include <memory>

namespace coterie::engine {

/// pretokenizer: an entry of the table.
Result<std::unique_ptr<Tokenizer>> createCharacterTokenizer(const gguf::Header& header, Vocabulary vocabulary,
                                                            bool addsBeginning, const Pretokenizer& pretokenizer);

} // namespace coterie::engine
