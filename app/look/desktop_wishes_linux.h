// SPDX-License-Identifier: Apache-2.0
// Reads the wishes from the settings portal of the desktop (org.freedesktop.portal.Settings), over the session's D-Bus,
// which is a local socket. Nothing waits for the answer, and without a portal there is none.
#pragma once

#include "look/desktop_wishes.h"

#include <QDBusPendingCallWatcher>
#include <QDBusVariant>

namespace coterie::app {

class DesktopPortal : public QObject {
    Q_OBJECT
  public:
    DesktopPortal(std::function<void(const DesktopWish&)> report, QObject* parent);

  private Q_SLOTS:
    void readAll(QDBusPendingCallWatcher* call);
    void read(const QString& group, const QString& key, const QDBusVariant& value);

  private:
    std::function<void(const DesktopWish&)> report_;
};

} // namespace coterie::app
