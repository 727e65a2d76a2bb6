// SPDX-License-Identifier: Apache-2.0
// A short convolution between two gates, see ShortConvolutionShape. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/sequence_memory.h"
#include "decoder/workspace.h"
#include "model/weights.h"

namespace coterie::engine {

class ShortConvolution {
  public:
    ShortConvolution(const ModelShape& shape, const Compute& compute, const SequenceMemory& memory,
                     Workspace& workspace)
        : shape_(shape), compute_(compute), memory_(memory), workspace_(workspace) {}

    /// Computes workspace.blockOut from `input`, the normed residual stream of the tokens that memory.begin()
    /// announced, or of a part of them from index `first` on. Writes the layer's state after them.
    void run(int64_t layer, const LayerWeights& weights, int64_t first, PreparedInputs& input);

  private:
    const ShortConvolutionShape& shapeOf(int64_t layer) const {
        return shape_.layer[static_cast<size_t>(layer)].shortConvolution;
    }
    void project(int64_t layer, const LayerWeights& weights, PreparedInputs& input);
    void convolve(int64_t layer, const LayerWeights& weights, int64_t first, int64_t tokens);

    const ModelShape& shape_;
    const Compute& compute_;
    const SequenceMemory& memory_;
    Workspace& workspace_;
};

} // namespace coterie::engine
