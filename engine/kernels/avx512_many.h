// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and many tokens with AVX-512 and VNNI, in panels of 16 rows. avx512_vnni.cpp gives the
// order of sums. Inside kernels/ only, for files compiled like it.
#pragma once

#include "kernels/avx512_unpack.h"
#include "kernels/many_tokens.h"

namespace coterie::engine {

/// Keeps GCC from loading a value again at each use.
COTERIE_AVX512_INLINE __m512i inRegister(__m512i v) {
#if defined(__GNUC__)
    __asm__("" : "+v"(v));
#endif
    return v;
}

/// The sums so far of the first `rows` rows.
COTERIE_AVX512_INLINE __m512 sumsOf16(const ManyArguments& a, const float* out, int64_t rows) {
    return a.first ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(firstOf16(rows), out);
}

/// Returns sum plus a step's products of 16 rows and a token.
template <bool minimum>
COTERIE_AVX512_INLINE __m512 foldStep(__m512i products, __m512 scale, float xScale, __m512 minima, int32_t term,
                                      __m512 sum) {
    const __m512 product = _mm512_cvtepi32_ps(products);
    sum = _mm512_fmadd_ps(_mm512_mul_ps(scale, _mm512_set1_ps(xScale)), product, sum);
    if constexpr (minimum) sum = _mm512_fnmadd_ps(minima, _mm512_castsi512_ps(_mm512_set1_epi32(term)), sum);
    return sum;
}

template <int panels, int tokens, bool minimum, int steps>
COTERIE_AVX512 void manyTile(const ManyArguments& a) {
    constexpr int width = kQuantRegisters / steps;
    __m512 sums[panels][tokens];
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t) sums[p][t] = sumsOf16(a, a.out + t * a.outStride + p * kPanelRows, a.rows[p]);
    const std::byte* x = a.x;
    for (int64_t s = 0; s < a.blocks * steps; ++s, x += 4 * width) {
        __m512i products[panels][tokens];
        for (int t = 0; t < tokens; ++t) {
            const __m512i term = minimum ? _mm512_setzero_si512() : _mm512_set1_epi32(a.terms[t * a.termStride + s]);
            for (int p = 0; p < panels; ++p) products[p][t] = term;
        }
        for (int i = 0; i < width; ++i) {
            __m512i q[panels];
            for (int p = 0; p < panels; ++p) q[p] = inRegister(bytes64(a.quants[p] + (s * width + i) * 64));
            for (int t = 0; t < tokens; ++t) {
                const __m512i four = everywhere(x + static_cast<size_t>(t) * a.tokenStride + 4 * i);
                for (int p = 0; p < panels; ++p) products[p][t] = _mm512_dpbusd_epi32(products[p][t], q[p], four);
            }
        }
        __m512 scales[panels], minima[panels] = {};
        for (int p = 0; p < panels; ++p) {
            scales[p] = _mm512_loadu_ps(a.scales[p] + s * kPanelRows);
            if constexpr (minimum) minima[p] = _mm512_loadu_ps(a.minima[p] + s * kPanelRows);
        }
        for (int t = 0; t < tokens; ++t)
            for (int p = 0; p < panels; ++p)
                sums[p][t] = foldStep<minimum>(products[p][t], scales[p], a.xScale(t, s / steps), minima[p],
                                               a.terms[t * a.termStride + s], sums[p][t]);
    }
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t)
            _mm512_mask_storeu_ps(a.out + t * a.outStride + p * kPanelRows, firstOf16(a.rows[p]), sums[p][t]);
}

template <bool minimum, int steps>
struct ManyTiles {
    static constexpr int kMostTokens = 6; ///< 2 x 6 sums and as many products leave registers for weights
    using Function = void (*)(const ManyArguments&);
    static constexpr Function kOf[kMostPanels][kMostTokens] = {
        {manyTile<1, 1, minimum, steps>, manyTile<1, 2, minimum, steps>, manyTile<1, 3, minimum, steps>,
         manyTile<1, 4, minimum, steps>, manyTile<1, 5, minimum, steps>, manyTile<1, 6, minimum, steps>},
        {manyTile<2, 1, minimum, steps>, manyTile<2, 2, minimum, steps>, manyTile<2, 3, minimum, steps>,
         manyTile<2, 4, minimum, steps>, manyTile<2, 5, minimum, steps>, manyTile<2, 6, minimum, steps>}};
};

template <TensorType type>
COTERIE_AVX512 void unpackRows(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                               UnpackedPanel<kPanelRows, stepsOf32(type)>& out) {
    constexpr int subBlocks = isSuperFormat(type) ? kSubBlocks : 1;
    const PanelRows rows(a.w, a.rowStride, count);
    PanelRoom room = {reinterpret_cast<__m512i*>(out.quants), reinterpret_cast<__m512*>(out.scales),
                      reinterpret_cast<__m512*>(out.minima)};
    for (int64_t b = begin; b < end; b += subBlocks) {
        unpackPanel<type>(rows, b / subBlocks * kBlockBytes<type>, room);
        room.quants += subBlocks * kQuantRegisters;
        room.scales += subBlocks * stepsOf32(type);
        room.minima += subBlocks * stepsOf32(type);
    }
}

/// For many_tokens.h.
template <TensorType format>
struct PanelsOf16 {
    static constexpr TensorType kType = format;
    using Tiles = ManyTiles<hasMinimum(kType), stepsOf32(kType)>;
    static constexpr int kRows = kPanelRows, kPanels = kMostPanels, kTokens = Tiles::kMostTokens, kWholeTokens = 0;

    static void terms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out) {
        tokenTerms<hasMinimum(kType), stepsOf32(kType)>(prepared, columns, begin, end, quantOffset(kType), out);
    }
    static void unpack(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                       UnpackedPanel<kRows, stepsOf32(kType)>& out) {
        unpackRows<kType>(a, count, begin, end, out);
    }
    static void tile(int panelCount, int tokenCount, const ManyArguments& a) {
        Tiles::kOf[panelCount - 1][tokenCount - 1](a);
    }
};

} // namespace coterie::engine
