// SPDX-License-Identifier: Apache-2.0
// Pieces that the files for 64-bit ARM share. Functions are compiled for the lowest CPU (ARMv8.0), except those marked
// COTERIE_DOT or COTERIE_I8MM: call these only if runsHere() returned true. Inside kernels/ only.
#pragma once

#include "kernels/blocks.h"
#include "kernels/tiles.h"

#include <arm_neon.h>
#if defined(_MSC_VER) && !defined(__clang__)
#define COTERIE_NEON_INLINE __forceinline
#define COTERIE_DOT
#define COTERIE_I8MM
#else
#define COTERIE_NEON_INLINE __attribute__((always_inline)) inline
#define COTERIE_DOT __attribute__((target("arch=armv8.2-a+dotprod")))
#define COTERIE_I8MM __attribute__((target("arch=armv8.2-a+dotprod+i8mm")))
#endif

namespace coterie::engine {

constexpr int64_t kLanes = 4; ///< floats in a register
constexpr int64_t kStep = 8;  ///< floats that a loop takes at a time: a register of halves

struct Eight {
    float32x4_t low, high;
};

/// The first n of eight floats and zeros behind them.
inline Eight loadFirst(const float* p, int64_t n) {
    if (n >= kStep) return {vld1q_f32(p), vld1q_f32(p + kLanes)};
    float padded[kStep] = {};
    std::memcpy(padded, p, static_cast<size_t>(n) * sizeof(float));
    return {vld1q_f32(padded), vld1q_f32(padded + kLanes)};
}

inline void storeFirst(float* p, int64_t n, Eight v) {
    if (n >= kStep) {
        vst1q_f32(p, v.low);
        vst1q_f32(p + kLanes, v.high);
        return;
    }
    float padded[kStep];
    vst1q_f32(padded, v.low);
    vst1q_f32(padded + kLanes, v.high);
    std::memcpy(p, padded, static_cast<size_t>(n) * sizeof(float));
}

struct Bytes32 {
    int8x16_t low, high;
};

COTERIE_NEON_INLINE Bytes32 loadBytes32(const void* p) {
    const int8_t* bytes = static_cast<const int8_t*>(p);
    return {vld1q_s8(bytes), vld1q_s8(bytes + 16)};
}

} // namespace coterie::engine
