// SPDX-License-Identifier: Apache-2.0
#include "device_buffer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

namespace {

constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// Properties that serve the access, the best first.
std::array<VkMemoryPropertyFlags, 2> wishes(HostAccess access, bool card) {
    switch (access) {
    case HostAccess::Reads:
        return {kVisible | kCached, kVisible};
    case HostAccess::Stages:
        return {kVisible, kVisible};
    case HostAccess::None:
        if (card) return {kLocal, kLocal};
        break;
    case HostAccess::Writes:
        break;
    }
    return {kVisible | kLocal, kVisible};
}

} // namespace

std::vector<uint32_t> memoryTypes(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, HostAccess access,
                                  bool card) {
    std::vector<uint32_t> types;
    for (const VkMemoryPropertyFlags wanted : wishes(access, card))
        for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
            if ((allowed >> type & 1) != 0 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted &&
                std::ranges::find(types, type) == types.end())
                types.push_back(type);
    return types;
}

Result<DeviceBuffer> DeviceBuffer::create(const VulkanDevice& device, uint64_t bytes, HostAccess access) {
    DeviceBuffer buffer(device);
    if (Status made = buffer.allocate(bytes, access); !made) return made.error();
    return buffer;
}

Status DeviceBuffer::allocate(uint64_t bytes, HostAccess access) {
    const VulkanFunctions& vk = device_->functions();
    VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = size_ = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    if (Status made = checked(vk.CreateBuffer(device_->handle(), &info, nullptr, &buffer_), "vkCreateBuffer"); !made)
        return made;
    VkMemoryRequirements needs{};
    vk.GetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    if (Status taken = takeMemory(needs, access); !taken) return taken;
    if (Status bound = checked(vk.BindBufferMemory(device_->handle(), buffer_, memory_, 0), "vkBindBufferMemory");
        !bound)
        return bound;
    return access == HostAccess::None && device_->isCard() ? Status() : map();
}

/// Takes memory of the best type that has room: often the host sees only a small part of a card's memory.
Status DeviceBuffer::takeMemory(const VkMemoryRequirements& needs, HostAccess access) {
    Status taken = Error{ErrorKind::Unsupported,
                         {"The graphics processor %1 can't be used", device_->name()},
                         "It lacks memory that the program can use",
                         "Bring its driver up to date, or compute on the CPU"};
    for (const uint32_t type : memoryTypes(device_->memory(), needs.memoryTypeBits, access, device_->isCard())) {
        const VkMemoryAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .pNext = nullptr,
                                              .allocationSize = needs.size,
                                              .memoryTypeIndex = type};
        taken = checked(device_->functions().AllocateMemory(device_->handle(), &allocation, nullptr, &memory_),
                        "vkAllocateMemory");
        if (taken || taken.error().kind != ErrorKind::OutOfMemory) break;
    }
    return taken;
}

Status DeviceBuffer::map() {
    void* address = nullptr;
    if (Status mapped = checked(
            device_->functions().MapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &address), "vkMapMemory");
        !mapped)
        return mapped;
    bytes_ = {static_cast<std::byte*>(address), static_cast<size_t>(size_)};
    return {};
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(other.device_), buffer_(std::exchange(other.buffer_, VK_NULL_HANDLE)),
      memory_(std::exchange(other.memory_, VK_NULL_HANDLE)), size_(other.size_),
      bytes_(std::exchange(other.bytes_, {})) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(buffer_, other.buffer_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

DeviceBuffer::~DeviceBuffer() {
    if (device_->isAbandoned()) return;
    const VulkanFunctions& vk = device_->functions();
    if (buffer_ != VK_NULL_HANDLE) vk.DestroyBuffer(device_->handle(), buffer_, nullptr);
    if (memory_ != VK_NULL_HANDLE) vk.FreeMemory(device_->handle(), memory_, nullptr);
}

} // namespace coterie::gpu
