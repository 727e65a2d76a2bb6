// SPDX-License-Identifier: Apache-2.0
// Lists the devices and chooses the one that a session computes on: the CPU, which always exists, or a device of a
// factory. Pure functions of the factory's list.
#pragma once

#include "base/result.h"
#include "session/session.h"

#include <span>
#include <string>
#include <vector>

namespace coterie::engine {

/// The device that every build has.
DeviceInfo cpuDevice();

/// The name that leaves the choice to automatic_device.h.
inline constexpr const char* kAutomaticDevice = "auto";

/// Returns the device that `name` asks for: a listed name, or a name without its number ("vulkan") for the first usable
/// device of that kind. "auto" gives the CPU, because only a model's work decides about it (automatic_device.h). The
/// list is not asked for where the CPU is meant. BadInput for an unknown name, Unsupported for a device that this
/// machine can't use.
Result<DeviceInfo> chooseDevice(const DeviceFactory& factory, const std::string& name);

/// Returns the device that the options ask for. If that fails and the device is optional, returns the CPU, and adds to
/// the notes why.
Result<DeviceInfo> wantedDevice(const OpenOptions& options, std::vector<Sentence>& notes);
/// Whether the CPU computes in place of the device, which failed with this error: the device is optional, or "auto"
/// chose it. If so, adds to the notes why.
bool cpuTakesOver(const OpenOptions& options, const std::string& device, const Error& error,
                  std::vector<Sentence>& notes);

/// Returns the device if it computes all that the model's layers need. Otherwise the CPU computes the model, and the
/// notes say why, unless the options name the device and it is not optional: then Unsupported names what is missing.
Result<DeviceInfo> deviceFor(const ModelShape& shape, const DeviceInfo& device, const OpenOptions& options,
                             std::vector<Sentence>& notes);

/// Says that the CPU computes the model, and why the device does not.
Sentence processorInstead(const std::string& device, const Sentence& why);
/// Says that a device lacks these needs of a model. At least one.
Sentence lackOf(std::span<const LayerNeed> missing);

/// Returns sentences about the abilities that the device lacks, for ModelInfo::notes.
std::vector<Sentence> missingAbilities(const DeviceInfo& device);

} // namespace coterie::engine
