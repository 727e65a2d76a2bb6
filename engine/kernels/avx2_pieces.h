// SPDX-License-Identifier: Apache-2.0
// Pieces that the files for AVX2 share. Only functions marked COTERIE_AVX2 are compiled for that instruction set; call
// them only if runsHere() returned true. Inside kernels/ only.
#pragma once

#include "kernels/blocks.h"
#include "kernels/tiles.h"

#include <immintrin.h>
#if defined(_MSC_VER)
#define COTERIE_AVX2
#define COTERIE_AVX2_INLINE __forceinline
#else
#define COTERIE_AVX2 __attribute__((target("avx2,fma,f16c")))
/// For pieces of a format that may equal another format's: GCC folds equal functions into one and forgets the target of
/// the call between them (seen with GCC 12, -O2).
#define COTERIE_AVX2_INLINE COTERIE_AVX2 __attribute__((always_inline)) inline
#endif

namespace coterie::engine {

constexpr int64_t kLanes = 8; ///< floats in a register

COTERIE_AVX2 inline __m128i loadBytes16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
COTERIE_AVX2 inline __m256i loadBytes32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

/// All ones in the first n lanes; in all lanes from n = 8 on.
COTERIE_AVX2 inline __m256i firstLanes(int64_t n) {
    static const int32_t ones[2 * kLanes] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ones + (n < kLanes ? kLanes - n : 0)));
}

/// The first n floats and zeros behind them; all eight from n = 8 on. The branch is there because masked stores are
/// slow.
COTERIE_AVX2 inline __m256 loadFirst(const float* p, int64_t n) {
    return n >= kLanes ? _mm256_loadu_ps(p) : _mm256_maskload_ps(p, firstLanes(n));
}

COTERIE_AVX2 inline void storeFirst(float* p, int64_t n, __m256 v) {
    if (n >= kLanes)
        _mm256_storeu_ps(p, v);
    else
        _mm256_maskstore_ps(p, firstLanes(n), v);
}

/// Keeps GCC from loading a value again at each use.
COTERIE_AVX2_INLINE __m256i inRegister(__m256i v) {
#if defined(__GNUC__)
    __asm__("" : "+x"(v));
#endif
    return v;
}

/// Hides from GCC how an address came about. With -O2 GCC 12 takes low bits of some addresses for known that differ in
/// fact (-fipa-bit-cp; seen where ManyTokens hands its panel to unpackRows()).
template <typename T>
COTERIE_INLINE T* ofUnknownOrigin(T* p) {
#if defined(__GNUC__)
    __asm__("" : "+r"(p));
#endif
    return p;
}

COTERIE_AVX2 inline float sumOfLanes(__m256 v) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/// A block's scale in every lane.
COTERIE_AVX2 inline __m256 blockScale(const std::byte* block) {
    return _mm256_cvtph_ps(_mm_set1_epi16(loadAs<int16_t>(block)));
}

template <int rows, int tokens>
COTERIE_AVX2 inline void storeSums(const __m256 (&sums)[rows][tokens], const TileArguments& a) {
    for (int t = 0; t < tokens; ++t)
        for (int r = 0; r < rows; ++r) a.out[t * a.outStride + r] = sumOfLanes(sums[r][t]);
}

/// Decoding reads rows that are short and in no cache. The processor's own prefetchers start anew with each row and
/// reach a fifth of the memory's rate on rows of 864 bytes. So a tile fetches the rows of the next tile, which follow
/// its own, while it computes. Past the end of a matrix a prefetch only wastes a step.
template <int rows, int64_t bytes>
COTERIE_AVX2 inline void prefetchNextTile(const TileArguments& a, int64_t step) {
    const char* next = reinterpret_cast<const char*>(a.w) + rows * a.rowStride + step * rows * bytes;
    for (int64_t i = 0; i < rows * bytes; i += kLineBytes) _mm_prefetch(next + i, _MM_HINT_T0);
}

} // namespace coterie::engine
