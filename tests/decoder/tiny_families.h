// SPDX-License-Identifier: Apache-2.0
// One small model of each family and flavour, for tests that go through all of them.
#pragma once

#include "support/tiny_model.h"

#include <algorithm>
#include <string>
#include <vector>

namespace coterie::test {

struct NamedOptions {
    const char* name;
    TinyModelOptions options;
};

/// Every architecture of the engine's table occurs at least once. A window, if the family has one, is 8.
inline std::vector<NamedOptions> tinyFamilies() {
    return {
        {"llama", {}},
        {"smallthinker", {.architecture = "smallthinker", .layers = 5, .window = 8, .tied = false}},
        {"smallthinker by neuron",
         {.architecture = "smallthinker", .layers = 5, .window = 8, .transposedDown = true, .tied = false}},
        {"smollm3", {.architecture = "smollm3", .layers = 4}},
        {"qwen2", {.architecture = "qwen2"}},
        {"qwen3", {.architecture = "qwen3"}},
        {"qwen3moe", {.architecture = "qwen3moe", .tied = false}},
        {"qwen3vl", {.architecture = "qwen3vl"}},
        {"qwen3vlmoe", {.architecture = "qwen3vlmoe", .tied = false}},
        {"olmoe", {.architecture = "olmoe", .kvHeads = 4, .tied = false}},
        {"qwen2moe", {.architecture = "qwen2moe", .tied = false}},
        {"gpt-oss", {.architecture = "gpt-oss", .layers = 3, .window = 8, .tied = false}},
        {"glm4moe",
         {.architecture = "glm4moe", .layers = 3, .sharedFeedForward = 96, .ropeDimensions = 16, .tied = false}},
        {"qwen35", {.architecture = "qwen35", .layers = 3, .ropeDimensions = 8}},
        {"qwen35moe", {.architecture = "qwen35moe", .layers = 3, .ropeDimensions = 8, .tied = false}},
        {"qwen3next", {.architecture = "qwen3next", .layers = 3, .ropeDimensions = 8, .tied = false}},
        {"lfm2", {.architecture = "lfm2", .layers = 3, .taps = 3}},
        {"lfm2moe", {.architecture = "lfm2moe", .layers = 3, .taps = 3}},
        {"gemma3", {.architecture = "gemma3", .layers = 7, .window = 8, .ropeStretch = 8}},
        {"gemma4", {.architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8}},
        {"gemma4 with shared keys",
         {.architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8, .sharedLayers = 3}},
        {"gemma4 with embeddings by layer",
         {.architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8, .sharedLayers = 3, .layerEmbedding = 32}},
        {"gemma4 with experts",
         {.architecture = "gemma4", .layers = 4, .headDim = 64, .window = 8, .expertsBeside = true}},
        {"gemma2", {.architecture = "gemma2", .layers = 3, .window = 8}},
    };
}

/// Layers have a state, which can be rewound to kept copies only.
inline bool hasStates(const TinyModelOptions& options) {
    return options.architecture.starts_with("qwen35") || options.architecture == "qwen3next" ||
           options.architecture.starts_with("lfm2");
}

/// Some layers need what only the CPU computes.
inline bool needsTheCpu(const TinyModelOptions& options) {
    return hasStates(options) || options.architecture.starts_with("gemma");
}

/// No layer has experts.
inline bool isDense(const TinyModelOptions& options) {
    if (options.expertsBeside) return false;
    for (const char* name :
         {"llama", "smollm3", "qwen2", "qwen3", "qwen3vl", "qwen35", "lfm2", "gemma2", "gemma3", "gemma4"})
        if (options.architecture == name) return true;
    return false;
}

/// The model with experts that are large beside a chunk's arrays, and with layers enough that not all are needed at
/// once.
inline TinyModelOptions withLargeExperts(TinyModelOptions options) {
    options.feedForward = options.sharedFeedForward = options.denseFeedForward = 512;
    if (isDense(options)) options.layers = std::max<int64_t>(options.layers, 4);
    return options;
}

/// A model whose down matrices have several whole bands of rows (kernels/regroup.h).
inline TinyModelOptions regroupedSmallThinker() {
    return {.architecture = "smallthinker", .layers = 2, .width = 256, .experts = 6, .window = 8, .tied = false};
}

/// For TinyModelOptions::typeOf: experts of every other layer are larger, as their down matrices have another format.
inline engine::TensorType downMatricesOfTwoFormats(const std::string& name) {
    const bool larger = name.find("ffn_down_exps") != name.npos && (name[4] - '0') % 2 == 0; // "blk.0."
    return larger ? engine::TensorType::F32 : engine::TensorType::Q8_0;
}

/// The model with its matrices in this format, wide enough for whole blocks of it.
inline TinyModelOptions inFormat(TinyModelOptions options, engine::TensorType type) {
    options.type = type;
    const int64_t block = engine::traits(type).blockElements;
    if (block <= 32) return options;
    options.width = options.feedForward = options.sharedFeedForward = block;
    options.denseFeedForward = 2 * block;
    options.headDim = block / options.heads; // the attention's output reads all heads
    options.stateSize = block / options.valueHeads;
    options.experts = std::min<int64_t>(options.experts, 4);
    options.layers = std::min<int64_t>(options.layers, 2);
    options.windowHeadDim = options.headDim;
    if (options.layerEmbedding > 0) options.layerEmbedding = block;
    options.sharedLayers = std::min(options.sharedLayers, options.layers - 1);
    if (options.transposedDown) options.feedForward *= 2; // a square matrix does not show how it is stored
    return options;
}

/// Formats mixed as in published files: K-quants for most tensors, a finer one where errors add up, floats if the width
/// is no multiple of 256.
inline engine::TensorType mixedType(const std::string& name) {
    using enum engine::TensorType;
    const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
    if (has("attn_v") || has("ffn_down")) return Q6_K;
    if (has("token_embd")) return Q5_0;
    if (has("ffn_gate")) return MXFP4;
    if (has("ffn_up")) return IQ4_XS;
    return has("attn_k") ? F16 : Q4_K;
}

/// Formats with codebooks mixed as in published files of few bits. The second layer's experts are in other formats than
/// the first one's, so they have other sizes.
inline engine::TensorType fewBitsType(const std::string& name) {
    using enum engine::TensorType;
    const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
    const bool second = has("blk.1.");
    if (has("token_embd")) return IQ3_S;
    if (has("ffn_down")) return second ? IQ3_XXS : IQ3_S;
    if (has("ffn_gate")) return second ? IQ2_XS : IQ2_XXS;
    if (has("ffn_up")) return second ? IQ1_M : IQ2_S;
    if (has("attn_v")) return Q4_K;
    return has("attn_output") ? IQ4_XS : IQ1_S;
}

} // namespace coterie::test
