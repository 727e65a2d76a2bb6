// SPDX-License-Identifier: Apache-2.0
// The chart as it is drawn: bars, boxes, lines and their names.
#include "coloured_pixels.h"
#include "inspector/chart_item.h"

#include <QPainter>
#include <QtTest>

using namespace coterie::app;
using coterie::test::pixelsOf;

namespace {

/// A chart in colours that tell its parts apart.
struct ColouredChart {
    explicit ColouredChart(const ChartData& figures) {
        QFont font;
        font.setPixelSize(11);
        font.setStyleStrategy(QFont::NoAntialias);
        chart.setFont(font);
        chart.setSize({300, 120});
        chart.setMainColor(Qt::red);
        chart.setBaselineColor(Qt::gray);
        chart.setTextColor(Qt::blue);
        chart.setMedianColor(Qt::green);
        chart.setFigures(figures);
        image.fill(Qt::white);
        QPainter painter(&image);
        chart.paint(&painter);
    }
    ChartItem chart;
    QImage image{300, 120, QImage::Format_RGB32};
};

} // namespace

class TestChart : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theChartIsItsFigures();
    void i12LinesAreNamedAtTheirEnds();
    void noNameLiesOnTheUpperLine();
    void i12AMedianIsSeenInItsBox();
};

void TestChart::theChartIsItsFigures() {
    ChartItem chart;
    chart.setSize({200, 120});
    chart.setMainColor(Qt::red);
    chart.setTextColor(Qt::black);
    chart.setLineColor(Qt::gray);
    ChartData bars;
    for (int i = 0; i < 4; ++i) bars.boxes.push_back({.x = double(i), .most = i / 4.0});
    bars.leastX = -0.5;
    bars.mostX = 3.5;
    chart.setFigures(bars);
    QImage image(200, 120, QImage::Format_RGB32);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        chart.paint(&painter);
    }
    const auto at = [&](double x, double y) { return image.pixel(chart.placeOf({x, y}).toPoint()); };
    QCOMPARE(at(3, 0.6), QColor(Qt::red).rgb());
    QCOMPARE(at(3, 0.9), QColor(Qt::white).rgb());
    QCOMPARE(at(1, 0.1), QColor(Qt::red).rgb());
    QCOMPARE(at(1, 0.4), QColor(Qt::white).rgb());
    QCOMPARE(at(0, 0.1), QColor(Qt::white).rgb());
    QVERIFY(chart.valueText().isEmpty()); // neither pointer nor focus
    ChartData none;
    chart.setFigures(none);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        chart.paint(&painter);
    }
    QCOMPARE(image.pixel(100, 60), QColor(Qt::white).rgb());
}

void TestChart::i12LinesAreNamedAtTheirEnds() {
    ChartData figures{
        .lines = {{.name = "a", .label = "chance", .look = ChartLine::Look::Baseline, .points = {{0, 0.1}, {10, 0.9}}},
                  {.name = "b", .label = "model", .look = ChartLine::Look::Main, .points = {{0, 0}, {10, 0.4}}}},
        .mostX = 10,
        .title = "Share",
        .lowerText = "0 %",
        .upperText = "100 %"};
    const ColouredChart named(figures);
    const QRectF plot = named.chart.plot();
    QVERIFY(plot.left() > 20); // the labels of the vertical axis stand there
    QVERIFY(pixelsOf(named.image, {0, 0, 100, plot.top() - 3}, Qt::blue) > 10); // its title
    for (const qreal y : {plot.top(), plot.bottom()})
        QVERIFY(pixelsOf(named.image, {0, y - 10, plot.left() - 2, 20}, Qt::blue) > 5);
    // The names are near the right ends of their lines. Lines are smoothed, so only letters have the whole colour.
    const auto atEnd = [&](const ColouredChart& shown, double y, const QColor& colour) {
        const qreal middle = shown.chart.placeOf({10, y}).y();
        return pixelsOf(shown.image, {plot.right() - 60, middle - 25, 60, 50}, colour);
    };
    QVERIFY(atEnd(named, 0.9, Qt::blue) > 10);
    for (ChartLine& line : figures.lines) line.label.clear();
    const ColouredChart bare(figures);
    QVERIFY(atEnd(named, 0.4, Qt::red) > atEnd(bare, 0.4, Qt::red) + 10);
    QCOMPARE(atEnd(bare, 0.9, Qt::blue), 0);
}

/// The line at 100 % struck through the name of a line that ends a little below it.
void TestChart::noNameLiesOnTheUpperLine() {
    for (int percent = 78; percent <= 100; ++percent) {
        const double share = percent / 100.0;
        const ColouredChart shown(ChartData{.lines = {{.name = "a",
                                                       .label = "chance",
                                                       .look = ChartLine::Look::Baseline,
                                                       .points = {{0, 0}, {10, share}}}},
                                            .mostX = 10,
                                            .title = "Share"});
        const QRectF plot = shown.chart.plot();
        QVERIFY(pixelsOf(shown.image, {plot.right() - 60, 0, 60, 60}, Qt::blue) > 10);
        QCOMPARE(pixelsOf(shown.image, {plot.left(), plot.top() - 1, plot.width(), 2}, Qt::blue), 0);
    }
}

void TestChart::i12AMedianIsSeenInItsBox() {
    ChartData figures{.leastX = -0.5, .mostX = 0.5};
    figures.boxes.push_back(
        {.x = 0, .least = 0.1, .lowerQuartile = 0.2, .median = 0.5, .upperQuartile = 0.8, .most = 0.9});
    const ColouredChart shown(figures);
    const QPoint median = shown.chart.placeOf({0, 0.5}).toPoint();
    QVERIFY(pixelsOf(shown.image, QRectF(median - QPoint(20, 2), QSizeF(40, 4)), Qt::green) > 20);
}

QTEST_MAIN(TestChart)
#include "tst_chart.moc"
