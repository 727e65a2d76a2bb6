// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices, for AVX2 with and without VNNI: avx2_quants.cpp and avx2_vnni.cpp give the step that
// differs, a struct `Dot` as the first has it, and define COTERIE_DOT as the attribute of its functions. Nothing here
// is seen outside of these two files, as each compiles it for an instruction set of its own.
//
//   Bytes of weights are q plus an offset, never negative; or q itself where that would be more than Dot can take.
//   A panel: 8 rows, a row a lane of 32 bits. 32 columns are eight registers q[8], of which each holds four columns:
//                row 0        row 1            row 7
//       q[i] = | 4i .. 4i+3 | 4i .. 4i+3 | .. | 4i .. 4i+3 |
//
// A product of a row and a token is summed step after step (32 columns, or 16 in formats with scales for so few), each
// step's integers exactly:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(-minimum, xScale * float(1 . x), sum)       in formats with a minimum
// Whatever the number of rows and tokens, a product comes to the same bits.
#pragma once

#include "kernels/avx2_unpack.h"
#include "kernels/many_tokens.h"

#if !defined(COTERIE_DOT) || !defined(COTERIE_DOT_INLINE)
#error "define COTERIE_DOT and COTERIE_DOT_INLINE first"
#endif

namespace coterie::engine {
namespace {

// --- Weights

/// What products and sums need to know of a format: many share one.
struct StepKind {
    bool minimum;
    bool signedBytes;
    int steps;   ///< of 32 columns
    int offset;  ///< what bytes are more than q
    int addable; ///< registers of a step of which pairs of products may be added in 16 bits; 0 where none are
};
constexpr int widthOf(const StepKind& kind) { return quantRegisters / kind.steps; }

template <typename Dot, TensorType type>
constexpr StepKind kindOf = Dot::kind(type);

/// The bytes of 32 weights, in order.
template <typename Dot, TensorType type>
COTERIE_AVX2_INLINE __m256i bytesOf(const uint8_t* block, int part) {
    __m256i q;
    if constexpr (isSuperFormat(type))
        q = partQuants<type>(block, part);
    else
        q = blockQuants<type>(block);
    constexpr int offset = kindOf<Dot, type>.offset;
    return offset == 0 ? q : _mm256_add_epi8(q, _mm256_set1_epi8(static_cast<char>(offset)));
}

/// Eight blocks: of as many rows, or of one.
struct EightBlocks {
    const uint8_t* at[8];
};

/// The blocks `offset` bytes behind the beginnings of `count` rows, the last one repeated.
COTERIE_AVX2_INLINE EightBlocks blocksOfRows(const TileArguments& a, int64_t count, int64_t offset) {
    EightBlocks blocks;
    for (int64_t r = 0; r < 8; ++r)
        blocks.at[r] = reinterpret_cast<const uint8_t*>(a.w) +
                       static_cast<size_t>(r < count ? r : count - 1) * a.rowStride + offset;
    return blocks;
}

COTERIE_AVX2_INLINE __m256 halvesAt(const EightBlocks& blocks, int64_t offset) {
    const auto half = [&](int i) { return loadAs<int16_t>(blocks.at[i] + offset); };
    return _mm256_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// Factors of eight blocks as they stand there, or scales and minima of the eight blocks' steps.
struct BlockFactors {
    __m256 d, dMinimum;
};
struct StepFactors {
    __m256 scales[2], minima[2];
};

template <TensorType type>
COTERIE_AVX2_INLINE BlockFactors blockFactors(const EightBlocks& blocks) {
    BlockFactors f;
    if constexpr (type == TensorType::MXFP4) {
        const auto factor = [&](int i) { return mxFactor(blocks.at[i][0]); };
        f.d = _mm256_setr_ps(factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7));
    } else {
        f.d = halvesAt(blocks, factorOffset<type>);
    }
    if constexpr (hasMinimum(type)) f.dMinimum = halvesAt(blocks, minimumOffset<type>);
    return f;
}

/// Of the blocks' parts `part`, `part + partStep` ...
template <TensorType type>
COTERIE_AVX2_INLINE StepFactors stepFactors(const EightBlocks& blocks, const BlockFactors& f, int part, int partStep) {
    StepFactors out;
    if constexpr (!isSuperFormat(type)) {
        out.scales[0] = f.d;
        if constexpr (hasMinimum(type)) out.minima[0] = _mm256_xor_ps(f.dMinimum, _mm256_set1_ps(-0.0f)); // it is added
        return out;
    }
    alignas(32) int32_t scales[2][8], minima[2][8];
    for (int i = 0; i < 8; ++i) {
        const Factors factors = quantFactors<type>(blocks.at[i], part + i * partStep);
        for (int s = 0; s < stepsOf32(type); ++s) {
            scales[s][i] = factors.scale[s];
            minima[s][i] = factors.minimum[s];
        }
    }
    for (int s = 0; s < stepsOf32(type); ++s) {
        out.scales[s] = _mm256_mul_ps(f.d, _mm256_cvtepi32_ps(loadBytes32(scales[s])));
        if constexpr (hasMinimum(type))
            out.minima[s] = _mm256_mul_ps(f.dMinimum, _mm256_cvtepi32_ps(loadBytes32(minima[s])));
    }
    return out;
}

// --- Numbers of eight registers

/// Each register's sums of its lower and its upper half, in order.
struct Halves {
    __m256i lower, upper;
};

COTERIE_AVX2_INLINE __m256i sumsOfFours(const __m256i* v) {
    const __m256i a = _mm256_add_epi32(_mm256_unpacklo_epi32(v[0], v[1]), _mm256_unpackhi_epi32(v[0], v[1]));
    const __m256i b = _mm256_add_epi32(_mm256_unpacklo_epi32(v[2], v[3]), _mm256_unpackhi_epi32(v[2], v[3]));
    return _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
}

COTERIE_AVX2_INLINE Halves sumsOfHalves(const __m256i (&v)[8]) {
    const __m256i first = sumsOfFours(v), second = sumsOfFours(v + 4);
    return {_mm256_permute2x128_si256(first, second, 0x20), _mm256_permute2x128_si256(first, second, 0x31)};
}

/// Of step s of 32 columns.
template <int steps>
COTERIE_AVX2_INLINE __m256i sumsOfStep(const Halves& sums, int s) {
    if constexpr (steps == 1) return _mm256_add_epi32(sums.lower, sums.upper);
    return s == 0 ? sums.lower : sums.upper;
}

/// Rows become columns, in numbers of 32 bits.
COTERIE_AVX2_INLINE void transposeEight(__m256i (&v)[8]) {
    __m256i fours[8]; // columns j and j + 4 in the halves of [j], of rows 0 to 3; [j + 4]: of rows 4 to 7
    for (int h = 0; h < 8; h += 4) {
        const __m256i low01 = _mm256_unpacklo_epi32(v[h], v[h + 1]), high01 = _mm256_unpackhi_epi32(v[h], v[h + 1]);
        const __m256i low23 = _mm256_unpacklo_epi32(v[h + 2], v[h + 3]),
                      high23 = _mm256_unpackhi_epi32(v[h + 2], v[h + 3]);
        fours[h] = _mm256_unpacklo_epi64(low01, low23);
        fours[h + 1] = _mm256_unpackhi_epi64(low01, low23);
        fours[h + 2] = _mm256_unpacklo_epi64(high01, high23);
        fours[h + 3] = _mm256_unpackhi_epi64(high01, high23);
    }
    for (int j = 0; j < 4; ++j) {
        v[j] = _mm256_permute2x128_si256(fours[j], fours[j + 4], 0x20);
        v[j + 4] = _mm256_permute2x128_si256(fours[j], fours[j + 4], 0x31);
    }
}

// --- One token

/// xScale * (1 . x) of the steps of 32 columns, in every lane.
template <typename Dot, int steps>
COTERIE_DOT_INLINE void minimumTerms(__m256i x, __m256 xScale, __m256 (&terms)[2]) {
    __m256i sums = Dot::products(_mm256_set1_epi8(1), x); // a half of 16 columns in each half of the register
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4e));
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xb1));
    const Halves halves = {_mm256_permute2x128_si256(sums, sums, 0x00), _mm256_permute2x128_si256(sums, sums, 0x11)};
    for (int s = 0; s < steps; ++s) terms[s] = _mm256_mul_ps(xScale, _mm256_cvtepi32_ps(sumsOfStep<steps>(halves, s)));
}

