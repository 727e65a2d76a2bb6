// SPDX-License-Identifier: Apache-2.0
#include "vulkan_devices.h"

#include "device_measure.h"
#include "self_test.h"
#include "shader_names.h"
#include "vulkan_backend.h"

#include "base/mutex.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coterie::gpu {
namespace {

using engine::DeviceInfo;
using engine::DeviceRates;
using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

const std::string kPrefix = "vulkan:";

/// State that the functions of one factory share. Any thread may call its functions.
struct Known {
    explicit Known(DeviceChoices forAll) : choices(std::move(forAll)) {}

    void lose(const std::string& name) {
        const engine::MutexLock lock(mutex);
        lost.insert(name);
    }
    void loseIf(const Error& error, const std::string& name) {
        if (error.kind == ErrorKind::DeviceLost) lose(name);
    }
    bool isLost(const std::string& name) const {
        const engine::MutexLock lock(mutex);
        return lost.contains(name);
    }

    const DeviceChoices choices;
    mutable engine::Mutex mutex;
    std::set<std::string> lost COTERIE_GUARDED_BY(mutex);
    std::map<std::string, DeviceRates> rates COTERIE_GUARDED_BY(mutex); // by the devices' names
};

/// The driver may need a new process, and a device that computed wrongly once would do so again.
Error lostBefore() {
    return {ErrorKind::Unsupported, "The graphics processor can't be used",
            "It stopped working since the program was started", "Start the program again to use it"};
}

DeviceInfo unusable(std::string name, const Error& error) {
    return {.name = std::move(name), .description = "Vulkan", .memory = 0, .problem = error.why, .abilities = {}};
}

DeviceInfo describe(std::string name, const VulkanDevice& device) {
    return {.name = std::move(name),
            .description = device.name() + ", " + device.driver(),
            .memory = device.ownMemory(),
            .simulated = device.isSimulated(),
            .problem = {},
            .abilities = vulkanAbilities(),
            .driver = device.driver(),
            .heaps = device.heaps()};
}

/// Opens the device with this place in the loader's list.
Result<std::unique_ptr<VulkanDevice>> openUnlessLost(Known& known, const VulkanLoader& loader, size_t index,
                                                     const std::string& name) {
    if (known.isLost(name)) return lostBefore();
    Result<std::unique_ptr<VulkanDevice>> device = VulkanDevice::open(loader, index, known.choices);
    if (!device) known.loseIf(device.error(), name);
    return device;
}

std::vector<DeviceInfo> list(Known& known) {
    const Result<VulkanLoader> loader = VulkanLoader::open();
    if (!loader) return {unusable("vulkan", loader.error())};
    const Result<size_t> count = VulkanDevice::count(*loader);
    if (!count) return {unusable("vulkan", count.error())};
    if (*count == 0) return {unusable("vulkan", VulkanDevice::open(*loader, 0, {}).error())}; // it says so
    std::vector<DeviceInfo> devices;
    for (size_t index = 0; index < *count; ++index) {
        std::string name = kPrefix + std::to_string(index);
        const Result<std::unique_ptr<VulkanDevice>> device = openUnlessLost(known, *loader, index, name);
        devices.push_back(device ? describe(std::move(name), **device) : unusable(std::move(name), device.error()));
    }
    return devices;
}

/// Opens the device with a name of the list.
Result<std::unique_ptr<VulkanDevice>> openNamed(Known& known, const std::string& name) {
    const Result<VulkanLoader> loader = VulkanLoader::open();
    if (!loader) return loader.error();
    size_t index = 0;
    const std::string_view number = std::string_view(name).substr(std::min(kPrefix.size(), name.size()));
    std::from_chars(number.data(), number.data() + number.size(), index);
    return openUnlessLost(known, *loader, index, name);
}

engine::Sentence test(Known& known, const std::string& name) {
    const Result<std::unique_ptr<VulkanDevice>> device = openNamed(known, name);
    if (!device) return device.error().why;
    const Status passed = selfTest(**device);
    if (passed) return {};
    known.loseIf(passed.error(), name);
    return passed.error().why;
}

/// Those of the formats that have shaders and no rate.
std::vector<engine::TensorType> unmeasured(const DeviceRates& rates, std::span<const engine::TensorType> formats) {
    std::vector<engine::TensorType> left;
    std::ranges::copy_if(formats, std::back_inserter(left),
                         [&](engine::TensorType type) { return hasShaders(type) && rates.find(type) == nullptr; });
    return left;
}

Result<DeviceRates> measure(Known& known, const std::string& name, std::span<const engine::TensorType> formats) {
    DeviceRates rates;
    {
        const engine::MutexLock lock(known.mutex);
        rates = known.rates[name];
    }
    const std::vector<engine::TensorType> left = unmeasured(rates, formats);
    if (left.empty()) return rates;
    const Result<std::unique_ptr<VulkanDevice>> device = openNamed(known, name);
    if (!device) return device.error();
    Result<DeviceRates> now = measureDevice(**device, left);
    if (!now) {
        known.loseIf(now.error(), name);
        return now;
    }
    now->formats.insert(now->formats.begin(), rates.formats.begin(), rates.formats.end());
    const engine::MutexLock lock(known.mutex);
    return known.rates[name] = std::move(now).value();
}

Result<std::unique_ptr<engine::Backend>> create(const std::shared_ptr<Known>& known, const std::string& name,
                                                const engine::BackendOptions& options) {
    Result<std::unique_ptr<VulkanDevice>> device = openNamed(*known, name);
    if (!device) return device.error();
    return createVulkanBackend(std::move(device).value(), name, options, SelfTest::WhenLoaded,
                               [known, name] { known->lose(name); });
}

} // namespace

engine::DeviceFactory vulkanDevices() { return vulkanDevices({}); }

engine::DeviceFactory vulkanDevices(const DeviceChoices& choices) {
    const auto known = std::make_shared<Known>(choices);
    return {.list = [known] { return list(*known); },
            .test = [known](const std::string& name) { return test(*known, name); },
            .measure = [known](const std::string& name,
                               std::span<const engine::TensorType> formats) { return measure(*known, name, formats); },
            .create = [known](const std::string& name,
                              const engine::BackendOptions& options) { return create(known, name, options); }};
}

} // namespace coterie::gpu
