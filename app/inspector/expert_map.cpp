// SPDX-License-Identifier: Apache-2.0
// See expert_map.h.
#include "inspector/expert_map.h"

#include "inspector/cell_flash.h"
#include "look/colour_maps.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace coterie::app {
namespace {

constexpr qreal kGapFrom = 6;        // cells that are this large have a gap of one pixel between them
constexpr double kLeastFigure = 0.7; // size of the smallest figures, as a share of the font: 8 pixels of 11
constexpr qreal kThickFrom = 12;     // cells that are this large have lights of two pixels
constexpr qreal kFramedInside = 24;  // cells that are this large have their frames inside, where no figure is covered
constexpr qreal kBar = 3;            // width of the bar beside a recurrent layer

/// Presence of an expert in memory, as a place on the scale.
double presence(engine::ExpertState place) {
    switch (place) {
    case engine::ExpertState::OnDisk:
        return 0.12; // grey, but not the ground: the expert exists
    case engine::ExpertState::Arriving:
        return 0.4;
    case engine::ExpertState::InMemory:
        return 0.7;
    case engine::ExpertState::OnDevice:
        return 1;
    }
    return 0;
}

/// Columns or rows of device pixels, from the first to before the last.
struct PixelRange {
    int from = 0, to = 0;
};

/// The device pixels of a map's cells.
struct CellPixels {
    std::vector<PixelRange> columns; ///< [experts of the widest layer]
    std::vector<PixelRange> rows;    ///< [layers]
    int left = 0;                    ///< the first column that cells may have
};

/// Space between cells, in pixels of the item.
qreal gapOf(const MapPlaces& places) { return std::min(places.cellWidth, places.cellHeight) >= kGapFrom ? 1 : 0; }

/// The columns of a cell. The one of a dense layer spans the row.
PixelRange columnsOf(const ExpertGrid& grid, int layer, size_t expert, const CellPixels& cells) {
    if (grid.single(layer)) return {cells.columns.front().from, cells.columns.back().to};
    return cells.columns[expert];
}

/// Returns where the cells are. A cell ends where the next one begins, so that rounding leaves no seam between them.
CellPixels pixelsOf(const ExpertGrid& grid, const MapPlaces& places, const QImage& image) {
    const qreal dpr = image.devicePixelRatio(), gap = gapOf(places);
    CellPixels cells;
    cells.left = std::min(qRound(places.left * dpr), image.width());
    const auto range = [&](qreal from, qreal to, int least, int most) {
        return PixelRange{std::clamp(qRound(from * dpr), least, most),
                          std::clamp(qRound((to - gap) * dpr), least, most)};
    };
    for (int e = 0; e < grid.experts(); ++e)
        cells.columns.push_back(
            range(places.cell(0, e).left(), places.cell(0, e + 1).left(), cells.left, image.width()));
    for (int l = 0; l < places.layers; ++l)
        cells.rows.push_back(range(places.cell(l, 0).top(), places.cell(l + 1, 0).top(), 0, image.height()));
    return cells;
}

void fillPixels(QImage& image, const PixelRange& columns, const PixelRange& rows, QRgb colour) {
    for (int y = rows.from; y < rows.to; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        std::fill(line + columns.from, line + columns.to, colour);
    }
}

/// Writes the cells of a layer into a line of pixels. Neighbours often have the same value, and so one colour.
template <class Value, class Columns, class Colour>
void fillCells(QRgb* line, std::span<const Value> values, const Columns& columnsOf, const Colour& colourOf) {
    QRgb colour = 0;
    for (size_t expert = 0; expert < values.size(); ++expert) {
        if (expert == 0 || values[expert] != values[expert - 1]) colour = colourOf(values[expert]).rgb();
        const PixelRange columns = columnsOf(expert);
        std::fill(line + columns.from, line + columns.to, colour);
    }
}

/// Draws the cells of a layer without their figures. The map changes 15 times a second while the engine needs the
/// processor, so pixels are written as they are: one row of them, which the layer's other rows repeat.
void drawLayer(QImage& image, const ExpertGrid& grid, int layer, const CellPixels& cells, bool dark) {
    const PixelRange& rows = cells.rows[static_cast<size_t>(layer)];
    if (rows.from >= rows.to) return;
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(rows.from));
    const auto columns = [&](size_t expert) { return columnsOf(grid, layer, expert, cells); };
    if (grid.kind() == ExpertGrid::Places)
        fillCells(line, grid.places(layer), columns,
                  [&](uint8_t state) { return placeColour(static_cast<engine::ExpertState>(state), dark); });
    else
        fillCells(line, grid.values(layer), columns, [&](double value) { return cellColour(grid, value, dark); });
    const size_t bytes = static_cast<size_t>(image.width() - cells.left) * sizeof(QRgb);
    for (int y = rows.from + 1; y < rows.to; ++y)
        std::memcpy(reinterpret_cast<QRgb*>(image.scanLine(y)) + cells.left, line + cells.left, bytes);
}

