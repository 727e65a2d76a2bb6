// SPDX-License-Identifier: Apache-2.0
// See attention.h. Each (token, head) is computed by one thread in the order of positions, so results depend on no
// split.
#include "decoder/attention.h"

#include <algorithm>
#include <cmath>

namespace coterie::engine {
namespace {

void addVector(const float* from, int64_t n, float* to) {
    if (from == nullptr) return;
    for (int64_t i = 0; i < n; ++i) to[i] += from[i];
}

} // namespace

void Attention::run(int64_t layer, const LayerWeights& weights, int64_t position, PreparedInputs& input) {
    Workspace& w = workspace_;
    const int64_t n = input.batch();
    const std::array projections{
        Product{weights.query, input.form(compute_, weights.query.type), n, w.query, shape_.queryWidth()},
        Product{weights.key, input.form(compute_, weights.key.type), n, w.key, shape_.keyWidth()},
        Product{weights.value, input.form(compute_, weights.value.type), n, w.value, shape_.keyWidth()}};
    multiplyAll(compute_, projections);
    compute_.forEachToken(n, [&](int64_t t) { finishToken(layer, weights, position + t, t); });
    compute_.forEach(n * shape_.heads, 1, [&](int64_t begin, int64_t end, int thread) {
        for (int64_t i = begin; i < end; ++i)
            attend(layer, weights, position + i / shape_.heads, i / shape_.heads, i % shape_.heads,
                   w.scores + thread * w.scoresLength);
    });
    input.set(w.mixed, shape_.queryWidth(), n);
    multiply(compute_, {weights.output, input.form(compute_, weights.output.type), n, w.block, shape_.width});
    if (weights.outputBias == nullptr) return;
    compute_.forEachToken(n,
                          [&](int64_t t) { addVector(weights.outputBias, shape_.width, w.block + t * shape_.width); });
}

/// Biases, norms and rotation of one token's q, k and v; then k and v go into the cache.
void Attention::finishToken(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token) {
    float* query = workspace_.query + token * shape_.queryWidth();
    float* key = workspace_.key + token * shape_.keyWidth();
    float* value = workspace_.value + token * shape_.keyWidth();
    addVector(weights.queryBias, shape_.queryWidth(), query);
    addVector(weights.keyBias, shape_.keyWidth(), key);
    addVector(weights.valueBias, shape_.keyWidth(), value);
    normHeads(weights.queryNorm, query, shape_.heads);
    normHeads(weights.keyNorm, key, shape_.kvHeads);
    if (shape_.layer[static_cast<size_t>(layer)].rope) {
        const float* cosSin = workspace_.cosSin + token * shape_.ropeDimensions;
        const RopeKind kind = shape_.architecture->rope;
        for (int64_t h = 0; h < shape_.heads; ++h)
            compute_.kernels.rope(kind, query + h * shape_.headDim, shape_.ropeDimensions, cosSin);
        for (int64_t h = 0; h < shape_.kvHeads; ++h)
            compute_.kernels.rope(kind, key + h * shape_.headDim, shape_.ropeDimensions, cosSin);
    }
    cache_.store(compute_.kernels, layer, position, key, value);
}

void Attention::normHeads(const float* weight, float* heads, int64_t count) const {
    if (weight == nullptr) return;
    const bool each = shape_.architecture->headNorm == HeadNorm::EachHead;
    const int64_t n = each ? shape_.headDim : shape_.headDim * count;
    for (int64_t i = 0; i < (each ? count : 1); ++i)
        compute_.kernels.rmsNorm(heads + i * n, weight, n, shape_.normEpsilon, heads + i * n);
}

void Attention::attend(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token, int64_t head,
                       float* scores) const {
    const int64_t n = shape_.headDim;
    const int64_t window = shape_.layer[static_cast<size_t>(layer)].window;
    const int64_t begin = window == 0 ? 0 : std::max<int64_t>(0, position - window + 1);
    const auto segments = cache_.read(layer, head / (shape_.heads / shape_.kvHeads), begin, position + 1);
    const float* query = workspace_.query + (token * shape_.heads + head) * n;
    const float scale = 1.0f / std::sqrt(static_cast<float>(n));
    float* next = scores;
    for (const KvCache::Segment& segment : segments) {
        compute_.kernels.attentionScores(cache_.format(), query, segment.keys, cache_.rowBytes(), segment.count, n,
                                         scale, next);
        next += segment.count;
    }
    if (weights.sinks != nullptr) *next++ = weights.sinks[head]; // takes weight, and has no value to give
    compute_.kernels.softmax(scores, next - scores);
    float* out = workspace_.mixed + (token * shape_.heads + head) * n;
    std::fill_n(out, n, 0.0f);
    const float* weight = scores;
    for (const KvCache::Segment& segment : segments) {
        compute_.kernels.attentionValues(cache_.format(), weight, segment.values, cache_.rowBytes(), segment.count, n,
                                         out);
        weight += segment.count;
    }
}

} // namespace coterie::engine
