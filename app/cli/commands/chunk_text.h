// SPDX-License-Identifier: Apache-2.0
// Says how many tokens of a prompt are computed together, and why.
#pragma once

#include "session/session.h"

#include <string>

namespace coterie::app {

/// "experts come from disk: 72 slots make room, and a token reads 5.1 MiB instead of 41.2 MiB"
std::string chunkReason(const engine::MemoryPlan& plan);

} // namespace coterie::app
