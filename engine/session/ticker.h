// SPDX-License-Identifier: Apache-2.0
// Something that is done again and again on a thread of its own, until whoever wanted it goes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace coterie::engine {

class Ticker {
  public:
    /// Calls `tick` after each interval, under no lock. It must not throw, and outlives the ticker. Nothing where the
    /// system gives no thread.
    static std::unique_ptr<Ticker> start(std::function<void()> tick, std::chrono::milliseconds interval);
    /// Waits for a call that is under way; none comes afterwards.
    ~Ticker();
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

  private:
    Ticker(std::function<void()> tick, std::chrono::milliseconds interval);
    void work();
    bool sleep();

    const std::function<void()> tick_;
    const std::chrono::milliseconds interval_;
    std::mutex mutex_; // guards stopping_
    std::condition_variable stop_;
    bool stopping_ = false;
    std::thread thread_; // last: uses all of the above
};

} // namespace coterie::engine
