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

struct ModelShape;

/// silu(g) u, relu(g) u, or gpt-oss's: g sigmoid(1.702 g) (u + 1) with g at most 7 and u from -7 to 7.
enum class Activation { SwiGlu, ReGlu, ClampedSwiGlu };
enum class RouterInput { LayerInput, NormedAttentionOutput }; ///< SmallThinker routes before attention
enum class Gating { Softmax, Sigmoid };
enum class HeadNorm { None, EachHead, WholeProjection }; ///< RMS norm of q and k before RoPE

enum class SlidingWindow { None, Optional, Required }; ///< the key attention.sliding_window

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
    bool sinks = false; ///< attn_sinks: a logit for each head that takes weight and gives nothing
    /// Of attention, router and experts; else those of attention and dense layers are optional.
    bool needsBiases = false;
    SlidingWindow slidingWindow = SlidingWindow::None;
    const char* feedForwardNorm = "ffn_norm.weight";
    bool experts = false; ///< feed-forward by experts; the five below matter only then
    RouterInput routerInput = RouterInput::NormedAttentionOutput;
    Gating gating = Gating::Softmax; ///< where the file doesn't say
    bool normaliseWeights = true;    ///< top-k weights divided by their sum
    bool sharedExpert = false;       ///< one more expert that every token goes to, times a sigmoid of its own
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
    int64_t sharedFeedForward = 0;            ///< of the shared expert; 0 where there is none
    int64_t vocabulary = 0, trainedContext = 0;
    int64_t longestContext = 0; ///< that the rotation is right for: the trained one, or a longer one that was asked for
    int64_t slidingWindow = 0;  ///< 0 where no layer has one
    Gating gating = Gating::Softmax;
    bool transposedDown = false;   ///< PowerInfer flavour: expert down matrices stored by neuron
    bool tiedHead = false;         ///< no output.weight: the embedding is the head
    int64_t headPredictorRank = 0; ///< 0: no lm_head_profiler.weight
    float ropeTheta = 0, normEpsilon = 0;
    int64_t ropeDimensions = 0;
    std::vector<double> ropeFactors; ///< [ropeDimensions / 2] divisors of the frequencies from metadata, or empty;
                                     ///< rope_freqs.weight comes on top
    double ropeScale = 1;            ///< what cosines and sines are multiplied by; YaRN's, mostly
    std::vector<LayerShape> layer;   ///< [layers]
    std::vector<Sentence> notes;     ///< what was assumed where the file is silent, as sentences for `info`

    /// Of a layer, and of these a token's, as the expert store has them: a dense layer's feed-forward is an expert that
    /// is always chosen.
    int64_t storedExperts() const { return experts == 0 ? 1 : experts; }
    int64_t chosenExperts() const { return experts == 0 ? 1 : expertsPerToken; }

    int64_t queryWidth() const { return heads * headDim; }
    int64_t keyWidth() const { return kvHeads * headDim; }
};

/// Unsupported names the architecture, or the tensor and its format, and what is missing; BadInput names the key or
/// tensor that is wrong. A shape that comes back has every tensor it needs, in a form the kernels take: nothing after
/// it needs to doubt the file's numbers.
/// context: the tokens asked for, 0 for as many as the model was trained for. Beyond those the rotation is scaled
/// (YaRN), which a note says; BadInput where that can't be.
Result<ModelShape> readModelShape(const gguf::Header& header, int64_t context = 0);

} // namespace coterie::engine
