// SPDX-License-Identifier: Apache-2.0
// Matrices in an order in which columns can be skipped. A file keeps 32 columns of a row together in a block, so a
// column that is multiplied with 0 cannot be left out. Regrouping rounds nothing: the same scales and values lie in
// another order, in the same number of bytes, and each slice of rows stays within its own bytes.
//
//   A matrix has slices of 2048 rows; the last one may have fewer, in whole bands of 128:
//     slice:  | block 0: columns 0-31 | block 1: columns 32-63 | ...
//     block:  | scale of each row: half [rows] | column 0 | column 1 | ... | column 31 |
//     column: bytes of each band of 128 rows, one band after the other
//       Q4_0: 64 bytes, at place p row at(p) in the low nibble, row 64 + at(p) in the high one
//       Q8_0: 128 bytes, at place p row at(p), at place 64 + p row 64 + at(p)
//   at(16 l + 4 k + i) = 16 k + 4 l + i, so that registers of any width that interleave four columns get neighbouring
//   rows.
#pragma once

#include "kernels/kernels.h"

#include <algorithm>

namespace coterie::engine {

inline constexpr int64_t kBandRows = 128;
inline constexpr int64_t kSliceRows = 2048;

/// True for Q4_0 and Q8_0 with whole bands of rows and whole blocks of columns.
bool canRegroup(TensorType type, int64_t rows, int64_t columns);
/// Regroups the matrix at `from`, as files have it, to `to`. `to` may be `from`, lie before it, or lie elsewhere.
/// scratch: room for a slice, [kSliceRows, rowBytes]. Requires canRegroup().
void regroup(TensorType type, int64_t rows, int64_t columns, const std::byte* from, std::byte* to, std::byte* scratch);
/// Writes the band of rows that begins at rowBegin, a multiple of 128, as files have it. out: [128, rowBytes].
void restoreBand(const Matrix& regrouped, int64_t rowBegin, std::byte* out);

/// Some rows of a slice in one block of 32 columns.
struct ColumnBlock {
    const std::byte* scales = nullptr;  ///< scale of the first of the rows
    const std::byte* columns = nullptr; ///< the first of the rows in column 0
    int64_t rows = 0;                   ///< rows of the whole slice
    int64_t columnBytes = 0;            ///< bytes from one column to the next, for all rows of the slice
};

/// Returns where block `number` of the columns lies for the rows from `row`, a multiple of 128, to the end of the
/// slice.
inline ColumnBlock columnBlock(const Matrix& regrouped, int64_t row, int64_t number) {
    const int64_t begin = row / kSliceRows * kSliceRows, rows = std::min(kSliceRows, regrouped.rows - begin);
    const auto blockBytes = static_cast<int64_t>(rowBytes(regrouped.type, 32));
    const std::byte* block = regrouped.row(begin) + number * rows * blockBytes;
    const int64_t scale = 2, columnBytes = rows * (blockBytes - scale) / 32;
    return {block + (row - begin) * scale, block + rows * scale + (row - begin) * columnBytes / rows, rows,
            columnBytes};
}

} // namespace coterie::engine
