// SPDX-License-Identifier: Apache-2.0
// The number formats that GGUF files name: ids, names and block sizes as ggml defines them (ggml-common.h, ggml.h; the
// GGUF specification lists the ids). Computing with them is the job of kernels/, which adds its own facts in
// kernels/formats.h.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace coterie::engine {

/// Ids as they stand in files (ggml's numbering).
enum class TensorType : uint32_t {
    F32 = 0,
    F16 = 1,
    Q4_0 = 2,
    Q4_1 = 3,
    Q5_0 = 6,
    Q5_1 = 7,
    Q8_0 = 8,
    Q2_K = 10,
    Q3_K = 11,
    Q4_K = 12,
    Q5_K = 13,
    Q6_K = 14,
    IQ2_XXS = 16,
    IQ2_XS = 17,
    IQ3_XXS = 18,
    IQ1_S = 19,
    IQ4_NL = 20,
    IQ3_S = 21,
    IQ2_S = 22,
    IQ4_XS = 23,
    IQ1_M = 29,
    BF16 = 30,
    MXFP4 = 39,
};

struct TypeTraits {
    const char* name;       ///< name for people: "Q4_0"
    uint32_t blockElements; ///< values in a block
    uint32_t blockBytes;    ///< bytes of a block
};

struct KnownType {
    TensorType type;
    TypeTraits traits;
};

/// All formats that the reader knows, sorted by id.
/// A block of 32 values is a scale (2 bytes), maybe a minimum (2), maybe fifth bits (4), then 4 or 8 bits for each
/// value.
/// A block of 256 values (K, IQ4_XS and smaller IQ) also holds scales of 16 or 32 of its values. IQ3, IQ2 and IQ1 have
/// places in a codebook of groups of 4 or 8 values; IQ3 and IQ2 also have their signs.
inline constexpr std::array<KnownType, 23> kKnownTypes{{
    {TensorType::F32, {"F32", 1, 4}},
    {TensorType::F16, {"F16", 1, 2}},
    {TensorType::Q4_0, {"Q4_0", 32, 2 + 16}},
    {TensorType::Q4_1, {"Q4_1", 32, 4 + 16}},
    {TensorType::Q5_0, {"Q5_0", 32, 2 + 4 + 16}},
    {TensorType::Q5_1, {"Q5_1", 32, 4 + 4 + 16}},
    {TensorType::Q8_0, {"Q8_0", 32, 2 + 32}},
    {TensorType::Q2_K, {"Q2_K", 256, 16 + 64 + 4}},
    {TensorType::Q3_K, {"Q3_K", 256, 32 + 64 + 12 + 2}},
    {TensorType::Q4_K, {"Q4_K", 256, 4 + 12 + 128}},
    {TensorType::Q5_K, {"Q5_K", 256, 4 + 12 + 32 + 128}},
    {TensorType::Q6_K, {"Q6_K", 256, 128 + 64 + 16 + 2}},
    {TensorType::IQ2_XXS, {"IQ2_XXS", 256, 2 + 8 * (4 + 4)}},
    {TensorType::IQ2_XS, {"IQ2_XS", 256, 2 + 64 + 8}},
    {TensorType::IQ3_XXS, {"IQ3_XXS", 256, 2 + 64 + 32}},
    {TensorType::IQ1_S, {"IQ1_S", 256, 2 + 32 + 16}},
    {TensorType::IQ4_NL, {"IQ4_NL", 32, 2 + 16}},
    {TensorType::IQ3_S, {"IQ3_S", 256, 2 + 64 + 8 + 32 + 4}},
    {TensorType::IQ2_S, {"IQ2_S", 256, 2 + 32 + 32 + 8 + 8}},
    {TensorType::IQ4_XS, {"IQ4_XS", 256, 2 + 2 + 4 + 128}},
    {TensorType::IQ1_M, {"IQ1_M", 256, 32 + 16 + 8}},
    {TensorType::BF16, {"BF16", 1, 2}},
    {TensorType::MXFP4, {"MXFP4", 32, 1 + 16}},
}};

/// The same by id; a block of no elements marks an unknown id. Kernels look a type up in every call, so there is no
/// search.
inline constexpr auto kTraitsById = [] {
    std::array<TypeTraits, static_cast<size_t>(kKnownTypes.back().type) + 1> byId{};
    for (const KnownType& known : kKnownTypes) byId[static_cast<size_t>(known.type)] = known.traits;
    return byId;
}();

/// Returns nothing for an id that this reader does not know: the size of such a tensor cannot be checked.
constexpr std::optional<TypeTraits> typeTraits(uint32_t id) {
    if (id >= kTraitsById.size() || kTraitsById[id].blockElements == 0) return std::nullopt;
    return kTraitsById[id];
}

constexpr TypeTraits traits(TensorType type) {
    assert(typeTraits(static_cast<uint32_t>(type)).has_value());
    return kTraitsById[static_cast<size_t>(type)];
}

/// The format's name for people, also for ids that typeTraits() does not know: "TQ1_0", or "type 77" for an id
/// without a meaning.
std::string typeName(uint32_t id);

/// Bytes of a row of `elements` values (a whole number of blocks).
constexpr uint64_t rowBytes(TensorType type, uint64_t elements) {
    const TypeTraits t = traits(type);
    return elements / t.blockElements * t.blockBytes;
}

} // namespace coterie::engine
