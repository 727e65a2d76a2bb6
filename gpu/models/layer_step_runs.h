// SPDX-License-Identifier: Apache-2.0
// Runs the shaders between a layer's products over the data of a model's call: see layer_steps.h. shuffles: subgroup
// shuffles are used if the device has them.
#pragma once

#include "base/result.h"
#include "layer_steps.h"

namespace coterie::gpu {

class VulkanDevice;

engine::Status runNorm(VulkanDevice& device, const NormCall& call, bool shuffles, std::span<float> out,
                       std::span<float> sums);
engine::Status runRope(VulkanDevice& device, const RopeCall& call, std::span<float> out);
/// cache: a whole number of 32-bit words.
engine::Status runKeepRows(VulkanDevice& device, const KeepCall& call, std::span<uint16_t> cache);
engine::Status runAttention(VulkanDevice& device, const AttentionCall& call, bool shuffles, std::span<float> out);
engine::Status runRoute(VulkanDevice& device, const RouteCall& call, bool shuffles, std::span<uint32_t> expertOf,
                        std::span<float> weightOf);
engine::Status runActivate(VulkanDevice& device, const ActivateCall& call, std::span<float> out,
                           std::span<uint32_t> counts);
engine::Status runWeightedSum(VulkanDevice& device, const WeightedSumCall& call, std::span<float> out);

} // namespace coterie::gpu
