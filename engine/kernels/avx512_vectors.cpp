// SPDX-License-Identifier: Apache-2.0
// Float arithmetic with AVX-512, where twice the width pays: matrices of floats and halves, attention, activations and
// softmax. Part of the table in avx512_vnni.cpp. Masked loads and stores take care of every rest.
#include "kernels/avx512_pieces.h"
#include "kernels/formulas.h"
#include "kernels/tables.h"

#include <cassert>

namespace coterie::engine {
namespace {

// --- Pieces

/// The first n floats, zeros behind them.
COTERIE_AVX512_INLINE __m512 loadSome(const float* p, int64_t n) {
    return n >= wideLanes ? _mm512_loadu_ps(p) : _mm512_maskz_loadu_ps(firstOf16(n), p);
}

COTERIE_AVX512_INLINE void storeSome(float* p, int64_t n, __m512 v) {
    if (n >= wideLanes)
        _mm512_storeu_ps(p, v);
    else
        _mm512_mask_storeu_ps(p, firstOf16(n), v);
}

template <TensorType type>
constexpr int64_t floatBytes = type == TensorType::F32 ? 4 : 2;

/// The first n weights of a float format, zeros behind them.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 loadWeights(const std::byte* p, int64_t n) {
    if constexpr (type == TensorType::F32) {
        return loadSome(reinterpret_cast<const float*>(p), n);
    } else {
        const __m256i halves = n >= wideLanes ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))
                                              : _mm256_maskz_loadu_epi16(firstOf16(n), p);
        if constexpr (type == TensorType::F16) return _mm512_cvtph_ps(halves);
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
    }
}

/// Sums of four registers' quarters, as sumsOfQuarters().
COTERIE_AVX512_INLINE __m512 floatSumsOfQuarters(const __m512* v) {
    const __m512 sums01 = _mm512_add_ps(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
    const __m512 sums23 = _mm512_add_ps(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
    const __m512d a = _mm512_castps_pd(sums01), b = _mm512_castps_pd(sums23);
    return _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
}

/// The sums of 16 registers, each taken in the same order.
COTERIE_AVX512_INLINE __m512 sumsOfRegisters(const __m512 (&v)[wideLanes]) {
    __m512 four[4];
    for (int i = 0; i < 4; ++i) four[i] = floatSumsOfQuarters(v + 4 * i);
    const __m512 low =
        _mm512_add_ps(_mm512_shuffle_f32x4(four[0], four[1], 0x88), _mm512_shuffle_f32x4(four[0], four[1], 0xdd));
    const __m512 high =
        _mm512_add_ps(_mm512_shuffle_f32x4(four[2], four[3], 0x88), _mm512_shuffle_f32x4(four[2], four[3], 0xdd));
    return _mm512_add_ps(_mm512_shuffle_f32x4(low, high, 0x88), _mm512_shuffle_f32x4(low, high, 0xdd));
}

/// A row's start for each lane; where there are fewer than 16, the last one's.
struct RowStarts {
    const std::byte* at[wideLanes];

    RowStarts(const std::byte* first, int64_t stride, int64_t count) {
        for (int64_t r = 0; r < wideLanes; ++r) at[r] = first + (r < count ? r : count - 1) * stride;
    }
};

// --- Matrix products, in tiles of rows x tokens

/// x: [columns], nothing need follow it.
template <TensorType type, int rows, int tokens, bool prefetch>
COTERIE_AVX512 void floatTile(const TileArguments& a) {
    __m512 sums[rows][tokens];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t) sums[r][t] = _mm512_setzero_ps();
    for (int64_t i = 0; i < a.columns; i += wideLanes) {
        const int64_t left = a.columns - i;
        if constexpr (prefetch) prefetchNextTile<rows, wideLanes * floatBytes<type>>(a, i / wideLanes);
        __m512 w[rows];
        for (int r = 0; r < rows; ++r)
            w[r] = loadWeights<type>(a.w + static_cast<size_t>(r) * a.rowStride + i * floatBytes<type>, left);
        for (int t = 0; t < tokens; ++t) {
            const std::byte* token = a.x + static_cast<size_t>(t) * a.tokenStride;
            const __m512 x = loadSome(reinterpret_cast<const float*>(token) + i, left);
            for (int r = 0; r < rows; ++r) sums[r][t] = _mm512_fmadd_ps(w[r], x, sums[r][t]);
        }
    }
    for (int t = 0; t < tokens; ++t)
        for (int r = 0; r < rows; ++r) a.out[t * a.outStride + r] = _mm512_reduce_add_ps(sums[r][t]);
}

template <TensorType type>
constexpr Tiles floatTiles = {floatTile<type, rowGroup, 1, true>, floatTile<type, 1, 1, false>,
                              floatTile<type, tileRows, tokenGroup, true>, floatTile<type, 1, tokenGroup, false>};

// --- Attention

/// scores of `count` <= 16 rows of halves.
COTERIE_AVX512 void scoresOfHalves(const float* q, const RowStarts& rows, int64_t count, int64_t n, float scale,
                                   float* scores) {
    __m512 sums[wideLanes];
    for (int r = 0; r < wideLanes; ++r) sums[r] = _mm512_setzero_ps();
    int64_t i = 0;
    for (; i + wideLanes <= n; i += wideLanes) {
        const __m512 x = _mm512_loadu_ps(q + i);
        for (int r = 0; r < wideLanes; ++r)
            sums[r] = _mm512_fmadd_ps(loadWeights<TensorType::F16>(rows.at[r] + 2 * i, wideLanes), x, sums[r]);
    }
    if (i < n) {
        const __m512 x = loadSome(q + i, n - i);
        for (int r = 0; r < wideLanes; ++r)
            sums[r] = _mm512_fmadd_ps(loadWeights<TensorType::F16>(rows.at[r] + 2 * i, n - i), x, sums[r]);
    }
    storeSome(scores, count, _mm512_mul_ps(sumsOfRegisters(sums), _mm512_set1_ps(scale)));
}

COTERIE_AVX512_INLINE __m512 floatsOfInt8(const std::byte* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes16(p)));
}

