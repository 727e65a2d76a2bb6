// SPDX-License-Identifier: Apache-2.0
// See batch_reader.h. The lock is not held while anything is read.
#include "base/batch_reader.h"

#include "base/threads.h"

#include <cassert>
#include <system_error>
#include <utility>

namespace coterie::engine {

BatchReader::BatchReader(std::unique_ptr<AsyncReads> reads, size_t most)
    : reads_(std::move(reads)), results_(reads_ ? reads_->depth() : 0), failedOnce_(most) {
    if (!reads_) return;
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        // running() says so.
    }
}

BatchReader::~BatchReader() {
    if (!running()) return;
    {
        const MutexLock lock(mutex_);
        stopping_ = true;
        begun_.notifyAll();
    }
    thread_.join();
}

void BatchReader::start(std::span<const ReadRequest> batch) {
    assert(batch.size() <= failedOnce_.size());
    const MutexLock lock(mutex_);
    assert(batch_.empty());
    batch_ = batch;
    begun_.notifyAll();
}

Status BatchReader::wait() {
    const MutexLock lock(mutex_);
    while (!batch_.empty()) ended_.wait(mutex_);
    return std::exchange(status_, Status());
}

void BatchReader::work() {
    preferPromptWaking(); // the threads that compute leave no processor free for it
    const MutexLock lock(mutex_);
    for (;;) {
        while (batch_.empty() && !stopping_) begun_.wait(mutex_);
        if (stopping_) return;
        const std::span<const ReadRequest> batch = batch_;
        mutex_.unlock();
        Status status = readAll(batch);
        mutex_.lock();
        status_ = std::move(status);
        batch_ = {};
        ended_.notifyAll();
    }
}

Status BatchReader::readAll(std::span<const ReadRequest> batch) {
    const auto submit = [&](size_t index) {
        ReadRequest request = batch[index];
        request.id = index;
        reads_->submit(request);
    };
    failedOnce_.assign(failedOnce_.size(), false);
    Status status;
    size_t next = 0;
    for (;;) {
        const bool goesOn = status.ok() && !stopping_;
        while (goesOn && next < batch.size() && reads_->inFlight() < reads_->depth()) submit(next++);
        if (reads_->inFlight() == 0) return status;
        for (ReadDone& done : reads_->collect(results_)) {
            const auto index = static_cast<size_t>(done.id);
            if (done.status) continue;
            if (goesOn && !failedOnce_[index]) {
                failedOnce_[index] = true;
                submit(index);
            } else if (status) {
                status = std::move(done.status);
            }
        }
    }
}

} // namespace coterie::engine
