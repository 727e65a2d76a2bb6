// SPDX-License-Identifier: Apache-2.0
// Formatted text: the looks of characters, lists and quotes around blocks, tables that grow, and what the document
// tells when its end changes.
#include "text/block_layout.h"
#include "text/message_layout.h"
#include "text/table_layout.h"
#include "text_samples.h"

#include <QSignalSpy>
#include <QtTest>

#include <random>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::Kind;

namespace {

constexpr qreal kWidth = 400;

LineLook look() {
    TextStyle style;
    tests::setUp(style);
    return {.font = style.bodyFont,
            .codeFont = style.codeFont,
            .lineHeight = 24,
            .columnGap = 24,
            .cellMargin = 6,
            .smallestColumn = 80};
}

TextBlock table(const QString& text, std::vector<TextAlign> columns) {
    return {.kind = Kind::Table, .text = text, .columns = std::move(columns)};
}

bool sameLines(const TextLines& a, const TextLines& b) {
    return std::equal(a.lines().begin(), a.lines().end(), b.lines().begin(), b.lines().end(),
                      [](const TextLines::Line& x, const TextLines::Line& y) {
                          return x.begin == y.begin && x.end == y.end && x.y == y.y && x.height == y.height;
                      });
}

QString words(std::mt19937& random, int most) {
    QString text;
    const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(most));
    for (int i = 0; i < count; ++i) text += QStringLiteral("word%1 ").arg(random() % 997);
    return text.trimmed();
}

} // namespace

class TestFormattedText : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void looksHaveTheirFonts();
    void changedLooksAreLaidOutFromThere();
    void tablesThatGrowLookLikeWholeOnes();
    void aRowMoreLaysOutItsOwnCells();
    void columnsShareTheRoomAndAlign();
    void pointsFindCellsAndCellsPoints();
    void wideTablesScroll();
    void listsAndQuotesAreIndented();
    void deepListsLeaveRoomForText();
    void headingsAreLarger();
    void copiedTextHasMarksAndTabs();
    void onlyWhatChangedIsTold();
    void piecesMapPlacesBothWays();
    void codeWrapsOnRequest();
    void codeHasColoursWhileItGrows();
    void formulasStandInTheirLine();
    void displayedFormulasHaveTheirOwn();
};

void TestFormattedText::looksHaveTheirFonts() {
    const auto widthOf = [](uint16_t style) {
        TextBlock block{.text = QStringLiteral("look at me")};
        if (style) block.formats = {{.length = block.text.size(), .style = style}};
        BlockLayout layout;
        layout.layOut(block, look(), kWidth);
        return layout.naturalWidth();
    };
    QVERIFY(widthOf(TextFormat::Strong) > widthOf(0));
    QVERIFY(widthOf(TextFormat::Code) != widthOf(0)); // it has a fixed face
    QCOMPARE(widthOf(TextFormat::Link), widthOf(0));
}

/// Text whose end changes, with other looks, looks like text that was laid out at once.
void TestFormattedText::changedLooksAreLaidOutFromThere() {
    std::mt19937 random(3);
    TextBlock block{.text = words(random, 60)};
    BlockLayout grown;
    grown.layOut(block, look(), kWidth);
    for (int i = 0; i < 200; ++i) {
        TextBlock next = block;
        const auto cut = static_cast<qsizetype>(random() % static_cast<unsigned>(block.text.size() + 1));
        next.truncate(std::max(cut, block.text.size() - 300));
        TextBlock more{.text = QStringLiteral(" ") + words(random, 30)};
        more.formats = {{.begin = 1, .length = 4, .style = random() % 2 ? TextFormat::Strong : TextFormat::Code}};
        next.append(more, 0);
        grown.change(next, block.sameAs(next));
        block = next;
        BlockLayout whole;
        whole.layOut(block, look(), kWidth);
        QVERIFY(sameLines(grown, whole));
    }
}

