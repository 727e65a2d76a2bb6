// SPDX-License-Identifier: Apache-2.0
// Which experts the next layers will want, before they can know it: their routers are run early, on the residual stream
// as it is now, which changes little from layer to layer. What that is worth is counted, by how far ahead a guess looks
// and how highly it ranks; only guesses that mostly come true are read. Of a dense model nothing need be guessed: its
// layers come one after the other. Results depend on none of it, but where approximate routing is asked for, which
// prefers what is there. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/router.h"
#include "decoder/weights.h"
#include "decoder/workspace.h"

#include <span>
#include <vector>

namespace coterie::engine {

class ExpertGuesses {
  public:
    ExpertGuesses(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                  std::span<const LayerWeights> layers);

    /// How layers will choose from now on, so that nothing is read which they would pass over.
    void setRouting(const ApproximateRouting& routing) { preferCached_ = routing.preferCached; }
    /// After the attention of `layer` was added to workspace.x, [tokens, width]: tells the store what to expect.
    void make(int layer, int64_t tokens);
    /// The layer knows what it wants: counts which of its guesses came true. wanted: [experts] > 0 where it is.
    void check(int layer, std::span<const int64_t> wanted);

  private:
    void expectNextLayers(int layer, double waitSeconds);
    void route(int layer, std::span<const int64_t> tokens);
    void guessFor(int layer, size_t look);
    void collect(int layer);
    void guessForMany(int layer, size_t tokens);
    std::span<const float> logits(size_t token) const;
    int32_t* madeFor(int layer, size_t look) {
        return made_.data() + static_cast<size_t>(layer) * comesTrue_.size() + look * choices_.size();
    }

    const ModelShape& shape_;
    Counters counters_; // of its own: what a guess reads nobody has to read, and no two runs guess alike
    const Compute compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    const std::span<const LayerWeights> layers_;
    std::vector<double> comesTrue_; // [looks, ranks] share of the guesses at experts that were not in memory
    std::vector<int32_t> made_;     // [layers, looks, ranks] those guesses; -1: none
    float preferCached_ = 0;
    std::vector<uint8_t> there_;       // [experts] not 0: in memory, or arriving
    std::vector<Choice> choices_;      // [ranks] of one token
    std::vector<int64_t> tokens_;      // of a chunk that are looked at
    std::vector<int64_t> votes_;       // [experts] how many of them want it
    std::vector<int32_t> byVotes_;     // [experts]
    std::vector<ExpertGuess> guesses_; // the likeliest first
    // Of a dense model:
    int ahead_ = 4;          // layers that are read ahead
    int sinceWait_ = 0;      // layers that came since one was waited for
    double waitSeconds_ = 0; // until then
};

} // namespace coterie::engine
