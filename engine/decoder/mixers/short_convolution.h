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

    /// Computes workspace.blockOut from workspace.normed, which is prepared in `input`, for the tokens that
    /// memory.begin() announced. Writes the layer's state after them.
    void run(int64_t layer, const LayerWeights& weights, PreparedInputs& input);

  private:
    const ModelShape& shape_;
    const Compute& compute_;
    const SequenceMemory& memory_;
    Workspace& workspace_;
};

} // namespace coterie::engine
