// SPDX-License-Identifier: Apache-2.0
// Keys and values of past tokens, in half precision or in Q8_0, as kv_layout.h draws them. While long chunks are
// computed, the rings are longer and lie in memory that others lend. One thread at a time may use it; touchedBytes()
// may be called from any thread. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "decoder/kv_layout.h"

#include <array>
#include <atomic>
#include <span>
#include <vector>

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
    /// Bytes that lengthen() takes.
    static SaturatingBytes longBytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk,
                                           int64_t longChunk);
    KvCache() = default;
    KvCache(KvCache&& other) noexcept;
    KvCache& operator=(KvCache&& other) noexcept;

    /// Moves the rings to `memory`, where they have room for chunks of so many tokens, until shorten(). Positions from
    /// `end` on are lost. memory: longBytesNeeded(), from any address on. shape, context: those of create().
    void lengthen(const ModelShape& shape, int64_t context, int64_t longChunk, int64_t end,
                  std::span<std::byte> memory);
    /// Moves the rings back. Positions from `end` on are lost, and old ones that they have no room for.
    void shorten(int64_t end);

    /// Announces that tokens up to `end` are about to be written. Call it before store().
    void extend(int64_t end);
    /// key, value: [kvHeads * headDim].
    void store(const KernelTable& kernels, int64_t layer, int64_t position, const float* key, const float* value);
    /// Positions [begin, end) of one head. They are in two pieces if the ring wraps between them; else the second is
    /// empty.
    std::array<Segment, 2> read(int64_t layer, int64_t kvHead, int64_t begin, int64_t end) const;

    /// Whether the first `position` tokens can be gone on from.
    bool keeps(int64_t position) const;
    /// Forgets the tokens after the first `position` ones and returns how many are kept: all of these, or none if a
    /// ring has overwritten what they need.
    int64_t rewind(int64_t position);
    uint64_t touchedBytes() const { return touched_.load(std::memory_order_relaxed); }
    TensorType format() const { return layout_.format(); }
    /// Bytes of a row of the layer.
    int64_t rowBytes(int64_t layer) const { return layout_.layer(layer).rowBytes; }

  private:
    /// A layer's ring, or its keys and values of the whole context.
    struct Place {
        std::byte* start = nullptr;
        size_t layer = 0;   // the layer that it belongs to: another one if that layer's keys and values are used
        int64_t oldest = 0; // the first position of a ring that is there
    };

    std::byte* headStart(int64_t layer, int64_t kvHead) const;
    void moveRing(size_t layer, const KvLayout::Layer& to, int64_t end, std::byte* start);

    Buffer buffer_;
    KvLayout usual_, layout_;   // layout_: as it is now
    std::vector<Place> places_; // [layers]
    int64_t mostEver_ = 0;
    std::atomic<uint64_t> touched_{0};
};

} // namespace coterie::engine
