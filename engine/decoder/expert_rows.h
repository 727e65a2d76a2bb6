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
    /// input: [tokens, width]. tokenOfRow: [rows] the token that each row reads; rows for which the workspace has room.
    /// Uses the workspace's prepared and gathered arrays until the next call.
    void gather(const Compute& compute, Workspace& workspace, const LayerWeights& weights, PreparedInputs& input,
                std::span<const int64_t> tokenOfRow);
    /// Sets the job's inputs, which begin at its first row.
    void giveTo(FeedForwardJob& job) const {
        job.gateInput = at(gate_, job.firstRow);
        job.upInput = at(up_, job.firstRow);
    }

  private:
    PreparedInputs::Form at(PreparedInputs::Form form, int64_t row) const {
        if (!shared_) form.data += static_cast<size_t>(row) * form.stride;
        return form;
    }
    PreparedInputs::Form gate_, up_;
    bool shared_ = false; // a single token: all rows read the same input
};

/// Returns the job with its matrices and biases, without inputs. weights: the weights of the job's layer.
FeedForwardJob feedForwardJob(const ModelShape& shape, const LayerWeights& weights, const ExpertJob& job,
                              const ExpertParts& parts);

} // namespace coterie::engine
