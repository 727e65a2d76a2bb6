// SPDX-License-Identifier: Apache-2.0
// An automatic budget while the model is open: when other programs need memory, expert slots are given back within a
// second, and come back slowly once memory has been free for a while. A budget that the user named is never changed.
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

/// Bytes.
struct MemoryLimits {
    uint64_t most = 0;    ///< that slots may hold: the plan's
    uint64_t least = 0;   ///< below which the model can't run
    uint64_t reserve = 0; ///< that stays available to the rest of the system: systemReserve()
};

struct MemorySample {
    MemoryReading memory;
    uint64_t held = 0; ///< bytes that slots hold
};

/// What slots may hold, from what the system says: a rule without a clock or a thread of its own.
///
/// They may hold what they hold and what is available beyond the reserve. Less than before holds at once. More is
/// allowed after ten seconds in which there was room to spare (a quarter of the reserve), a sixteenth of the plan every
/// two seconds: a program that comes and goes doesn't have experts dropped and read in turns.
class MemoryGovernor {
  public:
    using Time = std::chrono::steady_clock::time_point;

    explicit MemoryGovernor(const MemoryLimits& limits);
    /// Bytes that slots may hold from now on. Times never go back. A system that gives no figures changes nothing.
    uint64_t decide(const MemorySample& sample, Time now);

  private:
    const MemoryLimits limits_;
    uint64_t allowed_;
    bool spare_ = false; // there was room to spare since:
    Time spareSince_{};
};

/// Asks and tells on a thread of its own until it is destroyed.
class MemoryWatch {
  public:
    using Source = std::function<MemorySample()>;
    using Callback = std::function<void(uint64_t bytes)>; ///< under no lock, and only when the number changed

    static constexpr std::chrono::milliseconds kInterval{250};

    /// Both must not throw and outlive the watch, whose end waits for a call that is under way. Nothing where the
    /// system gives no thread: then slots stay as they are.
    static std::unique_ptr<MemoryWatch> start(const MemoryLimits& limits, Source source, Callback callback,
                                              std::chrono::milliseconds interval = kInterval);

  private:
    MemoryWatch(const MemoryLimits& limits, Source source, Callback callback);
    void look();

    const Source source_;
    const Callback callback_;
    MemoryGovernor governor_;        // the thread's alone
    uint64_t told_;                  // likewise
    std::unique_ptr<Ticker> ticker_; // last: its thread uses all of the above
};

} // namespace coterie::engine
