// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and one token, for AVX-512 with VNNI: four rows and four blocks of 32 columns at a
// time. Each block's quarter is added to the sums of the four rows, one block after the other. avx512_vnni.cpp gives
// the order of sums.
#include "kernels/avx512_quads.h"
#include "kernels/avx512_table.h"

namespace coterie::engine {
namespace {

constexpr int64_t kMostBlocks = 1024; ///< blocks that are summed together; it sets the size of the terms' buffer
constexpr int64_t kFetchedAhead = 2;  ///< quads of rows: reading memory takes about as long as computing them

/// Columns of the token that are summed together, and its terms for them (tokenTerms()).
struct Token {
    const float* scales;   // [blocks]
    const std::byte* x;    // [blocks, 32]
    const int32_t* terms;  // [blocks, steps]
    int64_t first, blocks; // in blocks of 32 columns
};

// --- Four rows

/// Bytes of a row that four blocks take; in a super-block roughly half of it.
template <TensorType type>
constexpr int64_t kQuadBytes = isSuperFormat(type) ? kBlockBytes<type> / 2 : kQuadBlocks* kBlockBytes<type>;

/// Fetches as much of the later rows as is computed meanwhile. If rows lie one behind the other, it fetches consecutive
/// bytes.
template <TensorType type>
COTERIE_AVX512_INLINE void fetchLater(const Quad& quad, int64_t at) {
    constexpr int64_t line = kLineBytes;
    if (quad.later[1] == nullptr) {
        const char* first = reinterpret_cast<const char*>(quad.later[0] + kQuadRows * at);
        for (int64_t i = 0; i < kQuadRows * kQuadBytes<type>; i += line) _mm_prefetch(first + i, _MM_HINT_T0);
    } else {
        for (const std::byte* row : quad.later)
            for (int64_t i = 0; i < kQuadBytes<type>; i += line)
                _mm_prefetch(reinterpret_cast<const char*>(row + at + i), _MM_HINT_T0);
    }
}

/// Terms that are added to the sums of four rows: [step], lane 4k + r.
template <int steps>
struct Terms {
    __m512 scales[steps], products[steps], minima[steps];
    const int32_t* token; // [blocks, steps]
};

template <TensorType type, int k>
COTERIE_AVX512_INLINE __m128 addBlock(const Terms<stepsOf32(type)>& terms, __m128 sum) {
    for (int s = 0; s < stepsOf32(type); ++s) {
        sum =
            _mm_fmadd_ps(_mm512_extractf32x4_ps(terms.scales[s], k), _mm512_extractf32x4_ps(terms.products[s], k), sum);
        if constexpr (hasMinimum(type)) {
            const __m128 term = _mm_castsi128_ps(_mm_set1_epi32(terms.token[k * stepsOf32(type) + s]));
            sum = _mm_fnmadd_ps(_mm512_extractf32x4_ps(terms.minima[s], k), term, sum);
        }
    }
    return sum;
}

/// Adds the token's term to a step's integers: it takes back what quantOffset added.
template <TensorType type, int step>
COTERIE_AVX512_INLINE __m512i withTerms(__m512i integers, const int32_t* terms) {
    if constexpr (hasMinimum(type)) return integers;
    constexpr int steps = stepsOf32(type);
    const __m256i values = steps == 2
                               ? loadBytes32(terms)
                               : _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(terms)));
    return _mm512_add_epi32(integers, inQuarters<steps, step>(values));
}

/// Adds blocks b .. b + 3 of the token, which lie at `at` in each row. count: how many of them exist.
template <TensorType type, int sub>
COTERIE_AVX512_INLINE __m128 addQuad(const Quad& quad, int64_t at, const Token& token, int64_t b, int64_t count,
                                     __m128 sum) {
    constexpr int steps = stepsOf32(type);
    const FourBlocks x = fourBlocks(token.x + b * kBlockValues);
    const __m128 xScales = _mm_loadu_ps(token.scales + b);
    __m512i products[steps][kQuadRows];
    for (int r = 0; r < kQuadRows; ++r) {
        __m512i mine[steps];
        rowProducts<type, sub>(quad.at[r] + at, x, mine);
        for (int s = 0; s < steps; ++s) products[s][r] = mine[s];
    }
    StepFactors factors[steps] = {};
    stepFactors<type, sub>(quad, at, factors);
    Terms<steps> terms;
    terms.token = token.terms + b * steps;
    for (int s = 0; s < steps; ++s) {
        const __m512i integers = sumsOfQuarters(products[s]);
        const __m512i whole =
            s == 0 ? withTerms<type, 0>(integers, terms.token) : withTerms<type, steps - 1>(integers, terms.token);
        const __m512 xScale = _mm512_castsi512_ps(inQuarters<1, 0>(_mm256_castsi128_si256(_mm_castps_si128(xScales))));
        terms.scales[s] = _mm512_mul_ps(factors[s].scales, xScale);
        terms.products[s] = _mm512_cvtepi32_ps(whole);
        terms.minima[s] = factors[s].minima;
    }
    sum = addBlock<type, 0>(terms, sum);
    if (count > 1) sum = addBlock<type, 1>(terms, sum);
    if (count > 2) sum = addBlock<type, 2>(terms, sum);
    if (count > 3) sum = addBlock<type, 3>(terms, sum);
    return sum;
}

