// SPDX-License-Identifier: Apache-2.0
// Lets the window's shortcuts work while a read-only text has the focus. Before Qt 6.5 a read-only TextEdit claims
// every key for itself (it accepts each ShortcutOverride), so that no shortcut of the window runs. This filter leaves
// it only Copy and Select all. Lives on the GUI thread.
//
//     TextEdit { id: edit; readOnly: true; ShortcutFilter { item: edit } }
#pragma once

#include <QObject>
#include <QPointer>
#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class ShortcutFilter : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickItem* item READ item WRITE setItem NOTIFY itemChanged)
  public:
    using QObject::QObject;

    QQuickItem* item() const { return item_; } ///< the text item whose keys are filtered
    void setItem(QQuickItem* item);

    bool eventFilter(QObject* watched, QEvent* event) override;

  Q_SIGNALS:
    void itemChanged();

  private:
    QPointer<QQuickItem> item_;
};

} // namespace coterie::app
