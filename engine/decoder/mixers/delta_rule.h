// SPDX-License-Identifier: Apache-2.0
// The gated delta rule (arXiv:2412.06464): each value head mixes the tokens through a state of fixed size. The formulas
// are those of Qwen3-Next and Qwen 3.5, see DeltaRuleShape. Inside decoder/ only.
//
// A head's state belongs to one thread, and its tokens come in order, so results have the same bits however a prompt is
// cut into chunks, and for any number of threads.
#pragma once

#include "decoder/compute.h"
#include "decoder/sequence_memory.h"
#include "decoder/workspace.h"
#include "model/weights.h"

namespace coterie::engine {

class DeltaRule {
  public:
    DeltaRule(const ModelShape& shape, const Compute& compute, const SequenceMemory& memory, Workspace& workspace)
        : shape_(shape), compute_(compute), memory_(memory), workspace_(workspace) {}

    /// Computes workspace.blockOut from `input`, the normed residual stream of the tokens that memory.begin()
    /// announced, or of a part of them from index `first` on. Writes the layer's state after them.
    void run(int64_t layer, const LayerWeights& weights, int64_t first, PreparedInputs& input);

  private:
    const DeltaRuleShape& shapeOf(int64_t layer) const { return shape_.layer[static_cast<size_t>(layer)].deltaRule; }
    void project(const DeltaRuleShape& shape, const LayerWeights& weights, PreparedInputs& input);
    void passThrough(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state, int64_t tokens);
    void convolve(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state, int64_t tokens);
    void finishToken(const DeltaRuleShape& shape, const LayerWeights& weights, int64_t token);
    void update(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state, int64_t head,
                int64_t tokens);

    const ModelShape& shape_;
    const Compute& compute_;
    const SequenceMemory& memory_;
    Workspace& workspace_;
};

} // namespace coterie::engine
