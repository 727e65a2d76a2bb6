// SPDX-License-Identifier: Apache-2.0
// Attention with AVX-512, for the tables in avx512_vnni.cpp: the pieces of attention_loops.h in registers of 16 lanes.
#include "kernels/avx512_table.h"

#define COTERIE_TILE COTERIE_AVX512
#define COTERIE_TILE_INLINE COTERIE_AVX512_INLINE
#define COTERIE_TILE_SCORES avx512AttentionScores
#define COTERIE_TILE_VALUES avx512AttentionValues

namespace coterie::engine {
namespace {

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

struct Pieces {
    using Floats = __m512;
    using Sum = __m512;
    static constexpr int64_t kWidth = kWideLanes, kStep = kBlockValues;
    static constexpr int kMany = 8, kSums = kWideLanes;

    COTERIE_AVX512_INLINE static Sum zero() { return _mm512_setzero_ps(); }
    COTERIE_AVX512_INLINE static Floats addProduct(Floats sum, Floats a, Floats b) {
        return _mm512_fmadd_ps(a, b, sum);
    }
    COTERIE_AVX512_INLINE static Floats everywhere(float weight) { return _mm512_set1_ps(weight); }

    COTERIE_AVX512_INLINE static Floats load(const float* p) { return _mm512_loadu_ps(p); }
    COTERIE_AVX512_INLINE static void store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
    COTERIE_AVX512_INLINE static Floats loadFirst(const float* p, int64_t n) { return loadSome(p, n); }
    COTERIE_AVX512_INLINE static void storeFirst(float* p, int64_t n, Floats v) { storeSome(p, n, v); }

    /// The product of a scale and a quant is exact.
    template <TensorType type>
    COTERIE_AVX512_INLINE static Floats values(const std::byte* row, int64_t i, int part) {
        if constexpr (type == TensorType::F16) {
            const std::byte* at = row + (i + part * kWideLanes) * kScaleBytes;
            return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
        } else {
            const std::byte* block = row + i / kBlockValues * kBytesOf32<TensorType::Q8_0>;
            return _mm512_mul_ps(halfEverywhere(block), floatsOfInt8(block + kScaleBytes + part * kWideLanes));
        }
    }
    COTERIE_AVX512_INLINE static Floats someHalves(const std::byte* row, int64_t i, int64_t n) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(firstOf16(n - i), row + i * kScaleBytes));
    }

    template <int queries, int keys>
    COTERIE_AVX512_INLINE static void storeScores(const Sum (&sums)[kWideLanes], float scale, int64_t count, float* out,
                                                  int64_t stride) {
        const __m512 scores = _mm512_mul_ps(sumsOfRegisters(sums), _mm512_set1_ps(scale));
        const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        for (int q = 0; q < queries; ++q) {
            const __m512 own = _mm512_permutexvar_ps(_mm512_add_epi32(lane, _mm512_set1_epi32(q * keys)), scores);
            if (count == keys)
                storeWhole<keys>(out + q * stride, own);
            else
                _mm512_mask_storeu_ps(out + q * stride, firstOf16(count), own);
        }
    }
};

} // namespace
} // namespace coterie::engine

#include "kernels/attention_loops.h"
