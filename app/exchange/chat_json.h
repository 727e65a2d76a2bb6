// SPDX-License-Identifier: Apache-2.0
// A chat as JSON: our own format, which README.md in this folder draws. The same chat gives the same bytes everywhere.
//
//     out += chatJson(tree);
//     const auto tree = chatFromJson(object);
//
// Threads: any. Errors are values; they name the field that is wrong.
#pragma once

#include "store/chat_tree.h"

#include <QByteArray>
#include <QJsonObject>

namespace coterie::app {

/// The version of the format that this program writes. It reads this one and all before it.
inline constexpr int kChatFormatVersion = 1;
inline constexpr char kChatFormatName[] = "coterie-chats";

/// Characters of a title and of other names that are read; more are cut off. The window shows them on one line, and
/// would lay a hostile one out for minutes.
inline constexpr qsizetype kLongestName = 1000;

/// Returns the chat on one line, without a line break.
QByteArray chatJson(const ChatTree& tree);
/// Reads a chat. Fields that are not known are passed over.
engine::Result<ChatTree> chatFromJson(const QJsonObject& object);

/// A text as JSON, in quotes.
QByteArray quotedJson(const QString& text);

} // namespace coterie::app
