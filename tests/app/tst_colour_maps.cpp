// SPDX-License-Identifier: Apache-2.0
// The two colour scales: their anchors, and that equal steps of the value are equal steps of lightness.
#include "colour_maps.h"

#include <QtTest>

#include <cmath>

using namespace coterie::app;

class TestColourMaps : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void tables_data();
    void tables();
    void lightnessIsThatOfCie();
    void anchorsAreTheThemes_data();
    void anchorsAreTheThemes();
    void valuesOutsideGetTheEnds();
};

void TestColourMaps::tables_data() {
    QTest::addColumn<int>("map");
    QTest::addColumn<bool>("dark");
    for (const bool dark : {false, true}) {
        const char* const theme = dark ? "dark" : "light";
        QTest::addRow("heat, %s", theme) << static_cast<int>(ColourMap::Heat) << dark;
        QTest::addRow("presence, %s", theme) << static_cast<int>(ColourMap::Presence) << dark;
    }
}

void TestColourMaps::tables() {
    QFETCH(int, map);
    QFETCH(bool, dark);
    const ColourTable& table = colourTable(static_cast<ColourMap>(map), dark);
    const double first = lightness(table.front()), last = lightness(table.back());
    QVERIFY2(std::abs(last - first) > 40, "the scale has too little contrast");
    QCOMPARE(last > first, dark); // more is darker on light ground, and lighter on dark ground
    // A channel has 8 bits: rounding moves L* by less than half a step of the lightest channel, 0.36 at most.
    constexpr double kRounding = 0.36;
    for (int i = 0; i < kMapSteps; ++i) {
        const double wanted = first + (last - first) * i / (kMapSteps - 1);
        const double is = lightness(table[static_cast<size_t>(i)]);
        QVERIFY2(std::abs(is - wanted) < kRounding,
                 qPrintable(QStringLiteral("entry %1: L* is %2 and should be %3").arg(i).arg(is).arg(wanted)));
    }
    constexpr int kStride = 4; // coarser than rounding
    for (size_t i = kStride; i < kMapSteps; i += kStride)
        QVERIFY((lightness(table[i]) > lightness(table[i - kStride])) == dark);
}

void TestColourMaps::lightnessIsThatOfCie() {
    QCOMPARE(std::round(lightness(0xff000000) * 100), 0.0);
    QCOMPARE(std::round(lightness(0xffffffff) * 100), 10000.0);
    QCOMPARE(std::round(lightness(0xff777777) * 100), 5003.0); // the grey that is half as light as white
    QCOMPARE(std::round(lightness(0xffff0000) * 100), 5324.0);
}

void TestColourMaps::anchorsAreTheThemes_data() {
    QTest::addColumn<int>("map");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QColor>("first");
    QTest::addColumn<QColor>("through");
    const int heat = static_cast<int>(ColourMap::Heat), presence = static_cast<int>(ColourMap::Presence);
    QTest::newRow("ground to ember") << heat << false << QColor("#FAF9F7") << QColor("#B0501A");
    QTest::newRow("ground to ember, dark") << heat << true << QColor("#1B1A18") << QColor("#F08A4B");
    QTest::newRow("line to water") << presence << false << QColor("#E6E3DD") << QColor("#2B7483");
    QTest::newRow("line to water, dark") << presence << true << QColor("#37352F") << QColor("#62B5C5");
}

void TestColourMaps::anchorsAreTheThemes() {
    QFETCH(int, map);
    QFETCH(bool, dark);
    QFETCH(QColor, first);
    QFETCH(QColor, through);
    const auto chosen = static_cast<ColourMap>(map);
    QCOMPARE(QColor(mappedColour(chosen, 0, dark)), first);
    // The scale runs through the second colour at its lightness; the nearest entry differs by less than one step.
    const double from = lightness(colourTable(chosen, dark).front()), to = lightness(colourTable(chosen, dark).back());
    const QColor met(mappedColour(chosen, (lightness(through.rgb()) - from) / (to - from), dark));
    for (const int difference : {met.red() - through.red(), met.green() - through.green(), met.blue() - through.blue()})
        QVERIFY2(std::abs(difference) <= 2, qPrintable(met.name()));
}

void TestColourMaps::valuesOutsideGetTheEnds() {
    QCOMPARE(mappedColour(ColourMap::Heat, -1, false), mappedColour(ColourMap::Heat, 0, false));
    QCOMPARE(mappedColour(ColourMap::Heat, 7, false), mappedColour(ColourMap::Heat, 1, false));
    QCOMPARE(mappedColour(ColourMap::Heat, std::nan(""), false), mappedColour(ColourMap::Heat, 0, false));
}

QTEST_GUILESS_MAIN(TestColourMaps)
#include "tst_colour_maps.moc"
