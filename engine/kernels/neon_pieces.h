// SPDX-License-Identifier: Apache-2.0
// What the files for NEON share. Inside kernels/ only.
#pragma once

#include "kernels/blocks.h"
#include "kernels/kernels.h"

#include <arm_neon.h>

namespace coterie::engine {

constexpr int64_t lanes = 4; ///< floats in a register
constexpr int64_t step = 8;  ///< floats that a loop takes at a time: a register of halves

struct Eight {
    float32x4_t low, high;
};

/// The first n of eight floats, zeros behind them.
inline Eight loadFirst(const float* p, int64_t n) {
    if (n >= step) return {vld1q_f32(p), vld1q_f32(p + lanes)};
    float padded[step] = {};
    std::memcpy(padded, p, static_cast<size_t>(n) * sizeof(float));
    return {vld1q_f32(padded), vld1q_f32(padded + lanes)};
}

inline void storeFirst(float* p, int64_t n, Eight v) {
    if (n >= step) {
        vst1q_f32(p, v.low);
        vst1q_f32(p + lanes, v.high);
        return;
    }
    float padded[step];
    vst1q_f32(padded, v.low);
    vst1q_f32(padded + lanes, v.high);
    std::memcpy(p, padded, static_cast<size_t>(n) * sizeof(float));
}

// Functions of the table in neon.cpp that lie in neon_attention.cpp.
void neonAttentionScores(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                         float scale, float* scores, int64_t scoresStride);
void neonAttentionValues(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                         float* out, int64_t outStride);

} // namespace coterie::engine
