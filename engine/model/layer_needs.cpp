// SPDX-License-Identifier: Apache-2.0
// See layer_needs.h.
#include "model/layer_needs.h"

#include "model/model_shape.h"

namespace coterie::engine {
namespace {

bool has(const LayerShape& layer, LayerNeed need) {
    switch (need) {
    case LayerNeed::GatedAttention:
        return layer.hasAttention() && layer.attention.gated;
    case LayerNeed::DeltaRule:
        return layer.mixer == Mixer::DeltaRule;
    case LayerNeed::ShortConvolution:
        return layer.mixer == Mixer::ShortConvolution;
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
        break;
    }
    return "short convolutions";
}

} // namespace

std::vector<LayerNeed> needsAmong(std::span<const LayerNeed> lacks, const ModelShape& shape) {
    std::vector<LayerNeed> needs;
    for (const LayerNeed need : lacks)
        if (shape.countOf([need](const LayerShape& layer) { return has(layer, need); }) != 0) needs.push_back(need);
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
