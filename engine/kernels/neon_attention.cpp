// SPDX-License-Identifier: Apache-2.0
// Attention with NEON, for the tables in neon.cpp.
//
// A query and a key are summed in one register of four lanes, four columns after the other; then the lanes are added in
// pairs. A value's column is summed in one lane, position after position. Every tile does so.
#include "kernels/attention_tiles.h"
#include "kernels/neon_table.h"

namespace coterie::engine {
namespace {

// --- Pieces

Eight floatsOfHalves(const std::byte* p) {
    const uint16x8_t bits = vreinterpretq_u16_u8(vld1q_u8(reinterpret_cast<const uint8_t*>(p)));
    return {vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits))),
            vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(bits)))};
}

/// Up to eight halves from column i on, as many as n allows, and zeros behind them.
Eight someHalves(const std::byte* row, int64_t i, int64_t n) {
    std::byte padded[kStep * kScaleBytes] = {};
    std::memcpy(padded, row + i * kScaleBytes, static_cast<size_t>((n - i < kStep ? n - i : kStep) * kScaleBytes));
    return floatsOfHalves(padded);
}

/// Eight values from column i on, a multiple of eight. The product of a scale and a quant is exact.
template <TensorType type>
Eight eightValues(const std::byte* row, int64_t i) {
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

/// The sums of four registers, each taken in the same order.
float32x4_t sumsOfRegisters(const float32x4_t* v) { return vpaddq_f32(vpaddq_f32(v[0], v[1]), vpaddq_f32(v[2], v[3])); }

// --- Scores

/// At most 16 sums, and at least eight where possible: they hide the latency of a fused product and sum.
template <int queries>
constexpr int kKeysOfTile = queries > 2 ? 4 : 8;

/// Scores of up to kKeysOfTile rows.
template <TensorType type, int queries>
void scoreKeys(const ScoreArguments& a, int64_t first) {
    constexpr int keys = kKeysOfTile<queries>;
    const int64_t n = a.keys.n;
    const int64_t count = a.keys.count - first < keys ? a.keys.count - first : keys;
    const std::byte* rows[keys]; // if there are fewer rows, the last one is repeated
    for (int k = 0; k < keys; ++k) rows[k] = a.keys.data + (first + (k < count ? k : count - 1)) * a.keys.stride;
    float32x4_t sums[queries][keys];
    for (int q = 0; q < queries; ++q)
        for (int k = 0; k < keys; ++k) sums[q][k] = vdupq_n_f32(0);
    for (int64_t i = 0; i < n; i += kStep) {
        Eight x[queries];
        for (int q = 0; q < queries; ++q) x[q] = loadFirst(a.queries + q * a.queryStride + i, n - i);
        for (int k = 0; k < keys; ++k) {
            const Eight key = n - i >= kStep ? eightValues<type>(rows[k], i) : someHalves(rows[k], i, n);
            for (int q = 0; q < queries; ++q)
                sums[q][k] = vfmaq_f32(vfmaq_f32(sums[q][k], key.low, x[q].low), key.high, x[q].high);
        }
    }
    for (int q = 0; q < queries; ++q) {
        float scores[keys];
        for (int k = 0; k < keys; k += kLanes)
            vst1q_f32(scores + k, vmulq_n_f32(sumsOfRegisters(sums[q] + k), a.scale));
        std::memcpy(a.scores + q * a.scoresStride + first, scores, static_cast<size_t>(count) * sizeof(float));
    }
}

template <TensorType type, int queries>
void scoreTile(const ScoreArguments& a) {
    for (int64_t p = 0; p < a.keys.count; p += kKeysOfTile<queries>) {
        for (int k = 0; a.fetch && k < kKeysOfTile<queries>; ++k) fetchNextRun(a.keys, p + k);
        scoreKeys<type, queries>(a, p);
    }
}

// --- Values

/// Sums 8 * eights columns from column i on.
template <TensorType type, int queries, int eights>
void addColumns(const ValueArguments& a, int64_t i, bool fetch) {
    Eight sums[queries][eights];
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < eights; ++r) sums[q][r] = loadFirst(a.out + q * a.outStride + i + r * kStep, kStep);
    for (int64_t p = 0; p < a.values.count; ++p) {
        if (fetch) fetchNextRun(a.values, p);
        const std::byte* row = a.values.data + p * a.values.stride;
        Eight v[eights];
        for (int r = 0; r < eights; ++r) v[r] = eightValues<type>(row, i + r * kStep);
        for (int q = 0; q < queries; ++q) {
            const float weight = a.weights[q * a.weightsStride + p];
            for (int r = 0; r < eights; ++r)
                sums[q][r] = {vfmaq_n_f32(sums[q][r].low, v[r].low, weight),
                              vfmaq_n_f32(sums[q][r].high, v[r].high, weight)};
        }
    }
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < eights; ++r) storeFirst(a.out + q * a.outStride + i + r * kStep, kStep, sums[q][r]);
}

/// Sums up to eight columns of halves that are left behind column i.
template <int queries>
void addFewColumns(const ValueArguments& a, int64_t i) {
    const int64_t n = a.values.n;
    Eight sums[queries];
    for (int q = 0; q < queries; ++q) sums[q] = loadFirst(a.out + q * a.outStride + i, n - i);
    for (int64_t p = 0; p < a.values.count; ++p) {
        const Eight value = someHalves(a.values.data + p * a.values.stride, i, n);
        for (int q = 0; q < queries; ++q) {
            const float weight = a.weights[q * a.weightsStride + p];
            sums[q] = {vfmaq_n_f32(sums[q].low, value.low, weight), vfmaq_n_f32(sums[q].high, value.high, weight)};
        }
    }
    for (int q = 0; q < queries; ++q) storeFirst(a.out + q * a.outStride + i, n - i, sums[q]);
}

template <TensorType type, int queries>
void valueTile(const ValueArguments& a) {
    constexpr int wide = queries > 2 ? 2 : 4; // eights of columns: at most 16 sums
    int64_t i = 0;
    for (; i + wide * kStep <= a.values.n; i += wide * kStep) addColumns<type, queries, wide>(a, i, a.fetch && i == 0);
    if constexpr (type == TensorType::F16) {
        for (; i + kStep <= a.values.n; i += kStep) addColumns<type, queries, 1>(a, i, false);
        if (i < a.values.n) addFewColumns<queries>(a, i);
    }
}

template <TensorType type>
constexpr AttentionTiles kTiles = {
    4,
    scoreTile<type, 4>,
    {nullptr, scoreTile<type, 1>, scoreTile<type, 2>, scoreTile<type, 3>, scoreTile<type, 4>},
    valueTile<type, 4>,
    {nullptr, valueTile<type, 1>, valueTile<type, 2>, valueTile<type, 3>, valueTile<type, 4>}};

constexpr AttentionTiles kTilesOfFormats[] = {kTiles<TensorType::F16>, kTiles<TensorType::Q8_0>};

} // namespace

void neonAttentionScores(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                         float scale, float* scores, int64_t scoresStride) {
    scoresInTiles(kTilesOfFormats, keys, queries, queryStride, queryCount, scale, scores, scoresStride);
}

void neonAttentionValues(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                         float* out, int64_t outStride) {
    valuesInTiles(kTilesOfFormats, values, weights, weightsStride, queryCount, out, outStride);
}

} // namespace coterie::engine
