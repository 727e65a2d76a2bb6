// SPDX-License-Identifier: Apache-2.0
// Every call of Vulkan goes through one table of function pointers: the loader is opened while the program runs, and
// tests can replace each entry (DeviceChoices::replace in vulkan_device.h). To use another function, add its name here.
#pragma once

#include "base/library.h"
#include "base/result.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <memory>
#include <span>

#define COTERIE_GLOBAL_FUNCTIONS(X)                                                                                    \
    X(CreateInstance)                                                                                                  \
    X(EnumerateInstanceExtensionProperties)                                                                            \
    X(EnumerateInstanceLayerProperties)                                                                                \
    X(EnumerateInstanceVersion)

#define COTERIE_INSTANCE_FUNCTIONS(X)                                                                                  \
    X(CreateDevice)                                                                                                    \
    X(DestroyInstance)                                                                                                 \
    X(EnumerateDeviceExtensionProperties)                                                                              \
    X(EnumeratePhysicalDevices)                                                                                        \
    X(GetDeviceProcAddr)                                                                                               \
    X(GetPhysicalDeviceFeatures2)                                                                                      \
    X(GetPhysicalDeviceMemoryProperties2)                                                                              \
    X(GetPhysicalDeviceProperties2)                                                                                    \
    X(GetPhysicalDeviceQueueFamilyProperties)

/// Null without the extension VK_EXT_debug_utils.
#define COTERIE_MESSAGE_FUNCTIONS(X)                                                                                   \
    X(CreateDebugUtilsMessengerEXT)                                                                                    \
    X(DestroyDebugUtilsMessengerEXT)

#define COTERIE_DEVICE_FUNCTIONS(X)                                                                                    \
    X(AllocateCommandBuffers)                                                                                          \
    X(AllocateDescriptorSets)                                                                                          \
    X(AllocateMemory)                                                                                                  \
    X(BeginCommandBuffer)                                                                                              \
    X(BindBufferMemory)                                                                                                \
    X(CmdBindDescriptorSets)                                                                                           \
    X(CmdBindPipeline)                                                                                                 \
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdDispatch)                                                                                                     \
    X(CmdDispatchIndirect)                                                                                             \
    X(CmdPipelineBarrier)                                                                                              \
    X(CmdPushConstants)                                                                                                \
    X(CreateBuffer)                                                                                                    \
    X(CreateCommandPool)                                                                                               \
    X(CreateComputePipelines)                                                                                          \
    X(CreateDescriptorPool)                                                                                            \
    X(CreateDescriptorSetLayout)                                                                                       \
    X(CreateFence)                                                                                                     \
    X(CreatePipelineLayout)                                                                                            \
    X(CreateShaderModule)                                                                                              \
    X(DestroyBuffer)                                                                                                   \
    X(DestroyCommandPool)                                                                                              \
    X(DestroyDescriptorPool)                                                                                           \
    X(DestroyDescriptorSetLayout)                                                                                      \
    X(DestroyDevice)                                                                                                   \
    X(DestroyFence)                                                                                                    \
    X(DestroyPipeline)                                                                                                 \
    X(DestroyPipelineLayout)                                                                                           \
    X(DestroyShaderModule)                                                                                             \
    X(DeviceWaitIdle)                                                                                                  \
    X(EndCommandBuffer)                                                                                                \
    X(FreeMemory)                                                                                                      \
    X(GetBufferMemoryRequirements)                                                                                     \
    X(GetDeviceQueue)                                                                                                  \
    X(MapMemory)                                                                                                       \
    X(QueueSubmit)                                                                                                     \
    X(ResetCommandPool)                                                                                                \
    X(ResetDescriptorPool)                                                                                             \
    X(ResetFences)                                                                                                     \
    X(UpdateDescriptorSets)                                                                                            \
    X(WaitForFences)

namespace coterie::gpu {

struct VulkanFunctions {
#define COTERIE_ENTRY(name) PFN_vk##name name = nullptr;
    COTERIE_GLOBAL_FUNCTIONS(COTERIE_ENTRY)
    COTERIE_INSTANCE_FUNCTIONS(COTERIE_ENTRY)
    COTERIE_MESSAGE_FUNCTIONS(COTERIE_ENTRY)
    COTERIE_DEVICE_FUNCTIONS(COTERIE_ENTRY)
#undef COTERIE_ENTRY
};

/// The loader's library, through which all functions are found.
struct VulkanLoader {
    std::shared_ptr<const engine::Library> library;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;

    /// Opens the loader of this system. Unsupported: it has none.
    static engine::Result<VulkanLoader> open();
    /// The same with other names of libraries.
    static engine::Result<VulkanLoader> open(std::span<const char* const> names);
};

/// Success for VK_SUCCESS and what else is no error; otherwise DeviceLost, OutOfMemory, Unsupported for a machine
/// without a driver, or Internal. call: the name of the function, for the message.
engine::Status checked(VkResult result, const char* call);

} // namespace coterie::gpu
