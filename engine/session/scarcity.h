// SPDX-License-Identifier: Apache-2.0
// Knows whether energy or memory is scarce now. RoutingWhen::Scarce asks it.
#pragma once

#include "base/power/power.h"
#include "session/ticker.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace coterie::engine {

class Scarcity {
  public:
    using Source = std::function<PowerReading()>;

    static constexpr std::chrono::seconds kInterval{5};

    /// `readPower` must not throw. It is called on the caller's thread and on a thread of this object.
    explicit Scarcity(Source readPower, std::chrono::milliseconds interval = kInterval)
        : readPower_(std::move(readPower)), interval_(interval) {}

    /// Starts watching the battery; before the first call it counts as full. The first call reads it at once, and from
    /// then on it is read at each interval. If the system gives no thread, it is read by each call instead. One thread
    /// at a time may call this.
    void watchPower();
    /// Says whether the experts have less memory now than was planned for them. Any thread.
    void setMemoryShort(bool isShort) noexcept { memoryShort_.store(isShort, std::memory_order_relaxed); }
    /// Returns whether energy or memory is scarce now. Any thread. It makes no system call, so it may be called for
    /// each token.
    bool now() const noexcept {
        return memoryShort_.load(std::memory_order_relaxed) || batteryLow_.load(std::memory_order_relaxed);
    }

  private:
    void look() { batteryLow_.store(batteryIsLow(readPower_()), std::memory_order_relaxed); }

    const Source readPower_;
    const std::chrono::milliseconds interval_;
    std::atomic<bool> memoryShort_{false}, batteryLow_{false};
    std::unique_ptr<Ticker> ticker_; // the last member: its thread uses those above
};

} // namespace coterie::engine
