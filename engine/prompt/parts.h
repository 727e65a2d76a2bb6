// SPDX-License-Identifier: Apache-2.0
// The parts of an answer and the messages of a conversation, from the parser to the caller and back into the next
// prompt. Plain values without behaviour; no tags or markers stand inside their texts.
//
//     conversation.push_back(Message::text(Role::User, "What time is it?"));
//     conversation.push_back(Message{Role::Assistant, generated.parts});
//     conversation.push_back(Message::toolResult("get_time", "12:00"));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// One call of a tool, as the model asks for it.
struct ToolCall {
    std::string name{};      ///< empty if the code is more than calls of tools
    std::string arguments{}; ///< a JSON object as text, members in the order written; "{}" if there are none
    std::string code{};      ///< the source of a call in Python form, without the tags around it

    bool operator==(const ToolCall&) const = default;
};

enum class PartKind { Text, Thought, ToolCall, ToolResult };

struct Part {
    PartKind kind = PartKind::Text;
    /// The words of a text, a thought or a tool result. ToolCall: the words that the model wrote, with their markers,
    /// which a template gets back that leaves calls to a message's content; several calls in one pair of markers have
    /// them at the first. Empty for a call that no model wrote.
    std::string text{};
    ToolCall call{}; ///< ToolCall: what the model asks for. ToolResult: call.name is the tool's name, or empty

    bool operator==(const Part&) const = default;
};

enum class Role { System, User, Assistant, Tool };
/// The role's name in templates, in the store and in files of chats: "system", "user", "assistant", "tool".
const char* roleName(Role role);
/// Returns the role of this name; nothing for any other text.
std::optional<Role> roleFrom(std::string_view name);

struct Message {
    Role role = Role::User;
    /// In the order in which they were written. An assistant's message may hold tool results between its other parts.
    std::vector<Part> parts{};

    static Message text(Role role, std::string words);
    static Message toolResult(std::string tool, std::string words);

    bool operator==(const Message&) const = default;
};

/// The words of all parts of this kind; each part after the first begins a new line.
std::string joinedText(std::span<const Part> parts, PartKind kind = PartKind::Text);
/// All tool calls in their order.
std::vector<ToolCall> toolCallsOf(std::span<const Part> parts);

} // namespace coterie::engine
