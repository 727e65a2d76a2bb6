// SPDX-License-Identifier: Apache-2.0
// Arithmetic of sixteen floats with AVX-512, for the loops that all instruction sets share (activation_loops.h lists
// the pieces). Inside kernels/ only.
#pragma once

#include "kernels/avx512_pieces.h"

namespace coterie::engine {

struct Avx512Floats {
    using Floats = __m512;
    static constexpr int64_t kWidth = kWideLanes;
    static constexpr int kColumnRegisters = 2;

    COTERIE_AVX512_INLINE static Floats load(const float* p) { return _mm512_loadu_ps(p); }
    COTERIE_AVX512_INLINE static void store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
    COTERIE_AVX512_INLINE static Floats loadFirst(const float* p, int64_t n) { return loadSome(p, n); }
    COTERIE_AVX512_INLINE static void storeFirst(float* p, int64_t n, Floats v) { storeSome(p, n, v); }
    COTERIE_AVX512_INLINE static Floats everywhere(float x) { return _mm512_set1_ps(x); }

    COTERIE_AVX512_INLINE static Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
    COTERIE_AVX512_INLINE static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    COTERIE_AVX512_INLINE static Floats divide(Floats a, Floats b) { return _mm512_div_ps(a, b); }
    COTERIE_AVX512_INLINE static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    COTERIE_AVX512_INLINE static Floats subtractProduct(Floats a, Floats b, Floats c) {
        return _mm512_fnmadd_ps(b, c, a);
    }
    COTERIE_AVX512_INLINE static Floats negative(Floats x) { return _mm512_xor_ps(x, _mm512_set1_ps(-0.0f)); }
    COTERIE_AVX512_INLINE static Floats magnitude(Floats x) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), x); }
    COTERIE_AVX512_INLINE static Floats withSignOf(Floats x, Floats sign) {
        return _mm512_or_ps(x, _mm512_and_ps(_mm512_set1_ps(-0.0f), sign));
    }
    COTERIE_AVX512_INLINE static Floats between(float low, float high, Floats x) {
        // The constants come first: min and max return their second argument if one is NaN.
        return _mm512_max_ps(_mm512_set1_ps(low), _mm512_min_ps(_mm512_set1_ps(high), x));
    }
    COTERIE_AVX512_INLINE static Floats nearestWhole(Floats x) {
        return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT);
    }
    COTERIE_AVX512_INLINE static Floats timesPowerOfTwo(Floats x, Floats k) { return _mm512_scalef_ps(x, k); }
};

} // namespace coterie::engine
