// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySparse of each instruction set: regrouped matrices (regroup.h) times one vector. Inside kernels/
// only.
//
// Columns of a block whose value is 0 are not read. The products of the others with a row are added in integers, so
// exactly. The sums of blocks, times both scales, are added in the order of blocks.
#pragma once

#include "kernels/blocks.h"
#include "kernels/regroup.h"

#include <bit>

namespace coterie::engine {

/// Bit i says that byte i of 32 is not 0. It takes eight bytes at a time: the seven low bits of each carry into its top
/// bit, and a product gathers the top bits.
inline uint32_t othersThanZero(const int8_t* x) {
    constexpr uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint32_t bits = 0;
    for (int i = 0; i < kBlockValues; i += 8) {
        const auto eight = loadAs<uint64_t>(x + i);
        const uint64_t top = (((eight & low) + low) | eight) & ~low;
        bits |= static_cast<uint32_t>((top >> 7) * 0x0102040810204080u >> 56) << i;
    }
    return bits;
}

/// The columns of a block whose value is not 0, rounded up to a multiple of 4 with copies of the first one times 0.
struct ActiveColumns {
    int count = 0; ///< a multiple of 4
    int used = 0;  ///< how many of them are real
    int32_t sum = 0;
    uint8_t columns[kBlockValues + 4];
    alignas(4) int8_t factors[kBlockValues + 4];

    ActiveColumns() = default;
    explicit ActiveColumns(const int8_t* x) {
        for (uint32_t left = othersThanZero(x); left != 0; left &= left - 1) {
            const int i = std::countr_zero(left);
            columns[count] = static_cast<uint8_t>(i);
            factors[count++] = x[i];
            sum += x[i];
        }
        used = count;
        for (; count % 4 != 0; ++count) {
            columns[count] = columns[0];
            factors[count] = 0;
        }
    }
};

/// Bytes of a column in a band of 128 rows.
template <TensorType type>
constexpr int64_t kBandBytes = kBandRows*(kBlockBytes<type> - kScaleBytes) / kBlockValues;

/// Some rows of a slice, in whole bands, in one block of columns.
struct SparseBlock {
    ColumnBlock place;
    ActiveColumns active;
    float scale = 0; ///< scale of the vector's block
};

/// Adds the block's products to out[r], for `rows` rows.
using AddBlock = void (*)(const SparseBlock& block, int64_t rows, float* out);

/// Blocks that are being fetched. Processors do not foresee reads with so many gaps.
constexpr int64_t kBlocksAhead = 3;

/// Fetches the block and returns its bytes. (GCC 12 drops a call that only prefetches, so its inlining is forced.)
COTERIE_INLINE int64_t fetch(const SparseBlock& block, int64_t rows) {
    const int64_t columnBytes = rows * block.place.columnBytes / block.place.rows;
    fetchBytes(block.place.scales, rows * kScaleBytes);
    for (int i = 0; i < block.active.used; ++i)
        fetchBytes(block.place.columns + block.active.columns[i] * block.place.columnBytes, columnBytes);
    return rows * kScaleBytes + block.active.used * columnBytes;
}

template <AddBlock addQ4, AddBlock addQ8>
uint64_t multiplySparseBy(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float* out) {
    const float* scales = reinterpret_cast<const float*>(prepared);
    const int8_t* x = reinterpret_cast<const int8_t*>(prepared + preparedQuantsOffset(w.columns));
    const AddBlock add = w.type == TensorType::Q4_0 ? addQ4 : addQ8;
    const int64_t blocks = w.columns / kBlockValues;
    SparseBlock ring[kBlocksAhead + 1];
    int64_t bytes = 0;
    for (int64_t r = rowBegin, end; r < rowEnd; r = end) {
        end = std::min(rowEnd, (r / kSliceRows + 1) * kSliceRows);
        const int64_t rows = end - r;
        std::fill(out + r, out + end, 0.0f);
        for (int64_t ahead = 0; ahead < blocks + kBlocksAhead; ++ahead) {
            if (ahead < blocks) {
                SparseBlock& later = ring[ahead % (kBlocksAhead + 1)];
                later = {columnBlock(w, r, ahead), ActiveColumns(x + ahead * kBlockValues), scales[ahead]};
                bytes += fetch(later, rows);
            }
            if (ahead < kBlocksAhead) continue;
            const SparseBlock& now = ring[(ahead - kBlocksAhead) % (kBlocksAhead + 1)];
            // A block that is not finite has values of 0 and a scale that is NaN: the result must show it.
            if (now.active.count != 0 || !(now.scale * 0 == 0)) add(now, rows, out + r);
        }
    }
    return static_cast<uint64_t>(bytes);
}

} // namespace coterie::engine
