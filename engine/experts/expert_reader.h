// SPDX-License-Identifier: Apache-2.0
// Fills slots from disk on one thread of its own, with many reads in flight. Needed experts go first; others are read
// only while no needed one is waiting, so that they never delay it for long. The reads of one expert go to the system
// together. A failed read is tried once more.
#pragma once

#include "base/mutex.h"
#include "base/reads.h"
#include "experts/expert_source.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace coterie::engine {

/// Why an expert is read.
enum class ReadReason : uint8_t {
    Needed,          ///< a layer has asked for it
    Prefetched,      ///< a layer to come may ask for it
    FilledWhileIdle, ///< no request is running, and there is room for it
};

/// Calls that the reader makes on its thread, under none of its locks. They must not throw.
struct ExpertReaderCalls {
    /// The slot's reads have ended. Cancelled if cancel() was called before the last of them had begun.
    std::function<void(uint32_t slot, Status status)> filled;
    /// There is nothing to read and no read in flight. Returns true if it did a piece of work: it is called again then,
    /// else when reads have ended or askIdle() was called.
    std::function<bool()> idle = [] { return false; };
};

struct ExpertReaderOptions {
    uint32_t slots = 0;
    uint64_t pieceBytes = 0;  ///< size of one read; a multiple of every file's alignment
    size_t prefetchDepth = 1; ///< an expert that is not needed begins only while fewer reads are in flight; once it has
                              ///< begun, all its reads follow
};

/// start(), promote(), cancel() and askIdle() may be called from any thread, and under locks that ExpertReaderCalls
/// take.
class ExpertReader {
  public:
    ExpertReader(std::unique_ptr<AsyncReads> reads, const ExpertReaderOptions& options, ExpertReaderCalls calls);
    /// Waits for reads that have begun; the others are dropped silently.
    ~ExpertReader();
    ExpertReader(const ExpertReader&) = delete;
    ExpertReader& operator=(const ExpertReader&) = delete;

    /// False if the system gave no thread: nothing would ever be read.
    bool running() const { return thread_.joinable(); }

    /// Queues the reads that fill a slot, which must not be waiting for reads already.
    void start(uint32_t slot, std::span<const ReadExtent> extents, ReadReason reason);
    /// An expert that was read for another reason is needed now.
    void promote(uint32_t slot);
    /// Cancels the reads of an expert that is not needed. Returns true if none of them is in flight: the slot is free
    /// at once, and `filled` is not called. Else `filled` follows: with Cancelled, or with success if the last read had
    /// begun.
    bool cancel(uint32_t slot);
    /// Has the thread call `idle`, which may have work.
    void askIdle();

  private:
    struct Fill {
        std::array<ReadExtent, kMostReadsPerExpert> extents;
        size_t count = 0, next = 0; // number of extents, and the first that has not begun completely
        uint64_t begun = 0;         // bytes of that one that have begun
        size_t inFlight = 0;
        bool cancelled = false;
        std::optional<Error> error; // error of the first read that failed twice
        bool allBegun() const { return next == count; }
        bool anyBegun() const { return next > 0 || begun > 0; }
    };
    struct Flight {
        uint32_t slot = 0;
        ReadRequest request;
        int attempts = 0;
    };

    void work();
    void issue() COTERIE_REQUIRES(mutex_);
    std::optional<uint32_t> next() const COTERIE_REQUIRES(mutex_);
    Flight& begin(uint32_t slot) COTERIE_REQUIRES(mutex_);
    void landed(ReadDone& done) COTERIE_REQUIRES(mutex_);
    void dequeue(uint32_t slot) COTERIE_REQUIRES(mutex_);

    const uint64_t pieceBytes_;
    const size_t prefetchDepth_;
    const ExpertReaderCalls calls_;
    const std::unique_ptr<AsyncReads> reads_; // used by the thread only, except wake()
    std::vector<ReadDone> results_;           // used by the thread only

    mutable Mutex mutex_;
    std::vector<Fill> fills_ COTERIE_GUARDED_BY(mutex_); // [slots]
    // Slots with reads that have not begun, in the order of start().
    std::vector<uint32_t> needed_ COTERIE_GUARDED_BY(mutex_), other_ COTERIE_GUARDED_BY(mutex_);
    std::vector<Flight> flights_ COTERIE_GUARDED_BY(mutex_); // [depth]; the id of a read is its index here
    std::vector<size_t> freeFlights_ COTERIE_GUARDED_BY(mutex_);
    bool asked_ COTERIE_GUARDED_BY(mutex_) = false;    // idle() may have work
    bool sleeping_ COTERIE_GUARDED_BY(mutex_) = false; // in collect(), although more reads could be in flight
    bool stopping_ COTERIE_GUARDED_BY(mutex_) = false;
    std::thread thread_;
};

} // namespace coterie::engine
