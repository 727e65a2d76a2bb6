// SPDX-License-Identifier: Apache-2.0
// The neurons of a feed-forward part from its gates and ups (activations.glsl), and the number of neurons in each row
// that let something through. With kPrepares the neurons are also written as prepare_bytes.comp does. neurons.comp does
// this and the products before it. The scalar model is gpu/models/layer_steps.h.
//
// x of the dispatch: rows.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

const uint kLanes = 128;
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kKind = 0;
layout(constant_id = 1) const uint kPrepares = 0; // 1: writes `prepared`; the neurons are a multiple of 32
layout(binding = 0, std430) readonly buffer Gates { float gates[]; };
layout(binding = 1, std430) readonly buffer Ups { float ups[]; };
layout(binding = 2, std430) writeonly buffer Out { float outputs[]; };
layout(binding = 3, std430) writeonly buffer Active { uint activeCounts[]; }; // [rows]
layout(binding = 4, std430) writeonly buffer Prepared { uint prepared[]; };
layout(push_constant, std430) uniform Push { ActivatePush push; };

#include "elementary.glsl"
#include "activations.glsl"
#include "prepared.glsl"

shared uint activeOfRow;

/// Computes neurons [first, end) of this row, which are in one tile, and returns how many of this lane's are open.
uint activateTile(uint first, uint end) {
    const uint row = gl_WorkGroupID.x, begin = row * push.inputStride;
    uint open = 0;
    for (uint i = first + gl_LocalInvocationIndex; i < end; i += kLanes) {
        const float gate = gates[begin + i], neuron = activated(gate, ups[push.upOffset + begin + i]);
        outputs[row * push.neurons + i] = neuron;
        open += isOpen(gate) ? 1u : 0u;
        if (kPrepares != 0) tile[placeInTile(i - first)] = neuron;
    }
    return open;
}

void main() {
    const uint row = gl_WorkGroupID.x, vector = row * push.preparedStride;
    if (gl_LocalInvocationIndex == 0) activeOfRow = 0;
    barrier();
    uint open = 0;
    for (uint first = 0; first < push.neurons; first += kTile) {
        const uint end = min(first + kTile, push.neurons);
        open += activateTile(first, end);
        if (kPrepares != 0) prepareTile(vector, push.neurons, first, end - first);
    }
    if (kPrepares != 0) padPrepared(vector, push.neurons, push.preparedStride);
    atomicAdd(activeOfRow, open);
    barrier();
    if (gl_LocalInvocationIndex == 0) activeCounts[row] = activeOfRow;
}
