// SPDX-License-Identifier: Apache-2.0
// A layer of experts on the CPU, which reach it through the expert store: choosing them (expert_routing.h), reading and
// computing them (host_experts.h), prefetching for later layers (expert_guess.h). Inside decoder/ only.
//
//     route(...);          // chooses, and requests what fits: reads run while attention computes
//     ... attention ...
//     guess(...);          // what later layers may need is read while nothing else is
//     run(...);            // computes the experts and adds their weighted outputs to the residual stream
#pragma once

#include "decoder/expert_guess.h"
#include "decoder/expert_routing.h"
#include "decoder/host_experts.h"

#include <vector>

namespace coterie::engine {

class ExpertLayers {
  public:
    /// tokens: of a chunk. prefetch: experts are requested as soon as they are known, or guessed, and computed as they
    /// arrive; else nothing is read while something is computed.
    ExpertLayers(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                 std::span<const LayerWeights> layers, int64_t tokens, bool prefetch);

    /// How route() chooses from now on; other than exactly for passes of one token alone.
    void setRouting(const ApproximateRouting& routing);
    /// input: [batch, width] as the family routes; only the batch matters for a dense layer.
    Status route(int64_t layer, const LayerWeights& weights, PreparedInputs& input);
    /// Between route() and run(): tells the store what later layers may need.
    void guess() {
        if (prefetch_) guesses_.make(layer_, tokens_);
    }
    /// input: the normed attention output. Adds the experts' outputs to workspace.x.
    Status run(PreparedInputs& input);
    /// Choices that approximate routing changed in the last route().
    uint64_t choicesChanged() const { return routing_.choicesChanged(); }
    /// After run(): what the layer did. Valid until the next call.
    LayerReport report();
    /// After an error or a cancellation: releases the experts that are still pinned, see LayerPass::end().
    void endPass() { host_.endPass(); }

  private:
    const ModelShape& shape_;
    ExpertStore& store_;
    ExpertRouting routing_;
    HostExperts host_;
    ExpertGuesses guesses_;
    const bool prefetch_;
    bool prefersCached_ = false;
    int layer_ = 0;
    int64_t tokens_ = 0;
    std::vector<uint8_t> cached_; // [experts] not 0: in memory, or arriving
};

} // namespace coterie::engine
