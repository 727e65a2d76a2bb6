// SPDX-License-Identifier: Apache-2.0
// Neighbours whose joint text is a token merge, the highest score first (Kudo and Richardson, arXiv:1808.06226;
// src/bpe_model.cc).
#include "prompt/sentencepiece.h"

#include "prompt/merge_symbols.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary_tokenizer.h"
#include "prompt/written_spaces.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace coterie::engine {

namespace {

/// Higher scores get lower ranks; equal scores get equal ranks, and so do both zeros. Never kNoRank for a number.
uint32_t rankOf(float score) {
    const auto bits = std::bit_cast<uint32_t>(score + 0.0f); // -0 becomes +0
    const uint32_t ascending = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return ~ascending;
}

struct PieceRules {
    std::vector<uint32_t> ranks;                        ///< [tokens]; kNoRank if text cannot become the token
    std::array<std::optional<TokenId>, 256> byteTokens; ///< for characters that are no piece
    size_t longest = 0;                                 ///< bytes of the longest piece
    bool wordsAreIndependent = true;                    ///< no piece has a space behind another character
    bool spaceBefore = true;                            ///< a text is read with a space before it
};

Result<std::vector<float>> readScores(const gguf::Header& header, const Vocabulary& vocabulary) {
    constexpr std::string_view key = "tokenizer.ggml.scores";
    if (const uint64_t count = arrayCount(header, key); count != static_cast<uint64_t>(vocabulary.size()))
        return vocabularyError({"It has %1 tokens, but the scores of %2", vocabulary.size(), count});
    std::vector<float> scores;
    if (auto numbers = header.floats(key))
        scores = std::move(*numbers);
    else if (const auto whole = header.integers(key))
        scores.assign(whole->begin(), whole->end());
    else
        return vocabularyError("tokenizer.ggml.scores holds no numbers");
    if (std::any_of(scores.begin(), scores.end(), [](float s) { return std::isnan(s); }))
        return vocabularyError("A score is not a number");
    return scores;
}

/// Whether a space follows another character somewhere in the piece.
bool hasInnerSpace(std::string_view piece) {
    for (size_t at = piece.find(kWrittenSpace, 1); at != piece.npos; at = piece.find(kWrittenSpace, at + 1))
        if (!piece.substr(0, at).ends_with(kWrittenSpace)) return true;
    return false;
}

/// The token of a byte is <0xNN>, else a token of that byte alone, else the unknown token. If there is none, the byte
/// is lost.
void readByteTokens(const Vocabulary& vocabulary, PieceRules& rules) {
    std::optional<TokenId> unknown;
    for (TokenId token = 0; token < vocabulary.size(); ++token) {
        const TokenKind kind = vocabulary.kind(token);
        if (kind == TokenKind::Unknown && !unknown) unknown = token;
        if (kind == TokenKind::Byte) rules.byteTokens[*byteTokenValue(vocabulary.text(token))] = token;
    }
    for (size_t byte = 0; byte < 256; ++byte) {
        std::optional<TokenId>& token = rules.byteTokens[byte];
        const char text = static_cast<char>(byte);
        if (!token) token = vocabulary.find({&text, 1});
        if (!token || (!vocabulary.isText(*token) && vocabulary.kind(*token) != TokenKind::Byte)) token = unknown;
    }
}

Result<PieceRules> readPieceRules(const gguf::Header& header, const Vocabulary& vocabulary) {
    const Result<std::vector<float>> scores = readScores(header, vocabulary);
    if (!scores) return scores.error();
    PieceRules rules;
    rules.spaceBefore = header.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
    rules.ranks.assign(scores->size(), kNoRank);
    for (TokenId token = 0; token < vocabulary.size(); ++token) {
        if (!vocabulary.isText(token)) continue;
        const std::string_view text = vocabulary.text(token);
        rules.ranks[static_cast<size_t>(token)] = rankOf((*scores)[static_cast<size_t>(token)]);
        rules.longest = std::max(rules.longest, text.size());
        rules.wordsAreIndependent = rules.wordsAreIndependent && !hasInnerSpace(text);
    }
    readByteTokens(vocabulary, rules);
    return rules;
}

class SentencePieceTokenizer final : public VocabularyTokenizer {
  public:
    SentencePieceTokenizer(Vocabulary vocabulary, bool addsBeginning, PieceRules rules)
        : VocabularyTokenizer(std::move(vocabulary), addsBeginning), rules_(std::move(rules)) {}

    uint64_t memoryBytes() const override {
        return VocabularyTokenizer::memoryBytes() + rules_.ranks.capacity() * sizeof(uint32_t);
    }

  private:
    void encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const override;
    std::string decodeText(std::string_view text) const override { return readSpaces(text); }
    void encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const;
    Merge pieceOf(std::string_view text) const;

    PieceRules rules_;
};

void SentencePieceTokenizer::encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const {
    std::string written = writeSpaces(text);
    if (begins && rules_.spaceBefore) written.insert(0, kWrittenSpace);

    // If no merge reaches over spaces, cutting before them changes nothing and keeps the queues short.
    MergeScratch scratch;
    const std::string_view all = written;
    size_t begin = 0;
    for (size_t at = begin; rules_.wordsAreIndependent && (at = all.find(kWrittenSpace, at)) != all.npos;) {
        if (at > begin && !all.substr(0, at).ends_with(kWrittenSpace)) {
            encodeWord(all.substr(begin, at - begin), scratch, out);
            begin = at;
        }
        at += kWrittenSpace.size();
    }
    if (begin < all.size()) encodeWord(all.substr(begin), scratch, out);
}

Merge SentencePieceTokenizer::pieceOf(std::string_view text) const {
    if (text.size() > rules_.longest) return {};
    const std::optional<TokenId> token = vocabulary().find(text);
    if (!token) return {};
    return {rules_.ranks[static_cast<size_t>(*token)], static_cast<uint32_t>(*token)};
}

void SentencePieceTokenizer::encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const {
    scratch.symbols.clear();
    for (size_t at = 0; at < word.size();) {
        const Utf8Step step = utf8Step(word, at);
        const size_t end = at + (step.kind == Utf8Step::Character ? step.length : 1);
        scratch.append(static_cast<uint32_t>(at), static_cast<uint32_t>(end), kNoSymbol);
        at = end;
    }
    mergeSymbols(scratch, [&](const Symbol& left, const Symbol& right) {
        return pieceOf(word.substr(left.begin, right.end - left.begin));
    });

    for (uint32_t i = 0; i != kNoSymbol; i = scratch.symbols[i].next) {
        const std::string_view text =
            word.substr(scratch.symbols[i].begin, scratch.symbols[i].end - scratch.symbols[i].begin);
        if (const Merge piece = pieceOf(text); piece.rank != kNoRank) {
            out.push_back(static_cast<TokenId>(piece.symbol));
            continue;
        }
        for (const char c : text)
            if (const auto token = rules_.byteTokens[static_cast<uint8_t>(c)]) out.push_back(*token);
    }
}

} // namespace

Result<std::unique_ptr<Tokenizer>> createSentencePieceTokenizer(const gguf::Header& header) {
    Result<Vocabulary> vocabulary = Vocabulary::read(header);
    if (!vocabulary) return vocabulary.error();
    const bool addsBeginning = readAddsBeginning(header, *vocabulary, true);
    Result<PieceRules> rules = readPieceRules(header, *vocabulary);
    if (!rules) return rules.error();
    return std::unique_ptr<Tokenizer>(std::make_unique<SentencePieceTokenizer>(
        std::move(vocabulary).value(), addsBeginning, std::move(rules).value()));
}

} // namespace coterie::engine
