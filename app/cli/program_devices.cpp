// SPDX-License-Identifier: Apache-2.0
#include "cli/program_devices.h"

#ifdef COTERIE_GPU
#include "vulkan_devices.h"
#endif

namespace coterie::app {

engine::DeviceFactory programDevices() {
#ifdef COTERIE_GPU
    return gpu::vulkanDevices();
#else
    return {}; // Vulkan's headers were missing when this was built
#endif
}

} // namespace coterie::app