/// A half in every lane.
COTERIE_AVX512_INLINE __m512 halfEverywhere(const std::byte* p) {
    return _mm512_cvtph_ps(_mm256_set1_epi16(loadAs<int16_t>(p)));
}

/// The same of rows in Q8_0.
COTERIE_AVX512 void scoresOfQ8(const float* q, const RowStarts& rows, int64_t count, int64_t n, float scale,
                               float* scores) {
    __m512 sums[wideLanes];
    for (int r = 0; r < wideLanes; ++r) sums[r] = _mm512_setzero_ps();
    for (int64_t b = 0; b < n / blockValues; ++b) {
        const __m512 low = _mm512_loadu_ps(q + b * blockValues),
                     high = _mm512_loadu_ps(q + b * blockValues + wideLanes);
        for (int r = 0; r < wideLanes; ++r) {
            const std::byte* block = rows.at[r] + b * q8BlockBytes;
            __m512 products = _mm512_mul_ps(floatsOfInt8(block + scaleBytes), low);
            products = _mm512_fmadd_ps(floatsOfInt8(block + scaleBytes + wideLanes), high, products);
            sums[r] = _mm512_fmadd_ps(halfEverywhere(block), products, sums[r]);
        }
    }
    storeSome(scores, count, _mm512_mul_ps(sumsOfRegisters(sums), _mm512_set1_ps(scale)));
}

/// out[16 * registers] += the weighted sum of as many columns of halves.
template <int registers>
COTERIE_AVX512 void addHalves(const float* weights, const std::byte* values, int64_t stride, int64_t count,
                              int64_t columns, float* out) {
    __m512 sums[registers];
    for (int i = 0; i < registers; ++i) sums[i] = loadSome(out + i * wideLanes, columns - i * wideLanes);
    for (int64_t p = 0; p < count; ++p) {
        const __m512 weight = _mm512_set1_ps(weights[p]);
        for (int i = 0; i < registers; ++i) {
            const std::byte* at = values + p * stride + 2 * i * wideLanes;
            sums[i] = _mm512_fmadd_ps(weight, loadWeights<TensorType::F16>(at, columns - i * wideLanes), sums[i]);
        }
    }
    for (int i = 0; i < registers; ++i) storeSome(out + i * wideLanes, columns - i * wideLanes, sums[i]);
}

/// out[32 * blocks] += the weighted sum of as many columns in Q8_0.
template <int blocks>
COTERIE_AVX512 void addQ8(const float* weights, const std::byte* values, int64_t stride, int64_t count, float* out) {
    __m512 sums[2 * blocks];
    for (int i = 0; i < 2 * blocks; ++i) sums[i] = _mm512_loadu_ps(out + i * wideLanes);
    for (int64_t p = 0; p < count; ++p) {
        const __m512 weight = _mm512_set1_ps(weights[p]);
        for (int b = 0; b < blocks; ++b) {
            const std::byte* block = values + p * stride + b * q8BlockBytes;
            const __m512 factor = _mm512_mul_ps(weight, halfEverywhere(block));
            for (int h = 0; h < 2; ++h)
                sums[2 * b + h] =
                    _mm512_fmadd_ps(factor, floatsOfInt8(block + scaleBytes + h * wideLanes), sums[2 * b + h]);
        }
    }
    for (int i = 0; i < 2 * blocks; ++i) _mm512_storeu_ps(out + i * wideLanes, sums[i]);
}

