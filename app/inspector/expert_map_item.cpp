// SPDX-License-Identifier: Apache-2.0
// See expert_map_item.h.
#include "inspector/expert_map_item.h"

#include "look/colour_maps.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QQuickWindow>
#include <QSGImageNode>
#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace coterie::app {
namespace {

constexpr qreal kLeastCell = 4, kMostCell = 32; // heights of cells, in pixels
constexpr qreal kGapFrom = 6;                   // cells that are this large have a gap of one pixel between them
constexpr qreal kZoomStep = 1.25;
constexpr int kPauseMs = 33;         // 30 pictures a second
constexpr double kLeastFigure = 0.7; // size of the smallest figures, as a share of the font: 8 pixels of 11
constexpr qreal kDragged = 4;        // a press that moved farther is no click
constexpr qreal kFramedInside = 24;  // cells that are this large have their frames inside, where no figure is covered
constexpr qreal kFrameRoom = 4;      // pixels that a frame takes outside of what it frames
constexpr qreal kNamePad = 4;        // pixels between names and cells

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
template <class Value, class Colour>
void fillCells(QRgb* line, std::span<const Value> values, const CellPixels& cells, const Colour& colourOf) {
    QRgb colour = 0;
    for (size_t expert = 0; expert < values.size(); ++expert) {
        if (expert == 0 || values[expert] != values[expert - 1]) colour = colourOf(values[expert]).rgb();
        std::fill(line + cells.columns[expert].from, line + cells.columns[expert].to, colour);
    }
}

/// Draws the cells of a layer without their figures. The map changes 15 times a second while the engine needs the
/// processor, so pixels are written as they are: one row of them, which the layer's other rows repeat.
void drawLayer(QImage& image, const ExpertGrid& grid, int layer, const CellPixels& cells, bool dark) {
    const PixelRange& rows = cells.rows[static_cast<size_t>(layer)];
    if (rows.from >= rows.to) return;
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(rows.from));
    if (grid.kind() == ExpertGrid::Places)
        fillCells(line, grid.places(layer), cells,
                  [&](uint8_t state) { return placeColour(static_cast<engine::ExpertState>(state), dark); });
    else
        fillCells(line, grid.values(layer), cells, [&](double value) { return cellColour(grid, value, dark); });
    const size_t bytes = static_cast<size_t>(image.width() - cells.left) * sizeof(QRgb);
    for (int y = rows.from + 1; y < rows.to; ++y)
        std::memcpy(reinterpret_cast<QRgb*>(image.scanLine(y)) + cells.left, line + cells.left, bytes);
}

