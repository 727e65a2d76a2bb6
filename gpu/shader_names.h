// SPDX-License-Identifier: Apache-2.0
// Names of the shaders' variants, the size of prepared vectors, and how a dispatch is cut into groups.
#pragma once

#include "gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coterie::gpu {

struct Abilities;

/// How product.comp and neurons.comp are specialised and dispatched. No bit of the result depends on it.
struct ProductTuning {
    uint32_t lanes = 64;     ///< lanes of a workgroup: a multiple of 32
    uint32_t rows = 1;       ///< rows that 32 lanes compute together
    uint32_t vectors = 1;    ///< vectors that 32 lanes compute together; product.comp alone
    bool shuffles = true;    ///< whether subgroup shuffles are used if the device has them
    bool integerDot = false; ///< whether the variant for devices with integer dot products runs
    uint32_t groups = 0;     ///< workgroups along x; 0: one for each group of rows; product.comp alone
};

/// The name of a shader that is compiled for each format: "product_q4_k" for "product".
std::string shaderName(std::string_view operation, engine::TensorType type);
/// The formats of the engine for which the build compiled shaders, in the engine's order. The others are refused.
std::span<const engine::TensorType> shaderFormats();
bool hasShaders(engine::TensorType type);
/// The variant of product.comp that runs with this tuning on a device with these abilities: "product_q4_k_shuffle_dot".
std::string productName(engine::TensorType type, const ProductTuning& tuning, const Abilities& abilities);
/// The same for neurons.comp.
std::string neuronsName(engine::TensorType type, const ProductTuning& tuning, const Abilities& abilities);
/// The variant with subgroup shuffles where they are wanted and the device has them: "norm_shuffle".
std::string shuffleName(std::string shader, bool shuffles, const Abilities& abilities);

/// Rows of a router whose products a workgroup of norm.comp computes.
constexpr uint32_t kRouterGroup = 8;
/// Neurons that a workgroup of neurons.comp computes.
constexpr uint32_t kNeuronGroup = 32;

/// 32-bit words of a vector that is prepared for integer formats.
uint32_t preparedWords(uint32_t columns);

constexpr uint32_t groupsFor(uint32_t items, uint32_t itemsOfGroup) {
    return (items + itemsOfGroup - 1) / itemsOfGroup;
}

template <typename Push>
std::span<const std::byte> bytesOf(const Push& push) {
    return std::as_bytes(std::span(&push, 1));
}

} // namespace coterie::gpu
