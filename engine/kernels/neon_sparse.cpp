// SPDX-License-Identifier: Apache-2.0
// Regrouped matrices times a vector with NEON: the bytes of a column times its value, added in 16 bits as long as sums
// fit.
#include "kernels/neon_table.h"
#include "kernels/sparse.h"

#include <arm_neon.h>

namespace coterie::engine {
namespace {

/// Columns whose products fit into 16 bits together: 32 * 8 * 127 and 2 * 128 * 127 do.
template <TensorType type>
constexpr int kColumnsIn16Bits = type == TensorType::Q4_0 ? 32 : 2;

/// Loads 16 bytes of a column: rows in the first and in the second half of the band.
template <TensorType type>
void loadHalves(const std::byte* p, int8x16_t& first, int8x16_t& second) {
    if constexpr (type == TensorType::Q4_0) {
        const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const uint8_t*>(p));
        const int8x16_t zero = vdupq_n_s8(kQ4Zero);
        first = vsubq_s8(vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15))), zero);
        second = vsubq_s8(vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4)), zero);
    } else {
        first = vld1q_s8(reinterpret_cast<const int8_t*>(p));
        second = vld1q_s8(reinterpret_cast<const int8_t*>(p + 64));
    }
}

/// Sums of 16 rows, in four registers.
struct Sums {
    int32x4_t at[4];
    void add(int16x8_t low, int16x8_t high) {
        at[0] = vaddw_s16(at[0], vget_low_s16(low));
        at[1] = vaddw_high_s16(at[1], low);
        at[2] = vaddw_s16(at[2], vget_low_s16(high));
        at[3] = vaddw_high_s16(at[3], high);
    }
};

/// Sums of 16 places in the first and in the second half of the band.
template <TensorType type>
void addColumns(const SparseBlock& block, const std::byte* columns, Sums& first, Sums& second) {
    for (int i = 0; i < block.active.count;) {
        int16x8_t products[4] = {vdupq_n_s16(0), vdupq_n_s16(0), vdupq_n_s16(0), vdupq_n_s16(0)};
        const int end = std::min(i + kColumnsIn16Bits<type>, block.active.count);
        for (; i < end; ++i) {
            int8x16_t low, high;
            loadHalves<type>(columns + block.active.columns[i] * block.place.columnBytes, low, high);
            const int8x16_t x = vdupq_n_s8(block.active.factors[i]);
            products[0] = vmlal_s8(products[0], vget_low_s8(low), vget_low_s8(x));
            products[1] = vmlal_high_s8(products[1], low, x);
            products[2] = vmlal_s8(products[2], vget_low_s8(high), vget_low_s8(x));
            products[3] = vmlal_high_s8(products[3], high, x);
        }
        first.add(products[0], products[1]);
        second.add(products[2], products[3]);
    }
}

/// Computes out[0, 4) += scale * scales * sums.
void addFour(float scale, const std::byte* scales, int32x4_t sums, float* out) {
    const float16x4_t halves = vreinterpret_f16_u16(vld1_u16(reinterpret_cast<const uint16_t*>(scales)));
    const float32x4_t factor = vmulq_n_f32(vcvt_f32_f16(halves), scale);
    vst1q_f32(out, vfmaq_f32(vld1q_f32(out), factor, vcvtq_f32_s32(sums)));
}

template <TensorType type>
void addBlock(const SparseBlock& block, int64_t rows, float* out) {
    for (int64_t r = 0; r < rows; r += kBandRows)
        for (int64_t quarter = 0; quarter < 4; ++quarter) {
            Sums halves[2] = {};
            addColumns<type>(block, block.place.columns + r / kBandRows * kBandBytes<type> + quarter * 16, halves[0],
                             halves[1]);
            for (int64_t half = 0; half < 2; ++half)
                for (int64_t k = 0; k < 4; ++k) {
                    const int64_t row = r + half * 64 + 16 * k + 4 * quarter;
                    addFour(block.scale, block.place.scales + row * kScaleBytes, halves[half].at[k], out + row);
                }
        }
}

} // namespace

uint64_t neonMultiplySparse(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float* out) {
    return multiplySparseBy<addBlock<TensorType::Q4_0>, addBlock<TensorType::Q8_0>>(w, rowBegin, rowEnd, prepared, out);
}

} // namespace coterie::engine
