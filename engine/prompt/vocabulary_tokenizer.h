// SPDX-License-Identifier: Apache-2.0
// The part that all tokenizers share: questions about the vocabulary, and taking special tokens out of a text. bpe.h
// and sentencepiece.h do the rest.
#pragma once

#include "prompt/vocabulary.h"

namespace coterie::engine {

class VocabularyTokenizer : public Tokenizer {
  public:
    std::vector<TokenId> encode(std::string_view text, bool special) const final;
    std::vector<TokenId> encode(const PromptText& prompt) const final { return encodeWithin(prompt.text, prompt.own); }
    std::string decode(TokenId token, bool special) const final;

    int64_t vocabularySize() const final { return vocabulary_.size(); }
    std::optional<TokenId> beginning() const final { return vocabulary_.beginning(); }
    bool addsBeginning() const final { return addsBeginning_; }
    const std::vector<TokenId>& endOfGeneration() const final { return vocabulary_.endOfGeneration(); }
    bool isEndOfGeneration(TokenId token) const final;
    bool isControl(TokenId token) const final;
    std::span<const TokenId> suppressed() const final { return vocabulary_.suppressed(); }
    std::vector<Sentence> notes() const final { return vocabulary_.notes(); }
    std::optional<TokenId> find(std::string_view text) const final { return vocabulary_.find(text); }
    std::string tokenText(TokenId token) const final;
    uint64_t memoryBytes() const override { return vocabulary_.memoryBytes(); }

  protected:
    /// `vocabulary` must hold all texts that the tokenizer adds.
    VocabularyTokenizer(Vocabulary vocabulary, bool addsBeginning);
    const Vocabulary& vocabulary() const { return vocabulary_; }

  private:
    /// Encodes plain text without special tokens, at most 256 MiB. begins: it stands at the start of a text or after a
    /// special token.
    virtual void encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const = 0;
    /// Returns the bytes that the text of an ordinary token stands for.
    virtual std::string decodeText(std::string_view text) const = 0;
    std::vector<TokenId> encodeWithin(std::string_view text, std::span<const ByteRange> own) const;
    void encodeBlocks(std::string_view text, std::vector<TokenId>& out) const;

    Vocabulary vocabulary_;
    bool addsBeginning_;
    SpecialTokens special_;
};

/// Returns tokenizer.ggml.add_bos_token, or `otherwise` if the file does not have it. If the file asks for BOS and
/// names no token, a prompt begins without it, and the vocabulary gets a note.
bool readAddsBeginning(const gguf::Header& header, Vocabulary& vocabulary, bool otherwise);

} // namespace coterie::engine
