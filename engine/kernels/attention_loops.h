// SPDX-License-Identifier: Apache-2.0
// The loops of attention's tiles (attention_tiles.h), written once for all instruction sets. It is no header for
// others: the file of an instruction set includes it once, behind its own pieces. Inside kernels/ only.
//
//   A query and a key are summed in one register, columns in their order, and then the register's lanes are added. A
// value's column is summed in one lane, position after position. Every tile does so. The file defines beforehand:
//
//   COTERIE_TILE         the attributes of a function for the instruction set
//   COTERIE_TILE_INLINE  the same for a function that must be inlined
//   COTERIE_TILE_SCORES  the names of the table's two functions
//   COTERIE_TILE_VALUES
//   struct Pieces, in an unnamed namespace:
//     Floats, kWidth            values that are computed together, and their number
//     kStep                     columns of a step; a multiple of kWidth that divides a block
//     kMany                     queries of the largest tile, at most kWidth / 2
//     Sum, kSums                sum of a query and a key; the number of sums that are computed together
//     load(p), store(p, v)      kWidth floats
//     loadFirst(p, n), storeFirst(p, n, v)   the first n floats, and zeros behind them
//     values<type>(row, i, part)             kWidth values from column i + part * kWidth on; i is a multiple of kStep
//     someHalves(row, i, n)     as many halves from column i on as n allows, and zeros behind them
//     zero(), addProduct(sum, key, query)    a Sum
//     everywhere(weight), addProduct(sum, value, weight)   a sum of values: Floats
//     storeScores<queries, keys>(sums, scale, count, out, stride)   the first `count` scores of each query;
//                               sums: [queries, keys], and idle ones up to kSums
#pragma once

#include "kernels/attention_tiles.h"

