// SPDX-License-Identifier: Apache-2.0
// The tokenizer of Gemma 4: characters that merge, U+2581 for a space, runs of line ends that stay whole, and tokens
// for bytes. Compared with a slow algorithm that is written from the rule.
#include "prompt/tokenizer.h"
#include "support/gguf_writer.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace coterie::engine;
using coterie::test::GgufWriter;

namespace {

using Texts = std::vector<std::string>;
enum Kind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

const std::string kSpace = "\xe2\x96\x81"; // U+2581

struct Parts {
    std::string model = "gemma4", pre{}, architecture = "llama";
    std::vector<std::pair<std::string, int>> tokens{};
    Texts merges{};
    std::map<std::string, bool> flags{};
    bool namesBeginning = true;
};

std::string byteText(int byte) { return QString::asprintf("<0x%02X>", byte).toStdString(); }

/// As in published files: special tokens, bytes, then texts. The merges' results are tokens unless they are in `none`.
Parts partsOf(const Texts& texts, const Texts& merges, const std::set<std::string>& none = {}) {
    Parts parts;
    for (const char* text : {"<pad>", "<eos>", "<bos>"}) parts.tokens.emplace_back(text, Control);
    parts.tokens.emplace_back("<unk>", Unknown);
    parts.tokens.emplace_back("<|turn>", Control);
    parts.tokens.emplace_back("<turn|>", Control);
    parts.tokens.emplace_back("<|user|>", UserDefined);
    for (int byte = 0; byte < 256; ++byte) parts.tokens.emplace_back(byteText(byte), Byte);
    for (const std::string& text : texts) parts.tokens.emplace_back(text, Normal);
    for (std::string merge : merges) {
        merge.erase(merge.find(' '), 1);
        if (!none.contains(merge)) parts.tokens.emplace_back(merge, Normal);
    }
    parts.merges = merges;
    return parts;
}

Parts helloParts() {
    return partsOf({"h", "e", "l", "o", "w", kSpace, "\n", "\n\n", "\n\n\n", "\xc3\xa9", "\xf0\x9f\xa6\x99"},
                   {"l l", "h e", "he ll", "hell o", kSpace + " w", kSpace + " " + kSpace, "o \n", "\xc3\xa9 o"});
}

Result<std::unique_ptr<Tokenizer>> make(const Parts& parts) {
    Texts texts;
    std::vector<int32_t> kinds;
    for (const auto& [text, kind] : parts.tokens) {
        texts.push_back(text);
        kinds.push_back(kind);
    }
    GgufWriter w;
    w.string("general.architecture", parts.architecture).string("tokenizer.ggml.model", parts.model);
    if (!parts.pre.empty()) w.string("tokenizer.ggml.pre", parts.pre);
    w.strings("tokenizer.ggml.tokens", texts).i32s("tokenizer.ggml.token_type", kinds);
    w.strings("tokenizer.ggml.merges", parts.merges);
    if (parts.namesBeginning) w.u32("tokenizer.ggml.bos_token_id", 2);
    for (const auto& [key, on] : parts.flags) w.boolean("tokenizer.ggml." + key, on);
    const std::string file = w.bytes();
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) return header.error();
    return Tokenizer::create(*header);
}

std::unique_ptr<Tokenizer> made(const Parts& parts) {
    auto tokenizer = make(parts);
    if (!tokenizer) qFatal("%s", tokenizer.error().line().c_str());
    return std::move(tokenizer).value();
}

Texts texts(const Tokenizer& tokenizer, std::string_view text, bool special = false) {
    Texts out;
    for (const TokenId token : tokenizer.encode(text, special)) out.push_back(tokenizer.tokenText(token));
    return out;
}

std::string spelled(const Tokenizer& tokenizer, std::string_view text, bool special = false) {
    std::string out;
    for (const TokenId token : tokenizer.encode(text, special)) out += tokenizer.decode(token, special);
    return out;
}

