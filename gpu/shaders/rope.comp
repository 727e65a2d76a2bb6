// SPDX-License-Identifier: Apache-2.0
// Rotates the first values of each head by the position of its token (arXiv:2104.09864). Pairs are neighbours, or with
// kHalves a value of the first half of the rotated ones and one of the second. cosSin: [tokens, dimensions / 2, 2]. The
// scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: values of a head. y: heads of all tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kHalves = 0;
layout(binding = 0, std430) readonly buffer Heads { float heads[]; };
layout(binding = 1, std430) readonly buffer CosSin { float cosSin[]; };
layout(binding = 2, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { RopePush push; };

void main() {
    const uint i = gl_GlobalInvocationID.x, head = gl_WorkGroupID.y;
    if (i >= push.headDim) return;
    const uint begin = head * push.headDim, pairs = push.dimensions / 2;
    if (i >= push.dimensions) {
        outputs[begin + i] = heads[begin + i];
        return;
    }
    const uint pair = kHalves != 0 ? i % pairs : i / 2;
    const bool isSecond = kHalves != 0 ? i >= pairs : i % 2 != 0;
    const float first = heads[begin + (kHalves != 0 ? pair : 2 * pair)];
    const float second = heads[begin + (kHalves != 0 ? pair + pairs : 2 * pair + 1)];
    const uint at = (head / push.heads * pairs + pair) * 2;
    const float cosine = cosSin[at], sine = cosSin[at + 1];
    precise float a = isSecond ? first * sine : first * cosine;
    precise float b = isSecond ? second * cosine : second * sine;
    precise float result = isSecond ? a + b : a - b;
    outputs[begin + i] = result;
}
