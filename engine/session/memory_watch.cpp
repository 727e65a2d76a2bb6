// SPDX-License-Identifier: Apache-2.0
// See memory_watch.h.
#include "session/memory_watch.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace coterie::engine {

namespace {

using namespace std::chrono_literals;

constexpr auto kCalm = 10s;         // time with room to spare before more is allowed
constexpr auto kPause = 2s;         // time between two steps up
constexpr uint64_t kSteps = 16;     // number of steps from nothing to the plan
constexpr uint64_t kSpareShare = 4; // reserve / kSpareShare is the room to spare

uint64_t sum(uint64_t a, uint64_t b) {
    return a > std::numeric_limits<uint64_t>::max() - b ? std::numeric_limits<uint64_t>::max() : a + b;
}
uint64_t difference(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

} // namespace

MemoryGovernor::MemoryGovernor(const MemoryLimits& limits) : limits_(limits), allowed_(limits.most) {}

uint64_t MemoryGovernor::decide(const MemorySample& sample, Time now) {
    if (sample.memory.total == 0) return allowed_;
    const uint64_t room = difference(sum(sample.held, sample.memory.available), limits_.reserve);
    if (room < allowed_) {
        spare_ = false;
        return allowed_ = std::min(allowed_, std::max(room, limits_.least));
    }
    const uint64_t beyond = room - allowed_, spare = limits_.reserve / kSpareShare;
    if (beyond < spare) {
        spare_ = false;
        return allowed_;
    }
    if (!spare_) {
        spare_ = true;
        spareSince_ = now;
    }
    if (now - spareSince_ < kCalm) return allowed_;
    spareSince_ = now - kCalm + kPause;
    const uint64_t step = std::max<uint64_t>(1, limits_.most / kSteps);
    return allowed_ = std::min(limits_.most, allowed_ + std::min(step, beyond - spare / 2));
}

std::unique_ptr<MemoryWatch> MemoryWatch::start(const MemoryLimits& limits, Source source, Callback callback,
                                                std::chrono::milliseconds interval) {
    std::unique_ptr<MemoryWatch> watch(new MemoryWatch(limits, std::move(source), std::move(callback)));
    watch->ticker_ = Ticker::start([w = watch.get()] { w->look(); }, interval);
    return watch->ticker_ ? std::move(watch) : nullptr;
}

MemoryWatch::MemoryWatch(const MemoryLimits& limits, Source source, Callback callback)
    : source_(std::move(source)), callback_(std::move(callback)), governor_(limits), reported_(limits.most) {}

void MemoryWatch::look() {
    const MemorySample sample = source_();
    const uint64_t bytes = governor_.decide(sample, std::chrono::steady_clock::now());
    if (bytes != std::exchange(reported_, bytes)) callback_(bytes);
}

} // namespace coterie::engine