/// Lays the lights over the cells, which have one colour each.
void drawLights(QImage& image, const CellFlash& flash, const CellPixels& cells, const MapLook& look) {
    for (size_t layer = 0; layer < cells.rows.size(); ++layer) {
        const PixelRange& rows = cells.rows[layer];
        for (size_t expert = 0; expert < cells.columns.size(); ++expert) {
            const PixelRange& columns = cells.columns[expert];
            const int l = static_cast<int>(layer), e = static_cast<int>(expert);
            if (flash.level(l, e) <= 0 || rows.from >= rows.to || columns.from >= columns.to) continue;
            fillPixels(image, columns, rows, flash.over(image.pixel(columns.from, rows.from), l, e, look));
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
        if (waited[expert] != 0) drawMark(image, cells.columns[expert], cells.rows[static_cast<size_t>(layer)], colour);
}

constexpr double kLongestCount = 9900; // "9.9k"

/// Width of the longest figure of the grid, as if it had the widest digits: so either all cells have figures or none.
qreal figureWidth(const ExpertGrid& grid, const QFontMetricsF& metrics) {
    const auto width = [&](double value) {
        QString figure = ExpertGrid::figureOf(grid.kind(), value);
        for (QChar& c : figure)
            if (c.isDigit()) c = QLatin1Char('8');
        return metrics.horizontalAdvance(figure);
    };
    // The longest numbers with a "k" are those below ten thousand.
    return std::max({width(grid.most()), width(-grid.most()), width(std::min(grid.most(), kLongestCount))});
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

/// Draws figures in black or white, whichever has more contrast with the cell and the light in it.
void drawFigures(QPainter& painter, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look,
                 const QFont& font, qreal gap, qreal width, const CellFlash* flash) {
    painter.setFont(font);
    for (int layer = 0; layer < places.layers; ++layer) {
        for (int expert = 0; expert < static_cast<int>(grid.values(layer).size()); ++expert) {
            const QRectF cell = places.cell(layer, expert).adjusted(0, 0, -gap, -gap);
            const QString figure = grid.cellFigure(layer, expert);
            if (figure.isEmpty() || cell.right() < places.left || cell.left() > width) continue;
            QRgb colour = cellColour(grid, grid.value(layer, expert), look.dark).rgb();
            if (flash) colour = flash->over(colour, layer, expert, look);
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

QString numberText(int number) { return QLocale().toString(number); }

/// Names the layers at the left and the experts below. pointed: their names stand out, -1: none.
void drawNames(QPainter& painter, const MapPlaces& places, const MapLook& look, qreal width, int pointedLayer,
               int pointedExpert) {
    const QFontMetricsF metrics(look.font);
    painter.setFont(look.font);
    painter.setPen(look.text);
    painter.drawText(QPointF(0, metrics.ascent()), ExpertMapItem::tr("layer"));
    NamesInARow rows(0);
    for (const int layer : namingOrder(places.layers, pointedLayer, places.cellHeight, metrics.ascent())) {
        const qreal middle = places.cell(layer, 0).center().y();
        if (!rows.take(middle - metrics.ascent() / 2, middle + metrics.ascent() / 2)) continue;
        painter.setPen(layer == pointedLayer ? look.mark : look.text);
        const QRectF room(0, middle - metrics.height() / 2, places.left - kNamePad, metrics.height());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, numberText(layer));
    }
    if (places.bottom <= 0) return;
    const QRectF cells = places.cells(width);
    const qreal base = cells.bottom() + metrics.ascent() + kNamePad / 2;
    // The word stands under the numbers: beside one of them, it would move that number away from its column.
    const QRectF below(cells.left(), base + metrics.descent(), cells.width(), metrics.height());
    painter.setPen(look.text);
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignTop, ExpertMapItem::tr("expert"));
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

/// Frames a place in a colour with the ground's at both sides, so that it is seen on every colour of a cell.
void drawFrame(QPainter& painter, const QRectF& place, qreal thickness, const QColor& colour, const QColor& ground,
               Qt::PenStyle style = Qt::SolidLine) {
    painter.setBrush(Qt::NoBrush);
    // It is inside a large cell, and around a small one.
    const bool large = std::min(place.width(), place.height()) >= kFramedInside;
    const qreal inset = (thickness / 2 + 1) * (large ? 1 : -1);
    const QRectF middle = place.adjusted(inset, inset, -inset - 1, -inset - 1);
    painter.setPen(QPen(ground, thickness + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(middle);
    painter.setPen(QPen(colour, thickness, style, Qt::FlatCap, Qt::MiterJoin));
    painter.drawRect(middle);
}

/// Lines along both sides of the row and the column of a cell.
void drawCross(QPainter& painter, const MapPlaces& places, const QRectF& cell, const MapLook& look, qreal width) {
    const QRectF all = places.cells(width);
    painter.setPen(QPen(look.mark, 1));
    for (const qreal y : {cell.top() - 1, cell.bottom() - 1})
        painter.drawLine(QPointF(all.left(), y), QPointF(all.right() - 1, y));
    for (const qreal x : {cell.left() - 1, cell.right() - 1})
        painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom() - 1));
}

/// The picture of a map before its cells are drawn.
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

void drawCells(QImage& image, const ExpertGrid& grid, const MapPlaces& places, const MapLook& look, qreal width,
               const CellFlash* flash) {
    const CellPixels cells = pixelsOf(grid, places, image);
    for (int layer = 0; layer < places.layers; ++layer) drawLayer(image, grid, layer, cells, look.dark);
    if (flash && !flash->rests()) drawLights(image, *flash, cells, look);
    for (int layer = 0; layer < places.layers; ++layer) drawMarks(image, grid, layer, cells, look.mark.rgb());
    const qreal gap = gapOf(places);
    const auto font = fittingFont(grid, places, look, gap);
    if (!font) return;
    QPainter painter(&image);
    if (places.left > 0) painter.setClipRect(places.cells(width));
    drawFigures(painter, grid, places, look, *font, gap, width, flash);
}

QString notSaved() { return ExpertMapItem::tr("The picture was not saved"); }

} // namespace

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
    drawCells(image, grid, places, look, width, flash);
    return image;
}

ErrorInfo saveImage(const QImage& image, const QUrl& file) {
    if (const ErrorInfo unnamed = noFileNamed(file, notSaved()); unnamed.valid()) return unnamed;
    QSaveFile out(file.toLocalFile());
    if (!out.open(QIODevice::WriteOnly) || !image.save(&out, "PNG") || !out.commit())
        return {notSaved(), out.errorString(), ExpertMapItem::tr("Choose another place, or make room")};
    return {};
}

ExpertMapItem::ExpertMapItem(QQuickItem* parent) : QQuickItem(parent) {
    setFlag(ItemHasContents);
    setAcceptHoverEvents(true);
    setAcceptedMouseButtons(Qt::LeftButton);
    setActiveFocusOnTab(true);
    setClip(true);
    connect(&flash_, &CellFlash::changed, this, &ExpertMapItem::redraw);
    pause_.setSingleShot(true);
    pause_.setInterval(kPauseMs);
    connect(&pause_, &QTimer::timeout, this, [this] {
        if (stale_) update();
    });
}

void ExpertMapItem::setGrid(ExpertGrid* grid) {
    if (grid == grid_) return;
    if (grid_) grid_->disconnect(this);
    grid_ = grid;
    if (grid_) {
        connect(grid_, &ExpertGrid::shapeChanged, this, &ExpertMapItem::onShape);
        connect(grid_, &ExpertGrid::changed, this, &ExpertMapItem::onContent);
    }
    onShape();
    Q_EMIT gridChanged();
}

void ExpertMapItem::onShape() {
    flash_.clear();
    zoom_ = 1;
    pan_ = 0;
    const Place none;
    hover(none);
    if (cursor_ != none) {
        cursor_ = none;
        Q_EMIT cursorChanged();
    }
    measureNames();
    updateHeight();
    redraw();
    Q_EMIT placesChanged();
    Q_EMIT cellTextChanged();
}

/// Measures names when they change, because places() is called for every picture.
void ExpertMapItem::measureNames() {
    const QFontMetricsF metrics(look_.font);
    nameHeight_ = std::ceil(metrics.height());
    nameWidth_ = grid_ ? std::ceil(metrics.horizontalAdvance(numberText(grid_->layers() - 1))) : 0;
}

void ExpertMapItem::updateHeight() { setImplicitHeight(std::ceil(places().height())); }

void ExpertMapItem::setFont(const QFont& font) {
    if (font == look_.font) return;
    setLook(look_.font, font);
    measureNames();
    updateHeight(); // the names need other room
    Q_EMIT placesChanged();
}

void ExpertMapItem::setFlashMs(int ms) {
    if (ms == flashMs()) return;
    flash_.setDuration(ms);
    Q_EMIT lookChanged();
}

void ExpertMapItem::onContent() {
    flash_.light(*grid_);
    redraw();
    if (hovered_.layer >= 0 || hasActiveFocus()) Q_EMIT cellTextChanged();
}

/// Pictures are drawn at most 30 times a second; the last change is never lost.
void ExpertMapItem::redraw() {
    stale_ = true;
    if (!pause_.isActive()) update();
}

MapPlaces ExpertMapItem::places() const {
    MapPlaces places;
    if (!grid_ || grid_->layers() == 0 || grid_->experts() == 0 || width() <= 0) return places;
    places.layers = grid_->layers();
    places.experts = grid_->experts();
    places.left = nameWidth_ + kNamePad;
    places.top = nameHeight_;
    places.bottom = grid_->dense() ? 0 : 2 * nameHeight_ + kNamePad / 2;
    const qreal room = std::max(1.0, width() - places.left);
    // A model without experts has one column, which should not fill the whole width.
    const qreal fitting = std::min(room / places.experts, grid_->dense() ? room : 2 * kMostCell);
    places.cellWidth = fitting * zoom_;
    places.cellHeight = std::clamp(places.cellWidth, kLeastCell, grid_->dense() ? kLeastCell * 4 : kMostCell);
    places.x = pan_;
    return places;
}

bool ExpertMapItem::zoomable() const {
    const MapPlaces now = places();
    return now.experts > 1 && (zoom_ > 1 || now.cellWidth < kMostCell);
}

void ExpertMapItem::setZoom(qreal zoom) { zoomAround(zoom, width() / 2); }

/// Zooms so that the cell at this x stays there.
void ExpertMapItem::zoomAround(qreal zoom, qreal x) {
    const MapPlaces before = places();
    if (before.experts == 0) return;
    const qreal most = std::max(1.0, kMostCell / (before.cellWidth / zoom_));
    const qreal wanted = std::clamp(zoom, 1.0, most);
    if (qFuzzyCompare(wanted, zoom_)) return;
    const qreal column = (x - before.left + pan_) / before.cellWidth;
    zoom_ = wanted;
    updateHeight();
    pan_ = 0;
    pan(column * places().cellWidth - (x - before.left));
    redraw();
    Q_EMIT placesChanged();
}

void ExpertMapItem::pan(qreal x) {
    const MapPlaces now = places();
    const qreal wanted = std::clamp(x, 0.0, std::max(0.0, now.left + now.experts * now.cellWidth - width()));
    if (wanted == pan_) return;
    pan_ = wanted;
    redraw();
}

ExpertMapItem::Place ExpertMapItem::cellAt(QPointF point) const {
    const MapPlaces now = places();
    if (now.cellWidth <= 0 || point.x() < now.left || point.y() < now.top || point.x() >= width()) return {};
    const Place cell{static_cast<int>((point.y() - now.top) / now.cellHeight),
                     static_cast<int>((point.x() - now.left + pan_) / now.cellWidth)};
    return grid_->has(cell.layer, cell.expert) ? cell : Place{};
}

/// The cell whose value is shown as text: the one under the pointer, or the cursor.
ExpertMapItem::Place ExpertMapItem::shownCell() const {
    return hovered_.layer >= 0 ? hovered_ : hasActiveFocus() ? cursor_ : Place{};
}

void ExpertMapItem::hover(const Place& cell) {
    if (cell == hovered_) return;
    hovered_ = cell;
    redraw();
    Q_EMIT hoveredChanged();
    Q_EMIT cellTextChanged();
}

QString ExpertMapItem::cellText() const {
    if (!grid_) return {};
    const Place cell = shownCell();
    return cell.layer < 0 ? QString() : grid_->cellText(cell.layer, cell.expert);
}

void ExpertMapItem::setSelectedLayer(int layer) {
    if (layer == selected_.layer) return;
    selected_.layer = layer;
    redraw();
    Q_EMIT selectedChanged();
}

void ExpertMapItem::setSelectedExpert(int expert) {
    if (expert == selected_.expert) return;
    selected_.expert = expert;
    redraw();
    Q_EMIT selectedChanged();
}

QImage ExpertMapItem::picture() const {
    if (!grid_) return {};
    const MapPlaces now = places();
    const Place shown = shownCell();
    QImage image = named(now, shown);
    if (now.layers == 0) return image;
    drawCells(image, *grid_, now, look_, width(), &flash_);
    QPainter painter(&image);
    painter.setClipRect(now.cells(width()).adjusted(-1, -1, 0, 0));
    const auto place = [&](const Place& cell) {
        return grid_->has(cell.layer, cell.expert) ? now.cell(cell.layer, cell.expert) : QRectF();
    };
    if (const QRectF cell = place(shown); !cell.isEmpty()) drawCross(painter, now, cell, look_, width());
    if (const QRectF cell = place(selected_); !cell.isEmpty()) drawFrame(painter, cell, 2, look_.mark, look_.ground);
    if (const QRectF cell = place(cursor_); !cell.isEmpty() && hasActiveFocus())
        drawFrame(painter, cell, 2, look_.mark, look_.ground, Qt::DotLine);
    if (const QRectF framed = framedPlace(); !framed.isEmpty())
        drawFrame(painter, framed, 2, look_.frame, look_.ground);
    return image;
}

/// The picture without its cells. Writing the names takes longer than drawing the cells, and they rarely change.
QImage ExpertMapItem::named(const MapPlaces& now, const Place& pointed) const {
    const qreal dpr = window() ? window()->effectiveDevicePixelRatio() : 1;
    const NamedAs as{.places = now, .look = look_, .pointed = pointed, .width = width(), .dpr = dpr};
    if (!named_.isNull() && as == namedAs_) return named_;
    namedAs_ = as;
    named_ = emptyMap(now, look_, width(), dpr);
    if (now.layers > 0) {
        QPainter painter(&named_);
        drawNames(painter, now, look_, width(), pointed.layer, pointed.expert);
        ++namings_;
    }
    return named_;
}

/// A row in the middle, which has experts also where the first layers have none; or the strongest cell of that row.
QRectF ExpertMapItem::framedPlace() const {
    const MapPlaces now = places();
    if (framed_ == Nothing || now.layers == 0) return {};
    const int layer = now.layers / 2;
    if (framed_ == Row) {
        const QRectF all = now.cells(width());
        // Around small cells, a frame as wide as the map would have its sides outside of it.
        const qreal room = now.cellHeight < kFramedInside ? kFrameRoom : 0;
        return {all.left() + room, now.cell(layer, 0).top(), all.width() - 2 * room, now.cellHeight};
    }
    int strongest = 0;
    for (int expert = 1; grid_->has(layer, expert); ++expert)
        if (grid_->value(layer, expert) > grid_->value(layer, strongest)) strongest = expert;
    return now.cell(layer, strongest);
}

QSGNode* ExpertMapItem::updatePaintNode(QSGNode* old, UpdatePaintNodeData*) {
    auto* node = static_cast<QSGImageNode*>(old);
    const MapPlaces now = places();
    if (now.layers == 0) {
        delete node;
        return nullptr;
    }
    if (!node) {
        node = window()->createImageNode();
        node->setOwnsTexture(true);
        node->setFiltering(QSGTexture::Nearest);
    }
    const QImage image = picture();
    node->setTexture(window()->createTextureFromImage(image));
    // A place that differs from the picture by a part of a pixel would have all its pixels scaled.
    node->setRect(QRectF(QPointF(), QSizeF(image.size()) / image.devicePixelRatio()));
    stale_ = false;
    ++pictures_;
    QMetaObject::invokeMethod(&pause_, "start", Qt::QueuedConnection); // this may be another thread
    return node;
}

void ExpertMapItem::geometryChange(const QRectF& now, const QRectF& before) {
    QQuickItem::geometryChange(now, before);
    if (now.width() == before.width()) return;
    updateHeight();
    pan(pan_);
    redraw();
    Q_EMIT placesChanged();
}

void ExpertMapItem::hoverMoveEvent(QHoverEvent* event) { hover(cellAt(event->position())); }

void ExpertMapItem::hoverLeaveEvent(QHoverEvent*) { hover({}); }

void ExpertMapItem::mousePressEvent(QMouseEvent* event) {
    pressedAt_ = event->position();
    pressedPan_ = pan_;
    dragged_ = false;
    forceActiveFocus(Qt::MouseFocusReason);
}

void ExpertMapItem::mouseMoveEvent(QMouseEvent* event) {
    const qreal moved = event->position().x() - pressedAt_.x();
    if (zoom_ <= 1 || (!dragged_ && std::abs(moved) < kDragged)) return;
    dragged_ = true;
    setKeepMouseGrab(true);
    pan(pressedPan_ - moved);
}

void ExpertMapItem::mouseReleaseEvent(QMouseEvent* event) {
    setKeepMouseGrab(false);
    const Place cell = cellAt(event->position());
    if (dragged_ || cell.layer < 0) return;
    cursor_ = cell;
    Q_EMIT cursorChanged();
    Q_EMIT cellClicked(cell.layer, cell.expert);
}

void ExpertMapItem::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier) && zoomable()) {
        zoomAround(zoom_ * (event->angleDelta().y() > 0 ? kZoomStep : 1 / kZoomStep), event->position().x());
    } else if (zoom_ > 1 && event->angleDelta().x() != 0) {
        pan(pan_ - event->angleDelta().x() / 2.0);
    } else {
        event->ignore(); // the page scrolls
    }
}

