// SPDX-License-Identifier: Apache-2.0
// Compares tokenizers of small vocabularies with the textbook's slow algorithms, tries hostile files and texts, and
// compares with the reference engine's ids if the reference data are there.
#include "prompt/tokenizer.h"
#include "support/gguf_writer.h"
#include "support/reference.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace coterie::engine;
using coterie::test::GgufWriter;

namespace {

const std::string kSpace = "\xe2\x96\x81"; // SentencePiece's
const std::string kBpeSpace = "\xc4\xa0";  // the byte alphabet's, U+0120
enum Kind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

struct Token {
    std::string text;
    int kind = Normal;
    float score = 0;
};

/// The contents of a file, which a test changes before the file is made.
struct Parts {
    std::string model = "gpt2", pre = "gpt-2";
    std::vector<Token> tokens;
    std::vector<std::string> merges;
    std::map<std::string, uint32_t> ids;
    std::map<std::string, bool> flags;
    std::map<std::string, std::string> words; ///< keys that hold text, whatever their type should be
    std::string architecture = "llama";
    bool writesTypes = true, writesScores = false;
    size_t scoresLeftOut = 0;
};

using Change = std::function<void(Parts&)>;

Result<std::unique_ptr<Tokenizer>> make(const Parts& parts) {
    GgufWriter w;
    std::vector<std::string> texts;
    std::vector<int32_t> types;
    std::vector<float> scores;
    for (const Token& token : parts.tokens) {
        texts.push_back(token.text);
        types.push_back(token.kind);
        scores.push_back(token.score);
    }
    scores.resize(scores.size() - parts.scoresLeftOut);
    w.string("general.architecture", parts.architecture).string("tokenizer.ggml.model", parts.model);
    if (!parts.pre.empty()) w.string("tokenizer.ggml.pre", parts.pre);
    w.strings("tokenizer.ggml.tokens", texts);
    if (parts.writesTypes) w.i32s("tokenizer.ggml.token_type", types);
    if (parts.writesScores) w.f32s("tokenizer.ggml.scores", scores);
    if (parts.model == "gpt2") w.strings("tokenizer.ggml.merges", parts.merges);
    for (const auto& [key, id] : parts.ids) w.u32("tokenizer.ggml." + key, id);
    for (const auto& [key, on] : parts.flags) w.boolean("tokenizer.ggml." + key, on);
    for (const auto& [key, text] : parts.words) w.string("tokenizer.ggml." + key, text);
    const std::string file = w.bytes();
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return header.error();
    return Tokenizer::create(*header); // the file goes here: the tokenizer must own what it needs
}

/// Encodes a text and decodes it again, without the spaces that the tokenizer puts before words.
std::string spelled(const Tokenizer& t, const std::string& text, bool special) {
    const std::vector<TokenId> first = t.encode("x", false);
    const bool putsSpace = !first.empty() && t.tokenText(first.front()).starts_with(kSpace);
    enum Special : char { NotAsked, No, Yes };
    std::vector<Special> known(static_cast<size_t>(t.vocabularySize()));
    const auto isSpecial = [&](TokenId token) {
        Special& answer = known[static_cast<size_t>(token)];
        if (answer == NotAsked) answer = t.encode(t.tokenText(token), true) == std::vector{token} ? Yes : No;
        return answer == Yes;
    };
    std::string out;
    bool begins = true;
    for (const TokenId token : t.encode(text, special)) {
        const std::string piece = t.decode(token, special);
        const bool ours = putsSpace && begins && !isSpecial(token) && piece.starts_with(' ');
        out.append(piece, ours ? 1 : 0);
        begins = putsSpace && isSpecial(token);
    }
    return out;
}

std::unique_ptr<Tokenizer> made(const Parts& parts) {
    auto tokenizer = make(parts);
    if (!tokenizer) qFatal("%s", tokenizer.error().line().c_str());
    return std::move(tokenizer).value();
}

/// The character that stands for a byte, computed in the test's own way.
std::string written(uint8_t byte) {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> out(256);
        char32_t next = 0x100;
        for (int b = 0; b < 256; ++b) {
            const bool self = (b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || (b >= 0xae && b <= 0xff);
            const char32_t c = self ? static_cast<char32_t>(b) : next++;
            out[static_cast<size_t>(b)] = QString::fromUcs4(&c, 1).toStdString();
        }
        return out;
    }();
    return all[byte];
}

/// 256 bytes, then the texts that the merges make, then the ends.
Parts bytePairs(const std::vector<std::string>& merges) {
    Parts parts;
    for (int b = 0; b < 256; ++b) parts.tokens.push_back({written(static_cast<uint8_t>(b))});
    for (const std::string& merge : merges) {
        std::string text = merge;
        text.erase(text.find(' '), 1);
        parts.tokens.push_back({text});
    }
    parts.merges = merges;
    parts.tokens.push_back({"<|endoftext|>", Control});
    parts.tokens.push_back({"<|im_end|>", Control});
    parts.tokens.push_back({"<user>", UserDefined});
    parts.tokens.push_back({"<user>>", UserDefined});
    return parts;
}

Parts helloPairs() {
    return bytePairs({"l l", "h e", "he ll", "hell o", kBpeSpace + " w", "o r", kBpeSpace + "w or", "l d"});
}

/// As in LLaMA: unknown, ends, 256 bytes, pieces by falling score.
Parts pieces(const std::vector<std::string>& texts) {
    Parts parts;
    parts.model = "llama";
    parts.pre = "";
    parts.writesScores = true;
    parts.tokens = {{"<unk>", Unknown}, {"<s>", Control}, {"</s>", Control}};
    for (int b = 0; b < 256; ++b) parts.tokens.push_back({QString::asprintf("<0x%02X>", b).toStdString(), Byte});
    float score = 0;
    for (const std::string& text : texts) parts.tokens.push_back({text, Normal, score -= 1});
    parts.ids = {{"bos_token_id", 1}, {"eos_token_id", 2}};
    return parts;
}

Parts helloPieces() {
    return pieces({kSpace + "h",
                   "el",
                   "lo",
                   kSpace + "hel",
                   kSpace + "hello",
                   "w",
                   "or",
                   kSpace,
                   kSpace + kSpace,
                   "h",
                   "e",
                   "l",
                   "o",
                   "r",
                   "d",
                   "<",
                   "s",
                   ">",
                   "s>",
                   "<s",
                   "\xe6\x97\xa5"});
}

std::vector<std::string> texts(const Tokenizer& tokenizer, std::string_view text, bool special = false) {
    std::vector<std::string> out;
    for (const TokenId token : tokenizer.encode(text, special)) out.push_back(tokenizer.tokenText(token));
    return out;
}

using Texts = std::vector<std::string>;

/// The textbook's algorithm: it applies the first merge of the list that fits anywhere, at its leftmost place, again
/// and again.
Texts slowMerges(const Parts& parts, const std::string& word) {
    Texts symbols;
    for (const char c : word) symbols.push_back(written(static_cast<uint8_t>(c)));
    for (;;) {
        size_t best = parts.merges.size(), place = 0;
        for (size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto found = std::find(parts.merges.begin(), parts.merges.end(), symbols[i] + " " + symbols[i + 1]);
            const auto rank = static_cast<size_t>(found - parts.merges.begin());
            if (rank < best) best = rank, place = i;
        }
        if (best == parts.merges.size()) return symbols;
        symbols[place] += symbols[place + 1];
        symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(place) + 1);
    }
}

