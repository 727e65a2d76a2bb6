// SPDX-License-Identifier: Apache-2.0
// Matrices regrouped so that columns can be skipped: a file keeps a row's blocks of 32 columns together, and a column
// that is multiplied with 0 can't be left out of them. Nothing is rounded anew: the same scales and values lie in
// another order, in the same number of bytes, and each slice of rows in its own bytes.
//
//   A matrix is slices of 2048 rows (the last one perhaps fewer, whole chunks of 128):
//     slice:  | group 0: columns 0-31 | group 1: columns 32-63 | ...
//     group:  | scale of each row: half [rows] | column 0 | column 1 | ... | column 31 |
//     column: a part for each chunk of 128 rows
//       Q4_0: 64 bytes, at place p row at(p) in the low nibble, row 64 + at(p) in the high one
//       Q8_0: 128 bytes, at place p row at(p), at place 64 + p row 64 + at(p)
//   at(16 l + 4 k + i) = 16 k + 4 l + i: registers of any width that interleave four columns get neighbouring rows.
#pragma once

#include "kernels/kernels.h"

#include <algorithm>

namespace coterie::engine {

inline constexpr int64_t kBandRows = 128;
inline constexpr int64_t kSliceRows = 2048;

/// Q4_0 and Q8_0, whole chunks of rows, whole blocks of columns.
bool canRegroup(TensorType type, int64_t rows, int64_t columns);
/// Regroups the matrix at `from`, as files have it, to `to`: the same place, or one before it, or one elsewhere.
/// scratch: a slice, [kSliceRows, rowBytes]. canRegroup() is true.
void regroup(TensorType type, int64_t rows, int64_t columns, const std::byte* from, std::byte* to, std::byte* scratch);
/// The chunk of rows that begins at rowBegin, a multiple of 128, as files have it -> out: [128, rowBytes].
void restoreBand(const Matrix& regrouped, int64_t rowBegin, std::byte* out);

/// One group's part of some rows of a slice.
struct ColumnBlock {
    const std::byte* scales = nullptr;  ///< of the first of the rows
    const std::byte* columns = nullptr; ///< column 0's part of the first of the rows
    int64_t rows = 0;                   ///< of the slice
    int64_t columnBytes = 0;            ///< from column to column: for all rows of the slice
};

/// Where group `number` lies for the rows from `row` on, a multiple of 128; up to the end of the slice.
inline ColumnBlock columnBlock(const Matrix& regrouped, int64_t row, int64_t number) {
    const int64_t begin = row / kSliceRows * kSliceRows, rows = std::min(kSliceRows, regrouped.rows - begin);
    const auto blockBytes = static_cast<int64_t>(rowBytes(regrouped.type, 32));
    const std::byte* block = regrouped.row(begin) + number * rows * blockBytes;
    const int64_t scale = 2, columnBytes = rows * (blockBytes - scale) / 32;
    return {block + (row - begin) * scale, block + rows * scale + (row - begin) * columnBytes / rows, rows,
            columnBytes};
}

} // namespace coterie::engine
