// SPDX-License-Identifier: Apache-2.0
// See expert_map_item.h.
#include "inspector/expert_map_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QQuickWindow>
#include <QSGImageNode>
#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <map>

namespace coterie::app {
namespace {

constexpr qreal kLeastCell = 4, kMostCell = 32; // heights of cells, in pixels
constexpr qreal kZoomStep = 1.25;
constexpr int kPauseMs = 33;    // 30 pictures a second
constexpr qreal kDragged = 4;   // a press that moved farther is no click
constexpr qreal kFrameRoom = 4; // pixels that a frame takes outside of what it frames, also of the last column

QString notSaved() { return ExpertMapItem::tr("The picture was not saved"); }

} // namespace

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
    for (const auto changed : {&ExpertMapItem::lookChanged, &ExpertMapItem::selectedChanged})
        connect(this, changed, this, &ExpertMapItem::redraw);
    connect(this, &ExpertMapItem::fontChanged, this, [this] {
        measureNames();
        updateHeight(); // the names need other room
        redraw();
        Q_EMIT placesChanged();
    });
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
        connect(grid_, &ExpertGrid::layersChanged, this, &ExpertMapItem::onLayers);
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

/// Only bars and texts depend on what is known of the layers.
void ExpertMapItem::onLayers() {
    named_ = {};
    pan(pan_); // bars take room from the cells
    updateHeight();
    redraw();
    Q_EMIT placesChanged();
    Q_EMIT cellTextChanged();
}

MapLook ExpertMapItem::look() const {
    return {.dark = dark_,
            .ground = ground_,
            .text = text_,
            .mark = mark_,
            .frame = frame_,
            .behind = behind_,
            .font = font_};
}

/// Measures names when they change, because places() is called for every picture.
void ExpertMapItem::measureNames() {
    const QFontMetricsF metrics(font_);
    nameHeight_ = std::ceil(metrics.height());
    nameWidth_ = grid_ ? std::ceil(metrics.horizontalAdvance(numberText(grid_->layers() - 1))) : 0;
}

void ExpertMapItem::updateHeight() { setImplicitHeight(std::ceil(places().height())); }

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
    places.bars = grid_->recurrent() ? kBarRoom : 0;
    places.left = nameWidth_ + kNamePad + places.bars;
    places.top = nameHeight_;
    places.bottom = grid_->dense() ? 0 : 2 * nameHeight_ + kNamePad / 2;
    const qreal room = std::max(1.0, width() - places.left - kFrameRoom);
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
    Place cell{static_cast<int>((point.y() - now.top) / now.cellHeight),
               static_cast<int>((point.x() - now.left + pan_) / now.cellWidth)};
    if (grid_->single(cell.layer) && cell.expert < now.experts) cell.expert = 0;
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

QString ExpertMapItem::briefCellText() const {
    if (!grid_) return {};
    const Place cell = shownCell();
    return cell.layer < 0 ? QString() : grid_->briefCellText(cell.layer, cell.expert);
}

QImage ExpertMapItem::picture() const {
    if (!grid_) return {};
    const MapPlaces now = places();
    const MapLook look = this->look();
    const Place shown = shownCell();
    QImage image = named(now, shown);
    if (now.layers == 0) return image;
    drawCells(image, *grid_, now, look, &flash_);
    QPainter painter(&image);
    const qreal left = now.x > 0 ? 1 : kFrameRoom; // cells that are moved out of the picture have no frame
    painter.setClipRect(now.cells(width()).adjusted(-left, -kFrameRoom, kFrameRoom, kFrameRoom));
    const auto place = [&](const Place& cell) {
        return grid_->has(cell.layer, cell.expert) ? placeOf(*grid_, now, cell.layer, cell.expert) : QRectF();
    };
    if (const QRectF cell = place(shown); !cell.isEmpty()) drawCross(painter, now, cell, look, width());
    if (const QRectF cell = place({selectedLayer_, selectedExpert_}); !cell.isEmpty())
        drawFrame(painter, cell, 2, look.mark, look.ground);
    if (const QRectF cell = place(cursor_); !cell.isEmpty() && hasActiveFocus())
        drawFrame(painter, cell, 2, look.mark, look.ground, Qt::DotLine);
    if (const QRectF framed = framedPlace(); !framed.isEmpty()) drawFrame(painter, framed, 2, look.frame, look.ground);
    drawCellTexts(painter, *grid_, now, look, width()); // no frame covers a figure
    return image;
}

/// The picture without its cells. Writing the names takes longer than drawing the cells, and they rarely change.
QImage ExpertMapItem::named(const MapPlaces& now, const Place& pointed) const {
    const qreal dpr = window() ? window()->effectiveDevicePixelRatio() : 1;
    const NamedAs as{.places = now, .look = look(), .pointed = pointed, .width = width(), .dpr = dpr};
    if (!named_.isNull() && as == namedAs_) return named_;
    namedAs_ = as;
    named_ = emptyMap(now, as.look, width(), dpr);
    if (now.layers > 0) {
        QPainter painter(&named_);
        drawBars(painter, *grid_, now, as.look);
        drawNames(painter, now, as.look, width(), pointed.layer, pointed.expert);
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
        return {all.left(), now.cell(layer, 0).top(), all.width(), now.cellHeight};
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
    const std::map<int, Place> steps{{Qt::Key_Left, {0, -1}},      {Qt::Key_Right, {0, 1}},
                                     {Qt::Key_Up, {-1, 0}},        {Qt::Key_Down, {1, 0}},
                                     {Qt::Key_PageUp, {-page, 0}}, {Qt::Key_PageDown, {page, 0}}};
    const bool first = cursor_.layer < 0;
    Place to = first ? Place{0, 0} : cursor_;
    if (const auto step = steps.find(key); step != steps.end()) {
        if (!first) {
            to.layer = std::clamp(to.layer + step->second.layer, 0, now.layers - 1);
            to.expert = std::clamp(to.expert + step->second.expert, 0, now.experts - 1);
        }
    } else if (key == Qt::Key_Home) {
        to = {ctrl ? 0 : to.layer, 0};
    } else if (key == Qt::Key_End) {
        to = {ctrl ? now.layers - 1 : to.layer, now.experts - 1};
    } else {
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
