// SPDX-License-Identifier: Apache-2.0
// The devices besides the CPU that this build can compute on.
#pragma once

#include "session/session.h"

namespace coterie::app {

engine::DeviceFactory programDevices();

} // namespace coterie::app
