// SPDX-License-Identifier: Apache-2.0
// Everything that can be read from chats.db: chats, the tree of messages, and searches. ChatStore and ChatReader are
// both this, over a connection of their own. A call reads one state of the file, also while another connection writes.
//
// Messages form a tree. A chat shows the path from a first message to its leaf. A deleted message hides everything
// below it; hidden messages are in no list here except removedMessages(). A child's id is greater than its parent's.
//
//     const auto page = reads.page(chat, 0, 50); // the last 50 messages
//     const auto earlier = reads.page(chat, page.value().rows.front().id, 50);
//
// Threads: one thread at a time uses an object. Errors are values: no SQLite exception leaves it.
#pragma once

#include "base/result.h"
#include "store/chat_folders.h"
#include "store/chat_rows.h"
#include "store/chat_tree.h"
#include "store/draft_files.h"
#include "store/message_records.h"
#include "store/waiting_prompts.h"

#include <QHash>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

struct Connection;

class ChatReads {
  public:
    ChatReads(const ChatReads&) = delete;
    ChatReads& operator=(const ChatReads&) = delete;

    const ChatFolders& folders() const { return folders_; }
    const MessageRecords& records() const { return records_; }
    const WaitingPrompts& waiting() const { return waiting_; }
    const DraftFiles& draftFiles() const { return draftFiles_; }

    /// Returns the chats, newest first, without those in the bin.
    engine::Result<std::vector<ChatRow>> chats() const;
    /// Returns the chats in the bin; the one that was deleted last comes first.
    engine::Result<std::vector<ChatRow>> removedChats() const;
    engine::Result<ChatRow> chat(qint64 chat) const;
    /// Chat 0 stands for a chat that does not exist yet.
    engine::Result<ChatState> state(qint64 chat) const;

    /// Returns the messages from the chat's first one to its leaf. A long chat should be read in pages.
    engine::Result<std::vector<MessageRow>> messages(qint64 chat) const;
    /// Returns the messages from the chat's first one to this one; none if there is no such message.
    engine::Result<std::vector<MessageRow>> messagesTo(qint64 message) const;
    /// Returns at most `most` messages of the shown path: the last ones before the message `before`, which is in the
    /// path, or the last ones of all if it is 0.
    engine::Result<MessagePage> page(qint64 chat, qint64 before, int most) const;
    /// Returns the message, also if it is hidden.
    engine::Result<MessageRow> message(qint64 message) const;
    /// Returns the ids from the chat's first message to this one.
    engine::Result<std::vector<qint64>> path(qint64 message) const;
    /// Returns the ids of the messages that follow this one, oldest first.
    engine::Result<std::vector<qint64>> children(qint64 message) const;
    /// Returns all messages that have the same parent as this one, or are first messages of the same chat as it.
    engine::Result<Siblings> siblings(qint64 message) const;
    /// Returns the messages that were deleted one by one; the one that was deleted last comes first. Messages of chats
    /// in the bin are not among them.
    engine::Result<std::vector<MessageRow>> removedMessages() const;

    /// Returns the texts that messages of the chat are being edited to, by message: see ChatStore::setEdit(). An export
    /// has none of them.
    engine::Result<QHash<qint64, QString>> edits(qint64 chat) const;

    /// Returns the ids of the chats in the order in which they were added; with those in the bin if asked for.
    engine::Result<std::vector<qint64>> chatIds(bool bin) const;
    /// Returns the whole chat with all its branches.
    engine::Result<ChatTree> tree(qint64 chat, const TreeWants& wants) const;

    /// Searches titles and the text parts of all branches. Ask with page.next until that is empty: then all hits were
    /// returned once each, titles first. Hits that are added between two pages may be missing. If no title and no
    /// message holds all words, the hits are those of any word in the chats that hold all of them, chat by chat.
    engine::Result<SearchPage> search(const SearchRequest& request) const;

  protected:
    explicit ChatReads(std::unique_ptr<Connection> connection);
    ~ChatReads();

    Connection& connection() const { return *connection_; }

    std::unique_ptr<Connection> connection_;
    ChatFolders folders_;
    MessageRecords records_;
    WaitingPrompts waiting_;
    DraftFiles draftFiles_;
};

} // namespace coterie::app
