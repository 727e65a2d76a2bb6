// SPDX-License-Identifier: Apache-2.0
// Keys and values of past tokens, in half precision or in Q8_0. A layer with a sliding window keeps them in a ring of
// window + chunk positions, so its memory stops growing there. One thread at a time may use it; touchedBytes() may be
// called from any thread. Inside decoder/ only.
//
//   a layer:  keys [kvHeads, capacity] rows | values [kvHeads, capacity] rows      position p is at p % capacity
//   a row is one head of one position, in a format of GGUF files:
//     F16   headDim halves
//     Q8_0  headDim / 32 blocks of 34 bytes: | scale: half | q: int8 [32] |        1.06 bytes a value
//
// A block's scale is beside its values, so a position is read in one stream, like weights, and kernels share code.
#pragma once

#include "base/memory.h"
#include "model/model_shape.h"
#include "model/sizes.h"

#include <array>
#include <atomic>
#include <vector>

namespace coterie::engine {

class KvCache {
  public:
    /// Positions that follow each other in memory, oldest first.
    struct Segment {
        const std::byte* keys = nullptr;   // [count, rowBytes()]
        const std::byte* values = nullptr; // [count, rowBytes()]
        int64_t count = 0;
    };

    /// Bytes that a cache for `context` tokens holds once it is full; pages that were not touched cost nothing.
    static SaturatingBytes bytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk);
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

    /// Forgets the tokens after the first `position` ones and returns how many are kept: all of these, or none if a
    /// ring has overwritten what they need.
    int64_t rewind(int64_t position);
    uint64_t touchedBytes() const { return touched_.load(std::memory_order_relaxed); }
    TensorType format() const { return format_; }
    int64_t rowBytes() const { return rowBytes_; }

  private:
    struct Layer {
        uint64_t offset = 0; // begin of its keys in the buffer
        int64_t capacity = 0, window = 0;
    };
    /// The offset of a head's keys in the buffer, and the distance from there to its values.
    uint64_t headStart(const Layer& layer, int64_t kvHead) const;
    uint64_t valuesAfterKeys(const Layer& layer) const;

    Buffer buffer_;
    std::vector<Layer> layers_;
    TensorType format_ = TensorType::F16;
    int64_t kvHeads_ = 0, headDim_ = 0, rowBytes_ = 0;
    int64_t highest_ = 0; // one after the last position that was written since the cache was empty
    int64_t mostEver_ = 0;
    std::atomic<uint64_t> touched_{0};
};

} // namespace coterie::engine
