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

float blockValue(uint at) { return inputs[at]; }

#include "quotients.glsl"

void main() {
    const uint word = gl_GlobalInvocationID.x, vector = gl_GlobalInvocationID.y;
    if (word >= push.outStride || vector >= push.vectors) return;
    const uint begin = vector * push.inputStride, firstQuant = firstQuantWord(push.columns);
    uint value = 0;
    if (word < push.columns / kBlock) {
        value = scaleBits(largestBits(begin + word * kBlock));
    } else if (word >= firstQuant && word - firstQuant < push.columns / 4) {
        const uint quad = word - firstQuant;
        value = quantWord(begin + 4 * quad, inverseScale(largestBits(begin + quad / 8 * kBlock)));
    }
    words[vector * push.outStride + word] = value;
}
