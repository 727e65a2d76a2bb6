// SPDX-License-Identifier: Apache-2.0
// Blocks of an answer: Markdown becomes blocks, the pieces in which it arrived make no difference, and what was shown
// before the last block of the text stays.
#include "app/markdown/markdown_shapes.h"
#include "markdown/block_parser.h"
#include "markdown/markdown_lines.h"
#include "prompt/utf8_stream.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <map>
#include <random>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::shapeOf;

namespace {

/// Writes blocks as shapeOf() does; + behind one that is still open.
QString shape(const TextDocument& document) {
    QStringList shapes;
    for (const TextBlock& block : document.blocks())
        shapes.append(shapeOf(block) + (block.closed ? QString() : QStringLiteral("+")));
    return shapes.join(u'|');
}

/// A document into which one text part is cut.
struct Cut {
    TextDocument document;
    BlockParser parser{document, 0};
};

std::vector<TextBlock> blocksOf(const QString& text) {
    Cut cut;
    cut.parser.append(text);
    cut.parser.finish();
    return cut.document.blocks();
}

const QStringList kPieces{"word",
                          "two words",
                          "\n",
                          "\n",
                          "\n\n",
                          "\n\n",
                          " ",
                          "  ",
                          "    ",
                          "- ",
                          "* ",
                          "+ ",
                          "1. ",
                          "2. ",
                          "7) ",
                          "> ",
                          ">",
                          "# ",
                          "### ",
                          "```",
                          "~~~",
                          "```cpp\n",
                          "`",
                          "``",
                          "**",
                          "*",
                          "_",
                          "~~",
                          "[",
                          "](u)",
                          "[a](b)",
                          "![a](b)",
                          "]: ",
                          "|",
                          " | ",
                          "\n| a | b |\n|---|:-:|\n",
                          "\n|c|d|e|\n",
                          "a|b\n-|-\n",
                          "---",
                          "***\n",
                          "===",
                          "\n---\n",
                          "- [ ] ",
                          "- [x] ",
                          "&amp;",
                          "&nosuch;",
                          "\\*",
                          "\\",
                          "<b>",
                          "\t",
                          "http://a.b ",
                          "\n- a\n- b\n",
                          "\n  - c\n",
                          "\n1. a\n1. b\n",
                          "\n\n    code\n",
                          "  \n",
                          "\\\n",
                          "\xc3\xa4",
                          "\xf0\x9f\x98\x80",
                          "\n```\nint a;\n\n- b\n```\n",
                          "\n   ```\n   x\n",
                          "5",
                          "1",
                          ".",
                          "\r\n"};
const QStringList kFormulas{"$x_1$",  "$",   "$$",  "$$\n- a\n$$",   "\\(a*b\\)",       "\\(",
                            "\\)",    "\\[", "\\]", "\\[\n+ b\n\\]", "costs $5 and $6", "\n$$\n",
                            "\n\\[\n"};

/// Characters of two, three and four bytes, some of which belong together.
const QStringList kWide{"\xc3\xa4",
                        "e\xcc\x81",
                        "\xe2\x82\xac",
                        "\xe4\xb8\xad\xe6\x96\x87",
                        "\xf0\x9f\x98\x80",
                        "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
                        "**\xe2\x82\xac**",
                        "\n- \xe2\x80\x9c"
                        "a\xe2\x80\x9d\n"};

/// Random Markdown: pieces that begin, continue and end blocks of every kind.
class RandomMarkdown {
  public:
    explicit RandomMarkdown(unsigned seed) : random_(seed) {}

    /// more: also formulas, which md4c alone reads otherwise, and characters of several bytes.
    QString text(bool more) {
        QString text;
        const int count = 2 + static_cast<int>(random_() % 28);
        for (int i = 0; i < count; ++i) {
            const unsigned kind = more ? random_() % 5 : 2;
            text += kind == 0 ? pick(kFormulas) : kind == 1 ? pick(kWide) : pick(kPieces);
        }
        return text;
    }
    qsizetype number(qsizetype below) { return static_cast<qsizetype>(random_() % static_cast<unsigned>(below)); }

  private:
    const QString& pick(const QStringList& from) { return from[number(from.size())]; }

