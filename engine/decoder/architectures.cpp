// SPDX-License-Identifier: Apache-2.0
// The architecture table, and the reading of a model's numbers by it. A new family is an entry here, and code only for
// what is really new in it. Which tensors it must have follows from the entry (model_tensors.cpp).
#include "decoder/metadata.h"
#include "decoder/model_shape.h"
#include "decoder/model_tensors.h"
#include "decoder/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace coterie::engine {
namespace {

// Largest numbers taken from a file: far above any published model, and small enough that no product of two overflows.
constexpr int64_t kMostLayers = 1 << 16;
constexpr int64_t kMostWidth = 1 << 24;
constexpr int64_t kMostHeads = 1 << 16;
constexpr int64_t kMostHeadDim = 1 << 16;
constexpr int64_t kMostExperts = 1 << 16;
constexpr int64_t kMostVocabulary = 1 << 28;
constexpr int64_t kMostContext = 1 << 28;

/// Every fourth layer sees everything and doesn't rotate; the others have a window. Without a window all are alike.
/// Source: the published SmallThinker-21B-A3B configuration (rope_layout, sliding_window_layout); 4B-A0.6B has no such
/// layers.
LayerShape smallThinkerLayer(const ModelShape& shape, int64_t index) {
    if (shape.slidingWindow == 0) return {};
    if (index % 4 == 0) return {.rope = false, .window = 0};
    return {.rope = true, .window = shape.slidingWindow};
}

/// Every fourth layer doesn't rotate. Source: SmolLM3's published configuration (no_rope_layer_interval 4); no key in
/// the file says so.
LayerShape smolLm3Layer(const ModelShape&, int64_t index) { return {.rope = (index + 1) % 4 != 0, .window = 0}; }

/// Every other layer, the first one included, has a window. Source: gpt-oss's published configuration (layer_types).
LayerShape gptOssLayer(const ModelShape& shape, int64_t index) {
    return {.rope = true, .window = index % 2 == 0 ? shape.slidingWindow : 0};
}

constexpr auto kArchitectures = std::to_array<Architecture>({
    // Llama, SmolLM, SmolLM2. arXiv:2302.13971; rope_freqs.weight by Llama 3.
    {.name = "llama", .rope = RopeKind::Norm},
    // arXiv:2507.20984: the router reads a layer's input before attention, experts are ReGLU.
    {.name = "smallthinker",
     .rope = RopeKind::Neox,
     .activation = Activation::ReGlu,
     .slidingWindow = SlidingWindow::Optional,
     .experts = true,
     .routerInput = RouterInput::LayerInput,
     .gating = Gating::Sigmoid,
     .transposedDown = true,
     .layer = smallThinkerLayer},
    // https://huggingface.co/HuggingFaceTB/SmolLM3-3B: Llama, with layers that don't rotate.
    {.name = "smollm3", .rope = RopeKind::Norm, .layer = smolLm3Layer},
    // arXiv:2407.10671: biases on q, k and v (taken where the file has them).
    {.name = "qwen2", .rope = RopeKind::Neox},
    // arXiv:2505.09388: each head of q and k is normed.
    {.name = "qwen3", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead},
    {.name = "qwen3moe", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead, .experts = true},
    // arXiv:2407.10671, 2.2.2: fine-grained experts and a shared one; their weights are left as the softmax gave them.
    {.name = "qwen2moe", .rope = RopeKind::Neox, .experts = true, .normaliseWeights = false, .sharedExpert = true},
    // arXiv:2409.02060: q and k are normed whole; weights of the chosen experts are left as the softmax gave them.
    {.name = "olmoe",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::WholeProjection,
     .experts = true,
     .normaliseWeights = false},
    // arXiv:2508.10925: biases everywhere, sinks in attention, a window in every other layer.
    {.name = "gpt-oss",
     .rope = RopeKind::Neox,
     .activation = Activation::ClampedSwiGlu,
     .sinks = true,
     .needsBiases = true,
     .slidingWindow = SlidingWindow::Required,
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true,
     .layer = gptOssLayer},
});

/// ", and none of them has the file's ssm_a, ssm_conv1d.weight and 3 more kinds of weights", or nothing.
/// The architectures that this program knows, and kinds of weights in the file that none of them has.
Sentence knownAndMissing(const std::string& known, const gguf::Header& header) {
    constexpr size_t mostNamed = 4;
    std::set<std::string> kinds;
    for (const gguf::Tensor& tensor : header.tensors)
        if (std::string kind = tensorKind(tensor.name); !isKnownTensorKind(kind)) kinds.insert(std::move(kind));
    if (kinds.empty()) return {"It knows %1", known};
    std::string text;
    size_t named = 0;
    for (const std::string& kind : kinds)
        if (named < mostNamed) text += (named++ == 0 ? "" : ", ") + shortened(kind);
    if (kinds.size() > mostNamed)
        return {"It knows %1, and none of them has the file's %2 and %3 more kinds of weights", known, text,
                kinds.size() - mostNamed};
    return {"It knows %1, and none of them has the file's %2", known, text};
}

Result<const Architecture*> findArchitecture(const gguf::Header& header) {
    const auto name = header.string("general.architecture");
    if (!name)
        return Error{ErrorKind::BadInput, "The file doesn't say which kind of model it holds",
                     "The key general.architecture is missing or is not text", "Get the file again from its source"};
    std::string known;
    for (const Architecture& architecture : kArchitectures) {
        if (architecture.name == *name) return &architecture;
        known += (known.empty() ? "" : ", ") + std::string(architecture.name);
    }
    return Error{ErrorKind::Unsupported,
                 {"This program can't run the architecture '%1'", shortened(*name)},
                 knownAndMissing(known, header),
                 "Choose a model of one of these families"};
}

void readSizes(Metadata& keys, ModelShape& shape) {
    shape.layers = keys.required("block_count", 1, kMostLayers);
    shape.width = keys.required("embedding_length", 1, kMostWidth);
    shape.trainedContext = keys.required("context_length", 1, kMostContext);
    shape.heads = keys.required("attention.head_count", 1, kMostHeads);
    shape.kvHeads = keys.optional("attention.head_count_kv", 1, kMostHeads, shape.heads);
    if (keys.failed()) return;
    if (shape.heads % shape.kvHeads != 0)
        return keys.fail("attention.head_count_kv", {"%1 heads can't share %2 key heads", shape.heads, shape.kvHeads});
    if (!keys.has("attention.key_length") && shape.width % shape.heads != 0)
        return keys.fail("attention.head_count", {"%1 heads don't divide a width of %2", shape.heads, shape.width});
    shape.headDim = keys.optional("attention.key_length", 1, kMostHeadDim, shape.width / shape.heads);
    if (keys.optional("attention.value_length", 1, kMostHeadDim, shape.headDim) != shape.headDim)
        keys.fail("attention.value_length", "It differs from attention.key_length, which no family here allows");
}

void readExperts(Metadata& keys, ModelShape& shape) {
    if (!shape.architecture->experts) {
        if (keys.optional("expert_count", 0, kMostExperts, 0) != 0)
            return keys.unsupported("expert_count", "this family is known here without experts only");
        shape.feedForward = keys.required("feed_forward_length", 1, kMostWidth);
        return;
    }
    shape.experts = keys.required("expert_count", 1, kMostExperts);
    shape.expertsPerToken = keys.required("expert_used_count", 1, shape.experts);
    const bool own = keys.has("expert_feed_forward_length");
    shape.feedForward = keys.required(own ? "expert_feed_forward_length" : "feed_forward_length", 1, kMostWidth);
    if (shape.architecture->sharedExpert) {
        // llama.cpp's rules for files that don't say: the shared expert is as wide as those of a token together.
        const int64_t together = keys.optional("feed_forward_length", 1, kMostWidth, shape.feedForward);
        shape.sharedFeedForward = keys.optional("expert_shared_feed_forward_length", 1, kMostWidth, together);
        if (!own) shape.feedForward = std::max<int64_t>(1, shape.feedForward / shape.expertsPerToken);
    }
    shape.gating = shape.architecture->gating;
    if (!keys.has("expert_gating_func")) {
        if (shape.architecture->gating == Gating::Sigmoid)
            shape.notes.push_back("The file doesn't say how experts are weighted, so sigmoid is assumed, as in the "
                                  "published checkpoints");
        return;
    }
    constexpr int64_t softmax = 1, sigmoid = 2, softmaxOfChosen = 3; // llama.cpp's numbering
    const int64_t function = keys.required("expert_gating_func", 0, kMostExperts);
    // Divided by the sum of the chosen, a softmax over all is one over the chosen.
    if (function == softmax || (function == softmaxOfChosen && shape.architecture->normaliseWeights))
        shape.gating = Gating::Softmax;
    else if (function == sigmoid)
        shape.gating = Gating::Sigmoid;
    else
        keys.unsupported("expert_gating_func", {"it is %1, and 1 (softmax) and 2 (sigmoid) are known", function});
}

/// Keys of other families' arithmetic, with the two values that change nothing: a file of a family here that states
/// another one computes something that this program doesn't.
void refuseOtherArithmetic(Metadata& keys, const ModelShape& shape) {
    struct Key {
        const char* name;
        double neutral, alsoNeutral;
    };
    const double usualScale = 1 / std::sqrt(static_cast<double>(shape.headDim));
    for (const Key& key : {Key{"attention.scale", 0, usualScale}, Key{"attention.clamp_kqv", 0, 0},
                           Key{"attention.max_alibi_bias", 0, 0}, Key{"attention.temperature_scale", 0, 0},
                           Key{"attn_logit_softcapping", 0, 0}, Key{"final_logit_softcapping", 0, 0},
                           Key{"embedding_scale", 0, 1}, Key{"residual_scale", 0, 1}, Key{"logit_scale", 0, 1},
                           Key{"expert_weights_scale", 0, 1}, Key{"rope.scaling.yarn_log_multiplier", 0, 0}}) {
        const double value = keys.optionalNumber(key.name, -1e30, 1e30, key.neutral);
        const auto is = [value](double other) { return std::abs(value - other) <= 1e-6 * std::abs(other); };
        if (!keys.failed() && !is(key.neutral) && !is(key.alsoNeutral))
            keys.unsupported(key.name, {"it is %1, which this family doesn't have here", value});
    }
}

void readLayers(Metadata& keys, ModelShape& shape) {
    const SlidingWindow window = shape.architecture->slidingWindow;
    if (window == SlidingWindow::Required)
        shape.slidingWindow = keys.required("attention.sliding_window", 1, kMostContext);
    if (window == SlidingWindow::Optional) {
        shape.slidingWindow = keys.optional("attention.sliding_window", 0, kMostContext, 0);
        if (keys.has("attention.sliding_window") && shape.slidingWindow == 0)
            shape.notes.push_back("The sliding window is 0, which is taken to mean that there is none");
    }
    shape.layer.resize(static_cast<size_t>(shape.layers));
    if (shape.architecture->layer == nullptr) return;
    for (int64_t i = 0; i < shape.layers; ++i)
        shape.layer[static_cast<size_t>(i)] = shape.architecture->layer(shape, i);
}

/// Two matrices of rank x width and vocabulary x rank, in one row of values.
Status readPredictor(const gguf::Tensor& predictor, ModelShape& shape) {
    const uint64_t vocabularyAndWidth = static_cast<uint64_t>(shape.vocabulary + shape.width);
    if (predictor.shape[0] != predictor.elements() || predictor.elements() % vocabularyAndWidth != 0)
        return Error{ErrorKind::BadInput,
                     "The tensor 'lm_head_profiler.weight' has the wrong shape",
                     {"Its %1 values don't make a whole rank for a width of %2 and %3 tokens", predictor.elements(),
                      shape.width, shape.vocabulary},
                     "Get the file again from its source"};
    const uint64_t rank = predictor.elements() / vocabularyAndWidth;
    const uint64_t block = predictor.type ? traits(*predictor.type).blockElements : 1; // unknown ones are refused later
    if (rank % block == 0 && static_cast<uint64_t>(shape.width) % block == 0)
        shape.headPredictorRank = static_cast<int64_t>(rank);
    else
        shape.notes.push_back(
            {"The head predictor is not used, because its rows of %1 values are not whole blocks of its format", rank});
    return {};
}

/// What only tensors tell: vocabulary, tied head, which flavour.
Status readFromTensors(const gguf::Header& header, ModelShape& shape) {
    const gguf::Tensor* embedding = header.tensor("token_embd.weight");
    if (embedding == nullptr) return missingTensor("token_embd.weight");
    if (embedding->shape[1] > static_cast<uint64_t>(kMostVocabulary))
        return Error{ErrorKind::BadInput,
                     "The tensor 'token_embd.weight' is too large",
                     {"It has %1 rows", embedding->shape[1]},
                     "Get the file again from its source"};
    shape.vocabulary = static_cast<int64_t>(embedding->shape[1]);
    shape.tiedHead = header.tensor("output.weight") == nullptr;
    if (shape.longestContext > shape.trainedContext && header.tensor("rope_freqs.weight") != nullptr)
        shape.notes.push_back(
            "The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged");
    if (!shape.architecture->transposedDown) return {};

    const gguf::Tensor* predictor = header.tensor("lm_head_profiler.weight");
    if (predictor != nullptr)
        if (Status status = readPredictor(*predictor, shape); !status) return status;
    const gguf::Tensor* down = header.tensor("blk.0.ffn_down_exps.weight");
    if (down == nullptr) return missingTensor("blk.0.ffn_down_exps.weight");
    shape.transposedDown = down->shape[0] == static_cast<uint64_t>(shape.width);
    if (shape.width != shape.feedForward) return {};
    // A square matrix doesn't show how it lies: only the flavour that transposes has a head predictor.
    shape.transposedDown = predictor != nullptr;
    shape.notes.push_back(shape.transposedDown
                              ? Sentence("The experts' down matrices are square, and are taken as stored by neuron")
                              : "The experts' down matrices are square, and are taken as stored by row");
    return {};
}

} // namespace

