// SPDX-License-Identifier: Apache-2.0
// Loads whole models on the software driver, for tests of the backend.
#pragma once

#include "decoder/oracle_check.h"
#include "test_device.h"
#include "vulkan_backend.h"

#include <memory>

namespace coterie::test {

inline std::unique_ptr<gpu::VulkanDevice> openDevice(const gpu::DeviceChoices& choices) {
    return mustHave(gpu::VulkanDevice::open(mustHave(gpu::VulkanLoader::open()), 0, choices));
}

/// Options that load a model on a device of its own. `device`, if given, is where it can be seen.
inline LoadOptions onVulkan(const gpu::VulkanDevice** device = nullptr,
                            const gpu::DeviceChoices& choices = {.validation = true},
                            gpu::SelfTest selfTest = gpu::SelfTest::Never) {
    LoadOptions load;
    load.decoder = [device, choices, selfTest](const engine::BackendOptions& options) {
        auto opened = openDevice(choices);
        if (device != nullptr) *device = opened.get();
        return std::make_unique<engine::Decoder>(
            gpu::createVulkanBackend(std::move(opened), "vulkan:0", options, selfTest));
    };
    return load;
}

} // namespace coterie::test
