// SPDX-License-Identifier: Apache-2.0
#include "self_test.h"

namespace coterie::gpu {

engine::Status selfTest(VulkanDevice& device) {
    for (const std::span<const ShaderCheck> checks : {productChecks(), layerStepChecks()})
        for (const ShaderCheck& check : checks)
            if (engine::Status same = check.run(device); !same) return same;
    return {};
}

} // namespace coterie::gpu
