// SPDX-License-Identifier: Apache-2.0
// Answers as version 1 of chats.db kept them: one text, with thoughts in <think> tags and tool calls in <tool_call>
// tags. Only the migration to version 2 reads them; nothing writes them any more.
#pragma once

#include "store/message_part.h"

#include <QString>

#include <vector>

namespace coterie::app {

/// The parts of the text. A call that version 1 had stored for code (its tool is "python", its only argument "code")
/// becomes a call in code form again.
std::vector<MessagePart> partsOfTaggedAnswer(const QString& text);

} // namespace coterie::app
