// SPDX-License-Identifier: Apache-2.0
// Buffers on Windows, and its memory figures.
#include "base/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <malloc.h>
#include <windows.h>
// It needs windows.h before it.
#include <psapi.h>

namespace coterie::engine {

uint64_t Buffer::pageBytes() {
    SYSTEM_INFO info{};
    GetSystemInfo(&info);
    return info.dwPageSize;
}

std::byte* Buffer::takeFromSystem(uint64_t bytes) {
    return static_cast<std::byte*>(
        VirtualAlloc(nullptr, static_cast<SIZE_T>(bytes), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

void Buffer::giveBack(std::byte* data, uint64_t) { VirtualFree(data, 0, MEM_RELEASE); }

// Large pages need a privilege there that users do not have.
void Buffer::preferLargePages(std::byte*, uint64_t) {}

void Buffer::dropPages(std::byte* first, uint64_t bytes) {
    // Decommitting and committing again could fail in between and leave a hole. A page of zeros that is marked as
    // unneeded reads as zero whether it is kept or dropped, so this never fails. It works piece by piece, so that
    // little memory is touched at once.
    constexpr uint64_t largestPiece = uint64_t{1} << 20;
    for (uint64_t at = 0; at < bytes; at += largestPiece) {
        const SIZE_T piece = static_cast<SIZE_T>(std::min(largestPiece, bytes - at));
        std::memset(first + at, 0, piece);
        VirtualAlloc(first + at, piece, MEM_RESET, PAGE_READWRITE);
        VirtualUnlock(first + at, piece); // for pages that are not locked, this removes them from the working set
    }
}

void releaseFreedMemory() { (void)_heapmin(); }

MemoryReading readMemory() {
    MemoryReading reading;
    PROCESS_MEMORY_COUNTERS process{};
    process.cb = sizeof process;
    if (GetProcessMemoryInfo(GetCurrentProcess(), &process, sizeof process)) {
        reading.resident = process.WorkingSetSize;
        reading.peakResident = process.PeakWorkingSetSize;
    }
    MEMORYSTATUSEX machine{};
    machine.dwLength = sizeof machine;
    if (GlobalMemoryStatusEx(&machine)) {
        reading.total = machine.ullTotalPhys;
        reading.available = machine.ullAvailPhys; // free pages and copies of files
    }
    return reading;
}

} // namespace coterie::engine
