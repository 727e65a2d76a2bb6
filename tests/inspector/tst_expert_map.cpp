// SPDX-License-Identifier: Apache-2.0
// The grid of experts as it is drawn, pointed at and walked through by keys, its legend and the strip of tokens.
#include "coloured_pixels.h"
#include "inspector/expert_map_item.h"
#include "inspector/expert_table.h"
#include "inspector/scale_item.h"
#include "inspector/token_strip_item.h"
#include "look/colour_maps.h"
#include "support/english.h"

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;
using coterie::test::pixelsOf;

namespace {

/// Layer 0 is dense, the others have eight experts.
GridContent content(ExpertGrid::Kind kind) {
    GridContent content{.kind = kind, .expertsOfLayer = {1, 8, 8}, .most = kind == ExpertGrid::Places ? 2.0 : 16.0};
    for (int i = 0; i < 17; ++i) {
        if (kind == ExpertGrid::Places) content.places.push_back(static_cast<uint8_t>(i % 3));
        if (kind != ExpertGrid::Places) content.values.push_back(kind == ExpertGrid::Difference ? i - 8 : i);
    }
    if (kind == ExpertGrid::Difference) content.most = 8;
    return content;
}

MapLook look(bool dark) {
    MapLook look{
        .dark = dark, .ground = dark ? QColor("#1B1A18") : QColor("#FAF9F7"), .text = Qt::red, .mark = Qt::blue};
    look.font.setPixelSize(40); // larger than a cell: no figures
    return look;
}

struct Shown {
    Shown() {
        item = new ExpertMapItem(window.contentItem());
        item->setGrid(&grid);
        item->setSize({240, 120});
        window.resize(240, 200);
        window.show();
    }
    ExpertGrid grid;
    QQuickWindow window;
    ExpertMapItem* item;
};

/// A map of 3 layers with 8 experts each, in colours that tell its parts apart.
struct Coloured : Shown {
    explicit Coloured(double value = 0) {
        GridContent even{.kind = ExpertGrid::Counts, .expertsOfLayer = {8, 8, 8}, .most = 1};
        even.values.assign(24, value);
        QFont font;
        font.setPixelSize(11);
        font.setStyleStrategy(QFont::NoAntialias);
        item->setProperty("font", font);
        item->setProperty("groundColor", QColor(Qt::white));
        item->setProperty("textColor", QColor(Qt::red));
        item->setProperty("markColor", QColor(Qt::blue));
        item->setProperty("frameColor", QColor(Qt::green));
        grid.setContent(even);
    }
    int names(const QRectF& part) const { return pixelsOf(item->picture(), part, Qt::red); }
};

} // namespace

class TestExpertMap : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { coterie::test::useEnglishNumbers(); }
    void everyCellHasItsColour_data();
    void everyCellHasItsColour();
    void n19AUsedCellDiffersFromAnUnusedOne();
    void smallCellsKeepTheirColours();
    void figuresStandInLargeCells();
    void weightsKeepTheirPoint();
    void n20ThreeDigitsStayInThePane();
    void waitedCellsHaveACorner();
    void thePointerFindsCells();
    void denseLayersAreNoStrongExperts();
    void recurrentLayersHaveABar();
    void keysWalkThroughTheCells();
    void i4AxesNameRowsAndColumns();
    void i4TheRowAndColumnOfThePointerStandOut();
    void i4TheFirstLookFramesARowAndACell();
    void f26AFrameCoversNoFigure();
    void aChosenCellIsSeenOnEveryColour();
    void zoomKeepsTheCellUnderThePointer();
    void theTableIsTheGrid();
    void theLegendShowsTheScale();
    void theStripIsItsTokens();
    void n18TheStripSaysWhatItShows();
    void theStripIsUsedByKeyAndPointer();
};

void TestExpertMap::everyCellHasItsColour_data() {
    QTest::addColumn<ExpertGrid::Kind>("kind");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("dpr");
    for (const auto kind : {ExpertGrid::Weights, ExpertGrid::Counts, ExpertGrid::Places, ExpertGrid::Difference})
        for (const bool dark : {false, true})
            for (const int dpr : {1, 2}) QTest::addRow("%d %d %d", kind, dark, dpr) << kind << dark << dpr;
}

