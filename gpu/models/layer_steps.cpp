// SPDX-License-Identifier: Apache-2.0
#include "layer_steps.h"

#include "elementary.h"
#include "kernels/quants.h"
#include "lane_sums.h"
#include "products.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

namespace coterie::gpu {
namespace {

using engine::kBlockValues;
using engine::TensorType;

constexpr size_t kLanes = 128;         ///< lanes among which norm and route deal a sum
constexpr size_t kBlockPositions = 64; ///< positions that attention takes together
constexpr float kLeastWeightSum = 1.0f / (1 << 14);

} // namespace

// Norm and rotation

namespace {

/// x: [vectors, columns], one after the other.
void prepareAll(std::span<const float> x, uint32_t columns, uint32_t stride, std::span<uint32_t> out) {
    if (!out.empty()) prepareBytes({x, {columns, static_cast<uint>(x.size() / columns), columns, stride}}, out);
}

} // namespace

void norm(const NormCall& call, std::span<float> out, std::span<float> sums, std::span<uint32_t> prepared,
          std::span<float> logits) {
    const NormPush& push = call.push;
    const size_t width = push.width;
    std::vector<float> values(call.x.begin(), call.x.end());
    if (!call.rows.empty()) {
        weightedSum({call.kind, call.x, call.rows, call.rowWeights, {push.width, push.rows, push.scale}}, values);
        std::ranges::copy(values, sums.begin());
    }
    for (size_t begin = 0; begin < values.size(); begin += width) {
        const std::span<const float> value = std::span(values).subspan(begin, width);
        std::array<float, kLanes> squares{};
        for (size_t i = 0; i < width; ++i) squares[i % kLanes] += value[i] * value[i];
        const float scale = inverseRoot(sumOverLanes(squares) * push.inverseWidth + push.epsilon);
        for (size_t i = 0; i < width; ++i) out[begin + i] = value[i] * scale * call.weight[push.weightOffset + i];
    }
    prepareAll(out, push.width, push.preparedStride, prepared);
    if (call.router.bytes.empty()) return;
    const std::span<const float> read =
        call.routesNormed ? std::span<const float>(out) : std::span<const float>(values);
    product({.weights = call.router,
             .inputs = std::as_bytes(read),
             .rowOf = {},
             .bias = {},
             .push = {.rows = push.routerRows,
                      .columns = push.width,
                      .vectors = static_cast<uint32_t>(out.size() / width),
                      .vectorsPerInput = 1,
                      .inputStride = push.width,
                      .outStride = push.routerRows,
                      .outOffset = 0,
                      .matrixOffset = 0,
                      .biasOffset = 0,
                      .biasStride = 0}},
            logits);
}

// KV cache

namespace {

void keepRow(TensorType type, std::span<const float> row, std::byte* out) {
    if (type == TensorType::F16) {
        for (const float value : row) {
            const uint16_t half = engine::halfFromFloat(value);
            std::memcpy(out, &half, sizeof half);
            out += sizeof half;
        }
        return;
    }
    const auto columns = static_cast<int64_t>(row.size());
    std::vector<uint32_t> prepared(static_cast<size_t>(engine::preparedQuantsOffset(columns)) / 4 + row.size() / 4);
    prepareBytes({row, {static_cast<uint>(columns), 1, static_cast<uint>(columns), static_cast<uint>(prepared.size())}},
                 prepared);
    const auto* bytes = reinterpret_cast<const std::byte*>(prepared.data());
    for (int64_t block = 0; block < columns / kBlockValues; ++block) {
        const uint16_t scale = engine::halfFromFloat(engine::loadAs<float>(bytes + block * 4));
        std::memcpy(out, &scale, sizeof scale);
        std::memcpy(out + sizeof scale, bytes + engine::preparedQuantsOffset(columns) + block * kBlockValues,
                    kBlockValues);
        out += sizeof scale + kBlockValues;
    }
}

float cachedValue(TensorType type, const std::byte* row, size_t c) {
    if (type == TensorType::F16) return engine::floatFromHalf(engine::loadAs<uint16_t>(row + 2 * c));
    const std::byte* block = row + c / kBlockValues * (kBlockValues + 2);
    return engine::floatFromHalf(engine::loadAs<uint16_t>(block)) *
           static_cast<float>(engine::loadAs<int8_t>(block + 2 + c % kBlockValues));
}

} // namespace

// Heads

namespace {

/// Some heads that lie side by side in each row.
struct Projection {
    size_t offset; ///< floats of a row in front of them
    uint32_t heads;
    std::span<const float> weight; ///< the norm's, or empty
    float inverseWidth;
};

std::vector<float> headsOf(const HeadsCall& call, const Projection& from) {
    const size_t width = size_t{from.heads} * call.push.headDim;
    std::vector<float> values;
    for (size_t row = 0; row < call.rows.size(); row += call.push.rowStride) {
        const std::span<const float> part = call.rows.subspan(row + from.offset, width);
        values.insert(values.end(), part.begin(), part.end());
    }
    if (from.weight.empty()) return values;
    NormCall each{.x = values, .weight = from.weight, .push = {}};
    each.push.width = call.norm == engine::HeadNorm::EachHead ? call.push.headDim : static_cast<uint32_t>(width);
    each.push.inverseWidth = from.inverseWidth;
    each.push.epsilon = call.push.epsilon;
    std::vector<float> normed(values.size());
    norm(each, normed, {});
    return normed;
}

std::vector<float> rotatedHeadsOf(const HeadsCall& call, const Projection& from) {
    std::vector<float> values = headsOf(call, from);
    if (!call.rotates) return values;
    const size_t pairs = call.push.dimensions / 2, headDim = call.push.headDim;
    const bool halves = call.kind == engine::RopeKind::Neox;
    for (size_t head = 0; head < values.size() / headDim; ++head)
        for (size_t pair = 0; pair < pairs; ++pair) {
            const size_t a = head * headDim + (halves ? pair : 2 * pair), b = halves ? a + pairs : a + 1;
            const float* turn = &call.cosSin[(head / from.heads * pairs + pair) * 2];
            const float x = values[a], y = values[b];
            values[a] = x * turn[0] - y * turn[1];
            values[b] = x * turn[1] + y * turn[0];
        }
    return values;
}

/// Stores keys or values of some tokens behind `offset`, in bytes. rows: [tokens, kvHeads, headDim].
void keepRows(const HeadsCall& call, std::span<const float> rows, uint32_t offset, std::span<uint16_t> cache) {
    const HeadsPush& push = call.push;
    const size_t words = engine::rowBytes(call.type, push.headDim) / 2;
    for (size_t row = 0; row < rows.size() / push.headDim; ++row) {
        const size_t token = row / push.kvHeads, head = row % push.kvHeads;
        const size_t place = head * push.capacity + (call.step.position + token) % push.capacity;
        keepRow(call.type, rows.subspan(row * push.headDim, push.headDim),
                reinterpret_cast<std::byte*>(&cache[offset / 2 + place * words]));
    }
}

} // namespace

void finishHeads(const HeadsCall& call, std::span<float> queries, std::span<uint16_t> cache) {
    const HeadsPush& push = call.push;
    const size_t keys = size_t{push.heads} * push.headDim, values = keys + size_t{push.kvHeads} * push.headDim;
    std::ranges::copy(rotatedHeadsOf(call, {0, push.heads, call.queryNorm, push.inverseQueryWidth}), queries.begin());
    keepRows(call, rotatedHeadsOf(call, {keys, push.kvHeads, call.keyNorm, push.inverseKeyWidth}), push.keysOffset,
             cache);
    keepRows(call, headsOf(call, {values, push.kvHeads, {}, 0}), push.valuesOffset, cache);
}

// Attention

namespace {

/// The sums over some positions.
struct BlockSums {
    float largest = 0, total = 0;
    std::vector<float> values; ///< [headDim]
};

/// One head of one token.
class HeadAttention {
  public:
    HeadAttention(const AttentionCall& call, size_t head, std::span<const float> query)
        : call_(call), query_(query), kvHead_(head / call.push.group) {}