/// `count` rows, at most 8.
template <typename Dot, TensorType type>
COTERIE_DOT void panelByOne(const TileArguments& a, int64_t count) {
    constexpr int parts = isSuperFormat(type) ? partsOfSuper : 1;
    const float* xScale = reinterpret_cast<const float*>(a.x);
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    EightBlocks blocks = blocksOfRows(a, count, 0);
    __m256 sum = _mm256_setzero_ps();
    for (int64_t step = 0; step < a.columns / (parts * blockValues); ++step) {
        prefetchNextTile<8, quantBytes<type>>(a, step);
        const BlockFactors factors = blockFactors<type>(blocks);
        for (int p = 0; p < parts; ++p, x += blockValues, ++xScale) {
            const __m256i v = loadBytes32(x), offsets = Dot::template offsets<kindOf<Dot, type>>(v);
            __m256i products[8];
            for (int r = 0; r < 8; ++r)
                products[r] =
                    Dot::template rowProducts<kindOf<Dot, type>>(bytesOf<Dot, type>(blocks.at[r], p), v, offsets);
            const Halves sums = sumsOfHalves(products);
            const StepFactors f = stepFactors<type>(blocks, factors, p, 0);
            const __m256 scale = _mm256_set1_ps(*xScale);
            __m256 terms[2];
            if constexpr (hasMinimum(type)) minimumTerms<Dot, stepsOf32(type)>(v, scale, terms);
            for (int s = 0; s < stepsOf32(type); ++s) {
                const __m256 product = _mm256_cvtepi32_ps(sumsOfStep<stepsOf32(type)>(sums, s));
                sum = _mm256_fmadd_ps(_mm256_mul_ps(f.scales[s], scale), product, sum);
                if constexpr (hasMinimum(type)) sum = _mm256_fnmadd_ps(f.minima[s], terms[s], sum);
            }
        }
        for (const uint8_t*& at : blocks.at) at += quantBytes<type>;
    }
    storeFirst(a.out, count, sum);
}

