// SPDX-License-Identifier: Apache-2.0
// Whole chats in chats.db, read and written in one transaction each. Throws what SQLite throws, as everything below the
// store does.
#pragma once

#include "store/chat_tree.h"
#include "store/connection.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace coterie::app {

/// Reads a chat; nothing if it does not exist, or is in the bin and that is not wanted. An answer that is being written
/// is read as a stopped one.
std::optional<ChatTree> readTree(Connection& connection, qint64 chat, const TreeWants& wants);
/// Returns the ids of all chats, ascending.
std::vector<qint64> allChats(SQLite::Database& database, bool bin);
/// Adds a tree that checkTree() has accepted. Call this in a transaction.
AddedChat addTree(Connection& connection, const ChatTree& tree, IfPresent present);
/// Adds the folders that are not there yet, after the others and in this order.
void addFolders(SQLite::Database& database, const QStringList& names);

} // namespace coterie::app
