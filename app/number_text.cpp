// SPDX-License-Identifier: Apache-2.0
// See number_text.h. The C library's locale is never changed, so its point is a point.
#include "number_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace coterie::app {

using nlohmann::ordered_json;

std::string numberText(double value, int decimals) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

ordered_json rounded(std::optional<double> value, int digits) {
    if (!value || !std::isfinite(*value)) return nullptr;
    const double scale = std::pow(10.0, digits);
    return std::round(*value * scale) / scale;
}

std::string csvText(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string jsonText(const ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace coterie::app