/// Draws a line inside of the edges of a cell.
void outlinePixels(QImage& image, const PixelRange& columns, const PixelRange& rows, int thickness, QRgb colour) {
    fillPixels(image, columns, {rows.from, std::min(rows.from + thickness, rows.to)}, colour);
    fillPixels(image, columns, {std::max(rows.to - thickness, rows.from), rows.to}, colour);
    fillPixels(image, {columns.from, std::min(columns.from + thickness, columns.to)}, rows, colour);
    fillPixels(image, {std::max(columns.to - thickness, columns.from), columns.to}, rows, colour);
}

/// Draws the lights as outlines of the cells, which have one colour each: it is that of the legend, also while tokens
/// come. Dense layers have none: every token uses them.
void drawLights(QImage& image, const ExpertGrid& grid, const CellFlash& flash, const CellPixels& cells,
                const MapLook& look) {
    const qreal dpr = image.devicePixelRatio();
    for (size_t layer = 0; layer < cells.rows.size(); ++layer) {
        if (grid.single(static_cast<int>(layer))) continue;
        const PixelRange& rows = cells.rows[layer];
        for (size_t expert = 0; expert < cells.columns.size(); ++expert) {
            const PixelRange& columns = cells.columns[expert];
            const int l = static_cast<int>(layer), e = static_cast<int>(expert);
            if (flash.level(l, e) <= 0 || rows.from >= rows.to || columns.from >= columns.to) continue;
            const bool large = std::min(columns.to - columns.from, rows.to - rows.from) >= kThickFrom * dpr;
            outlinePixels(image, columns, rows, std::max(1, qRound((large ? 2 : 1) * dpr)),
                          flash.over(image.pixel(columns.from, rows.from), l, e, look));
        }
    }
}

/// Fills the upper right corner of a cell as a triangle.
void drawMark(QImage& image, const PixelRange& columns, const PixelRange& rows, QRgb colour) {
    const int side = std::max(2, std::min(columns.to - columns.from, rows.to - rows.from) / 3);
    for (int y = rows.from; y < std::min(rows.from + side, rows.to); ++y)
        fillPixels(image, {std::max(columns.from, columns.to - side + (y - rows.from)), columns.to}, {y, y + 1},
                   colour);
}

/// Marks the experts of a layer that were waited for.
void drawMarks(QImage& image, const ExpertGrid& grid, int layer, const CellPixels& cells, QRgb colour) {
    const std::span<const uint8_t> waited = grid.waited(layer);
    for (size_t expert = 0; expert < waited.size(); ++expert)
        if (waited[expert] != 0)
            drawMark(image, columnsOf(grid, layer, expert, cells), cells.rows[static_cast<size_t>(layer)], colour);
}

constexpr double kLongestCount = 9900; // "9.9k"
constexpr double kLongestWeight = .88; // a whole weight is "1"

/// Width of the longest figure of the grid, as if it had the widest digits: so either all cells have figures or none.
qreal figureWidth(const ExpertGrid& grid, const QFontMetricsF& metrics) {
    const auto width = [&](double value) {
        QString figure = ExpertGrid::figureOf(grid.kind(), value);
        for (QChar& c : figure)
            if (c.isDigit()) c = QLatin1Char('8');
        return metrics.horizontalAdvance(figure);
    };
    // The longest numbers with a "k" are those below ten thousand.
    const double longest = grid.kind() == ExpertGrid::Weights ? kLongestWeight : kLongestCount;
    return std::max({width(grid.most()), width(-grid.most()), width(std::min(grid.most(), longest))});
}

/// Returns the font in which the widest figure fits into a cell: that of the look, or a smaller one that can still be
/// read. Nothing if there is none.
std::optional<QFont> fittingFont(const ExpertGrid& grid, const MapPlaces& places, const MapLook& look, qreal gap) {
    QFont font = look.font;
    for (int size = font.pixelSize(); size >= kLeastFigure * look.font.pixelSize(); --size) {
        font.setPixelSize(size);
        const QFontMetricsF metrics(font);
        if (places.cellHeight - gap >= metrics.height() && places.cellWidth - gap >= figureWidth(grid, metrics))
            return font;
    }
    return std::nullopt;
}

