// SPDX-License-Identifier: Apache-2.0
// See message_text_accessible.h.
#include "text/message_text_accessible.h"

#include "text/message_text.h"

#include <QQuickWindow>

namespace coterie::app {
namespace {

QAccessibleInterface* make(const QString& className, QObject* object) {
    if (className != QLatin1String(MessageText::staticMetaObject.className())) return nullptr;
    return new MessageTextAccessible(static_cast<MessageText*>(object)); // Qt's cache owns it
}

/// Returns what is accessible below the item, without going into it.
QList<QAccessibleInterface*> accessibleBelow(const QQuickItem* item) {
    QList<QAccessibleInterface*> found;
    for (QQuickItem* child : item->childItems()) {
        if (!child->isVisible()) continue;
        if (QAccessibleInterface* known = QAccessible::queryAccessibleInterface(child))
            found.append(known);
        else
            found.append(accessibleBelow(child));
    }
    return found;
}

} // namespace

void installMessageTextAccessible() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    Q_UNUSED(installed)
}

MessageTextAccessible::MessageTextAccessible(MessageText* item) : QAccessibleObject(item) {}

MessageText* MessageTextAccessible::item() const { return static_cast<MessageText*>(object()); }

TextDocument* MessageTextAccessible::document() const { return item()->document(); }

QWindow* MessageTextAccessible::window() const { return item()->window(); }

QRect MessageTextAccessible::rect() const {
    const QRectF inScene = item()->mapRectToScene({0, 0, item()->width(), item()->height()});
    const QPoint corner = window() ? window()->mapToGlobal(QPoint(0, 0)) : QPoint();
    return inScene.toAlignedRect().translated(corner);
}

QAccessibleInterface* MessageTextAccessible::parent() const {
    for (QQuickItem* above = item()->parentItem(); above; above = above->parentItem())
        if (QAccessibleInterface* known = QAccessible::queryAccessibleInterface(above)) return known;
    return QAccessible::queryAccessibleInterface(window());
}

QAccessibleInterface* MessageTextAccessible::child(int index) const { return accessibleBelow(item()).value(index); }

QAccessibleInterface* MessageTextAccessible::childAt(int x, int y) const {
    for (QAccessibleInterface* child : accessibleBelow(item()))
        if (child->rect().contains(x, y)) return child;
    return nullptr;
}

int MessageTextAccessible::childCount() const { return static_cast<int>(accessibleBelow(item()).size()); }

int MessageTextAccessible::indexOfChild(const QAccessibleInterface* child) const {
    const QList<QAccessibleInterface*> children = accessibleBelow(item());
    for (int i = 0; i < children.size(); ++i)
        if (children[i]->object() == child->object()) return i;
    return -1;
}

QString MessageTextAccessible::text(QAccessible::Text kind) const {
    return kind == QAccessible::Name && document() ? document()->text() : QString();
}

QAccessible::State MessageTextAccessible::state() const {
    QAccessible::State state;
    state.readOnly = true;
    state.multiLine = true;
    state.selectableText = true;
    state.focusable = item()->isEnabled();
    state.focused = item()->hasActiveFocus();
    state.disabled = !item()->isEnabled();
    state.invisible = !window() || !window()->isVisible() || !item()->isVisible();
    return state;
}

void* MessageTextAccessible::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::TextInterface ? static_cast<QAccessibleTextInterface*>(this) : nullptr;
}

void MessageTextAccessible::selection(int index, int* start, int* end) const {
    *start = *end = 0;
    if (index != 0 || selectionCount() == 0) return;
    const TextSpan range = item()->selectedRange();
    *start = static_cast<int>(document()->flatOffset(range.begin));
    *end = static_cast<int>(document()->flatOffset(range.end));
}

int MessageTextAccessible::selectionCount() const { return document() && !item()->selectedRange().empty() ? 1 : 0; }

void MessageTextAccessible::addSelection(int start, int end) { setSelection(0, start, end); }

void MessageTextAccessible::removeSelection(int index) {
    if (index == 0) item()->deselect();
}

void MessageTextAccessible::setSelection(int index, int start, int end) {
    if (index == 0 && document()) item()->select(document()->positionAt(start), document()->positionAt(end));
}

int MessageTextAccessible::cursorPosition() const {
    return document() ? static_cast<int>(document()->flatOffset(item()->selection().caret())) : 0;
}

void MessageTextAccessible::setCursorPosition(int position) { setSelection(0, position, position); }

QString MessageTextAccessible::text(int start, int end) const {
    return document() ? document()->flatText().mid(start, end - start) : QString();
}

int MessageTextAccessible::characterCount() const { return document() ? static_cast<int>(document()->length()) : 0; }

QRect MessageTextAccessible::characterRect(int offset) const {
    if (!document() || item()->layout().empty()) return {};
    const TextPosition at = document()->positionAt(offset);
    const std::vector<QRectF> places = item()->layout().rectangles({at, {at.block, at.offset + 1}});
    const QRectF place = places.empty() ? item()->layout().caretAt(at) : places.front();
    return place.toAlignedRect().translated(rect().topLeft());
}

int MessageTextAccessible::offsetAtPoint(const QPoint& point) const {
    if (!document() || item()->layout().empty()) return -1;
    return static_cast<int>(document()->flatOffset(item()->layout().positionAt(point - rect().topLeft())));
}

void MessageTextAccessible::scrollToSubstring(int start, int) {
    if (document()) Q_EMIT item()->placeWanted(item()->layout().caretAt(document()->positionAt(start)));
}

QString MessageTextAccessible::attributes(int, int* start, int* end) const {
    *start = 0; // the text has one look
    *end = characterCount();
    return {};
}

} // namespace coterie::app
