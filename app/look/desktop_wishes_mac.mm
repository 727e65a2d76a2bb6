// SPDX-License-Identifier: Apache-2.0
// Reads the wishes from the accessibility settings of macOS, at the start and whenever the program becomes active.
#include "look/desktop_wishes.h"

#include <QGuiApplication>

#include <utility>

#import <AppKit/AppKit.h>

namespace coterie::app {
namespace {

DesktopWish ask() {
    NSWorkspace* workspace = [NSWorkspace sharedWorkspace];
    return {.reducedMotion = workspace.accessibilityDisplayShouldReduceMotion == YES,
            .highContrast = workspace.accessibilityDisplayShouldIncreaseContrast == YES};
}

} // namespace

void followDesktop(QObject* owner, std::function<void(const DesktopWish&)> report) {
    report(ask());
    QObject::connect(qGuiApp, &QGuiApplication::applicationStateChanged, owner,
                     [report = std::move(report)](Qt::ApplicationState state) {
                         if (state == Qt::ApplicationActive) report(ask());
                     });
}

} // namespace coterie::app
