// SPDX-License-Identifier: Apache-2.0
// Scalar models of the shaders between a layer's products: norm, heads, attention, attention_blocks and attention_sum,
// route, neurons, group_counts, activate and weighted_sum. A shader must give the bits of its model; the models share
// no code with the shaders.
//
// Each model takes a call: the data and push constants with which the shader runs, and what its specialisation
// constants say. A shader that does the work of several has the models of those as its own. An output of prepared
// vectors is empty if the shader does not write them; prepareBytes() says what they hold.
#pragma once

#include "kernels/kernels.h"
#include "model/model_shape.h"
#include "products.h"
#include "shaders/interface.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::gpu {

enum class RowWeights { Ones, Given, Sigmoids };
struct WeightedSumCall {
    RowWeights kind = RowWeights::Ones;
    std::span<const float> x;            ///< [tokens, width]
    std::span<const float> rows;         ///< [tokens, rows, width]
    std::span<const float> weights = {}; ///< [tokens, rows], empty for Ones
    WeightedSumPush push;
};
void weightedSum(const WeightedSumCall& call, std::span<float> out);

struct NormCall {
    std::span<const float> x;               ///< [vectors, width]
    RowWeights kind = RowWeights::Ones;     ///< those of the rows
    std::span<const float> rows = {};       ///< [vectors, rows, width], or empty: nothing is added to x
    std::span<const float> rowWeights = {}; ///< [vectors, rows], empty for Ones
    std::span<const float> weight;
    NormPush push;
    Weights router = {};       ///< its format is a float format; without bytes: there is none
    bool routesNormed = false; ///< the router reads the normed vectors, not those before the norm
};
/// out, sums: [vectors, width]; sums is x with the rows, and empty if nothing is added. prepared: [vectors,
/// preparedStride]; if it is not empty, the shader leaves `out` as it is. logits: [vectors, routerRows], the products
/// of the router's rows; empty without a router.
void norm(const NormCall& call, std::span<float> out, std::span<float> sums, std::span<uint32_t> prepared = {},
          std::span<float> logits = {});

struct HeadsCall {
    engine::TensorType type = engine::TensorType::F16;   ///< the cache's, or Q8_0
    engine::RopeKind kind = engine::RopeKind::Norm;      ///< the rotation's
    bool rotates = true;                                 ///< whether queries and keys are rotated
    engine::HeadNorm norm = engine::HeadNorm::None;      ///< applies to projections that have weights for it
    std::span<const float> rows;                         ///< [tokens, rowStride]
    std::span<const float> cosSin;                       ///< [tokens, dimensions / 2, 2]
    std::span<const float> queryNorm = {}, keyNorm = {}; ///< weights; empty: no norm
    Step step;
    HeadsPush push;
};
/// queries: [tokens, heads, headDim].
void finishHeads(const HeadsCall& call, std::span<float> queries, std::span<uint16_t> cache);

struct AttentionCall {
    engine::TensorType type = engine::TensorType::F16; ///< the cache's, or Q8_0
    std::span<const float> queries;                    ///< [tokens, heads, headDim]
    std::span<const std::byte> cache;                  ///< a whole number of 16 bytes
    std::span<const float> sinks = {};                 ///< empty: there are none
    Step step;
    AttentionPush push;
};
void attend(const AttentionCall& call, std::span<float> out);
/// The blocks of one token's attention. partials: [heads, mostBlocks, headDim + 2], for each block its values, largest
/// score and sum of weights. Sinks are not used.
void attendBlocks(const AttentionCall& call, std::span<float> partials);

struct AttentionSumCall {
    std::span<const float> partials;
    std::span<const float> sinks = {}; ///< empty: there are none
    Step step;
    AttentionSumPush push;
};
/// out: [heads, headDim]. prepared: [preparedStride].
void sumBlocks(const AttentionSumCall& call, std::span<float> out, std::span<uint32_t> prepared = {});

struct RouteCall {
    uint32_t experts = 0, chosen = 0;
    engine::Gating gating = engine::Gating::Softmax;
    bool normalised = true;
    std::span<const float> logits;         ///< [tokens, experts]
    std::span<const float> bias = {};      ///< the selection bias, or empty
    std::span<const float> logitBias = {}; ///< [experts], added to the logits first, or empty
    RoutePush push;
};
/// expertOf, weightOf: [tokens, chosen].
void route(const RouteCall& call, std::span<uint32_t> expertOf, std::span<float> weightOf);

struct ActivateCall {
    engine::Activation kind = engine::Activation::SwiGlu;
    std::span<const float> gates, ups; ///< [rows, inputStride], ups behind upOffset; they may be the same buffer
    ActivatePush push;
};
/// out: [rows, neurons]. counts: [rows], the neurons of a row that let something through. prepared: [rows,
/// preparedStride].
void activate(const ActivateCall& call, std::span<float> out, std::span<uint32_t> counts,
              std::span<uint32_t> prepared = {});

struct NeuronsCall {
    Weights weights;                   ///< each matrix has the rows of gates, then those of ups
    std::span<const std::byte> inputs; ///< [vectors / vectorsPerInput, inputStride] words, prepared
    std::span<const float> bias = {};  ///< [experts, 2 neurons]; empty: nothing is added
    engine::Activation kind = engine::Activation::SwiGlu;
    uint32_t vectors = 1;
    NeuronsPush push;
};
/// The models of product and activate, one after the other. out, prepared: [vectors, outStride]; the shader writes one
/// of them, and the other one is empty. upsRead: [vectors, countsStride], the open neurons of each 32; empty: not
/// counted.
void neurons(const NeuronsCall& call, std::span<float> out, std::span<uint32_t> prepared, std::span<uint32_t> upsRead);

struct GroupCountsCall {
    std::span<const uint32_t> counts;
    uint32_t layers = 1;
    GroupCountsPush push;
};
void sumGroupCounts(const GroupCountsCall& call, std::span<uint32_t> out);

} // namespace coterie::gpu