void TestExpertMap::everyCellHasItsColour() {
    QFETCH(ExpertGrid::Kind, kind);
    QFETCH(bool, dark);
    QFETCH(int, dpr);
    ExpertGrid grid;
    grid.setContent(content(kind));
    const MapPlaces places{.cellWidth = 12, .cellHeight = 12, .x = 0, .layers = 3, .experts = 8};
    const QImage image = drawMap(grid, places, look(dark), 96, dpr);
    QCOMPARE(image.size(), QSize(96, 36) * dpr);
    QSet<QRgb> colours;
    for (int l = 0; l < 3; ++l) {
        for (int e = 0; e < 8; ++e) {
            const QRgb pixel = image.pixel((e * 12 + 5) * dpr, (l * 12 + 5) * dpr);
            const int expert = l == 0 ? 0 : e; // the one cell of a dense layer spans the row
            const QColor colour =
                kind == ExpertGrid::Places
                    ? placeColour(static_cast<coterie::engine::ExpertState>(grid.places(l)[size_t(expert)]), dark)
                    : cellColour(grid, grid.value(l, expert), dark);
            QCOMPARE(pixel, colour.rgb());
            colours.insert(pixel);
        }
    }
    // The colours are those of the scales, computed once more here.
    const double value = grid.value(2, 7), most = grid.most();
    if (kind == ExpertGrid::Counts || kind == ExpertGrid::Weights)
        QCOMPARE(cellColour(grid, grid.value(2, 7), dark).rgb(),
                 mappedColour(ColourMap::Heat, 0.14 + 0.86 * value / most, dark));
    if (kind == ExpertGrid::Difference)
        QCOMPARE(cellColour(grid, grid.value(2, 7), dark).rgb(), differenceColour(value / most, dark));
    // The dense layer has the colour of an expert that was not used, which one expert of a difference has too.
    QCOMPARE(colours.size(), kind == ExpertGrid::Places ? 3 : kind == ExpertGrid::Difference ? 16 : 17);
}

/// An expert that ran with a weight that rounds to 0 was used all the same.
void TestExpertMap::n19AUsedCellDiffersFromAnUnusedOne() {
    ExpertGrid grid;
    grid.setContent({.kind = ExpertGrid::Weights, .expertsOfLayer = {3}, .values = {0, 1e-6, 0.6}, .most = 0.6});
    QCOMPARE(grid.cellFigure(0, 0), QString());
    QCOMPARE(grid.cellFigure(0, 1), QStringLiteral(".00"));
    constexpr double kSeen = 3; // steps of lightness, of which one can just be told apart
    for (const bool dark : {false, true})
        QVERIFY(qAbs(lightness(cellColour(grid, 1e-6, dark).rgb()) - lightness(cellColour(grid, 0, dark).rgb())) >
                kSeen);
}

/// Small cells have no gaps: neighbours of one colour are filled together, and marks stay on top.
void TestExpertMap::smallCellsKeepTheirColours() {
    constexpr int kLayers = 5, kExperts = 40;
    GridContent shown{
        .kind = ExpertGrid::Weights, .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts), .most = 2};
    for (int i = 0; i < kLayers * kExperts; ++i) {
        shown.values.push_back(i % 7 < 3 || i / kExperts == 1 ? 0 : i % 3);
        shown.waited.push_back(i % 11 == 4 ? 1 : 0);
    }
    ExpertGrid grid;
    grid.setContent(shown);
    const MapPlaces places{.cellWidth = 2.3, .cellHeight = 4, .x = 0, .layers = kLayers, .experts = kExperts};
    const QImage image = drawMap(grid, places, look(false), kExperts * 2.3, 1);
    for (int l = 0; l < kLayers; ++l) {
        for (int e = 0; e < kExperts; ++e) {
            const auto x = static_cast<int>((e + 0.5) * 2.3);
            QCOMPARE(image.pixel(x, l * 4 + 3), cellColour(grid, grid.value(l, e), false).rgb());
            if (grid.waited(l, e))
                QCOMPARE(image.pixel(static_cast<int>((e + 1) * 2.3 - 0.5), l * 4), QColor(Qt::blue).rgb());
        }
    }
}

void TestExpertMap::figuresStandInLargeCells() {
    ExpertGrid grid;
    grid.setContent(content(ExpertGrid::Counts));
    MapLook small = look(false);
    small.font.setPixelSize(10);
    const MapPlaces places{.cellWidth = 32, .cellHeight = 32, .x = 0, .layers = 3, .experts = 8};
    const auto inked = [&](const MapLook& as) {
        const QImage image = drawMap(grid, places, as, 256, 1);
        const QRgb colour = cellColour(grid, grid.value(2, 7), false).rgb();
        int pixels = 0;
        for (int y = 66; y < 94; ++y)
            for (int x = 226; x < 254; ++x) pixels += image.pixel(x, y) != colour ? 1 : 0;
        return pixels;
    };
    QVERIFY(inked(small) > 5);
    QCOMPARE(inked(look(false)), 0); // these figures are too large
}

