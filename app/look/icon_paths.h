// SPDX-License-Identifier: Apache-2.0
// The icons that we drew: strokes on a square grid, in the path language of SVG (M, L, H, V, A, C, Z and their
// lower-case forms; arcs are parts of circles).
#pragma once

#include <QPainterPath>
#include <QString>

namespace coterie::app {

inline constexpr int kIconGrid = 24; ///< width and height of the grid

/// Returns the icon's strokes, or an empty path if there is no icon of this name.
QPainterPath iconPath(const QString& name);

/// Reads a path. It ends at the first mistake.
QPainterPath readPath(const QString& description);

} // namespace coterie::app
