// SPDX-License-Identifier: Apache-2.0
// See screenshot.h.
#include "main/screenshot.h"

#include "cli/console.h"

#include <QGuiApplication>
#include <QTimer>

#include <chrono>

namespace coterie::app {
namespace {

/// Longer than the window's longest animation, so that no picture shows one half way.
constexpr std::chrono::milliseconds kSettled{500};

void save(QQuickWindow& window, const QString& path) {
    const bool saved = window.grabWindow().save(path);
    if (!saved)
        writeError("error: The picture was not written; " + path.toStdString() +
                   " can't be created, or its ending names no picture format; choose another path, ending in .png\n");
    QCoreApplication::exit(saved ? 0 : 1);
}

} // namespace

void takeScreenshotAndQuit(QQuickWindow& window, ModelController& models, const QString& path) {
    auto* settle = new QTimer(&window);
    settle->setSingleShot(true);
    settle->setInterval(kSettled);
    QObject::connect(settle, &QTimer::timeout, &window, [&window, path] { save(window, path); });
    const auto restart = [settle, &models] {
        if (models.state() != ModelController::Opening) settle->start();
    };
    QObject::connect(&models, &ModelController::stateChanged, settle, restart);
    restart();
}

} // namespace coterie::app