/// The demo model has 16 experts, which share the 272 pixels of the narrow pane.
void TestExpertMap::n20ThreeDigitsStayInThePane() {
    constexpr int kExperts = 16;
    constexpr qreal kPane = 272, kCell = kPane / kExperts;
    MapLook small = look(false);
    small.font.setPixelSize(11); // Style.cellSize
    const auto inked = [&](double most) {
        ExpertGrid grid;
        grid.setContent({.kind = ExpertGrid::Counts,
                         .expertsOfLayer = std::vector<int64_t>(1, kExperts),
                         .values = std::vector<double>(kExperts, most),
                         .most = most});
        const MapPlaces places{.cellWidth = kCell, .cellHeight = kCell, .x = 0, .layers = 1, .experts = kExperts};
        const QImage image = drawMap(grid, places, small, kPane, 1);
        const QRgb colour = cellColour(grid, most, false).rgb();
        int pixels = 0;
        for (int y = 1; y < kCell - 2; ++y)
            for (int x = 1; x < kCell - 2; ++x) pixels += image.pixel(x, y) != colour ? 1 : 0;
        return pixels;
    };
    QVERIFY(inked(42) > 5);
    QVERIFY(inked(111) > 5);
    QCOMPARE(ExpertGrid::figureOf(ExpertGrid::Counts, 1234), QStringLiteral("1.2k"));
    QCOMPARE(ExpertGrid::figureOf(ExpertGrid::Counts, 999), QStringLiteral("999"));
}

/// A weight of ".88" needs more room than the "1" that a grid of weights may have: cells too small for it have none.
void TestExpertMap::weightsKeepTheirPoint() {
    constexpr int kExperts = 8;
    constexpr double kShown = .88;
    MapLook small = look(false);
    small.font.setPixelSize(14);
    const auto inked = [&](int cell, double most) {
        ExpertGrid grid;
        grid.setContent({.kind = ExpertGrid::Weights,
                         .expertsOfLayer = std::vector<int64_t>(1, kExperts),
                         .values = std::vector<double>(kExperts, kShown),
                         .most = most});
        const MapPlaces places{.cellWidth = qreal(cell), .cellHeight = 40, .x = 0, .layers = 1, .experts = kExperts};
        const QImage image = drawMap(grid, places, small, cell * kExperts, 1);
        const QRgb colour = cellColour(grid, kShown, false).rgb();
        for (int y = 1; y < 38; ++y)
            for (int x = 1; x < cell - 2; ++x)
                if (image.pixel(x, y) != colour) return true;
        return false;
    };
    int with = 0, without = 0;
    for (int cell = 6; cell < 40; ++cell) {
        QCOMPARE(inked(cell, 1), inked(cell, kShown));
        ++(inked(cell, 1) ? with : without);
    }
    QVERIFY(with > 0 && without > 0);
}

void TestExpertMap::waitedCellsHaveACorner() {
    ExpertGrid grid;
    GridContent shown = content(ExpertGrid::Weights);
    shown.waited.assign(shown.values.size(), 0);
    shown.waited[1 + 8 + 2] = 1; // layer 2, expert 2
    grid.setContent(shown);
    const MapPlaces places{.cellWidth = 12, .cellHeight = 12, .x = 0, .layers = 3, .experts = 8};
    const QImage image = drawMap(grid, places, look(false), 96, 1);
    QCOMPARE(image.pixel(2 * 12 + 9, 2 * 12 + 1), QColor(Qt::blue).rgb());
    QCOMPARE(image.pixel(3 * 12 + 9, 2 * 12 + 1), cellColour(grid, grid.value(2, 3), false).rgb());
}

void TestExpertMap::thePointerFindsCells() {
    Shown shown;
    shown.grid.setContent(content(ExpertGrid::Counts));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window, coterie::kPatienceMs));
    const MapPlaces places = shown.item->places();
    QVERIFY(places.left > 0 && places.top > 0 && places.bottom > 0); // names stand there
    QCOMPARE(places.cellWidth, (240 - places.left - 4) / 8); // with room for the frame of a cell in the last column
    QSignalSpy clicked(shown.item, &ExpertMapItem::cellClicked);
    QTest::mouseClick(&shown.window, Qt::LeftButton, {}, places.cell(1, 3).center().toPoint());
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked.last().at(0).toInt(), 1);
    QCOMPARE(clicked.last().at(1).toInt(), 3);
    QTest::mouseClick(&shown.window, Qt::LeftButton, {}, places.cell(0, 3).center().toPoint());
    QCOMPARE(clicked.count(), 2); // the cell of a dense layer is as wide as the row
    QCOMPARE(clicked.last().at(0).toInt(), 0);
    QCOMPARE(clicked.last().at(1).toInt(), 0);
    shown.grid.setContent({.kind = ExpertGrid::Counts, .expertsOfLayer = {2, 8, 8}, .values = {}, .most = 1});
    QTest::mouseClick(&shown.window, Qt::LeftButton, {}, places.cell(0, 3).center().toPoint());
    QCOMPARE(clicked.count(), 2); // there is no such expert
    QTest::mouseMove(&shown.window, places.cell(2, 6).center().toPoint());
    QTRY_COMPARE(shown.item->hoveredLayer(), 2);
    QCOMPARE(shown.item->hoveredExpert(), 6);
    QCOMPARE(shown.item->cellText(), shown.grid.cellText(2, 6));
    shown.grid.setContent({});
    QCOMPARE(shown.item->hoveredLayer(), -1);
    QVERIFY(shown.item->cellText().isEmpty());
}