/// The same with scores: the best piece that two neighbours make.
Texts slowPieces(const Parts& parts, const std::string& text) {
    std::map<std::string, float> scores;
    for (const Token& token : parts.tokens)
        if (token.kind == Normal) scores[token.text] = token.score;
    Texts symbols;
    const QString characters = QString::fromStdString(text);
    for (const QChar c : characters) symbols.push_back(QString(c).toStdString());
    for (;;) {
        float best = -1e30f;
        size_t place = symbols.size();
        for (size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto found = scores.find(symbols[i] + symbols[i + 1]);
            if (found != scores.end() && found->second > best) best = found->second, place = i;
        }
        if (place == symbols.size()) break;
        symbols[place] += symbols[place + 1];
        symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(place) + 1);
    }
    Texts out;
    for (const std::string& symbol : symbols) {
        if (scores.count(symbol) > 0) {
            out.push_back(symbol);
            continue;
        }
        for (const char c : symbol) out.push_back(QString::asprintf("<0x%02X>", static_cast<uint8_t>(c)).toStdString());
    }
    return out;
}

std::string randomBytes(QRandomGenerator& random, int most) {
    std::string out(static_cast<size_t>(random.bounded(most)), '\0');
    for (char& c : out) c = static_cast<char>(random.bounded(256));
    return out;
}

/// Any characters except surrogates and U+2581, which SentencePiece can't tell from a space.
std::string randomUnicode(QRandomGenerator& random, int most) {
    std::u32string out;
    for (int i = random.bounded(most); i > 0; --i) {
        const int planes[] = {0x80, 0x800, 0x10000, 0x110000};
        const auto c = static_cast<char32_t>(random.bounded(planes[random.bounded(4)]));
        if ((c < 0xd800 || c > 0xdfff) && c != 0x2581) out += c;
    }
    return QString::fromUcs4(out.data(), static_cast<qsizetype>(out.size())).toStdString();
}

