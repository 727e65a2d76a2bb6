// SPDX-License-Identifier: Apache-2.0
// States of recurrent layers, which have one size however long a conversation is, and which can't be rewound: after n
// tokens a state knows nothing of n - 1. So copies are kept at some positions, to go on from there. A copy is one block
// of floats, with the layers one after the other:
//
//   a layer by the delta rule:  S [valueHeads, size, size] | history [taps - 1, channels], the oldest row first
//   a short convolution:        history [taps - 1, channels]
//
// The copies share one buffer with the two that a pass uses: it reads the committed one and writes the working one. A
// commit makes the working one the committed one, and to keep the committed one needs no more than a note: nothing is
// ever copied. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "model/model_shape.h"
#include "model/sizes.h"

#include <atomic>
#include <functional>
#include <vector>

namespace coterie::engine {

/// A layer's state before and after a chunk, or after a part of one.
struct LayerState {
    const float* before = nullptr; ///< null before the first token: everything is 0; may be `after` itself
    float* after = nullptr;
};

class StateCopies {
  public:
    /// Bytes of one copy; 0 if no layer has a state.
    static SaturatingBytes bytesOfOne(const ModelShape& shape);
    /// Bytes for so many kept copies, with the two that a pass uses; pages that were not touched cost nothing.
    static SaturatingBytes bytesNeeded(const ModelShape& shape, int64_t kept);
    /// kept: at least 1.
    static Result<StateCopies> create(const ModelShape& shape, int64_t kept);
    StateCopies() = default;
    StateCopies(StateCopies&& other) noexcept;
    StateCopies& operator=(StateCopies&& other) noexcept;

    bool needed() const { return bytes_ != 0; }
    /// Announces a chunk. Call it before layer().
    void begin();
    LayerState layer(int64_t index) const;
    void commit();
    /// Keeps the committed state, which is the one after `position` tokens. If too many copies are kept then, the one
    /// with the lowest position goes, except the last one that was kept with `stays`.
    void keep(int64_t position, bool stays);
    /// Goes back to the copy with the highest position up to `most` that `usable` accepts, or to the state before the
    /// first token. Returns its position. Later copies are forgotten.
    int64_t restore(int64_t most, const std::function<bool(int64_t position)>& usable);
    uint64_t touchedBytes() const { return touched_.load(std::memory_order_relaxed); } ///< any thread

  private:
    struct Kept {
        int64_t position = 0;
        size_t block = 0; // in the buffer, counted in copies
        bool stays = false;
    };
    static constexpr size_t kNone = SIZE_MAX;

    float* at(size_t block) const { return buffer_.as<float>() + block * (bytes_ / sizeof(float)); }
    size_t freeBlock() const;
    void forgetOne();

    Buffer buffer_;
    std::vector<uint64_t> offsets_; // [layers] floats from the begin of a copy
    uint64_t bytes_ = 0;            // bytes of one copy
    size_t most_ = 0;               // copies that may be kept
    std::vector<Kept> kept_;        // by position
    size_t committed_ = kNone, working_ = 0, usedBlocks_ = 0;
    std::atomic<uint64_t> touched_{0};
};

} // namespace coterie::engine
