// SPDX-License-Identifier: Apache-2.0
// A pool of threads for the forward pass: they share one loop at a time, spin briefly after it, and then sleep. It is
// no task queue: reads from disk have their own threads (experts/).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace coterie::engine {

/// The default number of threads: the physical cores that the system lets this process use, at least 1.
int defaultThreads();

/// For threads that mostly wait and for which others wait: asks the system to run the calling thread soon after it is
/// woken, even while every processor computes. It has no effect if the system cannot do that.
void preferPromptWaking();

/// One caller at a time may use it. The caller works too, so ThreadPool(1) starts no thread.
class ThreadPool {
  public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// The number of threads that was asked for, or fewer if the system gives no more.
    int threads() const;
    /// Calls body(begin, end, thread) over pieces of [0, count), each at most `grain` long, on all threads, and returns
    /// when all are done. thread is in [0, threads()).
    /// Each thread begins with a share of neighbouring pieces and then takes the last ones of others, so a slow core
    /// does not hold up the others. It is not fixed which thread runs which piece, and a body's result must not depend
    /// on it.
    /// A body may call the same pool again: that loop runs on the body's own thread. A std::bad_alloc in a body comes
    /// out of this call; a body may throw nothing else.
    void parallelFor(int64_t count, int64_t grain,
                     const std::function<void(int64_t begin, int64_t end, int thread)>& body);

  private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

} // namespace coterie::engine
