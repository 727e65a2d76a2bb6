// SPDX-License-Identifier: Apache-2.0
// Which experts the next layers will want, before they can know it: their routers are run early, on the residual stream
// as it is now, which changes little from layer to layer. What that is worth is counted, by how far ahead a guess looks
// and by how much the router prefers the expert; only guesses that mostly come true are read. Of a dense model nothing
// need be guessed: its layers come one after the other. Results depend on none of it, but where approximate routing is
// asked for, which prefers what is there. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/router.h"
#include "decoder/weights.h"
#include "decoder/workspace.h"
#include "experts/expert_store.h"

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
    /// What the layer would want for a token of a chunk.
    struct Question {
        size_t layer = 0;
        int64_t token = 0;
        size_t look = 0; // index in the distances that guesses look ahead
    };

    void expectNextLayers(int layer, double waitSeconds);
    void ask(std::span<const Question> questions);
    std::span<float> scores(size_t question) const;
    const FeedForwardShape& shapeOf(size_t layer) const { return shape_.layer[layer].feedForward; }
    bool guessDense(int layer);
    void guessFor(int layer);
    void collect(int layer);
    void guessForMany(int layer, int64_t tokens);
    std::span<int8_t> madeFor(int layer, size_t look);
    double& shareOf(size_t look, int8_t step);

    const ModelShape& shape_;
    Counters counters_; // of its own: what a guess reads nobody has to read, and no two runs guess alike
    const Compute compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    const std::span<const LayerWeights> layers_;
    const size_t mostExperts_; // of a layer
    uint64_t storedExperts_ = 0;
    std::vector<double> comesTrue_; // [looks, steps of leads] share of the guesses at experts that were not in memory
    std::vector<int8_t> made_;      // [layers, looks, experts] the steps of those guesses
    float preferCached_ = 0;
    std::vector<uint8_t> cached_;     // [experts] not 0: in memory, or arriving
    std::vector<float> scratch_;      // [experts] scratch of selectionMargins()
    std::vector<Choice> choices_;     // [expertsPerToken] of one token
    std::vector<Question> questions_; // as asked last
    std::vector<Product> products_;   // their routers
    std::vector<int64_t> votes_;      // [experts] how many of them want it
    std::vector<int32_t> byVotes_;    // [experts]
    std::vector<PrefetchHint> hints_; // the likeliest first
    // Of a dense model:
    int ahead_ = 4;          // layers that are read ahead
    int sinceWait_ = 0;      // layers that came since one was waited for
    double waitSeconds_ = 0; // until then
};

} // namespace coterie::engine
