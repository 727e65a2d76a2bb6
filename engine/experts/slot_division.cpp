// SPDX-License-Identifier: Apache-2.0
// See slot_division.h.
#include "experts/slot_division.h"

#include "base/rounding.h"
#include "experts/expert_source.h"
#include "experts/slot_layout.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace coterie::engine {
namespace {

/// Two sizes must save at least one part in so many of the bytes of all slots.
constexpr uint64_t kLeastGain = 50;
/// Ten times as many as the largest models have. A file that states more gets no table of them.
constexpr uint64_t kMostExperts = 1 << 20;

/// The bytes of the largest experts that are in small slots: 0 if all slots should have one size.
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
    const bool several = std::any_of(shared.begin(), shared.end(), [](const ExpertLayer& l) { return l.experts > 1; });
    if (!several || experts(largest) > kMostExperts) return 0;
    return most >= ceilDiv(experts(largest) * largest, kLeastGain) ? best : 0;
}

} // namespace

SlotDivision::SlotDivision(Experts large, Experts small)
    : largeExperts_(large.use.size()), experts_(large.use.size() + small.use.size()), leastLarge_(large.atOnce),
      leastSmall_(small.atOnce) {
    for (Experts* each : {&large, &small}) std::sort(each->use.begin(), each->use.end(), std::greater());
    const auto nextIsLarge = [&](uint64_t larges, uint64_t smalls) {
        if (larges < leastLarge_ || smalls == small.use.size()) return true;
        if (smalls < leastSmall_ || larges == large.use.size()) return false;
        if (large.use[larges] != small.use[smalls]) return large.use[larges] > small.use[smalls];
        return larges < byShare(larges + smalls + 1);
    };
    std::vector<uint32_t> table(experts_ + 1);
    for (uint64_t slots = 0; slots < experts_; ++slots) {
        const uint32_t smalls = table[slots];
        table[slots + 1] = smalls + (nextIsLarge(slots - smalls, smalls) ? 0 : 1);
    }
    small_ = std::make_shared<const std::vector<uint32_t>>(std::move(table));
}

bool SlotDivision::operator==(const SlotDivision& other) const {
    const auto counts = [](const SlotDivision& d) {
        return std::tie(d.largeExperts_, d.experts_, d.leastLarge_, d.leastSmall_);
    };
    if (counts(*this) != counts(other) || (small_ == nullptr) != (other.small_ == nullptr)) return false;
    return small_ == other.small_ || *small_ == *other.small_;
}

SlotClasses SlotClasses::of(std::span<const ExpertLayer> layers, const ExpertHeat& heat) {
    const SlotLayout layout = SlotLayout::of(layers);
    const auto shares = [&](size_t layer) {
        return layers[layer].experts > 0 && !layout.ownSlotOf(static_cast<int>(layer));
    };
    std::vector<ExpertLayer> shared;
    for (size_t i = 0; i < layers.size(); ++i)
        if (shares(i)) shared.push_back(layers[i]);
    const uint64_t bytes = smallBytes(shared);
    if (bytes == 0) return {};
    const ExpertIndex index(expertsOf(layers));
    const bool known = heat.fits(index);
    SlotClasses classes{.division = {}, .small = std::vector<uint8_t>(layers.size())};
    SlotDivision::Experts large, small;
    for (size_t i = 0; i < layers.size(); ++i) {
        if (!shares(i)) continue;
        classes.small[i] = layers[i].slotBytes() <= bytes;
        SlotDivision::Experts& to = classes.small[i] != 0 ? small : large;
        for (size_t expert = index.first(i); expert < index.first(i + 1); ++expert)
            to.use.push_back(known ? heat.shareOf(i, expert) : 0);
        // One slot is computed with while the next expert arrives in the other.
        to.atOnce = std::max<uint64_t>({to.atOnce, 2, static_cast<uint64_t>(std::max(layers[i].chosen, 0))});
    }
    for (SlotDivision::Experts* each : {&large, &small})
        each->atOnce = std::min<uint64_t>(each->atOnce, each->use.size());
    classes.division = SlotDivision(std::move(large), std::move(small));
    return classes;
}

} // namespace coterie::engine
