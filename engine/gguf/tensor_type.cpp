// SPDX-License-Identifier: Apache-2.0
// Names of formats for people, including those that this reader refuses.
#include "gguf/tensor_type.h"

#include <algorithm>

namespace coterie::engine {
namespace {

struct ForeignType {
    uint32_t id;
    const char* name;
};

/// Formats that files may name but for which this engine has no kernels. They are listed so that a refusal can name
/// them.
constexpr std::array<ForeignType, 13> kForeignTypes{{
    {9, "Q8_1"},
    {15, "Q8_K"},
    {24, "I8"},
    {25, "I16"},
    {26, "I32"},
    {27, "I64"},
    {28, "F64"},
    {34, "TQ1_0"},
    {35, "TQ2_0"},
    {4, "Q4_2"},
    {5, "Q4_3"},
    {31, "Q4_0_4_4"},
    {40, "NVFP4"},
}};

/// kTraitsById is as long as the last id, so the list must be sorted.
static_assert(std::is_sorted(kKnownTypes.begin(), kKnownTypes.end(),
                             [](const KnownType& a, const KnownType& b) { return a.type < b.type; }));

} // namespace

std::string typeName(uint32_t id) {
    if (const auto known = typeTraits(id)) return known->name;
    const auto* found =
        std::find_if(kForeignTypes.begin(), kForeignTypes.end(), [&](const ForeignType& t) { return t.id == id; });
    return found == kForeignTypes.end() ? "type " + std::to_string(id) : found->name;
}

} // namespace coterie::engine
