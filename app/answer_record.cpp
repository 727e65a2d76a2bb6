// SPDX-License-Identifier: Apache-2.0
// See answer_record.h. The engine's own parser reads the tags back.
#include "answer_record.h"

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
    using engine::AnswerPart;
    if (delta.text.empty() && delta.call == nullptr) return {};
    std::string text;
    if (delta.part != part_) {
        if (part_ == AnswerPart::Thought) text += "\n</think>\n\n";
        if (delta.part == AnswerPart::Thought) text += empty_ ? "<think>\n" : "\n<think>\n";
        if (delta.part == AnswerPart::ToolCall && part_ == AnswerPart::Text && !empty_) text += "\n\n";
        part_ = delta.part;
    }
    text += delta.call != nullptr ? callText(*delta.call) : std::string(delta.text);
    empty_ = false;
    return text;
}

engine::Message assistantMessage(std::string_view record) {
    engine::AnswerParser parser({.toolTags = true});
    std::vector<engine::AnswerEvent> events = parser.push(record);
    for (engine::AnswerEvent& event : parser.finish()) events.push_back(std::move(event));
    engine::Message message;
    message.role = engine::Role::Assistant;
    for (engine::AnswerEvent& event : events) {
        if (event.part == engine::AnswerPart::ToolCall)
            message.toolCalls.push_back(std::move(event.call));
        else
            (event.part == engine::AnswerPart::Thought ? message.thought : message.content) += event.text;
    }
    return message;
}

} // namespace coterie::app
