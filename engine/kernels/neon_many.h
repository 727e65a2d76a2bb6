// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and many tokens on 64-bit ARM: four rows are unpacked once, 512 columns at a time, and
// multiplied with pairs of tokens. Each table has its own tiles; neondot.cpp gives the order of sums. Inside kernels/
// only.
//
//   A panel's bytes of 32 columns, in the order that the tiles need (r: row, c: column):
//     ByFours    8 registers of | r0 c4i..+3 | r1 c4i..+3 | r2 c4i..+3 | r3 c4i..+3 |
//     ByEights   for each 16 columns: | r0 c0..7 | r1 c0..7 |, | r0 c8..15 | r1 c8..15 |, then rows 2 and 3 alike
//   A pair's bytes of 32 columns:
//                4 registers of | token 0 c8i..+7 | token 1 c8i..+7 |
//   Its scale of 32 columns, and what a step's values sum up to (times the scale): | token 0 | 0 | token 1 | 1 |
#pragma once

#include "kernels/neon_table.h"
#include "kernels/neon_unpack.h"

namespace coterie::engine {

enum class PanelOrder { ByFours, ByEights };

constexpr int64_t kManyTokens = 64; ///< tokens that share an unpacked panel: 32 KiB with 512 columns
constexpr int64_t kManyBlocks = 16; ///< columns of a panel, in blocks of 32
constexpr int kMostPairs = 4; ///< pairs in a tile: 8 sums and as many products leave registers for everything else
constexpr int64_t kPanelBlockBytes = kPanelRows * kBlockValues;
constexpr int64_t kPairBlockBytes = 2 * kBlockValues;

/// Inputs and output of a tile of four rows and a few pairs of tokens.
struct ManyArguments {
    const int8_t* weights = nullptr;      ///< [blocks, kPanelBlockBytes]
    const float32x4_t* scales = nullptr;  ///< [blocks, steps]
    const float32x4_t* shifts = nullptr;  ///< the same, in formats with a minimum
    const int8_t* x = nullptr;            ///< [pairs, kManyBlocks, kPairBlockBytes]
    const float32x4_t* xScales = nullptr; ///< [pairs, kManyBlocks]
    const float32x4_t* terms = nullptr;   ///< [pairs, kManyBlocks, steps]
    int64_t blocks = 0;
    float* out = nullptr; ///< [2 * pairs, outStride]
    int64_t outStride = 0;
    bool first = false; ///< whether these are the first columns: `out` holds nothing yet
};
using ManyTile = void (*)(const ManyArguments&);

/// Rows of a matrix side by side; if there are fewer than four, the last one is repeated.
struct PanelRows {
    const uint8_t* at[kPanelRows];