void TestExpertMap::denseLayersAreNoStrongExperts() {
    Shown shown;
    GridContent counts{.kind = ExpertGrid::Counts, .expertsOfLayer = {1, 4, 4}, .most = 3};
    counts.values = {9, 1, 0, 0, 3, 2, 2, 0, 0};
    counts.waited = {1, 0, 0, 0, 0, 0, 0, 0, 0};
    shown.grid.setContent(counts);
    QCOMPARE(shown.grid.value(0, 0), 0.0);
    QCOMPARE(shown.grid.cellFigure(0, 0), QString());
    QCOMPARE(shown.grid.cellText(0, 0),
             QStringLiteral("Layer 0: dense, every token uses all of it, not read until it was needed"));
    const QImage image = shown.item->picture();
    const MapPlaces places = shown.item->places();
    const QRectF row = placeOf(shown.grid, places, 0, 0);
    QCOMPARE(row, places.cell(0, 0).united(places.cell(0, 3)));
    const QRgb quiet = cellColour(shown.grid, 0, false).rgb();
    const auto y = static_cast<int>(row.bottom()) - 3;
    for (int x = static_cast<int>(row.left()); x < static_cast<int>(row.right()) - 1; ++x)
        QCOMPARE(image.pixel(x, y), quiet); // also where other rows have gaps
    QVERIFY(pixelsOf(image, placeOf(shown.grid, places, 0, 0).adjusted(row.width() / 2, 0, 0, 0),
                     shown.item->property("markColor").value<QColor>()) > 0); // its corner is at the row's end
    GridContent spots = counts;
    spots.kind = ExpertGrid::Places;
    spots.places = {2, 0, 0, 0, 0, 0, 0, 0, 0};
    shown.grid.setContent(spots);
    QVERIFY(shown.grid.cellText(0, 0).startsWith(QStringLiteral("Layer 0: in memory")));
    shown.grid.setContent({.kind = ExpertGrid::Counts, .expertsOfLayer = {1, 1}, .values = {2, 2}, .most = 2});
    QCOMPARE(shown.grid.value(0, 0), 2.0); // a model without experts has nothing else to show
}

/// Only a layer that keeps a state has a bar, and the texts name mixers where layers differ in them.
void TestExpertMap::recurrentLayersHaveABar() {
    using coterie::engine::LayerMixer;
    Coloured shown;
    const auto bars = [&] {
        const MapPlaces places = shown.item->places();
        QList<int> pixels;
        for (int layer = 0; layer < 3; ++layer)
            pixels.append(pixelsOf(shown.item->picture(),
                                   {places.left - kBarRoom, places.cell(layer, 0).top() + 1, kBarRoom, 6}, Qt::red));
        return pixels;
    };
    const qreal before = shown.item->places().left;
    QCOMPARE(shown.grid.cellText(1, 2), QStringLiteral("Layer 1, expert 2: 0 of 0 token(s)"));
    shown.grid.setLayers(
        {{LayerMixer::DeltaRule, true}, {LayerMixer::Attention, true}, {LayerMixer::ShortConvolution}});
    QVERIFY(shown.grid.recurrent() && shown.grid.sharedExperts());
    QCOMPARE(shown.item->places().left, before + kBarRoom);
    QVERIFY(bars()[0] > 0 && bars()[2] > 0);
    QCOMPARE(bars()[1], 0);
    QCOMPARE(shown.grid.layerText(0), QStringLiteral("Layer 0 (delta rule)"));
    QCOMPARE(shown.grid.cellText(1, 2), QStringLiteral("Layer 1 (attention), expert 2: 0 of 0 token(s)"));
    QCOMPARE(shown.grid.briefCellText(1, 2), QStringLiteral("Layer 1, expert 2: 0 of 0 token(s)"));
    QCOMPARE(shown.grid.layerText(2), QStringLiteral("Layer 2 (short convolution)"));
    shown.grid.setLayers({{LayerMixer::Attention}, {LayerMixer::WindowedAttention}, {LayerMixer::Attention}});
    QVERIFY(!shown.grid.recurrent() && !shown.grid.sharedExperts());
    QCOMPARE(bars(), QList<int>({0, 0, 0}));
    QCOMPARE(shown.item->places().left, before);
    QCOMPARE(shown.grid.layerText(1), QStringLiteral("Layer 1 (attention to the latest tokens)"));
    shown.grid.setLayers({{LayerMixer::Attention}, {LayerMixer::Attention}, {LayerMixer::Attention}});
    QCOMPARE(shown.grid.layerText(1), QStringLiteral("Layer 1"));
    QCOMPARE(shown.grid.layerText(7), QStringLiteral("Layer 7")); // no such layer: nothing is known of it
}

