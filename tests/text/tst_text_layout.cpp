// SPDX-License-Identifier: Apache-2.0
// Lines of blocks and places in a message: text that grows looks like text that was there at once, nothing before it is
// laid out again, and points and characters find each other.
#include "text/block_layout.h"
#include "text/letter_forms.h"
#include "text/message_layout.h"
#include "text_samples.h"

#include <QtTest>

#include <random>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::addBlock;
using coterie::tests::Kind;

namespace {

constexpr qreal kWidth = 300;

QString words(int count) {
    QString text;
    for (int i = 0; i < count; ++i) text += QStringLiteral("word%1 ").arg(i * i % 977);
    return text;
}

TextBlock plain(const QString& text) { return {.text = text}; }

LineLook look(bool wraps) {
    TextStyle style;
    tests::setUp(style);
    return {.font = wraps ? style.bodyFont : style.codeFont, .lineHeight = 24, .wraps = wraps};
}

bool sameLines(const TextLines& a, const TextLines& b) {
    return std::equal(a.lines().begin(), a.lines().end(), b.lines().begin(), b.lines().end(),
                      [](const TextLines::Line& x, const TextLines::Line& y) {
                          return x.begin == y.begin && x.end == y.end && x.y == y.y && x.height == y.height;
                      });
}

} // namespace

class TestTextLayout : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void texts_data();
    void grownTextLooksLikeWholeText_data() { texts_data(); }
    void grownTextLooksLikeWholeText();
    void linesHoldTheWholeText_data() { texts_data(); }
    void linesHoldTheWholeText();
    void pointsFindCharacters_data() { texts_data(); }
    void pointsFindCharacters();
    void aLongParagraphHasNoShortLines();
    void longLinesOfCodeAreCut();
    void tallCharactersGetRoom();
    void rectanglesCoverARange();
    void blocksLieBelowEachOther();
    void foldedBlocksTakeTheirHeaderOnly();
    void pointsFindBlocks();
    void wideCodeScrolls();
    void aBlockMoreMovesNothing();
    void n26NoLetterIsReplaced_data();
    void n26NoLetterIsReplaced();
    void mostTextsAreShaped();
    void n27AnOverrideTurnsNothing_data();
    void n27AnOverrideTurnsNothing();
    void aPromptHasOneDirection_data();
    void aPromptHasOneDirection();
};

void TestTextLayout::texts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("wraps");
    QTest::newRow("empty") << QString() << true;
    QTest::newRow("a word") << QStringLiteral("word") << true;
    QTest::newRow("a paragraph") << words(60) << true;
    QTest::newRow("a long paragraph") << words(1500) << true;
    QTest::newRow("no spaces") << QString(3000, u'x') << true;
    QTest::newRow("lines") << QStringLiteral("a\nb\n\nc\n") + words(30) + QStringLiteral("\n\n") << true;
    QTest::newRow("emoji") << QString::fromUtf8("\xF0\x9F\x98\x80 ").repeated(600) << true;
    QTest::newRow("right to left") << QString::fromUtf8("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D ").repeated(400) << true;
    QTest::newRow("code") << QStringLiteral("int a;\n\tint b;\n\n    return a + b;\n").repeated(40) << false;
    QTest::newRow("one long line of code") << QString(2600, u'z') << false;
}

void TestTextLayout::grownTextLooksLikeWholeText() {
    QFETCH(QString, text);
    QFETCH(bool, wraps);
    std::mt19937 random(1);
    BlockLayout grown, whole;
    grown.layOut(plain({}), look(wraps), kWidth);
    for (qsizetype length = 0; length < text.size();) {
        const std::vector<TextLines::Line> before = grown.lines();
        const qsizetype kept = length;
        length = std::min<qsizetype>(text.size(), length + 1 + static_cast<qsizetype>(random() % 12));
        grown.change(plain(text.left(length)), kept);
        QVERIFY(grown.firstChanged() + 3 >=
                static_cast<int>(before.size())); // at most the last line and its neighbours
        for (int i = 0; i < grown.firstChanged(); ++i) {
            const auto at = static_cast<size_t>(i);
            QVERIFY(before[at].begin == grown.lines()[at].begin && before[at].end == grown.lines()[at].end);
        }
    }
    whole.layOut(plain(text), look(wraps), kWidth);
    QVERIFY(sameLines(grown, whole));
    QCOMPARE(grown.height(), whole.height());
    QVERIFY(grown.naturalWidth() >= whole.naturalWidth()); // a word at the end may have been shorter once
}

