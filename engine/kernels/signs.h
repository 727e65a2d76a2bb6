// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySigns of each instruction set. Inside kernels/ only.
//
// What an instruction set adds is a sum of the values whose bit is set, for one row and for several side by side, in
// integers and so exactly; turning the signs of these takes twice that from the sum of all.
#pragma once

#include "kernels/blocks.h"
#include "kernels/kernels.h"

namespace coterie::engine {

constexpr int64_t kSpanBytes = kSignSpan / 8; ///< of a group

/// sums[i] = sum of the values of x whose bit of row i is set; bits: [rows, spans * kSpanBytes] from the first row on.
using SumsOfSet = void (*)(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* sums);

template <int64_t kRowsTogether, SumsOfSet ofSeveral, SumsOfSet ofRow>
void multiplySignsBy(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                     float* out) {
    constexpr int64_t fetchedBytes = 4096; // ahead: memory's time to answer
    int32_t sums[kRowsTogether];
    for (int64_t r = rowBegin, count; r < rowEnd; r += count) {
        count = rowEnd - r >= kRowsTogether ? kRowsTogether : 1;
        fetchBytes(w.bits + r * w.spans * kSpanBytes + fetchedBytes, count * w.spans * kSpanBytes);
        (count == 1 ? ofRow : ofSeveral)(w.bits + r * w.spans * kSpanBytes, w.spans, x.values, sums);
        for (int64_t i = 0; i < count; ++i)
            out[r + i] = w.scales[r + i] * (shift + x.scale * static_cast<float>(x.sum - 2 * sums[i]));
    }
}

} // namespace coterie::engine
