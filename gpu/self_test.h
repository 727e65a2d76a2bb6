// SPDX-License-Identifier: Apache-2.0
// The self-test: each shader gives the bits of its scalar model on this device. A device with one that differs is not
// used. All shaders are tried when somebody asks for the devices, those of a model when it is loaded.
#pragma once

#include "base/result.h"

#include <span>
#include <string_view>

namespace coterie::gpu {

class VulkanDevice;

struct ShaderCheck {
    std::string_view name;                       ///< the shader's
    engine::Status (*run)(VulkanDevice& device); ///< an error says what differed
};

/// The checks of the shaders for matrices (models/product_checks.cpp).
std::span<const ShaderCheck> productChecks();
/// The checks of the shaders between a layer's products (models/layer_step_checks.cpp).
std::span<const ShaderCheck> layerStepChecks();

/// Runs all of them. Unsupported says which shader differs; DeviceLost and OutOfMemory as they come.
engine::Status selfTest(VulkanDevice& device);
/// Runs those of the shaders that the device has pipelines of.
engine::Status selfTestOfPrograms(VulkanDevice& device);

} // namespace coterie::gpu
