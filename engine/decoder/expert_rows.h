// SPDX-License-Identifier: Apache-2.0
// Prepares the inputs of rows, and turns an ExpertJob into a job that the CPU's kernels can run. A row is one token at
// one of its experts. For code that computes experts with these kernels.
#pragma once

#include "decoder/device.h"
#include "decoder/feed_forward.h"
#include "experts/expert_source.h"
#include "model/weights.h"

#include <span>

namespace coterie::engine {

/// The prepared inputs of a layer's gate and up matrices, row by row.
class RowInputs {
  public:
    /// input: [tokens, width]. tokenOfRow: [rows] the token that each row reads. Uses the workspace's prepared and
    /// gathered arrays until the next call.
    void gather(const Compute& compute, Workspace& workspace, const LayerWeights& weights, PreparedInputs& input,
                std::span<const int64_t> tokenOfRow);
    PreparedInputs::Form gate(int64_t row) const { return at(gate_, row); }
    PreparedInputs::Form up(int64_t row) const { return at(up_, row); }

  private:
    PreparedInputs::Form at(PreparedInputs::Form form, int64_t row) const {
        if (!shared_) form.data += static_cast<size_t>(row) * form.stride;
        return form;
    }
    PreparedInputs::Form gate_, up_;
    bool shared_ = false; // a single token: all rows read the same input
};

/// Returns the job with its matrices, biases and inputs. weights: the weights of the job's layer.
FeedForwardJob feedForwardJob(const ModelShape& shape, const LayerWeights& weights, const ExpertJob& job,
                              const ExpertParts& parts, const RowInputs& inputs);

} // namespace coterie::engine
