// SPDX-License-Identifier: Apache-2.0
// The number formats that GGUF files name, with their ids and block sizes. Not how to compute with them: that is
// kernels/.
#pragma once

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
    IQ4_NL = 20,
    IQ4_XS = 23,
    BF16 = 30,
    MXFP4 = 39,
};

struct TypeTraits {
    const char* name;       ///< as people write it: "Q4_0"
    uint32_t blockElements; ///< values in a block
    uint32_t blockBytes;    ///< bytes of a block
};

/// Nothing for an id that this reader doesn't know (its size can't be checked then).
std::optional<TypeTraits> typeTraits(uint32_t id);
inline TypeTraits traits(TensorType type) { return *typeTraits(static_cast<uint32_t>(type)); }

/// The format's name for people, for ids that typeTraits() doesn't know too: "IQ2_XXS", or "type 77" where nobody knows
/// it.
std::string typeName(uint32_t id);

/// Bytes of a row of `elements` values (a whole number of blocks).
inline uint64_t rowBytes(TensorType type, uint64_t elements) {
    const TypeTraits t = traits(type);
    return elements / t.blockElements * t.blockBytes;
}

} // namespace coterie::engine
