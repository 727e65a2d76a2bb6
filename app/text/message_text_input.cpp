// SPDX-License-Identifier: Apache-2.0
// How MessageText answers to the pointer, to keys and to the focus.
#include "text/message_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QStyleHints>

#include <cmath>
#include <optional>

namespace coterie::app {
namespace {

constexpr qreal kWheelStep = 0.4; // px for each eighth of a degree: about three characters for a step of the wheel

/// Returns whether the text begins a selection by this press. Other buttons are for the message around it, which has a
/// menu. They come here because Qt gives an item that has handlers the presses of all buttons.
bool beginsSelection(const QMouseEvent& press, const MessageLayout& layout) {
    return press.button() == Qt::LeftButton && layout.overText(press.position());
}

} // namespace

/// Leaves all keys to the window's shortcuts, except those that people expect every text to have.
bool MessageText::event(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QQuickItem::event(event);
    const auto* key = static_cast<QKeyEvent*>(event);
    event->setAccepted(key->matches(QKeySequence::Copy) || key->matches(QKeySequence::SelectAll));
    return event->isAccepted();
}

void MessageText::keyPressEvent(QKeyEvent* event) {
    event->ignore();
    if (!ready()) return;
    if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
        event->accept();
    } else if (event->matches(QKeySequence::Copy) && !selection_.empty()) {
        copy();
        event->accept();
    } else if (const TextPosition before = selection_.caret(); selection_.moveBy(*event, *document_, layout_)) {
        const bool at = selection_.caret() == before; // an end of the text
        if (!at || !across_ || !across_->moveOut(*this, *event)) showCaret();
        event->accept();
    }
}

void MessageText::mousePressEvent(QMouseEvent* event) {
    if (!ready() || !beginsSelection(*event, layout_)) return event->ignore();
    setKeepMouseGrab(true); // the list must not take a drag for itself
    const TextPosition at = layout_.positionAt(event->position());
    const bool extends = event->modifiers() & Qt::ShiftModifier;
    if (extends && across_ && across_->extendTo(*this, at)) return;
    forceActiveFocus(Qt::MouseFocusReason);
    const QStyleHints* hints = QGuiApplication::styleHints();
    const bool third = doubleClicked_.isValid() && doubleClicked_.elapsed() < hints->mouseDoubleClickInterval() &&
                       (event->position() - doubleClickedAt_).manhattanLength() < hints->startDragDistance();
    doubleClicked_.invalidate();
    if (extends)
        selection_.extend(*document_, at);
    else
        selection_.begin(*document_, at, third ? TextSelection::Unit::Paragraph : TextSelection::Unit::Character);
    selectionMoved();
}

void MessageText::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!ready() || !beginsSelection(*event, layout_)) return event->ignore();
    doubleClicked_.start();
    doubleClickedAt_ = event->position();
    selection_.begin(*document_, layout_.positionAt(event->position()), TextSelection::Unit::Word);
    selectionMoved();
}

void MessageText::mouseMoveEvent(QMouseEvent* event) {
    if (!ready() || (across_ && across_->dragTo(*this, event->scenePosition()))) return;
    selection_.extend(*document_, layout_.positionAt(event->position()));
    selectionMoved();
    if (!view().contains(event->position())) Q_EMIT placeWanted(layout_.caretAt(selection_.caret()));
}

void MessageText::mouseReleaseEvent(QMouseEvent* event) {
    setKeepMouseGrab(false);
    const bool elsewhere = across_ && across_->active();
    if (selection_.empty() && !elsewhere) {
        const HoveredLink link = linkAt(event->position());
        const auto at = ready() ? layout_.characterAt(event->position()) : std::optional<TextPosition>();
        const int token = at ? document_->tokenAt(*at) : -1;
        if (!elsewhere) clicked_ = at;
        if (!link.address.isEmpty())
            Q_EMIT linkClicked(link.address, link.place);
        else if (token >= 0)
            Q_EMIT tokenClicked(token);
        else if (at && document_->tokens().empty())
            Q_EMIT characterClicked(at->block, static_cast<int>(at->offset));
    }
    QClipboard* clipboard = QGuiApplication::clipboard();
    if (clipboard->supportsSelection() && (elsewhere || !selection_.empty()))
        clipboard->setText(elsewhere ? across_->text() : selectedText(), QClipboard::Selection);
}

/// Moves wide code sideways; all other movement belongs to the list.
void MessageText::wheelEvent(QWheelEvent* event) {
    event->ignore();
    const int block = ready() ? layout_.blockAt(event->position().y()) : -1;
    if (block < 0 || !layout_.block(block).scrollable) return;
    QPointF moved = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) * kWheelStep : event->pixelDelta();
    if (event->modifiers() & Qt::ShiftModifier && moved.x() == 0) moved = moved.transposed();
    if (std::abs(moved.x()) <= std::abs(moved.y())) return;
    scrollBlock(block, layout_.block(block).scroll - moved.x());
    event->accept();
}

MessageText::HoveredLink MessageText::linkAt(const QPointF& point) const {
    const std::optional<TextPosition> at = ready() ? layout_.characterAt(point) : std::nullopt;
    if (!at) return {};
    const TextFormat* format = document_->block(at->block).formatAt(at->offset);
    if (!format || !format->isLink()) return {};
    for (const QRectF& place : layout_.rectangles({{at->block, format->begin}, {at->block, format->end()}}))
        if (place.contains(point)) return {format->target, place};
    return {format->target, QRectF(point, QSizeF(1, 1))};
}

void MessageText::hoverMoveEvent(QHoverEvent* event) {
    hover(linkAt(event->position()));
    QQuickItem::hoverMoveEvent(event);
}

void MessageText::hover(const HoveredLink& link) {
    if (link == hovered_) return;
    hovered_ = link;
    setCursor(link.address.isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
    Q_EMIT hoveredLinkChanged();
}

void MessageText::focusInEvent(QFocusEvent* event) {
    QQuickItem::focusInEvent(event);
    focusedByKey_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
    Q_EMIT focusedByKeyChanged();
}

void MessageText::focusOutEvent(QFocusEvent* event) {
    QQuickItem::focusOutEvent(event);
    if (event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason) return;
    focusedByKey_ = false;
    clicked_.reset();
    Q_EMIT focusedByKeyChanged();
    deselect();
}

void MessageText::copy() const {
    if (!selection_.empty()) QGuiApplication::clipboard()->setText(selectedText());
}

void MessageText::copyBlock(int block) const {
    if (document_ && block >= 0 && block < document_->count())
        QGuiApplication::clipboard()->setText(document_->block(block).text);
}

void MessageText::copyText(const QString& text) const { QGuiApplication::clipboard()->setText(text); }

} // namespace coterie::app
