// SPDX-License-Identifier: Apache-2.0
// Quantised weights of four rows and four blocks of 32 columns, times one token. Layouts in files are drawn in
// quants.h. Inside kernels/ only, for files compiled like avx512_vnni.cpp.
//
//   A register of 16 lanes holds a quarter (four lanes) for each of four blocks. The sums of quarters are gathered from
// four rows, so that lane 4k + r belongs to block k and row r:
//       row 0  | block 0 | block 1 | block 2 | block 3 |        sums | block 0: rows 0..3 | block 1: rows 0..3 | ..
//       row 1  | ..                                        ->
//   A step has 32 columns, or 16 in formats whose scales are of 16 values.
#pragma once

#include "kernels/avx512_unpack.h"

namespace coterie::engine {

constexpr int kQuadRows = 4;
constexpr int kQuadBlocks = 4;

/// Four rows; if there are fewer, the last one is repeated. later: rows that follow and are fetched meanwhile. If they
/// lie one behind the other, only later[0] is set.
struct Quad {
    const std::byte* at[kQuadRows];
    const std::byte* later[kQuadRows];
};

/// Four blocks of the token: in order, and with columns 0..15 of each block in a quarter of `low`, columns 16..31 in a
/// quarter of `high`.
struct FourBlocks {
    __m512i first, second, low, high;
};

COTERIE_AVX512_INLINE FourBlocks fourBlocks(const std::byte* x) {
    const __m512i first = bytes64(x), second = bytes64(x + 64);
    return {first, second, _mm512_shuffle_i32x4(first, second, 0x88), _mm512_shuffle_i32x4(first, second, 0xdd)};
}

/// Numbers k * stride + from of `values`, each in all lanes of quarter k.
template <int stride, int from>
COTERIE_AVX512_INLINE __m512i inQuarters(__m256i values) {
    constexpr auto place = [](int k) { return k * stride + from; };
    const __m512i places =
        _mm512_setr_epi32(place(0), place(0), place(0), place(0), place(1), place(1), place(1), place(1), place(2),
                          place(2), place(2), place(2), place(3), place(3), place(3), place(3));
    return _mm512_permutexvar_epi32(places, _mm512_castsi256_si512(values));
}

// --- Products of a row: the lanes of a quarter add up to the integer of its step

/// Places of four pieces of 16 bytes that begin `stride` bytes apart, among their first 64 bytes and their last 64
/// bytes.
template <int64_t stride>
struct Quarters {
    static constexpr int64_t kLast = 3 * stride + 16 - 64; ///< beginning of the last 64 bytes
    alignas(64) uint8_t places[64] = {};

    constexpr Quarters() {
        for (int64_t i = 0; i < 64; ++i) {
            const int64_t byte = i / 16 * stride + i % 16;
            places[i] = static_cast<uint8_t>(byte < 64 ? byte : 64 + byte - kLast);
        }
    }
};
template <int64_t stride>
constexpr Quarters<stride> kQuarters;

/// Four pieces of 16 bytes that begin `stride` bytes apart.
template <int64_t stride>
COTERIE_AVX512_INLINE __m512i quartersFrom(const std::byte* p) {
    return _mm512_permutex2var_epi8(bytes64(p), bytes64(kQuarters<stride>.places),
                                    bytes64(p + Quarters<stride>::kLast));
}

/// Adds 16 where a block's fifth bit is 1. half: 0 for columns 0..15, 1 for 16..31.
template <TensorType type>
COTERIE_AVX512_INLINE __m512i withFifths(__m512i q, const std::byte* at, int half) {
    uint64_t bits = 0;
    for (int k = 0; k < kQuadBlocks; ++k) {
        const std::byte* fifths = at + k * kBlockBytes<type> + kNibblesOffset<type> - 4 + 2 * half;
        bits |= uint64_t{loadAs<uint16_t>(fifths)} << (16 * k);
    }
    return _mm512_mask_add_epi8(q, bits, q, _mm512_set1_epi8(16));
}

/// Low nibbles and high nibbles as quants plus quantOffset.
template <TensorType type>
COTERIE_AVX512_INLINE void nibblesOf(__m512i packed, __m512i& low, __m512i& high) {
    low = bitsOf(packed, 0, 15);
    high = bitsOf(packed, 4, 15);
    if constexpr (type == TensorType::IQ4_NL || type == TensorType::IQ4_XS || type == TensorType::MXFP4) {
        low = levelsOfNibbles<type>(low);
        high = levelsOfNibbles<type>(high);
    }
}

/// Products of blocks of 32, and of IQ4_XS, whose sub-blocks keep their nibbles in the same way.
template <TensorType type>
COTERIE_AVX512_INLINE void productsOfBlocks(const std::byte* at, int sub, const FourBlocks& x, __m512i* out) {
    __m512i low, high;
    if constexpr (type == TensorType::Q8_0) {
        const __m512i raise = _mm512_set1_epi8(static_cast<char>(0x80));
        low = _mm512_xor_si512(quartersFrom<kBlockBytes<type>>(at + kScaleBytes), raise);
        high = _mm512_xor_si512(quartersFrom<kBlockBytes<type>>(at + kScaleBytes + 16), raise);
    } else if constexpr (type == TensorType::IQ4_XS) {
        nibblesOf<type>(bytes64(at + 8 + 16 * sub), low, high);
    } else {
        static_assert(type == TensorType::Q4_0 || type == TensorType::Q4_1 || type == TensorType::Q5_0 ||
                          type == TensorType::Q5_1 || type == TensorType::IQ4_NL || type == TensorType::MXFP4,
                      "this format's blocks are not decoded here yet");
        nibblesOf<type>(quartersFrom<kBlockBytes<type>>(at + kNibblesOffset<type>), low, high);
        if constexpr (type == TensorType::Q5_0 || type == TensorType::Q5_1) {
            low = withFifths<type>(low, at, 0);
            high = withFifths<type>(high, at, 1);
        }
    }
    *out = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(_mm512_setzero_si512(), low, x.low), high, x.high);
}

