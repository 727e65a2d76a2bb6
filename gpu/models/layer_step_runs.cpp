// SPDX-License-Identifier: Apache-2.0
#include "layer_step_runs.h"

#include "call_bindings.h"
#include "shader_names.h"
#include "vulkan_device.h"

#include <string>

namespace coterie::gpu {
namespace {

constexpr uint32_t kLanes = 64; ///< lanes of a workgroup, and values of a head or a row that it computes

uint32_t countOf(std::span<const float> values, uint32_t each) { return static_cast<uint32_t>(values.size()) / each; }

} // namespace

engine::Status runNorm(VulkanDevice& device, const NormCall& call, bool shuffles, std::span<float> out,
                       std::span<float> sums) {
    const std::string shader = shuffleName("norm", shuffles, device.abilities());
    return runShader(device, {.shader = shader,
                              .bindings = {inputOf(call.x), inputOf(call.added), inputOf(call.weight), outputOf(out),
                                           outputOf(sums)},
                              .specialisation = {!call.added.empty()},
                              .push = bytesOf(call.push),
                              .groups = {countOf(call.x, call.push.width), 1, 1}});
}

engine::Status runRope(VulkanDevice& device, const RopeCall& call, std::span<float> out) {
    const uint32_t headDim = call.push.headDim;
    return runShader(device, {.shader = "rope",
                              .bindings = {inputOf(call.heads), inputOf(call.cosSin), outputOf(out)},
                              .specialisation = {call.kind == engine::RopeKind::Neox},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(headDim, kLanes), countOf(call.heads, headDim), 1}});
}

engine::Status runKeepRows(VulkanDevice& device, const KeepCall& call, std::span<uint16_t> cache) {
    const std::string shader = shaderName("keep_rows", call.type);
    const auto words = static_cast<uint32_t>(engine::rowBytes(call.type, call.push.headDim) / sizeof(uint16_t));
    return runShader(device, {.shader = shader,
                              .bindings = {inputOf(call.rows), outputOf(cache)},
                              .specialisation = {},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(words, kLanes), countOf(call.rows, call.push.headDim), 1}});
}

engine::Status runAttention(VulkanDevice& device, const AttentionCall& call, bool shuffles, std::span<float> out) {
    const AttentionPush& push = call.push;
    const std::string shader = shuffleName(shaderName("attention", call.type), shuffles, device.abilities());
    return runShader(device,
                     {.shader = shader,
                      .bindings = {inputOf(call.queries), inputOf(call.cache), inputOf(call.sinks), outputOf(out)},
                      .specialisation = {groupsFor(push.headDim, kLanes), !call.sinks.empty()},
                      .push = bytesOf(push),
                      .groups = {push.heads, countOf(call.queries, push.heads * push.headDim), 1}});
}

engine::Status runRoute(VulkanDevice& device, const RouteCall& call, bool shuffles, std::span<uint32_t> expertOf,
                        std::span<float> weightOf) {
    const std::string shader = shuffleName("route", shuffles, device.abilities());
    return runShader(device,
                     {.shader = shader,
                      .bindings = {inputOf(call.logits), inputOf(call.bias), outputOf(expertOf), outputOf(weightOf)},
                      .specialisation = {call.experts, call.chosen, call.gating == engine::Gating::Sigmoid,
                                         call.normalised, !call.bias.empty()},
                      .push = bytesOf(call.push),
                      .groups = {countOf(call.logits, call.experts), 1, 1}});
}

engine::Status runActivate(VulkanDevice& device, const ActivateCall& call, std::span<float> out,
                           std::span<uint32_t> counts) {
    return runShader(device, {.shader = "activate",
                              .bindings = {inputOf(call.gates), inputOf(call.ups), outputOf(out), outputOf(counts)},
                              .specialisation = {static_cast<uint32_t>(call.kind)},
                              .push = bytesOf(call.push),
                              .groups = {countOf(call.gates, call.push.neurons), 1, 1}});
}

engine::Status runWeightedSum(VulkanDevice& device, const WeightedSumCall& call, std::span<float> out) {
    const uint32_t width = call.push.width;
    return runShader(device, {.shader = "weighted_sum",
                              .bindings = {inputOf(call.x), inputOf(call.rows), inputOf(call.weights), outputOf(out)},
                              .specialisation = {static_cast<uint32_t>(call.kind)},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(width, kLanes), countOf(call.x, width), 1}});
}

} // namespace coterie::gpu