    std::mt19937 random_;
};

QString difference(int number, const QString& text, const std::vector<TextBlock>& found,
                   const std::vector<TextBlock>& expected) {
    return QStringLiteral("%1: %2\n%3\n%4")
        .arg(QString::number(number), QString::fromUtf8(QJsonDocument(QJsonArray{text}).toJson()), shapeOf(found),
             shapeOf(expected));
}

/// An answer that arrives in pieces of bytes, as the program reads it: whole characters leave the engine, and become
/// the text of a piece.
class ByteStream {
  public:
    void push(QByteArrayView bytes) {
        add(characters_.push({bytes.data(), static_cast<size_t>(bytes.size())}));
        if (characters_.endsInCharacter()) ++cutCharacters;
    }
    const std::vector<TextBlock>& finish() {
        add(characters_.finish());
        blocks_.finish();
        return document_.blocks();
    }

    int cutCharacters = 0; ///< pieces that end within a character

  private:
    void add(const std::string& text) {
        if (!text.empty()) blocks_.add({0, partFrom(engine::PartKind::Text, text, {})});
    }

    engine::Utf8Stream characters_;
    TextDocument document_;
    MessageBlocks blocks_{document_};
};

/// For each shown character its place in the source.
std::vector<qsizetype> placesOf(const std::vector<TextBlock>& blocks) {
    std::vector<qsizetype> places;
    for (const TextBlock& block : blocks)
        for (qsizetype i = 0; i < block.text.size(); ++i) places.push_back(block.sourceAt(i));
    return places;
}

/// The line of the text with this character, without the marks of quotes and lists before it.
QStringView wordsOfLine(const QString& text, qsizetype at) {
    const qsizetype begin = at == 0 ? 0 : text.lastIndexOf(u'\n', at - 1) + 1;
    const qsizetype end = text.indexOf(u'\n', at);
    return withoutMarks(QStringView(text).mid(begin, end < 0 ? -1 : end - begin));
}

/// Whether a row of a table is a heading or a fence, which ends a table.
bool tableHasBlocks(const QString& text, const std::vector<TextBlock>& blocks) {
    for (const TextBlock& block : blocks) {
        if (block.kind != TextBlock::Kind::Table) continue;
        for (qsizetype row = block.text.indexOf(u'\n') + 1; row > 0; row = block.text.indexOf(u'\n', row) + 1) {
            const bool shown = row < block.text.size() && block.text[row] != u'\n' && block.text[row] != u'\t';
            if (!shown) continue;
            const QStringView words = wordsOfLine(text, block.sourceAt(row));
            if (isHeading(words) || fenceIn(words)) return true;
        }
    }
    return false;
}

/// Whether code in a list or a quote ends before a line that begins with the mark of its fence and is outside of them.
bool codeEndsAtItsMark(const QString& text) {
    constexpr qsizetype leastInside = 2; // columns: those of "- "
    QChar open;                          // the mark of a fence in a list or a quote
    bool openInQuote = false;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        const QStringView words = withoutMarks(line), marks = line.chopped(words.size());
        const bool quoted = marks.contains(u'>');
        const bool inside = !marks.trimmed().isEmpty() || indentOf(line) >= leastInside;
        if (!open.isNull() && words.startsWith(open) && !(openInQuote ? quoted : inside)) return true;
        if (!inside || !fenceIn(words)) continue;
        open = words[0];
        openInQuote = quoted;
    }
    return false;
}

/// Whether an item without words, right behind a text, begins with code. The slicer does not know that it is an item,
/// so the next line with the mark of that code ends it, where it should end with its item.
bool codeBeginsAnItemBehindText(const QString& text) {
    const QList<QStringView> lines = QStringView(text).split(u'\n');
    for (qsizetype i = 1; i + 1 < lines.size(); ++i) {
        const std::optional<MarkdownListMark> mark = listMarkIn(lines[i]);
        const bool behindText = !lines[i - 1].trimmed().isEmpty() && !listMarkIn(lines[i - 1]);
        if (mark && mark->empty && behindText && fenceIn(lines[i + 1].trimmed())) return true;
    }
    return false;
}

