// SPDX-License-Identifier: Apache-2.0
// Chats and messages in one SQLite file. Stored data survives if the process is killed at any moment. Messages form a
// tree; a chat shows the path that ends in its leaf. Deleted chats stay in the bin for 30 days. This is not a cache:
// nothing is held in memory.
//
//     auto store = ChatStore::open({.folder = dataFolder});
//     if (!store) return show(store.error());
//     auto turn = store.value()->addTurn({.chat = 0, .title = "Hello", .prompt = "Hello there"});
//
// Threads: only the thread that opened the store may use it. Errors are values; no SQLite exception leaves the store. A
// prompt and a finished answer are on the disk (synced) when the call returns; saveProgress() survives the process, not
// a power failure.
#pragma once

#include "base/result.h"
#include "error_info.h"
#include "store/message_part.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::app {

struct Migration;

struct ChatRow {
    qint64 id = 0;
    QString title;
    QDateTime updated; ///< local time
    QString snippet;   ///< excerpt of the message that a search hit
    bool operator==(const ChatRow& other) const = default;
};

enum class MessageState { Complete, Streaming, Stopped, Failed };

/// Figures about an answer. A figure that was not measured is 0.
struct AnswerStatistics {
    double tokensPerSecond = 0;
    double firstTokenSeconds = 0;
    qint64 tokens = 0;
    double expertsFromDisk = 0; ///< share of the requested experts, 0..1
    bool dense = false;         ///< the model has no experts: that share is of its layers
    double diskBytes = 0;       ///< bytes read for them
    double waitSeconds = 0;     ///< time spent waiting for the disk
    bool lessExact = false;     ///< this answer, or one that it continues, was made with approximate routing
    double choicesChanged = 0;  ///< share of the expert choices that approximate routing changed, 0..1
    bool operator==(const AnswerStatistics& other) const = default;
};

struct MessageRow {
    qint64 id = 0;
    qint64 parent = 0; ///< 0: the first message of its chat
    QString role;      ///< "user", "assistant", "system"
    MessageState state = MessageState::Complete;
    std::vector<MessagePart> parts;
    QDateTime created; ///< local time
    QString model;     ///< the model that wrote an answer
    AnswerStatistics statistics;
    ErrorInfo error;
    QStringList notes{}; ///< sentences about how the answer was made; not stored, because they hold for this run only

    /// Its text parts: see plainText().
    QString text() const { return plainText(parts); }
};

struct StoreOptions {
    QString folder;                        ///< folder of chats.db, its backups and its reserve
    std::span<const Migration> migrations; ///< empty: the program's own
};

/// A prompt to be stored.
struct NewTurn {
    qint64 chat = 0; ///< 0: a new chat
    QString title;   ///< title of a new chat
    QString prompt;
    QString model; ///< the model that will answer
};

/// The rows that addTurn() stored.
struct StoredTurn {
    qint64 chat = 0;
    MessageRow prompt;
    MessageRow answer; ///< empty, streaming
};

class ChatStore {
  public:
    /// Opens folder/chats.db, or creates it if it does not exist. A corrupt file is renamed and a new one is created;
    /// notice() says so. A file of a newer version is refused and left as it is. If the folder can't be written, an
    /// existing file is opened for reading; notice() says so.
    static engine::Result<std::unique_ptr<ChatStore>> open(const StoreOptions& options);
    ~ChatStore();
    ChatStore(const ChatStore&) = delete;
    ChatStore& operator=(const ChatStore&) = delete;

    /// A message for the user about how the store was opened, or nothing.
    const std::optional<engine::Error>& notice() const;
    bool readOnly() const;

    /// Returns the chats, newest first, without those in the bin. With words: only chats whose title, or one of whose
    /// messages, contains all words.
    engine::Result<std::vector<ChatRow>> chats(const QString& words = {}) const;
    engine::Result<ChatRow> chat(qint64 chat) const;
    /// Returns the messages from the chat's first one to its leaf.
    engine::Result<std::vector<MessageRow>> messages(qint64 chat) const;

    /// Adds the prompt and an empty answer after the chat's leaf, in one transaction; synced.
    engine::Result<StoredTurn> addTurn(const NewTurn& turn);
    /// Stores the parts of a streaming answer so far; those before index `first` are stored already.
    engine::Status saveProgress(qint64 message, std::span<const MessagePart> parts, size_t first);
    /// Stores the final answer; synced.
    engine::Status finishAnswer(const MessageRow& answer);

    engine::Status rename(qint64 chat, const QString& title);
    /// Moves the chat into the bin. This works on a full disk too, because the reserve is deleted for it.
    engine::Status remove(qint64 chat);
    engine::Status restore(qint64 chat);
    /// Erases the chats that were moved into the bin before `then`; returns their number.
    engine::Result<qint64> purge(const QDateTime& then);

  private:
    struct Impl;
    explicit ChatStore(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace coterie::app
