// SPDX-License-Identifier: Apache-2.0
// Numbers and files as the commands show and read them.
#pragma once

#include "base/result.h"
#include "prompt/parts.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace coterie::app {

/// "2.24 GiB", "900 MiB", "512 bytes".
std::string bytesText(uint64_t bytes);
/// "1.23", with `decimals` digits after the point.
std::string numberText(double value, int decimals);
/// Returns the number rounded to `digits` digits after the point, so that a file of numbers stays readable; null for
/// nothing.
nlohmann::ordered_json rounded(std::optional<double> value, int digits = 4);

/// Returns a text as a field of a CSV file, in quotes (RFC 4180).
std::string csvText(const std::string& text);

/// "900MiB", "6GiB", "1.5GiB"; "auto" is 0. Returns what is wrong, or an empty string if `bytes` has been set.
std::string parseMemory(const std::string& text, uint64_t& bytes);

/// Reads a JSON file of at most `limit` bytes. A BadInput error names the file and the place of the mistake.
engine::Result<nlohmann::ordered_json> readJsonFile(const std::string& path, uint64_t limit);
/// {"name": ..., "arguments": {...}}, and "code" if the call was written as code.
nlohmann::ordered_json callJson(const engine::ToolCall& call);
/// Returns JSON text for stdout, with a line end. Without indentation (-1) it is one line. Bytes that are not UTF-8 are
/// replaced; nothing is thrown.
std::string jsonText(const nlohmann::ordered_json& value, int indent = 2);

} // namespace coterie::app
