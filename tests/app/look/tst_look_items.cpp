// SPDX-License-Identifier: Apache-2.0
// The small items that the window has many of: figures of one width, icons that share their pictures, and the wishes
// about motion and contrast that a desktop tells.
#include "look/desktop_wishes.h"
#include "look/figures_item.h"
#include "look/icon_item.h"
#include "look/icon_paths.h"
#include "look/marked_text_item.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;

class TestLookItems : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void figuresHaveOneWidth();
    void figuresReserveRoom();
    void digitsStandInTheirCells();
    void markedTextReplacesNoLetter();
    void iconsArePaintedOnce();
    void iconsFillTheirGrid_data();
    void iconsFillTheirGrid();
    void pathsAreRead();
    void desktopsTellTheirWishes();
    void whatIsNotToldStays();
};

/// The window's font, whose digits differ in width.
static QFont windowFont() {
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(32);
    return font;
}

void TestLookItems::figuresHaveOneWidth() {
    FiguresItem figures;
    figures.setProperty("font", windowFont());
    QList<qreal> widths;
    for (const char* text : {"111.1 GiB", "888.8 GiB", "444.4 GiB", "070.7 GiB"}) {
        figures.setProperty("text", QString::fromLatin1(text));
        widths.append(figures.implicitWidth());
    }
    for (const qreal width : widths) QCOMPARE(width, widths.first());
    QVERIFY(widths.first() > 0); // at once, before the item is shown
}

void TestLookItems::figuresReserveRoom() {
    FiguresItem figures;
    QSignalSpy roomChanged(&figures, &FiguresItem::roomChanged);
    figures.setProperty("text", QStringLiteral("1"));
    const qreal narrow = figures.implicitWidth();
    figures.setProperty("reserved", QStringList{QStringLiteral("100 %"), QStringLiteral("idle")});
    QCOMPARE(roomChanged.size(), 1);
    QVERIFY(figures.room() > narrow);
    QCOMPARE(figures.implicitWidth(), figures.room());
    figures.setProperty("text", QStringLiteral("1,000,000 tokens"));
    QVERIFY(figures.implicitWidth() > figures.room());
}

