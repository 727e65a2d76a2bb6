// SPDX-License-Identifier: Apache-2.0
// How a product of rows and tokens is cut into tiles that fit an instruction set's registers. Each table has its own
// tiles. Inside kernels/ only; plain C++, so that any copy of these inline functions runs anywhere.
//
//              token 0 1 2 3 | 4 5 6 7 | 8        a strip of rows stays in the first cache while all tokens pass
//      row 0 1   tileByTokens|   ...   | stripByOne
//      row 2 3   tileByTokens|   ...   | (all four)
#pragma once

#include "kernels/kernels.h"

namespace coterie::engine {

constexpr int kStripRows = 4; ///< rows of a strip: four sums hide the latency of a fused product and sum
constexpr int kTileRows = 2;  ///< 2 x 4 sums leave half of 16 registers for everything else
constexpr int kTileTokens = 4;

/// Inputs and output of a tile. `w` and `x` point to its first row and token, `out` to their product.
struct TileArguments {
    const std::byte* w = nullptr;
    size_t rowStride = 0; ///< bytes
    const std::byte* x = nullptr;
    size_t tokenStride = 0; ///< bytes
    int64_t columns = 0;
    float* out = nullptr; ///< [tokens, outStride]
    int64_t outStride = 0;

    TileArguments fromRow(int64_t r) const {
        TileArguments from = *this;
        from.w += static_cast<size_t>(r) * rowStride;
        from.out += r;
        return from;
    }
};
using Tile = void (*)(const TileArguments&);

/// Consecutive rows, or the rows of a list.
struct Rows {
    const std::byte* first = nullptr;
    size_t stride = 0; ///< bytes
    int64_t count = 0;
    const int32_t* listed = nullptr; ///< [count]

    /// Returns row r, or the last row if r is beyond it.
    const std::byte* at(int64_t r) const {
        const int64_t there = r < count ? r : count - 1;
        return first + static_cast<size_t>(listed == nullptr ? there : listed[there]) * stride;
    }
};

/// The tiles of one format. All of them sum a row and a token in the same order, so the choice of the tile does not
/// show in the result.
struct Tiles {
    Tile stripByOne; ///< kStripRows x 1
    Tile oneByOne;
    Tile tileByTokens; ///< kTileRows x kTileTokens
    Tile oneByTokens;
};

/// Multiplies at most kStripRows rows with all tokens. `a` points to the first row and the first token.
inline void multiplyStrip(const Tiles& tiles, TileArguments a, int64_t rows, int64_t batch) {
    int64_t t = 0;
    for (; t + kTileTokens <= batch; t += kTileTokens) {
        int64_t r = 0;
        for (; r + kTileRows <= rows; r += kTileRows) tiles.tileByTokens(a.fromRow(r));
        for (; r < rows; ++r) tiles.oneByTokens(a.fromRow(r));
        a.x += kTileTokens * a.tokenStride;
        a.out += kTileTokens * a.outStride;
    }
    for (; t < batch; ++t) {
        if (rows == kStripRows)
            tiles.stripByOne(a);
        else
            for (int64_t r = 0; r < rows; ++r) tiles.oneByOne(a.fromRow(r));
        a.x += a.tokenStride;
        a.out += a.outStride;
    }
}

/// Multiplies `rows` rows with all tokens.
inline void multiplyRows(const Tiles& tiles, const TileArguments& a, int64_t rows, int64_t batch) {
    for (int64_t r = 0; r < rows; r += kStripRows)
        multiplyStrip(tiles, a.fromRow(r), rows - r < kStripRows ? rows - r : kStripRows, batch);
}

/// Arguments of KernelTable::multiply as a tile's, from row `rowBegin` on.
inline TileArguments tileArguments(const Matrix& w, int64_t rowBegin, const std::byte* prepared, size_t preparedStride,
                                   float* out, int64_t outStride) {
    const TileArguments all = {w.data, w.rowStride(), prepared, preparedStride, w.columns, out, outStride};
    return all.fromRow(rowBegin);
}

/// KernelTable::multiply in tiles.
inline void multiplyInTiles(const Tiles& tiles, const Matrix& w, int64_t rowBegin, int64_t rowEnd,
                            const std::byte* prepared, size_t preparedStride, int64_t batch, float* out,
                            int64_t outStride) {
    multiplyRows(tiles, tileArguments(w, rowBegin, prepared, preparedStride, out, outStride), rowEnd - rowBegin, batch);
}

/// KernelTable::multiplySome by means of multiply(): consecutive rows of the list are multiplied together.
inline void multiplyRuns(decltype(KernelTable::multiply) multiply, const Matrix& w, const int32_t* rows, int64_t count,
                         const std::byte* prepared, float* out) {
    for (int64_t k = 0; k < count;) {
        int64_t end = k + 1;
        while (end < count && rows[end] == rows[end - 1] + 1) ++end;
        multiply({w.type, end - k, w.columns, w.row(rows[k])}, 0, end - k, prepared, 0, 1, out + k, 0);
        k = end;
    }
}

} // namespace coterie::engine
