// SPDX-License-Identifier: Apache-2.0
// Tool calls as JSON and as Qwen3-Coder's tags: the whole text between the markers in, calls out. Bounded nesting, no
// exception.
#pragma once

#include "prompt/answer_parser.h"

#include <optional>

namespace coterie::engine {

/// {"name": ..., "arguments" or "parameters": {...}}, or an array of them, or several behind each other (with ';' or
/// white space between). Nothing where any of it is something else.
std::optional<std::vector<ToolCall>> jsonCalls(std::string_view text);
/// <function=get_time><parameter=zone>UTC</parameter></function>. Values that are JSON but no text count as such.
std::optional<std::vector<ToolCall>> functionTagCalls(std::string_view text);
/// Whether it is one whole JSON object, as a call's arguments must be; its text on one line.
std::optional<std::string> jsonObject(std::string_view text);

} // namespace coterie::engine
