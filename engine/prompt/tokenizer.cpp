// SPDX-License-Identifier: Apache-2.0
// Chooses the tokenizer that a file asks for.
#include "prompt/tokenizer.h"

#include "prompt/bpe.h"
#include "prompt/sentencepiece.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary.h"

namespace coterie::engine {

Result<std::unique_ptr<Tokenizer>> Tokenizer::create(const gguf::Header& header) {
    const std::optional<std::string_view> model = header.string("tokenizer.ggml.model");
    if (!model) return vocabularyError("The file doesn't say how text becomes tokens: tokenizer.ggml.model is missing");
    if (*model == "gpt2") return createPairTokenizer(header, "");
    if (*model == "gemma4") return createPairTokenizer(header, *model); // its files name no rule
    if (*model == "llama") return createSentencePieceTokenizer(header);
    return Error{ErrorKind::Unsupported,
                 "This model's text can't be split into tokens",
                 {"Its tokenizer \"%1\" is not one that this program knows (gpt2, llama, gemma4)", cutText(*model, 80)},
                 "Use a model of another family, or a newer version of this program"};
}

} // namespace coterie::engine
