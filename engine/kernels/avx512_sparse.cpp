// SPDX-License-Identifier: Apache-2.0
// Regrouped matrices times a vector with AVX-512 and VNNI: the bytes of four columns are interleaved, and one
// instruction adds their four products for 16 rows.
#include "kernels/avx512_table.h"
#include "kernels/sparse.h"

namespace coterie::engine {
namespace {

/// Adds the products of 64 rows and four columns. v: a column each, without sign.
COTERIE_AVX512_INLINE void addFour(const __m512i (&v)[4], __m512i x, __m512i* sums) {
    const __m512i low01 = _mm512_unpacklo_epi8(v[0], v[1]), high01 = _mm512_unpackhi_epi8(v[0], v[1]);
    const __m512i low23 = _mm512_unpacklo_epi8(v[2], v[3]), high23 = _mm512_unpackhi_epi8(v[2], v[3]);
    sums[0] = _mm512_dpbusd_epi32(sums[0], _mm512_unpacklo_epi16(low01, low23), x);
    sums[1] = _mm512_dpbusd_epi32(sums[1], _mm512_unpackhi_epi16(low01, low23), x);
    sums[2] = _mm512_dpbusd_epi32(sums[2], _mm512_unpacklo_epi16(high01, high23), x);
    sums[3] = _mm512_dpbusd_epi32(sums[3], _mm512_unpackhi_epi16(high01, high23), x);
}

/// Loads a band's bytes in a column as two halves of 64 rows, without sign.
template <TensorType type>
COTERIE_AVX512_INLINE void loadHalves(const std::byte* p, __m512i& first, __m512i& second) {
    if constexpr (type == TensorType::Q4_0) {
        const __m512i nibble = _mm512_set1_epi8(15), both = bytes64(p);
        const __m512i shifted = _mm512_srli_epi16(both, 4);
        first = _mm512_and_si512(both, nibble);
        second = _mm512_and_si512(shifted, nibble);
    } else {
        const __m512i top = _mm512_set1_epi8(-128);
        first = _mm512_xor_si512(bytes64(p), top);
        second = _mm512_xor_si512(bytes64(p + kLineBytes), top);
    }
}

template <TensorType type>
COTERIE_AVX512 void addBlock(const SparseBlock& block, int64_t rows, float* out) {
    constexpr int32_t zero = type == TensorType::Q4_0 ? kQ4Zero : 128; // the byte that stands for 0
    const __m512 scale = _mm512_set1_ps(block.scale);
    const std::byte* columns = block.place.columns;
    const std::byte* scales = block.place.scales;
    for (int64_t r = 0; r < rows; r += kBandRows, columns += kBandBytes<type>) {
        __m512i sums[8];
        for (__m512i& sum : sums) sum = _mm512_set1_epi32(-zero * block.active.sum);
        for (int i = 0; i < block.active.count; i += 4) {
            __m512i first[4], second[4];
            for (int k = 0; k < 4; ++k)
                loadHalves<type>(columns + block.active.columns[i + k] * block.place.columnBytes, first[k], second[k]);
            const __m512i x = _mm512_set1_epi32(loadAs<int32_t>(block.active.factors + i));
            addFour(first, x, sums);
            addFour(second, x, sums + 4);
        }
        for (int k = 0; k < 8; ++k) {
            float* to = out + r + k * kWideLanes;
            const std::byte* halves = scales + (r + k * kWideLanes) * kScaleBytes;
            const __m512 factor =
                _mm512_mul_ps(scale, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves))));
            _mm512_storeu_ps(to, _mm512_fmadd_ps(factor, _mm512_cvtepi32_ps(sums[k]), _mm512_loadu_ps(to)));
        }
    }
}

} // namespace

uint64_t avx512MultiplySparse(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                              float* out) {
    return multiplySparseBy<addBlock<TensorType::Q4_0>, addBlock<TensorType::Q8_0>>(w, rowBegin, rowEnd, prepared, out);
}

} // namespace coterie::engine
