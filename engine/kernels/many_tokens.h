// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices with many tokens: a few rows and columns are unpacked once, then all tokens are
// multiplied with them. Each instruction set unpacks and multiplies in its own way. Inside kernels/ only, for x86-64;
// plain C++.
//
//              token 0 .. 5 | 6 .. 11 | 12 ..      a panel: rows side by side in registers, one per lane; its bytes
//      panel 0     tile     |  tile   |            stay in the first cache
//      panel 1              |         |            a tile: one or two panels x some tokens
//
// An instruction set provides a struct `Panels` for each format:
//
//     struct Panels {
//         static constexpr TensorType kType;
//         static constexpr int kRows;        rows of a panel
//         static constexpr int kPanels;      panels of a tile, at most
//         static constexpr int kTokens;      tokens of a tile, at most
//         static constexpr int kWholeTokens; tokens of a tile that works on exactly so many; 0 if there is none
//         static void terms(const std::byte* prepared, int64_t columns, int64_t begin, int64_t end, int32_t* out);
//                                            one for each step: what a token adds to every row; has room for 16 blocks
//         static void unpack(const TileArguments&, int64_t count, int64_t begin, int64_t end, UnpackedPanel<..>&);
//                                            unpacks blocks [begin, end) of the first `count` <= kRows rows
//         static void tile(int panels, int tokens, const ManyArguments&);
//     };
#pragma once

#include "kernels/quants.h"
#include "kernels/tiles.h"

#include <immintrin.h>

namespace coterie::engine {

constexpr int64_t kManyTokens = 256; ///< tokens that share an unpacked panel; it sets the size of the terms' buffer
constexpr int64_t kManyBlocks = 16;  ///< columns of an unpacked panel, in blocks of 32
constexpr int kMostPanels = 2;       ///< largest number of panels in a tile, in any instruction set

/// The columns of a panel, one register after the other.
template <int rows, int steps>
struct UnpackedPanel {
    alignas(64) std::byte quants[kManyBlocks * kQuantRegisters * rows * 4];
    alignas(64) float scales[kManyBlocks * steps * rows];
    alignas(64) float minima[kManyBlocks * steps * rows];
};

/// Inputs and output of a tile. If there are fewer rows than a panel has, the last row stands in for the missing ones.
struct ManyArguments {
    const std::byte* quants[kMostPanels] = {};
    const float *scales[kMostPanels] = {}, *minima[kMostPanels] = {};
    int64_t rows[kMostPanels] = {}; ///< rows from the panel's first one on; may be more than the panel has
    const std::byte* x = nullptr;   ///< the first token's bytes of these columns
    const float* xScales = nullptr; ///< the first token's scales of these columns
    size_t tokenStride = 0;         ///< bytes
    const int32_t* terms = nullptr;
    int64_t termStride = 0, blocks = 0;
    float* out = nullptr;
    int64_t outStride = 0;
    bool first = false; ///< whether these are the first columns: nothing was added to `out` yet

    const std::byte* token(int64_t t) const { return x + static_cast<size_t>(t) * tokenStride; }
    float xScale(int64_t t, int64_t block) const {
        return loadAs<float>(reinterpret_cast<const std::byte*>(xScales + block) +
                             static_cast<size_t>(t) * tokenStride);
    }
};

/// The memory that will be unpacked next. It is fetched line by line while tiles compute.
class NextLines {
  public:
    NextLines(const TileArguments& all, int64_t rows, int64_t begin, int64_t bytes)
        : at_(reinterpret_cast<const char*>(all.w) + begin), rowStride_(static_cast<int64_t>(all.rowStride)),
          rows_(rows), bytes_(bytes) {}

    int64_t lines() const { return rows_ * ceilDiv(bytes_, kLine); }
    void fetch(int64_t lines) {
        for (; lines > 0 && rows_ > 0; --lines) {
            _mm_prefetch(at_ + offset_, _MM_HINT_T0);
            offset_ += kLine;
            if (offset_ < bytes_) continue;
            offset_ = 0;
            at_ += rowStride_;
            --rows_;
        }
    }

