// SPDX-License-Identifier: Apache-2.0
// Quantised weights of 16 rows, side by side in 512-bit registers. Layouts in files are drawn in quants.h. Inside
// kernels/ only, for files compiled like avx512_vnni.cpp.
//
//   A panel has 16 rows, one in each lane of 32 bits. Eight registers q[8] hold 32 columns, each of them four columns:
//                row 0        row 1            row 15
//       q[i] = | 4i .. 4i+3 | 4i .. 4i+3 | .. | 4i .. 4i+3 |      bytes: q plus quantOffset, never negative
//   Factors belong to a step of 32 columns, or of 16 in formats whose scales are of 16 values: 16 floats, one per row:
//       value = scale * (byte - quantOffset) - minimum
#pragma once

#include "kernels/avx2_unpack.h"
#include "kernels/avx512_pieces.h"

namespace coterie::engine {

constexpr int kPanelRows = 16;

/// Rows of a matrix; if there are fewer than 16, the last one is repeated.
struct PanelRows {
    const std::byte* at[kPanelRows];

    PanelRows(const std::byte* first, size_t rowStride, int64_t count) {
        for (int64_t r = 0; r < kPanelRows; ++r)
            at[r] = first + static_cast<size_t>(r < count ? r : count - 1) * rowStride;
    }
};

/// Memory into which unpackPanel() writes a block of each row.
struct PanelRoom {
    __m512i* quants; ///< [sub-blocks of 32 columns, 8]
    __m512* scales;  ///< [steps]
    __m512* minima;  ///< [steps], for formats with a minimum
};

/// Four bytes of each row.
COTERIE_AVX512_INLINE __m512i words(const PanelRows& rows, int64_t offset) {
    __m512i v[4];
    for (int k = 0; k < 4; ++k) {
        v[k] = everywhere(rows.at[k] + offset);
        v[k] = _mm512_mask_mov_epi32(v[k], 0x00f0, everywhere(rows.at[4 + k] + offset));
        v[k] = _mm512_mask_mov_epi32(v[k], 0x0f00, everywhere(rows.at[8 + k] + offset));
        v[k] = _mm512_mask_mov_epi32(v[k], 0xf000, everywhere(rows.at[12 + k] + offset));
    }
    v[0] = _mm512_mask_mov_epi32(v[0], 0x2222, v[1]);
    v[2] = _mm512_mask_mov_epi32(v[2], 0x8888, v[3]);
    return _mm512_mask_mov_epi32(v[0], 0xcccc, v[2]);
}

/// 16 bytes of each row: out[j] holds bytes 4j .. 4j + 3.
COTERIE_AVX512_INLINE void columns16(const PanelRows& rows, int64_t offset, __m512i (&out)[4]) {
    for (int k = 0; k < 4; ++k) {
        out[k] = _mm512_castsi128_si512(bytes16(rows.at[k] + offset));
        out[k] = _mm512_mask_broadcast_i32x4(out[k], 0x00f0, bytes16(rows.at[4 + k] + offset));
        out[k] = _mm512_mask_broadcast_i32x4(out[k], 0x0f00, bytes16(rows.at[8 + k] + offset));
        out[k] = _mm512_mask_broadcast_i32x4(out[k], 0xf000, bytes16(rows.at[12 + k] + offset));
    }
    transposeQuarters(out);
}

/// Halves in the low 16 bits of each lane.
COTERIE_AVX512_INLINE __m512 floatsFromLowHalves(__m512i v) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(v)); }
COTERIE_AVX512_INLINE __m512 floatsFromHighHalves(__m512i v) { return floatsFromLowHalves(_mm512_srli_epi32(v, 16)); }

/// Shifts by a count that the compiler knows only once loops are unrolled.
COTERIE_AVX512_INLINE __m512i shiftedRight(__m512i v, int count) {
    return count == 0 ? v : _mm512_srlv_epi32(v, _mm512_set1_epi32(count));
}
COTERIE_AVX512_INLINE __m512i shiftedLeft(__m512i v, int count) {
    return count == 0 ? v : _mm512_sllv_epi32(v, _mm512_set1_epi32(count));
}

/// (v >> shift) & mask in each byte. `mask` has no bit into which the shift moves the neighbouring byte.
COTERIE_AVX512_INLINE __m512i bitsOf(__m512i v, int shift, int mask) {
    return _mm512_and_si512(shiftedRight(v, shift), _mm512_set1_epi8(static_cast<char>(mask)));
}

