// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and 16 tokens at a time, for processors with AMX-INT8. Tile registers multiply one
// step (32 columns, or 16) of 16 tokens and 16 rows; AVX-512 folds the products into the sums, in the order given in
// avx512_vnni.cpp. Panels, and tiles of fewer tokens, are those of avx512_many.h.
//
//   tokens    x: int8 [16 tokens, 4 * width]      as prepared vectors hold them
//   weights   q: byte [width, 16 rows, 4]         as panels hold them, never negative
//   sums      int32 [16 tokens, 16 rows]
//
// A struct `Registers`, as in amx.cpp, does the work of the tile registers. Tests have another one, so that all other
// code runs on machines without AMX. A file that includes this one defines COTERIE_TILES as the attribute of functions
// that use the registers.
#pragma once

#include "kernels/avx512_many.h"
#include "kernels/avx512_table.h"

#if !defined(COTERIE_TILES)
#error "define COTERIE_TILES first"
#endif

namespace coterie::engine {
namespace {

constexpr int kAmxTokens = 16;

/// Multiplies panel p of a tile with 16 tokens.
template <typename Registers, bool minimum, int steps>
COTERIE_TILES void panelBy16(const ManyArguments& a, int p) {
    constexpr int width = kQuantRegisters / steps;
    alignas(64) int32_t products[kAmxTokens][kPanelRows];
    __m512 sums[kAmxTokens];
    for (int t = 0; t < kAmxTokens; ++t) sums[t] = sumsOf16(a, a.out + t * a.outStride + p * kPanelRows, a.rows[p]);
    for (int64_t s = 0; s < a.blocks * steps; ++s) {
        Registers::zeroSums();
        Registers::loadTokens(a.x + 4 * width * s, a.tokenStride);
        Registers::loadWeights(a.quants[p] + 64 * width * s);
        Registers::multiply();
        Registers::storeSums(&products[0][0]);
        const __m512 scale = _mm512_loadu_ps(a.scales[p] + s * kPanelRows);
        const __m512 minima = minimum ? _mm512_loadu_ps(a.minima[p] + s * kPanelRows) : _mm512_setzero_ps();
        for (int t = 0; t < kAmxTokens; ++t) {
            const int32_t term = a.terms[t * a.termStride + s];
            __m512i product = bytes64(products[t]);
            if constexpr (!minimum) product = _mm512_add_epi32(product, _mm512_set1_epi32(term));
            sums[t] = foldStep<minimum>(product, scale, a.xScale(t, s / steps), minima, term, sums[t]);
        }
    }
    for (int t = 0; t < kAmxTokens; ++t)
        _mm512_mask_storeu_ps(a.out + t * a.outStride + p * kPanelRows, firstOf16(a.rows[p]), sums[t]);
}

/// For many_tokens.h.
template <typename Registers, TensorType format>
struct PanelsInTiles : PanelsOf16<format> {
    static constexpr int kWholeTokens = kAmxTokens;

    static void tile(int panelCount, int tokenCount, const ManyArguments& a) {
        if (tokenCount < kAmxTokens) return PanelsOf16<format>::tile(panelCount, tokenCount, a);
        for (int p = 0; p < panelCount; ++p) panelBy16<Registers, hasMinimum(format), stepsOf32(format)>(a, p);
    }
};

template <typename Registers>
void multiplyInTileRegisters(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    if (batch < kAmxTokens) return avx512MultiplyMany(type, a, rows, batch);
    withQuantisedFormat(type, [&]<TensorType known>() {
        Registers::configure(kQuantRegisters / stepsOf32(known));
        multiplyMany<PanelsInTiles<Registers, known>>(a, rows, batch);
        Registers::release();
    });
}

} // namespace
} // namespace coterie::engine
