// SPDX-License-Identifier: Apache-2.0
// GGUF v2 and v3: bytes in, checked values out. The parser is a pure function of bytes and file size: it opens nothing,
// and allocates nothing whose count it has not checked against the bytes left. It does not judge models: decoder/ says
// which keys must be there.
//
//   "GGUF" | u32 version | u64 tensors | u64 keys
//   key:    string name | u32 type | value          string: u64 length | bytes (UTF-8, no terminator)
//   array:  u32 element type | u64 count | elements (no arrays of arrays)
//   tensor: string name | u32 dimensions (1..4) | u64 each, fastest first | u32 type | u64 offset from the data's start
//   padding to general.alignment (32 unless set), then the tensors' data
//
//     Result<gguf::Header> header = gguf::parse(bytes, fileSize);      // bytes must outlive header
//     std::optional<uint64_t> layers = header->unsignedInteger("llama.block_count");
#pragma once

#include "base/result.h"
#include "gguf/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace coterie::engine::gguf {

enum class ValueType : uint32_t {
    U8 = 0,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
};

/// The elements of an array, still as bytes. Strings must be walked through; numbers are found by index.
struct ArrayValue {
    ValueType elementType = ValueType::U8;
    uint64_t count = 0;
    std::span<const std::byte> bytes;
};

using Value = std::variant<uint64_t, int64_t, double, bool, std::string_view, ArrayValue>;

struct Tensor {
    std::string_view name;
    uint32_t typeId = 0;                       ///< as in the file; may be one that typeTraits() does not know
    std::optional<TensorType> type;            ///< nothing if the type is unknown
    int dimensions = 0;                        ///< 1..4
    std::array<uint64_t, 4> shape{1, 1, 1, 1}; ///< fastest first
    uint32_t shard = 0;                        ///< number of the split model's file that holds it, from 0
    uint64_t offset = 0;                       ///< from the start of that file
    uint64_t bytes = 0;                        ///< 0 if the type is unknown
    uint64_t elements() const { return shape[0] * shape[1] * shape[2] * shape[3]; } ///< checked not to overflow
};

/// Views into the bytes that were parsed, which must outlive it. It does not change after parsing, so any thread may
/// read it.
struct Header {
    uint32_t version = 0;
    uint32_t alignment = 32;
    uint64_t headerBytes = 0; ///< bytes up to the end of the tensor list
    uint64_t dataOffset = 0;  ///< position of the tensor data in the file
    std::unordered_map<std::string_view, Value> keys;
    std::vector<Tensor> tensors; ///< in the file's order
    std::unordered_map<std::string_view, size_t> tensorIndex;

    const Value* find(std::string_view key) const;
    const Tensor* tensor(std::string_view name) const;
    /// Returns nothing if the key is missing or of another kind. Any integer width is accepted if the value fits.
    std::optional<uint64_t> unsignedInteger(std::string_view key) const;
    std::optional<double> number(std::string_view key) const; ///< float or integer
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<std::string_view> string(std::string_view key) const;
    std::optional<std::vector<std::string_view>> strings(std::string_view key) const;
    std::optional<std::vector<int64_t>> integers(std::string_view key) const;
    std::optional<std::vector<bool>> booleans(std::string_view key) const;
    std::optional<std::vector<float>> floats(std::string_view key) const;
};

/// bytes: the beginning of a file of `fileSize` bytes. Errors: BadInput (it names the rule that is broken, and where),
/// Unsupported (a version or byte order), Truncated if `bytes` ends too early but the file goes on.
Result<Header> parse(std::span<const std::byte> bytes, uint64_t fileSize);

} // namespace coterie::engine::gguf
