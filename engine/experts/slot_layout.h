// SPDX-License-Identifier: Apache-2.0
// Says where slots lie in the arena, and how large they are. Experts share slots of one size, which is enough for the
// largest of them. A dense layer beside layers with experts has a slot of its own: its feed-forward is many times as
// large as an expert, every token uses it, and it would make all other slots as large as itself.
//
//   the arena:  | own slots, in the order of their layers | shared slots |
#pragma once

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

    uint32_t own() const { return static_cast<uint32_t>(ownEnds_.size()); } ///< number of own slots: the first ones
    uint64_t ownBytes() const { return ownEnds_.empty() ? 0 : ownEnds_.back(); }
    uint64_t sharedBytes() const { return sharedBytes_; } ///< bytes of one shared slot
    /// The own slot of the layer's expert; nothing if it shares slots with others.
    std::optional<uint32_t> ownSlotOf(int layer) const;

    uint64_t offset(uint32_t slot) const;
    uint64_t bytes(uint32_t slot) const;
    /// Bytes of an arena with so many slots, own ones among them.
    uint64_t arenaBytes(uint64_t slots) const;

  private:
    static constexpr int32_t kShared = -1;

    std::vector<int32_t> ownSlot_;  // [layers] the layer's own slot, or kShared
    std::vector<uint64_t> ownEnds_; // [own slots] offset at which the slot ends
    uint64_t sharedBytes_ = 0;
};

} // namespace coterie::engine
