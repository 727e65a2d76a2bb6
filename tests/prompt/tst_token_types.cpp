// SPDX-License-Identifier: Apache-2.0
// Tests that wrong types of tokens, which may be missing altogether, close no file: what is wrong is noted, and the
// token is ordinary text.
#include "prompt/tokenizer.h"
#include "support/gguf_writer.h"

#include <QtTest>

using namespace coterie::engine;
using coterie::test::GgufWriter;

namespace {

enum Kind : int32_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// A vocabulary with types that a test makes wrong.
struct File {
    bool pieces = false; ///< SentencePiece, else byte-level pairs
    std::vector<std::string> texts{};
    std::vector<int32_t> types{};
    bool typesAreText = false;
    std::vector<int32_t> suppressed{};
    bool suppressedIsText = false;

    Result<std::unique_ptr<Tokenizer>> opened() const {
        GgufWriter w;
        w.string("general.architecture", "llama").string("tokenizer.ggml.model", pieces ? "llama" : "gpt2");
        w.string("tokenizer.ggml.pre", "default").strings("tokenizer.ggml.tokens", texts);
        if (typesAreText)
            w.string("tokenizer.ggml.token_type", "normal");
        else
            w.i32s("tokenizer.ggml.token_type", types);
        if (suppressedIsText)
            w.string("tokenizer.ggml.suppress_tokens", "all");
        else if (!suppressed.empty())
            w.i32s("tokenizer.ggml.suppress_tokens", suppressed);
        if (pieces)
            w.f32s("tokenizer.ggml.scores", std::vector<float>(texts.size(), 0));
        else
            w.strings("tokenizer.ggml.merges", {"h i"});
        const std::string bytes = w.bytes();
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        if (!header) return header.error();
        return Tokenizer::create(*header);
    }
};

const File kPairs{.texts = {"h", "i", "hi", "<|im_end|>", "<b>"},
                  .types = {Normal, Normal, Normal, Control, UserDefined}};
const File kPieces{.pieces = true,
                   .texts = {"<unk>", "<s>", "</s>", "<0x41>", "\xe2\x96\x81", "h", "i", "hi"},
                   .types = {Unknown, Control, Control, Byte, Normal, Normal, Normal, Normal}};

} // namespace

class TestTokenTypes : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wrongTypesAreNoted_data() {
        QTest::addColumn<File>("right");
        QTest::addColumn<File>("wrong");
        QTest::addColumn<QString>("note");
        const auto row = [](const char* name, const File& right, const char* note, const auto& change) {
            File wrong = right;
            change(wrong);
            QTest::newRow(name) << right << wrong << QString(note);
        };
        row("too few", kPairs, "token_type has 4 entries", [](File& file) { file.types.pop_back(); });
        row("none", kPairs, "token_type has 0 entries", [](File& file) { file.types.clear(); });
        row("too many", kPairs, "token_type has 6 entries", [](File& file) { file.types.push_back(Control); });
        row("no numbers", kPairs, "token_type is not a list of numbers", [](File& file) { file.typesAreText = true; });
        row("special and long", kPairs, "longer than any", [](File& file) { file.texts.back().assign(300, '<'); });
        row("no digit", kPieces, "<0x0G>", [](File& file) { file.texts[3] = "<0x0G>"; });
        row("a sign", kPieces, "<0x+1>", [](File& file) { file.texts[3] = "<0x+1>"; });
        row("several", kPieces, "h", [](File& file) { file.types[5] = file.types[6] = Byte; });
    }
    void wrongTypesAreNoted() {
        QFETCH(File, right);
        QFETCH(File, wrong);
        QFETCH(QString, note);
        const auto usual = right.opened(), opened = wrong.opened();
        QVERIFY(usual.ok() && opened.ok());
        const Tokenizer& tokenizer = **opened;
        QVERIFY((*usual)->notes().empty());
        QCOMPARE(tokenizer.notes().size(), size_t(1));
        QVERIFY2(QString::fromStdString(tokenizer.notes().front().english()).contains(note),
                 tokenizer.notes().front().english().c_str());
        QCOMPARE(tokenizer.encode("hihi", false), (*usual)->encode("hihi", false));
        QCOMPARE(tokenizer.endOfGeneration(), (*usual)->endOfGeneration()); // its text says what it is
    }

    /// Ids that are wrong close no file either.
    void suppressedTokensAreRead() {
        const auto read = [](const std::vector<int32_t>& ids, bool isText, size_t notes) {
            File file = kPairs;
            file.suppressed = ids;
            file.suppressedIsText = isText;
            const auto opened = file.opened();
            if (!opened || (*opened)->notes().size() != notes) qFatal("the notes are wrong");
            const std::span<const TokenId> found = (*opened)->suppressed();
            return std::vector<TokenId>(found.begin(), found.end());
        };
        const std::vector<TokenId> none, two{2, 4}, one{3};
        QCOMPARE(read({}, false, 0), none);
        QCOMPARE(read({4, 2, 4}, false, 0), two);
        QCOMPARE(read({-1, 3, 5, 1 << 30}, false, 1), one);
        QCOMPARE(read({}, true, 1), none);
    }
};

QTEST_APPLESS_MAIN(TestTokenTypes)
#include "tst_token_types.moc"
