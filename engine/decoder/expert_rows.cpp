// SPDX-License-Identifier: Apache-2.0
// See expert_rows.h.
#include "decoder/expert_rows.h"

#include <cstring>

namespace coterie::engine {

void RowInputs::gather(const Compute& compute, Workspace& workspace, const LayerWeights& weights, PreparedInputs& input,
                       std::span<const int64_t> tokenOfRow) {
    gate_ = input.form(compute, weights.gate.type);
    up_ = input.form(compute, weights.up.type);
    shared_ = input.batch() == 1;
    if (shared_) return;
    // The rows of a dense layer are tokens in their order.
    bool inOrder = true;
    for (size_t row = 1; inOrder && row < tokenOfRow.size(); ++row)
        inOrder = tokenOfRow[row] == tokenOfRow[row - 1] + 1;
    if (inOrder) {
        for (PreparedInputs::Form* form : {&gate_, &up_})
            form->data += static_cast<size_t>(tokenOfRow.empty() ? 0 : tokenOfRow[0]) * form->stride;
        return;
    }
    const bool alike = gate_.data == up_.data;
    const auto copy = [&](const PreparedInputs::Form& from, std::byte* to) {
        compute.forEachToken(static_cast<int64_t>(tokenOfRow.size()), [&](int64_t row) {
            const size_t token = static_cast<size_t>(tokenOfRow[static_cast<size_t>(row)]);
            std::memcpy(to + static_cast<size_t>(row) * from.stride, from.data + token * from.stride, from.stride);
        });
        return PreparedInputs::Form{to, from.stride};
    };
    gate_ = copy(gate_, workspace.gathered[placeOf(vectorForm(weights.gate.type))]);
    up_ = alike ? gate_ : copy(up_, workspace.gathered[placeOf(vectorForm(weights.up.type))]);
}

FeedForwardJob feedForwardJob(const ModelShape& shape, const LayerWeights& weights, const ExpertJob& job,
                              const ExpertParts& parts) {
    const auto biasOf = [&job](const float* biases, int64_t n) {
        return biases == nullptr ? nullptr : biases + job.expert * n;
    };
    FeedForwardJob work{.gate = weights.gate,
                        .up = weights.up,
                        .down = weights.down,
                        .downRegrouped = parts.downArranged,
                        .firstRow = job.firstRow,
                        .outputRow = job.firstRow,
                        .rows = job.rows,
                        .gateBias = biasOf(weights.gateBias, weights.gate.rows),
                        .upBias = biasOf(weights.upBias, weights.up.rows),
                        .downBias = biasOf(weights.downBias, shape.width)};
    work.gate.data = parts.gate;
    work.up.data = parts.up;
    work.down.data = parts.down;
    return work;
}

} // namespace coterie::engine
