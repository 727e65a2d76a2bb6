// SPDX-License-Identifier: Apache-2.0
// Divides the slots that experts share into large and small ones. Files mix formats, so the experts of some layers are
// larger than those of others, and in slots of one size the smaller ones leave room that nothing uses. Each layer's
// experts go into slots of one of the sizes. The next slot goes to the size whose next expert was used most by earlier
// runs, so there is a slot for the experts that were used most: no other division of as many bytes leaves fewer bytes
// to be read by that use. Where experts of both sizes were used alike, or nothing is known, each size gets the share
// that it has of the experts.
//
//   the shared slots:  | large, as many as a layer needs | small, so many too | both, by the use of their experts |
//
// Example: the large experts were used by 40, 30, 2 and 1 % of the tokens, the small ones by 20, 20, 19 and 18 %, and a
// layer needs one slot. The slots are  L S | L S S S L L:  four of them are 2 large and 2 small ones, six are 2 and 4.
#pragma once

#include "experts/expert_heat.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

struct ExpertLayer;

enum class SlotSize : uint8_t { Large, Small };
inline constexpr SlotSize kSlotSizes[] = {SlotSize::Large, SlotSize::Small};
inline constexpr size_t placeOf(SlotSize size) { return static_cast<size_t>(size); }

/// How many of the shared slots are large, and how many small. A plain value, whose copies share a table of 4 bytes for
/// each expert; as it is created, all slots are large.
class SlotDivision {
  public:
    /// The experts of the layers with one size.
    struct Experts {
        std::vector<double> use; ///< [experts] share of the tokens that used the expert, in any order
        uint64_t atOnce = 0;     ///< slots that a layer of the size needs at once, at most the number of experts
    };
    SlotDivision() = default;
    /// large, small: at least one expert each, and less than 2^32 together
    SlotDivision(Experts large, Experts small);

    /// The fewest slots with which every layer can be computed. 0 if there is one size.
    uint64_t least() const { return leastLarge_ + leastSmall_; }
    /// Whether so many slots have two sizes: only if both have what their layers need at once, by their shares of the
    /// experts alone.
    bool divides(uint64_t slots) const {
        return small_ != nullptr && byShare(slots) >= leastLarge_ && slots - byShare(slots) >= leastSmall_;
    }
    /// The small ones among the first slots of an arena with two sizes. One more slot is either one more small one or
    /// one more large one. slots: at most the number of the experts.
    uint64_t smallAmong(uint64_t slots) const { return (*small_)[slots]; }
    /// The small ones, if so many slots are all that there are.
    uint64_t smallOf(uint64_t slots) const { return divides(slots) ? smallAmong(slots) : 0; }

    bool operator==(const SlotDivision& other) const;

  private:
    uint64_t byShare(uint64_t slots) const { return (slots * largeExperts_ + experts_ / 2) / experts_; }

    uint64_t largeExperts_ = 0, experts_ = 0;            // experts of the layers with large slots, and of all layers
    uint64_t leastLarge_ = 0, leastSmall_ = 0;           // slots that a layer of the size needs at once
    std::shared_ptr<const std::vector<uint32_t>> small_; // [experts + 1] smallAmong(); null: one size
};

/// The division for a model, and which layers have small slots.
struct SlotClasses {
    SlotDivision division;
    std::vector<uint8_t> small; ///< [layers] 1: the layer's experts are in small slots; empty if there is one size

    /// With the threshold that leaves the least room unused. One size if that gains too little, or if no layer has
    /// several experts: such a model's layers come in turn, so it gains little from a few more of them.
    /// heat: how often earlier runs used the experts; one that does not fit counts as none.
    static SlotClasses of(std::span<const ExpertLayer> layers, const ExpertHeat& heat = {});
};

} // namespace coterie::engine
