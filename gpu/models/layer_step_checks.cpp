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

Status checkNorm(VulkanDevice& device, std::string_view shader, const NormSample& sample, bool shuffles,
                 bool prepares) {
    std::vector<float> written(sample.x.size()), sums(written), expected(written), expectedSums(written);
    std::vector<float> logits(sample.logits()), expectedLogits(logits);
    std::vector<uint32_t> prepared(prepares ? sample.preparedWords() : 0), expectedPrepared(prepared);
    norm(sample.call(), expected, expectedSums, expectedPrepared, expectedLogits);
    if (Status done = runNorm(device, sample.call(), shuffles, written, sums, prepared, logits); !done) return done;
    if (Status same = sameBits(shader, sums, expectedSums); !same) return same;
    if (Status same = sameBits(shader, logits, expectedLogits); !same) return same;
    return prepares ? sameValues(shader, prepared, expectedPrepared) : sameBits(shader, written, expected);
}

template <bool shuffles>
Status checkNorm(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    for (const RowWeights kind : {RowWeights::Ones, RowWeights::Given, RowWeights::Sigmoids}) {
        const NormSample sample(kTokens, 1120, 2, kind, kSeed);
        if (Status same = checkNorm(device, "norm", sample, shuffles, true); !same) return same;
        if (Status same = checkNorm(device, "norm", sample, shuffles, false); !same) return same;
    }
    return {};
}

template <TensorType type, bool shuffles>
Status checkNormRouter(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    for (const bool normed : {false, true}) {
        NormSample sample(kTokens, 1120, 2, RowWeights::Given, kSeed);
        sample.addRouter(type, 11, normed, kSeed);
        if (Status same = checkNorm(device, "norm_router", sample, shuffles, !normed); !same) return same;
    }
    return {};
}

/// One norm: the others are norm.comp's too.
template <TensorType type, bool shuffles>
Status checkHeads(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    HeadsCall shape{.type = type,
                    .kind = engine::RopeKind::Neox,
                    .norm = engine::HeadNorm::WholeProjection,
                    .rows = {},
                    .cosSin = {},
                    .step = {4},
                    .push = {}};
    shape.push.heads = 4;
    shape.push.kvHeads = 2;
    shape.push.headDim = 96;
    shape.push.dimensions = 64;
    shape.push.capacity = 5;
    const HeadsSample sample(kTokens, shape, kSeed);
    std::vector<float> queries(sample.queries()), expected(queries);
    std::vector<uint16_t> written(sample.cacheWords()), expectedCache(written);
    std::memset(expectedCache.data(), kUnwritten, expectedCache.size() * sizeof(uint16_t));
    finishHeads(sample.call(), expected, expectedCache);
    if (Status done = runHeads(device, sample.call(), shuffles, queries, written); !done) return done;
    if (Status same = sameBits("heads", queries, expected); !same) return same;
    return sameValues("heads", written, expectedCache);
}

AttentionSample attentionSample(TensorType type, uint32_t tokens) {
    AttentionPush shape{};
    shape.heads = 4;
    shape.group = 2;
    shape.headDim = 96;
    shape.window = 100;
    shape.capacity = 110;
    shape.sinksOffset = 1;
    return {type, tokens, {150}, shape, true, kSeed};
}

template <TensorType type, bool shuffles>
Status checkAttention(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    const AttentionSample sample = attentionSample(type, kTokens);
    std::vector<float> written(sample.queries.size()), expected(written);
    attend(sample.call(), expected);
    if (Status done = runAttention(device, sample.call(), shuffles, written); !done) return done;
    return sameBits("attention", written, expected);
}

template <TensorType type, bool shuffles>
Status checkAttentionBlocks(VulkanDevice& device) {
    if (!applies(device, shuffles)) return {};
    const AttentionSample sample = attentionSample(type, 1);
    std::vector<float> written(sample.partials()), expected(written);
    std::memset(expected.data(), kUnwritten, expected.size() * sizeof(float));
    attendBlocks(sample.call(), expected);
    if (Status done = runAttentionBlocks(device, sample.call(), shuffles, written); !done) return done;
    return sameBits("attention_blocks", written, expected);
}