/// The low `bits` bits of each lane from `shift` on.
COTERIE_AVX512_INLINE __m512i fieldOf(__m512i v, int shift, int bits) {
    return _mm512_and_si512(shiftedRight(v, shift), _mm512_set1_epi32((1 << bits) - 1));
}

/// Byte i of each lane as a number.
COTERIE_AVX512_INLINE __m512i byteOf(__m512i v, int i) { return fieldOf(v, 8 * i, 8); }
COTERIE_AVX512_INLINE __m512i signedByteOf(__m512i v, int i) {
    return _mm512_srai_epi32(shiftedLeft(v, 24 - 8 * i), 24);
}

/// mxFactor() of the lowest byte of each lane.
COTERIE_AVX512_INLINE __m512 mxFactors(__m512i v) {
    const __m512i e = byteOf(v, 0);
    const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(0x00200000), e);
    const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, _mm512_set1_epi32(1)), 23);
    return _mm512_castsi512_ps(
        _mm512_mask_mov_epi32(normal, _mm512_cmplt_epu32_mask(e, _mm512_set1_epi32(2)), subnormal));
}

/// levels[nibble] + quantOffset, as bytes.
template <TensorType type>
COTERIE_AVX512_INLINE __m512i levelsOfNibbles(__m512i nibbles) {
    const int8_t* levels = type == TensorType::MXFP4 ? kFp4Levels : kUnevenLevels;
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(levels));
    const __m128i raised = _mm_add_epi8(table, _mm_set1_epi8(static_cast<char>(quantOffset(type))));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(raised), nibbles);
}

/// Four bits of each lane from `shift` on, one in each byte, as 16 or 0.
COTERIE_AVX512_INLINE __m512i spreadFifths(__m512i v, int shift) {
    const __m512i table = _mm512_setr_epi32(0x00000000, 0x00000010, 0x00001000, 0x00001010, 0x00100000, 0x00100010,
                                            0x00101000, 0x00101010, 0x10000000, 0x10000010, 0x10001000, 0x10001010,
                                            0x10100000, 0x10100010, 0x10101000, 0x10101010);
    return _mm512_permutexvar_epi32(shiftedRight(v, shift),
                                    table); // the permutation uses only the lowest four bits of a lane
}

/// Unpacks the nibbles of blocks of 32.
template <TensorType type>
COTERIE_AVX512_INLINE void unpackNibbles(const PanelRows& rows, int64_t offset, __m512i* q) {
    constexpr bool fiveBits = type == TensorType::Q5_0 || type == TensorType::Q5_1;
    constexpr bool levels = type == TensorType::IQ4_NL || type == TensorType::MXFP4 || type == TensorType::IQ4_XS;
    static_assert(fiveBits || levels || type == TensorType::Q4_0 || type == TensorType::Q4_1,
                  "this format's nibbles are not decoded here yet");
    __m512i packed[4];
    columns16(rows, offset, packed);
    for (int j = 0; j < 4; ++j) {
        q[j] = bitsOf(packed[j], 0, 15);
        q[4 + j] = bitsOf(packed[j], 4, 15);
    }
    if constexpr (fiveBits) {
        const __m512i fifth = words(rows, offset - 4);
        for (int i = 0; i < kQuantRegisters; ++i) q[i] = _mm512_or_si512(q[i], spreadFifths(fifth, 4 * i));
    }
    if constexpr (levels)
        for (int i = 0; i < kQuantRegisters; ++i) q[i] = levelsOfNibbles<type>(q[i]);
}

/// Unpacks a block of 32 columns. offset: where it begins in each row.
template <TensorType type>
COTERIE_AVX512_INLINE void unpackBlock(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    const __m512i head = words(rows, offset);
    if constexpr (type == TensorType::MXFP4)
        *room.scales = mxFactors(head);
    else
        *room.scales = floatsFromLowHalves(head);
    if constexpr (hasMinimum(type)) // the format adds it
        *room.minima = _mm512_xor_ps(floatsFromHighHalves(head), _mm512_set1_ps(-0.0f));
    if constexpr (type == TensorType::Q8_0) {
        for (int half = 0; half < 2; ++half) {
            __m512i four[4];
            columns16(rows, offset + kScaleBytes + 16 * half, four);
            for (int j = 0; j < 4; ++j)
                room.quants[4 * half + j] = _mm512_xor_si512(four[j], _mm512_set1_epi8(static_cast<char>(0x80)));
        }
    } else {
        unpackNibbles<type>(rows, offset + kNibblesOffset<type>, room.quants);
    }
}

