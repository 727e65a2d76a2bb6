// SPDX-License-Identifier: Apache-2.0
// Rows of the store as values: chats, messages, folders, and what is asked for or added. They hold no connection and
// may be passed between threads.
#pragma once

#include "common/error_info.h"
#include "store/message_part.h"

#include <QByteArray>
#include <QDateTime>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

/// Chats and messages that are kept in memory only have ids from this one on. So an id alone says which store has it.
/// Numbers of QML hold all below 2^53, but Qt 6.4 rounds them by adding a half: from 2^52 on an odd id would become the
/// next one.
inline constexpr qint64 kFirstTemporaryId = qint64{1} << 48;
inline bool isTemporary(qint64 id) { return id >= kFirstTemporaryId; }

struct ChatRow {
    qint64 id = 0;
    QString title{};
    QDateTime updated{}; ///< local time
    bool pinned = false; ///< the user wants it above the others; the list's order does not depend on it
    qint64 folder = 0;   ///< 0: in no folder
    QDateTime removed{}; ///< local time; null if the chat is not in the bin
    QDateTime created{}; ///< local time
    bool unread = false; ///< an answer came while the chat was not shown
    bool operator==(const ChatRow& other) const = default;
};

struct FolderRow {
    qint64 id = 0;
    QString name;
    bool folded = false; ///< its chats are not listed
    bool operator==(const FolderRow& other) const = default;
};

/// How a chat was left. Chat 0 stands for a chat that does not exist yet; it has a draft only.
struct ChatState {
    QString draft;
    QJsonObject settings;  ///< settings of this chat alone; empty if there are none
    qint64 seen = 0;       ///< the message at the top of the view; 0 if that is not known
    double seenOffset = 0; ///< how far the view has gone into that message, in the view's own unit
    qint64 leaf = 0;       ///< the last message of the path that is shown; 0 if there are no messages
    qint64 leftOut = 0;    ///< the last message that the model does not see, on the branches below it; 0: it sees all
    bool operator==(const ChatState& other) const = default;
};

enum class MessageState { Complete, Streaming, Stopped, Failed };
/// The names of the states, in their order, in the store and in QML.
inline constexpr std::array<const char*, 4> kMessageStateNames{"complete", "streaming", "stopped", "failed"};

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
    double memoryBytes = 0;     ///< memory that the program held when the answer ended
    double hitRate = 0;         ///< share of the requested experts that were in memory, 0..1; 0 for a dense model
    double headShare = 0;       ///< share of the head's rows that were computed, 0..1; below 1: a predictor chose them
    bool edited = false;        ///< a person changed the text: it is not the model's alone
    QString asked{};            ///< how the answer was asked for: see askedMark(); empty if that is not known
    bool operator==(const AnswerStatistics& other) const = default;
};

struct MessageRow {
    qint64 id = 0;
    qint64 chat = 0;
    qint64 parent = 0; ///< 0: the first message of its chat
    engine::Role role = engine::Role::User;
    MessageState state = MessageState::Complete;
    std::vector<MessagePart> parts{};
    QDateTime created{}; ///< local time
    QString model{};     ///< the model that wrote an answer
    AnswerStatistics statistics{};
    ErrorInfo error{};   ///< why an answer failed, or why the program ended it (answer_ends.h)
    QStringList notes{}; ///< sentences about how the answer was made, in the language of that time
    QDateTime removed{}; ///< local time; null if the message itself was not deleted

    /// Its text parts: see plainText().
    QString text() const { return plainText(parts); }
    /// Whether the user ended this answer. The program ends one too: then the error says why.
    bool stoppedByUser() const { return state == MessageState::Stopped && !error.valid(); }
};

/// The messages with the same parent, oldest first, and the index of one of them: "n of m".
struct Siblings {
    std::vector<qint64> ids;
    qsizetype index = -1; ///< -1 if that message is hidden
};

/// A part of the path from a chat's first message to its leaf.
struct MessagePage {
    qint64 length = 0;              ///< number of messages in the whole path
    qint64 first = 0;               ///< index in the path of the first row
    std::vector<MessageRow> rows;   ///< oldest first
    std::vector<Siblings> siblings; ///< for each row
};

/// Characters in a text, as UTF-16 positions; whole letters with their combining marks.
struct TextRange {
    qsizetype begin = 0;
    qsizetype end = 0; ///< the position after the last character
    bool operator==(const TextRange& other) const = default;
};

/// The title of a chat, or one of its messages.
struct HitPlace {
    qint64 chat = 0;
    qint64 message = 0; ///< 0: the title
    bool operator==(const HitPlace& other) const = default;
};

/// The point between two pages of a search. A default one stands for the beginning.
struct SearchCursor {
    bool inMessages = false; ///< all titles were returned
    qint64 before = 0;       ///< ids below this one follow; 0: all ids
    /// If the words are scattered (SearchPage::scattered), all places of hits, and the next one of them.
    std::shared_ptr<const std::vector<HitPlace>> places{};
    size_t at = 0;
    bool operator==(const SearchCursor& other) const = default;
};

struct SearchRequest {
    QString words;
    qint64 chat = 0; ///< 0: all chats
    SearchCursor after{};
    int most = 50; ///< hits of a page
};

struct SearchHit {
    qint64 chat = 0;
    qint64 message = 0;              ///< 0: the title of the chat was hit
    std::vector<TextRange> ranges{}; ///< in the title, or in MessageRow::text()
    QString snippet{};               ///< an excerpt around the first range, on one line
    std::vector<TextRange> snippetRanges{};
    bool operator==(const SearchHit& other) const = default;
};

struct SearchPage {
    std::vector<SearchHit> hits;
    std::optional<SearchCursor> next; ///< nothing if this was the last page
    /// No title and no message has all words. The hits have some of them, and their chats have all.
    bool scattered = false;
};

/// A file that the user attached to a prompt.
struct NewFile {
    QString name;
    QString mediaType;
    QString text; ///< the text that the model reads
    QByteArray bytes;
};

/// An attachment that is stored already.
struct AttachmentKey {
    qint64 message = 0;
    qsizetype part = 0; ///< index in MessageRow::parts
};

/// A prompt to be stored.
struct NewTurn {
    qint64 chat = 0; ///< 0: a new chat
    QString title;   ///< title of a new chat
    QString prompt;
    QString model;                          ///< the model that will answer
    std::optional<qint64> parent{};         ///< the message before the prompt, 0 for none; nothing: the chat's leaf
    std::vector<AttachmentKey> sameFiles{}; ///< attachments of other messages that this prompt has too
    std::vector<NewFile> files{};
    std::vector<qint64> draftFiles{}; ///< ids of DraftFiles: they belong to the message from now on
    qint64 waiting = 0;               ///< the waiting prompt that this is: it waits no longer; 0: none
    /// Results of the tools that the message before the prompt calls: they become a message between the two.
    std::vector<MessagePart> results{};
};

/// An answer to be written.
struct NewAnswer {
    qint64 parent = 0; ///< the prompt
    QString model;
    std::vector<MessagePart> parts{}; ///< the beginning of the answer, if it is given
};

/// The rows that addTurn() or addToolResults() stored.
struct StoredTurn {
    qint64 chat = 0;
    MessageRow prompt;                   ///< or the message with the tools' results
    MessageRow answer;                   ///< empty, streaming
    std::optional<MessageRow> results{}; ///< the message with NewTurn::results
};

/// Data about an answer that a program reads. `version` says how the bytes are written.
struct Record {
    int version = 0;
    QByteArray bytes;
    bool operator==(const Record& other) const = default;
};

} // namespace coterie::app