void TestExpertMap::keysWalkThroughTheCells() {
    Shown shown;
    shown.grid.setContent(content(ExpertGrid::Counts));
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window, coterie::kPatienceMs));
    shown.window.requestActivate();
    shown.item->forceActiveFocus(Qt::TabFocusReason);
    const auto at = [&] { return std::pair(shown.item->cursorLayer(), shown.item->cursorExpert()); };
    QTRY_COMPARE(at(), std::pair(0, 0));
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&shown.window, key, with); };
    press(Qt::Key_Down);
    press(Qt::Key_End);
    QCOMPARE(at(), std::pair(1, 7));
    press(Qt::Key_Right);
    QCOMPARE(at(), std::pair(1, 7));
    press(Qt::Key_Up);
    QCOMPARE(at(), std::pair(0, 0)); // the nearest cell that exists
    press(Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(at(), std::pair(2, 7));
    press(Qt::Key_Left);
    QCOMPARE(shown.item->cellText(), shown.grid.cellText(2, 6));
    QSignalSpy clicked(shown.item, &ExpertMapItem::cellClicked);
    press(Qt::Key_Return);
    press(Qt::Key_Space);
    QCOMPARE(clicked.count(), 2);
    QCOMPARE(clicked.last().at(1).toInt(), 6);
    press(Qt::Key_Home);
    QCOMPARE(at(), std::pair(2, 0));
}

void TestExpertMap::i4AxesNameRowsAndColumns() {
    const Coloured shown;
    const MapPlaces places = shown.item->places();
    QCOMPARE(shown.item->implicitHeight(), std::ceil(places.height()));
    for (int layer = 0; layer < 3; ++layer)
        QVERIFY(shown.names({0, places.cell(layer, 0).top(), places.left, places.cellHeight}) > 3);
    const qreal below = places.cells(240).bottom();
    for (const int expert : {0, 7})
        QVERIFY(shown.names({places.cell(0, expert).left(), below, places.cellWidth, places.bottom}) > 3);
    QVERIFY(shown.names({0, 0, 240, places.top}) > 10); // "layer"
    // Each number is under the middle of its column.
    const QImage picture = shown.item->picture();
    const qreal line = std::ceil(QFontMetricsF(shown.item->property("font").value<QFont>()).height());
    for (int expert = 0; expert < 8; ++expert) {
        const QRectF cell = places.cell(0, expert);
        QRect ink;
        for (int x = qCeil(cell.left()); x < cell.right(); ++x)
            if (pixelsOf(picture, QRectF(x, below, 1, line), Qt::red) > 0) ink |= QRect(x, 0, 1, 1);
        QVERIFY(!ink.isEmpty());
        QVERIFY2(std::abs(QRectF(ink).center().x() - cell.center().x()) <= 3, qPrintable(QString::number(expert)));
    }
    QVERIFY(shown.names({places.left, below + line, 240 - places.left, places.bottom - line}) > 10); // "expert"
    QCOMPARE(shown.names(places.cells(240)), 0);
}

void TestExpertMap::i4TheRowAndColumnOfThePointerStandOut() {
    Coloured shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window, coterie::kPatienceMs));
    const MapPlaces places = shown.item->places();
    // With the lines beside the cell.
    const auto marked = [&](int layer, int expert) {
        return pixelsOf(shown.item->picture(), places.cell(layer, expert).adjusted(-2, -2, 2, 2), Qt::blue);
    };
    QCOMPARE(marked(1, 0), 0);
    QTest::mouseMove(&shown.window, places.cell(1, 3).center().toPoint());
    QTRY_COMPARE(shown.item->hoveredExpert(), 3);
    QVERIFY(marked(1, 0) > 10 && marked(1, 7) > 10); // its row
    QVERIFY(marked(0, 3) > 10 && marked(2, 3) > 10); // its column
    for (const auto& [layer, expert] : {std::pair(0, 0), std::pair(2, 6)})
        QCOMPARE(pixelsOf(shown.item->picture(), places.cell(layer, expert).adjusted(3, 3, -3, -3), Qt::blue), 0);
    QVERIFY(pixelsOf(shown.item->picture(), {0, places.cell(1, 0).top(), places.left, places.cellHeight}, Qt::blue) >
            3);
}

