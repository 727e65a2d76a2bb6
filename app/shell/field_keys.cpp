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

/// Whether it is the second key of redo, where the toolkit has no such key.
bool isSecondRedo(const QKeyEvent& key) {
    return key.key() == Qt::Key_Y && key.modifiers() == Qt::ControlModifier && !key.matches(QKeySequence::Redo);
}

bool redoes(const QKeyEvent& key) { return key.matches(QKeySequence::Redo) || isSecondRedo(key); }

} // namespace

FieldKeys::FieldKeys(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

/// Whether the field's text is a value that holds, and there is a step that can be undone in its place.
bool FieldKeys::isApplied(const QObject& field) const {
    return undo_ && undo_->toUndo() && field.property("applied").toBool();
}

FieldKeys::Meaning FieldKeys::meaningOf(const QObject& field, const QKeyEvent& key) const {
    const bool undoes = key.matches(QKeySequence::Undo);
    if (!undo_ || (!undoes && !redoes(key))) return Meaning::Other;
    const auto canUndo = has(field, "canUndo"), canRedo = has(field, "canRedo");
    if (!canUndo || !canRedo) return Meaning::Other;
    const Undoable* const step = undoes ? undo_->toUndo() : undo_->toRedo();
    const QVariant chat = field.property("chatId");
    const bool here = step && step->chat && chat.isValid() && *step->chat == chat.toLongLong();
    // A file or a waiting message that came or went: the person has typed nothing since, or nothing of that is left.
    if (here && step->draft) {
        const bool window = *step->draft == field.property("text").toString() || !(undoes ? *canUndo : *canRedo);
        return window ? Meaning::Window : Meaning::Field;
    }
    const bool own = undoes ? *canUndo && !isApplied(field) : *canRedo;
    if (own || (key.isAutoRepeat() && (*canUndo || *canRedo))) return Meaning::Field;
    if (here || undo_->offered()) return Meaning::Window;
    return field.property("readOnly").toBool() ? Meaning::Other : Meaning::Unclear;
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    // The key comes as a press if the window's step was only offered: the field's words stay.
    if (event->type() == QEvent::KeyPress) return key->matches(QKeySequence::Undo) && isApplied(*watched);
    if (key->key() == Qt::Key_Escape && watched->property("ownsEscape").toBool()) {
        event->accept();
        return true;
    }
    switch (meaningOf(*watched, *key)) {
    case Meaning::Other:
        return false;
    case Meaning::Field:
        if (!isSecondRedo(*key)) return false; // it knows the other keys itself
        QMetaObject::invokeMethod(watched, "redo");
        break;
    case Meaning::Window:
        event->ignore(); // an ignored override goes on to the shortcuts
        return true;
    case Meaning::Unclear:
        undo_->offerLatest(!key->matches(QKeySequence::Undo));
        break;
    }
    event->accept();
    return true;
}

} // namespace coterie::app