std::string readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::unique_ptr<Tokenizer> referenceTokenizer(const QString& name) {
    const std::string file = readFile(coterie::test::referenceFolder() + "/vocab/" + name + ".gguf");
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) qFatal("%s", header.error().line().c_str());
    auto tokenizer = Tokenizer::create(*header);
    if (!tokenizer) qFatal("%s", tokenizer.error().line().c_str());
    return std::move(tokenizer).value();
}

} // namespace

Q_DECLARE_METATYPE(Change)

class TestTokenizer : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void mergesInOrder();
    void memoryGrowsWithTheTexts();
    void mergesAsTheTextbook();
    void mergesThatMakeNoToken();
    void wholeWordsFirst();
    void piecesByScore();
    void piecesAsTheTextbook();
    void spaceRules();
    void byteFallback();
    void specialTokens();
    void plainTextNeverBecomesControl();
    void decodes();
    void endOfGeneration_data();
    void endOfGeneration();
    void beginning();
    void unknownNames();
    void refusedVocabularies_data();
    void refusedVocabularies();
    void wrongIdsAreNoted();
    void aFamilyHasEndTokensOfItsOwn();
    void aFileWithoutSplitRuleIsNoted();
    void glmCutsDigitsInThrees();
    void oddVocabulariesThatWork();
    void hostileTexts();
    void longTexts();
    void roundTrips();
    void reference_data();
    void reference();
    void referenceRoundTrips();
};

void TestTokenizer::mergesInOrder() {
    const auto t = made(helloPairs());
    QCOMPARE(texts(*t, "hello world"), (Texts{"hello", kBpeSpace + "wor", "ld"}));
    QCOMPARE(texts(*t, "hell"), (Texts{"hell"}));
    QCOMPARE(texts(*t, "lll"), (Texts{"ll", "l"})); // the leftmost of equal ones
    QCOMPARE(texts(*t, "\n"), (Texts{"\xc4\x8a"}));
    QCOMPARE(t->encode("", true), std::vector<TokenId>());
    QCOMPARE(t->encode("he", false), (std::vector<TokenId>{257}));
    QCOMPARE(t->find("hello"), std::optional<TokenId>(259));
    QCOMPARE(t->find("hel"), std::optional<TokenId>());
    QCOMPARE(t->vocabularySize(), int64_t(256 + 8 + 4));
}

/// The memory plan counts these bytes: each text is held once, with a few tables beside it.
void TestTokenizer::memoryGrowsWithTheTexts() {
    const auto bytesWith = [](int more) {
        Parts parts = helloPairs();
        for (int i = 0; i < more; ++i)
            parts.tokens.push_back({QString::number(i).rightJustified(40, u'x').toStdString(), UserDefined});
        return made(parts)->memoryBytes();
    };
    const uint64_t none = bytesWith(0), some = bytesWith(1000), twice = bytesWith(2000);
    for (const uint64_t grown : {some - none, twice - some}) QVERIFY(grown >= 40'000 && grown < 4 * 40'000);
}

void TestTokenizer::mergesAsTheTextbook() {
    QRandomGenerator random(4);
    for (int round = 0; round < 300; ++round) {
        // Merges over a few letters, many of which share parts: most words have ties and dead ends.
        Texts known{"a", "b", "c"}, merges;
        for (int i = 0; i < 12; ++i) {
            const auto part = [&] { return known[static_cast<size_t>(random.bounded(int(known.size())))]; };
            const std::string left = part(), right = part();
            if (std::find(known.begin(), known.end(), left + right) != known.end()) continue;
            merges.push_back(left + " " + right);
            known.push_back(left + right);
        }
        const Parts parts = bytePairs(merges);
        const auto t = made(parts);
        for (int word = 0; word < 30; ++word) {
            std::string text;
            for (int i = random.bounded(40); i > 0; --i) text += static_cast<char>('a' + random.bounded(3));
            QCOMPARE(texts(*t, text), slowMerges(parts, text));
        }
    }
}

void TestTokenizer::mergesThatMakeNoToken() {
    Parts parts = helloPairs();
    parts.merges = {"x y", "xy z", "h e"}; // "xy" and "xyz" are no tokens
    parts.tokens[257].text = "he";
    auto t = made(parts);
    QCOMPARE(texts(*t, "xyzhe"), (Texts{"x", "y", "z", "he"}));
    parts.tokens.push_back({"xyz"}); // reached through a text that is none
    t = made(parts);
    QCOMPARE(texts(*t, "xyzxy"), (Texts{"xyz", "x", "y"}));
    parts.tokens['x'].text = "no longer x"; // a byte that no token has is lost, the rest isn't
    t = made(parts);
    QCOMPARE(texts(*t, "xyhe"), (Texts{"y", "he"}));
}

