// SPDX-License-Identifier: Apache-2.0
// See menu_keys.h.
#include "shell/menu_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>

namespace coterie::app {

MenuKeys::MenuKeys(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool MenuKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_F10 || key->modifiers() != Qt::ShiftModifier) return false;
    QKeyEvent menu(QEvent::KeyPress, Qt::Key_Menu, Qt::NoModifier, {}, key->isAutoRepeat());
    QCoreApplication::sendEvent(watched, &menu);
    event->setAccepted(menu.isAccepted());
    return true;
}

} // namespace coterie::app
