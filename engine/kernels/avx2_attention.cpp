// SPDX-License-Identifier: Apache-2.0
// Attention with AVX2, for the table in avx2_table.h: the pieces of attention_loops.h in registers of eight lanes.
#include "kernels/avx2_table.h"

#define COTERIE_TILE COTERIE_AVX2
#define COTERIE_TILE_INLINE COTERIE_AVX2_INLINE
#define COTERIE_TILE_SCORES avx2AttentionScores
#define COTERIE_TILE_VALUES avx2AttentionValues

namespace coterie::engine {
namespace {

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

struct Pieces {
    using Floats = __m256;
    using Sum = __m256;
    static constexpr int64_t kWidth = kLanes, kStep = kLanes;
    static constexpr int kMany = 4, kSums = kLanes;

    COTERIE_AVX2_INLINE static Floats load(const float* p) { return _mm256_loadu_ps(p); }
    COTERIE_AVX2_INLINE static void store(float* p, Floats v) { _mm256_storeu_ps(p, v); }
    COTERIE_AVX2_INLINE static Floats loadFirst(const float* p, int64_t n) { return engine::loadFirst(p, n); }
    COTERIE_AVX2_INLINE static void storeFirst(float* p, int64_t n, Floats v) { engine::storeFirst(p, n, v); }

    /// The product of a scale and a quant is exact.
    template <TensorType type>
    COTERIE_AVX2_INLINE static Floats values(const std::byte* row, int64_t i, int /*part*/) {
        if constexpr (type == TensorType::F16) {
            return _mm256_cvtph_ps(loadBytes16(row + i * kScaleBytes));
        } else {
            const std::byte* block = row + i / kBlockValues * kBytesOf32<TensorType::Q8_0>;
            const std::byte* quants = block + kScaleBytes + i % kBlockValues;
            const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(quants));
            return _mm256_mul_ps(blockScale(block), _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
        }
    }
    COTERIE_AVX2_INLINE static Floats someHalves(const std::byte* row, int64_t i, int64_t n) {
        std::byte padded[kLanes * kScaleBytes] = {};
        std::memcpy(padded, row + i * kScaleBytes,
                    static_cast<size_t>((n - i < kLanes ? n - i : kLanes) * kScaleBytes));
        return _mm256_cvtph_ps(loadBytes16(padded));
    }

    COTERIE_AVX2_INLINE static Sum zero() { return _mm256_setzero_ps(); }
    COTERIE_AVX2_INLINE static Floats addProduct(Floats sum, Floats a, Floats b) { return _mm256_fmadd_ps(a, b, sum); }
    COTERIE_AVX2_INLINE static Floats everywhere(float weight) { return _mm256_set1_ps(weight); }

    template <int queries, int keys>
    COTERIE_AVX2_INLINE static void storeScores(const Sum (&sums)[kLanes], float scale, int64_t count, float* out,
                                                int64_t stride) {
        float scores[kLanes]; // [queries, keys]
        _mm256_storeu_ps(scores, _mm256_mul_ps(sumsOfRegisters(sums), _mm256_set1_ps(scale)));
        for (int q = 0; q < queries; ++q) {
            if (count == keys) // a copy of a fixed size is a plain store
                std::memcpy(out + q * stride, scores + q * keys, keys * sizeof(float));
            else
                std::memcpy(out + q * stride, scores + q * keys, static_cast<size_t>(count) * sizeof(float));
        }
    }
};

} // namespace
} // namespace coterie::engine

#include "kernels/attention_loops.h"
