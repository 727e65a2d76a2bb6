// SPDX-License-Identifier: Apache-2.0
// Signs of rows against a vector with AVX-512 and VNNI: 64 bits are a mask as they lie in memory, and turn the signs of
// 64 values in one step.
#include "kernels/avx512_pieces.h"
#include "kernels/signs.h"

namespace coterie::engine {
namespace {

constexpr int64_t groupRows = 4; ///< as many sums hide the latency of a fused product and sum

/// Sums of 64 values in 16 lanes, of which eight are a block's.
COTERIE_AVX512_INLINE __m512i signedSums(uint64_t bits, __m512i x) {
    const __m512i turned = _mm512_mask_sub_epi8(x, bits, _mm512_setzero_si512(), x);
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), turned);
}

/// Two blocks' scales, eight lanes each.
COTERIE_AVX512_INLINE __m512 twoScales(const float* scales) {
    return _mm512_insertf32x8(_mm512_set1_ps(scales[0]), _mm256_set1_ps(scales[1]), 1);
}

template <int64_t rows>
COTERIE_AVX512 void signTile(const SignRows& w, int64_t first, const std::byte* prepared, float shift, float* out) {
    const int64_t blocks = w.columns / blockValues;
    const uint32_t* bits = w.bits + first * blocks;
    const float* xScales = reinterpret_cast<const float*>(prepared);
    const std::byte* x = prepared + preparedQuantsOffset(w.columns);
    __m512 sums[rows];
    for (int64_t r = 0; r < rows; ++r) sums[r] = _mm512_setzero_ps();
    int64_t b = 0;
    for (; b + 2 <= blocks; b += 2) {
        const __m512i values = bytes64(x + b * blockValues);
        const __m512 scale = twoScales(xScales + b);
        for (int64_t r = 0; r < rows; ++r) {
            const __m512i block = signedSums(loadAs<uint64_t>(bits + r * blocks + b), values);
            sums[r] = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(block), sums[r]);
        }
    }
    if (b < blocks) { // behind an odd number of blocks prepare() leaves zeros, of values and of scales
        const __m512i values = bytes64(x + b * blockValues);
        const __m512 scale = twoScales(xScales + b);
        for (int64_t r = 0; r < rows; ++r)
            sums[r] = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(signedSums(bits[r * blocks + b], values)), sums[r]);
    }
    for (int64_t r = 0; r < rows; ++r) out[first + r] = w.scales[first + r] * (shift + _mm512_reduce_add_ps(sums[r]));
}

} // namespace

void avx512MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                         float* out) {
    int64_t r = rowBegin;
    for (; r + groupRows <= rowEnd; r += groupRows) signTile<groupRows>(w, r, prepared, shift, out);
    for (; r < rowEnd; ++r) signTile<1>(w, r, prepared, shift, out);
}

} // namespace coterie::engine
