// SPDX-License-Identifier: Apache-2.0
// Linux's memory figures, read from /proc and the cgroup files. The folders are arguments so that tests can use their
// own.
#pragma once

#include "base/memory.h"

#include <string>

namespace coterie::engine {

/// proc: a folder with self/status, self/cgroup and meminfo. cgroups: the folder where the cgroup file systems are
/// mounted (v1, v2 or both).
MemoryReading readLinuxMemory(const std::string& proc, const std::string& cgroups);

} // namespace coterie::engine
