// SPDX-License-Identifier: Apache-2.0
// Reads by io_uring, where the program was built with liburing. For base/ alone: FileSystem::createReads() chooses.
#pragma once

#include "base/reads.h"

namespace coterie::engine {

/// For files of systemFiles(); others are read by threads beside it. Nothing where the kernel refuses (older than 5.6,
/// or forbidden, as in many containers).
std::unique_ptr<AsyncReads> createUringReads(int depth);

} // namespace coterie::engine