/// 32 bytes of each row, four columns in each register.
COTERIE_AVX512_INLINE void columns32(const PanelRows& rows, int64_t offset, __m512i (&out)[kQuantRegisters]) {
    __m512i half[4];
    for (int h = 0; h < 2; ++h) {
        columns16(rows, offset + 16 * h, half);
        for (int j = 0; j < 4; ++j) out[4 * h + j] = half[j];
    }
}

/// Scales and minima of the eight sub-blocks in Q4_K and Q5_K. A lane of s or m holds those of four sub-blocks.
COTERIE_AVX512_INLINE void sixBitFactors(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    __m512i head[4]; // d and dMinimum, then 12 bytes of six-bit numbers
    columns16(rows, offset, head);
    const __m512 d = floatsFromLowHalves(head[0]), dMinimum = floatsFromHighHalves(head[0]);
    const __m512i s[2] = {bitsOf(head[1], 0, 63), _mm512_or_si512(bitsOf(head[3], 0, 15), bitsOf(head[1], 2, 48))};
    const __m512i m[2] = {bitsOf(head[2], 0, 63), _mm512_or_si512(bitsOf(head[3], 4, 15), bitsOf(head[2], 2, 48))};
    for (int p = 0; p < kSubBlocks; ++p) {
        room.scales[p] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(byteOf(s[p / 4], p % 4)));
        room.minima[p] = _mm512_mul_ps(dMinimum, _mm512_cvtepi32_ps(byteOf(m[p / 4], p % 4)));
    }
}

/// Unpacks Q4_K and Q5_K.
template <TensorType type>
COTERIE_AVX512_INLINE void unpackPairs(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    constexpr bool fiveBits = type == TensorType::Q5_K;
    constexpr int64_t nibbles = kBlockBytes<type> - 128;
    __m512i fifth[kQuantRegisters], packed[kQuantRegisters];
    if constexpr (fiveBits) columns32(rows, offset + 16, fifth);
    sixBitFactors(rows, offset, room);
    for (int pair = 0; pair < kSubBlocks / 2; ++pair) {
        columns32(rows, offset + nibbles + 32 * pair, packed);
        __m512i* q = room.quants + 2 * kQuantRegisters * pair;
        for (int i = 0; i < kQuantRegisters; ++i) {
            q[i] = bitsOf(packed[i], 0, 15);
            q[kQuantRegisters + i] = bitsOf(packed[i], 4, 15);
            if constexpr (fiveBits) {
                q[i] = _mm512_or_si512(q[i], _mm512_slli_epi32(bitsOf(fifth[i], 2 * pair, 1), 4));
                q[kQuantRegisters + i] =
                    _mm512_or_si512(q[kQuantRegisters + i], _mm512_slli_epi32(bitsOf(fifth[i], 2 * pair + 1, 1), 4));
            }
        }
    }
}

/// Unpacks Q6_K.
COTERIE_AVX512_INLINE void unpackSixBits(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    const __m512 d = floatsFromHighHalves(words(rows, offset + 206));
    __m512i s[4];
    columns16(rows, offset + 192, s);
    for (int i = 0; i < 2 * kSubBlocks; ++i)
        room.scales[i] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(signedByteOf(s[i / 4], i % 4)));
    for (int half = 0; half < 2; ++half) {
        __m512i high[kQuantRegisters], low[kQuantRegisters];
        columns32(rows, offset + 128 + 32 * half, high);
        for (int odd = 0; odd < 2; ++odd) {
            columns32(rows, offset + 64 * half + 32 * odd, low);
            __m512i* first =
                room.quants + kQuantRegisters * (4 * half + odd); // registers of sub-blocks 4h + odd and 4h + odd + 2
            __m512i* second = first + 2 * kQuantRegisters;
            for (int i = 0; i < kQuantRegisters; ++i) {
                const __m512i upper = odd != 0 ? bitsOf(high[i], 2, 0x33) : bitsOf(high[i], 0, 0x33);
                first[i] = _mm512_or_si512(bitsOf(low[i], 0, 15),
                                           _mm512_and_si512(_mm512_slli_epi32(upper, 4), _mm512_set1_epi8(48)));
                second[i] = _mm512_or_si512(bitsOf(low[i], 4, 15), _mm512_and_si512(upper, _mm512_set1_epi8(48)));
            }
        }
    }
}

