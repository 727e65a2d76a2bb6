// SPDX-License-Identifier: Apache-2.0
// See field_keys.h. A field claims a key by accepting its ShortcutOverride.
#include "shell/field_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>

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

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool kept = key->key() == Qt::Key_Escape && watched->property("ownsEscape").toBool();
    if (!kept && !(undoOffered_ && hasNoUse(*watched, *key))) return false;
    event->setAccepted(kept); // an ignored override goes on to the shortcuts
    return true;
}

} // namespace coterie::app
