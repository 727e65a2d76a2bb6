// SPDX-License-Identifier: Apache-2.0
// The expert store: a fixed arena of slots, each of which holds one expert of one layer and is filled from disk by a
// thread of the store's own. Every expert goes through it, whether the model fits or not; a model that fits simply
// never misses twice. The store knows bytes and layers, and nothing of what an expert computes.
//
//     LayerPass pass = store->beginLayer(layer, demands, tokens); // the eviction policy learns what is used
//     pass.request(chosen);                                       // pins hits, has misses read, returns at once
//     ... attention ...
//     store->prefetch(hints);                                     // for later layers: read while nothing needed is
//     for (int expert : chosen) if (auto parts = pass.wait(expert)) compute(parts.value());
//     pass.end();                                                 // releases what is pinned, as its destructor does
//     store->fillWhileIdle();                                     // until the next pass: reads experts that have room
#pragma once

#include "base/memory.h"
#include "base/reads.h"
#include "experts/counts.h"
#include "experts/eviction.h"
#include "experts/expert_heat.h"
#include "experts/expert_source.h"
#include "experts/slot_division.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

/// Size of one read where experts come from disk again and again: large enough for the disk's full rate, and small
/// enough that a prefetch does not delay a needed read for long.
inline constexpr uint64_t kStreamedPiece = uint64_t{1} << 20;
/// Reads in flight on a disk that was not measured.
inline constexpr int kUnmeasuredReadDepth = 4;

struct ExpertStoreOptions {
    uint64_t slots = 0;        ///< at least those of dense layers, and the experts that one layer uses for one token
    uint64_t minimumSlots = 1; ///< limitSlots() never goes below this number
    /// The sizes of the slots that experts share: those that a plan for so many slots has counted with. A store with
    /// two sizes never goes below what both need, either.
    SlotClasses classes{};
    EvictionKind eviction = EvictionKind::ExpectedUse;
    /// Layers come in a known order, so prefetch hints always come true: they are read one after the other, with all
    /// reads that can be in flight, into any slot that may be given away.
    bool sequential = false;
    uint64_t pieceBytes = 0; ///< bytes of one read, a multiple of the files' alignment; 0: each part in one read
    ExpertHeat heat{};       ///< heat of an earlier store of this model; one that does not fit counts as none
};

/// The place of an expert. The values are part of the contract of ExpertStore::states().
enum class ExpertState : uint8_t {
    OnDisk = 0,
    Arriving = 1, ///< it is being read, or arranged in its slot
    InMemory = 2, ///< in a slot, in main memory
    OnDevice = 3, ///< in the memory of a device, e.g. a GPU. The store never says so: the decoder sets it in its own
                  ///< view of the states for experts that a device holds
};

/// An expert that a layer to come may need.
struct PrefetchHint {
    int layer = 0, expert = 0;
};

class LayerPass;

/// beginLayer(), prefetch(), fillWhileIdle() and all calls on a LayerPass come from one thread at a time; the other
/// calls from any thread. No call throws, except std::bad_alloc.
class ExpertStore {
  public:
    /// OutOfMemory if the arena or a thread can't be had; `reads` may be null, which means the same.
    static Result<std::unique_ptr<ExpertStore>>
    create(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, const ExpertStoreOptions& options);
    ~ExpertStore();
    ExpertStore(const ExpertStore&) = delete;
    ExpertStore& operator=(const ExpertStore&) = delete;

    /// Announces that `layer` needs these experts for a pass of `tokens` tokens. Call it once per layer and pass: the
    /// eviction policy learns usage from this call only. The pass must end before the store does.
    LayerPass beginLayer(int layer, std::span<const ExpertDemand> demands, int64_t tokens);
    /// Takes hints about experts that later layers may need, the likeliest first. They replace all earlier hints. The
    /// experts are read only while no needed expert is, into slots whose experts are expected later, and are kept until
    /// their layer begins.
    void prefetch(std::span<const PrefetchHint> hints);
    /// Until the next beginLayer(), experts are read into slots that hold none, in the order in which they are expected
    /// to be used. Nothing is evicted for them. Stops silently if a read fails twice.
    void fillWhileIdle();

    /// Sets how many slots may be used from now on, between the minimum and the slots created. The memory of the others
    /// goes back to the system before this returns, except of slots that are pinned or arriving: theirs follows as soon
    /// as they are neither.
    void limitSlots(uint64_t slots);
    /// Slots that experts share and may use now: without those that dense layers have for themselves.
    uint64_t usableSlots() const;
    /// Those of them that the experts of this layer may use. The layer exists.
    uint64_t usableSlots(int layer) const;
    /// Lends at least so many bytes, the memory of whole slots, until endLoan(): their experts are moved or evicted,
    /// the least expected ones. The memory has been used, so touching it costs nothing, and its bytes may be anything.
    /// Empty if a pass runs, not all slots may be used, or too few would remain. Calls come from the passes' thread.
    std::span<std::byte> lend(uint64_t bytes);
    void endLoan();

    ExpertState state(int layer, int expert) const;
    /// Number of experts of all layers.
    size_t experts() const;
    /// Writes the ExpertState of every expert: one byte each, the experts of layer 0 by number, then those of layer 1,
    /// and so on; a layer without experts has no bytes. out: [experts()]; a shorter span gets the first ones. Each byte
    /// is right for some moment during the call. Takes no lock, so it may be called many times a second.
    void states(std::span<uint8_t> out) const;
    /// Counts since the store was created: those up to waitSeconds.
    Counts counts() const;
    /// How often each expert was used since the store was created, and before, as options.heat says.
    ExpertHeat heat() const;
    SlotUse slotUse() const;

  private:
    friend class LayerPass;
    class Impl;
    explicit ExpertStore(std::unique_ptr<Impl> impl);
    const std::unique_ptr<Impl> impl_;
};

/// A pass of tokens over one layer, from ExpertStore::beginLayer(). It knows which experts it has pinned, and releases
/// them when it ends. Movable.
class LayerPass {
  public:
    LayerPass() = default; ///< a pass that has ended
    LayerPass(LayerPass&& other) noexcept;
    LayerPass& operator=(LayerPass&& other) noexcept; ///< ends the pass that was here
    ~LayerPass() { end(); }

    int layer() const { return layer_; }
    /// Pins each expert (its slot stays until released) and has it read if it is missing. An Internal error, after
    /// which none of them is pinned, if more experts than slots would be pinned. hit[i], if given, says whether
    /// experts[i] needed no new read.
    Status request(std::span<const int> experts, std::span<bool> hit = {});
    /// Whether wait() would return at once.
    bool arrived(int expert) const;
    /// Blocks until a requested expert is in memory. Io if its read failed twice (a later request tries again).
    Result<ExpertParts> wait(int expert);
    /// Removes one pin from each expert. Ignores experts that this pass has not pinned.
    void release(std::span<const int> experts);
    /// Releases everything that is still pinned. If a read has failed, this waits first until all other requested
    /// experts have arrived or failed too, so that none of them fails into the next pass.
    void end();

  private:
    friend class ExpertStore;
    LayerPass(ExpertStore::Impl* store, int layer, std::vector<int> pinned);

    ExpertStore::Impl* store_ = nullptr; // null: ended
    int layer_ = 0;
    bool readFailed_ = false;
    std::vector<int> pinned_; // an expert with several pins several times
};

} // namespace coterie::engine
