// SPDX-License-Identifier: Apache-2.0
// RMS norm: out[v, i] = x[v, i] / sqrt(mean of the squares + epsilon) * weight[i]. With kAdds weighted rows are added to
// x first (row_sums.glsl), and the sum is written too: the residual stream with the output of attention or of experts.
// With kPrepares the vector is also written as prepare_bytes.comp does. The scalar model is gpu/models/layer_steps.h.
//
// norms.glsl has the order of the sum of squares. x of the dispatch: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kAdds = 0;     // 1: x with the rows is normed and written to sumOut
layout(constant_id = 1) const uint kWeights = 0;  // those of the rows
layout(constant_id = 2) const uint kPrepares = 0; // 1: writes `prepared`; the width is a multiple of 32
layout(binding = 0, std430) readonly buffer X { float x[]; };
layout(binding = 1, std430) readonly buffer Rows { float rows[]; };
layout(binding = 2, std430) readonly buffer Weights { float weightOf[]; };
layout(binding = 3, std430) readonly buffer Weight { float weight[]; };
layout(binding = 4, std430) writeonly buffer Out { float outputs[]; };
layout(binding = 5, std430) writeonly buffer SumOut { float sumOut[]; };
layout(binding = 6, std430) writeonly buffer Prepared { uint prepared[]; };
layout(push_constant, std430) uniform Push { NormPush push; };

#include "elementary.glsl"
#include "row_sums.glsl"
#include "sums.glsl"

float unnormed(uint i) {
    const uint vector = gl_WorkGroupID.x;
    return kAdds == 0 ? x[vector * push.width + i] : withRows(vector, i);
}

#include "norms.glsl"
#include "prepared.glsl"

/// Norms values [first, end), which are in one tile.
void normTile(uint first, uint end, float scale) {
    const uint begin = gl_WorkGroupID.x * push.width;
    for (uint i = first + laneNumber(); i < end; i += kLanes) {
        const float value = unnormed(i);
        precise float scaled = value * scale;
        precise float result = scaled * weight[push.weightOffset + i];
        outputs[begin + i] = result;
        if (kAdds != 0) sumOut[begin + i] = value;
        if (kPrepares != 0) tile[placeInTile(i - first)] = result;
    }
}

void main() {
    const float scale = normScale(0, push.width, push.inverseWidth, push.epsilon);
    const uint vector = gl_WorkGroupID.x * push.preparedStride;
    for (uint first = 0; first < push.width; first += kTile) {
        const uint end = min(first + kTile, push.width);
        normTile(first, end, scale);
        if (kPrepares != 0) prepareTile(vector, push.width, first, end - first);
    }
    if (kPrepares != 0) padPrepared(vector, push.width, push.preparedStride);
}
