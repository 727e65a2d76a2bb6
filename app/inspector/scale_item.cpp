// SPDX-License-Identifier: Apache-2.0
// See scale_item.h.
#include "inspector/scale_item.h"

#include "look/colour_maps.h"

#include <QPainter>

#include <cmath>

namespace coterie::app {

ScaleItem::ScaleItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    connect(this, &ScaleItem::lookChanged, this, [this] { update(); });
}

/// One column of colour for each pixel of the item.
void ScaleItem::paint(QPainter* painter) {
    const int columns = static_cast<int>(std::ceil(width()));
    for (int x = 0; x < columns; ++x) {
        const double share = columns > 1 ? x / (columns - 1.0) : 0;
        const QColor colour = difference_ ? QColor(differenceColour(2 * share - 1, dark_))
                                          : QColor(mappedColour(ColourMap::Heat, share, dark_));
        painter->fillRect(QRectF(x, 0, 1, height()), colour);
    }
}

} // namespace coterie::app
