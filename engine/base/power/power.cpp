// SPDX-License-Identifier: Apache-2.0
// See power.h. The systems' calls: power_linux.cpp, power_posix.cpp, power_windows.cpp.
#include "base/power/power.h"

namespace coterie::engine {

bool batteryIsLow(const PowerReading& power) {
    return power.onBattery && power.charge.has_value() && *power.charge <= kLowCharge;
}

} // namespace coterie::engine
