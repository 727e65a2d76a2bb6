// SPDX-License-Identifier: Apache-2.0
// Attention with AVX2, for the table in avx2_table.h.
//
// A query and a key are summed in one register of eight lanes, eight columns after the other; then sumsOfRegisters()
// adds the lanes. A value's column is summed in one lane, position after position. Every tile does so.
#include "kernels/attention_tiles.h"
#include "kernels/avx2_table.h"

namespace coterie::engine {
namespace {

// --- Pieces

/// The sums of eight registers, each taken in the same order: lane l has the sum of v[l].
COTERIE_AVX2 inline __m256 sumsOfRegisters(const __m256 (&v)[kLanes]) {
    // Two registers become one: each keeps half of its lanes in place, and the lanes that it gives up are added to
    // them.
    __m256 s[4];
    for (int i = 0; i < 4; ++i)
        s[i] = _mm256_add_ps(_mm256_blend_ps(v[i], v[i + 4], 0xf0), _mm256_permute2f128_ps(v[i], v[i + 4], 0x21));
    for (int i = 0; i < 2; ++i)
        s[i] = _mm256_add_ps(_mm256_blend_ps(s[i], s[i + 2], 0xcc), _mm256_shuffle_ps(s[i], s[i + 2], 0x4e));
    return _mm256_add_ps(_mm256_blend_ps(s[0], s[1], 0xaa), _mm256_permute_ps(_mm256_blend_ps(s[0], s[1], 0x55), 0xb1));
}

/// Up to eight halves from column i on, as many as n allows, and zeros behind them.
COTERIE_AVX2 inline __m256 someHalves(const std::byte* row, int64_t i, int64_t n) {
    std::byte padded[kLanes * kScaleBytes] = {};
    std::memcpy(padded, row + i * kScaleBytes, static_cast<size_t>((n - i < kLanes ? n - i : kLanes) * kScaleBytes));
    return _mm256_cvtph_ps(loadBytes16(padded));
}

/// Eight values from column i on, a multiple of eight. The product of a scale and a quant is exact.
template <TensorType type>
COTERIE_AVX2_INLINE __m256 eightValues(const std::byte* row, int64_t i) {
    if constexpr (type == TensorType::F16) {
        return _mm256_cvtph_ps(loadBytes16(row + i * kScaleBytes));
    } else {
        const std::byte* block = row + i / kBlockValues * kBytesOf32<TensorType::Q8_0>;
        const std::byte* quants = block + kScaleBytes + i % kBlockValues;
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(quants));
        return _mm256_mul_ps(blockScale(block), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
    }
}

// --- Scores

/// Chosen so that eight sums are computed together; with three queries two registers of them are idle.
template <int queries>
constexpr int kKeysOfTile = queries == 3 ? 2 : static_cast<int>(kLanes) / queries;

/// Scores of up to kKeysOfTile rows.
template <TensorType type, int queries>
COTERIE_AVX2_INLINE void scoreKeys(const ScoreArguments& a, int64_t first) {
    constexpr int keys = kKeysOfTile<queries>;
    const int64_t n = a.keys.n;
    const int64_t count = a.keys.count - first < keys ? a.keys.count - first : keys;
    const std::byte* rows[keys]; // if there are fewer rows, the last one is repeated
    for (int k = 0; k < keys; ++k) rows[k] = a.keys.data + (first + (k < count ? k : count - 1)) * a.keys.stride;
    __m256 sums[kLanes]; // [queries, keys]
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        __m256 key[keys];
        for (int k = 0; k < keys; ++k) key[k] = eightValues<type>(rows[k], i);
        for (int q = 0; q < queries; ++q) {
            const __m256 x = _mm256_loadu_ps(a.queries + q * a.queryStride + i);
            for (int k = 0; k < keys; ++k) sums[q * keys + k] = _mm256_fmadd_ps(key[k], x, sums[q * keys + k]);
        }
    }
    if (type == TensorType::F16 && i < n)
        for (int k = 0; k < keys; ++k) {
            const __m256 key = someHalves(rows[k], i, n);
            for (int q = 0; q < queries; ++q)
                sums[q * keys + k] =
                    _mm256_fmadd_ps(key, loadFirst(a.queries + q * a.queryStride + i, n - i), sums[q * keys + k]);
        }
    float scores[kLanes]; // [queries, keys]
    _mm256_storeu_ps(scores, _mm256_mul_ps(sumsOfRegisters(sums), _mm256_set1_ps(a.scale)));
    for (int q = 0; q < queries; ++q) {
        float* out = a.scores + q * a.scoresStride + first;
        if (count == keys)
            std::memcpy(out, scores + q * keys, keys * sizeof(float));
        else
            std::memcpy(out, scores + q * keys, static_cast<size_t>(count) * sizeof(float));
    }
}

template <TensorType type, int queries>
COTERIE_AVX2 void scoreTile(const ScoreArguments& a) {
    for (int64_t p = 0; p < a.keys.count; p += kKeysOfTile<queries>) {
        for (int k = 0; a.fetch && k < kKeysOfTile<queries>; ++k) fetchNextRun(a.keys, p + k);
        scoreKeys<type, queries>(a, p);
    }
}

// --- Values

/// Sums 8 * registers columns from column i on.
template <TensorType type, int queries, int registers>
COTERIE_AVX2_INLINE void addColumns(const ValueArguments& a, int64_t i, bool fetch) {
    __m256 sums[queries][registers];
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) sums[q][r] = _mm256_loadu_ps(a.out + q * a.outStride + i + r * kLanes);
    for (int64_t p = 0; p < a.values.count; ++p) {
        if (fetch) fetchNextRun(a.values, p);
        const std::byte* row = a.values.data + p * a.values.stride;
        __m256 v[registers];
        for (int r = 0; r < registers; ++r) v[r] = eightValues<type>(row, i + r * kLanes);
        for (int q = 0; q < queries; ++q) {
            const __m256 weight = _mm256_set1_ps(a.weights[q * a.weightsStride + p]);
            for (int r = 0; r < registers; ++r) sums[q][r] = _mm256_fmadd_ps(weight, v[r], sums[q][r]);
        }
    }
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) _mm256_storeu_ps(a.out + q * a.outStride + i + r * kLanes, sums[q][r]);
}

