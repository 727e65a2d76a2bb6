// SPDX-License-Identifier: Apache-2.0
// Matrix products of quantised formats for 64-bit ARM with FEAT_DotProd (ARMv8.2 on): SDOT adds four products of bytes
// to each lane. The products with one token are also those of the table with FEAT_I8MM; those with many tokens are
// tiles for neon_many.h. neon.cpp has the float formats and the tables.
//
// A product of a row and a token is summed step by step. A step has 32 columns, or 16 in formats whose scales are of 16
// values. Within a step the integers are exact:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(shift, xScale * float(1 . x), sum)       in formats with a minimum
// The bits of a product do not depend on the number of rows and tokens, nor on which of the two tables computes it.
#include "kernels/arm_features.h"
#include "kernels/neon_many.h"

namespace coterie::engine {
namespace {

// --- One token

/// Lane r is the sum of v[r]'s lanes.
COTERIE_NEON_INLINE int32x4_t sumsOfRows(const int32x4_t (&v)[kPanelRows]) {
    return vpaddq_s32(vpaddq_s32(v[0], v[1]), vpaddq_s32(v[2], v[3]));
}

/// Adds the steps of a block from sub-block p on. x, xScales: of the block's first column.
template <TensorType type, int rows, int p = 0>
COTERIE_DOT COTERIE_NEON_INLINE float32x4_t addSubBlocks(float32x4_t sum, const uint8_t* const (&at)[rows],
                                                         const float32x4_t* scales, const float32x4_t* shifts,
                                                         const std::byte* x, const float* xScales) {
    constexpr int steps = stepsOf32(type);
    const Bytes32 values = loadBytes32(x + p * kBlockValues);
    const int32x4_t zero = vdupq_n_s32(0);
    int32x4_t products[2][kPanelRows] = {{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    for (int r = 0; r < rows; ++r) {
        const Bytes32 q = quantsOf<type, p>(at[r]);
        products[0][r] = vdotq_s32(zero, q.low, values.low);
        products[steps - 1][r] = vdotq_s32(products[steps - 1][r], q.high, values.high);
    }
    float sumsOfX[steps] = {};
    if constexpr (hasMinimum(type)) sumsOfSteps(values, sumsOfX);
    for (int s = 0; s < steps; ++s) {
        const float32x4_t product = vcvtq_f32_s32(sumsOfRows(products[s]));
        sum = vfmaq_f32(sum, vmulq_n_f32(scales[p * steps + s], xScales[p]), product);
        if constexpr (hasMinimum(type)) sum = vfmaq_n_f32(sum, shifts[p * steps + s], xScales[p] * sumsOfX[s]);
    }
    if constexpr (p + 1 < subBlocksOf(type))
        return addSubBlocks<type, rows, p + 1>(sum, at, scales, shifts, x, xScales);
    return sum;
}

/// Multiplies four rows, which share the loads of x and whose sums fill a register.
template <TensorType type, int rows>
COTERIE_DOT void rowsByOne(const TileArguments& a) {
    constexpr int subBlocks = subBlocksOf(type);
    const float* xScales = reinterpret_cast<const float*>(a.x);
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    const uint8_t* at[rows];
    for (int r = 0; r < rows; ++r) at[r] = reinterpret_cast<const uint8_t*>(a.w) + r * a.rowStride;
    float32x4_t sum = vdupq_n_f32(0);
    for (int64_t b = 0; b < a.columns / kBlockValues; b += subBlocks) {
        float32x4_t scales[subBlocks * stepsOf32(type)], shifts[subBlocks * stepsOf32(type)];
        factorsOf<type>(at, scales, shifts);
        sum = addSubBlocks<type, rows>(sum, at, scales, shifts, x + b * kBlockValues, xScales + b);
        for (int r = 0; r < rows; ++r) at[r] += kBlockBytes<type>;
    }
    if constexpr (rows == kPanelRows)
        vst1q_f32(a.out, sum);
    else
        *a.out = vgetq_lane_f32(sum, 0);
}

template <TensorType type>
void multiplyOne(const TileArguments& a, int64_t rows) {
    int64_t r = 0;
    for (; r + kPanelRows <= rows; r += kPanelRows) rowsByOne<type, kPanelRows>(a.fromRow(r));
    for (; r < rows; ++r) rowsByOne<type, 1>(a.fromRow(r));
}

// --- Many tokens

/// Adds eight columns. Lanes of a pair's registers have four columns each: 0 and 1 the first token's, 2 and 3 the
/// second's.
template <int pairs>
COTERIE_DOT COTERIE_NEON_INLINE void addEightColumns(int32x4_t (&products)[pairs][2], const int8_t* weights,
                                                     const int8_t* x) {
    const int8x16_t low = vld1q_s8(weights), high = vld1q_s8(weights + 16);
    for (int t = 0; t < pairs; ++t) {
        const int8x16_t eight = vld1q_s8(x + t * kManyBlocks * kPairBlockBytes);
        products[t][0] = vdotq_laneq_s32(vdotq_laneq_s32(products[t][0], low, eight, 0), high, eight, 1);
        products[t][1] = vdotq_laneq_s32(vdotq_laneq_s32(products[t][1], low, eight, 2), high, eight, 3);
    }
}

/// A register of sums holds four rows and one token.
template <int pairs, bool minimum, int steps>
COTERIE_DOT void manyTile(const ManyArguments& a) {
    float32x4_t sums[pairs][2];
    for (int t = 0; t < 2 * pairs; ++t)
        sums[t / 2][t % 2] = a.first ? vdupq_n_f32(0) : vld1q_f32(a.out + t * a.outStride);
    const int8_t *weights = a.weights, *x = a.x;
    for (int64_t s = 0; s < a.blocks * steps; ++s) {
        int32x4_t products[pairs][2];
        for (int t = 0; t < pairs; ++t) products[t][0] = products[t][1] = vdupq_n_s32(0);
        for (int i = 0; i < 4 / steps; ++i, weights += 32, x += 16) addEightColumns(products, weights, x);
        for (int t = 0; t < pairs; ++t) {
            const float32x4_t xScale = a.xScales[t * kManyBlocks + s / steps];
            const float32x4_t first = vmulq_laneq_f32(a.scales[s], xScale, 0);
            const float32x4_t second = vmulq_laneq_f32(a.scales[s], xScale, 2);
            sums[t][0] = vfmaq_f32(sums[t][0], first, vcvtq_f32_s32(products[t][0]));
            sums[t][1] = vfmaq_f32(sums[t][1], second, vcvtq_f32_s32(products[t][1]));
            if constexpr (minimum) {
                const float32x4_t term = a.terms[t * kManyBlocks * steps + s];
                sums[t][0] = vfmaq_laneq_f32(sums[t][0], a.shifts[s], term, 0);
                sums[t][1] = vfmaq_laneq_f32(sums[t][1], a.shifts[s], term, 2);
            }
        }
    }
    for (int t = 0; t < 2 * pairs; ++t) vst1q_f32(a.out + t * a.outStride, sums[t / 2][t % 2]);
}

struct DotTiles {
    static constexpr PanelOrder kOrder = PanelOrder::ByFours;
    template <bool minimum, int steps>
    static constexpr ManyTile kTiles[kMostPairs] = {manyTile<1, minimum, steps>, manyTile<2, minimum, steps>,
                                                    manyTile<3, minimum, steps>, manyTile<4, minimum, steps>};
};

} // namespace

bool neonDotRunsHere() { return armFeatures().dotprod; }

void neonDotMultiplyOne(TensorType type, const TileArguments& a, int64_t rows) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyOne<known>(a, rows); });
}

void neonDotMultiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                     size_t preparedStride, int64_t batch, float* out, int64_t outStride) {
    const auto multiply = isIntegerFormat(w.type) ? multiplyQuantised<DotTiles> : kNeonKernels.multiply;
    multiply(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
}

} // namespace coterie::engine
