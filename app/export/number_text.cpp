// SPDX-License-Identifier: Apache-2.0
// See number_text.h.
#include "export/number_text.h"

#include "base/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace coterie::app {

using nlohmann::ordered_json;

namespace {

std::string scalarText(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The library would write a binary value, which holds a number's digits, as a list of bytes.
void write(const ordered_json& value, int indent, int depth, std::string& out) {
    if (value.is_binary()) {
        for (const uint8_t digit : value.get_binary()) out += static_cast<char>(digit);
        return;
    }
    if (!value.is_structured() || value.empty()) {
        out += scalarText(value);
        return;
    }
    const auto breakLine = [&](int steps) {
        if (indent < 0) return;
        out += '\n';
        for (int i = 0; i < indent * steps; ++i) out += ' ';
    };
    const bool object = value.is_object();
    out += object ? '{' : '[';
    const char* separator = "";
    for (const auto& [key, item] : value.items()) {
        out += separator;
        separator = ",";
        breakLine(depth + 1);
        if (object) out.append(scalarText(key)).append(indent >= 0 ? ": " : ":");
        write(item, indent, depth + 1, out);
    }
    breakLine(depth);
    out += object ? '}' : ']';
}

} // namespace

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
    std::string out;
    write(value, indent, 0, out);
    return out + "\n";
}

} // namespace coterie::app
