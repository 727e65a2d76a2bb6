// SPDX-License-Identifier: Apache-2.0
// A Vulkan device behind the border of engine/decoder/device.h. The device must have room for the whole model.
#pragma once

#include "vulkan_device.h"

#include "decoder/device.h"

#include <functional>
#include <memory>
#include <string>

namespace coterie::gpu {

/// The abilities of the backend, whatever the device.
engine::DeviceAbilities vulkanAbilities();

enum class SelfTest { Never, WhenLoaded };

/// name: as `--device` takes it. selfTest: WhenLoaded tries the shaders that a model needs before it is used; upload()
/// returns Unsupported if one of them differs. onLost is called once if the device is lost, on the thread that
/// computes.
std::unique_ptr<engine::Backend> createVulkanBackend(std::unique_ptr<VulkanDevice> device, std::string name,
                                                     const engine::BackendOptions& options,
                                                     SelfTest selfTest = SelfTest::Never,
                                                     std::function<void()> onLost = {});

} // namespace coterie::gpu
