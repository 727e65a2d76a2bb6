// SPDX-License-Identifier: Apache-2.0
// See message_rows.h. A child's id is greater than its parent's; the queries rely on it, so that they end even for a
// cycle, which only a hostile file has.
#include "store/message_rows.h"

#include "store/answer_ends.h"
#include "store/part_rows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace coterie::app {
namespace {

using SQLite::Statement;

constexpr char kColumns[] = "SELECT m.id, m.chat, m.parent, m.role, m.state, m.created_at, m.model, m.statistics, "
                            "m.error, m.deleted_at FROM messages m ";
const QString kNotes = QStringLiteral("notes"); // remarks, among the figures

/// The messages from ?1 up to the first one of the chat, at most ?2.
constexpr char kPath[] = "WITH RECURSIVE path(id, parent) AS (SELECT id, parent FROM messages WHERE id = ?1 "
                         "UNION ALL SELECT m.id, m.parent FROM messages m JOIN path ON m.id = path.parent "
                         "AND m.id < path.id LIMIT ?2) ";

MessageState stateFrom(const std::string& name) {
    const auto* found = std::find(kMessageStateNames.begin(), kMessageStateNames.end(), name);
    return found == kMessageStateNames.end() ? MessageState::Complete
                                             : static_cast<MessageState>(found - kMessageStateNames.begin());
}

AnswerStatistics statisticsFrom(const QJsonObject& object) {
    const auto number = [&](const char* key) { return object.value(QLatin1String(key)).toDouble(); };
    return {.tokensPerSecond = number("tokensPerSecond"),
            .firstTokenSeconds = number("firstTokenSeconds"),
            .tokens = object.value(QStringLiteral("tokens")).toInteger(),
            .expertsFromDisk = number("expertsFromDisk"),
            .dense = object.value(QStringLiteral("dense")).toBool(),
            .diskBytes = number("diskBytes"),
            .waitSeconds = number("waitSeconds"),
            .lessExact = object.value(QStringLiteral("lessExact")).toBool(),
            .choicesChanged = number("choicesChanged"),
            .memoryBytes = number("memoryBytes"),
            .hitRate = number("hitRate"),
            .headShare = number("headShare"),
            .edited = object.value(QStringLiteral("edited")).toBool(),
            .asked = object.value(QStringLiteral("asked")).toString()};
}

QJsonObject figuresOf(const AnswerStatistics& statistics) {
    if (statistics == AnswerStatistics{}) return {};
    QJsonObject json{{QStringLiteral("tokensPerSecond"), statistics.tokensPerSecond},
                     {QStringLiteral("firstTokenSeconds"), statistics.firstTokenSeconds},
                     {QStringLiteral("tokens"), statistics.tokens}};
    if (statistics.memoryBytes > 0) json.insert(QStringLiteral("memoryBytes"), statistics.memoryBytes);
    if (statistics.hitRate > 0) json.insert(QStringLiteral("hitRate"), statistics.hitRate);
    if (!statistics.asked.isEmpty()) json.insert(QStringLiteral("asked"), statistics.asked);
    if (statistics.edited) json.insert(QStringLiteral("edited"), true);
    if (statistics.headShare > 0) json.insert(QStringLiteral("headShare"), statistics.headShare);
    if (statistics.expertsFromDisk > 0) {
        json.insert(QStringLiteral("expertsFromDisk"), statistics.expertsFromDisk);
        json.insert(QStringLiteral("diskBytes"), statistics.diskBytes);
        json.insert(QStringLiteral("waitSeconds"), statistics.waitSeconds);
        if (statistics.dense) json.insert(QStringLiteral("dense"), true);
    }
    if (statistics.lessExact) {
        json.insert(QStringLiteral("lessExact"), true);
        json.insert(QStringLiteral("choicesChanged"), statistics.choicesChanged);
    }
    return json;
}

ErrorInfo errorFrom(const QJsonObject& object) {
    return {object.value(QStringLiteral("what")).toString(), object.value(QStringLiteral("why")).toString(),
            object.value(QStringLiteral("action")).toString()};
}

MessageRow messageFrom(Statement& row, const StreamingAnswers& streaming) {
    MessageRow message;
    message.id = row.getColumn(0).getInt64();
    message.chat = row.getColumn(1).getInt64();
    message.parent = row.getColumn(2).getInt64();
    message.role = roleOf(row.getColumn(3));
    message.state = stateFrom(row.getColumn(4).getString());
    message.created = timeOf(row.getColumn(5));
    message.model = textOf(row.getColumn(6));
    const QJsonObject figures = objectOf(row.getColumn(7));
    message.statistics = statisticsFrom(figures);
    for (const QJsonValue& note : figures.value(kNotes).toArray()) message.notes.append(note.toString());
    message.error = errorFrom(objectOf(row.getColumn(8)));
    message.removed = timeOf(row.getColumn(9));
    if (message.state == MessageState::Streaming && !streaming.contains(message.id)) {
        message.state = MessageState::Stopped;
        message.error = endedByClosing();
    }
    return message;
}

/// Reads the rows of a query that begins with kColumns, and their parts.
std::vector<MessageRow> rowsOf(Connection& connection, Statement& rows) {
    std::vector<MessageRow> list;
    while (rows.executeStep()) list.push_back(messageFrom(rows, *connection.streaming));
    Statement parts(connection.db(), "SELECT kind, text, meta FROM parts WHERE message = ? ORDER BY place");
    for (MessageRow& message : list) {
        bindAll(parts, message.id);
        while (parts.executeStep()) message.parts.push_back(partFromRow(parts, 0));
        parts.reset();
    }
    return list;
}

const char* beginningOf(IndexChange change) {
    switch (change) {
    case IndexChange::ChatsIn:
        return "INSERT INTO chat_search(rowid, title) SELECT id, title FROM chats WHERE ";
    case IndexChange::ChatsOut:
        return "INSERT INTO chat_search(chat_search, rowid, title) SELECT 'delete', id, title FROM chats WHERE ";
    case IndexChange::MessagesIn:
        return "INSERT INTO message_search(rowid, text) SELECT m.id, t.text FROM messages m "
               "JOIN message_texts t ON t.id = m.id WHERE m.state <> 'streaming' AND m.hidden = 0 AND ";
    case IndexChange::MessagesOut:
        return "INSERT INTO message_search(message_search, rowid, text) SELECT 'delete', m.id, t.text FROM messages m "
               "JOIN message_texts t ON t.id = m.id WHERE m.state <> 'streaming' AND m.hidden = 0 AND ";
    }
    return "";
}

} // namespace

