// SPDX-License-Identifier: Apache-2.0
// See layer_embeddings.h.
#include "decoder/embeddings/layer_embeddings.h"

#include <cmath>
#include <numbers>

namespace coterie::engine {

void LayerEmbeddings::request(std::span<const TokenId> tokens) {
    tokens_ = tokens;
    rows_->request(tokens);
}

void LayerEmbeddings::project() {
    const StepScope step = compute_.measure(Step::LayerEmbeddings);
    PreparedInputs input(workspace_.prepared);
    input.set(workspace_.x, shape_.width, count());
    const Matrix& projection = weights_.layerProjection;
    multiply(compute_,
             {projection, input.form(compute_, projection.type), count(), workspace_.layerInputs, rowValues()});
}

Status LayerEmbeddings::waitForRows() {
    const StepScope step = compute_.measure(Step::Disk);
    return rows_->wait();
}

Status LayerEmbeddings::finishInputs() {
    const StepScope step = compute_.measure(Step::LayerEmbeddings);
    if (Status status = waitForRows(); !status) return status;
    compute_.forEach(count(), 1, [this](int64_t begin, int64_t end, int thread) {
        for (int64_t t = begin; t < end; ++t) finishToken(t, thread);
    });
    const Matrix& table = weights_.layerEmbedding;
    compute_.countBytes(static_cast<uint64_t>(count()) * table.rowStride());
    return {};
}

void LayerEmbeddings::finishToken(int64_t token, int thread) {
    const int64_t n = rowValues();
    float* inputs = workspace_.layerInputs + token * n;
    float* row = workspace_.layerRow + thread * n;
    const float projected = 1 / std::sqrt(static_cast<float>(shape_.width));
    for (int64_t i = 0; i < n; ++i) inputs[i] *= projected;
    compute_.kernels.groupedRmsNorm(inputs, weights_.layerProjectionNorm, 0, shape_.layers, shape_.layerEmbedding,
                                    shape_.normEpsilon, inputs);
    compute_.kernels.expandRow(weights_.layerEmbedding.type, rows_->row(tokens_[static_cast<size_t>(token)]), n, row);
    const float scale = std::sqrt(static_cast<float>(shape_.layerEmbedding));
    constexpr float mean = 1 / std::numbers::sqrt2_v<float>;
    for (int64_t i = 0; i < n; ++i) inputs[i] = (inputs[i] + row[i] * scale) * mean;
}

void LayerEmbeddings::run(int64_t layer, const LayerWeights& weights) {
    const StepScope step = compute_.measure(Step::LayerEmbeddings);
    const int64_t n = shape_.layerEmbedding;
    PreparedInputs input(workspace_.prepared);
    input.set(workspace_.x, shape_.width, count());
    multiply(compute_,
             {weights.layerGate, input.form(compute_, weights.layerGate.type), count(), workspace_.layerGates, n});
    compute_.forEachToken(count(), [&](int64_t t) {
        float* gate = workspace_.layerGates + t * n;
        compute_.kernels.geGlu(gate, workspace_.layerInputs + t * rowValues() + layer * n, n, gate);
    });
    input.set(workspace_.layerGates, n, count());
    multiply(compute_, {weights.layerOutput, input.form(compute_, weights.layerOutput.type), count(),
                        workspace_.blockOut, shape_.width});
}

} // namespace coterie::engine
