// SPDX-License-Identifier: Apache-2.0
// See turns.h.
#include "session/turns.h"

#include "prompt/answer_parser.h"
#include "prompt/json_text.h"
#include "prompt/utf8_stream.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace coterie::engine {

using Json = nlohmann::ordered_json;

std::string validUtf8(std::string_view text) {
    Utf8Stream stream;
    std::string out = stream.push(text);
    return out += stream.finish();
}

namespace {

/// Returns an empty object if they are none, or deeper than a template may read (TemplateLimits::depth): a chat with
/// such a call must go on.
JsonText argumentsOf(const ToolCall& call) {
    constexpr int kMostNesting = 112; // a call stands within five lists and objects
    std::optional<JsonText> arguments = readJson(call.arguments);
    const bool fits = arguments && arguments->is(JsonText::Kind::Object) && nestingOf(*arguments) <= kMostNesting;
    return fits ? std::move(*arguments) : JsonText::object();
}

/// A call that no model wrote, in the tags that most models use, for templates that know none.
std::string spelled(const ToolCall& call) {
    if (!call.code.empty()) return "<code>\n" + call.code + "\n</code>";
    const std::string name = writeJson(JsonText::string(call.name)), arguments = writeJson(argumentsOf(call));
    return "<tool_call>\n{\"name\":" + name + ",\"arguments\":" + arguments + "}\n</tool_call>";
}

/// Gives each result the number of its call. A call may have no result: the user went on without it.
class CallNumbers {
  public:
    /// Calls before this turn get no result any more.
    void turnBegins(const Turn& turn) {
        if (turn.role == Role::User || !turn.calls.empty()) waiting_.clear();
    }
    int call(const ToolCall& call) {
        waiting_.emplace_back(validUtf8(call.name), ++last_);
        return last_;
    }
    /// tool: the name that the result has, or empty. The result of a call that has no number gets one of its own.
    int result(std::string_view tool) {
        if (waiting_.empty()) return ++last_;
        auto found =
            std::find_if(waiting_.begin(), waiting_.end(), [tool](const auto& call) { return call.first == tool; });
        if (found == waiting_.end()) found = waiting_.begin(); // files of other programs may name tools otherwise
        const int number = found->second;
        waiting_.erase(found);
        return number;
    }

  private:
    std::vector<std::pair<std::string, int>> waiting_; // names and numbers of the calls without a result
    int last_ = 0;
};

/// number: the call's number in its conversation. The id has nine letters and digits, as Mistral's template demands.
std::string callId(int number) {
    const std::string digits = std::to_string(number);
    return "call" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

Json callJson(const ToolCall& call, int number) {
    Json arguments = jsonTree(argumentsOf(call), KeptDigits::All);
    return {{"id", callId(number)},
            {"type", "function"},
            {"function", {{"name", validUtf8(call.name)}, {"arguments", std::move(arguments)}}}};
}

void addLine(PromptText& text, const PromptText& words) {
    if (!text.text.empty()) text.addForeign("\n");
    text.add(words);
}

/// A call goes into the content if the template does not read tool_calls, or if it is code that is more than calls.
void addCall(const Part& part, bool knowsCalls, Turn& turn) {
    if (knowsCalls && !part.call.name.empty()) return turn.calls.push_back(part.call);
    if (part.text.empty() && turn.inCall) return;
    turn.inCall = !part.text.empty();
    addLine(turn.content, turn.inCall ? wordsOfCall(validUtf8(part.text)) : PromptText{validUtf8(spelled(part.call))});
}

void addPart(const Part& part, bool knowsCalls, Turn& turn) {
    turn.inCall = turn.inCall && part.kind == PartKind::ToolCall;
    switch (part.kind) {
    case PartKind::Text:
        return addLine(turn.content, {validUtf8(part.text)});
    case PartKind::Thought:
        if (!turn.thought.empty()) turn.thought += '\n';
        turn.thought += validUtf8(part.text);
        return;
    case PartKind::ToolCall:
        return addCall(part, knowsCalls, turn);
    case PartKind::ToolResult:
        turn.content = {validUtf8(part.text)};
        turn.tool = validUtf8(part.call.name);
        return;
    }
}

} // namespace

std::vector<Turn> turnsOf(std::span<const Message> conversation, bool knowsCalls) {
    std::vector<Turn> turns;
    for (const Message& message : conversation) {
        bool begins = true;
        if (message.parts.empty()) turns.push_back({.role = message.role});
        for (const Part& part : message.parts) {
            const bool result = part.kind == PartKind::ToolResult;
            if (begins || result) turns.push_back({.role = result ? Role::Tool : message.role});
            begins = result;
            addPart(part, knowsCalls, turns.back());
        }
    }
    return turns;
}

void joinResults(std::vector<Turn>& turns) {
    std::vector<Turn> joined;
    for (Turn& turn : turns) {
        if (turn.role == Role::Tool && !joined.empty() && !joined.back().calls.empty())
            joined.back().results.push_back({std::move(turn.tool), std::move(turn.content.text)});
        else
            joined.push_back(std::move(turn));
    }
    turns = std::move(joined);
}

Json messagesJson(std::span<const Turn> turns, const ContentForms& forms) {
    Json messages = Json::array();
    CallNumbers numbers;
    for (const Turn& turn : turns) {
        numbers.turnBegins(turn);
        Json message;
        const std::string& content = turn.content.text;
        message["role"] = roleName(turn.role);
        if (forms[turn.role])
            message["content"] = Json::array({{{"type", "text"}, {"text", content}}});
        else
            message["content"] = content;
        Json structured = Json::array();
        for (const ToolCall& call : turn.calls) structured.push_back(callJson(call, numbers.call(call)));
        if (!turn.thought.empty()) {
            message["reasoning_content"] = turn.thought;
            // gpt-oss's name for a thought. With calls its template takes a thought or a text, not both.
            if (structured.empty() || content.empty()) message["thinking"] = turn.thought;
        }
        if (!structured.empty()) message["tool_calls"] = std::move(structured);
        for (const ToolResult& result : turn.results)
            message["tool_responses"].push_back({{"name", result.tool}, {"response", result.words}});
        if (turn.role == Role::Tool) {
            if (!turn.tool.empty()) message["name"] = turn.tool;
            message["tool_call_id"] = callId(numbers.result(turn.tool));
        }
        messages.push_back(std::move(message));
    }
    return messages;
}

void joinSystemMessage(std::vector<Message>& messages) {
    if (messages.empty() || messages.front().role != Role::System) return;
    std::string words = joinedText(messages.front().parts);
    messages.erase(messages.begin());
    if (words.find_first_not_of(" \t\r\n") == words.npos) return;
    const auto question = std::find_if(messages.begin(), messages.end(),
                                       [](const Message& message) { return message.role == Role::User; });
    if (question == messages.end())
        messages.insert(messages.begin(), Message::text(Role::User, std::move(words)));
    else // with an empty line between the two: each part begins a new line
        question->parts.insert(question->parts.begin(), {.kind = PartKind::Text, .text = std::move(words) + "\n"});
}

} // namespace coterie::engine
