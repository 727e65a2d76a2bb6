// SPDX-License-Identifier: Apache-2.0
// Sizes of published models, from their configurations, for files that are measured. Where a model's layers of one kind
// lie at irregular places, or full layers have fewer heads of keys, a regular choice stands for them.
#include "support/tiny_model.h"

namespace coterie::test {
namespace {

struct PublishedShape {
    const char* name;
    TinyModelOptions options;
};

TinyModelOptions gemma4Small(TinyModelOptions options) {
    options.architecture = "gemma4";
    options.heads = 8, options.headDim = 512, options.windowHeadDim = 256;
    options.vocabulary = 262144, options.context = 131072, options.window = 512;
    options.alikeKeys = true, options.layerEmbedding = 256, options.logitCap = 30;
    return options;
}

TinyModelOptions gemma4WithExperts() {
    return {.architecture = "gemma4",
            .layers = 30,
            .width = 2816,
            .heads = 16,
            .kvHeads = 8,
            .headDim = 512,
            .feedForward = 704,
            .experts = 128,
            .expertsPerToken = 8,
            .denseFeedForward = 2112,
            .vocabulary = 262144,
            .context = 131072,
            .window = 1024,
            .expertsBeside = true,
            .windowHeadDim = 256,
            .windowPeriod = 6,
            .logitCap = 30};
}

TinyModelOptions gemma3() {
    return {.architecture = "gemma3",
            .layers = 34,
            .width = 2560,
            .heads = 8,
            .kvHeads = 4,
            .headDim = 256,
            .feedForward = 10240,
            .vocabulary = 262208,
            .context = 131072,
            .window = 1024};
}

/// Sets what the models of Qwen 3.5 and later have alike.
TinyModelOptions qwen35(TinyModelOptions options) {
    if (options.architecture == "llama") options.architecture = "qwen35";
    options.headDim = 256, options.ropeDimensions = 64;
    options.keyHeads = 16, options.stateSize = 128, options.attentionInterval = 4;
    options.vocabulary = 248320, options.context = 262144;
    return options;
}

TinyModelOptions qwen35WithExperts() {
    return qwen35({.architecture = "qwen35moe",
                   .layers = 40,
                   .width = 2048,
                   .heads = 16,
                   .kvHeads = 2,
                   .feedForward = 512,
                   .experts = 256,
                   .expertsPerToken = 8,
                   .sharedFeedForward = 512,
                   .valueHeads = 32,
                   .tied = false});
}

TinyModelOptions qwen35Large() {
    return qwen35({.layers = 64,
                   .width = 5120,
                   .heads = 24,
                   .kvHeads = 4,
                   .feedForward = 17408,
                   .valueHeads = 48,
                   .tied = false});
}

TinyModelOptions qwen35Small() {
    return qwen35({.layers = 32, .width = 2560, .heads = 16, .kvHeads = 4, .feedForward = 9216, .valueHeads = 32});
}

/// Sets what the models of LFM2 have alike.
TinyModelOptions lfm2(TinyModelOptions options) {
    options.width = 2048, options.heads = 32, options.kvHeads = 8, options.headDim = 64;
    options.taps = 3, options.vocabulary = 65536, options.context = 128000;
    return options;
}

TinyModelOptions lfm2WithExperts() {
    return lfm2({.architecture = "lfm2moe",
                 .layers = 24,
                 .feedForward = 1792,
                 .experts = 32,
                 .expertsPerToken = 4,
                 .leadingDense = 2,
                 .denseFeedForward = 7168,
                 .weightsScale = 1,
                 .attentionInterval = 4});
}

const std::vector<PublishedShape>& shapes() {
    static const std::vector<PublishedShape> all{
        {"gemma3-4b", gemma3()},
        {"gemma4-e2b",
         gemma4Small(
             {.layers = 35, .width = 1536, .kvHeads = 1, .feedForward = 6144, .sharedLayers = 20, .windowPeriod = 5})},
        {"gemma4-e4b", gemma4Small({.layers = 42,
                                    .width = 2560,
                                    .kvHeads = 2,
                                    .feedForward = 10240,
                                    .sharedLayers = 18,
                                    .sharedAreWider = false,
                                    .windowPeriod = 6})},
        {"gemma4-26b-a4b", gemma4WithExperts()},
        {"lfm2-1.2b", lfm2({.architecture = "lfm2", .layers = 16, .feedForward = 8192, .attentionInterval = 3})},
        {"lfm2-8b-a1b", lfm2WithExperts()},
        {"qwen3.5-4b", qwen35Small()},
        {"qwen3.6-35b-a3b", qwen35WithExperts()},
        {"qwen3.8-27b", qwen35Large()},
    };
    return all;
}

} // namespace

std::optional<TinyModelOptions> publishedShape(const std::string& name) {
    for (const PublishedShape& shape : shapes())
        if (shape.name == name) return shape.options;
    return std::nullopt;
}

std::vector<std::string> publishedShapes() {
    std::vector<std::string> names;
    for (const PublishedShape& shape : shapes()) names.emplace_back(shape.name);
    return names;
}

} // namespace coterie::test
