// SPDX-License-Identifier: Apache-2.0
// The neurons of a feed-forward part: activation(gate) * up. Its includer declares the constant kKind, which chooses the
// formula in the order of engine::Activation, and includes elementary.glsl.

const uint kSwiGlu = 0, kReGlu = 1;

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

/// Whether the neuron lets something through, whatever its up is.
bool isOpen(float gate) { return kKind != kReGlu || gate > 0.0; }

float activated(float gate, float up) {
    if (kKind == kSwiGlu) return swiGlu(gate, up);
    if (kKind != kReGlu) return clampedSwiGlu(gate, up);
    precise float product = gate * up;
    return isOpen(gate) ? product : 0.0;
}