/// Applies the first merge of the list that fits anywhere in a run of line ends, or of other characters, at its
/// leftmost place, again and again.
Texts slowly(const Parts& parts, const QString& text) {
    std::set<std::string> known;
    for (const auto& [token, kind] : parts.tokens)
        if (kind == Normal) known.insert(token);
    Texts out;
    const auto endWord = [&](Texts& symbols) {
        std::string word;
        for (const std::string& symbol : symbols) word += symbol;
        if (word.starts_with('\n') && known.contains(word)) symbols = {word};
        for (bool merged = symbols.size() > 1; merged;) {
            merged = false;
            for (const std::string& merge : parts.merges)
                for (size_t i = 0; i + 1 < symbols.size() && !merged; ++i) {
                    if (symbols[i] + " " + symbols[i + 1] != merge) continue;
                    symbols[i] += symbols[i + 1];
                    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(i) + 1);
                    merged = true;
                }
        }
        for (const std::string& symbol : symbols) {
            if (known.contains(symbol)) {
                out.push_back(symbol);
                continue;
            }
            for (const char c : symbol) out.push_back(byteText(static_cast<uint8_t>(c)));
        }
        symbols.clear();
    };
    Texts symbols;
    for (const uint point : text.toUcs4()) {
        const char32_t c = point;
        const std::string symbol = c == U' ' ? kSpace : QString::fromUcs4(&c, 1).toStdString();
        if (!symbols.empty() && (symbol == "\n") != (symbols.back() == "\n")) endWord(symbols);
        symbols.push_back(symbol);
    }
    if (!symbols.empty()) endWord(symbols);
    return out;
}

} // namespace

