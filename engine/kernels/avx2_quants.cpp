// SPDX-License-Identifier: Apache-2.0
// Matrix products with AVX2 for the quantised formats beyond Q8_0 and Q4_0 (which have shorter ways of their own in
// avx2.cpp). Layouts are drawn in quants.h.
//
// Each 32 weights become signed bytes; their products with x are multiplied by the whole-number scales while still
// integers, and by the float factors as eight lanes:
//     sums += d * xScale * lanes(scale * (q . x)) - dMinimum * xScale * lanes(minimum * (1 . x))
#include "kernels/avx2_pieces.h"
#include "kernels/avx2_unpack.h"

namespace coterie::engine {
namespace {

/// One number for each 16 values, in 16 bits: the first fills the lower half of the register.
COTERIE_AVX2_INLINE __m256i perSixteen(const int32_t (&numbers)[2]) {
    return _mm256_set_m128i(_mm_set1_epi16(static_cast<int16_t>(numbers[1])),
                            _mm_set1_epi16(static_cast<int16_t>(numbers[0])));
}

struct VectorWeights {
    __m256i q, scales, minima;
    __m256 d, dMinimum;
};

template <TensorType type>
COTERIE_AVX2_INLINE VectorWeights loadWeights(const std::byte* row, int64_t b) {
    const std::byte* bytes = quantBlock<type>(row, b);
    const uint8_t* block = reinterpret_cast<const uint8_t*>(bytes);
    const int p = isSuperFormat(type) ? static_cast<int>(b % partsOfSuper) : 0;
    const Factors factors = quantFactors<type>(block, p);
    VectorWeights w;
    if constexpr (isSuperFormat(type))
        w.q = partQuants<type>(block, p);
    else
        w.q = blockQuants<type>(block);
    w.scales = perSixteen(factors.scale);
    if constexpr (type == TensorType::MXFP4)
        w.d = _mm256_set1_ps(mxFactor(block[0]));
    else
        w.d = blockScale(bytes + factorOffset<type>);
    if constexpr (hasMinimum(type)) {
        w.minima = perSixteen(factors.minimum);
        w.dMinimum = blockScale(bytes + minimumOffset<type>);
    }
    return w;
}

/// sums + d * xScale * (q . x), in lanes. Two products are at most 2 * 127 * 127 and fit 16 bits.
template <TensorType type>
COTERIE_AVX2_INLINE __m256 addProducts(const VectorWeights& w, __m256i x, __m256 xScale, __m256 sums) {
    const __m256i pairs = isUnsigned(type) ? _mm256_maddubs_epi16(w.q, x)
                                           : _mm256_maddubs_epi16(_mm256_abs_epi8(w.q), _mm256_sign_epi8(x, w.q));
    const __m256 products = _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, w.scales));
    sums = _mm256_fmadd_ps(_mm256_mul_ps(w.d, xScale), products, sums);
    if constexpr (hasMinimum(type)) {
        const __m256i sumsOfX = _mm256_maddubs_epi16(_mm256_set1_epi8(1), x);
        const __m256 minima = _mm256_cvtepi32_ps(_mm256_madd_epi16(sumsOfX, w.minima));
        sums = _mm256_fnmadd_ps(_mm256_mul_ps(w.dMinimum, xScale), minima, sums);
    }
    return sums;
}

template <TensorType type, int rows, int tokens, bool prefetch>
COTERIE_AVX2 void quantTile(const TileArguments& a) {
    constexpr int64_t parts = isSuperFormat(type) ? partsOfSuper : 1;
    const int64_t quants = preparedQuantsOffset(a.columns);
    __m256 sums[rows][tokens];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t) sums[r][t] = _mm256_setzero_ps();
    for (int64_t b = 0; b < a.columns / blockValues; ++b) {
        if constexpr (prefetch)
            if (b % parts == 0) prefetchNextTile<rows, quantBytes<type>>(a, b / parts);
        VectorWeights w[rows];
        for (int r = 0; r < rows; ++r) w[r] = loadWeights<type>(a.w + r * a.rowStride, b);
        for (int t = 0; t < tokens; ++t) {
            const std::byte* token = a.x + t * a.tokenStride;
            const __m256i x = loadBytes32(token + quants + b * blockValues);
            const __m256 xScale = _mm256_set1_ps(reinterpret_cast<const float*>(token)[b]);
            for (int r = 0; r < rows; ++r) sums[r][t] = addProducts<type>(w[r], x, xScale, sums[r][t]);
        }
    }
    storeSums(sums, a);
}

template <TensorType type>
constexpr Tiles quantTiles = {quantTile<type, rowGroup, 1, true>, quantTile<type, 1, 1, false>,
                              quantTile<type, tileRows, tokenGroup, true>, quantTile<type, 1, tokenGroup, false>};

} // namespace

const Tiles& avx2QuantTiles(TensorType type) {
    switch (type) {
    case TensorType::Q4_1:
        return quantTiles<TensorType::Q4_1>;
    case TensorType::Q5_0:
        return quantTiles<TensorType::Q5_0>;
    case TensorType::Q5_1:
        return quantTiles<TensorType::Q5_1>;
    case TensorType::Q2_K:
        return quantTiles<TensorType::Q2_K>;
    case TensorType::Q3_K:
        return quantTiles<TensorType::Q3_K>;
    case TensorType::Q4_K:
        return quantTiles<TensorType::Q4_K>;
    case TensorType::Q5_K:
        return quantTiles<TensorType::Q5_K>;
    case TensorType::Q6_K:
        return quantTiles<TensorType::Q6_K>;
    case TensorType::IQ4_NL:
        return quantTiles<TensorType::IQ4_NL>;
    case TensorType::IQ4_XS:
        return quantTiles<TensorType::IQ4_XS>;
    default:
        assert(type == TensorType::MXFP4);
        return quantTiles<TensorType::MXFP4>;
    }
}

} // namespace coterie::engine
