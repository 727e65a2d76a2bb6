// SPDX-License-Identifier: Apache-2.0
// See number_text.h. std::to_chars is the one function of the library that no locale changes.
#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace coterie::engine {

namespace {

constexpr int kMostDecimals = 64; // more than any double has that mean something
// A sign, the digits before the point of the largest number, the point, and those after it.
constexpr size_t kLongest = 1 + std::numeric_limits<double>::max_exponent10 + 1 + 1 + kMostDecimals;

} // namespace

std::string fixedText(double value, int decimals) {
    std::array<char, kLongest> text;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed,
                                       std::clamp(decimals, 0, kMostDecimals));
    return {text.data(), written.ptr};
}

std::string shortText(double value) {
    constexpr int kDigits = 6;
    std::array<char, kLongest> text;
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, kDigits);
    return {text.data(), written.ptr};
}

std::string hexText(uint64_t value) {
    std::array<char, 16> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const std::string text(digits.data(), written.ptr);
    return std::string(digits.size() - text.size(), '0') + text;
}

} // namespace coterie::engine
