// SPDX-License-Identifier: Apache-2.0
// See kernel_text.h.
#include "base/kernel_text.h"

#ifdef __linux__

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace coterie::engine {

std::string readKernelText(const std::string& path) {
    constexpr size_t largest = size_t{1} << 16; // self/status, meminfo and memory.stat have 2 to 8 KiB
    std::string text;
    if (std::FILE* file = std::fopen(path.c_str(), "re")) {
        text.resize(largest);
        text.resize(std::fread(text.data(), 1, largest, file));
        std::fclose(file);
    }
    return text;
}

std::optional<uint64_t> leadingNumber(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    return number;
}

} // namespace coterie::engine

#endif
