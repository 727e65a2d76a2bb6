// SPDX-License-Identifier: Apache-2.0
// Quantised weights in 128-bit registers: any 32 of a row as signed bytes in the order of the values, and the factors
// of four rows side by side. Layouts in files are drawn in quants.h. Inside kernels/ only.
//
//   Factors belong to a step of 32 columns, or of 16 in formats whose scales are of 16 values: four floats, one
// per row:
//       value = scale * q + shift       (only formats with a minimum have shifts)
#pragma once

#include "kernels/neon_pieces.h"
#include "kernels/quants.h"

namespace coterie::engine {

constexpr int64_t kPanelRows = 4;

/// Number of sub-blocks of 32 columns in a block.
constexpr int subBlocksOf(TensorType type) { return isSuperFormat(type) ? static_cast<int>(kSubBlocks) : 1; }

// --- Quants

/// Moves the bits of each byte from `from` to `to`; `mask` names the bits that are kept there.
template <int from, int to, int mask>
COTERIE_NEON_INLINE uint8x16_t movedBits(uint8x16_t v) {
    constexpr int right = from > to ? from - to : 0, left = to > from ? to - from : 0;
    if constexpr (right > 0) v = vshrq_n_u8(v, right);
    if constexpr (left > 0) v = vshlq_n_u8(v, left);
    constexpr int alive = (0xff >> right << left) & 0xff; // bits that the shifts leave
    return (alive & ~mask) == 0 ? v : vandq_u8(v, vdupq_n_u8(mask));
}

struct Packed32 {
    uint8x16_t low, high;
};

COTERIE_NEON_INLINE Packed32 loadPacked(const uint8_t* p) { return {vld1q_u8(p), vld1q_u8(p + 16)}; }

template <int from, int to, int mask>
COTERIE_NEON_INLINE Packed32 movedBits(Packed32 v) {
    return {movedBits<from, to, mask>(v.low), movedBits<from, to, mask>(v.high)};
}
COTERIE_NEON_INLINE Packed32 joined(Packed32 a, Packed32 b) {
    return {vorrq_u8(a.low, b.low), vorrq_u8(a.high, b.high)};
}
COTERIE_NEON_INLINE Bytes32 lowered(Packed32 v, int8_t by) {
    const int8x16_t zero = vdupq_n_s8(by);
    return {vsubq_s8(vreinterpretq_s8_u8(v.low), zero), vsubq_s8(vreinterpretq_s8_u8(v.high), zero)};
}
COTERIE_NEON_INLINE Bytes32 asSigned(Packed32 v) { return {vreinterpretq_s8_u8(v.low), vreinterpretq_s8_u8(v.high)}; }

/// The low nibbles of 16 bytes, then their high nibbles.
COTERIE_NEON_INLINE Packed32 nibblesOf16(const uint8_t* p) {
    const uint8x16_t bytes = vld1q_u8(p);
    return {movedBits<0, 0, 15>(bytes), movedBits<4, 0, 15>(bytes)};
}

COTERIE_NEON_INLINE Bytes32 levelsOf(const int8_t (&levels)[16], Packed32 nibbles) {
    const int8x16_t table = vld1q_s8(levels);
    return {vqtbl1q_s8(table, nibbles.low), vqtbl1q_s8(table, nibbles.high)};
}

/// Byte i is all ones if bit i is 1, else 0.
COTERIE_NEON_INLINE Packed32 spreadBits(uint32_t bits) {
    const uint8x16_t which = vcombine_u8(vdup_n_u8(0), vdup_n_u8(1));
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
    const uint8x16_t four = vreinterpretq_u8_u32(vdupq_n_u32(bits));
    return {vtstq_u8(vqtbl1q_u8(four, which), bit), vtstq_u8(vqtbl1q_u8(four, vaddq_u8(which, vdupq_n_u8(2))), bit)};
}

/// q of a block of 32 values.
template <TensorType type>
COTERIE_NEON_INLINE Bytes32 blockQuants(const uint8_t* block) {
    if constexpr (type == TensorType::Q8_0) {
        return loadBytes32(block + kScaleBytes);
    } else {
        const Packed32 nibbles = nibblesOf16(block + kNibblesOffset<type>);
        if constexpr (type == TensorType::Q4_0) return lowered(nibbles, kQ4Zero);
        if constexpr (type == TensorType::IQ4_NL) return levelsOf(kUnevenLevels, nibbles);
        if constexpr (type == TensorType::MXFP4) return levelsOf(kFp4Levels, nibbles);
        if constexpr (type == TensorType::Q5_1) {
            const Packed32 fifth = spreadBits(loadAs<uint32_t>(block + kNibblesOffset<type> - 4));
            return asSigned(joined(nibbles, movedBits<0, 0, 16>(fifth)));
        }
        if constexpr (type == TensorType::Q5_0) { // nibble - 16 where the fifth bit is 0
            const Packed32 none = spreadBits(~loadAs<uint32_t>(block + kNibblesOffset<type> - 4));
            return asSigned(joined(nibbles, movedBits<0, 0, 0xf0>(none)));
        }
        if constexpr (type == TensorType::Q4_1) return asSigned(nibbles);
    }
}

/// q of sub-block p in a format with a codebook.
template <TensorType type>
COTERIE_NEON_INLINE Bytes32 codebookQuants(const uint8_t* block, int p) {
    const CodebookValues v = codebookValues<type>(block, p);
    const int8x16_t low = vcombine_s8(vcreate_s8(v.eight[0]), vcreate_s8(v.eight[1]));
    const int8x16_t high = vcombine_s8(vcreate_s8(v.eight[2]), vcreate_s8(v.eight[3]));
    const Bytes32 set = asSigned(spreadBits(v.set));
    if constexpr (hasShifts(type)) {
        const int8x16_t one = vdupq_n_s8(1);
        return {vaddq_s8(low, vorrq_s8(set.low, one)), vaddq_s8(high, vorrq_s8(set.high, one))};
    } else {
        return {vsubq_s8(veorq_s8(low, set.low), set.low), vsubq_s8(veorq_s8(high, set.high), set.high)};
    }
}

/// q of sub-block p of a super-block.
template <TensorType type, int p>
COTERIE_NEON_INLINE Bytes32 subBlockQuants(const uint8_t* block) {
    if constexpr (hasCodebook(type)) return codebookQuants<type>(block, p);
    constexpr int half = p / 4, pair = 2 * (p % 4);
    if constexpr (type == TensorType::Q2_K) return asSigned(movedBits<pair, 0, 3>(loadPacked(block + 16 + 32 * half)));
    if constexpr (type == TensorType::Q3_K) {
        const Packed32 two = movedBits<pair, 0, 3>(loadPacked(block + 32 + 32 * half));
        return lowered(joined(two, movedBits<p, 2, 4>(loadPacked(block))), 4);
    }
    if constexpr (type == TensorType::Q4_K)
        return asSigned(movedBits<4 * (p % 2), 0, 15>(loadPacked(block + 16 + 32 * (p / 2))));
    if constexpr (type == TensorType::Q5_K) {
        const Packed32 nibbles = movedBits<4 * (p % 2), 0, 15>(loadPacked(block + 48 + 32 * (p / 2)));
        return asSigned(joined(nibbles, movedBits<p, 4, 16>(loadPacked(block + 16))));
    }
    if constexpr (type == TensorType::Q6_K) {
        const Packed32 low = movedBits < p % 4 < 2 ? 0 : 4, 0, 15 > (loadPacked(block + 64 * half + 32 * (p % 2)));
        return lowered(joined(low, movedBits<pair, 4, 0x30>(loadPacked(block + 128 + 32 * half))), 32);
    }
    if constexpr (type == TensorType::IQ4_XS) return levelsOf(kUnevenLevels, nibblesOf16(block + 8 + 16 * p));
}

/// q of a block or of a sub-block; p is 0 in blocks of 32.
template <TensorType type, int p>
COTERIE_NEON_INLINE Bytes32 quantsOf(const uint8_t* block) {
    if constexpr (isSuperFormat(type))
        return subBlockQuants<type, p>(block);
    else
        return blockQuants<type>(block);
}

// --- Factors of four rows, or of one row in the first lane

template <int rows>
COTERIE_NEON_INLINE float32x4_t halvesAt(const uint8_t* const (&at)[rows], int64_t offset) {
    uint16x4_t halves = vdup_n_u16(0);
    halves = vset_lane_u16(loadAs<uint16_t>(at[0] + offset), halves, 0);
    if constexpr (rows == kPanelRows) {
        halves = vset_lane_u16(loadAs<uint16_t>(at[1] + offset), halves, 1);
        halves = vset_lane_u16(loadAs<uint16_t>(at[2] + offset), halves, 2);
        halves = vset_lane_u16(loadAs<uint16_t>(at[3] + offset), halves, 3);
    }
    return vcvt_f32_f16(vreinterpret_f16_u16(halves));
}

/// d of each row in a format with a codebook, times its share.
template <TensorType type, int rows>
COTERIE_NEON_INLINE float32x4_t codebookFactorsAt(const uint8_t* const (&at)[rows]) {
    uint16x4_t halves = vdup_n_u16(halfOfFactor<type>(at[0]));
    if constexpr (rows == kPanelRows) {
        halves = vset_lane_u16(halfOfFactor<type>(at[1]), halves, 1);
        halves = vset_lane_u16(halfOfFactor<type>(at[2]), halves, 2);
        halves = vset_lane_u16(halfOfFactor<type>(at[3]), halves, 3);
    }
    return vmulq_n_f32(vcvt_f32_f16(vreinterpret_f16_u16(halves)), kFactorShare<type>);
}

/// mxFactor() of each row.
template <int rows>
COTERIE_NEON_INLINE float32x4_t mxFactorsAt(const uint8_t* const (&at)[rows]) {
    uint32x4_t e = vdupq_n_u32(at[0][0]);
    if constexpr (rows == kPanelRows) {
        e = vsetq_lane_u32(at[1][0], e, 1);
        e = vsetq_lane_u32(at[2][0], e, 2);
        e = vsetq_lane_u32(at[3][0], e, 3);
    }
    const uint32x4_t subnormal = vshlq_u32(vdupq_n_u32(0x00200000), vreinterpretq_s32_u32(e));
    const uint32x4_t normal = vshlq_n_u32(vsubq_u32(e, vdupq_n_u32(1)), 23);
    return vreinterpretq_f32_u32(vbslq_u32(vcltq_u32(e, vdupq_n_u32(2)), subnormal, normal));
}

/// A super-block's scales and minima, one for each of its 8 or 16 steps.
struct StepBytes {
    int8x16_t scales = vdupq_n_s8(0), minima = vdupq_n_s8(0);
};

/// Scales and minima in Q4_K and Q5_K, four of the twelve bytes at a time.
COTERIE_NEON_INLINE StepBytes sixBitPairs(const uint8_t* sm) {
    constexpr uint32_t six = 0x3f3f3f3f, four = 0x0f0f0f0f, top = 0x30303030;
    const uint32_t a = loadAs<uint32_t>(sm), b = loadAs<uint32_t>(sm + 4), c = loadAs<uint32_t>(sm + 8);
    const uint64_t scales = static_cast<uint64_t>((c & four) | (a >> 2 & top)) << 32 | (a & six);
    const uint64_t minima = static_cast<uint64_t>((c >> 4 & four) | (b >> 2 & top)) << 32 | (b & six);
    const int8x8_t none = vdup_n_s8(0);
    return {vcombine_s8(vcreate_s8(scales), none), vcombine_s8(vcreate_s8(minima), none)};
}

/// Scales in Q3_K.
COTERIE_NEON_INLINE int8x16_t sixBitScales(const uint8_t* s6) {
    constexpr int8_t shifts[16] = {0, 0, 0, 0, -2, -2, -2, -2, -4, -4, -4, -4, -6, -6, -6, -6};
    const uint8x8_t bytes = vld1_u8(s6);
    const uint8x16_t low = vcombine_u8(vand_u8(bytes, vdup_n_u8(15)), vshr_n_u8(bytes, 4));
    const uint8x16_t four = vreinterpretq_u8_u32(vdupq_n_u32(loadAs<uint32_t>(s6 + 8)));
    const uint8x16_t top = movedBits<0, 4, 0x30>(vshlq_u8(four, vld1q_s8(shifts)));
    return vsubq_s8(vreinterpretq_s8_u8(vorrq_u8(low, top)), vdupq_n_s8(32));
}

/// Scales in IQ4_XS.
COTERIE_NEON_INLINE int8x16_t unevenScales(const uint8_t* block) {
    constexpr int8_t shifts[8] = {0, -2, -4, -6, 0, -2, -4, -6};
    const uint8x8_t pairs = vreinterpret_u8_u32(vdup_n_u32(loadAs<uint32_t>(block + 4)));
    const uint8x8_t low = vzip1_u8(vand_u8(pairs, vdup_n_u8(15)), vshr_n_u8(pairs, 4));
    const uint64_t upper = block[2] * 0x01010101ull | block[3] * 0x0101010100000000ull;
    const uint8x8_t top = vand_u8(vshl_n_u8(vshl_u8(vcreate_u8(upper), vld1_s8(shifts)), 4), vdup_n_u8(0x30));
    return vcombine_s8(vsub_s8(vreinterpret_s8_u8(vorr_u8(low, top)), vdup_n_s8(32)), vdup_n_s8(0));
}

template <TensorType type>
COTERIE_NEON_INLINE StepBytes stepBytes(const uint8_t* block) {
    if constexpr (type == TensorType::Q2_K) {
        const uint8x16_t pairs = vld1q_u8(block);
        return {vreinterpretq_s8_u8(movedBits<0, 0, 15>(pairs)), vreinterpretq_s8_u8(movedBits<4, 0, 15>(pairs))};
    }
    if constexpr (type == TensorType::Q3_K) return {.scales = sixBitScales(block + 96)};
    if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K) return sixBitPairs(block + 4);
    if constexpr (type == TensorType::Q6_K) return {.scales = vld1q_s8(reinterpret_cast<const int8_t*>(block + 192))};
    if constexpr (type == TensorType::IQ4_XS) return {.scales = unevenScales(block)};
    if constexpr (hasCodebook(type)) {
        const int8x8_t first = vcreate_s8(codebookScales<type, 8>(block, 0));
        if constexpr (hasHalfSteps(type))
            return {.scales = vcombine_s8(first, vcreate_s8(codebookScales<type, 8>(block, 4)))};
        return {.scales = vcombine_s8(first, vdup_n_s8(0))};
    }
}