const char* const kVisibleBelow =
    "WITH RECURSIVE below(id) AS (SELECT id FROM messages WHERE id = ?1 AND hidden = 0 UNION ALL "
    "SELECT m.id FROM messages m JOIN below ON m.parent = below.id AND m.id > below.id WHERE m.hidden = 0) "
    "SELECT id FROM below";

std::string stateName(MessageState state) { return kMessageStateNames[static_cast<size_t>(state)]; }

engine::Role roleOf(const SQLite::Column& column) {
    return engine::roleFrom(column.getString()).value_or(engine::Role::User);
}

QJsonObject objectOf(const SQLite::Column& column) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(column.getString())).object();
}

std::string jsonOf(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

std::string statisticsJson(const MessageRow& message) {
    QJsonObject json = figuresOf(message.statistics);
    if (!message.notes.isEmpty()) json.insert(kNotes, QJsonArray::fromStringList(message.notes));
    return json.isEmpty() ? std::string() : jsonOf(json);
}

std::string errorJson(const ErrorInfo& error) {
    if (!error.valid()) return {};
    return jsonOf({{QStringLiteral("what"), error.what},
                   {QStringLiteral("why"), error.why},
                   {QStringLiteral("action"), error.action}});
}

std::vector<MessageRow> readPath(Connection& connection, qint64 last, qint64 most) {
    Statement rows(connection.db(), std::string(kPath) + kColumns + "JOIN path ON path.id = m.id ORDER BY m.id");
    bindAll(rows, last, most);
    return rowsOf(connection, rows);
}

std::vector<qint64> pathTo(SQLite::Database& database, qint64 last) {
    Statement rows(database, std::string(kPath) + "SELECT id FROM path ORDER BY id");
    bindAll(rows, last, qint64{-1});
    std::vector<qint64> ids;
    while (rows.executeStep()) ids.push_back(rows.getColumn(0).getInt64());
    return ids;
}

std::optional<MessageRow> readMessage(Connection& connection, qint64 message) {
    Statement rows(connection.db(), std::string(kColumns) + "WHERE m.id = ?");
    bindAll(rows, message);
    std::vector<MessageRow> found = rowsOf(connection, rows);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::vector<MessageRow> readMessages(Connection& connection, const std::string& where) {
    Statement rows(connection.db(), kColumns + where);
    return rowsOf(connection, rows);
}

std::optional<Position> positionOf(SQLite::Database& database, qint64 message) {
    Statement row(database, "SELECT m.chat, ifnull(m.parent, 0) FROM messages m JOIN chats c ON c.id = m.chat "
                            "WHERE m.id = ? AND m.hidden = 0 AND c.deleted_at IS NULL");
    bindAll(row, message);
    if (!row.executeStep()) return std::nullopt;
    return Position{.chat = row.getColumn(0).getInt64(), .parent = row.getColumn(1).getInt64()};
}

qint64 leafOf(SQLite::Database& database, qint64 chat) {
    Statement row(database, "SELECT ifnull(leaf, 0) FROM chats WHERE id = ?");
    bindAll(row, chat);
    return row.executeStep() ? row.getColumn(0).getInt64() : 0;
}

Siblings siblingsOf(SQLite::Database& database, qint64 chat, qint64 parent, qint64 message) {
    Statement rows(database,
                   parent == 0 ? "SELECT id FROM messages WHERE chat = ? AND parent IS NULL AND hidden = 0 ORDER BY id"
                               : "SELECT id FROM messages WHERE parent = ? AND hidden = 0 ORDER BY id");
    bindAll(rows, parent == 0 ? chat : parent);
    Siblings siblings;
    while (rows.executeStep()) {
        const qint64 id = rows.getColumn(0).getInt64();
        if (id == message) siblings.index = static_cast<qsizetype>(siblings.ids.size());
        siblings.ids.push_back(id);
    }
    return siblings;
}

qint64 newestBelow(SQLite::Database& database, qint64 message) {
    Statement row(database, "SELECT ifnull(max(id), 0) FROM (" + std::string(kVisibleBelow) + ")");
    bindAll(row, message);
    row.executeStep();
    return row.getColumn(0).getInt64();
}

void insertMessage(SQLite::Database& database, MessageRow& message) {
    run(database,
        "INSERT INTO messages(chat, parent, role, state, created_at, model, depth) VALUES (?1, nullif(?2, 0), ?3, ?4, "
        "?5, ?6, ifnull((SELECT depth + 1 FROM messages WHERE id = ?2), 0))",
        message.chat, message.parent, std::string(engine::roleName(message.role)), stateName(message.state),
        message.created.toMSecsSinceEpoch(), message.model);
    message.id = database.getLastInsertRowid();
    insertParts(database, message.id, message.parts);
}

void index(SQLite::Database& database, IndexChange change, const std::string& which, qint64 value) {
    run(database, beginningOf(change) + which, value);
}

} // namespace coterie::app
