// SPDX-License-Identifier: Apache-2.0
// The numbers that describe a model: read from its metadata by the architecture table and checked against its tensors.
// No weights. Pure functions of the header, callable from any thread.
//
//     Result<ModelShape> shape = readModelShape(file->header());
//     if (!shape) return shape.error();
//     for (const LayerShape& layer : shape->layer) use(layer.feedForward.isDense());
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace coterie::engine {

struct ModelShape;

/// silu(g) u, relu(g) u, gpt-oss's: g sigmoid(1.702 g) (u + 1) with g at most 7 and u from -7 to 7, or gelu(g) u with
/// the tanh form of GELU. Shaders know the first three by their numbers.
enum class Activation { SwiGlu, ReGlu, ClampedSwiGlu, GeGlu };
enum class RouterInput { LayerInput, NormedAttentionOutput }; ///< SmallThinker routes before attention
enum class Gating { Softmax, Sigmoid };
enum class HeadNorm { None, EachHead, WholeProjection }; ///< RMS norm of q and k before RoPE
enum class SharedExpert { None, Gated, Ungated };        ///< Gated: its output is multiplied by a sigmoid of its own

/// Whether a file of a family has a tensor or a key.
enum class Presence { Never, Optional, Required };

/// How a layer's router chooses experts and weighs them. With r = router . h (+ its bias):
///   p = softmax(r) or sigmoid(r)
///   chosen: the highest p + selection bias. With groups, experts in file order form equal groups, a group's score is
///           the sum of its two highest p + bias, and only experts of the best groups can be chosen
///   weight of a chosen expert: p; if normalised, divided by the sum of p over the chosen; times the scale
struct RouterShape {
    Gating gating = Gating::Softmax;
    bool normalised = true;
    float scale = 1;
    float logitScale = 1; ///< factor of r
    int64_t groups = 1, groupsUsed = 1;
};

/// A dense layer's feed-forward is treated as one expert that every token uses.
struct FeedForwardShape {
    int64_t width = 0;                        ///< neurons of a dense layer, or of each expert
    int64_t experts = 0, expertsPerToken = 0; ///< 0 in a dense layer
    RouterShape router{};                     ///< unused in a dense layer
    int64_t sharedWidth = 0;                  ///< neurons of the shared expert; 0: the layer has none
    bool sharedIsGated = false;
    /// The layer is dense and has experts beside that: the dense part takes the place of the shared expert. Both have
    /// norms of their own before and after, the router has one before, and each expert's output has a factor.
    bool denseBeside = false;
    bool joined = false; ///< one tensor has each expert's gate rows, then its up rows

    bool isDense() const { return experts == 0; }
    /// Experts of the layer, and experts that one token uses, as the expert store counts them.
    int64_t storedExperts() const { return isDense() ? 1 : experts; }
    int64_t chosenExperts() const { return isDense() ? 1 : expertsPerToken; }
};

/// How a layer mixes a token with those before it.
enum class Mixer {
    Attention,        ///< over the keys and values of past tokens
    DeltaRule,        ///< over a state of fixed size, by the gated delta rule (arXiv:2412.06464)
    ShortConvolution, ///< over the last few tokens
};

/// How the heads of a layer by the delta rule share keys, see DeltaRuleShape::grouped.
enum class DeltaRuleForm { None, Interleaved, Grouped };

/// Attention whose keys and values are shared by groups of heads.
struct AttentionShape {
    int64_t heads = 0, kvHeads = 0, headDim = 0;
    HeadNorm norm = HeadNorm::None;
    bool rope = true; ///< queries and keys are rotated
    RopeKind ropeKind = RopeKind::Norm;
    int64_t window = 0;         ///< a token sees positions less than this far back; 0: all
    int64_t keysOf = -1;        ///< index of the earlier layer whose keys and values it uses; below 0: it has its own
    bool keysAreValues = false; ///< values are the keys' projection, before norm and rotation
    bool normsValues = false;   ///< RMS norm of each value head, without weights
    bool ownRotation = false;   ///< the layer rotates by ModelShape::windowRotation
    float scale = 0;            ///< factor of the scores; mostly 1 / sqrt(headDim)
    float scoreCap = 0;         ///< a scaled score s becomes scoreCap tanh(s / scoreCap); 0: it stays
    /// Each head's output is multiplied by the sigmoid of a gate. The query's projection has, for each head, headDim
    /// rows of the query and then as many of the gate.
    bool gated = false;

    int64_t queryWidth() const { return heads * headDim; }
    int64_t keyWidth() const { return kvHeads * headDim; }
    bool hasKeys() const { return keysOf < 0; }
    int64_t queryRows() const { return gated ? 2 * queryWidth() : queryWidth(); }
};

/// For each value head a state S of size x size, with the key as its row and the value as its column. A token's
/// projection passes a causal convolution of each channel by itself and a SiLU, and has q and k of the key heads and v
/// of the value heads then:
///   S = decay S;  S = S + k (beta (v - S^T k))^T;  o = S^T q
struct DeltaRuleShape {
    int64_t keyHeads = 0, valueHeads = 0, size = 0;
    int64_t taps = 0; ///< values of the convolution, the token's own included
    /// Neighbouring value heads share a key head, and one tensor has the gates of both kinds (ssm_ba). Otherwise value
    /// head j uses key head j % keyHeads, and each kind of gates has a tensor of its own.
    bool grouped = false;

    int64_t channels() const {
        return (2 * keyHeads + valueHeads) * size;
    } ///< values that the convolution passes: q, k, v
    int64_t valueWidth() const { return valueHeads * size; }
    int64_t stateValues() const { return size * size; } ///< values of one head's state
    int64_t historyValues() const {
        return (taps - 1) * channels();
    } ///< values of the rows that the convolution looks back to
    int64_t keyHeadOf(int64_t valueHead) const {
        return grouped ? valueHead / (valueHeads / keyHeads) : valueHead % keyHeads;
    }
};

/// A token's projection has three parts b, c and x of `channels` values. The mixer gives c convolution(b x), where the
/// convolution is causal and of each channel by itself.
struct ShortConvolutionShape {
    int64_t channels = 0;
    int64_t taps = 0; ///< values of the convolution, the token's own included

    int64_t historyValues() const { return (taps - 1) * channels; } ///< values of the rows that it looks back to
};

/// How queries and keys turn with their position.
struct Rotation {
    float theta = 0;
    int64_t dimensions = 0;      ///< values of a head that are rotated
    std::vector<double> factors; ///< [dimensions / 2] divisors of the frequencies from metadata, or empty
    double scale = 1;            ///< factor of all cosines and sines; mostly YaRN's
};

struct LayerShape {
    Mixer mixer = Mixer::Attention;
    AttentionShape attention{};               ///< if it is the mixer
    DeltaRuleShape deltaRule{};               ///< if it is the mixer
    ShortConvolutionShape shortConvolution{}; ///< if it is the mixer
    FeedForwardShape feedForward{};
    /// The outputs of the mixer and of the feed-forward part are normed before they are added to the residual stream.
    bool outputNorms = false;
    bool outputScale = false; ///< the residual stream is multiplied by a number at the layer's end

    bool hasAttention() const { return mixer == Mixer::Attention; }
    /// The layer remembers past tokens in a state, which can't be rewound.
    bool hasState() const { return mixer != Mixer::Attention; }
    /// Values that the mixer's output projection takes.
    int64_t mixedWidth() const {
        return mixer == Mixer::Attention   ? attention.queryWidth()
               : mixer == Mixer::DeltaRule ? deltaRule.valueWidth()
                                           : shortConvolution.channels;
    }
};

/// One model family: the facts in which it differs from others. Their sources are at the entries in architectures.cpp.
struct Architecture {
    const char* name; ///< general.architecture
    RopeKind rope = RopeKind::Norm;
    Activation activation = Activation::SwiGlu;
    HeadNorm headNorm = HeadNorm::None;
    bool headNormIsOptional = false;           ///< some models of the family have no head norm
    bool gatedAttention = false;               ///< AttentionShape::gated
    bool sinks = false;                        ///< attn_sinks: a logit per head that takes weight and gives nothing
    Presence queryBiases = Presence::Optional; ///< biases of q, k and v
    Presence outputBias = Presence::Optional;  ///< bias of the attention's output
    Presence expertBiases = Presence::Never;   ///< biases of router and experts; those of dense layers are optional
    Presence slidingWindow = Presence::Never;  ///< the key attention.sliding_window
    /// Every windowPeriod-th layer sees everything, the others have the window; 0: the next function decides. The key
    /// attention.sliding_window_pattern may give another period.
    int64_t windowPeriod = 0;
    /// Layers with a window have a rotation of their own: with this theta, unless rope.freq_base_swa gives one, and
    /// without scaling. 0: all layers rotate alike.
    double windowTheta = 0;
    /// rope_freqs.weight: divisors of the frequencies of every layer that has no rotation of its own (windowTheta).
    Presence ropeFactors = Presence::Optional;
    const char* feedForwardNorm = "ffn_norm.weight";
    bool outputNorms = false; ///< LayerShape::outputNorms
    /// attention.sliding_window_pattern is a list that says which layers have a window. Those have heads of another
    /// size (attention.key_length_swa), and the numbers of their key heads and neurons may differ. The last
    /// attention.shared_kv_layers layers use the keys and values of earlier ones.
    bool twoKindsOfAttention = false;
    bool layerEmbeddings = false;      ///< embedding_length_per_layer_input: ModelShape::layerEmbedding
    bool unscaledScores = false;       ///< AttentionShape::scale is 1
    bool normsValues = false;          ///< AttentionShape::normsValues
    bool outputScale = false;          ///< the layers may have a scale, LayerShape::outputScale
    bool scaledEmbedding = false;      ///< the embedding's rows are multiplied by sqrt(width)
    double scoreCap = 0, logitCap = 0; ///< unless the file says otherwise; 0: the family has no such keys
    /// Changes what sets the layer with this index apart; nothing: all layers rotate and none has a window.
    void (*attention)(const ModelShape& shape, int64_t index, AttentionShape& attention) = nullptr;
    /// Layers recur by the delta rule, except every full_attention_interval-th, or as attention.recurrent_layers says.
    DeltaRuleForm deltaRule = DeltaRuleForm::None;
    /// attention.head_count_kv is a list: layers with 0 have a short convolution in place of attention.
    bool shortConvolution = false;
    const char* outputNorm = "output_norm.weight";
    bool draftLayers = false; ///< nextn_predict_layers: the file's last layers only draft tokens and are left out

    bool experts = false;      ///< layers have experts; the fields below matter only then
    bool leadingDense = false; ///< leading_dense_block_count: the first layers are dense
    RouterInput routerInput = RouterInput::NormedAttentionOutput;
    Gating gating = Gating::Softmax; ///< unless the file says otherwise
    bool normaliseWeights = true;    ///< unless the file says otherwise and routerKeys is set
    /// expert_weights_norm, expert_weights_scale and the keys of groups are read; without it a file that asks for a
    /// scale or for groups is refused.
    bool routerKeys = false;
    Presence selectionBias = Presence::Never;
    SharedExpert sharedExpert = SharedExpert::None;
    /// expert_count above 0: every layer has experts beside its dense part (FeedForwardShape::denseBeside).
    bool denseBesideExperts = false;
    bool transposedDown = false; ///< a flavour exists whose down matrices are stored by neuron
};

/// Every family that this build runs.
std::vector<const Architecture*> architectures();

struct ModelShape {
    const Architecture* architecture = nullptr;
    std::string name; ///< general.name, or empty
    int64_t layers = 0, width = 0;
    int64_t draftLayers = 0; ///< layers of the file that follow and are left out
    int64_t vocabulary = 0, trainedContext = 0;
    int64_t longestContext =
        0; ///< tokens for which the rotation is right: the trained context, or the longer one asked for
    int64_t slidingWindow = 0; ///< 0 if no layer has one
    Activation activation = Activation::SwiGlu;
    RouterInput routerInput = RouterInput::NormedAttentionOutput;
    bool transposedDown = false;   ///< PowerInfer flavour: expert down matrices stored by neuron
    bool tiedHead = false;         ///< no output.weight: the embedding is the head
    int64_t headPredictorRank = 0; ///< 0: no lm_head_profiler.weight
    float normEpsilon = 0;
    Rotation rotation;             ///< rope_freqs.weight has divisors on top of its own
    Rotation windowRotation;       ///< in layers that have another one; no dimensions: none has
    float embeddingScale = 1;      ///< factor of the embedding's rows
    int64_t layerEmbedding = 0;    ///< values of a token's own embedding in each layer; 0: it has none
    float logitCap = 0;            ///< a logit z becomes logitCap tanh(z / logitCap); 0: it stays
    std::vector<LayerShape> layer; ///< [layers]
    std::vector<Sentence> notes;   ///< assumptions about facts that the file does not give, for `info`

    /// The largest value of `number` among the layers, for sizes that must be enough for every layer.
    template <typename Number>
    int64_t largest(const Number& number) const {
        int64_t most = 0;
        for (const LayerShape& each : layer) most = std::max<int64_t>(most, number(each));
        return most;
    }
    /// Number of layers for which this holds.
    template <typename Condition>
    int64_t countOf(const Condition& condition) const {
        return std::count_if(layer.begin(), layer.end(), condition);
    }
    const Rotation& rotationOf(const AttentionShape& attention) const {
        return attention.ownRotation ? windowRotation : rotation;
    }
    int64_t mixedWidth() const {
        return largest([](const LayerShape& each) { return each.mixedWidth(); });
    }
    int64_t mostExperts() const {
        return largest([](const LayerShape& each) { return each.feedForward.experts; });
    }
    int64_t mostStoredExperts() const {
        return largest([](const LayerShape& each) { return each.feedForward.storedExperts(); });
    }
    int64_t mostChosenExperts() const {
        return largest([](const LayerShape& each) { return each.feedForward.chosenExperts(); });
    }
    int64_t widestSharedExpert() const {
        return largest([](const LayerShape& each) { return each.feedForward.sharedWidth; });
    }
    bool isDense() const { return mostExperts() == 0; } ///< no layer has experts
};

/// Whether the file is the half of a model that turns images into input for the other half ("mmproj").
bool readsImages(const gguf::Header& header);

/// Unsupported names the architecture, or the tensor and its format, and what is missing; BadInput names the key or
/// tensor that is wrong. A returned shape has every tensor it needs, in a form that the kernels take: nothing after it
/// needs to check the file's numbers again.
/// context: the tokens asked for, 0 for as many as the model was trained for. Beyond those the rotation is scaled
/// (YaRN), and a note says so; BadInput if that is impossible.
Result<ModelShape> readModelShape(const gguf::Header& header, int64_t context = 0);

} // namespace coterie::engine
