// SPDX-License-Identifier: Apache-2.0
// Remembers which experts the latest passes of single tokens used, and how alike each moment in them is to now. Routing
// repeats itself where text does, so the passes after similar moments predict what comes next. The history knows layers
// and experts, and nothing of slots. It allocates memory only at creation: 64 bytes per expert, 0.4 MB for 48 layers of
// 128 experts.
//
// Now the model is in some layer of a pass. The moment with lag n is the same layer, n passes earlier. At each layer
//     alike(lag) = f alike(lag) + (1 - f) |experts used both now and then| / |experts used now|
// where f is such that a whole pass halves the old value. alike is 1 if the latest layers used the same experts as
// then, and 0 if they used none of them.
//
// Example: top-2, and this layer uses experts {3, 7}. Five passes ago it used {3, 9}: one of two, so alike(5) moves a
// step towards 1/2. If that goes on for all layers, alike(5) is near 1/2 after two or three passes.
#pragma once

#include "experts/eviction.h"
#include "experts/expert_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

class RoutingHistory {
  public:
    /// Passes that are remembered: a multiple of the bits in a word. Twice as many give half a point more hits in
    /// conversations of 1,000 tokens, and cost half as much again.
    static constexpr size_t kPasses = 256;

    explicit RoutingHistory(std::span<const int> expertsOfLayer);

    /// A pass has come to `layer` and uses these experts. A layer that does not follow the one before begins a new
    /// pass. used: empty for a chunk, whose tokens use different experts.
    void add(size_t layer, std::span<const ExpertDemand> used);

    struct Weights {
        float recalled = 0, rest = 0; ///< sums over the moments that are most like now, and over all others
    };
    /// Call it after add() of the same layer. It finds the moments that are most like now and lets them vote with the
    /// weight alike^4: votes[e] gets the weight if the layer used e in the pass after that moment, half the weight if
    /// it first did so one pass later, and so on. votes: [experts of the layer]
    Weights recall(size_t layer, std::span<float> votes);

  private:
    static constexpr size_t kWords = kPasses / 64; // words for one bit per pass
    static constexpr size_t kMostRecalled = 8;     // twelve give 0.2 points more hits
    static constexpr size_t kMostRounds = 6;       // a later use would add less than 2 % of a vote

    uint64_t* passesThatUsed(size_t layer, size_t expert);
    std::span<uint64_t> usedBy(size_t layer, size_t pass);
    void begin();
    void findMostAlike();
    void vote(size_t layer, size_t lag, float weight, std::span<float> votes);

    const ExpertIndex index_;
    std::vector<size_t> usedAt_;               // [layers + 1] where a layer's sets begin in used_
    std::vector<uint64_t> passesUsing_;        // [experts][words] a bit for each pass that used the expert
    std::vector<uint64_t> used_;               // per layer: [passes][experts as bits], the same the other way round
    std::vector<uint64_t> counted_;            // [words of the largest layer] scratch of vote()
    std::array<float, kPasses> alike_{};       // by lag; 0 if there was no such pass
    std::array<size_t, kMostRecalled> lags_{}; // the most alike moments, the best first; of equals, the latest
    size_t found_ = 0;                         // how many of lags_ are set
    float fade_ = 0;                           // f
    size_t now_ = 0;                           // the current pass, modulo kPasses
    size_t last_;                              // the layer that was added last
};

} // namespace coterie::engine
