// SPDX-License-Identifier: Apache-2.0
// Any 32 quantised weights of a row as bytes of a 256-bit register, in the order of the values. Layouts are drawn in
// quants.h. Inside kernels/ only, for files compiled like avx2.cpp.
#pragma once

#include "kernels/avx2_pieces.h"
#include "kernels/quants.h"

namespace coterie::engine {

/// Bits of each byte from `shift` on. The shift moves in bits of the neighbouring byte, which the mask removes.
COTERIE_AVX2_INLINE __m256i shiftedRight(__m256i bytes, int shift, int mask) {
    return _mm256_and_si256(_mm256_srl_epi16(bytes, _mm_cvtsi32_si128(shift)),
                            _mm256_set1_epi8(static_cast<char>(mask)));
}

/// The low nibbles of 16 bytes, then their high nibbles.
COTERIE_AVX2_INLINE __m256i nibblesOf16(const uint8_t* bytes) {
    const __m256i twice = _mm256_broadcastsi128_si256(loadBytes16(bytes));
    return _mm256_and_si256(_mm256_srlv_epi32(twice, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4)), _mm256_set1_epi8(15));
}

COTERIE_AVX2_INLINE __m256i levelsOf(const int8_t (&levels)[16], __m256i nibbles) {
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(loadBytes16(levels)), nibbles);
}

/// Byte i is `set` if bit i is 1, else 0.
COTERIE_AVX2_INLINE __m256i spreadBits(uint32_t bits, int set) {
    const __m256i which = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201u));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int32_t>(bits)), which);
    return _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit),
                            _mm256_set1_epi8(static_cast<char>(set)));
}

/// True if unpacked bytes are never negative.
constexpr bool isUnsigned(TensorType type) { return hasMinimum(type); }

/// q of a block of 32 values.
template <TensorType type>
COTERIE_AVX2_INLINE __m256i blockQuants(const uint8_t* block) {
    if constexpr (type == TensorType::Q8_0) return loadBytes32(block + kScaleBytes);
    const __m256i nibbles = nibblesOf16(block + kNibblesOffset<type>);
    if constexpr (type == TensorType::Q4_0) return _mm256_sub_epi8(nibbles, _mm256_set1_epi8(kQ4Zero));
    if constexpr (type == TensorType::IQ4_NL) return levelsOf(kUnevenLevels, nibbles);
    if constexpr (type == TensorType::MXFP4) return levelsOf(kFp4Levels, nibbles);
    if constexpr (type == TensorType::Q5_0 || type == TensorType::Q5_1) {
        const __m256i fifth = spreadBits(loadAs<uint32_t>(block + kNibblesOffset<type> - 4), 16);
        const __m256i five = _mm256_or_si256(nibbles, fifth);
        return type == TensorType::Q5_0 ? _mm256_sub_epi8(five, _mm256_set1_epi8(16)) : five;
    }
    if constexpr (type == TensorType::Q4_1) return nibbles;
}

/// q of sub-block p in a format with a codebook.
template <TensorType type>
COTERIE_AVX2_INLINE __m256i codebookQuants(const uint8_t* block, int p) {
    const CodebookValues v = codebookValues<type>(block, p);
    const auto eight = [&](int j) { return static_cast<int64_t>(v.eight[j]); };
    const __m256i values = _mm256_setr_epi64x(eight(0), eight(1), eight(2), eight(3)), set = spreadBits(v.set, 0xff);
    if constexpr (hasShifts(type)) return _mm256_add_epi8(values, _mm256_or_si256(set, _mm256_set1_epi8(1)));
    return _mm256_sub_epi8(_mm256_xor_si256(values, set), set);
}

/// q of sub-block p of a super-block.
template <TensorType type>
COTERIE_AVX2_INLINE __m256i subBlockQuants(const uint8_t* block, int p) {
    if constexpr (hasCodebook(type)) return codebookQuants<type>(block, p);
    const int half = p / 4, pair = 2 * (p % 4);
    if constexpr (type == TensorType::Q2_K) return shiftedRight(loadBytes32(block + 16 + 32 * half), pair, 3);
    if constexpr (type == TensorType::Q3_K) {
        const __m256i two = shiftedRight(loadBytes32(block + 32 + 32 * half), pair, 3);
        const __m256i third = _mm256_slli_epi16(shiftedRight(loadBytes32(block), p, 1), 2);
        return _mm256_sub_epi8(_mm256_or_si256(two, third), _mm256_set1_epi8(4));
    }
    if constexpr (type == TensorType::Q4_K)
        return shiftedRight(loadBytes32(block + 16 + 32 * (p / 2)), 4 * (p % 2), 15);
    if constexpr (type == TensorType::Q5_K) {
        const __m256i nibbles = shiftedRight(loadBytes32(block + 48 + 32 * (p / 2)), 4 * (p % 2), 15);
        return _mm256_or_si256(nibbles, _mm256_slli_epi16(shiftedRight(loadBytes32(block + 16), p, 1), 4));
    }
    if constexpr (type == TensorType::Q6_K) {
        const __m256i low = shiftedRight(loadBytes32(block + 64 * half + 32 * (p % 2)), p % 4 < 2 ? 0 : 4, 15);
        const __m256i high = shiftedRight(loadBytes32(block + 128 + 32 * half), pair, 3);
        return _mm256_sub_epi8(_mm256_or_si256(low, _mm256_slli_epi16(high, 4)), _mm256_set1_epi8(32));
    }
    if constexpr (type == TensorType::IQ4_XS) return levelsOf(kUnevenLevels, nibblesOf16(block + 8 + 16 * p));
}

} // namespace coterie::engine
