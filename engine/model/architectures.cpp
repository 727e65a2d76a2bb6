// SPDX-License-Identifier: Apache-2.0
// The table of model families. A new family is an entry here; which keys are read (model_shape.cpp) and which tensors a
// file must have (tensor_list.h) follow from it. Code is needed only for arithmetic that no family here has.
#include "model/model_shape.h"

#include <array>
#include <cmath>

namespace coterie::engine {
namespace {

/// Every fourth layer sees everything and does not rotate; the others have a window. Without a window all are alike.
/// Source: the published SmallThinker-21B-A3B configuration (rope_layout, sliding_window_layout); 4B-A0.6B has no such
/// layers.
void smallThinkerAttention(const ModelShape& shape, int64_t index, AttentionShape& attention) {
    if (shape.slidingWindow == 0) return;
    attention.rope = index % 4 != 0;
    attention.window = index % 4 == 0 ? 0 : shape.slidingWindow;
}

/// Every fourth layer does not rotate. Source: SmolLM3's published configuration (no_rope_layer_interval 4); no key in
/// the file says so.
void smolLm3Attention(const ModelShape&, int64_t index, AttentionShape& attention) {
    attention.rope = (index + 1) % 4 != 0;
}

/// The models of 27B scale the scores by the width of a head as if the heads divided the model's width. Source: Gemma
/// 2's and 3's published configurations (query_pre_attn_scalar); the file shows these models by their number of layers
/// only.
void gemmaAttention(const ModelShape& shape, int64_t, AttentionShape& attention) {
    constexpr int64_t gemma2Layers = 46, gemma3Layers = 62;
    const bool is3 = shape.architecture->headNorm != HeadNorm::None;
    if (shape.layers == (is3 ? gemma3Layers : gemma2Layers))
        attention.scale = 1.0f / std::sqrt(static_cast<float>(shape.width) / static_cast<float>(attention.heads));
}

/// All layers with attention have the window, if the file names one. Source: llama.cpp (src/models/lfm2.cpp); it reads
/// no window from files of lfm2moe.
void lfm2Attention(const ModelShape& shape, int64_t, AttentionShape& attention) {
    attention.window = shape.slidingWindow;
}

constexpr auto kArchitectures = std::to_array<Architecture>({
    // Llama, SmolLM, SmolLM2. arXiv:2302.13971; rope_freqs.weight by Llama 3.
    {.name = "llama", .rope = RopeKind::Norm},
    // arXiv:2507.20984: the router reads a layer's input before attention, experts are ReGLU.
    {.name = "smallthinker",
     .rope = RopeKind::Neox,
     .activation = Activation::ReGlu,
     .slidingWindow = Presence::Optional,
     .attention = smallThinkerAttention,
     .experts = true,
     .routerInput = RouterInput::LayerInput,
     .gating = Gating::Sigmoid,
     .transposedDown = true},
    // https://huggingface.co/HuggingFaceTB/SmolLM3-3B: Llama, with layers that do not rotate.
    {.name = "smollm3", .rope = RopeKind::Norm, .attention = smolLm3Attention},
    // arXiv:2407.10671: biases on q, k and v (used if the file has them).
    {.name = "qwen2", .rope = RopeKind::Neox},
    // arXiv:2505.09388: each head of q and k is normed.
    {.name = "qwen3", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead},
    {.name = "qwen3moe", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead, .experts = true},
    // arXiv:2511.21631: the language models of Qwen3-VL are Qwen3's (model_shape.cpp, checkPositionParts).
    {.name = "qwen3vl", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead},
    {.name = "qwen3vlmoe", .rope = RopeKind::Neox, .headNorm = HeadNorm::EachHead, .experts = true},
    // arXiv:2407.10671, 2.2.2: fine-grained experts and a shared one; their weights are the softmax's, not normalised.
    {.name = "qwen2moe",
     .rope = RopeKind::Neox,
     .experts = true,
     .normaliseWeights = false,
     .sharedExpert = SharedExpert::Gated},
    // arXiv:2409.02060: q and k are normed whole; weights of the chosen experts are the softmax's, not normalised.
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
     .queryBiases = Presence::Required,
     .outputBias = Presence::Required,
     .expertBiases = Presence::Required,
     .slidingWindow = Presence::Required,
     .windowPeriod = 2, // its published configuration (layer_types)
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true},
    // arXiv:2508.06471 (GLM-4.5): dense layers first, then sigmoid routers with a selection bias and a shared expert.
    // Only part of each head rotates; the Air models have no head norm.
    {.name = "glm4moe",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .headNormIsOptional = true,
     .queryBiases = Presence::Required,
     .feedForwardNorm = "post_attention_norm.weight",
     .draftLayers = true,
     .experts = true,
     .leadingDense = true,
     .gating = Gating::Sigmoid,
     .normaliseWeights = false,
     .routerKeys = true,
     .selectionBias = Presence::Required,
     .sharedExpert = SharedExpert::Ungated},
    // https://huggingface.co/Qwen/Qwen3.5-9B: layers recur by the gated delta rule (arXiv:2412.06464), every fourth one
    // attends with gates on its output. The file has value heads in the order that the rule's key heads repeat in.
    {.name = "qwen35",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .gatedAttention = true,
     .feedForwardNorm = "post_attention_norm.weight",
     .deltaRule = DeltaRuleForm::Interleaved,
     .draftLayers = true},
    {.name = "qwen35moe",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .gatedAttention = true,
     .feedForwardNorm = "post_attention_norm.weight",
     .deltaRule = DeltaRuleForm::Interleaved,
     .draftLayers = true,
     .experts = true,
     .sharedExpert = SharedExpert::Gated},
    // https://huggingface.co/Qwen/Qwen3-Next-80B-A3B-Instruct: the same with one tensor for both kinds of gates.
    {.name = "qwen3next",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .gatedAttention = true,
     .feedForwardNorm = "post_attention_norm.weight",
     .deltaRule = DeltaRuleForm::Grouped,
     .draftLayers = true,
     .experts = true,
     .sharedExpert = SharedExpert::Gated},
    // https://huggingface.co/LiquidAI/LFM2-8B-A1B: short convolutions in most layers, attention in the others.
    {.name = "lfm2",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .slidingWindow = Presence::Optional,
     .attention = lfm2Attention,
     .shortConvolution = true,
     .outputNorm = "token_embd_norm.weight"},
    {.name = "lfm2moe",
     .rope = RopeKind::Neox,
     .headNorm = HeadNorm::EachHead,
     .shortConvolution = true,
     .outputNorm = "token_embd_norm.weight",
     .experts = true,
     .leadingDense = true,
     .gating = Gating::Sigmoid,
     .routerKeys = true,
     .selectionBias = Presence::Required},
    // arXiv:2408.00118: norms before and after each part, caps of scores and logits, a window in every other layer.
    {.name = "gemma2",
     .rope = RopeKind::Neox,
     .activation = Activation::GeGlu,
     .slidingWindow = Presence::Required,
     .windowPeriod = 2,
     .outputNorms = true,
     .scaledEmbedding = true,
     .scoreCap = 50,
     .logitCap = 30,
     .attention = gemmaAttention},
    // arXiv:2503.19786: head norms in place of caps; every sixth layer sees everything and rotates more slowly.
    {.name = "gemma3",
     .rope = RopeKind::Neox,
     .activation = Activation::GeGlu,
     .headNorm = HeadNorm::EachHead,
     .slidingWindow = Presence::Required,
     .windowPeriod = 6,
     .windowTheta = 10000,
     .outputNorms = true,
     .scaledEmbedding = true,
     .attention = gemmaAttention},
    // https://huggingface.co/google/gemma-4-E4B-it: layers with and without a window have heads of different sizes,
    // scores are not scaled, values are normed, and each layer ends with a factor. In layers without a window some
    // pairs do not rotate, which rope_freqs.weight alone says. In the small models (E2B, E4B) a token has an embedding
    // of its own in each layer.
    {.name = "gemma4",
     .rope = RopeKind::Neox,
     .activation = Activation::GeGlu,
     .headNorm = HeadNorm::EachHead,
     .slidingWindow = Presence::Required,
     .windowTheta = 10000,
     .ropeFactors = Presence::Required,
     .outputNorms = true,
     .twoKindsOfAttention = true,
     .layerEmbeddings = true,
     .unscaledScores = true,
     .normsValues = true,
     .outputScale = true,
     .scaledEmbedding = true,
     .logitCap = 30,
     .denseBesideExperts = true},
});

} // namespace

std::vector<const Architecture*> architectures() {
    std::vector<const Architecture*> all;
    all.reserve(kArchitectures.size());
    for (const Architecture& architecture : kArchitectures) all.push_back(&architecture);
    return all;
}

} // namespace coterie::engine
