// SPDX-License-Identifier: Apache-2.0
// The plain kernels that carry something from token to token: the causal convolution and the gated delta rule. Every
// other table is measured against them. Both go through the tokens in their order, so a prompt may be cut anywhere.
//
//     convolution, tapCount = 4:              x[-3] x[-2] x[-1] | x[0] x[1] x[2] ...
//                                             the history       | the input
//         out[0, c] = taps[c] . x[-3 .. 0, c],   out[1, c] = taps[c] . x[-2 .. 1, c] ...
//
//     delta rule:   state [size, size]                columns of different values never meet: a block of columns
//                       value 0 .. size-1             goes through all tokens before the next block begins, and its
//               key 0   | S[0, 0] S[0, 1] ...         part of the state stays in the first cache meanwhile
//               key 1   | S[1, 0] ...
#include "kernels/scalar.h"

#include <algorithm>

namespace coterie::engine {
namespace {

constexpr int64_t kColumns = 16; ///< columns of a block: 8 KiB of the state if there are 128 keys

/// One token and the columns [begin, begin + count) of the state.
void updateColumns(const DeltaRuleHead& head, int64_t t, int64_t begin, int64_t count, float* state) {
    const float* query = head.queries + t * head.queryStride;
    const float* key = head.keys + t * head.keyStride;
    const float* value = head.values + t * head.valueStride + begin;
    const float decay = head.decay[t * head.gateStride], beta = head.beta[t * head.gateStride];
    float change[kColumns] = {}, sums[kColumns] = {};
    for (int64_t i = 0; i < head.size; ++i) {
        float* row = state + i * head.size + begin;
        for (int64_t j = 0; j < count; ++j) {
            row[j] *= decay;
            change[j] += row[j] * key[i];
        }
    }
    for (int64_t j = 0; j < count; ++j) change[j] = beta * (value[j] - change[j]);
    for (int64_t i = 0; i < head.size; ++i) {
        float* row = state + i * head.size + begin;
        for (int64_t j = 0; j < count; ++j) {
            row[j] += key[i] * change[j];
            sums[j] += row[j] * query[i];
        }
    }
    std::copy_n(sums, count, head.out + t * head.outStride + begin);
}

} // namespace

void scalarCausalConvolution(const CausalConvolution& c) {
    const int64_t before = c.tapCount - 1;
    for (int64_t t = 0; t < c.tokens; ++t) {
        float* out = c.out + t * c.channels;
        std::fill(out + c.firstChannel, out + c.endChannel, 0.0f);
        for (int64_t k = 0; k < c.tapCount; ++k) {
            const int64_t at = t - before + k;
            const float* x = at < 0 ? c.history + (at + before) * c.channels : c.input + at * c.inputStride;
            for (int64_t i = c.firstChannel; i < c.endChannel; ++i) out[i] += c.taps[i * c.tapCount + k] * x[i];
        }
    }
}

void scalarDeltaRule(const DeltaRuleHead& head, float* state) {
    for (int64_t begin = 0; begin < head.size; begin += kColumns)
        for (int64_t t = 0; t < head.tokens; ++t)
            updateColumns(head, t, begin, std::min(kColumns, head.size - begin), state);
}

} // namespace coterie::engine
