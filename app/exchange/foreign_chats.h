// SPDX-License-Identifier: Apache-2.0
// Chats of other programs, as their own files hold them. README.md in this folder draws the formats. Each function
// takes one conversation that may hold anything, and gives a chat or an error.
//
//     const auto tree = chatFromLmStudio(object);
//     if (tree) importer.addChat(tree.value(), IfPresent::Skip);
//
// Threads: any.
#pragma once

#include "store/chat_tree.h"

#include <QJsonObject>

#include <vector>

namespace coterie::app {

/// An element of conversations.json in ChatGPT's export.
engine::Result<ChatTree> chatFromChatGpt(const QJsonObject& conversation);
/// A file *.conversation.json in LM Studio's folder of conversations.
engine::Result<ChatTree> chatFromLmStudio(const QJsonObject& conversation);
/// thread.json and the lines of messages.jsonl in a folder of Jan's.
engine::Result<ChatTree> chatFromJan(const QJsonObject& thread, const std::vector<QJsonObject>& messages);
/// An export of llama.cpp's web page: {"conv": ..., "messages": [...]}.
engine::Result<ChatTree> chatFromLlamaWeb(const QJsonObject& exported);

} // namespace coterie::app
