// SPDX-License-Identifier: Apache-2.0
// See parts.h.
#include "prompt/parts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coterie::engine {

namespace {

constexpr std::array<const char*, 4> kRoleNames{"system", "user", "assistant", "tool"}; // in the order of Role

} // namespace

const char* roleName(Role role) { return kRoleNames[static_cast<size_t>(role)]; }

std::optional<Role> roleFrom(std::string_view name) {
    const auto* const found = std::find(kRoleNames.begin(), kRoleNames.end(), name);
    if (found == kRoleNames.end()) return std::nullopt;
    return static_cast<Role>(found - kRoleNames.begin());
}

Message Message::text(Role role, std::string words) {
    return {role, {{.kind = PartKind::Text, .text = std::move(words)}}};
}

Message Message::toolResult(std::string tool, std::string words) {
    return {Role::Tool, {{.kind = PartKind::ToolResult, .text = std::move(words), .call = {.name = std::move(tool)}}}};
}

std::string joinedText(std::span<const Part> parts, PartKind kind) {
    std::string words;
    bool first = true;
    for (const Part& part : parts) {
        if (part.kind != kind) continue;
        if (!first) words += '\n';
        words += part.text;
        first = false;
    }
    return words;
}

std::vector<ToolCall> toolCallsOf(std::span<const Part> parts) {
    std::vector<ToolCall> calls;
    for (const Part& part : parts)
        if (part.kind == PartKind::ToolCall) calls.push_back(part.call);
    return calls;
}

} // namespace coterie::engine
