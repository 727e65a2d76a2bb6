// SPDX-License-Identifier: Apache-2.0
// Turns a router's logits into jobs, and the jobs' outputs into results of tokens: chooses each token's experts,
// assigns rows, and adds up the weighted outputs. It neither reads nor computes an expert. For code that computes
// experts with the CPU's kernels.
//
//     routing.choose(layer, weights, input, cached);
//     routing.deal({});                       // jobs(), tokenOfRow()
//     ... workspace.down, [rows, width], is filled for all jobs ...
//     routing.combine();
//
// A dense layer is one expert that every token uses with weight 1. A chunk's tokens are grouped by expert, so that each
// expert is read once per chunk; without that shortcut each token at each of its experts is a job of its own.
#pragma once

#include "decoder/compute.h"
#include "decoder/device.h"
#include "decoder/router.h"
#include "decoder/workspace.h"
#include "model/weights.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

class ExpertRouting {
  public:
    /// tokens: most tokens of a chunk.
    ExpertRouting(const ModelShape& shape, const Compute& compute, Workspace& workspace, int64_t tokens);

    /// Sets how choose() works from now on. Approximate routing is allowed only for passes of one token.
    void setRouting(const ApproximateRouting& routing) { approximate_ = routing; }
    /// input: [batch, width] the family's router input; only the batch matters for a dense layer. cached: [experts] not
    /// 0 if the expert is in memory or arriving; read only if routing prefers such experts.
    void choose(int64_t layer, const LayerWeights& weights, PreparedInputs& input, std::span<const uint8_t> cached);
    /// Assigns rows and makes the jobs. first: [experts] not 0 for experts whose jobs and rows come before all others;
    /// empty: there are none.
    void deal(std::span<const uint8_t> first);

    // After deal():
    std::span<const ExpertJob> jobs() const { return jobs_; }
    /// Number of jobs and of rows of the experts that come first.
    size_t firstJobs() const { return firstJobs_; }
    int64_t firstRows() const { return firstRows_; }
    std::span<const int64_t> tokenOfRow() const {
        return std::span(tokenOf_).first(static_cast<size_t>(tokens_ * chosen_));
    }
    /// [experts] number of tokens that use the expert.
    std::span<const int64_t> wanted() const { return wanted_; }
    uint64_t choicesChanged() const { return choicesChanged_; }

    /// Adds the rows of workspace.down to workspace.x, each token's in the order of ranks. In a layer that norms
    /// outputs their sum becomes workspace.blockOut instead.
    void combine();
    /// hit(job), active(row): the values of ExpertUse for a job and for a row. The report is valid until the next call.
    template <typename Hit, typename Active>
    LayerReport report(const Hit& hit, const Active& active, double waitSeconds) {
        uses_.resize(static_cast<size_t>(tokens_ * chosen_));
        for (size_t pair = 0; pair < uses_.size(); ++pair)
            uses_[pair] = {choices_[pair].expert, choices_[pair].weight, hit(jobOf(rowOf_[pair])),
                           active(rowOf_[pair])};
        return {.layer = layer_, .chosen = chosen_, .waitSeconds = waitSeconds, .uses = uses_};
    }

  private:
    const FeedForwardShape& shapeOfLayer() const { return shape_.layer[static_cast<size_t>(layer_)].feedForward; }
    void chooseFor(size_t token, std::span<const float> logits, const float* selectionBias,
                   std::span<const uint8_t> cached);
    void dealGroups(std::span<const uint8_t> first, bool isFirst);
    void dealPairs(std::span<const uint8_t> first, bool isFirst);
    size_t jobOf(int64_t row) const;

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    ApproximateRouting approximate_;
    const float* expertScales_ = nullptr; // [experts], or null
    int layer_ = 0;
    int64_t tokens_ = 0;
    int64_t chosen_ = 0; // experts per token: may be fewer than the model's if routing is not exact
    uint64_t choicesChanged_ = 0;
    std::vector<Choice> choices_;  // [tokens, chosen]
    std::vector<int64_t> rowOf_;   // [tokens, chosen] the row of that pair
    std::vector<int64_t> tokenOf_; // [rows]
    std::vector<int64_t> wanted_;  // [experts]
    std::vector<int64_t> nextRow_; // [experts] next row of the expert while rows are assigned
    std::vector<float> scores_;    // [experts] scratch of selectionScores()
    std::vector<ExpertJob> jobs_;  // sorted by first row
    size_t firstJobs_ = 0;
    int64_t firstRows_ = 0, rows_ = 0;
    std::vector<ExpertUse> uses_; // [tokens, chosen] the last report's
};

} // namespace coterie::engine
