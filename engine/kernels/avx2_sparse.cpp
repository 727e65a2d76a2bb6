// SPDX-License-Identifier: Apache-2.0
// Regrouped matrices times a vector with AVX2: the bytes of four columns are interleaved, and their products with the
// vector's four values are added in two steps.
#include "kernels/avx2_table.h"
#include "kernels/sparse.h"

namespace coterie::engine {
namespace {

constexpr int64_t kRegisterBytes = 32;

/// Adds four products to each sum. Bytes of Q4_0 have no sign; those of Q8_0 give theirs to the other factor.
template <TensorType type>
COTERIE_AVX2_INLINE __m256i addProducts(__m256i sums, __m256i v, __m256i x) {
    const __m256i pairs = type == TensorType::Q4_0 ? _mm256_maddubs_epi16(v, x)
                                                   : _mm256_maddubs_epi16(_mm256_abs_epi8(v), _mm256_sign_epi8(x, v));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

/// Adds the products of 32 rows and four columns. v: a column each.
template <TensorType type>
COTERIE_AVX2_INLINE void addFour(const __m256i (&v)[4], __m256i x, __m256i* sums) {
    const __m256i low01 = _mm256_unpacklo_epi8(v[0], v[1]), high01 = _mm256_unpackhi_epi8(v[0], v[1]);
    const __m256i low23 = _mm256_unpacklo_epi8(v[2], v[3]), high23 = _mm256_unpackhi_epi8(v[2], v[3]);
    sums[0] = addProducts<type>(sums[0], _mm256_unpacklo_epi16(low01, low23), x);
    sums[1] = addProducts<type>(sums[1], _mm256_unpackhi_epi16(low01, low23), x);
    sums[2] = addProducts<type>(sums[2], _mm256_unpacklo_epi16(high01, high23), x);
    sums[3] = addProducts<type>(sums[3], _mm256_unpackhi_epi16(high01, high23), x);
}

/// Loads 32 bytes of a column in a band: rows in the first and in the second half of the band.
template <TensorType type>
COTERIE_AVX2_INLINE void loadHalves(const std::byte* p, __m256i& first, __m256i& second) {
    const __m256i bytes = loadBytes32(p);
    if constexpr (type == TensorType::Q4_0) {
        const __m256i nibble = _mm256_set1_epi8(15), shifted = _mm256_srli_epi16(bytes, 4);
        first = _mm256_and_si256(bytes, nibble);
        second = _mm256_and_si256(shifted, nibble);
    } else {
        first = bytes;
        second = loadBytes32(p + 2 * kRegisterBytes);
    }
}

/// Computes out[0, 8) += scale * scales * sums.
COTERIE_AVX2_INLINE void addEight(__m256 scale, const std::byte* scales, __m256i sums, float* out) {
    const __m256 factor = _mm256_mul_ps(scale, _mm256_cvtph_ps(loadBytes16(scales)));
    _mm256_storeu_ps(out, _mm256_fmadd_ps(factor, _mm256_cvtepi32_ps(sums), _mm256_loadu_ps(out)));
}

template <TensorType type>
COTERIE_AVX2 void addBlock(const SparseBlock& block, int64_t rows, float* out) {
    const __m256 scale = _mm256_set1_ps(block.scale);
    const __m256i zero = _mm256_set1_epi32(type == TensorType::Q4_0 ? -kQ4Zero * block.active.sum : 0);
    for (int64_t r = 0; r < rows; r += kBandRows)
        for (int64_t half = 0; half < 2; ++half) {
            const std::byte* columns = block.place.columns + r / kBandRows * kBandBytes<type> + half * kRegisterBytes;
            __m256i sums[8];
            for (__m256i& sum : sums) sum = zero;
            for (int i = 0; i < block.active.count; i += 4) {
                __m256i first[4], second[4];
                for (int k = 0; k < 4; ++k)
                    loadHalves<type>(columns + block.active.columns[i + k] * block.place.columnBytes, first[k],
                                     second[k]);
                const __m256i x = _mm256_set1_epi32(loadAs<int32_t>(block.active.factors + i));
                addFour<type>(first, x, sums);
                addFour<type>(second, x, sums + 4);
            }
            for (int64_t k = 0; k < 8; ++k) {
                const int64_t row = r + 16 * k + kLanes * half;
                addEight(scale, block.place.scales + row * kScaleBytes, sums[k], out + row);
            }
        }
}

} // namespace

uint64_t avx2MultiplySparse(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float* out) {
    return multiplySparseBy<addBlock<TensorType::Q4_0>, addBlock<TensorType::Q8_0>>(w, rowBegin, rowEnd, prepared, out);
}

} // namespace coterie::engine
