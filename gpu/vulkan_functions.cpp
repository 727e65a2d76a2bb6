// SPDX-License-Identifier: Apache-2.0
#include "vulkan_functions.h"

#include <array>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;

namespace {

#if defined(_WIN32)
constexpr std::array<const char*, 1> kLoaderNames = {"vulkan-1.dll"};
#elif defined(__APPLE__)
constexpr std::array<const char*, 2> kLoaderNames = {"libvulkan.1.dylib", "libMoltenVK.dylib"};
#else
constexpr std::array<const char*, 2> kLoaderNames = {"libvulkan.so.1", "libvulkan.so"};
#endif

Error noLoader() {
    return {ErrorKind::Unsupported, "There is no Vulkan on this machine", "Its loader is not installed",
            "Install the driver of the graphics processor if there is one"};
}

} // namespace

engine::Result<VulkanLoader> VulkanLoader::open() { return open(kLoaderNames); }

engine::Result<VulkanLoader> VulkanLoader::open(std::span<const char* const> names) {
    VulkanLoader loader{.library = engine::Library::open(names)};
    if (!loader.library) return noLoader();
    loader.getInstanceProcAddr =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(loader.library->symbol("vkGetInstanceProcAddr"));
    if (loader.getInstanceProcAddr == nullptr) return noLoader();
    return loader;
}

engine::Status checked(VkResult result, const char* call) {
    switch (result) {
    case VK_SUCCESS:
    case VK_INCOMPLETE:
        return {};
    case VK_ERROR_DEVICE_LOST:
        return Error{ErrorKind::DeviceLost,
                     "The graphics processor is gone",
                     {"Its driver reports that it was lost (%1)", call},
                     "Start the program again to use it"};
    case VK_TIMEOUT:
        return Error{ErrorKind::DeviceLost,
                     "The graphics processor does not answer",
                     {"It did not end its work in time (%1)", call},
                     "Start the program again to use it"};
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return Error{ErrorKind::Unsupported, "The graphics processor can't be used",
                     "No driver for Vulkan is installed, or none that works",
                     "Install its driver, or compute on the CPU"};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
        return Error{ErrorKind::OutOfMemory,
                     "There is no memory left for the graphics processor",
                     {"Its driver refused %1", call},
                     "Close other programs, or compute on the CPU"};
    default:
        return Error{ErrorKind::Internal,
                     "The graphics processor can't be used",
                     {"Its driver ended %1 with the error %2", call, static_cast<int>(result)},
                     "Bring its driver up to date, or compute on the CPU"};
    }
}

} // namespace coterie::gpu
