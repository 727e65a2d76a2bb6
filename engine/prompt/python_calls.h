// SPDX-License-Identifier: Apache-2.0
// Reads Python source that is nothing but calls with named, literal arguments, which models write if tools are offered
// as Python functions. It runs nothing, and knows no other part of the language.
#pragma once

#include "prompt/answer_parser.h"

#include <optional>

namespace coterie::engine {

/// Reads statements such as "x = get_time(zone='UTC')" and "print(add(a=1, b=2))", one on each line, with comments
/// between them. Returns nothing if the source holds anything else, or no call. `code` stays empty.
std::optional<std::vector<ToolCall>> pythonCalls(std::string_view source);
/// Reads a list of calls: "[get_time(zone='UTC'), add(a=1, b=2)]".
std::optional<std::vector<ToolCall>> pythonCallList(std::string_view source);

} // namespace coterie::engine
