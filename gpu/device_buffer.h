// SPDX-License-Identifier: Apache-2.0
// Memory of a device that shaders and the host both see. It belongs to a device, which must outlive it.
#pragma once

#include "vulkan_device.h"

#include <cstddef>
#include <span>

namespace coterie::gpu {

class DeviceBuffer {
  public:
    /// bytes: at least one, at most the device's largestBufferRange. OutOfMemory, DeviceLost; Unsupported if no memory
    /// of the device can be seen by the host.
    static engine::Result<DeviceBuffer> create(const VulkanDevice& device, uint64_t bytes);
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
    ~DeviceBuffer();

    VkBuffer handle() const { return buffer_; }
    std::span<std::byte> bytes() const { return bytes_; }

  private:
    explicit DeviceBuffer(const VulkanDevice& device) : device_(&device) {}
    engine::Status allocate(uint64_t bytes);

    const VulkanDevice* device_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE; // freeing it also ends its mapping
    std::span<std::byte> bytes_;
};

} // namespace coterie::gpu