void TestTokenizer::wholeWordsFirst() {
    Parts parts = helloPairs();
    parts.tokens.push_back({kBpeSpace + "qqq"}); // no merge makes it
    parts.pre = "gpt-2";
    QCOMPARE(texts(*made(parts), " qqq").size(), size_t(4));
    parts.pre = "llama-bpe";
    QCOMPARE(texts(*made(parts), " qqq"), (Texts{kBpeSpace + "qqq"}));
}

void TestTokenizer::piecesByScore() {
    const auto t = made(helloPieces());
    QCOMPARE(texts(*t, "hello"), (Texts{kSpace + "hello"}));
    QCOMPARE(texts(*t, "hello  hello"), (Texts{kSpace + "hello", kSpace, kSpace + "hello"}));
    QCOMPARE(texts(*t, "word"), (Texts{kSpace, "w", "or", "d"}));
    QCOMPARE(texts(*t, "   "), (Texts{kSpace + kSpace, kSpace + kSpace})); // three and the one put before
    QCOMPARE(t->encode("", true), std::vector<TokenId>());
}

void TestTokenizer::piecesAsTheTextbook() {
    QRandomGenerator random(5);
    for (int round = 0; round < 300; ++round) {
        Texts known{"a", "b", kSpace}, added;
        for (int i = 0; i < 14; ++i) {
            const auto part = [&] { return known[static_cast<size_t>(random.bounded(int(known.size())))]; };
            const std::string text = part() + part();
            if (std::find(known.begin(), known.end(), text) == known.end())
                known.push_back(text), added.push_back(text);
        }
        // In every second round spaces stand at the start of pieces alone, so that words can be cut apart.
        if (round % 2 == 0)
            std::erase_if(added, [](const std::string& text) {
                const size_t at = text.find_last_of(kSpace);
                return at != text.npos && text.substr(0, at + 1).find_first_of("ab") != text.npos;
            });
        std::shuffle(added.begin(), added.end(), random);
        added.insert(added.end(), {"a", "b", kSpace});
        Parts parts = pieces(added);
        for (Token& token : parts.tokens)
            if (random.bounded(4) == 0 && token.kind == Normal) token.score = -3; // ties
        parts.flags["add_space_prefix"] = false;
        const auto t = made(parts);
        for (int word = 0; word < 30; ++word) {
            std::string text, escaped;
            for (int i = random.bounded(40); i > 0; --i) text += " abc"[random.bounded(random.bounded(8) == 0 ? 4 : 3)];
            for (const char c : text) escaped += c == ' ' ? kSpace : std::string(1, c);
            QCOMPARE(texts(*t, text), slowPieces(parts, escaped));
        }
    }
}

void TestTokenizer::spaceRules() {
    Parts parts = helloPieces();
    auto t = made(parts);
    // A space goes before the text, and after each special token.
    QCOMPARE(texts(*t, "hello</s>hello", true), (Texts{kSpace + "hello", "</s>", kSpace + "hello"}));
    QCOMPARE(QString::fromStdString(spelled(*t, "hello</s>hello", true)), QString("hello</s>hello"));
    QCOMPARE(spelled(*t, "  hello", false), std::string("  hello"));
    QCOMPARE(t->decode(t->encode("hello", false).front()), std::string(" hello"));
    parts.flags["add_space_prefix"] = false;
    t = made(parts);
    QCOMPARE(texts(*t, "hello"), (Texts{"h", "el", "lo"}));
    QCOMPARE(spelled(*t, " hello", false), std::string(" hello"));
}

void TestTokenizer::byteFallback() {
    Parts parts = helloPieces();
    parts.flags["add_space_prefix"] = false;
    auto t = made(parts);
    QCOMPARE(texts(*t, "h\xc3\xa4\n\xff"), (Texts{"h", "<0xC3>", "<0xA4>", "<0x0A>", "<0xFF>"}));
    QCOMPARE(texts(*t, "\xe6\x97\xa5"), (Texts{"\xe6\x97\xa5"}));
    QCOMPARE(texts(*t, "\xe6\x97"), (Texts{"<0xE6>", "<0x97>"}));
    QCOMPARE(t->decode(3 + 0xc3), std::string("\xc3"));
    QCOMPARE(t->decode(3), std::string(1, '\0'));
    parts.tokens[3 + 0xc3] = {"gone"}; // the unknown token takes what nothing else does
    t = made(parts);
    QCOMPARE(texts(*t, "\xc3\xa4"), (Texts{"<unk>", "<0xA4>"}));
}

