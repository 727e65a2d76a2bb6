// SPDX-License-Identifier: Apache-2.0
// Formulas as they are laid out and drawn: what stands above, below and beside, that all ink lies within the size that
// is told, and that drawing twice gives the same picture. With COTERIE_MATH_SHEET=FOLDER the formulas are written there
// as PNG files, light and dark, at 1x and 2x, to be looked at.
#include "math_samples.h"
#include "text/math/math_formula.h"
#include "text/math/math_layout.h"
#include "text/math/math_parser.h"

#include <QtGui>
#include <QtTest>

#include <cmath>
#include <random>

using namespace coterie;
using namespace coterie::app;

namespace {

constexpr qreal kRounding = 0.01; // px; what sums of measures may differ by

QFont bodyFont(int size = 15) {
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(size);
    return font;
}

QString latin(const char* source) { return QString::fromLatin1(source); }

/// A formula's picture with a margin around it, in the colours of the window's themes.
QImage drawn(const MathFormula& formula, const QFont& font, bool display, qreal ratio, int margin,
             QColor ink = Qt::black, QColor ground = Qt::white) {
    const MathSize size = formula.size(font, display);
    const QSizeF room(size.width + 2 * margin, size.ascent + size.descent + 2 * margin);
    QImage image((room * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(ground);
    QPainter painter(&image);
    painter.setPen(ink);
    formula.draw(painter, {static_cast<qreal>(margin), margin + size.ascent}, font, display);
    return image;
}

/// The smallest rectangle around all pixels that are not white.
QRect inkOf(const QImage& image) {
    QRect ink;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != qRgb(255, 255, 255)) ink |= QRect(x, y, 1, 1);
    return ink;
}

/// Boxes of a formula, without rounding.
MathBox boxOf(const char* source, bool display, const MathFont& font) {
    const std::optional<MathNode> root = parseMath(latin(source));
    return root ? MathLayout(font).layOut(*root, display) : MathBox();
}

} // namespace

class TestMathLayout : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void formulas_data();
    void inkStaysWithinTheSize_data() { formulas_data(); }
    void inkStaysWithinTheSize();
    void picturesAreEqualWhenDrawnTwice();
    void inkStaysWithinTheSizeWithoutAMathFont();
    void numeratorsStandAboveTheAxis();
    void scriptsAreRaisedAndSmaller();
    void widthsAddUp();
    void limitsStandAboveInDisplay();
    void spacesFollowTheClasses();
    void fencesGrow();
    void rootsCoverTheirContent();
    void tablesAlignTheirColumns();
    void displayIsTallerThanText();
    void rulesAreSharp();
    void largeFontsScale();
    void damagedFontTables();
    void writeTheSheet();
};

void TestMathLayout::formulas_data() {
    QTest::addColumn<QString>("source");
    for (const char* formula : tests::kFormulas) QTest::newRow(formula) << latin(formula);
}

void TestMathLayout::inkStaysWithinTheSize() {
    QFETCH(QString, source);
    const std::optional<MathFormula> formula = MathFormula::parse(source);
    QVERIFY(formula);
    constexpr int kMargin = 6;
    for (const int pixels : {13, 15, 22})
        for (const bool display : {true, false})
            for (const qreal ratio : {1.0, 1.25, 2.0}) {
                const QImage image = drawn(*formula, bodyFont(pixels), display, ratio, kMargin);
                const QRect ink = inkOf(image);
                const int edge = static_cast<int>(std::floor(kMargin * ratio));
                QVERIFY2(!ink.isEmpty(), "nothing was drawn");
                QVERIFY2(image.rect().adjusted(edge, edge, -edge, -edge).contains(ink),
                         qPrintable(QStringLiteral("%1 px, display %2, at %3x: ink from %4,%5 to %6,%7 of %8x%9")
                                        .arg(pixels)
                                        .arg(display)
                                        .arg(ratio)
                                        .arg(ink.left())
                                        .arg(ink.top())
                                        .arg(ink.right())
                                        .arg(ink.bottom())
                                        .arg(image.width())
                                        .arg(image.height())));
            }
}

