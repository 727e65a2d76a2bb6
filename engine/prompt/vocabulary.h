// SPDX-License-Identifier: Apache-2.0
// A vocabulary as a GGUF file holds it, checked: token texts and kinds, and the ids with a meaning. Not how text
// becomes tokens.
#pragma once

#include "prompt/special_tokens.h"
#include "prompt/text_table.h"
#include "prompt/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// tokenizer.ggml.token_type, ids as they stand in files.
enum class TokenKind : uint8_t { Undefined = 0, Normal, Unknown, Control, UserDefined, Unused, Byte };

/// Whether it is looked for in a text before the text is tokenized.
constexpr bool isSpecial(TokenKind kind) {
    return kind == TokenKind::Control || kind == TokenKind::UserDefined || kind == TokenKind::Unknown;
}

/// More entries than any list of a vocabulary has (262,144 tokens are the most published); asked before a list is read.
constexpr uint64_t maxListEntries = 1u << 22;
/// How many entries the key's array has; 0 where it is no array.
uint64_t arrayCount(const gguf::Header& header, std::string_view key);

/// "The vocabulary can't be used; `why`; ...", a BadInput error.
Error vocabularyError(Sentence why);

/// Read-only after read(), but for the texts that a tokenizer adds behind the tokens while it is made.
class Vocabulary {
  public:
    static Result<Vocabulary> read(const gguf::Header& header);

    int64_t size() const { return static_cast<int64_t>(kinds_.size()); }
    bool contains(TokenId token) const { return token >= 0 && token < size(); }
    std::string_view text(TokenId token) const { return texts_.text(static_cast<uint32_t>(token)); }
    TokenKind kind(TokenId token) const { return kinds_[static_cast<size_t>(token)]; }
    std::optional<TokenId> find(std::string_view text) const;
    /// Whether plain text may become it: control and unknown tokens stand for no text, and byte tokens only for their
    /// byte.
    bool isText(TokenId token) const;
    /// The numbers of all texts: those of tokens are their ids.
    TextTable& texts() { return texts_; }
    const TextTable& texts() const { return texts_; }

    std::optional<TokenId> beginning() const { return beginning_; }
    const std::vector<TokenId>& endOfGeneration() const { return endOfGeneration_; } ///< ascending
    /// The tokens to look for in text: all special ones, or those alone that are looked for always.
    SpecialTokens specialTokens(bool userDefinedOnly) const;
    uint64_t memoryBytes() const { return texts_.memoryBytes() + kinds_.capacity(); }

  private:
    Status readTexts(const gguf::Header& header);
    Status readKinds(const gguf::Header& header);
    Status readSpecialIds(const gguf::Header& header);
    void findEndLikeTokens();

    TextTable texts_;
    std::vector<TokenKind> kinds_;
    std::optional<TokenId> beginning_;
    std::vector<TokenId> endOfGeneration_;
};

/// "<0xNN>" to its byte: exactly six characters, two hexadecimal digits.
std::optional<uint8_t> byteTokenValue(std::string_view text);

} // namespace coterie::engine