void TestTextLayout::linesHoldTheWholeText() {
    QFETCH(QString, text);
    QFETCH(bool, wraps);
    BlockLayout layout;
    layout.layOut(plain(text), look(wraps), kWidth);
    qsizetype at = 0;
    for (const TextLines::Line& line : layout.lines()) {
        if (at > 0 && line.begin == at + 1)
            QCOMPARE(text[at], QChar(u'\n'));
        else
            QCOMPARE(line.begin, at);
        at = line.end;
    }
    QCOMPARE(at, text.size());
    if (wraps) QVERIFY(layout.naturalWidth() <= kWidth);
}

void TestTextLayout::pointsFindCharacters() {
    QFETCH(QString, text);
    QFETCH(bool, wraps);
    BlockLayout layout;
    layout.layOut(plain(text), look(wraps), kWidth);
    for (qsizetype at = 0; at < text.size(); at += 7) {
        if (text[at] == u'\n' || text[at].isLowSurrogate() || text[at].isSpace()) continue;
        const std::vector<QRectF> places = layout.rectangles(at, at + (text[at].isHighSurrogate() ? 2 : 1));
        QCOMPARE(places.size(), size_t{1});
        QVERIFY(places[0].width() > 0);
        QCOMPARE(layout.characterAt(places[0].center()), at);
        const TextLines::Line& line = layout.lines()[static_cast<size_t>(layout.lineOf(at))];
        QCOMPARE(places[0].y(), line.y);
        const qreal inside = places[0].width() / 10 * (text.isRightToLeft() ? -1 : 1);
        QCOMPARE(layout.positionAt({layout.xOf(at) + inside, line.y + 1}), at);
    }
    QCOMPARE(layout.characterAt({-5, 1}), -1);
    QCOMPARE(layout.characterAt({5, layout.height() + 1}), -1);
}

/// A line ends only if the next word has no room: nobody sees where one segment ends and the next one begins.
void TestTextLayout::aLongParagraphHasNoShortLines() {
    const QString text = words(1500);
    BlockLayout layout;
    layout.layOut(plain(text), look(true), kWidth);
    for (int i = 0; i + 1 < static_cast<int>(layout.lines().size()); ++i) {
        const TextLines::Line& line = layout.lines()[static_cast<size_t>(i)];
        const QRectF word = layout.rectangles(line.end, text.indexOf(u' ', line.end)).front();
        const qreal withSpace = layout.rectangles(line.begin, line.end).front().width();
        QVERIFY(withSpace + word.width() > kWidth);
    }
}

void TestTextLayout::longLinesOfCodeAreCut() {
    BlockLayout layout;
    layout.layOut(plain(QString(2600, u'z') + QStringLiteral("\nshort")), look(false), kWidth);
    QVERIFY(layout.lines().size() > 2 && layout.lines().size() < 16);
    QCOMPARE(layout.lines().back().begin, 2601);
}

void TestTextLayout::tallCharactersGetRoom() {
    LineLook small = look(true);
    small.lineHeight = 4; // less than any character
    BlockLayout layout;
    layout.layOut(plain(QStringLiteral("One\ntwo")), small, kWidth);
    QVERIFY(layout.lines()[0].height > 10);
    QCOMPARE(layout.lines()[1].y, layout.lines()[0].height);
}

void TestTextLayout::rectanglesCoverARange() {
    const QString text = words(60);
    BlockLayout layout;
    layout.layOut(plain(text), look(true), kWidth);
    const std::vector<QRectF> all = layout.rectangles(0, text.size());
    QCOMPARE(all.size(), layout.lines().size());
    QVERIFY(layout.rectangles(5, 5).empty());
    const qsizetype second = layout.lines()[1].begin;
    const std::vector<QRectF> two = layout.rectangles(second - 3, second + 3);
    QCOMPARE(two.size(), size_t{2});
    QCOMPARE(two[1].x(), 0);
    QCOMPARE(two[1].y(), layout.lines()[1].y);
    BlockLayout broken;
    broken.layOut(plain(QStringLiteral("a\n\nb")), look(true), kWidth);
    QVERIFY(broken.rectangles(1, 3)[1].width() > 0); // a selected empty line can be seen
}

