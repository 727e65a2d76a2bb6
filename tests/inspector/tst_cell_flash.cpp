// SPDX-License-Identifier: Apache-2.0
// The light in cells when a token arrives: which cells, how it fades, and when there is none.
#include "inspector/cell_flash.h"
#include "inspector/expert_map_item.h"
#include "support/contrast.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace coterie::app;

namespace {

constexpr int kLayers = 2, kExperts = 4;

/// A token that used expert `token` of each layer, which was there, and the one after it, which was waited for.
GridContent routeOf(int token, ExpertGrid::Kind kind = ExpertGrid::Weights) {
    GridContent content{.kind = kind,
                        .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts),
                        .values = std::vector<double>(kLayers * kExperts),
                        .waited = std::vector<uint8_t>(kLayers * kExperts),
                        .most = 1,
                        .token = token,
                        .hits = std::vector<uint8_t>(kLayers * kExperts)};
    for (int layer = 0; layer < kLayers; ++layer) {
        const auto there = static_cast<size_t>(layer * kExperts + token % kExperts),
                   missing = static_cast<size_t>(layer * kExperts + (token + 1) % kExperts);
        content.values[there] = content.values[missing] = 0.5;
        content.hits[there] = content.waited[missing] = 1;
    }
    return content;
}

} // namespace

class TestCellFlash : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cellsOfATokenLightUpAndFade();
    void anotherTokenLeavesTheOthersFading();
    void lightsNeverHastenTheMap_data();
    void lightsNeverHastenTheMap();
    void aTokenLightsItsCellsOnce();
    void thereIsNoLightWithoutADuration();
    void f10TheLightLeavesTheColourOfTheLegend();
    void figuresAreReadInTheLight_data();
    void figuresAreReadInTheLight();
};

void TestCellFlash::cellsOfATokenLightUpAndFade() {
    ExpertGrid grid;
    CellFlash flash;
    flash.setDuration(180);
    const QSignalSpy changed(&flash, &CellFlash::changed);
    grid.setContent(routeOf(1));
    flash.light(grid);
    QCOMPARE(changed.count(), 1);
    for (int layer = 0; layer < kLayers; ++layer)
        for (int expert = 0; expert < kExperts; ++expert)
            QCOMPARE(flash.level(layer, expert), expert == 1 || expert == 2 ? 1.0 : 0.0);
    double before = 1;
    int steps = 0;
    while (!flash.rests()) {
        flash.step();
        ++steps;
        QVERIFY(flash.level(0, 1) < before);
        before = flash.level(0, 1);
    }
    QCOMPARE(steps, 2); // steps of 132 ms and 66 ms
    QCOMPARE(changed.count(), 3);
    // Without a call of the test: the timer lets it fade, and ends.
    grid.setContent(routeOf(2));
    flash.light(grid);
    QTRY_VERIFY(flash.rests());
    QCOMPARE(changed.count(), 6);
}

void TestCellFlash::anotherTokenLeavesTheOthersFading() {
    ExpertGrid grid;
    CellFlash flash;
    flash.setDuration(330);
    grid.setContent(routeOf(0));
    flash.light(grid);
    flash.step();
    flash.step();
    const double faded = flash.level(0, 0);
    QVERIFY(faded > 0.3 && faded < 0.5);
    grid.setContent(routeOf(1));
    flash.light(grid);
    QVERIFY(flash.level(0, 0) > 0 && flash.level(0, 0) < faded); // it goes on fading
    QCOMPARE(flash.level(0, 1), 1.0);                            // used again
    QCOMPARE(flash.level(0, 2), 1.0);
    for (int token = 4; !flash.rests() && token < 12; ++token) { // no light is kept by tokens that follow each other
        grid.setContent({.kind = ExpertGrid::Weights,
                         .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts),
                         .values = std::vector<double>(kLayers * kExperts),
                         .token = token});
        flash.light(grid);
    }
    QVERIFY(flash.rests());
    QCOMPARE(flash.untilStep(), -1);
}

void TestCellFlash::lightsNeverHastenTheMap_data() {
    QTest::addColumn<int>("every");
    for (const int every : {66, 67, 90, 99, 120, 131, 132, 133, 165, 198, 199, 264, 500, 1000})
        QTest::addRow("a token each %d ms", every) << every;
}

/// Each change of the lights is a picture. With those of the tokens, which come at most every 66 ms while an answer is
/// written, there are at most 15 a second. The time is the test's: no event is handled.
void TestCellFlash::lightsNeverHastenTheMap() {
    QFETCH(int, every);
    ExpertGrid grid;
    CellFlash flash;
    flash.setDuration(180);
    const QSignalSpy changed(&flash, &CellFlash::changed);
    constexpr int kTokens = 40;
    int alone = 0;
    for (int token = 0; token < kTokens; ++token) {
        grid.setContent(routeOf(token));
        flash.light(grid);
        int left = every;
        while (flash.untilStep() >= 0 && flash.untilStep() < left) {
            left -= flash.untilStep();
            flash.step();
            ++alone;
        }
    }
    QCOMPARE(changed.count(), kTokens + alone);
    const double seconds = kTokens * every / 1000.0;
    QVERIFY2(changed.count() <= std::ceil(seconds * 1000 / 66),
             qPrintable(QStringLiteral("%1 pictures in %2 s").arg(changed.count()).arg(seconds)));
    QVERIFY(every < 199 || flash.rests()); // it has faded before the next token
}

