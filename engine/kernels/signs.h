// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySigns of each instruction set. Inside kernels/ only.
//
// Each instruction set sums the values whose bit is set, for one row or for several rows together, in integers and so
// exactly. Twice this sum is subtracted from the sum of all values: that turns their signs.
#pragma once

#include "kernels/blocks.h"
#include "kernels/kernels.h"

namespace coterie::engine {

constexpr int64_t kSpanBytes = kSignSpan / 8; ///< bytes of a span

/// sums[i] = sum of the values of x whose bit in row i is set. bits: [rows, spans * kSpanBytes], from the first row on.
using SumsOfSet = void (*)(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* sums);

template <int64_t kRowsTogether, SumsOfSet ofSeveral, SumsOfSet ofRow>
void multiplySignsBy(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                     float* out) {
    constexpr int64_t fetchedBytes = 4096; // how far ahead memory is read, to cover its latency
    int32_t sums[kRowsTogether];
    for (int64_t r = rowBegin, count; r < rowEnd; r += count) {
        count = rowEnd - r >= kRowsTogether ? kRowsTogether : 1;
        fetchBytes(w.bits + r * w.spans * kSpanBytes + fetchedBytes, count * w.spans * kSpanBytes);
        const SumsOfSet sumsOf =
            count == 1 ? ofRow : ofSeveral; // NOLINT(bugprone-branch-clone): one function in scalar
        sumsOf(w.bits + r * w.spans * kSpanBytes, w.spans, x.values, sums);
        for (int64_t i = 0; i < count; ++i)
            out[r + i] = w.scales[r + i] * (shift + x.scale * static_cast<float>(x.sum - 2 * sums[i]));
    }
}

} // namespace coterie::engine
