// SPDX-License-Identifier: Apache-2.0
// See ticker.h.
#include "session/ticker.h"

#include <system_error>
#include <utility>

namespace coterie::engine {

std::unique_ptr<Ticker> Ticker::start(std::function<void()> tick, std::chrono::milliseconds interval) {
    std::unique_ptr<Ticker> ticker(new Ticker(std::move(tick), interval));
    try {
        ticker->thread_ = std::thread([t = ticker.get()] { t->work(); });
    } catch (const std::system_error&) {
        return nullptr;
    }
    return ticker;
}

Ticker::Ticker(std::function<void()> tick, std::chrono::milliseconds interval)
    : tick_(std::move(tick)), interval_(interval) {}

Ticker::~Ticker() {
    {
        const MutexLock lock(mutex_);
        stopping_ = true;
    }
    stop_.notifyAll();
    if (thread_.joinable()) thread_.join();
}

void Ticker::work() {
    while (sleep()) tick_();
}

/// Sleeps for one interval. Returns false if the ticker ends.
bool Ticker::sleep() {
    const auto end = std::chrono::steady_clock::now() + interval_;
    const MutexLock lock(mutex_);
    while (!stopping_ && stop_.waitUntil(mutex_, end)) {
    }
    return !stopping_;
}

} // namespace coterie::engine
