// SPDX-License-Identifier: Apache-2.0
// Counts the pixels of a colour in a picture, for tests that draw each part in a colour of its own.
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>

namespace coterie::test {

/// Pixels of this colour in a part of a picture, at one pixel for one.
inline int pixelsOf(const QImage& image, const QRectF& part, const QColor& colour) {
    int pixels = 0;
    const QRect area = part.toAlignedRect() & image.rect();
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) pixels += image.pixel(x, y) == colour.rgb() ? 1 : 0;
    return pixels;
}

} // namespace coterie::test
