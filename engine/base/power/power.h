// SPDX-License-Identifier: Apache-2.0
// The machine's power: mains or battery, and how full the battery is.
#pragma once

#include <optional>

namespace coterie::engine {

/// The state that the system reports. The defaults stand for a machine without a battery, and for one that reports
/// nothing.
struct PowerReading {
    bool onBattery = false; ///< the machine runs on a battery of its own
    std::optional<double>
        charge; ///< 0..1 of all of its batteries together; nothing if it has none or does not report it
};

/// Reads the state. Any thread. It may take some milliseconds, because a laptop asks another chip.
PowerReading readPower();

/// A battery with this charge or less is low.
inline constexpr double kLowCharge = 0.2;

/// True if the machine runs on a battery with a low charge. An unknown charge is not low.
bool batteryIsLow(const PowerReading& power);

} // namespace coterie::engine
