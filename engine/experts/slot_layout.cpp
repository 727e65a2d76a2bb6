// SPDX-License-Identifier: Apache-2.0
// See slot_layout.h.
#include "experts/slot_layout.h"

#include "experts/expert_source.h"

#include <algorithm>
#include <limits>

namespace coterie::engine {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

uint64_t sum(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }
uint64_t product(uint64_t a, uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

} // namespace

SlotLayout::SlotLayout(std::span<const int> experts, std::span<const uint64_t> bytes)
    : ownSlot_(experts.size(), kShared) {
    const bool hasExperts = std::any_of(experts.begin(), experts.end(), [](int count) { return count > 1; });
    for (size_t layer = 0; layer < experts.size(); ++layer) {
        if (experts[layer] != 1 || !hasExperts) {
            sharedBytes_ = std::max(sharedBytes_, bytes[layer]);
            continue;
        }
        ownSlot_[layer] = static_cast<int32_t>(ownEnds_.size());
        ownEnds_.push_back(sum(ownBytes(), bytes[layer]));
    }
}

SlotLayout SlotLayout::of(std::span<const ExpertLayer> layers) {
    std::vector<int> experts;
    std::vector<uint64_t> bytes;
    for (const ExpertLayer& layer : layers) {
        experts.push_back(layer.experts);
        bytes.push_back(layer.slotBytes());
    }
    return {experts, bytes};
}

SlotLayout SlotLayout::of(const ExpertSource& source) {
    std::vector<uint64_t> bytes;
    for (size_t layer = 0; layer < source.experts().size(); ++layer)
        bytes.push_back(source.slotBytes(static_cast<int>(layer)));
    return {source.experts(), bytes};
}

std::optional<uint32_t> SlotLayout::ownSlotOf(int layer) const {
    const int32_t slot = ownSlot_[static_cast<size_t>(layer)];
    return slot == kShared ? std::nullopt : std::optional(static_cast<uint32_t>(slot));
}

uint64_t SlotLayout::offset(uint32_t slot) const {
    if (slot >= own()) return ownBytes() + (slot - own()) * sharedBytes_;
    return slot == 0 ? 0 : ownEnds_[slot - 1];
}

uint64_t SlotLayout::bytes(uint32_t slot) const { return slot < own() ? ownEnds_[slot] - offset(slot) : sharedBytes_; }

uint64_t SlotLayout::arenaBytes(uint64_t slots) const {
    return sum(ownBytes(), product(slots - std::min<uint64_t>(slots, own()), sharedBytes_));
}

} // namespace coterie::engine
