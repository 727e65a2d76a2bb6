// SPDX-License-Identifier: Apache-2.0
// Which experts a recorded trace's tokens used, read back from the files that the command trace writes. They may come
// from anywhere: nothing in them is trusted.
#pragma once

#include "experts/replay.h"

#include <string>

namespace coterie::app {

/// By the path's ending, .csv or .json. BadInput names the line (CSV) or the token (JSON) that is wrong. Each token
/// must come to the same layers, in order.
engine::Result<engine::RoutingTrace> readTrace(const std::string& path);

} // namespace coterie::app
