// SPDX-License-Identifier: Apache-2.0
// Reads Python source that is nothing but calls with named, literal arguments: what models write where tools are
// offered as Python functions. Runs nothing, and knows no more of the language.
#pragma once

#include "prompt/answer_parser.h"

#include <optional>

namespace coterie::engine {

/// "x = get_time(zone='UTC')", "print(add(a=1, b=2))", several lines of them, comments between. Nothing where there is
/// anything else in it, or no call. `code` stays empty.
std::optional<std::vector<ToolCall>> pythonCalls(std::string_view source);
/// "[get_time(zone='UTC'), add(a=1, b=2)]".
std::optional<std::vector<ToolCall>> pythonCallList(std::string_view source);

} // namespace coterie::engine
