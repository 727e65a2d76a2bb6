// SPDX-License-Identifier: Apache-2.0
// Which devices there are, and which one a session computes on: the CPU, which is always there, and what a factory
// brings. Pure functions of the factory's list.
#pragma once

#include "base/result.h"
#include "session/session.h"

#include <string>
#include <vector>

namespace coterie::engine {

/// The device that every build has.
DeviceInfo cpuDevice();

/// The device that `name` asks for: a listed name; a name without its number ("vulkan") for the first usable device of
/// that kind; "auto" for the factory's first usable device, or the CPU. BadInput for an unknown name, Unsupported for a
/// device that this machine can't use.
Result<DeviceInfo> chooseDevice(const DeviceFactory& factory, const std::string& name);

/// Sentences on what a device can't do, for ModelInfo::notes.
std::vector<Sentence> missingAbilities(const DeviceInfo& device);

} // namespace coterie::engine
