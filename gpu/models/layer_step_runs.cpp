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

template <typename T>
std::span<const T> one(const T& value) {
    return {&value, 1};
}

} // namespace

engine::Status runNorm(VulkanDevice& device, const NormCall& call, bool shuffles, std::span<float> out,
                       std::span<float> sums, std::span<uint32_t> prepared, std::span<float> logits) {
    const bool routes = !call.router.bytes.empty();
    const std::string plain = routes ? shaderName("norm_router", call.router.type) : "norm";
    const std::string shader = shuffleName(plain, shuffles, device.abilities());
    ShaderCall run{.shader = shader,
                   .bindings = {inputOf(call.x), inputOf(call.rows), inputOf(call.rowWeights), inputOf(call.weight),
                                prepared.empty() ? outputOf(out) : outputOf(prepared), outputOf(sums)},
                   .specialisation = {!call.rows.empty(), static_cast<uint32_t>(call.kind), !prepared.empty()},
                   .push = bytesOf(call.push),
                   .groups = {countOf(call.x, call.push.width), 1, 1}};
    if (routes) {
        run.bindings.insert(run.bindings.end(), {inputOf(call.router.bytes), outputOf(logits)});
        run.specialisation.push_back(call.routesNormed);
        run.groups[1] += groupsFor(call.push.routerRows, kRouterGroup);
    }
    return runShader(device, run);
}

engine::Status runHeads(VulkanDevice& device, const HeadsCall& call, bool shuffles, std::span<float> queries,
                        std::span<uint16_t> cache) {
    const HeadsPush& push = call.push;
    const std::string shader = shuffleName(shaderName("heads", call.type), shuffles, device.abilities());
    const auto norm = [&](std::span<const float> weight) {
        return weight.empty() ? 0 : static_cast<uint32_t>(call.norm);
    };
    return runShader(device,
                     {.shader = shader,
                      .bindings = {inputOf(call.rows), inputOf(call.cosSin), inputOf(call.queryNorm),
                                   inputOf(call.keyNorm), inputOf(one(call.step)), outputOf(queries), outputOf(cache)},
                      .specialisation = {norm(call.queryNorm), norm(call.keyNorm), call.rotates,
                                         call.kind == engine::RopeKind::Neox},
                      .push = bytesOf(push),
                      .groups = {push.heads + 2 * push.kvHeads, countOf(call.rows, push.rowStride), 1}});
}

engine::Status runAttention(VulkanDevice& device, const AttentionCall& call, bool shuffles, std::span<float> out) {
    const AttentionPush& push = call.push;
    const std::string shader = shuffleName(shaderName("attention", call.type), shuffles, device.abilities());
    return runShader(device, {.shader = shader,
                              .bindings = {inputOf(call.queries), inputOf(call.cache), inputOf(call.sinks),
                                           inputOf(one(call.step)), outputOf(out)},
                              .specialisation = {groupsFor(push.headDim, kLanes), !call.sinks.empty()},
                              .push = bytesOf(push),
                              .groups = {push.heads, countOf(call.queries, push.heads * push.headDim), 1}});
}

engine::Status runAttentionBlocks(VulkanDevice& device, const AttentionCall& call, bool shuffles,
                                  std::span<float> partials) {
    const AttentionPush& push = call.push;
    const std::string shader = shuffleName(shaderName("attention_blocks", call.type), shuffles, device.abilities());
    return runShader(
        device, {.shader = shader,
                 .bindings = {inputOf(call.queries), inputOf(call.cache), inputOf(one(call.step)), outputOf(partials)},
                 .specialisation = {groupsFor(push.headDim, kLanes)},
                 .push = bytesOf(push),
                 .groups = {push.heads, push.mostBlocks, 1}});
}

engine::Status runAttentionSum(VulkanDevice& device, const AttentionSumCall& call, std::span<float> out,
                               std::span<uint32_t> prepared) {
    const AttentionSumPush& push = call.push;
    return runShader(device,
                     {.shader = "attention_sum",
                      .bindings = {inputOf(call.partials), inputOf(call.sinks), inputOf(one(call.step)), outputOf(out),
                                   outputOf(prepared)},
                      .specialisation = {groupsFor(push.headDim, kLanes), !call.sinks.empty(), !prepared.empty()},
                      .push = bytesOf(push),
                      .groups = {push.heads, 1, 1}});
}

engine::Status runRoute(VulkanDevice& device, const RouteCall& call, bool shuffles, std::span<uint32_t> expertOf,
                        std::span<float> weightOf) {
    const std::string shader = shuffleName("route", shuffles, device.abilities());
    return runShader(device, {.shader = shader,
                              .bindings = {inputOf(call.logits), inputOf(call.bias), inputOf(call.logitBias),
                                           outputOf(expertOf), outputOf(weightOf)},
                              .specialisation = {call.experts, call.chosen, call.gating == engine::Gating::Sigmoid,
                                                 call.normalised, !call.bias.empty(), !call.logitBias.empty()},
                              .push = bytesOf(call.push),
                              .groups = {countOf(call.logits, call.experts), 1, 1}});
}

engine::Status runActivate(VulkanDevice& device, const ActivateCall& call, std::span<float> out,
                           std::span<uint32_t> counts, std::span<uint32_t> prepared) {
    return runShader(device, {.shader = "activate",
                              .bindings = {inputOf(call.gates), inputOf(call.ups), outputOf(out), outputOf(counts),
                                           outputOf(prepared)},
                              .specialisation = {static_cast<uint32_t>(call.kind), !prepared.empty()},
                              .push = bytesOf(call.push),
                              .groups = {countOf(out, call.push.neurons), 1, 1}});
}

engine::Status runNeurons(VulkanDevice& device, const NeuronsCall& call, const ProductTuning& tuning,
                          std::span<float> out, std::span<uint32_t> prepared, std::span<uint32_t> upsRead) {
    const std::string shader = neuronsName(call.weights.type, tuning, device.abilities());
    return runShader(device,
                     {.shader = shader,
                      .bindings = {inputOf(call.weights.bytes), inputOf(call.inputs), inputOf(call.weights.expertOf),
                                   inputOf(call.weights.placeOf), inputOf(call.bias),
                                   prepared.empty() ? outputOf(out) : outputOf(prepared), outputOf(upsRead)},
                      .specialisation = {tuning.lanes, tuning.rows, !call.weights.expertOf.empty(), !call.bias.empty(),
                                         static_cast<uint32_t>(call.kind), !upsRead.empty(), !prepared.empty()},
                      .push = bytesOf(call.push),
                      .groups = {groupsFor(call.push.neurons, kNeuronGroup), call.vectors, 1}});
}

engine::Status runGroupCounts(VulkanDevice& device, const GroupCountsCall& call, std::span<uint32_t> out) {
    return runShader(device, {.shader = "group_counts",
                              .bindings = {inputOf(call.counts), outputOf(out)},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(call.push.rows, kLanes), call.layers, 1}});
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
