// SPDX-License-Identifier: Apache-2.0
// The desktop's settings for reduced motion and high contrast. The README of this folder lists what each desktop
// reports. Lives on the GUI thread.
#pragma once

#include <QObject>
#include <QVariant>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <optional>

namespace coterie::app {

/// The settings that a desktop reports. One that it does not report is empty.
struct DesktopWish {
    std::optional<bool> reducedMotion;
    std::optional<bool> highContrast;

    bool operator==(const DesktopWish&) const = default;
};

/// Calls `report` with the desktop's settings, and again after each change, until `owner` is destroyed. The first call
/// may come later, or never. Each system has its own file: desktop_wishes_*.
void followDesktop(QObject* owner, std::function<void(const DesktopWish&)> report);

/// Reads one value of the XDG settings portal (Linux). Keys of other matters give nothing.
DesktopWish readPortalValue(const QString& group, const QString& key, const QVariant& value);

class DesktopWishes : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    Q_PROPERTY(bool reducedMotion READ reducedMotion NOTIFY changed)
    Q_PROPERTY(bool highContrast READ highContrast NOTIFY changed)
  public:
    explicit DesktopWishes(QObject* parent = nullptr);

    bool reducedMotion() const { return wish_.reducedMotion.value_or(false); }
    bool highContrast() const { return wish_.highContrast.value_or(false); }

    /// Takes over what `news` has; the rest stays.
    void apply(const DesktopWish& news);

  Q_SIGNALS:
    void changed();

  private:
    DesktopWish wish_;
};

} // namespace coterie::app