/// Unpacks IQ4_XS.
COTERIE_AVX512_INLINE void unpackUneven(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    const __m512i head = words(rows, offset), lower = words(rows, offset + 4);
    const __m512 d = floatsFromLowHalves(head);
    for (int p = 0; p < kSubBlocks; ++p) {
        const __m512i low = fieldOf(lower, 4 * p, 4), high = _mm512_slli_epi32(fieldOf(head, 16 + 2 * p, 2), 4);
        const __m512i scale = _mm512_sub_epi32(_mm512_or_si512(low, high), _mm512_set1_epi32(32));
        room.scales[p] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(scale));
        unpackNibbles<TensorType::IQ4_XS>(rows, offset + 8 + 16 * p, room.quants + kQuantRegisters * p);
    }
}

/// Two bits of `two` for sub-block p, plus 4 if its bit of `third` is set.
COTERIE_AVX512_INLINE __m512i threeBits(__m512i two, __m512i third, int p) {
    return _mm512_or_si512(bitsOf(two, 2 * (p % 4), 3), _mm512_slli_epi32(bitsOf(third, p, 1), 2));
}

/// Unpacks Q3_K.
COTERIE_AVX512_INLINE void unpackThreeBits(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    const __m512 d = floatsFromHighHalves(words(rows, offset + 106));
    const __m512i first = words(rows, offset + 96), second = words(rows, offset + 100), top = words(rows, offset + 104);
    for (int j = 0; j < 2 * kSubBlocks;
         ++j) { // the low nibble of scale j is a low one of 8 bytes for j < 8, else a high one
        const __m512i low = bitsOf(j % 8 < 4 ? first : second, j < 8 ? 0 : 4, 15);
        const __m512i high = _mm512_slli_epi32(bitsOf(top, 2 * (j / 4), 3), 4);
        const __m512i scale = _mm512_sub_epi32(byteOf(_mm512_or_si512(low, high), j % 4), _mm512_set1_epi32(32));
        room.scales[j] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(scale));
    }
    __m512i third[kQuantRegisters], two[kQuantRegisters];
    columns32(rows, offset, third);
    for (int half = 0; half < 2; ++half) {
        columns32(rows, offset + 32 + 32 * half, two);
        for (int p = 4 * half; p < 4 * half + 4; ++p)
            for (int i = 0; i < kQuantRegisters; ++i)
                room.quants[kQuantRegisters * p + i] = threeBits(two[i], third[i], p);
    }
}

/// Unpacks Q2_K.
COTERIE_AVX512_INLINE void unpackTwoBits(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    const __m512i factors = words(rows, offset + 80);
    const __m512 d = floatsFromLowHalves(factors), dMinimum = floatsFromHighHalves(factors);
    __m512i sm[4], two[kQuantRegisters];
    columns16(rows, offset, sm);
    for (int j = 0; j < 2 * kSubBlocks; ++j) {
        const __m512i scale = byteOf(bitsOf(sm[j / 4], 0, 15), j % 4),
                      minimum = byteOf(bitsOf(sm[j / 4], 4, 15), j % 4);
        room.scales[j] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(scale));
        room.minima[j] = _mm512_mul_ps(dMinimum, _mm512_cvtepi32_ps(minimum));
    }
    for (int half = 0; half < 2; ++half) {
        columns32(rows, offset + 16 + 32 * half, two);
        for (int p = 4 * half; p < 4 * half + 4; ++p)
            for (int i = 0; i < kQuantRegisters; ++i)
                room.quants[kQuantRegisters * p + i] = bitsOf(two[i], 2 * (p % 4), 3);
    }
}

/// d in formats with codebooks, times its share.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 codebookFactors(const PanelRows& rows, int64_t offset) {
    __m512i halves;
    if constexpr (type == TensorType::IQ1_M) { // the upper nibble of each of four words of 16 bits
        const __m512i first = words(rows, offset + kFactorOffset<type>);
        const __m512i second = words(rows, offset + kFactorOffset<type> + 4);
        const __m512i low = _mm512_or_si512(fieldOf(first, 12, 4), _mm512_slli_epi32(fieldOf(first, 28, 4), 4));
        const __m512i high = _mm512_or_si512(fieldOf(second, 12, 4), _mm512_slli_epi32(fieldOf(second, 28, 4), 4));
        halves = _mm512_or_si512(low, _mm512_slli_epi32(high, 8));
    } else {
        halves = words(rows, offset + kFactorOffset<type>);
    }
    return _mm512_mul_ps(floatsFromLowHalves(halves), _mm512_set1_ps(kFactorShare<type>));
}

