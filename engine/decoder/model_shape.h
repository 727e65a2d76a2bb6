// SPDX-License-Identifier: Apache-2.0
// What a model is, read from its metadata by the architecture table and checked against its tensors. Numbers only, no weights.
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"
#include "kernels/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::engine {

using TokenId = int32_t;

enum class Activation { SwiGlu, ReGlu };
enum class RouterInput { LayerInput, NormedAttentionOutput };  ///< SmallThinker routes before attention
enum class Gating { Softmax, Sigmoid };

/// One model family: what sets it apart. Sources: FACTS on families in each entry of architectures.cpp.
struct Architecture {
    const char* name; ///< general.architecture
    RopeKind rope;
    Activation activation;
    RouterInput routerInput;
    Gating gating;        ///< where the file doesn't say
    bool normaliseWeights;///< top-k weights divided by their sum
};

struct LayerShape {
    bool rope = true;
    int64_t window = 0; ///< 0 sees everything; else position difference < window
};

struct ModelShape {
    const Architecture* architecture = nullptr;
    std::string name;             ///< general.name, or empty
    int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDim = 0;
    int64_t feedForward = 0;      ///< of a dense layer, or of one expert
    int64_t experts = 0, expertsPerToken = 0; ///< 0 in a dense model
    int64_t vocabulary = 0, trainedContext = 0;
    Gating gating = Gating::Softmax;
    bool transposedDown = false;  ///< PowerInfer flavour: expert down matrices stored by neuron
    bool tiedHead = false;        ///< no output.weight: the embedding is the head
    int64_t headPredictorRank = 0;///< 0: no lm_head_profiler.weight
    float ropeTheta = 0, normEpsilon = 0;
    int64_t ropeDimensions = 0;
    std::vector<float> ropeFactors;    ///< [ropeDimensions / 2] divisors of the frequencies, or empty
    std::vector<LayerShape> layer;     ///< [layers]
    std::vector<std::string> notes;    ///< what was assumed where the file is silent, as sentences for `info`
};

/// Unsupported names the architecture and what is missing; BadInput names the key or tensor that is wrong.
Result<ModelShape> readModelShape(const gguf::Header& header);

} // namespace coterie::engine