/// Returns the reason why md4c 0.4.8 gives other blocks for the whole text than for its slices. Those of the slices are
/// right but for the first reason. Empty: there is none that is known.
QString reasonOf(const QString& text, const std::vector<TextBlock>& whole) {
    static const QRegularExpression twoEmptyLines(QStringLiteral("\n[ >]*\n[ >]*\n +[^ \n]"));
    static const QRegularExpression emptyItem(QStringLiteral("([-+*]|[0-9][.)]) *\n *\n {4}"));
    static const QRegularExpression bracketInLabel(QStringLiteral("(```|~~~)[^\n]*\\]:"));
    if (codeBeginsAnItemBehindText(text)) return QStringLiteral("code begins an item right behind a text");
    if (tableHasBlocks(text, whole)) return QStringLiteral("a heading or a fence is a row of the table before it");
    if (codeEndsAtItsMark(text)) return QStringLiteral("code of a list or quote takes a line outside of it");
    if (text.contains(twoEmptyLines)) return QStringLiteral("two empty lines in an item");
    if (text.contains(emptyItem)) return QStringLiteral("code behind an item without words and an empty line");
    if (text.contains(bracketInLabel)) return QStringLiteral("a bracket with a colon in the label of code");
    return {};
}

} // namespace

class TestBlockParser : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whole_data();
    void whole();
    void everySplitGivesTheSame_data() { whole_data(); }
    void everySplitGivesTheSame();
    void charactersKnowTheirPlaces_data() { whole_data(); }
    void charactersKnowTheirPlaces();
    void randomStreamsGiveTheSameBlocks();
    void cutsWithinASurrogatePairChangeNothing();
    void slicesGiveWhatTheWholeTextGives();
    void onlyTheLastBlockChanges();
    void aLineThatMayBecomeAnotherKindWaits();
    void longTablesAndCodeOnlyGrow();
    void openBlocksShowWhatHasCome();
    void usersTextStaysAsItIs();
    void eachPartIsABlock();
    void partsGrowPieceByPiece();
};

