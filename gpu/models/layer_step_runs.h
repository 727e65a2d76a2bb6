// SPDX-License-Identifier: Apache-2.0
// Runs the shaders between a layer's products over the data of a model's call: see layer_steps.h. shuffles: subgroup
// shuffles are used if the device has them. prepared: empty, or the shader writes it.
#pragma once

#include "base/result.h"
#include "layer_steps.h"
#include "shader_names.h"

namespace coterie::gpu {

class VulkanDevice;

engine::Status runNorm(VulkanDevice& device, const NormCall& call, bool shuffles, std::span<float> out,
                       std::span<float> sums, std::span<uint32_t> prepared = {}, std::span<float> logits = {});
/// cache: a whole number of 32-bit words.
engine::Status runHeads(VulkanDevice& device, const HeadsCall& call, bool shuffles, std::span<float> queries,
                        std::span<uint16_t> cache);
engine::Status runAttention(VulkanDevice& device, const AttentionCall& call, bool shuffles, std::span<float> out);
engine::Status runAttentionBlocks(VulkanDevice& device, const AttentionCall& call, bool shuffles,
                                  std::span<float> partials);
engine::Status runAttentionSum(VulkanDevice& device, const AttentionSumCall& call, std::span<float> out,
                               std::span<uint32_t> prepared = {});
engine::Status runRoute(VulkanDevice& device, const RouteCall& call, bool shuffles, std::span<uint32_t> expertOf,
                        std::span<float> weightOf);
engine::Status runActivate(VulkanDevice& device, const ActivateCall& call, std::span<float> out,
                           std::span<uint32_t> counts, std::span<uint32_t> prepared = {});
/// Counts are written if `upsRead` is not empty: the ups of shut neurons are not read then.
engine::Status runNeurons(VulkanDevice& device, const NeuronsCall& call, const ProductTuning& tuning,
                          std::span<float> out, std::span<uint32_t> prepared, std::span<uint32_t> upsRead);
engine::Status runGroupCounts(VulkanDevice& device, const GroupCountsCall& call, std::span<uint32_t> out);
engine::Status runWeightedSum(VulkanDevice& device, const WeightedSumCall& call, std::span<float> out);

} // namespace coterie::gpu
