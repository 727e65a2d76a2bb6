// SPDX-License-Identifier: Apache-2.0
// What the machine runs on: the mains, or a battery, and how full that is.
#pragma once

#include <optional>

namespace coterie::engine {

/// What the system says. A machine without a battery, and one that doesn't tell, says what is here.
struct PowerReading {
    bool onBattery = false;       ///< it runs on a battery of its own
    std::optional<double> charge; ///< 0..1 of all of its batteries together; nothing: it has none, or doesn't say
};

/// Any thread. May take some milliseconds: on a laptop another chip is asked.
PowerReading readPower();

/// With so much charge or less a battery is low.
inline constexpr double kLowCharge = 0.2;

/// On battery, and that is low. What isn't known is not low.
bool batteryIsLow(const PowerReading& power);

} // namespace coterie::engine
