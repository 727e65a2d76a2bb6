// SPDX-License-Identifier: Apache-2.0
#include "product_runs.h"

#include "call_bindings.h"
#include "vulkan_device.h"

namespace coterie::gpu {
namespace {

constexpr uint32_t kLanes = 64; ///< lanes of a workgroup, in shaders whose lanes work alone
constexpr uint32_t kTeam = 32;  ///< lanes that share a row of a product

} // namespace

engine::Status runPrepare(VulkanDevice& device, const PrepareCall& call, std::span<uint32_t> out) {
    return runShader(device, {.shader = "prepare_bytes",
                              .bindings = {inputOf(call.x), outputOf(out)},
                              .specialisation = {kLanes},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(call.push.outStride, kLanes), call.push.vectors, 1}});
}

engine::Status runProduct(VulkanDevice& device, const ProductCall& call, const ProductTuning& tuning,
                          std::span<float> out) {
    const std::string shader = productName(call.weights.type, tuning, device.abilities());
    const uint32_t rowsOfGroup = tuning.lanes / kTeam * tuning.rows;
    const uint32_t groups = tuning.groups != 0 ? tuning.groups : groupsFor(call.push.rows, rowsOfGroup);
    return runShader(
        device, {.shader = shader,
                 .bindings = {inputOf(call.weights.bytes), inputOf(call.inputs), inputOf(call.weights.expertOf),
                              inputOf(call.weights.placeOf), inputOf(call.rowOf), inputOf(call.bias), outputOf(out)},
                 .specialisation = {tuning.lanes, tuning.rows, tuning.vectors, !call.weights.expertOf.empty(),
                                    !call.rowOf.empty(), !call.bias.empty()},
                 .push = bytesOf(call.push),
                 .groups = {groups, groupsFor(call.push.vectors, tuning.vectors), 1}});
}

engine::Status runExpand(VulkanDevice& device, const ExpandCall& call, std::span<float> out) {
    const std::string shader = shaderName("expand_row", call.weights.type);
    return runShader(device, {.shader = shader,
                              .bindings = {inputOf(call.weights.bytes), inputOf(call.rowOf), outputOf(out)},
                              .specialisation = {kLanes},
                              .push = bytesOf(call.push),
                              .groups = {groupsFor(call.push.columns, 32 * kLanes), call.push.vectors, 1}});
}

engine::Status runNeuronSum(VulkanDevice& device, const NeuronSumCall& call, std::span<float> out) {
    const std::string shader = shaderName("neuron_sum", call.weights.type);
    return runShader(device,
                     {.shader = shader,
                      .bindings = {inputOf(call.weights.bytes), inputOf(call.activations),
                                   inputOf(call.weights.expertOf), inputOf(call.weights.placeOf), outputOf(out)},
                      .specialisation = {kLanes, !call.weights.expertOf.empty()},
                      .push = bytesOf(call.push),
                      .groups = {groupsFor(call.push.columns, 4 * kLanes), call.push.vectors, 1}});
}

} // namespace coterie::gpu
