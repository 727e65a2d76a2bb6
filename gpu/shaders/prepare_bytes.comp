// SPDX-License-Identifier: Apache-2.0
// Prepares vectors for products with integer formats: the bytes that KernelTable::prepare() writes, as
// engine/kernels/blocks.h draws them. A block of 32 values gets one scale, largest / 127, and the bytes x * (127 /
// largest). The scalar model is gpu/models/products.h.
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

#include "quotients.glsl"

/// Four bytes of a block.
uint quants(uint begin, uint largest) {
    const float inverse = inverseScale(largest);
    uint word = 0;
    for (uint i = 0; i < 4; ++i) word |= quantAt(begin + i, inverse) << 8 * i;
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
