// SPDX-License-Identifier: Apache-2.0
// See answer_record.h. The engine's own parser reads the tags back.
#include "answer_record.h"

#include "prompt/answer_parser.h"

#include <nlohmann/json.hpp>

namespace coterie::app {
namespace {

std::string callText(const engine::ToolCall& call) {
    using Json = nlohmann::ordered_json;
    const Json arguments = Json::parse(call.arguments, nullptr, false);
    Json json{{"name", call.name.empty() ? "python" : call.name}};
    json["arguments"] = call.name.empty() ? Json{{"code", call.code}} : arguments;
    return "<tool_call>\n" + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n</tool_call>\n";
}

} // namespace

std::string AnswerRecord::add(const engine::Delta& delta) {
    using engine::PartKind;
    if (delta.text.empty() && delta.call == nullptr) return {};
    std::string text;
    if (delta.kind != kind_) {
        if (kind_ == PartKind::Thought) text += "\n</think>\n\n";
        if (delta.kind == PartKind::Thought) text += empty_ ? "<think>\n" : "\n<think>\n";
        if (delta.kind == PartKind::ToolCall && kind_ == PartKind::Text && !empty_) text += "\n\n";
        kind_ = delta.kind;
    }
    text += delta.call != nullptr ? callText(*delta.call) : std::string(delta.text);
    empty_ = false;
    return text;
}

engine::Message assistantMessage(std::string_view record) {
    engine::AnswerParser parser({.toolTags = true});
    engine::Message message{engine::Role::Assistant};
    for (const engine::AnswerEvent& event : parser.push(record)) addTo(message.parts, event);
    for (const engine::AnswerEvent& event : parser.finish()) addTo(message.parts, event);
    return message;
}

} // namespace coterie::app