void TestExpertMap::i4TheFirstLookFramesARowAndACell() {
    Coloured shown;
    GridContent one = shown.grid.content();
    one.values[8 + 5] = 1; // layer 1, expert 5
    shown.grid.setContent(one);
    const MapPlaces places = shown.item->places();
    const auto framed = [&](int layer, int expert) {
        return pixelsOf(shown.item->picture(), places.cell(layer, expert).adjusted(2, 2, -2, -2), Qt::green);
    };
    QCOMPARE(framed(1, 0) + framed(1, 5), 0);
    shown.item->setProperty("framed", ExpertMapItem::Row);
    for (int expert = 0; expert < 8; ++expert) QVERIFY(framed(1, expert) > 10);
    QCOMPARE(framed(0, 5) + framed(2, 5), 0);
    shown.item->setProperty("framed", ExpertMapItem::Cell);
    QVERIFY(framed(1, 5) > 10);
    QCOMPARE(framed(1, 4) + framed(1, 6), 0);
}

/// Around cells that are too small for a frame inside, it covers no figure, and has four sides in the last column, too.
void TestExpertMap::f26AFrameCoversNoFigure() {
    constexpr int kColumns = 13;
    Shown shown;
    QFont font;
    font.setPixelSize(10);
    font.setStyleStrategy(QFont::NoAntialias);
    shown.item->setProperty("font", font);
    shown.item->setProperty("frameColor", QColor(Qt::green));
    shown.item->setProperty("markColor", QColor(Qt::blue));
    GridContent route{.kind = ExpertGrid::Weights, .expertsOfLayer = std::vector<int64_t>(3, kColumns), .most = 0.5};
    route.values.assign(3 * kColumns, 0.44);
    route.values[kColumns + kColumns - 1] = 0.5; // the strongest of layer 1 is in the last column
    shown.grid.setContent(route);
    const MapPlaces places = shown.item->places();
    QVERIFY(places.cellHeight < 24);
    const QImage plain = shown.item->picture();
    const QColor fill = cellColour(shown.grid, 0.44, false), strong = cellColour(shown.grid, 0.5, false);
    const auto select = [&](int layer, int expert) {
        shown.item->setProperty("selectedLayer", layer);
        shown.item->setProperty("selectedExpert", expert);
    };
    for (const auto& frame : {ExpertMapItem::Row, ExpertMapItem::Cell, ExpertMapItem::Nothing}) {
        shown.item->setProperty("framed", frame);
        if (frame == ExpertMapItem::Nothing) select(1, kColumns - 1);
        const QImage framed = shown.item->picture();
        int ink = 0, changed = 0;
        for (int layer = 0; layer < 3; ++layer)
            for (int expert = 0; expert < kColumns; ++expert) {
                const QRect cell = places.cell(layer, expert).adjusted(1, 1, -2, -2).toRect();
                for (int y = cell.top(); y <= cell.bottom(); ++y)
                    for (int x = cell.left(); x <= cell.right(); ++x) {
                        const QColor was = plain.pixelColor(x, y);
                        if (was == fill || was == strong) continue;
                        ++ink;
                        changed += framed.pixelColor(x, y) != was ? 1 : 0;
                    }
            }
        QVERIFY(ink > 100);
        QCOMPARE(changed, 0);
        const QColor colour = frame == ExpertMapItem::Nothing ? Qt::blue : Qt::green;
        const QRectF right(places.cells(240).right(), places.cell(1, 0).top(), 4, places.cellHeight);
        QVERIFY(pixelsOf(framed, right, colour) > 10);
    }
}

/// Its frame has the colour of marks and that of the ground, of which one differs from every colour of a cell.
void TestExpertMap::aChosenCellIsSeenOnEveryColour() {
    for (const double value : {0.0, 1.0}) {
        const Coloured shown(value);
        shown.item->setProperty("selectedLayer", 2);
        shown.item->setProperty("selectedExpert", 4);
        const QImage image = shown.item->picture();
        const QRectF cell = shown.item->places().cell(2, 4).adjusted(2, 2, -4, -4); // without the gaps beside it
        QVERIFY(pixelsOf(image, cell, Qt::blue) > 20);
        QVERIFY(pixelsOf(image, cell, Qt::white) > 20);
        QCOMPARE(pixelsOf(image, shown.item->places().cell(2, 3).adjusted(2, 2, -2, -2), Qt::blue), 0);
    }
}

