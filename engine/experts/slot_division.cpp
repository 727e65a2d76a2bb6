// SPDX-License-Identifier: Apache-2.0
// See slot_division.h.
#include "experts/slot_division.h"

#include "base/rounding.h"
#include "experts/expert_source.h"
#include "experts/slot_layout.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// Two sizes must save at least one part in so many of the bytes of all slots.
constexpr uint64_t kLeastGain = 50;

/// The bytes of the experts that may be in small slots: 0 if all slots should have one size.
uint64_t smallBytes(std::span<const ExpertLayer> shared) {
    const auto experts = [&shared](uint64_t bytes) {
        uint64_t count = 0;
        for (const ExpertLayer& layer : shared)
            if (layer.slotBytes() <= bytes) count += static_cast<uint64_t>(layer.experts);
        return count;
    };
    uint64_t largest = 0, best = 0, most = 0;
    for (const ExpertLayer& layer : shared) largest = std::max(largest, layer.slotBytes());
    for (const ExpertLayer& layer : shared) {
        const uint64_t saved = experts(layer.slotBytes()) * (largest - layer.slotBytes());
        if (saved <= most) continue;
        most = saved;
        best = layer.slotBytes();
    }
    return most >= ceilDiv(experts(largest) * largest, kLeastGain) ? best : 0;
}

} // namespace

uint64_t SlotDivision::smallAmong(uint64_t slots) const {
    const uint64_t most = slots - std::min(slots, leastSmall); // large ones, so that there are enough small ones
    const uint64_t large = std::max(std::min(byShare(slots), most), leastLarge);
    return slots - std::min(slots, large);
}

SlotClasses SlotClasses::of(std::span<const ExpertLayer> layers) {
    const SlotLayout layout = SlotLayout::of(layers);
    std::vector<ExpertLayer> shared;
    for (size_t i = 0; i < layers.size(); ++i)
        if (layers[i].experts > 0 && !layout.ownSlotOf(static_cast<int>(i))) shared.push_back(layers[i]);
    const bool several = std::any_of(shared.begin(), shared.end(), [](const ExpertLayer& l) { return l.experts > 1; });
    const uint64_t bytes = several ? smallBytes(shared) : 0;
    if (bytes == 0) return {};
    SlotClasses classes{.division = {}, .small = std::vector<uint8_t>(layers.size())};
    SlotDivision& to = classes.division;
    for (size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].experts == 0 || layout.ownSlotOf(static_cast<int>(i))) continue;
        const bool isSmall = layers[i].slotBytes() <= bytes;
        classes.small[i] = isSmall;
        (isSmall ? to.smallExperts : to.largeExperts) += static_cast<uint64_t>(layers[i].experts);
        // One slot is computed with while the next expert arrives in the other.
        uint64_t& least = isSmall ? to.leastSmall : to.leastLarge;
        least = std::max<uint64_t>({least, 2, static_cast<uint64_t>(std::max(layers[i].chosen, 0))});
    }
    to.leastLarge = std::min(to.leastLarge, to.largeExperts);
    to.leastSmall = std::min(to.leastSmall, to.smallExperts);
    return classes;
}

} // namespace coterie::engine
