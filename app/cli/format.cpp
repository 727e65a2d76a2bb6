// SPDX-License-Identifier: Apache-2.0
// Numbers and files as the commands show and read them.
#include "cli/format.h"

#include "base/files.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace coterie::app {

using engine::Error;
using engine::ErrorKind;
using nlohmann::ordered_json;

namespace {

Error badMemory(const std::string& text, const char* why) {
    return {ErrorKind::BadInput, "The memory " + text + " can't be used", why,
            "Write it as 900MiB, 6GiB, 1.5GiB or auto"};
}

/// 0 for a unit that is none of ours.
double unitBytes(std::string_view unit) {
    if (unit == "KiB") return 0x1p10;
    if (unit == "MiB") return 0x1p20;
    if (unit == "GiB") return 0x1p30;
    if (unit == "TiB") return 0x1p40;
    return 0;
}

} // namespace

std::string numberText(double value, int decimals) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string bytesText(uint64_t bytes) {
    constexpr std::array<const char*, 5> kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
    const int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return numberText(value, decimals) + " " + kUnits[unit];
}

ordered_json rounded(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return nullptr;
    return std::round(*value * 1e4) / 1e4;
}

engine::Result<uint64_t> parseMemory(const std::string& text) {
    if (text == "auto") return uint64_t(0);
    const size_t digits = text.find_first_not_of("0123456789.");
    if (digits == std::string::npos) return badMemory(text, "It has no unit");
    const double unit = unitBytes(std::string_view(text).substr(digits));
    if (unit == 0) return badMemory(text, "Its unit is not KiB, MiB, GiB or TiB");
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + digits, number, std::chars_format::fixed);
    if (fault != std::errc() || end != text.data() + digits) return badMemory(text, "It does not start with a number");
    const double bytes = number * unit;
    if (bytes < 1) return badMemory(text, "It is nothing");
    if (bytes >= 0x1p60) return badMemory(text, "No machine has that much");
    return static_cast<uint64_t>(bytes);
}

engine::Result<ordered_json> readJsonFile(const std::string& path, uint64_t limit) {
    engine::Result<std::string> text = engine::readWholeFile(engine::systemFiles(), path, limit);
    if (!text) return text.error();
    try {
        return ordered_json::parse(text.value());
    } catch (const ordered_json::exception& e) {
        return Error{ErrorKind::BadInput, path + " is not JSON", e.what(), "Correct the file"};
    }
}

std::string jsonText(const ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace coterie::app
