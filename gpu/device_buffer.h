// SPDX-License-Identifier: Apache-2.0
// Memory of a device. It belongs to the device, which must outlive it. staging_buffer.h fills what the host can't see.
#pragma once

#include "vulkan_device.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::gpu {

/// Accesses of the host to a buffer of shaders. They decide where it lies.
enum class HostAccess {
    None,   ///< shaders alone use it, once it is filled: the fastest memory, which the host may not see
    Writes, ///< the host writes small things now and then
    Reads,  ///< the host reads what shaders wrote: memory that its caches hold
    Stages, ///< the host writes what is then copied elsewhere: main memory
};

class DeviceBuffer {
  public:
    /// bytes: at least one, at most the device's largestBufferRange. OutOfMemory, DeviceLost; Unsupported if the device
    /// has no such memory.
    static engine::Result<DeviceBuffer> create(const VulkanDevice& device, uint64_t bytes, HostAccess access);
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
    ~DeviceBuffer();

    VkBuffer handle() const { return buffer_; }
    uint64_t size() const { return size_; }
    /// Empty if the host can't see it, which happens with HostAccess::None alone.
    std::span<std::byte> bytes() const { return bytes_; }

  private:
    explicit DeviceBuffer(const VulkanDevice& device) : device_(&device) {}
    engine::Status allocate(uint64_t bytes, HostAccess access);
    engine::Status takeMemory(const VkMemoryRequirements& needs, HostAccess access);
    engine::Status map();

    const VulkanDevice* device_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE; // freeing it also ends its mapping
    uint64_t size_ = 0;
    std::span<std::byte> bytes_;
};

/// The memory types among the allowed ones (bit n: type n) that serve this access, the best first. card: the device
/// computes in memory of its own, so that main memory lies behind a slow link.
std::vector<uint32_t> memoryTypes(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, HostAccess access,
                                  bool card);

} // namespace coterie::gpu
