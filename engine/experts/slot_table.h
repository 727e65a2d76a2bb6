// SPDX-License-Identifier: Apache-2.0
// Says which expert is in which slot: the memory of the slots, their states and pins, and the choice of a slot to give
// up.
// The table reads nothing and waits for nothing. Inside experts/ only.
//
// Locking: the store's mutex guards the whole table. The members under "any thread" read atomics, which are written
// under the mutex, and need no lock.
#pragma once

#include "base/memory.h"
#include "experts/eviction.h"
#include "experts/expert_index.h"
#include "experts/expert_reader.h"
#include "experts/expert_source.h"
#include "experts/expert_store.h"
#include "experts/slot_layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

inline constexpr int32_t kNoSlot = -1;

/// One expert of one layer.
struct Expert {
    int32_t slot = kNoSlot;
    std::atomic<ExpertState> state{ExpertState::OnDisk}; ///< written under the mutex, read by any thread
};

struct Slot {
    /// Work on the slot's memory without the mutex. The reader's thread reads and arranges.
    enum class Work : uint8_t { None, Reading, Arranging, Discarding };

    Expert* expert = nullptr;   ///< null: the slot holds nothing
    int layer = 0, number = 0;  ///< which expert that is; they do not change while it arrives
    uint32_t pins = 0;          ///< requests that have not been released
    uint32_t uses = 0;          ///< requests since the expert came
    uint64_t readBytes = 0;     ///< bytes that its last read brings
    Work work = Work::None;     ///< unless it is None, only the thread that does it touches the slot's memory
    ReadReason reason{};        ///< reason of its last read
    bool keptForLayer = false;  ///< prefetched, and its layer has not come yet
    bool arranged = false;      ///< ExpertSource::arrange() has been called, or does nothing for this layer
    std::optional<Error> error; ///< error of its last read

    bool busy() const { return work != Work::None; }
    bool arriving() const { return work == Work::Reading || work == Work::Arranging; }
    /// A held slot is never given away.
    bool held() const { return pins > 0 || busy() || keptForLayer; }
    /// It was prefetched, and no layer has asked for it.
    bool unclaimed() const { return reason == ReadReason::Prefetched && uses == 0; }
};

/// Shared slots may have two sizes. Everything that gives a slot to an expert is by size: the slots without an expert,
/// the limit, and the victim.
///
/// Slots are in one of five conditions:
///
///   fresh:   no memory yet, or none any more
///   empty:   memory, but no expert
///   filled:  one expert's, from the moment when its read starts
///   leaving: its memory is being given back, without the mutex
///   lent:    others use its memory
///
///   fresh or empty --fill()--> filled --vacate(), move()--> empty --withdraw()--> leaving --memoryGone()--> fresh
///   fresh or empty --lend()--> lent --endLoan()--> empty
///
/// Slots that are leaving or lent are held, as are filled ones that are pinned, kept, or worked on: none of them is
/// given away. A layer's own slot is empty until its expert is read, and is never given up: it counts as held, and as
/// one that has memory.
class SlotTable {
  public:
    /// source outlives the table. arena: [layout.arenaBytes(slots)]; slots: more than the layout's own ones.
    /// minimumSlots: the least that setLimit() leaves, own slots among them.
    SlotTable(const ExpertSource& source, SlotLayout layout, Buffer arena, uint32_t slots, uint64_t minimumSlots,
              EvictionKind eviction);

    // Any thread.
    bool known(int layer, int expert) const { return index_.has(layer, expert); }
    /// The expert's number among all, if it is known.
    std::optional<size_t> numberOf(int layer, int expert) const {
        return known(layer, expert) ? std::optional(index_.number(layer, expert)) : std::nullopt;
    }
    size_t layers() const { return index_.layers(); }
    size_t experts() const { return experts_.size(); }
    ExpertState state(int layer, int expert) const;
    void states(std::span<uint8_t> out) const;
    const SlotLayout& layout() const { return layout_; }
    uint64_t minimum() const { return minimum_; }
    /// Slots that may have memory, lent ones among them.
    uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
    /// The size of the shared slots that the layer's experts use. The layer is known.
    SlotSize sizeFor(int layer) const { return layout_.sizeFor(layer); }
    /// Shared slots of a size that may hold experts.
    uint64_t usable(SlotSize size) const;
    /// Those that every limit and every loan leave.
    uint64_t minimum(SlotSize size) const { return layout_.countOf(size, minimum_); }
    /// Slots that may hold experts, own ones among them.
    uint64_t usable() const { return layout_.own() + usable(SlotSize::Large) + usable(SlotSize::Small); }
    SlotUse use() const;
    /// Every expert has a slot of its own, so an expert that is in memory stays there.
    bool holdsAllExperts() const { return usable() == experts_.size(); }

    // Under the mutex.
    size_t size() const { return slots_.size(); }
    const Slot& operator[](uint32_t slot) const { return slots_[slot]; }
    /// The slot of a known expert, or nothing.
    std::optional<uint32_t> slotOf(int layer, int expert) const;
    std::byte* data(uint32_t slot) const { return arena_.data() + layout_.offset(slot); }
    EvictionPolicy& policy() { return *policy_; }
    const EvictionPolicy& policy() const { return *policy_; }
    /// The slot of a size that the policy would give up, among those that are filled and not held.
    std::optional<uint32_t> victim(SlotSize size) const { return policy_->victim(pool(size).held); }
    /// Whether some slot of the size is filled and not pinned, but its expert is still arriving.
    bool anyArrivesUnpinned(SlotSize size) const;

