// SPDX-License-Identifier: Apache-2.0
#include "device_buffer.h"

#include <utility>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

Result<DeviceBuffer> DeviceBuffer::create(const VulkanDevice& device, uint64_t bytes) {
    DeviceBuffer buffer(device);
    if (Status made = buffer.allocate(bytes); !made) return made.error();
    return buffer;
}

Status DeviceBuffer::allocate(uint64_t bytes) {
    const VulkanFunctions& vk = device_->functions();
    VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    if (Status made = checked(vk.CreateBuffer(device_->handle(), &info, nullptr, &buffer_), "vkCreateBuffer"); !made)
        return made;
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    const uint32_t type = device_->memoryType(needs.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                                        VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    if (type == VulkanDevice::kNoMemoryType)
        return Error{ErrorKind::Unsupported,
                     {"The graphics processor %1 can't be used", device_->name()},
                     "The CPU sees none of its memory",
                     "Bring its driver up to date, or compute on the CPU"};
    const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = nullptr,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = type};
    if (Status made = checked(vk.AllocateMemory(device_->handle(), &allocation, nullptr, &memory_), "vkAllocateMemory");
        !made)
        return made;
    if (Status bound = checked(vk.BindBufferMemory(device_->handle(), buffer_, memory_, 0), "vkBindBufferMemory");
        !bound)
        return bound;
    void* address = nullptr;
    if (Status mapped = checked(vk.MapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &address), "vkMapMemory");
        !mapped)
        return mapped;
    bytes_ = {static_cast<std::byte*>(address), static_cast<size_t>(bytes)};
    return {};
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_), buffer_(std::exchange(other.buffer_, VK_NULL_HANDLE)),
      memory_(std::exchange(other.memory_, VK_NULL_HANDLE)), bytes_(std::exchange(other.bytes_, {})) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(buffer_, other.buffer_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

DeviceBuffer::~DeviceBuffer() {
    const VulkanFunctions& vk = device_->functions();
    if (buffer_ != VK_NULL_HANDLE) vk.DestroyBuffer(device_->handle(), buffer_, nullptr);
    if (memory_ != VK_NULL_HANDLE) vk.FreeMemory(device_->handle(), memory_, nullptr);
}

} // namespace coterie::gpu