  private:
    static constexpr int64_t kLine = kLineBytes;
    const char* at_;
    int64_t rowStride_, rows_, bytes_, offset_ = 0;
};

/// Computes blocks [begin, end) of 32 columns for all rows and tokens.
template <typename Panels>
class ManyTokens {
  public:
    ManyTokens(const TileArguments& all, int64_t rows, int64_t batch, int64_t begin, int64_t end)
        : all_(all), rows_(rows), batch_(batch), begin_(begin), end_(end) {
        for (int64_t t = 0; t < batch; ++t)
            Panels::terms(all.x + static_cast<size_t>(t) * all.tokenStride, all.columns, begin, end,
                          terms_ + t * kTermStride);
        for (int p = 0; p < Panels::kPanels; ++p) {
            tile_.quants[p] = unpacked_[p].quants;
            tile_.scales[p] = unpacked_[p].scales;
            tile_.minima[p] = unpacked_[p].minima;
        }
        tile_.tokenStride = all.tokenStride;
        tile_.termStride = kTermStride;
        tile_.blocks = end - begin;
        tile_.outStride = all.outStride;
        tile_.first = begin == 0;
    }

    void run() {
        for (int64_t r = 0; r < rows_; r += kTileRowsAtMost) {
            int panels = 0;
            for (int64_t from = r; from < rows_ && panels < Panels::kPanels; from += Panels::kRows, ++panels) {
                tile_.rows[panels] = rows_ - from;
                Panels::unpack(all_.fromRow(from), rows_ - from < Panels::kRows ? rows_ - from : Panels::kRows, begin_,
                               end_, unpacked_[panels]);
            }
            runTiles(r, panels, nextLines(r + kTileRowsAtMost));
        }
    }

  private:
    static constexpr int kSteps = stepsOf32(Panels::kType);
    static constexpr int64_t kTermStride = kManyBlocks * kSteps;
    static constexpr int64_t kTileRowsAtMost = Panels::kPanels * Panels::kRows;

    static int64_t bytesOf(int64_t blocks) {
        return blocks / (isSuperFormat(Panels::kType) ? kSubBlocks : 1) * kBlockBytes<Panels::kType>;
    }

    /// These columns of the rows from r on, or the next columns of the first rows.
    NextLines nextLines(int64_t r) const {
        const auto atMost = [](int64_t count, int64_t most) { return count < most ? count : most; };
        if (r < rows_)
            return {all_.fromRow(r), atMost(rows_ - r, kTileRowsAtMost), bytesOf(begin_), bytesOf(end_ - begin_)};
        const int64_t left = all_.columns / kBlockValues - end_;
        return {all_, left > 0 ? atMost(rows_, kTileRowsAtMost) : 0, bytesOf(end_), bytesOf(atMost(left, kManyBlocks))};
    }

    /// Runs all tokens: first the tiles of wholeTokens, then the others in tiles of nearly equal size.
    void runTiles(int64_t r, int panels, NextLines next) {
        const int64_t whole = Panels::kWholeTokens > 0 ? batch_ / Panels::kWholeTokens : 0;
        const int64_t begin = whole * Panels::kWholeTokens, rest = batch_ - begin;
        const int64_t tiles = ceilDiv(rest, Panels::kTokens), share = next.lines() / (whole + tiles) + 1;
        for (int64_t tile = 0; tile < whole + tiles; ++tile) {
            const int64_t even = tile - whole; // number among the other tiles
            const int64_t t = even < 0 ? tile * Panels::kWholeTokens : begin + even * rest / tiles;
            const int64_t count = even < 0 ? Panels::kWholeTokens : begin + (even + 1) * rest / tiles - t;
            const std::byte* token = all_.x + static_cast<size_t>(t) * all_.tokenStride;
            tile_.xScales = reinterpret_cast<const float*>(token) + begin_;
            tile_.x = token + preparedQuantsOffset(all_.columns) + begin_ * kBlockValues;
            tile_.terms = terms_ + t * kTermStride;
            tile_.out = all_.out + t * all_.outStride + r;
            next.fetch(share);
            Panels::tile(panels, static_cast<int>(count), tile_);
        }
    }

    const TileArguments& all_;
    int64_t rows_, batch_, begin_, end_;
    ManyArguments tile_;
    UnpackedPanel<Panels::kRows, kSteps> unpacked_[Panels::kPanels];
    alignas(64) int32_t terms_[kManyTokens * kTermStride];
};

template <typename Panels>
void multiplyMany(TileArguments a, int64_t rows, int64_t batch) {
    const int64_t blocks = a.columns / kBlockValues;
    for (int64_t t = 0; t < batch; t += kManyTokens) {
        for (int64_t b = 0; b < blocks; b += kManyBlocks)
            ManyTokens<Panels>(a, rows, batch - t < kManyTokens ? batch - t : kManyTokens, b,
                               blocks - b < kManyBlocks ? blocks : b + kManyBlocks)
                .run();
        a.x += kManyTokens * a.tokenStride;
        a.out += kManyTokens * a.outStride;
    }
}

} // namespace coterie::engine
