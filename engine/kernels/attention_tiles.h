// SPDX-License-Identifier: Apache-2.0
// How several queries and the KV cache's rows are cut into tiles that fit an instruction set's registers. Each table
// has its own tiles. Inside kernels/ only; plain C++, so that any copy of these inline functions runs anywhere.
//
//   The first tile of queries brings a run of rows into the first cache, where the others find it. A tile loads and
// converts a row's values once for all of its queries.
#pragma once

#include "kernels/blocks.h"
#include "kernels/kernels.h"

#include <cassert>

namespace coterie::engine {

constexpr int64_t kRunRows = 32; ///< 8 KiB of halves with 128 values in a row; must be a multiple of every tile's rows

/// Inputs and output of a tile. All pointers point to its first query; each tile has its own number of queries.
struct ScoreArguments {
    CacheRows keys;
    const float* queries = nullptr; ///< [queries, queryStride]
    int64_t queryStride = 0;
    float scale = 1;
    float* scores = nullptr; ///< [queries, scoresStride]
    int64_t scoresStride = 0;
    bool fetch = false; ///< see fetchNextRun()
};
struct ValueArguments {
    CacheRows values;
    const float* weights = nullptr; ///< [queries, weightsStride]
    int64_t weightsStride = 0;
    float* out = nullptr; ///< [queries, outStride]
    int64_t outStride = 0;
    bool fetch = false; ///< see fetchNextRun()
};

/// Decoding reads a whole context of rows that are in no cache. While a tile of the first queries computes with a row,
/// it fetches the row one run later. Past the last row a prefetch only wastes a step.
COTERIE_INLINE void fetchNextRun(const CacheRows& rows, int64_t row) {
    fetchBytes(rows.data + (row + kRunRows) * rows.stride, rows.stride);
}

/// The tiles of one format. All of them sum a query and a row in the same order, and values in the order of rows.
struct AttentionTiles {
    static constexpr int64_t kFew = 4;

    int64_t many = 0; ///< number of queries in the largest tiles
    void (*scoresOfMany)(const ScoreArguments&) = nullptr;
    void (*scoresOf[kFew + 1])(const ScoreArguments&) = {}; ///< by number of queries, from 1
    void (*valuesOfMany)(const ValueArguments&) = nullptr;
    void (*valuesOf[kFew + 1])(const ValueArguments&) = {};
};

/// Calls f(first query, number of queries) for each tile's queries.
template <typename Function>
void forEachTile(const AttentionTiles& tiles, int64_t queryCount, Function f) {
    for (int64_t q = 0; q < queryCount;) {
        const int64_t left = queryCount - q;
        const int64_t count = left >= tiles.many            ? tiles.many
                              : left < AttentionTiles::kFew ? left
                                                            : AttentionTiles::kFew;
        f(q, count);
        q += count;
    }
}

inline CacheRows runFrom(const CacheRows& rows, int64_t begin) {
    CacheRows run = rows;
    run.data += begin * rows.stride;
    run.count = rows.count - begin < kRunRows ? rows.count - begin : kRunRows;
    return run;
}

inline const AttentionTiles& tilesFor(const AttentionTiles (&formats)[2], const CacheRows& rows) {
    assert(rows.type == TensorType::F16 || rows.type == TensorType::Q8_0);
    return formats[rows.type == TensorType::Q8_0 ? 1 : 0];
}

/// KernelTable::attentionScores in tiles. formats: the tiles of F16 and of Q8_0.
inline void scoresInTiles(const AttentionTiles (&formats)[2], const CacheRows& keys, const float* queries,
                          int64_t queryStride, int64_t queryCount, float scale, float* scores, int64_t scoresStride) {
    const AttentionTiles& tiles = tilesFor(formats, keys);
    for (int64_t p = 0; p < keys.count; p += kRunRows)
        forEachTile(tiles, queryCount, [&](int64_t q, int64_t count) {
            const auto tile = count > AttentionTiles::kFew ? tiles.scoresOfMany : tiles.scoresOf[count];
            tile({runFrom(keys, p), queries + q * queryStride, queryStride, scale, scores + q * scoresStride + p,
                  scoresStride, q == 0});
        });
}

/// KernelTable::attentionValues in tiles. formats: the tiles of F16 and of Q8_0.
inline void valuesInTiles(const AttentionTiles (&formats)[2], const CacheRows& values, const float* weights,
                          int64_t weightsStride, int64_t queryCount, float* out, int64_t outStride) {
    const AttentionTiles& tiles = tilesFor(formats, values);
    for (int64_t p = 0; p < values.count; p += kRunRows)
        forEachTile(tiles, queryCount, [&](int64_t q, int64_t count) {
            const auto tile = count > AttentionTiles::kFew ? tiles.valuesOfMany : tiles.valuesOf[count];
            tile({runFrom(values, p), weights + q * weightsStride + p, weightsStride, out + q * outStride, outStride,
                  q == 0});
        });
}

} // namespace coterie::engine
