// SPDX-License-Identifier: Apache-2.0
#include "layer_step_samples.h"

#include "base/rounding.h"

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

} // namespace

NormSample::NormSample(uint32_t vectors, uint32_t widthOfEach, bool adds, uint32_t seed) : width(widthOfEach) {
    Samples samples(seed);
    x = wide(samples, size_t{vectors} * width, 4);
    if (adds) added = samples.units(x.size());
    weight = samples.units(width + 1); // the first is before the weights
}

NormCall NormSample::call() const { return {x, added, weight, {width, 1, 1 / static_cast<float>(width), 1e-6f}}; }

RopeSample::RopeSample(engine::RopeKind kindOfPairs, uint32_t tokens, const RopePush& shape, uint32_t seed)
    : kind(kindOfPairs), push(shape) {
    Samples samples(seed);
    heads = samples.units(size_t{tokens} * shape.heads * shape.headDim);
    cosSin = samples.units(size_t{tokens} * shape.dimensions);
}

KeepSample::KeepSample(TensorType format, uint32_t tokens, const KeepPush& shape, uint32_t seed)
    : type(format), push(shape) {
    Samples samples(seed);
    const size_t count = size_t{tokens} * shape.heads * shape.headDim;
    rows = format == TensorType::Q8_0 ? samples.ties(count) : wide(samples, count, 8);
}

size_t KeepSample::cacheWords() const {
    const size_t bytes = push.offset * 2 + size_t{push.heads} * push.capacity * engine::rowBytes(type, push.headDim);
    return static_cast<size_t>(engine::roundUp(static_cast<int64_t>(bytes), 4)) / sizeof(uint16_t);
}

AttentionSample::AttentionSample(TensorType format, uint32_t tokens, const AttentionPush& shape, bool hasSinks,
                                 uint32_t seed)
    : type(format), push(shape) {
    Samples samples(seed);
    // Bytes of Q8_0 reach 127: larger queries would give all weight to one position.
    queries = wide(samples, size_t{tokens} * push.heads * push.headDim, type == TensorType::Q8_0 ? 0x1p-5f : 2);
    const size_t rows = size_t{push.heads / push.group} * push.capacity;
    cache = samples.weights(type, 2 * rows, push.headDim);
    push.keysOffset = 0;
    push.valuesOffset = static_cast<uint32_t>(rows * engine::rowBytes(type, push.headDim));
    push.scale = 1 / std::sqrt(static_cast<float>(push.headDim));
    if (hasSinks) sinks = samples.units(push.sinksOffset + push.heads);
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
    return call;
}

ActivateSample::ActivateSample(engine::Activation formula, uint32_t rows, uint32_t neuronsOfRow, uint32_t seed)
    : kind(formula), neurons(neuronsOfRow) {
    Samples samples(seed);
    gates = wide(samples, size_t{rows} * neurons, 12);
    ups = wide(samples, gates.size(), 12);
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