void TestMathLayout::picturesAreEqualWhenDrawnTwice() {
    for (const char* source : tests::kFormulas) {
        const auto one = MathFormula::parse(latin(source)), other = MathFormula::parse(latin(source));
        QVERIFY(one && other);
        const QImage first = drawn(*one, bodyFont(), true, 1, 2);
        QVERIFY(first == drawn(*one, bodyFont(), true, 1, 2));
        drawn(*one, bodyFont(20), false, 1, 2); // another size between them
        QVERIFY(first == drawn(*one, bodyFont(), true, 1, 2));
        QVERIFY(first == drawn(*other, bodyFont(), true, 1, 2));
    }
}

void TestMathLayout::inkStaysWithinTheSizeWithoutAMathFont() {
    const MathFont font(bodyFont(), QString());
    QVERIFY(!font.hasMathTable());
    for (const char* source : tests::kFormulas) {
        const MathPicture picture(boxOf(source, true, font));
        const MathSize size = picture.size();
        QImage image(static_cast<int>(size.width) + 8, static_cast<int>(size.ascent + size.descent) + 8,
                     QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        picture.draw(painter, {4, 4 + size.ascent});
        painter.end();
        const QRect ink = inkOf(image);
        QVERIFY2(!ink.isEmpty() && image.rect().adjusted(4, 4, -4, -4).contains(ink), source);
    }
}

void TestMathLayout::numeratorsStandAboveTheAxis() {
    const auto font = MathFont::of(bodyFont());
    for (const bool display : {true, false}) {
        const MathBox box = boxOf("\\frac{a}{b}", display, *font);
        QCOMPARE(box.parts.size(), size_t{2});
        const auto& [topAt, top] = box.parts[0];
        const auto& [bottomAt, bottom] = box.parts[1];
        const qreal axis = (*font)[MathConstant::AxisHeight] * font->em(MathStyle::Text);
        QVERIFY(topAt.y() + top.descent < -axis);      // its lowest ink
        QVERIFY(bottomAt.y() - bottom.ascent > -axis); // its highest ink
        QCOMPARE(box.inks.size(), size_t{1});
        const QRectF line = box.inks[0].covers.translated(box.inks[0].at);
        QVERIFY(std::abs(line.center().y() + axis) < kRounding);
        QVERIFY(topAt.y() + top.descent < line.top() && bottomAt.y() - bottom.ascent > line.bottom());
    }
}

void TestMathLayout::scriptsAreRaisedAndSmaller() {
    const auto font = MathFont::of(bodyFont());
    const MathBox box = boxOf("x_i^2", true, *font);
    QCOMPARE(box.parts.size(), size_t{3});
    const auto& [aboveAt, above] = box.parts[1];
    const auto& [belowAt, below] = box.parts[2];
    QVERIFY(aboveAt.y() < 0 && belowAt.y() > 0);
    QVERIFY(aboveAt.y() + above.descent < belowAt.y() - below.ascent); // they don't touch
    QVERIFY(above.ascent < boxOf("2", true, *font).ascent * 0.85);
    const MathBox tall = boxOf("\\left(\\frac{a}{b}\\right)^2", true, *font);
    QVERIFY(tall.parts[1].first.y() < aboveAt.y()); // a tall base carries its script higher
}

void TestMathLayout::widthsAddUp() {
    const auto font = MathFont::of(bodyFont());
    const qreal em = font->em(MathStyle::Text);
    const auto width = [&](const char* source) { return boxOf(source, false, *font).width; };
    const auto near = [](qreal a, qreal b) { return std::abs(a - b) < kRounding; };
    QVERIFY(near(width("123"), width("1") + width("2") + width("3")));
    QVERIFY(near(width("1\\quad 2"), width("1") + width("2") + em));
    QVERIFY(near(width("1\\,2"), width("1") + width("2") + 3 * em / 18));
    QVERIFY(near(width("1\\!2"), width("1") + width("2") - 3 * em / 18));
    QVERIFY(near(width("{1}{2}{3}"), width("123")));
    QVERIFY(near(width("\\mathrm{ab}"), width("\\mathrm{a}") + width("\\mathrm{b}")));
    const qreal fraction = width("\\dfrac{123}{1}");
    QVERIFY(fraction > width("123") && fraction < width("123") + 0.5 * em);
}

void TestMathLayout::limitsStandAboveInDisplay() {
    const auto font = MathFont::of(bodyFont());
    const MathBox display = boxOf("\\sum_{i=1}^{n}", true, *font), text = boxOf("\\sum_{i=1}^{n}", false, *font);
    const auto isAbove = [](const MathBox& box) {
        const auto& [baseAt, base] = box.parts[0];
        const auto& [overAt, over] = box.parts[1];
        return overAt.y() + over.descent <= baseAt.y() - base.ascent && overAt.x() < baseAt.x() + base.width;
    };
    QVERIFY(isAbove(display));
    QVERIFY(!isAbove(text));
    QVERIFY(isAbove(boxOf("\\sum\\limits_{i=1}^{n}", false, *font)));
    QVERIFY(!isAbove(boxOf("\\sum\\nolimits_{i=1}^{n}", true, *font)));
    QVERIFY(!isAbove(boxOf("\\int_0^1", true, *font)));
    QVERIFY(isAbove(boxOf("\\int\\limits_0^1", true, *font)));
    QVERIFY(isAbove(boxOf("\\overset{a}{=}", false, *font)));
}

void TestMathLayout::spacesFollowTheClasses() {
    const auto font = MathFont::of(bodyFont());
    const qreal mu = font->em(MathStyle::Text) / 18;
    const auto gap = [&](const char* source, std::initializer_list<const char*> atoms) {
        qreal rest = boxOf(source, false, *font).width;
        for (const char* atom : atoms) rest -= boxOf(atom, false, *font).width;
        return std::lround(rest / mu);
    };
    QCOMPARE(gap("1+2", {"1", "+", "2"}), 8L);
    QCOMPARE(gap("1=2", {"1", "=", "2"}), 10L);
    QCOMPARE(gap("1,2", {"1", ",", "2"}), 3L);
    QCOMPARE(gap("(1)", {"(", "1", ")"}), 0L);
    QCOMPARE(gap("-1", {"-", "1"}), 0L); // a sign
    QCOMPARE(gap("(-1)", {"(", "-", "1", ")"}), 0L);
    QCOMPARE(gap("2=-1", {"2", "=", "-", "1"}), 10L);
    QCOMPARE(gap("\\log 1", {"\\log", "1"}), 3L);
    QCOMPARE(gap("\\log(1)", {"\\log", "(", "1", ")"}), 0L);
    QCOMPARE(gap("1\\frac{2}{3}", {"1", "\\frac{2}{3}"}), 3L);
    QCOMPARE(gap("{=}", {"="}), 0L);
    // Scripts have no spaces around operators and relations.
    const qreal one = boxOf("\\scriptstyle 1", false, *font).width,
                equals = boxOf("\\scriptstyle =", false, *font).width;
    QVERIFY(std::abs(boxOf("\\scriptstyle 1=1", false, *font).width - 2 * one - equals) < kRounding);
}

void TestMathLayout::fencesGrow() {
    const auto font = MathFont::of(bodyFont());
    qreal last = 0;
    for (const char* source : {"(", "\\big(", "\\Big(", "\\bigg(", "\\Bigg("}) {
        const MathBox box = boxOf(source, true, *font);
        QVERIFY(box.height() > last);
        last = box.height();
    }
    const char* tall = "\\begin{matrix}1\\\\2\\\\3\\\\4\\\\5\\\\6\\end{matrix}";
    const MathBox content = boxOf(tall, true, *font);
    const qreal axis = (*font)[MathConstant::AxisHeight] * font->em(MathStyle::Display);
    for (const auto& [left, right] : {std::pair{"(", ")"},
                                      {"[", "]"},
                                      {"\\{", "\\}"},
                                      {"|", "|"},
                                      {"\\|", "\\|"},
                                      {"\\langle", "\\rangle"},
                                      {"\\lfloor", "\\rceil"},
                                      {"/", "\\uparrow"}}) {
        const QByteArray source = QByteArray("\\left") + left + " " + tall + "\\right" + right;
        const MathBox box = boxOf(source.constData(), true, *font);
        QVERIFY2(box.parts.size() == 3, source.constData());
        for (const size_t side : {size_t{0}, size_t{2}}) {
            const MathBox& one = box.parts[side].second;
            QVERIFY2(one.height() >= content.height() * 0.8, source.constData());
            QVERIFY2(std::abs((one.ascent - one.descent) / 2 - axis) < kRounding, source.constData()); // centred
        }
    }
}

void TestMathLayout::rootsCoverTheirContent() {
    const auto font = MathFont::of(bodyFont());
    for (const char* content : {"x", "\\frac{a}{b}", "\\sum_{i=1}^n x_i", "1+\\sqrt{1+\\sqrt{x}}"}) {
        const QByteArray source = QByteArray("\\sqrt{") + content + "}";
        const MathBox box = boxOf(source.constData(), true, *font), inner = boxOf(content, true, *font);
        const QRectF line = box.inks.back().covers.translated(box.inks.back().at);
        const auto& [signAt, sign] = box.parts[0];
        QVERIFY2(line.width() >= inner.width - kRounding, content);
        QVERIFY2(std::abs(signAt.y() - sign.ascent - line.top()) < 0.5, content); // the sign meets the line
        QVERIFY2(std::abs(signAt.x() + sign.width - line.left()) < kRounding, content);
        QVERIFY2(signAt.y() + sign.descent >= box.parts[1].second.descent - 0.5, content);
    }
    const MathBox plain = boxOf("\\sqrt{x}", true, *font), indexed = boxOf("\\sqrt[n+1]{x}", true, *font);
    QVERIFY(indexed.width > plain.width);
    QVERIFY(indexed.parts[0].first.y() < -0.2 * font->em(MathStyle::Text)); // the index is raised
}

void TestMathLayout::tablesAlignTheirColumns() {
    const auto font = MathFont::of(bodyFont());
    const MathBox box = boxOf("\\begin{aligned} a &= 1 \\\\ bbbb &= 222 \\end{aligned}", true, *font);
    QCOMPARE(box.parts.size(), size_t{4});
    const auto left = [&](size_t i) { return box.parts[i].first.x(); };
    const auto right = [&](size_t i) { return box.parts[i].first.x() + box.parts[i].second.width; };
    QVERIFY(std::abs(right(0) - right(2)) < kRounding); // the left parts end together
    QVERIFY(std::abs(left(1) - left(3)) < kRounding);   // the relations stand below each other
    QVERIFY(box.parts[0].first.y() < box.parts[2].first.y());
    const MathBox array = boxOf("\\begin{array}{lr} a & b \\\\ aaa & bbb \\end{array}", true, *font);
    const auto& cells = array.parts;
    QVERIFY(std::abs(cells[0].first.x() - cells[2].first.x()) < kRounding);
    QVERIFY(std::abs(cells[1].first.x() + cells[1].second.width - cells[3].first.x() - cells[3].second.width) <
            kRounding);
    QVERIFY(boxOf("\\begin{array}{l|r} a & b \\\\ \\hline c & d \\end{array}", true, *font).inks.size() == 2);
}

void TestMathLayout::displayIsTallerThanText() {
    for (const char* source : {"\\frac{a}{b}", "\\sum_{i=1}^n i", "\\int_0^1 x", "\\binom{n}{k}"}) {
        const auto formula = MathFormula::parse(latin(source));
        QVERIFY(formula);
        const MathSize display = formula->size(bodyFont(), true), text = formula->size(bodyFont(), false);
        QVERIFY2(display.ascent + display.descent > text.ascent + text.descent, source);
    }
}

void TestMathLayout::rulesAreSharp() {
    const auto formula = MathFormula::parse(QStringLiteral("\\frac{1}{\\,2\\,}"));
    QVERIFY(formula);
    for (const qreal ratio : {1.0, 2.0}) {
        const QImage image = drawn(*formula, bodyFont(), true, ratio, 4);
        const int middle = image.width() / 2;
        int black = 0, grey = 0;
        // The line is the only ink in this column between the digits; it covers whole pixels.
        const QRect ink = inkOf(image);
        for (int y = ink.top(); y <= ink.bottom(); ++y) {
            int dark = 0;
            for (int x = middle - 2; x <= middle + 2; ++x) dark += qGray(image.pixel(x, y)) == 0;
            black += dark == 5;
            const int left = qGray(image.pixel(ink.left() + 1, y));
            grey += left > 0 && left < 255;
        }
        QVERIFY(black >= 1);
        QCOMPARE(grey, 0);
    }
}

void TestMathLayout::largeFontsScale() {
    const auto formula = MathFormula::parse(latin(tests::kFormulas[0]));
    QVERIFY(formula);
    const MathSize small = formula->size(bodyFont(15), true), large = formula->size(bodyFont(30), true);
    QVERIFY(std::abs(large.width - 2 * small.width) <= 4);
    QVERIFY(std::abs(large.ascent - 2 * small.ascent) <= 3);
}

/// The reader of a font's table keeps within it, whatever it says.
void TestMathLayout::damagedFontTables() {
    QFont maths(QStringLiteral("TeX Gyre Pagella Math"));
    const QByteArray whole = QRawFont::fromFont(maths).fontTable("MATH");
    if (whole.isEmpty()) QSKIP("the font for mathematics is not installed");
    QVERIFY(readOpenTypeMath(whole, 1000));
    QVERIFY(!readOpenTypeMath({}, 1000));
    QVERIFY(!readOpenTypeMath(whole.left(100), 1000));
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        QByteArray damaged = whole.left(static_cast<qsizetype>(random() % static_cast<size_t>(whole.size())));
        for (int i = 0; i < 20 && !damaged.isEmpty(); ++i)
            damaged[static_cast<qsizetype>(random() % static_cast<size_t>(std::min<qsizetype>(damaged.size(), 4000)))] =
                static_cast<char>(random());
        readOpenTypeMath(damaged, 1000);
    }
}

