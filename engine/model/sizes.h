// SPDX-License-Identifier: Apache-2.0
// Numbers of bytes whose sums and products stop at the largest number instead of wrapping around: a size that is too
// large stays too large. Inside decoder/, and for backends.
#pragma once

#include "base/rounding.h"

#include <cstdint>
#include <limits>

namespace coterie::engine {

class SaturatingBytes {
  public:
    constexpr SaturatingBytes(uint64_t value) : value_(value) {}
    constexpr uint64_t value() const { return value_; }

    friend constexpr SaturatingBytes operator+(SaturatingBytes a, SaturatingBytes b) {
        return a.value_ > kMost - b.value_ ? SaturatingBytes(kMost) : SaturatingBytes(a.value_ + b.value_);
    }
    friend constexpr SaturatingBytes operator*(SaturatingBytes a, SaturatingBytes b) {
        return b.value_ != 0 && a.value_ > kMost / b.value_ ? SaturatingBytes(kMost)
                                                            : SaturatingBytes(a.value_ * b.value_);
    }
    SaturatingBytes& operator+=(SaturatingBytes other) { return *this = *this + other; }

  private:
    static constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    uint64_t value_;
};

/// The room of an array: the next one begins on a cache line, as KernelTable::prepare() needs it.
constexpr SaturatingBytes alignedSize(SaturatingBytes bytes) {
    const SaturatingBytes padded = bytes + SaturatingBytes(kLineBytes - 1);
    return SaturatingBytes(padded.value() / kLineBytes * kLineBytes);
}

} // namespace coterie::engine