void TestTokenizer::specialTokens() {
    const auto t = made(helloPairs());
    const TokenId end = *t->find("<|im_end|>");
    QCOMPARE(texts(*t, "hell<|im_end|>hell", true), (Texts{"hell", "<|im_end|>", "hell"}));
    QCOMPARE(t->encode("<|im_end|><|im_end|>", true), (std::vector<TokenId>{end, end}));
    QCOMPARE(texts(*t, "<|im_end|", true).size(), size_t(9));
    // User-defined tokens are always taken, the longest if several begin.
    QCOMPARE(texts(*t, "he<user>he", false), (Texts{"he", "<user>", "he"}));
    QCOMPARE(texts(*t, "<user>>", false), (Texts{"<user>>"}));
    QCOMPARE(texts(*t, "<user>><user><user", false), (Texts{"<user>>", "<user>", "<", "u", "s", "e", "r"}));
    QVERIFY(t->isControl(end));
    QVERIFY(!t->isControl(*t->find("<user>")));
    QVERIFY(!t->isControl(-1) && !t->isControl(1 << 30));
}

void TestTokenizer::plainTextNeverBecomesControl() {
    QCOMPARE(texts(*made(helloPairs()), "<|im_end|>", false).size(), size_t(10));
    // Merges, whole words and scores that lead to such a token don't count.
    Parts pairs = bytePairs({"< e", "<e >"});
    pairs.tokens[257].kind = Control;
    QCOMPARE(texts(*made(pairs), "<e>", false), (Texts{"<", "e", ">"}));
    QCOMPARE(texts(*made(pairs), "<e>", true), (Texts{"<e>"}));
    pairs.pre = "llama-bpe";
    pairs.tokens.push_back({"qq", Control});
    QCOMPARE(texts(*made(pairs), "qq", false), (Texts{"q", "q"}));

    const auto t = made(helloPieces());
    for (const TokenId token : t->encode("<s></s> <unk> <0x41>", false))
        QVERIFY2(token >= 3 && t->decode(token) != "A", t->tokenText(token).c_str());
    QCOMPARE(t->encode("<s>", true), (std::vector<TokenId>{1}));
}

void TestTokenizer::decodes() {
    Parts parts = helloPairs();
    parts.tokens.push_back({"unused", Unused});
    parts.tokens.push_back({"\xe2\x82\xac\xc4\xa0", Normal}); // the euro sign is outside the byte alphabet
    parts.tokens.push_back({"a b", UserDefined});
    const auto t = made(parts);
    QCOMPARE(t->decode(*t->find(kBpeSpace + "wor")), std::string(" wor"));
    QCOMPARE(t->decode(*t->find("<|im_end|>")), std::string());
    QCOMPARE(t->decode(*t->find("<|im_end|>"), true), std::string("<|im_end|>"));
    QCOMPARE(t->decode(*t->find("<user>")), std::string("<user>"));
    QCOMPARE(t->decode(*t->find("a b")), std::string("a b"));
    QCOMPARE(t->decode(*t->find("unused")), std::string());
    QCOMPARE(t->decode(*t->find("\xe2\x82\xac\xc4\xa0")), std::string("\xe2\x82\xac "));
    for (const TokenId bad : {-1, 100000, INT32_MAX, INT32_MIN}) {
        QCOMPARE(t->decode(bad), std::string());
        QCOMPARE(t->tokenText(bad), std::string());
    }
    for (int b = 0; b < 256; ++b) QCOMPARE(t->decode(b), std::string(1, static_cast<char>(b)));
}

void TestTokenizer::endOfGeneration_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("ends");
    for (const char* text : {"<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<|eom_id|>", "</s>",
                             "<end_of_turn>", "<|return|>", "<|call|>", "<|end|>", "<eos>"}) {
        QTest::addRow("%s", text) << QString(text) << int(Control) << true;
        QTest::addRow("%s user-defined", text) << QString(text) << int(UserDefined) << true;
        // </s> may be HTML, but no text spells <|this|> by chance.
        QTest::addRow("%s ordinary", text) << QString(text) << int(Normal) << QByteArray(text).startsWith("<|");
        QTest::addRow("%s unused", text) << QString(text) << int(Unused) << QByteArray(text).startsWith("<|");
    }
    QTest::addRow("DeepSeek's, ordinary") << QString::fromUtf8("<\xef\xbd\x9c"
                                                               "end\xe2\x96\x81of\xe2\x96\x81sentence\xef\xbd\x9c>")
                                          << int(Normal) << true;
    QTest::addRow("<|other|> ordinary") << QString("<|other|>") << int(Normal) << false;
    QTest::addRow("<|im_start|>") << QString("<|im_start|>") << int(Control) << false;
}

