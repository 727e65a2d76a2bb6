// SPDX-License-Identifier: Apache-2.0
// Signs of rows times a vector with NEON: bits become masks of bytes.
#include "kernels/neon_table.h"
#include "kernels/signs.h"

#include <arm_neon.h>

namespace coterie::engine {
namespace {

constexpr int64_t kRowsTogether = 4; ///< four sums hide the latency of a sum

/// Sums the values of 128 columns, a quarter of a span, whose bit is set; pairs of them are added in 16 bits.
int16x8_t pairsOfSet(uint8x16_t bits, const int8_t* x) {
    int16x8_t sums = vdupq_n_s16(0); // each is a sum of at most 8 pairs
    for (int b = 0; b < 8; ++b) {
        const uint8x16_t set = vtstq_u8(bits, vdupq_n_u8(static_cast<uint8_t>(1 << b)));
        sums = vpadalq_s8(sums, vandq_s8(vld1q_s8(x + b * 64), vreinterpretq_s8_u8(set)));
    }
    return sums;
}

template <int64_t rows>
void sumsOfSet(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* out) {
    int32x4_t sums[rows];
    for (int32x4_t& sum : sums) sum = vdupq_n_s32(0);
    for (int64_t g = 0; g < spans; ++g)
        for (int64_t quarter = 0; quarter < kSpanBytes; quarter += 16)
            for (int64_t r = 0; r < rows; ++r) {
                const uint8x16_t some = vld1q_u8(bits + (r * spans + g) * kSpanBytes + quarter);
                sums[r] = vpadalq_s16(sums[r], pairsOfSet(some, x + g * kSignSpan + quarter));
            }
    for (int64_t r = 0; r < rows; ++r) out[r] = vaddvq_s32(sums[r]);
}

} // namespace

void neonMultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                       float* out) {
    multiplySignsBy<kRowsTogether, sumsOfSet<kRowsTogether>, sumsOfSet<1>>(w, rowBegin, rowEnd, x, shift, out);
}

} // namespace coterie::engine
