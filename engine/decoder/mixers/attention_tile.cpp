// SPDX-License-Identifier: Apache-2.0
// See attention_tile.h.
#include "decoder/mixers/attention_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine {

PositionRange AttentionTile::blocks() const {
    return {seenFrom(position, window).begin / kKeyBlock, (position + tokens - 1) / kKeyBlock + 1};
}

/// Returns the part of the range that `token` sees; begin = end if it sees nothing.
PositionRange AttentionTile::within(PositionRange range, int64_t token) const {
    const PositionRange seen = seenFrom(position + token, window);
    const int64_t begin = std::clamp(seen.begin, range.begin, range.end);
    return {begin, std::clamp(seen.end, begin, range.end)};
}

void AttentionTile::attend(int64_t block, PartialSoftmax* parts, float* out) const {
    const PositionRange all{block * kKeyBlock, (block + 1) * kKeyBlock};
    const PositionRange first = within(all, 0), last = within(all, tokens - 1);
    const PositionRange any{first.begin, last.end};
    score(any);
    for (int64_t t = 0; t < tokens; ++t) {
        const PositionRange own = within(all, t);
        for (int64_t row = t * group; row < (t + 1) * group; ++row) {
            float* seen = scores + row * kKeyBlock + own.begin - any.begin;
            if (cap != 0) kernels.softCap(seen, own.end - own.begin, cap);
            parts[row] = kernels.partialSoftmax(seen, own.end - own.begin);
        }
    }
    std::fill_n(out, rows() * headDim, 0.0f);
    // Positions that all tokens see are read once; before and after them each token has its own edge. Each token adds
    // in the order of positions.
    PositionRange common{last.begin, first.end};
    if (common.end <= common.begin) common = {any.end, any.end};
    for (int64_t t = 0; t < tokens; ++t) {
        const PositionRange own = within(all, t);
        addValues(t, 1, {own.begin, std::min(own.end, common.begin)}, any.begin, out);
    }
    addValues(0, tokens, common, any.begin, out);
    for (int64_t t = 0; t < tokens; ++t) {
        const PositionRange own = within(all, t);
        addValues(t, 1, {std::max(own.begin, common.end), own.end}, any.begin, out);
    }
}

/// Scores all queries with all positions, including those that a token at the tile's edges does not see.
void AttentionTile::score(PositionRange range) const {
    float* next = scores;
    for (const KvCache::Segment& segment : cache.read(layer, kvHead, range.begin, range.end)) {
        const CacheRows keys{cache.format(), segment.keys, cache.rowBytes(layer), segment.count, headDim};
        kernels.attentionScores(keys, queries, headDim, rows(), scale, next, kKeyBlock);
        next += segment.count;
    }
}

/// scored: the position of the first column of `scores`.
void AttentionTile::addValues(int64_t token, int64_t tokenCount, PositionRange range, int64_t scored,
                              float* out) const {
    if (range.end <= range.begin) return;
    const int64_t row = token * group;
    const float* weights = scores + row * kKeyBlock + range.begin - scored;
    for (const KvCache::Segment& segment : cache.read(layer, kvHead, range.begin, range.end)) {
        const CacheRows values{cache.format(), segment.values, cache.rowBytes(layer), segment.count, headDim};
        kernels.attentionValues(values, weights, kKeyBlock, tokenCount * group, out + row * headDim, headDim);
        weights += segment.count;
    }
}

void addPart(const PartialSoftmax& part, const float* values, int64_t n, PartialSoftmax& total, float* out) {
    if (part.largest == -std::numeric_limits<float>::infinity()) return; // nothing in it has any weight
    const float largest = std::max(total.largest, part.largest);
    const float kept = std::exp(total.largest - largest), added = std::exp(part.largest - largest);
    total = {largest, total.sum * kept + part.sum * added};
    for (int64_t i = 0; i < n; ++i) out[i] = out[i] * kept + values[i] * added;
}

} // namespace coterie::engine