// --- Rows added to floats

/// 32 values of a row without their scale, and the scale in every lane (1 for float formats).
struct Values {
    __m512 half[2];
    __m512 scale;
};

/// `at`: where the 32 values begin.
template <TensorType type>
COTERIE_AVX512_INLINE Values loadValues(const std::byte* at) {
    Values v;
    if constexpr (type == TensorType::Q4_0) {
        v.scale = halfEverywhere(at);
        const __m512 levels = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
        const __m512i nibbles = _mm512_cvtepu8_epi32(bytes16(at + scaleBytes));
        v.half[0] = _mm512_permutexvar_ps(nibbles, levels); // which takes the lowest four bits of a lane alone
        v.half[1] = _mm512_permutexvar_ps(_mm512_srli_epi32(nibbles, 4), levels);
    } else if constexpr (type == TensorType::Q8_0) {
        v.scale = halfEverywhere(at);
        for (int h = 0; h < 2; ++h) v.half[h] = floatsOfInt8(at + scaleBytes + h * wideLanes);
    } else {
        v.scale = _mm512_set1_ps(1.0f);
        for (int h = 0; h < 2; ++h) v.half[h] = loadWeights<type>(at + h * wideLanes * floatBytes<type>, wideLanes);
    }
    return v;
}

template <TensorType type>
constexpr int64_t bytesOf32 = type == TensorType::Q8_0   ? q8BlockBytes
                              : type == TensorType::Q4_0 ? q4BlockBytes
                                                         : blockValues* floatBytes<type>;

/// `count` rows into out[begin, end): each piece of `out` is loaded and stored once for all of them. The same piece of
/// the rows that come next is fetched meanwhile.
template <TensorType type, int count>
COTERIE_AVX512 void addRows(const std::byte* const* rows, const std::byte* const* nextRows, const float* scales,
                            int64_t begin, int64_t end, float* out) {
    int64_t i = begin;
    for (; i + blockValues <= end; i += blockValues) {
        const int64_t offset = i / blockValues * bytesOf32<type>;
        for (int k = 0; k < count; ++k) _mm_prefetch(reinterpret_cast<const char*>(nextRows[k] + offset), _MM_HINT_T0);
        __m512 sums[2] = {_mm512_loadu_ps(out + i), _mm512_loadu_ps(out + i + wideLanes)};
        for (int k = 0; k < count; ++k) {
            const Values v = loadValues<type>(rows[k] + offset);
            const __m512 factor = _mm512_mul_ps(_mm512_set1_ps(scales[k]), v.scale);
            for (int h = 0; h < 2; ++h) sums[h] = _mm512_fmadd_ps(factor, v.half[h], sums[h]);
        }
        for (int h = 0; h < 2; ++h) _mm512_storeu_ps(out + i + h * wideLanes, sums[h]);
    }
    if constexpr (!isIntegerFormat(type)) {
        for (; i < end; i += wideLanes) {
            __m512 sum = loadSome(out + i, end - i);
            for (int k = 0; k < count; ++k) {
                const __m512 value = loadWeights<type>(rows[k] + i * floatBytes<type>, end - i);
                sum = _mm512_fmadd_ps(_mm512_set1_ps(scales[k]), value, sum);
            }
            storeSome(out + i, end - i, sum);
        }
    }
}

template <TensorType type>
void addScaledRowsAs(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                     int64_t columnEnd, float* out) {
    const std::byte* group[2][rowGroup]; // the rows at work, and the ones that come next
    for (int64_t k = 0; k < count; k += rowGroup) {
        for (int64_t j = 0; j < 2 * rowGroup; ++j)
            group[j / rowGroup][j % rowGroup] = w.row(rows[k + j < count ? k + j : count - 1]);
        if (k + rowGroup <= count) {
            addRows<type, rowGroup>(group[0], group[1], scales + k, columnBegin, columnEnd, out);
            continue;
        }
        for (int64_t j = 0; k + j < count; ++j)
            addRows<type, 1>(&group[0][j], &group[0][j + 1 < rowGroup ? j + 1 : j], scales + k + j, columnBegin,
                             columnEnd, out);
    }
}

// --- Activations and softmax

