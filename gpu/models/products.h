// SPDX-License-Identifier: Apache-2.0
// Scalar models of the shaders for matrices: prepare_bytes, product, expand_row and neuron_sum. A shader must give the
// bits of its model. The models share no code with the shaders; the layouts of weights they read through
// engine/kernels/quants.h.
//
// Each model takes a call: the data and push constants with which the shader runs. An output that the shader leaves as
// it is is left as it is here.
#pragma once

#include "kernels/kernels.h"
#include "shaders/interface.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::gpu {

/// Bits of a / b, rounded to the nearest, by the shader's long division. a, b: significands of 24 bits.
uint32_t quotientBits(uint32_t a, uint32_t b);

/// 127 as a significand of 24 bits: 127 = k127Significand * 2^-17.
constexpr uint32_t k127Significand = 127u << 17;

struct PrepareCall {
    std::span<const float> x; ///< [vectors, inputStride]
    PreparePush push;
};
/// out: [vectors, outStride] words.
void prepareBytes(const PrepareCall& call, std::span<uint32_t> out);

/// The matrices of product and neuron_sum.
struct Weights {
    engine::TensorType type = engine::TensorType::F32;
    std::span<const std::byte> bytes;        ///< a whole number of 16 bytes; matrices begin at multiples of 16
    std::span<const uint32_t> expertOf = {}; ///< [vectors]; empty: all vectors have the matrix at matrixOffset
    std::span<const uint32_t> placeOf = {};  ///< [experts] offsets in `bytes`, or kNoMatrix
};

struct ProductCall {
    Weights weights;
    std::span<const std::byte> inputs;    ///< [vectors / vectorsPerInput, inputStride] words, prepared
    std::span<const uint32_t> rowOf = {}; ///< [rows]; empty: the matrix's first rows
    std::span<const float> bias = {};     ///< empty: nothing is added
    ProductPush push;
};
void product(const ProductCall& call, std::span<float> out);

struct ExpandCall {
    Weights weights;                 ///< no experts
    std::span<const uint32_t> rowOf; ///< [vectors]
    ExpandPush push;
};
void expandRows(const ExpandCall& call, std::span<float> out);

struct NeuronSumCall {
    Weights weights;
    std::span<const float> activations; ///< [vectors, inputStride]
    NeuronSumPush push;
};
void sumNeurons(const NeuronSumCall& call, std::span<float> out);

} // namespace coterie::gpu
