// SPDX-License-Identifier: Apache-2.0
// See slot_layout.h.
#include "experts/slot_layout.h"

#include "base/rounding.h"
#include "experts/expert_source.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coterie::engine {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

uint64_t sum(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }
uint64_t product(uint64_t a, uint64_t b) { return b != 0 && a > kMost / b ? kMost : a * b; }

} // namespace

SlotLayout::SlotLayout(std::span<const int> experts, std::span<const uint64_t> bytes)
    : ownSlot_(experts.size(), kShared), layerBytes_(bytes.begin(), bytes.end()) {
    uint64_t& shared = bytes_[placeOf(SlotSize::Large)];
    const bool hasExperts = std::any_of(experts.begin(), experts.end(), [](int count) { return count > 1; });
    for (size_t layer = 0; layer < experts.size(); ++layer) {
        if (experts[layer] != 1 || !hasExperts) {
            shared = std::max(shared, bytes[layer]);
            continue;
        }
        ownSlot_[layer] = static_cast<int32_t>(ownEnds_.size());
        ownEnds_.push_back(sum(ownBytes(), bytes[layer]));
    }
}

SlotLayout SlotLayout::of(std::span<const ExpertLayer> layers) {
    std::vector<uint64_t> bytes;
    for (const ExpertLayer& layer : layers) bytes.push_back(layer.slotBytes());
    return {expertsOf(layers), bytes};
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

SlotLayout SlotLayout::divided(const SlotClasses& classes, uint64_t slots) const {
    if (!classes.division.divides(slots - std::min<uint64_t>(slots, own()))) return *this;
    SlotLayout two = *this;
    two.division_ = classes.division;
    two.small_ = classes.small;
    two.bytes_ = {};
    for (size_t layer = 0; layer < ownSlot_.size(); ++layer) {
        uint64_t& bytes = two.bytes_[placeOf(two.sizeFor(static_cast<int>(layer)))];
        if (ownSlot_[layer] == kShared) bytes = std::max(bytes, layerBytes_[layer]);
    }
    return two;
}

SlotLayout SlotLayout::withOneSize() const {
    SlotLayout one = *this;
    one.division_ = {};
    one.small_.clear();
    one.bytes_[placeOf(SlotSize::Small)] = 0;
    return one;
}

SlotSize SlotLayout::sizeFor(int layer) const {
    return !small_.empty() && small_[static_cast<size_t>(layer)] != 0 ? SlotSize::Small : SlotSize::Large;
}

SlotSize SlotLayout::sizeOf(uint32_t slot) const {
    const bool isSmall = countOf(SlotSize::Small, uint64_t{slot} + 1) > countOf(SlotSize::Small, slot);
    return isSmall ? SlotSize::Small : SlotSize::Large;
}

uint64_t SlotLayout::countOf(SlotSize size, uint64_t slots) const {
    const uint64_t shared = slots - std::min<uint64_t>(slots, own());
    const uint64_t small = small_.empty() ? 0 : division_.smallAmong(shared);
    return size == SlotSize::Small ? small : shared - small;
}

uint64_t SlotLayout::offset(uint32_t slot) const {
    if (slot >= own()) return arenaBytes(slot);
    return slot == 0 ? 0 : ownEnds_[slot - 1];
}

uint64_t SlotLayout::bytes(uint32_t slot) const {
    return slot < own() ? ownEnds_[slot] - offset(slot) : bytes_[placeOf(sizeOf(slot))];
}

uint64_t SlotLayout::arenaBytes(uint64_t slots) const {
    uint64_t bytes = ownBytes();
    for (const SlotSize size : kSlotSizes) bytes = sum(bytes, product(countOf(size, slots), bytes_[placeOf(size)]));
    return bytes;
}

uint64_t SlotLayout::lastWith(uint64_t bytes, uint64_t slots) const {
    const uint64_t shared = slots - std::min<uint64_t>(slots, own()), all = arenaBytes(slots);
    uint64_t count = ceilDiv(bytes, std::max<uint64_t>(sharedBytes(), 1));
    while (count <= shared && all - arenaBytes(slots - count) < bytes) ++count;
    return count;
}

uint64_t SlotLayout::meanBytes(uint64_t slots) const {
    const uint64_t shared = slots - std::min<uint64_t>(slots, own());
    return shared == 0 ? sharedBytes() : ceilDiv(arenaBytes(slots) - ownBytes(), shared);
}

StoreSlots StoreSlots::of(std::span<const ExpertLayer> layers, const ExpertHeat& heat) {
    return {.experts = expertsOf(layers), .oneSize = SlotLayout::of(layers), .classes = SlotClasses::of(layers, heat)};
}

uint64_t StoreSlots::most() const { return std::accumulate(experts.begin(), experts.end(), uint64_t{0}); }

/// As the plan chooses: two sizes if those that fit then are divided.
uint64_t StoreSlots::slotsIn(uint64_t bytes) const {
    const auto fitting = [&](const SlotLayout& layout) {
        uint64_t fit = 0, tooMany = most() + 1;
        while (fit + 1 < tooMany) {
            const uint64_t slots = fit + (tooMany - fit) / 2;
            (layout.arenaBytes(slots) <= bytes ? fit : tooMany) = slots;
        }
        return fit;
    };
    const uint64_t slots = fitting(layout(most()));
    return layout(slots).least() > 0 ? slots : fitting(oneSize);
}

} // namespace coterie::engine
