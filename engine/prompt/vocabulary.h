// SPDX-License-Identifier: Apache-2.0
// The checked vocabulary of a GGUF file: token texts and kinds, and the ids that have a meaning. It does not turn text
// into tokens.
#pragma once

#include "prompt/special_tokens.h"
#include "prompt/text_table.h"
#include "prompt/tokenizer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::engine {

/// Values of tokenizer.ggml.token_type.
enum class TokenKind : uint8_t { Undefined = 0, Normal, Unknown, Control, UserDefined, Unused, Byte };

/// Whether tokens of this kind are looked for in a text before the text is cut into words.
constexpr bool isSpecial(TokenKind kind) {
    return kind == TokenKind::Control || kind == TokenKind::UserDefined || kind == TokenKind::Unknown;
}

/// More entries than any list of a published vocabulary has (262,144 tokens at most). Checked before a list is read.
constexpr uint64_t kMaxListEntries = 1u << 22;
/// Returns how many entries the key's array has, and 0 if its value is no array.
uint64_t arrayCount(const gguf::Header& header, std::string_view key);

/// Returns the BadInput error "The vocabulary can't be used" with this reason.
Error vocabularyError(Sentence why);

/// Read-only after read(), except that a tokenizer adds texts after those of the tokens during its construction.
class Vocabulary {
  public:
    static Result<Vocabulary> read(const gguf::Header& header);

    int64_t size() const { return static_cast<int64_t>(kinds_.size()); }
    bool contains(TokenId token) const { return token >= 0 && token < size(); }
    std::string_view text(TokenId token) const { return texts_.text(static_cast<uint32_t>(token)); }
    TokenKind kind(TokenId token) const { return kinds_[static_cast<size_t>(token)]; }
    std::optional<TokenId> find(std::string_view text) const;
    /// Whether plain text may become this token. Control and unknown tokens stand for no text, and byte tokens only for
    /// their byte.
    bool isText(TokenId token) const;
    /// All texts with their numbers. The number of a token's text is the token's id.
    TextTable& texts() { return texts_; }
    const TextTable& texts() const { return texts_; }

    std::optional<TokenId> beginning() const { return beginning_; }
    const std::vector<TokenId>& endOfGeneration() const { return endOfGeneration_; } ///< ascending
    /// Tokens that no answer may hold, each once: tokenizer.ggml.suppress_tokens.
    const std::vector<TokenId>& suppressed() const { return suppressed_; }
    /// Metadata that is wrong and was left out.
    const std::vector<Sentence>& notes() const { return notes_; }
    void addNote(Sentence note) { notes_.push_back(std::move(note)); }
    /// The tokens that are looked for in a text before it is cut into words.
    SpecialTokens specialTokens() const;
    uint64_t memoryBytes() const { return texts_.memoryBytes() + kinds_.capacity(); }

  private:
    Status readTexts(const gguf::Header& header);
    Status readKinds(const gguf::Header& header);
    std::optional<Sentence> wrongKind(size_t token) const;
    Status readSpecialIds(const gguf::Header& header);
    std::optional<TokenId> readId(const gguf::Header& header, std::string_view key);
    Status readSuppressed(const gguf::Header& header);
    void findEndLikeTokens(const gguf::Header& header);
    void addEndLike(std::string_view text);

    TextTable texts_;
    std::vector<TokenKind> kinds_;
    std::optional<TokenId> beginning_;
    std::vector<TokenId> endOfGeneration_;
    std::vector<TokenId> suppressed_;
    std::vector<Sentence> notes_;
};

/// Returns the byte that "<0xNN>" names: exactly six characters with two hexadecimal digits.
std::optional<uint8_t> byteTokenValue(std::string_view text);

} // namespace coterie::engine
