// SPDX-License-Identifier: Apache-2.0
// Says which expert is in which slot, as every eviction policy needs it. Experts have their numbers of an ExpertIndex.
#pragma once

#include "experts/eviction.h"
#include "experts/expert_index.h"

#include <cassert>
#include <cstddef>

namespace coterie::engine {

class ResidentExperts {
  public:
    static constexpr int32_t kNone = -1;

    explicit ResidentExperts(const EvictionShape& shape)
        : index_(shape.expertsOfLayer), slotOf_(index_.experts(), kNone), expertIn_(shape.slots, kNone) {}

    const ExpertIndex& index() const { return index_; }
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
    ExpertIndex index_;
    std::vector<int32_t> slotOf_;   // [experts]
    std::vector<int32_t> expertIn_; // [slots]
};

} // namespace coterie::engine
