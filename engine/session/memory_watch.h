// SPDX-License-Identifier: Apache-2.0
// Adjusts an automatic budget while the model is open: when other programs need memory, expert slots are given back
// within a second, and come back slowly once memory has been free for a while. A budget that the user named is never
// changed.
//
//     auto watch = MemoryWatch::start({.most = slots * slotBytes, .least = ..., .reserve = ...},
//                                     [&] { return MemorySample{readMemory(), bytesInSlots()}; },
//                                     [&](uint64_t bytes) { store.limitSlots(bytes / slotBytes); });
#pragma once

#include "base/memory.h"
#include "session/ticker.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace coterie::engine {

/// All values are in bytes.
struct MemoryLimits {
    uint64_t most = 0;    ///< bytes that slots may hold at most, as planned
    uint64_t least = 0;   ///< bytes that slots need at least: with fewer the model can't run
    uint64_t reserve = 0; ///< memory that stays available to the rest of the system: systemReserve()
};

struct MemorySample {
    MemoryReading memory;
    uint64_t held = 0; ///< bytes that slots hold
};

/// Decides how much memory slots may hold, from the system's figures. It has no clock and no thread of its own.
///
/// The slots may hold what they hold now, and in addition what is available beyond the reserve. A smaller limit applies
/// at once. A larger one is allowed only after there was room to spare (a quarter of the reserve) for ten seconds, and
/// then by a sixteenth of the plan every two seconds. So a program that comes and goes does not make experts be dropped
/// and read in turns.
class MemoryGovernor {
  public:
    using Time = std::chrono::steady_clock::time_point;

    explicit MemoryGovernor(const MemoryLimits& limits);
    /// Returns the bytes that slots may hold from now on. `now` must never be earlier than in the last call. If the
    /// system gives no figures, nothing changes.
    uint64_t decide(const MemorySample& sample, Time now);

  private:
    const MemoryLimits limits_;
    uint64_t allowed_;
    bool spare_ = false; // there is room to spare, since spareSince_
    Time spareSince_{};
};

/// Samples the memory and calls back on a thread of its own until it is destroyed.
class MemoryWatch {
  public:
    using Source = std::function<MemorySample()>;
    using Callback = std::function<void(uint64_t bytes)>; ///< called under no lock, and only when the number changed

    static constexpr std::chrono::milliseconds kInterval{250};

    /// Both functions must outlive the watch and must not throw. The watch's destructor waits for a call that is
    /// running. Returns null if the system gives no thread: then slots stay as they are.
    static std::unique_ptr<MemoryWatch> start(const MemoryLimits& limits, Source source, Callback callback,
                                              std::chrono::milliseconds interval = kInterval);

  private:
    MemoryWatch(const MemoryLimits& limits, Source source, Callback callback);
    void look();

    const Source source_;
    const Callback callback_;
    MemoryGovernor governor_;        // used only by the thread
    uint64_t reported_;              // used only by the thread: the bytes of the last callback
    std::unique_ptr<Ticker> ticker_; // the last member: its thread uses all those above
};

} // namespace coterie::engine
