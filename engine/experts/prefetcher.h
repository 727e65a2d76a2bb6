// SPDX-License-Identifier: Apache-2.0
// Reads that no layer has asked for: of experts that layers to come may need (hints), and of any expert that has room
// while no request is running (idle fills). Inside experts/ only.
//
// Locking: every call is made under the store's mutex, except started().
#pragma once

#include "experts/expert_reader.h"
#include "experts/expert_store.h"
#include "experts/slot_table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

class Prefetcher {
  public:
    /// slots and reader outlive this. sequential: see ExpertStoreOptions.
    Prefetcher(SlotTable& slots, ExpertReader& reader, bool sequential);

    /// A pass came to `layer`: what was prefetched for it is kept no longer, and reads of it that are not needed are
    /// cancelled. Nothing is prefetched until the layer has asked for its experts, and idle fills end.
    void beginLayer(int layer, std::span<const ExpertDemand> demands);
    void layerHasAsked() { layerWillAsk_ = false; }

    /// Replaces all hints. The likeliest is first.
    void setHints(std::span<const PrefetchHint> hints);
    /// Reads the likeliest hints that are not in memory, a few at a time: what comes next may be known better later.
    void startReads();
    /// The slot is kept for its layer no longer. If its expert is not needed either, reads that have not begun are
    /// cancelled.
    void keepNoLonger(uint32_t slot, bool needed);
    /// A needed expert has no slot, or memory is short: drops the hints about slots of a size, and what is kept for
    /// them.
    void drop(SlotSize size);
    void drop() {
        for (const SlotSize size : kSlotSizes) drop(size);
    }
    /// Prefetches since the store was created. Any thread.
    uint64_t started() const { return started_.load(std::memory_order_relaxed); }

    void fillWhileIdle();
    /// Starts as many idle fills as may run now, if no request is running.
    void startFills();
    void fillEnded() { --filling_; }
    /// If a read fails, idle fills stop: a failing disk gets no reads that are not needed.
    void stopFills() { idle_ = false; }

  private:
    std::optional<uint32_t> takeFor(const PrefetchHint& hint);
    bool isHinted(const Slot& slot) const;
    size_t mostKept(SlotSize size) const;
    std::optional<PrefetchHint> soonestOnDisk(std::span<const bool, 2> full) const;

    SlotTable& slots_;
    ExpertReader& reader_;
    const bool sequential_;
    std::vector<PrefetchHint> hints_; // not started yet, the likeliest last
    int now_ = 0;                     // the layer that began last
    bool layerWillAsk_ = false;       // it has not asked for anything yet: prefetching could take slots that it needs
    bool idle_ = false;               // no request is running: slots that hold nothing may be filled
    size_t filling_ = 0;              // idle fills that are being read
    std::atomic<uint64_t> started_{0};
};

} // namespace coterie::engine
