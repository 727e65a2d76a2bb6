// SPDX-License-Identifier: Apache-2.0
// See shrinker.h.
#include "experts/shrinker.h"

namespace coterie::engine {

void Shrinker::shrink(Mutex& mutex) {
    while (slots_.withMemory() - leaving_ > slots_.limit()) {
        const auto slot = emptyTheLast();
        if (!slot) return;
        slots_.withdraw(*slot);
        ++leaving_;
        mutex.unlock();
        slots_.discardMemory(*slot);
        mutex.lock();
        --leaving_;
        slots_.memoryGone(*slot);
    }
}

/// Empties and returns the last slot with memory that is not held. Its expert moves to the slot of one that is expected
/// later, or is evicted if it is the one that is expected last.
std::optional<uint32_t> Shrinker::emptyTheLast() {
    for (auto slot = static_cast<uint32_t>(slots_.size()); slot-- > 0;) {
        if (!slots_.canBeEmptied(slot)) continue;
        if (slots_[slot].expert != nullptr && !slots_.hasEmpty()) slots_.vacate(*slots_.victim());
        if (slots_[slot].expert != nullptr) slots_.move(slot, slots_.lastEmpty());
        return slot;
    }
    return std::nullopt;
}

} // namespace coterie::engine
