// SPDX-License-Identifier: Apache-2.0
// Measures tokens per second over the last second, from the moments at which tokens came. It has no clock of its own:
// the caller gives the time. A second function says how long the rest of a work takes.
#pragma once

#include "base/mutex.h"

#include <chrono>
#include <cstdint>
#include <deque>

namespace coterie::engine {

/// Returns an estimate of the time that the rest of a work takes, of which `done` of `total` took so many seconds. -1
/// in the first half second, and if nothing is done: too little is known then.
double secondsLeft(double seconds, int64_t done, int64_t total);

/// Any thread may call any member.
class RateMeter {
  public:
    using Time = std::chrono::steady_clock::time_point;

    void token(Time now);
    /// Call this when the answer is over: the rate is 0 until tokens come again.
    void stop();
    /// Returns 0 if fewer than two tokens came. For a model slower than one token per second its last two tokens count.
    double perSecond() const;

  private:
    mutable Mutex mutex_;
    std::deque<Time> times_ COTERIE_GUARDED_BY(mutex_); ///< the tokens of the last second, and at least two
};

} // namespace coterie::engine
