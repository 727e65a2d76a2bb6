// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE, and the choice between it and the BPE on characters of character_bpe.h.
#include "prompt/bpe.h"

#include "prompt/character_bpe.h"
#include "prompt/merge_rules.h"
#include "prompt/pretokenizer.h"
#include "prompt/published_files.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary_tokenizer.h"

#include <array>
#include <string>

namespace coterie::engine {

namespace {

/// The characters that byte-level vocabularies write bytes with, so that no token holds a space or a control character:
/// printable bytes of Latin-1 stand for themselves, the others for U+0100 and up (openai/gpt-2, src/encoder.py,
/// bytes_to_unicode).
class ByteAlphabet {
  public:
    ByteAlphabet() {
        bytes_.fill(-1);
        uint32_t next = 0x100;
        for (uint32_t byte = 0; byte < 256; ++byte) {
            const bool printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte != 0xad);
            const uint32_t character = printable ? byte : next++;
            bytes_[character] = static_cast<int16_t>(byte);
            texts_[byte] = character < 0x80 ? std::string(1, static_cast<char>(character))
                                            : std::string{static_cast<char>(0xc0 | character >> 6),
                                                          static_cast<char>(0x80 | (character & 0x3f))};
        }
    }
    const std::string& textOf(uint8_t byte) const { return texts_[byte]; }
    /// Returns nothing for a character that stands for no byte.
    std::optional<uint8_t> byteOf(uint32_t character) const {
        if (character >= bytes_.size() || bytes_[character] < 0) return std::nullopt;
        return static_cast<uint8_t>(bytes_[character]);
    }

  private:
    std::array<int16_t, 0x144> bytes_{}; ///< 68 bytes are not printable: U+0100 to U+0143
    std::array<std::string, 256> texts_;
};

struct MergeRules {
    ByteAlphabet alphabet{};
    std::array<uint32_t, 256> byteSymbols{};
    MergeTable merges{};
};

Result<MergeRules> readMergeRules(const gguf::Header& header, Vocabulary& vocabulary) {
    MergeRules rules;
    for (size_t byte = 0; byte < 256; ++byte)
        rules.byteSymbols[byte] = vocabulary.texts().intern(rules.alphabet.textOf(static_cast<uint8_t>(byte)));
    Result<MergeTable> merges = readMerges(header, vocabulary);
    if (!merges) return merges.error();
    rules.merges = std::move(merges).value();
    return rules;
}

class BytePairTokenizer final : public VocabularyTokenizer {
  public:
    BytePairTokenizer(Vocabulary vocabulary, bool addsBeginning, const Pretokenizer& pretokenizer, MergeRules rules)
        : VocabularyTokenizer(std::move(vocabulary), addsBeginning), pretokenizer_(pretokenizer),
          rules_(std::move(rules)) {}

    uint64_t memoryBytes() const override { return VocabularyTokenizer::memoryBytes() + rules_.merges.memoryBytes(); }

  private:
    void encodePlain(std::string_view text, bool begins, std::vector<TokenId>& out) const override;
    std::string decodeText(std::string_view text) const override;
    void encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const;
    std::optional<TokenId> wholeWord(std::string_view word) const;
    bool isToken(uint32_t symbol) const { return vocabulary().isText(static_cast<TokenId>(symbol)); }

