// SPDX-License-Identifier: Apache-2.0
// RMS norm: out[v, i] = x[v, i] / sqrt(mean of the squares + epsilon) * weight[i]. With kAdds another vector is added
// first, and the sum is written too: the residual stream with the attention's output. The scalar model is
// gpu/models/layer_steps.h.
//
// The order of the sum: value i belongs to lane i % 128, which adds its squares in rising order; then lanes are added
// as sums.glsl says. x of the dispatch: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

const uint kLanes = 128;
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kAdds = 0; // 1: x + added is normed and written to sumOut
layout(binding = 0, std430) readonly buffer X { float x[]; };
layout(binding = 1, std430) readonly buffer Added { float added[]; };
layout(binding = 2, std430) readonly buffer Weight { float weight[]; };
layout(binding = 3, std430) writeonly buffer Out { float outputs[]; };
layout(binding = 4, std430) writeonly buffer SumOut { float sumOut[]; };
layout(push_constant, std430) uniform Push { NormPush push; };

#include "elementary.glsl"
#include "sums.glsl"

float valueAt(uint i) {
    if (kAdds == 0) return x[i];
    precise float sum = x[i] + added[i];
    return sum;
}

void main() {
    const uint lane = laneNumber(), begin = gl_WorkGroupID.x * push.width;
    float squares = 0.0;
    for (uint i = lane; i < push.width; i += kLanes) {
        const float value = valueAt(begin + i);
        precise float square = value * value;
        precise float sum = squares + square;
        squares = sum;
    }
    squares = sumOverLanes(squares, kLanes);
    precise float mean = squares * push.inverseWidth;
    precise float shifted = mean + push.epsilon;
    const float scale = inverseRoot(shifted);
    for (uint i = lane; i < push.width; i += kLanes) {
        const float value = valueAt(begin + i);
        precise float scaled = value * scale;
        precise float result = scaled * weight[push.weightOffset + i];
        outputs[begin + i] = result;
        if (kAdds != 0) sumOut[begin + i] = value;
    }
}