/// Adds the last one to three blocks of 32, from a copy: nothing behind them may be read.
template <TensorType type>
COTERIE_AVX512_INLINE __m128 addRest(const Quad& quad, int64_t at, const Token& token, int64_t b, __m128 sum) {
    alignas(64) std::byte rows[kQuadRows][64 + kQuadBlocks * kBlockBytes<type>] = {};
    alignas(64) std::byte x[kQuadBlocks * kBlockValues] = {};
    alignas(16) float scales[kQuadBlocks] = {};
    alignas(16) int32_t terms[kQuadBlocks] = {};
    const int64_t count = token.blocks - b;
    Quad copied = quad;
    for (int r = 0; r < kQuadRows; ++r) {
        std::memcpy(rows[r], quad.at[r] + at, static_cast<size_t>(count * kBlockBytes<type>));
        copied.at[r] = rows[r];
    }
    std::memcpy(x, token.x + b * kBlockValues, static_cast<size_t>(count * kBlockValues));
    std::memcpy(scales, token.scales + b, static_cast<size_t>(count) * sizeof(float));
    std::memcpy(terms, token.terms + b, static_cast<size_t>(count) * sizeof(int32_t));
    return addQuad<type, 0>(copied, 0, {scales, x, terms, 0, kQuadBlocks}, 0, count, sum);
}

template <TensorType type>
COTERIE_AVX512 __m128 quadByOne(const Quad& quad, const Token& token, __m128 sum) {
    int64_t b = 0;
    if constexpr (isSuperFormat(type)) {
        for (int64_t at = token.first / kSubBlocks * kBlockBytes<type>; b < token.blocks; at += kBlockBytes<type>) {
            fetchLater<type>(quad, at);
            sum = addQuad<type, 0>(quad, at, token, b, kQuadBlocks, sum);
            fetchLater<type>(quad, at + kQuadBytes<type>);
            sum = addQuad<type, kQuadBlocks>(quad, at, token, b + kQuadBlocks, kQuadBlocks, sum);
            b += kSubBlocks;
        }
    } else {
        for (; b + kQuadBlocks <= token.blocks; b += kQuadBlocks) {
            const int64_t at = (token.first + b) * kBlockBytes<type>;
            fetchLater<type>(quad, at);
            sum = addQuad<type, 0>(quad, at, token, b, kQuadBlocks, sum);
        }
        if (b < token.blocks) sum = addRest<type>(quad, (token.first + b) * kBlockBytes<type>, token, b, sum);
    }
    return sum;
}

// --- All rows

/// Four rows from r on, and the rows to fetch meanwhile.
Quad quadOf(const Rows& rows, int64_t r) {
    Quad quad = {};
    for (int i = 0; i < kQuadRows; ++i) quad.at[i] = rows.at(r + i);
    const int64_t later = r + kFetchedAhead * kQuadRows;
    if (rows.listed == nullptr) // behind the last row lies another matrix, or the prefetch is a wasted step
        quad.later[0] = rows.first + static_cast<size_t>(later) * rows.stride;
    else
        for (int i = 0; i < kQuadRows; ++i) quad.later[i] = rows.at(later + i);
    return quad;
}

/// Multiplies all rows. a.out: [rows.count].
template <TensorType type>
COTERIE_AVX512 void multiplyQuads(const TileArguments& a, const Rows& rows) {
    constexpr int steps = stepsOf32(type);
    const int64_t blocks = a.columns / kBlockValues;
    alignas(64) int32_t terms[kMostBlocks * steps];
    for (int64_t first = 0; first < blocks; first += kMostBlocks) {
        const int64_t count = blocks - first < kMostBlocks ? blocks - first : kMostBlocks;
        tokenTerms<hasMinimum(type), steps>(a.x, a.columns, first, first + count, quantOffset(type), terms);
        const Token token = {reinterpret_cast<const float*>(a.x) + first,
                             a.x + preparedQuantsOffset(a.columns) + first * kBlockValues, terms, first, count};
        for (int64_t r = 0; r < rows.count; r += kQuadRows) {
            const __mmask8 there = static_cast<__mmask8>(firstOf16(rows.count - r) & 15);
            const __m128 before = first == 0 ? _mm_setzero_ps() : _mm_maskz_loadu_ps(there, a.out + r);
            _mm_mask_storeu_ps(a.out + r, there, quadByOne<type>(quadOf(rows, r), token, before));
        }
    }
}

} // namespace

void avx512MultiplyOne(TensorType type, const TileArguments& a, int64_t rows) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyQuads<known>(a, {a.w, a.rowStride, rows}); });
}

void avx512MultiplySome(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyQuads<known>(a, {a.w, a.rowStride, count, rows}); });
}

} // namespace coterie::engine
