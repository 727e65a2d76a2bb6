// SPDX-License-Identifier: Apache-2.0
// Quantised weights in plain C++: any 32 values of a row as small integers and their factors. Layouts are ggml's
// (ggml-common.h, ggml-quants.c; for MXFP4 also the OCP Microscaling Formats specification 1.0). For kernels/, and for
// the scalar models of the shaders in gpu/.
//
// All formats unpack 32 values to one shape (struct Unpacked):
//     value[i] = d * scale[i / 16] * q[i] - dMinimum * minimum[i / 16]
// In formats with a single scale, scale is 1. Formats that add m have dMinimum = m and minimum -1.
//
//   Blocks of 32. Nibbles: byte k of 16 holds value k in its low half and value k + 16 in its high half.
//     Q8_0   34 bytes | d: half | q: int8 [32] |
//     Q4_0   18 bytes | d: half | nibbles |                               q = nibble - 8
//     Q4_1   20 bytes | d: half | m: half | nibbles |                     q = nibble, value = d * q + m
//     Q5_0   22 bytes | d: half | fifth: 32 bits | nibbles |              q = nibble + 16 * bit i of fifth - 16
//     Q5_1   24 bytes | d: half | m: half | fifth: 32 bits | nibbles |    as Q4_1 with five bits
//     IQ4_NL 18 bytes | d: half | nibbles |                               q = kUnevenLevels[nibble]
//     MXFP4  17 bytes | e: byte | nibbles |                               q = twice a float of 4 bits, d = 2^(e - 128)
//
//   Blocks of 256, each eight sub-blocks of 32 values; below, p is the sub-block, k a value's place in it, h = p / 4
//   the half. Scales are of 16 values (s[0..15]) or of a sub-block (s[0..7]).
//     Q2_K   84 bytes | sm: byte [16] | two: byte [64] | d: half | dMinimum: half |
//            sm: scale of 16 values in the low nibble, minimum in the high one; q = bits 2(p % 4).. of two[32h + k]
//     Q3_K  110 bytes | third: byte [32] | two: byte [64] | s6: byte [12] | d: half |
//            q = bits 2(p % 4).. of two[32h + k], less 4 where bit p of third[k] is 0; scales of six bits less 32:
//            low nibble j = the nibbles of s6[0..7], low halves first; upper two bits of scale j: bits 2(j / 4).. of
//            s6[8 + j % 4]
//     Q4_K  144 bytes | d: half | dMinimum: half | sm: byte [12] | nibbles: byte [128] |
//            q = nibble of nibbles[32(p / 2) + k], low ones for even p. Scales and minima of six bits:
//            p < 4: s = sm[p] & 63, m = sm[p + 4] & 63
//            else:  s = low nibble of sm[p + 4] and above it the top two bits of sm[p - 4],
//                   m = high nibble of sm[p + 4] and above it the top two bits of sm[p]
//     Q5_K  176 bytes | d: half | dMinimum: half | sm: byte [12] | fifth: byte [32] | nibbles: byte [128] |
//            as Q4_K, and 16 more where bit p of fifth[k] is 1
//     Q6_K  210 bytes | low: byte [128] | high: byte [64] | s: int8 [16] | d: half |
//            q = nibble of low[64h + 32(p % 2) + k] (low ones for p % 4 < 2), above it bits 2(p % 4).. of
//            high[32h + k], less 32
//     IQ4_XS 136 bytes | d: half | upper: 16 bits | lower: byte [4] | nibbles: byte [128] |
//            sub-block p's 16 bytes of nibbles as in IQ4_NL; its scale: nibble p of lower, above it bits 2p.. of upper,
//            less 32
//
//   Blocks of 256 with codebooks. A group is 4 values in IQ3 and 8 in the others; place j says which entry of the
//   codebook group j is. Scale codes s are of a sub-block or of 16 values, and a scale is 2 s + 1. Signs: bit i of a
//   byte says that value i of eight is negative; "seven signs" lack the eighth, which makes the number of negative ones
//   even. codebooks.h has q and d.
//     IQ3_S   110 bytes | d: half | place: byte [64] | ninth: byte [8] | signs: byte [32] | s: nibbles [4] |
//             bit j % 8 of ninth[j / 8] is the ninth bit of place j; s of sub-block p is nibble p, low ones first
//     IQ3_XXS  98 bytes | d: half | place: byte [64] | word: 32 bits [8] |
//             word p: four times seven signs from bit 0 on, s from bit 28 on
//     IQ2_S    82 bytes | d: half | place: byte [32] | signs: byte [32] | high: byte [8] | s: nibbles [8] |
//             bits 2(j % 4).. of high[j / 4] are above the byte of place j; s of 16 values is a nibble
//     IQ2_XS   74 bytes | d: half | word: 16 bits [32] | s: nibbles [8] |
//             word j: place in bits 0 to 8, above it seven signs; s as in IQ2_S
//     IQ2_XXS  66 bytes | d: half | eight times: place: byte [4], word: 32 bits |      word as in IQ3_XXS
//     IQ1_S    50 bytes | d: half | place: byte [32] | word: 16 bits [8] |
//             word p: bits 3k.. are above the byte of place 4p + k, s in bits 12 to 14; bit 15: shift of the sub-block
//     IQ1_M    56 bytes | place: byte [32] | nibbles: byte [16] | word: 16 bits [4] |
//             nibble j: three bits above the byte of place j, and its shift in bit 3; word k: s of the 16 values from
//             64k + 16i on in bits 3i.., and a nibble of d, whose lowest one is in word 0, in bits 12 to 15
#pragma once

