// SPDX-License-Identifier: Apache-2.0
// Draws the grid of experts as a picture: rows are layers, columns are experts. A dense layer among others with experts
// is one cell as wide as its row; a recurrent layer has a bar beside its number. Functions without state, for any
// thread that owns what they are given.
#pragma once

#include "experts/expert_store.h"
#include "inspector/expert_grid.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRectF>

#include <algorithm>

class QPainter;

namespace coterie::app {

class CellFlash;

inline constexpr qreal kNamePad = 4; ///< pixels between names and cells, or bars
inline constexpr qreal kBarRoom = 5; ///< pixels that bars take, with their distance from the cells

/// The look of a map. QML binds it to the Style module.
struct MapLook {
    bool dark = false;
    QColor ground{}; ///< behind cells and between them
    QColor text{};   ///< names of rows and columns
    QColor mark{};   ///< frames of cells, and the corners of experts that were waited for
    QColor frame{};  ///< frame of what the first look explains
    QColor behind{}; ///< behind the names; invalid: nothing, so that they lie on whatever the window has there
    QFont font{};

    bool operator==(const MapLook&) const = default;
};

/// The geometry of a map in pixels of the item.
struct MapPlaces {
    qreal cellWidth = 0, cellHeight = 0;
    qreal x = 0; ///< how far the cells are moved to the left
    int layers = 0, experts = 0;
    qreal left = 0, top = 0, bottom = 0; ///< room for names beside the cells, or 0 without names
    qreal bars = 0;                      ///< the part of `left` at the cells that has the bars of recurrent layers

    qreal height() const { return top + layers * cellHeight + bottom; }
    QRectF cell(int layer, int expert) const {
        return {left + expert * cellWidth - x, top + layer * cellHeight, cellWidth, cellHeight};
    }
    /// All cells of a map that is so wide, without those that are moved out of it.
    QRectF cells(qreal width) const {
        return {left, top, std::min(width - left, experts * cellWidth - x), layers * cellHeight};
    }
    bool operator==(const MapPlaces&) const = default;
};

/// Draws the cells in the size of `places`; the room for names has the colour behind them, or is transparent. width: of
/// the picture, in pixels of the item. flash: lights around the cells; may be null.
QImage drawMap(const ExpertGrid& grid, const MapPlaces& places, const MapLook& look, qreal width, qreal dpr,
               const CellFlash* flash = nullptr);
/// Returns the colour of a cell that has this value, without its mark and figure. The grid is none of places.
QColor cellColour(const ExpertGrid& grid, double value, bool dark);
/// Returns the colour of a cell whose expert is in this place.
QColor placeColour(engine::ExpertState place, bool dark);

// The parts of a picture, for an item that draws more into it than the cells.

/// The picture of a map before its cells are drawn.
QImage emptyMap(const MapPlaces& places, const MapLook& look, qreal width, qreal dpr);
void drawCells(QImage& image, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
               const CellFlash* flash);
/// Writes the figures of the cells, over frames that were drawn before.
void drawCellTexts(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
                   qreal width);
/// Draws a bar beside each recurrent layer. Bars of neighbours are one.
void drawBars(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look);
/// Names the layers at the left and the experts below. pointed: their names stand out, -1: none.
void drawNames(QPainter& painter, const MapPlaces& places, const MapLook& look, qreal width, int pointedLayer,
               int pointedExpert);
QString numberText(int number); ///< as names are written
/// Whether a cell of that size has its frame inside.
bool holdsFrame(qreal size);
/// Frames a place in a colour with the ground's at both sides, so that it is seen on every colour of a cell.
void drawFrame(QPainter& painter, const QRectF& place, qreal thickness, const QColor& colour, const QColor& ground,
               Qt::PenStyle style = Qt::SolidLine);
/// Lines along both sides of the row and the column of a cell.
void drawCross(QPainter& painter, const MapPlaces& places, const QRectF& cell, const MapLook& look, qreal width);
/// The place of a cell, which spans the row if the layer is dense among others with experts.
QRectF placeOf(const ExpertGrid& grid, const MapPlaces& places, int layer, int expert);

} // namespace coterie::app
