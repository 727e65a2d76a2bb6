// SPDX-License-Identifier: Apache-2.0
// See rate_meter.h.
#include "session/rate_meter.h"

namespace coterie::engine {

double secondsLeft(double seconds, int64_t done, int64_t total) {
    constexpr double kTooShort = 0.5;
    if (seconds < kTooShort || done <= 0) return -1;
    return seconds * static_cast<double>(total - done) / static_cast<double>(done);
}

void RateMeter::token(Time now) {
    const MutexLock lock(mutex_);
    times_.push_back(now);
    while (times_.size() > 2 && now - times_.front() > std::chrono::seconds(1)) times_.pop_front();
}

void RateMeter::stop() {
    const MutexLock lock(mutex_);
    times_.clear();
}

double RateMeter::perSecond() const {
    const MutexLock lock(mutex_);
    if (times_.size() < 2) return 0;
    const double seconds = std::chrono::duration<double>(times_.back() - times_.front()).count();
    return seconds > 0 ? static_cast<double>(times_.size() - 1) / seconds : 0;
}

} // namespace coterie::engine