#include "kernels/codebooks/codebooks.h"

namespace coterie::engine {

/// Levels of a nibble in IQ4_NL and IQ4_XS (kvalues_iq4nl in ggml).
constexpr int8_t kUnevenLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// Twice the numbers of FP4 E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
constexpr int8_t kFp4Levels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Scale and minimum of each half of 32 values. Whole-number sums over them stay exact as floats: they are at most 32 *
/// 128 * 32 * 127 < 2^24 (Q6_K).
struct Factors {
    int32_t scale[2] = {1, 1};
    int32_t minimum[2] = {0, 0};
};

/// Registers that hold 32 columns if rows lie side by side, one row in each lane of 32 bits.
constexpr int kQuantRegisters = 8;

/// The block that holds the row's 32 values from 32 * b on.
template <TensorType type>
inline const std::byte* quantBlock(const std::byte* row, int64_t b) {
    return row + (isSuperFormat(type) ? b / kSubBlocks : b) * kBlockBytes<type>;
}

/// 2^(e - 128), a subnormal number for the two smallest e. The specification calls 255 NaN; here it is 2^127, because
/// no program writes it.
inline float mxFactor(uint8_t e) {
    return std::bit_cast<float>(e < 2 ? 0x00200000u << e : (static_cast<uint32_t>(e) - 1) << 23);
}

template <TensorType type>
inline float quantFactor(const uint8_t* block) {
    if constexpr (type == TensorType::MXFP4)
        return mxFactor(block[0]);
    else
        return floatFromHalf(halfOfFactor<type>(block)) * kFactorShare<type>;
}

/// Scale and minimum of sub-block p in Q4_K and Q5_K.
inline Factors sixBitPair(const uint8_t* sm, int p) {
    const int scale = p < 4 ? sm[p] & 63 : (sm[p + 4] & 15) | (sm[p - 4] >> 6) << 4;
    const int minimum = p < 4 ? sm[p + 4] & 63 : sm[p + 4] >> 4 | (sm[p] >> 6) << 4;
    return {{scale, scale}, {minimum, minimum}};
}

/// Scale j in Q3_K.
inline int sixBitScale(const uint8_t* s6, int j) {
    const int low = j < 8 ? s6[j] & 15 : s6[j - 8] >> 4;
    return (low | (s6[8 + j % 4] >> (2 * (j / 4)) & 3) << 4) - 32;
}

/// Scale of sub-block p in IQ4_XS.
inline int unevenScale(const uint8_t* block, int p) {
    const int low = block[4 + p / 2] >> (4 * (p % 2)) & 15;
    return (low | (loadAs<uint16_t>(block + 2) >> (2 * p) & 3) << 4) - 32;
}

/// Factors of sub-block p; p is 0 in blocks of 32.
template <TensorType type>
inline Factors quantFactors(const uint8_t* block, int p) {
    if constexpr (type == TensorType::Q2_K) {
        const uint8_t *first = block + 2 * p, *second = first + 1;
        return {{*first & 15, *second & 15}, {*first >> 4, *second >> 4}};
    } else if constexpr (type == TensorType::Q3_K) {
        return {{sixBitScale(block + 96, 2 * p), sixBitScale(block + 96, 2 * p + 1)}, {0, 0}};
    } else if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K) {
        return sixBitPair(block + 4, p);
    } else if constexpr (type == TensorType::Q6_K) {
        const int8_t* scales = reinterpret_cast<const int8_t*>(block + 192) + 2 * p;
        return {{scales[0], scales[1]}, {0, 0}};
    } else if constexpr (type == TensorType::IQ4_XS) {
        const int scale = unevenScale(block, p);
        return {{scale, scale}, {0, 0}};
    } else if constexpr (hasCodebook(type)) {
        return {{codebookScale<type>(block, p, 0), codebookScale<type>(block, p, stepsOf32(type) - 1)}, {0, 0}};
    } else {
        static_assert(!isSuperFormat(type), "this format's scales are not decoded here yet");
        return {{1, 1}, {hasMinimum(type) ? -1 : 0, hasMinimum(type) ? -1 : 0}}; // d * q + m
    }
}

