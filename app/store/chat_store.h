// SPDX-License-Identifier: Apache-2.0
// Chats and messages in one SQLite file. Stored data survives if the process is killed at any moment. What can be read
// is in chat_reads.h; this class adds everything that writes. Deleted chats and messages stay in the bin until purge().
// This is not a cache: nothing is held in memory.
//
//     auto store = ChatStore::open({.folder = dataFolder});
//     if (!store) return show(store.error());
//     auto turn = store.value()->addTurn({.chat = 0, .title = "Hello", .prompt = "Hello there"});
//
// No data of a message is copied when a branch is made: another answer is a new child of the prompt, and a changed
// prompt is a new child of the message before it.
//
//     auto again = store->addAnswer({.parent = answer.parent, .model = name});
//     auto edited = store->addTurn({.chat = chat, .prompt = text, .parent = prompt.parent, .sameFiles = files});
//
// Threads: only the thread that opened the store may use it; openReader() makes readers for others. Errors are values;
// no SQLite exception leaves the store. Each call is one transaction, and on the disk (synced) when it returns, except
// for the calls that say otherwise: those survive the process, not a power failure.
#pragma once

#include "store/chat_reads.h"

#include <QDateTime>
#include <QJsonObject>
#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::app {

class ChatImporter;
class ChatReader;
struct Migration;

struct StoreOptions {
    QString folder;                        ///< folder of chats.db, its backups and its reserve
    std::span<const Migration> migrations; ///< empty: the program's own
};

class ChatStore : public ChatReads {
  public:
    /// Opens folder/chats.db, or creates it if it does not exist. A corrupt file is renamed and a new one is created;
    /// notice() says so. If the folder can't be written, or the file is of a newer version, an existing file is opened
    /// for reading; notice() says so. A file of a newer version is never changed; it is refused if it lacks something
    /// that this version reads.
    static engine::Result<std::unique_ptr<ChatStore>> open(const StoreOptions& options);
    /// Opens a store in memory, for chats that must never be written to a disk: see isTemporary(). It is empty, and all
    /// that is in it is gone with it. Folders and the bin work as in a file.
    static engine::Result<std::unique_ptr<ChatStore>> openTemporary();
    ~ChatStore();

    /// A message for the user about how the store was opened, or nothing.
    const std::optional<engine::Error>& notice() const { return notice_; }
    bool readOnly() const;

    /// Opens a connection for another thread, which sees every change when its transaction is over. Call this on the
    /// store's thread. Destroy the reader before the store: the last one to close tidies the file up.
    engine::Result<std::unique_ptr<ChatReader>> openReader() const;

    /// Opens a connection for another thread that adds whole chats. Call this on the store's thread.
    engine::Result<std::unique_ptr<ChatImporter>> openImporter() const;

    using ChatReads::draftFiles;
    using ChatReads::folders;
    using ChatReads::records;
    using ChatReads::waiting;
    ChatFolders& folders() { return folders_; }
    MessageRecords& records() { return records_; }
    WaitingPrompts& waiting() { return waiting_; }
    DraftFiles& draftFiles() { return draftFiles_; }

    /// Adds the prompt with its attachments after its parent, or after the results of that one's tools, and an empty
    /// answer, which becomes the leaf.
    engine::Result<StoredTurn> addTurn(const NewTurn& turn);
    /// Adds a message with the results of the answer's tool calls after it, and an empty answer, which becomes the
    /// leaf.
    engine::Result<StoredTurn> addToolResults(qint64 answer, std::span<const MessagePart> results,
                                              const QString& model);
    /// Adds an answer to the prompt, beside others if it has some; it becomes the leaf.
    engine::Result<MessageRow> addAnswer(const NewAnswer& answer);
    /// Adds a message with other parts beside this one, complete and with the same role; it becomes the leaf.
    /// Attachments among the parts that this message has too keep their bytes.
    engine::Result<MessageRow> addVersion(qint64 message, std::span<const MessagePart> parts);
    /// Makes an answer one that is being written again.
    engine::Status continueAnswer(qint64 message);
    /// Stores the parts of a streaming answer so far; those before index `first` are stored already. If `first` is 0,
    /// the store has no others afterwards. Not synced.
    engine::Status saveProgress(qint64 message, std::span<const MessagePart> parts, size_t first);
    /// Stores the final answer: its parts, state, model, statistics and error. An answer that was erased meanwhile
    /// stays erased.
    engine::Status finishAnswer(const MessageRow& answer);

