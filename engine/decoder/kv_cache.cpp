// SPDX-License-Identifier: Apache-2.0
// See kv_cache.h.
#include "decoder/kv_cache.h"

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
    cache.layout_ = KvLayout(shape, format, context, chunk);
    return cache;
}

KvCache::KvCache(KvCache&& other) noexcept { *this = std::move(other); }

KvCache& KvCache::operator=(KvCache&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    layout_ = std::move(other.layout_);
    highest_ = other.highest_;
    mostEver_ = other.mostEver_;
    touched_.store(other.touched_.load());
    return *this;
}

void KvCache::extend(int64_t end) {
    highest_ = std::max(highest_, end);
    if (highest_ <= mostEver_) return;
    mostEver_ = highest_;
    touched_.store(layout_.bytesUpTo(mostEver_), std::memory_order_relaxed);
}

uint64_t KvCache::headStart(const KvLayout::Layer& layer, int64_t kvHead) {
    return layer.offset + static_cast<uint64_t>(kvHead * layer.capacity * layer.rowBytes);
}

void KvCache::store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value) {
    const KvLayout::Layer& at = layout_.layer(layer);
    const uint64_t slot = static_cast<uint64_t>(position % at.capacity * at.rowBytes);
    const int64_t n = at.headDim;
    for (int64_t head = 0; head < at.kvHeads; ++head) {
        std::byte* out = buffer_.data() + headStart(at, head) + slot;
        kernels.compressRow(layout_.format(), key + head * n, n, out);
        kernels.compressRow(layout_.format(), value + head * n, n, out + at.keyBytes());
    }
}

std::array<KvCache::Segment, 2> KvCache::read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const {
    const KvLayout::Layer& at = layout_.layer(layer);
    const std::byte* keys = buffer_.data() + headStart(at, kvHead);
    const std::byte* values = keys + at.keyBytes();
    const int64_t slot = begin % at.capacity, row = at.rowBytes;
    const int64_t first = std::min(end - begin, at.capacity - slot);
    return {Segment{keys + slot * row, values + slot * row, first}, Segment{keys, values, end - begin - first}};
}

int64_t KvCache::rewind(int64_t position) {
    if (keeps(position)) return position;
    highest_ = 0;
    return 0;
}

} // namespace coterie::engine
