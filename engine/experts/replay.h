// SPDX-License-Identifier: Apache-2.0
// Replays a recorded trace without a model: how many hits a store with a given number of slots would have had with any
// policy, and the most that any policy could have had. Pure functions. Hits are counted as the store counts them: a
// token's experts of a layer are held together, and missing ones take free slots first, then those of victims. With a
// model, slots are what they are in its store: dense layers have some for themselves, and shared ones may have two
// sizes. A trace alone does not say so: all experts share slots of one size then. Not modelled: prefetching, and chunks
// of a prompt, whose tokens come one by one here.
#pragma once

#include "base/result.h"
#include "experts/eviction.h"
#include "experts/slot_layout.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace coterie::engine {

/// The experts that tokens used, in the order in which their layers came.
class RoutingTrace {
  public:
    static constexpr int kMostLayers = 1024;        ///< several times as many as the deepest models have
    static constexpr size_t kMostAtATime = 1024;    ///< experts that one layer uses for one token
    static constexpr size_t kMostExperts = 1 << 20; ///< in all layers: ten times as many as the largest models have

    /// A token came to `layer` and uses `experts`. BadInput for a number below 0, for an expert that is named twice,
    /// and beyond the limits above; the trace can't be used any more after that.
    Status add(int layer, std::span<const int> experts);

    size_t visits() const { return starts_.size() - 1; }
    size_t uses() const { return experts_.size(); }
    /// Number of different experts of all layers. With as many slots, each is missed once.
    size_t distinctExperts() const { return numbers_.size(); }
    /// The most experts that one layer uses for one token. Fewer slots can't hold them together.
    size_t mostAtOnce() const { return mostAtOnce_; }
    /// Number of layers that use one expert alone beside layers that use more: those that the store gives a slot of
    /// their own.
    size_t denseLayers() const;
    /// The mean number of experts that a token uses in all layers: uses divided by tokens. A new token begins where the
    /// number of the layer does not grow. 0 for an empty trace.
    double tokenCycle() const;
    uint64_t tokens() const { return tokens_; }

  private:
    friend class Replayer;

    std::vector<int> layers_;         // [visits]
    std::vector<size_t> starts_{0};   // [visits + 1] into experts_
    std::vector<int> experts_;        // [uses] numbered within their layer by first appearance, as ids may be any
    std::vector<int> expertsOfLayer_; // [layers] number of different experts
    std::unordered_map<uint64_t, int> numbers_; // by layer and id
    size_t mostAtOnce_ = 0;
    uint64_t tokens_ = 0;
};

struct ReplayCounts {
    uint64_t hits = 0, misses = 0;
    /// 0..1. Counts from the first token on, so the first use of each expert is a miss.
    double hitRate() const { return hits == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(hits + misses); }
};

/// model: the store's slots, or null for shared ones of one size. BadInput if the trace is empty, or is not the
/// model's, or if its experts that are used together are more than the slots that they may use.
Result<ReplayCounts> replay(const RoutingTrace& trace, EvictionKind kind, uint64_t slots,
                            const StoreSlots* model = nullptr);
/// Belady's bound: evicts the expert whose next use is farthest ahead. No policy that reads on demand has more hits in
/// the same slots.
Result<ReplayCounts> replayClairvoyant(const RoutingTrace& trace, uint64_t slots, const StoreSlots* model = nullptr);

} // namespace coterie::engine
