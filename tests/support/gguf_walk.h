// SPDX-License-Identifier: Apache-2.0
// Reads everything that a parsed header offers, up to the last byte that each number promises. Tests of damaged files
// end with this walk.
#pragma once

#include "gguf/gguf.h"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace coterie::test {

/// Returns a sum over every value and tensor, so that no read is optimised away. Sets `sound` to false if a tensor
/// breaks its own promises.
inline uint64_t walkHeader(const engine::gguf::Header& header, uint64_t fileSize, bool& sound) {
    uint64_t sum = 0;
    const auto addText = [&](std::string_view text) {
        for (const char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
    };
    for (const auto& [name, value] : header.keys) {
        addText(name);
        sum += header.unsignedInteger(name).value_or(1);
        sum += header.boolean(name).value_or(false);
        if (const auto number = header.number(name)) addText({reinterpret_cast<const char*>(&*number), sizeof *number});
        if (const auto text = header.string(name)) addText(*text);
        if (const auto texts = header.strings(name))
            for (const std::string_view text : *texts) addText(text);
        if (const auto integers = header.integers(name))
            for (const int64_t integer : *integers) sum += static_cast<uint64_t>(integer);
        if (const auto floats = header.floats(name))
            addText({reinterpret_cast<const char*>(floats->data()), floats->size() * sizeof(float)});
        sum += value.index();
    }
    for (const engine::gguf::Tensor& tensor : header.tensors) {
        addText(tensor.name);
        sum += tensor.elements() + tensor.offset + tensor.bytes;
        const bool inFile =
            tensor.offset >= header.dataOffset && tensor.offset <= fileSize && tensor.bytes <= fileSize - tensor.offset;
        const bool sized =
            !tensor.type || (tensor.bytes > 0 && tensor.bytes == engine::rowBytes(*tensor.type, tensor.elements()));
        sound = sound && inFile && sized && tensor.elements() > 0 && tensor.dimensions >= 1 && tensor.dimensions <= 4 &&
                header.tensor(tensor.name) == &tensor;
    }
    return sum;
}

} // namespace coterie::test
