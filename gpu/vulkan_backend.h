// SPDX-License-Identifier: Apache-2.0
// A Vulkan device behind the border of engine/decoder/device.h. The device must have room for the whole model.
#pragma once

#include "vulkan_device.h"

#include "decoder/device.h"

#include <memory>
#include <string>

namespace coterie::gpu {

/// The abilities of the backend, whatever the device.
engine::DeviceAbilities vulkanAbilities();

/// name: as `--device` takes it.
std::unique_ptr<engine::Backend> createVulkanBackend(std::unique_ptr<VulkanDevice> device, std::string name,
                                                     const engine::BackendOptions& options);

} // namespace coterie::gpu
