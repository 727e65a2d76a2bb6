// SPDX-License-Identifier: Apache-2.0
// See attention.h. This file cuts the work into pieces; attention_tile.h says why that changes no result.
#include "decoder/mixers/attention.h"

#include "base/rounding.h"

#include <algorithm>
#include <limits>

namespace coterie::engine {
namespace {

void addVector(const float* from, int64_t n, float* to) {
    if (from == nullptr) return;
    for (int64_t i = 0; i < n; ++i) to[i] += from[i];
}

/// The total before the first block: empty, or the head's sink, which takes weight and has no value.
PartialSoftmax startTotal(const float* sinks, int64_t head, int64_t n, float* out) {
    std::fill_n(out, n, 0.0f);
    if (sinks == nullptr) return {-std::numeric_limits<float>::infinity(), 0.0f};
    return {sinks[head], 1.0f};
}

void finishTotal(const PartialSoftmax& total, int64_t n, float* out) {
    const float inverse = 1.0f / total.sum;
    for (int64_t i = 0; i < n; ++i) out[i] *= inverse;
}

} // namespace

void Attention::run(int64_t layer, const LayerWeights& weights, int64_t position, int64_t first,
                    PreparedInputs& input) {
    first_ = first;
    project(layer, weights, position, input);
    if (input.batch() == 1)
        attendOne(layer, weights, position);
    else
        attendMany(layer, weights, position, input.batch());
    output(shapeOf(layer), weights, input);
}

/// Makes the tokens' q, k and v, and stores k and v in the cache.
void Attention::project(int64_t layer, const LayerWeights& weights, int64_t position, PreparedInputs& input) {
    const StepScope step = compute_.measure(Step::Projections);
    Workspace& w = workspace_;
    const AttentionShape& shape = shapeOf(layer);
    const int64_t n = input.batch();
    std::array<Product, 3> projections;
    size_t count = 0;
    const auto add = [&](const Matrix& matrix, float* out) {
        projections[count++] = {matrix, input.form(compute_, matrix.type), n, out, matrix.rows};
    };
    add(weights.query, shape.gated ? w.queryGates : w.query);
    if (shape.hasKeys()) add(weights.key, w.key);
    if (shape.hasKeys() && !shape.keysAreValues) add(weights.value, w.value);
    multiplyAll(compute_, std::span(projections).first(count));
    compute_.forEachToken(n, [&](int64_t t) { finishToken(layer, weights, position + t, t); });
}

/// workspace.attended -> workspace.blockOut
void Attention::output(const AttentionShape& shape, const LayerWeights& weights, PreparedInputs& input) {
    const StepScope step = compute_.measure(Step::Output);
    Workspace& w = workspace_;
    const int64_t n = input.batch();
    if (shape.gated) compute_.forEachToken(n, [&](int64_t t) { gateToken(shape, t); });
    input.set(w.attended, shape.queryWidth(), n);
    multiply(compute_, {weights.output, input.form(compute_, weights.output.type), n, w.blockOut, shape_.width});
    if (weights.outputBias == nullptr) return;
    compute_.forEachToken(
        n, [&](int64_t t) { addVector(weights.outputBias, shape_.width, w.blockOut + t * shape_.width); });
}

/// Applies biases, norms and rotation to one token's q, k and v, and stores k and v in the cache.
void Attention::finishToken(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token) {
    const AttentionShape& shape = shapeOf(layer);
    float* query = workspace_.query + token * shape.queryWidth();
    addVector(weights.queryBias, shape.queryRows(),
              shape.gated ? workspace_.queryGates + token * shape.queryRows() : query);
    for (int64_t h = 0; shape.gated && h < shape.heads; ++h)
        std::copy_n(gatesOf(shape, token, h) - shape.headDim, shape.headDim, query + h * shape.headDim);
    normHeads(shape, weights.queryNorm, query, shape.heads);
    if (shape.rope) rotateHeads(shape, token, query, shape.heads);
    if (shape.hasKeys()) storeToken(layer, weights, position, token);
}

void Attention::storeToken(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token) {
    const AttentionShape& shape = shapeOf(layer);
    float* key = workspace_.key + token * shape.keyWidth();
    float* value = workspace_.value + token * shape.keyWidth();
    addVector(weights.keyBias, shape.keyWidth(), key);
    if (shape.keysAreValues) std::copy_n(key, shape.keyWidth(), value);
    addVector(weights.valueBias, shape.keyWidth(), value);
    normHeads(shape, weights.keyNorm, key, shape.kvHeads);
    if (shape.normsValues)
        compute_.kernels.groupedRmsNorm(value, nullptr, 0, shape.kvHeads, shape.headDim, shape_.normEpsilon, value);
    if (shape.rope) rotateHeads(shape, token, key, shape.kvHeads);
    cache_.store(compute_.kernels, layer, position, key, value);
}

/// The gates of a token's head, which follow its query.
const float* Attention::gatesOf(const AttentionShape& shape, int64_t token, int64_t head) const {
    return workspace_.queryGates + token * shape.queryRows() + (2 * head + 1) * shape.headDim;
}

void Attention::gateToken(const AttentionShape& shape, int64_t token) {
    for (int64_t h = 0; h < shape.heads; ++h)
        compute_.kernels.sigmoidGate(gatesOf(shape, token, h), shape.headDim,
                                     workspace_.attended + (token * shape.heads + h) * shape.headDim);
}

void Attention::normHeads(const AttentionShape& shape, const float* weight, float* heads, int64_t count) const {
    if (weight == nullptr) return;
    const bool each = shape.norm == HeadNorm::EachHead;
    const int64_t n = each ? shape.headDim : shape.headDim * count;
    for (int64_t i = 0; i < (each ? count : 1); ++i)
        compute_.kernels.rmsNorm(heads + i * n, weight, n, shape_.normEpsilon, heads + i * n);
}

void Attention::rotateHeads(const AttentionShape& shape, int64_t token, float* heads, int64_t count) const {
    const int64_t rotated = shape_.rotationOf(shape).dimensions;
    const float* cosSin =
        (shape.ownRotation ? workspace_.windowCosSin : workspace_.cosSin) + (first_ + token) * rotated;
    for (int64_t h = 0; h < count; ++h)
        compute_.kernels.rope(shape.ropeKind, heads + h * shape.headDim, rotated, cosSin);
}

AttentionTile Attention::tile(int64_t layer, int64_t kvHead, int64_t position, int64_t tokens, int thread) const {
    const AttentionShape& shape = shapeOf(layer);
    const int64_t rows = mostTileQueries(shape);
    return {.kernels = compute_.kernels,
            .cache = cache_,
            .layer = layer,
            .kvHead = kvHead,
            .window = shape.window,
            .position = position,
            .tokens = tokens,
            .group = groupOf(shape),
            .headDim = shape.headDim,
            .scale = shape.scale,
            .cap = shape.scoreCap,
            .scores = workspace_.scores + thread * rows * kKeyBlock};
}

/// Bytes of one KV head's keys and values that so many tokens see.
uint64_t Attention::bytesSeen(int64_t layer, int64_t position, int64_t tokens) const {
    const int64_t positions = position + tokens - seenFrom(position, shapeOf(layer).window).begin;
    return static_cast<uint64_t>(2 * positions * cache_.rowBytes(layer));
}

/// Computes attention for a single token. A piece of work is a KV head and a block of positions, so that long contexts
/// keep all threads busy.
void Attention::attendOne(int64_t layer, const LayerWeights& weights, int64_t position) {
    const StepScope step = compute_.measure(Step::Attention);
    Workspace& w = workspace_;
    const AttentionShape& shape = shapeOf(layer);
    const AttentionTile any = tile(layer, 0, position, 1, 0);
    const PositionRange blocks = any.blocks();
    const int64_t count = blocks.end - blocks.begin;
    const uint64_t bytes = bytesSeen(layer, position, 1) * static_cast<uint64_t>(shape.kvHeads);
    compute_.measureBytes(bytes, Step::Attention);
    const int64_t pieces = shape.kvHeads * count;
    compute_.forEach(pieces, bytes < kWorthSharing ? pieces : 1, [&](int64_t begin, int64_t end, int thread) {
        for (int64_t i = begin; i < end; ++i) {
            AttentionTile piece = tile(layer, i / count, position, 1, thread);
            piece.queries = w.query + piece.kvHead * piece.group * piece.headDim;
            const int64_t row = i % count * shape.heads + piece.kvHead * piece.group;
            piece.attend(blocks.begin + i % count, w.parts + row, w.partValues + row * piece.headDim);
        }
    });
    const bool few = static_cast<uint64_t>(count * shape.queryWidth()) * sizeof(float) < kWorthSharing;
    compute_.forEach(shape.heads, few ? shape.heads : 1, [&](int64_t begin, int64_t end, int) {
        for (int64_t head = begin; head < end; ++head) {
            float* out = w.attended + head * shape.headDim;
            PartialSoftmax total = startTotal(weights.sinks, head, shape.headDim, out);
            for (int64_t row = head; row < count * shape.heads; row += shape.heads)
                addPart(w.parts[row], w.partValues + row * shape.headDim, shape.headDim, total, out);
            finishTotal(total, shape.headDim, out);
        }
    });
}

/// Computes attention for several tokens. A piece of work is a KV head and some of the tokens, with all positions that
/// they see.
void Attention::attendMany(int64_t layer, const LayerWeights& weights, int64_t position, int64_t tokens) {
    const StepScope step = compute_.measure(Step::Attention);
    const AttentionShape& shape = shapeOf(layer);
    const int64_t fair = (tokens * shape.kvHeads + compute_.pool.threads() - 1) / compute_.pool.threads();
    const int64_t each = std::min(tileTokens(shape), fair);
    const int64_t tiles = ceilDiv(tokens, each);
    compute_.forEach(tiles * shape.kvHeads, 1, [&](int64_t begin, int64_t end, int thread) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t token = i % tiles * each;
            const AttentionTile own = tile(layer, i / tiles, position + token, std::min(each, tokens - token), thread);
            compute_.measureBytes(bytesSeen(layer, own.position, own.tokens), Step::Attention);
            attendTile(own, token, weights, thread);
        }
    });
}