class TestCharacterTokenizer : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void charactersMerge() {
        const auto t = made(helloParts());
        QCOMPARE(texts(*t, "hello w"), (Texts{"hello", kSpace + "w"}));
        QCOMPARE(texts(*t, "hel"), (Texts{"he", "l"}));
        QCOMPARE(texts(*t, "hello\xc3\xa9o"), (Texts{"hello", "\xc3\xa9o"}));
        QCOMPARE(texts(*t, ""), Texts());
    }

    void spacesAreWritten() {
        const auto t = made(helloParts());
        QCOMPARE(texts(*t, "   h"), (Texts{kSpace + kSpace, kSpace, "h"}));
        QCOMPARE(texts(*t, "h\tw"), (Texts{"h", "<0x09>", "w"})); // no other white space is
        QCOMPARE(spelled(*t, " hello  w "), std::string(" hello  w "));
        QCOMPARE(spelled(*t, "a" + kSpace + "b"), std::string("a b")); // the two can't be told apart
    }

    /// A run that is a token stays whole although no merge makes it, and no merge reaches over its ends.
    void lineEndsStandAlone() {
        const auto t = made(helloParts());
        QCOMPARE(texts(*t, "o\n\no"), (Texts{"o", "\n\n", "o"}));
        QCOMPARE(texts(*t, "\n\n\n\n"), (Texts{"\n", "\n", "\n", "\n"})); // four are no token, and nothing merges them
        QCOMPARE(texts(*t, "o\n"), (Texts{"o", "\n"}));
        QCOMPARE(texts(*t, "\n\r\n"), (Texts{"\n", "<0x0D>", "\n"}));
    }

    void otherCharactersBecomeBytes() {
        const auto t = made(helloParts());
        QCOMPARE(texts(*t, "h\xc3\xa4"), (Texts{"h", "<0xC3>", "<0xA4>"}));
        QCOMPARE(texts(*t, "\xf0\x9f\xa6\x99\xf0\x9f\xa6\x98"),
                 (Texts{"\xf0\x9f\xa6\x99", "<0xF0>", "<0x9F>", "<0xA6>", "<0x98>"}));
        QCOMPARE(texts(*t, "\xff\xc3"), (Texts{"<0xFF>", "<0xC3>"})); // not UTF-8
        QCOMPARE(spelled(*t, std::string_view("\xff\0\xc3\xa4", 4)), std::string("\xff\0\xc3\xa4", 4));
        Parts parts = helloParts();
        parts.tokens[7 + 0xc3] = {"gone", Normal}; // a byte that no token has is lost, the rest isn't
        QCOMPARE(texts(*made(parts), "h\xc3\xa4"), (Texts{"h", "<0xA4>"}));
    }

    void specialTokensAreTakenOut() {
        const auto t = made(helloParts());
        QCOMPARE(texts(*t, "<|turn>hello<turn|>\n", true), (Texts{"<|turn>", "hello", "<turn|>", "\n"}));
        QCOMPARE(texts(*t, "h<|user|>h"), (Texts{"h", "<|user|>", "h"}));
        for (const TokenId token : t->encode("<|turn><eos><unk><0x41>", false)) QVERIFY(!t->isControl(token));
        QCOMPARE(spelled(*t, "<eos>"), std::string("<eos>"));
        Parts parts = partsOf({"<", ">"}, {"< e", "<e o", "<eo s", "<eos >"}, {"<eos>"}); // merges that lead there
        QCOMPARE(texts(*made(parts), "<eos>"), (Texts{"<0x3C>", "<0x65>", "<0x6F>", "<0x73>", "<0x3E>"}));
    }

    void itIsKnownByTwoNames() {
        Parts parts = helloParts();
        const std::vector<TokenId> wanted = made(parts)->encode(" hello\n\nw", false);
        parts.model = "gpt2";
        parts.pre = "gemma4";
        QCOMPARE(made(parts)->encode(" hello\n\nw", false), wanted);
        QVERIFY(made(parts)->notes().empty());
        parts.pre = "gpt-2"; // cuts words, and looks for the byte alphabet
        QVERIFY(made(parts)->encode(" hello\n\nw", false) != wanted);
        parts = helloParts();
        parts.architecture = "glm4moe"; // a file of this model needs no rule, so nothing is missing
        QVERIFY(made(parts)->notes().empty());
        parts.pre = "qwen2"; // and a rule that it names means nothing
        QCOMPARE(made(parts)->encode(" hello\n\nw", false), wanted);
    }

    /// The models answer nonsense without it, and early files say that it is not wanted.
    void promptsAlwaysBeginWithTheToken() {
        Parts parts = helloParts();
        QVERIFY(made(parts)->addsBeginning());
        parts.flags["add_bos_token"] = false;
        QVERIFY(made(parts)->addsBeginning());
        QCOMPARE(made(parts)->beginning(), std::optional<TokenId>(2));
        parts.namesBeginning = false;
        QVERIFY(!made(parts)->addsBeginning());
    }

    void turnsOfItsFamilyEndAnswers() {
        Parts parts = helloParts();
        parts.architecture = "gemma4";
        for (const int kind : {Normal, UserDefined, Control}) {
            parts.tokens[5].second = kind;
            const auto t = made(parts);
            QVERIFY(t->isEndOfGeneration(5) && t->isEndOfGeneration(1) && !t->isEndOfGeneration(4));
        }
    }

    void mergesAsTheSlowAlgorithm() {
        QRandomGenerator random(11);
        for (int round = 0; round < 200; ++round) {
            Texts known{"a", "b", kSpace, "\xc3\xa9", "\xf0\x9f\xa6\x99", "\n"}, merges;
            for (int i = 0; i < 14; ++i) {
                const auto part = [&] { return known[static_cast<size_t>(random.bounded(int(known.size())))]; };
                const std::string left = part(), right = part();
                if (std::find(known.begin(), known.end(), left + right) != known.end()) continue;
                merges.push_back(left + " " + right);
                known.push_back(left + right);
            }
            std::set<std::string> none; // without spaces: the bytes of U+2581 become U+2581 again
            for (const std::string& text : known)
                if (text.size() > 4 && text.find(kSpace) == text.npos && random.bounded(4) == 0) none.insert(text);
            Parts parts = partsOf({"a", "b", kSpace, "\n", "\n\n\n"}, merges, none);
            std::sort(parts.tokens.begin() + 7, parts.tokens.end());
            parts.tokens.erase(std::unique(parts.tokens.begin() + 7, parts.tokens.end()), parts.tokens.end());
            const auto t = made(parts);
            const QStringList letters{
                "a",  "b", "a", "b", " ", QString::fromUtf8("\xc3\xa9"), QString::fromUtf8("\xf0\x9f\xa6\x99"),
                "\n", "c"};
            for (int word = 0; word < 30; ++word) {
                QString text;
                for (int i = random.bounded(30); i > 0; --i) text += letters.at(random.bounded(int(letters.size())));
                QCOMPARE(texts(*t, text.toStdString()), slowly(parts, text));
                QCOMPARE(spelled(*t, text.toStdString()), text.toStdString());
            }
        }
    }

    void refusedVocabularies() {
        for (const char* merge : {"he", " he", "h e l", "h ", ""}) {
            Parts parts = helloParts();
            parts.merges.push_back(merge);
            const auto t = make(parts);
            QVERIFY2(!t && t.error().kind == ErrorKind::BadInput, merge);
        }
        Parts parts = helloParts();
        parts.tokens[7].first = "<0x0G>"; // noted, and ordinary text
        QCOMPARE(made(parts)->notes().size(), size_t(1));
    }

    // Anything quadratic would take hours here; the test's time limit says so.
    void longTexts() {
        const auto t = made(helloParts());
        for (const char* unit : {"l", " ", "hello ", "\n", "<|turn>", "<0x41>", "\xff", "\xf0\x9f\xa6\x99", "\xe6"}) {
            std::string text;
            while (text.size() < 1'000'000) text += unit;
            QVERIFY(spelled(*t, text, true) == text);
        }
    }
};

QTEST_APPLESS_MAIN(TestCharacterTokenizer)
#include "tst_character_tokenizer.moc"