/// Sums up to eight columns of halves that are left behind column i.
template <int queries>
COTERIE_AVX2 inline void addFewColumns(const ValueArguments& a, int64_t i) {
    const int64_t n = a.values.n;
    __m256 sums[queries];
    for (int q = 0; q < queries; ++q) sums[q] = loadFirst(a.out + q * a.outStride + i, n - i);
    for (int64_t p = 0; p < a.values.count; ++p) {
        const __m256 value = someHalves(a.values.data + p * a.values.stride, i, n);
        for (int q = 0; q < queries; ++q)
            sums[q] = _mm256_fmadd_ps(_mm256_set1_ps(a.weights[q * a.weightsStride + p]), value, sums[q]);
    }
    for (int q = 0; q < queries; ++q) storeFirst(a.out + q * a.outStride + i, n - i, sums[q]);
}

template <TensorType type, int queries>
COTERIE_AVX2 void valueTile(const ValueArguments& a) {
    constexpr int wide = queries > 2 ? 2 : 4; // registers of columns: at most eight sums
    int64_t i = 0;
    for (; i + wide * kLanes <= a.values.n; i += wide * kLanes)
        addColumns<type, queries, wide>(a, i, a.fetch && i == 0);
    if constexpr (type == TensorType::F16) {
        for (; i + kLanes <= a.values.n; i += kLanes) addColumns<type, queries, 1>(a, i, false);
        if (i < a.values.n) addFewColumns<queries>(a, i);
    }
}

template <TensorType type>
constexpr AttentionTiles kTiles = {
    4,
    scoreTile<type, 4>,
    {nullptr, scoreTile<type, 1>, scoreTile<type, 2>, scoreTile<type, 3>, scoreTile<type, 4>},
    valueTile<type, 4>,
    {nullptr, valueTile<type, 1>, valueTile<type, 2>, valueTile<type, 3>, valueTile<type, 4>}};

constexpr AttentionTiles kTilesOfFormats[] = {kTiles<TensorType::F16>, kTiles<TensorType::Q8_0>};

} // namespace

void avx2AttentionScores(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                         float scale, float* scores, int64_t scoresStride) {
    scoresInTiles(kTilesOfFormats, keys, queries, queryStride, queryCount, scale, scores, scoresStride);
}

void avx2AttentionValues(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                         float* out, int64_t outStride) {
    valuesInTiles(kTilesOfFormats, values, weights, weightsStride, queryCount, out, outStride);
}

} // namespace coterie::engine