constexpr double kMiddle = 49.5; // lightness (CIELAB) on which black and white have the same contrast, 4.6

/// Draws figures in black or white, whichever has more contrast with the cell.
void drawFigures(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
                 const QFont& font, qreal gap, qreal width) {
    painter.setFont(font);
    for (int layer = 0; layer < places.layers; ++layer) {
        for (int expert = 0; expert < static_cast<int>(grid.values(layer).size()); ++expert) {
            const QRectF cell = places.cell(layer, expert).adjusted(0, 0, -gap, -gap);
            const QString figure = grid.cellFigure(layer, expert);
            if (figure.isEmpty() || cell.right() < places.left || cell.left() > width) continue;
            const QRgb colour = cellColour(grid, grid.value(layer, expert), look.dark).rgb();
            painter.setPen(lightness(colour) > kMiddle ? Qt::black : Qt::white);
            painter.drawText(cell, Qt::AlignCenter, figure);
        }
    }
}

/// Draws names along a row of places, beginning with those that must be there. A name that would touch one that is
/// there already is left out.
class NamesInARow {
  public:
    explicit NamesInARow(qreal gap) : gap_(gap) {}
    bool take(qreal from, qreal to) {
        for (const auto& [begin, end] : taken_)
            if (from < end + gap_ && to > begin - gap_) return false;
        taken_.emplace_back(from, to);
        return true;
    }

  private:
    std::vector<std::pair<qreal, qreal>> taken_;
    qreal gap_;
};

/// The order in which the numbers 0 to count - 1 get their names: the one under the pointer, the ends, then the
/// multiples of the smallest round step at which names of this size fit between cells of this one.
std::vector<int> namingOrder(int count, int pointed, qreal cell, qreal needed) {
    std::vector<int> order;
    if (pointed >= 0) order.push_back(pointed);
    order.insert(order.end(), {0, count - 1});
    for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
        if (step * cell < needed) continue;
        for (int i = step; i < count; i += step) order.push_back(i);
        break;
    }
    return order;
}

/// Writes into the cells of dense layers what they are.
void drawDenseNames(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
                    const QFont& font, qreal width) {
    painter.setFont(font);
    painter.setPen(look.text);
    for (int layer = 0; layer < places.layers; ++layer)
        if (grid.single(layer))
            painter.drawText(placeOf(grid, places, layer, 0).intersected(places.cells(width)), Qt::AlignCenter,
                             ExpertGrid::tr("dense"));
}

} // namespace

QRectF placeOf(const ExpertGrid& grid, const MapPlaces& places, int layer, int expert) {
    const QRectF cell = places.cell(layer, expert);
    return grid.single(layer) ? cell.united(places.cell(layer, grid.experts() - 1)) : cell;
}

QString numberText(int number) { return QLocale().toString(number); }

void drawBars(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look) {
    for (int layer = 0; layer < places.layers; ++layer)
        if (grid.recurs(layer))
            painter.fillRect(QRectF(places.left - places.bars, places.cell(layer, 0).top(), kBar, places.cellHeight),
                             look.text);
}

void drawNames(QPainter& painter, const MapPlaces& places, const MapLook& look, qreal width, int pointedLayer,
               int pointedExpert) {
    const QFontMetricsF metrics(look.font);
    painter.setFont(look.font);
    painter.setPen(look.text);
    painter.drawText(QPointF(0, metrics.ascent()), ExpertGrid::tr("layer"));
    NamesInARow rows(0);
    for (const int layer : namingOrder(places.layers, pointedLayer, places.cellHeight, metrics.ascent())) {
        const qreal middle = places.cell(layer, 0).center().y();
        if (!rows.take(middle - metrics.ascent() / 2, middle + metrics.ascent() / 2)) continue;
        painter.setPen(layer == pointedLayer ? look.mark : look.text);
        const QRectF room(0, middle - metrics.height() / 2, places.left - places.bars - kNamePad, metrics.height());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, numberText(layer));
    }
    if (places.bottom <= 0) return;
    const QRectF cells = places.cells(width);
    const qreal base = cells.bottom() + metrics.ascent() + kNamePad / 2;
    // The word stands under the numbers: beside one of them, it would move that number away from its column.
    const QRectF below(cells.left(), base + metrics.descent(), cells.width(), metrics.height());
    painter.setPen(look.text);
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop, ExpertGrid::tr("expert"));
    NamesInARow columns(2 * kNamePad);
    const qreal digit = metrics.horizontalAdvance(QLatin1Char('8'));
    const auto widthOf = [digit](int expert) { return digit * static_cast<qreal>(QString::number(expert).size()); };
    const qreal widest = widthOf(places.experts - 1) + 2 * kNamePad;
    for (const int expert : namingOrder(places.experts, pointedExpert, places.cellWidth, widest)) {
        const QRectF cell = places.cell(0, expert);
        if (cell.center().x() < places.left || cell.center().x() > width) continue;
        const qreal needed = widthOf(expert);
        const qreal from = std::min(cell.center().x() - needed / 2, width - needed);
        if (!columns.take(from, from + needed)) continue;
        painter.setPen(expert == pointedExpert ? look.mark : look.text);
        painter.drawText(QPointF(from, base), numberText(expert));
    }
}

