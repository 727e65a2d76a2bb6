// SPDX-License-Identifier: Apache-2.0
// RMS norm: out[v, i] = x[v, i] / sqrt(mean of the squares + epsilon) * weight[i]. With kAdds weighted rows are added to
// x first (row_sums.glsl), and the sum is written too: the residual stream with the output of attention or of experts.
// With kPrepares the vector is written as prepare_bytes.comp does, otherwise as floats. With ROUTES a router's logits are
// written, too: products of its rows, whose format a macro chooses, with the vector before or after the norm, with the
// bits of product.comp. The scalar model is gpu/models/layer_steps.h.
//
// norms.glsl has the order of the sum of squares. x of the dispatch: vectors. y: one, and with ROUTES one more for each
// group of rows of the router. Each of their workgroups computes the norm again, which is less work than a dispatch.
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
#ifdef ROUTES
layout(constant_id = 3) const uint kRoutesNormed = 0; // 1: the router reads the normed vector
#endif
layout(binding = 0, std430) readonly buffer X { float x[]; };
layout(binding = 1, std430) readonly buffer Rows { float rows[]; };
layout(binding = 2, std430) readonly buffer Weights { float weightOf[]; };
layout(binding = 3, std430) readonly buffer Weight { float weight[]; };
layout(binding = 4, std430) writeonly buffer Out { float outputs[]; }; // without kPrepares
layout(binding = 4, std430) writeonly buffer Prepared { uint prepared[]; };
layout(binding = 5, std430) writeonly buffer SumOut { float sumOut[]; };
#ifdef ROUTES
layout(binding = 6, std430) readonly buffer RouterWords { uint weightWords[]; };
layout(binding = 7, std430) writeonly buffer Logits { float logits[]; }; // [vectors, routerRows]
#endif
layout(push_constant, std430) uniform Push { NormPush push; };

#ifdef ROUTES
const uint kRows = 2; // rows of the router that a team computes together
#define SUM_VALUES kRows
#endif
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
        if (kPrepares == 0) outputs[begin + i] = result;
        if (kAdds != 0) sumOut[begin + i] = value;
        if (kPrepares != 0) tile[placeInTile(i - first)] = result;
    }
}

void writeNorm(float scale) {
    const uint vector = gl_WorkGroupID.x * push.preparedStride;
    for (uint first = 0; first < push.width; first += kTile) {
        const uint end = min(first + kTile, push.width);
        normTile(first, end, scale);
        if (kPrepares != 0) prepareTile(vector, push.width, first, end - first);
    }
    if (kPrepares != 0) padPrepared(vector, push.width, push.preparedStride);
}

#ifdef ROUTES
#define COLUMNS push.width
#define INPUT_VALUE(at) tile[placeInTile((at) % kTile)]
#include "formats.glsl"
#include "steps.glsl"

/// Writes what the router reads of the vector, values [first, end), into the tile.
void fillTile(uint first, uint end, float scale) {
    for (uint i = first + laneNumber(); i < end; i += kLanes) {
        precise float value = unnormed(i);
        if (kRoutesNormed != 0) {
            precise float scaled = value * scale;
            value = scaled * weight[push.weightOffset + i];
        }
        tile[placeInTile(i - first)] = value;
    }
}

/// Computes the logits of this workgroup's rows. A tile has one step for each lane of a team.
void writeLogits(float scale) {
    const uint lane = laneNumber(), teams = kLanes / kTeam;
    const uint firstRow = ((gl_WorkGroupID.y - 1) * teams + lane / kTeam) * kRows;
    float sums[kRows];
    for (uint r = 0; r < kRows; ++r) sums[r] = 0.0;
    for (uint first = 0; first < push.width; first += kTile) {
        const uint b = first / kStep + lane % kTeam;
        fillTile(first, min(first + kTile, push.width), scale);
        barrier();
        for (uint r = 0; r < kRows && b * kStep < push.width; ++r)
            if (firstRow + r < push.routerRows)
                sums[r] = withStep(sums[r], (firstRow + r) * rowBytes(push.width), 0, b);
        barrier();
    }
    sumOverLanes(sums, kTeam);
    if (lane % kTeam != 0) return;
    for (uint r = 0; r < kRows; ++r)
        if (firstRow + r < push.routerRows) logits[gl_WorkGroupID.x * push.routerRows + firstRow + r] = sums[r];
}

void main() {
    const bool routes = gl_WorkGroupID.y > 0; // the same for all lanes
    float scale = 1.0;
    if (!routes || kRoutesNormed != 0) scale = normScale(0, push.width, push.inverseWidth, push.epsilon);
    if (routes)
        writeLogits(scale);
    else
        writeNorm(scale);
}
#else
void main() { writeNorm(normScale(0, push.width, push.inverseWidth, push.epsilon)); }
#endif
