// SPDX-License-Identifier: Apache-2.0
// See list_selection.h.
#include "text/list_selection.h"

#include "text/message_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

#include <algorithm>

namespace coterie::app {

void ListSelection::setTexts(QObject* texts) {
    if (texts == texts_) return;
    end();
    texts_ = texts;
    sequence_ = qobject_cast<TextSequence*>(texts);
    Q_EMIT textsChanged();
}

void ListSelection::add(MessageText* item) {
    items_.removeAll(nullptr);
    items_.append(item);
    connect(this, &ListSelection::changed, item, &MessageText::showSelection);
}

MessageText* ListSelection::itemOf(const TextDocument* text) const {
    const auto found = std::find_if(items_.begin(), items_.end(), [=](const QPointer<MessageText>& item) {
        return item && item->isVisible() && item->document() == text && !item->layout().empty();
    });
    return found == items_.end() ? nullptr : found->data();
}

/// Returns the item that is nearest to this height of the window.
MessageText* ListSelection::itemAt(QPointF point) const {
    MessageText* nearest = nullptr;
    qreal distance = 0;
    for (MessageText* const item : items_) {
        if (!item || !item->isVisible() || item->layout().empty() || indexOf(item->document()) < 0) continue;
        const qreal top = item->mapToScene(QPointF()).y(), bottom = top + item->height();
        const qreal away = std::max({top - point.y(), point.y() - bottom, 0.0});
        if (nearest && away >= distance) continue;
        nearest = item;
        distance = away;
    }
    return nearest;
}

void ListSelection::begin(TextDocument* text, const TextSelection& selection) {
    first_ = last_ = text;
    from_ = selection;
    caret_ = selection.caret();
    end();
}

/// Goes on with what begin() got.
void ListSelection::activate(Qt::FocusReason reason) {
    active_ = true;
    forceActiveFocus(reason);
}

void ListSelection::end() {
    if (!active_) return;
    active_ = false;
    Q_EMIT changed();
}

/// Lets the text in which the selection lies as a whole have it again.
bool ListSelection::handBack(Qt::FocusReason reason) {
    MessageText* const item = first_ == last_ ? itemOf(first_) : nullptr;
    if (item) item->resume(from_, caret_, reason); // it calls begin()
    return item;
}

void ListSelection::setEnd(MessageText& item, TextPosition at) {
    TextSelection unit;
    unit.begin(*item.document(), at, from_.unit());
    setEnd(item.document(), unit, at);
}

void ListSelection::setEnd(TextDocument* text, const TextSelection& selection, TextPosition caret) {
    last_ = text;
    to_ = selection;
    caret_ = caret;
    Q_EMIT changed();
}

bool ListSelection::extendTo(MessageText& item, TextPosition at) {
    if (!first_ || indexOf(first_) < 0 || indexOf(item.document()) < 0) return false;
    if (item.document() == first_) {
        if (!active_) return false;
        last_ = first_;
        caret_ = at;
        return handBack(Qt::MouseFocusReason);
    }
    activate(Qt::MouseFocusReason);
    setEnd(item, at);
    return true;
}

bool ListSelection::dragTo(const MessageText& from, QPointF point) {
    MessageText* const item = itemAt(point);
    if (!active_ && (!item || item == &from || !first_ || indexOf(first_) < 0)) return false;
    if (!active_) activate(Qt::MouseFocusReason);
    if (!keepMouseGrab()) {
        grabMouse();
        setKeepMouseGrab(true); // the list must not take the drag for itself
    }
    if (!item) return true;
    const QPointF inItem = item->mapFromScene(point);
    setEnd(*item, item->layout().positionAt(inItem));
    if (!item->view().contains(inItem)) showCaret();
    return true;
}

void ListSelection::mouseMoveEvent(QMouseEvent* event) {
    MessageText* const item = active_ ? itemAt(event->scenePosition()) : nullptr;
    if (item) dragTo(*item, event->scenePosition());
}

void ListSelection::mouseReleaseEvent(QMouseEvent* event) {
    event->accept();
    setKeepMouseGrab(false);
    if (!active_ || handBack(Qt::MouseFocusReason)) return;
    QClipboard* const clipboard = QGuiApplication::clipboard();
    if (clipboard->supportsSelection()) clipboard->setText(text(), QClipboard::Selection);
}

/// As MessageText, it leaves all other keys to the window's shortcuts.
bool ListSelection::event(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QQuickItem::event(event);
    event->setAccepted(active_ && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy));
    return event->isAccepted();
}

