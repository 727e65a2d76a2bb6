// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices, for AVX2 with and without VNNI. avx2_quants.cpp and avx2_vnni.cpp provide the step
// that differs, as a struct `Dot`, and define COTERIE_DOT as the attribute of its functions. Only these two files
// include this one, and each compiles it for its own instruction set.
//
//   Bytes of weights are q plus an offset, so never negative. If that is more than Dot can take, they are q itself.
//   A panel has 8 rows, one in each lane of 32 bits. Eight registers q[8] hold 32 columns, each of them four columns:
//                row 0        row 1            row 7
//       q[i] = | 4i .. 4i+3 | 4i .. 4i+3 | .. | 4i .. 4i+3 |
//
// A product of a row and a token is summed step by step. A step has 32 columns, or 16 in formats whose scales are of 16
// values. Within a step the integers are exact:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(-minimum, xScale * float(1 . x), sum)       in formats with a minimum
// The bits of a product do not depend on the number of rows and tokens.
#pragma once

#include "kernels/avx2_factors.h"
#include "kernels/avx2_unpack.h"
#include "kernels/many_tokens.h"

#if !defined(COTERIE_DOT) || !defined(COTERIE_DOT_INLINE)
#error "define COTERIE_DOT and COTERIE_DOT_INLINE first"
#endif

namespace coterie::engine {
namespace {

// --- Weights

/// Facts of a format that products and sums depend on. Many formats share them.
struct StepKind {
    bool minimum;
    bool signedBytes;
    int steps;   ///< steps of 32 columns
    int offset;  ///< how much larger a byte is than q
    int addable; ///< registers of a step whose pairs of products may be added in 16 bits; 0 if none may
};
constexpr int widthOf(const StepKind& kind) { return kQuantRegisters / kind.steps; }

template <typename Dot, TensorType type>
constexpr StepKind kKindOf = Dot::kind(type);

/// The bytes of 32 weights, in order.
template <typename Dot, TensorType type>
COTERIE_AVX2_INLINE __m256i bytesOf(const uint8_t* block, int sub) {
    __m256i q;
    if constexpr (isSuperFormat(type))
        q = subBlockQuants<type>(block, sub);
    else
        q = blockQuants<type>(block);
    constexpr int offset = kKindOf<Dot, type>.offset;
    return offset == 0 ? q : _mm256_add_epi8(q, _mm256_set1_epi8(static_cast<char>(offset)));
}

// --- Numbers of eight registers

/// For each register in order, the sum of its lower half and the sum of its upper half.
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

/// The sums of step s of 32 columns.
template <int steps>
COTERIE_AVX2_INLINE __m256i sumsOfStep(const Halves& sums, int s) {
    if constexpr (steps == 1) return _mm256_add_epi32(sums.lower, sums.upper);
    return s == 0 ? sums.lower : sums.upper;
}

/// Transposes 8 x 8 numbers of 32 bits.
COTERIE_AVX2_INLINE void transposeEight(__m256i (&v)[8]) {
    __m256i fours[8]; // [j]: columns j and j + 4 of rows 0 to 3 in its halves; [j + 4]: the same of rows 4 to 7
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

/// xScale * (1 . x) of each step of 32 columns, in every lane.
template <typename Dot, int steps>
COTERIE_DOT_INLINE void minimumTerms(__m256i x, __m256 xScale, __m256 (&terms)[2]) {
    __m256i sums = Dot::products(_mm256_set1_epi8(1), x); // each half of the register has a half of the columns
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4e));
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0xb1));
    const Halves halves = {_mm256_permute2x128_si256(sums, sums, 0x00), _mm256_permute2x128_si256(sums, sums, 0x11)};
    for (int s = 0; s < steps; ++s) terms[s] = _mm256_mul_ps(xScale, _mm256_cvtepi32_ps(sumsOfStep<steps>(halves, s)));
}

