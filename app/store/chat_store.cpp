// SPDX-License-Identifier: Apache-2.0
// Opening the store, and what is written about chats; message_writes.cpp has the messages. Each action of the user is
// one short transaction. Every public function has an onConnection() body, so it throws nothing.
#include "store/chat_store.h"

#include "store/answer_ends.h"
#include "store/chat_importer.h"
#include "store/chat_reader.h"
#include "store/message_rows.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Transaction.h>

namespace coterie::app {
namespace {

using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr char kNotRead[] = "The chats can't be read";
constexpr char kNotOpened[] = "The chats can't be opened for an import";
constexpr char kNotChanged[] = "The chat was not changed";
constexpr char kNotRenamed[] = "The chat was not renamed";
constexpr char kNotMoved[] = "The chat was not moved";
constexpr char kDraftNotKept[] = "The unsent text was not kept";
constexpr char kEditNotKept[] = "The edited text was not kept";
constexpr char kNotRemoved[] = "The chat was not deleted";
constexpr char kNotRestored[] = "The chat was not taken back";
constexpr char kNotErased[] = "The chat was not erased";
constexpr char kMessageNotErased[] = "The message was not erased";
constexpr char kNotPurged[] = "Old chats were not erased from the bin";

/// Marks answers that a killed process left unfinished as ended by that. If the disk is full, this waits for another
/// start; readers treat them in the same way.
void stopInterrupted(SQLite::Database& db) {
    try {
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        db.exec("INSERT INTO message_search(rowid, text) SELECT m.id, t.text FROM messages m "
                "JOIN message_texts t ON t.id = m.id WHERE m.state = 'streaming' AND m.hidden = 0");
        run(db, "UPDATE messages SET state = 'stopped', error = ? WHERE state = 'streaming'",
            errorJson(endedByClosing()));
        transaction.commit();
    } catch (const SQLite::Exception&) {
        return;
    }
}

/// Erases the deleted chats for which `which` is true, with all that they have; its ? is `value`. Returns their number.
int eraseChats(SQLite::Database& db, const std::string& which, qint64 value) {
    const std::string chats = "(SELECT id FROM chats WHERE " + which + ")";
    index(db, IndexChange::MessagesOut, "m.chat IN " + chats, value);
    index(db, IndexChange::ChatsOut, which, value);
    run(db, "DELETE FROM drafts WHERE chat IN " + chats, value);
    run(db, "DELETE FROM draft_files WHERE chat IN " + chats, value);
    return run(db, "DELETE FROM chats WHERE " + which, value);
}

/// The same for deleted messages and those below them, which are hidden: they are in no index.
int eraseMessages(SQLite::Database& db, const std::string& which, qint64 value) {
    const std::string gone = "WITH RECURSIVE gone(id) AS (SELECT id FROM messages WHERE " + which +
                             " UNION SELECT m.id FROM messages m JOIN gone ON m.parent = gone.id) "
                             "DELETE FROM messages WHERE id IN (SELECT id FROM gone)";
    return run(db, gone, value);
}

constexpr char kUnused[] = "id NOT IN (SELECT file FROM attachments UNION SELECT file FROM draft_files)";

/// Files that nothing uses, as a JSON array of ids. Undo may put them back, so they stay until the program starts
/// again.
std::string unusedFiles(SQLite::Database& db) {
    SQLite::Statement ids(db, std::string("SELECT json_group_array(id) FROM files WHERE ") + kUnused);
    ids.executeStep();
    return ids.getColumn(0).getString();
}

void dropUnusedFiles(SQLite::Database& db, const std::string& except) {
    run(db, std::string("DELETE FROM files WHERE ") + kUnused + " AND id NOT IN (SELECT value FROM json_each(?))",
        except);
}

enum class Sync { Full, Cheaper };

/// Runs an UPDATE of one chat. Returns an error if the chat is not there.
template <typename... Values>
engine::Status updateChat(Connection& connection, const engine::Sentence& what, Sync sync, const char* sql,
                          const Values&... values) {
    return onConnection(connection, what, [&]() -> engine::Status {
        std::optional<CheaperSync> cheaper;
        if (sync == Sync::Cheaper) cheaper.emplace(connection.db());
        if (run(connection.db(), sql, values...) == 0) return noSuchChat(what);
        return {};
    });
}

/// Runs an UPDATE for each of the chats, with the value as its first parameter and the chat as its second one. If a
/// chat is not there, nothing is changed and an error is returned.
engine::Status updateAll(Connection& connection, const engine::Sentence& what, std::span<const qint64> chats,
                         const char* sql, qint64 value) {
    Transaction transaction(connection.db(), TransactionBehavior::IMMEDIATE);
    SQLite::Statement update(connection.db(), sql);
    for (const qint64 chat : chats) {
        bindAll(update, value, chat);
        if (update.exec() == 0) return noSuchChat(what);
        update.reset();
    }
    transaction.commit();
    return {};
}

} // namespace

ChatStore::ChatStore(std::unique_ptr<Connection> connection) : ChatReads(std::move(connection)) {}
ChatStore::~ChatStore() = default;

bool ChatStore::readOnly() const { return connection().onlyRead.has_value(); }

engine::Result<std::unique_ptr<ChatStore>> ChatStore::open(const StoreOptions& options) {
    auto opened = openDatabase(options.folder, options.migrations.empty() ? schemaMigrations() : options.migrations);
    if (!opened) return opened.error();
    auto connection = std::make_unique<Connection>();
    connection->folder = options.folder;
    connection->database = std::move(opened->database);
    connection->streaming = std::make_shared<StreamingAnswers>();
    if (opened->readOnly) {
        connection->onlyRead = opened->notice;
    } else {
        connection->turns = std::make_shared<WriteTurns>(kBusyTimeoutMs);
        connection->turns->take(connection->db());
        stopInterrupted(connection->db());
        keepReserve(options.folder);
    }
    std::unique_ptr<ChatStore> store(new ChatStore(std::move(connection)));
    store->notice_ = std::move(opened->notice);
    return store;
}

engine::Result<std::unique_ptr<ChatStore>> ChatStore::openTemporary() {
    static std::atomic<int> opened{0};
    auto connection = std::make_unique<Connection>();
    connection->name = "coterie-temporary-" + std::to_string(++opened);
    auto database = openInMemory(connection->name);
    if (!database) return database.error();
    connection->database = std::move(database).value();
    connection->streaming = std::make_shared<StreamingAnswers>();
    return std::unique_ptr<ChatStore>(new ChatStore(std::move(connection)));
}

engine::Result<std::unique_ptr<ChatReader>> ChatStore::openReader() const {
    const bool inMemory = !connection().name.empty();
    auto opened = inMemory ? openForReading(connection().name) : openForReading(connection().folder, readOnly());
    if (!opened) return opened.error();
    auto second = std::make_unique<Connection>();
    second->folder = connection().folder;
    second->name = connection().name;
    second->database = std::move(opened).value();
    second->streaming = connection().streaming;
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::unique_ptr<ChatReader>> {
        return std::unique_ptr<ChatReader>(new ChatReader(std::move(second)));
    });
}

