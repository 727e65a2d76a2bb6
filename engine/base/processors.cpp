// SPDX-License-Identifier: Apache-2.0
// The number of threads that suits this machine: the processors that the system lets this process use, counted in
// physical cores. Also the permissions that processors' features need.
#include "base/processors.h"

#include "base/kernel_text.h"
#include "base/threads.h"

#include <algorithm>
#include <thread>

#ifdef __linux__
#include <sched.h>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#elif defined(_WIN32)
#include <vector>
#include <windows.h>
#endif

namespace coterie::engine {

namespace {

/// Physical cores that this process may use; 0 if the system does not report it.
#ifdef __linux__
int physicalCores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
    std::set<std::string> cores; // each is named by the list of processors that share it
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (!CPU_ISSET(processor, &allowed)) continue;
        const std::string path =
            "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list";
        const std::string siblings = readKernelText(path);
        if (siblings.empty()) return 0;
        cores.insert(siblings);
    }
    return static_cast<int>(cores.size());
}
#elif defined(__APPLE__)
// Untested. Level 0 has the fast cores; slow ones would hold up a loop that all share.
int physicalCores() {
    int count = 0;
    size_t length = sizeof count;
    if (sysctlbyname("hw.perflevel0.physicalcpu", &count, &length, nullptr, 0) == 0) return count;
    length = sizeof count;
    return sysctlbyname("hw.physicalcpu", &count, &length, nullptr, 0) == 0 ? count : 0;
}
#elif defined(_WIN32)
int physicalCores() {
    DWORD bytes = 0;
    GetLogicalProcessorInformation(nullptr, &bytes);
    std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> processors(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
    DWORD_PTR allowed = 0, system = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &allowed, &system)) return 0;
    if (processors.empty() || !GetLogicalProcessorInformation(processors.data(), &bytes)) return 0;
    return static_cast<int>(std::count_if(processors.begin(), processors.end(), [&](const auto& p) {
        return p.Relationship == RelationProcessorCore && (p.ProcessorMask & allowed) != 0;
    }));
}
#else
int physicalCores() { return 0; }
#endif

/// Processors that this process may use.
int logicalProcessors() {
#ifdef __linux__
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return static_cast<int>(std::thread::hardware_concurrency());
}

} // namespace

int defaultThreads() {
    // Two threads on one core share its memory port and gain nothing once several cores work. With very few cores
    // arithmetic is the limit instead of memory, and the second thread does help.
    constexpr int fewCores = 4;
    const int cores = physicalCores();
    return std::max(1, cores >= fewCores ? cores : logicalProcessors());
}

bool requestTileRegisters() {
    [[maybe_unused]] constexpr int tileData = 18; // the registers' bit in XCR0
#if defined(__linux__) && defined(__x86_64__)
    constexpr long requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
    return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#elif defined(_WIN32)
    // Windows has the function since Windows 11 and Server 2022. Earlier ones, and Wine, never give the registers.
    using Enable = BOOL(WINAPI*)(DWORD64 features);
    const FARPROC found = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "EnableProcessOptionalXStateFeatures");
    const auto enable = reinterpret_cast<Enable>(reinterpret_cast<void*>(found));
    return enable && enable(DWORD64{1} << tileData);
#else
    return false; // macOS runs on no processor with AMX
#endif
}

} // namespace coterie::engine
