// SPDX-License-Identifier: Apache-2.0
// Where the guide is, the demo model that comes with the program: a file at a place that the build fixes, as seen from
// the program's folder. What is in it, the engine finds out. Thread-safe.
#pragma once

#include <QString>

namespace coterie::app {

/// The guide of the program in `programFolder`; empty where none came with it.
QString guideBeside(const QString& programFolder);

} // namespace coterie::app
