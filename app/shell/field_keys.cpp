// SPDX-License-Identifier: Apache-2.0
// See field_keys.h. A field claims a key by accepting its ShortcutOverride.
#include "shell/field_keys.h"

#include <QCoreApplication>

namespace coterie::app {
namespace {

/// Whether the object is a text field that has no use for this key of undo or redo.
bool hasNoUse(const QObject& object, const QKeyEvent& key) {
    if (!key.matches(QKeySequence::Undo) && !key.matches(QKeySequence::Redo)) return false;
    // Only texts have these two properties.
    const QVariant undo = object.property("canUndo");
    const QVariant redo = object.property("canRedo");
    return undo.isValid() && redo.isValid() && !undo.toBool() && !redo.toBool();
}

} // namespace

FieldKeys::FieldKeys(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

/// Whether the window does what the key says, in place of the field.
bool FieldKeys::passesOn(const QObject& field, const QKeyEvent& key) const {
    if (!undo_ || !hasNoUse(field, key)) return false;
    if (undo_->offered()) return true;
    const std::optional<qint64> chat = key.matches(QKeySequence::Undo) ? undo_->undoChat() : undo_->redoChat();
    const QVariant here = field.property("chatId");
    return chat && here.isValid() && *chat == here.toLongLong();
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool kept = key->key() == Qt::Key_Escape && watched->property("ownsEscape").toBool();
    if (!kept && !passesOn(*watched, *key)) return false;
    event->setAccepted(kept); // an ignored override goes on to the shortcuts
    return true;
}

} // namespace coterie::app
