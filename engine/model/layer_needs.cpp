// SPDX-License-Identifier: Apache-2.0
// See layer_needs.h.
#include "model/layer_needs.h"

#include "model/model_shape.h"

#include <cmath>

namespace coterie::engine {
namespace {

bool has(const ModelShape& shape, const LayerShape& layer, LayerNeed need) {
    const AttentionShape& attention = layer.attention;
    switch (need) {
    case LayerNeed::GatedAttention:
        return layer.hasAttention() && attention.gated;
    case LayerNeed::DeltaRule:
        return layer.mixer == Mixer::DeltaRule;
    case LayerNeed::ShortConvolution:
        return layer.mixer == Mixer::ShortConvolution;
    case LayerNeed::Gelu:
        return shape.activation == Activation::GeGlu;
    case LayerNeed::OutputNorms:
        return layer.outputNorms;
    case LayerNeed::SoftCaps:
        return shape.logitCap != 0 || (layer.hasAttention() && attention.scoreCap != 0);
    case LayerNeed::ScoreScale:
        return layer.hasAttention() && attention.scale != 1.0f / std::sqrt(static_cast<float>(attention.headDim));
    case LayerNeed::EmbeddingScale:
        return shape.embeddingScale != 1;
    case LayerNeed::OwnRotations:
        return layer.hasAttention() && attention.ownRotation;
    case LayerNeed::SharedKeys:
        return layer.hasAttention() && !attention.hasKeys();
    case LayerNeed::KeysAsValues:
        return layer.hasAttention() && attention.keysAreValues;
    case LayerNeed::ValueNorms:
        return layer.hasAttention() && attention.normsValues;
    case LayerNeed::DenseBesideExperts:
        return layer.feedForward.denseBeside;
    case LayerNeed::OutputScales:
        return layer.outputScale;
    case LayerNeed::LayerEmbeddings:
        return shape.layerEmbedding != 0;
    }
    return false;
}

Sentence nameOf(LayerNeed need) {
    switch (need) {
    case LayerNeed::GatedAttention:
        return "gates on attention";
    case LayerNeed::DeltaRule:
        return "the gated delta rule";
    case LayerNeed::ShortConvolution:
        return "short convolutions";
    case LayerNeed::Gelu:
        return "GELU";
    case LayerNeed::OutputNorms:
        return "norms of outputs";
    case LayerNeed::SoftCaps:
        return "soft caps";
    case LayerNeed::ScoreScale:
        return "a scale of scores";
    case LayerNeed::EmbeddingScale:
        return "a scale of the embedding";
    case LayerNeed::OwnRotations:
        return "rotations by layer";
    case LayerNeed::SharedKeys:
        return "keys of earlier layers";
    case LayerNeed::KeysAsValues:
        return "keys as values";
    case LayerNeed::ValueNorms:
        return "norms of values";
    case LayerNeed::DenseBesideExperts:
        return "a dense part beside experts";
    case LayerNeed::OutputScales:
        return "scales of layers";
    case LayerNeed::LayerEmbeddings:
        break;
    }
    return "embeddings by layer";
}

} // namespace

std::vector<LayerNeed> needsAmong(std::span<const LayerNeed> lacks, const ModelShape& shape) {
    std::vector<LayerNeed> needs;
    for (const LayerNeed need : lacks)
        if (shape.countOf([&](const LayerShape& layer) { return has(shape, layer, need); }) != 0) needs.push_back(need);
    return needs;
}

Sentence namesOf(std::span<const LayerNeed> needs) {
    Sentence names;
    for (const LayerNeed need : needs) {
        if (names.empty())
            names = nameOf(need);
        else
            names = Sentence("%1, %2", names, nameOf(need));
    }
    return names;
}

} // namespace coterie::engine
