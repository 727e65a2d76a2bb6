// SPDX-License-Identifier: Apache-2.0
// Says where slots lie in the arena, and how large they are. Experts share slots of one size, which is enough for the
// largest of them, or of two (slot_division.h). A dense layer beside layers with experts has a slot of its own: its
// feed-forward is many times as large as an expert, every token uses it, and it would make all other slots as large as
// itself.
//
//   the arena:  | own slots, in the order of their layers | shared slots |
#pragma once

#include "experts/slot_division.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

struct ExpertLayer;
class ExpertSource;

/// A plain value. Sums of bytes stop at the largest number.
class SlotLayout {
  public:
    SlotLayout() = default; ///< no slots
    /// experts, bytes: [layers] the number of a layer's experts, and the room that one of them needs
    SlotLayout(std::span<const int> experts, std::span<const uint64_t> bytes);
    static SlotLayout of(std::span<const ExpertLayer> layers);
    static SlotLayout of(const ExpertSource& source);
    /// The same layers with shared slots of two sizes, if so many slots, own ones among them, are divided.
    SlotLayout divided(const SlotClasses& classes, uint64_t slots) const;
    SlotLayout withOneSize() const;

    uint32_t own() const { return static_cast<uint32_t>(ownEnds_.size()); } ///< number of own slots: the first ones
    uint64_t ownBytes() const { return ownEnds_.empty() ? 0 : ownEnds_.back(); }
    uint64_t sharedBytes() const { return bytesOf(SlotSize::Large); } ///< bytes of the largest shared slots
    /// Bytes of a shared slot of the size; 0 for Small if all have one size.
    uint64_t bytesOf(SlotSize size) const { return bytes_[placeOf(size)]; }
    /// Number of slots that the store can't do without, own ones among them; 0 if shared slots have one size.
    uint64_t least() const { return division_.least() == 0 ? 0 : own() + division_.least(); }
    /// The own slot of the layer's expert; nothing if it shares slots with others.
    std::optional<uint32_t> ownSlotOf(int layer) const;

    /// The size of the shared slots that the layer's experts use; Large for a layer with an own slot.
    SlotSize sizeFor(int layer) const;
    SlotSize sizeOf(uint32_t slot) const; ///< Large for an own slot
    /// Number of the shared slots of a size among the arena's first slots.
    uint64_t countOf(SlotSize size, uint64_t slots) const;

    uint64_t offset(uint32_t slot) const;
    uint64_t bytes(uint32_t slot) const;
    /// Bytes of an arena with so many slots, own ones among them.
    uint64_t arenaBytes(uint64_t slots) const;
    /// Number of the last ones of so many slots that have these bytes together; more than the shared ones if they are
    /// too few.
    uint64_t lastWith(uint64_t bytes, uint64_t slots) const;
    /// Bytes of a shared slot on average, if there are so many slots: rounded up.
    uint64_t meanBytes(uint64_t slots) const;

  private:
    static constexpr int32_t kShared = -1;

    std::vector<int32_t> ownSlot_;     // [layers] the layer's own slot, or kShared
    std::vector<uint64_t> layerBytes_; // [layers] room that an expert needs
    std::vector<uint64_t> ownEnds_;    // [own slots] offset at which the slot ends
    std::array<uint64_t, 2> bytes_{};  // [SlotSize] of shared slots
    SlotDivision division_;
    std::vector<uint8_t> small_; // [layers] 1: in small slots; empty: all shared slots have one size
};

/// The slots of a model's store for any number of them. A plain value.
struct StoreSlots {
    std::vector<int> experts; ///< [layers]
    SlotLayout oneSize;       ///< as if all shared slots had the larger size
    SlotClasses classes;

    /// heat: as for SlotClasses::of()
    static StoreSlots of(std::span<const ExpertLayer> layers, const ExpertHeat& heat = {});
    uint64_t most() const; ///< a slot for each expert
    /// The layout of a store with so many slots, at most most().
    SlotLayout layout(uint64_t slots) const { return oneSize.divided(classes, slots); }
    /// The most slots that fit into so many bytes; no more than own ones if they are too few for others.
    uint64_t slotsIn(uint64_t bytes) const;
};

} // namespace coterie::engine
