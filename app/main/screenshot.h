// SPDX-License-Identifier: Apache-2.0
// Takes a picture of the window once its motion has ended, for bug reports and tests.
#pragma once

#include "models/model_controller.h"

#include <QQuickWindow>
#include <QString>

namespace coterie::app {

/// Saves the window to `path` once the model, if there is one, is open or has failed, and ends the program: code 0, or
/// 1 with an error line if the picture can't be written. Call it on the GUI thread before the event loop.
void takeScreenshotAndQuit(QQuickWindow& window, ModelController& models, const QString& path);

} // namespace coterie::app
