// SPDX-License-Identifier: Apache-2.0
// Gives memory of slots back to the system when fewer slots may be used. Inside experts/ only.
#pragma once

#include "base/mutex.h"
#include "experts/slot_table.h"

#include <array>
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
    /// Whether the memory of a slot of the size is being given back: the slot is fresh soon.
    bool isEmptying(SlotSize size) const { return leaving_[placeOf(size)] > 0; }

  private:
    bool tooMany(SlotSize size) const { return slots_.withMemory(size) - leaving_[placeOf(size)] > slots_.limit(size); }
    std::optional<uint32_t> emptyTheLast();

    SlotTable& slots_;
    // [SlotSize] slots whose memory is being given back; guarded by the store's mutex
    std::array<size_t, 2> leaving_{};
};

} // namespace coterie::engine
