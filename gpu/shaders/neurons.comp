// SPDX-License-Identifier: Apache-2.0
// The neurons of feed-forward parts from their inputs: activation(gate . x) * (up . x) (activations.glsl), for matrices
// of one format that hold the rows of gates, then those of ups. It computes what product.comp and activate.comp compute,
// with their bits. With kPrepares the neurons are written as prepare_bytes.comp does, otherwise as floats. With
// kGateFirst the ups of neurons whose gate is shut are not read, and the number of those that were read is written. A
// macro chooses the format (formats.glsl). The scalar models are those of product and activate.
//
// x of the dispatch: groups of 32 neurons, which one workgroup computes. y: vectors.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#ifdef INTEGER_DOT
#extension GL_EXT_spirv_intrinsics : require
#endif
#include "interface.h"

layout(local_size_x_id = 0) in;                    // a multiple of 32
layout(constant_id = 1) const uint kRows = 1;      // neurons that a team of 32 lanes computes together; teams take turns
layout(constant_id = 2) const uint kExperts = 0;   // 1: expertOf[v] and placeOf[expert] choose the matrix of vector v
layout(constant_id = 3) const uint kBias = 0;      // 1: the row's bias is added to the product
layout(constant_id = 4) const uint kKind = 0;      // the formula
layout(constant_id = 5) const uint kGateFirst = 0; // 1: only with the formula kReGlu
layout(constant_id = 6) const uint kPrepares = 0;  // 1: the neurons are a multiple of 32

layout(binding = 0, std430) readonly buffer WeightWords { uint weightWords[]; };
layout(binding = 0, std430) readonly buffer WeightQuads { uvec4 weightQuads[]; };
layout(binding = 1, std430) readonly buffer InputWords { uint inputWords[]; };
layout(binding = 1, std430) readonly buffer InputQuads { uvec4 inputQuads[]; };
layout(binding = 2, std430) readonly buffer ExpertOf { uint expertOf[]; }; // [vectors]
layout(binding = 3, std430) readonly buffer PlaceOf { uint placeOf[]; };   // [experts] bytes, or kNoMatrix
layout(binding = 4, std430) readonly buffer Bias { float bias[]; };        // [experts, 2 neurons]
layout(binding = 5, std430) writeonly buffer Out { float outputs[]; };     // without kPrepares
layout(binding = 5, std430) writeonly buffer Prepared { uint prepared[]; };
layout(binding = 6, std430) writeonly buffer UpsRead { uint upsRead[]; }; // a number for each group of 32 neurons
layout(push_constant, std430) uniform Push { NeuronsPush push; };

const uint kGroup = 32;
const uint kSums = kRows * (2 - kGateFirst); // with kGateFirst gates and ups have the same ones, one after the other
const uint kUps = kSums - kRows;             // the first one of ups
#define SUM_VALUES kSums
#define TILE_VALUES 32
#include "elementary.glsl"
#include "activations.glsl"
#include "formats.glsl"
#include "steps.glsl"
#include "sums.glsl"
#include "prepared.glsl"

shared uint upsOfGroup;

float sums[kSums];
bool reads[kRows]; // the neurons whose rows are read

#ifdef FLOAT_FORMAT

/// Adds one step of the rows from this one on to the sums from `to` on.
void addStep(uint row, uint x, uint b, uint to) {
    for (uint r = 0; r < kRows; ++r)
        if (reads[r]) sums[to + r] = withStep(sums[to + r], row + r * rowBytes(push.columns), x, b);
}

#else

void addStep(uint row, uint x, uint b, uint to) {
    const Input values = readInput(x, b);
    for (uint r = 0; r < kRows; ++r) {
        if (!reads[r]) continue;
        const uint block = blockOf(row + r * rowBytes(push.columns), b);
        sums[to + r] = withProduct(sums[to + r], quantsAt(block, partOf(b)), factorsAt(block, partOf(b)), values);
    }
}

#endif

/// Adds this lane's steps of the rows from this one on, as addStep() does.
void addRows(uint row, uint x, uint to) {
    const uint steps = (push.columns + kStep - 1) / kStep;
    for (uint b = laneNumber() % kTeam; b < steps; b += kTeam) addStep(row, x, b, to);
}

float withBias(float sum, uint place) {
    if (kBias == 0) return sum;
    precise float value = sum + bias[place];
    return value;
}

/// Computes neurons [first, first + kRows) into the tile, and returns how many ups this team has read. matrix: the place
/// of the first byte. All lanes call it.
uint computeNeurons(uint matrix, uint x, uint biasAt, uint first) {
    float gates[kRows];
    uint count = 0;
    for (uint i = 0; i < kSums; ++i) sums[i] = 0.0;
    for (uint r = 0; r < kRows; ++r) reads[r] = first + r < push.neurons;
    addRows(matrix + first * rowBytes(push.columns), x, 0);
    if (kGateFirst != 0) {
        sumOverLanes(sums, kTeam);
        for (uint r = 0; r < kRows; ++r) {
            gates[r] = reads[r] ? withBias(sums[r], biasAt + first + r) : 0.0;
            reads[r] = reads[r] && isOpen(gates[r]);
            sums[r] = 0.0;
        }
    }
    for (uint r = 0; r < kRows; ++r) count += reads[r] ? 1u : 0u;
    addRows(matrix + (push.neurons + first) * rowBytes(push.columns), x, kUps);
    sumOverLanes(sums, kTeam);
    if (laneNumber() % kTeam != 0) return 0;
    for (uint r = 0; r < kRows; ++r) {
        if (kGateFirst == 0 && reads[r]) gates[r] = withBias(sums[r], biasAt + first + r);
        const float up = reads[r] ? withBias(sums[kUps + r], biasAt + push.neurons + first + r) : 0.0;
        tile[placeInTile((first + r) % kGroup)] = reads[r] ? activated(gates[r], up) : 0.0;
    }
    return count;
}

/// Writes the neurons of the tile.
void writeGroup(uint vector, uint first) {
    const uint at = vector * push.outStride, lane = laneNumber();
    if (kPrepares != 0) {
        prepareTile(at, push.neurons, first, kGroup);
        if (first == 0) padPrepared(at, push.neurons, push.outStride);
        return;
    }
    barrier();
    if (lane < kGroup && first + lane < push.neurons) outputs[at + first + lane] = tile[placeInTile(lane)];
}

void main() {
    const uint lane = laneNumber(), vector = gl_WorkGroupID.y, begin = gl_WorkGroupID.x * kGroup;
    uint expert = 0, matrix = 0;
    if (kExperts != 0) {
        expert = expertOf[vector];
        matrix = placeOf[expert];
        if (matrix == kNoMatrix) return;
    }
    if (lane == 0) upsOfGroup = 0;
    barrier();
    const uint x = vector / push.vectorsPerInput * push.inputStride, teams = gl_WorkGroupSize.x / kTeam;
    uint count = 0;
    for (uint i = 0; i < kGroup; i += teams * kRows)
        count += computeNeurons(matrix, x, expert * 2 * push.neurons, begin + i + lane / kTeam * kRows);
    if (kGateFirst != 0 && lane % kTeam == 0) atomicAdd(upsOfGroup, count);
    writeGroup(vector, begin);
    if (kGateFirst == 0) return;
    barrier();
    if (lane == 0) upsRead[push.countsOffset + vector * push.countsStride + gl_WorkGroupID.x] = upsOfGroup;
}
