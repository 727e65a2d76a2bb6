// SPDX-License-Identifier: Apache-2.0
// One step through text that may or may not be UTF-8. It is strict: overlong forms, surrogates and numbers over
// U+10FFFF are not characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

struct Utf8Step {
    enum Kind : uint8_t {
        Character,  ///< codePoint is set
        Invalid,    ///< these bytes can't be part of any character, whatever follows
        Unfinished, ///< the text ends inside a character that may still become whole
    };
    Kind kind = Invalid;
    /// Bytes of the step: 1..4. Bytes that are no character form a step as Unicode's "maximal subpart" practice puts
    /// them under one U+FFFD (Unicode 15, 3.9, D93b).
    uint8_t length = 1;
    uint32_t codePoint = 0;
};

/// Reads the step at `position`, which must be less than text.size().
Utf8Step utf8Step(std::string_view text, size_t position);

/// codePoint: of a character, so below U+110000 and no surrogate.
void appendUtf8(uint32_t codePoint, std::string& out);

/// Returns the text, or its first `most` bytes without a character that the cut divides, and three dots. A text from a
/// file or a template may be megabytes long, which no sentence and no line of a window can show.
std::string cutText(std::string_view text, size_t most);

/// This character stands for bytes and numbers that are none.
constexpr uint32_t kReplacementCharacter = 0xfffd;

/// Returns the number of the hexadecimal digits at `position`, or nothing unless so many digits stand there. At most 8.
std::optional<uint32_t> hexadecimalAt(std::string_view text, size_t position, size_t digits);

/// Returns the character of an escape \uNNNN whose number was read: its own, or that of a pair of surrogates, whose
/// other half then stands at `position`, which moves behind it. Half a pair alone is nothing.
std::optional<uint32_t> escapedCharacter(uint32_t number, std::string_view text, size_t& position);

} // namespace coterie::engine
