// SPDX-License-Identifier: Apache-2.0
// Needs of a model and its layers that not every device computes. A device names in its abilities what it lacks
// (decoder/device_info.h); the CPU lacks nothing.
#pragma once

#include "base/sentence.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

struct ModelShape;

enum class LayerNeed : uint8_t {
    GatedAttention,     ///< AttentionShape::gated
    DeltaRule,          ///< Mixer::DeltaRule
    ShortConvolution,   ///< Mixer::ShortConvolution
    Gelu,               ///< Activation::GeGlu
    OutputNorms,        ///< LayerShape::outputNorms
    SoftCaps,           ///< AttentionShape::scoreCap, ModelShape::logitCap
    ScoreScale,         ///< AttentionShape::scale is not 1 / sqrt(headDim)
    EmbeddingScale,     ///< ModelShape::embeddingScale
    OwnRotations,       ///< AttentionShape::ownRotation
    SharedKeys,         ///< AttentionShape::keysOf
    KeysAsValues,       ///< AttentionShape::keysAreValues
    ValueNorms,         ///< AttentionShape::normsValues
    DenseBesideExperts, ///< FeedForwardShape::denseBeside
    JoinedExperts,      ///< FeedForwardShape::joined
    OutputScales,       ///< LayerShape::outputScale
    LayerEmbeddings,    ///< ModelShape::layerEmbedding
};

/// The needs of the model's layers that are among these, each once.
std::vector<LayerNeed> needsAmong(std::span<const LayerNeed> lacks, const ModelShape& shape);
/// Their names for people: "gates on attention, the gated delta rule".
Sentence namesOf(std::span<const LayerNeed> needs);

} // namespace coterie::engine
