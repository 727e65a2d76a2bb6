// SPDX-License-Identifier: Apache-2.0
// A picture of the window, once it has settled: for bug reports, and for tests that have no eyes.
#pragma once

#include "model_controller.h"

#include <QQuickWindow>
#include <QString>

namespace coterie::app {

/// Saves the window to `path` once the model, if there is one, is open or has failed, and ends the program: code 0, or
/// 1 with an error line where the picture can't be written. Call it on the GUI thread before the event loop.
void takeScreenshotAndQuit(QQuickWindow& window, ModelController& models, const QString& path);

} // namespace coterie::app
