// SPDX-License-Identifier: Apache-2.0
// Chats and messages in one SQLite file: what is kept here survives the death of the process at any instant. Messages
// are a tree; a chat shows the path that ends in its leaf. Deleting is soft: 30 days in the bin. Not a cache: nothing
// is held in memory.
//
//     auto store = ChatStore::open({.folder = dataFolder});
//     if (!store) return show(store.error());
//     auto turn = store.value()->addTurn({.chat = 0, .title = "Hello", .prompt = "Hello there"});
//
// Threads: one, the one that opened it. Errors are values; no SQLite exception leaves. A prompt and a finished answer
// are on the disk (synced) when the call returns; saveProgress() survives the process, not a power failure.
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
    QString snippet;   ///< of the message that a search hit
    bool operator==(const ChatRow& other) const = default;
};

enum class MessageState { Complete, Streaming, Stopped, Failed };

/// What an answer took. Zeros: not measured.
struct AnswerStatistics {
    double tokensPerSecond = 0;
    double firstTokenSeconds = 0;
    qint64 tokens = 0;
    double expertsFromDisk = 0; ///< share of the experts asked for, 0..1
    bool dense = false;         ///< of the layers, as the model has no experts
    double diskBytes = 0;       ///< read for them
    double waitSeconds = 0;     ///< for the disk
    bool lessExact = false;     ///< it, or an answer that it goes on from, was made faster and less exactly
    double choicesChanged = 0;  ///< by that, of the choices of experts, 0..1
    bool operator==(const AnswerStatistics& other) const = default;
};

struct MessageRow {
    qint64 id = 0;
    qint64 parent = 0; ///< 0: the first of its chat
    QString role;      ///< "user", "assistant", "system"
    MessageState state = MessageState::Complete;
    std::vector<MessagePart> parts;
    QDateTime created; ///< local time
    QString model;     ///< that wrote an answer
    AnswerStatistics statistics;
    ErrorInfo error;

    /// Its text parts: see plainText().
    QString text() const { return plainText(parts); }
};

struct StoreOptions {
    QString folder;                        ///< chats.db, its backups and its reserve stand there
    std::span<const Migration> migrations; ///< empty: the program's own
};

/// A prompt on its way in.
struct NewTurn {
    qint64 chat = 0; ///< 0: a new one
    QString title;   ///< of a new one
    QString prompt;
    QString model; ///< that will answer
};

/// What addTurn() stored.
struct StoredTurn {
    qint64 chat = 0;
    MessageRow prompt;
    MessageRow answer; ///< empty, streaming
};

class ChatStore {
  public:
    /// Opens or makes folder/chats.db. A corrupt file is set aside under another name and a new one begun: notice()
    /// tells. A file of a newer version is refused untouched. Where the folder can't be written, an existing file is
    /// opened for reading: notice() tells.
    static engine::Result<std::unique_ptr<ChatStore>> open(const StoreOptions& options);
    ~ChatStore();
    ChatStore(const ChatStore&) = delete;
    ChatStore& operator=(const ChatStore&) = delete;

    /// What the user should know about how it was opened.
    const std::optional<engine::Error>& notice() const;
    bool readOnly() const;

    /// Newest first, without those in the bin. With words: chats whose title or messages hold all of them in one place.
    engine::Result<std::vector<ChatRow>> chats(const QString& words = {}) const;
    engine::Result<ChatRow> chat(qint64 chat) const;
    /// From the first message to the chat's leaf.
    engine::Result<std::vector<MessageRow>> messages(qint64 chat) const;

    /// The prompt and the empty answer after the chat's leaf, in one transaction; synced.
    engine::Result<StoredTurn> addTurn(const NewTurn& turn);
    /// The parts of a streaming answer so far; those before index `first` are kept already.
    engine::Status saveProgress(qint64 message, std::span<const MessagePart> parts, size_t first);
    /// The answer as it stays; synced.
    engine::Status finishAnswer(const MessageRow& answer);

    engine::Status rename(qint64 chat, const QString& title);
    /// Into the bin. Works on a full disk too: the reserve is let go for it.
    engine::Status remove(qint64 chat);
    engine::Status restore(qint64 chat);
    /// Erases what has been in the bin since before `then`; returns how many chats.
    engine::Result<qint64> purge(const QDateTime& then);

  private:
    struct Impl;
    explicit ChatStore(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace coterie::app
