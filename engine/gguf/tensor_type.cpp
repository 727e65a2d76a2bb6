// SPDX-License-Identifier: Apache-2.0
// The table of formats: names, ids and block sizes as ggml defines them (ggml-common.h, ggml.h; the GGUF specification
// lists the ids).
#include "gguf/tensor_type.h"

#include <algorithm>
#include <array>

namespace coterie::engine {

namespace {

struct KnownType {
    uint32_t id;
    TypeTraits traits;
};

// A block of 32: scale (2 bytes), maybe minimum (2), maybe fifth bits (4), then 4 or 8 bits a value.
// A block of 256 (K and IQ4_XS): scales of 16 or 32 values inside it besides.
constexpr std::array<KnownType, 16> knownTypes{{
    {0, {"F32", 1, 4}},
    {1, {"F16", 1, 2}},
    {2, {"Q4_0", 32, 2 + 16}},
    {3, {"Q4_1", 32, 4 + 16}},
    {6, {"Q5_0", 32, 2 + 4 + 16}},
    {7, {"Q5_1", 32, 4 + 4 + 16}},
    {8, {"Q8_0", 32, 2 + 32}},
    {10, {"Q2_K", 256, 16 + 64 + 4}},
    {11, {"Q3_K", 256, 32 + 64 + 12 + 2}},
    {12, {"Q4_K", 256, 4 + 12 + 128}},
    {13, {"Q5_K", 256, 4 + 12 + 32 + 128}},
    {14, {"Q6_K", 256, 128 + 64 + 16 + 2}},
    {20, {"IQ4_NL", 32, 2 + 16}},
    {23, {"IQ4_XS", 256, 2 + 2 + 4 + 128}},
    {30, {"BF16", 1, 2}},
    {39, {"MXFP4", 32, 1 + 16}},
}};

struct ForeignType {
    uint32_t id;
    const char* name;
};

// Formats that files may name and this engine has no kernels for: known here so that a refusal can say which.
constexpr std::array<ForeignType, 19> foreignTypes{{
    {9, "Q8_1"},   {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"},  {19, "IQ1_S"}, {21, "IQ3_S"},
    {22, "IQ2_S"}, {24, "I8"},    {25, "I16"},     {26, "I32"},    {27, "I64"},      {28, "F64"},   {29, "IQ1_M"},
    {34, "TQ1_0"}, {35, "TQ2_0"}, {4, "Q4_2"},     {5, "Q4_3"},    {31, "Q4_0_4_4"},
}};

} // namespace

std::optional<TypeTraits> typeTraits(uint32_t id) {
    const auto* found =
        std::find_if(knownTypes.begin(), knownTypes.end(), [&](const KnownType& t) { return t.id == id; });
    if (found == knownTypes.end()) return std::nullopt;
    return found->traits;
}

std::string typeName(uint32_t id) {
    if (const auto known = typeTraits(id)) return known->name;
    const auto* found =
        std::find_if(foreignTypes.begin(), foreignTypes.end(), [&](const ForeignType& t) { return t.id == id; });
    return found == foreignTypes.end() ? "type " + std::to_string(id) : found->name;
}

} // namespace coterie::engine
