// SPDX-License-Identifier: Apache-2.0
// Attention of some tokens' heads over the KV cache, whose layout is that of engine/decoder/kv_cache.h, with a sliding
// window and sinks where the model has them. A macro chooses the cache's format, FORMAT_F16 or FORMAT_Q8_0. The scalar
// model is gpu/models/layer_steps.h, and attention.glsl has the orders of the sums.
//
// x of the dispatch: heads. y: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kParts = 1;
layout(constant_id = 1) const uint kSinks = 0;
layout(binding = 0, std430) readonly buffer Queries { float queries[]; };
layout(binding = 1, std430) readonly buffer Cache { uint weightWords[]; };
layout(binding = 2, std430) readonly buffer Sinks { float sinks[]; };
layout(binding = 3, std430) readonly buffer First { Step first; };
layout(binding = 4, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { AttentionPush push; };

#define COMPUTES_BLOCKS
#define ADDS_BLOCKS
#include "elementary.glsl"
#include "formats.glsl"
#include "sums.glsl"
#include "attention.glsl"

void main() {
    const uint head = gl_WorkGroupID.x, token = gl_WorkGroupID.y;
    const uint query = (token * push.heads + head) * push.headDim, end = first.position + token + 1;
    beginTotal(head);
    for (uint from = firstSeen(end); from < end; from = beginOfNextBlock(from)) {
        computeBlock(head, query, from, min(beginOfNextBlock(from), end));
        addBlock();
    }
    finishTotal();
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + laneNumber();
        if (c < push.headDim) outputs[query + c] = values[part];
    }
}