void TestTokenizer::endOfGeneration() {
    QFETCH(QString, text);
    QFETCH(int, kind);
    QFETCH(bool, ends);
    Parts parts = bytePairs({});
    parts.tokens.resize(256);
    parts.tokens.push_back({"<eos by key>", Normal});
    parts.tokens.push_back({text.toStdString(), kind});
    parts.ids = {{"eos_token_id", 256}, {"eot_token_id", 256}};
    const auto t = made(parts);
    QVERIFY(t->isEndOfGeneration(256));
    QCOMPARE(t->isEndOfGeneration(257), ends);
    QCOMPARE(t->isControl(257), ends || kind == Control);
    QCOMPARE(t->decode(257), ends || kind == Control || kind == Unused ? std::string() : text.toStdString());
    QCOMPARE(t->endOfGeneration(), ends ? (std::vector<TokenId>{256, 257}) : std::vector<TokenId>{256});
    QVERIFY(!t->isEndOfGeneration(-1));
    if (text == "<|end|>") { // a message's end, not the answer's, where there are these two
        parts.tokens.push_back({"<|return|>", Control});
        parts.tokens.push_back({"<|call|>", Control});
        QCOMPARE(made(parts)->endOfGeneration(), (std::vector<TokenId>{256, 258, 259}));
    }
}

void TestTokenizer::beginning() {
    Parts parts = helloPairs();
    QCOMPARE(made(parts)->beginning(), std::optional<TokenId>());
    QVERIFY(!made(parts)->addsBeginning());
    parts.ids["bos_token_id"] = 7;
    QCOMPARE(made(parts)->beginning(), std::optional<TokenId>(7));
    QVERIFY(!made(parts)->addsBeginning());
    parts.pre = "llama-bpe";
    QVERIFY(made(parts)->addsBeginning());
    parts.flags["add_bos_token"] = false;
    QVERIFY(!made(parts)->addsBeginning());

    parts = helloPieces();
    QVERIFY(made(parts)->addsBeginning());
    parts.ids.clear(); // early files name none
    QCOMPARE(made(parts)->beginning(), std::optional<TokenId>(1));
}

void TestTokenizer::unknownNames() {
    Parts parts = helloPairs();
    parts.pre = "no-such-pre";
    auto t = make(parts);
    QVERIFY(!t && t.error().kind == ErrorKind::Unsupported);
    QVERIFY(t.error().why.english().find("no-such-pre") != std::string::npos);
    for (const char* model : {"bert", "t5", "rwkv", "none", "GPT2"}) {
        parts = helloPairs();
        parts.model = model;
        t = make(parts);
        QVERIFY(!t && t.error().kind == ErrorKind::Unsupported);
        QVERIFY(t.error().why.english().find(model) != std::string::npos);
        QVERIFY(!t.error().what.empty() && !t.error().action.empty());
    }
    parts = helloPairs();
    parts.pre = ""; // older than the key
    QVERIFY(make(parts));
}

void TestTokenizer::refusedVocabularies_data() {
    QTest::addColumn<bool>("isPairs");
    QTest::addColumn<Change>("change");
    const auto pairs = [](const char* name, Change change) { QTest::newRow(name) << true << change; };
    const auto spm = [](const char* name, Change change) { QTest::newRow(name) << false << change; };
    pairs("no tokens", [](Parts& parts) { parts.tokens.clear(); });
    spm("too few scores", [](Parts& parts) { parts.scoresLeftOut = 1; });
    spm("no scores", [](Parts& parts) { parts.writesScores = false; });
    pairs("merge without space", [](Parts& parts) { parts.merges.back() = "ld"; });
    pairs("merge of nothing", [](Parts& parts) { parts.merges.back() = "l "; });
    pairs("merge with two spaces", [](Parts& parts) { parts.merges.back() = "l d x"; });
    spm("score not a number", [](Parts& parts) { parts.tokens.back().score = NAN; });
    pairs("token too long", [](Parts& parts) { parts.tokens['x'].text = std::string(5000, 'x'); });
}

void TestTokenizer::refusedVocabularies() {
    QFETCH(bool, isPairs);
    QFETCH(Change, change);
    Parts parts = isPairs ? helloPairs() : helloPieces();
    change(parts);
    const auto t = make(parts);
    QVERIFY(!t);
    QCOMPARE(int(t.error().kind), int(ErrorKind::BadInput));
    QVERIFY(!t.error().what.empty() && !t.error().why.empty() && !t.error().action.empty());
}

