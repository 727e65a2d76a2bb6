// SPDX-License-Identifier: Apache-2.0
// Buffers on POSIX systems, and macOS's memory figures (untested: no such machine builds this yet). Linux's are in
// memory_linux.cpp.
#include "base/memory.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__
#include "base/memory_linux.h"
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <malloc/malloc.h>
#include <sys/sysctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace coterie::engine {

uint64_t Buffer::pageBytes() {
    static const uint64_t size = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

std::byte* Buffer::takeFromSystem(uint64_t bytes) {
    void* data =
        ::mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

void Buffer::giveBack(std::byte* data, uint64_t bytes) { ::munmap(data, static_cast<size_t>(bytes)); }

#ifdef MADV_HUGEPAGE
void Buffer::preferLargePages(std::byte* data, uint64_t bytes) {
    (void)::madvise(data, static_cast<size_t>(bytes),
                    MADV_HUGEPAGE); // refused if the system is set up that way; then pages are small
}
#else
void Buffer::preferLargePages(std::byte*, uint64_t) {}
#endif

#ifdef __linux__
void Buffer::dropPages(std::byte* first, uint64_t bytes) {
    // Private pages that belong to no file read as zero afterwards (madvise(2)). The mapping stays one: it still
    // prefers large pages, and a thousand holes stay far below the system's limit of mappings. Locked pages are
    // refused.
    if (::madvise(first, static_cast<size_t>(bytes), MADV_DONTNEED) != 0)
        std::memset(first, 0, static_cast<size_t>(bytes));
}
#else
void Buffer::dropPages(std::byte* first, uint64_t bytes) {
    // Fresh pages over the old ones read as zero on every POSIX system, which MADV_DONTNEED does not promise. If the
    // system has no mapping left, this fails and the bytes stay: they are then cleared here, and the memory is not
    // given back.
    void* fresh = ::mmap(first, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (fresh == MAP_FAILED) std::memset(first, 0, static_cast<size_t>(bytes));
}
#endif

#ifdef __GLIBC__
void releaseFreedMemory() { (void)::malloc_trim(0); }
#elif defined(__APPLE__)
void releaseFreedMemory() { (void)::malloc_zone_pressure_relief(nullptr, 0); }
#else
void releaseFreedMemory() {}
#endif

#ifdef __linux__
MemoryReading readMemory() { return readLinuxMemory("/proc", "/sys/fs/cgroup"); }
#elif defined(__APPLE__)
MemoryReading readMemory() {
    MemoryReading reading;
    mach_task_basic_info_data_t task{};
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    if (task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&task), &count) ==
        KERN_SUCCESS) {
        reading.resident = task.resident_size;
        reading.peakResident = task.resident_size_max;
    }
    uint64_t total = 0;
    size_t length = sizeof total;
    if (sysctlbyname("hw.memsize", &total, &length, nullptr, 0) == 0) reading.total = total;
    vm_statistics64_data_t pages{};
    count = HOST_VM_INFO64_COUNT;
    const mach_port_t host = mach_host_self();
    if (host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) == KERN_SUCCESS)
        // The counterpart of Linux's "available": pages that are free (those read ahead are counted among them and
        // again as pages of files), or whose content lies on disk or may be dropped. Some inactive pages would have to
        // be compressed, so they do not count.
        reading.available =
            (uint64_t{pages.free_count} - pages.speculative_count + pages.external_page_count + pages.purgeable_count) *
            vm_page_size;
    mach_port_deallocate(mach_task_self(), host);
    return reading;
}
#else
MemoryReading readMemory() { return {}; }
#endif

} // namespace coterie::engine