/// out[i] = factor * the i-th four of the bytes. The products are exact: 11 bits times at most 8.
COTERIE_NEON_INLINE void scaleBytes16(int8x16_t bytes, float32x4_t factor, float32x4_t* out) {
    const int16x8_t low = vmovl_s8(vget_low_s8(bytes)), high = vmovl_s8(vget_high_s8(bytes));
    out[0] = vmulq_f32(factor, vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))));
    out[1] = vmulq_f32(factor, vcvtq_f32_s32(vmovl_s16(vget_high_s16(low))));
    out[2] = vmulq_f32(factor, vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))));
    out[3] = vmulq_f32(factor, vcvtq_f32_s32(vmovl_s16(vget_high_s16(high))));
}

/// out[s] = factor * byte s of each row, for `steps` steps (8 or 16).
template <int steps>
COTERIE_NEON_INLINE void scaleSteps(const int8x16_t (&rows)[kPanelRows], float32x4_t factor, float32x4_t* out) {
    const int16x8_t low01 = vreinterpretq_s16_s8(vzip1q_s8(rows[0], rows[1]));
    const int16x8_t low23 = vreinterpretq_s16_s8(vzip1q_s8(rows[2], rows[3]));
    scaleBytes16(vreinterpretq_s8_s16(vzip1q_s16(low01, low23)), factor, out);
    scaleBytes16(vreinterpretq_s8_s16(vzip2q_s16(low01, low23)), factor, out + 4);
    if constexpr (steps == 16) {
        const int16x8_t high01 = vreinterpretq_s16_s8(vzip2q_s8(rows[0], rows[1]));
        const int16x8_t high23 = vreinterpretq_s16_s8(vzip2q_s8(rows[2], rows[3]));
        scaleBytes16(vreinterpretq_s8_s16(vzip1q_s16(high01, high23)), factor, out + 8);
        scaleBytes16(vreinterpretq_s8_s16(vzip2q_s16(high01, high23)), factor, out + 12);
    }
}

