// SPDX-License-Identifier: Apache-2.0
// See character_bpe.h. The rule is the reference engine's (llama.cpp, src/llama-vocab.cpp,
// LLAMA_VOCAB_PRE_TYPE_GEMMA4).
#include "prompt/character_bpe.h"

#include "prompt/merge_rules.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary_tokenizer.h"
#include "prompt/written_spaces.h"

#include <array>
#include <string>
#include <utility>

namespace coterie::engine {

namespace {

using ByteTokens = std::array<std::optional<TokenId>, 256>;

ByteTokens readByteTokens(const Vocabulary& vocabulary) {
    constexpr char digits[] = "0123456789ABCDEF";
    ByteTokens tokens;
    for (size_t byte = 0; byte < tokens.size(); ++byte)
        tokens[byte] = vocabulary.find(std::string("<0x") + digits[byte / 16] + digits[byte % 16] + '>');
    return tokens;
}

class CharacterTokenizer final : public VocabularyTokenizer {
  public:
    CharacterTokenizer(Vocabulary vocabulary, bool addsBeginning, const Pretokenizer& pretokenizer, MergeTable merges)
        : VocabularyTokenizer(std::move(vocabulary), addsBeginning), pretokenizer_(pretokenizer),
          merges_(std::move(merges)), byteTokens_(readByteTokens(this->vocabulary())) {}

    uint64_t memoryBytes() const override { return VocabularyTokenizer::memoryBytes() + merges_.memoryBytes(); }

  private:
    void encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const override;
    std::string decodeText(std::string_view text) const override { return readSpaces(text); }
    void encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const;

    const Pretokenizer& pretokenizer_; ///< an entry of a const table
    MergeTable merges_;
    ByteTokens byteTokens_;
};

void CharacterTokenizer::encodePlain(std::string_view text, bool, std::vector<TokenId>& out) const {
    const std::string written = writeSpaces(text);
    MergeScratch scratch;
    for (const std::string_view word : pretokenizer_.split(written)) encodeWord(word, scratch, out);
}

void CharacterTokenizer::encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const {
    if (word.front() == '\n') // then the word is a run of line ends
        if (const std::optional<TokenId> token = vocabulary().find(word); token && vocabulary().isText(*token))
            return out.push_back(*token);

    scratch.symbols.clear();
    for (size_t at = 0; at < word.size();) {
        const Utf8Step step = utf8Step(word, at);
        const size_t end = at + (step.kind == Utf8Step::Character ? step.length : 1);
        const std::optional<uint32_t> known = vocabulary().texts().find(word.substr(at, end - at));
        scratch.append(static_cast<uint32_t>(at), static_cast<uint32_t>(end), known.value_or(kNoSymbol));
        at = end;
    }
    mergeSymbols(scratch, [this](const Symbol& left, const Symbol& right) { return merges_.find(left.id, right.id); });

    for (uint32_t i = 0; i != kNoSymbol; i = scratch.symbols[i].next) {
        const Symbol& symbol = scratch.symbols[i];
        if (vocabulary().isText(static_cast<TokenId>(symbol.id))) {
            out.push_back(static_cast<TokenId>(symbol.id));
            continue;
        }
        // A byte that the vocabulary lacks is lost, as in the reference engine.
        for (const char c : word.substr(symbol.begin, symbol.end - symbol.begin))
            if (const std::optional<TokenId> token = byteTokens_[static_cast<uint8_t>(c)]) out.push_back(*token);
    }
}

} // namespace

Result<std::unique_ptr<Tokenizer>> createCharacterTokenizer(const gguf::Header& header, Vocabulary vocabulary,
                                                            bool addsBeginning, const Pretokenizer& pretokenizer) {
    Result<MergeTable> merges = readMerges(header, vocabulary);
    if (!merges) return merges.error();
    return std::unique_ptr<Tokenizer>(std::make_unique<CharacterTokenizer>(std::move(vocabulary), addsBeginning,
                                                                           pretokenizer, std::move(merges).value()));
}

} // namespace coterie::engine
