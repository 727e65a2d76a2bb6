// SPDX-License-Identifier: Apache-2.0
// Sums of sizes that stick at the largest number instead of wrapping: too much stays too much. Inside decoder/ only.
#pragma once

#include "base/rounding.h"

#include <cstdint>
#include <limits>

namespace coterie::engine {

class Size {
  public:
    constexpr Size(uint64_t value) : value_(value) {}
    constexpr uint64_t value() const { return value_; }

    friend constexpr Size operator+(Size a, Size b) {
        return a.value_ > kMost - b.value_ ? Size(kMost) : Size(a.value_ + b.value_);
    }
    friend constexpr Size operator*(Size a, Size b) {
        return b.value_ != 0 && a.value_ > kMost / b.value_ ? Size(kMost) : Size(a.value_ * b.value_);
    }
    Size& operator+=(Size other) { return *this = *this + other; }

  private:
    static constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    uint64_t value_;
};

/// The room of an array: the next one begins on a cache line, as KernelTable::prepare() needs it.
constexpr Size alignedSize(Size bytes) {
    const Size padded = bytes + Size(kLineBytes - 1);
    return Size(padded.value() / kLineBytes * kLineBytes);
}

} // namespace coterie::engine
