// SPDX-License-Identifier: Apache-2.0
// See colour_scale.h. The tables are computed in CIELAB: L* rises or falls linearly with the value, and a* and b*
// follow it in two straight pieces, which meet at the anchor in the middle. Formulas: CIE 15 (CIELAB) and IEC 61966-2-1
// (sRGB).
#include "export/colour_scale.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

/// A colour in CIELAB.
struct Lab {
    double l, a, b;
};

constexpr double kWhiteX = 0.95047, kWhiteY = 1, kWhiteZ = 1.08883; // D65, 2 degrees
constexpr double kEpsilon = 216.0 / 24389, kKappa = 24389.0 / 27;   // CIE 15

/// One of the three bytes of a colour: red begins at bit 16, green at 8, blue at 0.
int part(uint32_t colour, int firstBit) { return static_cast<int>(colour >> firstBit & 0xff); }

double linear(int channel) {
    const double v = channel / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

uint32_t channel(double linearValue) {
    const double v = linearValue <= 0.0031308 ? 12.92 * linearValue : 1.055 * std::pow(linearValue, 1 / 2.4) - 0.055;
    return static_cast<uint32_t>(std::lround(std::clamp(v, 0.0, 1.0) * 255));
}

double compressed(double t) { return t > kEpsilon ? std::cbrt(t) : (kKappa * t + 16) / 116; }
double expanded(double f) { return f * f * f > kEpsilon ? f * f * f : (116 * f - 16) / kKappa; }

Lab toLab(uint32_t colour) {
    const double r = linear(part(colour, 16)), g = linear(part(colour, 8)), b = linear(part(colour, 0));
    const double x = compressed((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / kWhiteX);
    const double y = compressed((0.2126729 * r + 0.7151522 * g + 0.0721750 * b) / kWhiteY);
    const double z = compressed((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / kWhiteZ);
    return {.l = 116 * y - 16, .a = 500 * (x - y), .b = 200 * (y - z)};
}

uint32_t toRgb(const Lab& lab) {
    const double fy = (lab.l + 16) / 116;
    const double x = kWhiteX * expanded(fy + lab.a / 500), y = kWhiteY * expanded(fy),
                 z = kWhiteZ * expanded(fy - lab.b / 200);
    return 0xff000000 | channel(3.2404542 * x - 1.5371385 * y - 0.4985314 * z) << 16 |
           channel(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z) << 8 |
           channel(0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
}

Lab between(const Lab& from, const Lab& to, double l) {
    const double t = (l - from.l) / (to.l - from.l);
    return {.l = l, .a = from.a + t * (to.a - from.a), .b = from.b + t * (to.b - from.b)};
}

ColourTable tableOf(const MapAnchors& anchors) {
    const Lab first = toLab(anchors.first), through = toLab(anchors.through), last = toLab(anchors.last);
    ColourTable table{};
    for (int i = 0; i < kMapSteps; ++i) {
        const double l = first.l + (last.l - first.l) * i / (kMapSteps - 1);
        const bool before = std::abs(l - first.l) <= std::abs(through.l - first.l);
        table[static_cast<size_t>(i)] = toRgb(before ? between(first, through, l) : between(through, last, l));
    }
    return table;
}

ColourTable tableOf(uint32_t firstColour, uint32_t lastColour) {
    const Lab first = toLab(firstColour), last = toLab(lastColour);
    ColourTable table{};
    for (int i = 0; i < kMapSteps; ++i)
        table[static_cast<size_t>(i)] = toRgb(between(first, last, first.l + (last.l - first.l) * i / (kMapSteps - 1)));
    return table;
}

/// The half of the scale of differences on this side of the ground.
const ColourTable& differenceTable(bool negative, bool dark) {
    const auto half = [](ColourMap map, bool isDark) {
        return tableOf(mapAnchors(ColourMap::Heat, isDark).first, mapAnchors(map, isDark).through);
    };
    static const std::array<ColourTable, 4> tables{half(ColourMap::Heat, false), half(ColourMap::Heat, true),
                                                   half(ColourMap::Presence, false), half(ColourMap::Presence, true)};
    return tables[(negative ? 2U : 0U) + (dark ? 1U : 0U)];
}

size_t entryOf(double value) {
    const double at = std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0;
    return static_cast<size_t>(std::lround(at * (kMapSteps - 1)));
}

} // namespace

MapAnchors mapAnchors(ColourMap map, bool dark) {
    // The first two of each are colours of the themes; the last one goes on in the same hue, deeper or brighter.
    if (map == ColourMap::Heat)
        return dark ? MapAnchors{0xff1b1a18, 0xfff08a4b, 0xffffe9da} : MapAnchors{0xfffaf9f7, 0xffb0501a, 0xff4a2008};
    return dark ? MapAnchors{0xff37352f, 0xff62b5c5, 0xffdcf2f6} : MapAnchors{0xffe6e3dd, 0xff2b7483, 0xff10343c};
}

const ColourTable& colourTable(ColourMap map, bool dark) {
    using enum ColourMap;
    static const std::array<ColourTable, 4> tables{tableOf(mapAnchors(Heat, false)), tableOf(mapAnchors(Heat, true)),
                                                   tableOf(mapAnchors(Presence, false)),
                                                   tableOf(mapAnchors(Presence, true))};
    return tables[(map == Presence ? 2U : 0U) + (dark ? 1U : 0U)];
}

uint32_t mappedColour(ColourMap map, double value, bool dark) { return colourTable(map, dark)[entryOf(value)]; }

uint32_t differenceColour(double value, bool dark) {
    return differenceTable(value < 0, dark)[entryOf(std::abs(value))];
}

double lightness(uint32_t colour) { return toLab(colour).l; }

} // namespace coterie::app
