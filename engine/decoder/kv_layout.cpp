// SPDX-License-Identifier: Apache-2.0
// See kv_layout.h.
#include "decoder/kv_layout.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// A chunk is written before its first token reads earlier positions, so the ring needs room for both.
int64_t capacityOf(const AttentionShape& attention, int64_t context, int64_t chunk) {
    return attention.window == 0 ? context : std::min(context, attention.window + chunk);
}

/// The layer's place, except for its offset. A layer without attention has no positions.
KvLayout::Layer placeOf(const LayerShape& layer, TensorType format, int64_t context, int64_t chunk) {
    if (!layer.hasAttention()) return {};
    const AttentionShape& attention = layer.attention;
    return {.offset = 0,
            .capacity = capacityOf(attention, context, chunk),
            .window = attention.window,
            .kvHeads = attention.kvHeads,
            .headDim = attention.headDim,
            .rowBytes = static_cast<int64_t>(rowBytes(format, static_cast<uint64_t>(attention.headDim)))};
}

} // namespace

SaturatingBytes KvLayout::bytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) {
    SaturatingBytes bytes = 0;
    for (const LayerShape& layer : shape.layer) {
        if (!layer.attention.hasKeys()) continue;
        const Layer place = placeOf(layer, format, context, chunk);
        bytes +=
            SaturatingBytes(static_cast<uint64_t>(place.capacity)) * static_cast<uint64_t>(2 * place.positionBytes());
    }
    return bytes;
}

KvLayout::KvLayout(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) : format_(format) {
    uint64_t offset = 0;
    for (const LayerShape& layer : shape.layer) {
        if (!layer.attention.hasKeys()) {
            layers_.push_back(layers_[static_cast<size_t>(layer.attention.keysOf)]);
            layers_.back().ownsRoom = false;
            continue;
        }
        Layer place = placeOf(layer, format, context, chunk);
        place.offset = offset;
        layers_.push_back(place);
        offset += 2 * place.keyBytes();
    }
}

uint64_t KvLayout::bytesUpTo(int64_t end) const {
    uint64_t bytes = 0;
    for (const Layer& layer : layers_)
        if (layer.ownsRoom) bytes += static_cast<uint64_t>(std::min(end, layer.capacity) * 2 * layer.positionBytes());
    return bytes;
}

bool KvLayout::keeps(int64_t position, int64_t highest) const {
    return position > 0 && std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
               return layer.keeps(position, highest - layer.capacity);
           });
}

} // namespace coterie::engine
