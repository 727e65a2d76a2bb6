// SPDX-License-Identifier: Apache-2.0
// Float arithmetic with AVX-512, where twice the width pays: matrices of floats and halves, activations and softmax.
// For the tables in avx512_vnni.cpp. Masked loads and stores handle what is left behind the last whole register.
#include "kernels/added_rows.h"
#include "kernels/avx512_floats.h"
#include "kernels/avx512_table.h"

#define COTERIE_LOOP COTERIE_AVX512
#define COTERIE_LOOP_INLINE COTERIE_AVX512_INLINE
#define COTERIE_LOOP_NAME(name) avx512##name

namespace coterie::engine {
namespace {
using Pieces = Avx512Floats;
} // namespace
} // namespace coterie::engine

#include "kernels/activation_loops.h"

namespace coterie::engine {
namespace {

// --- Pieces

/// The first n weights of a float format and zeros behind them.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 loadWeights(const std::byte* p, int64_t n) {
    if constexpr (type == TensorType::F32) {
        return loadSome(reinterpret_cast<const float*>(p), n);
    } else {
        const __m256i halves = n >= kWideLanes ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))
                                               : _mm256_maskz_loadu_epi16(firstOf16(n), p);
        if constexpr (type == TensorType::F16) return _mm512_cvtph_ps(halves);
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
    }
}

// --- Matrix products, in tiles of rows x tokens

/// Products of float formats. x: [columns]; nothing past it is read.
template <TensorType type, int rows, int tokens, bool prefetch>
COTERIE_AVX512 void floatTile(const TileArguments& a) {
    __m512 sums[rows][tokens];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t) sums[r][t] = _mm512_setzero_ps();
    for (int64_t i = 0; i < a.columns; i += kWideLanes) {
        const int64_t left = a.columns - i;
        if constexpr (prefetch) prefetchNextTile<rows, kWideLanes * kBlockBytes<type>>(a, i / kWideLanes);
        __m512 w[rows];
        for (int r = 0; r < rows; ++r)
            w[r] = loadWeights<type>(a.w + static_cast<size_t>(r) * a.rowStride + i * kBlockBytes<type>, left);
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
constexpr Tiles kFloatTiles = {floatTile<type, kStripRows, 1, true>, floatTile<type, 1, 1, false>,
                               floatTile<type, kTileRows, kTileTokens, true>, floatTile<type, 1, kTileTokens, false>};

// --- Rows added to floats

/// 32 values of a row without their scale, and the scale in every lane (1 for float formats).
struct Values {
    __m512 half[2];
    __m512 scale;
};

/// at: where the 32 values begin.
template <TensorType type>
COTERIE_AVX512_INLINE Values loadValues(const std::byte* at) {
    Values v;
    if constexpr (type == TensorType::Q4_0) {
        v.scale = halfEverywhere(at);
        const __m512 levels = _mm512_setr_ps(-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7);
        const __m512i nibbles = _mm512_cvtepu8_epi32(bytes16(at + kScaleBytes));
        v.half[0] = _mm512_permutexvar_ps(nibbles, levels); // the permutation uses only the lowest four bits of a lane
        v.half[1] = _mm512_permutexvar_ps(_mm512_srli_epi32(nibbles, 4), levels);
    } else if constexpr (type == TensorType::Q8_0) {
        v.scale = halfEverywhere(at);
        for (int h = 0; h < 2; ++h) v.half[h] = floatsOfInt8(at + kScaleBytes + h * kWideLanes);
    } else {
        v.scale = _mm512_set1_ps(1.0f);
        for (int h = 0; h < 2; ++h) v.half[h] = loadWeights<type>(at + h * kWideLanes * kBlockBytes<type>, kWideLanes);
    }
    return v;
}

/// Formats that loadValues() knows; the plain version computes the others.
constexpr bool hasValues(TensorType type) {
    return !isIntegerFormat(type) || type == TensorType::Q8_0 || type == TensorType::Q4_0;
}

/// Adds `count` rows to out[begin, end): each piece of `out` is loaded and stored once for all of them. It fetches the
/// same columns of the next rows meanwhile.
template <TensorType type, int count>
COTERIE_AVX512 void addRows(const std::byte* const* rows, const std::byte* const* nextRows, const float* scales,
                            int64_t begin, int64_t end, float* out) {
    int64_t i = begin;
    for (; i + kBlockValues <= end; i += kBlockValues) {
        const int64_t offset = i / kBlockValues * kBytesOf32<type>;
        for (int k = 0; k < count; ++k) _mm_prefetch(reinterpret_cast<const char*>(nextRows[k] + offset), _MM_HINT_T0);
        __m512 sums[2] = {_mm512_loadu_ps(out + i), _mm512_loadu_ps(out + i + kWideLanes)};
        for (int k = 0; k < count; ++k) {
            const Values v = loadValues<type>(rows[k] + offset);
            const __m512 factor = _mm512_mul_ps(_mm512_set1_ps(scales[k]), v.scale);
            for (int h = 0; h < 2; ++h) sums[h] = _mm512_fmadd_ps(factor, v.half[h], sums[h]);
        }
        for (int h = 0; h < 2; ++h) _mm512_storeu_ps(out + i + h * kWideLanes, sums[h]);
    }
    if constexpr (!isIntegerFormat(type)) {
        for (; i < end; i += kWideLanes) {
            __m512 sum = loadSome(out + i, end - i);
            for (int k = 0; k < count; ++k) {
                const __m512 value = loadWeights<type>(rows[k] + i * kBlockBytes<type>, end - i);
                sum = _mm512_fmadd_ps(_mm512_set1_ps(scales[k]), value, sum);
            }
            storeSome(out + i, end - i, sum);
        }
    }
}

} // namespace

const Tiles& avx512FloatTiles(TensorType type) {
    return *withFloatFormat(type, []<TensorType known>() { return &kFloatTiles<known>; });
}

void avx512AddScaledRows(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                         int64_t columnEnd, float* out) {
    if (!hasValues(w.type)) return scalarAddScaledRows(w, rows, scales, count, columnBegin, columnEnd, out);
    const RowAdder add = withFormat<hasValues>(w.type, []<TensorType known>() -> RowAdder {
        return {addRows<known, kAddedTogether>, addRows<known, 1>};
    });
    addScaledRowsBy(add, w, rows, scales, count, columnBegin, columnEnd, out);
}

COTERIE_AVX512 PartialSoftmax avx512PartialSoftmax(float* x, int64_t n) {
    if (n <= 0) return kEmptySoftmax;
    __m512 highest = _mm512_set1_ps(x[0]);
    for (int64_t i = 0; i < n; i += kWideLanes)
        highest = _mm512_mask_max_ps(highest, firstOf16(n - i), highest, loadSome(x + i, n - i));
    const float largest = _mm512_reduce_max_ps(highest);
    const __m512 shift = _mm512_set1_ps(largest);
    __m512 sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < n; i += kWideLanes) {
        const __m512 e = exponential(_mm512_sub_ps(loadSome(x + i, n - i), shift));
        storeSome(x + i, n - i, e);
        sum = _mm512_mask_add_ps(sum, firstOf16(n - i), sum, e);
    }
    return {largest, _mm512_reduce_add_ps(sum)};
}

} // namespace coterie::engine
