// SPDX-License-Identifier: Apache-2.0
// The colour scales, as tables: heat (how much something is used) runs from the ground through ember, and presence (how
// much of something is there) from the grey of lines through water. A third one shows differences: it runs from water
// over the ground to ember. The lightness L* of CIELAB changes evenly along each scale (from the middle of the third
// one to either end), so that equal steps look equal, also to people who see colours differently. Each scale has a
// light and a dark variant, whose anchors are the colours of the themes in ui/Style/Style.qml. No Qt: the window and
// coterie-cli both use it. Thread-safe.
#pragma once

#include <array>
#include <cstdint>

namespace coterie::app {

inline constexpr int kMapSteps = 256;
using ColourTable = std::array<uint32_t, kMapSteps>; ///< 0xffRRGGBB, as Qt's QRgb has it

enum class ColourMap { Heat, Presence };

/// A scale's first colour, the one that it runs through, and its last.
struct MapAnchors {
    uint32_t first, through, last;
};
MapAnchors mapAnchors(ColourMap map, bool dark);

/// Entry i is the colour of the value i / (kMapSteps - 1).
const ColourTable& colourTable(ColourMap map, bool dark);

/// Returns the colour of a value; values below 0 and above 1 get the colour of the nearest end.
uint32_t mappedColour(ColourMap map, double value, bool dark);

/// Returns the colour of a difference from -1 (water) over 0 (the ground) to 1 (ember). The ends are the themes'
/// colours themselves, which are farther apart than the ends of the two scales. Values outside get the nearest end.
uint32_t differenceColour(double value, bool dark);

/// The lightness of CIELAB, from 0 to 100, under the white point D65.
double lightness(uint32_t colour);

} // namespace coterie::app
