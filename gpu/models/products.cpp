// SPDX-License-Identifier: Apache-2.0
#include "products.h"

#include "kernels/quants.h"
#include "lane_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace coterie::gpu {
namespace {

using engine::kBlockValues;
using engine::TensorType;

constexpr uint32_t kInfinityBits = 0x7f800000u;
constexpr uint32_t kQuietNanBits = 0x7fc00000u;
constexpr size_t kTeam = 32; ///< lanes that share a row
constexpr size_t kWordBytes = sizeof(uint32_t);

/// A positive normal float: significand * 2^(exponent - 150), the significand with 24 bits.
struct Parts {
    uint32_t significand, exponent;
};
Parts partsOf(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    return {(bits & 0x7fffffu) | 0x800000u, bits >> 23};
}

/// Scale and factor of a block: largest / 127 and 127 / largest, or both NaN or 0.
struct BlockScale {
    float scale = 0, inverse = 0;
};
BlockScale scaleOf(std::span<const float> block) {
    uint32_t largest = 0;
    for (const float x : block) largest = std::max(largest, std::bit_cast<uint32_t>(x) & 0x7fffffffu);
    if (largest >= kInfinityBits) return {std::bit_cast<float>(kQuietNanBits), 0};
    if (std::bit_cast<float>(largest) < engine::kQuantisedSmallest) return {};
    const auto [significand, exponent] = partsOf(std::bit_cast<float>(largest));
    // 127 = k127Significand * 2^-17, so the quotients are those of the significands times 2^(exponent - 133) or its
    // inverse, which is added to the exponent.
    const uint32_t scale = quotientBits(significand, k127Significand) + (exponent << 23) - (133u << 23);
    const uint32_t inverse = quotientBits(k127Significand, significand) + (133u << 23) - (exponent << 23);
    return {std::bit_cast<float>(scale), std::bit_cast<float>(inverse)};
}

int8_t roundedToByte(float value) {
    constexpr float shift = 0x1.8p23f; // beside it a float's last place is 1
    return static_cast<int8_t>((value + shift) - shift);
}

void prepareVector(std::span<const float> x, std::span<uint32_t> out) {
    std::ranges::fill(out, 0u);
    const size_t quants = static_cast<size_t>(engine::preparedQuantsOffset(static_cast<int64_t>(x.size())));
    std::byte* bytes = reinterpret_cast<std::byte*>(out.data());
    for (size_t begin = 0; begin < x.size(); begin += kBlockValues) {
        const std::span<const float> block = x.subspan(begin, kBlockValues);
        const BlockScale s = scaleOf(block);
        std::memcpy(bytes + begin / kBlockValues * sizeof(float), &s.scale, sizeof s.scale);
        for (size_t i = 0; s.inverse != 0 && i < block.size(); ++i)
            bytes[quants + begin + i] = static_cast<std::byte>(roundedToByte(block[i] * s.inverse));
    }
}

template <TensorType type>
float floatWeight(const std::byte* row, size_t c) {
    if constexpr (type == TensorType::F32) return engine::loadAs<float>(row + 4 * c);
    if constexpr (type == TensorType::F16) return engine::floatFromHalf(engine::loadAs<uint16_t>(row + 2 * c));
    if constexpr (type == TensorType::BF16) return engine::floatFromBfloat(engine::loadAs<uint16_t>(row + 2 * c));
}

/// The lane to which a step of 32 columns belongs.
size_t laneOf(size_t step) { return step % kTeam; }

template <TensorType type>
float floatProduct(const std::byte* row, const std::byte* input, size_t columns) {
    std::array<float, kTeam> sums{};
    for (size_t c = 0; c < columns; ++c)
        sums[laneOf(c / kBlockValues)] += floatWeight<type>(row, c) * engine::loadAs<float>(input + c * sizeof(float));
    return sumOverLanes(sums);
}

template <TensorType type>
float integerProduct(const std::byte* row, const std::byte* input, size_t columns) {
    const std::byte* quants = input + engine::preparedQuantsOffset(static_cast<int64_t>(columns));
    std::array<float, kTeam> sums{};
    engine::Unpacked w;
    for (size_t b = 0; b < columns / kBlockValues; ++b) {
        engine::unpack<type>(row, static_cast<int64_t>(b), w);
        int32_t product = 0, minima = 0;
        for (size_t i = 0; i < kBlockValues; ++i) {
            const int8_t x = engine::loadAs<int8_t>(quants + b * kBlockValues + i);
            const size_t h = i / (kBlockValues / 2);
            product += w.factors.scale[h] * w.q[i] * x;
            minima += w.factors.minimum[h] * x;
        }
        const float scale = engine::loadAs<float>(input + b * sizeof(float));
        float& sum = sums[laneOf(b)];
        sum += w.d * scale * static_cast<float>(product);
        if constexpr (engine::hasMinimum(type)) sum -= w.dMinimum * scale * static_cast<float>(minima);
    }
    return sumOverLanes(sums);
}

float rowProduct(TensorType type, const std::byte* row, const std::byte* input, size_t columns) {
    return engine::withFormat<engine::isSupported>(type, [&]<TensorType known>() {
        if constexpr (engine::isIntegerFormat(known))
            return integerProduct<known>(row, input, columns);
        else
            return floatProduct<known>(row, input, columns);
    });
}

/// Calls sink(c, value) for each value of a row.
template <typename Sink>
void forEachValue(TensorType type, const std::byte* row, size_t columns, const Sink& sink) {
    engine::withFormat<engine::isSupported>(type, [&]<TensorType known>() {
        if constexpr (engine::isIntegerFormat(known)) {
            engine::Unpacked w;
            for (size_t c = 0; c < columns; ++c) {
                const size_t i = c % kBlockValues, h = i / (kBlockValues / 2);
                if (i == 0) engine::unpack<known>(row, static_cast<int64_t>(c / kBlockValues), w);
                float value = w.d * static_cast<float>(w.factors.scale[h] * w.q[i]);
                if constexpr (engine::hasMinimum(known)) value -= w.dMinimum * static_cast<float>(w.factors.minimum[h]);
                sink(c, value);
            }
        } else {
            for (size_t c = 0; c < columns; ++c) sink(c, floatWeight<known>(row, c));
        }
    });
}

/// The matrix of an output vector, or null if there is none.
const std::byte* matrixOf(const Weights& w, uint32_t offset, size_t vector) {
    if (w.expertOf.empty()) return w.bytes.data() + offset;
    const uint32_t place = w.placeOf[w.expertOf[vector]];
    return place == kNoMatrix ? nullptr : w.bytes.data() + place + offset;
}

} // namespace

