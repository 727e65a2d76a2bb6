// SPDX-License-Identifier: Apache-2.0
// Attention with AVX-512, for the tables in avx512_vnni.cpp.
//
// A query and a key are summed in one register of 16 lanes, 16 columns after the other; then sumsOfRegisters() adds the
// lanes. A value's column is summed in one lane, position after position. Every tile does so.
#include "kernels/attention_tiles.h"
#include "kernels/avx512_table.h"

namespace coterie::engine {
namespace {

// --- Pieces

/// Half of the sums of two registers: a's lanes where `second` has no bit, b's where it has one. partners: the lanes
/// that are added to them.
COTERIE_AVX512_INLINE __m512 addPartners(__mmask16 second, __m512 a, __m512 b, __m512 partners) {
    return _mm512_add_ps(_mm512_mask_blend_ps(second, a, b), partners);
}

/// The sums of 16 registers, each taken in the same order: lane l has the sum of v[l].
COTERIE_AVX512_INLINE __m512 sumsOfRegisters(const __m512 (&v)[kWideLanes]) {
    // Lanes 8..15 come from b, then 4..7 of each half, and so on: v[l] ends in lane l.
    const __m512i fours = _mm512_setr_epi32(4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27);
    const __m512i ones = _mm512_setr_epi32(1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15, 30);
    __m512 s[8];
    for (int i = 0; i < 8; ++i) s[i] = addPartners(0xff00, v[i], v[i + 8], _mm512_shuffle_f32x4(v[i], v[i + 8], 0x4e));
    for (int i = 0; i < 4; ++i)
        s[i] = addPartners(0xf0f0, s[i], s[i + 4], _mm512_permutex2var_ps(s[i], fours, s[i + 4]));
    for (int i = 0; i < 2; ++i) s[i] = addPartners(0xcccc, s[i], s[i + 2], _mm512_shuffle_ps(s[i], s[i + 2], 0x4e));
    return addPartners(0xaaaa, s[0], s[1], _mm512_permutex2var_ps(s[0], ones, s[1]));
}

/// Up to 16 halves from column i on, as many as n allows, and zeros behind them.
COTERIE_AVX512_INLINE __m512 someHalves(const std::byte* row, int64_t i, int64_t n) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(firstOf16(n - i), row + i * kScaleBytes));
}

/// 16 of the 32 values that begin at column i, a multiple of 32. The product of a scale and a quant is exact.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 halfBlock(const std::byte* row, int64_t i, int half) {
    if constexpr (type == TensorType::F16) {
        const std::byte* at = row + (i + half * kWideLanes) * kScaleBytes;
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    } else {
        const std::byte* block = row + i / kBlockValues * kBytesOf32<TensorType::Q8_0>;
        return _mm512_mul_ps(halfEverywhere(block), floatsOfInt8(block + kScaleBytes + half * kWideLanes));
    }
}

// --- Scores

/// Chosen so that 16 sums are computed together; with three queries four registers of them are idle.
template <int queries>
constexpr int kKeysOfTile = queries == 3 ? 4 : static_cast<int>(kWideLanes) / queries;

/// Stores the first `count` lanes. A plain store can be read again at once.
template <int count>
COTERIE_AVX512_INLINE void storeWhole(float* out, __m512 v) {
    if constexpr (count == kWideLanes)
        _mm512_storeu_ps(out, v);
    else if constexpr (count == 8)
        _mm256_storeu_ps(out, _mm512_castps512_ps256(v));
    else if constexpr (count == 4)
        _mm_storeu_ps(out, _mm512_castps512_ps128(v));
    else
        _mm_storeu_si64(out, _mm_castps_si128(_mm512_castps512_ps128(v)));
}

/// Scores of up to kKeysOfTile rows.
template <TensorType type, int queries>
COTERIE_AVX512_INLINE void scoreKeys(const ScoreArguments& a, int64_t first) {
    constexpr int keys = kKeysOfTile<queries>;
    const int64_t n = a.keys.n;
    const int64_t count = a.keys.count - first < keys ? a.keys.count - first : keys;
    const std::byte* rows[keys]; // if there are fewer rows, the last one is repeated
    for (int k = 0; k < keys; ++k) rows[k] = a.keys.data + (first + (k < count ? k : count - 1)) * a.keys.stride;
    __m512 sums[kWideLanes]; // [queries, keys]
    for (__m512& sum : sums) sum = _mm512_setzero_ps();
    int64_t i = 0;
    for (; i + kBlockValues <= n; i += kBlockValues)
        for (int half = 0; half < 2; ++half) {
            const float* x = a.queries + i + half * kWideLanes;
            if constexpr (queries > keys) { // the smaller side waits in registers
                __m512 key[keys];
                for (int k = 0; k < keys; ++k) key[k] = halfBlock<type>(rows[k], i, half);
                for (int q = 0; q < queries; ++q) {
                    const __m512 query = _mm512_loadu_ps(x + q * a.queryStride);
                    for (int k = 0; k < keys; ++k)
                        sums[q * keys + k] = _mm512_fmadd_ps(key[k], query, sums[q * keys + k]);
                }
            } else {
                __m512 query[queries];
                for (int q = 0; q < queries; ++q) query[q] = _mm512_loadu_ps(x + q * a.queryStride);
                for (int k = 0; k < keys; ++k) {
                    const __m512 key = halfBlock<type>(rows[k], i, half);
                    for (int q = 0; q < queries; ++q)
                        sums[q * keys + k] = _mm512_fmadd_ps(key, query[q], sums[q * keys + k]);
                }
            }
        }
    if constexpr (type == TensorType::F16)
        for (; i < n; i += kWideLanes)
            for (int k = 0; k < keys; ++k) {
                const __m512 key = someHalves(rows[k], i, n);
                for (int q = 0; q < queries; ++q)
                    sums[q * keys + k] =
                        _mm512_fmadd_ps(key, loadSome(a.queries + q * a.queryStride + i, n - i), sums[q * keys + k]);
            }
    const __m512 scores = _mm512_mul_ps(sumsOfRegisters(sums), _mm512_set1_ps(a.scale));
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int q = 0; q < queries; ++q) {
        const __m512 own = _mm512_permutexvar_ps(_mm512_add_epi32(lane, _mm512_set1_epi32(q * keys)), scores);
        float* out = a.scores + q * a.scoresStride + first;
        if (count == keys)
            storeWhole<keys>(out, own);
        else
            _mm512_mask_storeu_ps(out, firstOf16(count), own);
    }
}

