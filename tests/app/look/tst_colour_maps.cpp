// SPDX-License-Identifier: Apache-2.0
// The colour scales: their anchors, and that equal steps of the value are equal steps of lightness, also for people who
// see only two kinds of colour. Their view is simulated with Machado, Oliveira, Fernandes, "A Physiologically-based
// Model for Simulation of Color Vision Deficiency", 2009, at severity 1.0.
#include "look/colour_maps.h"

#include <QtTest>

#include <algorithm>
#include <array>
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
    void differencesRunOverTheGround_data();
    void differencesRunOverTheGround();
    void stepsStayEven_data();
    void stepsStayEven();
    void differencesStayApart_data();
    void differencesStayApart();
};

/// Rows of the matrix that a deficiency applies to linear red, green and blue.
using Vision = std::array<std::array<double, 3>, 3>;

struct Deficiency {
    const char* name;
    Vision vision;
};

static const std::array<Deficiency, 3> kDeficiencies{
    {{"protanopia",
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
     {"deuteranopia",
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
     {"tritanopia",
      {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}}};

static double linearOf(int channel) {
    const double v = channel / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

/// CIELAB of the colour as it is seen. All in doubles: rounding to 8 bits would blur the steps.
static std::array<double, 3> seen(QRgb colour, const Vision& vision) {
    const std::array<double, 3> from{linearOf(qRed(colour)), linearOf(qGreen(colour)), linearOf(qBlue(colour))};
    std::array<double, 3> c{};
    for (size_t i = 0; i < 3; ++i)
        c[i] = std::clamp(vision[i][0] * from[0] + vision[i][1] * from[1] + vision[i][2] * from[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047),
                 y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]),
                 z = f((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

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

void TestColourMaps::differencesRunOverTheGround_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestColourMaps::differencesRunOverTheGround() {
    QFETCH(bool, dark);
    const QRgb ground = mapAnchors(ColourMap::Heat, dark).first;
    QCOMPARE(differenceColour(0, dark), ground);
    QCOMPARE(differenceColour(std::nan(""), dark), ground);
    QCOMPARE(differenceColour(1, dark), mapAnchors(ColourMap::Heat, dark).through);
    QCOMPARE(differenceColour(-1, dark), mapAnchors(ColourMap::Presence, dark).through);
    QCOMPARE(differenceColour(-5, dark), differenceColour(-1, dark));
    QCOMPARE(differenceColour(5, dark), differenceColour(1, dark));
    for (const double side : {-1.0, 1.0}) {
        const double last = lightness(differenceColour(side, dark)), first = lightness(ground);
        for (int i = 0; i < kMapSteps; ++i) {
            const double at = static_cast<double>(i) / (kMapSteps - 1);
            QVERIFY(std::abs(lightness(differenceColour(side * at, dark)) - (first + (last - first) * at)) < 0.36);
        }
    }
}

void TestColourMaps::stepsStayEven_data() {
    QTest::addColumn<int>("scale"); // 0: heat, 1: presence, 2 and 3: the halves of the differences
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("deficiency");
    for (int scale = 0; scale < 4; ++scale)
        for (const bool dark : {false, true})
            for (size_t i = 0; i < kDeficiencies.size(); ++i)
                QTest::addRow("%d, %s, %s", scale, dark ? "dark" : "light", kDeficiencies[i].name)
                    << scale << dark << static_cast<int>(i);
}

void TestColourMaps::stepsStayEven() {
    QFETCH(int, scale);
    QFETCH(bool, dark);
    QFETCH(int, deficiency);
    const Vision& vision = kDeficiencies[static_cast<size_t>(deficiency)].vision;
    const auto colour = [&](double at) {
        if (scale >= 2) return differenceColour(scale == 2 ? at : -at, dark);
        return mappedColour(scale == 0 ? ColourMap::Heat : ColourMap::Presence, at, dark);
    };
    constexpr int kSteps = 15; // 17 entries each, far above rounding
    const double first = seen(colour(0), vision)[0], last = seen(colour(1), vision)[0];
    const double mean = (last - first) / kSteps;
    QVERIFY(std::abs(last - first) > 25);
    for (int i = 0; i < kSteps; ++i) {
        const double step = seen(colour((i + 1.0) / kSteps), vision)[0] - seen(colour(i * 1.0 / kSteps), vision)[0];
        QVERIFY2(step / mean > 0.6 && step / mean < 1.4,
                 qPrintable(QStringLiteral("step %1 is %2 of the mean one").arg(i).arg(step / mean)));
    }
}

void TestColourMaps::differencesStayApart_data() { differencesRunOverTheGround_data(); }

void TestColourMaps::differencesStayApart() {
    QFETCH(bool, dark);
    for (const Deficiency& deficiency : kDeficiencies) {
        const auto less = seen(differenceColour(-1, dark), deficiency.vision),
                   more = seen(differenceColour(1, dark), deficiency.vision),
                   halfLess = seen(differenceColour(-0.5, dark), deficiency.vision),
                   halfMore = seen(differenceColour(0.5, dark), deficiency.vision);
        // A distance of 2.3 in CIELAB is just noticeable; 20 is another colour.
        QVERIFY2(distance(less, more) > 40,
                 qPrintable(QStringLiteral("%1: %2").arg(deficiency.name).arg(distance(less, more))));
        QVERIFY2(distance(halfLess, halfMore) > 20,
                 qPrintable(QStringLiteral("%1: %2").arg(deficiency.name).arg(distance(halfLess, halfMore))));
    }
}

QTEST_GUILESS_MAIN(TestColourMaps)
#include "tst_colour_maps.moc"