    /// Positions [begin, end) of one block.
    BlockSums sumBlock(size_t begin, size_t end) const {
        std::vector<float> weights(end - begin);
        for (size_t p = begin; p < end; ++p) weights[p - begin] = score(p);
        BlockSums sums{.largest = *std::ranges::max_element(weights), .values = {}};
        std::array<float, kBlockPositions> lanes{};
        for (size_t p = begin; p < end; ++p)
            lanes[p % kBlockPositions] = weights[p - begin] = exponential(weights[p - begin] - sums.largest);
        sums.total = sumOverLanes(lanes);
        for (size_t c = 0; c < query_.size(); ++c) {
            float value = 0;
            for (size_t p = begin; p < end; ++p)
                value += weights[p - begin] * cachedValue(call_.type, row(call_.push.valuesOffset, p), c);
            sums.values.push_back(value);
        }
        return sums;
    }

  private:
    const std::byte* row(size_t offset, size_t position) const {
        const size_t place = kvHead_ * call_.push.capacity + position % call_.push.capacity;
        return &call_.cache[offset + place * engine::rowBytes(call_.type, call_.push.headDim)];
    }
    float score(size_t position) const {
        const std::byte* key = row(call_.push.keysOffset, position);
        float sum = 0;
        for (size_t c = 0; c < query_.size(); ++c) sum += query_[c] * cachedValue(call_.type, key, c);
        return sum * call_.push.scale;
    }

