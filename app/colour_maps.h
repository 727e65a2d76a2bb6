// SPDX-License-Identifier: Apache-2.0
// The two colour scales of the window, as tables: heat (how much something is used) runs from the ground through ember,
// and presence (how much of something is there) from the grey of lines through water. A third one shows differences: it
// runs from water over the ground to ember. The lightness L* of CIELAB changes evenly along each scale (from the middle
// of the third one to either end), so that equal steps look equal, also to people who see colours differently. Each
// scale has a light and a dark variant, whose anchors are the colours of the themes in ui/Style/Style.qml. Thread-safe.
#pragma once

#include <QColor>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <array>

namespace coterie::app {

inline constexpr int kMapSteps = 256;
using ColourTable = std::array<QRgb, kMapSteps>;

enum class ColourMap { Heat, Presence };

/// A scale's first colour, the one that it runs through, and its last.
struct MapAnchors {
    QRgb first, through, last;
};
MapAnchors mapAnchors(ColourMap map, bool dark);

/// Entry i is the colour of the value i / (kMapSteps - 1).
const ColourTable& colourTable(ColourMap map, bool dark);

/// Returns the colour of a value; values below 0 and above 1 get the colour of the nearest end.
QRgb mappedColour(ColourMap map, double value, bool dark);

/// Returns the colour of a difference from -1 (water) over 0 (the ground) to 1 (ember). The ends are the themes'
/// colours themselves, which are farther apart than the ends of the two scales. Values outside get the nearest end.
QRgb differenceColour(double value, bool dark);

/// The lightness of CIELAB, from 0 to 100, under the white point D65.
double lightness(QRgb colour);

/// The same for QML.
class ColourMaps : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit ColourMaps(QObject* parent = nullptr) : QObject(parent) {}

    Q_INVOKABLE QColor heat(double value, bool dark) const { return mappedColour(ColourMap::Heat, value, dark); }
    Q_INVOKABLE QColor presence(double value, bool dark) const {
        return mappedColour(ColourMap::Presence, value, dark);
    }
    Q_INVOKABLE QColor difference(double value, bool dark) const { return differenceColour(value, dark); }
};

} // namespace coterie::app
