// SPDX-License-Identifier: Apache-2.0
// What the latest passes of single tokens used, and how alike to now each moment of that was: routing repeats itself
// where text does, so what came after moments like this one tells what comes next. It knows layers and experts, nothing
// of slots. Memory is taken at creation alone: 64 bytes an expert, 0.4 MB for 48 layers of 128.
//
// A moment is `lag` passes ago: now the model is in a layer of a pass, then it was in that layer of an earlier one.
//     alike(lag) = f alike(lag) + (1 - f) |used now and then| / |used now|
// at each layer, where f halves it in a pass: 1 where the layers of late used the same experts as then, 0 where none.
#pragma once

#include "experts/eviction.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

class RoutingHistory {
  public:
    /// That are remembered: whole words of bits. Twice as many find half a point more in talks of 1,000 tokens, at half
    /// more of the cost.
    static constexpr size_t passes = 256;

    explicit RoutingHistory(std::span<const int> expertsOfLayer);

    /// The token's pass came to `layer` and used these. A layer that is not after the one before begins a new pass.
    /// None where nobody can tell, as of a chunk, whose tokens used different ones.
    void add(size_t layer, std::span<const ExpertDemand> used);

    struct Weights {
        float recalled = 0, rest = 0; ///< of the moments that are most like now, and of all others
    };
    /// After add() of `layer`: what its experts did after the moments that are most like now. A moment weighs
    /// alike^4, and adds that to votes[e] where the layer's next pass after it used e, half of it where the one after
    /// that did first, and so on. votes: [experts of the layer]
    Weights recall(size_t layer, std::span<float> votes);

  private:
    static constexpr size_t words = passes / 64; // of an expert's bits
    static constexpr size_t mostRecalled = 8;    // twelve find 0.2 points more
    static constexpr size_t mostRounds = 6;      // a later use would add less than 2 % of a vote

    uint64_t* passesThatUsed(size_t layer, size_t expert);
    std::span<uint64_t> usedBy(size_t layer, size_t pass);
    void begin();
    void findMostAlike();
    void vote(size_t layer, size_t lag, float weight, std::span<float> votes);

    std::vector<size_t> first_;               // [layers + 1] number of a layer's first expert
    std::vector<size_t> usedAt_;              // [layers + 1] where a layer's sets begin in used_
    std::vector<uint64_t> passesUsing_;       // [experts][words] a bit for each pass that used it
    std::vector<uint64_t> used_;              // of a layer: [passes][its experts as bits], the same the other way round
    std::vector<uint64_t> counted_;           // [words of the largest layer] while votes are counted
    std::array<float, passes> alike_{};       // by lag; 0 where there was no such pass
    std::array<size_t, mostRecalled> lags_{}; // of those most alike, the best first, of equals the latest
    size_t found_ = 0;                        // how many they are
    float fade_ = 0;                          // f
    size_t now_ = 0;                          // the pass that goes on, modulo passes
    size_t last_;                             // the layer that was added last
};

} // namespace coterie::engine