template <TensorType type, int queries>
COTERIE_AVX512 void scoreTile(const ScoreArguments& a) {
    for (int64_t p = 0; p < a.keys.count; p += kKeysOfTile<queries>) {
        for (int k = 0; a.fetch && k < kKeysOfTile<queries>; ++k) fetchNextRun(a.keys, p + k);
        scoreKeys<type, queries>(a, p);
    }
}

// --- Values

/// Sums 16 * registers columns from column i on.
template <TensorType type, int queries, int registers>
COTERIE_AVX512_INLINE void addColumns(const ValueArguments& a, int64_t i, bool fetch) {
    __m512 sums[queries][registers];
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) sums[q][r] = _mm512_loadu_ps(a.out + q * a.outStride + i + r * kWideLanes);
    for (int64_t p = 0; p < a.values.count; ++p) {
        if (fetch) fetchNextRun(a.values, p);
        const std::byte* row = a.values.data + p * a.values.stride;
        __m512 v[registers];
        for (int r = 0; r < registers; ++r) v[r] = halfBlock<type>(row, i + r / 2 * kBlockValues, r % 2);
        for (int q = 0; q < queries; ++q) {
            const __m512 weight = _mm512_set1_ps(a.weights[q * a.weightsStride + p]);
            for (int r = 0; r < registers; ++r) sums[q][r] = _mm512_fmadd_ps(weight, v[r], sums[q][r]);
        }
    }
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) _mm512_storeu_ps(a.out + q * a.outStride + i + r * kWideLanes, sums[q][r]);
}

/// Sums up to 16 columns of halves that are left behind column i.
template <int queries>
COTERIE_AVX512_INLINE void addFewColumns(const ValueArguments& a, int64_t i) {
    const int64_t n = a.values.n;
    __m512 sums[queries];
    for (int q = 0; q < queries; ++q) sums[q] = loadSome(a.out + q * a.outStride + i, n - i);
    for (int64_t p = 0; p < a.values.count; ++p) {
        const __m512 value = someHalves(a.values.data + p * a.values.stride, i, n);
        for (int q = 0; q < queries; ++q)
            sums[q] = _mm512_fmadd_ps(_mm512_set1_ps(a.weights[q * a.weightsStride + p]), value, sums[q]);
    }
    for (int q = 0; q < queries; ++q) storeSome(a.out + q * a.outStride + i, n - i, sums[q]);
}

template <TensorType type, int queries>
COTERIE_AVX512 void valueTile(const ValueArguments& a) {
    constexpr int wide = queries > 4 ? 2 : 4; // registers of columns: at most 16 sums
    int64_t i = 0;
    for (; i + wide * kWideLanes <= a.values.n; i += wide * kWideLanes)
        addColumns<type, queries, wide>(a, i, a.fetch && i == 0);
    for (; i + kBlockValues <= a.values.n; i += kBlockValues) addColumns<type, queries, 2>(a, i, false);
    if constexpr (type == TensorType::F16)
        for (; i < a.values.n; i += kWideLanes) addFewColumns<queries>(a, i);
}

template <TensorType type>
constexpr AttentionTiles kTiles = {
    8,
    scoreTile<type, 8>,
    {nullptr, scoreTile<type, 1>, scoreTile<type, 2>, scoreTile<type, 3>, scoreTile<type, 4>},
    valueTile<type, 8>,
    {nullptr, valueTile<type, 1>, valueTile<type, 2>, valueTile<type, 3>, valueTile<type, 4>}};

constexpr AttentionTiles kTilesOfFormats[] = {kTiles<TensorType::F16>, kTiles<TensorType::Q8_0>};

} // namespace

void avx512AttentionScores(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                           float scale, float* scores, int64_t scoresStride) {
    scoresInTiles(kTilesOfFormats, keys, queries, queryStride, queryCount, scale, scores, scoresStride);
}

void avx512AttentionValues(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                           float* out, int64_t outStride) {
    valuesInTiles(kTilesOfFormats, values, weights, weightsStride, queryCount, out, outStride);
}

} // namespace coterie::engine
