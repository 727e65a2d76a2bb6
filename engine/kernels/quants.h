// SPDX-License-Identifier: Apache-2.0
// Quantised weights in plain C++: any 32 values of a row as small integers and their factors. Layouts are those of
// ggml (ggml-common.h, ggml-quants.c; MXFP4 also: OCP Microscaling Formats specification 1.0). Inside kernels/ only.
//
// Whatever the format, 32 values are unpacked to one shape (struct Unpacked):
//     value[i] = d * scale[i / 16] * q[i] - dMinimum * minimum[i / 16]
//
//   Blocks of 32. Nibbles: byte k of 16 holds value k in its low half and value k + 16 in its high half.
//     Q8_0   34 bytes | d: half | q: int8 [32] |
//     Q4_0   18 bytes | d: half | nibbles |                               q = nibble - 8
//     Q4_1   20 bytes | d: half | m: half | nibbles |                     q = nibble, value = d * q + m
//     Q5_0   22 bytes | d: half | fifth: 32 bits | nibbles |              q = nibble + 16 * bit i of fifth - 16
//     Q5_1   24 bytes | d: half | m: half | fifth: 32 bits | nibbles |    as Q4_1 with five bits
//     IQ4_NL 18 bytes | d: half | nibbles |                               q = unevenLevels[nibble]
//     MXFP4  17 bytes | e: byte | nibbles |                               q = twice a float of 4 bits, d = 2^(e - 128)
//
//   Blocks of 256, each eight parts of 32 values; below, p is the part, k a value's place in it, h = p / 4 the half.
//   Scales are of 16 values (s[0..15]) or of a part (s[0..7]).
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
//            part p's 16 bytes of nibbles as in IQ4_NL; its scale: nibble p of lower, above it bits 2p.. of upper,
//            less 32
#pragma once

#include "kernels/blocks.h"

#include <cassert>

