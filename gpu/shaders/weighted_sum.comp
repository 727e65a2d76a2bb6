// SPDX-License-Identifier: Apache-2.0
// Adds the outputs of a token's experts to its residual stream, in the order of their ranks: out = x + sum of scale *
// weight * row (row_sums.glsl). The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: values of a row. y: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kWeights = 0;
layout(binding = 0, std430) readonly buffer X { float x[]; };
layout(binding = 1, std430) readonly buffer Rows { float rows[]; };       // [tokens, rows, width]
layout(binding = 2, std430) readonly buffer Weights { float weightOf[]; }; // [tokens, rows]
layout(binding = 3, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { WeightedSumPush push; };

#include "elementary.glsl"
#include "row_sums.glsl"

void main() {
    const uint i = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y;
    if (i < push.width) outputs[token * push.width + i] = withRows(token, i);
}