Status checkAttentionSum(VulkanDevice& device) {
    const AttentionSample sample = attentionSample(TensorType::F16, 1);
    std::vector<float> partials(sample.partials()), written(sample.queries.size()), expected(written);
    attendBlocks(sample.call(), partials);
    const AttentionSumCall call = sample.sumCall(partials);
    std::vector<uint32_t> prepared(call.push.preparedStride), expectedPrepared(prepared);
    sumBlocks(call, expected, expectedPrepared);
    if (Status done = runAttentionSum(device, call, written, prepared); !done) return done;
    if (Status same = sameBits("attention_sum", written, expected); !same) return same;
    return sameValues("attention_sum", prepared, expectedPrepared);
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
                          .logitBias = {},
                          .push = {.groups = 8, .groupsUsed = 3, .biasOffset = 2}};
    RouteSample sample(kTokens, shape, true, kSeed);
    sample.logitBias = Samples(kSeed).units(shape.experts);
    std::vector<uint32_t> written(sample.choices()), expected(written);
    std::vector<float> weights(sample.choices()), expectedWeights(weights);
    route(sample.call(), expected, expectedWeights);
    if (Status done = runRoute(device, sample.call(), shuffles, written, weights); !done) return done;
    if (Status same = sameValues("route", written, expected); !same) return same;
    return sameBits("route", weights, expectedWeights);
}

Status checkGroupCounts(VulkanDevice& device) {
    const std::vector<uint32_t> counts{9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 10, 9, 11, 12, 13, 9}; // the nines lie between
    const GroupCountsCall call{
        counts,
        2,
        {.rows = 2, .groups = 3, .rowStride = 4, .layerStride = 8, .countsOffset = 1, .outOffset = 1, .outStride = 3}};
    std::vector<uint32_t> written(6), expected(6, 0xcdcdcdcd);
    sumGroupCounts(call, expected);
    if (Status done = runGroupCounts(device, call, written); !done) return done;
    return sameValues("group_counts", written, expected);
}

Status checkActivate(VulkanDevice& device) {
    for (const auto kind : {engine::Activation::SwiGlu, engine::Activation::ReGlu, engine::Activation::ClampedSwiGlu}) {
        ActivateSample sample(kind, kTokens, 192, kSeed);
        sample.join();
        std::vector<float> written(sample.gates.size()), expected(written);
        std::vector<uint32_t> counts(sample.rows()), expectedCounts(counts);
        std::vector<uint32_t> prepared(sample.rows() * sample.preparedStride), expectedPrepared(prepared);
        activate(sample.call(), expected, expectedCounts, expectedPrepared);
        if (Status done = runActivate(device, sample.call(), written, counts, prepared); !done) return done;
        if (Status same = sameBits("activate", written, expected); !same) return same;
        if (Status same = sameValues("activate", counts, expectedCounts); !same) return same;
        if (Status same = sameValues("activate", prepared, expectedPrepared); !same) return same;
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

constexpr ShaderCheck kChecks[] = {
    {"norm", checkNorm<false>},
    {"norm_shuffle", checkNorm<true>},
    {"norm_router_f32", checkNormRouter<TensorType::F32, false>},
    {"norm_router_f32_shuffle", checkNormRouter<TensorType::F32, true>},
    {"norm_router_f16", checkNormRouter<TensorType::F16, false>},
    {"norm_router_f16_shuffle", checkNormRouter<TensorType::F16, true>},
    {"norm_router_bf16", checkNormRouter<TensorType::BF16, false>},
    {"norm_router_bf16_shuffle", checkNormRouter<TensorType::BF16, true>},
    {"heads_f16", checkHeads<TensorType::F16, false>},
    {"heads_f16_shuffle", checkHeads<TensorType::F16, true>},
    {"heads_q8_0", checkHeads<TensorType::Q8_0, false>},
    {"heads_q8_0_shuffle", checkHeads<TensorType::Q8_0, true>},
    {"attention_f16", checkAttention<TensorType::F16, false>},
    {"attention_f16_shuffle", checkAttention<TensorType::F16, true>},
    {"attention_q8_0", checkAttention<TensorType::Q8_0, false>},
    {"attention_q8_0_shuffle", checkAttention<TensorType::Q8_0, true>},
    {"attention_blocks_f16", checkAttentionBlocks<TensorType::F16, false>},
    {"attention_blocks_f16_shuffle", checkAttentionBlocks<TensorType::F16, true>},
    {"attention_blocks_q8_0", checkAttentionBlocks<TensorType::Q8_0, false>},
    {"attention_blocks_q8_0_shuffle", checkAttentionBlocks<TensorType::Q8_0, true>},
    {"attention_sum", checkAttentionSum},
    {"route", checkRoute<false>},
    {"route_shuffle", checkRoute<true>},
    {"activate", checkActivate},
    {"group_counts", checkGroupCounts},
    {"weighted_sum", checkWeightedSum},
};

} // namespace

std::span<const ShaderCheck> layerStepChecks() { return kChecks; }

} // namespace coterie::gpu