    const AttentionCall& call_;
    std::span<const float> query_;
    size_t kvHead_;
};

/// The blocks that were added so far.
class AttentionTotal {
  public:
    AttentionTotal(std::span<const float> sinks, size_t head) {
        if (sinks.empty()) return;
        begun_ = true;
        sums_.largest = sinks[head];
        sums_.total = 1;
    }

    void add(const BlockSums& block) {
        sums_.values.resize(block.values.size());
        const float highest = begun_ ? std::max(sums_.largest, block.largest) : block.largest;
        const float kept = begun_ ? exponential(sums_.largest - highest) : 0;
        const float added = exponential(block.largest - highest);
        sums_.total = begun_ ? sums_.total * kept + block.total * added : block.total;
        for (size_t c = 0; c < block.values.size(); ++c)
            sums_.values[c] = begun_ ? sums_.values[c] * kept + block.values[c] * added : block.values[c];
        sums_.largest = highest;
        begun_ = true;
    }

    void finish(float* out) const {
        const float inverse = reciprocal(sums_.total);
        for (const float value : sums_.values) *out++ = value * inverse;
    }

  private:
    bool begun_ = false;
    BlockSums sums_;
};

/// Calls use(number, begin, end) for the blocks of the positions that a token sees, which is the one before `end`.
template <typename Use>
void forEachBlock(size_t end, size_t window, const Use& use) {
    size_t from = window == 0 || end <= window ? 0 : end - window;
    for (size_t number = 0; from < end; ++number) {
        const size_t to = std::min((from / kBlockPositions + 1) * kBlockPositions, end);
        use(number, from, to);
        from = to;
    }
}

std::span<const float> sinksBehind(std::span<const float> sinks, size_t offset) {
    return sinks.empty() ? sinks : sinks.subspan(offset);
}

} // namespace

void attend(const AttentionCall& call, std::span<float> out) {
    const AttentionPush& push = call.push;
    for (size_t row = 0; row < call.queries.size() / push.headDim; ++row) {
        const HeadAttention head(call, row % push.heads, call.queries.subspan(row * push.headDim, push.headDim));
        AttentionTotal total(sinksBehind(call.sinks, push.sinksOffset), row % push.heads);
        forEachBlock(call.step.position + row / push.heads + 1, push.window,
                     [&](size_t, size_t from, size_t to) { total.add(head.sumBlock(from, to)); });
        total.finish(&out[row * push.headDim]);
    }
}

void attendBlocks(const AttentionCall& call, std::span<float> partials) {
    const AttentionPush& push = call.push;
    for (size_t h = 0; h < push.heads; ++h) {
        const HeadAttention head(call, h, call.queries.subspan(h * push.headDim, push.headDim));
        forEachBlock(size_t{call.step.position} + 1, push.window, [&](size_t number, size_t from, size_t to) {
            const BlockSums block = head.sumBlock(from, to);
            float* out = &partials[(h * push.mostBlocks + number) * (push.headDim + 2)];
            std::ranges::copy(block.values, out);
            out[push.headDim] = block.largest;
            out[push.headDim + 1] = block.total;
        });
    }
}

void sumBlocks(const AttentionSumCall& call, std::span<float> out, std::span<uint32_t> prepared) {
    const AttentionSumPush& push = call.push;
    for (size_t h = 0; h < push.heads; ++h) {
        AttentionTotal total(sinksBehind(call.sinks, push.sinksOffset), h);
        forEachBlock(size_t{call.step.position} + 1, push.window, [&](size_t number, size_t, size_t) {
            const float* block = &call.partials[(h * push.mostBlocks + number) * (push.headDim + 2)];
            total.add({block[push.headDim], block[push.headDim + 1], {block, block + push.headDim}});
        });
        total.finish(&out[h * push.headDim]);
    }
    prepareAll(out, push.heads * push.headDim, push.preparedStride, prepared);
}

// Routing

namespace {

float highest(std::span<const float> values) { return *std::ranges::max_element(values); }

float softmaxSum(std::span<const float> logits) {
    std::array<float, kLanes> lanes{};
    for (size_t e = 0; e < logits.size(); ++e) lanes[e % kLanes] += exponential(logits[e] - highest(logits));
    return sumOverLanes(lanes);
}

/// The numbers by which experts are ranked.
std::vector<float> scoresOf(const RouteCall& call, std::span<const float> logits) {
    std::vector<float> scores(logits.begin(), logits.end());
    if (call.bias.empty() && call.push.groups == 1) return scores;
    const bool softmax = call.gating == engine::Gating::Softmax;
    const float inverse = softmax ? reciprocal(softmaxSum(logits)) : 1;
    for (size_t e = 0; e < scores.size(); ++e) {
        scores[e] = softmax ? exponential(logits[e] - highest(logits)) * inverse : sigmoid(logits[e]);
        if (!call.bias.empty()) scores[e] += call.bias[call.push.biasOffset + e];
    }
    return scores;
}

/// Whether each expert is of a group whose experts can be chosen.
std::vector<bool> allowed(const RouteCall& call, std::span<const float> scores) {
    const size_t groups = call.push.groups, each = scores.size() / groups;
    std::vector<float> sums;
    for (size_t g = 0; g < groups; ++g) {
        std::vector<float> group(&scores[g * each], &scores[g * each] + each);
        std::ranges::sort(group, std::greater<>());
        sums.push_back(each > 1 ? group[0] + group[1] : group[0]);
    }
    std::vector<size_t> order(groups);
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&sums](size_t a, size_t b) { return sums[a] > sums[b]; });
    std::vector<bool> may(scores.size());
    for (size_t rank = 0; rank < call.push.groupsUsed; ++rank)
        std::fill_n(may.begin() + static_cast<std::ptrdiff_t>(order[rank] * each), each, true);
    return may;
}

