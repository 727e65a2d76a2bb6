// SPDX-License-Identifier: Apache-2.0
// Signs of rows times a vector with AVX-512 and VNNI. A bit that stays in its place in a byte is a factor of 1, 2, 4 or
// 8; the sums are divided by it at the end.
#include "kernels/avx512_table.h"
#include "kernels/signs.h"

namespace coterie::engine {
namespace {

constexpr int64_t kRowsTogether = 4; ///< four sums for each row hide the latency of a sum of products

template <int64_t rows>
COTERIE_AVX512 void sumsOfSet(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* out) {
    __m512i sums[rows][4];
    for (auto& ofRow : sums)
        for (__m512i& sum : ofRow) sum = _mm512_setzero_si512();
    for (int64_t g = 0; g < spans; ++g) {
        __m512i low[rows], high[rows]; // bits 0-3, and bits 4-7 moved to their place
        for (int64_t r = 0; r < rows; ++r) {
            low[r] = _mm512_load_si512(bits + (r * spans + g) * kSpanBytes);
            high[r] = _mm512_srli_epi16(low[r], 4);
        }
        for (int b = 0; b < 4; ++b) {
            const __m512i bit = _mm512_set1_epi8(static_cast<char>(1 << b));
            const __m512i first = _mm512_load_si512(x + g * kSignSpan + b * 64);
            const __m512i second = _mm512_load_si512(x + g * kSignSpan + (b + 4) * 64);
            for (int64_t r = 0; r < rows; ++r) {
                sums[r][b] = _mm512_dpbusd_epi32(sums[r][b], _mm512_and_si512(low[r], bit), first);
                sums[r][b] = _mm512_dpbusd_epi32(sums[r][b], _mm512_and_si512(high[r], bit), second);
            }
        }
    }
    for (int64_t r = 0; r < rows; ++r) {
        const __m512i odd = _mm512_add_epi32(sums[r][1], _mm512_srai_epi32(sums[r][3], 2));
        const __m512i even = _mm512_add_epi32(sums[r][0], _mm512_srai_epi32(sums[r][2], 2));
        out[r] = _mm512_reduce_add_epi32(_mm512_add_epi32(even, _mm512_srai_epi32(odd, 1)));
    }
}

} // namespace

void avx512MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                         float* out) {
    multiplySignsBy<kRowsTogether, sumsOfSet<kRowsTogether>, sumsOfSet<1>>(w, rowBegin, rowEnd, x, shift, out);
}

} // namespace coterie::engine
