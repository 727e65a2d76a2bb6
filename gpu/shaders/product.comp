// SPDX-License-Identifier: Apache-2.0
// out[v, k] = row . x: products of a matrix in one format with prepared vectors, which lie as engine/kernels/blocks.h
// draws them. A macro chooses the format (formats.glsl). The scalar model is gpu/models/products.h.
//
// steps.glsl has the order of the sum.
//
// x of the dispatch: groups of (lanes / 32 * kRows) rows, any number of them. y: groups of kVectors vectors.
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

layout(local_size_x_id = 0) in;                     // a multiple of 32
layout(constant_id = 1) const uint kRows = 1;       // rows that a team computes together
layout(constant_id = 2) const uint kVectors = 1;    // vectors that a team computes together; 1 is best with experts
layout(constant_id = 3) const uint kExperts = 0;    // 1: expertOf[v] and placeOf[expert] choose the matrix of vector v
layout(constant_id = 4) const uint kListedRows = 0; // 1: value k of an output vector is of row rowOf[k], not of row k
layout(constant_id = 5) const uint kBias = 0;       // 1: the row's bias is added to the sum

layout(binding = 0, std430) readonly buffer WeightWords { uint weightWords[]; };
layout(binding = 0, std430) readonly buffer WeightQuads { uvec4 weightQuads[]; };
layout(binding = 1, std430) readonly buffer InputWords { uint inputWords[]; };
layout(binding = 1, std430) readonly buffer InputQuads { uvec4 inputQuads[]; };
layout(binding = 2, std430) readonly buffer ExpertOf { uint expertOf[]; }; // [vectors]
layout(binding = 3, std430) readonly buffer PlaceOf { uint placeOf[]; };   // [experts] bytes, or kNoMatrix
layout(binding = 4, std430) readonly buffer RowOf { uint rowOf[]; };       // [rows]
layout(binding = 5, std430) readonly buffer Bias { float bias[]; };
layout(binding = 6, std430) writeonly buffer Out { float outputs[]; };
layout(push_constant, std430) uniform Push { ProductPush push; };

const uint kSums = kRows * kVectors;
#define SUM_VALUES kSums
#include "formats.glsl"
#include "steps.glsl"
#include "sums.glsl"

/// The rows and vectors that a team computes together, and its sums: [kRows, kVectors].
uint rowsOfTeam[kRows];
uint matrixOfVector[kVectors]; // offset of its first byte, or kNoMatrix
float sums[kSums];

void chooseRows(uint firstRow) {
    for (uint r = 0; r < kRows; ++r) {
        const uint k = min(firstRow + r, push.rows - 1); // a row behind the last one is computed and not written
        rowsOfTeam[r] = kListedRows != 0 ? rowOf[k] : k;
    }
}

void chooseMatrices(uint firstVector) {
    for (uint v = 0; v < kVectors; ++v) {
        matrixOfVector[v] = firstVector + v < push.vectors ? push.matrixOffset : kNoMatrix;
        if (kExperts == 0 || matrixOfVector[v] == kNoMatrix) continue;
        const uint place = placeOf[expertOf[firstVector + v]];
        matrixOfVector[v] = place == kNoMatrix ? kNoMatrix : place + push.matrixOffset;
    }
}

uint inputOf(uint vector) { return vector / push.vectorsPerInput * push.inputStride; }

#ifdef FLOAT_FORMAT

/// Adds the columns of one step for each row and vector.
void addStep(uint b, uint firstVector) {
    for (uint r = 0; r < kRows; ++r)
        for (uint v = 0; v < kVectors; ++v) {
            if (matrixOfVector[v] == kNoMatrix) continue;
            const uint row = matrixOfVector[v] + rowsOfTeam[r] * rowBytes(push.columns), i = r * kVectors + v;
            sums[i] = withStep(sums[i], row, inputOf(firstVector + v), b);
        }
}

#else

/// Adds one step for each row and vector. A row is unpacked once for all vectors of one matrix.
void addStep(uint b, uint firstVector) {
    Input x[kVectors];
    for (uint v = 0; v < kVectors; ++v)
        if (matrixOfVector[v] != kNoMatrix) x[v] = readInput(inputOf(firstVector + v), b);
    for (uint r = 0; r < kRows; ++r) {
        Quants w;
        Factors f;
        for (uint v = 0; v < kVectors; ++v) {
            if (matrixOfVector[v] == kNoMatrix) continue;
            if (v == 0 || kExperts != 0) {
                const uint block = blockOf(matrixOfVector[v] + rowsOfTeam[r] * rowBytes(push.columns), b);
                w = quantsAt(block, partOf(b));
                f = factorsAt(block, partOf(b));
            }
            const uint i = r * kVectors + v;
            sums[i] = withProduct(sums[i], w, f, x[v]);
        }
    }
}

#endif

void writeSums(uint firstRow, uint firstVector) {
    for (uint r = 0; r < kRows; ++r)
        for (uint v = 0; v < kVectors; ++v) {
            const uint k = firstRow + r, vector = firstVector + v;
            if (k >= push.rows || matrixOfVector[v] == kNoMatrix) continue;
            precise float value = sums[r * kVectors + v];
            if (kBias != 0) {
                const uint expert = kExperts != 0 ? expertOf[vector] : 0;
                value = value + bias[push.biasOffset + expert * push.biasStride + rowsOfTeam[r]];
            }
            outputs[push.outOffset + vector * push.outStride + k] = value;
        }
}

void main() {
    const uint lane = laneNumber();
    const uint teams = gl_WorkGroupSize.x / kTeam;
    const uint firstVector = gl_WorkGroupID.y * kVectors;
    const uint steps = (push.columns + kStep - 1) / kStep;
    chooseMatrices(firstVector);
    for (uint group = gl_WorkGroupID.x; group * teams * kRows < push.rows; group += gl_NumWorkGroups.x) {
        const uint firstRow = (group * teams + lane / kTeam) * kRows;
        chooseRows(firstRow);
        for (uint i = 0; i < kSums; ++i) sums[i] = 0.0;
        for (uint b = lane % kTeam; b < steps; b += kTeam) addStep(b, firstVector);
        sumOverLanes(sums, kTeam);
        if (lane % kTeam == 0) writeSums(firstRow, firstVector);
    }
}
