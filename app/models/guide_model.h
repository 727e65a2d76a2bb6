// SPDX-License-Identifier: Apache-2.0
// Finds the guide, the bundled demo model. The build fixes the file's path relative to the program's folder. The file
// is not read here. Thread-safe.
#pragma once

#include <QString>

namespace coterie::app {

/// Returns the path of the guide for the program in `programFolder`; empty if there is none.
QString guideBeside(const QString& programFolder);

} // namespace coterie::app