/// Paints a text and returns the columns that have ink.
static QList<int> inkedColumns(FiguresItem& figures, const QString& text) {
    figures.setProperty("text", text);
    figures.setProperty("color", QColor(Qt::black));
    figures.setSize(QSizeF(figures.implicitWidth(), figures.implicitHeight()));
    QImage image(figures.size().toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    figures.paint(&painter);
    painter.end();
    QList<int> columns;
    for (int x = 0; x < image.width(); ++x) {
        bool ink = false;
        for (int y = 0; y < image.height() && !ink; ++y) ink = qAlpha(image.pixel(x, y)) > 64;
        if (ink) columns.append(x);
    }
    return columns;
}

void TestLookItems::digitsStandInTheirCells() {
    FiguresItem figures;
    figures.setProperty("font", windowFont());
    const QList<int> one = inkedColumns(figures, QStringLiteral("8")),
                     two = inkedColumns(figures, QStringLiteral("18"));
    QVERIFY(!one.isEmpty() && !two.isEmpty());
    const int cell = static_cast<int>(figures.implicitWidth()) / 2;
    QCOMPARE(two.last(), one.last() + cell); // the 8 stands where it would after any other digit
    QVERIFY(two.last() < static_cast<int>(figures.implicitWidth()));
}

/// A hit of a search shows the signs that were written, as its message does.
void TestLookItems::markedTextReplacesNoLetter() {
    const QString words = QStringLiteral("7 x 8 -> 56");
    QFont plain = windowFont();
    plain.setStyleStrategy(QFont::PreferNoShaping);
    MarkedTextItem item;
    item.setProperty("font", windowFont());
    item.setProperty("color", QColor(Qt::black));
    item.setProperty("text", words);
    item.setSize({400, 80});
    const auto paint = [](const auto& draw) {
        QImage image(400, 80, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        draw(painter);
        return image;
    };
    const QImage shown = paint([&](QPainter& painter) { item.paint(&painter); });
    QCOMPARE(shown, paint([&](QPainter& painter) {
                 painter.setFont(plain);
                 painter.drawText(QPointF(0, QFontMetricsF(plain).ascent()), words);
             }));
}

void TestLookItems::iconsArePaintedOnce() {
    const IconLook look{.name = QStringLiteral("search"), .color = 0xff000000, .pixels = 32, .stroke = 1.75};
    const QImage first = iconImage(look);
    QCOMPARE(first.size(), QSize(32, 32));
    QCOMPARE(iconImage(look).cacheKey(), first.cacheKey());
    IconLook other = look;
    other.color = 0xffb0501a;
    QVERIFY(iconImage(other) != first);
    other = look;
    other.pixels = 40;
    QCOMPARE(iconImage(other).size(), QSize(40, 40));
}

void TestLookItems::iconsFillTheirGrid_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"plus",  "search",  "sliders",   "send",    "stop",        "copy",         "trash",     "pencil",
          "check", "close",   "arrowLeft", "sidebar", "chevronDown", "chevronRight", "arrowDown", "folder",
          "cube",  "warning", "shield",    "drop",    "thought",     "export"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestLookItems::iconsFillTheirGrid() {
    QFETCH(QString, name);
    const QRectF bounds = iconPath(name).boundingRect();
    QVERIFY2(QRectF(2, 2, 20, 20).contains(bounds), "the strokes leave the margin of the grid");
    QVERIFY(std::max(bounds.width(), bounds.height()) >= 9);
}

void TestLookItems::pathsAreRead() {
    // Half a circle around (12, 11), drawn in two ways.
    const QRectF up = readPath(QStringLiteral("M5 11a7 7 0 0 1 14 0")).boundingRect();
    QVERIFY(std::abs(up.top() - 4) < 0.01 && std::abs(up.bottom() - 11) < 0.01);
    const QRectF down = readPath(QStringLiteral("M5 11a7 7 0 0 0 14 0")).boundingRect();
    QVERIFY(std::abs(down.top() - 11) < 0.01 && std::abs(down.bottom() - 18) < 0.01);
    // The shorter and the longer way from the left to the bottom.
    const QRectF longer = readPath(QStringLiteral("M5 11a7 7 0 1 1 7 7")).boundingRect();
    QVERIFY(std::abs(longer.top() - 4) < 0.01 && std::abs(longer.right() - 19) < 0.01);
    const QRectF shorter = readPath(QStringLiteral("M5 11a7 7 0 0 0 7 7")).boundingRect();
    QVERIFY(std::abs(shorter.top() - 11) < 0.01 && std::abs(shorter.right() - 12) < 0.01);
    QCOMPARE(readPath(QStringLiteral("M1 1h4z9h4")).boundingRect(), QRectF(1, 1, 4, 0));
    QVERIFY(readPath(QStringLiteral("?")).isEmpty());
    QVERIFY(iconPath(QStringLiteral("no such icon")).isEmpty());
}

void TestLookItems::desktopsTellTheirWishes() {
    const auto read = [](const char* group, const char* key, const QVariant& value) {
        return readPortalValue(QString::fromLatin1(group), QString::fromLatin1(key), value);
    };
    const DesktopWish still{.reducedMotion = true, .highContrast = {}},
        moving{.reducedMotion = false, .highContrast = {}}, clear{.reducedMotion = {}, .highContrast = true},
        usual{.reducedMotion = {}, .highContrast = false};
    QCOMPARE(read("org.freedesktop.appearance", "reduced-motion", 1U), still);
    QCOMPARE(read("org.freedesktop.appearance", "contrast", 1U), clear);
    QCOMPARE(read("org.freedesktop.appearance", "contrast", 0U), usual);
    QCOMPARE(read("org.gnome.desktop.interface", "enable-animations", false), still);
    QCOMPARE(read("org.gnome.desktop.interface", "enable-animations", true), moving);
    QCOMPARE(read("org.gnome.desktop.a11y.interface", "high-contrast", true), clear);
    QCOMPARE(read("org.kde.kdeglobals.KDE", "AnimationDurationFactor", QStringLiteral("0")), still);
    QCOMPARE(read("org.kde.kdeglobals.KDE", "AnimationDurationFactor", QStringLiteral("1.5")), moving);
    QCOMPARE(read("org.gnome.desktop.interface", "cursor-size", 24), DesktopWish());
}

void TestLookItems::whatIsNotToldStays() {
    DesktopWishes wishes;
    QSignalSpy changed(&wishes, &DesktopWishes::changed);
    wishes.apply({.reducedMotion = true, .highContrast = {}});
    wishes.apply({.reducedMotion = {}, .highContrast = true});
    wishes.apply({.reducedMotion = true, .highContrast = true});
    QVERIFY(wishes.reducedMotion() && wishes.highContrast());
    QCOMPARE(changed.size(), 2);
    wishes.apply({.reducedMotion = false, .highContrast = {}});
    QVERIFY(!wishes.reducedMotion() && wishes.highContrast());
}

QTEST_MAIN(TestLookItems)
#include "tst_look_items.moc"
