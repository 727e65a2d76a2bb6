// SPDX-License-Identifier: Apache-2.0
// What Linux says about mains and batteries. The folder is an argument so that tests can give made ones.
#pragma once

#include "base/power.h"

#include <string>

namespace coterie::engine {

/// `supplies` holds a folder for each mains adapter, battery and the like: /sys/class/power_supply.
PowerReading readLinuxPower(const std::string& supplies);

} // namespace coterie::engine
