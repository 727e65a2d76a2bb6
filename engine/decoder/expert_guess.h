// SPDX-License-Identifier: Apache-2.0
// Guesses which experts the next layers will use. Their routers are run early, on the residual stream as it is now,
// which changes little from layer to layer. The share of guesses that come true is counted, by how far ahead a guess
// looks and by how much the router prefers the expert; only guesses that mostly come true are prefetched. In a dense
// model nothing has to be guessed, because its layers come one after the other. Results do not depend on guesses,
// except under approximate routing, which prefers experts that are in memory. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/router.h"
#include "decoder/workspace.h"
#include "experts/expert_store.h"
#include "model/weights.h"

#include <span>
#include <vector>

namespace coterie::engine {

class ExpertGuesses {
  public:
    ExpertGuesses(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                  std::span<const LayerWeights> layers);

    /// Sets how layers will choose from now on, so that no expert is read that they would not choose.
    void setRouting(const ApproximateRouting& routing) { preferCached_ = routing.preferCached; }
    /// Gives the store hints about later layers. Call it after the attention of `layer` was added to workspace.x,
    /// [tokens, width].
    void make(int layer, int64_t tokens);
    /// Call it when the layer has chosen its experts: counts which guesses about it came true. wanted: [experts], > 0
    /// if the expert is used.
    void check(int layer, std::span<const int64_t> wanted);

  private:
    /// A question to a router: which experts would the layer choose for this token of the chunk?
    struct Question {
        size_t layer = 0;
        int64_t token = 0;
        size_t look = 0; // index in the distances that guesses look ahead
    };

    void hintNextLayers(int layer, double waitSeconds);
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
    Counters counters_; // apart from the decoder's, as guesses are extra work that differs from run to run
    const Compute compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    const std::span<const LayerWeights> layers_;
    const size_t mostExperts_; // experts of the layer that has most
    uint64_t storedExperts_ = 0;
    std::vector<double> comesTrue_; // [looks, steps] share of guesses that came true, of experts not in memory
    std::vector<int8_t> made_;      // [layers, looks, experts] the steps of guesses that are not checked yet
    float preferCached_ = 0;
    std::vector<uint8_t> cached_;     // [experts] not 0: in memory, or arriving
    std::vector<float> scratch_;      // [experts] for selectionMargins()
    std::vector<Choice> choices_;     // [expertsPerToken] of one token
    std::vector<Question> questions_; // questions of the last ask()
    std::vector<Product> products_;   // products of their routers
    std::vector<int64_t> votes_;      // [experts] number of choices_ that name the expert
    std::vector<int32_t> byVotes_;    // [experts]
    std::vector<PrefetchHint> hints_; // the likeliest first
    // For a dense model:
    int ahead_ = 4;          // layers that are read ahead
    int sinceWait_ = 0;      // layers since the last wait for a read
    double waitSeconds_ = 0; // total wait up to then
};

} // namespace coterie::engine
