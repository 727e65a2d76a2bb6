// SPDX-License-Identifier: Apache-2.0
// The classes of characters that the pre-tokenizers' regular expressions name: \p{L}, \p{N}, \s and so on. No case
// mapping and no normalisation. make_unicode_table.py makes the table from the Unicode Character Database.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace coterie::engine {

/// Bits; a character has any number of them. Unassigned, control and format characters have none (tab and line ends are
/// kSpace).
struct CharacterClass {
    static constexpr uint8_t kLetter = 1;       ///< \p{L}
    static constexpr uint8_t kNumber = 2;       ///< \p{N}
    static constexpr uint8_t kSpace = 4;        ///< \s: the property White_Space
    static constexpr uint8_t kMark = 8;         ///< \p{M}
    static constexpr uint8_t kUpper = 16;       ///< \p{Lu}, \p{Lt}
    static constexpr uint8_t kLower = 32;       ///< \p{Ll}
    static constexpr uint8_t kPunctuation = 64; ///< \p{P}
    static constexpr uint8_t kSymbol = 128;     ///< \p{S}
};

extern const char* const kUnicodeVersion;
extern const uint32_t kUnicodeRanges[]; ///< ascending; first code point << 8 | classes
extern const size_t kUnicodeRangeCount;

/// Returns the classes of a code point, and 0 for a number that is no code point.
inline uint8_t characterClasses(uint32_t codePoint) {
    if (codePoint >= 0x110000) return 0;
    const uint32_t* after =
        std::upper_bound(kUnicodeRanges, kUnicodeRanges + kUnicodeRangeCount, codePoint << 8 | 0xff);
    return static_cast<uint8_t>(after[-1]);
}

} // namespace coterie::engine
