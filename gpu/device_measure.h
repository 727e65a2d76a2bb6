// SPDX-License-Identifier: Apache-2.0
// Measures the rates of a device, in the way in which the CPU's are measured (engine/decoder/rates/rate_measure.h).
#pragma once

#include "base/result.h"
#include "decoder/rates/device_rates.h"

#include <span>

namespace coterie::gpu {

class VulkanDevice;

/// Takes less than a second for each format where the device is no simulated one, and up to 256 MiB of its memory
/// meanwhile. Formats without shaders are left out. OutOfMemory, DeviceLost.
engine::Result<engine::DeviceRates> measureDevice(VulkanDevice& device, std::span<const engine::TensorType> formats);

} // namespace coterie::gpu
