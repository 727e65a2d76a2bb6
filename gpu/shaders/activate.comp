// SPDX-License-Identifier: Apache-2.0
// The neurons of a feed-forward part: out = activation(gate) * up, and the number of neurons in each row that let
// something through. kKind chooses the formula, in the order of engine::Activation. The scalar model is
// gpu/models/layer_steps.h.
//
// x of the dispatch: rows.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "interface.h"

const uint kLanes = 128;
const uint kSwiGlu = 0, kReGlu = 1;
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kKind = 0;
layout(binding = 0, std430) readonly buffer Gates { float gates[]; };
layout(binding = 1, std430) readonly buffer Ups { float ups[]; };
layout(binding = 2, std430) writeonly buffer Out { float outputs[]; };
layout(binding = 3, std430) writeonly buffer Active { uint activeCounts[]; }; // [rows]
layout(push_constant, std430) uniform Push { ActivatePush push; };

#include "elementary.glsl"

shared uint activeOfRow;

float swiGlu(float gate, float up) {
    precise float opened = gate * sigmoid(gate);
    precise float result = opened * up;
    return result;
}

/// gpt-oss's: g sigmoid(1.702 g) (u + 1) with g at most 7 and u from -7 to 7.
float clampedSwiGlu(float gate, float up) {
    const float g = min(gate, 7.0), u = clamp(up, -7.0, 7.0);
    precise float steep = 1.702 * g;
    precise float opened = g * sigmoid(steep);
    precise float shifted = u + 1.0;
    precise float result = opened * shifted;
    return result;
}

float activated(float gate, float up) {
    if (kKind == kSwiGlu) return swiGlu(gate, up);
    if (kKind != kReGlu) return clampedSwiGlu(gate, up);
    precise float product = gate * up;
    return gate > 0.0 ? product : 0.0;
}

void main() {
    const uint lane = gl_LocalInvocationID.x, begin = gl_WorkGroupID.x * push.neurons;
    if (lane == 0) activeOfRow = 0;
    barrier();
    uint open = 0;
    for (uint i = lane; i < push.neurons; i += kLanes) {
        outputs[begin + i] = activated(gates[begin + i], ups[begin + i]);
        open += kKind != kReGlu || gates[begin + i] > 0.0 ? 1u : 0u;
    }
    atomicAdd(activeOfRow, open);
    barrier();
    if (lane == 0) activeCounts[gl_WorkGroupID.x] = activeOfRow;
}
