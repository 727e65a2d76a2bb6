// SPDX-License-Identifier: Apache-2.0
// Threaded reads that tell of each result. For base/ alone: beside a system's queue that is waited for elsewhere.
#pragma once

#include "base/reads.h"

#include <functional>

namespace coterie::engine {

/// As createThreadedReads(depth). `told` is called on a reading thread after every result; it calls nothing here.
std::unique_ptr<AsyncReads> createThreadedReads(int depth, std::function<void()> told);

} // namespace coterie::engine