/// 32 bytes twice, the first copy shifted right by `one` bits, the second by `other`. mask: the bits of each byte that
/// are kept.
template <int one, int other>
COTERIE_AVX512_INLINE __m512i shiftedTwice(const std::byte* p, int mask) {
    const __m512i twice = _mm512_broadcast_i64x4(loadBytes32(p));
    const __m512i counts = _mm512_inserti64x4(_mm512_set1_epi16(one), _mm256_set1_epi16(other), 1);
    return _mm512_and_si512(_mm512_srlv_epi16(twice, counts), _mm512_set1_epi8(static_cast<char>(mask)));
}

/// Products in Q4_K and Q5_K, where a pair of sub-blocks shares 32 bytes: the even one has the low nibbles.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void productsOfPairs(const std::byte* at, const FourBlocks& x, __m512i* out) {
    const __m512i packed = bytes64(at + kBlockBytes<type> - 128 + 16 * sub), none = _mm512_setzero_si512();
    __m512i evenQuants = bitsOf(packed, 0, 15), oddQuants = bitsOf(packed, 4, 15);
    if constexpr (type == TensorType::Q5_K) {
        const __m512i evenFifths = shiftedTwice<sub, sub + 2>(at + 16, 1);
        const __m512i oddFifths = shiftedTwice<sub + 1, sub + 3>(at + 16, 1);
        evenQuants = _mm512_or_si512(evenQuants, _mm512_slli_epi16(evenFifths, 4));
        oddQuants = _mm512_or_si512(oddQuants, _mm512_slli_epi16(oddFifths, 4));
    }
    const __m512i even = _mm512_dpbusd_epi32(none, evenQuants, _mm512_shuffle_i32x4(x.first, x.second, 0x44));
    const __m512i odd = _mm512_dpbusd_epi32(none, oddQuants, _mm512_shuffle_i32x4(x.first, x.second, 0xee));
    const __m512i sums = _mm512_add_epi32(_mm512_shuffle_i32x4(even, odd, 0x88), _mm512_shuffle_i32x4(even, odd, 0xdd));
    *out = _mm512_shuffle_i32x4(sums, sums, 0xd8);
}

/// Quants plus quantOffset of sub-blocks p and p + 1 in a format with a codebook.
template <TensorType type>
COTERIE_AVX512_INLINE __m512i twoSubBlocks(const std::byte* at, int p) {
    const uint8_t* block = reinterpret_cast<const uint8_t*>(at);
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(codebookQuants<type>(block, p)),
                                            codebookQuants<type>(block, p + 1), 1);
    return _mm512_add_epi8(both, _mm512_set1_epi8(static_cast<char>(quantOffset(type))));
}