void TestTokenizer::wrongIdsAreNoted() {
    const auto noted = [](const Parts& parts, const char* key) {
        const std::vector<Sentence> notes = made(parts)->notes();
        return notes.size() == 1 && notes.front().english().find(key) != std::string::npos;
    };
    for (const char* key : {"bos_token_id", "eos_token_id", "eot_token_id", "eom_token_id"}) {
        const Parts right = helloPairs();
        QVERIFY(made(right)->notes().empty());
        Parts parts = right;
        for (const uint32_t id : {static_cast<uint32_t>(parts.tokens.size()), 128009u, UINT32_MAX}) {
            parts.ids[key] = id;
            QVERIFY2(noted(parts, key), key);
            QCOMPARE(made(parts)->endOfGeneration(), made(right)->endOfGeneration());
            QVERIFY(!made(parts)->beginning());
            QCOMPARE(texts(*made(parts), "hello world"), texts(*made(right), "hello world"));
        }
        parts.ids.clear();
        parts.words[key] = "</s>";
        QVERIFY2(noted(parts, key), key);
    }
    Parts parts = helloPieces(); // SentencePiece's file has a <s> to begin with
    parts.ids["bos_token_id"] = 70000;
    QVERIFY(noted(parts, "bos_token_id"));
    QCOMPARE(made(parts)->beginning(), std::optional<TokenId>(1));
    parts = helloPairs();
    parts.flags["add_bos_token"] = true; // and no token to begin with
    QVERIFY(noted(parts, "bos_token_id"));
    QVERIFY(!made(parts)->addsBeginning());
}

/// GLM ends its turn by opening the next one. In other files these tokens are the beginnings of turns.
void TestTokenizer::aFamilyHasEndTokensOfItsOwn() {
    Parts parts = helloPairs();
    const auto next = static_cast<TokenId>(parts.tokens.size());
    for (const char* text : {"<|user|>", "<|assistant|>", "<|observation|>"})
        parts.tokens.push_back({text, UserDefined});
    QVERIFY(!made(parts)->isEndOfGeneration(next));
    parts.architecture = "glm4moe";
    const auto glm = made(parts);
    QVERIFY(glm->isEndOfGeneration(next) && glm->isEndOfGeneration(next + 2));
    QVERIFY(!glm->isEndOfGeneration(next + 1));
}

void TestTokenizer::aFileWithoutSplitRuleIsNoted() {
    Parts parts = helloPairs();
    parts.architecture = "glm4moe";
    QVERIFY(made(parts)->notes().empty());
    parts.pre = "";
    const std::vector<Sentence> notes = made(parts)->notes();
    QCOMPARE(notes.size(), size_t(1));
    QVERIFY(notes.front().english().find("\"glm4\"") != std::string::npos);
    parts.architecture = "unheard-of";
    QVERIFY(made(parts)->notes().empty());
    Parts spm = helloPieces(); // it cuts by no rule
    QVERIFY(made(spm)->notes().empty());
}

/// The words of the public reports' digits: at most three together, and merges make every word.
void TestTokenizer::glmCutsDigitsInThrees() {
    Parts parts = bytePairs({"7 8", "78 9", "789 0", "a b", "ab c"});
    parts.tokens.push_back({"abcd"}); // no merge makes it
    parts.pre = "glm4";
    QCOMPARE(texts(*made(parts), "7890abcd"), (Texts{"789", "0", "abc", "d"}));
    parts.pre = "llama-bpe"; // takes a word whole if it is a token
    QCOMPARE(texts(*made(parts), "7890abcd"), (Texts{"789", "0", "abcd"}));
}

void TestTokenizer::oddVocabulariesThatWork() {
    Parts parts = helloPairs();
    parts.tokens.push_back({"hello"}); // twice: the last one counts
    parts.tokens.push_back({""});
    parts.tokens.push_back({"<>", 77}); // an unknown kind
    auto t = made(parts);
    QCOMPARE(t->find("hello"), std::optional<TokenId>(static_cast<TokenId>(parts.tokens.size()) - 3));
    QCOMPARE(t->find(""), std::optional<TokenId>());
    QCOMPARE(texts(*t, "hello"), (Texts{"hello"}));
    parts.writesTypes = false;
    t = made(parts);
    QVERIFY(t->isControl(*t->find("<|im_end|>")) && !t->isControl(*t->find("<user>")));
    QCOMPARE(t->endOfGeneration(), (std::vector<TokenId>{*t->find("<|endoftext|>"), *t->find("<|im_end|>")}));
    parts.merges = {"h e", "e l", "h e"};
    QCOMPARE(texts(*made(parts), "hel"), (Texts{"he", "l"}));
    parts.merges.clear();
    QCOMPARE(texts(*made(parts), "he"), (Texts{"h", "e"}));
}

