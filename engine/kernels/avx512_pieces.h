// SPDX-License-Identifier: Apache-2.0
// Pieces that the files for AVX-512 with VNNI share. Only functions marked COTERIE_AVX512 are compiled for that
// instruction set; call them only if runsHere() returned true. Inside kernels/ only.
#pragma once

#include "kernels/avx2_pieces.h"
#include "kernels/blocks.h"

#include <immintrin.h>
#if defined(_MSC_VER)
#define COTERIE_AVX512
#define COTERIE_AVX512_INLINE __forceinline
#else
#define COTERIE_AVX512_FEATURES "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni"
#define COTERIE_AVX512 __attribute__((target(COTERIE_AVX512_FEATURES)))
/// For pieces that must be inlined: GCC folds equal functions into one and forgets the target of the call between them.
#define COTERIE_AVX512_INLINE COTERIE_AVX512 __attribute__((always_inline)) inline
#endif

namespace coterie::engine {

constexpr int64_t kWideLanes = 16; ///< floats in a register

/// Mask of the first n of 16 lanes; of all lanes from n = 16 on.
inline uint16_t firstOf16(int64_t n) { return static_cast<uint16_t>(n < kWideLanes ? (1u << n) - 1 : 0xffffu); }

/// The first n floats and zeros behind them.
COTERIE_AVX512_INLINE __m512 loadSome(const float* p, int64_t n) {
    return n >= kWideLanes ? _mm512_loadu_ps(p) : _mm512_maskz_loadu_ps(firstOf16(n), p);
}

COTERIE_AVX512_INLINE void storeSome(float* p, int64_t n, __m512 v) {
    if (n >= kWideLanes)
        _mm512_storeu_ps(p, v);
    else
        _mm512_mask_storeu_ps(p, firstOf16(n), v);
}

COTERIE_AVX512_INLINE __m128i bytes16(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
COTERIE_AVX512_INLINE __m512i bytes64(const void* p) { return _mm512_loadu_si512(p); }
COTERIE_AVX512_INLINE __m512 floatsOfInt8(const std::byte* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes16(p)));
}

/// A half in every lane.
COTERIE_AVX512_INLINE __m512 halfEverywhere(const std::byte* p) {
    return _mm512_cvtph_ps(_mm256_set1_epi16(loadAs<int16_t>(p)));
}
/// Four bytes in every lane.
COTERIE_AVX512_INLINE __m512i everywhere(const std::byte* p) { return _mm512_set1_epi32(loadAs<int32_t>(p)); }

/// Transposes 4 x 4 numbers of 32 bits in each quarter: v[k] holds row k before and column k afterwards.
COTERIE_AVX512_INLINE void transposeQuarters(__m512i (&v)[4]) {
    const __m512i low01 = _mm512_unpacklo_epi32(v[0], v[1]), high01 = _mm512_unpackhi_epi32(v[0], v[1]);
    const __m512i low23 = _mm512_unpacklo_epi32(v[2], v[3]), high23 = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(low01, low23);
    v[1] = _mm512_unpackhi_epi64(low01, low23);
    v[2] = _mm512_unpacklo_epi64(high01, high23);
    v[3] = _mm512_unpackhi_epi64(high01, high23);
}

/// Sums of quarters: number k of quarter q is the sum of v[k]'s quarter q.
COTERIE_AVX512_INLINE __m512i sumsOfQuarters(const __m512i* v) {
    const __m512i sums01 = _mm512_add_epi32(_mm512_unpacklo_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[0], v[1]));
    const __m512i sums23 = _mm512_add_epi32(_mm512_unpacklo_epi32(v[2], v[3]), _mm512_unpackhi_epi32(v[2], v[3]));
    return _mm512_add_epi32(_mm512_unpacklo_epi64(sums01, sums23), _mm512_unpackhi_epi64(sums01, sums23));
}

} // namespace coterie::engine
