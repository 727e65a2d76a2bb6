// SPDX-License-Identifier: Apache-2.0
// Adds the blocks of one token's attention, which attention_blocks.comp computed, in their order. With kPrepares the row
// of all heads is also written as prepare_bytes.comp does. The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: heads.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kParts = 1;
layout(constant_id = 1) const uint kSinks = 0;
layout(constant_id = 2) const uint kPrepares = 0; // 1: writes `prepared`; headDim is a multiple of 32
layout(binding = 0, std430) readonly buffer Partials { float partials[]; };
layout(binding = 1, std430) readonly buffer Sinks { float sinks[]; };
layout(binding = 2, std430) readonly buffer First { Step first; };
layout(binding = 3, std430) writeonly buffer Out { float outputs[]; };
layout(binding = 4, std430) writeonly buffer Prepared { uint prepared[]; };
layout(push_constant, std430) uniform Push { AttentionSumPush push; };

#define ADDS_BLOCKS
#include "elementary.glsl"
#include "attention.glsl"
#include "prepared.glsl"

void readBlock(uint at, uint lane) {
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        valuesOfBlock[part] = c < push.headDim ? partials[at + c] : 0.0;
    }
    largestOfBlock = partials[at + push.headDim];
    totalOfBlock = partials[at + push.headDim + 1];
}

/// Writes the head's blocks of the prepared row.
void prepareHead(uint head, uint lane) {
    const uint columns = push.heads * push.headDim;
    for (uint begin = 0; begin < push.headDim; begin += kTile) {
        const uint end = min(begin + kTile, push.headDim);
        for (uint c = begin + lane; c < end; c += kPositions) tile[placeInTile(c - begin)] = values[c / kPositions];
        prepareTile(0, columns, head * push.headDim + begin, end - begin);
    }
    if (head == 0) padPrepared(0, columns, push.preparedStride);
}

void main() {
    const uint head = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex, end = first.position + 1;
    uint at = head * push.mostBlocks * (push.headDim + 2);
    beginTotal(head);
    for (uint from = firstSeen(end); from < end; from = beginOfNextBlock(from)) {
        readBlock(at, lane);
        addBlock();
        at += push.headDim + 2;
    }
    finishTotal();
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        if (c < push.headDim) outputs[head * push.headDim + c] = values[part];
    }
    if (kPrepares != 0) prepareHead(head, lane);
}
