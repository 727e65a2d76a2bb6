// SPDX-License-Identifier: Apache-2.0
// Linux's figures about mains and batteries. The folder is an argument so that tests can use their own.
#pragma once

#include "base/power/power.h"

#include <string>

namespace coterie::engine {

/// supplies: the folder that has a folder for each mains adapter, battery and the like (/sys/class/power_supply).
PowerReading readLinuxPower(const std::string& supplies);

} // namespace coterie::engine