/// Quants plus quantOffset in Q2_K, Q3_K, Q6_K and formats with codebooks: `first` has sub-blocks sub and sub + 1,
/// `second` the two behind them.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void quantsOfHalf(const std::byte* at, __m512i& first, __m512i& second) {
    constexpr int64_t half = sub / 4;
    if constexpr (hasCodebook(type)) {
        first = twoSubBlocks<type>(at, sub);
        second = twoSubBlocks<type>(at, sub + 2);
    } else if constexpr (type == TensorType::Q6_K) {
        const __m512i low = bytes64(at + 64 * half);
        const __m512i upper = shiftedTwice<0, 2>(at + 128 + 32 * half, 0x33); // bits 0, 1 and 4, 5 belong to them
        const __m512i sixteen = _mm512_and_si512(_mm512_slli_epi16(upper, 4), _mm512_set1_epi8(0x30));
        first = _mm512_or_si512(bitsOf(low, 0, 15), sixteen);
        second = _mm512_or_si512(bitsOf(low, 4, 15), _mm512_and_si512(upper, _mm512_set1_epi8(0x30)));
    } else {
        const std::byte* two = at + (type == TensorType::Q2_K ? 16 : 32) + 32 * half;
        first = shiftedTwice<0, 2>(two, 3);
        second = shiftedTwice<4, 6>(two, 3);
        if constexpr (type == TensorType::Q3_K) {
            const __m512i firstThirds = shiftedTwice<sub, sub + 1>(at, 1);
            const __m512i secondThirds = shiftedTwice<sub + 2, sub + 3>(at, 1);
            first = _mm512_or_si512(first, _mm512_slli_epi16(firstThirds, 2));
            second = _mm512_or_si512(second, _mm512_slli_epi16(secondThirds, 2));
        }
    }
}

/// Products in formats with scales of 16 values, two steps for each sub-block, and in formats with codebooks.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void productsOfHalves(const std::byte* at, const FourBlocks& x, __m512i* out) {
    __m512i first, second;
    quantsOfHalf<type, sub>(at, first, second);
    first = _mm512_dpbusd_epi32(_mm512_setzero_si512(), first, x.first);
    second = _mm512_dpbusd_epi32(_mm512_setzero_si512(), second, x.second);
    const __m512i lower = _mm512_shuffle_i32x4(first, second, 0x88), upper = _mm512_shuffle_i32x4(first, second, 0xdd);
    if constexpr (hasHalfSteps(type)) {
        out[0] = lower;
        out[1] = upper;
    } else {
        out[0] = _mm512_add_epi32(lower, upper);
    }
}

/// Products of four blocks of 32, or of the four sub-blocks from `sub` on; quants are raised by quantOffset.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void rowProducts(const std::byte* at, const FourBlocks& x, __m512i* out) {
    if constexpr (hasHalfSteps(type) || hasCodebook(type))
        productsOfHalves<type, sub>(at, x, out);
    else if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K)
        productsOfPairs<type, sub>(at, x, out);
    else
        productsOfBlocks<type>(at, sub, x, out);
}

// --- Factors of four rows and four blocks, in lane 4k + r

/// The half that each lane takes: one of the first 64 bytes of four blocks, or of 64 later bytes.
template <TensorType type, int64_t offset>
struct HalfPlaces {
    static constexpr int64_t kEnd = 3 * kBlockBytes<type> + offset + 2;
    static constexpr bool kTwice = kEnd > 64; ///< whether the first 64 bytes are not enough
    static constexpr int64_t kLater = kBlockBytes<type> < 32 ? kQuadBlocks * kBlockBytes<type> - 64
                                                             : 2 * kBlockBytes<type>; ///< beginning of the later bytes
    alignas(64) int16_t places[32] = {};

    constexpr HalfPlaces() {
        for (int64_t lane = 0; lane < 16; ++lane) {
            const int64_t byte = lane / kQuadRows * kBlockBytes<type> + offset;
            places[lane] = static_cast<int16_t>(byte < 63 ? byte / 2 : 32 + (byte - kLater) / 2);
        }
    }
};
template <TensorType type, int64_t offset>
constexpr HalfPlaces<type, offset> kHalfPlaces;

/// The half at `offset` of each block.
template <TensorType type, int64_t offset>
COTERIE_AVX512_INLINE __m512 halvesOfBlocks(const Quad& quad, int64_t at) {
    constexpr const HalfPlaces<type, offset>& where = kHalfPlaces<type, offset>;
    const __m512i places = bytes64(where.places);
    __m512i halves = _mm512_setzero_si512();
    for (int r = 0; r < kQuadRows; ++r) {
        const std::byte* block = quad.at[r] + at;
        const __mmask32 mine = 0x1111u << r;
        if constexpr (where.kTwice)
            halves = _mm512_or_si512(
                halves, _mm512_maskz_permutex2var_epi16(mine, bytes64(block), places, bytes64(block + where.kLater)));
        else
            halves = _mm512_mask_permutexvar_epi16(halves, mine, places, bytes64(block));
    }
    return _mm512_cvtph_ps(_mm512_castsi512_si256(halves));
}

