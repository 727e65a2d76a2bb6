// SPDX-License-Identifier: Apache-2.0
// A connection that adds whole chats to chats.db on another thread, beside the store: for imports, which take long.
// ChatStore::openImporter() makes it. Each call is one transaction, so that a chat is there with all its messages or
// not at all; while it runs, the store's own writes wait for it, and a call waits for those that wait (write_turns.h).
//
//     const auto added = importer->addChat(tree, IfPresent::Skip);
//     if (!added) report(added.error());
//
// Threads: one thread at a time makes all calls. Destroy it before the store. Errors are values.
#pragma once

#include "store/chat_reads.h"

#include <QStringList>

#include <memory>

namespace coterie::app {

class ChatImporter : public ChatReads {
  public:
    ~ChatImporter();

    /// Adds the chat with all its messages, unless it is there. Synced.
    engine::Result<AddedChat> addChat(const ChatTree& tree, IfPresent present);
    /// Adds the folders that are not there yet, after the others and in this order.
    engine::Status addFolders(const QStringList& names);
    /// Keeps this draft of a chat that does not exist yet, unless there is one.
    engine::Status keepDraft(const QString& text);

  private:
    friend class ChatStore;
    explicit ChatImporter(std::unique_ptr<Connection> connection);
};

/// Adds the chat over this connection: the same for the store and for an importer.
engine::Result<AddedChat> addChatTo(Connection& connection, const ChatTree& tree, IfPresent present);

} // namespace coterie::app
