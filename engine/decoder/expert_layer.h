// SPDX-License-Identifier: Apache-2.0
// A layer of experts: router, store, experts' computation, weighted sum. A dense layer is one expert that every token
// uses with weight 1, without a router. Inside decoder/ only.
//
//     route(...);          // chooses experts and requests as many as fit: reads run while attention computes
//     ... attention ...
//     guess(...);          // experts that later layers may need are read while nothing needed is
//     run(...);            // experts in memory first, the others as they arrive; at most as many pinned as slots
//
// A chunk's tokens are grouped by expert, so that each expert is read once per chunk. Without that shortcut each token
// at each of its experts is a group of its own, in the order of tokens.
#pragma once

#include "decoder/expert_guess.h"
#include "decoder/feed_forward.h"
#include "decoder/router.h"
#include "decoder/trace.h"
#include "decoder/weights.h"

#include <vector>

namespace coterie::engine {

class ExpertLayers {
  public:
    /// tokens: the largest number in a chunk. prefetch: experts are requested as soon as they are known, or guessed,
    /// and computed as they arrive; if false, nothing is read while something is computed.
    ExpertLayers(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                 std::span<const LayerWeights> layers, int64_t tokens, bool prefetch);

    /// How route() chooses from now on. Approximate routing is for passes of a single token only.
    void setRouting(const ApproximateRouting& routing) {
        routing_ = routing;
        guesses_.setRouting(routing);
    }
    /// input: [batch, width], the router's input; a dense layer uses the batch only.
    Status route(int64_t layer, const LayerWeights& weights, PreparedInputs& input);
    /// Tells the store what later layers may need. Call it between route() and run().
    void guess() {
        if (prefetch_) guesses_.make(layer_, tokens_);
    }
    /// input: the normed attention output. Adds the experts' answers to workspace.x.
    Status run(const LayerWeights& weights, PreparedInputs& input);
    /// Reports to the trace in the order of tokens. Call it after run().
    void report(TraceSink& trace, int64_t position) const;
    /// After an error or a cancellation: releases the experts that are still pinned, see LayerPass::end().
    void endPass();

  private:
    struct Group {
        int32_t expert = 0;
        int64_t firstRow = 0, rows = 0;
        bool hit = false;
    };

    const FeedForwardShape& shapeOfLayer() const { return shape_.layer[static_cast<size_t>(layer_)].feedForward; }
    void askRouter(const LayerWeights& weights, PreparedInputs& input);
    void choose(int64_t token, std::span<const float> logits, const float* selectionBias);
    void beginLayer();
    void groupByExpert(int64_t tokens);
    void groupByToken(int64_t tokens);
    Status requestMore();
    Status takeReady(const LayerWeights& weights);
    void releaseReady();
    void gather(PreparedInputs& input, const LayerWeights& weights);
    FeedForwardJob job(const LayerWeights& weights, const Group& group, const ExpertParts& parts) const;
    void combine(int64_t tokens);

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    FeedForward feedForward_;
    ExpertGuesses guesses_;
    const bool prefetch_;

    LayerPass pass_; // over layer_, from route() to the end of run()
    ApproximateRouting routing_;
    int layer_ = 0;
    int64_t tokens_ = 0;
    int64_t chosen_ = 0; // experts for each token: fewer than the layer's if routing is not exact
    double waitedBefore_ = 0, waited_ = 0;
    std::vector<Choice> choices_;       // [tokens, chosen]
    std::vector<int64_t> rowOf_;        // [tokens, chosen] where that pair is computed
    std::vector<int64_t> tokenOf_;      // [rows]
    std::vector<int64_t> wanted_;       // [experts] number of tokens that need it
    std::vector<ExpertDemand> demands_; // the same in the store's form
    std::vector<int64_t> nextRow_;      // [experts] used while rows are assigned
    std::vector<ExpertState> states_;   // [experts] set for those chosen
    std::vector<uint8_t> cached_;       // [experts] not 0: in memory, or arriving
    std::vector<float> scores_;         // [experts] scratch of selectionScores()
    std::vector<Group> groups_;         // in the order of requests
    size_t requested_ = 0;              // groups asked for so far
    std::vector<size_t> pinned_;        // groups asked for and not yet released
    std::vector<size_t> ready_;         // groups being computed
    std::vector<FeedForwardJob> jobs_;  // the jobs of ready_
    std::vector<int> experts_;          // in the store's form
    std::unique_ptr<bool[]> hits_;      // [most groups]
    PreparedInputs::Form gateForm_, upForm_;
};

} // namespace coterie::engine
