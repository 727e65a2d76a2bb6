// SPDX-License-Identifier: Apache-2.0
#include "self_test.h"

#include "vulkan_device.h"

#include <set>
#include <string>

namespace coterie::gpu {

engine::Status selfTest(VulkanDevice& device) {
    for (const std::span<const ShaderCheck> checks : {productChecks(), layerStepChecks()})
        for (const ShaderCheck& check : checks)
            if (engine::Status same = check.run(device); !same) return same;
    return {};
}

engine::Status selfTestOfPrograms(VulkanDevice& device) {
    const std::set<std::string> shaders = device.shadersOfPrograms();
    for (const std::span<const ShaderCheck> checks : {productChecks(), layerStepChecks()})
        for (const ShaderCheck& check : checks)
            if (shaders.contains(std::string(check.name)))
                if (engine::Status same = check.run(device); !same) return same;
    return {};
}

} // namespace coterie::gpu