void TestBlockParser::whole_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("blocks");
    const auto row = [](const char* name, const char* text, const char* blocks) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(blocks);
    };
    row("empty", "", "");
    row("plain", "Hello\nthere", "p[Hello\nthere]");
    row("paragraphs", "One\ntwo\n\nthree\n \t\n\n four \n", "p[One\ntwo]|p[three]|p[four]");
    row("headings", "# One\n## Two\nthree\n\nFour\n===\n", "h1[One]|h2[Two]|p[three]|h1[Four]");
    row("looks", "*a* **b** ***c*** ~~d~~ `e*f*`", "p[{E|a} {S|b} {SE|c} {K|d} {C|e*f*}]");
    row("links", "[a *b*](u) <http://c> http://d.e ![e](f) ![](g)",
        "p[{L u|a }{EL u|b} {L http://c|http://c} {L http://d.e|http://d.e} {I f|e (f)} {I g|g}]");
    row("hard breaks", "a  \nb\\\nc", "p[a\nb\nc]");
    row("HTML is text", "<b>a</b>\n\n<div>\nb\n</div>", "p[<b>a</b>]|p[<div>\nb\n</div>]");
    row("entities and escapes", "&lt;a&#65; &nosuch; \\*b\\*", "p[<aA &nosuch; *b*]");
    row("definitions are text", "[a]\n\n[a]: /b", "p[[a]]|p[[a]: /b]");
    row("bullets", "- a\n- b\n  - c\n\n  d\n- e", "- p[a]|- p[b]|_ - p[c]|_ p[d]|- p[e]");
    row("numbers", "3. a\n1. b\n\n7. c\n1) d", "3. p[a]|4. p[b]|5. p[c]|1. p[d]");
    row("tasks", "- [ ] a\n- [x] b\n- c", "[ ] p[a]|[x] p[b]|- p[c]");
    row("an empty item", "- \n- a", "- p[]|- p[a]");
    row("a heading behind an empty item", "-\na\n---", "- p[]|h2[a]");
    row("a heading behind two items", "- a\n-\nb\n---", "- p[a]|- p[]|h2[b]");
    row("code behind an empty item", "-\n\n  ```\n*", "- p[]|code[*]");
    row("indented code in an item", "-     ```\n  a\nb", "- code[```]|_ p[a\nb]");
    row("code behind a number", "a\n7)\n ```\n\n-", "p[a\n7)]|code[\n-]");
    row("a number in a text", "It was in\n1999. Or\n2. not", "p[It was in\n1999. Or\n2. not]");
    row("quotes", "> a\n> > b\n>\n> - c\n\nd", "> p[a]|> > p[b]|> - p[c]|p[d]");
    row("rules", "a\n\n---\nb\n***\nc", "p[a]|rule|p[b]|rule|p[c]");
    row("a table", "| a | b | c |\n| --- | :-: | --: |\n| *d* | e\\|f |\n| g |\n\nh",
        "table(lcr)[a\tb\tc\n{E|d}\te|f\t\ng\t\t]|p[h]");
    row("a named line break in a cell", "|a|b|\n|---|---|\n|c&#10;d&#9;e|f|", "table(ll)[a\tb\nc d e\tf]");
    row("short dashes under a head", "|a|b|\n|-|--|\n|c|d|", "table(ll)[a\tb\nc\td]");
    row("a bullet with bars", "|a|\n- |-|", "p[|a|]|- p[|-|]");
    row("a table in a list", "- | a |\n  |---|\n  | b |\n- c", "- table(l)[a\nb]|- p[c]");
    row("code", "See:\n```cpp\nint a;\n\n  b\n```\nDone", "p[See:]|code(cpp)[int a;\n\n  b]|p[Done]");
    row("code alone", "```\nx\n```", "code[x]");
    row("empty code", "```\n```\n", "code[]");
    row("code ends with its item", "- a\n  ```\n  b\nc\n---\n", "- p[a]|_ code[b]|h2[c]");
    row("a text behind a heading of an item", "- c\n + ### 5\n |\n---\n", "- p[c]|- h3[5]|h2[|]");
    row("code behind an item of another list", "1. > \n  - c\n\n   ```\n   x\n* \n", "1. p[]|- p[c]|code[x\n* ]");
    row("a text behind an item", "1. a\n\n b\n---\n", "1. p[a]|h2[b]");
    row("unclosed code", "```py\nx = 1\n", "code(py)[x = 1]");
    row("tilde fence", "~~~ sh extra\na\n```\n~~~", "code(sh)[a\n```]");
    row("longer fence holds shorter", "````\n```\na\n```\n````\nb", "code[```\na\n```]|p[b]");
    row("indented fence", "  ```\n  a\n    b\n  ```\nb", "code[a\n  b]|p[b]");
    row("indented code", "a\n\n    b\n\n    c\nd", "p[a]|code[b\n\nc]|p[d]");
    row("code in a list", "1. a\n   ```c\n   b\n   ```\n2. d", "1. p[a]|_ code(c)[b]|2. p[d]");
    row("inline code is text", "`a` and ``b`` and ```c``` d\ne", "p[{C|a} and {C|b} and {C|c} d\ne]");
    row("fence in mid-line is text", "a ```\nb", "p[a ```\nb]");
    row("fence at the end", "a\n```", "p[a]|code[]");
    row("formulas", "a $x_1y$ and \\(b\\), $\\nosuch$ c",
        "p[a {F $x_1y$|\xef\xbf\xbc} and {F \\(b\\)|\xef\xbf\xbc}, {CF $\\nosuch$|$\\nosuch$} c]");
    row("a formula over lines", "a\n$$\n- a\n= b\n$$\nc", "p[a]|formula[{F $$ - a = b $$|\xef\xbf\xbc}]|p[c]");
    row("prices are no formulas", "$5 and $10, $a and b", "p[$5 and $10, $a and b]");
    row("formulas in code are code", "`$a$`\n```\n$$\n```\n$$", "p[{C|$a$}]|code[$$]|p[$$]");
    row("tags are text", "<think>a</think>\n<tool_call>\n{}\n</tool_call>",
        "p[<think>a</think>\n<tool_call>\n{}\n</tool_call>]");
    row("characters beyond ASCII", "\xc3\xa4\xf0\x9f\x98\x80\n```\n\xe2\x82\xac\n```",
        "p[\xc3\xa4\xf0\x9f\x98\x80]|code[\xe2\x82\xac]");
}

void TestBlockParser::whole() {
    QFETCH(QString, text);
    QFETCH(QString, blocks);
    QCOMPARE(shapeOf(blocksOf(text)), blocks);
}

