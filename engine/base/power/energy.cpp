// SPDX-License-Identifier: Apache-2.0
// See energy.h. Format: the kernel's Documentation/power/powercap/powercap.rst. A package has a folder intel-rapl:N,
// also on AMD's processors; its parts (cores, memory) have folders intel-rapl:N:M, whose energy the package includes.
#include "base/power/energy.h"

#ifdef __linux__
#include "base/kernel_text.h"
#endif

#include <utility>

namespace coterie::engine {

namespace {

constexpr int kMostZones = 64; // numbered from 0; several times as many as a machine has sockets
constexpr double kMicro = 1e-6;

#ifdef __linux__
/// The zone "psys" is the whole board, packages included.
bool isPackage(const std::string& folder) { return readKernelText(folder + "/name").starts_with("package"); }
std::optional<uint64_t> numberIn(const std::string& path) { return leadingNumber(readKernelText(path)); }
#else
bool isPackage(const std::string& /*folder*/) { return false; }
std::optional<uint64_t> numberIn(const std::string& /*path*/) { return std::nullopt; }
#endif

std::optional<uint64_t> counterIn(const std::string& folder) { return numberIn(folder + "/energy_uj"); }

} // namespace

EnergyMeter::EnergyMeter(const std::string& folder) {
    readable_ = true;
    for (int zone = 0; zone < kMostZones; ++zone) {
        Package package{.folder = folder + "/intel-rapl:" + std::to_string(zone)};
        if (!isPackage(package.folder)) continue;
        const std::optional<uint64_t> range = numberIn(package.folder + "/max_energy_range_uj");
        const std::optional<uint64_t> now = counterIn(package.folder);
        readable_ = readable_ && range && now;
        package.range = range.value_or(0);
        package.last = now.value_or(0);
        packages_.push_back(std::move(package));
    }
    readable_ = readable_ && !packages_.empty();
}

std::optional<double> EnergyMeter::joules() {
    double sum = 0;
    for (Package& package : packages_) {
        const std::optional<uint64_t> now = readable_ ? counterIn(package.folder) : std::nullopt;
        readable_ = now.has_value();
        if (!readable_) break;
        const bool startedAgain = *now < package.last;
        package.used += startedAgain ? *now + package.range - package.last : *now - package.last;
        package.last = *now;
        sum += static_cast<double>(package.used) * kMicro;
    }
    if (!readable_) return std::nullopt;
    return sum;
}

} // namespace coterie::engine