void TestExpertMap::zoomKeepsTheCellUnderThePointer() {
    Shown shown;
    GridContent wide{.kind = ExpertGrid::Counts, .expertsOfLayer = std::vector<int64_t>(4, 256), .most = 1};
    wide.values.assign(4 * 256, 1);
    shown.grid.setContent(wide);
    QVERIFY(shown.item->zoomable());
    const MapPlaces before = shown.item->places();
    QVERIFY(before.cellWidth < 1);
    shown.item->setZoom(8);
    const MapPlaces places = shown.item->places();
    QCOMPARE(places.cellWidth, before.cellWidth * 8);
    // The column in the middle of the item is still there.
    const qreal middle = 120 - places.left;
    QVERIFY(qAbs((places.x + middle) / places.cellWidth - middle / before.cellWidth) < 0.01);
    shown.item->setZoom(100000);
    QCOMPARE(shown.item->places().cellWidth, 32.0);
    shown.item->setZoom(0.1);
    QCOMPARE(shown.item->zoom(), 1.0);
    QCOMPARE(shown.item->places().x, 0.0);
}

void TestExpertMap::theTableIsTheGrid() {
    ExpertGrid grid;
    ExpertTable table;
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setGrid(&grid);
    grid.setContent(content(ExpertGrid::Counts));
    QCOMPARE(table.count(), 0); // it is not read while it is disabled
    table.setProperty("enabled", true);
    QCOMPARE(table.count(), 16); // the first value is 0
    const auto at = [&](int row, int role) { return table.data(table.index(row), role); };
    const auto isTheGrid = [&] {
        for (int row = 0; row < table.count(); ++row) {
            const int layer = at(row, ExpertTable::LayerNumberRole).toInt(),
                      expert = at(row, ExpertTable::ExpertNumberRole).toInt();
            if (at(row, ExpertTable::ValueRole) != grid.valueText(layer, expert)) return false;
            if (at(row, ExpertTable::TextRole) != grid.cellText(layer, expert)) return false;
        }
        return true;
    };
    QVERIFY(isTheGrid());
    QCOMPARE(at(0, ExpertTable::LayerNumberRole).toInt(), 1);
    QCOMPARE(at(0, ExpertTable::ExpertNumberRole).toInt(), 0);
    table.setProperty("strongestFirst", true);
    QCOMPARE(at(0, ExpertTable::LayerNumberRole).toInt(), 2);
    QCOMPARE(at(0, ExpertTable::ExpertNumberRole).toInt(), 7);
    QVERIFY(isTheGrid());
    grid.setContent(content(ExpertGrid::Difference)); // both signs are strong
    QCOMPARE(table.count(), 15);                      // nothing differs in a dense layer
    QCOMPARE(at(0, ExpertTable::ExpertNumberRole).toInt(), 7);
    QCOMPARE(at(1, ExpertTable::ExpertNumberRole).toInt(), 0);
    QCOMPARE(at(2, ExpertTable::ExpertNumberRole).toInt(), 6);
    QVERIFY(isTheGrid());
    grid.setContent(content(ExpertGrid::Places));
    QCOMPARE(table.count(), 17); // each expert has a place
    grid.setContent({});
    QCOMPARE(table.count(), 0);
}

void TestExpertMap::theLegendShowsTheScale() {
    ScaleItem scale;
    scale.setSize({101, 4});
    QImage image(101, 4, QImage::Format_RGB32);
    for (const bool dark : {false, true}) {
        scale.setProperty("dark", dark);
        for (const bool difference : {false, true}) {
            scale.setProperty("difference", difference);
            QPainter painter(&image);
            scale.paint(&painter);
            for (const int x : {0, 25, 50, 100})
                QCOMPARE(image.pixel(x, 2), difference ? differenceColour(x / 50.0 - 1, dark)
                                                       : mappedColour(ColourMap::Heat, x / 100.0, dark));
        }
    }
}

/// A strip of these words from position 10 on; the second one has a measure.
TokenStrip stripOf(const QStringList& words) {
    TokenStrip strip;
    for (const QString& each : words)
        strip.tokens.push_back({.position = 10 + static_cast<int>(strip.tokens.size()), .words = each});
    strip.tokens.at(1).share = 1;
    strip.tokens.at(1).value = QStringLiteral("93 %");
    return strip;
}

