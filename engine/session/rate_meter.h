// SPDX-License-Identifier: Apache-2.0
// Tokens per second over the last second, from the moments at which tokens came. Not a clock: the caller tells the
// time.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>

namespace coterie::engine {

/// Any thread may call any member.
class RateMeter {
  public:
    using Time = std::chrono::steady_clock::time_point;

    void token(Time now);
    /// The answer is over: the rate is 0 until tokens come again.
    void stop();
    /// 0 where fewer than two tokens came. A model slower than one token a second is judged by its last two.
    double perSecond() const;

  private:
    mutable std::mutex mutex_;
    std::deque<Time> times_; ///< of the last second, and at least two; guarded by mutex_
};

} // namespace coterie::engine
