// SPDX-License-Identifier: Apache-2.0
// See kv_cache.h.
#include "decoder/kv_cache.h"

#include "base/memory.h"
#include "base/rounding.h"

#include <algorithm>

namespace coterie::engine {

Status KvCache::checkFormat(const ModelShape& shape, TensorType format) {
    const TypeTraits type = traits(format);
    for (const LayerShape& layer : shape.layer)
        if (layer.hasAttention() && layer.attention.headDim % type.blockElements != 0)
            return Error{ErrorKind::Unsupported,
                         {"This model can't have a KV cache in %1", type.name},
                         {"Its heads have %1 values, which is not a multiple of %2", layer.attention.headDim,
                          type.blockElements},
                         "Choose a KV cache in F16"};
    return {};
}

Result<KvCache> KvCache::create(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk) {
    Result<Buffer> buffer = Buffer::allocate(KvLayout::bytesNeeded(shape, format, context, chunk).value(),
                                             "There is no memory for the KV cache");
    if (!buffer) return buffer.error();
    KvCache cache;
    cache.buffer_ = std::move(buffer).value();
    cache.usual_ = cache.layout_ = KvLayout(shape, format, context, chunk);
    for (size_t i = 0; i < shape.layer.size(); ++i) {
        const AttentionShape& attention = shape.layer[i].attention;
        cache.places_.push_back({.start = cache.buffer_.data() + cache.usual_.layer(static_cast<int64_t>(i)).offset,
                                 .layer = attention.hasKeys() ? i : static_cast<size_t>(attention.keysOf)});
    }
    return cache;
}

SaturatingBytes KvCache::longBytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk,
                                         int64_t longChunk) {
    const KvLayout usual(shape, format, context, chunk), longer(shape, format, context, longChunk);
    SaturatingBytes bytes = 0;
    for (int64_t i = 0; i < shape.layers; ++i)
        if (longer.layer(i).ownsRoom && longer.layer(i).capacity != usual.layer(i).capacity)
            bytes += 2 * longer.layer(i).keyBytes();
    return bytes.value() == 0 ? bytes : bytes + kLineBytes;
}

void KvCache::lengthen(const ModelShape& shape, int64_t context, int64_t longChunk, int64_t end,
                       std::span<std::byte> memory) {
    const KvLayout longer(shape, layout_.format(), context, longChunk);
    const auto address = reinterpret_cast<uintptr_t>(memory.data());
    std::byte* next = memory.data() + (roundUp(address, kLineBytes) - address);
    for (size_t i = 0; i < places_.size(); ++i) {
        const KvLayout::Layer& to = longer.layer(static_cast<int64_t>(i));
        if (!to.ownsRoom || to.capacity == layout_.layer(static_cast<int64_t>(i)).capacity) continue;
        moveRing(i, to, end, next);
        next += 2 * to.keyBytes();
    }
    layout_ = longer;
}

void KvCache::shorten(int64_t end) {
    for (size_t i = 0; i < places_.size(); ++i) {
        const KvLayout::Layer& to = usual_.layer(static_cast<int64_t>(i));
        if (to.ownsRoom && to.capacity != layout_.layer(static_cast<int64_t>(i)).capacity)
            moveRing(i, to, end, buffer_.data() + to.offset);
    }
    layout_ = usual_;
}

/// Copies the rows before `end` in runs that wrap in neither ring.
void KvCache::moveRing(size_t layer, const KvLayout::Layer& to, int64_t end, std::byte* start) {
    Place& place = places_[layer];
    const KvLayout::Layer& from = layout_.layer(static_cast<int64_t>(layer));
    place.oldest = std::max({place.oldest, end - from.capacity, end - to.capacity});
    for (int64_t head = 0; head < 2 * to.kvHeads; ++head) { // the values' heads follow the keys'
        const std::byte* old = place.start + head * from.capacity * from.rowBytes;
        std::byte* now = start + head * to.capacity * to.rowBytes;
        for (int64_t p = place.oldest, n = 0; p < end; p += n) {
            const int64_t at = p % from.capacity, slot = p % to.capacity;
            n = std::min({end - p, from.capacity - at, to.capacity - slot});
            std::copy_n(old + at * to.rowBytes, n * to.rowBytes, now + slot * to.rowBytes);
        }
    }
    place.start = start;
}

KvCache::KvCache(KvCache&& other) noexcept { *this = std::move(other); }

KvCache& KvCache::operator=(KvCache&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    usual_ = std::move(other.usual_);
    layout_ = std::move(other.layout_);
    places_ = std::move(other.places_);
    mostEver_ = other.mostEver_;
    touched_.store(other.touched_.load());
    return *this;
}

void KvCache::extend(int64_t end) {
    for (size_t i = 0; i < places_.size(); ++i)
        places_[i].oldest = std::max(places_[i].oldest, end - layout_.layer(static_cast<int64_t>(i)).capacity);
    if (end <= mostEver_) return;
    mostEver_ = end;
    touched_.store(usual_.bytesUpTo(mostEver_), std::memory_order_relaxed);
}

std::byte* KvCache::headStart(int64_t layer, int64_t kvHead) const {
    const KvLayout::Layer& at = layout_.layer(layer);
    return places_[places_[static_cast<size_t>(layer)].layer].start + kvHead * at.capacity * at.rowBytes;
}

void KvCache::store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value) {
    const KvLayout::Layer& at = layout_.layer(layer);
    const int64_t slot = position % at.capacity * at.rowBytes;
    const int64_t n = at.headDim;
    for (int64_t head = 0; head < at.kvHeads; ++head) {
        std::byte* out = headStart(layer, head) + slot;
        kernels.compressRow(layout_.format(), key + head * n, n, out);
        kernels.compressRow(layout_.format(), value + head * n, n, out + at.keyBytes());
    }
}

std::array<KvCache::Segment, 2> KvCache::read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const {
    const KvLayout::Layer& at = layout_.layer(layer);
    const std::byte* keys = headStart(layer, kvHead);
    const std::byte* values = keys + at.keyBytes();
    const int64_t slot = begin % at.capacity, row = at.rowBytes;
    const int64_t first = std::min(end - begin, at.capacity - slot);
    return {Segment{keys + slot * row, values + slot * row, first}, Segment{keys, values, end - begin - first}};
}

bool KvCache::keeps(int64_t position) const {
    for (size_t i = 0; i < places_.size(); ++i)
        if (!layout_.layer(static_cast<int64_t>(i)).keeps(position, places_[i].oldest)) return false;
    return position > 0;
}

int64_t KvCache::rewind(int64_t position) {
    if (keeps(position)) return position;
    for (Place& place : places_) place.oldest = 0;
    return 0;
}

} // namespace coterie::engine
