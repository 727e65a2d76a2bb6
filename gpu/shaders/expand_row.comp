// SPDX-License-Identifier: Apache-2.0
// out[v] = row rowOf[v] of a matrix as floats: the embeddings of tokens. A macro chooses the format (formats.glsl). The
// values are those of KernelTable::expandRow(); the scalar model is gpu/models/products.h.
//
// An invocation writes 32 columns. x of the dispatch: steps of 32 columns. y: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x_id = 0) in;
layout(binding = 0, std430) readonly buffer WeightWords { uint weightWords[]; };
layout(binding = 0, std430) readonly buffer WeightQuads { uvec4 weightQuads[]; };
layout(binding = 1, std430) readonly buffer RowOf { uint rowOf[]; }; // [vectors]
layout(binding = 2, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { ExpandPush push; };

#include "formats.glsl"

#ifdef FLOAT_FORMAT

void writeStep(uint row, uint b, uint to) {
    const uint end = min((b + 1) * kStep, push.columns);
    for (uint c = b * kStep; c < end; ++c) outputs[to + c] = weightAt(row, c);
}

#else

void writeHalf(uvec4 quants, Factors f, uint h, uint to) {
    for (uint i = 0; i < 16; ++i)
        outputs[to + i] = expanded(quants[i / 4], i % 4, f.d, f.scale[h], f.dMinimum, f.minimum[h]);
}

void writeStep(uint row, uint b, uint to) {
    const uint block = blockOf(row, b);
    const Quants w = quantsAt(block, partOf(b));
    const Factors f = factorsAt(block, partOf(b));
    writeHalf(w.first, f, 0, to + b * kStep);
    writeHalf(w.second, f, 1, to + b * kStep + 16);
}

#endif

void main() {
    const uint b = gl_GlobalInvocationID.x, vector = gl_GlobalInvocationID.y;
    if (b * kStep >= push.columns || vector >= push.vectors) return;
    writeStep(push.matrixOffset + rowOf[vector] * rowBytes(push.columns), b, vector * push.outStride);
}