/// The blocks that lie `offset` bytes behind the beginnings of 8 rows from r on.
COTERIE_AVX2_INLINE EightBlocks blocksOfRows(const Rows& rows, int64_t r, int64_t offset) {
    EightBlocks blocks;
    for (int64_t i = 0; i < 8; ++i) blocks.at[i] = reinterpret_cast<const uint8_t*>(rows.at(r + i)) + offset;
    return blocks;
}

/// Fetches `count` rows, or their beginnings if the processor fetches the rest by itself.
COTERIE_INLINE void fetchRows(const Rows& rows, int64_t r, int64_t count) {
    constexpr int64_t most = 4096; // bytes
    for (int64_t i = r; i < r + count && i < rows.count; ++i)
        fetchBytes(rows.at(i), static_cast<int64_t>(rows.stride) < most ? static_cast<int64_t>(rows.stride) : most);
}

/// Fetches these bytes of the 8 rows from r on.
COTERIE_INLINE void fetchPanel(const Rows& rows, int64_t r, int64_t begin, int64_t bytes) {
    constexpr int64_t line = kLineBytes;
    if (rows.listed == nullptr) // behind the last row lies another matrix, or the prefetch is a wasted step
        return fetchBytes(rows.first + static_cast<size_t>(r) * rows.stride + 8 * begin, 8 * bytes);
    for (int64_t i = roundUp(begin, line); i < begin + bytes; i += line)
        for (int64_t k = 0; k < 8; ++k) fetchBytes(rows.at(r + k) + i, 1);
}

/// Returns sum plus the products of a block, or of a super-block, of each row.
template <typename Dot, TensorType type>
COTERIE_DOT_INLINE __m256 addStep(const EightBlocks& blocks, const std::byte* x, const float* xScale, __m256 sum) {
    constexpr int subBlocks = isSuperFormat(type) ? kSubBlocks : 1;
    const BlockFactors factors = blockFactors<type, 8>(blocks);
    for (int p = 0; p < subBlocks; ++p, x += kBlockValues, ++xScale) {
        const __m256i v = loadBytes32(x), offsets = Dot::template offsets<kKindOf<Dot, type>>(v);
        __m256i products[8];
        for (int i = 0; i < 8; ++i)
            products[i] =
                Dot::template rowProducts<kKindOf<Dot, type>>(bytesOf<Dot, type>(blocks.at[i], p), v, offsets);
        const Halves sums = sumsOfHalves(products);
        const StepFactors f = stepFactors<type, 8>(blocks, factors, p);
        const __m256 scale = _mm256_set1_ps(*xScale);
        __m256 terms[2];
        if constexpr (hasMinimum(type)) minimumTerms<Dot, stepsOf32(type)>(v, scale, terms);
        for (int s = 0; s < stepsOf32(type); ++s) {
            const __m256 product = _mm256_cvtepi32_ps(sumsOfStep<stepsOf32(type)>(sums, s));
            sum = _mm256_fmadd_ps(_mm256_mul_ps(f.scales[s], scale), product, sum);
            if constexpr (hasMinimum(type)) sum = _mm256_fnmadd_ps(f.minima[s], terms[s], sum);
        }
    }
    return sum;
}

/// Multiplies 8 rows from r on, or as many as there are. It fetches the rows of the next panel meanwhile, the bytes of
/// a few steps at a time: the addresses of all would not fit the registers beside those of the blocks.
template <typename Dot, TensorType type>
COTERIE_DOT void panelByOne(const TileArguments& a, const Rows& rows, int64_t r) {
    constexpr int64_t subBlocks = isSuperFormat(type) ? kSubBlocks : 1, together = isSuperFormat(type) ? 1 : 4;
    const float* xScale = reinterpret_cast<const float*>(a.x);
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    EightBlocks blocks = blocksOfRows(rows, r, 0);
    __m256 sum = _mm256_setzero_ps();
    const int64_t steps = a.columns / (subBlocks * kBlockValues);
    for (int64_t begin = 0; begin < steps; begin += together) {
        const int64_t count = steps - begin < together ? steps - begin : together;
        fetchPanel(rows, r + 8, begin * kBlockBytes<type>, count * kBlockBytes<type>);
        for (int64_t step = 0; step < count; ++step) {
            sum = addStep<Dot, type>(blocks, x, xScale, sum);
            x += subBlocks * kBlockValues;
            xScale += subBlocks;
            for (const uint8_t*& at : blocks.at) at += kBlockBytes<type>;
        }
    }
    storeFirst(a.out + r, rows.count - r, sum);
}

