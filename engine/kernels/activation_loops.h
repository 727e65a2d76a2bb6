// SPDX-License-Identifier: Apache-2.0
// Activations, written once for all instruction sets. It is no header for others: a file of an instruction set includes
// it once, behind its own pieces. Inside kernels/ only. The file defines beforehand:
//
//   COTERIE_LOOP              the attributes of a function for the instruction set
//   COTERIE_LOOP_INLINE       the same for a function that must be inlined
//   COTERIE_LOOP_NAME(Name)   the name of the table's function, such as avx2SwiGlu
//   Pieces, in an unnamed namespace; Avx2Floats, Avx512Floats and NeonFloats are such:
//     Floats, kWidth          values that are computed together, and their number
//     kColumnRegisters        Floats of a block of columns in mixers/mixer_loops.h
//     load(p), store(p, v)    kWidth floats
//     loadFirst(p, n), storeFirst(p, n, v)   the first n floats, and zeros behind them
//     everywhere(x), add(a, b), multiply(a, b), divide(a, b), negative(x), magnitude(x)
//     multiplyAdd(a, b, c)    a * b + c, rounded once
//     subtractProduct(a, b, c)               a - b * c, rounded once
//     withSignOf(x, sign)     x with another sign; x is not negative
//     between(low, high, x)   x or the nearer limit; NaN stays NaN
//     nearestWhole(x)         x rounded to a whole number
//     timesPowerOfTwo(x, k)   x * 2^k for whole k in [-150, 129]: infinity if it is too large, gradually 0 if too small
#pragma once

#include "kernels/formulas.h"

namespace coterie::engine {
namespace {

using P = Pieces;

/// x = k ln(2) + r, as formulas.h says.
struct Reduced {
    P::Floats k, r;
};

COTERIE_LOOP_INLINE Reduced reduced(P::Floats x) {
    const P::Floats k = P::nearestWhole(P::multiply(x, P::everywhere(kLog2OfE)));
    const P::Floats r = P::subtractProduct(x, k, P::everywhere(kLn2High));
    return {k, P::subtractProduct(r, k, P::everywhere(kLn2Low))};
}

/// The first `count` terms of kExpTaylor by Horner's rule.
COTERIE_LOOP_INLINE P::Floats taylor(P::Floats r, int count) {
    P::Floats sum = P::everywhere(kExpTaylor[0]);
    for (int i = 1; i < count; ++i) sum = P::multiplyAdd(sum, r, P::everywhere(kExpTaylor[i]));
    return sum;
}

/// e^x. formulas.h gives the steps and their error. The result overflows to infinity and underflows gradually to 0 as
/// std::exp's does; NaN stays NaN.
COTERIE_LOOP_INLINE P::Floats exponential(P::Floats x) {
    const Reduced parts = reduced(P::between(kExpSmallest, kExpLargest, x));
    return P::timesPowerOfTwo(taylor(parts.r, kExpTerms), parts.k);
}

/// x / (1 + e^-u)
COTERIE_LOOP_INLINE P::Floats timesSigmoid(P::Floats x, P::Floats u) {
    return P::divide(x, P::add(P::everywhere(1.0f), exponential(P::negative(u))));
}

/// tanh(x) for x >= 0 is m / (m + 2) with m = e^2x - 1. m keeps its relative precision near 0: it is 2^k p + (2^k - 1)
/// with p = e^r - 1, whose series begins with r, and k = 0 there. From kTanhIsOne on the result is 1.
COTERIE_LOOP_INLINE P::Floats tanhOfMagnitude(P::Floats x) {
    const Reduced parts = reduced(P::between(0.0f, 2 * kTanhIsOne, P::add(x, x)));
    const P::Floats p = P::multiply(taylor(parts.r, kExpTerms - 1), parts.r);
    const P::Floats power = P::timesPowerOfTwo(P::everywhere(1.0f), parts.k);
    const P::Floats m = P::multiplyAdd(power, p, P::add(power, P::everywhere(-1.0f)));
    return P::divide(m, P::add(m, P::everywhere(2.0f)));
}

} // namespace

COTERIE_LOOP void COTERIE_LOOP_NAME(SwiGlu)(const float* gate, const float* up, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += P::kWidth) {
        const P::Floats g = P::loadFirst(gate + i, n - i);
        P::storeFirst(out + i, n - i, P::multiply(timesSigmoid(g, g), P::loadFirst(up + i, n - i)));
    }
}

COTERIE_LOOP void COTERIE_LOOP_NAME(GeGlu)(const float* gate, const float* up, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += P::kWidth) {
        const P::Floats g = P::loadFirst(gate + i, n - i);
        const P::Floats cube = P::multiply(P::multiply(P::everywhere(kGeluCube), g), g);
        const P::Floats u = P::multiply(P::multiply(P::everywhere(kGeluScale), g), P::add(P::everywhere(1.0f), cube));
        P::storeFirst(out + i, n - i, P::multiply(timesSigmoid(g, u), P::loadFirst(up + i, n - i)));
    }
}

COTERIE_LOOP void COTERIE_LOOP_NAME(Silu)(const float* x, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += P::kWidth) {
        const P::Floats v = P::loadFirst(x + i, n - i);
        P::storeFirst(out + i, n - i, timesSigmoid(v, v));
    }
}

COTERIE_LOOP void COTERIE_LOOP_NAME(SigmoidGate)(const float* gate, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += P::kWidth) {
        const P::Floats gated = timesSigmoid(P::loadFirst(out + i, n - i), P::loadFirst(gate + i, n - i));
        P::storeFirst(out + i, n - i, gated);
    }
}

COTERIE_LOOP void COTERIE_LOOP_NAME(SoftCap)(float* x, int64_t n, float cap) {
    const P::Floats limit = P::everywhere(cap);
    for (int64_t i = 0; i < n; i += P::kWidth) {
        const P::Floats v = P::loadFirst(x + i, n - i);
        const P::Floats capped = P::multiply(limit, tanhOfMagnitude(P::divide(P::magnitude(v), limit)));
        P::storeFirst(x + i, n - i, P::withSignOf(capped, v));
    }
}

} // namespace coterie::engine