std::vector<const Architecture*> architectures() {
    std::vector<const Architecture*> all;
    all.reserve(kArchitectures.size());
    for (const Architecture& architecture : kArchitectures) all.push_back(&architecture);
    return all;
}

Result<ModelShape> readModelShape(const gguf::Header& header, int64_t context) {
    const Result<const Architecture*> architecture = findArchitecture(header);
    if (!architecture) return architecture.error();
    ModelShape shape;
    shape.architecture = architecture.value();
    shape.name = std::string(header.string("general.name").value_or(""));
    Metadata keys(header, shape.architecture->name);
    constexpr double usualEpsilon = 1e-5; // arXiv:1910.07467's implementations
    readSizes(keys, shape);
    if (!keys.failed()) readExperts(keys, shape);
    if (!keys.failed()) refuseOtherArithmetic(keys, shape);
    shape.normEpsilon = static_cast<float>(keys.optionalNumber("attention.layer_norm_rms_epsilon", 0, 1, usualEpsilon));
    if (keys.failed()) return keys.error();
    // Each layer has more than one tensor: before anything is sized by the count.
    if (static_cast<uint64_t>(shape.layers) > header.tensors.size())
        return keys.wrongValue(
            "block_count", {"It names %1 layers, and the file has %2 tensors", shape.layers, header.tensors.size()});
    readLayers(keys, shape);
    if (!keys.failed()) readRope(keys, context, shape);
    if (keys.failed()) return keys.error();
    if (Status status = readFromTensors(header, shape); !status) return status.error();
    if (const Result<ModelTensors> tensors = findTensors(shape, header); !tensors) return tensors.error();
    return shape;
}

} // namespace coterie::engine
