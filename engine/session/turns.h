// SPDX-License-Identifier: Apache-2.0
// Messages as chat templates take them: turns with one content each, and the same as JSON. Which text a template makes
// of them is no business of this file.
#pragma once

#include "prompt/parts.h"
#include "prompt/prompt_text.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Templates and JSON need UTF-8; other bytes become U+FFFD.
std::string validUtf8(std::string_view text);

struct ToolResult {
    std::string tool{}, words{};
};

/// A message as templates take it: with one content, and tool results in messages of their own.
struct Turn {
    Role role = Role::User;
    PromptText content{};
    std::string thought{};
    std::vector<ToolCall> calls{};
    std::string tool{};                ///< the tool whose result the content is
    std::vector<ToolResult> results{}; ///< the calls' results, if the template wants them here and not in messages
    bool inCall = false;               ///< the content ends with the text of a call: calls without text belong to it
};

/// knowsCalls: the template reads tool_calls. Otherwise calls become a part of the content.
std::vector<Turn> turnsOf(std::span<const Message> conversation, bool knowsCalls);

/// For templates that read results beside the calls (tool_responses, Gemma 4): results that follow a turn with calls
/// join it.
void joinResults(std::vector<Turn>& turns);

/// Whether the content of a role's messages is a list of parts ([{"type": "text", "text": ...}]) and not a string.
struct ContentForms {
    std::array<bool, 4> parts{}; ///< by Role

    bool& operator[](Role role) { return parts[static_cast<size_t>(role)]; }
    bool operator[](Role role) const { return parts[static_cast<size_t>(role)]; }
};
nlohmann::ordered_json messagesJson(std::span<const Turn> turns, const ContentForms& forms);

/// For templates that have no place for a system message: it becomes the beginning of the first question.
void joinSystemMessage(std::vector<Message>& messages);

} // namespace coterie::engine
