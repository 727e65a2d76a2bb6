// SPDX-License-Identifier: Apache-2.0
// Gives memory of slots back to the system when fewer slots may be used. Inside experts/ only.
#pragma once

#include "base/mutex.h"
#include "experts/slot_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace coterie::engine {

class Shrinker {
  public:
    /// slots outlives this.
    explicit Shrinker(SlotTable& slots) : slots_(slots) {}

    /// Gives back the memory of slots beyond the limit that are not held, from the arena's end: the system takes only
    /// whole large pages. `mutex` is the store's; it is released while the system takes a
    /// slot's memory.
    void shrink(Mutex& mutex) COTERIE_REQUIRES(mutex);

  private:
    std::optional<uint32_t> emptyTheLast();

    SlotTable& slots_;
    size_t leaving_ = 0; // slots whose memory is being given back; guarded by the store's mutex
};

} // namespace coterie::engine
