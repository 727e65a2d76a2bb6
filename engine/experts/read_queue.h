// SPDX-License-Identifier: Apache-2.0
// Reads waiting for a disk: handed out in order to threads of their own, so that the forward pass never waits for a
// system call that it did not have to. What a read is, the handler knows.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace coterie::engine {

/// One part of one expert on its way into a slot.
struct ReadItem {
    uint32_t slot = 0;
    uint32_t part = 0;
};

/// push() from any thread. The handler runs on the queue's threads, several at a time, is told on which, and must not
/// throw.
class ReadQueue {
  public:
    /// Room for `capacity` items that wait at the same time; the caller sees to it that there are never more.
    ReadQueue(int threads, size_t capacity, std::function<void(ReadItem, int thread)> handler);
    /// Waits for reads that have begun; those that have not are dropped.
    ~ReadQueue();
    ReadQueue(const ReadQueue&) = delete;
    ReadQueue& operator=(const ReadQueue&) = delete;

    /// As asked, fewer or none where the system gives no more.
    size_t threads() const { return threads_.size(); }
    void push(ReadItem item);

  private:
    void work(int thread);

    const std::function<void(ReadItem, int)> handler_;
    std::mutex mutex_; // guards all below but threads_
    std::condition_variable changed_;
    std::vector<ReadItem> ring_;
    size_t first_ = 0, waiting_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

} // namespace coterie::engine
