// SPDX-License-Identifier: Apache-2.0
// Shows where the focus is after a step that a person made by keys. A control of Qt shows it if its focus came by Tab
// or a shortcut, but not if the program gave it, if the control got another parent, if a dialog ended, or if the window
// became active again. After a key, such a focus counts as one by a shortcut; after a press of the pointer it stays as
// it is. Lives on the GUI thread, and acts while it exists.
//
//     ApplicationWindow { KeyFocus {} }
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class KeyFocus : public QObject {
    Q_OBJECT
    QML_ELEMENT
  public:
    explicit KeyFocus(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool byKeys_ = false; ///< the last step was made by a key, not by the pointer
};

} // namespace coterie::app