void TestTextLayout::blocksLieBelowEachOther() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    addBlock(document, Kind::Paragraph, QStringLiteral("One"));
    addBlock(document, Kind::Code, QStringLiteral("two\nthree"));
    addBlock(document, Kind::Paragraph, QStringLiteral("four"));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QCOMPARE(layout.block(0).height, style.bodyLine);
    QCOMPARE(layout.block(1).y, style.bodyLine + style.spacing);
    QCOMPARE(layout.block(1).height, style.codeHeader + 2 * style.codeLine + style.codeBottom);
    QCOMPARE(layout.block(1).text.x(), style.codeInset);
    QCOMPARE(layout.height(), layout.block(2).bottom());
    QCOMPARE(layout.naturalWidth(), kWidth); // code takes all the room
    layout.setFooter(1, 30);
    QCOMPARE(layout.block(2).y, layout.block(1).y + layout.block(1).height + style.spacing);
    QCOMPARE(layout.block(1).height, style.codeHeader + 2 * style.codeLine + style.codeBottom + 30);
    TextDocument said;
    addBlock(said, Kind::Paragraph, QStringLiteral("One"));
    layout.layOut(said, style, kWidth);
    QVERIFY(layout.naturalWidth() < 60);
    layout.clear();
    QVERIFY(layout.empty() && layout.height() == 0 && layout.blockAt(0) == -1);
}

void TestTextLayout::foldedBlocksTakeTheirHeaderOnly() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    addBlock(document, Kind::Thought, words(50));
    addBlock(document, Kind::Paragraph, QStringLiteral("So."));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QCOMPARE(layout.block(0).height, style.thoughtHeader);
    QVERIFY(layout.rectangles(document.all()).size() == 1);
    QVERIFY((layout.positionAt({5, 5}) == TextPosition{1, 0}));
    document.setFolded(0, false);
    layout.refold(0);
    QVERIFY(layout.block(0).height > style.thoughtHeader + style.thoughtGap + style.thoughtLine);
    QCOMPARE(layout.block(1).y, layout.block(0).bottom() + style.spacing);
}

void TestTextLayout::pointsFindBlocks() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    addBlock(document, Kind::Paragraph, QStringLiteral("One"));
    addBlock(document, Kind::Code, QStringLiteral("two"));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    const MessageLayout::Block& code = layout.block(1);
    QVERIFY((layout.positionAt({0, -50}) == TextPosition{0, 0}));
    QVERIFY((layout.positionAt({200, 5}) == TextPosition{0, 3}));
    QVERIFY((layout.positionAt({0, code.y + 3}) == TextPosition{1, 0}));
    QVERIFY((layout.positionAt({200, code.text.center().y()}) == TextPosition{1, 3}));
    QVERIFY((layout.positionAt({200, 9999}) == TextPosition{1, 3}));
    QVERIFY(layout.overText({5, 5}));
    QVERIFY(!layout.overText({5, code.y + 3})); // its header has a button
    QVERIFY(layout.overText(code.text.center()));
    QVERIFY(!layout.characterAt({200, 5}));
    QVERIFY((layout.characterAt(layout.caretAt({1, 1}).center() + QPointF(2, 0)) == TextPosition{1, 1}));
}

void TestTextLayout::wideCodeScrolls() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    addBlock(document, Kind::Code, QString(100, u'x'));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QVERIFY(layout.block(0).scrollable);
    QCOMPARE(layout.block(0).height, style.codeHeader + style.codeLine + style.codeBottom + style.scrollBar);
    const qreal before = layout.caretAt({0, 10}).x();
    layout.scrollTo(0, 50);
    QCOMPARE(layout.caretAt({0, 10}).x(), before - 50);
    const QRectF shown = layout.rectangles(document.all()).front();
    QVERIFY(layout.block(0).text.contains(shown)); // cut to the room of the block
    layout.scrollTo(0, 1e9);
    QCOMPARE(layout.block(0).scroll, layout.block(0).lines->naturalWidth() - layout.block(0).text.width());
    layout.scrollTo(0, -5);
    QCOMPARE(layout.block(0).scroll, 0);
}

void TestTextLayout::aBlockMoreMovesNothing() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    addBlock(document, Kind::Paragraph, words(30));
    MessageLayout grown, whole;
    grown.layOut(document, style, kWidth);
    const qreal height = grown.height();
    document.addBlock({.kind = Kind::Paragraph});
    grown.addBlock();
    document.grow(words(20));
    QCOMPARE(grown.change(1, 0), 0);
    const qsizetype before = document.block(1).text.size();
    document.grow(u"more");
    QVERIFY(grown.change(1, before) > 0);
    QCOMPARE(grown.block(1).y, height + style.spacing);
    whole.layOut(document, style, kWidth);
    QCOMPARE(grown.height(), whole.height());
    QVERIFY(sameLines(*grown.block(1).lines, *whole.block(1).lines));
}

