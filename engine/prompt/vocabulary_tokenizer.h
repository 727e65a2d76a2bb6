// SPDX-License-Identifier: Apache-2.0
// What all tokenizers do alike: answer for the vocabulary, and take special tokens out of a text. The rest is bpe.h's
// and sentencepiece.h's.
#pragma once

#include "prompt/vocabulary.h"

namespace coterie::engine {

class VocabularyTokenizer : public Tokenizer {
  public:
    std::vector<TokenId> encode(std::string_view text, bool special) const final;
    std::string decode(TokenId token, bool special) const final;
    std::string decodeSequence(std::span<const TokenId> tokens, bool special) const final;

    int64_t vocabularySize() const final { return vocabulary_.size(); }
    std::optional<TokenId> beginning() const final { return vocabulary_.beginning(); }
    bool addsBeginning() const final { return addsBeginning_; }
    const std::vector<TokenId>& endOfGeneration() const final { return vocabulary_.endOfGeneration(); }
    bool isEndOfGeneration(TokenId token) const final;
    bool isControl(TokenId token) const final;
    std::optional<TokenId> find(std::string_view text) const final { return vocabulary_.find(text); }
    std::string tokenText(TokenId token) const final;
    uint64_t memoryBytes() const override { return vocabulary_.memoryBytes(); }

  protected:
    /// `vocabulary` is complete: what a tokenizer adds to its texts is there.
    VocabularyTokenizer(Vocabulary vocabulary, bool addsBeginning);
    const Vocabulary& vocabulary() const { return vocabulary_; }

  private:
    /// Plain text without special tokens, at most 256 MiB. `begins`: at a text's start or behind a special token.
    virtual void encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const = 0;
    /// Whether encodePlain() puts a space before a text that begins.
    virtual bool addsSpaceBefore() const { return false; }
    /// The bytes that an ordinary token's text stands for.
    virtual std::string decodeText(std::string_view text) const = 0;
    void encodeBlocks(std::string_view text, std::vector<TokenId>& out) const;

    Vocabulary vocabulary_;
    bool addsBeginning_;
    SpecialTokens special_, userDefined_;
};

/// tokenizer.ggml.add_bos_token, or `otherwise`. BadInput where it is asked for and no token is named.
Result<bool> readAddsBeginning(const gguf::Header& header, const Vocabulary& vocabulary, bool otherwise);

} // namespace coterie::engine