engine::Result<std::unique_ptr<ChatImporter>> ChatStore::openImporter() const {
    if (readOnly()) return connection().onlyReadError(kNotOpened);
    return onConnection(connection(), kNotOpened, [&]() -> engine::Result<std::unique_ptr<ChatImporter>> {
        auto opened = openForAdding(connection().folder);
        if (!opened) return opened.error();
        auto second = std::make_unique<Connection>();
        second->folder = connection().folder;
        second->turns = connection().turns;
        second->database = std::move(opened).value();
        second->streaming = connection().streaming;
        return std::unique_ptr<ChatImporter>(new ChatImporter(std::move(second)));
    });
}

engine::Result<AddedChat> ChatStore::addChat(const ChatTree& tree, IfPresent present) {
    return addChatTo(connection(), tree, present);
}

engine::Status ChatStore::rename(qint64 chat, const QString& title) {
    return inTransaction(connection(), kNotRenamed, [&](SQLite::Database& db) -> engine::Status {
        index(db, IndexChange::ChatsOut, "id = ?", chat);
        if (run(db, "UPDATE chats SET title = ? WHERE id = ? AND deleted_at IS NULL", title, chat) == 0)
            return noSuchChat(kNotRenamed);
        index(db, IndexChange::ChatsIn, "id = ?", chat);
        return {};
    });
}

engine::Status ChatStore::setPinned(std::span<const qint64> chats, bool pinned) {
    return onConnection(connection(), kNotChanged, [&] {
        return updateAll(connection(), kNotChanged, chats,
                         "UPDATE chats SET pinned = ? WHERE id = ? AND deleted_at IS NULL", qint64{pinned});
    });
}

engine::Status ChatStore::setUnread(qint64 chat, bool unread) {
    return updateChat(connection(), kNotChanged, Sync::Cheaper,
                      "UPDATE chats SET unread = ? WHERE id = ? AND deleted_at IS NULL", qint64{unread}, chat);
}