    const Pretokenizer& pretokenizer_; ///< an entry of a const table
    MergeRules rules_;
};

void BytePairTokenizer::encodePlain(std::string_view text, bool, std::vector<TokenId>& out) const {
    MergeScratch scratch;
    for (const std::string_view word : pretokenizer_.split(text)) encodeWord(word, scratch, out);
}

std::optional<TokenId> BytePairTokenizer::wholeWord(std::string_view word) const {
    std::string written;
    for (const char c : word) written += rules_.alphabet.textOf(static_cast<uint8_t>(c));
    const std::optional<TokenId> token = vocabulary().find(written);
    return token && vocabulary().isText(*token) ? token : std::nullopt;
}

void BytePairTokenizer::encodeWord(std::string_view word, MergeScratch& scratch, std::vector<TokenId>& out) const {
    if (pretokenizer_.wholeWordsFirst)
        if (const std::optional<TokenId> token = wholeWord(word)) return out.push_back(*token);

    scratch.symbols.clear();
    for (uint32_t i = 0; i < word.size(); ++i)
        scratch.append(i, i + 1, rules_.byteSymbols[static_cast<uint8_t>(word[i])]);
    mergeSymbols(scratch,
                 [this](const Symbol& left, const Symbol& right) { return rules_.merges.find(left.id, right.id); });

    for (uint32_t i = 0; i != kNoSymbol; i = scratch.symbols[i].next) {
        const Symbol& symbol = scratch.symbols[i];
        if (isToken(symbol.id)) {
            out.push_back(static_cast<TokenId>(symbol.id));
            continue;
        }
        // A merge that makes no token gives its bytes one by one. A byte that the vocabulary lacks is lost, as in the
        // reference engine.
        for (const char c : word.substr(symbol.begin, symbol.end - symbol.begin))
            if (const uint32_t byte = rules_.byteSymbols[static_cast<uint8_t>(c)]; isToken(byte))
                out.push_back(static_cast<TokenId>(byte));
    }
}

std::string BytePairTokenizer::decodeText(std::string_view text) const {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const Utf8Step step = utf8Step(text, at);
        const std::optional<uint8_t> byte =
            step.kind == Utf8Step::Character ? rules_.alphabet.byteOf(step.codePoint) : std::nullopt;
        if (byte)
            out.push_back(static_cast<char>(*byte));
        else
            out.append(text.substr(at, step.length)); // not in the alphabet: it stands for itself
        at += step.length;
    }
    return out;
}

} // namespace

Result<std::unique_ptr<Tokenizer>> createPairTokenizer(const gguf::Header& header, std::string_view rule) {
    // Files that are older than this key mean "default", as in the reference engine.
    const std::optional<std::string_view> named = header.string("tokenizer.ggml.pre");
    const std::string_view name = rule.empty() ? named.value_or("default") : rule;
    const Pretokenizer* pretokenizer = findPretokenizer(name);
    if (pretokenizer == nullptr)
        return Error{ErrorKind::Unsupported,
                     "This model's text can't be split into tokens",
                     {"Its pre-tokenizer \"%1\" is not one that this program knows", cutText(name, 80)},
                     "Use a model of another family, or a newer version of this program"};
    Result<Vocabulary> vocabulary = Vocabulary::read(header);
    if (!vocabulary) return vocabulary.error();
    bool addsBeginning = readAddsBeginning(header, *vocabulary, pretokenizer->addsBeginning);
    const PublishedFiles* published = findPublishedFiles(header.string("general.architecture").value_or(""));
    if (!named && rule.empty() && published != nullptr)
        vocabulary->addNote({"The file doesn't say how text is cut into words (tokenizer.ggml.pre), so an old rule is "
                             "used; newer files of this architecture say \"%1\"",
                             published->splitRules.front()});
    if (!pretokenizer->byteAlphabet) {
        // Early files of Gemma 4 say that a prompt begins without BOS, and their models answer nonsense then. The
        // reference engine overrides them as well.
        addsBeginning = vocabulary->beginning().has_value();
        return createCharacterTokenizer(header, std::move(vocabulary).value(), addsBeginning, *pretokenizer);
    }
    Result<MergeRules> rules = readMergeRules(header, *vocabulary);
    if (!rules) return rules.error();
    return std::unique_ptr<Tokenizer>(std::make_unique<BytePairTokenizer>(std::move(vocabulary).value(), addsBeginning,
                                                                          *pretokenizer, std::move(rules).value()));
}

} // namespace coterie::engine
