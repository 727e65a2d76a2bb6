// SPDX-License-Identifier: Apache-2.0
// The expert store: a fixed arena of slots, each holding one expert of one layer, filled from disk by a thread of its
// own. Every expert goes through it, whether the model fits or not; a model that fits simply never misses twice. It
// knows bytes and layers, nothing of what an expert computes.
//
//     store->reach(layer, demands, tokens);      // tells the policy who is used
//     store->request(layer, chosen);             // pins hits, has misses read, returns at once
//     ... attention ...
//     store->expect(guesses);                    // of layers to come: read while nothing needed is
//     for (int expert : chosen) if (auto parts = store->wait(layer, expert)) compute(parts.value());
//     store->release(layer, chosen);
//     store->rest();                             // nobody asks for a while: what has room is read
#pragma once

#include "base/memory.h"
#include "base/reads.h"
#include "experts/eviction.h"
#include "experts/expert_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

/// Of one read where experts come from disk again and again: large enough that the disk gives what it can, small enough
/// that a guess is not long in the way of what is needed.
inline constexpr uint64_t kStreamedPiece = uint64_t{1} << 20;

struct ExpertStoreOptions {
    uint64_t slots = 0;        ///< at least the experts one layer uses for one token
    uint64_t minimumSlots = 1; ///< that limitSlots() leaves in any case
    EvictionKind eviction = EvictionKind::ExpectedUse;
    /// What is expected always comes, in that order: it is read with all reads that can be in flight, one after the
    /// other, into any slot that may be given away.
    bool certain = false;
    uint64_t pieceBytes = 0; ///< of one read, a multiple of the files' alignment; 0: each part in one read
};

/// Counted since the store was created.
struct ExpertStoreStatistics {
    uint64_t hits = 0; ///< requests that found their expert in a slot, or arriving
    uint64_t misses = 0;
    uint64_t guessed = 0;     ///< experts read on a guess
    uint64_t guessedUsed = 0; ///< of these, asked for then
    uint64_t bytesRead = 0;
    double waitSeconds = 0; ///< what callers of wait() waited
    uint64_t slotsUsed = 0; ///< slots that hold an expert, or are about to
    uint64_t slots = 0;     ///< that may be used now
    uint64_t slotBytes = 0; ///< room for any of them
    uint64_t bytesHeld = 0; ///< what of the slots was written to: less than their room where layers differ in size
    const char* reader = "";
    uint64_t readDepth = 0;

    uint64_t asked() const { return hits + misses; }
    /// Of those asked for, what came from disk for it: not there at all, or read on a guess.
    uint64_t fromDisk() const { return misses + guessedUsed; }
};

enum class ExpertState : uint8_t { OnDisk, Arriving, InMemory };

struct ExpertGuess {
    int layer = 0, expert = 0;
};

/// reach/request/expect/wait/release/rest come from one thread at a time; the others from any.
class ExpertStore {
  public:
    /// OutOfMemory where the arena or a thread can't be had; reads may be nothing, which says the same.
    static Result<std::unique_ptr<ExpertStore>>
    create(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, const ExpertStoreOptions& options);
    virtual ~ExpertStore() = default;

    /// A pass of `tokens` tokens came to `layer`, which needs these experts. Once a layer and pass, before request();
    /// it alone tells the policy who is used.
    virtual void reach(int layer, std::span<const ExpertDemand> demands, int64_t tokens) = 0;
    /// Pins each expert (its slot stays until released) and has it read where it is missing. At most slots() pinned at
    /// a time: one more is an Internal error. hit[i], where given, tells whether experts[i] needed no new read.
    virtual Status request(int layer, std::span<const int> experts, std::span<bool> hit = {}) = 0;
    /// Experts that layers to come may need, the likeliest first; takes the place of what was expected before. Read
    /// only while nothing needed is, into slots whose experts are expected later; kept until their layer is reached.
    virtual void expect(std::span<const ExpertGuess> guesses) = 0;
    /// Blocks until a requested expert is in memory. Io where its read failed twice (a later request tries again).
    virtual Result<ExpertParts> wait(int layer, int expert) = 0;
    /// Whether wait() would return at once.
    virtual bool arrived(int layer, int expert) const = 0;
    virtual void release(int layer, std::span<const int> experts) = 0;
    /// Until the next reach(), experts are read into slots that hold none, those first that are expected soonest.
    /// Nothing is evicted for them. Ends without a word where a read fails twice.
    virtual void rest() = 0;

    /// At most so many slots are used from now on, between the minimum and slots(). What is beyond goes back to the
    /// system before this returns, but for slots that are pinned or arriving: those follow as soon as they are not.
    virtual void limitSlots(uint64_t slots) = 0;
    /// Of the arena: the most there can be.
    virtual uint64_t slots() const = 0;
    /// That may be used now.
    virtual uint64_t usableSlots() const = 0;
    virtual ExpertState state(int layer, int expert) const = 0;
    virtual ExpertStoreStatistics statistics() const = 0;
};

} // namespace coterie::engine
