// SPDX-License-Identifier: Apache-2.0
// Signs of rows against a vector with AVX2. A block's bits become a mask of bytes, which turns the signs of the
// vector's values: (x ^ -1) + 1 = -x.
#include "kernels/avx2_pieces.h"
#include "kernels/signs.h"

namespace coterie::engine {
namespace {

constexpr int64_t groupRows = 4; ///< as many sums hide the latency of a fused product and sum

/// All ones in each byte whose bit of 32 is set.
COTERIE_AVX2_INLINE __m256i maskOf(uint32_t bits) {
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3,
                                            3, 3, 3, 3, 3, 3, 3);
    const __m256i own = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201u));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int32_t>(bits)), spread);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own), own);
}

/// Sums of 32 values in eight lanes; no value is -128, so each has an opposite.
COTERIE_AVX2_INLINE __m256i signedSums(uint32_t bits, __m256i x) {
    const __m256i mask = maskOf(bits);
    const __m256i turned = _mm256_sub_epi8(_mm256_xor_si256(x, mask), mask);
    return _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), turned), _mm256_set1_epi16(1));
}

template <int64_t rows>
COTERIE_AVX2 void signTile(const SignRows& w, int64_t first, const std::byte* prepared, float shift, float* out) {
    const int64_t blocks = w.columns / blockValues;
    const uint32_t* bits = w.bits + first * blocks;
    const float* xScales = reinterpret_cast<const float*>(prepared);
    const std::byte* x = prepared + preparedQuantsOffset(w.columns);
    __m256 sums[rows];
    for (int64_t r = 0; r < rows; ++r) sums[r] = _mm256_setzero_ps();
    for (int64_t b = 0; b < blocks; ++b) {
        const __m256i values = loadBytes32(x + b * blockValues);
        const __m256 scale = _mm256_set1_ps(xScales[b]);
        for (int64_t r = 0; r < rows; ++r)
            sums[r] = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(signedSums(bits[r * blocks + b], values)), sums[r]);
    }
    for (int64_t r = 0; r < rows; ++r) out[first + r] = w.scales[first + r] * (shift + sumOfLanes(sums[r]));
}

} // namespace

void avx2MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                       float* out) {
    int64_t r = rowBegin;
    for (; r + groupRows <= rowEnd; r += groupRows) signTile<groupRows>(w, r, prepared, shift, out);
    for (; r < rowEnd; ++r) signTile<1>(w, r, prepared, shift, out);
}

} // namespace coterie::engine
