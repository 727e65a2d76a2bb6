// SPDX-License-Identifier: Apache-2.0
// The table of well-formed byte sequences, as code: Unicode 15, table 3-7.
#include "prompt/utf8.h"

#include <algorithm>
#include <charconv>

namespace coterie::engine {

namespace {

/// The form that a first byte announces. The range of the second byte excludes overlong forms, surrogates and numbers
/// that are too large.
struct Lead {
    uint8_t length; ///< 0: never a first byte
    uint8_t secondLow, secondHigh;
};

Lead leadOf(uint8_t byte) {
    if (byte < 0xc2) return {0, 0, 0};
    if (byte < 0xe0) return {2, 0x80, 0xbf};
    if (byte == 0xe0) return {3, 0xa0, 0xbf};
    if (byte == 0xed) return {3, 0x80, 0x9f};
    if (byte < 0xf0) return {3, 0x80, 0xbf};
    if (byte == 0xf0) return {4, 0x90, 0xbf};
    if (byte < 0xf4) return {4, 0x80, 0xbf};
    if (byte == 0xf4) return {4, 0x80, 0x8f};
    return {0, 0, 0};
}

} // namespace

Utf8Step utf8Step(std::string_view text, size_t position) {
    const auto first = static_cast<uint8_t>(text[position]);
    if (first < 0x80) return {Utf8Step::Character, 1, first};
    const Lead lead = leadOf(first);
    if (lead.length == 0) return {Utf8Step::Invalid, 1, 0};

    uint32_t codePoint = first & (0x7fu >> lead.length);
    for (uint8_t i = 1; i < lead.length; ++i) {
        if (position + i >= text.size()) return {Utf8Step::Unfinished, i, 0};
        const auto byte = static_cast<uint8_t>(text[position + i]);
        const uint8_t low = i == 1 ? lead.secondLow : 0x80;
        const uint8_t high = i == 1 ? lead.secondHigh : 0xbf;
        if (byte < low || byte > high) return {Utf8Step::Invalid, i, 0};
        codePoint = codePoint << 6 | (byte & 0x3fu);
    }
    return {Utf8Step::Character, lead.length, codePoint};
}

void appendUtf8(uint32_t codePoint, std::string& out) {
    const auto add = [&out](uint32_t byte) { out += static_cast<char>(byte); };
    const auto tail = [&](int shift) { add(0x80 | (codePoint >> shift & 0x3f)); };
    if (codePoint < 0x80) return add(codePoint);
    if (codePoint < 0x800) {
        add(0xc0 | codePoint >> 6);
    } else if (codePoint < 0x10000) {
        add(0xe0 | codePoint >> 12);
        tail(6);
    } else {
        add(0xf0 | codePoint >> 18);
        tail(12);
        tail(6);
    }
    tail(0);
}

std::string cutText(std::string_view text, size_t most) {
    if (text.size() <= most) return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return std::string(text.substr(0, most)) + "...";
}

std::optional<uint32_t> hexadecimalAt(std::string_view text, size_t position, size_t digits) {
    const std::string_view written = text.substr(std::min(position, text.size()), digits);
    const char* const last = written.data() + written.size();
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(written.data(), last, number, 16);
    return written.size() == digits && error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

std::optional<uint32_t> escapedCharacter(uint32_t number, std::string_view text, size_t& position) {
    if (number < 0xd800 || number >= 0xe000) return number;
    const bool first = number < 0xdc00 && text.substr(position).starts_with("\\u");
    const std::optional<uint32_t> second = first ? hexadecimalAt(text, position + 2, 4) : std::nullopt;
    if (!second || *second < 0xdc00 || *second >= 0xe000) return std::nullopt;
    position += 6;
    return 0x10000 + ((number - 0xd800) << 10) + (*second - 0xdc00);
}

} // namespace coterie::engine
