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

void norm(const NormCall& call, std::span<float> out, std::span<float> sums) {
    const size_t width = call.push.width;
    std::vector<float> value(width);
    for (size_t begin = 0; begin < call.x.size(); begin += width) {
        std::array<float, kLanes> squares{};
        for (size_t i = 0; i < width; ++i) {
            value[i] = call.x[begin + i];
            if (!call.added.empty()) sums[begin + i] = value[i] += call.added[begin + i];
            squares[i % kLanes] += value[i] * value[i];
        }
        const float scale = inverseRoot(sumOverLanes(squares) * call.push.inverseWidth + call.push.epsilon);
        for (size_t i = 0; i < width; ++i) out[begin + i] = value[i] * scale * call.weight[call.push.weightOffset + i];
    }
}

void rope(const RopeCall& call, std::span<float> out) {
    const size_t pairs = call.push.dimensions / 2, headDim = call.push.headDim;
    const bool halves = call.kind == engine::RopeKind::Neox;
    std::ranges::copy(call.heads, out.begin());
    for (size_t head = 0; head < call.heads.size() / headDim; ++head)
        for (size_t pair = 0; pair < pairs; ++pair) {
            const size_t a = head * headDim + (halves ? pair : 2 * pair), b = halves ? a + pairs : a + 1;
            const float* turn = &call.cosSin[(head / call.push.heads * pairs + pair) * 2];
            const float x = call.heads[a], y = call.heads[b];
            out[a] = x * turn[0] - y * turn[1];
            out[b] = x * turn[1] + y * turn[0];
        }
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

void keepRows(const KeepCall& call, std::span<uint16_t> cache) {
    const KeepPush& push = call.push;
    const size_t words = engine::rowBytes(call.type, push.headDim) / 2;
    for (size_t row = 0; row < call.rows.size() / push.headDim; ++row) {
        const size_t token = row / push.heads, head = row % push.heads;
        const size_t place = head * push.capacity + (push.position + token) % push.capacity;
        keepRow(call.type, call.rows.subspan(row * push.headDim, push.headDim),
                reinterpret_cast<std::byte*>(&cache[push.offset + place * words]));
    }
}

// Attention

namespace {

/// One head of one token: the blocks that were added so far.
class HeadAttention {
  public:
    HeadAttention(const AttentionCall& call, size_t head, std::span<const float> query)
        : call_(call), query_(query), kvHead_(head / call.push.group), values_(call.push.headDim) {
        if (call.sinks.empty()) return;
        begun_ = true;
        largest_ = call.sinks[call.push.sinksOffset + head];
        total_ = 1;
    }

    /// Positions [begin, end) of one block.
    void addBlock(size_t begin, size_t end) {
        std::vector<float> weights(end - begin);
        for (size_t p = begin; p < end; ++p) weights[p - begin] = score(p);
        const float largest = *std::ranges::max_element(weights);
        std::array<float, kBlockPositions> lanes{};
        for (size_t p = begin; p < end; ++p)
            lanes[p % kBlockPositions] = weights[p - begin] = exponential(weights[p - begin] - largest);
        const float highest = begun_ ? std::max(largest_, largest) : largest;
        const float kept = begun_ ? exponential(largest_ - highest) : 0, added = exponential(largest - highest);
        const float sum = sumOverLanes(lanes);
        total_ = begun_ ? total_ * kept + sum * added : sum;
        for (size_t c = 0; c < values_.size(); ++c) {
            float value = 0;
            for (size_t p = begin; p < end; ++p)
                value += weights[p - begin] * cachedValue(call_.type, row(call_.push.valuesOffset, p), c);
            values_[c] = begun_ ? values_[c] * kept + value * added : value;
        }
        largest_ = highest;
        begun_ = true;
    }

    void finish(float* out) const {
        const float inverse = reciprocal(total_);
        for (const float value : values_) *out++ = value * inverse;
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
    bool begun_ = false;
    float largest_ = 0, total_ = 0;
    std::vector<float> values_;
};

} // namespace

void attend(const AttentionCall& call, std::span<float> out) {
    const AttentionPush& push = call.push;
    for (size_t row = 0; row < call.queries.size() / push.headDim; ++row) {
        const size_t end = push.position + row / push.heads + 1;
        const size_t begin = push.window == 0 || end <= push.window ? 0 : end - push.window;
        HeadAttention head(call, row % push.heads, call.queries.subspan(row * push.headDim, push.headDim));
        for (size_t from = begin; from < end;) {
            const size_t to = std::min((from / kBlockPositions + 1) * kBlockPositions, end);
            head.addBlock(from, to);
            from = to;
        }
        head.finish(&out[row * push.headDim]);
    }
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
        const std::span<const float> logits = call.logits.subspan(token * call.experts, call.experts);
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

void activate(const ActivateCall& call, std::span<float> out, std::span<uint32_t> counts) {
    std::ranges::fill(counts, 0u);
    for (size_t i = 0; i < call.gates.size(); ++i) {
        const float gate = call.gates[i], up = call.ups[i];
        uint32_t& count = counts[i / call.push.neurons];
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
        }
        }
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
