// SPDX-License-Identifier: Apache-2.0
// Keys and values of past tokens, in half precision or in Q8_0, as kv_layout.h draws them. One thread at a time may use
// it; touchedBytes() may be called from any thread. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "decoder/kv_layout.h"

#include <array>
#include <atomic>

namespace coterie::engine {

class KvCache {
  public:
    /// Positions that follow each other in memory, oldest first.
    struct Segment {
        const std::byte* keys = nullptr;   // [count, rowBytes]
        const std::byte* values = nullptr; // [count, rowBytes]
        int64_t count = 0;
    };

    /// format: one that checkFormat() accepts.
    static Result<KvCache> create(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk);
    /// Unsupported if a head is not a whole number of blocks.
    static Status checkFormat(const ModelShape& shape, TensorType format);
    KvCache() = default;
    KvCache(KvCache&& other) noexcept;
    KvCache& operator=(KvCache&& other) noexcept;

    /// Announces that tokens up to `end` are about to be written. Call it before store().
    void extend(int64_t end);
    /// key, value: [kvHeads * headDim].
    void store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value);
    /// Positions [begin, end) of one head. They are in two pieces if the ring wraps between them; else the second is
    /// empty.
    std::array<Segment, 2> read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const;

    /// Whether the first `position` tokens can be gone on from.
    bool keeps(int64_t position) const { return layout_.keeps(position, highest_); }
    /// Forgets the tokens after the first `position` ones and returns how many are kept: all of these, or none if a
    /// ring has overwritten what they need.
    int64_t rewind(int64_t position);
    uint64_t touchedBytes() const { return touched_.load(std::memory_order_relaxed); }
    TensorType format() const { return layout_.format(); }
    /// Bytes of a row of the layer.
    int64_t rowBytes(int64_t layer) const { return layout_.layer(layer).rowBytes; }

  private:
    /// The offset of a head's keys in the buffer.
    static uint64_t headStart(const KvLayout::Layer& layer, int64_t kvHead);

    Buffer buffer_;
    KvLayout layout_;
    int64_t highest_ = 0; // one after the last position that was written since the cache was empty
    int64_t mostEver_ = 0;
    std::atomic<uint64_t> touched_{0};
};

} // namespace coterie::engine
