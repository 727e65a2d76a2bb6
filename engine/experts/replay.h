// SPDX-License-Identifier: Apache-2.0
// What a store of so many slots would have hit, for a recorded trace and any policy, without a model; and the most that
// any policy could have. Pure functions. Counted as the store counts: a token's experts of a layer are held together,
// what is missing takes free slots first, then victims'. Not seen: guesses read ahead, and chunks of a prompt, whose
// tokens come one by one here.
#pragma once

#include "base/result.h"
#include "experts/eviction.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace coterie::engine {

/// Which experts tokens used, in the order in which their layers came.
class RoutingTrace {
  public:
    static constexpr int mostLayers = 1024;        ///< several times what the deepest models have
    static constexpr size_t mostAtATime = 1024;    ///< of a layer, for a token
    static constexpr size_t mostExperts = 1 << 20; ///< of all layers: ten times what the largest models have

    /// A token came to `layer` and uses `experts`. BadInput for numbers below 0, an expert named twice, and more than
    /// the limits above; then nothing counts as used, and the trace is of no more use.
    Status add(int layer, std::span<const int> experts);

    size_t visits() const { return starts_.size() - 1; }
    size_t uses() const { return experts_.size(); }
    /// Different experts of all layers: with so many slots, each is missed once.
    size_t distinctExperts() const { return numbers_.size(); }
    /// The most that one layer uses for one token: fewer slots can't hold them together.
    size_t mostAtOnce() const { return mostAtOnce_; }
    /// The experts that a token uses, layers with and without: uses over tokens, where a token ends as layers start
    /// again. 0 for an empty trace.
    double tokenCycle() const;
    uint64_t tokens() const { return tokens_; }

  private:
    friend class Replayer;

    std::vector<int> layers_;                   // [visits]
    std::vector<size_t> starts_{0};             // [visits + 1] into experts_
    std::vector<int> experts_;                  // [uses] numbered by layer as they first appear: ids may be any
    std::vector<int> expertsOfLayer_;           // [layers] that appear
    std::unordered_map<uint64_t, int> numbers_; // by layer and id
    size_t mostAtOnce_ = 0;
    uint64_t tokens_ = 0;
};

struct ReplayCounts {
    uint64_t hits = 0, misses = 0;
    /// 0..1; from the first token on, so the first use of each expert is a miss.
    double hitRate() const { return hits == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(hits + misses); }
};

/// BadInput where the trace is empty or `slots` are fewer than mostAtOnce().
Result<ReplayCounts> replay(const RoutingTrace& trace, EvictionKind kind, uint64_t slots);
/// Belady's bound: the expert whose next use lies farthest ahead goes. No policy that reads on demand hits more.
Result<ReplayCounts> replayClairvoyant(const RoutingTrace& trace, uint64_t slots);

} // namespace coterie::engine
