// SPDX-License-Identifier: Apache-2.0
// Calls a function again and again on a thread of its own, as long as the ticker lives.
#pragma once

#include "base/mutex.h"

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace coterie::engine {

class Ticker {
  public:
    /// Calls `tick` after each interval, while no lock is held. `tick` must not throw, and what it uses must outlive
    /// the ticker. Returns null if the system gives no thread.
    static std::unique_ptr<Ticker> start(std::function<void()> tick, std::chrono::milliseconds interval);
    /// Waits until a call that is running has ended; no call follows.
    ~Ticker();
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

  private:
    Ticker(std::function<void()> tick, std::chrono::milliseconds interval);
    void work();
    bool sleep();

    const std::function<void()> tick_;
    const std::chrono::milliseconds interval_;
    Mutex mutex_;
    Condition stop_;
    bool stopping_ COTERIE_GUARDED_BY(mutex_) = false;
    std::thread thread_; // the last member: it uses all those above
};

} // namespace coterie::engine
