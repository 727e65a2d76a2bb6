// SPDX-License-Identifier: Apache-2.0
// Divides the slots that experts share into large and small ones. Files mix formats, so the experts of some layers are
// larger than those of others, and in slots of one size the smaller ones leave room that nothing uses. Each layer's
// experts go into slots of one of the sizes, and each size has the share of the slots that it has of the experts.
//
//   the shared slots:  | large, as many as a layer needs | small, so many too | both in turn, so that the shares hold |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

struct ExpertLayer;

enum class SlotSize : uint8_t { Large, Small };
inline constexpr SlotSize kSlotSizes[] = {SlotSize::Large, SlotSize::Small};
inline constexpr size_t placeOf(SlotSize size) { return static_cast<size_t>(size); }

/// How many of the shared slots are large, and how many small. A plain value; as it is created, all are large.
struct SlotDivision {
    uint64_t largeExperts = 0, smallExperts = 0; ///< experts of the layers with either size; no small ones: one size
    uint64_t leastLarge = 0, leastSmall = 0;     ///< slots that a layer of the size needs at once

    /// The fewest slots with which every layer can be computed. 0 if there is one size.
    uint64_t least() const { return smallExperts == 0 ? 0 : leastLarge + leastSmall; }
    /// Whether so many slots have two sizes: only if both have what their layers need at once, by their shares alone.
    bool divides(uint64_t slots) const {
        return smallExperts > 0 && byShare(slots) >= leastLarge && slots - byShare(slots) >= leastSmall;
    }
    /// The small ones among the first slots of an arena with two sizes. One more slot is either one more small one or
    /// one more large one. slots: at most the number of the experts.
    uint64_t smallAmong(uint64_t slots) const;
    /// The small ones, if so many slots are all that there are.
    uint64_t smallOf(uint64_t slots) const { return divides(slots) ? smallAmong(slots) : 0; }

    bool operator==(const SlotDivision&) const = default;

  private:
    uint64_t byShare(uint64_t slots) const {
        const uint64_t all = largeExperts + smallExperts;
        return (slots * largeExperts + all / 2) / all;
    }
};

/// The division for a model, and which layers have small slots.
struct SlotClasses {
    SlotDivision division;
    std::vector<uint8_t> small; ///< [layers] 1: the layer's experts are in small slots; empty if there is one size

    /// With the threshold that leaves the least room unused. One size if that gains too little, or if no layer has
    /// several experts: such a model's layers come in turn, so it gains little from a few more of them.
    static SlotClasses of(std::span<const ExpertLayer> layers);
};

} // namespace coterie::engine
