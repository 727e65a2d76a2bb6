// SPDX-License-Identifier: Apache-2.0
// See number_text.h.
#include "number_text.h"

#include "base/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace coterie::app {

using nlohmann::ordered_json;

std::string numberText(double value, int decimals) { return engine::fixedText(value, decimals); }

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
