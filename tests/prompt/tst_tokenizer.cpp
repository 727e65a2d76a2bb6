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
    bool writesTypes = true, writesScores = false;
    size_t typesLeftOut = 0, scoresLeftOut = 0;
};

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
    types.resize(types.size() - parts.typesLeftOut);
    scores.resize(scores.size() - parts.scoresLeftOut);
    w.string("general.architecture", "llama").string("tokenizer.ggml.model", parts.model);
    if (!parts.pre.empty()) w.string("tokenizer.ggml.pre", parts.pre);
    w.strings("tokenizer.ggml.tokens", texts);
    if (parts.writesTypes) w.i32s("tokenizer.ggml.token_type", types);
    if (parts.writesScores) w.f32s("tokenizer.ggml.scores", scores);
    if (parts.model == "gpt2") w.strings("tokenizer.ggml.merges", parts.merges);
    for (const auto& [key, id] : parts.ids) w.u32("tokenizer.ggml." + key, id);
    for (const auto& [key, on] : parts.flags) w.boolean("tokenizer.ggml." + key, on);
    const std::string file = w.bytes();
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return header.error();
    return Tokenizer::create(*header); // the file goes here: the tokenizer must own what it needs
}

/// Encodes a text and decodes it again, without the spaces that the tokenizer puts before words.
std::string spelled(const Tokenizer& t, const std::string& text, bool special) {
    const std::vector<TokenId> first = t.encode("x", false);
    const bool putsSpace = !first.empty() && t.tokenText(first.front()).starts_with(kSpace);
    std::map<TokenId, bool> known;
    const auto isSpecial = [&](TokenId token) {
        const auto [found, unknown] = known.try_emplace(token);
        if (unknown) found->second = t.encode(t.tokenText(token), true) == std::vector{token};
        return found->second;
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
        QTest::addRow("%s ordinary", text) << QString(text) << int(Normal) << false;
    }
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
    QTest::addColumn<int>("number");
    const char* names[] = {"no tokens",           "too few types",          "too few scores",
                           "no scores",           "eos out of range",       "bos out of range",
                           "merge without space", "merge of nothing",       "merge with two spaces",
                           "byte token misspelt", "byte token with a sign", "BOS asked for",
                           "score not a number",  "special token too long", "token too long"};
    int number = 0;
    for (const char* name : names) QTest::newRow(name) << number++;
}

void TestTokenizer::refusedVocabularies() {
    QFETCH(int, number);
    Parts pairs = helloPairs(), spm = helloPieces();
    bool isPairs = true;
    switch (number) {
    case 0:
        pairs.tokens.clear();
        break;
    case 1:
        pairs.typesLeftOut = 1;
        break;
    case 2:
        spm.scoresLeftOut = 1, isPairs = false;
        break;
    case 3:
        spm.writesScores = false, isPairs = false;
        break;
    case 4:
        pairs.ids["eos_token_id"] = static_cast<uint32_t>(pairs.tokens.size());
        break;
    case 5:
        pairs.ids["bos_token_id"] = UINT32_MAX;
        break;
    case 6:
        pairs.merges.back() = "ld";
        break;
    case 7:
        pairs.merges.back() = "l ";
        break;
    case 8:
        pairs.merges.back() = "l d x";
        break;
    case 9:
        spm.tokens[3].text = "<0x0G>", isPairs = false;
        break;
    case 10:
        spm.tokens[3].text = "<0x+1>", isPairs = false;
        break;
    case 11:
        pairs.flags["add_bos_token"] = true;
        break;
    case 12:
        spm.tokens.back().score = NAN, isPairs = false;
        break;
    case 13:
        pairs.tokens.back().text = std::string(300, '<');
        break;
    case 14:
        pairs.tokens['x'].text = std::string(5000, 'x');
        break;
    }
    const auto t = make(isPairs ? pairs : spm);
    QVERIFY(!t);
    QCOMPARE(int(t.error().kind), int(ErrorKind::BadInput));
    QVERIFY(!t.error().what.empty() && !t.error().why.empty() && !t.error().action.empty());
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
    QVERIFY(!t->isControl(*t->find("<|im_end|>")));
    QCOMPARE(t->endOfGeneration(), std::vector<TokenId>());
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
