// SPDX-License-Identifier: Apache-2.0
// See head.h.
#include "decoder/head.h"

#include <algorithm>
#include <limits>

namespace coterie::engine {
namespace {

/// Rows of one piece of work.
constexpr int64_t kBlockRows = 256;
constexpr float kNever = -std::numeric_limits<float>::infinity();

} // namespace

Head::Head(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ResidentWeights& weights)
    : shape_(shape), compute_(compute), workspace_(workspace), weights_(weights) {}

void Head::run(PreparedInputs& states) const {
    multiply(compute_, {weights_.head, states.form(compute_, weights_.head.type), states.batch(), workspace_.logits,
                        shape_.vocabulary});
}

int64_t Head::runPredicted(PreparedInputs& states, std::span<const TokenId> kept) const {
    const Matrix& reduce = weights_.predictorReduce;
    multiply(compute_, {reduce, states.form(compute_, reduce.type), 1, workspace_.reduced, reduce.rows});
    PreparedInputs reduced({workspace_.preparedReduced, nullptr, nullptr});
    reduced.set(workspace_.reduced, reduce.rows, 1);
    const PreparedInputs::Form reducedForm = reduced.form(compute_, weights_.predictorExpand.type);
    const PreparedInputs::Form stateForm = states.form(compute_, weights_.head.type);

    std::atomic<int64_t> computed{0};
    compute_.forEach(shape_.vocabulary, kBlockRows, [&](int64_t begin, int64_t end, int) {
        computed.fetch_add(runBlock(reducedForm, stateForm, begin, end), std::memory_order_relaxed);
    });
    for (const TokenId row : kept) {
        if (workspace_.logits[row] != kNever) continue;
        runRows(stateForm, row, row + 1);
        ++computed;
    }
    const auto bytesOf = [](const Matrix& matrix, int64_t rows) {
        return static_cast<uint64_t>(rows) * rowBytes(matrix.type, static_cast<uint64_t>(matrix.columns));
    };
    compute_.countBytes(bytesOf(weights_.predictorExpand, shape_.vocabulary) + bytesOf(weights_.head, computed));
    return computed;
}

/// The predictor's scores stand where the logits will, until these take their place.
int64_t Head::runBlock(const PreparedInputs::Form& reduced, const PreparedInputs::Form& state, int64_t begin,
                       int64_t end) const {
    float* logits = workspace_.logits;
    compute_.kernels.multiply(weights_.predictorExpand, begin, end, reduced.data, reduced.stride, 1, logits,
                              shape_.vocabulary);
    int64_t computed = 0;
    for (int64_t i = begin; i < end;) {
        int64_t last = i;
        while (last < end && logits[last] > 0) ++last;
        if (last > i) {
            runRows(state, i, last);
            computed += last - i;
        } else {
            logits[last++] = kNever;
        }
        i = last;
    }
    return computed;
}

void Head::runRows(const PreparedInputs::Form& state, int64_t begin, int64_t end) const {
    compute_.kernels.multiply(weights_.head, begin, end, state.data, state.stride, 1, workspace_.logits,
                              shape_.vocabulary);
}

} // namespace coterie::engine
