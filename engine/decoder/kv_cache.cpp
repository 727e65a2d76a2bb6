// SPDX-License-Identifier: Apache-2.0
// See kv_cache.h.
#include "decoder/kv_cache.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// A chunk is written before its first token reads earlier positions, so the ring needs room for both.
int64_t capacityOf(const LayerShape& layer, int64_t context, int64_t chunk) {
    return layer.window == 0 ? context : std::min(context, layer.window + chunk);
}

uint64_t headBytes(const ModelShape& shape, TensorType format) {
    return rowBytes(format, static_cast<uint64_t>(shape.headDim));
}

/// Bytes of the keys and values of one position in one layer.
SaturatingBytes bytesPerPosition(const ModelShape& shape, TensorType format) {
    return SaturatingBytes(headBytes(shape, format)) * static_cast<uint64_t>(shape.kvHeads) * 2;
}

} // namespace

Status KvCache::checkFormat(const ModelShape& shape, TensorType format) {
    const TypeTraits type = traits(format);
    if (shape.headDim % type.blockElements == 0) return {};
    return Error{ErrorKind::Unsupported,
                 {"This model can't have a KV cache in %1", type.name},
                 {"Its heads have %1 values, which is not a multiple of %2", shape.headDim, type.blockElements},
                 "Choose a KV cache in F16"};
}

SaturatingBytes KvCache::bytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) {
    SaturatingBytes positions = 0;
    for (const LayerShape& layer : shape.layer) positions += static_cast<uint64_t>(capacityOf(layer, context, chunk));
    return positions * bytesPerPosition(shape, format);
}

Result<KvCache> KvCache::create(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) {
    Result<Buffer> buffer =
        Buffer::allocate(bytesNeeded(shape, format, context, chunk).value(), "There is no memory for the KV cache");
    if (!buffer) return buffer.error();
    KvCache cache;
    cache.buffer_ = std::move(buffer).value();
    cache.format_ = format;
    cache.kvHeads_ = shape.kvHeads;
    cache.headDim_ = shape.headDim;
    cache.rowBytes_ = static_cast<int64_t>(headBytes(shape, format));
    uint64_t offset = 0;
    for (const LayerShape& layer : shape.layer) {
        const int64_t capacity = capacityOf(layer, context, chunk);
        cache.layers_.push_back({.offset = offset, .capacity = capacity, .window = layer.window});
        offset += static_cast<uint64_t>(capacity) * bytesPerPosition(shape, format).value();
    }
    return cache;
}

KvCache::KvCache(KvCache&& other) noexcept { *this = std::move(other); }

KvCache& KvCache::operator=(KvCache&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    layers_ = std::move(other.layers_);
    format_ = other.format_;
    kvHeads_ = other.kvHeads_;
    headDim_ = other.headDim_;
    rowBytes_ = other.rowBytes_;
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
    touched_.store(positions * static_cast<uint64_t>(kvHeads_ * rowBytes_) * 2, std::memory_order_relaxed);
}

uint64_t KvCache::headStart(const Layer& layer, int64_t kvHead) const {
    return layer.offset + static_cast<uint64_t>(kvHead * layer.capacity * rowBytes_);
}

uint64_t KvCache::valuesAfterKeys(const Layer& layer) const {
    return static_cast<uint64_t>(kvHeads_ * layer.capacity * rowBytes_);
}

void KvCache::store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value) {
    const Layer& at = layers_[static_cast<size_t>(layer)];
    const uint64_t slot = static_cast<uint64_t>(position % at.capacity * rowBytes_);
    for (int64_t head = 0; head < kvHeads_; ++head) {
        std::byte* out = buffer_.data() + headStart(at, head) + slot;
        kernels.compressRow(format_, key + head * headDim_, headDim_, out);
        kernels.compressRow(format_, value + head * headDim_, headDim_, out + valuesAfterKeys(at));
    }
}

std::array<KvCache::Segment, 2> KvCache::read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const {
    const Layer& at = layers_[static_cast<size_t>(layer)];
    const std::byte* keys = buffer_.data() + headStart(at, kvHead);
    const std::byte* values = keys + valuesAfterKeys(at);
    const int64_t slot = begin % at.capacity;
    const int64_t first = std::min(end - begin, at.capacity - slot);
    return {Segment{keys + slot * rowBytes_, values + slot * rowBytes_, first},
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