    PanelRows(const TileArguments& a, int64_t count, int64_t offset) {
        for (int64_t r = 0; r < kPanelRows; ++r)
            at[r] = reinterpret_cast<const uint8_t*>(a.w) +
                    static_cast<size_t>(r < count ? r : count - 1) * a.rowStride + offset;
    }
};

/// Stores eight bytes of `first` and of `second` in turn.
COTERIE_NEON_INLINE void storeEights(int8x16_t first, int8x16_t second, int8_t* out) {
    const int64x2x2_t both = {{vreinterpretq_s64_s8(first), vreinterpretq_s64_s8(second)}};
    vst2q_s64(reinterpret_cast<int64_t*>(out), both);
}

/// Stores 16 columns of a panel.
template <PanelOrder order>
COTERIE_NEON_INLINE void storeHalf(const int8x16_t (&rows)[kPanelRows], int8_t* out) {
    if constexpr (order == PanelOrder::ByFours) {
        const int32x4x4_t all = {{vreinterpretq_s32_s8(rows[0]), vreinterpretq_s32_s8(rows[1]),
                                  vreinterpretq_s32_s8(rows[2]), vreinterpretq_s32_s8(rows[3])}};
        vst4q_s32(reinterpret_cast<int32_t*>(out), all);
    } else {
        storeEights(rows[0], rows[1], out);
        storeEights(rows[2], rows[3], out + kPanelBlockBytes / 4);
    }
}

/// Unpacks a block of four rows, one sub-block after the other.
template <TensorType type, PanelOrder order, int p = 0>
COTERIE_NEON_INLINE void unpackSubBlocks(const uint8_t* const (&at)[kPanelRows], int8_t* out) {
    int8x16_t low[kPanelRows], high[kPanelRows];
    for (int r = 0; r < kPanelRows; ++r) {
        const Bytes32 q = quantsOf<type, p>(at[r]);
        low[r] = q.low;
        high[r] = q.high;
    }
    storeHalf<order>(low, out);
    storeHalf<order>(high, out + kPanelBlockBytes / 2);
    if constexpr (p + 1 < subBlocksOf(type)) unpackSubBlocks<type, order, p + 1>(at, out + kPanelBlockBytes);
}

/// `Tiles` has PanelOrder kOrder and ManyTile kTiles<minimum, steps>[kMostPairs].
template <TensorType type, typename Tiles>
class ManyTokens {
  public:
    /// Multiplies all rows and `count` <= kManyTokens tokens in blocks [begin, end) of 32 columns.
    void run(const TileArguments& a, int64_t rows, int64_t count, int64_t begin, int64_t end) {
        takeTokens(a, count, begin, end);
        for (int64_t r = 0; r < rows; r += kPanelRows) {
            const TileArguments from = a.fromRow(r);
            const int64_t here = rows - r < kPanelRows ? rows - r : kPanelRows;
            unpackRows(from, here, begin, end);
            runTiles(from, here, count, begin, end);
        }
    }

  private:
    static constexpr int kSteps = stepsOf32(type);
    static constexpr int64_t kMostTokens = 2 * kMostPairs;

    static float32x4_t twice(float first, float second) { return vcombine_f32(vdup_n_f32(first), vdup_n_f32(second)); }

    void takeTokens(const TileArguments& a, int64_t count, int64_t begin, int64_t end) {
        const int64_t quants = preparedQuantsOffset(a.columns);
        for (int64_t t = 0; t < count; t += 2) {
            const std::byte* tokens[2] = {a.x + t * a.tokenStride, a.x + (t + 1 < count ? t + 1 : t) * a.tokenStride};
            for (int64_t b = begin; b < end; ++b) {
                const int64_t at = t / 2 * kManyBlocks + b - begin;
                takeBlock(tokens[0] + quants + b * kBlockValues, tokens[1] + quants + b * kBlockValues,
                          reinterpret_cast<const float*>(tokens[0])[b], reinterpret_cast<const float*>(tokens[1])[b],
                          at);
            }
        }
    }

    void takeBlock(const std::byte* first, const std::byte* second, float firstScale, float secondScale, int64_t at) {
        const Bytes32 x[2] = {loadBytes32(first), loadBytes32(second)};
        storeEights(x[0].low, x[1].low, x_ + at * kPairBlockBytes);
        storeEights(x[0].high, x[1].high, x_ + at * kPairBlockBytes + kPairBlockBytes / 2);
        xScales_[at] = twice(firstScale, secondScale);
        if constexpr (hasMinimum(type)) {
            float sums[2][kSteps];
            sumsOfSteps(x[0], sums[0]);
            sumsOfSteps(x[1], sums[1]);
            for (int s = 0; s < kSteps; ++s)
                terms_[at * kSteps + s] = twice(firstScale * sums[0][s], secondScale * sums[1][s]);
        }
    }

    void unpackRows(const TileArguments& a, int64_t rows, int64_t begin, int64_t end) {
        constexpr int subBlocks = subBlocksOf(type);
        for (int64_t b = begin; b < end; b += subBlocks) {
            const PanelRows from(a, rows, b / subBlocks * kBlockBytes<type>);
            unpackSubBlocks<type, Tiles::kOrder>(from.at, weights_ + (b - begin) * kPanelBlockBytes);
            factorsOf<type>(from.at, scales_ + (b - begin) * kSteps, shifts_ + (b - begin) * kSteps);
        }
    }

