// SPDX-License-Identifier: Apache-2.0
// Numbers and files as the commands show and read them.
#pragma once

#include "base/result.h"
#include "export/number_text.h"
#include "prompt/parts.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coterie::app {

/// "2.24 GiB", "900 MiB", "512 bytes".
std::string bytesText(uint64_t bytes);

/// "900MiB", "6GiB", "1.5GiB"; "auto" is 0. Returns what is wrong, or an empty string if `bytes` has been set.
std::string parseMemory(const std::string& text, uint64_t& bytes);

/// "1 to 1024", "0.001 to 100": the numbers that an option may have.
template <typename Number>
std::string rangeText(Number least, Number most);
/// Returns why `text` is no number from `least` to `most`, or an empty string if it is one. Number: int, int64_t,
/// uint64_t or float.
template <typename Number>
std::string checkNumber(const std::string& text, Number least, Number most);

/// Reads a JSON file of at most `limit` bytes. A BadInput error names the file and the place of the mistake.
engine::Result<nlohmann::ordered_json> readJsonFile(const std::string& path, uint64_t limit);
/// {"name": ..., "arguments": {...}}, and "code" if the call was written as code.
nlohmann::ordered_json callJson(const engine::ToolCall& call);

} // namespace coterie::app
