// SPDX-License-Identifier: Apache-2.0
// Adds the counts that the workgroups of neurons.comp wrote: out[layer, row] = sum over groups of counts[layer, row,
// group]. The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: rows. y: layers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer Counts { uint counts[]; };
layout(binding = 1, std430) writeonly buffer Out { uint outputs[]; };
layout(push_constant, std430) uniform Push { GroupCountsPush push; };

void main() {
    const uint row = gl_GlobalInvocationID.x, layer = gl_WorkGroupID.y;
    if (row >= push.rows) return;
    const uint begin = push.countsOffset + layer * push.layerStride + row * push.rowStride;
    uint sum = 0;
    for (uint group = 0; group < push.groups; ++group) sum += counts[begin + group];
    outputs[push.outOffset + layer * push.outStride + row] = sum;
}
