// SPDX-License-Identifier: Apache-2.0
// Memory for benchmarks of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Bytes that are 0 at first and aligned to 64 bytes.
class Room {
  public:
    explicit Room(size_t bytes) : bytes_(bytes + 64) {}
    std::byte* data() { return bytes_.data() + (64 - reinterpret_cast<uintptr_t>(bytes_.data()) % 64) % 64; }

  private:
    std::vector<std::byte> bytes_;
};
