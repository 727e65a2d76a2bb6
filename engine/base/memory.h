// SPDX-License-Identifier: Apache-2.0
// Memory: aligned buffers whose failure is a value, and what the system says about this process and this machine.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::engine {

/// Bytes on a page boundary, straight from the system, zeroed, released at the end. Pages that nobody touched cost
/// nothing. Movable; one owner; no bytes is a null pointer. Not thread-safe by itself; its bytes may be shared as any
/// bytes may.
class Buffer {
  public:
    /// Large pages where the system has them for the asking (2 MiB on Linux): a tenth of the time until memory is
    /// filled for the first time, and fewer misses of the address cache. A page that is touched costs its whole size,
    /// so they are for memory that will be used.
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
    /// Gives the physical pages wholly inside [offset, offset + length) back to the system; they read as zero
    /// afterwards. Of a large page that is only partly inside, the system may keep the rest until it needs it: give
    /// back neighbours together.
    void discard(uint64_t offset, uint64_t length);

  private:
    // The system's part: memory_posix.cpp, memory_windows.cpp.
    static std::byte* takeFromSystem(uint64_t bytes); ///< null where it refuses
    static void giveBack(std::byte* data, uint64_t bytes);
    static void preferLargePages(std::byte* data, uint64_t bytes); ///< a wish: nothing where it can't be had
    static void dropPages(std::byte* first, uint64_t bytes);       ///< whole pages; they read as zero afterwards
    static uint64_t pageBytes();

    std::byte* data_ = nullptr;
    uint64_t size_ = 0;
};

/// What the system says, in bytes. A figure that it doesn't give is 0.
struct MemoryReading {
    uint64_t resident = 0;     ///< physical memory of this process now
    uint64_t peakResident = 0; ///< and at its highest
    uint64_t total = 0;        ///< physical memory of the machine, or of the cgroup where that is less
    uint64_t available = 0;    ///< what programs may still take without swapping: free, or copies of files; within the
                               ///< cgroup
};
MemoryReading readMemory();

/// Gives the system back what the allocator keeps of freed memory, where it can be told to: after a step that needed
/// much for a while. Any thread.
void releaseFreedMemory();

} // namespace coterie::engine
