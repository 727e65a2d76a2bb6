// SPDX-License-Identifier: Apache-2.0
// Prepares vectors for products with integer formats: the bytes that KernelTable::prepare() writes, as
// engine/kernels/blocks.h draws them. A block of 32 values gets one scale, largest / 127, and the bytes x * (127 /
// largest). Both quotients are rounded correctly, which GLSL's division is not: it may be off by 2.5 units in the last
// place. So significands are divided as whole numbers. The scalar model is gpu/models/products.h.
//
// An invocation writes one word of a prepared vector, and computes what it needs of its block again.
// x of the dispatch: words of a prepared vector. y: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x_id = 0) in;
layout(binding = 0, std430) readonly buffer Input { float inputs[]; };
layout(binding = 1, std430) writeonly buffer Out { uint words[]; };
layout(push_constant, std430) uniform Push { PreparePush push; };

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
    for (uint i = 0; i < kBlock; ++i) largest = max(largest, floatBitsToUint(inputs[begin + i]) & 0x7fffffffu);
    return largest;
}

uint scaleBits(uint largest) {
    if (largest >= kInfinityBits) return kQuietNanBits;
    if (largest < kSmallestBits) return 0;
    const uint significand = largest & 0x7fffffu | 0x800000u, exponent = largest >> 23;
    return quotientBits(significand, k127) + (exponent << 23) - (133u << 23);
}

/// Four bytes of a block.
uint quants(uint begin, uint largest) {
    if (largest >= kInfinityBits || largest < kSmallestBits) return 0;
    const uint significand = largest & 0x7fffffu | 0x800000u, exponent = largest >> 23;
    const float inverse = uintBitsToFloat(quotientBits(k127, significand) + (133u << 23) - (exponent << 23));
    uint word = 0;
    for (uint i = 0; i < 4; ++i) {
        precise float scaled = inputs[begin + i] * inverse;
        precise float shifted = scaled + 12582912.0; // 1.5 * 2^23, beside which a float's last place is 1
        precise float rounded = shifted - 12582912.0;
        word |= (uint(int(rounded)) & 0xffu) << 8 * i;
    }
    return word;
}

void main() {
    const uint word = gl_GlobalInvocationID.x, vector = gl_GlobalInvocationID.y;
    if (word >= push.outStride || vector >= push.vectors) return;
    const uint blocks = push.columns / kBlock, begin = vector * push.inputStride;
    const uint firstQuant = (blocks + 15) / 16 * 16; // whole lines of 64 bytes
    uint value = 0;
    if (word < blocks) {
        value = scaleBits(largestBits(begin + word * kBlock));
    } else if (word >= firstQuant && word - firstQuant < push.columns / 4) {
        const uint quad = word - firstQuant;
        value = quants(begin + 4 * quad, largestBits(begin + quad / 8 * kBlock));
    }
    words[vector * push.outStride + word] = value;
}
