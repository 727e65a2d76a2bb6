// SPDX-License-Identifier: Apache-2.0
// Folders of chats. A chat is in one folder or in none; ChatStore::setFolder() moves it. Names differ in more than
// case. ChatStore::folders() and ChatReader::folders() lead here; the rules of chat_reads.h hold here too.
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

#include <QString>

#include <span>
#include <vector>

namespace coterie::app {

struct Connection;

class ChatFolders {
  public:
    /// The connection outlives this.
    explicit ChatFolders(Connection& connection) : connection_(connection) {}

    /// Returns the folders in the order that the user gave them.
    engine::Result<std::vector<FolderRow>> list() const;
    /// Adds a folder after the others.
    engine::Result<FolderRow> create(const QString& name);
    engine::Status rename(qint64 folder, const QString& name);
    /// Lists the folder's chats, or no longer. Not synced.
    engine::Status setFolded(qint64 folder, bool folded);
    /// Moves the folder to this index in the list.
    engine::Status move(qint64 folder, qsizetype index);
    /// Removes the folder; its chats are then in none.
    engine::Status remove(qint64 folder);
    /// Adds a folder that was removed, with its id, and puts these chats into it, unless they are in another one now.
    engine::Status restore(const FolderRow& folder, qsizetype index, std::span<const qint64> chats);

  private:
    Connection& connection_;
};

/// Returns the name as names are compared.
QString folderKey(const QString& name);

} // namespace coterie::app
