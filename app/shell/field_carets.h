// SPDX-License-Identifier: Apache-2.0
// Lets a field show its caret only while it has the focus. A field of several lines of Qt 6.4 draws nothing while it is
// hidden, so one that loses the focus with its page still has its caret when the page is shown again. Lives on the GUI
// thread, and acts while it exists.
//
//     ApplicationWindow { FieldCarets {} }
#pragma once

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class FieldCarets : public QObject {
    Q_OBJECT
    QML_ELEMENT
  public:
    explicit FieldCarets(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace coterie::app
