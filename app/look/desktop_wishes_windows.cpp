// SPDX-License-Identifier: Apache-2.0
// Reads the wishes from the accessibility settings of Windows, at the start and whenever the program becomes active.
#include "look/desktop_wishes.h"

#include <QGuiApplication>

#include <utility>

#include <windows.h>

namespace coterie::app {
namespace {

DesktopWish ask() {
    DesktopWish wish;
    BOOL animations = TRUE;
    if (SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, &animations, 0)) wish.reducedMotion = !animations;
    HIGHCONTRASTW contrast{};
    contrast.cbSize = sizeof(contrast);
    if (SystemParametersInfoW(SPI_GETHIGHCONTRAST, sizeof(contrast), &contrast, 0))
        wish.highContrast = (contrast.dwFlags & HCF_HIGHCONTRASTON) != 0;
    return wish;
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
