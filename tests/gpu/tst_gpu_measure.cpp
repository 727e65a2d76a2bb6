// SPDX-License-Identifier: Apache-2.0
// Measuring a device: there are rates in the formats that have shaders, each is measured once, and a device that fails
// meanwhile says so. The software driver runs it, with every call checked.
#include "device_measure.h"
#include "test_device.h"
#include "vulkan_devices.h"

#include "kernels/kernels.h"

#include <QtTest>

#include <cmath>
#include <string_view>
#include <vector>

using namespace coterie;
using namespace coterie::engine;
using namespace coterie::gpu;

namespace {

int devices = 0; ///< number of devices that were opened
PFN_vkCreateDevice trueCreateDevice;
VKAPI_ATTR VkResult VKAPI_CALL countDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkDevice* device) {
    ++devices;
    return trueCreateDevice(physical, info, callbacks, device);
}
PFN_vkVoidFunction counted(std::string_view name, PFN_vkVoidFunction found) {
    if (name != "vkCreateDevice") return found;
    trueCreateDevice = reinterpret_cast<PFN_vkCreateDevice>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(&countDevice);
}

VKAPI_ATTR VkResult VKAPI_CALL loseDevice() { return VK_ERROR_DEVICE_LOST; }

/// Refuses the largest buffers, as a small card does.
PFN_vkAllocateMemory trueAllocate;
VKAPI_ATTR VkResult VKAPI_CALL allocateLittle(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    if (info->allocationSize > (VkDeviceSize{48} << 20)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return trueAllocate(device, info, callbacks, memory);
}
PFN_vkVoidFunction small(std::string_view name, PFN_vkVoidFunction found) {
    if (name != "vkAllocateMemory") return found;
    trueAllocate = reinterpret_cast<PFN_vkAllocateMemory>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(&allocateLittle);
}

const std::vector<TensorType> kSome{TensorType::F32, TensorType::IQ1_S, TensorType::Q4_K};

/// Both processors have a number for each format that has shaders, and no other.
void check(const DeviceRates& rates) {
    QCOMPARE(rates.formats.size(), size_t{2});
    QVERIFY(rates.find(TensorType::F32) != nullptr && rates.find(TensorType::Q4_K) != nullptr);
    for (const FormatRate& rate : rates.formats)
        QVERIFY(rate.answers > 0 && rate.prompts > 0 && std::isfinite(rate.answers + rate.prompts));
    QVERIFY(rates.dispatchSeconds >= 0 && rates.submissionSeconds >= 0);
    QVERIFY(rates.dispatchSeconds + rates.submissionSeconds > 0);
    QVERIFY(rates.upRate > 0 && rates.downRate > 0);
}

} // namespace

class GpuMeasureTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }

    /// Also in memory that the host does not see, as a card has it.
    void formatsWithShadersHaveRates() {
        for (const MemoryTier tier : {MemoryTier::Shared, MemoryTier::Own}) {
            const auto device = VulkanDevice::open(*VulkanLoader::open(), 0, {.validation = true, .tier = tier});
            QVERIFY(device.ok());
            const Result<DeviceRates> rates = measureDevice(**device, kSome);
            QVERIFY2(rates.ok(), rates ? "" : rates.error().line().c_str());
            check(*rates);
            QVERIFY2((*device)->messages().count == 0, (*device)->messages().first.c_str());
        }
    }

    void aDeviceWithLittleMemoryIsMeasuredToo() {
        const auto device = VulkanDevice::open(*VulkanLoader::open(), 0, {.replace = small});
        QVERIFY(device.ok());
        const Result<DeviceRates> rates = measureDevice(**device, kSome);
        QVERIFY2(rates.ok(), rates ? "" : rates.error().line().c_str());
        check(*rates);
    }

    void eachFormatIsMeasuredOnce() {
        const DeviceFactory factory = vulkanDevices({.replace = counted});
        const std::string name = factory.list().front().name;
        devices = 0;
        const std::vector<TensorType> first{TensorType::F32}, none{TensorType::IQ1_S};
        QCOMPARE(factory.measure(name, first)->formats.size(), size_t{1});
        QCOMPARE(devices, 1);
        const Result<DeviceRates> both = factory.measure(name, kSome);
        QVERIFY(both.ok());
        check(*both);
        QCOMPARE(devices, 2);
        const Result<DeviceRates> again = factory.measure(name, kSome);
        QCOMPARE(again->find(TensorType::F32)->answers, both->find(TensorType::F32)->answers);
        QCOMPARE(factory.measure(name, none)->formats.size(), size_t{2});
        QCOMPARE(devices, 2);
    }

    /// It is not used again, as after any other loss.
    void aDeviceThatIsLostMeanwhileIsSaid() {
        const DeviceFactory factory = vulkanDevices({.replace = [](std::string_view name, PFN_vkVoidFunction found) {
            return name == "vkQueueSubmit" ? reinterpret_cast<PFN_vkVoidFunction>(loseDevice) : found;
        }});
        const std::string name = factory.list().front().name;
        const Result<DeviceRates> lost = factory.measure(name, kSome);
        QVERIFY(!lost && lost.error().kind == ErrorKind::DeviceLost);
        const DeviceInfo device = factory.list().front();
        QVERIFY(!device.usable());
        QVERIFY(!factory.measure(name, kSome).ok());
    }

    void driversAndHeapsAreListed() {
        const DeviceInfo device = vulkanDevices().list().front();
        QVERIFY(!device.driver.empty() && !device.heaps.empty());
        for (const DeviceHeap& heap : device.heaps) QVERIFY(heap.bytes > 0 && heap.budget <= heap.bytes);
    }
};

QTEST_APPLESS_MAIN(GpuMeasureTest)
#include "tst_gpu_measure.moc"
