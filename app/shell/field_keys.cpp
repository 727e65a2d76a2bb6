// SPDX-License-Identifier: Apache-2.0
// See field_keys.h. A field claims a key by accepting its ShortcutOverride.
#include "shell/field_keys.h"

#include <QCoreApplication>

#include <optional>

namespace coterie::app {
namespace {

/// Whether the field has anything to undo, or to redo. Nothing if it is no text: only texts have these two properties.
std::optional<bool> has(const QObject& field, const char* property) {
    const QVariant value = field.property(property);
    return value.isValid() ? std::optional(value.toBool()) : std::nullopt;
}

} // namespace

FieldKeys::FieldKeys(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

/// Whether the window does what the key says, in place of the field.
bool FieldKeys::passesOn(const QObject& field, const QKeyEvent& key) const {
    const bool undoes = key.matches(QKeySequence::Undo);
    if (!undo_ || (!undoes && !key.matches(QKeySequence::Redo))) return false;
    const auto canUndo = has(field, "canUndo"), canRedo = has(field, "canRedo");
    if (!canUndo || !canRedo) return false;
    const Undoable* const step = undoes ? undo_->toUndo() : undo_->toRedo();
    const QVariant chat = field.property("chatId");
    const bool here = step && step->chat && chat.isValid() && *step->chat == chat.toLongLong();
    // A file or a waiting message that came or went: the person has typed nothing since, or nothing of that is left.
    if (here && step->draft)
        return *step->draft == field.property("text").toString() || !(undoes ? *canUndo : *canRedo);
    return !*canUndo && !*canRedo && (here || undo_->offered());
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