bool holdsFrame(qreal size) { return size >= kFramedInside; }

void drawFrame(QPainter& painter, const QRectF& place, qreal thickness, const QColor& colour, const QColor& ground,
               Qt::PenStyle style) {
    painter.setBrush(Qt::NoBrush);
    // It is inside a large cell, and around a small one.
    const bool large = holdsFrame(std::min(place.width(), place.height()));
    const qreal inset = (thickness / 2 + 1) * (large ? 1 : -1);
    const QRectF middle = place.adjusted(inset, inset, -inset - 1, -inset - 1);
    painter.setPen(QPen(ground, thickness + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(middle);
    painter.setPen(QPen(colour, thickness, style, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(middle);
}

void drawCross(QPainter& painter, const MapPlaces& places, const QRectF& cell, const MapLook& look, qreal width) {
    const QRectF all = places.cells(width);
    painter.setPen(QPen(look.mark, 1));
    for (const qreal y : {cell.top() - 1, cell.bottom() - 1})
        painter.drawLine(QPointF(all.left(), y), QPointF(all.right() - 1, y));
    for (const qreal x : {cell.left() - 1, cell.right() - 1})
        painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom() - 1));
}

QImage emptyMap(const MapPlaces& places, const MapLook& look, qreal width, qreal dpr) {
    const QSizeF size(width, places.height());
    const QColor around = places.left <= 0 ? look.ground : look.behind.isValid() ? look.behind : Qt::transparent;
    QImage image((size * dpr).toSize().expandedTo(QSize(1, 1)),
                 around.alpha() == 255 ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(dpr);
    image.fill(around);
    if (places.left > 0) QPainter(&image).fillRect(places.cells(width), look.ground);
    return image;
}

void drawCells(QImage& image, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
               const CellFlash* flash) {
    const CellPixels cells = pixelsOf(grid, places, image);
    for (int layer = 0; layer < places.layers; ++layer) drawLayer(image, grid, layer, cells, look.dark);
    if (flash && !flash->rests()) drawLights(image, grid, *flash, cells, look);
    for (int layer = 0; layer < places.layers; ++layer) drawMarks(image, grid, layer, cells, look.mark.rgb());
}

void drawCellTexts(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
                   qreal width) {
    const qreal gap = gapOf(places);
    const auto font = fittingFont(grid, places, look, gap);
    if (!font) return;
    if (places.left > 0) painter.setClipRect(places.cells(width));
    drawFigures(painter, grid, places, look, *font, gap, width);
    drawDenseNames(painter, grid, places, look, *font, width);
}

QColor cellColour(const ExpertGrid& grid, double value, bool dark) {
    const double most = grid.most();
    if (grid.kind() == ExpertGrid::Difference) return QColor(differenceColour(most > 0 ? value / most : 0, dark));
    // An expert that was not used is a quiet cell, so that the grid can be seen. One that was used with the least
    // weight still differs from it.
    constexpr double unused = 0.06, used = 0.14;
    return QColor(
        mappedColour(ColourMap::Heat, value > 0 && most > 0 ? used + (1 - used) * value / most : unused, dark));
}

QColor placeColour(engine::ExpertState place, bool dark) {
    return QColor(mappedColour(ColourMap::Presence, presence(place), dark));
}

QImage drawMap(const ExpertGrid& grid, const MapPlaces& places, const MapLook& look, qreal width, qreal dpr,
               const CellFlash* flash) {
    QImage image = emptyMap(places, look, width, dpr);
    drawCells(image, grid, places, look, flash);
    QPainter painter(&image);
    drawCellTexts(painter, grid, places, look, width);
    return image;
}

} // namespace coterie::app