void TestMathLayout::writeTheSheet() {
    const QString folder = qEnvironmentVariable("COTERIE_MATH_SHEET");
    if (folder.isEmpty()) QSKIP("COTERIE_MATH_SHEET names no folder");
    struct Theme {
        const char* name;
        QColor ground, text;
    };
    const Theme themes[] = {{"light", QColor(0xFAF9F7), QColor(0x1F1E1C)},
                            {"dark", QColor(0x1B1A18), QColor(0xECE9E4)}};
    constexpr int kGap = 12, kWidth = 470, kColumns = 2, kHeight = 420;
    for (const Theme& theme : themes)
        for (const qreal ratio : {1.0, 2.0}) {
            int number = 0;
            QImage image;
            QPainter painter;
            QPointF at;
            const auto begin = [&] {
                image = QImage(QSizeF(kWidth * kColumns * ratio, kHeight * ratio).toSize(), QImage::Format_RGB32);
                image.setDevicePixelRatio(ratio);
                image.fill(theme.ground);
                painter.begin(&image);
                painter.setPen(theme.text);
                at = {kGap, kGap};
            };
            const auto end = [&] {
                painter.end();
                QVERIFY(image.save(QStringLiteral("%1/math-%2-%3x-%4.png")
                                       .arg(folder, QLatin1String(theme.name))
                                       .arg(ratio)
                                       .arg(++number)));
            };
            begin();
            for (const char* source : tests::kFormulas) {
                const auto formula = MathFormula::parse(latin(source));
                QVERIFY2(formula, source);
                const MathSize display = formula->size(bodyFont(), true), text = formula->size(bodyFont(), false);
                const qreal height = display.ascent + display.descent + text.ascent + text.descent + kGap * 3;
                if (at.y() + height > kHeight) {
                    at = {at.x() + kWidth, kGap};
                    if (at.x() >= kWidth * kColumns) {
                        end();
                        begin();
                    }
                }
                formula->draw(painter, {at.x(), at.y() + display.ascent}, bodyFont(), true);
                const qreal line = at.y() + display.ascent + display.descent + kGap + text.ascent;
                const QString before = QStringLiteral("Text with "), after = QStringLiteral(" in its line.");
                painter.setFont(bodyFont());
                const qreal indent = at.x() + QFontMetricsF(bodyFont()).horizontalAdvance(before);
                painter.drawText(QPointF(at.x(), line), before);
                formula->draw(painter, {indent, line}, bodyFont(), false);
                painter.drawText(QPointF(indent + text.width, line), after);
                at.ry() += height;
            }
            end();
        }
}

QTEST_MAIN(TestMathLayout)
#include "tst_math_layout.moc"
