// SPDX-License-Identifier: Apache-2.0
// Turns text into token ids and back, by the vocabulary of a GGUF file: BPE or SentencePiece. Not chat
// templates.
//
//     Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::create(header);
//     if (!tokenizer) return tokenizer.error();
//     std::vector<TokenId> ids = tokenizer.value()->encode("Once upon a time", false);
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"
#include "gguf/token_id.h"
#include "prompt/prompt_text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Read-only after create(): any thread may use it. It owns all that it needs, so the header may be destroyed.
class Tokenizer {
  public:
    /// Returns Unsupported with the name of an unknown tokenizer model or pre-tokenizer, or BadInput with what is wrong
    /// with the vocabulary.
    static Result<std::unique_ptr<Tokenizer>> create(const gguf::Header& header);
    virtual ~Tokenizer() = default;

    /// Adds no BOS. special: control tokens that the text spells ("<|im_end|>") become their ids; otherwise they are
    /// plain characters, and no text gives a control token. Tokens that the vocabulary calls user-defined are always
    /// taken whole. SentencePiece puts a space before the text and after special tokens if the file asks for it. Text
    /// that is not UTF-8 is read byte by byte. Takes n log n steps at worst.
    virtual std::vector<TokenId> encode(std::string_view text, bool special) const = 0;
    /// The same for a prompt: a control token counts only if it lies wholly in text that the template wrote. Words and
    /// merges reach over the borders between that and other text.
    virtual std::vector<TokenId> encode(const PromptText& prompt) const = 0;
    /// Returns the token's bytes, which may be a part of a character. Control tokens give "" unless `special`; so do
    /// ids that are no token. SentencePiece's U+2581 becomes a space. At the first token of a text this is the space
    /// that encode() put there.
    virtual std::string decode(TokenId token, bool special = false) const = 0;

    virtual int64_t vocabularySize() const = 0;
    virtual std::optional<TokenId> beginning() const = 0; ///< the id of BOS, if the vocabulary has it
    virtual bool addsBeginning() const = 0;               ///< whether a prompt starts with BOS
    /// Ids after which an answer is over: EOS, EOT and every end-like control token.
    virtual const std::vector<TokenId>& endOfGeneration() const = 0;
    virtual bool isEndOfGeneration(TokenId token) const = 0;
    virtual bool isControl(TokenId token) const = 0;
    /// Ids that the file lets no answer hold, each once, such as Gemma 4's marks of images.
    virtual std::span<const TokenId> suppressed() const { return {}; }
    /// Metadata of the file that is wrong and was left out; the tokenizer works without it.
    virtual std::vector<Sentence> notes() const { return {}; }
    virtual std::optional<TokenId> find(std::string_view text) const = 0; ///< the id of exactly this token text
    virtual std::string tokenText(TokenId token) const = 0;               ///< the text of the token in the vocabulary
    virtual uint64_t memoryBytes() const = 0;                             ///< roughly the memory that it holds
};

} // namespace coterie::engine
