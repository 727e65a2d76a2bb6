// SPDX-License-Identifier: Apache-2.0
// Finds where a list of commands needs a barrier: in front of a command that touches what another one writes, if no
// barrier lies between the two. Commands without one may run side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::gpu {

class DeviceBuffer;

/// Bytes [begin, end) of a buffer that a command reads or writes.
struct Access {
    const DeviceBuffer* buffer = nullptr;
    bool writes = false;
    uint64_t begin = 0, end = UINT64_MAX;
};

class AccessTracker {
  public:
    /// Adds a command. True: a barrier must come before it, and those before the barrier are forgotten.
    bool add(std::span<const Access> command);
    /// Forgets all commands.
    void clear() { since_.clear(); }

  private:
    std::vector<Access> since_; // those of the commands since the last barrier
};

} // namespace coterie::gpu