engine::Status ChatStore::setFolder(std::span<const qint64> chats, qint64 folder) {
    return onConnection(connection(), kNotMoved, [&]() -> engine::Status {
        if (folder != 0) {
            SQLite::Statement row(connection().db(), "SELECT 1 FROM folders WHERE id = ?");
            bindAll(row, folder);
            if (!row.executeStep()) return noSuchFolder(kNotMoved);
        }
        return updateAll(connection(), kNotMoved, chats,
                         "UPDATE chats SET folder = nullif(?, 0) WHERE id = ? AND deleted_at IS NULL", folder);
    });
}

engine::Status ChatStore::setSettings(qint64 chat, const QJsonObject& settings) {
    return updateChat(connection(), kNotChanged, Sync::Cheaper,
                      "UPDATE chats SET settings = ? WHERE id = ? AND deleted_at IS NULL",
                      settings.isEmpty() ? std::string() : jsonOf(settings), chat);
}

engine::Status ChatStore::setLeftOut(qint64 chat, qint64 message) {
    return updateChat(connection(), kNotChanged, Sync::Cheaper,
                      "UPDATE chats SET left_out = ? WHERE id = ? AND deleted_at IS NULL", message, chat);
}

engine::Status ChatStore::setSeen(qint64 chat, qint64 message, double offset) {
    return updateChat(connection(), kNotChanged, Sync::Cheaper,
                      "UPDATE chats SET seen = ?, seen_offset = ? WHERE id = ? AND deleted_at IS NULL", message, offset,
                      chat);
}

engine::Status ChatStore::setDraft(qint64 chat, const QString& text) {
    return onConnection(connection(), kDraftNotKept, [&]() -> engine::Status {
        SQLite::Database& db = connection().db();
        const CheaperSync cheaper(db);
        if (text.isEmpty()) {
            run(db, "DELETE FROM drafts WHERE chat = ?", chat);
            return {};
        }
        const int kept = run(db,
                             "INSERT OR REPLACE INTO drafts(chat, text) SELECT ?1, ?2 WHERE ?1 = 0 "
                             "OR EXISTS (SELECT 1 FROM chats WHERE id = ?1 AND deleted_at IS NULL)",
                             chat, text);
        if (kept == 0) return noSuchChat(kDraftNotKept);
        return {};
    });
}

engine::Status ChatStore::setEdit(qint64 message, const std::optional<QString>& text) {
    return onConnection(connection(), kEditNotKept, [&]() -> engine::Status {
        SQLite::Database& db = connection().db();
        const CheaperSync cheaper(db);
        if (!text) {
            run(db, "DELETE FROM edits WHERE message = ?", message);
            return {};
        }
        const int kept = run(db,
                             "INSERT OR REPLACE INTO edits(message, text) SELECT ?1, ?2 "
                             "WHERE EXISTS (SELECT 1 FROM messages WHERE id = ?1)",
                             message, *text);
        if (kept == 0) return noSuchMessage(kEditNotKept);
        return {};
    });
}

engine::Status ChatStore::remove(std::span<const qint64> chats) {
    return onConnection(connection(), kNotRemoved, [&] {
        return withReserve(connection().folder, [&] {
            return updateAll(connection(), kNotRemoved, chats,
                             "UPDATE chats SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL", nowMs());
        });
    });
}

engine::Status ChatStore::restore(std::span<const qint64> chats) {
    return onConnection(connection(), kNotRestored, [&] {
        return updateAll(connection(), kNotRestored, chats, "UPDATE chats SET deleted_at = nullif(?, 0) WHERE id = ?",
                         qint64{0});
    });
}

engine::Status ChatStore::erase(qint64 chat) {
    return inTransaction(connection(), kNotErased, [&](SQLite::Database& db) -> engine::Status {
        const std::string kept = unusedFiles(db);
        if (eraseChats(db, "id = ? AND deleted_at IS NOT NULL", chat) == 0) return noSuchChat(kNotErased);
        dropUnusedFiles(db, kept);
        return {};
    });
}

engine::Status ChatStore::eraseMessage(qint64 message) {
    return inTransaction(connection(), kMessageNotErased, [&](SQLite::Database& db) -> engine::Status {
        const std::string kept = unusedFiles(db);
        if (eraseMessages(db, "id = ? AND deleted_at IS NOT NULL", message) == 0)
            return noSuchMessage(kMessageNotErased);
        dropUnusedFiles(db, kept);
        return {};
    });
}

engine::Result<qint64> ChatStore::purge(const QDateTime& then) {
    return inTransaction(connection(), kNotPurged, [&](SQLite::Database& db) -> engine::Result<qint64> {
        const qint64 before = then.toMSecsSinceEpoch();
        const int erased = eraseChats(db, "deleted_at < ?", before);
        eraseMessages(db, "deleted_at < ?", before);
        dropUnusedFiles(db, "[]");
        return static_cast<qint64>(erased);
    });
}

} // namespace coterie::app