void TestFormattedText::tablesThatGrowLookLikeWholeOnes() {
    std::mt19937 random(5);
    TextBlock block = table(QStringLiteral("a\tb\tc"), {TextAlign::Left, TextAlign::Centre, TextAlign::Right});
    TableLayout grown;
    grown.layOut(block, look(), kWidth);
    for (int row = 0; row < 120; ++row) {
        TextBlock next = block;
        const QString cells = u'\n' + words(random, 1 + row / 10) + u'\t' + words(random, 2) + u'\t' + words(random, 3);
        for (const qsizetype length : {cells.size() / 2, cells.size()}) { // half a row first
            const qsizetype kept = next.sameAs(block);
            next = block;
            next.text += cells.left(length);
            while (next.text.count(u'\t') % 2) next.text += u'\t'; // a row has all its cells
            grown.change(next, length == cells.size() ? block.text.size() : kept);
        }
        block = next;
        TableLayout whole;
        whole.layOut(block, look(), kWidth);
        QVERIFY(sameLines(grown, whole));
        QCOMPARE(grown.naturalWidth(), whole.naturalWidth());
        for (qsizetype at = 0; at < block.text.size(); at += 5) QCOMPARE(grown.caretAt(at), whole.caretAt(at));
    }
}

void TestFormattedText::aRowMoreLaysOutItsOwnCells() {
    TextBlock block = table(QStringLiteral("name\tnumber"), {TextAlign::Left, TextAlign::Right});
    TableLayout layout;
    layout.layOut(block, look(), kWidth);
    for (int row = 1; row < 50; ++row) {
        const qsizetype kept = block.text.size();
        block.text += QStringLiteral("\nrow\t1");
        layout.change(block, kept);
        QCOMPARE(layout.firstChanged(), row);
    }
    block.text += QStringLiteral("\na much longer row\t1");
    layout.change(block, block.text.size() - 20);
    QCOMPARE(layout.firstChanged(), 0); // a column has moved
}

void TestFormattedText::columnsShareTheRoomAndAlign() {
    const QString longText = QStringLiteral("many words that need more than one line in a narrow column of the table");
    TableLayout layout;
    layout.layOut(
        table(QStringLiteral("a\tb\n") + longText + QStringLiteral("\t1"), {TextAlign::Left, TextAlign::Right}), look(),
        kWidth);
    QVERIFY(layout.naturalWidth() <= kWidth);
    QVERIFY(layout.lines()[1].height > 2 * 24); // the long cell wraps
    const QRectF one = layout.rectangles(4 + longText.size() + 1, 4 + longText.size() + 2).front();
    QCOMPARE(std::round(one.right()), std::round(layout.naturalWidth()));
    QCOMPARE(one.y(), layout.lines()[1].y + 6);
}

void TestFormattedText::pointsFindCellsAndCellsPoints() {
    TableLayout layout;
    const QString text = QStringLiteral("one\ttwo\nthree\tfour\nfive\tsix");
    layout.layOut(table(text, {TextAlign::Left, TextAlign::Centre}), look(), kWidth);
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at].isSpace()) continue;
        const std::vector<QRectF> places = layout.rectangles(at, at + 1);
        QCOMPARE(places.size(), size_t{1});
        QCOMPARE(layout.characterAt(places[0].center()), at);
        QCOMPARE(layout.positionAt(places[0].center() - QPointF(places[0].width() / 4, 0)), at);
    }
    QCOMPARE(layout.characterAt({-3, 3}), -1);
    QVERIFY(layout.rectangles(0, text.size()).size() >= 6);
}

void TestFormattedText::wideTablesScroll() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    QString row = QStringLiteral("some words here");
    std::vector<TextAlign> columns{TextAlign::Left};
    for (int i = 0; i < 9; ++i) {
        row += QStringLiteral("\tsome words here");
        columns.push_back(TextAlign::Left);
    }
    document.addBlock(table(row + u'\n' + row, columns));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QVERIFY(layout.block(0).scrollable);
    QCOMPARE(layout.block(0).height, layout.block(0).lines->height() + style.scrollBar);
    const qreal before = layout.caretAt({0, 40}).x();
    layout.scrollTo(0, 70);
    QCOMPARE(layout.caretAt({0, 40}).x(), before - 70);
    QVERIFY(layout.bars(0, layout.height()).size() >= 2); // the lines below its rows
}

