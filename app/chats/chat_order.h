// SPDX-License-Identifier: Apache-2.0
// The order of the list of chats: pinned chats, then each folder with its chats, then all others. It holds the chats
// and folders as the store has them and knows no view. Plain values: any thread, one at a time.
//
//     order.put(chat);
//     for (const ChatEntry& entry : order.entries()) ...
#pragma once

#include "store/chat_rows.h"

#include <QCollator>

#include <unordered_map>
#include <vector>

namespace coterie::app {

enum class ChatSort {
    Used,    ///< the chat that changed last comes first
    Title,   ///< by title, as the user's language orders words
    Created, ///< the newest chat comes first
};

/// A row of the list: a chat, or a folder above its chats.
struct ChatEntry {
    enum class Place { Pinned, Folder, InFolder, Loose };

    Place place = Place::Loose; ///< Folder: the row is the folder itself
    qint64 id = 0;              ///< id of the chat or folder

    bool isFolder() const { return place == Place::Folder; }
    /// Whether both are rows of the same thing, perhaps at another place.
    bool same(const ChatEntry& other) const { return id == other.id && isFolder() == other.isFolder(); }
};

class ChatOrder {
  public:
    ChatOrder();
    ChatOrder(const ChatOrder&) = delete; // sorted_ points into chats_
    ChatOrder& operator=(const ChatOrder&) = delete;

    ChatSort sort() const { return sort_; }
    void setSort(ChatSort sort);
    void setChats(std::vector<ChatRow> chats);
    void setFolders(std::vector<FolderRow> folders) { folders_ = std::move(folders); }

    /// Adds the chat, or replaces what is known about it.
    void put(const ChatRow& chat);
    /// Removes the chat if it is there.
    void remove(qint64 chat);

    /// Returns the chat; nullptr if it is not there. Valid until the next change.
    const ChatRow* chat(qint64 chat) const;
    /// Whether any of the chats has this title.
    bool hasTitle(const QString& title) const;
    const FolderRow* folder(qint64 folder) const;
    const std::vector<FolderRow>& folders() const { return folders_; }
    /// Number of chats in the folder, without pinned ones.
    int chatsIn(qint64 folder) const;
    /// Returns all rows of the list. Chats of a folded folder are in none.
    std::vector<ChatEntry> entries() const;

  private:
    bool before(const ChatRow& a, const ChatRow& b) const;
    ChatEntry::Place placeOf(const ChatRow& chat) const;

    ChatSort sort_ = ChatSort::Used;
    QCollator collator_;
    std::unordered_map<qint64, ChatRow> chats_;
    std::vector<const ChatRow*> sorted_; ///< all of them, in the order of sort_
    std::vector<FolderRow> folders_;     ///< in the user's order
};

} // namespace coterie::app
