// SPDX-License-Identifier: Apache-2.0
// Decides whether a text field or the window's shortcuts get a key that both know. A field that has anything to undo
// keeps the key of undo, and one that has anything to redo keeps those of redo. From a field that has nothing, such as
// one whose text was just sent, they go on to the window while a bar in view offers to undo or to redo something, or
// while the step was just done in the chat that the field's property chatId names: a person in a field means the text
// or this chat, not a change elsewhere that is long past. Such a change is offered in a bar first, and the same key
// means it then. A step about files or waiting messages beside the text has its place among what was typed.
//
// If a field's property `applied` is true, its text is the value that holds, for example after Enter: undo means the
// window's step then, because the field could take back only the words. A key that is held down stops when the field
// has no more to undo. A field whose property ownsEscape is true keeps Esc. Lives on the GUI thread, and acts while it
// exists.
//
//     ApplicationWindow { FieldKeys { undo: app.undo } }
#pragma once

#include "common/undo_stack.h"

#include <QKeyEvent>
#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class FieldKeys : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::UndoStack* undo MEMBER undo_)
  public:
    explicit FieldKeys(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Meaning {
        Other,   ///< it is no key of undo or redo, or no field has it
        Field,   ///< the text of the field
        Window,  ///< the window's step
        Unclear, ///< maybe the window's step, of which the person may not think
    };

    Meaning meaningOf(const QObject& field, const QKeyEvent& key) const;
    bool isApplied(const QObject& field) const;

    UndoStack* undo_ = nullptr;
};

} // namespace coterie::app