/// Factors of a block in each row. scales, shifts: [subBlocksOf(type) * stepsOf32(type)]; shifts are written only in
/// formats with a minimum.
template <TensorType type, int rows>
COTERIE_NEON_INLINE void factorsOf(const uint8_t* const (&at)[rows], float32x4_t* scales, float32x4_t* shifts) {
    if constexpr (type == TensorType::MXFP4) {
        scales[0] = mxFactorsAt(at);
    } else if constexpr (!isSuperFormat(type)) {
        scales[0] = halvesAt(at, kFactorOffset<type>);
        if constexpr (hasMinimum(type)) shifts[0] = halvesAt(at, kMinimumOffset<type>);
    } else {
        constexpr int steps = subBlocksOf(type) * stepsOf32(type);
        int8x16_t scaleOf[kPanelRows], minimumOf[kPanelRows];
        for (int r = 0; r < kPanelRows; ++r) {
            const StepBytes bytes = r < rows ? stepBytes<type>(at[r < rows ? r : 0]) : StepBytes{};
            scaleOf[r] = bytes.scales;
            minimumOf[r] = bytes.minima;
        }
        if constexpr (hasCodebook(type))
            scaleSteps<steps>(scaleOf, codebookFactorsAt<type>(at), scales);
        else
            scaleSteps<steps>(scaleOf, halvesAt(at, kFactorOffset<type>), scales);
        if constexpr (hasMinimum(type))
            scaleSteps<steps>(minimumOf, vnegq_f32(halvesAt(at, kMinimumOffset<type>)), shifts);
    }
}

/// Sums of a vector's values in each step of 32 columns.
template <int steps>
COTERIE_NEON_INLINE void sumsOfSteps(Bytes32 x, float (&sums)[steps]) {
    const int low = vaddlvq_s8(x.low), high = vaddlvq_s8(x.high);
    sums[0] = static_cast<float>(steps == 1 ? low + high : low);
    if constexpr (steps == 2) sums[1] = static_cast<float>(high);
}

} // namespace coterie::engine
