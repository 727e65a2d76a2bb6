// SPDX-License-Identifier: Apache-2.0
// White space of ASCII, as formats and markers have it around their words.
#pragma once

#include <string_view>

namespace coterie::engine {

inline constexpr std::string_view kBlanks = " \t\r\n";

/// The text without white space at its ends.
inline std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

} // namespace coterie::engine
