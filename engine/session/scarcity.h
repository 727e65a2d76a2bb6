// SPDX-License-Identifier: Apache-2.0
// Whether energy or memory is scarce now: what RoutingWhen::Scarce waits for.
#pragma once

#include "base/power.h"
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

    /// `readPower` must not throw; called on the caller's thread and one of its own.
    explicit Scarcity(Source readPower, std::chrono::milliseconds interval = kInterval)
        : readPower_(std::move(readPower)), interval_(interval) {}

    /// Looks at the battery now, and from the first call on at each interval; before it, no battery is low. Calls come
    /// from one thread at a time. Where the system gives no thread, it is looked at by these calls alone.
    void watchPower();
    /// Whether experts have less memory now than was planned for them. Any thread.
    void tellMemory(bool isShort) noexcept { memoryShort_.store(isShort, std::memory_order_relaxed); }
    /// Any thread; asks nobody, so it may be called for each token.
    bool now() const noexcept {
        return memoryShort_.load(std::memory_order_relaxed) || batteryLow_.load(std::memory_order_relaxed);
    }

  private:
    void look() { batteryLow_.store(batteryIsLow(readPower_()), std::memory_order_relaxed); }

    const Source readPower_;
    const std::chrono::milliseconds interval_;
    std::atomic<bool> memoryShort_{false}, batteryLow_{false};
    std::unique_ptr<Ticker> ticker_; // last: its thread uses the above
};

} // namespace coterie::engine
