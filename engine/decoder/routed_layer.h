// SPDX-License-Identifier: Apache-2.0
// The experts of a layer on the CPU: chooses them (expert_routing.h), has the expert store read them and computes them
// (expert_compute.h), and prefetches for later layers (expert_guess.h). Inside decoder/ only.
//
//     route(...);          // chooses, and requests what fits: reads run while attention computes
//     ... attention ...
//     guess(...);          // experts that later layers may need are read while nothing else is
//     run(...);            // computes the experts and adds their weighted outputs to the residual stream
#pragma once

#include "decoder/expert_compute.h"
#include "decoder/expert_guess.h"
#include "decoder/expert_routing.h"

#include <vector>

namespace coterie::engine {

class RoutedLayer {
  public:
    /// plan: the one of the workspace. prefetch: experts are requested as soon as they are known, or guessed, and
    /// computed as they arrive; if false, nothing is read while something is computed.
    RoutedLayer(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                std::span<const LayerWeights> layers, const MemoryPlan& plan, bool prefetch);

    /// Sets how route() chooses from now on. Approximate routing is allowed only for passes of one token.
    void setRouting(const ApproximateRouting& routing);
    /// Like ExpertCompute's.
    void setCancel(const std::atomic<bool>* cancel) { experts_.setCancel(cancel); }
    /// input: [batch, width] the family's router input; only the batch matters for a dense layer.
    Status route(int64_t layer, const LayerWeights& weights, PreparedInputs& input);
    /// Gives the store hints about later layers. Call it between route() and run().
    void guess() {
        if (prefetch_) guesses_.make(layer_, tokens_);
    }
    /// input: the normed attention output. Adds the experts' outputs to workspace.x.
    Status run(PreparedInputs& input);
    /// Number of choices that approximate routing changed in the last route().
    uint64_t choicesChanged() const { return routing_.choicesChanged(); }
    /// Returns the report about the layer. Call it after run(). It is valid until the next call.
    LayerReport report();
    /// Releases the experts that are still pinned after an error or a cancellation, see LayerPass::end().
    void endPass() { experts_.endPass(); }

  private:
    const ModelShape& shape_;
    ExpertStore& store_;
    ExpertRouting routing_;
    ExpertCompute experts_;
    ExpertGuesses guesses_;
    const bool prefetch_;
    bool prefersCached_ = false;
    int layer_ = 0;
    int64_t tokens_ = 0;
    std::vector<uint8_t> cached_; // [experts] not 0: in memory, or arriving
};

} // namespace coterie::engine
