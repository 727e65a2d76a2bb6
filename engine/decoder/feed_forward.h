// SPDX-License-Identifier: Apache-2.0
// down(activation(gate h) * (up h)) for any number of experts as one list of work. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/workspace.h"

#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

/// One expert and its rows: consecutive rows of the workspace's gate and up, and consecutive ones of its down.
struct FeedForwardJob {
    Matrix gate, up;                             // [neurons, width]
    Matrix down;                                 // [width, neurons]; stored by neuron: [neurons, width]
    bool downRegrouped = false;                  // see kernels/regroup.h
    PreparedInputs::Form gateInput{}, upInput{}; // inputs of the first row
    int64_t firstRow = 0;  // in the arrays that one call uses: gate, up and what is made from them
    int64_t outputRow = 0; // in workspace.down, and for active()
    int64_t rows = 0;
    const float *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr; // [neurons], [neurons], [width] or null
};

class FeedForward {
  public:
    /// rows: the largest number of rows in a call. outputs: the number of rows of workspace.down.
    FeedForward(const ModelShape& shape, const Compute& compute, Workspace& workspace, int64_t rows, int64_t outputs);

    /// Fills workspace.down for the jobs' rows, with two barriers, or three if there are many rows. All jobs have
    /// `neurons` neurons.
    void run(std::span<const FeedForwardJob> jobs, int64_t neurons);
    /// The number of neurons of a row of workspace.down whose gate let something through; ReGLU only.
    int64_t active(int64_t row) const { return active_[static_cast<size_t>(row)].load(std::memory_order_relaxed); }

  private:
    void activate(const FeedForwardJob& job, int64_t begin, int64_t end, int thread);
    void activateRow(float* gate, float* up, int64_t n, int64_t row);
    void activateSparsely(const FeedForwardJob& job, int64_t begin, int64_t end, int thread);
    void finishRow(const FeedForwardJob& job, int64_t row);
    int64_t outputBlock(std::span<const FeedForwardJob> jobs) const;
    void project(const FeedForwardJob& job, int64_t begin, int64_t end, int thread);
    void projectStoredByNeuron(const FeedForwardJob& job, int64_t begin, int64_t end);
    void projectRegrouped(const FeedForwardJob& job, int64_t begin, int64_t end, int thread);
    void count(std::span<const FeedForwardJob> jobs) const;

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    int64_t neurons_ = 0;                            // neurons of the jobs that run
    std::unique_ptr<std::atomic<int32_t>[]> active_; // [outputs]
    std::vector<int64_t> listed_;                    // [rows] neurons in a row's list, if down is stored by neuron
    const bool sparse_;                              // most gates are shut
    const bool skips_;                               // so gates are computed before up rows are read
};

} // namespace coterie::engine
