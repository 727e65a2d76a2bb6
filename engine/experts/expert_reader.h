// SPDX-License-Identifier: Apache-2.0
// Fills slots from disk on one thread of its own, many reads in flight. What is needed goes first; what is only guessed
// is read while nothing else is, so that it is never far in the way. The reads of an expert go to the system together.
// A failed read is tried once more.
#pragma once

#include "base/reads.h"
#include "experts/expert_source.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace coterie::engine {

/// What the thread does besides; both are called on it, under none of its locks, and must not throw.
struct ExpertReaderCalls {
    /// Cancelled where cancel() was called before its last read had begun.
    std::function<void(uint32_t slot, Status status)> filled;
    /// Nothing is to be read and nothing on its way. True where it did a piece of work: it is asked again then, else
    /// when reads have landed or askIdle() was called.
    std::function<bool()> idle = [] { return false; };
};

struct ExpertReaderOptions {
    uint32_t slots = 0;
    uint64_t pieceBytes = 0; ///< of one read; a multiple of every file's alignment
    size_t guessDepth = 1;   ///< fewer reads in flight let a guess begin, whose reads then all follow
};

/// start(), promote(), cancel() and askIdle() from any thread, and under locks that ExpertReaderCalls take.
class ExpertReader {
  public:
    enum class Urgency : uint8_t { Guessed, Needed };

    ExpertReader(std::unique_ptr<AsyncReads> reads, const ExpertReaderOptions& options, ExpertReaderCalls calls);
    /// Waits for reads that have begun; the others are dropped without a word.
    ~ExpertReader();
    ExpertReader(const ExpertReader&) = delete;
    ExpertReader& operator=(const ExpertReader&) = delete;

    /// False where the system gave no thread: nothing would ever be read.
    bool running() const { return thread_.joinable(); }
    const AsyncReads& reads() const { return *reads_; }

    /// The slot must not be in the making already.
    void start(uint32_t slot, std::span<const ReadExtent> extents, Urgency urgency);
    /// What was guessed is needed now.
    void promote(uint32_t slot);
    /// A guess is not worth its reads any more. True where none is on its way: the slot is free at once, and `filled`
    /// is not called. Else it will be: as Cancelled, or filled where its last read had begun.
    bool cancel(uint32_t slot);
    /// There may be work for `idle`.
    void askIdle();

  private:
    using Lock = std::unique_lock<std::mutex>;
    struct Fill {
        std::array<ReadExtent, kMostParts> extents;
        size_t count = 0, next = 0; // extents, and the first that is not wholly begun
        uint64_t begun = 0;         // bytes of that one
        size_t inFlight = 0;
        bool cancelled = false;
        std::optional<Error> error; // of the first read that failed twice
        bool allBegun() const { return next == count; }
        bool begunAny() const { return next > 0 || begun > 0; }
    };
    struct Flight {
        uint32_t slot = 0;
        ReadRequest request;
        int attempts = 0;
    };

    void work();
    void issue(Lock& lock);
    std::optional<uint32_t> next() const;
    Flight& begin(uint32_t slot);
    void landed(Lock& lock, ReadDone& done);
    static void drop(std::vector<uint32_t>& queue, uint32_t slot);

    const uint64_t pieceBytes_;
    const size_t guessDepth_;
    const ExpertReaderCalls calls_;
    const std::unique_ptr<AsyncReads> reads_; // the thread's alone, but for wake()
    std::vector<ReadDone> results_;           // the thread's

    std::mutex mutex_;                       // guards all below but thread_
    std::vector<Fill> fills_;                // [slots]
    std::vector<uint32_t> needed_, guessed_; // slots with reads that have not begun, first come first
    std::vector<Flight> flights_;            // [depth]; a read's id is its place here
    std::vector<size_t> freeFlights_;
    bool asked_ = false;    // idle() may have work
    bool sleeping_ = false; // in collect(), though more could be in flight
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace coterie::engine
