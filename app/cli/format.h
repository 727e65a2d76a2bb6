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
/// "1.23", with `decimals` of them.
std::string numberText(double value, int decimals);
/// The number with so many digits behind the point, so that a file of them stays readable; null for nothing.
nlohmann::ordered_json rounded(std::optional<double> value, int digits = 4);

/// "900MiB", "6GiB", "1.5GiB"; "auto" is 0. Returns what is wrong, or nothing where `bytes` has been set.
std::string parseMemory(const std::string& text, uint64_t& bytes);

/// A JSON file of at most `limit` bytes. BadInput names the file and the place of the mistake.
engine::Result<nlohmann::ordered_json> readJsonFile(const std::string& path, uint64_t limit);
/// {"name": ..., "arguments": {...}}, with "code" where it was written as such.
nlohmann::ordered_json callJson(const engine::ToolCall& call);
/// One line of indented JSON text for stdout; text that is not UTF-8 is replaced, never thrown about.
std::string jsonText(const nlohmann::ordered_json& value, int indent = 2);

} // namespace coterie::app
