// SPDX-License-Identifier: Apache-2.0
// See rate_meter.h.
#include "session/rate_meter.h"

namespace coterie::engine {

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