uint32_t quotientBits(uint32_t a, uint32_t b) {
    uint32_t quotient = a / b, rest = a % b;
    for (int digit = 0; digit < 3; ++digit) {
        rest <<= 8;
        quotient = (quotient << 8) + rest / b;
        rest %= b;
    }
    // The quotient times 2^24 has 24 or 25 bits. A float keeps 24; `dropped` of `whole` is left over.
    const bool long25 = quotient >= 1u << 24;
    const uint32_t dropped = long25 && quotient % 2 == 1 ? rest + b : rest, whole = long25 ? 2 * b : b;
    const uint32_t significand = long25 ? quotient / 2 : quotient;
    const uint32_t up = 2 * dropped > whole ? 1 : 0; // no quotient of two significands lies half way
    return significand + up + ((long25 ? 126u : 125u) << 23);
}

void prepareBytes(const PrepareCall& call, std::span<uint32_t> out) {
    for (size_t v = 0; v < call.push.vectors; ++v)
        prepareVector(call.x.subspan(v * call.push.inputStride, call.push.columns),
                      out.subspan(v * call.push.outStride, call.push.outStride));
}

void product(const ProductCall& call, std::span<float> out) {
    const ProductPush& push = call.push;
    const size_t stride = static_cast<size_t>(engine::rowBytes(call.weights.type, push.columns));
    for (size_t v = 0; v < push.vectors; ++v) {
        const std::byte* matrix = matrixOf(call.weights, push.matrixOffset, v);
        if (matrix == nullptr) continue;
        const std::byte* input = call.inputs.data() + v / push.vectorsPerInput * push.inputStride * kWordBytes;
        const size_t expert = call.weights.expertOf.empty() ? 0 : call.weights.expertOf[v];
        for (size_t k = 0; k < push.rows; ++k) {
            const size_t row = call.rowOf.empty() ? k : call.rowOf[k];
            float value = rowProduct(call.weights.type, matrix + row * stride, input, push.columns);
            if (!call.bias.empty()) value += call.bias[push.biasOffset + expert * push.biasStride + row];
            out[push.outOffset + v * push.outStride + k] = value;
        }
    }
}

void expandRows(const ExpandCall& call, std::span<float> out) {
    const size_t stride = static_cast<size_t>(engine::rowBytes(call.weights.type, call.push.columns));
    for (size_t v = 0; v < call.push.vectors; ++v) {
        const std::byte* row = call.weights.bytes.data() + call.push.matrixOffset + call.rowOf[v] * stride;
        const std::span<float> to = out.subspan(v * call.push.outStride, call.push.columns);
        forEachValue(call.weights.type, row, call.push.columns, [to](size_t c, float value) { to[c] = value; });
    }
}

void sumNeurons(const NeuronSumCall& call, std::span<float> out) {
    const NeuronSumPush& push = call.push;
    const size_t stride = static_cast<size_t>(engine::rowBytes(call.weights.type, push.columns));
    for (size_t v = 0; v < push.vectors; ++v) {
        const std::byte* matrix = matrixOf(call.weights, push.matrixOffset, v);
        if (matrix == nullptr) continue;
        const std::span<float> to = out.subspan(v * push.outStride, push.columns);
        std::ranges::fill(to, 0.0f);
        for (size_t k = 0; k < push.neurons; ++k) {
            const float activation = call.activations[v * push.inputStride + k];
            if (activation == 0) continue;
            forEachValue(call.weights.type, matrix + k * stride, push.columns,
                         [&](size_t c, float value) { to[c] += activation * value; });
        }
    }
}

} // namespace coterie::gpu
