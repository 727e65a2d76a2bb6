// SPDX-License-Identifier: Apache-2.0
// A mutex, its lock and a condition that clang's thread-safety analysis understands: it reports a guarded member that
// is used without its mutex. Other compilers see plain classes. The tidy part of verify runs the analysis.
//
//     mutable Mutex mutex_;
//     std::deque<Call> calls_ COTERIE_GUARDED_BY(mutex_);
//     void runOne() COTERIE_REQUIRES(mutex_); // the caller holds the mutex
//
//   The analysis does not look into lambdas: a wait for a condition is a loop around Condition::wait().
// https://clang.llvm.org/docs/ThreadSafetyAnalysis.html describes the attributes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define COTERIE_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define COTERIE_THREAD_ATTRIBUTE(x)
#endif
/// The member is used only while this mutex is held.
#define COTERIE_GUARDED_BY(mutex) COTERIE_THREAD_ATTRIBUTE(guarded_by(mutex))
/// The function is called only while this mutex is held. It may release it meanwhile.
#define COTERIE_REQUIRES(mutex) COTERIE_THREAD_ATTRIBUTE(requires_capability(mutex))
/// The function is safe for a reason that the analysis can't see; the comment above it says which.
#define COTERIE_UNCHECKED COTERIE_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace coterie::engine {

class COTERIE_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
  public:
    void lock() COTERIE_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
    void unlock() COTERIE_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

  private:
    friend class Condition;
    std::mutex mutex_;
};

/// Holds a mutex as long as it lives. Code between may unlock the mutex if it locks it again.
class COTERIE_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
  public:
    explicit MutexLock(Mutex& mutex) COTERIE_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
        mutex_.lock();
    }
    ~MutexLock() COTERIE_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

  private:
    Mutex& mutex_;
};

/// A std::condition_variable for a Mutex. A wait may end without a reason.
class Condition {
  public:
    void wait(Mutex& mutex) COTERIE_REQUIRES(mutex) {
        std::unique_lock lock(mutex.mutex_, std::adopt_lock);
        condition_.wait(lock);
        lock.release();
    }
    /// Returns false if the time has come.
    template <typename Clock, typename Duration>
    bool waitUntil(Mutex& mutex, std::chrono::time_point<Clock, Duration> end) COTERIE_REQUIRES(mutex) {
        std::unique_lock lock(mutex.mutex_, std::adopt_lock);
        const std::cv_status status = condition_.wait_until(lock, end);
        lock.release();
        return status == std::cv_status::no_timeout;
    }
    void notifyOne() noexcept { condition_.notify_one(); }
    void notifyAll() noexcept { condition_.notify_all(); }

  private:
    std::condition_variable condition_;
};

} // namespace coterie::engine