/// A row's blocks from b on, or the parts of its super-block; past the row's last block that one again.
template <TensorType type>
COTERIE_AVX2_INLINE EightBlocks blocksOfRow(const std::byte* row, int64_t b, int64_t count) {
    EightBlocks blocks;
    for (int64_t i = 0; i < 8; ++i)
        blocks.at[i] = reinterpret_cast<const uint8_t*>(
            quantBlock<type>(row, b + (isSuperFormat(type) || i < count ? i : count - 1)));
    return blocks;
}

/// Eight blocks' numbers, to be added one after the other.
struct EightTerms {
    float scales[2][8], products[2][8], minima[2][8], sumsOfX[2][8];
};

/// x: the token's bytes of the blocks, of which there are `count`.
template <typename Dot, TensorType type>
COTERIE_DOT_INLINE void rowTerms(const EightBlocks& blocks, const std::byte* x, int64_t count, __m256 xScale,
                                 EightTerms& out) {
    __m256i products[8], values[8];
    for (int i = 0; i < 8; ++i) {
        const __m256i v = loadBytes32(x + (i < count ? i : count - 1) * blockValues);
        products[i] = Dot::template rowProducts<kindOf<Dot, type>>(bytesOf<Dot, type>(blocks.at[i], i), v,
                                                                   Dot::template offsets<kindOf<Dot, type>>(v));
        if constexpr (hasMinimum(type)) values[i] = Dot::products(_mm256_set1_epi8(1), v);
    }
    const StepFactors f = stepFactors<type>(blocks, blockFactors<type>(blocks), 0, 1);
    const Halves sums = sumsOfHalves(products);
    Halves sumsOfX;
    if constexpr (hasMinimum(type)) sumsOfX = sumsOfHalves(values);
    for (int s = 0; s < stepsOf32(type); ++s) {
        _mm256_storeu_ps(out.scales[s], _mm256_mul_ps(f.scales[s], xScale));
        _mm256_storeu_ps(out.products[s], _mm256_cvtepi32_ps(sumsOfStep<stepsOf32(type)>(sums, s)));
        if constexpr (hasMinimum(type)) {
            _mm256_storeu_ps(out.minima[s], f.minima[s]);
            _mm256_storeu_ps(out.sumsOfX[s],
                             _mm256_mul_ps(xScale, _mm256_cvtepi32_ps(sumsOfStep<stepsOf32(type)>(sumsOfX, s))));
        }
    }
}

