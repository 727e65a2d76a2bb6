// SPDX-License-Identifier: Apache-2.0
// All that happens to queries, keys and values between their product and attention: norms (norms.glsl), rotation
// (rotation.glsl), and keys and values go into the KV cache, whose layout is that of engine/decoder/kv_cache.h. A macro
// chooses its format, FORMAT_F16 or FORMAT_Q8_0. The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: heads of queries, then of keys, then of values. y: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_16bit_storage : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

const uint kEachHead = 1, kWholeProjection = 2;
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kQueryNorm = 0; // norm of queries: 0 (none), kEachHead or kWholeProjection
layout(constant_id = 1) const uint kKeyNorm = 0;   // norm of keys
layout(constant_id = 2) const uint kRotates = 0;   // 1: queries and keys are rotated
layout(constant_id = 3) const uint kHalves = 0;
layout(binding = 0, std430) readonly buffer Rows { float rows[]; };
layout(binding = 1, std430) readonly buffer CosSin { float cosSin[]; };
layout(binding = 2, std430) readonly buffer QueryNorm { float queryNorm[]; };
layout(binding = 3, std430) readonly buffer KeyNorm { float keyNorm[]; };
layout(binding = 4, std430) readonly buffer First { Step first; };
layout(binding = 5, std430) writeonly buffer Queries { float queries[]; };
layout(binding = 6, std430) writeonly buffer Cache { uint16_t cache[]; };
layout(push_constant, std430) uniform Push { HeadsPush push; };

#include "elementary.glsl"
#include "halves.glsl"
#include "sums.glsl"

float unnormed(uint at) { return rows[at]; }

#include "norms.glsl"

// This workgroup's head.
bool isQuery, isKey;
uint number;   // among the queries, keys or values
uint headAt;   // its first value in `rows`
uint norm;     // as kQueryNorm says
uint weightAt; // the place of the norm's first weight for this head
float scale;   // the norm's factor

/// All lanes call it.
void findHead() {
    const uint unit = gl_WorkGroupID.x;
    isQuery = unit < push.heads;
    isKey = !isQuery && unit < push.heads + push.kvHeads;
    number = isQuery ? unit : (unit - push.heads) % push.kvHeads;
    headAt = gl_WorkGroupID.y * push.rowStride + unit * push.headDim;
    norm = isQuery ? kQueryNorm : isKey ? kKeyNorm : 0;
    weightAt = norm == kWholeProjection ? number * push.headDim : 0;
    if (norm == 0) return;
    const uint heads = norm == kEachHead ? 1 : isQuery ? push.heads : push.kvHeads;
    const float inverseWidth = isQuery ? push.inverseQueryWidth : push.inverseKeyWidth;
    scale = normScale(headAt - weightAt, heads * push.headDim, inverseWidth, push.epsilon);
}

/// Value i of the head before its rotation.
float headValue(uint i) {
    const float value = rows[headAt + i];
    if (norm == 0) return value;
    precise float scaled = value * scale;
    precise float result = scaled * (isQuery ? queryNorm[weightAt + i] : keyNorm[weightAt + i]);
    return result;
}

#include "rotation.glsl"

float finished(uint i) {
    return kRotates != 0 && (isQuery || isKey) ? rotated(i, push.dimensions, gl_WorkGroupID.y) : headValue(i);
}

#ifdef FORMAT_Q8_0
#include "block_tile.glsl"

const uint kWordsOfBlock = 17;
uint rowWords() { return push.headDim / kBlock * kWordsOfBlock; }

/// Writes the blocks in `tile`: the scale, then values in pairs. at: the first one's word in the cache.
void keepTile(uint at, uint values) {
    scaleBlocks(values);
    const uint lane = laneNumber(), blocks = values / kBlock;
    for (uint block = lane; block < blocks; block += kLanes)
        cache[at + block * kWordsOfBlock] = uint16_t(halfBits(uintBitsToFloat(scaleOf[block])));
    for (uint pair = lane; pair < values / 2; pair += kLanes) {
        const uint block = 2 * pair / kBlock;
        const float inverse = inverseOf[block];
        cache[at + pair + block + 1] = uint16_t(quantAt(2 * pair, inverse) | quantAt(2 * pair + 1, inverse) << 8);
    }
    barrier();
}

void keep(uint at) {
    for (uint begin = 0; begin < push.headDim; begin += kTile) {
        const uint end = min(begin + kTile, push.headDim);
        for (uint i = begin + laneNumber(); i < end; i += kLanes) tile[placeInTile(i - begin)] = finished(i);
        keepTile(at + begin / kBlock * kWordsOfBlock, end - begin);
    }
}
#else
uint rowWords() { return push.headDim; }

/// Writes the head as a row of the cache, whose first word of 16 bits is `at`.
void keep(uint at) {
    for (uint i = laneNumber(); i < push.headDim; i += kLanes) cache[at + i] = uint16_t(halfBits(finished(i)));
}
#endif

void main() {
    const uint token = gl_WorkGroupID.y;
    findHead();
    if (isQuery) {
        const uint at = (token * push.heads + number) * push.headDim;
        for (uint i = laneNumber(); i < push.headDim; i += kLanes) queries[at + i] = finished(i);
        return;
    }
    const uint place = number * push.capacity + (first.position + token) % push.capacity;
    keep((isKey ? push.keysOffset : push.valuesOffset) / 2 + place * rowWords());
}
