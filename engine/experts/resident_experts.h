// SPDX-License-Identifier: Apache-2.0
// Says which expert is in which slot, as every eviction policy needs it. Experts of all layers have one common
// numbering.
#pragma once

#include "experts/eviction.h"

#include <cassert>
#include <cstddef>

namespace coterie::engine {

class ResidentExperts {
  public:
    static constexpr int32_t kNone = -1;

    explicit ResidentExperts(const EvictionShape& shape) : expertIn_(shape.slots, kNone) {
        first_.reserve(shape.expertsOfLayer.size() + 1);
        first_.push_back(0);
        for (const int experts : shape.expertsOfLayer) first_.push_back(first_.back() + static_cast<size_t>(experts));
        slotOf_.assign(first_.back(), kNone);
    }

    size_t layers() const { return first_.size() - 1; }
    size_t slots() const { return expertIn_.size(); }
    size_t experts() const { return slotOf_.size(); }
    /// Number of a layer's first expert. For layers(): the number of all experts.
    size_t first(size_t layer) const { return first_[layer]; }
    size_t number(int layer, int expert) const {
        assert(layer >= 0 && static_cast<size_t>(layer) < layers() && expert >= 0);
        const size_t number = first_[static_cast<size_t>(layer)] + static_cast<size_t>(expert);
        assert(number < first_[static_cast<size_t>(layer) + 1]);
        return number;
    }
    int32_t slotOf(size_t number) const { return slotOf_[number]; }
    int32_t expertIn(size_t slot) const { return expertIn_[slot]; }

    void fill(uint32_t slot, size_t number) {
        empty(slot);
        assert(slotOf_[number] == kNone);
        slotOf_[number] = static_cast<int32_t>(slot);
        expertIn_[slot] = static_cast<int32_t>(number);
    }
    void empty(uint32_t slot) {
        if (expertIn_[slot] == kNone) return;
        slotOf_[static_cast<size_t>(expertIn_[slot])] = kNone;
        expertIn_[slot] = kNone;
    }

  private:
    std::vector<size_t> first_;     // [layers + 1]
    std::vector<int32_t> slotOf_;   // [experts]
    std::vector<int32_t> expertIn_; // [slots]
};

} // namespace coterie::engine