void TestBlockParser::everySplitGivesTheSame() {
    QFETCH(QString, text);
    QFETCH(QString, blocks);
    const std::vector<TextBlock> whole = blocksOf(text);
    for (qsizetype first = 0; first <= text.size(); ++first) {
        for (qsizetype second = first; second <= text.size(); ++second) {
            Cut cut;
            cut.parser.append(QStringView(text).left(first));
            cut.parser.append(QStringView(text).mid(first, second - first));
            cut.parser.append(QStringView(text).mid(second));
            cut.parser.finish();
            QCOMPARE(shape(cut.document), blocks);
            QVERIFY(cut.document.blocks() == whole);
        }
    }
}

/// A letter or a digit that is shown came from the same one, if it is no number of a list or name of a character.
void TestBlockParser::charactersKnowTheirPlaces() {
    QFETCH(QString, text);
    qsizetype last = -1;
    for (const TextBlock& block : blocksOf(text)) {
        for (qsizetype i = 0; i < block.text.size(); ++i) {
            const qsizetype source = block.sourceAt(i);
            if (!block.text[i].isLetterOrNumber() || text[source] == u'&') continue;
            QCOMPARE(text[source], block.text[i]);
            QVERIFY(source > last);
            last = source;
            const auto [begin, end] = block.shownRange(source, source + 1);
            QVERIFY(begin == i && end == i + 1);
            QVERIFY(block.sourceRange(i, i + 1) == std::pair(source, source + 1));
        }
    }
}

/// 2,000 streams of UTF-8, cut at random bytes.
void TestBlockParser::randomStreamsGiveTheSameBlocks() {
    constexpr int kStreams = 2000;
    RandomMarkdown random(20261124);
    int cutCharacters = 0;
    for (int i = 0; i < kStreams; ++i) {
        const QString text = random.text(true);
        const QByteArray bytes = text.toUtf8();
        ByteStream stream;
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype length = std::min(1 + random.number(i % 3 == 0 ? 2 : 12), bytes.size() - at);
            stream.push(QByteArrayView(bytes).sliced(at, length));
            at += length;
        }
        const std::vector<TextBlock>& streamed = stream.finish();
        const std::vector<TextBlock> whole = blocksOf(text);
        QVERIFY2(streamed == whole, qPrintable(difference(i, text, streamed, whole)));
        cutCharacters += stream.cutCharacters;
    }
    QVERIFY2(cutCharacters > 2 * kStreams, QByteArray::number(cutCharacters));
}

/// The parser alone may also get a half of a character of two UTF-16 units.
void TestBlockParser::cutsWithinASurrogatePairChangeNothing() {
    RandomMarkdown random(20261130);
    for (int i = 0; i < 500; ++i) {
        const QString text = random.text(true);
        Cut cut;
        for (qsizetype at = 0; at < text.size();) {
            const qsizetype length = 1 + random.number(i % 3 == 0 ? 2 : 12);
            cut.parser.append(QStringView(text).mid(at, length));
            at += length;
        }
        cut.parser.finish();
        const std::vector<TextBlock> whole = blocksOf(text);
        QVERIFY2(cut.document.blocks() == whole, qPrintable(difference(i, text, cut.document.blocks(), whole)));
    }
}

/// The blocks of all slices are those that md4c gives for the whole text at once, and so are the places of their
/// characters. A text that has others has a reason for that: see reasonOf(). README.md of app/markdown counts them.
void TestBlockParser::slicesGiveWhatTheWholeTextGives() {
    constexpr int kTexts = 2000, kMostWithReason = 85;
    RandomMarkdown random(17);
    std::map<QString, int> reasons;
    int withReason = 0;
    for (int i = 0; i < kTexts; ++i) {
        QString text = random.text(false);
        // md4c writes other white space of an empty line of code as spaces; slices keep it.
        text.replace(u'\t', u' ').remove(u'\r');
        const std::vector<TextBlock> sliced = blocksOf(text), whole = parseMarkdown(text, {}).blocks;
        const QString shapes = difference(i, text, sliced, whole);
        if (shapeOf(sliced) != shapeOf(whole)) {
            const QString reason = reasonOf(text, whole);
            QVERIFY2(!reason.isEmpty(), qPrintable(shapes));
            ++reasons[reason];
            ++withReason;
            continue;
        }
        const std::vector<qsizetype> places = placesOf(sliced), expected = placesOf(whole);
        const auto differ = std::mismatch(places.begin(), places.end(), expected.begin(), expected.end());
        QVERIFY2(places == expected,
                 qPrintable(QStringLiteral("character %1 of %2").arg(differ.first - places.begin()).arg(shapes)));
    }
    for (const auto& [reason, count] : reasons) qInfo("%d of %d texts: %s", count, kTexts, qPrintable(reason));
    QVERIFY2(withReason <= kMostWithReason, QByteArray::number(withReason));
}

