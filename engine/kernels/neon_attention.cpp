// SPDX-License-Identifier: Apache-2.0
// Attention with NEON, for the tables in neon.cpp: the pieces of attention_loops.h in registers of four lanes, two of
// them for a step.
#include "kernels/neon_table.h"

#define COTERIE_TILE
#define COTERIE_TILE_INLINE COTERIE_NEON_INLINE
#define COTERIE_TILE_SCORES neonAttentionScores
#define COTERIE_TILE_VALUES neonAttentionValues

namespace coterie::engine {
namespace {

Eight floatsOfHalves(const std::byte* p) {
    const uint16x8_t bits = vreinterpretq_u16_u8(vld1q_u8(reinterpret_cast<const uint8_t*>(p)));
    return {vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits))),
            vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(bits)))};
}

/// The sums of four registers, each taken in the same order: pairs of lanes are added.
float32x4_t sumsOfRegisters(const float32x4_t* v) { return vpaddq_f32(vpaddq_f32(v[0], v[1]), vpaddq_f32(v[2], v[3])); }

struct Pieces {
    using Floats = Eight;
    using Sum = float32x4_t; // four columns after the other
    static constexpr int64_t kWidth = engine::kStep, kStep = kWidth;
    static constexpr int kMany = 4, kSums = 16; // at least eight hide the latency of a fused product and sum

    static Floats load(const float* p) { return engine::loadFirst(p, kWidth); }
    static void store(float* p, Floats v) { engine::storeFirst(p, kWidth, v); }
    static Floats loadFirst(const float* p, int64_t n) { return engine::loadFirst(p, n); }
    static void storeFirst(float* p, int64_t n, Floats v) { engine::storeFirst(p, n, v); }

    /// The product of a scale and a quant is exact.
    template <TensorType type>
    static Floats values(const std::byte* row, int64_t i, int /*part*/) {
        if constexpr (type == TensorType::F16) {
            return floatsOfHalves(row + i * kScaleBytes);
        } else {
            const std::byte* block = row + i / kBlockValues * kBytesOf32<TensorType::Q8_0>;
            const float scale = floatFromHalf(loadAs<uint16_t>(block));
            const int8_t* quants = reinterpret_cast<const int8_t*>(block + kScaleBytes + i % kBlockValues);
            const int16x8_t wide = vmovl_s8(vld1_s8(quants));
            return {vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide))), scale),
                    vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_high_s16(wide))), scale)};
        }
    }
    static Floats someHalves(const std::byte* row, int64_t i, int64_t n) {
        std::byte padded[kWidth * kScaleBytes] = {};
        std::memcpy(padded, row + i * kScaleBytes,
                    static_cast<size_t>((n - i < kWidth ? n - i : kWidth) * kScaleBytes));
        return floatsOfHalves(padded);
    }

    static Sum zero() { return vdupq_n_f32(0); }
    static Sum addProduct(Sum sum, Floats key, Floats query) {
        return vfmaq_f32(vfmaq_f32(sum, key.low, query.low), key.high, query.high);
    }
    static float everywhere(float weight) { return weight; } // an instruction takes it from one lane
    static Floats addProduct(Floats sum, Floats value, float weight) {
        return {vfmaq_n_f32(sum.low, value.low, weight), vfmaq_n_f32(sum.high, value.high, weight)};
    }

    template <int queries, int keys>
    static void storeScores(const Sum (&sums)[kSums], float scale, int64_t count, float* out, int64_t stride) {
        for (int q = 0; q < queries; ++q) {
            float scores[keys];
            for (int k = 0; k < keys; k += static_cast<int>(kLanes))
                vst1q_f32(scores + k, vmulq_n_f32(sumsOfRegisters(sums + q * keys + k), scale));
            std::memcpy(out + q * stride, scores, static_cast<size_t>(count) * sizeof(float));
        }
    }
};

} // namespace
} // namespace coterie::engine

#include "kernels/attention_loops.h"