/// Scales and minima of a step.
struct StepFactors {
    __m512 scales, minima;
};

/// A half of each row's super-block, in every quarter.
COTERIE_AVX512_INLINE __m512 halvesOfRows(const Quad& quad, int64_t at) {
    const auto half = [&](int r) { return loadAs<int16_t>(quad.at[r] + at); };
    const __m128i halves = _mm_setr_epi16(half(0), half(1), half(2), half(3), 0, 0, 0, 0);
    return _mm512_broadcast_f32x4(_mm_cvtph_ps(halves));
}

/// d times small numbers of four sub-blocks, which are bytes of a row's word, lowest first; `zero` is subtracted from
/// each.
COTERIE_AVX512_INLINE __m512 timesBytes(__m512 d, const uint32_t (&rows)[kQuadRows], int zero = 0) {
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i bytes = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows)), order);
    const __m512i values = _mm512_sub_epi32(_mm512_cvtepu8_epi32(bytes), _mm512_set1_epi32(zero));
    return _mm512_mul_ps(d, _mm512_cvtepi32_ps(values));
}

/// The same for two steps: bytes 2k and 2k + 1 of a row belong to sub-block k.
template <bool isSigned>
COTERIE_AVX512_INLINE void timesBytesOfSteps(__m512 d, const uint64_t (&rows)[kQuadRows], int zero, __m512* out) {
    const __m256i order = _mm256_setr_epi8(0, 8, 16, 24, 2, 10, 18, 26, 4, 12, 20, 28, 6, 14, 22, 30, 1, 9, 17, 25, 3,
                                           11, 19, 27, 5, 13, 21, 29, 7, 15, 23, 31);
    const __m256i bytes = _mm256_permutexvar_epi8(order, loadBytes32(rows));
    const __m128i steps[2] = {_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)};
    for (int s = 0; s < 2; ++s) {
        const __m512i values = isSigned ? _mm512_cvtepi8_epi32(steps[s]) : _mm512_cvtepu8_epi32(steps[s]);
        out[s] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_sub_epi32(values, _mm512_set1_epi32(zero))));
    }
}

/// Factors in Q4_K and Q5_K.
template <int sub>
COTERIE_AVX512_INLINE StepFactors sixBitFactors(const Quad& quad, int64_t at) {
    uint32_t scales[kQuadRows], minima[kQuadRows];
    for (int r = 0; r < kQuadRows; ++r) {
        const auto word = [&](int i) { return loadAs<uint32_t>(quad.at[r] + at + 4 + 4 * i); };
        const uint32_t s = word(0), m = word(1), rest = word(2);
        scales[r] = sub == 0 ? s & 0x3f3f3f3f : (rest & 0x0f0f0f0f) | (s >> 2 & 0x30303030);
        minima[r] = sub == 0 ? m & 0x3f3f3f3f : (rest >> 4 & 0x0f0f0f0f) | (m >> 2 & 0x30303030);
    }
    return {timesBytes(halvesOfRows(quad, at), scales), timesBytes(halvesOfRows(quad, at + 2), minima)};
}

/// Scales in IQ4_XS: four low bits of all sub-blocks' scales lie together, and so do two high bits.
template <int sub>
COTERIE_AVX512_INLINE __m512 unevenScales(const Quad& quad, int64_t at) {
    uint32_t scales[kQuadRows];
    for (int r = 0; r < kQuadRows; ++r) {
        uint32_t low = loadAs<uint16_t>(quad.at[r] + at + 4 + sub / 2);
        uint32_t high = loadAs<uint16_t>(quad.at[r] + at + 2) >> (2 * sub) & 0xff;
        low = (low | low << 8) & 0x00ff00ff;
        low = (low | low << 4) & 0x0f0f0f0f;
        high = (high | high << 12) & 0x000f000f;
        high = (high | high << 6) & 0x03030303;
        scales[r] = low | high << 4;
    }
    return timesBytes(halvesOfRows(quad, at), scales, 32);
}

/// Scales in Q3_K: the four low bits lie in eight bytes, the two high bits of all scales in four more.
template <int sub>
inline uint64_t threeBitScales(const std::byte* scales) {
    constexpr uint64_t low = 0x0f0f0f0f0f0f0f0f;
    constexpr uint32_t high = 0x03030303;
    const uint32_t top = loadAs<uint32_t>(scales + 8) >> sub;
    const uint64_t upper = uint64_t{top & high} | uint64_t{top >> 2 & high} << 32;
    return (loadAs<uint64_t>(scales) >> sub & low) | upper << 4;
}