/// A row alone lies anywhere: it is fetched as a whole before its first block is awaited.
COTERIE_AVX2_INLINE void fetchRow(const TileArguments& a) {
    constexpr int64_t line = 64, most = 4096; // bytes; the processor follows what is longer
    const int64_t bytes = static_cast<int64_t>(a.rowStride) < most ? static_cast<int64_t>(a.rowStride) : most;
    for (int64_t i = 0; i < bytes; i += line) _mm_prefetch(reinterpret_cast<const char*>(a.w) + i, _MM_HINT_T0);
}

template <typename Dot, TensorType type>
COTERIE_DOT void rowByOne(const TileArguments& a) {
    fetchRow(a);
    const float* xScales = reinterpret_cast<const float*>(a.x); // ends in zeros, so that eight may be read
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    const int64_t blocks = a.columns / blockValues;
    __m128 sum = _mm_setzero_ps();
    for (int64_t b = 0; b < blocks; b += 8) {
        const int64_t count = blocks - b < 8 ? blocks - b : 8;
        EightTerms terms;
        rowTerms<Dot, type>(blocksOfRow<type>(a.w, b, count), x + b * blockValues, count, _mm256_loadu_ps(xScales + b),
                            terms);
        for (int64_t i = 0; i < count; ++i)
            for (int s = 0; s < stepsOf32(type); ++s) {
                sum = _mm_fmadd_ss(_mm_load_ss(&terms.scales[s][i]), _mm_load_ss(&terms.products[s][i]), sum);
                if constexpr (hasMinimum(type))
                    sum = _mm_fnmadd_ss(_mm_load_ss(&terms.minima[s][i]), _mm_load_ss(&terms.sumsOfX[s][i]), sum);
            }
    }
    *a.out = _mm_cvtss_f32(sum);
}

/// A few rows at the end, or alone, would leave a panel's lanes idle.
template <typename Dot, TensorType type>
void multiplyOne(const TileArguments& a, int64_t rows) {
    constexpr int64_t few = 4;
    int64_t r = 0;
    for (; rows - r >= few; r += 8) panelByOne<Dot, type>(a.fromRow(r), rows - r < 8 ? rows - r : 8);
    for (; r < rows; ++r) rowByOne<Dot, type>(a.fromRow(r));
}

// --- Many tokens

/// For each step of blocks [begin, end) of x: -offset * (1 . x), which takes back what the bytes are more than q;
/// or xScale * (1 . x) as bits of a float, in formats with a minimum. Writes eight at a time.
template <typename Dot, StepKind kind>
COTERIE_DOT void tokenTerms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out) {
    if constexpr (!kind.minimum && kind.offset == 0) return;
    const float* scales = reinterpret_cast<const float*>(prepared);
    const std::byte* x = prepared + preparedQuantsOffset(columns);
    for (int64_t b = begin; b < end; b += 8) { // `begin` is a multiple of 8: prepared vectors end in zeros
        __m256i products[8];
        for (int i = 0; i < 8; ++i)
            products[i] = Dot::products(_mm256_set1_epi8(1),
                                        b + i < end ? loadBytes32(x + (b + i) * blockValues) : _mm256_setzero_si256());
        const Halves halves = sumsOfHalves(products);
        const __m256 xScale = _mm256_loadu_ps(scales + b);
        __m256i terms[2];
        for (int s = 0; s < kind.steps; ++s) {
            const __m256i sums = sumsOfStep<kind.steps>(halves, s);
            terms[s] = kind.minimum ? _mm256_castps_si256(_mm256_mul_ps(xScale, _mm256_cvtepi32_ps(sums)))
                                    : _mm256_mullo_epi32(sums, _mm256_set1_epi32(-kind.offset));
        }
        if constexpr (kind.steps == 2) { // a block's two steps side by side
            const __m256i low = _mm256_unpacklo_epi32(terms[0], terms[1]),
                          high = _mm256_unpackhi_epi32(terms[0], terms[1]);
            terms[0] = _mm256_permute2x128_si256(low, high, 0x20);
            terms[1] = _mm256_permute2x128_si256(low, high, 0x31);
        }
        for (int s = 0; s < kind.steps; ++s, out += lanes)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), terms[s]);
    }
}

