// SPDX-License-Identifier: Apache-2.0
// Arithmetic of eight floats with AVX2, for the loops that all instruction sets share (activation_loops.h lists the
// pieces). Inside kernels/ only.
#pragma once

#include "kernels/avx2_pieces.h"

namespace coterie::engine {

struct Avx2Floats {
    using Floats = __m256;
    static constexpr int64_t kWidth = kLanes;
    static constexpr int kColumnRegisters = 4;

    COTERIE_AVX2_INLINE static Floats load(const float* p) { return _mm256_loadu_ps(p); }
    COTERIE_AVX2_INLINE static void store(float* p, Floats v) { _mm256_storeu_ps(p, v); }
    COTERIE_AVX2_INLINE static Floats loadFirst(const float* p, int64_t n) { return engine::loadFirst(p, n); }
    COTERIE_AVX2_INLINE static void storeFirst(float* p, int64_t n, Floats v) { engine::storeFirst(p, n, v); }
    COTERIE_AVX2_INLINE static Floats everywhere(float x) { return _mm256_set1_ps(x); }

    COTERIE_AVX2_INLINE static Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
    COTERIE_AVX2_INLINE static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    COTERIE_AVX2_INLINE static Floats divide(Floats a, Floats b) { return _mm256_div_ps(a, b); }
    COTERIE_AVX2_INLINE static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    COTERIE_AVX2_INLINE static Floats subtractProduct(Floats a, Floats b, Floats c) {
        return _mm256_fnmadd_ps(b, c, a);
    }
    COTERIE_AVX2_INLINE static Floats negative(Floats x) { return _mm256_xor_ps(x, _mm256_set1_ps(-0.0f)); }
    COTERIE_AVX2_INLINE static Floats magnitude(Floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
    COTERIE_AVX2_INLINE static Floats withSignOf(Floats x, Floats sign) {
        return _mm256_or_ps(x, _mm256_and_ps(_mm256_set1_ps(-0.0f), sign));
    }
    COTERIE_AVX2_INLINE static Floats between(float low, float high, Floats x) {
        // The constants come first: min and max return their second argument if one is NaN.
        return _mm256_max_ps(_mm256_set1_ps(low), _mm256_min_ps(_mm256_set1_ps(high), x));
    }
    COTERIE_AVX2_INLINE static Floats nearestWhole(Floats x) {
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    COTERIE_AVX2_INLINE static Floats timesPowerOfTwo(Floats x, Floats k) {
        // 2^k takes two factors: k may be 128 or below -126, which no single float exponent holds.
        const __m256i whole = _mm256_cvtps_epi32(k);
        const __m256i firstHalf = _mm256_srai_epi32(whole, 1);
        const __m256i secondHalf = _mm256_sub_epi32(whole, firstHalf);
        const __m256i bias = _mm256_set1_epi32(127);
        const __m256i firstPower = _mm256_slli_epi32(_mm256_add_epi32(firstHalf, bias), 23);
        const __m256i secondPower = _mm256_slli_epi32(_mm256_add_epi32(secondHalf, bias), 23);
        return _mm256_mul_ps(_mm256_mul_ps(x, _mm256_castsi256_ps(firstPower)), _mm256_castsi256_ps(secondPower));
    }
};

} // namespace coterie::engine
