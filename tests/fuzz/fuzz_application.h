// SPDX-License-Identifier: Apache-2.0
// The application that fuzz targets with fonts need. It ends before Qt's caches of fonts do: these are made with the
// first text, and an application that is made before them and is static would end after them and use what is gone.
#pragma once

#include <QGuiApplication>

#include <cstdlib>

/// Starts the application with the first call, which also runs warmUp: it must use fonts as the target does.
template <typename WarmUp>
void startApplication(WarmUp warmUp) {
    static int count = 1;
    static char name[] = "fuzz";
    static char* arguments[] = {name, nullptr};
    static QGuiApplication* application = nullptr;
    if (application) return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    application = new QGuiApplication(count, arguments);
    warmUp();
    std::atexit([] { delete application; });
}