    /// Takes a slot for an expert of the layer that has none: the layer's own one, or an empty one, or a fresh one
    /// within the limit.
    std::optional<uint32_t> takeUnused(int layer);
    /// Takes a fresh slot of the size that experts share, even beyond the limit.
    std::optional<uint32_t> takeFresh(SlotSize size);
    /// Gives a taken slot to an expert that has none.
    void fill(uint32_t slot, int layer, int expert);
    /// The slot's expert goes to OnDisk, and the slot becomes empty.
    void vacate(uint32_t slot);
    void pin(uint32_t slot);
    /// Removes a pin. True if it was the last one.
    bool unpin(uint32_t slot);

    /// The reads that fill the slot, which is arriving from now on. `out` gets them; returns how many there are.
    size_t beginReading(uint32_t slot, ReadReason reason, std::span<ReadExtent, kMostReadsPerExpert> out);
    /// The slot's bytes are about to be arranged.
    void beginArranging(uint32_t slot);
    /// The work on the slot has ended: its expert is in memory, or on disk if the read failed, and `error` says why.
    void endWork(uint32_t slot, bool arranged, std::optional<Error> error);
    /// The slot's reads were cancelled before any of them began.
    void forgetReading(uint32_t slot);

    /// Slots that are kept until the layer of their experts comes.
    std::span<const uint32_t> keptForLayer() const { return kept_; }
    size_t keptForLayer(SlotSize size) const;
    void keepForLayer(uint32_t slot);
    void keepNoLonger(uint32_t slot);

    // For the Shrinker.
    void setLimit(uint64_t slots);
    SlotSize sizeOf(uint32_t slot) const { return layout_.sizeOf(slot); }
    /// The shared slots of a size that have memory, and those that may have some.
    uint64_t withMemory(SlotSize size) const { return countOf(size) - pool(size).fresh.size(); }
    uint64_t limit(SlotSize size) const { return layout_.countOf(size, limit()); }
    /// The slot has memory and is not held.
    bool canBeEmptied(uint32_t slot) const { return written_[slot] > 0 && held(slot) == 0; }
    bool hasEmpty(SlotSize size) const { return !pool(size).empty.empty(); }
    uint32_t lastEmpty(SlotSize size) const { return pool(size).empty.back(); }
    /// An expert that is not held moves to an empty slot of the same size; its own slot is empty afterwards.
    void move(uint32_t from, uint32_t to);
    /// Takes an empty slot out of the table until memoryGone() brings it back as a fresh one.
    void withdraw(uint32_t slot);
    /// Without the mutex.
    void discardMemory(uint32_t slot) { arena_.discard(layout_.offset(slot), layout_.bytes(slot)); }
    void memoryGone(uint32_t slot);

    // A loan: the last slots hold no experts for a while, and others use their memory.
    /// Lends one more slot, which comes before those that are lent and is not held: so it is not leaving either. Its
    /// expert moves to a slot before `first`, or is evicted if it is the one that is expected last.
    void lend(uint32_t slot, uint32_t first);
    std::span<std::byte> lentMemory() const;
    void endLoan();

  private:
    /// The shared slots of one size.
    struct Pool {
        // [slots] Slot::held(), side by side for the policy; 1 for an own slot, for one of the other size, and for a
        // lent one
        std::vector<uint8_t> held;
        std::vector<uint32_t> fresh;   // slots without memory; the last one is taken next
        std::vector<uint32_t> empty;   // slots with memory that hold nothing
        std::atomic<uint64_t> used{0}; // slots that hold an expert; written under the mutex
    };

    Pool& pool(SlotSize size) { return pools_[placeOf(size)]; }
    const Pool& pool(SlotSize size) const { return pools_[placeOf(size)]; }
    Pool& poolOf(uint32_t slot) { return pool(sizeOf(slot)); }
    uint8_t held(uint32_t slot) const { return pool(sizeOf(slot)).held[slot]; }
    uint64_t countOf(SlotSize size) const { return layout_.countOf(size, slots_.size()); }
    uint64_t lent(SlotSize size) const;
    std::optional<uint32_t> takeUnusedBefore(uint32_t first, SlotSize size);
    const Expert& at(int layer, int expert) const { return experts_[index_.number(layer, expert)]; }
    bool isOwn(uint32_t slot) const { return slot < layout_.own(); }
    void updateHeld(uint32_t slot) { poolOf(slot).held[slot] = isOwn(slot) || slots_[slot].held(); }
    void noteWritten(uint32_t slot, uint64_t bytes);

    const ExpertSource& source_;
    const SlotLayout layout_;
    Buffer arena_;
    const uint64_t minimum_;
    const ExpertIndex index_;
    std::vector<Expert> experts_; // numbered by index_

    std::vector<Slot> slots_;
    std::array<Pool, 2> pools_;     // [SlotSize]
    std::vector<uint64_t> written_; // [slots] bytes written from the slot's beginning since it was fresh
    std::vector<uint32_t> kept_;    // slots with keptForLayer
    const std::unique_ptr<EvictionPolicy> policy_;

    std::atomic<uint64_t> limit_; // written under the mutex, as are the others
    std::atomic<uint64_t> bytesHeld_{0}, lent_{0};
    std::atomic<uint64_t> ownFree_, ownFreeBytes_; // own slots that hold nothing, and their room
};

/// Starts the reads that fill a slot. Under the mutex.
void startReading(SlotTable& slots, ExpertReader& reader, uint32_t slot, ReadReason reason);

} // namespace coterie::engine
