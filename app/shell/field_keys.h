// SPDX-License-Identifier: Apache-2.0
// Decides whether a text field or the window's shortcuts get a key that both know. A field that has anything to undo or
// to redo keeps the keys of undo and redo; from a field that has nothing, such as one whose text was just sent, they go
// on to the window. A field whose property ownsEscape is true keeps Esc. Lives on the GUI thread, and acts while it
// exists.
//
//     ApplicationWindow { FieldKeys {} }
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class FieldKeys : public QObject {
    Q_OBJECT
    QML_ELEMENT
  public:
    explicit FieldKeys(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace coterie::app