void ListSelection::keyPressEvent(QKeyEvent* event) {
    event->ignore();
    if (!active_) return;
    if (event->matches(QKeySequence::Copy)) {
        copy();
        event->accept();
    } else if (moveBy(*event)) {
        event->accept();
    }
}

void ListSelection::focusOutEvent(QFocusEvent* event) {
    QQuickItem::focusOutEvent(event);
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) end();
}

/// Returns false if it is no key that moves a caret.
bool ListSelection::moveBy(const QKeyEvent& key) {
    if (!last_ || indexOf(last_) < 0) return false;
    if (!itemOf(last_)) Q_EMIT textWanted(indexOf(last_));
    const MessageText* const item = itemOf(last_);
    TextSelection caret;
    caret.set(caret_, caret_);
    if (!item || !caret.moveBy(key, *last_, item->layout())) return false;
    if (caret.caret() == caret_) {
        step(TextSelection::direction(key));
    } else {
        caret.clear();
        setEnd(last_, caret, caret.caret());
    }
    if (!handBack(Qt::ShortcutFocusReason)) showCaret();
    return true;
}

bool ListSelection::moveOut(MessageText& from, const QKeyEvent& key) {
    begin(from.document(), from.selection());
    if (!step(TextSelection::direction(key))) return false;
    activate(Qt::ShortcutFocusReason);
    Q_EMIT changed();
    showCaret();
    return true;
}

/// Moves the caret to the beginning of the next text (1), or to the end of the one before (-1). Returns false if there
/// is none.
bool ListSelection::step(int by) {
    if (by == 0 || !last_) return false;
    for (int i = indexOf(last_) + by; TextDocument* const text = i < 0 ? nullptr : sequence_->textAt(i); i += by) {
        TextSelection caret;
        if (!caret.selectBlock(*text, by > 0 ? -1 : text->count(), by)) continue; // it shows nothing
        const TextPosition at = by > 0 ? caret.range().begin : caret.range().end;
        caret.set(at, at);
        setEnd(text, caret, at);
        return true;
    }
    return false;
}

void ListSelection::showCaret() {
    if (!itemOf(last_)) Q_EMIT textWanted(indexOf(last_));
    if (MessageText* const item = itemOf(last_)) Q_EMIT item->placeWanted(item->layout().caretAt(caret_));
}

int ListSelection::showEnd() {
    if (count() == 0) return -1;
    showCaret();
    return indexOf(last_);
}

int ListSelection::count() const {
    if (!active_ || indexOf(first_) < 0 || indexOf(last_) < 0) return 0;
    return std::abs(indexOf(first_) - indexOf(last_)) + 1;
}

TextSpan ListSelection::rangeIn(const TextDocument& text) const {
    if (!active_) return {};
    const int first = indexOf(first_), last = indexOf(last_), at = indexOf(&text);
    if (first < 0 || last < 0 || at < std::min(first, last) || at > std::max(first, last)) return {};
    TextSelection from = from_, to = to_;
    if (first == last) {
        from.keepIn(text); // a text that is being written may be replaced
        from.extend(text, caret_);
        return from.range();
    }
    TextSpan range = text.all();
    const bool down = first < last;
    if (at == first) {
        from.keepIn(text);
        (down ? range.begin : range.end) = down ? from.first().begin : from.first().end;
    } else if (at == last) {
        to.keepIn(text);
        (down ? range.end : range.begin) = down ? to.range().end : to.range().begin;
    }
    return range;
}

QString ListSelection::text() const {
    QStringList texts;
    if (count() == 0) return {};
    const int begin = std::min(indexOf(first_), indexOf(last_));
    for (int i = begin; i < begin + count(); ++i) {
        const TextDocument* const text = sequence_->textAt(i);
        const QString selected = text->text(rangeIn(*text));
        if (!selected.isEmpty()) texts.append(selected);
    }
    return texts.join(QStringLiteral("\n\n"));
}

void ListSelection::copy() const {
    const QString selected = text();
    if (!selected.isEmpty()) QGuiApplication::clipboard()->setText(selected);
}

} // namespace coterie::app
