// SPDX-License-Identifier: Apache-2.0
// Chats of other programs, as their own files hold them. README.md in this folder draws the formats. Each function
// takes one conversation that may hold anything, and gives a chat or an error.
//
//     const auto chat = chatFromLmStudio(object);
//     if (chat) importer.addChat(chat->tree, IfPresent::Skip);
//
// Threads: any.
#pragma once

#include "store/chat_tree.h"

#include <QJsonObject>

#include <vector>

namespace coterie::app {

struct ForeignChat {
    ChatTree tree{};
    qint64 notes = 0; ///< pictures, recordings and files that were not imported; a note stands in the place of each
};

/// An element of conversations.json in ChatGPT's export.
engine::Result<ForeignChat> chatFromChatGpt(const QJsonObject& conversation);
/// A file *.conversation.json in LM Studio's folder of conversations.
engine::Result<ForeignChat> chatFromLmStudio(const QJsonObject& conversation);
/// thread.json and the lines of messages.jsonl in a folder of Jan's.
engine::Result<ForeignChat> chatFromJan(const QJsonObject& thread, const std::vector<QJsonObject>& messages);
/// An export of llama.cpp's web page: {"conv": ..., "messages": [...]}.
engine::Result<ForeignChat> chatFromLlamaWeb(const QJsonObject& exported);
/// Whether this is the first line of a file of lines that llama.cpp's web page has exported.
bool isLlamaSession(const QJsonObject& line);
/// The conversations in these lines, each as chatFromLlamaWeb() takes it.
std::vector<QJsonObject> llamaSessions(const std::vector<QJsonObject>& lines);

} // namespace coterie::app
