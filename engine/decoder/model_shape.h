// SPDX-License-Identifier: Apache-2.0
// What a model is, read from its metadata by the architecture table and checked against its tensors. Numbers only, no
// weights. Pure functions of the header; any thread.
//
//     Result<ModelShape> shape = readModelShape(file->header());
//     if (!shape) return shape.error();
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"
#include "kernels/kernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::engine {

using TokenId = int32_t;
struct ModelShape;

enum class Activation { SwiGlu, ReGlu };
enum class RouterInput { LayerInput, NormedAttentionOutput }; ///< SmallThinker routes before attention
enum class Gating { Softmax, Sigmoid };
enum class HeadNorm { None, EachHead, WholeProjection }; ///< RMS norm of q and k before RoPE

struct LayerShape {
    bool rope = true;
    int64_t window = 0; ///< 0 sees everything; else position difference < window
};

/// One model family: what sets it apart. Sources: each entry of architectures.cpp.
struct Architecture {
    const char* name; ///< general.architecture
    RopeKind rope = RopeKind::Norm;
    Activation activation = Activation::SwiGlu;
    HeadNorm headNorm = HeadNorm::None;
    bool experts = false; ///< feed-forward by experts; the four below matter only then
    RouterInput routerInput = RouterInput::NormedAttentionOutput;
    Gating gating = Gating::Softmax; ///< where the file doesn't say
    bool normaliseWeights = true;    ///< top-k weights divided by their sum
    bool transposedDown = false;     ///< a flavour with down matrices stored by neuron exists
    /// Which layers rotate and which have a window; nothing: all rotate, none has one.
    LayerShape (*layer)(const ModelShape& shape, int64_t index) = nullptr;
};

/// Every family that this build runs.
std::vector<const Architecture*> architectures();

struct ModelShape {
    const Architecture* architecture = nullptr;
    std::string name; ///< general.name, or empty
    int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDim = 0;
    int64_t feedForward = 0;                  ///< of a dense layer, or of one expert
    int64_t experts = 0, expertsPerToken = 0; ///< 0 in a dense model
    int64_t vocabulary = 0, trainedContext = 0;
    int64_t slidingWindow = 0; ///< 0 where no layer has one
    Gating gating = Gating::Softmax;
    bool transposedDown = false;   ///< PowerInfer flavour: expert down matrices stored by neuron
    bool tiedHead = false;         ///< no output.weight: the embedding is the head
    int64_t headPredictorRank = 0; ///< 0: no lm_head_profiler.weight
    float ropeTheta = 0, normEpsilon = 0;
    int64_t ropeDimensions = 0;
    std::vector<float> ropeFactors; ///< [ropeDimensions / 2] divisors of the frequencies from metadata, or empty;
                                    ///< rope_freqs.weight comes on top
    float ropeScale = 1;            ///< what YaRN multiplies cosines and sines by
    std::vector<LayerShape> layer;  ///< [layers]
    std::vector<std::string> notes; ///< what was assumed where the file is silent, as sentences for `info`

    int64_t queryWidth() const { return heads * headDim; }
    int64_t keyWidth() const { return kvHeads * headDim; }
};

/// Unsupported names the architecture, or the tensor and its format, and what is missing; BadInput names the key or
/// tensor that is wrong. A shape that comes back has every tensor it needs, in a form the kernels take: nothing after
/// it needs to doubt the file's numbers.
Result<ModelShape> readModelShape(const gguf::Header& header);

} // namespace coterie::engine