/// The blocks, or sub-blocks of super-blocks, from b on of a few rows from r on, in the order drawn in avx2_factors.h.
/// Only `count` blocks exist; the last one stands in for the others.
template <TensorType type, int few>
COTERIE_AVX2_INLINE EightBlocks blocksOfFew(const Rows& rows, int64_t r, int64_t b, int64_t count) {
    EightBlocks blocks;
    for (int64_t i = 0; i < 8; ++i) {
        const int64_t later = i / few < count ? i / few : count - 1;
        blocks.at[i] = reinterpret_cast<const uint8_t*>(
            quantBlock<type>(rows.at(r + i % few), isSuperFormat(type) ? b : b + later));
    }
    return blocks;
}

/// Numbers of eight blocks. Those of one row are added one after the other.
struct EightTerms {
    float scales[2][8], products[2][8], minima[2][8], sumsOfX[2][8];
};

/// Computes the terms of the blocks from b on; each row has `count` of them.
template <typename Dot, TensorType type, int few>
COTERIE_DOT_INLINE void fewTerms(const TileArguments& a, const EightBlocks& blocks, int64_t b, int64_t count,
                                 EightTerms& out) {
    const std::byte* x = a.x + preparedQuantsOffset(a.columns) + b * kBlockValues;
    const int sub = isSuperFormat(type) ? static_cast<int>(b % kSubBlocks) : 0;
    __m256i products[8], values[8];
    for (int i = 0; i < 8; ++i) {
        const __m256i v = loadBytes32(x + (i / few < count ? i / few : count - 1) * kBlockValues);
        products[i] = Dot::template rowProducts<kKindOf<Dot, type>>(bytesOf<Dot, type>(blocks.at[i], sub + i / few), v,
                                                                    Dot::template offsets<kKindOf<Dot, type>>(v));
        if constexpr (hasMinimum(type)) values[i] = Dot::products(_mm256_set1_epi8(1), v);
    }
    const StepFactors f = stepFactors<type, few>(blocks, blockFactors<type, few>(blocks), sub);
    const Halves sums = sumsOfHalves(products);
    Halves sumsOfX;
    if constexpr (hasMinimum(type)) sumsOfX = sumsOfHalves(values);
    // The vector's bytes follow its scales, so reading eight scales is allowed.
    const __m256 xScale =
        _mm256_permutevar8x32_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(a.x) + b), blockOfLane<few>());
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

/// One block's numbers of all rows.
template <int few>
COTERIE_AVX2_INLINE __m128 ofBlock(const float (&lanesOfAll)[8], int64_t block) {
    const float* at = lanesOfAll + block * few;
    if constexpr (few == 4) return _mm_loadu_ps(at);
    if constexpr (few == 2) return _mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(at)));
    return _mm_load_ss(at);
}

/// Multiplies a few rows from r on. They may lie anywhere, so they are fetched as a whole before their first blocks are
/// needed.
template <typename Dot, TensorType type, int few>
COTERIE_DOT void fewByOne(const TileArguments& a, const Rows& rows, int64_t r) {
    fetchRows(rows, r, few);
    const int64_t blocks = a.columns / kBlockValues;
    __m128 sum = _mm_setzero_ps();
    for (int64_t b = 0; b < blocks; b += 8 / few) {
        const int64_t count = blocks - b < 8 / few ? blocks - b : 8 / few;
        EightTerms terms;
        fewTerms<Dot, type, few>(a, blocksOfFew<type, few>(rows, r, b, count), b, count, terms);
        for (int64_t i = 0; i < count; ++i)
            for (int s = 0; s < stepsOf32(type); ++s) {
                sum = _mm_fmadd_ps(ofBlock<few>(terms.scales[s], i), ofBlock<few>(terms.products[s], i), sum);
                if constexpr (hasMinimum(type))
                    sum = _mm_fnmadd_ps(ofBlock<few>(terms.minima[s], i), ofBlock<few>(terms.sumsOfX[s], i), sum);
            }
    }
    alignas(16) float sums[4];
    _mm_store_ps(sums, sum);
    for (int64_t i = 0; i < few && r + i < rows.count; ++i) a.out[r + i] = sums[i];
}

