// SPDX-License-Identifier: Apache-2.0
// A ring of items under one lock: reads take a thousand times longer than the lock is held.
#include "experts/read_queue.h"

#include <cassert>
#include <system_error>
#include <utility>

namespace coterie::engine {

ReadQueue::ReadQueue(int threads, size_t capacity, std::function<void(ReadItem, int)> handler)
    : handler_(std::move(handler)), ring_(capacity) {
    threads_.reserve(static_cast<size_t>(threads));
    try {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
    } catch (const std::system_error&) {
        // The system gives no more threads: reads share those that there are.
    }
}

ReadQueue::~ReadQueue() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
}

void ReadQueue::push(ReadItem item) {
    const std::lock_guard lock(mutex_);
    assert(waiting_ < ring_.size());
    ring_[(first_ + waiting_++) % ring_.size()] = item;
    changed_.notify_one();
}

void ReadQueue::work(int thread) {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return stopping_ || waiting_ > 0; });
        if (stopping_) return;
        const ReadItem item = ring_[first_];
        first_ = (first_ + 1) % ring_.size();
        --waiting_;
        lock.unlock();
        handler_(item, thread);
        lock.lock();
    }
}

} // namespace coterie::engine
