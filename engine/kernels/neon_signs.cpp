// SPDX-License-Identifier: Apache-2.0
// Signs of rows against a vector with NEON. A block's bits become a mask of bytes, which turns the signs of the
// vector's values: (x ^ -1) + 1 = -x.
#include "kernels/blocks.h"
#include "kernels/signs.h"

#include <arm_neon.h>

namespace coterie::engine {
namespace {

constexpr int64_t groupRows = 4; ///< as many sums hide the latency of a fused product and sum

/// Sums of 16 values, two to a lane, those with a bit of two bytes turned. No value is -128.
int16x8_t signedSums(const uint8_t* bits, int8x16_t x) {
    const uint8x16_t own = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
    const int8x16_t mask = vreinterpretq_s8_u8(vtstq_u8(vcombine_u8(vdup_n_u8(bits[0]), vdup_n_u8(bits[1])), own));
    return vpaddlq_s8(vsubq_s8(veorq_s8(x, mask), mask));
}

template <int64_t rows>
void signTile(const SignRows& w, int64_t first, const std::byte* prepared, float shift, float* out) {
    const int64_t blocks = w.columns / blockValues;
    const uint8_t* bits = reinterpret_cast<const uint8_t*>(w.bits + first * blocks);
    const float* xScales = reinterpret_cast<const float*>(prepared);
    const int8_t* x = reinterpret_cast<const int8_t*>(prepared + preparedQuantsOffset(w.columns));
    float32x4_t sums[rows];
    for (int64_t r = 0; r < rows; ++r) sums[r] = vdupq_n_f32(0);
    for (int64_t b = 0; b < blocks; ++b) {
        const int8x16_t low = vld1q_s8(x + b * blockValues), high = vld1q_s8(x + b * blockValues + 16);
        for (int64_t r = 0; r < rows; ++r) {
            const uint8_t* own = bits + (r * blocks + b) * int64_t{sizeof(uint32_t)};
            const int16x8_t pairs = vaddq_s16(signedSums(own, low), signedSums(own + 2, high));
            sums[r] = vfmaq_n_f32(sums[r], vcvtq_f32_s32(vpaddlq_s16(pairs)), xScales[b]);
        }
    }
    for (int64_t r = 0; r < rows; ++r) out[first + r] = w.scales[first + r] * (shift + vaddvq_f32(sums[r]));
}

} // namespace

void neonMultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                       float* out) {
    int64_t r = rowBegin;
    for (; r + groupRows <= rowEnd; r += groupRows) signTile<groupRows>(w, r, prepared, shift, out);
    for (; r < rowEnd; ++r) signTile<1>(w, r, prepared, shift, out);
}

} // namespace coterie::engine