void TestTokenizer::hostileTexts() {
    const std::string all[] = {
        "",
        std::string(1, '\0'),
        std::string("a\0b", 3),
        "\xed\xa0\x80\xed\xb0\x80",
        "\xc0\xaf",
        "\xe0\x80\xaf",
        "\xf0\x80\x80\xaf",
        "\xf4\x90\x80\x80",
        "\xf0\x9f\xa6\x99",
        "\xf0\x9f",
        "\xff\xfe\xfd",
        "\x80\x80",
        " \xe3\x80\x80 ",
        "\xe2\x80\xa8",
        "\xef\xbb\xbfx",
    };
    Parts spm = helloPieces();
    for (const bool prefix : {true, false}) {
        spm.flags["add_space_prefix"] = prefix;
        const auto pairTokenizer = made(helloPairs()), pieceTokenizer = made(spm);
        for (const std::string& text : all) {
            QCOMPARE(spelled(*pairTokenizer, text, true), text);
            QCOMPARE(spelled(*pieceTokenizer, text, true), text);
        }
    }
}

// Anything quadratic would take hours here; the test's time limit says so.
void TestTokenizer::longTexts() {
    const auto pairTokenizer = made(helloPairs()), pieceTokenizer = made(helloPieces());
    Parts innerSpace = helloPieces();
    innerSpace.tokens.push_back({"o" + kSpace, Normal, -1}); // words can't be cut apart
    const auto wholeTokenizer = made(innerSpace);
    for (const char* unit : {"l", " ", "hello ", "<", "<|im_end|>", "<user", "\xff", "\n", "7", "\xf0\x9f\xa6\x99",
                             "\xe6\x97\xa5", "\xe0\xa4\xa8\xe0\xa5\x80"}) {
        std::string text;
        while (text.size() < 1000000) text += unit;
        for (const Tokenizer* t : {pairTokenizer.get(), pieceTokenizer.get(), wholeTokenizer.get()})
            QVERIFY(spelled(*t, text, true) == text);
    }
}

void TestTokenizer::roundTrips() {
    Parts parts = helloPieces();
    const auto pieceTokenizer = made(parts);
    parts.flags["add_space_prefix"] = false;
    const auto bareTokenizer = made(parts);
    QRandomGenerator random(6);
    for (const char* pre : {"gpt-2", "qwen2", "smollm", "llama-bpe", "gpt-4o", "deepseek-coder", "default"}) {
        parts = helloPairs();
        parts.pre = pre;
        const auto pairTokenizer = made(parts);
        for (int round = 0; round < 500; ++round) {
            const std::string unicode = randomUnicode(random, 40), bytes = randomBytes(random, 40);
            for (const Tokenizer* t : {pairTokenizer.get(), pieceTokenizer.get(), bareTokenizer.get()}) {
                QCOMPARE(spelled(*t, unicode, false), unicode);
                if (bytes.find(kSpace) == bytes.npos) QCOMPARE(spelled(*t, bytes, false), bytes);
            }
        }
    }
}

void TestTokenizer::reference_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"qwen2", "gpt-2", "starcoder", "llama-spm", "deepseek-coder"})
        QTest::newRow(name) << QString(name);
}

void TestTokenizer::reference() {
    QFETCH(QString, name);
    const QString folder = coterie::test::referenceFolder() + "/vocab/";
    if (!QFile::exists(folder + name + ".gguf")) QSKIP("no reference data here");
    const auto t = referenceTokenizer(name);
    const QByteArray separator = "\n__ggml_vocab_test__\n";
    const QByteArray inputs = QByteArray::fromStdString(readFile(folder + name + ".inp"));
    const QList<QByteArray> wanted = QByteArray::fromStdString(readFile(folder + name + ".out")).split('\n');
    int cases = 0;
    for (qsizetype at = 0; at <= inputs.size(); ++cases) {
        qsizetype end = inputs.indexOf(separator, at);
        if (end < 0) end = inputs.size();
        const QByteArray text = inputs.mid(at, end - at);
        QByteArray got;
        for (const TokenId token : t->encode(text.toStdString(), false)) got += QByteArray::number(token) + ' ';
        QCOMPARE(got.trimmed(), wanted.at(cases).simplified());
        QCOMPARE(QByteArray::fromStdString(spelled(*t, text.toStdString(), false)), text);
        at = end + separator.size();
    }
    QVERIFY(cases > 40);
}

void TestTokenizer::referenceRoundTrips() {
    const QString folder = coterie::test::referenceFolder();
    if (!QFile::exists(folder + "/vocab/qwen2.gguf")) QSKIP("no reference data here");
    QRandomGenerator random(7);
    for (const char* name : {"qwen2", "gpt-2", "llama-spm"}) {
        const auto t = referenceTokenizer(name);
        for (int round = 0; round < 2000; ++round) {
            const std::string unicode = randomUnicode(random, 60), bytes = randomBytes(random, 60);
            QCOMPARE(spelled(*t, unicode, false), unicode);
            if (bytes.find(kSpace) == bytes.npos) QCOMPARE(spelled(*t, bytes, false), bytes);
        }
    }
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
