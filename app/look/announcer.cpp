// SPDX-License-Identifier: Apache-2.0
// See announcer.h. The bridge to AT-SPI (Linux) of Qt 6.4 passes ObjectShow on as "showing" and ignores Alert; the
// bridges of Windows and macOS do the opposite. So both are sent.
#include "look/announcer.h"

#include <QAccessible>

namespace coterie::app {

void Announcer::announce(QQuickItem* alert) {
    if (alert == nullptr || !alert->isVisible()) return;
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(alert);
    if (node == nullptr) return;
    const QString name = node->text(QAccessible::Name), description = node->text(QAccessible::Description);
    QAccessibleEvent shown(alert, QAccessible::ObjectShow);
    QAccessible::updateAccessibility(&shown);
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QAccessibleAnnouncementEvent spoken(alert, name);
#else
    QAccessibleEvent spoken(alert, QAccessible::Alert);
#endif
    QAccessible::updateAccessibility(&spoken);
    Q_EMIT announced(name, description);
}

} // namespace coterie::app
