// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySigns of each instruction set. Inside kernels/ only.
//
// What an instruction set adds is a sum of the values whose bit is set, for one row and for several side by side, in
// integers and so exactly; turning the signs of these takes twice that from the sum of all.
#pragma once

#include "kernels/blocks.h"
#include "kernels/kernels.h"

namespace coterie::engine {

constexpr int64_t signBytes = signGroup / 8; ///< of a group

/// sums[i] = sum of the values of x whose bit of row i is set; bits: [rows, groups * signBytes] from the first row on.
using SumsOfSet = void (*)(const uint8_t* bits, int64_t groups, const int8_t* x, int32_t* sums);

template <int64_t groupRows, SumsOfSet ofGroup, SumsOfSet ofRow>
void multiplySignsBy(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                     float* out) {
    constexpr int64_t fetchedBytes = 4096; // ahead: memory's time to answer
    int32_t sums[groupRows];
    for (int64_t r = rowBegin, count; r < rowEnd; r += count) {
        count = rowEnd - r >= groupRows ? groupRows : 1;
        fetchBytes(w.bits + r * w.groups * signBytes + fetchedBytes, count * w.groups * signBytes);
        (count == 1 ? ofRow : ofGroup)(w.bits + r * w.groups * signBytes, w.groups, x.values, sums);
        for (int64_t i = 0; i < count; ++i)
            out[r + i] = w.scales[r + i] * (shift + x.scale * static_cast<float>(x.sum - 2 * sums[i]));
    }
}

} // namespace coterie::engine
