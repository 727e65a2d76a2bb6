// SPDX-License-Identifier: Apache-2.0
// The scalar models of gpu/shaders/elementary.glsl: the same additions and multiplications in the same order.
#pragma once

namespace coterie::gpu {

/// 1 / x within 2^-22 of it, for x from 2^-100 to 2^100. No step of it is below 2^-126.
float reciprocal(float x);
/// 1 / sqrt(x) within 2^-21 of it, for a positive normal number.
float inverseRoot(float x);
/// e^x within 2^-21 of it, from -86 to 64; below that 0, above it e^64. NaN for NaN.
float exponential(float x);
/// 1 / (1 + e^-x) within 2^-20 of it, from -64 to 86.
float sigmoid(float x);

} // namespace coterie::gpu
