// SPDX-License-Identifier: Apache-2.0
// Scalar models of the shaders between a layer's products: norm, rope, keep_rows, attention, route, activate and
// weighted_sum. A shader must give the bits of its model; the models share no code with the shaders.
//
// Each model takes a call: the data and push constants with which the shader runs, and what its specialisation
// constants say.
#pragma once

#include "kernels/kernels.h"
#include "model/model_shape.h"
#include "shaders/interface.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::gpu {

struct NormCall {
    std::span<const float> x;          ///< [vectors, width]
    std::span<const float> added = {}; ///< [vectors, width], or empty: nothing is added to x
    std::span<const float> weight;
    NormPush push;
};
/// out, sums: [vectors, width]; sums is x + added, and empty if nothing is added.
void norm(const NormCall& call, std::span<float> out, std::span<float> sums);

struct RopeCall {
    engine::RopeKind kind = engine::RopeKind::Norm;
    std::span<const float> heads;  ///< [tokens, heads, headDim]
    std::span<const float> cosSin; ///< [tokens, dimensions / 2, 2]
    RopePush push;
};
void rope(const RopeCall& call, std::span<float> out);

struct KeepCall {
    engine::TensorType type = engine::TensorType::F16; ///< or Q8_0
    std::span<const float> rows;                       ///< [tokens, heads, headDim]
    KeepPush push;
};
void keepRows(const KeepCall& call, std::span<uint16_t> cache);

struct AttentionCall {
    engine::TensorType type = engine::TensorType::F16; ///< the cache's, or Q8_0
    std::span<const float> queries;                    ///< [tokens, heads, headDim]
    std::span<const std::byte> cache;                  ///< a whole number of 16 bytes
    std::span<const float> sinks = {};                 ///< empty: there are none
    AttentionPush push;
};
void attend(const AttentionCall& call, std::span<float> out);

struct RouteCall {
    uint32_t experts = 0, chosen = 0;
    engine::Gating gating = engine::Gating::Softmax;
    bool normalised = true;
    std::span<const float> logits;    ///< [tokens, experts]
    std::span<const float> bias = {}; ///< the selection bias, or empty
    RoutePush push;
};
/// expertOf, weightOf: [tokens, chosen].
void route(const RouteCall& call, std::span<uint32_t> expertOf, std::span<float> weightOf);

struct ActivateCall {
    engine::Activation kind = engine::Activation::SwiGlu;
    std::span<const float> gates, ups; ///< [rows, neurons]
    ActivatePush push;
};
/// counts: [rows], the neurons of a row that let something through.
void activate(const ActivateCall& call, std::span<float> out, std::span<uint32_t> counts);

enum class RowWeights { Ones, Given, Sigmoids };
struct WeightedSumCall {
    RowWeights kind = RowWeights::Ones;
    std::span<const float> x;            ///< [tokens, width]
    std::span<const float> rows;         ///< [tokens, rows, width]
    std::span<const float> weights = {}; ///< [tokens, rows], empty for Ones
    WeightedSumPush push;
};
void weightedSum(const WeightedSumCall& call, std::span<float> out);

} // namespace coterie::gpu
