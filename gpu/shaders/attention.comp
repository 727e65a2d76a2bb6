// SPDX-License-Identifier: Apache-2.0
// Attention of some tokens' heads over the KV cache, whose layout is that of engine/decoder/kv_cache.h, with a sliding
// window and sinks where the model has them. A macro chooses the cache's format, FORMAT_F16 or FORMAT_Q8_0. The scalar
// model is gpu/models/layer_steps.h.
//
// Positions are taken in blocks of 64, which begin at multiples of 64 whatever the token; a token uses those that it
// sees. A block gives the largest score, the sum of exp(score - largest) and the values weighted by that, and is then
// added to the blocks before it. So no bit depends on how many tokens are computed together. Sources of the sums:
// arXiv:1805.02867 (online softmax), 2205.14135 (over blocks of keys).
//
// Orders: a score adds the products of its columns in rising order. The sum of a block's weights has a lane for each
// position, and lanes are added as sums.glsl says. Weighted values are added in the order of positions.
//
// x of the dispatch: heads. y: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

const uint kPositions = 64; // a block has one for each lane
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kParts = 1; // values of a head for each lane: headDim / 64, rounded up
layout(constant_id = 1) const uint kSinks = 0; // 1: a logit of each head takes weight and has no value
layout(binding = 0, std430) readonly buffer Queries { float queries[]; };
layout(binding = 1, std430) readonly buffer Cache { uint weightWords[]; };
layout(binding = 2, std430) readonly buffer Sinks { float sinks[]; };
layout(binding = 3, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { AttentionPush push; };

#include "elementary.glsl"
#include "formats.glsl"
#include "sums.glsl"

shared float scores[kPositions];
shared float weights[kPositions];

/// The blocks added so far; largest means nothing until there is one, or a sink.
bool begun;
float largest, total;
float values[kParts];

/// Value c of a row of the cache.
float cached(uint row, uint c) {
#ifdef FLOAT_FORMAT
    return weightAt(row, c);
#else
    const uint block = blockOf(row, c / kStep);
    return expanded(quantWordAt(block, 0, c % kStep / 4), c % 4, factorsAt(block, 0).d, 1, 0.0, 0);
#endif
}

/// The row of a position behind `offset`, which is that of the layer's keys or values.
uint rowAt(uint offset, uint head, uint position) {
    return offset + (head / push.group * push.capacity + position % push.capacity) * rowBytes(push.headDim);
}

float scoreOf(uint query, uint row) {
    float sum = 0.0;
    for (uint c = 0; c < push.headDim; ++c) {
        precise float product = queries[query + c] * cached(row, c);
        precise float next = sum + product;
        sum = next;
    }
    precise float scaled = sum * push.scale;
    return scaled;
}

/// Adds a block's weighted value to the part's, scaled to one largest score.
void addValue(uint part, float value, float kept, float added) {
    precise float before = values[part] * kept;
    precise float now = value * added;
    precise float sum = before + now;
    values[part] = begun ? sum : value;
}

/// Adds positions [begin, end), which lie in one block.
void addBlock(uint head, uint query, uint begin, uint end) {
    const uint lane = laneNumber(), position = begin / kPositions * kPositions + lane;
    const bool seen = position >= begin && position < end;
    const float score = seen ? scoreOf(query, rowAt(push.keysOffset, head, position)) : 0.0;
    scores[lane] = score;
    barrier();
    float ofBlock = scores[begin % kPositions];
    for (uint p = begin + 1; p < end; ++p) ofBlock = max(ofBlock, scores[p % kPositions]);
    precise float distance = score - ofBlock;
    const float weight = seen ? exponential(distance) : 0.0;
    weights[lane] = weight;
    const float sum = sumOverLanes(weight, kPositions);
    barrier();
    const float highest = begun ? max(largest, ofBlock) : ofBlock;
    precise float keptDistance = largest - highest;
    precise float addedDistance = ofBlock - highest;
    const float kept = begun ? exponential(keptDistance) : 0.0, added = exponential(addedDistance);
    precise float totalBefore = total * kept;
    precise float totalNow = sum * added;
    precise float totalSum = totalBefore + totalNow;
    total = begun ? totalSum : sum;
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        if (c >= push.headDim) continue;
        float value = 0.0;
        for (uint p = begin; p < end; ++p) {
            precise float product = weights[p % kPositions] * cached(rowAt(push.valuesOffset, head, p), c);
            precise float next = value + product;
            value = next;
        }
        addValue(part, value, kept, added);
    }
    largest = highest;
    begun = true;
    barrier();
}

void main() {
    const uint head = gl_WorkGroupID.x, token = gl_WorkGroupID.y, lane = laneNumber();
    const uint query = (token * push.heads + head) * push.headDim;
    const uint end = push.position + token + 1;
    const uint begin = push.window == 0 || end <= push.window ? 0 : end - push.window;
    begun = kSinks != 0;
    largest = begun ? sinks[push.sinksOffset + head] : 0.0;
    total = begun ? 1.0 : 0.0;
    for (uint part = 0; part < kParts; ++part) values[part] = 0.0;
    for (uint from = begin; from < end; from = (from / kPositions + 1) * kPositions)
        addBlock(head, query, from, min((from / kPositions + 1) * kPositions, end));
    const float inverse = reciprocal(total);
    for (uint part = 0; part < kParts; ++part) {
        const uint c = part * kPositions + lane;
        precise float result = values[part] * inverse;
        if (c < push.headDim) outputs[query + c] = result;
    }
}
