// SPDX-License-Identifier: Apache-2.0
// Numbers and files as the commands show and read them.
#include "cli/format.h"

#include "base/files.h"
#include "base/number_text.h"
#include "prompt/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>

namespace coterie::app {

using engine::Error;
using engine::ErrorKind;
using nlohmann::ordered_json;

namespace {

/// Returns 0 for an unknown unit.
double unitBytes(std::string_view unit) {
    if (unit == "KiB") return 0x1p10;
    if (unit == "MiB") return 0x1p20;
    if (unit == "GiB") return 0x1p30;
    if (unit == "TiB") return 0x1p40;
    return 0;
}

} // namespace

std::string bytesText(uint64_t bytes) {
    constexpr std::array<const char*, 5> kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
    const int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return numberText(value, decimals) + " " + kUnits[unit];
}

std::string parseMemory(const std::string& text, uint64_t& bytes) {
    const std::string advice = ", write it as 900MiB, 6GiB, 1.5GiB or auto";
    bytes = 0;
    if (text == "auto") return {};
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + digits, number, std::chars_format::fixed);
    if (fault != std::errc() || end != text.data() + digits)
        return "'" + text + "' does not start with a number" + advice;
    const double unit = unitBytes(std::string_view(text).substr(digits));
    if (unit == 0) return "'" + text + "' has no unit of memory" + advice;
    const double size = number * unit;
    if (size < 1) return "'" + text + "' is no memory at all" + advice;
    if (size >= 0x1p60) return "no machine has '" + text + "'" + advice;
    bytes = static_cast<uint64_t>(size);
    return {};
}

template <typename Number>
std::string rangeText(Number least, Number most) {
    if constexpr (std::is_floating_point_v<Number>)
        return engine::shortText(static_cast<double>(least)) + " to " + engine::shortText(static_cast<double>(most));
    else
        return std::to_string(least) + " to " + std::to_string(most);
}

template <typename Number>
std::string checkNumber(const std::string& text, Number least, Number most) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number); // it reads a point in every locale
    // NaN compares false with all numbers.
    if (fault == std::errc() && stop == end && number >= least && number <= most) return {};
    constexpr const char* kKind = std::is_floating_point_v<Number> ? "a number" : "a whole number";
    return "'" + text + "' is not " + kKind + " from " + rangeText(least, most);
}

template std::string rangeText(int, int);
template std::string rangeText(int64_t, int64_t);
template std::string rangeText(uint64_t, uint64_t);
template std::string rangeText(float, float);
template std::string checkNumber(const std::string&, int, int);
template std::string checkNumber(const std::string&, int64_t, int64_t);
template std::string checkNumber(const std::string&, uint64_t, uint64_t);
template std::string checkNumber(const std::string&, float, float);

engine::Result<ordered_json> readJsonFile(const std::string& path, uint64_t limit) {
    engine::Result<std::string> text = engine::readWholeFile(engine::systemFiles(), path, limit);
    if (!text) return text.error();
    try {
        return ordered_json::parse(text.value());
    } catch (const ordered_json::exception& e) {
        const std::string why = e.what();
        const size_t id = why.find("] "); // "[json.exception.parse_error.101] parse error ..."
        return Error{ErrorKind::BadInput,
                     {"%1 is not JSON", path},
                     {"%1", id == std::string::npos ? why : why.substr(id + 2)},
                     "Correct the file"};
    }
}

ordered_json callJson(const engine::ToolCall& call) {
    const std::optional<engine::JsonText> arguments = engine::readJson(call.arguments);
    ordered_json json{{"name", call.name}};
    json["arguments"] = arguments ? engine::jsonTree(*arguments, engine::KeptDigits::All) : ordered_json::object();
    if (!call.code.empty()) json["code"] = call.code;
    return json;
}

} // namespace coterie::app
