// SPDX-License-Identifier: Apache-2.0
// A whole chat with all its branches as a value: what an export writes and an import adds. It holds what the tables
// hold, so that figures and fields which a later version keeps pass through unchanged. ChatReads::tree() reads one, and
// ChatStore::addChat() adds one.
//
//     const auto tree = reader->tree(chat, {.bin = true});
//     if (tree) importer->addChat(tree.value(), IfPresent::Skip);
//
// Threads: a value; nothing is shared. Errors are values.
#pragma once

#include "base/result.h"
#include "store/message_part.h"
#include "store/message_records.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace coterie::app {

/// A part of a message. `meta` has its fields besides kind and text: see partMeta().
struct TreePart {
    PartKind kind = PartKind::Text;
    QString text{};
    QJsonObject meta{};
    qsizetype file = -1; ///< index in ChatTree::files; -1: it has no bytes
    bool operator==(const TreePart& other) const = default;
};

/// A record of an answer, compressed as the store keeps it.
struct TreeRecord {
    RecordKind kind = RecordKind::Tokens;
    int version = 0;
    qint64 created = 0; ///< milliseconds since 1970, UTC, as all times here
    QByteArray bytes{};
    bool operator==(const TreeRecord& other) const = default;
};

struct TreeMessage {
    qsizetype parent = -1; ///< index of the message before it, which is smaller than its own; -1: it is a first one
    engine::Role role = engine::Role::User;
    QString state{}; ///< "complete", "stopped", "failed"
    qint64 created = 0;
    QString model{};
    QJsonObject statistics{};
    QJsonObject error{};
    std::optional<qint64> removed{}; ///< when the message itself was deleted
    std::vector<TreePart> parts{};
    std::vector<TreeRecord> records{};
    bool operator==(const TreeMessage& other) const = default;
};

/// A file that was not sent yet.
struct TreeUnsentFile {
    TreePart part{};
    qsizetype waiting = -1; ///< index in ChatTree::waiting of the prompt that has it; -1: the draft has it
    bool operator==(const TreeUnsentFile& other) const = default;
};

struct ChatTree {
    QString uid{}; ///< the same wherever the chat is; empty: the store gives it one
    QString title{};
    qint64 created = 0, updated = 0;
    std::optional<qint64> removed{}; ///< when it was moved into the bin
    bool pinned = false;
    bool unread = false;
    QString folder{}; ///< name; empty: in none
    QJsonObject settings{};
    QString draft{};
    qsizetype leaf = -1; ///< index of the last message that is shown; -1 if there is none
    qsizetype seen = -1; ///< index of the message at the top of the view; -1 if that is not known
    double seenOffset = 0;
    qsizetype leftOut = -1;               ///< index of the last message that the model does not see; -1: it sees all
    QStringList waiting{};                ///< prompts that wait, the next one first
    std::vector<TreeUnsentFile> unsent{}; ///< those of the draft first, then by prompt
    std::vector<TreeMessage> messages{};
    std::vector<QByteArray> files{}; ///< bytes of attachments, each once
    bool operator==(const ChatTree& other) const = default;
};

/// The parts of a chat that are read besides its visible messages.
struct TreeWants {
    bool bin = false;     ///< deleted messages, and a chat that is in the bin
    bool records = false; ///< traces and token records
    bool files = true;    ///< bytes of attachments
};

/// The choice of addChat() if the chat is there.
enum class IfPresent {
    Skip, ///< adds it only if it has messages that the one there has not; takes it back if it is in the bin
    Copy, ///< adds it once more
};

struct AddedChat {
    enum class Outcome {
        Added,
        AlreadyThere,
        Beside,   ///< a chat with the same uid has other messages: it was added beside that one
        Restored, ///< it was in the bin
    };
    qint64 chat = 0;
    Outcome outcome = Outcome::Added;
};

TreePart treePart(const MessagePart& part);
MessagePart messagePart(const TreePart& part);

/// Checks that the tree is one the store can keep: parents come before children, indexes exist, states and sizes are
/// allowed, and records can be unpacked.
engine::Status checkTree(const ChatTree& tree);

/// Returns a hash of each message with all before it. Two trees have a message in common if both have its hash.
std::vector<QByteArray> messageHashes(const ChatTree& tree);
/// Returns the uid of a copy with these messages (messageHashes()) beside the chat with this uid. It is the same for
/// the same messages.
QString uidBeside(const QString& uid, const std::vector<QByteArray>& messages);

} // namespace coterie::app
