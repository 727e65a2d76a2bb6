// SPDX-License-Identifier: Apache-2.0
// The energy that the machine's processors used since a start, as far as the system measures it. It is not the energy
// of this process alone: other programs count too, and memory, disks and devices beside the processor do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coterie::engine {

/// The folder in which Linux reports the counters of Intel's and AMD's processors (RAPL). Many systems let only the
/// administrator read them.
inline constexpr const char* kEnergyCounters = "/sys/class/powercap";

/// Measures from its construction on. One thread at a time.
///
///     EnergyMeter meter;
///     compute();
///     if (const std::optional<double> joules = meter.joules()) show(*joules);
class EnergyMeter {
  public:
    /// folder: one that has the counters, for tests.
    explicit EnergyMeter(const std::string& folder = kEnergyCounters);

    /// Returns the joules that all processor packages used since the start; nothing if one of them can't be read, or if
    /// the system has no counters. Call it at least every ten minutes: a counter starts again at 0 after about 262,000
    /// joules, and a call sees only one such start.
    std::optional<double> joules();

  private:
    struct Package {
        std::string folder;
        uint64_t range = 0; ///< the largest value of the counter, in microjoules
        uint64_t last = 0, used = 0;
    };

    std::vector<Package> packages_;
    bool readable_ = false;
};

} // namespace coterie::engine