void TestFormattedText::listsAndQuotesAreIndented() {
    using NestKind = TextNest::Kind;
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    const TextNest quote{.kind = NestKind::Quote, .first = true}, item{.kind = NestKind::Bullet, .first = true},
        number{.kind = NestKind::Number, .first = true, .number = 12345};
    TextNest later = item;
    later.first = false;
    document.addBlock({.text = QStringLiteral("one"), .nesting = {item}});
    document.addBlock({.text = QStringLiteral("two"), .tight = true, .nesting = {later, item}});
    document.addBlock({.text = QStringLiteral("three"), .nesting = {number}});
    document.addBlock({.text = QStringLiteral("four"), .nesting = {quote}});
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QCOMPARE(layout.block(0).text.x(), style.itemInset);
    QCOMPARE(layout.block(1).text.x(), 2 * style.itemInset);
    QCOMPARE(layout.block(1).y, layout.block(0).bottom() + style.itemSpacing);
    QCOMPARE(layout.block(2).y, layout.block(1).bottom() + style.spacing);
    QVERIFY(layout.block(2).text.x() > style.itemInset); // a long number has room
    QCOMPARE(layout.block(3).text.x(), style.quoteInset);
    QCOMPARE(layout.block(0).marks.size(), size_t{1});
    QVERIFY(layout.placeOf(0, 0).left() < layout.block(0).text.left()); // its mark is drawn with the line
    QVERIFY(layout.placeOf(2, 0).left() >= 0);
    const std::vector<QRectF> bars = layout.bars(0, layout.height());
    QCOMPARE(bars.size(), size_t{1});
    QCOMPARE(bars[0], QRectF(0, layout.block(3).y, style.quoteBar, layout.block(3).height));
}

/// However deep a list is, its text keeps half of the width, and so do quotes in it.
void TestFormattedText::deepListsLeaveRoomForText() {
    using NestKind = TextNest::Kind;
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    std::vector<TextNest> nesting;
    for (int depth = 0; depth < 40; ++depth) {
        nesting.push_back({.kind = depth % 2 == 0 ? NestKind::Bullet : NestKind::Quote, .first = true});
        document.addBlock({.text = QStringLiteral("Some words of an item"), .tight = depth > 0, .nesting = nesting});
        for (TextNest& nest : nesting) nest.first = false;
    }
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    for (int i = 0; i < document.count(); ++i) {
        const MessageLayout::Block& block = layout.block(i);
        QVERIFY2(block.text.width() >= kWidth / 2, qPrintable(QString::number(i)));
        QVERIFY(block.text.right() <= kWidth);
        for (const MessageLayout::Mark& mark : block.marks) QVERIFY(mark.right < block.left);
        for (const qreal bar : block.bars) QVERIFY(bar >= 0 && bar < block.left);
    }
    QCOMPARE(layout.block(1).text.x(), style.itemInset + style.quoteInset); // those that have room are as usual
}

void TestFormattedText::headingsAreLarger() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    style.largeHeadingFont.setPixelSize(22);
    style.headingFont.setPixelSize(18);
    style.smallHeadingFont.setPixelSize(15);
    for (int level = 1; level <= 4; ++level)
        document.addBlock({.kind = Kind::Heading, .text = QStringLiteral("Heading"), .level = level});
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    QVERIFY(layout.block(0).lines->naturalWidth() > layout.block(1).lines->naturalWidth());
    QVERIFY(layout.block(1).lines->naturalWidth() > layout.block(2).lines->naturalWidth());
    QCOMPARE(layout.block(2).lines->naturalWidth(), layout.block(3).lines->naturalWidth());
    QCOMPARE(layout.block(1).y, layout.block(0).bottom() + style.headingSpacing);
}

void TestFormattedText::copiedTextHasMarksAndTabs() {
    using NestKind = TextNest::Kind;
    TextDocument document;
    document.addBlock({.text = QStringLiteral("one"), .nesting = {{.kind = NestKind::Bullet, .first = true}}});
    document.addBlock(
        {.text = QStringLiteral("two"),
         .tight = true,
         .nesting = {{.kind = NestKind::Bullet}, {.kind = NestKind::Number, .first = true, .number = 3}}});
    document.addBlock({.text = QStringLiteral("done"), .nesting = {{.kind = NestKind::Done, .first = true}}});
    document.addBlock({.text = QStringLiteral("said"), .nesting = {{.kind = NestKind::Quote, .first = true}}});
    document.addBlock(table(QStringLiteral("a\tb\nc\td"), {TextAlign::Left, TextAlign::Left}));
    QCOMPARE(document.text(), QStringLiteral("- one\n  3. two\n\n- [x] done\n\n> said\n\na\tb\nc\td"));
    QCOMPARE(document.text({{0, 1}, {1, 2}}), QStringLiteral("ne\n  3. tw"));
    QCOMPARE(document.text({{0, 0}, {0, 3}}), QStringLiteral("one")); // a word of an item is no list
    QCOMPARE(document.length(), document.text().size());
    for (int block = 0; block < document.count(); ++block) {
        const qsizetype flat = document.flatOffset({block, 1});
        QCOMPARE(document.text()[flat], document.block(block).text[1]);
        QVERIFY((document.positionAt(flat) == TextPosition{block, 1}));
    }
}