/// a.out: [rows.count]. A panel with only a few rows would leave lanes idle, so these go through fewByOne().
template <typename Dot, TensorType type>
void multiplyOne(const TileArguments& a, const Rows& rows) {
    int64_t r = 0;
    if (rows.listed != nullptr && rows.count > 4) fetchRows(rows, 0, 8);
    for (; rows.count - r > 4; r += 8) panelByOne<Dot, type>(a, rows, r);
    if (rows.count - r > 2) return fewByOne<Dot, type, 4>(a, rows, r);
    if (rows.count - r == 2) return fewByOne<Dot, type, 2>(a, rows, r);
    if (rows.count - r == 1) return fewByOne<Dot, type, 1>(a, rows, r);
}

// --- Many tokens

/// For each step of blocks [begin, end) of x: -offset * (1 . x), which takes back the offset of the bytes; in formats
/// with a minimum xScale * (1 . x) instead, as the bits of a float. It writes eight terms at a time.
template <typename Dot, StepKind kind>
COTERIE_DOT void tokenTerms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out) {
    if constexpr (!kind.minimum && kind.offset == 0) return;
    const float* scales = reinterpret_cast<const float*>(prepared);
    const std::byte* x = prepared + preparedQuantsOffset(columns);
    for (int64_t b = begin; b < end; b += 8) { // `begin` is a multiple of 8, and prepared vectors end in zeros
        __m256i products[8];
        for (int i = 0; i < 8; ++i)
            products[i] = Dot::products(_mm256_set1_epi8(1),
                                        b + i < end ? loadBytes32(x + (b + i) * kBlockValues) : _mm256_setzero_si256());
        const Halves halves = sumsOfHalves(products);
        const __m256 xScale = _mm256_loadu_ps(scales + b);
        __m256i terms[2];
        for (int s = 0; s < kind.steps; ++s) {
            const __m256i sums = sumsOfStep<kind.steps>(halves, s);
            terms[s] = kind.minimum ? _mm256_castps_si256(_mm256_mul_ps(xScale, _mm256_cvtepi32_ps(sums)))
                                    : _mm256_mullo_epi32(sums, _mm256_set1_epi32(-kind.offset));
        }
        if constexpr (kind.steps == 2) { // puts the two steps of a block side by side
            const __m256i low = _mm256_unpacklo_epi32(terms[0], terms[1]),
                          high = _mm256_unpackhi_epi32(terms[0], terms[1]);
            terms[0] = _mm256_permute2x128_si256(low, high, 0x20);
            terms[1] = _mm256_permute2x128_si256(low, high, 0x31);
        }
        for (int s = 0; s < kind.steps; ++s, out += kLanes)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), terms[s]);
    }
}

