// SPDX-License-Identifier: Apache-2.0
// Reads tool calls in JSON and in Qwen3-Coder's tags from the whole text between the markers. Nesting is bounded, and
// nothing throws.
#pragma once

#include "prompt/answer_parser.h"

#include <optional>

namespace coterie::engine {

/// Reads {"name": ..., "arguments" or "parameters": {...}}, an array of them, or several in a row with ';' or white
/// space between them. Returns nothing if the text holds anything else.
std::optional<std::vector<ToolCall>> jsonCalls(std::string_view text);
/// Reads <function=get_time><parameter=zone>UTC</parameter></function>. A value that is JSON, but not a JSON string, is
/// taken as this JSON.
std::optional<std::vector<ToolCall>> functionTagCalls(std::string_view text);
/// Returns the JSON object that the text is, written on one line, or nothing if the text is not one whole JSON object.
std::optional<std::string> jsonObject(std::string_view text);

} // namespace coterie::engine