/// Factors in Q2_K, Q3_K and Q6_K.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void factorsOfHalfSteps(const Quad& quad, int64_t at, StepFactors* out) {
    uint64_t rows[kQuadRows], minima[kQuadRows];
    for (int r = 0; r < kQuadRows; ++r) {
        const std::byte* block = quad.at[r] + at;
        if constexpr (type == TensorType::Q3_K)
            rows[r] = threeBitScales<sub>(block + 96);
        else
            rows[r] = loadAs<uint64_t>(block + (type == TensorType::Q6_K ? 192 : 0) + 2 * sub);
        minima[r] = rows[r] >> 4 & 0x0f0f0f0f0f0f0f0f;
        if constexpr (type == TensorType::Q2_K) rows[r] &= 0x0f0f0f0f0f0f0f0f;
    }
    __m512 factors[2];
    timesBytesOfSteps<type == TensorType::Q6_K>(halvesOfRows(quad, at + kFactorOffset<type>), rows,
                                                type == TensorType::Q3_K ? 32 : 0, factors);
    for (int s = 0; s < 2; ++s) out[s].scales = factors[s];
    if constexpr (hasMinimum(type)) {
        timesBytesOfSteps<false>(halvesOfRows(quad, at + kMinimumOffset<type>), minima, 0, factors);
        for (int s = 0; s < 2; ++s) out[s].minima = factors[s];
    }
}

/// Factors in formats with codebooks.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void codebookFactors(const Quad& quad, int64_t at, StepFactors* out) {
    const auto block = [&](int r) { return reinterpret_cast<const uint8_t*>(quad.at[r] + at); };
    const auto half = [&](int r) { return static_cast<int16_t>(halfOfFactor<type>(block(r))); };
    const __m128 halves = _mm_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), 0, 0, 0, 0));
    const __m512 d = _mm512_broadcast_f32x4(_mm_mul_ps(halves, _mm_set1_ps(kFactorShare<type>)));
    if constexpr (hasHalfSteps(type)) {
        uint64_t rows[kQuadRows];
        for (int r = 0; r < kQuadRows; ++r) rows[r] = codebookScales<type, 2 * kQuadBlocks>(block(r), sub);
        __m512 factors[2];
        timesBytesOfSteps<false>(d, rows, 0, factors);
        for (int s = 0; s < 2; ++s) out[s].scales = factors[s];
    } else {
        uint32_t rows[kQuadRows];
        for (int r = 0; r < kQuadRows; ++r)
            rows[r] = static_cast<uint32_t>(codebookScales<type, kQuadBlocks>(block(r), sub));
        out[0].scales = timesBytes(d, rows);
    }
}

/// Scales in MXFP4: a block begins with its scale's exponent.
COTERIE_AVX512_INLINE __m512 mxScales(const Quad& quad, int64_t at) {
    constexpr auto place = [](int k) { return static_cast<char>(k * kBlockBytes<TensorType::MXFP4>); };
    const __m128i places =
        _mm_setr_epi8(place(0), place(0), place(0), place(0), place(1), place(1), place(1), place(1), place(2),
                      place(2), place(2), place(2), place(3), place(3), place(3), place(3));
    __m512i exponents = _mm512_setzero_si512();
    for (int r = 0; r < kQuadRows; ++r)
        exponents = _mm512_mask_permutexvar_epi8(exponents, uint64_t{0x1111} << r, _mm512_castsi128_si512(places),
                                                 bytes64(quad.at[r] + at));
    return mxFactors(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(exponents)));
}

/// at: where the blocks, or the super-block, lie in each row.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE void stepFactors(const Quad& quad, int64_t at, StepFactors* out) {
    if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K) {
        out[0] = sixBitFactors<sub>(quad, at);
    } else if constexpr (type == TensorType::IQ4_XS) {
        out[0].scales = unevenScales<sub>(quad, at);
    } else if constexpr (hasCodebook(type)) {
        codebookFactors<type, sub>(quad, at, out);
    } else if constexpr (hasHalfSteps(type)) {
        factorsOfHalfSteps<type, sub>(quad, at, out);
    } else if constexpr (type == TensorType::MXFP4) {
        out[0].scales = mxScales(quad, at);
    } else {
        out[0].scales = halvesOfBlocks<type, kFactorOffset<type>>(quad, at);
        if constexpr (hasMinimum(type)) // the format adds it
            out[0].minima = _mm512_xor_ps(halvesOfBlocks<type, kMinimumOffset<type>>(quad, at), _mm512_set1_ps(-0.0f));
    }
}

} // namespace coterie::engine
