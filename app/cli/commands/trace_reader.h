// SPDX-License-Identifier: Apache-2.0
// Reads the files that the command trace writes: which experts each token used. The files may come from anywhere, so
// nothing in them is trusted.
#pragma once

#include "experts/replay.h"

#include <string>

namespace coterie::app {

/// Reads CSV or JSON, depending on the path's ending (.csv or .json). A BadInput error names the line (CSV) or the
/// token (JSON) that is wrong. Each token must have the same layers, in order.
engine::Result<engine::RoutingTrace> readTrace(const std::string& path);

} // namespace coterie::app
