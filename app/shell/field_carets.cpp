// SPDX-License-Identifier: Apache-2.0
// See field_carets.h.
#include "shell/field_carets.h"

#include <QCoreApplication>
#include <QEvent>
#include <QQuickItem>

namespace coterie::app {
namespace {

constexpr const char* kCaretProperty = "cursorVisible"; // only fields have it

/// Qt draws the caret, or leaves it out, when this property changes.
void drawWithoutCaret(QQuickItem& field) {
    if (field.hasActiveFocus()) return;
    field.setProperty(kCaretProperty, true);
    field.setProperty(kCaretProperty, false);
}

} // namespace

FieldCarets::FieldCarets(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool FieldCarets::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::FocusOut) return false;
    auto* const field = qobject_cast<QQuickItem*>(watched);
    if (field && !field->isVisible() && field->property(kCaretProperty).isValid())
        connect(
            field, &QQuickItem::visibleChanged, this, [field] { drawWithoutCaret(*field); }, Qt::SingleShotConnection);
    return false;
}

} // namespace coterie::app
