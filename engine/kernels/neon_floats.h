// SPDX-License-Identifier: Apache-2.0
// Arithmetic of eight floats with NEON, in two registers, for the loops that all instruction sets share
// (activation_loops.h lists the pieces). Inside kernels/ only.
#pragma once

#include "kernels/neon_pieces.h"

namespace coterie::engine {

struct NeonFloats {
    using Floats = Eight;
    static constexpr int64_t kWidth = kStep;
    static constexpr int kColumnRegisters = 2;

    COTERIE_NEON_INLINE static Floats load(const float* p) { return {vld1q_f32(p), vld1q_f32(p + kLanes)}; }
    COTERIE_NEON_INLINE static void store(float* p, Floats v) {
        vst1q_f32(p, v.low);
        vst1q_f32(p + kLanes, v.high);
    }
    COTERIE_NEON_INLINE static Floats loadFirst(const float* p, int64_t n) { return engine::loadFirst(p, n); }
    COTERIE_NEON_INLINE static void storeFirst(float* p, int64_t n, Floats v) { engine::storeFirst(p, n, v); }
    COTERIE_NEON_INLINE static Floats everywhere(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x)}; }

    COTERIE_NEON_INLINE static Floats add(Floats a, Floats b) {
        return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
    }
    COTERIE_NEON_INLINE static Floats multiply(Floats a, Floats b) {
        return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
    }
    COTERIE_NEON_INLINE static Floats divide(Floats a, Floats b) {
        return {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
    }
    COTERIE_NEON_INLINE static Floats multiplyAdd(Floats a, Floats b, Floats c) {
        return {vfmaq_f32(c.low, a.low, b.low), vfmaq_f32(c.high, a.high, b.high)};
    }
    COTERIE_NEON_INLINE static Floats subtractProduct(Floats a, Floats b, Floats c) {
        return {vfmsq_f32(a.low, b.low, c.low), vfmsq_f32(a.high, b.high, c.high)};
    }
    COTERIE_NEON_INLINE static Floats negative(Floats x) { return {vnegq_f32(x.low), vnegq_f32(x.high)}; }
    COTERIE_NEON_INLINE static Floats magnitude(Floats x) { return {vabsq_f32(x.low), vabsq_f32(x.high)}; }
    COTERIE_NEON_INLINE static Floats withSignOf(Floats x, Floats sign) {
        const uint32x4_t bit = vdupq_n_u32(0x80000000u);
        return {vbslq_f32(bit, sign.low, x.low), vbslq_f32(bit, sign.high, x.high)};
    }
    /// FMIN and FMAX pass a NaN on.
    COTERIE_NEON_INLINE static Floats between(float low, float high, Floats x) {
        const float32x4_t least = vdupq_n_f32(low), most = vdupq_n_f32(high);
        return {vmaxq_f32(vminq_f32(x.low, most), least), vmaxq_f32(vminq_f32(x.high, most), least)};
    }
    COTERIE_NEON_INLINE static Floats nearestWhole(Floats x) { return {vrndnq_f32(x.low), vrndnq_f32(x.high)}; }
    COTERIE_NEON_INLINE static Floats timesPowerOfTwo(Floats x, Floats k) {
        return {timesPowerOfTwo(x.low, k.low), timesPowerOfTwo(x.high, k.high)};
    }

  private:
    COTERIE_NEON_INLINE static float32x4_t timesPowerOfTwo(float32x4_t x, float32x4_t k) {
        // 2^k takes two factors: k may be 128 or below -126, which no single float exponent holds.
        const int32x4_t whole = vcvtq_s32_f32(k);
        const int32x4_t firstHalf = vshrq_n_s32(whole, 1);
        const int32x4_t bias = vdupq_n_s32(127);
        const int32x4_t firstPower = vshlq_n_s32(vaddq_s32(firstHalf, bias), 23);
        const int32x4_t secondPower = vshlq_n_s32(vaddq_s32(vsubq_s32(whole, firstHalf), bias), 23);
        return vmulq_f32(vmulq_f32(x, vreinterpretq_f32_s32(firstPower)), vreinterpretq_f32_s32(secondPower));
    }
};

} // namespace coterie::engine