/// The chosen experts, the highest logit first.
std::vector<uint32_t> choose(const RouteCall& call, std::span<const float> logits) {
    const std::vector<float> scores = scoresOf(call, logits);
    const std::vector<bool> may = allowed(call, scores);
    std::vector<uint32_t> experts;
    for (uint32_t e = 0; e < scores.size(); ++e)
        if (may[e]) experts.push_back(e);
    std::ranges::stable_sort(experts, [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
    experts.resize(call.chosen);
    std::ranges::sort(experts,
                      [&](uint32_t a, uint32_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
    return experts;
}

} // namespace

void route(const RouteCall& call, std::span<uint32_t> expertOf, std::span<float> weightOf) {
    const bool softmax = call.gating == engine::Gating::Softmax;
    for (size_t token = 0; token < call.logits.size() / call.experts; ++token) {
        const std::span<const float> unbiased = call.logits.subspan(token * call.experts, call.experts);
        std::vector<float> logits(unbiased.begin(), unbiased.end());
        for (size_t e = 0; e < call.logitBias.size(); ++e) logits[e] += call.logitBias[e];
        const std::vector<uint32_t> experts = choose(call, logits);
        std::vector<float> weights;
        float sum = 0;
        for (const uint32_t e : experts) {
            weights.push_back(softmax ? exponential(logits[e] - highest(logits)) : sigmoid(logits[e]));
            sum += weights.back();
        }
        float inverse = 1;
        if (softmax)
            inverse = reciprocal(call.normalised ? sum : softmaxSum(logits));
        else if (call.normalised)
            inverse = reciprocal(std::max(sum, kLeastWeightSum));
        for (size_t rank = 0; rank < experts.size(); ++rank) {
            expertOf[token * call.chosen + rank] = experts[rank];
            weightOf[token * call.chosen + rank] = weights[rank] * inverse;
        }
    }
}

// Feed-forward part

void activate(const ActivateCall& call, std::span<float> out, std::span<uint32_t> counts,
              std::span<uint32_t> prepared) {
    const ActivatePush& push = call.push;
    std::ranges::fill(counts, 0u);
    for (size_t i = 0; i < out.size(); ++i) {
        const size_t at = i / push.neurons * push.inputStride + i % push.neurons;
        const float gate = call.gates[at], up = call.ups[push.upOffset + at];
        uint32_t& count = counts[i / push.neurons];
        switch (call.kind) {
        case engine::Activation::SwiGlu:
            out[i] = gate * sigmoid(gate) * up;
            ++count;
            break;
        case engine::Activation::ReGlu:
            out[i] = gate > 0 ? gate * up : 0;
            count += gate > 0 ? 1 : 0;
            break;
        case engine::Activation::ClampedSwiGlu: {
            const float g = std::min(gate, 7.0f), u = std::clamp(up, -7.0f, 7.0f);
            out[i] = g * sigmoid(1.702f * g) * (u + 1);
            ++count;
            break;
        }
        case engine::Activation::GeGlu: // no shader has it: vulkanAbilities()
            break;
        }
    }
    prepareAll(out, push.neurons, push.preparedStride, prepared);
}

namespace {

/// Gates and ups of all vectors: [vectors, 2 neurons].
std::vector<float> gatesAndUps(const NeuronsCall& call) {
    const uint32_t rows = 2 * call.push.neurons;
    std::vector<float> both(size_t{call.vectors} * rows);
    product({.weights = call.weights,
             .inputs = call.inputs,
             .rowOf = {},
             .bias = call.bias,
             .push = {.rows = rows,
                      .columns = call.push.columns,
                      .vectors = call.vectors,
                      .vectorsPerInput = call.push.vectorsPerInput,
                      .inputStride = call.push.inputStride,
                      .outStride = rows,
                      .outOffset = 0,
                      .matrixOffset = 0,
                      .biasOffset = 0,
                      .biasStride = rows}},
            both);
    return both;
}

bool hasMatrix(const Weights& weights, size_t vector) {
    return weights.expertOf.empty() || weights.placeOf[weights.expertOf[vector]] != kNoMatrix;
}

/// The neurons of each 32 that let something through.
void countOpen(const NeuronsCall& call, std::span<const float> gates, std::span<uint32_t> counts) {
    constexpr size_t kGroup = 32;
    for (size_t begin = 0; begin < gates.size(); begin += kGroup) {
        const std::span<const float> group = gates.subspan(begin, std::min(kGroup, gates.size() - begin));
        counts[begin / kGroup] = static_cast<uint32_t>(std::ranges::count_if(
            group, [&](float gate) { return call.kind != engine::Activation::ReGlu || gate > 0; }));
    }
}

} // namespace

void neurons(const NeuronsCall& call, std::span<float> out, std::span<uint32_t> prepared, std::span<uint32_t> upsRead) {
    const NeuronsPush& push = call.push;
    const std::vector<float> both = gatesAndUps(call);
    for (size_t v = 0; v < call.vectors; ++v) {
        if (!hasMatrix(call.weights, v)) continue;
        const std::span<const float> gates = std::span(both).subspan(v * 2 * push.neurons, push.neurons);
        const std::span<const float> ups = std::span(both).subspan((v * 2 + 1) * push.neurons, push.neurons);
        std::vector<float> row(push.neurons);
        std::array<uint32_t, 1> count{};
        activate({call.kind, gates, ups, {push.neurons, push.neurons, 0, push.outStride}}, row, count,
                 prepared.empty() ? prepared : prepared.subspan(v * push.outStride, push.outStride));
        if (!out.empty()) std::ranges::copy(row, out.begin() + static_cast<std::ptrdiff_t>(v * push.outStride));
        if (!upsRead.empty()) countOpen(call, gates, upsRead.subspan(push.countsOffset + v * push.countsStride));
    }
}

void sumGroupCounts(const GroupCountsCall& call, std::span<uint32_t> out) {
    const GroupCountsPush& push = call.push;
    for (size_t layer = 0; layer < call.layers; ++layer)
        for (size_t row = 0; row < push.rows; ++row) {
            const size_t begin = push.countsOffset + layer * push.layerStride + row * push.rowStride;
            const std::span<const uint32_t> groups = call.counts.subspan(begin, push.groups);
            out[push.outOffset + layer * push.outStride + row] = std::accumulate(groups.begin(), groups.end(), 0u);
        }
}

void weightedSum(const WeightedSumCall& call, std::span<float> out) {
    const size_t width = call.push.width, rows = call.push.rows;
    std::ranges::copy(call.x, out.begin());
    for (size_t row = 0; row < call.rows.size() / width; ++row) {
        float weight = call.push.scale;
        if (call.kind == RowWeights::Given) weight *= call.weights[row];
        if (call.kind == RowWeights::Sigmoids) weight *= sigmoid(call.weights[row]);
        for (size_t i = 0; i < width; ++i) out[row / rows * width + i] += weight * call.rows[row * width + i];
    }
}

} // namespace coterie::gpu
