// SPDX-License-Identifier: Apache-2.0
// The blocks of one token's attention over the KV cache, each by a workgroup of its own, so that a long context keeps
// the whole device busy. attention_sum.comp adds them, and the bits are those of attention.comp. A macro chooses the
// cache's format, FORMAT_F16 or FORMAT_Q8_0. The scalar model is gpu/models/layer_steps.h, and attention.glsl has the
// orders of the sums.
//
// x of the dispatch: heads. y: blocks, the first one that the token sees is 0; those behind its last block do nothing.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kParts = 1;
layout(binding = 0, std430) readonly buffer Queries { float queries[]; }; // [heads, headDim]
layout(binding = 1, std430) readonly buffer Cache { uint weightWords[]; };
layout(binding = 2, std430) readonly buffer First { Step first; };
layout(binding = 3, std430) writeonly buffer Partials { float partials[]; }; // values, largest score, sum of weights
layout(push_constant, std430) uniform Push { AttentionPush push; };

#define COMPUTES_BLOCKS
#include "elementary.glsl"
#include "formats.glsl"
#include "sums.glsl"
#include "attention.glsl"

void main() {
    const uint head = gl_WorkGroupID.x, end = first.position + 1, seen = firstSeen(end);
    const uint begin = (seen / kPositions + gl_WorkGroupID.y) * kPositions;
    if (begin >= end) return;
    computeBlock(head, head * push.headDim, max(begin, seen), min(begin + kPositions, end));
    const uint at = (head * push.mostBlocks + gl_WorkGroupID.y) * (push.headDim + 2), lane = laneNumber();
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        if (c < push.headDim) partials[at + c] = valuesOfBlock[part];
    }
    if (lane != 0) return;
    partials[at + push.headDim] = largestOfBlock;
    partials[at + push.headDim + 1] = totalOfBlock;
}
