// SPDX-License-Identifier: Apache-2.0
// Computes experts on the CPU from the expert store, for the CPU's own layers or for a device that does not hold them.
// It is not a router: it neither chooses experts nor adds up their outputs. Inside decoder/ only.
//
//     begin(layer, jobs, tokens);   // announces the experts and requests those that fit: reads run meanwhile
//     ... attention ...
//     run(input, tokenOfRow);       // experts in memory first, the others as they arrive, never more pinned than slots
#pragma once

#include "decoder/device.h"
#include "decoder/expert_rows.h"
#include "decoder/feed_forward.h"
#include "experts/expert_store.h"
#include "model/weights.h"

#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

class ExpertCompute {
  public:
    /// plan: the one of the workspace. prefetch: experts are requested as soon as they are known, and computed as they
    /// arrive; if false, nothing is read while something is computed.
    ExpertCompute(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                  std::span<const LayerWeights> layers, const MemoryPlan& plan, bool prefetch);

    /// Sets the flag that makes run() end with Cancelled; null: none does.
    void setCancel(const std::atomic<bool>* cancel) { cancel_ = cancel; }
    /// jobs: no two have a row in common; an expert may have several.
    Status begin(int layer, std::span<const ExpertJob> jobs, int64_t tokens);
    /// input: [tokens, width], the normed attention output. tokenOfRow: [rows] the token that each row reads; every row
    /// belongs to a job. Fills workspace.down, [rows, width].
    Status run(PreparedInputs& input, std::span<const int64_t> tokenOfRow);
    /// Releases the experts that are still pinned after an error or a cancellation, see LayerPass::end().
    void endPass();

    // After run():
    /// Whether the job at `index` of begin()'s list found its expert in memory or arriving.
    bool hit(size_t index) const { return hit_[index]; }
    /// Number of a row's neurons whose gate is above 0; 0 if the activation is not ReGLU.
    int32_t activeNeurons(int64_t row) const { return static_cast<int32_t>(feedForward_.active(row)); }
    /// Time that the layer waited for reads.
    double waitSeconds() const { return waited_; }

  private:
    void announce(int64_t tokens);
    void sortByState();
    Status requestMore();
    Status takeReady();
    Result<ExpertParts> wait(int expert);
    Status computeReady(PreparedInputs& input, std::span<const int64_t> tokenOfRow);
    void releaseReady();

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    ExpertStore& store_;
    const std::span<const LayerWeights> layers_;
    FeedForward feedForward_;
    const bool prefetch_;
    const std::atomic<bool>* cancel_ = nullptr;

    LayerPass pass_; // over layer_, from begin() to the end of run()
    int layer_ = 0;
    double waitedBefore_ = 0, waited_ = 0;
    std::vector<ExpertJob> jobs_;       // the jobs that begin() got
    std::vector<size_t> order_;         // [jobs] indices in the order of requests
    std::vector<int64_t> wanted_;       // [experts] number of rows that use the expert
    std::vector<ExpertDemand> demands_; // the same, in the store's form
    std::vector<ExpertState> states_;   // [experts] states of the jobs' experts
    size_t requested_ = 0;              // number of jobs in order_ whose experts were requested so far
    std::vector<size_t> pinned_;        // jobs whose experts are requested and not yet released
    std::vector<size_t> ready_;         // jobs that are being computed
    std::vector<FeedForwardJob> work_;  // the same, as FeedForward takes them, without inputs
    const int64_t tokensAtOnce_;        // tokens for whose rows the workspace has room, in any layer
    std::vector<FeedForwardJob> batch_; // as much of work_ as is computed at once
    std::vector<int64_t> batchTokens_;  // the tokens of its rows
    std::vector<int> experts_;          // the experts of a call to the store
    std::unique_ptr<bool[]> hits_;      // [most jobs] hits of one request
    std::vector<bool> hit_;             // [jobs]
    RowInputs inputs_;
};

} // namespace coterie::engine
