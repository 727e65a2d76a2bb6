// SPDX-License-Identifier: Apache-2.0
// A layer of experts: router, store, experts' computation, weighted sum. Inside decoder/ only.
//
//     route(...);          // chooses, and asks the store for what fits: reads run while attention computes
//     ... attention ...
//     run(...);            // experts in memory first, the others as they land, never more pinned than there are slots
//
// A chunk's tokens are grouped by expert, so that each expert is read once a chunk; without that shortcut each token at
// each of its experts is a group of its own, in the order of tokens.
#pragma once

#include "decoder/device.h"
#include "decoder/feed_forward.h"
#include "decoder/router.h"
#include "decoder/weights.h"

#include <vector>

namespace coterie::engine {

class ExpertLayers {
  public:
    /// tokens: of a chunk.
    ExpertLayers(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                 std::vector<ExpertLayer> layers, int64_t tokens);

    /// input: [batch, width] as the family routes.
    Status route(int64_t layer, const LayerWeights& weights, PreparedInputs& input);
    /// input: the normed attention output. Adds the experts' answers to workspace.x.
    Status run(const LayerWeights& weights, PreparedInputs& input);
    /// After run(), in the order of tokens.
    void report(TraceSink& trace, int64_t position) const;
    /// Lets go of what is pinned: after an error or a cancellation.
    void release();
    /// The same after a read has failed: waits for the other reads first, so that none of them fails into the next
    /// pass.
    void releaseAfterReads();

  private:
    struct Group {
        int32_t expert = 0;
        int64_t firstRow = 0, rows = 0;
        bool hit = false;
    };

    void groupByExpert(int64_t tokens);
    void groupByToken(int64_t tokens);
    Status requestMore();
    Status takeReady(const LayerWeights& weights);
    void releaseGroups(std::vector<size_t>& groups);
    void gather(PreparedInputs& input, const LayerWeights& weights);
    FeedForwardJob job(const LayerWeights& weights, const Group& group, const std::byte* slot) const;
    void combine(int64_t tokens);

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    std::vector<ExpertLayer> layers_;
    FeedForward feedForward_;

    int layer_ = 0;
    int64_t tokens_ = 0;
    double waitedBefore_ = 0, waited_ = 0;
    std::vector<Choice> choices_;      // [tokens, expertsPerToken]
    std::vector<int64_t> rowOf_;       // [tokens, expertsPerToken] where that pair is computed
    std::vector<int64_t> tokenOf_;     // [rows]
    std::vector<int64_t> nextRow_;     // [experts] while rows are dealt out
    std::vector<ExpertState> states_;  // [experts] of those chosen
    std::vector<Group> groups_;        // in the order of requests
    size_t requested_ = 0;             // groups asked for so far
    std::vector<size_t> pinned_;       // groups asked for and not yet released
    std::vector<size_t> ready_;        // groups being computed
    std::vector<FeedForwardJob> jobs_; // theirs
    std::vector<int> experts_;         // as the store takes them
    std::unique_ptr<bool[]> hits_;     // [most groups]
    PreparedInputs::Form gateForm_, upForm_;
};

} // namespace coterie::engine
