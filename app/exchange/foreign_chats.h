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

#include <QJsonArray>
#include <QJsonObject>

#include <utility>
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
/// A thread that Jan has exported: {"title", "exported_at", "messages": [...]}.
engine::Result<ForeignChat> chatFromJanExport(const QJsonObject& exported);
/// An export of llama.cpp's web page: {"conv": ..., "messages": [...]}.
engine::Result<ForeignChat> chatFromLlamaWeb(const QJsonObject& exported);

/// A conversation in the lines of such an export: {"type": "session", ...}, and {"type": "message", "message": {...}}
/// for each of its messages.
class LlamaSession {
  public:
    /// Whether a conversation begins with this line.
    static bool beginsWith(const QJsonObject& line);

    explicit LlamaSession(QJsonObject firstLine) : conversation_(std::move(firstLine)) {}

    /// Takes a line after the first. One of another kind is passed over.
    void add(const QJsonObject& line);
    QString title() const;
    /// Returns the chat that the lines make.
    engine::Result<ForeignChat> chat() const;

  private:
    QJsonObject conversation_;
    QJsonArray messages_;
};

} // namespace coterie::app
