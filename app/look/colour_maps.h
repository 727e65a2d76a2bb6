// SPDX-License-Identifier: Apache-2.0
// The window's colour scales for QML. colour_scale.h has what they mean, and their tables.
#pragma once

#include "export/colour_scale.h"

#include <QColor>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <type_traits>

namespace coterie::app {

static_assert(std::is_same_v<QRgb, uint32_t>, "C++ code passes colours of the scales to Qt as they are");

/// Colours by value.
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
