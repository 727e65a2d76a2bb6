// SPDX-License-Identifier: Apache-2.0
// The places of keys and values in a KV cache, whichever processor reads and writes them. A layer with a sliding window
// keeps them in a ring of window + chunk positions, so its memory stops growing there. A layer without attention has
// room for none, and one that uses an earlier layer's keys and values has their place. Inside decoder/, and for
// backends.
//
//   a layer:  keys [kvHeads, capacity] rows | values [kvHeads, capacity] rows      position p is at p % capacity
//   a row is one head of one position, in a format of GGUF files:
//     F16   headDim halves
//     Q8_0  headDim / 32 blocks of 34 bytes: | scale: half | q: int8 [32] |        1.06 bytes a value
//
// A block's scale is beside its values, so a position is read in one stream, like weights, and kernels share code.
#pragma once

#include "model/model_shape.h"
#include "model/sizes.h"

#include <algorithm>
#include <vector>

namespace coterie::engine {

class KvLayout {
  public:
    struct Layer {
        uint64_t offset = 0;  ///< begin of its keys in a cache that holds all layers
        bool ownsRoom = true; ///< false: the place is another layer's, whose keys and values it reads
        int64_t capacity = 0, window = 0;
        int64_t kvHeads = 0, headDim = 0, rowBytes = 0; ///< rowBytes: a row's

        /// Bytes of one position's keys, and of its values.
        int64_t positionBytes() const { return kvHeads * rowBytes; }
        /// Bytes of its keys, and of its values.
        uint64_t keyBytes() const { return static_cast<uint64_t>(positionBytes() * capacity); }
        /// Whether the next token after the first `position` ones finds all that it needs, if the positions from
        /// `oldest` on are there.
        bool keeps(int64_t position, int64_t oldest) const {
            return window == 0 || oldest <= std::max<int64_t>(0, position - window + 1);
        }
    };

    /// Bytes of all layers; pages that were not touched cost nothing.
    static SaturatingBytes bytesNeeded(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk);
    KvLayout() = default;
    /// format: one that KvCache::checkFormat() accepts.
    KvLayout(const ModelShape& shape, TensorType format, int64_t context, int64_t chunk);

    const Layer& layer(int64_t index) const { return layers_[static_cast<size_t>(index)]; }
    /// Bytes of the positions before `end` in all layers.
    uint64_t bytesUpTo(int64_t end) const;
    /// Whether the first `position` tokens can be gone on from, after those before `highest` were written: if not, a
    /// ring has overwritten what they need.
    bool keeps(int64_t position, int64_t highest) const;

    TensorType format() const { return format_; }

  private:
    std::vector<Layer> layers_;
    TensorType format_ = TensorType::F16;
};

} // namespace coterie::engine
