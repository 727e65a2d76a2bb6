// SPDX-License-Identifier: Apache-2.0
// Vectors of floats with AVX2: norm, RoPE, activations, softmax. The file is compiled like avx2.cpp.
#include "kernels/avx2_floats.h"
#include "kernels/avx2_table.h"

#define COTERIE_LOOP COTERIE_AVX2
#define COTERIE_LOOP_INLINE COTERIE_AVX2_INLINE
#define COTERIE_LOOP_NAME(name) avx2##name

namespace coterie::engine {
namespace {
using Pieces = Avx2Floats;
} // namespace
} // namespace coterie::engine

#include "kernels/activation_loops.h"

namespace coterie::engine {
namespace {

COTERIE_AVX2 inline float largestLane(__m256 v) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

/// Rotates up to four pairs (2i, 2i+1): a c - b s in even lanes, b c + a s in odd ones.
COTERIE_AVX2 inline __m256 rotatePairs(__m256 pairs, __m256 cosSin) {
    const __m256 swapped = _mm256_permute_ps(pairs, 0xb1);
    return _mm256_fmaddsub_ps(pairs, _mm256_moveldup_ps(cosSin), _mm256_mul_ps(swapped, _mm256_movehdup_ps(cosSin)));
}

COTERIE_AVX2 void ropeNorm(float* head, int64_t n, const float* cosSin) {
    for (int64_t i = 0; i < n; i += kLanes)
        storeFirst(head + i, n - i, rotatePairs(loadFirst(head + i, n - i), loadFirst(cosSin + i, n - i)));
}

/// Even lanes and odd lanes of 16 floats, in order.
COTERIE_AVX2 inline void separate(__m256 first, __m256 second, __m256* even, __m256* odd) {
    const __m256d mixedEven = _mm256_castps_pd(_mm256_shuffle_ps(first, second, 0x88));
    const __m256d mixedOdd = _mm256_castps_pd(_mm256_shuffle_ps(first, second, 0xdd));
    *even = _mm256_castpd_ps(_mm256_permute4x64_pd(mixedEven, 0xd8));
    *odd = _mm256_castpd_ps(_mm256_permute4x64_pd(mixedOdd, 0xd8));
}

COTERIE_AVX2 void ropeNeox(float* head, int64_t n, const float* cosSin) {
    const int64_t half = n / 2;
    for (int64_t i = 0; i < half; i += kLanes) {
        const int64_t count = half - i < kLanes ? half - i : kLanes;
        const int64_t firstFloats = 2 * count < kLanes ? 2 * count : kLanes;
        const float* table = cosSin + 2 * i;
        __m256 cosine, sine;
        separate(loadFirst(table, firstFloats), loadFirst(table + firstFloats, 2 * count - firstFloats), &cosine,
                 &sine);
        const __m256 a = loadFirst(head + i, count);
        const __m256 b = loadFirst(head + half + i, count);
        storeFirst(head + i, count, _mm256_fmsub_ps(a, cosine, _mm256_mul_ps(b, sine)));
        storeFirst(head + half + i, count, _mm256_fmadd_ps(b, cosine, _mm256_mul_ps(a, sine)));
    }
}

/// Sums in double, so that squares neither overflow nor lose digits.
COTERIE_AVX2 double sumOfSquares(const float* x, int64_t n) {
    __m256d squares[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    for (int64_t i = 0; i < n; i += kLanes) {
        const __m256 v = loadFirst(x + i, n - i);
        const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(v));
        const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
        squares[0] = _mm256_fmadd_pd(low, low, squares[0]);
        squares[1] = _mm256_fmadd_pd(high, high, squares[1]);
    }
    double sums[4];
    _mm256_storeu_pd(sums, _mm256_add_pd(squares[0], squares[1]));
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

} // namespace

COTERIE_AVX2 void avx2RmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    const __m256 scale = _mm256_set1_ps(rmsScale(sumOfSquares(x, n), n, epsilon));
    for (int64_t i = 0; i < n; i += kLanes) {
        const __m256 scaled = _mm256_mul_ps(loadFirst(x + i, n - i), scale);
        const __m256 factor = weight != nullptr ? loadFirst(weight + i, n - i) : _mm256_set1_ps(1.0f);
        storeFirst(out + i, n - i, _mm256_mul_ps(scaled, factor));
    }
}

COTERIE_AVX2 void avx2L2Norm(const float* x, int64_t n, float epsilon, float scale, float* out) {
    const __m256 factor = _mm256_set1_ps(l2Scale(sumOfSquares(x, n), epsilon, scale));
    for (int64_t i = 0; i < n; i += kLanes) storeFirst(out + i, n - i, _mm256_mul_ps(loadFirst(x + i, n - i), factor));
}

void avx2Rope(RopeKind kind, float* head, int64_t n, const float* cosSin) {
    if (kind == RopeKind::Norm) ropeNorm(head, n, cosSin);
    if (kind == RopeKind::Neox) ropeNeox(head, n, cosSin);
}

COTERIE_AVX2 int64_t avx2ReGlu(const float* gate, const float* up, int64_t n, float* out) {
    __m256i active = _mm256_setzero_si256(); // each lane counts down by 1 for each gate that is on
    for (int64_t i = 0; i < n; i += kLanes) {
        const int64_t count = n - i;
        const __m256 g = loadFirst(gate + i, count);
        const __m256 on = _mm256_cmp_ps(g, _mm256_setzero_ps(), _CMP_GT_OQ);
        active = _mm256_add_epi32(active, _mm256_castps_si256(on));
        storeFirst(out + i, count, _mm256_and_ps(on, _mm256_mul_ps(g, loadFirst(up + i, count))));
    }
    int32_t counts[kLanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts), active);
    int64_t total = 0;
    for (const int32_t count : counts) total -= count;
    return total;
}

COTERIE_AVX2 PartialSoftmax avx2PartialSoftmax(float* x, int64_t n) {
    if (n <= 0) return kEmptySoftmax;
    __m256 highest = _mm256_set1_ps(x[0]);
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) highest = _mm256_max_ps(highest, _mm256_loadu_ps(x + i));
    float largest = largestLane(highest);
    for (; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
    const __m256 shift = _mm256_set1_ps(largest);
    __m256 sum = _mm256_setzero_ps();
    for (i = 0; i < n; i += kLanes) {
        const int64_t count = n - i;
        const __m256 e = exponential(_mm256_sub_ps(loadFirst(x + i, count), shift));
        storeFirst(x + i, count, e);
        sum = _mm256_add_ps(sum, _mm256_and_ps(e, _mm256_castsi256_ps(firstLanes(count))));
    }
    return {largest, sumOfLanes(sum)};
}

} // namespace coterie::engine
