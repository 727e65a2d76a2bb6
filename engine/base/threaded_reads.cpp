// SPDX-License-Identifier: Apache-2.0
// Reads on threads: one thread for each read that may be in flight.
#include "base/threaded_reads.h"

#include "base/mutex.h"

#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace coterie::engine {
namespace {

class ThreadedReads final : public AsyncReads {
  public:
    ThreadedReads(int depth, std::function<void()> onResult) : onResult_(std::move(onResult)) {
        try {
            for (int i = 0; i < depth; ++i) threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            // The system gives no more threads: fewer reads are in flight.
        }
    }
    ~ThreadedReads() override {
        {
            const MutexLock lock(mutex_);
            while (!waiting_.empty() || running_ != 0) finished_.wait(mutex_);
            stopping_ = true;
            asked_.notifyAll();
        }
        for (std::thread& thread : threads_) thread.join();
    }

    const char* name() const override { return "threads"; }
    size_t depth() const override { return threads_.size(); }
    size_t inFlight() const override { return inFlight_; }

    void submit(const ReadRequest& request) override {
        ++inFlight_;
        const MutexLock lock(mutex_);
        waiting_.push_back(request);
        asked_.notifyOne();
    }

    std::span<ReadDone> collect(std::span<ReadDone> out) override {
        const MutexLock lock(mutex_);
        while (!woken_ && done_.empty()) finished_.wait(mutex_);
        woken_ = false;
        size_t count = 0;
        for (; count < out.size() && !done_.empty(); ++count) {
            out[count] = std::move(done_.front());
            done_.pop_front();
        }
        inFlight_ -= count;
        return out.first(count);
    }

    void wake() override {
        const MutexLock lock(mutex_);
        woken_ = true;
        finished_.notifyAll();
    }

  private:
    void work() {
        const MutexLock lock(mutex_);
        for (;;) {
            while (!stopping_ && waiting_.empty()) asked_.wait(mutex_);
            if (stopping_) return;
            const ReadRequest request = waiting_.front();
            waiting_.pop_front();
            ++running_;
            mutex_.unlock();
            Status status = request.file->readAt(request.offset, request.out);
            mutex_.lock();
            --running_;
            done_.push_back({request.id, std::move(status)});
            finished_.notifyAll();
            if (onResult_) onResult_();
        }
    }

    const std::function<void()> onResult_;
    size_t inFlight_ = 0; // used by the caller's thread alone
    Mutex mutex_;
    Condition asked_, finished_;
    std::deque<ReadRequest> waiting_ COTERIE_GUARDED_BY(mutex_);
    std::deque<ReadDone> done_ COTERIE_GUARDED_BY(mutex_);
    size_t running_ COTERIE_GUARDED_BY(mutex_) = 0;
    bool woken_ COTERIE_GUARDED_BY(mutex_) = false;
    bool stopping_ COTERIE_GUARDED_BY(mutex_) = false;
    std::vector<std::thread> threads_;
};

} // namespace

std::unique_ptr<AsyncReads> createThreadedReads(int depth) { return createThreadedReads(depth, nullptr); }

std::unique_ptr<AsyncReads> createThreadedReads(int depth, std::function<void()> onResult) {
    auto reads = std::make_unique<ThreadedReads>(depth, std::move(onResult));
    if (reads->depth() == 0) return nullptr;
    return reads;
}

} // namespace coterie::engine
