// SPDX-License-Identifier: Apache-2.0
// Signs of rows times a vector with AVX2: bits become factors of 0 and 1.
#include "kernels/avx2_table.h"
#include "kernels/signs.h"

namespace coterie::engine {
namespace {

constexpr int64_t kRowsTogether = 4; ///< four sums hide the latency of a sum

COTERIE_AVX2_INLINE int32_t sumOfLanes(__m256i v) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 1)));
}

/// Sums the values of 256 columns, half of a span, whose bit is set; pairs of them are added in 16 bits.
COTERIE_AVX2_INLINE __m256i pairsOfSet(__m256i bits, const int8_t* x) {
    __m256i sums = _mm256_setzero_si256(); // each is a sum of at most 8 pairs
    for (int b = 0; b < 8; ++b) {
        const __m256i set = _mm256_and_si256(_mm256_srli_epi16(bits, b), _mm256_set1_epi8(1));
        const __m256i values = loadBytes32(reinterpret_cast<const std::byte*>(x) + b * 64);
        sums = _mm256_add_epi16(sums, _mm256_maddubs_epi16(set, values));
    }
    return sums;
}

template <int64_t rows>
COTERIE_AVX2 void sumsOfSet(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* out) {
    __m256i sums[rows];
    for (__m256i& sum : sums) sum = _mm256_setzero_si256();
    for (int64_t g = 0; g < spans; ++g)
        for (int64_t half = 0; half < kSpanBytes; half += 32)
            for (int64_t r = 0; r < rows; ++r) {
                const uint8_t* own = bits + (r * spans + g) * kSpanBytes + half;
                const __m256i some = loadBytes32(reinterpret_cast<const std::byte*>(own));
                const __m256i pairs = pairsOfSet(some, x + g * kSignSpan + half);
                sums[r] = _mm256_add_epi32(sums[r], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
            }
    for (int64_t r = 0; r < rows; ++r) out[r] = sumOfLanes(sums[r]);
}

} // namespace

void avx2MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                       float* out) {
    multiplySignsBy<kRowsTogether, sumsOfSet<kRowsTogether>, sumsOfSet<1>>(w, rowBegin, rowEnd, x, shift, out);
}

} // namespace coterie::engine
