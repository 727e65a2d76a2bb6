// SPDX-License-Identifier: Apache-2.0
// Runs the shaders for matrices over the calls that their models take. For the self-test and tests.
#pragma once

#include "base/result.h"
#include "products.h"

#include <string>

namespace coterie::gpu {

class VulkanDevice;
struct Abilities;

/// How product.comp is specialised and dispatched. No bit of the result depends on it.
struct ProductTuning {
    uint32_t lanes = 64;     ///< lanes of a workgroup: a multiple of 32
    uint32_t rows = 1;       ///< rows that 32 lanes compute together
    uint32_t vectors = 1;    ///< vectors that 32 lanes compute together
    bool shuffles = true;    ///< whether subgroup shuffles are used if the device has them
    bool integerDot = false; ///< whether the variant for devices with integer dot products runs
    uint32_t groups = 0;     ///< workgroups along x; 0: one for each group of rows
};

/// The name of a shader that is compiled for each format: "product_q4_k" for "product".
std::string shaderName(std::string_view operation, engine::TensorType type);
/// The variant of product.comp that runs with this tuning on a device with these abilities: "product_q4_k_shuffle_dot".
std::string productName(engine::TensorType type, const ProductTuning& tuning, const Abilities& abilities);

engine::Status runPrepare(VulkanDevice& device, const PrepareCall& call, std::span<uint32_t> out);
engine::Status runProduct(VulkanDevice& device, const ProductCall& call, const ProductTuning& tuning,
                          std::span<float> out);
engine::Status runExpand(VulkanDevice& device, const ExpandCall& call, std::span<float> out);
engine::Status runNeuronSum(VulkanDevice& device, const NeuronSumCall& call, std::span<float> out);

} // namespace coterie::gpu