/// Unpacks formats with codebooks. Each row's values are looked up in their order, then rows are put side by side.
template <TensorType type>
COTERIE_AVX512_INLINE void unpackCodebook(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    constexpr int steps = stepsOf32(type);
    const __m512 d = codebookFactors<type>(rows, offset);
    alignas(64) std::byte lookedUp[kPanelRows * kBlockValues];
    const PanelRows inOrder(lookedUp, kBlockValues, kPanelRows);
    for (int p = 0; p < kSubBlocks; ++p) {
        for (int r = 0; r < kPanelRows; ++r) {
            const __m256i q = codebookQuants<type>(reinterpret_cast<const uint8_t*>(rows.at[r] + offset), p);
            _mm256_store_si256(reinterpret_cast<__m256i*>(lookedUp + r * kBlockValues),
                               _mm256_add_epi8(q, _mm256_set1_epi8(static_cast<char>(quantOffset(type)))));
        }
        __m512i columns[kQuantRegisters];
        columns32(inOrder, 0, columns);
        for (int i = 0; i < kQuantRegisters; ++i) room.quants[kQuantRegisters * p + i] = columns[i];
        for (int s = 0; s < steps; ++s) {
            const ScalePlace place = scalePlace<type>(p, s);
            const __m512i code = _mm512_and_si512(shiftedRight(words(rows, offset + place.offset), place.shift),
                                                  _mm512_set1_epi32(kScaleMask<type>));
            const __m512i scale = _mm512_or_si512(_mm512_slli_epi32(code, 1), _mm512_set1_epi32(1));
            room.scales[p * steps + s] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(scale));
        }
    }
}

/// Unpacks a block of any format: 32 columns, or 256.
template <TensorType type>
COTERIE_AVX512_INLINE void unpackPanel(const PanelRows& rows, int64_t offset, const PanelRoom& room) {
    if constexpr (hasCodebook(type))
        unpackCodebook<type>(rows, offset, room);
    else if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K)
        unpackPairs<type>(rows, offset, room);
    else if constexpr (type == TensorType::Q6_K)
        unpackSixBits(rows, offset, room);
    else if constexpr (type == TensorType::IQ4_XS)
        unpackUneven(rows, offset, room);
    else if constexpr (type == TensorType::Q3_K)
        unpackThreeBits(rows, offset, room);
    else if constexpr (type == TensorType::Q2_K)
        unpackTwoBits(rows, offset, room);
    else
        unpackBlock<type>(rows, offset, room);
}

// --- Terms that a token adds to the sum of every row

/// For each step of blocks [begin, end) of x: -offset * (1 . x), which takes back the quantOffset in the weights; in
/// formats with a minimum xScale * (1 . x) instead, as the bits of a float. It writes whole registers.
template <bool minimum, int steps>
COTERIE_AVX512 inline void tokenTerms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end,
                                      int offset, int32_t* out) {
    constexpr int64_t together = 16; // blocks; `begin` is a multiple of it, and prepared vectors end in zeros
    const float* scales = reinterpret_cast<const float*>(prepared);
    const std::byte* x = prepared + preparedQuantsOffset(columns);
    for (int64_t b = begin; b < end; b += together) {
        __m512i pairs[8]; // two blocks in each register, one block in two quarters
        for (int i = 0; i < 8; ++i) {
            const int64_t block = b + 2 * i;
            const __m512i pair = block < end ? bytes64(x + block * kBlockValues) : _mm512_setzero_si512();
            pairs[i] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), pair);
        }
        const __m512i first = sumsOfQuarters(pairs), second = sumsOfQuarters(pairs + 4);
        __m512i sums[2];
        __m512 xScales[2] = {_mm512_loadu_ps(scales + b), _mm512_setzero_ps()};
        if constexpr (steps == 2) {
            const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            sums[0] = _mm512_permutexvar_epi32(order, first);
            sums[1] = _mm512_permutexvar_epi32(order, second);
            xScales[1] = _mm512_permutexvar_ps(_mm512_add_epi32(twice, _mm512_set1_epi32(8)), xScales[0]);
            xScales[0] = _mm512_permutexvar_ps(twice, xScales[0]);
        } else {
            const __m512i order = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
            sums[0] = _mm512_permutexvar_epi32(order, _mm512_add_epi32(_mm512_shuffle_i32x4(first, second, 0x88),
                                                                       _mm512_shuffle_i32x4(first, second, 0xdd)));
        }
        for (int i = 0; i < steps; ++i, out += kWideLanes) {
            const __m512 product = _mm512_mul_ps(xScales[i], _mm512_cvtepi32_ps(sums[i]));
            const __m512i terms =
                minimum ? _mm512_castps_si512(product) : _mm512_mullo_epi32(sums[i], _mm512_set1_epi32(-offset));
            _mm512_storeu_si512(out, terms);
        }
    }
}

} // namespace coterie::engine