namespace coterie::engine {
namespace {

using Floats = Pieces::Floats;

// --- Scores

/// Rows that are scored together: the largest power of two that kSums allows, and at most kWidth.
template <int queries>
constexpr int keysOfTile() {
    int keys = 1;
    while (2 * keys * queries <= Pieces::kSums && 2 * keys <= Pieces::kWidth) keys *= 2;
    return keys;
}

/// Adds the products of kWidth columns. The smaller side waits in registers.
template <TensorType type, int queries>
COTERIE_TILE_INLINE void addToScores(const std::byte* const* rows, const ScoreArguments& a, int64_t i, int part,
                                     Pieces::Sum* sums) {
    constexpr int keys = keysOfTile<queries>();
    const float* x = a.queries + i + part * Pieces::kWidth;
    if constexpr (queries > keys) {
        Floats key[keys];
        for (int k = 0; k < keys; ++k) key[k] = Pieces::values<type>(rows[k], i, part);
        for (int q = 0; q < queries; ++q) {
            const Floats query = Pieces::load(x + q * a.queryStride);
            for (int k = 0; k < keys; ++k) sums[q * keys + k] = Pieces::addProduct(sums[q * keys + k], key[k], query);
        }
    } else {
        Floats query[queries];
        for (int q = 0; q < queries; ++q) query[q] = Pieces::load(x + q * a.queryStride);
        for (int k = 0; k < keys; ++k) {
            const Floats key = Pieces::values<type>(rows[k], i, part);
            for (int q = 0; q < queries; ++q)
                sums[q * keys + k] = Pieces::addProduct(sums[q * keys + k], key, query[q]);
        }
    }
}

/// Scores of up to keysOfTile() rows.
template <TensorType type, int queries>
COTERIE_TILE_INLINE void scoreKeys(const ScoreArguments& a, int64_t first) {
    constexpr int keys = keysOfTile<queries>();
    const int64_t n = a.keys.n;
    const int64_t count = a.keys.count - first < keys ? a.keys.count - first : keys;
    const std::byte* rows[keys]; // if there are fewer rows, the last one is repeated
    for (int k = 0; k < keys; ++k) rows[k] = a.keys.data + (first + (k < count ? k : count - 1)) * a.keys.stride;
    Pieces::Sum sums[Pieces::kSums]; // [queries, keys]
    for (Pieces::Sum& sum : sums) sum = Pieces::zero();
    int64_t i = 0;
    for (; i + Pieces::kStep <= n; i += Pieces::kStep)
        for (int part = 0; part < Pieces::kStep / Pieces::kWidth; ++part)
            addToScores<type, queries>(rows, a, i, part, sums);
    if constexpr (type == TensorType::F16)
        for (; i < n; i += Pieces::kWidth)
            for (int k = 0; k < keys; ++k) {
                const Floats key = Pieces::someHalves(rows[k], i, n);
                for (int q = 0; q < queries; ++q)
                    sums[q * keys + k] = Pieces::addProduct(
                        sums[q * keys + k], key, Pieces::loadFirst(a.queries + q * a.queryStride + i, n - i));
            }
    Pieces::storeScores<queries, keys>(sums, a.scale, count, a.scores + first, a.scoresStride);
}

template <TensorType type, int queries>
COTERIE_TILE void scoreTile(const ScoreArguments& a) {
    constexpr int keys = keysOfTile<queries>();
    for (int64_t p = 0; p < a.keys.count; p += keys) {
        for (int k = 0; a.fetch && k < keys; ++k) fetchNextRun(a.keys, p + k);
        scoreKeys<type, queries>(a, p);
    }
}

// --- Values

/// Registers of columns that are summed together: at most kWidth sums, so that all of them stay in registers.
template <int queries>
constexpr int kRegistersOfTile = 4 * queries <= Pieces::kWidth ? 4 : 2;

/// Sums kWidth * registers columns from column i on.
template <TensorType type, int queries, int registers>
COTERIE_TILE_INLINE void addColumns(const ValueArguments& a, int64_t i, bool fetch) {
    constexpr int parts = Pieces::kStep / Pieces::kWidth;
    Floats sums[queries][registers];
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) sums[q][r] = Pieces::load(a.out + q * a.outStride + i + r * Pieces::kWidth);
    for (int64_t p = 0; p < a.values.count; ++p) {
        if (fetch) fetchNextRun(a.values, p);
        const std::byte* row = a.values.data + p * a.values.stride;
        Floats v[registers];
        for (int r = 0; r < registers; ++r) v[r] = Pieces::values<type>(row, i + r / parts * Pieces::kStep, r % parts);
        for (int q = 0; q < queries; ++q) {
            const auto weight = Pieces::everywhere(a.weights[q * a.weightsStride + p]);
            for (int r = 0; r < registers; ++r) sums[q][r] = Pieces::addProduct(sums[q][r], v[r], weight);
        }
    }
    for (int q = 0; q < queries; ++q)
        for (int r = 0; r < registers; ++r) Pieces::store(a.out + q * a.outStride + i + r * Pieces::kWidth, sums[q][r]);
}

/// Sums up to kWidth columns of halves that are left behind column i.
template <int queries>
COTERIE_TILE_INLINE void addFewColumns(const ValueArguments& a, int64_t i) {
    const int64_t n = a.values.n;
    Floats sums[queries];
    for (int q = 0; q < queries; ++q) sums[q] = Pieces::loadFirst(a.out + q * a.outStride + i, n - i);
    for (int64_t p = 0; p < a.values.count; ++p) {
        const Floats value = Pieces::someHalves(a.values.data + p * a.values.stride, i, n);
        for (int q = 0; q < queries; ++q)
            sums[q] = Pieces::addProduct(sums[q], value, Pieces::everywhere(a.weights[q * a.weightsStride + p]));
    }
    for (int q = 0; q < queries; ++q) Pieces::storeFirst(a.out + q * a.outStride + i, n - i, sums[q]);
}

template <TensorType type, int queries>
COTERIE_TILE void valueTile(const ValueArguments& a) {
    constexpr int64_t wide = kRegistersOfTile<queries> * Pieces::kWidth;
    int64_t i = 0;
    for (; i + wide <= a.values.n; i += wide)
        addColumns<type, queries, kRegistersOfTile<queries>>(a, i, a.fetch && i == 0);
    if constexpr (type == TensorType::F16 || wide > kBlockValues)
        for (; i + Pieces::kStep <= a.values.n; i += Pieces::kStep)
            addColumns<type, queries, Pieces::kStep / Pieces::kWidth>(a, i, false);
    if constexpr (type == TensorType::F16)
        for (; i < a.values.n; i += Pieces::kWidth) addFewColumns<queries>(a, i);
}

// --- The table's functions

template <TensorType type>
constexpr AttentionTiles kTiles = {
    Pieces::kMany,
    scoreTile<type, Pieces::kMany>,
    {nullptr, scoreTile<type, 1>, scoreTile<type, 2>, scoreTile<type, 3>, scoreTile<type, 4>},
    valueTile<type, Pieces::kMany>,
    {nullptr, valueTile<type, 1>, valueTile<type, 2>, valueTile<type, 3>, valueTile<type, 4>}};

constexpr AttentionTiles kTilesOfFormats[] = {kTiles<TensorType::F16>, kTiles<TensorType::Q8_0>};

} // namespace

void COTERIE_TILE_SCORES(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                         float scale, float* scores, int64_t scoresStride) {
    scoresInTiles(kTilesOfFormats, keys, queries, queryStride, queryCount, scale, scores, scoresStride);
}

void COTERIE_TILE_VALUES(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                         float* out, int64_t outStride) {
    valuesInTiles(kTilesOfFormats, values, weights, weightsStride, queryCount, out, outStride);
}

} // namespace coterie::engine