/// token: the index of the tile's first token in the chunk.
void Attention::attendTile(AttentionTile tile, int64_t token, const LayerWeights& weights, int thread) {
    Workspace& w = workspace_;
    const AttentionShape& shape = shapeOf(tile.layer);
    const int64_t n = shape.headDim, firstRow = thread * mostTileQueries(shape);
    const auto headAt = [&](float* array, int64_t row) {
        return array + ((token + row / tile.group) * shape.heads + tile.kvHead * tile.group + row % tile.group) * n;
    };
    float* queries = w.tileQueries + firstRow * n;
    PartialSoftmax* totals = w.softmaxTotals + firstRow;
    for (int64_t row = 0; row < tile.rows(); ++row) {
        std::copy_n(headAt(w.query, row), n, queries + row * n);
        totals[row] =
            startTotal(weights.sinks, tile.kvHead * tile.group + row % tile.group, n, headAt(w.attended, row));
    }
    tile.queries = queries;
    PartialSoftmax* parts = w.parts + firstRow;
    float* values = w.partValues + firstRow * n;
    const PositionRange blocks = tile.blocks();
    for (int64_t block = blocks.begin; block < blocks.end; ++block) {
        tile.attend(block, parts, values);
        for (int64_t row = 0; row < tile.rows(); ++row)
            addPart(parts[row], values + row * n, n, totals[row], headAt(w.attended, row));
    }
    for (int64_t row = 0; row < tile.rows(); ++row) finishTotal(totals[row], n, headAt(w.attended, row));
}

} // namespace coterie::engine
