// SPDX-License-Identifier: Apache-2.0
// Data on which the shaders between a layer's products are compared with their models. Each sample owns the arrays to
// which its call() has spans. For the self-test and tests.
#pragma once

#include "layer_steps.h"
#include "samples.h"

#include <vector>

namespace coterie::gpu {

struct NormSample {
    RowWeights kind;
    NormPush push;
    std::vector<float> x, rows, rowWeights, weight;
    engine::TensorType routerType = engine::TensorType::F32;
    std::vector<std::byte> router; ///< empty: there is none
    bool routesNormed = false;

    /// rowsOfVector: these are added first.
    NormSample(uint32_t vectors, uint32_t width, uint32_t rowsOfVector, RowWeights kindOfWeights, uint32_t seed);
    /// Adds a router.
    void addRouter(engine::TensorType format, uint32_t rowsOfRouter, bool readsNormed, uint32_t seed);
    NormCall call() const { return {x, kind, rows, rowWeights, weight, push, {routerType, router}, routesNormed}; }
    size_t logits() const { return x.size() / push.width * push.routerRows; }
    size_t preparedWords() const { return x.size() / push.width * push.preparedStride; }
};

struct HeadsSample {
    HeadsCall shape; ///< without arrays; offsets, stride and what norms need are set here
    std::vector<float> rows, cosSin, queryNorm, keyNorm;

    /// The norms have weights if `kind` names a norm; a test may clear one's.
    HeadsSample(uint32_t tokens, const HeadsCall& kind, uint32_t seed);
    HeadsCall call() const;
    size_t queries() const { return rows.size() / shape.push.rowStride * shape.push.heads * shape.push.headDim; }
    /// 16-bit words of a layer's keys and values, rounded up to a whole 32 bits.
    size_t cacheWords() const;
};

struct AttentionSample {
    engine::TensorType type;
    Step step;
    AttentionPush push; ///< its offsets, scale and blocks are set here
    std::vector<float> queries, sinks;
    std::vector<std::byte> cache; ///< keys, then values

    /// step: of the first token.
    AttentionSample(engine::TensorType format, uint32_t tokens, Step first, const AttentionPush& shape, bool hasSinks,
                    uint32_t seed);
    AttentionCall call() const { return {type, queries, cache, sinks, step, push}; }
    /// The sum of the blocks of one token.
    AttentionSumCall sumCall(std::span<const float> partials) const;
    size_t partials() const { return size_t{push.heads} * push.mostBlocks * (push.headDim + 2); }
};

struct RouteSample {
    RouteCall shape; ///< without arrays
    std::vector<float> logits, bias, logitBias;

    RouteSample(uint32_t tokens, const RouteCall& kind, bool hasBias, uint32_t seed);
    RouteCall call() const;
    size_t choices() const { return logits.size() / shape.experts * shape.chosen; }
};

struct ActivateSample {
    engine::Activation kind;
    uint32_t neurons, preparedStride;
    std::vector<float> gates, ups;
    std::vector<float> joined; ///< each row's gates and ups one after the other, once join() was called

    ActivateSample(engine::Activation formula, uint32_t rows, uint32_t neuronsOfRow, uint32_t seed);
    void join();
    ActivateCall call() const;
    size_t rows() const { return gates.size() / neurons; }
};

/// Matrices of gates and ups, and inputs of a format.
struct NeuronsSample {
    ProductSample product;
    engine::Activation kind;
    bool prepares;           ///< the neurons are bytes
    std::vector<float> bias; ///< empty: there is none

    /// vectors of one matrix; neuronsOfVector is a multiple of 32 if they are bytes.
    NeuronsSample(engine::TensorType format, engine::Activation formula, bool asBytes, uint32_t neuronsOfVector,
                  uint32_t columns, uint32_t vectors, uint32_t seed);
    NeuronsCall call() const;
    uint32_t neurons() const { return product.rows / 2; }
    uint32_t outStride() const;
    size_t floats() const { return prepares ? 0 : size_t{product.vectors} * outStride(); }
    size_t words() const { return prepares ? size_t{product.vectors} * outStride() : 0; }
    /// With the formula ReGlu; 0 with others.
    size_t counts() const;
};

struct WeightedSumSample {
    RowWeights kind;
    WeightedSumPush push;
    std::vector<float> x, rows, weights;

    WeightedSumSample(RowWeights kindOfWeights, uint32_t tokens, uint32_t rowsOfToken, uint32_t width, uint32_t seed);
    WeightedSumCall call() const { return {kind, x, rows, weights, push}; }
};

} // namespace coterie::gpu
