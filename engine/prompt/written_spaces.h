// SPDX-License-Identifier: Apache-2.0
// U+2581, with which the vocabularies of SentencePiece and of Gemma 4 write a space.
#pragma once

#include <string>
#include <string_view>

namespace coterie::engine {

constexpr std::string_view kWrittenSpace = "\xe2\x96\x81";

/// The text with U+2581 in place of each space.
inline std::string writeSpaces(std::string_view text) {
    std::string out;
    out.reserve(text.size() + text.size() / 2);
    for (const char c : text) c == ' ' ? out.append(kWrittenSpace) : out.append(1, c);
    return out;
}

/// The text with a space in place of each U+2581.
inline std::string readSpaces(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const bool space = text.substr(at, kWrittenSpace.size()) == kWrittenSpace;
        out.push_back(space ? ' ' : text[at]);
        at += space ? kWrittenSpace.size() : 1;
    }
    return out;
}

} // namespace coterie::engine
