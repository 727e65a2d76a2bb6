// SPDX-License-Identifier: Apache-2.0
// Kernels for 64-bit ARM with the instructions that every such processor has (ARMv8.0 NEON; no dotprod, no i8mm).
// Layouts are drawn in blocks.h. Functions that compilers vectorise as well from the plain version are inherited from
// it. The tables "neondot" and "i8mm" differ only in the products of quantised matrices (neondot.cpp, i8mm.cpp).
//
// As in avx2.cpp, every tile sums a row and a token in the same registers and the same order.
#include "kernels/neon_floats.h"
#include "kernels/neon_table.h"
#include "kernels/neon_unpack.h"

#include <cmath>

#define COTERIE_LOOP
#define COTERIE_LOOP_INLINE COTERIE_NEON_INLINE
#define COTERIE_LOOP_NAME(name) neon##name

namespace coterie::engine {
namespace {
using Pieces = NeonFloats;
} // namespace
} // namespace coterie::engine

#include "kernels/activation_loops.h"

namespace coterie::engine {
namespace {

bool runsHere() { return true; }

/// Eight weights of a float format.
template <TensorType type>
Eight loadWeights(const std::byte* p) {
    if constexpr (type == TensorType::F32) {
        const float* floats = reinterpret_cast<const float*>(p);
        return {vld1q_f32(floats), vld1q_f32(floats + kLanes)};
    } else {
        const uint16x8_t bits = vreinterpretq_u16_u8(vld1q_u8(reinterpret_cast<const uint8_t*>(p)));
        if constexpr (type == TensorType::F16)
            return {vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits))),
                    vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(bits)))};
        else
            return {vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(bits), 16)),
                    vreinterpretq_f32_u32(vshll_n_u16(vget_high_u16(bits), 16))};
    }
}

template <TensorType type>
Eight loadFirstWeights(const std::byte* p, int64_t n) {
    if (n >= kStep) return loadWeights<type>(p);
    std::byte padded[kStep * sizeof(float)] = {};
    std::memcpy(padded, p, static_cast<size_t>(n * kBlockBytes<type>));
    return loadWeights<type>(padded);
}

/// Sums of 32 products, eight in each lane. Two are added in 16 bits: 2 * 128 * 127 = 32512 fits because |x| <= 127.
int32x4_t products(Bytes32 w, Bytes32 x) {
    const int16x8_t low =
        vmlal_s8(vmull_s8(vget_low_s8(w.low), vget_low_s8(x.low)), vget_high_s8(w.low), vget_high_s8(x.low));
    const int16x8_t high =
        vmlal_s8(vmull_s8(vget_low_s8(w.high), vget_low_s8(x.high)), vget_high_s8(w.high), vget_high_s8(x.high));
    return vpadalq_s16(vpaddlq_s16(low), high);
}

// --- Matrix products

/// Products of float formats. x: [columns]; nothing past it is read.
template <TensorType type, int rows, int tokens>
void floatTile(const TileArguments& a) {
    float32x4_t sums[rows][tokens][2];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t) sums[r][t][0] = sums[r][t][1] = vdupq_n_f32(0);
    for (int64_t i = 0; i < a.columns; i += kStep) {
        Eight w[rows];
        for (int r = 0; r < rows; ++r)
            w[r] = loadFirstWeights<type>(a.w + r * a.rowStride + i * kBlockBytes<type>, a.columns - i);
        for (int t = 0; t < tokens; ++t) {
            const Eight x = loadFirst(reinterpret_cast<const float*>(a.x + t * a.tokenStride) + i, a.columns - i);
            for (int r = 0; r < rows; ++r) {
                sums[r][t][0] = vfmaq_f32(sums[r][t][0], w[r].low, x.low);
                sums[r][t][1] = vfmaq_f32(sums[r][t][1], w[r].high, x.high);
            }
        }
    }
    for (int t = 0; t < tokens; ++t)
        for (int r = 0; r < rows; ++r) a.out[t * a.outStride + r] = vaddvq_f32(vaddq_f32(sums[r][t][0], sums[r][t][1]));
}

/// Products of Q8_0 and Q4_0. x: as prepare() writes it. A block's sum becomes one number before it is scaled, as in
/// all other products of these formats.
template <TensorType type, int rows, int tokens>
void integerTile(const TileArguments& a) {
    const int64_t quants = preparedQuantsOffset(a.columns);
    float sums[rows][tokens] = {};
    for (int64_t b = 0; b < a.columns / kBlockValues; ++b) {
        Bytes32 w[rows];
        float scale[rows];
        for (int r = 0; r < rows; ++r) {
            const uint8_t* block = reinterpret_cast<const uint8_t*>(a.w + r * a.rowStride + b * kBlockBytes<type>);
            w[r] = blockQuants<type>(block);
            scale[r] = quantFactor<type>(block);
        }
        for (int t = 0; t < tokens; ++t) {
            const std::byte* token = a.x + t * a.tokenStride;
            const Bytes32 x = loadBytes32(token + quants + b * kBlockValues);
            const float xScale = reinterpret_cast<const float*>(token)[b];
            for (int r = 0; r < rows; ++r)
                sums[r][t] = std::fma(static_cast<float>(vaddvq_s32(products(w[r], x))), scale[r] * xScale, sums[r][t]);
        }
    }
    for (int t = 0; t < tokens; ++t)
        for (int r = 0; r < rows; ++r) a.out[t * a.outStride + r] = sums[r][t];
}

