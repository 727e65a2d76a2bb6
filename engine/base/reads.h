// SPDX-License-Identifier: Apache-2.0
// Positioned reads in flight: submitted and collected by one thread, done by the system meanwhile. Linux: io_uring
// where the kernel has it. Elsewhere, and for files that are not the system's, threads of positioned reads.
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

/// As RandomAccessFile::readAt(): whole or an error.
struct ReadRequest {
    RandomAccessFile* file = nullptr;
    uint64_t offset = 0;
    std::span<std::byte> out;
    uint64_t id = 0; ///< told with the result
};

struct ReadDone {
    uint64_t id = 0;
    Status status;
};

/// One thread at a time but for wake(). Destroyed, it waits for the reads in flight.
class AsyncReads {
  public:
    virtual ~AsyncReads() = default;
    /// "io_uring" or "threads".
    virtual const char* name() const = 0;
    /// The most in flight.
    virtual size_t depth() const = 0;
    virtual size_t inFlight() const = 0;
    /// Has a read begin, with the next collect() at the latest, where many can begin at once. Only while inFlight() <
    /// depth(). File and bytes must live until it is collected.
    virtual void submit(const ReadRequest& request) = 0;
    /// Waits until a read is done or wake() was called, and gives the reads that are done by then, at most out.size().
    /// Nothing where it was woken.
    virtual std::span<ReadDone> collect(std::span<ReadDone> out) = 0;
    /// Makes the running or the next collect() return. Any thread.
    virtual void wake() = 0;
};

/// Over readAt(), for files of any kind. Nothing where the system gives no thread.
std::unique_ptr<AsyncReads> createThreadedReads(int depth);

} // namespace coterie::engine
