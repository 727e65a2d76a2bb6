// SPDX-License-Identifier: Apache-2.0
// Text to token ids and back, as the vocabulary in a GGUF file asks: byte-level BPE or SentencePiece. Not chat
// templates.
//
//     Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::create(header);
//     if (!tokenizer) return tokenizer.error();
//     std::vector<TokenId> ids = tokenizer.value()->encode("Once upon a time", false);
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"
#include "gguf/token_id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Read-only after create(): any thread may use it. Owns all it needs; the header may go.
class Tokenizer {
  public:
    /// Unsupported names the tokenizer model or pre-tokenizer; BadInput says what is wrong with the vocabulary.
    static Result<std::unique_ptr<Tokenizer>> create(const gguf::Header& header);
    virtual ~Tokenizer() = default;

    /// No BOS is added. `special`: control tokens written in the text ("<|im_end|>") become their ids; else they are
    /// plain text, and no text gives a control token. What the vocabulary calls user-defined is always taken whole.
    /// SentencePiece puts a space before the text and behind special tokens where the file asks for it. Text that is
    /// not UTF-8 is taken byte by byte. Time grows with the text as n log n at worst.
    virtual std::vector<TokenId> encode(std::string_view text, bool special) const = 0;
    /// The token's bytes: maybe part of a character. Control tokens give "" unless `special`; so do ids that are no
    /// token. SentencePiece's U+2581 becomes a space: of the first token of a text it is the one that encode() put
    /// there.
    virtual std::string decode(TokenId token, bool special = false) const = 0;
    /// A whole sequence's bytes: all decode()s, without the spaces that encode() put there.
    virtual std::string decodeSequence(std::span<const TokenId> tokens, bool special = false) const;

    virtual int64_t vocabularySize() const = 0;
    virtual std::optional<TokenId> beginning() const = 0; ///< BOS id where the vocabulary has one
    virtual bool addsBeginning() const = 0;               ///< whether a prompt starts with BOS
    /// Ids after which an answer is over: EOS, EOT and every end-like control token.
    virtual const std::vector<TokenId>& endOfGeneration() const = 0;
    virtual bool isEndOfGeneration(TokenId token) const = 0;
    virtual bool isControl(TokenId token) const = 0;
    virtual std::optional<TokenId> find(std::string_view text) const = 0; ///< the id of exactly this token text
    virtual std::string tokenText(TokenId token) const = 0;               ///< as the vocabulary writes it
    virtual uint64_t memoryBytes() const = 0;                             ///< roughly what it holds
};

} // namespace coterie::engine
