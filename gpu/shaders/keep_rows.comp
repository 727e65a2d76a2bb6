// SPDX-License-Identifier: Apache-2.0
// Stores keys or values of some tokens in the KV cache, whose layout is that of engine/decoder/kv_cache.h: the bytes of
// KernelTable::compressRow(). A macro chooses the format, FORMAT_F16 or FORMAT_Q8_0. The scalar model is
// gpu/models/layer_steps.h.
//
// An invocation writes 16 bits: a half, or in Q8_0 the scale of a block or two of its values. x of the dispatch: 16-bit
// words of a row. y: heads of all tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_16bit_storage : require
#include "interface.h"

layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer Rows { float inputs[]; };
layout(binding = 1, std430) writeonly buffer Cache { uint16_t cache[]; };
layout(push_constant, std430) uniform Push { KeepPush push; };

#include "quotients.glsl"

/// Bits of the half that is nearest to x, of two the even one. NaN becomes a quiet one.
uint halfBits(float x) {
    const uint bits = floatBitsToUint(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > kInfinityBits) return sign | 0x7e00u | magnitude >> 13 & 0x1ffu;
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

#ifdef FORMAT_Q8_0
const uint kWordsOfBlock = 17;
uint rowWords() { return push.headDim / kBlock * kWordsOfBlock; }

uint wordOf(uint begin, uint word) {
    const uint first = begin + word / kWordsOfBlock * kBlock, place = word % kWordsOfBlock;
    const uint largest = largestBits(first);
    if (place == 0) return halfBits(uintBitsToFloat(scaleBits(largest)));
    const float inverse = inverseScale(largest);
    const uint at = first + 2 * (place - 1);
    return quantAt(at, inverse) | quantAt(at + 1, inverse) << 8;
}
#else
uint rowWords() { return push.headDim; }
uint wordOf(uint begin, uint word) { return halfBits(inputs[begin + word]); }
#endif

void main() {
    const uint word = gl_GlobalInvocationID.x, row = gl_WorkGroupID.y;
    if (word >= rowWords()) return;
    const uint token = row / push.heads, head = row % push.heads;
    const uint place = head * push.capacity + (push.position + token) % push.capacity;
    cache[push.offset + place * rowWords() + word] = uint16_t(wordOf(row * push.headDim, word));
}
