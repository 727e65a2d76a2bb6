// SPDX-License-Identifier: Apache-2.0
// See kv_layout.h.
#include "decoder/kv_layout.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// A chunk is written before its first token reads earlier positions, so the ring needs room for both.
int64_t capacityOf(const LayerShape& layer, int64_t context, int64_t chunk) {
    return layer.window == 0 ? context : std::min(context, layer.window + chunk);
}

uint64_t headBytes(const ModelShape& shape, TensorType format) {
    return engine::rowBytes(format, static_cast<uint64_t>(shape.headDim));
}

/// Bytes of the keys and values of one position in one layer.
SaturatingBytes bytesPerPosition(const ModelShape& shape, TensorType format) {
    return SaturatingBytes(headBytes(shape, format)) * static_cast<uint64_t>(shape.kvHeads) * 2;
}

} // namespace

SaturatingBytes KvLayout::bytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) {
    SaturatingBytes positions = 0;
    for (const LayerShape& layer : shape.layer) positions += static_cast<uint64_t>(capacityOf(layer, context, chunk));
    return positions * bytesPerPosition(shape, format);
}

KvLayout::KvLayout(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk)
    : format_(format), kvHeads_(shape.kvHeads), headDim_(shape.headDim),
      rowBytes_(static_cast<int64_t>(headBytes(shape, format))) {
    uint64_t offset = 0;
    for (const LayerShape& layer : shape.layer) {
        const int64_t capacity = capacityOf(layer, context, chunk);
        layers_.push_back({.offset = offset, .capacity = capacity, .window = layer.window});
        offset += static_cast<uint64_t>(capacity) * bytesPerPosition(shape, format).value();
    }
}

uint64_t KvLayout::bytesUpTo(int64_t end) const {
    uint64_t positions = 0;
    for (const Layer& layer : layers_) positions += static_cast<uint64_t>(std::min(end, layer.capacity));
    return positions * static_cast<uint64_t>(kvHeads_ * rowBytes_) * 2;
}

bool KvLayout::keeps(int64_t position, int64_t highest) const {
    return position > 0 && std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
               if (layer.window == 0) return true;
               const int64_t oldestNeeded = std::max<int64_t>(0, position - layer.window + 1);
               return highest - layer.capacity <= oldestNeeded;
           });
}

} // namespace coterie::engine
