// SPDX-License-Identifier: Apache-2.0
// Merging works on numbers: a symbol is a token's id, or a number after the last id for a text that only merges have.
#include "prompt/bpe.h"

#include "prompt/merge_symbols.h"
#include "prompt/pretokenizer.h"
#include "prompt/published_files.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary_tokenizer.h"

#include <array>
#include <bit>
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

/// A flat table from (left, right) to Merge.
class MergeTable {
  public:
    explicit MergeTable(size_t count = 0) : entries_(std::bit_ceil(count + count / 3 + 16)) {}

    /// The first of equal pairs counts. Call it at most `count` times (the constructor's argument).
    void add(uint32_t left, uint32_t right, Merge merge) {
        Entry& entry = entries_[placeOf(left, right)];
        if (entry.left == kNoSymbol) entry = {left, right, merge};
    }
    Merge find(uint32_t left, uint32_t right) const { return entries_[placeOf(left, right)].merge; }
    uint64_t memoryBytes() const { return entries_.capacity() * sizeof(Entry); }

  private:
    struct Entry {
        uint32_t left = kNoSymbol, right = kNoSymbol;
        Merge merge;
    };
    size_t placeOf(uint32_t left, uint32_t right) const {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        const uint64_t hash = (static_cast<uint64_t>(left) << 32 | right) * 0x9e3779b97f4a7c15u;
        size_t at = (hash >> 32) & (entries_.size() - 1);
        while (entries_[at].left != kNoSymbol && (entries_[at].left != left || entries_[at].right != right))
            at = (at + 1) & (entries_.size() - 1);
        return at;
    }

    std::vector<Entry> entries_; ///< a power of two, at most three quarters full
};

struct MergeRules {
    ByteAlphabet alphabet;
    std::array<uint32_t, 256> byteSymbols{};
    MergeTable merges;
};

/// Adds to the vocabulary the texts that only merges have.
Result<MergeRules> readMergeRules(const gguf::Header& header, Vocabulary& vocabulary) {
    constexpr std::string_view key = "tokenizer.ggml.merges";
    if (arrayCount(header, key) > kMaxListEntries) return vocabularyError("It has more merges than any vocabulary");
    const auto lines = header.strings(key);
    if (!lines) return vocabularyError("tokenizer.ggml.merges is missing or holds no texts");
    MergeRules rules;
    rules.merges = MergeTable(lines->size());
    TextTable& texts = vocabulary.texts();
    for (size_t byte = 0; byte < 256; ++byte)
        rules.byteSymbols[byte] = texts.intern(rules.alphabet.textOf(static_cast<uint8_t>(byte)));

    constexpr uint64_t maxAddedBytes = 256u << 20; // with the tokens' own this stays far below 4 GiB
    uint64_t bytes = 0;
    std::string merged;
    uint32_t last = 0;
    for (size_t i = 0; i < lines->size(); ++i) {
        const std::string_view line = (*lines)[i];
        const size_t space = line.find(' ');
        const bool isPair =
            space != line.npos && space > 0 && space + 1 < line.size() && line.find(' ', space + 1) == line.npos;
        if (!isPair) return vocabularyError({"Merge %1 is not two texts with a space between them", i});
        if (bytes += 2 * line.size(); bytes > maxAddedBytes)
            return vocabularyError("Its merges are larger than any vocabulary's");
        const std::string_view left = line.substr(0, space), right = line.substr(space + 1);
        merged.assign(left).append(right);
        // Most vocabularies number tokens in the order of their merges, so the next token is probably the right one.
        last = last + 1 < texts.size() && texts.text(last + 1) == merged ? last + 1 : texts.intern(merged);
        rules.merges.add(texts.intern(left), texts.intern(right), {static_cast<uint32_t>(i), last});
    }
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

Result<std::unique_ptr<Tokenizer>> createBytePairTokenizer(const gguf::Header& header) {
    // Files that are older than this key mean "default", as in the reference engine.
    const std::optional<std::string_view> named = header.string("tokenizer.ggml.pre");
    const std::string_view name = named.value_or("default");
    const Pretokenizer* pretokenizer = findPretokenizer(name);
    if (pretokenizer == nullptr)
        return Error{ErrorKind::Unsupported,
                     "This model's text can't be split into tokens",
                     {"Its pre-tokenizer \"%1\" is not one that this program knows", name},
                     "Use a model of another family, or a newer version of this program"};
    Result<Vocabulary> vocabulary = Vocabulary::read(header);
    if (!vocabulary) return vocabulary.error();
    const bool addsBeginning = readAddsBeginning(header, *vocabulary, pretokenizer->addsBeginning);
    const PublishedFiles* published = findPublishedFiles(header.string("general.architecture").value_or(""));
    if (!named && published != nullptr)
        vocabulary->addNote({"The file doesn't say how text is cut into words (tokenizer.ggml.pre), so an old rule is "
                             "used; newer files of this architecture say \"%1\"",
                             published->splitRules.front()});
    Result<MergeRules> rules = readMergeRules(header, *vocabulary);
    if (!rules) return rules.error();
    return std::unique_ptr<Tokenizer>(std::make_unique<BytePairTokenizer>(std::move(vocabulary).value(), addsBeginning,
                                                                          *pretokenizer, std::move(rules).value()));
}

} // namespace coterie::engine
