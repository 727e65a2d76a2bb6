// SPDX-License-Identifier: Apache-2.0
// The last step of a pass: logits of normed states. Where the file has a head predictor, a single token may have the
// rows alone that it expects to matter. Inside decoder/ only.
//
// The predictor (SmallThinker, arXiv:2507.20984): a row counts when (expand reduce x) > 0 for the normed state x.
#pragma once

#include "decoder/compute.h"
#include "decoder/weights.h"
#include "decoder/workspace.h"

#include <span>

namespace coterie::engine {

class Head {
  public:
    Head(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ResidentWeights& weights);

    bool canPredict() const { return weights_.predictorExpand.data != nullptr; }
    /// states: [tokens, width], at most kHeadBatch tokens -> workspace.logits; all rows.
    void run(PreparedInputs& states) const;
    /// states: [1, width] -> workspace.logits: the predicted rows and those of `kept`, to the same bits as run() has
    /// them, and minus infinity for the others. Returns how many were computed. canPredict() is true.
    int64_t runPredicted(PreparedInputs& states, std::span<const TokenId> kept) const;

  private:
    int64_t runBlock(const PreparedInputs::Form& reduced, const PreparedInputs::Form& state, int64_t begin,
                     int64_t end) const;
    void runRows(const PreparedInputs::Form& state, int64_t begin, int64_t end) const;

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    const ResidentWeights& weights_;
};

} // namespace coterie::engine
