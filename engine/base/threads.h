// SPDX-License-Identifier: Apache-2.0
// A pool of threads for the forward pass: they share one loop at a time, spin briefly after it, then sleep.
// Not a task queue: reads from disk have their own threads (experts/).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace coterie::engine {

/// Physical-core-friendly default: what the system lets this process run on, at least 1.
int defaultThreads();

/// The calling thread mostly waits, and others wait for it: a wish to run soon after it is woken, even while every
/// processor computes. Nothing where the system has no such thing for the asking.
void preferPromptWaking();

/// One caller at a time; the caller works too, so ThreadPool(1) starts no thread at all.
class ThreadPool {
  public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// As asked, or fewer where the system gives no more.
    int threads() const;
    /// Calls body(begin, end, thread) over pieces of [0, count), each at most `grain` long, on all threads, and returns
    /// when all are done. Each thread begins with a share of neighbouring pieces and then takes others' last ones, so a
    /// slow core doesn't hold the others; which thread runs which piece is not fixed: a body's result must not depend
    /// on it. thread is in [0, threads()). Inside
    /// a body the same pool may be called again: that loop runs on the body's own thread. A std::bad_alloc in a body
    /// comes out of this call; nothing else may be thrown.
    void parallelFor(int64_t count, int64_t grain,
                     const std::function<void(int64_t begin, int64_t end, int thread)>& body);

  private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

} // namespace coterie::engine
