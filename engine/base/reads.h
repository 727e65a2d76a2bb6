// SPDX-License-Identifier: Apache-2.0
// Positioned reads in flight: one thread submits and collects them, and the system reads meanwhile. Linux uses io_uring
// if the kernel has it. Other systems, and files that are not the system's, use threads that do positioned reads.
//
//     auto reads = files.createReads(8);
//     reads->submit({.file = file, .offset = 0, .out = buffer, .id = 1});
//     for (const ReadDone& done : reads->collect(results)) use(done.id, done.status);
#pragma once

#include "base/files.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace coterie::engine {

/// One read. Like RandomAccessFile::readAt(), it fills all of `out` or fails.
struct ReadRequest {
    RandomAccessFile* file = nullptr;
    uint64_t offset = 0;
    std::span<std::byte> out;
    uint64_t id = 0; ///< comes back with the result
};

struct ReadDone {
    uint64_t id = 0;
    Status status;
};

/// One thread at a time may use it, except for wake(). The destructor waits for the reads in flight.
class AsyncReads {
  public:
    virtual ~AsyncReads() = default;
    /// "io_uring" or "threads".
    virtual const char* name() const = 0;
    /// The largest number of reads in flight.
    virtual size_t depth() const = 0;
    virtual size_t inFlight() const = 0;
    /// Starts a read, at the latest in the next collect(), which can start many together. Requires inFlight() <
    /// depth(). The file and the bytes must live until the read is collected.
    virtual void submit(const ReadRequest& request) = 0;
    /// Waits until a read is done or wake() was called. Returns the reads that are done by then, at most out.size().
    /// The list is empty if wake() was called.
    virtual std::span<ReadDone> collect(std::span<ReadDone> out) = 0;
    /// Makes the running or the next collect() return. Any thread.
    virtual void wake() = 0;
};

/// Reads by means of readAt(), for files of any kind. Returns null if the system gives no thread.
std::unique_ptr<AsyncReads> createThreadedReads(int depth);

} // namespace coterie::engine
