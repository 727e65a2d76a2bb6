// SPDX-License-Identifier: Apache-2.0
// The self-test's checks of the shaders between a layer's products: each variant once, on a small call.
#include "layer_step_runs.h"
#include "layer_step_samples.h"
#include "same_bits.h"
#include "self_test.h"
#include "vulkan_device.h"

#include <array>
#include <cstring>

namespace coterie::gpu {
namespace {

using engine::Status;
using engine::TensorType;

constexpr int kUnwritten = 0xCD; ///< the bytes of an output before a shader runs
constexpr uint32_t kSeed = 2;
constexpr uint32_t kTokens = 3;

template <typename T>
Status sameValues(std::string_view shader, const std::vector<T>& written, const std::vector<T>& expected) {
    return sameBytes(shader, std::as_bytes(std::span(written)), std::as_bytes(std::span(expected)));
}

/// Whether the device has what the variant needs. A check succeeds otherwise: the shader is not used there.
bool applies(const VulkanDevice& device, bool shuffles) { return !shuffles || device.abilities().shuffles; }

template <bool shuffles>
Status checkNorm(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    const NormSample sample(kTokens, 300, true, kSeed);
    std::vector<float> written(sample.x.size()), sums(written), expected(written), expectedSums(written);
    norm(sample.call(), expected, expectedSums);
    if (Status done = runNorm(device, sample.call(), shuffles, written, sums); !done) return done;
    if (Status same = sameBits("norm", written, expected); !same) return same;
    return sameBits("norm", sums, expectedSums);
}

Status checkRope(VulkanDevice& device) {
    const RopeSample sample(engine::RopeKind::Neox, kTokens, {.heads = 2, .headDim = 80, .dimensions = 64}, kSeed);
    std::vector<float> written(sample.heads.size()), expected(written);
    rope(sample.call(), expected);
    if (Status done = runRope(device, sample.call(), written); !done) return done;
    return sameBits("rope", written, expected);
}

template <TensorType type>
Status checkKeepRows(VulkanDevice& device) {
    const KeepSample sample(type, kTokens, {.heads = 2, .headDim = 96, .position = 3, .capacity = 5, .offset = 4},
                            kSeed);
    std::vector<uint16_t> written(sample.cacheWords()), expected(written);
    std::memset(expected.data(), kUnwritten, expected.size() * sizeof(uint16_t));
    keepRows(sample.call(), expected);
    if (Status done = runKeepRows(device, sample.call(), written); !done) return done;
    return sameValues("keep_rows", written, expected);
}

template <TensorType type, bool shuffles>
Status checkAttention(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    AttentionPush shape{};
    shape.heads = 4;
    shape.group = 2;
    shape.headDim = 96;
    shape.position = 150;
    shape.window = 100;
    shape.capacity = 110;
    shape.sinksOffset = 1;
    const AttentionSample sample(type, kTokens, shape, true, kSeed);
    std::vector<float> written(sample.queries.size()), expected(written);
    attend(sample.call(), expected);
    if (Status done = runAttention(device, sample.call(), shuffles, written); !done) return done;
    return sameBits("attention", written, expected);
}

template <bool shuffles>
Status checkRoute(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    const RouteCall shape{.experts = 160,
                          .chosen = 6,
                          .gating = engine::Gating::Softmax,
                          .normalised = false,
                          .logits = {},
                          .bias = {},
                          .push = {.groups = 8, .groupsUsed = 3, .biasOffset = 2}};
    const RouteSample sample(kTokens, shape, true, kSeed);
    std::vector<uint32_t> written(sample.choices()), expected(written);
    std::vector<float> weights(sample.choices()), expectedWeights(weights);
    route(sample.call(), expected, expectedWeights);
    if (Status done = runRoute(device, sample.call(), shuffles, written, weights); !done) return done;
    if (Status same = sameValues("route", written, expected); !same) return same;
    return sameBits("route", weights, expectedWeights);
}

Status checkActivate(VulkanDevice& device) {
    for (const auto kind : {engine::Activation::SwiGlu, engine::Activation::ReGlu, engine::Activation::ClampedSwiGlu}) {
        const ActivateSample sample(kind, kTokens, 200, kSeed);
        std::vector<float> written(sample.gates.size()), expected(written);
        std::vector<uint32_t> counts(sample.rows()), expectedCounts(counts);
        activate(sample.call(), expected, expectedCounts);
        if (Status done = runActivate(device, sample.call(), written, counts); !done) return done;
        if (Status same = sameBits("activate", written, expected); !same) return same;
        if (Status same = sameValues("activate", counts, expectedCounts); !same) return same;
    }
    return {};
}

Status checkWeightedSum(VulkanDevice& device) {
    for (const RowWeights kind : {RowWeights::Ones, RowWeights::Given, RowWeights::Sigmoids}) {
        const WeightedSumSample sample(kind, kTokens, 4, 100, kSeed);
        std::vector<float> written(sample.x.size()), expected(written);
        weightedSum(sample.call(), expected);
        if (Status done = runWeightedSum(device, sample.call(), written); !done) return done;
        if (Status same = sameBits("weighted_sum", written, expected); !same) return same;
    }
    return {};
}

constexpr std::array<ShaderCheck, 13> kChecks{{
    {"norm", checkNorm<false>},
    {"norm_shuffle", checkNorm<true>},
    {"rope", checkRope},
    {"keep_rows_f16", checkKeepRows<TensorType::F16>},
    {"keep_rows_q8_0", checkKeepRows<TensorType::Q8_0>},
    {"attention_f16", checkAttention<TensorType::F16, false>},
    {"attention_f16_shuffle", checkAttention<TensorType::F16, true>},
    {"attention_q8_0", checkAttention<TensorType::Q8_0, false>},
    {"attention_q8_0_shuffle", checkAttention<TensorType::Q8_0, true>},
    {"route", checkRoute<false>},
    {"route_shuffle", checkRoute<true>},
    {"activate", checkActivate},
    {"weighted_sum", checkWeightedSum},
}};

} // namespace

std::span<const ShaderCheck> layerStepChecks() { return kChecks; }

} // namespace coterie::gpu
