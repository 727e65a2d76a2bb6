// SPDX-License-Identifier: Apache-2.0
// Makes calls of tools from JSON. A call names a tool that was offered and has arguments, an object; everything else is
// no call. Nesting is bounded, and nothing throws.
#pragma once

#include "prompt/json_text.h"
#include "prompt/offered_tools.h"
#include "prompt/parts.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

using Calls = std::optional<std::vector<ToolCall>>;

/// Returns the call of this tool, with the types of its schema. Nothing if the tool was not offered or `arguments` is
/// no object.
std::optional<ToolCall> callOf(std::string_view name, JsonText arguments, const OfferedTools& tools);
/// Reads {"name": ..., "arguments" or "parameters": {...}}, an array of them, or several in a row with ';' or white
/// space between them. Returns nothing if the text holds anything else.
Calls jsonCalls(std::string_view text, const OfferedTools& tools);
/// Reads the arguments of a call whose name stands elsewhere.
Calls namedCall(std::string_view name, std::string_view arguments, const OfferedTools& tools);

} // namespace coterie::engine