void TestFormattedText::onlyWhatChangedIsTold() {
    TextDocument document;
    const QSignalSpy added(&document, &TextDocument::blockAdded), changed(&document, &TextDocument::blockChanged),
        removed(&document, &TextDocument::blocksRemoved);
    document.replaceFrom(0, {{.text = QStringLiteral("one")}, {.text = QStringLiteral("two")}});
    QCOMPARE(added.count(), 2);
    QVERIFY(document.block(0).closed && !document.block(1).closed);
    document.replaceFrom(0, {{.text = QStringLiteral("one")}, {.text = QStringLiteral("two more")}});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toInt(), 1);
    QCOMPARE(changed[0][1].toLongLong(), 3);
    TextBlock bold{.text = QStringLiteral("two more")};
    bold.formats = {{.begin = 1, .length = 2, .style = TextFormat::Strong}};
    document.replaceFrom(1, {bold});
    QCOMPARE(changed.last()[1].toLongLong(), 1); // only the look
    document.replaceFrom(1, {{.kind = Kind::Heading, .text = QStringLiteral("two more"), .level = 1}});
    QCOMPARE(removed.count(), 1); // another kind of block
    QCOMPARE(added.count(), 3);
    document.replaceFrom(1, {});
    QCOMPARE(removed.count(), 2);
    QCOMPARE(document.count(), 1);
    QCOMPARE(document.text(), QStringLiteral("one"));
}

/// "a **b** &amp; c" is shown as "a b & c".
void TestFormattedText::piecesMapPlacesBothWays() {
    TextBlock block{.text = QStringLiteral("a b & c"), .offset = 10};
    block.pieces = {{.begin = 0, .length = 2, .source = 10, .sourceLength = 2},
                    {.begin = 2, .length = 1, .source = 14, .sourceLength = 1},
                    {.begin = 3, .length = 1, .source = 17, .sourceLength = 1},
                    {.begin = 4, .length = 1, .source = 18, .sourceLength = 5},
                    {.begin = 5, .length = 2, .source = 23, .sourceLength = 2}};
    TextDocument document;
    document.addBlock(block);
    document.setTokens({{0, 10, 12}, {0, 12, 15}, {0, 15, 17}, {0, 17, 20}, {0, 20, 25}});
    QCOMPARE(document.tokenAt({0, 0}), 0);
    QCOMPARE(document.tokenAt({0, 2}), 1);
    QCOMPARE(document.tokenAt({0, 4}), 3); // the entity begins in this token
    QCOMPARE(document.tokenAt({0, 6}), 4);
    using Spans = std::vector<TextSpan>;
    QVERIFY((document.shown({0, 12, 15}) == Spans{{{0, 2}, {0, 3}}}));
    QVERIFY(document.shown({0, 15, 17}).empty()); // marks are not shown
    QVERIFY((document.shown({0, 20, 25}) == Spans{{{0, 4}, {0, 7}}}));
    QCOMPARE(block.sourceEnd(), 25);
    TextBlock cut = block;
    cut.truncate(3);
    cut.append(block, 3);
    QVERIFY(cut == block);
}

void TestFormattedText::codeWrapsOnRequest() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    tests::addBlock(document, Kind::Code, QString(200, u'x'));
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    layout.scrollTo(0, 40);
    layout.wrap(0, true);
    QVERIFY(!layout.block(0).scrollable && layout.block(0).scroll == 0);
    QVERIFY(layout.lineCount() > 3);
    layout.layOut(document, style, kWidth / 2);
    QVERIFY(layout.block(0).wrapped); // another width changes nothing
    layout.wrap(0, false);
    QCOMPARE(layout.lineCount(), 1);
    QVERIFY(layout.block(0).scrollable);
}