/// Each block of the text that is not the last one tells no change any more.
void TestBlockParser::onlyTheLastBlockChanges() {
    const QString text = QStringLiteral("# Title\n\nOne *two*\nthree\n\n- a **b**\n- c\n- d\n\n| a | b |\n|---|---|\n"
                                        "| c | d |\n| e | f |\n\n> q\n\n1. x\n2. y\n\n```c\nint a;\n```\nEnd");
    Cut cut;
    int first = 0;
    connect(&cut.document, &TextDocument::blockChanged, this, [&](int block) { QVERIFY(block >= first); });
    connect(&cut.document, &TextDocument::blocksRemoved, this, [&](int block) { QVERIFY(block >= first); });
    for (qsizetype at = 0; at < text.size(); ++at) {
        first = std::max(first, cut.document.count() - 1);
        cut.parser.append(QStringView(text).mid(at, 1));
    }
    QCOMPARE(first, 10);
}

void TestBlockParser::aLineThatMayBecomeAnotherKindWaits() {
    Cut cut;
    const auto after = [&](QStringView text) {
        cut.parser.append(text);
        return shape(cut.document);
    };
    QCOMPARE(after(u"One\n2"), QStringLiteral("p[One]+"));
    QCOMPARE(after(u"."), QStringLiteral("p[One]+"));
    QCOMPARE(after(u"5"), QStringLiteral("p[One\n2.5]+"));
    QCOMPARE(after(u"\n-"), QStringLiteral("p[One\n2.5]+"));
    QCOMPARE(after(u" "), QStringLiteral("p[One\n2.5]+"));
    QCOMPARE(after(u"a"), QStringLiteral("p[One\n2.5]|- p[a]+"));
    QCOMPARE(after(u"\n```p"), QStringLiteral("p[One\n2.5]|- p[a]+"));
    QCOMPARE(after(u"y\n"), QStringLiteral("p[One\n2.5]|- p[a]|code(py)[]+"));
    QCOMPARE(after(u"a\n``"), QStringLiteral("p[One\n2.5]|- p[a]|code(py)[a]+"));
}

/// The rows of a table or of code that are shown are not touched when more follow.
void TestBlockParser::longTablesAndCodeOnlyGrow() {
    for (const QString& head : {QStringLiteral("| a | b |\n|---|---|\n"), QStringLiteral("  ```c\n")}) {
        Cut cut;
        cut.parser.append(head);
        const QSignalSpy changed(&cut.document, &TextDocument::blockChanged);
        QString text = head;
        for (int i = 0; i < 300; ++i) {
            const QString row = QStringLiteral("| row %1 | *b* |\n").arg(i);
            const qsizetype shown = cut.document.block(0).text.size();
            cut.parser.append(row);
            text += row;
            QCOMPARE(cut.document.count(), 1);
            QCOMPARE(changed.count(), i + 1);
            QVERIFY(changed.last()[1].toLongLong() >= shown);
        }
        cut.parser.finish();
        QVERIFY(cut.document.blocks() == blocksOf(text));
        QCOMPARE(shapeOf(cut.document.blocks()), shapeOf(parseMarkdown(text, {}).blocks));
    }
}

void TestBlockParser::openBlocksShowWhatHasCome() {
    Cut cut;
    cut.parser.append(u"See:\n```cpp\nint a;\nint");
    QCOMPARE(shape(cut.document), QStringLiteral("p[See:]|code(cpp)[int a;\nint]+"));
    cut.parser.append(u" b;\n```");
    QCOMPARE(shape(cut.document), QStringLiteral("p[See:]|code(cpp)[int a;\nint b;]+"));
    cut.parser.append(u"\nDone");
    QCOMPARE(shape(cut.document), QStringLiteral("p[See:]|code(cpp)[int a;\nint b;]|p[Done]+"));
}

