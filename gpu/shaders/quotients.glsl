// SPDX-License-Identifier: Apache-2.0
// Blocks of 32 values as bytes with a scale: largest / 127 and 127 / largest. Both quotients are rounded correctly, which
// GLSL's division is not: it may be off by 2.5 units in the last place. So significands are divided as whole numbers.
// Its includer declares `float blockValue(uint at)`, which returns a value.

const uint kBlock = 32;
const uint kInfinityBits = 0x7f800000u;
const uint kQuietNanBits = 0x7fc00000u;
const uint kSmallestBits = 27u << 23; // 2^-100: a block below it counts as zeros
const uint k127 = 127u << 17;         // 127 as a significand of 24 bits: 127 = k127 * 2^-17

/// Bits of a / b, rounded to the nearest. a and b are significands, 2^23 <= a, b < 2^24, so the quotient lies between
/// 1/2 and 2. It is found in digits of eight bits; a quotient of integers is exact in GLSL.
uint quotientBits(uint a, uint b) {
    uint quotient = a / b, rest = a % b;
    for (uint digit = 0; digit < 3; ++digit) {
        rest = rest << 8;
        quotient = quotient << 8 | rest / b;
        rest = rest % b;
    }
    // quotient = floor(a / b * 2^24) has 24 or 25 bits, and a float keeps 24: dropped / whole is left over.
    const uint extra = quotient >> 24;
    const uint dropped = rest + (quotient & extra) * b, whole = b << extra;
    const uint significand = quotient >> extra;
    const uint up = 2 * dropped > whole ? 1 : 0; // no quotient of two significands lies half way between two others
    // From 2^23 to 2^24; the upper end carries into the exponent by itself.
    return significand + up + (125u + extra << 23);
}

/// Largest magnitude of a block's values, as bits: their order is that of the floats, with NaN on top.
uint largestBits(uint begin) {
    uint largest = 0;
    for (uint i = 0; i < kBlock; ++i) largest = max(largest, floatBitsToUint(blockValue(begin + i)) & 0x7fffffffu);
    return largest;
}

uint scaleBits(uint largest) {
    if (largest >= kInfinityBits) return kQuietNanBits;
    if (largest < kSmallestBits) return 0;
    const uint significand = largest & 0x7fffffu | 0x800000u, exponent = largest >> 23;
    return quotientBits(significand, k127) + (exponent << 23) - (133u << 23);
}

/// 127 / largest; 0 if the block counts as zeros or has no finite largest value.
float inverseScale(uint largest) {
    if (largest >= kInfinityBits || largest < kSmallestBits) return 0.0;
    const uint significand = largest & 0x7fffffu | 0x800000u, exponent = largest >> 23;
    return uintBitsToFloat(quotientBits(k127, significand) + (133u << 23) - (exponent << 23));
}

/// A value of a block as a byte, 0 to 255: x * inverse, rounded.
uint quantAt(uint at, float inverse) {
    if (inverse == 0.0) return 0;
    precise float scaled = blockValue(at) * inverse;
    precise float shifted = scaled + 12582912.0; // 1.5 * 2^23, beside which a float's last place is 1
    precise float rounded = shifted - 12582912.0;
    return uint(int(rounded)) & 0xffu;
}

/// Four bytes of a block, from value `at` on.
uint quantWord(uint at, float inverse) {
    uint word = 0;
    for (uint i = 0; i < 4; ++i) word |= quantAt(at + i, inverse) << 8 * i;
    return word;
}

/// The word of a prepared vector where its bytes begin: scales fill whole lines of 64 bytes.
uint firstQuantWord(uint columns) { return (columns / kBlock + 15) / 16 * 16; }
