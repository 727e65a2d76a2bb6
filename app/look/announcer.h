// SPDX-License-Identifier: Apache-2.0
// Tells screen readers about something that was shown: an error, an offer to undo, the end of an answer. Qt 6.4 sends
// no event when an item with the role of an alert appears or gets other words, so that nobody would hear of it. Lives
// on the GUI thread.
//
//     Announcer.announce(card) // card: a visible item with Accessible.role: Accessible.AlertMessage and a name
#pragma once

#include <QObject>
#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Announcer : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit Announcer(QObject* parent = nullptr) : QObject(parent) {}

    /// Sends the events after which the desktop's screen reader speaks the item's name and description: on Linux that
    /// it is shown now, elsewhere an alert, from Qt 6.8 on an announcement. Does nothing if the item is not visible.
    Q_INVOKABLE void announce(QQuickItem* alert);

  Q_SIGNALS:
    /// The item's name and description, whether anybody listens or not.
    void announced(const QString& name, const QString& description);
};

} // namespace coterie::app
