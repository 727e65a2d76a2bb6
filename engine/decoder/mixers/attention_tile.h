// SPDX-License-Identifier: Apache-2.0
// One piece of attention: the queries of some tokens' heads that share a KV head, against one block of positions.
// Inside decoder/ only.
//
//   positions   0 . . . | 512 . . | 1024 . . |     blocks begin at multiples of kKeyBlock, whatever the chunk
//   token 600   #########|#####    |          |     each token uses the positions that it may see
//   token 601   #########|######   |          |
//
// The result for a token's head and a block (the largest score, the sum of exp(score - largest), the values weighted by
// that) depends on the token's position only, and addPart() adds the blocks in their order. So results have the same
// bits however a prompt is cut into chunks, chunks into tiles, and blocks among threads.
// Sources of the sums: arXiv:1805.02867 (online softmax), 2205.14135 (over blocks of keys).
#pragma once

#include "decoder/kv_cache.h"
#include "kernels/kernels.h"
#include "model/model_shape.h"

namespace coterie::engine {

inline constexpr int64_t kKeyBlock = 512; ///< positions
/// Number of queries that pass over a block together, or the heads of one token if they are more. Their data stays in
/// the second-level cache.
inline constexpr int64_t kTileQueries = 32;

/// Number of query heads that share a KV head.
constexpr int64_t groupOf(const AttentionShape& shape) { return shape.heads / shape.kvHeads; }
constexpr int64_t tileTokens(const AttentionShape& shape) {
    const int64_t group = groupOf(shape);
    return group < kTileQueries ? kTileQueries / group : 1; // NOLINT(clang-analyzer-core.DivideZero): heads >= kvHeads
}
constexpr int64_t mostTileQueries(const AttentionShape& shape) { return tileTokens(shape) * groupOf(shape); }

/// Positions [begin, end).
struct PositionRange {
    int64_t begin = 0, end = 0;
};

/// The positions that a token at `position` sees: itself and all earlier ones, or the last `window` of these.
constexpr PositionRange seenFrom(int64_t position, int64_t window) {
    return {window == 0 || position < window ? 0 : position - window + 1, position + 1};
}

struct AttentionTile {
    const KernelTable& kernels;
    const KvCache& cache;
    int64_t layer = 0, kvHead = 0, window = 0;
    int64_t position = 0, tokens = 1; ///< position of the first token, and number of tokens
    int64_t group = 1, headDim = 0;
    float scale = 1, cap = 0;       ///< AttentionShape::scale, AttentionShape::scoreCap
    const float* queries = nullptr; ///< [tokens, group, headDim]
    float* scores = nullptr;        ///< [tokens, group, kKeyBlock], scratch

    int64_t rows() const { return tokens * group; }
    /// Returns all blocks of which some token of the tile sees a part.
    PositionRange blocks() const;
    /// parts: [tokens, group], {-infinity, 0} for a token that sees nothing of the block. out: [tokens, group,
    /// headDim], the sums of exp(score - largest) * value.
    void attend(int64_t block, PartialSoftmax* parts, float* out) const;

  private:
    PositionRange within(PositionRange range, int64_t token) const;
    void score(PositionRange range) const;
    void addValues(int64_t token, int64_t tokenCount, PositionRange range, int64_t scored, float* out) const;
};

/// Adds a block's part to the total. values: [n], the block's; out: [n], the total's so far.
void addPart(const PartialSoftmax& part, const float* values, int64_t n, PartialSoftmax& total, float* out);

} // namespace coterie::engine