void TestTextLayout::n26NoLetterIsReplaced_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("wraps");
    // Inter has another form of these for each: a multiplication sign, and arrows of several lengths.
    for (const char* text : {"12 x 7", "12x7", "1920 X 1080", "a -> b", "a-->b", "x <-> y", "p => q", "p ==> q"}) {
        QTest::addRow("%s", text) << QString::fromLatin1(text) << true;
        QTest::addRow("%s, in code", text) << QString::fromLatin1(text) << false;
    }
}

/// Each character has the form that it has alone.
void TestTextLayout::n26NoLetterIsReplaced() {
    QFETCH(QString, text);
    QFETCH(bool, wraps);
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(15);
    if (QFontInfo(font).family() != font.family()) QSKIP("Inter is not installed");
    const auto formsOf = [&](const QString& words) {
        BlockLayout layout;
        layout.layOut(plain(words), {.font = font, .lineHeight = 24, .wraps = wraps}, kWidth);
        QList<quint32> forms;
        for (const QGlyphRun& run : layout.glyphRuns(0)) forms += run.glyphIndexes();
        return forms;
    };
    QList<quint32> alone;
    for (const QChar c : text) alone += formsOf(c);
    QCOMPARE(formsOf(text), alone);
    // The same in one piece, for texts that have no lines of their own. Inter has no other form of a large X.
    QTextLayout piece(text, asWritten(font, text));
    piece.beginLayout();
    piece.createLine().setLineWidth(kWidth);
    piece.endLayout();
    QList<quint32> forms;
    for (const QGlyphRun& run : piece.glyphRuns()) forms += run.glyphIndexes();
    QCOMPARE(forms, alone);
}

/// Shaping costs kerning when it is off, so it is off for few texts.
void TestTextLayout::mostTextsAreShaped() {
    for (const char* text :
         {"Tell me a short story about a fox.", "12.4 tok/s (7 %).", "Save \"figures\"...", "a/b", "x 7"})
        QVERIFY2(!hasOtherForms(QString::fromLatin1(text)), text);
    QCOMPARE(asWritten(QFont(), u"Hello").styleStrategy(), QFont().styleStrategy());
}

void TestTextLayout::n27AnOverrideTurnsNothing_data() {
    QTest::addColumn<QChar>("sign");
    QTest::addColumn<bool>("wraps");
    for (const char16_t sign : {0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069}) {
        QTest::addRow("U+%04X", sign) << QChar(sign) << true;
        QTest::addRow("U+%04X, in code", sign) << QChar(sign) << false;
    }
}

/// The characters behind it are where they are behind a sign that says nothing about directions.
void TestTextLayout::n27AnOverrideTurnsNothing() {
    QFETCH(QChar, sign);
    QFETCH(bool, wraps);
    const QString before = QStringLiteral("pay "), after = QStringLiteral("alice, 12, or bob!");
    BlockLayout with, without;
    with.layOut(plain(before + sign + after), look(wraps), kWidth);
    without.layOut(plain(before + QChar(0x2060) + after), look(wraps), kWidth);
    for (qsizetype at = 0; at <= before.size() + 1 + after.size(); ++at) QCOMPARE(with.xOf(at), without.xOf(at));
}

void TestTextLayout::aPromptHasOneDirection_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<TextDirection>("direction");
    const QString hebrew = QString::fromUtf8("\xD7\xA9\xD7\x9C"), arabic = QString::fromUtf8("\xD8\xB3");
    QTest::newRow("empty") << QString() << TextDirection::ByLine;
    QTest::newRow("no letter") << QStringLiteral("12 + 3 =") << TextDirection::ByLine;
    QTest::newRow("Latin first") << QStringLiteral("12 a ") + hebrew << TextDirection::LeftToRight;
    QTest::newRow("Hebrew first") << QStringLiteral("12\n") + hebrew + QStringLiteral(" a")
                                  << TextDirection::RightToLeft;
    QTest::newRow("Arabic first") << arabic + QStringLiteral("\nan English line") << TextDirection::RightToLeft;
}

/// All lines begin at the side of the first letter.
void TestTextLayout::aPromptHasOneDirection() {
    QFETCH(QString, text);
    QFETCH(TextDirection, direction);
    QCOMPARE(directionOf(text), direction);
    if (direction == TextDirection::ByLine) return;
    BlockLayout layout;
    layout.layOut({.text = text, .direction = direction}, look(true), kWidth);
    for (int line = 0; line < static_cast<int>(layout.lines().size()); ++line) {
        const QRectF ink = layout.inkOf(line);
        QVERIFY((direction == TextDirection::RightToLeft ? kWidth - ink.right() : ink.left()) < 1);
    }
}

QTEST_MAIN(TestTextLayout)
#include "tst_text_layout.moc"
