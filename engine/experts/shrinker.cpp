// SPDX-License-Identifier: Apache-2.0
// See shrinker.h.
#include "experts/shrinker.h"

namespace coterie::engine {

void Shrinker::shrink(Mutex& mutex) {
    while (tooMany(SlotSize::Large) || tooMany(SlotSize::Small)) {
        const auto slot = emptyTheLast();
        if (!slot) return;
        size_t& leaving = leaving_[placeOf(slots_.sizeOf(*slot))];
        slots_.withdraw(*slot);
        ++leaving;
        mutex.unlock();
        slots_.discardMemory(*slot);
        mutex.lock();
        --leaving;
        slots_.memoryGone(*slot);
    }
}

/// Empties and returns the last slot with memory that is not held, of a size of which there are too many. Its expert
/// moves to the slot of one that is expected later, or is evicted if it is the one that is expected last.
std::optional<uint32_t> Shrinker::emptyTheLast() {
    for (auto slot = static_cast<uint32_t>(slots_.size()); slot-- > 0;) {
        const SlotSize size = slots_.sizeOf(slot);
        if (!slots_.canBeEmptied(slot) || !tooMany(size)) continue;
        if (slots_[slot].expert != nullptr && !slots_.hasEmpty(size)) slots_.vacate(*slots_.victim(size));
        if (slots_[slot].expert != nullptr) slots_.move(slot, slots_.lastEmpty(size));
        return slot;
    }
    return std::nullopt;
}

} // namespace coterie::engine
