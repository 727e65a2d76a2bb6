// SPDX-License-Identifier: Apache-2.0
// See kv_cache.h.
#include "decoder/kv_cache.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// A chunk is written before its first token looks back, so the ring needs room for both.
int64_t capacityOf(const LayerShape& layer, int64_t context, int64_t chunk) {
    return layer.window == 0 ? context : std::min(context, layer.window + chunk);
}

/// Keys and values of one position in one layer, in halves.
Size halvesPerPosition(const ModelShape& shape) { return Size(static_cast<uint64_t>(shape.keyWidth())) * 2; }

} // namespace

Size KvCache::bytesNeeded(const ModelShape& shape, int64_t context, int64_t chunk) {
    Size positions = 0;
    for (const LayerShape& layer : shape.layer) positions += static_cast<uint64_t>(capacityOf(layer, context, chunk));
    return positions * halvesPerPosition(shape) * sizeof(uint16_t);
}

Result<KvCache> KvCache::create(const ModelShape& shape, int64_t context, int64_t chunk) {
    Result<Buffer> buffer = Buffer::allocate(bytesNeeded(shape, context, chunk).value(), "the KV cache");
    if (!buffer) return buffer.error();
    KvCache cache;
    cache.buffer_ = std::move(buffer).value();
    cache.kvHeads_ = shape.kvHeads;
    cache.headDim_ = shape.headDim;
    uint64_t offset = 0;
    for (const LayerShape& layer : shape.layer) {
        const int64_t capacity = capacityOf(layer, context, chunk);
        cache.layers_.push_back({.offset = offset, .capacity = capacity, .window = layer.window});
        offset += static_cast<uint64_t>(capacity) * halvesPerPosition(shape).value();
    }
    return cache;
}

KvCache::KvCache(KvCache&& other) noexcept { *this = std::move(other); }

KvCache& KvCache::operator=(KvCache&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    layers_ = std::move(other.layers_);
    kvHeads_ = other.kvHeads_;
    headDim_ = other.headDim_;
    highest_ = other.highest_;
    mostEver_ = other.mostEver_;
    touched_.store(other.touched_.load());
    return *this;
}

void KvCache::extend(int64_t end) {
    highest_ = std::max(highest_, end);
    if (highest_ <= mostEver_) return;
    mostEver_ = highest_;
    uint64_t positions = 0;
    for (const Layer& layer : layers_) positions += static_cast<uint64_t>(std::min(mostEver_, layer.capacity));
    touched_.store(positions * static_cast<uint64_t>(kvHeads_ * headDim_) * 2 * sizeof(uint16_t),
                   std::memory_order_relaxed);
}

uint64_t KvCache::headStart(const Layer& layer, int64_t kvHead) const {
    return layer.offset + static_cast<uint64_t>(kvHead * layer.capacity * headDim_);
}

void KvCache::store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value) {
    const Layer& at = layers_[static_cast<size_t>(layer)];
    const uint64_t valuesAfterKeys = static_cast<uint64_t>(kvHeads_ * at.capacity * headDim_);
    const uint64_t slot = static_cast<uint64_t>(position % at.capacity * headDim_);
    for (int64_t head = 0; head < kvHeads_; ++head) {
        uint16_t* out = buffer_.as<uint16_t>() + headStart(at, head) + slot;
        kernels.toHalf(key + head * headDim_, headDim_, out);
        kernels.toHalf(value + head * headDim_, headDim_, out + valuesAfterKeys);
    }
}

std::array<KvCache::Segment, 2> KvCache::read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const {
    const Layer& at = layers_[static_cast<size_t>(layer)];
    const uint16_t* keys = buffer_.as<uint16_t>() + headStart(at, kvHead);
    const uint16_t* values = keys + kvHeads_ * at.capacity * headDim_;
    const int64_t slot = begin % at.capacity;
    const int64_t first = std::min(end - begin, at.capacity - slot);
    return {Segment{keys + slot * headDim_, values + slot * headDim_, first},
            Segment{keys, values, end - begin - first}};
}

int64_t KvCache::rewind(int64_t position) {
    const bool kept = std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
        if (layer.window == 0) return true;
        const int64_t oldestNeeded = std::max<int64_t>(0, position - layer.window + 1);
        return highest_ - layer.capacity <= oldestNeeded;
    });
    if (kept && position > 0) return position;
    highest_ = 0;
    return 0;
}

} // namespace coterie::engine