template <TensorType type>
constexpr Tiles kTiles = [] {
    if constexpr (isIntegerFormat(type))
        return Tiles{integerTile<type, kStripRows, 1>, integerTile<type, 1, 1>,
                     integerTile<type, kTileRows, kTileTokens>, integerTile<type, 1, kTileTokens>};
    else
        return Tiles{floatTile<type, kStripRows, 1>, floatTile<type, 1, 1>, floatTile<type, kTileRows, kTileTokens>,
                     floatTile<type, 1, kTileTokens>};
}();

/// Formats with tiles; the plain version computes the others.
constexpr bool hasTiles(TensorType type) {
    return !isIntegerFormat(type) || type == TensorType::Q8_0 || type == TensorType::Q4_0;
}

void multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
              int64_t batch, float* out, int64_t outStride) {
    if (!hasTiles(w.type)) return scalarMultiply(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
    const Tiles* tiles = withFormat<hasTiles>(w.type, []<TensorType known>() { return &kTiles<known>; });
    multiplyInTiles(*tiles, w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
}

// --- Vectors

/// Sums in double, so that squares neither overflow nor lose digits.
double sumOfSquares(const float* x, int64_t n) {
    float64x2_t sums[4] = {vdupq_n_f64(0), vdupq_n_f64(0), vdupq_n_f64(0), vdupq_n_f64(0)};
    for (int64_t i = 0; i < n; i += kStep) {
        const Eight v = loadFirst(x + i, n - i);
        const float64x2_t wide[4] = {vcvt_f64_f32(vget_low_f32(v.low)), vcvt_high_f64_f32(v.low),
                                     vcvt_f64_f32(vget_low_f32(v.high)), vcvt_high_f64_f32(v.high)};
        for (int k = 0; k < 4; ++k) sums[k] = vfmaq_f64(sums[k], wide[k], wide[k]);
    }
    return vaddvq_f64(vaddq_f64(vaddq_f64(sums[0], sums[1]), vaddq_f64(sums[2], sums[3])));
}

void rmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    const float scale = rmsScale(sumOfSquares(x, n), n, epsilon);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * scale * (weight != nullptr ? weight[i] : 1.0f);
}

void l2Norm(const float* x, int64_t n, float epsilon, float scale, float* out) {
    const float factor = l2Scale(sumOfSquares(x, n), epsilon, scale);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * factor;
}

PartialSoftmax partialSoftmax(float* x, int64_t n) {
    if (n <= 0) return kEmptySoftmax;
    float largest = x[0];
    for (int64_t i = 1; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
    double sum = 0;
    for (int64_t i = 0; i < n; i += kStep) {
        const Eight v = loadFirst(x + i, n - i);
        const float32x4_t shift = vdupq_n_f32(largest);
        storeFirst(x + i, n - i, exponential({vsubq_f32(v.low, shift), vsubq_f32(v.high, shift)}));
        for (int64_t j = i; j < n && j < i + kStep; ++j) sum += static_cast<double>(x[j]);
    }
    return {largest, static_cast<float>(sum)};
}

void storeHalves(const float* x, int64_t n, std::byte* out) {
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const uint8x8_t halves = vreinterpret_u8_f16(vcvt_f16_f32(vld1q_f32(x + i)));
        vst1_u8(reinterpret_cast<uint8_t*>(out + i * kScaleBytes), halves);
    }
    scalarCompressRow(TensorType::F16, x + i, n - i, out + i * kScaleBytes);
}

void compressRow(TensorType type, const float* x, int64_t n, std::byte* out) {
    if (type == TensorType::F16) return storeHalves(x, n, out);
    scalarCompressRow(type, x, n, out);
}

template <decltype(KernelTable::multiply) product>
void multiplySome(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out) {
    multiplyRuns(product, w, rows, count, prepared, out);
}

template <decltype(KernelTable::multiply) product>
constexpr KernelTable tableOf(const char* name, bool (*runs)()) {
    KernelTable table = basedOn(scalarTable(), name, runs);
    table.multiply = product;
    table.multiplySome = multiplySome<product>;
    table.multiplySparse = neonMultiplySparse;
    table.multiplySigns = neonMultiplySigns;
    table.rmsNorm = rmsNorm;
    table.groupedRmsNorm = groupedRmsNormBy<rmsNorm>;
    table.l2Norm = l2Norm;
    table.swiGlu = neonSwiGlu;
    table.geGlu = neonGeGlu;
    table.silu = neonSilu;
    table.sigmoidGate = neonSigmoidGate;
    table.softCap = neonSoftCap;
    table.causalConvolution = neonCausalConvolution;
    table.deltaRule = neonDeltaRule;
    table.compressRow = compressRow;
    table.attentionScores = neonAttentionScores;
    table.attentionValues = neonAttentionValues;
    table.partialSoftmax = partialSoftmax;
    return table;
}

} // namespace

constinit const KernelTable kNeonKernels = tableOf<multiply>("neon", runsHere);
#if defined(COTERIE_KERNELS_I8MM)
constinit const KernelTable kNeonDotKernels = tableOf<neonDotMultiply>("neondot", neonDotRunsHere);
constinit const KernelTable kI8mmKernels = tableOf<i8mmMultiply>("i8mm", i8mmRunsHere);
#endif

} // namespace coterie::engine
