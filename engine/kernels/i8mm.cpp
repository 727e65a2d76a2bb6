// SPDX-License-Identifier: Apache-2.0
// Matrix products of quantised formats and many tokens for 64-bit ARM with FEAT_I8MM (ARMv8.6 on): SMMLA multiplies two
// tokens with two rows, eight columns at a time. neondot.cpp has the products with one token and the order of sums;
// neon.cpp has the table.
#include "kernels/arm_features.h"
#include "kernels/neon_many.h"

namespace coterie::engine {
namespace {

constexpr int kRowPairs = 2;

/// Factors of two rows, in the order of a register of sums.
COTERIE_NEON_INLINE float32x4_t pairOf(float32x4_t rows, int pair) {
    const float32x2_t two = pair == 0 ? vget_low_f32(rows) : vget_high_f32(rows);
    return vcombine_f32(two, two);
}

/// A register of sums holds two rows for each of two tokens: | token 0 row 0 | 0, 1 | 1, 0 | 1, 1 |.
template <int pairs, bool minimum, int steps>
COTERIE_I8MM void manyTile(const ManyArguments& a) {
    float32x4_t sums[kRowPairs][pairs];
    for (int r = 0; r < kRowPairs; ++r)
        for (int t = 0; t < pairs; ++t) {
            const float* out = a.out + 2 * t * a.outStride + 2 * r;
            sums[r][t] = a.first ? vdupq_n_f32(0) : vcombine_f32(vld1_f32(out), vld1_f32(out + a.outStride));
        }
    const int8_t *weights = a.weights, *x = a.x;
    for (int64_t s = 0; s < a.blocks * steps; ++s) {
        int32x4_t products[kRowPairs][pairs];
        for (int r = 0; r < kRowPairs; ++r)
            for (int t = 0; t < pairs; ++t) products[r][t] = vdupq_n_s32(0);
        for (int i = 0; i < 2 / steps; ++i, weights += 64, x += 32) // 16 columns
            for (int k = 0; k < 2; ++k) {
                const int8x16_t w[kRowPairs] = {vld1q_s8(weights + 16 * k), vld1q_s8(weights + 32 + 16 * k)};
                for (int t = 0; t < pairs; ++t) {
                    const int8x16_t eight = vld1q_s8(x + t * kManyBlocks * kPairBlockBytes + 16 * k);
                    for (int r = 0; r < kRowPairs; ++r) products[r][t] = vmmlaq_s32(products[r][t], eight, w[r]);
                }
            }
        for (int r = 0; r < kRowPairs; ++r) {
            const float32x4_t scale = pairOf(a.scales[s], r);
            for (int t = 0; t < pairs; ++t) {
                const float32x4_t factor = vmulq_f32(scale, a.xScales[t * kManyBlocks + s / steps]);
                sums[r][t] = vfmaq_f32(sums[r][t], factor, vcvtq_f32_s32(products[r][t]));
                if constexpr (minimum)
                    sums[r][t] = vfmaq_f32(sums[r][t], pairOf(a.shifts[s], r), a.terms[t * kManyBlocks * steps + s]);
            }
        }
    }
    for (int r = 0; r < kRowPairs; ++r)
        for (int t = 0; t < pairs; ++t) {
            float* out = a.out + 2 * t * a.outStride + 2 * r;
            vst1_f32(out, vget_low_f32(sums[r][t]));
            vst1_f32(out + a.outStride, vget_high_f32(sums[r][t]));
        }
}

struct I8mmTiles {
    static constexpr PanelOrder kOrder = PanelOrder::ByEights;
    template <bool minimum, int steps>
    static constexpr ManyTile kTiles[kMostPairs] = {manyTile<1, minimum, steps>, manyTile<2, minimum, steps>,
                                                    manyTile<3, minimum, steps>, manyTile<4, minimum, steps>};
};

} // namespace

bool i8mmRunsHere() {
    const ArmFeatures features = armFeatures();
    return features.dotprod && features.i8mm;
}

void i8mmMultiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
                  int64_t batch, float* out, int64_t outStride) {
    const auto multiply = isIntegerFormat(w.type) ? multiplyQuantised<I8mmTiles> : kNeonKernels.multiply;
    multiply(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
}

} // namespace coterie::engine