/// Code that grows has the colours of code that was there at once, also within a comment over several lines.
void TestFormattedText::codeHasColoursWhileItGrows() {
    LineLook code = look();
    code.font = code.codeFont;
    code.wraps = false;
    code.language = QStringLiteral("cpp");
    code.codeColours.fill(Qt::black);
    code.codeColours[static_cast<size_t>(CodeColour::Comment)] = Qt::red;
    const auto picture = [&](const BlockLayout& layout) {
        QImage image(400, 200, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        for (int line = 0; line < static_cast<int>(layout.lines().size()); ++line)
            layout.draw(painter, line, {0, layout.lines()[static_cast<size_t>(line)].y});
        return image;
    };
    const auto red = [](const QImage& image, const QRectF& place) {
        for (int y = static_cast<int>(place.top()); y < place.bottom(); ++y)
            for (int x = static_cast<int>(place.left()); x < place.right(); ++x)
                if (image.pixelColor(x, y).red() > 200 && image.pixelColor(x, y).green() < 80) return true;
        return false;
    };
    const QString text = QStringLiteral("int a; // one\n/* two\nthree */ int b;\nint c;");
    BlockLayout grown, whole;
    grown.layOut({.kind = Kind::Code}, code, kWidth);
    for (qsizetype length = 1; length <= text.size(); ++length)
        grown.change({.kind = Kind::Code, .text = text.left(length)}, length - 1);
    whole.layOut({.kind = Kind::Code, .text = text}, code, kWidth);
    const QImage shot = picture(whole);
    QCOMPARE(picture(grown), shot);
    QVERIFY(red(shot, whole.rectangles(text.indexOf(u"one"), text.indexOf(u"one") + 3).front()));
    QVERIFY(red(shot, whole.rectangles(text.indexOf(u"three"), text.indexOf(u"three") + 5).front()));
    QVERIFY(!red(shot, whole.rectangles(0, 6).front()));
    QVERIFY(!red(shot, whole.rectangles(text.indexOf(u"int c"), text.size()).front()));
}

void TestFormattedText::formulasStandInTheirLine() {
    TextBlock block{.text = QStringLiteral("a b")};
    const QString latex = QStringLiteral("$\\frac{x}{\\frac{y}{z}}$");
    TextBlock formula{.text = QString(TextFormat::kObject)};
    formula.formats = {{.length = 1, .style = TextFormat::Formula, .target = latex}};
    BlockLayout plain, layout;
    plain.layOut(block, look(), kWidth);
    block.append(formula, 0);
    block.text += QStringLiteral(" c");
    layout.layOut(block, look(), kWidth);
    QVERIFY(layout.lines()[0].height > plain.lines()[0].height); // it is taller than text
    const std::optional<MathFormula> drawn = MathFormula::parse(latex.mid(1, latex.size() - 2));
    QVERIFY(drawn.has_value());
    const MathSize size = drawn->size(look().font, false);
    QCOMPARE(std::round(layout.rectangles(3, 4).front().width()), std::round(size.width));
    QVERIFY(layout.baselineOf(0) >= size.ascent);
    QImage with(400, 80, QImage::Format_ARGB32_Premultiplied);
    with.fill(Qt::white);
    QPainter painter(&with);
    layout.draw(painter, 0, {0, 0});
    painter.end();
    const QRectF place = layout.rectangles(3, 4).front();
    int dark = 0;
    for (int y = static_cast<int>(place.top()); y < place.bottom(); ++y)
        for (int x = static_cast<int>(place.left()); x < place.right(); ++x)
            dark += with.pixelColor(x, y).lightness() < 128;
    QVERIFY(dark > 10);
    TextDocument document;
    document.addBlock(block);
    QCOMPARE(document.text({{0, 0}, {0, 6}}), QStringLiteral("a b") + latex + QStringLiteral(" c"));
    QCOMPARE(document.flatText().size(), document.length());
    QVERIFY(!document.text().contains(TextFormat::kObject)); // it is said in words
}

void TestFormattedText::displayedFormulasHaveTheirOwn() {
    TextDocument document;
    TextStyle style;
    tests::setUp(style);
    TextBlock block{.kind = Kind::Formula, .text = QString(TextFormat::kObject)};
    block.formats = {{.length = 1, .style = TextFormat::Formula, .target = QStringLiteral("$$x=1$$")}};
    document.addBlock(block);
    block.formats[0].target = QStringLiteral("$$") + QStringLiteral("x+").repeated(80) + QStringLiteral("y$$");
    document.addBlock(block);
    MessageLayout layout;
    layout.layOut(document, style, kWidth);
    const QRectF ink = layout.placeOf(0, 0);
    QVERIFY(std::abs(ink.center().x() - kWidth / 2) <= 1); // in the middle
    QVERIFY(!layout.block(0).scrollable && layout.block(1).scrollable);
    QVERIFY((layout.characterAt(ink.center()) == TextPosition{0, 0}));
    QVERIFY((layout.positionAt({kWidth, ink.center().y()}) == TextPosition{0, 1}));
}

QTEST_MAIN(TestFormattedText)
#include "tst_formatted_text.moc"
