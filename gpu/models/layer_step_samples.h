// SPDX-License-Identifier: Apache-2.0
// Data on which the shaders between a layer's products are compared with their models. Each sample owns the arrays to
// which its call() has spans. For the self-test and tests.
#pragma once

#include "layer_steps.h"
#include "samples.h"

#include <vector>

namespace coterie::gpu {

struct NormSample {
    uint32_t width;
    std::vector<float> x, added, weight;

    /// adds: a second vector is added first.
    NormSample(uint32_t vectors, uint32_t widthOfEach, bool adds, uint32_t seed);
    NormCall call() const;
};

struct RopeSample {
    engine::RopeKind kind;
    RopePush push;
    std::vector<float> heads, cosSin;

    RopeSample(engine::RopeKind kindOfPairs, uint32_t tokens, const RopePush& shape, uint32_t seed);
    RopeCall call() const { return {kind, heads, cosSin, push}; }
};

struct KeepSample {
    engine::TensorType type;
    KeepPush push;
    std::vector<float> rows;

    KeepSample(engine::TensorType format, uint32_t tokens, const KeepPush& shape, uint32_t seed);
    KeepCall call() const { return {type, rows, push}; }
    /// 16-bit words of a layer's keys, rounded up to a whole 32 bits.
    size_t cacheWords() const;
};

struct AttentionSample {
    engine::TensorType type;
    AttentionPush push; ///< its offsets and scale are set here
    std::vector<float> queries, sinks;
    std::vector<std::byte> cache; ///< keys, then values

    AttentionSample(engine::TensorType format, uint32_t tokens, const AttentionPush& shape, bool hasSinks,
                    uint32_t seed);
    AttentionCall call() const { return {type, queries, cache, sinks, push}; }
};

struct RouteSample {
    RouteCall shape; ///< without arrays
    std::vector<float> logits, bias;

    RouteSample(uint32_t tokens, const RouteCall& kind, bool hasBias, uint32_t seed);
    RouteCall call() const;
    size_t choices() const { return logits.size() / shape.experts * shape.chosen; }
};

struct ActivateSample {
    engine::Activation kind;
    uint32_t neurons;
    std::vector<float> gates, ups;

    ActivateSample(engine::Activation formula, uint32_t rows, uint32_t neuronsOfRow, uint32_t seed);
    ActivateCall call() const { return {kind, gates, ups, {neurons}}; }
    size_t rows() const { return gates.size() / neurons; }
};

struct WeightedSumSample {
    RowWeights kind;
    WeightedSumPush push;
    std::vector<float> x, rows, weights;

    WeightedSumSample(RowWeights kindOfWeights, uint32_t tokens, uint32_t rowsOfToken, uint32_t width, uint32_t seed);
    WeightedSumCall call() const { return {kind, x, rows, weights, push}; }
};

} // namespace coterie::gpu