    /// Runs all tokens in tiles of nearly equal size.
    void runTiles(const TileArguments& a, int64_t rows, int64_t count, int64_t begin, int64_t end) {
        const int64_t pairs = ceilDiv(count, 2), tiles = ceilDiv(pairs, kMostPairs);
        for (int64_t tile = 0; tile < tiles; ++tile) {
            const int64_t pair = tile * pairs / tiles, here = (tile + 1) * pairs / tiles - pair;
            const int64_t tokens = count - 2 * pair < 2 * here ? count - 2 * pair : 2 * here;
            const ManyArguments arguments = {weights_,
                                             scales_,
                                             shifts_,
                                             x_ + pair * kManyBlocks * kPairBlockBytes,
                                             xScales_ + pair * kManyBlocks,
                                             terms_ + pair * kManyBlocks * kSteps,
                                             end - begin,
                                             a.out + 2 * pair * a.outStride,
                                             a.outStride,
                                             begin == 0};
            const ManyTile multiply = Tiles::template kTiles<hasMinimum(type), kSteps>[here - 1];
            if (rows == kPanelRows && tokens == 2 * here)
                multiply(arguments);
            else
                runInRoom(multiply, arguments, rows, tokens);
        }
    }

    /// Runs a tile that is wider than the rows or tokens there are, in a buffer.
    static void runInRoom(ManyTile multiply, ManyArguments a, int64_t rows, int64_t tokens) {
        float room[kMostTokens * kPanelRows] = {};
        float* out = a.out;
        const int64_t outStride = a.outStride;
        for (int64_t t = 0; t < tokens && !a.first; ++t)
            for (int64_t r = 0; r < rows; ++r) room[t * kPanelRows + r] = out[t * outStride + r];
        a.out = room;
        a.outStride = kPanelRows;
        multiply(a);
        for (int64_t t = 0; t < tokens; ++t)
            for (int64_t r = 0; r < rows; ++r) out[t * outStride + r] = room[t * kPanelRows + r];
    }

    static constexpr int64_t kTermsRoom = hasMinimum(type) ? kManyTokens / 2 * kManyBlocks * kSteps : 1;
    static constexpr int64_t kShiftsRoom = hasMinimum(type) ? kManyBlocks * kSteps : 1;

    alignas(64) int8_t weights_[kManyBlocks * kPanelBlockBytes];
    float32x4_t scales_[kManyBlocks * kSteps], shifts_[kShiftsRoom];
    alignas(64) int8_t x_[kManyTokens / 2 * kManyBlocks * kPairBlockBytes];
    float32x4_t xScales_[kManyTokens / 2 * kManyBlocks], terms_[kTermsRoom];
};

template <TensorType type, typename Tiles>
void multiplyMany(TileArguments a, int64_t rows, int64_t batch) {
    const int64_t blocks = a.columns / kBlockValues;
    ManyTokens<type, Tiles> work;
    for (int64_t t = 0; t < batch; t += kManyTokens) {
        for (int64_t b = 0; b < blocks; b += kManyBlocks)
            work.run(a, rows, batch - t < kManyTokens ? batch - t : kManyTokens, b,
                     blocks - b < kManyBlocks ? blocks : b + kManyBlocks);
        a.x += kManyTokens * a.tokenStride;
        a.out += kManyTokens * a.outStride;
    }
}

/// KernelTable::multiply for integer formats.
template <typename Tiles>
void multiplyQuantised(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                       size_t preparedStride, int64_t batch, float* out, int64_t outStride) {
    const TileArguments a = tileArguments(w, rowBegin, prepared, preparedStride, out, outStride);
    if (batch == 1) return neonDotMultiplyOne(w.type, a, rowEnd - rowBegin);
    withQuantisedFormat(w.type, [&]<TensorType known>() { multiplyMany<known, Tiles>(a, rowEnd - rowBegin, batch); });
}

} // namespace coterie::engine
