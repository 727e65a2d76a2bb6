// SPDX-License-Identifier: Apache-2.0
// See tool_calls.h.
#include "prompt/tool_calls.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::engine {
namespace {

using Json = nlohmann::ordered_json;

/// Values are written by a recursion, which must not be deep.
constexpr int kMostNesting = 64;

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(kSpaces);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Returns the end of the JSON object or array that begins the text, and 0 if there is none or it nests too deep.
size_t valueEnd(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
            continue;
        }
        if (c == '"') quoted = true;
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (depth > kMostNesting) return 0;
        if (depth <= 0) return i == 0 ? 0 : i + 1;
    }
    return 0;
}

std::optional<Json> parse(std::string_view text) {
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

std::string written(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::optional<ToolCall> callOf(const Json& value) {
    if (!value.is_object()) return std::nullopt;
    const auto name = value.find("name");
    if (name == value.end() || !name->is_string() || name->get_ref<const std::string&>().empty()) return std::nullopt;
    ToolCall call{.name = name->get<std::string>(), .arguments = "{}", .code = {}};
    auto arguments = value.find("arguments");
    if (arguments == value.end()) arguments = value.find("parameters");
    if (arguments == value.end() || arguments->is_null()) return call;
    if (arguments->is_string()) {
        std::optional<std::string> object = jsonObject(arguments->get_ref<const std::string&>());
        if (!object) return std::nullopt;
        call.arguments = std::move(*object);
        return call;
    }
    if (!arguments->is_object()) return std::nullopt;
    call.arguments = written(*arguments);
    return call;
}

bool addCalls(const Json& value, std::vector<ToolCall>& calls) {
    if (!value.is_array()) {
        std::optional<ToolCall> call = callOf(value);
        if (call) calls.push_back(std::move(*call));
        return call.has_value();
    }
    for (const Json& element : value) {
        std::optional<ToolCall> call = callOf(element);
        if (!call) return false;
        calls.push_back(std::move(*call));
    }
    return true;
}

/// Returns the text between `open`, at the start, and the next `close`, and removes all three from `text`.
std::optional<std::string_view> takeTagged(std::string_view& text, std::string_view open, std::string_view close) {
    if (!text.starts_with(open)) return std::nullopt;
    const size_t end = text.find(close, open.size());
    if (end == text.npos) return std::nullopt;
    const std::string_view inside = text.substr(open.size(), end - open.size());
    text = trimmed(text.substr(end + close.size()));
    return inside;
}

std::optional<ToolCall> functionTagCall(std::string_view inside) {
    const size_t nameEnd = inside.find('>');
    if (nameEnd == inside.npos || trimmed(inside.substr(0, nameEnd)).empty()) return std::nullopt;
    Json arguments = Json::object();
    std::string_view rest = trimmed(inside.substr(nameEnd + 1));
    while (!rest.empty()) {
        const std::optional<std::string_view> parameter = takeTagged(rest, "<parameter=", "</parameter>");
        const size_t keyEnd = parameter ? parameter->find('>') : std::string_view::npos;
        if (keyEnd == std::string_view::npos) return std::nullopt;
        std::string_view value = parameter->substr(keyEnd + 1);
        if (value.starts_with('\n')) value.remove_prefix(1);
        if (value.ends_with('\n')) value.remove_suffix(1);
        const bool bounded =
            !value.starts_with('{') && !value.starts_with('[') ? true : valueEnd(value) == value.size();
        const std::optional<Json> json = bounded ? parse(value) : std::nullopt;
        Json& argument = arguments[std::string(trimmed(parameter->substr(0, keyEnd)))];
        argument = json && !json->is_string() ? *json : Json(std::string(value));
    }
    return ToolCall{std::string(trimmed(inside.substr(0, nameEnd))), written(arguments), {}};
}

} // namespace

std::optional<std::string> jsonObject(std::string_view text) {
    text = trimmed(text);
    if (!text.starts_with('{') || valueEnd(text) != text.size()) return std::nullopt;
    const std::optional<Json> object = parse(text);
    return object && object->is_object() ? std::optional(written(*object)) : std::nullopt;
}

std::optional<std::vector<ToolCall>> jsonCalls(std::string_view text) {
    std::vector<ToolCall> calls;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        if (text.front() == ';' && !calls.empty()) {
            text.remove_prefix(1);
            continue;
        }
        const size_t end = text.front() == '{' || text.front() == '[' ? valueEnd(text) : 0;
        const std::optional<Json> value = end == 0 ? std::nullopt : parse(text.substr(0, end));
        if (!value || !addCalls(*value, calls)) return std::nullopt;
        text.remove_prefix(end);
    }
    return calls.empty() ? std::nullopt : std::optional(std::move(calls));
}

std::optional<std::vector<ToolCall>> functionTagCalls(std::string_view text) {
    std::vector<ToolCall> calls;
    for (text = trimmed(text); !text.empty();) {
        const std::optional<std::string_view> inside = takeTagged(text, "<function=", "</function>");
        std::optional<ToolCall> call = inside ? functionTagCall(*inside) : std::nullopt;
        if (!call) return std::nullopt;
        calls.push_back(std::move(*call));
    }
    return calls.empty() ? std::nullopt : std::optional(std::move(calls));
}

} // namespace coterie::engine
