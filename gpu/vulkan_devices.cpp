// SPDX-License-Identifier: Apache-2.0
#include "vulkan_devices.h"

#include "self_test.h"
#include "vulkan_backend.h"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace coterie::gpu {
namespace {

using engine::DeviceInfo;
using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

const std::string kPrefix = "vulkan:";

DeviceInfo unusable(std::string name, const Error& error) {
    return {.name = std::move(name), .description = "Vulkan", .memory = 0, .problem = error.why, .abilities = {}};
}

DeviceInfo describe(std::string name, const VulkanDevice& device) {
    return {.name = std::move(name),
            .description = device.name() + ", " + device.driver(),
            .memory = device.ownMemory(),
            .problem = {},
            .abilities = vulkanAbilities()};
}

std::vector<DeviceInfo> list() {
    const Result<VulkanLoader> loader = VulkanLoader::open();
    if (!loader) return {unusable("vulkan", loader.error())};
    const Result<size_t> count = VulkanDevice::count(*loader);
    if (!count) return {unusable("vulkan", count.error())};
    if (*count == 0) return {unusable("vulkan", VulkanDevice::open(*loader, 0, {}).error())}; // it says so
    std::vector<DeviceInfo> devices;
    for (size_t index = 0; index < *count; ++index) {
        std::string name = kPrefix + std::to_string(index);
        const Result<std::unique_ptr<VulkanDevice>> device = VulkanDevice::open(*loader, index, {});
        devices.push_back(device ? describe(std::move(name), **device) : unusable(std::move(name), device.error()));
    }
    return devices;
}

/// Opens the device with a name of the list.
Result<std::unique_ptr<VulkanDevice>> openNamed(const std::string& name) {
    const Result<VulkanLoader> loader = VulkanLoader::open();
    if (!loader) return loader.error();
    size_t index = 0;
    const std::string_view number = std::string_view(name).substr(std::min(kPrefix.size(), name.size()));
    std::from_chars(number.data(), number.data() + number.size(), index);
    return VulkanDevice::open(*loader, index, {});
}

engine::Sentence test(const std::string& name) {
    const Result<std::unique_ptr<VulkanDevice>> device = openNamed(name);
    if (!device) return device.error().why;
    const Status passed = selfTest(**device);
    return passed ? engine::Sentence() : passed.error().why;
}

Result<std::unique_ptr<engine::Backend>> create(const std::string& name, const engine::BackendOptions& options) {
    Result<std::unique_ptr<VulkanDevice>> device = openNamed(name);
    if (!device) return device.error();
    return createVulkanBackend(std::move(device).value(), name, options, SelfTest::WhenLoaded);
}

} // namespace

engine::DeviceFactory vulkanDevices() { return {.list = list, .test = test, .create = create, .automatic = false}; }

} // namespace coterie::gpu
