// SPDX-License-Identifier: Apache-2.0
// Floats as halves, in whole numbers: GLSL leaves their rounding to the device.

/// Bits of the half that is nearest to x, of two the even one. NaN becomes a quiet one.
uint halfBits(float x) {
    const uint bits = floatBitsToUint(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sign | 0x7e00u | magnitude >> 13 & 0x1ffu;
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u; // 65520 and more are nearer to what would be 65536
    const uint exponent = magnitude >> 23;
    if (exponent < 102) return sign; // below 2^-25: nearer to 0
    // A half below 2^-14 has its last place at 2^-24 whatever its size.
    const uint dropped = exponent < 113 ? 126u - exponent : 13u;
    const uint significand = magnitude & 0x7fffffu | 0x800000u;
    const uint kept = significand >> dropped, rest = significand & (1u << dropped) - 1u, middle = 1u << dropped - 1u;
    const uint up = rest > middle || rest == middle && (kept & 1u) != 0 ? 1u : 0u;
    // The leading bit of `kept` is carried into the exponent.
    return sign | kept + up + (exponent < 113 ? 0u : exponent - 113u << 10);
}
