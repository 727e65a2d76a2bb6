// SPDX-License-Identifier: Apache-2.0
// Runs the shaders for matrices over the calls that their models take. For the self-test and tests.
#pragma once

#include "base/result.h"
#include "products.h"
#include "shader_names.h"

#include <string>

namespace coterie::gpu {

class VulkanDevice;

engine::Status runPrepare(VulkanDevice& device, const PrepareCall& call, std::span<uint32_t> out);
engine::Status runProduct(VulkanDevice& device, const ProductCall& call, const ProductTuning& tuning,
                          std::span<float> out);
engine::Status runExpand(VulkanDevice& device, const ExpandCall& call, std::span<float> out);
engine::Status runNeuronSum(VulkanDevice& device, const NeuronSumCall& call, std::span<float> out);

} // namespace coterie::gpu
