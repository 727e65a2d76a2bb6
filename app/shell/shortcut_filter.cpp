// SPDX-License-Identifier: Apache-2.0
// See shortcut_filter.h.
#include "shell/shortcut_filter.h"

#include <QKeyEvent>

namespace coterie::app {

void ShortcutFilter::setItem(QQuickItem* item) {
    if (item == item_) return;
    if (item_) item_->removeEventFilter(this);
    item_ = item;
    if (item_) item_->installEventFilter(this);
    Q_EMIT itemChanged();
}

bool ShortcutFilter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::SelectAll)) return false;
    event->ignore(); // an ignored override goes on to the shortcuts
    return true;
}

} // namespace coterie::app
