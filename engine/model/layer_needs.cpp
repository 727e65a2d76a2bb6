// SPDX-License-Identifier: Apache-2.0
// See layer_needs.h.
#include "model/layer_needs.h"

#include "model/model_shape.h"

#include <cmath>

namespace coterie::engine {
namespace {

using Model = const ModelShape&;
using Layer = const LayerShape&;

struct Need {
    Sentence name;
    bool (*isOf)(Model, Layer);
};

const Need& needOf(LayerNeed need) {
    static const Need needs[] = {
        // By LayerNeed.
        {"gates on attention", [](Model, Layer l) { return l.hasAttention() && l.attention.gated; }},
        {"the gated delta rule", [](Model, Layer l) { return l.mixer == Mixer::DeltaRule; }},
        {"short convolutions", [](Model, Layer l) { return l.mixer == Mixer::ShortConvolution; }},
        {"GELU", [](Model m, Layer) { return m.activation == Activation::GeGlu; }},
        {"norms of outputs", [](Model, Layer l) { return l.outputNorms; }},
        {"soft caps",
         [](Model m, Layer l) { return m.logitCap != 0 || (l.hasAttention() && l.attention.scoreCap != 0); }},
        {"a scale of scores",
         [](Model, Layer l) {
             return l.hasAttention() && l.attention.scale != 1.0f / std::sqrt(static_cast<float>(l.attention.headDim));
         }},
        {"a scale of the embedding", [](Model m, Layer) { return m.embeddingScale != 1; }},
        {"rotations by layer", [](Model, Layer l) { return l.hasAttention() && l.attention.ownRotation; }},
        {"keys of earlier layers", [](Model, Layer l) { return l.hasAttention() && !l.attention.hasKeys(); }},
        {"keys as values", [](Model, Layer l) { return l.hasAttention() && l.attention.keysAreValues; }},
        {"norms of values", [](Model, Layer l) { return l.hasAttention() && l.attention.normsValues; }},
        {"a dense part beside experts", [](Model, Layer l) { return l.feedForward.denseBeside; }},
        {"gate and up of experts in one tensor", [](Model, Layer l) { return l.feedForward.joined; }},
        {"scales of layers", [](Model, Layer l) { return l.outputScale; }},
        {"embeddings by layer", [](Model m, Layer) { return m.layerEmbedding != 0; }},
    };
    return needs[static_cast<size_t>(need)];
}

} // namespace

std::vector<LayerNeed> needsAmong(std::span<const LayerNeed> lacks, const ModelShape& shape) {
    std::vector<LayerNeed> needs;
    for (const LayerNeed need : lacks)
        if (shape.countOf([&](const LayerShape& layer) { return needOf(need).isOf(shape, layer); }) != 0)
            needs.push_back(need);
    return needs;
}

Sentence namesOf(std::span<const LayerNeed> needs) {
    Sentence names;
    for (const LayerNeed need : needs) {
        if (names.empty())
            names = needOf(need).name;
        else
            names = Sentence("%1, %2", names, needOf(need).name);
    }
    return names;
}

} // namespace coterie::engine