template <typename Dot, TensorType type>
COTERIE_DOT void unpackRows(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                            UnpackedPanel<8, stepsOf32(type)>& out) {
    constexpr int subBlocks = isSuperFormat(type) ? kSubBlocks : 1;
    UnpackedPanel<8, stepsOf32(type)>* panel = ofUnknownOrigin(&out);
    std::byte* quants = panel->quants;
    float *scales = panel->scales, *minima = panel->minima;
    for (int64_t b = begin; b < end; b += subBlocks) {
        const EightBlocks blocks = blocksOfRows({a.w, a.rowStride, count}, 0, b / subBlocks * kBlockBytes<type>);
        const BlockFactors factors = blockFactors<type, 8>(blocks);
        for (int p = 0; p < subBlocks; ++p) {
            __m256i q[8];
            for (int r = 0; r < 8; ++r) q[r] = bytesOf<Dot, type>(blocks.at[r], p);
            transposeEight(q);
            for (int i = 0; i < 8; ++i, quants += 32) _mm256_store_si256(reinterpret_cast<__m256i*>(quants), q[i]);
            const StepFactors f = stepFactors<type, 8>(blocks, factors, p);
            for (int s = 0; s < stepsOf32(type); ++s, scales += kLanes, minima += kLanes) {
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
            sums[p][t] = a.first ? _mm256_setzero_ps() : loadFirst(a.out + t * a.outStride + p * kLanes, a.rows[p]);
    for (int64_t s = 0; s < a.blocks * kind.steps; ++s) {
        const std::byte* quants[panels];
        for (int p = 0; p < panels; ++p) quants[p] = a.quants[p] + s * widthOf(kind) * 32;
        __m256i products[panels][tokens];
        Dot::template stepProducts<kind>(quants, a.x + 4 * s * widthOf(kind), a.terms + s, a, products);
        for (int t = 0; t < tokens; ++t) {
            const __m256 xScale = _mm256_set1_ps(a.xScale(t, s / kind.steps));
            for (int p = 0; p < panels; ++p) {
                const __m256 scale = _mm256_mul_ps(_mm256_load_ps(a.scales[p] + s * kLanes), xScale);
                sums[p][t] = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(products[p][t]), sums[p][t]);
                if constexpr (kind.minimum) {
                    const __m256i term = _mm256_set1_epi32(a.terms[t * a.termStride + s]);
                    sums[p][t] = _mm256_fnmadd_ps(_mm256_load_ps(a.minima[p] + s * kLanes), _mm256_castsi256_ps(term),
                                                  sums[p][t]);
                }
            }
        }
    }
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t) storeFirst(a.out + t * a.outStride + p * kLanes, a.rows[p], sums[p][t]);
}

/// Tiles for each number of tokens up to `most`. Beyond it the last one is repeated.
template <typename Dot, StepKind kind, int panels>
struct TilesOfPanels {
    static constexpr int kMost = Dot::tokens(kind);
    static constexpr int atMost(int tokens) { return tokens < kMost ? tokens : kMost; }
    static constexpr void (*kOf[])(const ManyArguments&) = {
        manyTile<Dot, kind, panels, 1>,         manyTile<Dot, kind, panels, atMost(2)>,
        manyTile<Dot, kind, panels, atMost(3)>, manyTile<Dot, kind, panels, atMost(4)>,
        manyTile<Dot, kind, panels, atMost(5)>, manyTile<Dot, kind, panels, atMost(6)>};
    static_assert(kMost <= 6);
};

/// For many_tokens.h.
template <typename Dot, TensorType format>
struct PanelsOf8 {
    static constexpr TensorType kType = format;
    static constexpr int kRows = 8, kPanels = Dot::kPanels, kWholeTokens = 0;
    static constexpr StepKind kKind = kKindOf<Dot, kType>;
    static constexpr int kTokens = Dot::tokens(kKind);

    static void terms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out) {
        tokenTerms<Dot, kKind>(prepared, columns, begin, end, out);
    }
    static void unpack(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                       UnpackedPanel<kRows, stepsOf32(kType)>& out) {
        unpackRows<Dot, kType>(a, count, begin, end, out);
    }
    static void tile(int panelCount, int tokenCount, const ManyArguments& a) {
        if (panelCount == kPanels)
            TilesOfPanels<Dot, kKind, kPanels>::kOf[tokenCount - 1](a);
        else
            TilesOfPanels<Dot, kKind, 1>::kOf[tokenCount - 1](a);
    }
};

template <typename Dot>
void multiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    withQuantisedFormat(type, [&]<TensorType known>() {
        if (batch == 1)
            multiplyOne<Dot, known>(a, {a.w, a.rowStride, rows});
        else
            multiplyMany<PanelsOf8<Dot, known>>(a, rows, batch);
    });
}

template <typename Dot>
void multiplySomeQuants(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyOne<Dot, known>(a, {a.w, a.rowStride, count, rows}); });
}

} // namespace
} // namespace coterie::engine
