// SPDX-License-Identifier: Apache-2.0
#include "layer_step_samples.h"

#include "shader_names.h"

#include "base/rounding.h"
#include "kernels/blocks.h"

#include <algorithm>
#include <cmath>

namespace coterie::gpu {

using engine::TensorType;

namespace {

/// Values as they come out of products: some are larger than 1.
std::vector<float> wide(Samples& samples, size_t count, float most) {
    std::vector<float> values = samples.units(count);
    for (float& value : values) value *= most;
    return values;
}

/// Words of a prepared vector with room behind it; 0 if vectors of this length can't be prepared.
uint32_t strideOf(uint32_t columns) {
    constexpr uint32_t room = 16;
    return columns % engine::kBlockValues == 0 ? preparedWords(columns) + room : 0;
}

} // namespace

NormSample::NormSample(uint32_t vectors, uint32_t width, uint32_t rowsOfVector, RowWeights kindOfWeights, uint32_t seed)
    : kind(kindOfWeights), push{.width = width,
                                .weightOffset = 1,
                                .inverseWidth = 1 / static_cast<float>(width),
                                .epsilon = 1e-6f,
                                .rows = rowsOfVector,
                                .scale = 0.75f,
                                .preparedStride = strideOf(width),
                                .routerRows = 0} {
    Samples samples(seed);
    x = wide(samples, size_t{vectors} * width, 4);
    rows = samples.units(x.size() * rowsOfVector);
    if (kind != RowWeights::Ones) rowWeights = samples.units(size_t{vectors} * rowsOfVector);
    weight = samples.units(width + push.weightOffset);
}

void NormSample::addRouter(TensorType format, uint32_t rowsOfRouter, bool readsNormed, uint32_t seed) {
    routerType = format;
    router = Samples(seed).weights(format, rowsOfRouter, push.width);
    routesNormed = readsNormed;
    push.routerRows = rowsOfRouter;
}

HeadsSample::HeadsSample(uint32_t tokens, const HeadsCall& kind, uint32_t seed) : shape(kind) {
    HeadsPush& push = shape.push;
    const uint32_t headDim = push.headDim;
    push.rowStride = (push.heads + 2 * push.kvHeads) * headDim + 32; // there is something behind the values
    push.keysOffset = 6;
    push.valuesOffset = push.keysOffset +
                        static_cast<uint32_t>(push.kvHeads * push.capacity * engine::rowBytes(shape.type, headDim)) + 2;
    const bool each = shape.norm == engine::HeadNorm::EachHead;
    const uint32_t queryWidth = each ? headDim : headDim * push.heads,
                   keyWidth = each ? headDim : headDim * push.kvHeads;
    push.inverseQueryWidth = 1 / static_cast<float>(queryWidth);
    push.inverseKeyWidth = 1 / static_cast<float>(keyWidth);
    push.epsilon = 1e-5f;
    Samples samples(seed);
    const size_t count = size_t{tokens} * push.rowStride;
    rows = shape.type == TensorType::Q8_0 ? samples.ties(count) : wide(samples, count, 8);
    cosSin = samples.units(size_t{tokens} * push.dimensions);
    if (shape.norm == engine::HeadNorm::None) return;
    queryNorm = samples.units(queryWidth);
    keyNorm = samples.units(keyWidth);
}

HeadsCall HeadsSample::call() const {
    HeadsCall call = shape;
    call.rows = rows;
    call.cosSin = cosSin;
    call.queryNorm = queryNorm;
    call.keyNorm = keyNorm;
    return call;
}

size_t HeadsSample::cacheWords() const {
    const HeadsPush& push = shape.push;
    const size_t bytes =
        push.valuesOffset + size_t{push.kvHeads} * push.capacity * engine::rowBytes(shape.type, push.headDim);
    return static_cast<size_t>(engine::roundUp(static_cast<int64_t>(bytes), 4)) / sizeof(uint16_t);
}

AttentionSample::AttentionSample(TensorType format, uint32_t tokens, Step first, const AttentionPush& shape,
                                 bool hasSinks, uint32_t seed)
    : type(format), step(first), push(shape) {
    Samples samples(seed);
    // Bytes of Q8_0 reach 127: larger queries would give all weight to one position.
    queries = wide(samples, size_t{tokens} * push.heads * push.headDim, type == TensorType::Q8_0 ? 0x1p-5f : 2);
    const size_t rows = size_t{push.heads / push.group} * push.capacity;
    cache = samples.weights(type, 2 * rows, push.headDim);
    push.keysOffset = 0;
    push.valuesOffset = static_cast<uint32_t>(rows * engine::rowBytes(type, push.headDim));
    push.scale = 1 / std::sqrt(static_cast<float>(push.headDim));
    const uint32_t seen = push.window == 0 ? 0 : step.position - std::min(step.position, push.window - 1);
    push.mostBlocks = step.position / 64 - seen / 64 + 2; // one stays empty
    if (hasSinks) sinks = samples.units(push.sinksOffset + push.heads);
}

AttentionSumCall AttentionSample::sumCall(std::span<const float> partials) const {
    return {
        .partials = partials,
        .sinks = sinks,
        .step = step,
        .push = {.heads = push.heads,
                 .headDim = push.headDim,
                 .mostBlocks = push.mostBlocks,
                 .window = push.window,
                 .sinksOffset = push.sinksOffset,
                 .preparedStride = push.headDim % engine::kBlockValues == 0 ? strideOf(push.heads * push.headDim) : 0}};
}

RouteSample::RouteSample(uint32_t tokens, const RouteCall& kind, bool hasBias, uint32_t seed) : shape(kind) {
    Samples samples(seed);
    logits = wide(samples, size_t{tokens} * shape.experts, 6);
    if (hasBias) bias = samples.units(shape.push.biasOffset + shape.experts);
}

RouteCall RouteSample::call() const {
    RouteCall call = shape;
    call.logits = logits;
    call.bias = bias;
    call.logitBias = logitBias;
    return call;
}

ActivateSample::ActivateSample(engine::Activation formula, uint32_t rows, uint32_t neuronsOfRow, uint32_t seed)
    : kind(formula), neurons(neuronsOfRow), preparedStride(strideOf(neuronsOfRow)) {
    Samples samples(seed);
    gates = wide(samples, size_t{rows} * neurons, 12);
    ups = wide(samples, gates.size(), 12);
}

void ActivateSample::join() {
    joined.clear();
    const auto add = [&](const std::vector<float>& from, size_t row) {
        const std::span<const float> part = std::span(from).subspan(row * neurons, neurons);
        joined.insert(joined.end(), part.begin(), part.end());
    };
    for (size_t row = 0; row < rows(); ++row) {
        add(gates, row);
        add(ups, row);
    }
}

ActivateCall ActivateSample::call() const {
    if (!joined.empty()) return {kind, joined, joined, {neurons, 2 * neurons, neurons, preparedStride}};
    return {kind, gates, ups, {neurons, neurons, 0, preparedStride}};
}

NeuronsSample::NeuronsSample(TensorType format, engine::Activation formula, bool asBytes, uint32_t neuronsOfVector,
                             uint32_t columns, uint32_t vectors, uint32_t seed)
    : product(format, 2 * neuronsOfVector, columns, vectors, seed), kind(formula), prepares(asBytes) {}

uint32_t NeuronsSample::outStride() const { return prepares ? strideOf(neurons()) : neurons() + 3; }

size_t NeuronsSample::counts() const {
    const NeuronsPush push = call().push;
    return kind == engine::Activation::ReGlu ? push.countsOffset + size_t{product.vectors} * push.countsStride : 0;
}

NeuronsCall NeuronsSample::call() const {
    const ProductCall both = product.call();
    return {.weights = both.weights,
            .inputs = both.inputs,
            .bias = bias,
            .kind = kind,
            .vectors = product.vectors,
            .push = {.neurons = neurons(),
                     .columns = product.columns,
                     .vectorsPerInput = 1,
                     .inputStride = both.push.inputStride,
                     .outStride = outStride(),
                     .countsOffset = 2,
                     .countsStride = groupsFor(neurons(), kNeuronGroup) + 1}};
}

WeightedSumSample::WeightedSumSample(RowWeights kindOfWeights, uint32_t tokens, uint32_t rowsOfToken, uint32_t width,
                                     uint32_t seed)
    : kind(kindOfWeights), push{width, rowsOfToken, 0.75f} {
    Samples samples(seed);
    x = samples.units(size_t{tokens} * width);
    rows = samples.units(x.size() * rowsOfToken);
    if (kind != RowWeights::Ones) weights = samples.units(size_t{tokens} * rowsOfToken);
}

} // namespace coterie::gpu
