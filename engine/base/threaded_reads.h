// SPDX-License-Identifier: Apache-2.0
// Threaded reads that signal each result, for use beside a system's queue. Only for base/.
#pragma once

#include "base/reads.h"

#include <functional>

namespace coterie::engine {

/// Like createThreadedReads(depth). A reading thread calls `onResult` after every result; `onResult` must not call this
/// object.
std::unique_ptr<AsyncReads> createThreadedReads(int depth, std::function<void()> onResult);

} // namespace coterie::engine
