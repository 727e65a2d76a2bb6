// SPDX-License-Identifier: Apache-2.0
// Makes Shift+F10 the menu key, which many keyboards lack: whatever opens a menu by that key opens it by both. Lives on
// the GUI thread, and acts while it exists.
//
//     ApplicationWindow { MenuKeys {} }
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class MenuKeys : public QObject {
    Q_OBJECT
    QML_ELEMENT
  public:
    explicit MenuKeys(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace coterie::app
