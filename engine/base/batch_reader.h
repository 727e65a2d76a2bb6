// SPDX-License-Identifier: Apache-2.0
// Reads a list of pieces in the background, on a thread of its own with many reads in flight, while its caller
// computes. A failed read is tried once more.
//
//     reader.start(requests);
//     ... compute ...
//     if (Status status = reader.wait(); !status) return status;
#pragma once

#include "base/mutex.h"
#include "base/reads.h"

#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace coterie::engine {

/// One thread at a time calls start() and wait().
class BatchReader {
  public:
    /// most: number of requests of the longest batch.
    BatchReader(std::unique_ptr<AsyncReads> reads, size_t most);
    /// Waits for the reads in flight; the others of the batch are dropped.
    ~BatchReader();
    BatchReader(const BatchReader&) = delete;
    BatchReader& operator=(const BatchReader&) = delete;

    /// False if the system gave no thread: nothing would ever be read.
    bool running() const { return thread_.joinable(); }

    /// Begins to read. The batch before must have been waited for. The requests, whose ids are ignored, and their bytes
    /// must live until wait() returns.
    void start(std::span<const ReadRequest> batch);
    /// Waits until the batch is read. Returns the error of the first read that failed twice, after which no more of the
    /// batch was begun. Without a batch it returns success at once.
    Status wait();

  private:
    void work();
    Status readAll(std::span<const ReadRequest> batch);

    const std::unique_ptr<AsyncReads> reads_; // used by the thread only
    std::vector<ReadDone> results_;           // used by the thread only
    std::vector<bool> failedOnce_;            // [most] used by the thread only

    Mutex mutex_;
    Condition begun_, ended_;
    std::span<const ReadRequest> batch_ COTERIE_GUARDED_BY(mutex_); // empty: nothing is to be read
    Status status_ COTERIE_GUARDED_BY(mutex_);                      // the last batch's
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

} // namespace coterie::engine
