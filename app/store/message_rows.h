// SPDX-License-Identifier: Apache-2.0
// Rows of the table `messages` as values, and the statements about the tree that several classes of the store share.
// Everything here throws what SQLite throws.
#pragma once

#include "store/chat_rows.h"
#include "store/connection.h"

#include <span>
#include <string>
#include <vector>

namespace coterie::app {

std::string stateName(MessageState state);
/// Reads a role. The table allows no other text than its names, so only a damaged file has one: it counts as a user's.
engine::Role roleOf(const SQLite::Column& column);
/// The message's figures and remarks, which share a column; an empty text if it has neither.
std::string statisticsJson(const MessageRow& message);
/// An empty text if there is no error.
std::string errorJson(const ErrorInfo& error);
std::string jsonOf(const QJsonObject& object);
QJsonObject objectOf(const SQLite::Column& column);

/// Reads the messages from `last` up to the first one of the chat, at most `most` of them (-1: all); oldest first.
std::vector<MessageRow> readPath(Connection& connection, qint64 last, qint64 most);
std::vector<qint64> pathTo(SQLite::Database& database, qint64 last);
/// Reads one message; nothing if it does not exist.
std::optional<MessageRow> readMessage(Connection& connection, qint64 message);
/// Reads the messages that a query returns. `where` stands behind "FROM messages m".
std::vector<MessageRow> readMessages(Connection& connection, const std::string& where);

/// A message in the tree that is not hidden and whose chat is not in the bin.
struct Position {
    qint64 chat = 0;
    qint64 parent = 0;
};
/// Adds a chat without messages, and returns it.
qint64 newChat(SQLite::Database& database, const QString& title);
std::optional<Position> positionOf(SQLite::Database& database, qint64 message);
/// The chat's last message that is shown; 0 if there is none.
qint64 leafOf(SQLite::Database& database, qint64 chat);
Siblings siblingsOf(SQLite::Database& database, qint64 chat, qint64 parent, qint64 message);
/// The newest message at or below this one that is not hidden.
qint64 newestBelow(SQLite::Database& database, qint64 message);

/// Adds a message with its parts, and sets id, chat and depth.
void insertMessage(SQLite::Database& database, MessageRow& message);

/// A query for the ids of message ?1 and all that are not hidden below it.
extern const char* const kVisibleBelow;

/// The full-text indexes hold every title, and every message that is neither hidden nor streaming: otherwise each save
/// of a growing answer would index it again. A row must be taken out with the text with which it was put in. So it is
/// taken out before a change and put in after it, in one transaction.
enum class IndexChange { ChatsIn, ChatsOut, MessagesIn, MessagesOut };
/// Changes the index for the rows for which `which` is true; its ?1 is `value`. Chats are the table "chats", messages
/// the alias "m".
void index(SQLite::Database& database, IndexChange change, const std::string& which, qint64 value);

} // namespace coterie::app