namespace coterie::engine {

constexpr int64_t superValues = 256; ///< of a K block and of IQ4_XS
constexpr int64_t partsOfSuper = superValues / blockValues;

/// Levels of a nibble in IQ4_NL and IQ4_XS (kvalues_iq4nl).
constexpr int8_t unevenLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// Twice the numbers of FP4 E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
constexpr int8_t fp4Levels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// 32 values of a row. Whole-number sums over them stay exact as floats: at most 32 * 128 * 32 * 127 < 2^24 (Q6_K).
struct Unpacked {
    int8_t q[blockValues];
    int32_t scale[2] = {1, 1};
    int32_t minimum[2] = {0, 0};
    float d = 0;
    float dMinimum = 0;
};

constexpr bool hasMinimum(TensorType type) {
    return type == TensorType::Q4_1 || type == TensorType::Q5_1 || type == TensorType::Q2_K ||
           type == TensorType::Q4_K || type == TensorType::Q5_K;
}

namespace quants {

inline float half(const uint8_t* bytes) { return floatFromHalf(loadAs<uint16_t>(bytes)); }
inline int nibble(const uint8_t* bytes, int64_t i) { return bytes[i % 16] >> (i < 16 ? 0 : 4) & 15; }

inline void setScales(Unpacked& out, int scale) { out.scale[0] = out.scale[1] = scale; }

/// value = d * q + m with nibbles, and fifth bits where there are some.
inline void unpackWithMinimum(const uint8_t* block, bool five, Unpacked& out) {
    const uint32_t fifth = five ? loadAs<uint32_t>(block + 4) : 0;
    const uint8_t* nibbles = block + (five ? 8 : 4);
    for (int k = 0; k < blockValues; ++k)
        out.q[k] = static_cast<int8_t>(nibble(nibbles, k) | static_cast<int>(fifth >> k & 1) << 4);
    out.d = half(block);
    out.dMinimum = -half(block + 2);
    out.minimum[0] = out.minimum[1] = 1;
}

inline void unpackLevels(const uint8_t* nibbles, const int8_t (&levels)[16], Unpacked& out) {
    for (int k = 0; k < blockValues; ++k) out.q[k] = levels[nibble(nibbles, k)];
}

/// 2^(e - 128), a subnormal number for the two smallest e. 255, which the specification calls NaN, is 2^127: files'
/// makers never write it.
inline float mxScale(uint8_t e) {
    return std::bit_cast<float>(e < 2 ? 0x00200000u << e : (static_cast<uint32_t>(e) - 1) << 23);
}

/// Scale and minimum of part p in Q4_K and Q5_K.
inline void unpackSixBitPair(const uint8_t* sm, int p, Unpacked& out) {
    const int scale = p < 4 ? sm[p] & 63 : (sm[p + 4] & 15) | (sm[p - 4] >> 6) << 4;
    const int minimum = p < 4 ? sm[p + 4] & 63 : sm[p + 4] >> 4 | (sm[p] >> 6) << 4;
    setScales(out, scale);
    out.minimum[0] = out.minimum[1] = minimum;
}

/// Scale j of Q3_K.
inline int sixBitScale(const uint8_t* s6, int j) {
    const int low = j < 8 ? s6[j] & 15 : s6[j - 8] >> 4;
    return (low | (s6[8 + j % 4] >> (2 * (j / 4)) & 3) << 4) - 32;
}

/// Scale of part p in IQ4_XS.
inline int unevenScale(const uint8_t* block, int p) {
    const int low = block[4 + p / 2] >> (4 * (p % 2)) & 15;
    return (low | (loadAs<uint16_t>(block + 2) >> (2 * p) & 3) << 4) - 32;
}

inline void unpackQ2K(const uint8_t* block, int p, Unpacked& out) {
    const uint8_t* two = block + 16 + 32 * (p / 4);
    for (int k = 0; k < blockValues; ++k) out.q[k] = static_cast<int8_t>(two[k] >> (2 * (p % 4)) & 3);
    for (int j = 0; j < 2; ++j) {
        out.scale[j] = block[2 * p + j] & 15;
        out.minimum[j] = block[2 * p + j] >> 4;
    }
    out.d = half(block + 80);
    out.dMinimum = half(block + 82);
}

inline void unpackQ3K(const uint8_t* block, int p, Unpacked& out) {
    const uint8_t* two = block + 32 + 32 * (p / 4);
    for (int k = 0; k < blockValues; ++k) {
        const int third = block[k] >> p & 1;
        out.q[k] = static_cast<int8_t>((two[k] >> (2 * (p % 4)) & 3) - (third ? 0 : 4));
    }
    for (int j = 0; j < 2; ++j) out.scale[j] = sixBitScale(block + 96, 2 * p + j);
    out.d = half(block + 108);
}

inline void unpackQ4K(const uint8_t* block, int p, Unpacked& out) {
    const uint8_t* nibbles = block + 16 + 32 * (p / 2);
    for (int k = 0; k < blockValues; ++k) out.q[k] = static_cast<int8_t>(nibbles[k] >> (4 * (p % 2)) & 15);
    unpackSixBitPair(block + 4, p, out);
    out.d = half(block);
    out.dMinimum = half(block + 2);
}

inline void unpackQ5K(const uint8_t* block, int p, Unpacked& out) {
    const uint8_t* nibbles = block + 48 + 32 * (p / 2);
    for (int k = 0; k < blockValues; ++k)
        out.q[k] = static_cast<int8_t>((nibbles[k] >> (4 * (p % 2)) & 15) | (block[16 + k] >> p & 1) << 4);
    unpackSixBitPair(block + 4, p, out);
    out.d = half(block);
    out.dMinimum = half(block + 2);
}

inline void unpackQ6K(const uint8_t* block, int p, Unpacked& out) {
    const uint8_t* low = block + 64 * (p / 4) + 32 * (p % 2);
    const uint8_t* high = block + 128 + 32 * (p / 4);
    const int shift = p % 4 < 2 ? 0 : 4;
    for (int k = 0; k < blockValues; ++k)
        out.q[k] = static_cast<int8_t>(((low[k] >> shift & 15) | (high[k] >> (2 * (p % 4)) & 3) << 4) - 32);
    for (int j = 0; j < 2; ++j) out.scale[j] = static_cast<int8_t>(block[192 + 2 * p + j]);
    out.d = half(block + 208);
}

} // namespace quants

constexpr bool isSuperFormat(TensorType type) {
    return type == TensorType::Q2_K || type == TensorType::Q3_K || type == TensorType::Q4_K ||
           type == TensorType::Q5_K || type == TensorType::Q6_K || type == TensorType::IQ4_XS;
}

/// Bytes of a block of 32, or of a super-block of 256.
template <TensorType type>
constexpr int64_t quantBytes = [] {
    switch (type) {
    case TensorType::Q4_1:
        return 20;
    case TensorType::Q5_0:
        return 22;
    case TensorType::Q5_1:
        return 24;
    case TensorType::Q8_0:
        return 34;
    case TensorType::MXFP4:
        return 17;
    case TensorType::Q2_K:
        return 84;
    case TensorType::Q3_K:
        return 110;
    case TensorType::Q4_K:
        return 144;
    case TensorType::Q5_K:
        return 176;
    case TensorType::Q6_K:
        return 210;
    case TensorType::IQ4_XS:
        return 136;
    default:
        return 18; // Q4_0, IQ4_NL
    }
}();

/// Where the block lies that holds the row's 32 values from 32 * b on.
template <TensorType type>
inline const std::byte* quantBlock(const std::byte* row, int64_t b) {
    return row + (isSuperFormat(type) ? b / partsOfSuper : b) * quantBytes<type>;
}

/// A block of 32 values; `block` as the file holds it.
template <TensorType type>
inline void unpackBlock(const uint8_t* block, Unpacked& out) {
    using namespace quants;
    if constexpr (type == TensorType::Q4_1 || type == TensorType::Q5_1) {
        unpackWithMinimum(block, type == TensorType::Q5_1, out);
    } else if constexpr (type == TensorType::MXFP4) {
        unpackLevels(block + 1, fp4Levels, out);
        out.d = mxScale(block[0]);
    } else {
        out.d = half(block);
        if constexpr (type == TensorType::Q8_0) {
            std::memcpy(out.q, block + 2, blockValues);
        } else if constexpr (type == TensorType::IQ4_NL) {
            unpackLevels(block + 2, unevenLevels, out);
        } else if constexpr (type == TensorType::Q5_0) {
            const uint32_t fifth = loadAs<uint32_t>(block + 2);
            for (int k = 0; k < blockValues; ++k)
                out.q[k] = static_cast<int8_t>((nibble(block + 6, k) | static_cast<int>(fifth >> k & 1) << 4) - 16);
        } else {
            static_assert(type == TensorType::Q4_0);
            for (int k = 0; k < blockValues; ++k) out.q[k] = static_cast<int8_t>(nibble(block + 2, k) - q4Zero);
        }
    }
}

/// Part p of a super-block.
template <TensorType type>
inline void unpackPart(const uint8_t* block, int p, Unpacked& out) {
    using namespace quants;
    if constexpr (type == TensorType::Q2_K) {
        unpackQ2K(block, p, out);
    } else if constexpr (type == TensorType::Q3_K) {
        unpackQ3K(block, p, out);
    } else if constexpr (type == TensorType::Q4_K) {
        unpackQ4K(block, p, out);
    } else if constexpr (type == TensorType::Q5_K) {
        unpackQ5K(block, p, out);
    } else if constexpr (type == TensorType::Q6_K) {
        unpackQ6K(block, p, out);
    } else {
        static_assert(type == TensorType::IQ4_XS);
        unpackLevels(block + 8 + 16 * p, unevenLevels, out);
        setScales(out, unevenScale(block, p));
        out.d = half(block);
    }
}

/// The row's 32 values from 32 * b on.
template <TensorType type>
inline void unpack(const std::byte* row, int64_t b, Unpacked& out) {
    const uint8_t* block = reinterpret_cast<const uint8_t*>(quantBlock<type>(row, b));
    if constexpr (isSuperFormat(type))
        unpackPart<type>(block, static_cast<int>(b % partsOfSuper), out);
    else
        unpackBlock<type>(block, out);
}

/// f.operator()<type>() for the quantised format `type`: the one list of them.
template <typename Function>
auto withQuantisedFormat(TensorType type, Function f) {
    switch (type) {
    case TensorType::Q4_0:
        return f.template operator()<TensorType::Q4_0>();
    case TensorType::Q4_1:
        return f.template operator()<TensorType::Q4_1>();
    case TensorType::Q5_0:
        return f.template operator()<TensorType::Q5_0>();
    case TensorType::Q5_1:
        return f.template operator()<TensorType::Q5_1>();
    case TensorType::Q2_K:
        return f.template operator()<TensorType::Q2_K>();
    case TensorType::Q3_K:
        return f.template operator()<TensorType::Q3_K>();
    case TensorType::Q4_K:
        return f.template operator()<TensorType::Q4_K>();
    case TensorType::Q5_K:
        return f.template operator()<TensorType::Q5_K>();
    case TensorType::Q6_K:
        return f.template operator()<TensorType::Q6_K>();
    case TensorType::IQ4_NL:
        return f.template operator()<TensorType::IQ4_NL>();
    case TensorType::IQ4_XS:
        return f.template operator()<TensorType::IQ4_XS>();
    case TensorType::MXFP4:
        return f.template operator()<TensorType::MXFP4>();
    default:
        assert(type == TensorType::Q8_0);
        return f.template operator()<TensorType::Q8_0>();
    }
}

} // namespace coterie::engine
