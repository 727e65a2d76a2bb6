// SPDX-License-Identifier: Apache-2.0
// KernelTable::addScaledRows, around the function of an instruction set that adds a few rows in one pass over `out`.
// Inside kernels/ only; plain C++, so that any copy of these inline functions runs anywhere.
#pragma once

#include "kernels/kernels.h"

namespace coterie::engine {

constexpr int64_t kAddedTogether = 4; ///< rows of a pass: each piece of `out` is loaded and stored once for all of them

/// Adds scales[k] * rows[k] to out[begin, end) for each row of the pass, and fetches the same columns of nextRows.
using AddRows = void (*)(const std::byte* const* rows, const std::byte* const* nextRows, const float* scales,
                         int64_t begin, int64_t end, float* out);

/// The passes of one format. Both add a row to a value of `out` in the same way.
struct RowAdder {
    AddRows four = nullptr; ///< for kAddedTogether rows
    AddRows one = nullptr;
};

inline void addScaledRowsBy(const RowAdder& add, const Matrix& w, const int32_t* rows, const float* scales,
                            int64_t count, int64_t columnBegin, int64_t columnEnd, float* out) {
    const size_t stride = w.rowStride(); // computing it takes a division: once per call, not per row
    const auto rowAt = [&](int64_t k) {
        return w.data + static_cast<size_t>(rows[k < count ? k : count - 1]) * stride;
    };
    const std::byte *now[kAddedTogether], *next[kAddedTogether];
    for (int64_t j = 0; j < kAddedTogether && count > 0; ++j) next[j] = rowAt(j);
    int64_t k = 0;
    for (; k + kAddedTogether <= count; k += kAddedTogether) {
        for (int64_t j = 0; j < kAddedTogether; ++j) {
            now[j] = next[j];
            next[j] = rowAt(k + kAddedTogether + j);
        }
        add.four(now, next, scales + k, columnBegin, columnEnd, out);
    }
    for (int64_t j = 0; k + j < count; ++j)
        add.one(&next[j], &next[j + 1 < kAddedTogether ? j + 1 : j], scales + k + j, columnBegin, columnEnd, out);
}

} // namespace coterie::engine
