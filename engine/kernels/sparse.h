// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySparse of each instruction set: regrouped matrices (regroup.h) against one vector. Inside
// kernels/ only.
//
// A group's columns whose value is 0 are not read. The others' products with a row are added in integers, and so
// exactly; the groups' sums, times both scales, are added in the order of groups.
#pragma once

#include "kernels/blocks.h"
#include "kernels/regroup.h"

#include <bit>

namespace coterie::engine {

/// Bit i: byte i of 32 is not 0. Eight at a time: the seven low bits carry into the top one, and a product gathers the
/// top bits, each on a place of its own.
inline uint32_t othersThanZero(const int8_t* x) {
    constexpr uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint32_t bits = 0;
    for (int i = 0; i < blockValues; i += 8) {
        const auto eight = loadAs<uint64_t>(x + i);
        const uint64_t top = (((eight & low) + low) | eight) & ~low;
        bits |= static_cast<uint32_t>((top >> 7) * 0x0102040810204080u >> 56) << i;
    }
    return bits;
}

/// The columns of a group that count, in fours: a missing one is the first again, times 0.
struct ActiveColumns {
    int count = 0; ///< a multiple of 4
    int used = 0;  ///< without those that are missing
    int32_t sum = 0;
    uint8_t columns[blockValues + 4];
    alignas(4) int8_t factors[blockValues + 4];

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

/// Some rows of a slice, whole chunks of them, and one of their groups.
struct SparseGroup {
    ColumnGroup place;
    ActiveColumns active;
    float scale = 0; ///< of the vector's block
};

/// out[r] += the group's share, for `rows` rows.
using AddGroup = void (*)(const SparseGroup& group, int64_t rows, float* out);

/// Groups that are on their way from memory: processors don't foresee a stream with so many gaps.
constexpr int64_t groupsAhead = 3;

/// Returns the group's bytes. (GCC 12 drops a call that does nothing but ask for memory; its inlining is forced.)
COTERIE_INLINE int64_t fetch(const SparseGroup& group, int64_t rows) {
    const int64_t columnBytes = rows * group.place.columnBytes / group.place.rows;
    fetchBytes(group.place.scales, rows * scaleBytes);
    for (int i = 0; i < group.active.used; ++i)
        fetchBytes(group.place.columns + group.active.columns[i] * group.place.columnBytes, columnBytes);
    return rows * scaleBytes + group.active.used * columnBytes;
}

template <AddGroup addQ4, AddGroup addQ8>
uint64_t multiplySparseBy(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float* out) {
    const float* scales = reinterpret_cast<const float*>(prepared);
    const int8_t* x = reinterpret_cast<const int8_t*>(prepared + preparedQuantsOffset(w.columns));
    const AddGroup add = w.type == TensorType::Q4_0 ? addQ4 : addQ8;
    const int64_t groups = w.columns / blockValues;
    SparseGroup ring[groupsAhead + 1];
    int64_t bytes = 0;
    for (int64_t r = rowBegin, end; r < rowEnd; r = end) {
        end = std::min(rowEnd, (r / sliceRows + 1) * sliceRows);
        const int64_t rows = end - r;
        std::fill(out + r, out + end, 0.0f);
        for (int64_t ahead = 0; ahead < groups + groupsAhead; ++ahead) {
            if (ahead < groups) {
                SparseGroup& later = ring[ahead % (groupsAhead + 1)];
                later = {columnGroup(w, r, ahead), ActiveColumns(x + ahead * blockValues), scales[ahead]};
                bytes += fetch(later, rows);
            }
            if (ahead < groupsAhead) continue;
            const SparseGroup& now = ring[(ahead - groupsAhead) % (groupsAhead + 1)];
            // A block that is not finite has values of 0 and a scale that is no number: it must show.
            if (now.active.count != 0 || !(now.scale * 0 == 0)) add(now, rows, out + r);
        }
    }
    return static_cast<uint64_t>(bytes);
}

} // namespace coterie::engine
