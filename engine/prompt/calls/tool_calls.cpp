// SPDX-License-Identifier: Apache-2.0
// See tool_calls.h.
#include "prompt/calls/tool_calls.h"

#include "prompt/blanks.h"

#include <utility>

namespace coterie::engine {
namespace {

using Kind = JsonText::Kind;

/// Some models write the arguments as a string that holds the object, and some put the call into a "function", as
/// OpenAI's interface does, or its name.
std::optional<ToolCall> callIn(const JsonText& value, const OfferedTools& tools) {
    const JsonText* name = value.member("name");
    const JsonText* function = value.member("function");
    if (name == nullptr && function != nullptr && function->is(Kind::Object)) return callIn(*function, tools);
    if (name == nullptr) name = function;
    const JsonText* arguments = value.member("arguments");
    if (arguments == nullptr) arguments = value.member("parameters");
    if (name == nullptr || arguments == nullptr || !name->is(Kind::String)) return std::nullopt;
    if (!arguments->is(Kind::String)) return callOf(name->text, *arguments, tools);
    std::optional<JsonText> within = readJson(arguments->text);
    return within ? callOf(name->text, std::move(*within), tools) : std::nullopt;
}

bool addCalls(const JsonText& value, const OfferedTools& tools, std::vector<ToolCall>& calls) {
    const auto add = [&](const JsonText& one) {
        std::optional<ToolCall> call = callIn(one, tools);
        if (call) calls.push_back(std::move(*call));
        return call.has_value();
    };
    if (!value.is(Kind::Array)) return add(value);
    for (const JsonText& item : value.items)
        if (!add(item)) return false;
    return true;
}

} // namespace

std::optional<ToolCall> callOf(std::string_view name, JsonText arguments, const OfferedTools& tools) {
    if (!tools.has(name) || !arguments.is(Kind::Object)) return std::nullopt;
    tools.fit(name, arguments);
    return ToolCall{.name = std::string(name), .arguments = writeJson(arguments), .code = {}};
}

Calls jsonCalls(std::string_view text, const OfferedTools& tools) {
    std::vector<ToolCall> calls;
    for (;;) {
        const size_t begin = text.find_first_not_of(calls.empty() ? kBlanks : std::string_view(" \t\r\n;"));
        if (begin == text.npos) break;
        text.remove_prefix(begin);
        JsonScanner scanner;
        if (scanner.scan(text) != JsonScanner::Found::Whole) return std::nullopt;
        const std::optional<JsonText> value = readJson(text.substr(0, scanner.at()));
        if (!value || !addCalls(*value, tools, calls)) return std::nullopt;
        text.remove_prefix(scanner.at());
    }
    return calls.empty() ? std::nullopt : std::optional(std::move(calls));
}

Calls namedCall(std::string_view name, std::string_view arguments, const OfferedTools& tools) {
    std::optional<JsonText> value = readJson(arguments);
    std::optional<ToolCall> call = value ? callOf(name, std::move(*value), tools) : std::nullopt;
    return call ? std::optional(std::vector<ToolCall>{std::move(*call)}) : std::nullopt;
}

} // namespace coterie::engine