void TestCellFlash::aTokenLightsItsCellsOnce() {
    ExpertGrid grid;
    CellFlash flash;
    flash.setDuration(180);
    grid.setContent(routeOf(3, ExpertGrid::Places));
    flash.light(grid);
    while (!flash.rests()) flash.step();
    GridContent later = routeOf(3, ExpertGrid::Places); // an expert has arrived, and no token
    later.places.assign(kLayers * kExperts, 2);
    grid.setContent(later);
    flash.light(grid);
    QVERIFY(flash.rests());
    grid.setContent({.kind = ExpertGrid::Counts,
                     .expertsOfLayer = std::vector<int64_t>(kLayers, kExperts),
                     .values = std::vector<double>(kLayers * kExperts, 7),
                     .most = 7});
    flash.light(grid);
    QVERIFY(flash.rests());
}

void TestCellFlash::thereIsNoLightWithoutADuration() {
    ExpertGrid grid;
    CellFlash flash;
    const QSignalSpy changed(&flash, &CellFlash::changed);
    grid.setContent(routeOf(1));
    flash.light(grid);
    QVERIFY(flash.rests());
    QCOMPARE(changed.count(), 0);
    flash.setDuration(180);
    grid.setContent(routeOf(2));
    flash.light(grid);
    QVERIFY(!flash.rests());
    flash.setDuration(0); // less motion is wanted from now on
    QVERIFY(flash.rests());
    QCOMPARE(flash.level(0, 2), 0.0);
    QCOMPARE(changed.count(), 2);
}

/// The light is an outline: hits and misses have colours of their own, every cell keeps the colour of the legend, and
/// afterwards all is as before.
void TestCellFlash::f10TheLightLeavesTheColourOfTheLegend() {
    ExpertGrid grid;
    ExpertMapItem still, item;
    for (ExpertMapItem* map : {&still, &item}) {
        map->setGrid(&grid);
        map->setProperty("groundColor", QColor(Qt::white));
        map->setProperty("markColor", QColor(Qt::black));
        map->setSize({240, 200});
    }
    item.setFlashMs(180);
    grid.setContent(routeOf(1));
    const auto middle = [](const ExpertMapItem& map, int expert) {
        return map.picture().pixelColor(map.places().cell(0, expert).center().toPoint());
    };
    const auto at = [](const ExpertMapItem& map, int expert) { // at its left edge
        const QRectF cell = map.places().cell(0, expert);
        return map.picture().pixelColor(qRound(cell.left()), qRound(cell.center().y()));
    };
    for (int expert = 0; expert < kExperts; ++expert) QCOMPARE(middle(item, expert), middle(still, expert));
    for (const int expert : {1, 2}) QCOMPARE(middle(item, expert), cellColour(grid, grid.value(0, expert), false));
    for (const int expert : {0, 3}) QCOMPARE(at(item, expert), at(still, expert));
    for (const int expert : {1, 2}) QVERIFY(at(item, expert) != at(still, expert));
    QVERIFY(at(item, 1) != at(item, 2));
    grid.setContent(routeOf(3)); // the cells of a token before fade at their edges, too
    for (int expert = 0; expert < kExperts; ++expert) QCOMPARE(middle(item, expert), middle(still, expert));
    QTRY_COMPARE(at(item, 1), at(still, 1));
    QTRY_COMPARE(item.picture(), still.picture());
}

void TestCellFlash::figuresAreReadInTheLight_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("value");
    for (const bool dark : {false, true})
        for (const double value : {0.05, 0.5, 1.0})
            QTest::addRow("%s, %.2f", dark ? "dark" : "light", value) << dark << value;
}

/// Below a light the figures would be as dark, or as bright, as the light itself.
void TestCellFlash::figuresAreReadInTheLight() {
    QFETCH(bool, dark);
    QFETCH(double, value);
    ExpertGrid grid;
    ExpertMapItem map;
    map.setGrid(&grid);
    map.setProperty("dark", dark);
    map.setProperty("groundColor", QColor(dark ? Qt::black : Qt::white));
    map.setProperty("markColor", QColor(dark ? Qt::white : Qt::black));
    QFont font;
    font.setPixelSize(11);
    font.setStyleStrategy(QFont::NoAntialias);
    map.setProperty("font", font);
    map.setSize({240, 200});
    map.setFlashMs(180);
    GridContent content = routeOf(1);
    for (double& each : content.values) each = each > 0 ? value : 0;
    grid.setContent(content);
    const QImage picture = map.picture();
    for (const int expert : {1, 2}) { // one that was there, and one that was waited for
        const QRect cell = map.places().cell(0, expert).toRect().adjusted(3, 3, -12, -3); // without the corner
        const QColor ground = picture.pixelColor(cell.topLeft());
        double most = 1;
        for (int y = cell.top(); y <= cell.bottom(); ++y)
            for (int x = cell.left(); x <= cell.right(); ++x)
                most = std::max(most, coterie::test::contrast(picture.pixelColor(x, y).rgb(), ground.rgb()));
        QVERIFY2(most >= 4.5, qPrintable(QStringLiteral("expert %1: %2").arg(expert).arg(most)));
    }
}

QTEST_MAIN(TestCellFlash)
#include "tst_cell_flash.moc"
