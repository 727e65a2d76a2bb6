// SPDX-License-Identifier: Apache-2.0
// Adds the outputs of a token's experts to its residual stream, in the order of their ranks: out = x + sum of scale *
// weight * row. The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: values of a row. y: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

const uint kGiven = 1, kSigmoids = 2;
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kWeights = 0; // 0: all weights are 1; kGiven, or kSigmoids: sigmoids of those given
layout(binding = 0, std430) readonly buffer X { float x[]; };
layout(binding = 1, std430) readonly buffer Rows { float rows[]; };       // [tokens, rows, width]
layout(binding = 2, std430) readonly buffer Weights { float weightOf[]; }; // [tokens, rows]
layout(binding = 3, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { WeightedSumPush push; };

#include "elementary.glsl"

float scaledWeight(uint row) {
    if (kWeights == 0) return push.scale;
    const float weight = kWeights == kSigmoids ? sigmoid(weightOf[row]) : weightOf[row];
    precise float scaled = push.scale * weight;
    return scaled;
}

void main() {
    const uint i = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    if (i >= push.width) return;
    float sum = x[token * push.width + i];
    for (uint k = 0; k < push.rows; ++k) {
        const uint row = token * push.rows + k;
        precise float product = scaledWeight(row) * rows[row * push.width + i];
        precise float next = sum + product;
        sum = next;
    }
    outputs[token * push.width + i] = sum;
}
