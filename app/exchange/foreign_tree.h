// SPDX-License-Identifier: Apache-2.0
// Builds a chat from the messages of another program, which may come in any order, name parents that do not exist, or
// form circles. Messages without words are passed over; system prompts become the chat's setting; a model's messages
// that follow each other become one answer, and the results of tools messages of their own.
//
//     ForeignTree tree;
//     tree.add({.id = "a", .role = engine::Role::User, .parts = {...}});
//     tree.setLeaf("a");
//     return tree.made("chatgpt", conversationId, title);
//
// Threads: one thread at a time uses an object. Errors are values.
#pragma once

#include "exchange/foreign_chats.h"

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <optional>
#include <vector>

namespace coterie::app {

struct ForeignMessage {
    QString id{};
    QString parent{}; ///< empty: a first message
    engine::Role role = engine::Role::Assistant;
    qint64 created = 0;
    QString model{};
    QString state = QStringLiteral("complete");
    QJsonObject statistics{}; ///< see foreignStatistics()
    std::vector<TreePart> parts{};
};

/// A thing in a message that is not imported.
enum class NotImported { Picture, Recording, Video, File };

class ForeignTree {
  public:
    /// Adds a message. Of two with the same id the first one counts.
    void add(ForeignMessage message);
    /// The last message of the path that is shown. If it is not known, the newest one is.
    void setLeaf(const QString& id) { leaf_ = id; }
    /// Returns the part for a file with these bytes, or a note if they are too many. text: what a model reads of it.
    TreePart attachment(const QString& name, const QString& mediaType, const QString& text, const QByteArray& bytes);
    /// Returns words for the place of a thing that is not imported, and counts it. name: its file; may be empty.
    QString note(NotImported what, const QString& name = {});
    void setSystemPrompt(const QString& text) { systemPrompt_ = text; }
    void setTimes(qint64 created, qint64 updated);

    /// Returns the chat. `program` and `id` give its uid, so that it is known again; without an id its words do.
    engine::Result<ForeignChat> made(const char* program, const QString& id, const QString& title);

  private:
    /// A message in an order in which parents come first.
    struct Node {
        ForeignMessage message;
        qsizetype parent = -1;
        std::vector<qsizetype> children{};
        bool dropped = false;
    };

    engine::Status sort();
    void takeTime(ForeignMessage& message, qint64 before) const;
    void pullUpEmpty();
    void takeSystemPrompts();
    void joinAnswers();
    void joinTo(qsizetype index);
    qsizetype shownAt(qsizetype index) const;
    std::vector<TreeMessage> messages(std::vector<qsizetype>& places) const;

    std::vector<ForeignMessage> added_;
    QHash<QString, qsizetype> indexes_;
    std::vector<Node> nodes_;
    std::vector<qsizetype> sorted_; ///< index in nodes_ of each added message
    std::vector<QByteArray> files_;
    QString leaf_, systemPrompt_;
    qint64 created_ = 0, updated_ = 0;
    qint64 notes_ = 0;
    size_t mayCopy_ = 0; ///< parts that may still be repeated in several answers
};

/// Parts of a message. A thought in <think> tags at the beginning of a text becomes a part of its own.
std::vector<TreePart> foreignText(const QString& text);
TreePart foreignThought(const QString& text);
TreePart foreignCall(const QString& tool, const QString& arguments);
TreePart foreignResult(const QString& tool, const QString& text);
/// The role as our chats have it. Unknown ones are a model's.
engine::Role foreignRole(const QString& role);
/// Figures about an answer; one that is 0 was not measured.
QJsonObject foreignStatistics(qint64 tokens, double tokensPerSecond, double firstTokenSeconds);

/// The text of a field; empty if it is no text.
QString textAt(const QJsonObject& object, const char* key);
/// A text, or an object or array as JSON.
QString wordsOf(const QJsonValue& value);
/// The bytes of a "data:" address.
struct DataAddress {
    QString mediaType{};
    QByteArray bytes{};
};
/// Nothing if the address is of another kind.
std::optional<DataAddress> dataAt(const QString& address);
/// A time in seconds or milliseconds since 1970 as milliseconds; 0 if it is neither.
qint64 foreignTime(const QJsonValue& value);

} // namespace coterie::app
