// SPDX-License-Identifier: Apache-2.0
// Reads by io_uring, if the program was built with liburing. Only for base/: FileSystem::createReads() chooses.
#pragma once

#include "base/reads.h"

namespace coterie::engine {

/// Reads files of systemFiles() by io_uring and other files on threads. Returns null if the kernel refuses io_uring (it
/// is older than 5.6, or forbids it, as many containers do).
std::unique_ptr<AsyncReads> createUringReads(int depth);

} // namespace coterie::engine
