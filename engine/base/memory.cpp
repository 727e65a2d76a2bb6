// SPDX-License-Identifier: Apache-2.0
// The part of a Buffer that is the same on every system: its one owner, and its error. The system's calls are in
// memory_posix.cpp and memory_windows.cpp.
#include "base/memory.h"

#include "base/rounding.h"

#include <utility>

namespace coterie::engine {

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

Buffer::~Buffer() {
    if (data_) giveBack(data_, size_);
}

Result<Buffer> Buffer::allocate(uint64_t bytes, const Sentence& failure, Pages pages) {
    Buffer buffer;
    if (bytes == 0) return buffer;
    // More than half of the address space: no system has it, and pointer differences would overflow.
    if (bytes <= PTRDIFF_MAX) buffer.data_ = takeFromSystem(bytes);
    if (!buffer.data_)
        return Error{ErrorKind::OutOfMemory,
                     failure,
                     {"The system refused %1", ByteCount{bytes}},
                     "Close other programs, or choose a smaller model, context or memory budget"};
    buffer.size_ = bytes;
    if (pages == Pages::Large) preferLargePages(buffer.data_, bytes);
    return buffer;
}

void Buffer::discard(uint64_t offset, uint64_t length) {
    if (offset > size_) return;
    const uint64_t page = pageBytes();
    const uint64_t end = length > size_ - offset ? size_ : offset + length;
    const uint64_t first = roundUp(offset, page);
    const uint64_t last = end / page * page;
    if (first < last) dropPages(data_ + first, last - first);
}

} // namespace coterie::engine