void ExpertMapItem::keyPressEvent(QKeyEvent* event) {
    const bool ctrl = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (cursor_.layer >= 0) Q_EMIT cellClicked(cursor_.layer, cursor_.expert);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        if (ctrl) break; // the window's own zoom
        return setZoom(zoom_ * (event->key() == Qt::Key_Plus ? kZoomStep : 1 / kZoomStep));
    case Qt::Key_0:
        if (ctrl) break;
        return setZoom(1);
    default:
        if (moveCursor(event->key(), ctrl)) return;
    }
    event->ignore();
}

/// Moves the cursor to the next cell that exists. Returns false if this is not a key that moves it.
bool ExpertMapItem::moveCursor(int key, bool ctrl) {
    const MapPlaces now = places();
    if (now.layers == 0) return false;
    const int page = std::max(1, now.layers / 4);
    Place to = cursor_.layer < 0 ? Place{0, 0} : cursor_;
    const bool first = cursor_.layer < 0;
    const auto move = [&](int layers, int experts) {
        if (first) return;
        to.layer = std::clamp(to.layer + layers, 0, now.layers - 1);
        to.expert = std::clamp(to.expert + experts, 0, now.experts - 1);
    };
    switch (key) {
    case Qt::Key_Left:
        move(0, -1);
        break;
    case Qt::Key_Right:
        move(0, 1);
        break;
    case Qt::Key_Up:
        move(-1, 0);
        break;
    case Qt::Key_Down:
        move(1, 0);
        break;
    case Qt::Key_PageUp:
        move(-page, 0);
        break;
    case Qt::Key_PageDown:
        move(page, 0);
        break;
    case Qt::Key_Home:
        to = {ctrl ? 0 : to.layer, 0};
        break;
    case Qt::Key_End:
        to = {ctrl ? now.layers - 1 : to.layer, now.experts - 1};
        break;
    default:
        return false;
    }
    // A layer may have fewer experts than the widest one.
    while (to.expert > 0 && !grid_->has(to.layer, to.expert)) --to.expert;
    if (to == cursor_) return true;
    cursor_ = to;
    hover({});
    showCursor();
    Q_EMIT cursorChanged();
    Q_EMIT cellTextChanged();
    return true;
}

void ExpertMapItem::showCursor() {
    const QRectF cell = places().cell(cursor_.layer, cursor_.expert);
    if (const qreal left = places().left; cell.left() < left)
        pan(pan_ + cell.left() - left);
    else if (cell.right() > width())
        pan(pan_ + cell.right() - width());
    redraw();
}

void ExpertMapItem::focusInEvent(QFocusEvent* event) {
    QQuickItem::focusInEvent(event);
    if (cursor_.layer < 0) moveCursor(Qt::Key_Home, true);
    redraw();
    Q_EMIT cellTextChanged();
}

void ExpertMapItem::focusOutEvent(QFocusEvent* event) {
    QQuickItem::focusOutEvent(event);
    redraw();
    Q_EMIT cellTextChanged();
}

} // namespace coterie::app
