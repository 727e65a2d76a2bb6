// SPDX-License-Identifier: Apache-2.0
// The part of ChatStore that writes messages: turns, answers, versions, deletions. See chat_store.h.
#include "store/chat_store.h"
#include "store/file_rows.h"
#include "store/message_rows.h"
#include "store/part_rows.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Transaction.h>

namespace coterie::app {
namespace {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr char kNotKept[] = "The message was not kept";
constexpr char kAnswerNotKept[] = "The answer is not saved yet";
constexpr char kNotBegun[] = "The answer was not begun";
constexpr char kNotShown[] = "The other version can't be shown";
constexpr char kNotDeleted[] = "The message was not deleted";
constexpr char kNotRestored[] = "The message was not taken back";
constexpr char kNotForked[] = "The new chat was not made";

const std::string kBelowMessage = std::string("m.id IN (") + kVisibleBelow + ")";

MessageRow newMessage(qint64 chat, qint64 parent, engine::Role role, MessageState state) {
    MessageRow row;
    row.chat = chat;
    row.parent = parent;
    row.role = role;
    row.state = state;
    row.created = QDateTime::fromMSecsSinceEpoch(nowMs());
    return row;
}

void show(SQLite::Database& db, qint64 chat, qint64 leaf) {
    run(db, "UPDATE chats SET leaf = nullif(?, 0) WHERE id = ?", leaf, chat);
}

/// A new message becomes the chat's leaf, and the chat the newest.
void addAsLeaf(SQLite::Database& db, MessageRow& message) {
    insertMessage(db, message);
    index(db, IndexChange::MessagesIn, "m.id = ?", message.id);
    run(db, "UPDATE chats SET leaf = ?, updated_at = ? WHERE id = ?", message.id, message.created.toMSecsSinceEpoch(),
        message.chat);
}

/// The results of tools, as the message after the answer that calls them.
MessageRow addResults(SQLite::Database& db, qint64 chat, qint64 answer, std::span<const MessagePart> results) {
    MessageRow row = newMessage(chat, answer, engine::Role::Tool, MessageState::Complete);
    row.parts.assign(results.begin(), results.end());
    addAsLeaf(db, row);
    return row;
}

/// An attachment of a message that is written: its part, and the file with its bytes.
struct Attached {
    MessagePart part;
    qint64 file = 0;
};

/// Reads the attachments of a message.
std::vector<Attached> attachmentsOf(SQLite::Database& db, qint64 message, qint64 onlyPlace) {
    Statement rows(db, "SELECT p.kind, p.text, p.meta, a.file FROM attachments a JOIN parts p "
                       "ON p.message = a.message AND p.place = a.place WHERE a.message = ?1 AND ?2 IN (-1, a.place)");
    bindAll(rows, message, onlyPlace);
    std::vector<Attached> found;
    while (rows.executeStep()) found.push_back({.part = partFromRow(rows, 0), .file = rows.getColumn(3).getInt64()});
    return found;
}

/// Collects the attachments of a turn; stores bytes that are new.
engine::Result<std::vector<Attached>> attachmentsFor(SQLite::Database& db, const NewTurn& turn) {
    std::vector<Attached> all;
    for (const AttachmentKey& same : turn.sameFiles) {
        const std::vector<Attached> found = attachmentsOf(db, same.message, same.part);
        if (found.empty())
            return engine::Error{engine::ErrorKind::NotFound, kNotKept, "An attached file is not there any more",
                                 "Attach the file again"};
        all.push_back(found.front());
    }
    for (const NewFile& file : turn.files) {
        if (engine::Status small = checkSize(file, kNotKept); !small) return small.error();
        all.push_back({.part = partOf(file), .file = keepFile(db, file.bytes)});
    }
    for (const qint64 draft : turn.draftFiles) {
        Statement row(db, "SELECT 'attachment', text, meta, file FROM draft_files WHERE id = ?");
        bindAll(row, draft);
        if (!row.executeStep())
            return engine::Error{engine::ErrorKind::NotFound, kNotKept, "An attached file is not there any more",
                                 "Attach the file again"};
        all.push_back({.part = partFromRow(row, 0), .file = row.getColumn(3).getInt64()});
        run(db, "DELETE FROM draft_files WHERE id = ?", draft);
    }
    return all;
}

/// The message before a new prompt, or an error if it can't have one.
engine::Result<qint64> parentFor(SQLite::Database& db, const NewTurn& turn) {
    Statement leaf(db, "SELECT ifnull(leaf, 0) FROM chats WHERE id = ? AND deleted_at IS NULL");
    bindAll(leaf, turn.chat);
    if (!leaf.executeStep()) return noSuchChat(kNotKept);
    const qint64 parent = turn.parent.value_or(leaf.getColumn(0).getInt64());
    if (parent == 0) return parent;
    const auto position = positionOf(db, parent);
    if (!position || position->chat != turn.chat) return noSuchMessage(kNotKept);
    return parent;
}

/// Returns the message that is shown after this one has been deleted: the newest one below the sibling before it, or
/// after it, or its parent.
qint64 leafWithout(SQLite::Database& db, const Position& position, qint64 message) {
    const Siblings others = siblingsOf(db, position.chat, position.parent, message);
    if (others.ids.empty()) return position.parent;
    qint64 nearest = others.ids.front();
    for (const qint64 id : others.ids)
        if (id < message) nearest = id;
    return newestBelow(db, nearest);
}

/// Copies a message into another chat, below a message of it. Returns the new id.
qint64 copyMessage(Connection& connection, qint64 message, qint64 chat, qint64 parent) {
    SQLite::Database& db = connection.db();
    MessageRow row = readMessage(connection, message).value_or(MessageRow{});
    row.chat = chat;
    row.parent = parent;
    if (row.state == MessageState::Streaming) row.state = MessageState::Stopped;
    insertMessage(db, row);
    run(db, "UPDATE messages SET statistics = ?, error = ? WHERE id = ?", statisticsJson(row), errorJson(row.error),
        row.id);
    run(db, "INSERT INTO attachments(message, place, file) SELECT ?, place, file FROM attachments WHERE message = ?",
        row.id, message);
    run(db,
        "INSERT INTO token_records(message, version, created_at, size, data) "
        "SELECT ?, version, created_at, size, data FROM token_records WHERE message = ?",
        row.id, message);
    index(db, IndexChange::MessagesIn, "m.id = ?", row.id);
    return row.id;
}

bool isHidden(SQLite::Database& db, qint64 message) {
    Statement row(db, "SELECT hidden FROM messages WHERE id = ?");
    bindAll(row, message);
    return row.executeStep() && row.getColumn(0).getInt() != 0;
}

} // namespace

qint64 newChat(SQLite::Database& db, const QString& title) {
    run(db, "INSERT INTO chats(title, created_at, updated_at) VALUES (?1, ?2, ?2)", title, nowMs());
    const qint64 chat = db.getLastInsertRowid();
    index(db, IndexChange::ChatsIn, "id = ?", chat);
    return chat;
}

engine::Result<StoredTurn> ChatStore::addTurn(const NewTurn& turn) {
    auto added = inTransaction(connection(), kNotKept, [&](SQLite::Database& db) -> engine::Result<StoredTurn> {
        NewTurn placed = turn;
        if (turn.chat == 0) placed.chat = newChat(db, turn.title);
        const auto parent = parentFor(db, placed);
        if (!parent) return parent.error();
        const auto attached = attachmentsFor(db, turn);
        if (!attached) return attached.error();
        StoredTurn stored{.chat = placed.chat, .prompt = {}, .answer = {}};
        if (!turn.results.empty()) stored.results = addResults(db, placed.chat, parent.value(), turn.results);
        const qint64 before = stored.results ? stored.results->id : parent.value();
        stored.prompt = newMessage(placed.chat, before, engine::Role::User, MessageState::Complete);
        stored.prompt.parts = textParts(turn.prompt);
        const size_t first = stored.prompt.parts.size();
        for (const Attached& file : attached.value()) stored.prompt.parts.push_back(file.part);
        addAsLeaf(db, stored.prompt);
        for (size_t i = 0; i < attached.value().size(); ++i)
            attach(db, stored.prompt.id, first + i, attached.value()[i].file);
        stored.answer = newMessage(placed.chat, stored.prompt.id, engine::Role::Assistant, MessageState::Streaming);
        stored.answer.model = turn.model;
        addAsLeaf(db, stored.answer);
        run(db, "DELETE FROM waiting_prompts WHERE id = ?", turn.waiting);
        return stored;
    });
    if (added) connection().streaming->add(added->answer.id);
    return added;
}

engine::Result<StoredTurn> ChatStore::addToolResults(qint64 answer, std::span<const MessagePart> results,
                                                     const QString& model) {
    auto added = inTransaction(connection(), kNotKept, [&](SQLite::Database& db) -> engine::Result<StoredTurn> {
        const auto position = positionOf(db, answer);
        if (!position) return noSuchMessage(kNotKept);
        StoredTurn stored{.chat = position->chat, .prompt = {}, .answer = {}};
        stored.prompt = addResults(db, position->chat, answer, results);
        stored.answer = newMessage(position->chat, stored.prompt.id, engine::Role::Assistant, MessageState::Streaming);
        stored.answer.model = model;
        addAsLeaf(db, stored.answer);
        return stored;
    });
    if (added) connection().streaming->add(added->answer.id);
    return added;
}

engine::Result<MessageRow> ChatStore::addAnswer(const NewAnswer& answer) {
    auto added = inTransaction(connection(), kNotBegun, [&](SQLite::Database& db) -> engine::Result<MessageRow> {
        const auto prompt = positionOf(db, answer.parent);
        if (!prompt) return noSuchMessage(kNotBegun);
        MessageRow row = newMessage(prompt->chat, answer.parent, engine::Role::Assistant, MessageState::Streaming);
        row.model = answer.model;
        row.parts = answer.parts;
        addAsLeaf(db, row);
        return row;
    });
    if (added) connection().streaming->add(added->id);
    return added;
}

engine::Result<MessageRow> ChatStore::addVersion(qint64 message, std::span<const MessagePart> parts) {
    return inTransaction(connection(), kNotKept, [&](SQLite::Database& db) -> engine::Result<MessageRow> {
        const auto position = positionOf(db, message);
        const auto old = readMessage(connection(), message);
        if (!position || !old) return noSuchMessage(kNotKept);
        MessageRow row = newMessage(position->chat, position->parent, old->role, MessageState::Complete);
        row.model = old->model;
        row.parts.assign(parts.begin(), parts.end());
        addAsLeaf(db, row);
        row.statistics.edited = row.role == engine::Role::Assistant;
        run(db, "UPDATE messages SET statistics = ? WHERE id = ?", statisticsJson(row), row.id);
        const std::vector<Attached> files = attachmentsOf(db, message, -1);
        for (size_t i = 0; i < row.parts.size(); ++i) {
            const auto same = std::find_if(files.begin(), files.end(),
                                           [&](const Attached& file) { return file.part == row.parts[i]; });
            if (same != files.end()) attach(db, row.id, i, same->file);
        }
        return row;
    });
}

engine::Status ChatStore::continueAnswer(qint64 message) {
    engine::Status begun = inTransaction(connection(), kNotBegun, [&](SQLite::Database& db) -> engine::Status {
        if (!positionOf(db, message)) return noSuchMessage(kNotBegun);
        index(db, IndexChange::MessagesOut, "m.id = ?", message);
        run(db, "UPDATE messages SET state = 'streaming', error = '' WHERE id = ?", message);
        return {};
    });
    if (begun) connection().streaming->add(message);
    return begun;
}

engine::Status ChatStore::saveProgress(qint64 message, std::span<const MessagePart> parts, size_t first) {
    return onConnection(connection(), kAnswerNotKept, [&]() -> engine::Status {
        SQLite::Database& db = connection().db();
        const CheaperSync cheaper(db);
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        Statement streams(db, "SELECT 1 FROM messages WHERE id = ? AND state = 'streaming'");
        bindAll(streams, message);
        if (streams.executeStep()) {
            insertParts(db, message, parts, first);
            if (first == 0) // the text was read anew, and may have fewer parts
                run(db, "DELETE FROM parts WHERE message = ? AND place >= ?", message,
                    static_cast<qint64>(parts.size()));
        }
        streams.reset();
        transaction.commit();
        return {};
    });
}

engine::Status ChatStore::finishAnswer(const MessageRow& answer) {
    engine::Status finished = inTransaction(connection(), kAnswerNotKept, [&](SQLite::Database& db) -> engine::Status {
        index(db, IndexChange::MessagesOut, "m.id = ?", answer.id);
        if (run(db, "UPDATE messages SET state = ?, model = ?, statistics = ?, error = ? WHERE id = ?",
                stateName(answer.state), answer.model, statisticsJson(answer), errorJson(answer.error), answer.id) == 0)
            return {}; // it was erased while it was written
        run(db, "DELETE FROM parts WHERE message = ?", answer.id);
        insertParts(db, answer.id, answer.parts);
        index(db, IndexChange::MessagesIn, "m.id = ?", answer.id);
        run(db, "UPDATE chats SET updated_at = ? WHERE id = (SELECT chat FROM messages WHERE id = ?)", nowMs(),
            answer.id);
        return {};
    });
    if (finished) connection().streaming->remove(answer.id);
    return finished;
}

engine::Result<qint64> ChatStore::setLeaf(qint64 chat, qint64 message) {
    return onConnection(connection(), kNotShown, [&]() -> engine::Result<qint64> {
        SQLite::Database& db = connection().db();
        const CheaperSync cheaper(db);
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        const auto position = positionOf(db, message);
        if (!position || position->chat != chat) return noSuchMessage(kNotShown);
        const qint64 leaf = newestBelow(db, message);
        show(db, chat, leaf);
        transaction.commit();
        return leaf;
    });
}

engine::Result<qint64> ChatStore::removeMessage(qint64 message) {
    return onConnection(connection(), kNotDeleted, [&]() -> engine::Result<qint64> {
        return withReserve(connection().folder, [&]() -> engine::Result<qint64> {
            SQLite::Database& db = connection().db();
            Transaction transaction(db, TransactionBehavior::IMMEDIATE);
            const auto position = positionOf(db, message);
            if (!position) return noSuchMessage(kNotDeleted);
            index(db, IndexChange::MessagesOut, kBelowMessage, message);
            run(db, std::string("UPDATE messages SET hidden = 1 WHERE id IN (") + kVisibleBelow + ")", message);
            run(db, "UPDATE messages SET deleted_at = ? WHERE id = ?", nowMs(), message);
            qint64 leaf = leafOf(db, position->chat);
            if (isHidden(db, leaf)) {
                leaf = leafWithout(db, *position, message);
                show(db, position->chat, leaf);
            }
            transaction.commit();
            return leaf;
        });
    });
}

engine::Result<qint64> ChatStore::restoreMessage(qint64 message) {
    return inTransaction(connection(), kNotRestored, [&](SQLite::Database& db) -> engine::Result<qint64> {
        if (run(db,
                "UPDATE messages SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL "
                "AND chat IN (SELECT id FROM chats WHERE deleted_at IS NULL)",
                message) == 0)
            return noSuchMessage(kNotRestored);
        const std::optional<MessageRow> row = readMessage(connection(), message);
        qint64 leaf = leafOf(db, row->chat);
        if (row->parent == 0 || !isHidden(db, row->parent)) {
            run(db,
                "WITH RECURSIVE back(id) AS (SELECT ?1 UNION ALL SELECT m.id FROM messages m JOIN back "
                "ON m.parent = back.id AND m.id > back.id WHERE m.deleted_at IS NULL) "
                "UPDATE messages SET hidden = 0 WHERE id IN (SELECT id FROM back)",
                message);
            index(db, IndexChange::MessagesIn, kBelowMessage, message);
            leaf = newestBelow(db, message);
            show(db, row->chat, leaf);
        }
        return leaf;
    });
}

engine::Result<qint64> ChatStore::fork(qint64 message, const QString& title) {
    return inTransaction(connection(), kNotForked, [&](SQLite::Database& db) -> engine::Result<qint64> {
        const auto position = positionOf(db, message);
        if (!position) return noSuchMessage(kNotForked);
        const qint64 chat = newChat(db, title);
        run(db,
            "UPDATE chats SET (settings, folder) = (SELECT settings, folder FROM chats WHERE id = ?1) WHERE id = ?2",
            position->chat, chat);
        const qint64 leftOut =
            db.execAndGet("SELECT left_out FROM chats WHERE id = " + std::to_string(position->chat)).getInt64();
        qint64 last = 0;
        for (const qint64 id : pathTo(db, message)) {
            last = copyMessage(connection(), id, chat, last);
            if (id == leftOut) run(db, "UPDATE chats SET left_out = ? WHERE id = ?", last, chat);
        }
        show(db, chat, last);
        return chat;
    });
}

} // namespace coterie::app
