// SPDX-License-Identifier: Apache-2.0
// out[v, c] = sum over neurons k of activation[v, k] * row(k)[c], for matrices that are stored by neuron: the transposed
// down of a feed-forward part. Neurons are added in rising order, and rows of neurons whose activation is 0 are not
// read. A macro chooses the format (formats.glsl). The scalar model is gpu/models/products.h.
//
// An invocation computes four columns. x of the dispatch: groups of four columns. y: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kExperts = 0; // 1: expertOf[v] and placeOf[expert] choose the matrix of vector v
layout(binding = 0, std430) readonly buffer WeightWords { uint weightWords[]; };
layout(binding = 0, std430) readonly buffer WeightQuads { uvec4 weightQuads[]; };
layout(binding = 1, std430) readonly buffer Activations { float activations[]; };
layout(binding = 2, std430) readonly buffer ExpertOf { uint expertOf[]; }; // [vectors]
layout(binding = 3, std430) readonly buffer PlaceOf { uint placeOf[]; };   // [experts] bytes, or kNoMatrix
layout(binding = 4, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { NeuronSumPush push; };

#include "formats.glsl"

/// Values c to c + 3 of a row; those behind the last column are 0.
vec4 valuesAt(uint row, uint c) {
#ifdef FLOAT_FORMAT
    if (c + 4 <= push.columns) return weightsAt(row, c);
    vec4 values = vec4(0.0);
    for (uint i = 0; c + i < push.columns; ++i) values[i] = weightAt(row, c + i);
    return values;
#else
    const uint b = c / kStep, i = c % kStep / 4, h = i / 4;
    const uint block = blockOf(row, b), quants = quantWordAt(block, partOf(b), i);
    const Factors f = factorsAt(block, partOf(b));
    vec4 values;
    for (uint k = 0; k < 4; ++k) values[k] = expanded(quants, k, f.d, f.scale[h], f.dMinimum, f.minimum[h]);
    return values;
#endif
}

void main() {
    const uint c = 4 * gl_GlobalInvocationID.x, vector = gl_GlobalInvocationID.y;
    if (c >= push.columns || vector >= push.vectors) return;
    uint matrix = push.matrixOffset;
    if (kExperts != 0) {
        const uint place = placeOf[expertOf[vector]];
        if (place == kNoMatrix) return;
        matrix += place;
    }
    precise vec4 sum = vec4(0.0);
    for (uint k = 0; k < push.neurons; ++k) {
        const float activation = activations[vector * push.inputStride + k];
        if (activation == 0.0) continue;
        precise vec4 product = activation * valuesAt(matrix + k * rowBytes(push.columns), c);
        sum = sum + product;
    }
    for (uint i = 0; i < 4 && c + i < push.columns; ++i) outputs[vector * push.outStride + c + i] = sum[i];
}