template <typename Dot, TensorType type>
COTERIE_DOT void unpackRows(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                            UnpackedPanel<8, stepsOf32(type)>& out) {
    constexpr int parts = isSuperFormat(type) ? partsOfSuper : 1;
    std::byte* quants = out.quants;
    float *scales = out.scales, *minima = out.minima;
    for (int64_t b = begin; b < end; b += parts) {
        const EightBlocks blocks = blocksOfRows(a, count, b / parts * quantBytes<type>);
        const BlockFactors factors = blockFactors<type>(blocks);
        for (int p = 0; p < parts; ++p) {
            __m256i q[8];
            for (int r = 0; r < 8; ++r) q[r] = bytesOf<Dot, type>(blocks.at[r], p);
            transposeEight(q);
            for (int i = 0; i < 8; ++i, quants += 32) _mm256_store_si256(reinterpret_cast<__m256i*>(quants), q[i]);
            const StepFactors f = stepFactors<type>(blocks, factors, p, 0);
            for (int s = 0; s < stepsOf32(type); ++s, scales += lanes, minima += lanes) {
                _mm256_store_ps(scales, f.scales[s]);
                if constexpr (hasMinimum(type)) _mm256_store_ps(minima, f.minima[s]);
            }
        }
    }
}

template <typename Dot, StepKind kind, int panels, int tokens>
COTERIE_DOT void manyTile(const ManyArguments& a) {
    __m256 sums[panels][tokens];
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t)
            sums[p][t] = a.first ? _mm256_setzero_ps() : loadFirst(a.out + t * a.outStride + p * lanes, a.rows[p]);
    for (int64_t s = 0; s < a.blocks * kind.steps; ++s) {
        const std::byte* quants[panels];
        for (int p = 0; p < panels; ++p) quants[p] = a.quants[p] + s * widthOf(kind) * 32;
        __m256i products[panels][tokens];
        Dot::template stepProducts<kind>(quants, a.x + 4 * s * widthOf(kind), a.terms + s, a, products);
        for (int t = 0; t < tokens; ++t) {
            const __m256 xScale = _mm256_set1_ps(a.xScale(t, s / kind.steps));
            for (int p = 0; p < panels; ++p) {
                const __m256 scale = _mm256_mul_ps(_mm256_load_ps(a.scales[p] + s * lanes), xScale);
                sums[p][t] = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(products[p][t]), sums[p][t]);
                if constexpr (kind.minimum) {
                    const __m256i term = _mm256_set1_epi32(a.terms[t * a.termStride + s]);
                    sums[p][t] = _mm256_fnmadd_ps(_mm256_load_ps(a.minima[p] + s * lanes), _mm256_castsi256_ps(term),
                                                  sums[p][t]);
                }
            }
        }
    }
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t) storeFirst(a.out + t * a.outStride + p * lanes, a.rows[p], sums[p][t]);
}

/// Tiles of as many tokens as there may be; beyond them the last again.
template <typename Dot, StepKind kind, int panels>
struct TilesOfPanels {
    static constexpr int most = Dot::tokens(kind);
    static constexpr int atMost(int tokens) { return tokens < most ? tokens : most; }
    static constexpr void (*of[])(const ManyArguments&) = {
        manyTile<Dot, kind, panels, 1>,         manyTile<Dot, kind, panels, atMost(2)>,
        manyTile<Dot, kind, panels, atMost(3)>, manyTile<Dot, kind, panels, atMost(4)>,
        manyTile<Dot, kind, panels, atMost(5)>, manyTile<Dot, kind, panels, atMost(6)>};
    static_assert(most <= 6);
};

/// For many_tokens.h.
template <typename Dot, TensorType format>
struct PanelsOf8 {
    static constexpr TensorType type = format;
    static constexpr int rows = 8, panels = Dot::panels, wholeTokens = 0;
    static constexpr StepKind kind = kindOf<Dot, type>;
    static constexpr int tokens = Dot::tokens(kind);

    static void terms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out) {
        tokenTerms<Dot, kind>(prepared, columns, begin, end, out);
    }
    static void unpack(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                       UnpackedPanel<rows, stepsOf32(type)>& out) {
        unpackRows<Dot, type>(a, count, begin, end, out);
    }
    static void tile(int panelCount, int tokenCount, const ManyArguments& a) {
        if (panelCount == panels)
            TilesOfPanels<Dot, kind, panels>::of[tokenCount - 1](a);
        else
            TilesOfPanels<Dot, kind, 1>::of[tokenCount - 1](a);
    }
};

template <typename Dot>
void multiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    withQuantisedFormat(type, [&]<TensorType known>() {
        if (batch == 1)
            multiplyOne<Dot, known>(a, rows);
        else
            multiplyMany<PanelsOf8<Dot, known>>(a, rows, batch);
    });
}

} // namespace
} // namespace coterie::engine