    /// Shows the branch of this message: the newest message below it, or itself, becomes the chat's leaf, and is
    /// returned. Not synced.
    engine::Result<qint64> setLeaf(qint64 chat, qint64 message);
    /// Deletes a message and hides everything below it. If the leaf was there, the branch of a sibling is shown, or the
    /// path ends in the parent. Returns the chat's leaf, 0 if there is none. This works on a full disk too.
    engine::Result<qint64> removeMessage(qint64 message);
    /// Takes a deleted message back, with everything that was hidden with it, and shows its newest branch. If a message
    /// above it is deleted too, it appears with that one. Returns the chat's leaf.
    engine::Result<qint64> restoreMessage(qint64 message);

    /// Adds a whole chat with all its branches, unless it is there.
    engine::Result<AddedChat> addChat(const ChatTree& tree, IfPresent present);
    /// Copies the messages from the chat's first one to this one into a new chat, with their attachments and token
    /// records, but without traces. The chat's settings, its folder and what the model does not see of it are the same.
    /// Returns the new chat.
    engine::Result<qint64> fork(qint64 message, const QString& title);

    engine::Status rename(qint64 chat, const QString& title);
    // The calls for several chats change all of them or, if one is not there, none.

    engine::Status setPinned(qint64 chat, bool pinned) { return setPinned({&chat, 1}, pinned); }
    engine::Status setPinned(std::span<const qint64> chats, bool pinned);
    /// Moves the chat into the folder; 0 means into none.
    engine::Status setFolder(qint64 chat, qint64 folder) { return setFolder({&chat, 1}, folder); }
    engine::Status setFolder(std::span<const qint64> chats, qint64 folder);
    /// Marks the chat as one with an answer that was not seen yet. Not synced.
    engine::Status setUnread(qint64 chat, bool unread);
    /// Replaces the settings of this chat. Not synced.
    engine::Status setSettings(qint64 chat, const QJsonObject& settings);
    /// Keeps the text that was not sent yet; chat 0 stands for a chat that does not exist yet. Not synced.
    engine::Status setDraft(qint64 chat, const QString& text);
    /// Keeps the text to which a message is being edited, without changing the message; nothing: it is edited no
    /// longer. Not synced.
    engine::Status setEdit(qint64 message, const std::optional<QString>& text);
    /// Leaves this message and those before it out of what the model sees; 0: nothing. Not synced.
    engine::Status setLeftOut(qint64 chat, qint64 message);
    /// Keeps the place that is read: see ChatState. Not synced.
    engine::Status setSeen(qint64 chat, qint64 message, double offset);
    /// Moves the chat into the bin. This works on a full disk too, because the reserve is deleted for it.
    engine::Status remove(qint64 chat) { return remove({&chat, 1}); }
    engine::Status remove(std::span<const qint64> chats);
    engine::Status restore(qint64 chat) { return restore({&chat, 1}); }
    engine::Status restore(std::span<const qint64> chats);
    /// Erases a chat that is in the bin, with all of its messages.
    engine::Status erase(qint64 chat);
    /// Erases a deleted message, with everything that is hidden with it.
    engine::Status eraseMessage(qint64 message);
    /// Erases the chats and messages that were deleted before `then`; returns the number of chats.
    engine::Result<qint64> purge(const QDateTime& then);

  private:
    explicit ChatStore(std::unique_ptr<Connection> connection);

    std::optional<engine::Error> notice_;
};

} // namespace coterie::app
