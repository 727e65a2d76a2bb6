// SPDX-License-Identifier: Apache-2.0
// Linux's memory figures: of the process, of the machine, and of the cgroup, which may allow less than the machine has.
// Formats: proc(5), the kernel's admin-guide/cgroup-v1/memory and admin-guide/cgroup-v2.
#include "base/memory_linux.h"

#ifdef __linux__

#include "base/kernel_text.h"

#include <algorithm>
#include <string_view>

namespace coterie::engine {

namespace {

/// Calls visit(line) for each line, until it returns false.
template <typename Visit>
void forEachLine(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        if (!visit(text.substr(0, end))) return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The number behind `label` at the start of a line; 0 if there is no such line.
uint64_t labelled(std::string_view text, std::string_view label) {
    uint64_t number = 0;
    forEachLine(text, [&](std::string_view line) {
        if (!line.starts_with(label)) return true;
        number = leadingNumber(line.substr(label.size())).value_or(0);
        return false;
    });
    return number;
}

/// The names of the files in one version of cgroups.
struct CgroupFiles {
    const char* limit;
    const char* usage;
    const char* inactiveFile; // labels in memory.stat: pages of files, which the kernel lets go first
    const char* activeFile;
};
constexpr CgroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
                                "total_active_file "};
constexpr CgroupFiles kVersion2{"memory.max", "memory.current", "inactive_file ", "active_file "};

/// Lowers the figures to what `group` and each of its parents below `mount` allow. In a container the group's own
/// folder may be invisible, but the mount's root is then the container's group, so the root is read too.
void applyCgroup(const std::string& mount, std::string group, const CgroupFiles& names, MemoryReading& reading) {
    for (;;) {
        const std::string folder = mount + (group == "/" ? "" : group) + "/";
        if (const auto limit = leadingNumber(readKernelText(folder + names.limit))) {
            const std::string statistics = readKernelText(folder + "memory.stat");
            const uint64_t used = leadingNumber(readKernelText(folder + names.usage)).value_or(0);
            const uint64_t files = labelled(statistics, names.inactiveFile) + labelled(statistics, names.activeFile);
            const uint64_t held = used - std::min(used, files);
            // A parent may allow more in all and have less left, because its other groups take from it, too.
            reading.total = std::min(reading.total, *limit);
            reading.available = std::min(reading.available, *limit - std::min(*limit, held));
        }
        if (group.empty() || group == "/") return;
        const size_t slash = group.rfind('/');
        group.resize(slash == std::string::npos ? 0 : slash);
    }
}

} // namespace

MemoryReading readLinuxMemory(const std::string& proc, const std::string& cgroups) {
    constexpr uint64_t kibibyte = 1024; // the unit of both files, written "kB" there
    MemoryReading reading;
    const std::string status = readKernelText(proc + "/self/status");
    reading.resident = labelled(status, "VmRSS:") * kibibyte;
    reading.peakResident = labelled(status, "VmHWM:") * kibibyte;
    const std::string machine = readKernelText(proc + "/meminfo");
    reading.total = labelled(machine, "MemTotal:") * kibibyte;
    reading.available = labelled(machine, "MemAvailable:") * kibibyte;

    // Lines are "hierarchy:controllers:group"; version 2 has no controllers.
    forEachLine(readKernelText(proc + "/self/cgroup"), [&](std::string_view line) {
        const size_t first = line.find(':');
        const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) return true;
        const std::string controllers = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
        const std::string group(line.substr(second + 1));
        if (controllers == ",,")
            applyCgroup(cgroups, group, kVersion2, reading);
        else if (controllers.find(",memory,") != std::string::npos)
            applyCgroup(cgroups + "/memory", group, kVersion1, reading);
        return true;
    });
    return reading;
}

} // namespace coterie::engine

#endif