/// Offset of the nibbles in a block of 32.
template <TensorType type>
constexpr int64_t kNibblesOffset = kBlockBytes<type> - 16;

/// Value q number k in a block of 32.
template <TensorType type>
inline int blockQuant(const uint8_t* block, int k) {
    if constexpr (type == TensorType::Q8_0) {
        return static_cast<int8_t>(block[2 + k]);
    } else {
        const int nibble = block[kNibblesOffset<type> + k % 16] >> (k < 16 ? 0 : 4) & 15;
        if constexpr (type == TensorType::IQ4_NL) return kUnevenLevels[nibble];
        if constexpr (type == TensorType::MXFP4) return kFp4Levels[nibble];
        if constexpr (type == TensorType::Q4_0) return nibble - kQ4Zero;
        if constexpr (type == TensorType::Q5_0 || type == TensorType::Q5_1) {
            const uint32_t fifth = loadAs<uint32_t>(block + kNibblesOffset<type> - 4);
            return (nibble | static_cast<int>(fifth >> k & 1) << 4) - (type == TensorType::Q5_0 ? 16 : 0);
        }
        if constexpr (type == TensorType::Q4_1) return nibble;
    }
}

/// Value q number k in sub-block p of a super-block.
template <TensorType type>
inline int subBlockQuant(const uint8_t* block, int p, int k) {
    const int half = p / 4, pair = 2 * (p % 4);
    if constexpr (type == TensorType::Q2_K) return block[16 + 32 * half + k] >> pair & 3;
    if constexpr (type == TensorType::Q3_K)
        return (block[32 + 32 * half + k] >> pair & 3) - ((block[k] >> p & 1) != 0 ? 0 : 4);
    if constexpr (type == TensorType::Q4_K) return block[16 + 32 * (p / 2) + k] >> (4 * (p % 2)) & 15;
    if constexpr (type == TensorType::Q5_K)
        return (block[48 + 32 * (p / 2) + k] >> (4 * (p % 2)) & 15) | (block[16 + k] >> p & 1) << 4;
    if constexpr (type == TensorType::Q6_K) {
        const int low = block[64 * half + 32 * (p % 2) + k] >> (p % 4 < 2 ? 0 : 4) & 15;
        return (low | (block[128 + 32 * half + k] >> pair & 3) << 4) - 32;
    }
    if constexpr (type == TensorType::IQ4_XS) return kUnevenLevels[block[8 + 16 * p + k % 16] >> (k < 16 ? 0 : 4) & 15];
}

/// q of sub-block p in a format with a codebook.
template <TensorType type>
inline void storeCodebookQuants(const uint8_t* block, int p, int8_t (&q)[kBlockValues]) {
    const CodebookValues values = codebookValues<type>(block, p);
    for (int k = 0; k < kBlockValues; ++k) {
        const auto value = static_cast<int8_t>(values.eight[k / 8] >> (8 * (k % 8)));
        const bool set = (values.set >> k & 1) != 0;
        if constexpr (hasShifts(type))
            q[k] = static_cast<int8_t>(value + (set ? -1 : 1));
        else
            q[k] = static_cast<int8_t>(set ? -value : value);
    }
}

/// 32 values of a row.
struct Unpacked {
    int8_t q[kBlockValues];
    Factors factors;
    float d = 0;
    float dMinimum = 0;
};

/// Unpacks the row's 32 values from 32 * b on.
template <TensorType type>
inline void unpack(const std::byte* row, int64_t b, Unpacked& out) {
    const uint8_t* block = reinterpret_cast<const uint8_t*>(quantBlock<type>(row, b));
    const int p = isSuperFormat(type) ? static_cast<int>(b % kSubBlocks) : 0;
    if constexpr (hasCodebook(type)) {
        storeCodebookQuants<type>(block, p, out.q);
    } else {
        for (int k = 0; k < kBlockValues; ++k) {
            if constexpr (isSuperFormat(type))
                out.q[k] = static_cast<int8_t>(subBlockQuant<type>(block, p, k));
            else
                out.q[k] = static_cast<int8_t>(blockQuant<type>(block, k));
        }
    }
    out.factors = quantFactors<type>(block, p);
    out.d = quantFactor<type>(block);
    if constexpr (hasMinimum(type)) out.dMinimum = floatFromHalf(loadAs<uint16_t>(block + kMinimumOffset<type>));
}

} // namespace coterie::engine
