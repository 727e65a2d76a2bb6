// SPDX-License-Identifier: Apache-2.0
// The Vulkan devices of this machine, as a program offers them to the engine. The loader is opened when the list is
// asked for, and not before.
#pragma once

#include "decoder/device_info.h"

namespace coterie::gpu {

struct DeviceChoices;

/// Devices are called "vulkan:0", "vulkan:1" and so on, in the loader's order; on a machine that has none, "vulkan"
/// says why. One that fails its self-test can't be used: the list tries none, test() all shaders of one, and a backend
/// those of its model. One that was lost, be it in a test, can't be used by this factory again, so a program has one
/// factory until it ends. measure() keeps what it measured for as long.
engine::DeviceFactory vulkanDevices();
/// The same with devices that are opened with these choices.
engine::DeviceFactory vulkanDevices(const DeviceChoices& choices);

} // namespace coterie::gpu
