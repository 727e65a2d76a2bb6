// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

#include "shader_names.h"

#include "base/rounding.h"
#include "kernels/blocks.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace coterie::gpu {
namespace {

using engine::TensorType;

constexpr int64_t kQuadBytes = 16; ///< shaders read matrices in words of up to this size

/// A half of either sign with a magnitude in [2^-9, 2).
uint16_t tameHalf(Samples& samples) {
    const uint32_t bits = samples.bits();
    return static_cast<uint16_t>((bits & 0x83ff) | ((6 + (bits >> 16) % 10) << 10));
}

void tameBlock(TensorType type, std::byte* block, Samples& samples) {
    const float value = samples.unit();
    const engine::Format& format = engine::formatOf(type);
    if (type == TensorType::F32) {
        std::memcpy(block, &value, sizeof value);
    } else if (type == TensorType::BF16) {
        const uint16_t upper = static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
        std::memcpy(block, &upper, sizeof upper);
    } else if (type == TensorType::MXFP4) {
        block[0] = static_cast<std::byte>(118 + samples.bits() % 10);
    } else {
        for (int64_t at = format.factorOffset; at <= format.factorOffset + (format.hasMinimum ? 2 : 0); at += 2) {
            const uint16_t half = tameHalf(samples);
            std::memcpy(block + at, &half, sizeof half);
        }
    }
}

} // namespace

std::vector<float> Samples::units(size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = unit();
    return values;
}

std::vector<float> Samples::ties(size_t count) {
    std::vector<float> values(count);
    float largest = 1;
    for (size_t i = 0; i < count; ++i) {
        const int32_t beside = static_cast<int32_t>(bits() % 5) - 2;
        if (i % engine::kBlockValues == 0) {
            values[i] = largest = std::ldexp(1.5f + unit() / 2, beside);
            continue;
        }
        const float middle = (static_cast<float>(bits() % 126) + 0.5f) * largest / engine::kQuantisedLargest;
        values[i] = std::bit_cast<float>(std::bit_cast<int32_t>(bits() % 2 == 0 ? middle : -middle) + beside);
    }
    return values;
}

std::vector<std::byte> Samples::weights(TensorType type, size_t rows, size_t columns) {
    const size_t bytes = rows * static_cast<size_t>(engine::rowBytes(type, columns));
    std::vector<std::byte> all(static_cast<size_t>(engine::roundUp(static_cast<int64_t>(bytes), kQuadBytes)));
    for (size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>(bits());
    for (size_t at = 0; at < bytes; at += engine::traits(type).blockBytes) tameBlock(type, &all[at], *this);
    return all;
}

PreparedInputs::PreparedInputs(TensorType type, std::span<const float> x, size_t columns)
    : stride(static_cast<uint32_t>(engine::preparedBytes(engine::vectorForm(type), static_cast<int64_t>(columns)) /
                                   sizeof(uint32_t))) {
    const size_t vectors = x.size() / columns;
    words.resize(vectors * stride);
    if (engine::vectorForm(type) == engine::VectorForm::Bytes) {
        const PreparePush push{static_cast<uint>(columns), static_cast<uint>(vectors), static_cast<uint>(columns),
                               stride};
        prepareBytes({x, push}, words);
        return;
    }
    for (size_t v = 0; v < vectors; ++v) std::memcpy(&words[v * stride], &x[v * columns], columns * sizeof(float));
}

ProductSample::ProductSample(TensorType format, uint32_t rowCount, uint32_t columnCount, uint32_t vectorCount,
                             uint32_t seed)
    : type(format), rows(rowCount), columns(columnCount), vectors(vectorCount),
      weights(Samples(seed).weights(format, rowCount, columnCount)),
      inputs(format, Samples(seed + 1).units(size_t{columnCount} * vectorCount), columnCount) {}

ProductCall ProductSample::call() const {
    ProductCall call;
    call.weights = {type, weights};
    call.inputs = std::as_bytes(std::span(inputs.words));
    call.push = {.rows = rows,
                 .columns = columns,
                 .vectors = vectors,
                 .vectorsPerInput = 1,
                 .inputStride = inputs.stride,
                 .outStride = rows,
                 .outOffset = 0,
                 .matrixOffset = 0,
                 .biasOffset = 0,
                 .biasStride = 0};
    return call;
}

} // namespace coterie::gpu
