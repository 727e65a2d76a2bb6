// SPDX-License-Identifier: Apache-2.0
// Windows' battery figures: GetSystemPowerStatus.
#include "base/power/power.h"

#include <windows.h>

namespace coterie::engine {

PowerReading readPower() {
    constexpr BYTE offline = 0, noBattery = 128, unknown = 255;
    constexpr BYTE full = 100;
    SYSTEM_POWER_STATUS status{};
    if (!GetSystemPowerStatus(&status) || status.BatteryFlag == unknown || (status.BatteryFlag & noBattery) != 0)
        return {};
    PowerReading reading;
    reading.onBattery = status.ACLineStatus == offline;
    if (status.BatteryLifePercent <= full) reading.charge = static_cast<double>(status.BatteryLifePercent) / full;
    return reading;
}

} // namespace coterie::engine
