// SPDX-License-Identifier: Apache-2.0
// The tools that the program runs for a model: a calculator, the time, attached files, a search of the user's chats.
// They read and compute; none of them changes or sends anything. What a tool returns is text for the model, in English.
// It does not ask the user; tool_runner.h does. Plain functions; any thread.
//
//     options.prompt.tools = toolDefinitions().toStdString();
//     const QString result = runTool(part, {.now = QDateTime::currentDateTime()});
#pragma once

#include "store/chat_reads.h"
#include "store/message_part.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace coterie::app {

/// Things that a tool may read.
struct ToolPlace {
    QDateTime now{};                  ///< local time
    std::vector<MessageRow> path{};   ///< the conversation with the call, whose attached files can be read
    const ChatReads* chats = nullptr; ///< for searches; nullptr: there are no chats
};

/// The names by which models call the tools.
QStringList toolNames();
/// Returns the key of the setting that says whether the tool asks: "ask", "always", "never". Empty for unknown tools.
QString toolPermissionKey(const QString& tool);
/// Returns the tool's name in the user's language; empty for unknown tools.
QString toolTitle(const QString& tool);
/// Returns the tools as OpenAI's interface describes functions: a JSON array.
QByteArray toolDefinitions();

/// Runs the call and returns what the model reads. If the call is wrong, that is a sentence that says so. `call` is a
/// part of kind ToolCall. Searching may take a while.
QString runTool(const MessagePart& call, const ToolPlace& place);

} // namespace coterie::app
