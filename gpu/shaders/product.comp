// SPDX-License-Identifier: Apache-2.0
// out[v, k] = row . x: products of a matrix in one format with prepared vectors, which lie as engine/kernels/blocks.h
// draws them. A macro chooses the format (formats.glsl). The scalar model is gpu/models/products.h.
//
// The order of the sum depends on the number of columns alone. Step b of 32 columns belongs to lane b % 32 of a team of
// 32 lanes. A lane adds its steps in rising order, then lanes are added as sums.glsl says. Float formats add column by
// column, each product rounded. Integer formats add a step at once: its products are whole numbers, which are exact;
// then sum += d * scale * float(whole), and with minima sum -= dMinimum * scale * float(whole), from left to right.
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

const uint kTeam = 32;
const uint kSums = kRows * kVectors;
#define SUM_VALUES kSums
#include "formats.glsl"
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
    const uint begin = b * kStep, end = min(begin + kStep, push.columns);
    for (uint r = 0; r < kRows; ++r)
        for (uint v = 0; v < kVectors; ++v) {
            if (matrixOfVector[v] == kNoMatrix) continue;
            const uint row = matrixOfVector[v] + rowsOfTeam[r] * rowBytes(push.columns), x = inputOf(firstVector + v);
            precise float sum = sums[r * kVectors + v];
            uint c = begin;
            for (; c + 4 <= end; c += 4) {
                const vec4 w = weightsAt(row, c);
                for (uint i = 0; i < 4; ++i) {
                    precise float product = w[i] * uintBitsToFloat(inputWords[x + c + i]);
                    sum = sum + product;
                }
            }
            for (; c < end; ++c) {
                precise float product = weightAt(row, c) * uintBitsToFloat(inputWords[x + c]);
                sum = sum + product;
            }
            sums[r * kVectors + v] = sum;
        }
}

#else

/// 32 values of an input vector: x = scale * q.
struct Input {
    uvec4 first, second;
    float scale;
    ivec2 total; // sums of 16 values
};

#ifdef INTEGER_DOT
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6018, 6019], id = 4450)
int dotPacked(uint a, uint b, spirv_literal int packedFormat);
int dotOfBytes(uint a, uint b) { return dotPacked(a, b, 0); }
#else
int dotOfBytes(uint a, uint b) {
    const ivec4 x = ivec4(int(a)) << ivec4(24, 16, 8, 0) >> 24, y = ivec4(int(b)) << ivec4(24, 16, 8, 0) >> 24;
    return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
#endif
int dotOfBytes(uvec4 a, uvec4 b) {
    return dotOfBytes(a.x, b.x) + dotOfBytes(a.y, b.y) + dotOfBytes(a.z, b.z) + dotOfBytes(a.w, b.w);
}

Input readInput(uint at, uint b) {
    const uint scaleWords = (push.columns / kStep + 15) / 16 * 16; // whole lines of 64 bytes
    const uint quad = (at + scaleWords) / 4 + 2 * b;
    Input x = Input(inputQuads[quad], inputQuads[quad + 1], uintBitsToFloat(inputWords[at + b]), ivec2(0));
#ifdef HAS_MINIMUM
    const uvec4 ones = uvec4(0x01010101u);
    x.total = ivec2(dotOfBytes(x.first, ones), dotOfBytes(x.second, ones));
#endif
    return x;
}

void addProduct(uint place, Quants w, Factors f, Input x) {
    const int whole = f.scale.x * dotOfBytes(w.first, x.first) + f.scale.y * dotOfBytes(w.second, x.second);
    precise float factor = f.d * x.scale;
    precise float product = factor * float(whole);
    precise float sum = sums[place] + product;
#ifdef HAS_MINIMUM
    const int wholeOfMinima = f.minimum.x * x.total.x + f.minimum.y * x.total.y;
    precise float minimumFactor = f.dMinimum * x.scale;
    precise float share = minimumFactor * float(wholeOfMinima);
    sum = sum - share;
#endif
    sums[place] = sum;
}

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
            addProduct(r * kVectors + v, w, f, x[v]);
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