/// The steps and their error stand in formulas.h. Overflows to infinity and underflows gradually to 0 as std::exp does;
/// NaN stays NaN.
COTERIE_AVX512_INLINE __m512 exponential(__m512 x) {
    // The constants come first: min and max return their second argument where one is NaN.
    x = _mm512_max_ps(_mm512_set1_ps(expSmallest), _mm512_min_ps(_mm512_set1_ps(expLargest), x));
    const __m512 k = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(log2OfE)), _MM_FROUND_TO_NEAREST_INT);
    __m512 r = _mm512_fnmadd_ps(k, _mm512_set1_ps(ln2High), x);
    r = _mm512_fnmadd_ps(k, _mm512_set1_ps(ln2Low), r);
    __m512 sum = _mm512_set1_ps(expTaylor[0]);
    for (int i = 1; i < expTerms; ++i) sum = _mm512_fmadd_ps(sum, r, _mm512_set1_ps(expTaylor[i]));
    return _mm512_scalef_ps(sum, k);
}

} // namespace

const Tiles& avx512FloatTiles(TensorType type) {
    switch (type) {
    case TensorType::F16:
        return floatTiles<TensorType::F16>;
    case TensorType::BF16:
        return floatTiles<TensorType::BF16>;
    default:
        assert(type == TensorType::F32);
        return floatTiles<TensorType::F32>;
    }
}

void avx512AttentionScores(TensorType type, const float* q, const std::byte* keys, int64_t stride, int64_t count,
                           int64_t n, float scale, float* scores) {
    assert(type == TensorType::F16 || type == TensorType::Q8_0);
    const auto some = type == TensorType::F16 ? scoresOfHalves : scoresOfQ8;
    for (int64_t p = 0; p < count; p += wideLanes)
        some(q, RowStarts(keys + p * stride, stride, count - p), count - p, n, scale, scores + p);
}

void avx512AttentionValues(TensorType type, const float* weights, const std::byte* values, int64_t stride,
                           int64_t count, int64_t n, float* out) {
    assert(type == TensorType::F16 || type == TensorType::Q8_0);
    int64_t i = 0;
    if (type == TensorType::F16) {
        for (; i + 128 <= n; i += 128) addHalves<8>(weights, values + 2 * i, stride, count, 128, out + i);
        for (; i + 64 <= n; i += 64) addHalves<4>(weights, values + 2 * i, stride, count, 64, out + i);
        for (; i < n; i += wideLanes) addHalves<1>(weights, values + 2 * i, stride, count, n - i, out + i);
        return;
    }
    for (; i + 128 <= n; i += 128) addQ8<4>(weights, values + i / blockValues * q8BlockBytes, stride, count, out + i);
    for (; i < n; i += blockValues) addQ8<1>(weights, values + i / blockValues * q8BlockBytes, stride, count, out + i);
}

void avx512AddScaledRows(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                         int64_t columnEnd, float* out) {
    const auto add = [&]() {
        switch (w.type) {
        case TensorType::F16:
            return addScaledRowsAs<TensorType::F16>;
        case TensorType::BF16:
            return addScaledRowsAs<TensorType::BF16>;
        case TensorType::Q8_0:
            return addScaledRowsAs<TensorType::Q8_0>;
        case TensorType::Q4_0:
            return addScaledRowsAs<TensorType::Q4_0>;
        case TensorType::F32:
            return addScaledRowsAs<TensorType::F32>;
        default:
            return scalarKernels.addScaledRows;
        }
    }();
    add(w, rows, scales, count, columnBegin, columnEnd, out);
}

COTERIE_AVX512 void avx512SwiGlu(const float* gate, const float* up, int64_t n, float* out) {
    const __m512 one = _mm512_set1_ps(1.0f);
    for (int64_t i = 0; i < n; i += wideLanes) {
        const __m512 g = loadSome(gate + i, n - i);
        const __m512 inverse = exponential(_mm512_xor_ps(g, _mm512_set1_ps(-0.0f)));
        const __m512 silu = _mm512_div_ps(g, _mm512_add_ps(one, inverse));
        storeSome(out + i, n - i, _mm512_mul_ps(silu, loadSome(up + i, n - i)));
    }
}

COTERIE_AVX512 void avx512Softmax(float* x, int64_t n) {
    if (n <= 0) return;
    __m512 largest = _mm512_set1_ps(x[0]);
    for (int64_t i = 0; i < n; i += wideLanes)
        largest = _mm512_mask_max_ps(largest, firstOf16(n - i), largest, loadSome(x + i, n - i));
    const __m512 shift = _mm512_set1_ps(_mm512_reduce_max_ps(largest));
    __m512 sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < n; i += wideLanes) {
        const __m512 e = exponential(_mm512_sub_ps(loadSome(x + i, n - i), shift));
        storeSome(x + i, n - i, e);
        sum = _mm512_mask_add_ps(sum, firstOf16(n - i), sum, e);
    }
    const __m512 inverse = _mm512_set1_ps(1.0f / _mm512_reduce_add_ps(sum));
    for (int64_t i = 0; i < n; i += wideLanes) storeSome(x + i, n - i, _mm512_mul_ps(loadSome(x + i, n - i), inverse));
}

} // namespace coterie::engine
