// SPDX-License-Identifier: Apache-2.0
// Quotients, roots and powers of e, of multiplications, additions and whole numbers alone: the rounding of GLSL's own ones is
// free. Results are within a few units in the last place. gpu/models/elementary.h has the scalar models and the errors.

/// 1 / x, for x from 2^-100 to 2^100: four steps of Newton's method from a first guess that is 12 % off at most. Beyond
/// 2^100 a step is smaller than 2^-126, which many devices take for 0.
float reciprocal(float x) {
    float inverse = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(x));
    for (uint i = 0; i < 4; ++i) {
        precise float product = x * inverse;
        precise float rest = 1.0 - product;
        precise float step = inverse * rest;
        precise float better = inverse + step;
        inverse = better;
    }
    return inverse;
}

/// 1 / sqrt(x) for a positive normal number: three steps of Newton's method from a first guess that is 4 % off at most.
float inverseRoot(float x) {
    precise float middle = 0.5 * x;
    float root = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    for (uint i = 0; i < 3; ++i) {
        precise float square = root * root;
        precise float share = middle * square;
        precise float factor = 1.5 - share;
        precise float better = root * factor;
        root = better;
    }
    return root;
}

/// e^x = 2^k e^r: k is x log2(e) rounded to a whole number, e^r is its Taylor series up to r^7. Below -86 the result is
/// 0, and above 64 that of 64: so it is 0 or a normal number, whose reciprocal() exists if it is large. NaN stays NaN.
float exponential(float x) {
    if ((floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u) return x;
    if (x < -86.0) return 0.0;
    const float within = min(x, 64.0);
    precise float scaled = within * 1.44269502;
    precise float shifted = scaled + 12582912.0; // 1.5 * 2^23, beside which a float's last place is 1
    const int k = floatBitsToInt(shifted) - 0x4b400000;
    precise float whole = shifted - 12582912.0;
    precise float high = whole * 0.693145752; // 15 bits of ln(2): the product is exact
    precise float low = whole * 1.42860677e-6;
    precise float rest = within - high;
    precise float r = rest - low;
    const float terms[7] = {1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0};
    float sum = 1.0 / 5040.0;
    for (uint i = 0; i < 7; ++i) {
        precise float product = sum * r;
        precise float next = product + terms[i];
        sum = next;
    }
    return uintBitsToFloat(floatBitsToUint(sum) + (uint(k) << 23));
}

/// 1 / (1 + e^-x)
float sigmoid(float x) {
    precise float divisor = 1.0 + exponential(-x);
    return reciprocal(divisor);
}
