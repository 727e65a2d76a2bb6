// SPDX-License-Identifier: Apache-2.0
// Scales and minima of eight quantised blocks, one block in each lane. They are decoded side by side and stay in
// registers: numbers that are stored one by one and loaded together would wait for each other. Layouts are drawn in
// quants.h. Inside kernels/ only, for files compiled like avx2.cpp.
//
//   The blocks belong to 8, 4 or 2 rows or to one row; each row has as many as there are lanes left. With rows = 4, two
// blocks each:
//     lane     0      1      2      3      4      5      6      7
//           row 0  row 1  row 2  row 3  row 0  row 1  row 2  row 3
//           block b                     block b + 1, or the super-block's next sub-block
#pragma once

#include "kernels/avx2_pieces.h"
#include "kernels/quants.h"

namespace coterie::engine {

struct EightBlocks {
    const uint8_t* at[8];
};

/// Factors as they lie in the blocks, and the words in which super-blocks keep the scales and minima of their
/// sub-blocks.
struct BlockFactors {
    __m256 d, dMinimum;
    __m256i words[3];
};

/// Scales and minima of the steps of 32 columns.
struct StepFactors {
    __m256 scales[2], minima[2];
};

COTERIE_AVX2_INLINE __m256 halvesAt(const EightBlocks& blocks, int64_t offset) {
    const auto half = [&](int i) { return loadAs<int16_t>(blocks.at[i] + offset); };
    return _mm256_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// d in IQ1_M, whose nibbles lie apart.
COTERIE_AVX2_INLINE __m256 nibbledFactors(const EightBlocks& blocks) {
    const auto half = [&](int i) { return static_cast<int16_t>(halfOfFactor<TensorType::IQ1_M>(blocks.at[i])); };
    return _mm256_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// 32 bits from `offset` on. From lane to lane of a row the offset grows by `step` bytes.
template <int rows>
COTERIE_AVX2_INLINE __m256i wordsAt(const EightBlocks& blocks, int64_t offset, int64_t step) {
    const auto word = [&](int i) { return loadAs<int32_t>(blocks.at[i] + offset + i / rows * step); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

/// The same if all lanes of a row have one super-block: each row's word is read once.
template <int rows>
COTERIE_AVX2_INLINE __m256i wordsOfRows(const EightBlocks& blocks, int64_t offset) {
    if constexpr (rows == 8) return wordsAt<8>(blocks, offset, 0);
    const auto word = [&](int i) { return loadAs<int32_t>(blocks.at[i] + offset); };
    if constexpr (rows == 4) return _mm256_broadcastsi128_si256(_mm_setr_epi32(word(0), word(1), word(2), word(3)));
    if constexpr (rows == 2) return _mm256_broadcastq_epi64(_mm_setr_epi32(word(0), word(1), 0, 0));
    return _mm256_set1_epi32(word(0));
}

/// Number of each lane's block within its row.
template <int rows>
COTERIE_AVX2_INLINE __m256i blockOfLane() {
    return _mm256_setr_epi32(0, 1 / rows, 2 / rows, 3 / rows, 4 / rows, 5 / rows, 6 / rows, 7 / rows);
}

template <TensorType type, int rows>
COTERIE_AVX2_INLINE BlockFactors blockFactors(const EightBlocks& blocks) {
    BlockFactors f;
    if constexpr (type == TensorType::MXFP4) {
        const auto factor = [&](int i) { return mxFactor(blocks.at[i][0]); };
        f.d = _mm256_setr_ps(factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7));
    } else if constexpr (type == TensorType::IQ1_M) {
        f.d = nibbledFactors(blocks);
    } else {
        f.d = halvesAt(blocks, kFactorOffset<type>);
    }
    if constexpr (kFactorShare<type> != 1) f.d = _mm256_mul_ps(f.d, _mm256_set1_ps(kFactorShare<type>));
    if constexpr (hasMinimum(type)) f.dMinimum = halvesAt(blocks, kMinimumOffset<type>);
    constexpr int64_t words = type == TensorType::Q3_K ? 96 : type == TensorType::IQ4_XS ? 0 : 4; // in Q4_K and Q5_K
    constexpr bool inWords =
        isSuperFormat(type) && !hasCodebook(type) && type != TensorType::Q2_K && type != TensorType::Q6_K;
    if constexpr (inWords) {
        for (int i = 0; i < 2; ++i) f.words[i] = wordsOfRows<rows>(blocks, words + 4 * i);
        if constexpr (type != TensorType::IQ4_XS) f.words[2] = wordsOfRows<rows>(blocks, words + 8);
    }
    return f;
}

/// Scales and minima as whole numbers.
struct StepNumbers {
    __m256i scales[2], minima[2];
};

/// The bits of `mask`, from bit `shift` on.
COTERIE_AVX2_INLINE __m256i bitsFrom(__m256i words, __m256i shift, int mask) {
    return _mm256_and_si256(_mm256_srlv_epi32(words, shift), _mm256_set1_epi32(mask));
}

/// Returns low | high << 4.
COTERIE_AVX2_INLINE __m256i withHighBits(__m256i low, __m256i high) {
    return _mm256_or_si256(low, _mm256_slli_epi32(high, 4));
}

/// One number of sixBitPair() in quants.h. own: the word that has the whole number for sub-blocks 0 to 3, and the high
/// bits for the later ones. last: the word with the low bits of the later ones, from bit `fromBit` of a byte on.
COTERIE_AVX2_INLINE __m256i sixBits(__m256i own, __m256i last, __m256i sub, int fromBit) {
    const __m256i byte = _mm256_and_si256(_mm256_slli_epi32(sub, 3), _mm256_set1_epi32(24)); // 8 * (sub % 4)
    const __m256i low = bitsFrom(last, _mm256_add_epi32(byte, _mm256_set1_epi32(fromBit)), 15);
    const __m256i high = bitsFrom(own, _mm256_add_epi32(byte, _mm256_set1_epi32(6)), 3);
    return _mm256_blendv_epi8(bitsFrom(own, byte, 63), withHighBits(low, high),
                              _mm256_cmpgt_epi32(sub, _mm256_set1_epi32(3)));
}

/// sixBitScale() in quants.h, for scale j = 2 * sub + odd.
COTERIE_AVX2_INLINE __m256i sixBitScales(const __m256i (&words)[3], __m256i sub, int odd) {
    const __m256i j = _mm256_add_epi32(_mm256_slli_epi32(sub, 1), _mm256_set1_epi32(odd));
    const __m256i byte = _mm256_slli_epi32(_mm256_and_si256(j, _mm256_set1_epi32(3)), 3); // 8 * (j % 4)
    const __m256i four = _mm256_srli_epi32(j, 2);                                         // j / 4
    const __m256i second = _mm256_slli_epi32(j, 29); // the sign says that j % 8 >= 4
    const __m256i low = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(words[0]), _mm256_castsi256_ps(words[1]), _mm256_castsi256_ps(second)));
    const __m256i lowShift = _mm256_add_epi32(byte, _mm256_slli_epi32(_mm256_srli_epi32(j, 3), 2));
    const __m256i high = bitsFrom(words[2], _mm256_add_epi32(byte, _mm256_slli_epi32(four, 1)), 3);
    return _mm256_sub_epi32(withHighBits(bitsFrom(low, lowShift, 15), high), _mm256_set1_epi32(32));
}

/// unevenScale() in quants.h.
COTERIE_AVX2_INLINE __m256i unevenScales(const __m256i (&words)[3], __m256i sub) {
    const __m256i low = bitsFrom(words[1], _mm256_slli_epi32(sub, 2), 15);
    const __m256i high = bitsFrom(words[0], _mm256_add_epi32(_mm256_slli_epi32(sub, 1), _mm256_set1_epi32(16)), 3);
    return _mm256_sub_epi32(withHighBits(low, high), _mm256_set1_epi32(32));
}

/// codebookScale() in codebooks.h, for step s.
template <TensorType type, int rows>
COTERIE_AVX2_INLINE __m256i codedScales(const EightBlocks& blocks, int sub, int s) {
    const auto place = [&](int i) { return scalePlace<type>(sub + i / rows, s); };
    const auto word = [&](int i) { return loadAs<int32_t>(blocks.at[i] + place(i).offset); };
    const __m256i words = _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
    const __m256i shifts = _mm256_setr_epi32(place(0).shift, place(1).shift, place(2).shift, place(3).shift,
                                             place(4).shift, place(5).shift, place(6).shift, place(7).shift);
    const __m256i codes = bitsFrom(words, shifts, kScaleMask<type>);
    return _mm256_or_si256(_mm256_slli_epi32(codes, 1), _mm256_set1_epi32(1));
}

/// Scales and minima of sub-block `sub` of each super-block, or of the sub-blocks from there on.
template <TensorType type, int rows>
COTERIE_AVX2_INLINE StepNumbers stepNumbers(const EightBlocks& blocks, const BlockFactors& f, int sub) {
    static_assert(type == TensorType::Q2_K || type == TensorType::Q3_K || type == TensorType::Q4_K ||
                      type == TensorType::Q5_K || type == TensorType::Q6_K || type == TensorType::IQ4_XS ||
                      hasCodebook(type),
                  "this format's scales are not decoded here yet");
    StepNumbers n;
    if constexpr (hasCodebook(type)) {
        for (int s = 0; s < stepsOf32(type); ++s) n.scales[s] = codedScales<type, rows>(blocks, sub, s);
        return n;
    }
    if constexpr (type == TensorType::Q2_K || type == TensorType::Q6_K) {
        const __m256i pair = wordsAt<rows>(blocks, (type == TensorType::Q2_K ? 0 : 192) + 2 * sub, 2);
        for (int s = 0; s < 2; ++s) {
            if constexpr (type == TensorType::Q6_K) {
                n.scales[s] = _mm256_srai_epi32(_mm256_slli_epi32(pair, 24 - 8 * s), 24);
            } else {
                n.scales[s] = _mm256_and_si256(_mm256_srli_epi32(pair, 8 * s), _mm256_set1_epi32(15));
                n.minima[s] = _mm256_and_si256(_mm256_srli_epi32(pair, 8 * s + 4), _mm256_set1_epi32(15));
            }
        }
        return n;
    }
    const __m256i subBlocks = _mm256_add_epi32(_mm256_set1_epi32(sub), blockOfLane<rows>());
    if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K) {
        n.scales[0] = sixBits(f.words[0], f.words[2], subBlocks, 0);
        n.minima[0] = sixBits(f.words[1], f.words[2], subBlocks, 4);
    }
    if constexpr (type == TensorType::IQ4_XS) n.scales[0] = unevenScales(f.words, subBlocks);
    if constexpr (type == TensorType::Q3_K)
        for (int s = 0; s < 2; ++s) n.scales[s] = sixBitScales(f.words, subBlocks, s);
    return n;
}

/// Scales and minima times the blocks' factors.
template <TensorType type, int rows>
COTERIE_AVX2_INLINE StepFactors stepFactors(const EightBlocks& blocks, const BlockFactors& f, int sub) {
    StepFactors out;
    if constexpr (!isSuperFormat(type)) {
        out.scales[0] = f.d;
        if constexpr (hasMinimum(type))
            out.minima[0] = _mm256_xor_ps(f.dMinimum, _mm256_set1_ps(-0.0f)); // the format adds it
        return out;
    } else {
        const StepNumbers n = stepNumbers<type, rows>(blocks, f, sub);
        for (int s = 0; s < stepsOf32(type); ++s) {
            out.scales[s] = _mm256_mul_ps(f.d, _mm256_cvtepi32_ps(n.scales[s]));
            if constexpr (hasMinimum(type)) out.minima[s] = _mm256_mul_ps(f.dMinimum, _mm256_cvtepi32_ps(n.minima[s]));
        }
        return out;
    }
}

} // namespace coterie::engine
