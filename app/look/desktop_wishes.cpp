// SPDX-License-Identifier: Apache-2.0
// See desktop_wishes.h.
#include "look/desktop_wishes.h"

namespace coterie::app {

DesktopWish readPortalValue(const QString& group, const QString& key, const QVariant& value) {
    if (group == QStringLiteral("org.freedesktop.appearance")) {
        if (key == QStringLiteral("reduced-motion")) return {.reducedMotion = value.toUInt() == 1, .highContrast = {}};
        if (key == QStringLiteral("contrast")) return {.reducedMotion = {}, .highContrast = value.toUInt() == 1};
    }
    if (group == QStringLiteral("org.gnome.desktop.interface") && key == QStringLiteral("enable-animations"))
        return {.reducedMotion = !value.toBool(), .highContrast = {}};
    if (group == QStringLiteral("org.gnome.desktop.a11y.interface") && key == QStringLiteral("high-contrast"))
        return {.reducedMotion = {}, .highContrast = value.toBool()};
    if (group == QStringLiteral("org.kde.kdeglobals.KDE") && key == QStringLiteral("AnimationDurationFactor"))
        return {.reducedMotion = value.toDouble() == 0, .highContrast = {}};
    return {};
}

DesktopWishes::DesktopWishes(QObject* parent) : QObject(parent) {
    followDesktop(this, [this](const DesktopWish& news) { apply(news); });
}

void DesktopWishes::apply(const DesktopWish& news) {
    const DesktopWish before = wish_;
    if (news.reducedMotion) wish_.reducedMotion = news.reducedMotion;
    if (news.highContrast) wish_.highContrast = news.highContrast;
    if (wish_ != before) Q_EMIT changed();
}

} // namespace coterie::app