void TestExpertMap::theStripIsItsTokens() {
    TokenStripItem item;
    item.setSize({100, 200});
    item.setProperty("padding", 4);
    item.setProperty("textColor", QColor(Qt::black));
    item.setProperty("lineColor", QColor(Qt::gray));
    item.setStrip(stripOf({"one", " two", " \n\n", "", "a word that is far longer than the whole item is wide"}));
    item.setPosition(11);
    QCOMPARE(item.currentText(), QStringLiteral("two, 93 %"));
    QCOMPARE(TokenStripItem::shownWords(" \n\n"), QStringLiteral("\u21b5"));
    QCOMPARE(TokenStripItem::shownWords("  "), QStringLiteral("\u2423"));
    QCOMPARE(TokenStripItem::shownWords(""), QStringLiteral("no text"));
    for (int i = 0; i < 5; ++i) {
        QVERIFY(QRectF(0, 0, 100, item.implicitHeight()).contains(item.cell(i)));
        for (int other = 0; other < i; ++other) QVERIFY(!item.cell(i).intersects(item.cell(other)));
    }
    QCOMPARE(item.cell(0).top(), item.cell(1).top());
    QCOMPARE(item.cell(4).left(), 0); // a line of its own
    QVERIFY(item.cell(4).top() > item.cell(3).top());

    QImage image(100, 200, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    item.paint(&painter);
    const auto ground = [&](int index) {
        return image.pixelColor((item.cell(index).topLeft() + QPointF(3, 3)).toPoint());
    };
    const auto frame = [&](int index) {
        return image.pixelColor(QPoint(int(item.cell(index).left()), int(item.cell(index).center().y())));
    };
    QCOMPARE(ground(0), QColor(Qt::white));
    QCOMPARE(ground(1), QColor(mappedColour(ColourMap::Heat, 0.35, false))); // words can be read on it
    QCOMPARE(frame(0), QColor(Qt::gray));
    QCOMPARE(frame(1), QColor(Qt::black)); // the current one
    item.setPosition(99);                  // elsewhere in the answer
    QCOMPARE(item.currentText(), QString());
    item.setStrip({});
    QCOMPARE(item.implicitHeight(), 0);
}

void TestExpertMap::n18TheStripSaysWhatItShows() {
    TokenStripItem item;
    item.setSize({200, 100});
    item.setProperty("padding", 4);
    item.setProperty("textColor", QColor(Qt::red));
    item.setProperty("quietColor", QColor(Qt::blue));
    item.setProperty("lineColor", QColor(Qt::gray));
    QFont font;
    font.setPixelSize(12);
    font.setStyleStrategy(QFont::NoAntialias);
    item.setProperty("font", font);
    TokenStrip strip = stripOf({"one", "two", "<end>"});
    strip.from = 30;
    strip.all = 111;
    item.setStrip(strip);
    QCOMPARE(item.rangeText(), QStringLiteral("Tokens 31 to 33 of 111"));
    strip.tokens.at(1).share = 0;
    strip.tokens.at(0).thought = true;
    strip.tokens.at(2).marker = true;
    item.setStrip(strip);
    QVERIFY(item.rangeText().contains("thoughts are underlined"));
    item.setPosition(10);
    QVERIFY(item.currentText().contains("(thought)"));
    QImage image(200, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    item.paint(&painter);
    // The words of the answer are in the colour of texts; those of a thought and a name are not.
    const auto words = [&](int index, const QColor& colour) {
        return pixelsOf(image, item.cell(index).adjusted(2, 2, -2, -2), colour) > 10;
    };
    QVERIFY(words(1, Qt::red) && !words(1, Qt::blue));
    for (const int quiet : {0, 2}) QVERIFY(words(quiet, Qt::blue) && !words(quiet, Qt::red));
    strip.from = 0;
    strip.all = 3;
    item.setStrip(strip);
    QVERIFY(item.rangeText().startsWith("All 3 token"));
    item.setStrip({});
    QVERIFY(item.rangeText().isEmpty());
}

void TestExpertMap::theStripIsUsedByKeyAndPointer() {
    QQuickWindow window;
    TokenStripItem item(window.contentItem());
    item.setSize({200, 100});
    item.setProperty("padding", 4);
    item.setStrip(stripOf({"one", "two", "three"}));
    item.setPosition(11);
    window.resize(200, 100);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, coterie::kPatienceMs));
    const QSignalSpy chosen(&item, &TokenStripItem::chosen);
    QTest::mouseClick(&window, Qt::LeftButton, {}, item.cell(2).center().toPoint());
    QVERIFY(item.hasActiveFocus());
    QTest::mouseClick(&window, Qt::LeftButton, {}, {190, 90}); // beside the cells
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_Up})
        QTest::keyClick(&window, key);
    QList<int> positions;
    for (const QList<QVariant>& each : chosen) positions.append(each.at(0).toInt());
    QCOMPARE(positions, (QList<int>{12, 10, 12, 10, 12}));
}

QTEST_MAIN(TestExpertMap)
#include "tst_expert_map.moc"
