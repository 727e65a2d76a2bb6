// SPDX-License-Identifier: Apache-2.0
// Memory: aligned buffers whose failure is a value, and what the system reports about this process and this machine.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::engine {

/// Zeroed bytes on a page boundary, straight from the system, released by the destructor. Pages that were never touched
/// cost nothing. It is movable and has one owner; an empty buffer has a null pointer. It is not thread-safe by itself,
/// but its bytes may be shared like any bytes.
class Buffer {
  public:
    /// Large pages, if the system gives them on request (2 MiB on Linux): filling memory for the first time takes a
    /// tenth of the time, and the address cache misses less often. A touched page costs its whole size, so they suit
    /// memory that will be used.
    enum class Pages { Small, Large };

    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    /// If the system refuses, an OutOfMemory error that begins with `failure`: "There is no memory for ...".
    static Result<Buffer> allocate(uint64_t bytes, const Sentence& failure, Pages pages = Pages::Small);

    std::byte* data() const { return data_; }
    uint64_t size() const { return size_; }
    std::span<std::byte> bytes() const { return {data_, static_cast<size_t>(size_)}; }
    template <typename T>
    T* as() const {
        return reinterpret_cast<T*>(data_);
    }
    /// Gives the physical pages that lie wholly inside [offset, offset + length) back to the system; they read as zero
    /// afterwards. The system may keep a large page that lies only partly inside until it needs memory, so give back
    /// neighbouring ranges together.
    void discard(uint64_t offset, uint64_t length);

  private:
    // The system's calls: memory_posix.cpp, memory_windows.cpp.
    static std::byte* takeFromSystem(uint64_t bytes); ///< null if the system refuses
    static void giveBack(std::byte* data, uint64_t bytes);
    static void preferLargePages(std::byte* data, uint64_t bytes); ///< has no effect if the system has none
    static void dropPages(std::byte* first, uint64_t bytes);       ///< whole pages; they read as zero afterwards
    static uint64_t pageBytes();

    std::byte* data_ = nullptr;
    uint64_t size_ = 0;
};

/// Figures that the system reports, in bytes. A figure that it does not report is 0.
struct MemoryReading {
    uint64_t resident = 0;     ///< physical memory of this process now
    uint64_t peakResident = 0; ///< the highest value of `resident` so far
    uint64_t total = 0;        ///< physical memory of the machine, or of the cgroup if that is less
    uint64_t available =
        0; ///< memory that programs may still take without swapping: free, or copies of files; within the cgroup
};
MemoryReading readMemory();

/// Returns freed memory that the allocator keeps to the system, where the allocator can do that. Call it after a step
/// that needed much memory for a short time. Any thread.
void releaseFreedMemory();

} // namespace coterie::engine
