// SPDX-License-Identifier: Apache-2.0
// See key_focus.h.
#include "shell/key_focus.h"

#include <QCoreApplication>
#include <QFocusEvent>

namespace coterie::app {
namespace {

bool isByProgram(Qt::FocusReason reason) {
    return reason == Qt::OtherFocusReason || reason == Qt::PopupFocusReason || reason == Qt::ActiveWindowFocusReason;
}

} // namespace

KeyFocus::KeyFocus(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool KeyFocus::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
        byKeys_ = true;
        break;
    case QEvent::MouseButtonPress:
    case QEvent::TabletPress:
    case QEvent::TouchBegin:
        byKeys_ = false;
        break;
    case QEvent::FocusIn:
        // Only controls have this property.
        if (byKeys_ && isByProgram(static_cast<QFocusEvent*>(event)->reason()) &&
            watched->metaObject()->indexOfProperty("visualFocus") >= 0) {
            QFocusEvent seen(QEvent::FocusIn, Qt::ShortcutFocusReason);
            QCoreApplication::sendEvent(watched, &seen);
            return true;
        }
        break;
    default:
        break;
    }
    return false;
}

} // namespace coterie::app
