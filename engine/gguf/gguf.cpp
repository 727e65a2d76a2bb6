// SPDX-License-Identifier: Apache-2.0
// Look-ups in the header: a key by name, as the kind that the caller asks for. The parser is gguf_parser.cpp.
#include "gguf/gguf.h"

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

namespace coterie::engine::gguf {

namespace {

/// Element `index` of a checked array of T, whose bytes may lie anywhere.
template <typename T>
T element(const ArrayValue& array, uint64_t index) {
    T value;
    std::memcpy(&value, array.bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

/// Returns all elements as Out, or nothing if one of them does not fit.
template <typename T, typename Out = int64_t>
std::optional<std::vector<Out>> convert(const ArrayValue& array) {
    std::vector<Out> out;
    out.reserve(static_cast<size_t>(array.count));
    for (uint64_t i = 0; i < array.count; ++i) {
        const T value = element<T>(array, i);
        if constexpr (std::is_same_v<T, uint64_t> && std::is_same_v<Out, int64_t>)
            if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
        out.push_back(static_cast<Out>(value));
    }
    return out;
}

const ArrayValue* arrayAt(const Header& header, std::string_view key) {
    const Value* value = header.find(key);
    return value ? std::get_if<ArrayValue>(value) : nullptr;
}

} // namespace

const Value* Header::find(std::string_view key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? nullptr : &found->second;
}

const Tensor* Header::tensor(std::string_view name) const {
    const auto found = tensorIndex.find(name);
    return found == tensorIndex.end() ? nullptr : &tensors[found->second];
}

std::optional<uint64_t> Header::unsignedInteger(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<uint64_t>(value)) return *number;
    if (const auto* number = std::get_if<int64_t>(value); number && *number >= 0) return static_cast<uint64_t>(*number);
    return std::nullopt;
}

std::optional<double> Header::number(std::string_view key) const {
    const Value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* real = std::get_if<double>(value)) return *real;
    if (const auto* whole = std::get_if<uint64_t>(value)) return static_cast<double>(*whole);
    if (const auto* whole = std::get_if<int64_t>(value)) return static_cast<double>(*whole);
    return std::nullopt;
}

std::optional<bool> Header::boolean(std::string_view key) const {
    const Value* value = find(key);
    const bool* flag = value ? std::get_if<bool>(value) : nullptr;
    return flag ? std::optional(*flag) : std::nullopt;
}

std::optional<std::string_view> Header::string(std::string_view key) const {
    const Value* value = find(key);
    const std::string_view* text = value ? std::get_if<std::string_view>(value) : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

std::optional<std::vector<std::string_view>> Header::strings(std::string_view key) const {
    const ArrayValue* array = arrayAt(*this, key);
    if (!array || array->elementType != ValueType::String) return std::nullopt;
    std::vector<std::string_view> out;
    out.reserve(static_cast<size_t>(array->count));
    const char* at = reinterpret_cast<const char*>(array->bytes.data());
    for (uint64_t i = 0; i < array->count; ++i) {
        uint64_t length = 0;
        std::memcpy(&length, at, sizeof length);
        out.emplace_back(at + sizeof length, static_cast<size_t>(length));
        at += sizeof length + length;
    }
    return out;
}

std::optional<std::vector<int64_t>> Header::integers(std::string_view key) const {
    const ArrayValue* array = arrayAt(*this, key);
    using Convert = std::optional<std::vector<int64_t>> (*)(const ArrayValue&);
    constexpr std::array<Convert, 13> converts{
        convert<uint8_t>, convert<int8_t>, convert<uint16_t>, convert<int16_t>, convert<uint32_t>, convert<int32_t>,
        nullptr,          nullptr,         nullptr,           nullptr,          convert<uint64_t>, convert<int64_t>,
        nullptr}; // by ValueType
    const Convert asIntegers = array ? converts[static_cast<size_t>(array->elementType)] : nullptr;
    return asIntegers ? asIntegers(*array) : std::nullopt;
}

std::optional<std::vector<bool>> Header::booleans(std::string_view key) const {
    const ArrayValue* array = arrayAt(*this, key);
    if (!array || array->elementType != ValueType::Bool) return std::nullopt;
    std::vector<bool> flags;
    for (const std::byte flag : array->bytes) flags.push_back(flag != std::byte{0});
    return flags;
}

std::optional<std::vector<float>> Header::floats(std::string_view key) const {
    const ArrayValue* array = arrayAt(*this, key);
    if (!array) return std::nullopt;
    if (array->elementType == ValueType::F32) return convert<float, float>(*array);
    if (array->elementType == ValueType::F64) return convert<double, float>(*array);
    return std::nullopt;
}

} // namespace coterie::engine::gguf