void TestBlockParser::usersTextStaysAsItIs() {
    const QString text = QStringLiteral("  See:\n\n```cpp\nint a;\n```\n");
    TextDocument document;
    MessageBlocks::fillVerbatim(document, std::vector<MessagePart>{{.kind = PartKind::Text, .text = text}});
    QCOMPARE(shape(document), QStringLiteral("p[%1]").arg(text));
}

void TestBlockParser::eachPartIsABlock() {
    const std::vector<MessagePart> parts{
        {.kind = PartKind::Thought, .text = "Hm.\n```\na\n```\n"},
        {.kind = PartKind::Text, .text = "I look.\n```\nb\n```\n"},
        {.kind = PartKind::ToolCall, .tool = "get_time", .arguments = "{\"zone\":\"UTC\"}"},
        {.kind = PartKind::ToolCall, .tool = "f", .arguments = "x y"},
        {.kind = PartKind::ToolCall, .code = "print(1)"},
        {.kind = PartKind::ToolResult, .text = "12:00", .tool = "get_time"},
        {.kind = PartKind::Thought, .text = "\n\n"},
        {.kind = PartKind::Text, .text = "<think>"},
        {.kind = PartKind::ToolCall,
         .tool = "g",
         .arguments = "{\"n\":12345678901234567890123,\"a\":[1.50,{},\"x,\\\"{\"]}"},
    };
    TextDocument document;
    MessageBlocks::fill(document, parts);
    QCOMPARE(shape(document),
             QStringLiteral("thought[Hm.\n```\na\n```]|p[I look.]|code[b]|"
                            "call(get_time)[{\n    \"zone\": \"UTC\"\n}]|call(f)[x y]|call()[print(1)]|"
                            "result(get_time)[12:00]|p[<think>]|call(g)[{\n    \"n\": 12345678901234567890123,\n"
                            "    \"a\": [\n        1.50,\n        {\n        },\n        \"x,\\\"{\"\n    ]\n}]"));
    QVERIFY(document.block(0).folded && !document.block(1).folded);
    QCOMPARE(document.block(2).part, 1);
    QCOMPARE(document.block(2).offset, 12);
    QCOMPARE(document.block(3).offset, -1); // it is not the text that the model wrote
}

void TestBlockParser::partsGrowPieceByPiece() {
    TextDocument document;
    MessageBlocks blocks(document);
    blocks.add({0, {.kind = PartKind::Thought, .text = "\n\n Hm"}});
    QCOMPARE(shape(document), QStringLiteral("thought[ Hm]+"));
    QCOMPARE(document.block(0).offset, 2);
    blocks.add({0, {.kind = PartKind::Thought, .text = "m\n\n"}});
    blocks.add({0, {.kind = PartKind::Thought, .text = "Ah.\n"}});
    blocks.add({1, {.kind = PartKind::Text, .text = "So\n``"}});
    QCOMPARE(shape(document), QStringLiteral("thought[ Hmm\n\nAh.]|p[So]+"));
    blocks.add({1, {.kind = PartKind::Text, .text = "`\na"}});
    QCOMPARE(shape(document), QStringLiteral("thought[ Hmm\n\nAh.]|p[So]|code[a]+"));
    blocks.add({2, {.kind = PartKind::ToolCall, .tool = "f", .arguments = "{}"}});
    blocks.add({2, {.kind = PartKind::ToolCall, .text = "more words"}});
    blocks.add({3, {.kind = PartKind::ToolResult, .text = "12", .tool = "f"}});
    blocks.add({3, {.kind = PartKind::ToolResult, .text = ":00"}});
    const QString all = QStringLiteral("thought[ Hmm\n\nAh.]|p[So]|code[a]|call(f)[{\n}]|result(f)[12:00]");
    QCOMPARE(shape(document), all + u'+');
    blocks.finish();
    QCOMPARE(shape(document), all);
}

QTEST_APPLESS_MAIN(TestBlockParser)
#include "tst_block_parser.moc"
