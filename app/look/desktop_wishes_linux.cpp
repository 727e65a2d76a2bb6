// SPDX-License-Identifier: Apache-2.0
// See desktop_wishes_linux.h.
#include "look/desktop_wishes_linux.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusPendingReply>
#include <QDir>
#include <QFileInfo>

#include <utility>

namespace coterie::app {
namespace {

using Groups = QMap<QString, QVariantMap>; // a{sa{sv}}

const char* const kService = "org.freedesktop.portal.Desktop";
const char* const kPath = "/org/freedesktop/portal/desktop";
const char* const kInterface = "org.freedesktop.portal.Settings";

/// Whether the session has a bus; without one, asking for it could start one.
bool hasSessionBus() {
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           (qEnvironmentVariableIsSet("XDG_RUNTIME_DIR") &&
            QFileInfo::exists(QDir(qEnvironmentVariable("XDG_RUNTIME_DIR")).filePath(QStringLiteral("bus"))));
}

} // namespace

DesktopPortal::DesktopPortal(std::function<void(const DesktopWish&)> report, QObject* parent)
    : QObject(parent), report_(std::move(report)) {
    qDBusRegisterMetaType<Groups>();
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(QString::fromLatin1(kService), QString::fromLatin1(kPath), QString::fromLatin1(kInterface),
                QStringLiteral("SettingChanged"), this, SLOT(read(QString, QString, QDBusVariant)));
    QDBusMessage ask = QDBusMessage::createMethodCall(QString::fromLatin1(kService), QString::fromLatin1(kPath),
                                                      QString::fromLatin1(kInterface), QStringLiteral("ReadAll"));
    ask << QStringList{QStringLiteral("org.freedesktop.appearance"), QStringLiteral("org.gnome.desktop.*"),
                       QStringLiteral("org.kde.kdeglobals.KDE")};
    auto* call = new QDBusPendingCallWatcher(bus.asyncCall(ask), this);
    connect(call, &QDBusPendingCallWatcher::finished, this, &DesktopPortal::readAll);
}

void DesktopPortal::readAll(QDBusPendingCallWatcher* call) {
    call->deleteLater();
    const QDBusPendingReply<Groups> reply = *call;
    if (reply.isError()) return; // there is no portal, or it has no settings
    const Groups groups = reply.value();
    for (auto group = groups.begin(); group != groups.end(); ++group) {
        for (auto entry = group->begin(); entry != group->end(); ++entry)
            read(group.key(), entry.key(), QDBusVariant(entry.value()));
    }
}

void DesktopPortal::read(const QString& group, const QString& key, const QDBusVariant& value) {
    const DesktopWish wish = readPortalValue(group, key, value.variant());
    if (wish != DesktopWish()) report_(wish);
}

void followDesktop(QObject* owner, std::function<void(const DesktopWish&)> report) {
    if (hasSessionBus()) new DesktopPortal(std::move(report), owner);
}

} // namespace coterie::app
