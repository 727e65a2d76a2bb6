// SPDX-License-Identifier: Apache-2.0
// See regroup.h. Blocks have 16 or 32 bytes behind a scale, so both directions are transpositions of 16 x 16 bytes: 16
// rows in the order of at(), and half a block. The nibbles of Q4_0 are paired anew on the way.
#include "kernels/regroup.h"

#include "kernels/blocks.h"

#include <array>
#include <cassert>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#elif defined(__ARM_NEON) || defined(_M_ARM64)
#include <arm_neon.h>
#endif

namespace coterie::engine {
namespace {

constexpr int64_t kSide = 16;
constexpr int64_t kHalfBand = 64;

#if defined(__SSE2__) || defined(_M_X64)
using Bytes16 = __m128i;
Bytes16 load(const uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
void store(uint8_t* p, Bytes16 v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
Bytes16 interleaveLow(Bytes16 a, Bytes16 b) { return _mm_unpacklo_epi8(a, b); }
Bytes16 interleaveHigh(Bytes16 a, Bytes16 b) { return _mm_unpackhi_epi8(a, b); }
Bytes16 lowNibbles(Bytes16 a, Bytes16 b) {
    const Bytes16 low = _mm_set1_epi8(15);
    return _mm_or_si128(_mm_and_si128(a, low), _mm_andnot_si128(low, _mm_slli_epi16(b, 4)));
}
Bytes16 highNibbles(Bytes16 a, Bytes16 b) {
    const Bytes16 low = _mm_set1_epi8(15);
    return _mm_or_si128(_mm_and_si128(_mm_srli_epi16(a, 4), low), _mm_andnot_si128(low, b));
}
#elif defined(__ARM_NEON) || defined(_M_ARM64)
using Bytes16 = uint8x16_t;
Bytes16 load(const uint8_t* p) { return vld1q_u8(p); }
void store(uint8_t* p, Bytes16 v) { vst1q_u8(p, v); }
Bytes16 interleaveLow(Bytes16 a, Bytes16 b) { return vzip1q_u8(a, b); }
Bytes16 interleaveHigh(Bytes16 a, Bytes16 b) { return vzip2q_u8(a, b); }
Bytes16 lowNibbles(Bytes16 a, Bytes16 b) { return vsliq_n_u8(a, b, 4); }
Bytes16 highNibbles(Bytes16 a, Bytes16 b) { return vsriq_n_u8(b, a, 4); }
#else
using Bytes16 = std::array<uint8_t, kSide>;
Bytes16 load(const uint8_t* p) {
    Bytes16 v;
    std::memcpy(v.data(), p, v.size());
    return v;
}
void store(uint8_t* p, const Bytes16& v) { std::memcpy(p, v.data(), v.size()); }
Bytes16 interleaved(const Bytes16& a, const Bytes16& b, size_t first) {
    Bytes16 v;
    for (size_t i = 0; i < v.size(); ++i) v[i] = (i % 2 == 0 ? a : b)[first + i / 2];
    return v;
}
Bytes16 interleaveLow(const Bytes16& a, const Bytes16& b) { return interleaved(a, b, 0); }
Bytes16 interleaveHigh(const Bytes16& a, const Bytes16& b) { return interleaved(a, b, kSide / 2); }
Bytes16 lowNibbles(const Bytes16& a, const Bytes16& b) {
    Bytes16 v;
    for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<uint8_t>((a[i] & 15) | b[i] << 4);
    return v;
}
Bytes16 highNibbles(const Bytes16& a, const Bytes16& b) {
    Bytes16 v;
    for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<uint8_t>(a[i] >> 4 | (b[i] & 0xf0));
    return v;
}
#endif

/// 16 rows of 16 bytes, in registers if there are enough.
struct Square {
    Bytes16 rows[kSide];
};

/// One of four rounds that turn rows into columns: it interleaves row i with row i + 8.
COTERIE_INLINE Square interleave(const Square& square) {
    Square next;
    for (size_t i = 0; i < kSide / 2; ++i) {
        next.rows[2 * i] = interleaveLow(square.rows[i], square.rows[i + kSide / 2]);
        next.rows[2 * i + 1] = interleaveHigh(square.rows[i], square.rows[i + kSide / 2]);
    }
    return next;
}
COTERIE_INLINE Square transpose(const Square& square) { return interleave(interleave(interleave(interleave(square)))); }

/// The row of half a band that lies at place `quarter` * 16 + i.
int64_t rowAt(int64_t quarter, int64_t i) { return 16 * (i / 4) + 4 * quarter + i % 4; }

/// Bytes from row to row in the file's order, and from column to column in the new order.
struct Strides {
    int64_t row, column;
};

/// 16 rows of a band, and half of a block's columns or all of them.
struct Patch {
    int64_t half = 0, quarter = 0; ///< the rows
    int64_t first = 0;             ///< first byte among a block's values
};

/// Offset of row i's 16 bytes of a patch from the band's first row in this block.
int64_t offsetOf(const Strides& strides, const Patch& patch, size_t i) {
    const int64_t row = patch.half * kHalfBand + rowAt(patch.quarter, static_cast<int64_t>(i));
    return row * strides.row + kScaleBytes + patch.first;
}

/// Loads a patch with the bytes of each column side by side.
COTERIE_INLINE Square columnsOf(const Strides& strides, const Patch& patch, const uint8_t* blocks) {
    Square square;
    for (size_t i = 0; i < kSide; ++i) square.rows[i] = load(blocks + offsetOf(strides, patch, i));
    return transpose(square);
}

COTERIE_INLINE void writeColumns(const Strides& strides, const Patch& patch, const Square& columns, uint8_t* blocks) {
    const Square square = transpose(columns);
    for (size_t i = 0; i < kSide; ++i) store(blocks + offsetOf(strides, patch, i), square.rows[i]);
}

/// Q4_0: byte j of a block holds column j in its low nibble and column j + 16 in the high one.
void regroupQ4(const Strides& strides, const uint8_t* blocks, uint8_t* columns) {
    for (int64_t quarter = 0; quarter < 4; ++quarter) {
        const Square first = columnsOf(strides, {0, quarter, 0}, blocks);
        const Square second = columnsOf(strides, {1, quarter, 0}, blocks);
        uint8_t* low = columns + quarter * kSide;
        for (size_t j = 0; j < kSide; ++j, low += strides.column) {
            store(low, lowNibbles(first.rows[j], second.rows[j]));
            store(low + kSide * strides.column, highNibbles(first.rows[j], second.rows[j]));
        }
    }
}

void restoreQ4(const Strides& strides, const uint8_t* columns, uint8_t* blocks) {
    for (int64_t quarter = 0; quarter < 4; ++quarter) {
        Square first, second;
        const uint8_t* low = columns + quarter * kSide;
        for (size_t j = 0; j < kSide; ++j, low += strides.column) {
            const Bytes16 lower = load(low), upper = load(low + kSide * strides.column);
            first.rows[j] = lowNibbles(lower, upper);
            second.rows[j] = highNibbles(lower, upper);
        }
        writeColumns(strides, {0, quarter, 0}, first, blocks);
        writeColumns(strides, {1, quarter, 0}, second, blocks);
    }
}

/// Calls visit(patch, offset of its first column's bytes among the columns) for each patch of a band of Q8_0.
template <typename Visit>
void eachPatchOfQ8(const Strides& strides, const Visit& visit) {
    for (int64_t first = 0; first < kBlockValues; first += kSide)
        for (int64_t half = 0; half < 2; ++half)
            for (int64_t quarter = 0; quarter < 4; ++quarter)
                visit(Patch{half, quarter, first}, first * strides.column + half * kHalfBand + quarter * kSide);
}

void regroupQ8(const Strides& strides, const uint8_t* blocks, uint8_t* columns) {
    eachPatchOfQ8(strides, [&](const Patch& patch, int64_t to) {
        const Square square = columnsOf(strides, patch, blocks);
        for (const Bytes16& column : square.rows) {
            store(columns + to, column);
            to += strides.column;
        }
    });
}

void restoreQ8(const Strides& strides, const uint8_t* columns, uint8_t* blocks) {
    eachPatchOfQ8(strides, [&](const Patch& patch, int64_t from) {
        Square square;
        for (Bytes16& column : square.rows) {
            column = load(columns + from);
            from += strides.column;
        }
        writeColumns(strides, patch, square, blocks);
    });
}

/// Calls body(strides, place, offset) for each block of 32 columns of a band. It lies at `place` in the new order, and
/// at `offset` in a row of the file's.
template <typename Body>
void eachBlock(const Matrix& regrouped, int64_t rowBegin, const Body& body) {
    const auto bytesOf = [&](int64_t n) {
        return static_cast<int64_t>(rowBytes(regrouped.type, static_cast<uint64_t>(n)));
    };
    for (int64_t b = 0; b < regrouped.columns / kBlockValues; ++b) {
        const ColumnBlock place = columnBlock(regrouped, rowBegin, b);
        body(Strides{bytesOf(regrouped.columns), place.columnBytes}, place, b * bytesOf(kBlockValues));
    }
}

} // namespace

bool canRegroup(TensorType type, int64_t rows, int64_t columns) {
    return (type == TensorType::Q4_0 || type == TensorType::Q8_0) && rows % kBandRows == 0 &&
           columns % kBlockValues == 0;
}

void regroup(TensorType type, int64_t rows, int64_t columns, const std::byte* from, std::byte* to, std::byte* scratch) {
    assert(canRegroup(type, rows, columns));
    const Matrix file{type, rows, columns, from}, matrix{type, rows, columns, to};
    for (int64_t slice = 0; slice < rows; slice += kSliceRows) {
        const int64_t end = std::min(slice + kSliceRows, rows);
        std::memcpy(scratch, file.row(slice), static_cast<size_t>(file.row(end) - file.row(slice)));
        for (int64_t row = slice; row < end; row += kBandRows)
            eachBlock(matrix, row, [&](const Strides& strides, const ColumnBlock& place, int64_t offset) {
                const auto* blocks = reinterpret_cast<const uint8_t*>(scratch + (row - slice) * strides.row + offset);
                std::byte* scales = to + (place.scales - to);
                for (int64_t r = 0; r < kBandRows; ++r)
                    std::memcpy(scales + r * kScaleBytes, blocks + r * strides.row, static_cast<size_t>(kScaleBytes));
                auto* into = reinterpret_cast<uint8_t*>(to + (place.columns - to));
                (type == TensorType::Q4_0 ? regroupQ4 : regroupQ8)(strides, blocks, into);
            });
    }
}

void restoreBand(const Matrix& regrouped, int64_t rowBegin, std::byte* out) {
    eachBlock(regrouped, rowBegin, [&](const Strides& strides, const ColumnBlock& place, int64_t offset) {
        auto* blocks = reinterpret_cast<uint8_t*>(out + offset);
        for (int64_t r = 0; r < kBandRows; ++r)
            std::memcpy(blocks + r * strides.row, place.scales + r * kScaleBytes, static_cast<size_t>(kScaleBytes));
        const auto* columns = reinterpret_cast<const uint8_t*>(place.columns);
        (regrouped.type == TensorType::Q4_0 ? restoreQ4 : restoreQ8)(strides, columns, blocks);
    });
}

} // namespace coterie::engine
