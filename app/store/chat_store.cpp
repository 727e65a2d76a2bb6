// SPDX-License-Identifier: Apache-2.0
// Each action of the user is one short transaction. Every public function has a guarded() body, so it throws nothing.
#include "store/chat_store.h"

#include "store/database.h"
#include "store/part_rows.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <QJsonDocument>
#include <QJsonObject>

#include <sqlite3.h>

#include <array>
#include <unordered_set>

namespace coterie::app {
namespace {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr int kMostHits = 2000; // messages that one search looks at
constexpr char kNotKept[] = "The message was not kept";
constexpr char kNotRead[] = "The chats can't be read";
constexpr char kAnswerNotKept[] = "The answer is not saved yet";
constexpr char kNotRenamed[] = "The chat was not renamed";
constexpr char kNotRemoved[] = "The chat was not deleted";
constexpr char kNotRestored[] = "The chat was not taken back";
constexpr char kNotPurged[] = "Old chats were not erased from the bin";

constexpr std::array<const char*, 4> kStateNames{"complete", "streaming", "stopped", "failed"};

std::string stateName(MessageState state) { return kStateNames[static_cast<size_t>(state)]; }

MessageState stateFrom(const std::string& name) {
    for (size_t i = 0; i < kStateNames.size(); ++i) {
        if (name == kStateNames[i]) return static_cast<MessageState>(i);
    }
    return MessageState::Complete;
}

void put(Statement& statement, int place, qint64 value) { statement.bind(place, static_cast<int64_t>(value)); }
void put(Statement& statement, int place, const std::string& value) { statement.bind(place, value); }
void put(Statement& statement, int place, const QString& value) { statement.bind(place, value.toStdString()); }

/// Binds the values to ?1, ?2, ...
template <typename... Values>
void bindAll(Statement& statement, const Values&... values) {
    int place = 0;
    (put(statement, ++place, values), ...);
}

// The full-text indexes hold every title, and every message that isn't streaming: otherwise each save of a growing
// answer would index it again. A row must be taken out with the text with which it was put in. So it is taken out
// before a change and put in after it, in one transaction.
constexpr const char* kChatsIn = "INSERT INTO chat_search(rowid, title) SELECT id, title FROM chats WHERE ";
constexpr const char* kChatsOut =
    "INSERT INTO chat_search(chat_search, rowid, title) SELECT 'delete', id, title FROM chats WHERE ";
constexpr const char* kMessagesIn =
    "INSERT INTO message_search(rowid, text) "
    "SELECT m.id, t.text FROM messages m JOIN message_texts t ON t.id = m.id WHERE m.state <> 'streaming' AND ";
constexpr const char* kMessagesOut =
    "INSERT INTO message_search(message_search, rowid, text) "
    "SELECT 'delete', m.id, t.text FROM messages m JOIN message_texts t ON t.id = m.id "
    "WHERE m.state <> 'streaming' AND ";

/// Returns a query over `path`: the messages from the leaf of chat ?1 up to its first one. UNION without ALL ends even
/// for a cycle, which only a hostile file has. A child's id is greater than its parent's.
std::string overPath(const char* query) {
    return std::string("WITH RECURSIVE path(id, parent) AS ("
                       "SELECT m.id, m.parent FROM messages m JOIN chats c ON c.leaf = m.id WHERE c.id = ?1 "
                       "UNION SELECT m.id, m.parent FROM messages m JOIN path ON m.id = path.parent) ") +
           query;
}

void index(SQLite::Database& database, const char* rows, const std::string& which, qint64 value) {
    Statement statement(database, rows + which);
    bindAll(statement, value);
    statement.exec();
}

qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }

QString textOf(const SQLite::Column& column) { return QString::fromStdString(column.getString()); }

QJsonObject objectOf(const SQLite::Column& column) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(column.getString())).object();
}

std::string jsonOf(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

std::string statisticsJson(const AnswerStatistics& statistics) {
    if (statistics == AnswerStatistics{}) return {};
    QJsonObject json{{QStringLiteral("tokensPerSecond"), statistics.tokensPerSecond},
                     {QStringLiteral("firstTokenSeconds"), statistics.firstTokenSeconds},
                     {QStringLiteral("tokens"), statistics.tokens}};
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
    return jsonOf(json);
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
            .choicesChanged = number("choicesChanged")};
}

std::string errorJson(const ErrorInfo& error) {
    if (!error.valid()) return {};
    return jsonOf({{QStringLiteral("what"), error.what},
                   {QStringLiteral("why"), error.why},
                   {QStringLiteral("action"), error.action}});
}

ErrorInfo errorFrom(const QJsonObject& object) {
    return {object.value(QStringLiteral("what")).toString(), object.value(QStringLiteral("why")).toString(),
            object.value(QStringLiteral("action")).toString()};
}

/// Returns a query in FTS5's language that asks for all words. Each word is quoted; the last one may be incomplete.
std::string matchExpression(const QString& words) {
    QStringList quoted;
    for (QString word : words.simplified().split(u' ', Qt::SkipEmptyParts)) {
        word.remove(QChar(u'\0'));
        quoted.append(u'"' + word.replace(u'"', QStringLiteral("\"\"")) + u'"');
    }
    return quoted.isEmpty() ? std::string() : (quoted.join(u' ') + u'*').toStdString();
}

/// While this object lives, commits are cheaper: they survive the end of the process, but not a power failure.
class CheaperSync {
  public:
    explicit CheaperSync(SQLite::Database& database) : database_(database) {
        database_.exec("PRAGMA synchronous = NORMAL");
    }
    ~CheaperSync() { database_.tryExec("PRAGMA synchronous = FULL"); }
    CheaperSync(const CheaperSync&) = delete;
    CheaperSync& operator=(const CheaperSync&) = delete;

  private:
    SQLite::Database& database_;
};

engine::Error noSuchChat(const engine::Sentence& what) {
    return {engine::ErrorKind::NotFound, what, "The chat is not there, or in the bin", "Choose another chat"};
}

} // namespace

struct ChatStore::Impl {
    QString folder;
    std::unique_ptr<SQLite::Database> database;
    std::optional<engine::Error> notice;
    bool readOnly = false;
    std::unordered_set<qint64> streaming; ///< unfinished answers begun here; others in that state were cut off

    SQLite::Database& db() { return *database; }
    MessageRow messageFrom(Statement& row) const;
    void readParts(qint64 chat, std::vector<MessageRow>& messages);
    qint64 insertMessage(qint64 chat, qint64 parent, const MessageRow& message);
    void stopInterrupted();
    bool setDeleted(qint64 chat, bool deleted);
};

/// Columns: id, parent, role, state, created_at, model, statistics, error. The parts are rows of their own.
MessageRow ChatStore::Impl::messageFrom(Statement& row) const {
    MessageRow message;
    message.id = row.getColumn(0).getInt64();
    message.parent = row.getColumn(1).getInt64();
    message.role = textOf(row.getColumn(2));
    message.state = stateFrom(row.getColumn(3).getString());
    message.created = QDateTime::fromMSecsSinceEpoch(row.getColumn(4).getInt64());
    message.model = textOf(row.getColumn(5));
    message.statistics = statisticsFrom(objectOf(row.getColumn(6)));
    message.error = errorFrom(objectOf(row.getColumn(7)));
    if (message.state == MessageState::Streaming && !streaming.contains(message.id)) {
        message.state = MessageState::Stopped;
    }
    return message;
}

/// messages: those of the chat's path, in the order of their ids.
void ChatStore::Impl::readParts(qint64 chat, std::vector<MessageRow>& messages) {
    Statement rows(db(),
                   overPath("SELECT p.message, p.kind, p.text, p.meta FROM parts p JOIN path ON path.id = p.message "
                            "ORDER BY p.message, p.place"));
    bindAll(rows, chat);
    auto message = messages.begin();
    while (rows.executeStep()) {
        const qint64 id = rows.getColumn(0).getInt64();
        while (message != messages.end() && message->id < id) ++message;
        if (message == messages.end()) return;
        message->parts.push_back(partFromRow(rows, 1));
    }
}

qint64 ChatStore::Impl::insertMessage(qint64 chat, qint64 parent, const MessageRow& message) {
    Statement insert(db(), "INSERT INTO messages(chat, parent, role, state, created_at, model) "
                           "VALUES (?, nullif(?, 0), ?, ?, ?, ?)");
    bindAll(insert, chat, parent, message.role, stateName(message.state), message.created.toMSecsSinceEpoch(),
            message.model);
    insert.exec();
    const int64_t id = db().getLastInsertRowid();
    insertParts(db(), id, message.parts);
    return id;
}

/// Marks answers that a killed process left unfinished as stopped. If the disk is full, this waits for another start;
/// messageFrom() treats them as stopped too.
void ChatStore::Impl::stopInterrupted() {
    try {
        Transaction transaction(db(), TransactionBehavior::IMMEDIATE);
        db().exec("INSERT INTO message_search(rowid, text) SELECT m.id, t.text FROM messages m "
                  "JOIN message_texts t ON t.id = m.id WHERE m.state = 'streaming'");
        db().exec("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'");
        transaction.commit();
    } catch (const SQLite::Exception&) {
        return;
    }
}

/// Returns false if there was nothing to change.
bool ChatStore::Impl::setDeleted(qint64 chat, bool deleted) {
    Statement update(db(), deleted ? "UPDATE chats SET deleted_at = ?1 WHERE id = ?2 AND deleted_at IS NULL"
                                   : "UPDATE chats SET deleted_at = NULL WHERE ?1 > 0 AND id = ?2");
    bindAll(update, now(), chat);
    return update.exec() > 0;
}

ChatStore::ChatStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChatStore::~ChatStore() = default;

engine::Result<std::unique_ptr<ChatStore>> ChatStore::open(const StoreOptions& options) {
    auto opened = openDatabase(options.folder, options.migrations.empty() ? schemaMigrations() : options.migrations);
    if (!opened) return opened.error();
    auto impl = std::make_unique<Impl>();
    impl->folder = options.folder;
    impl->database = std::move(opened->database);
    impl->notice = std::move(opened->notice);
    impl->readOnly = opened->readOnly;
    if (!impl->readOnly) {
        impl->stopInterrupted();
        keepReserve(options.folder);
    }
    return std::unique_ptr<ChatStore>(new ChatStore(std::move(impl)));
}

const std::optional<engine::Error>& ChatStore::notice() const { return impl_->notice; }
bool ChatStore::readOnly() const { return impl_->readOnly; }

engine::Result<std::vector<ChatRow>> ChatStore::chats(const QString& words) const {
    return guarded(kNotRead, impl_->folder, [&]() -> engine::Result<std::vector<ChatRow>> {
        const std::string match = matchExpression(words);
        Statement rows(
            impl_->db(),
            match.empty()
                ? "SELECT id, title, updated_at, '' FROM chats WHERE deleted_at IS NULL "
                  "ORDER BY updated_at DESC, id DESC"
                : "WITH hits(chat, snippet) AS ("
                  "SELECT rowid, '' FROM chat_search WHERE chat_search MATCH ?1 UNION ALL "
                  "SELECT * FROM (SELECT m.chat, snippet(message_search, 0, '', '', '...', 12) "
                  "FROM message_search JOIN messages m ON m.id = message_search.rowid "
                  "WHERE message_search MATCH ?1 ORDER BY message_search.rowid DESC LIMIT ?2)) "
                  "SELECT c.id, c.title, c.updated_at, max(h.snippet) FROM hits h JOIN chats c ON c.id = h.chat "
                  "WHERE c.deleted_at IS NULL GROUP BY c.id ORDER BY c.updated_at DESC, c.id DESC");
        if (!match.empty()) {
            bindAll(rows, match, kMostHits);
        }
        std::vector<ChatRow> list;
        while (rows.executeStep()) {
            list.push_back({rows.getColumn(0).getInt64(), textOf(rows.getColumn(1)),
                            QDateTime::fromMSecsSinceEpoch(rows.getColumn(2).getInt64()),
                            textOf(rows.getColumn(3)).simplified()});
        }
        return list;
    });
}

engine::Result<ChatRow> ChatStore::chat(qint64 chat) const {
    return guarded(kNotRead, impl_->folder, [&]() -> engine::Result<ChatRow> {
        Statement row(impl_->db(), "SELECT id, title, updated_at FROM chats WHERE id = ? AND deleted_at IS NULL");
        bindAll(row, chat);
        if (!row.executeStep()) return noSuchChat(kNotRead);
        return ChatRow{row.getColumn(0).getInt64(),
                       textOf(row.getColumn(1)),
                       QDateTime::fromMSecsSinceEpoch(row.getColumn(2).getInt64()),
                       {}};
    });
}

engine::Result<std::vector<MessageRow>> ChatStore::messages(qint64 chat) const {
    return guarded(kNotRead, impl_->folder, [&]() -> engine::Result<std::vector<MessageRow>> {
        Statement rows(impl_->db(), overPath("SELECT m.id, m.parent, m.role, m.state, m.created_at, m.model, "
                                             "m.statistics, m.error FROM messages m JOIN path ON path.id = m.id "
                                             "ORDER BY m.id"));
        bindAll(rows, chat);
        std::vector<MessageRow> list;
        while (rows.executeStep()) list.push_back(impl_->messageFrom(rows));
        impl_->readParts(chat, list);
        return list;
    });
}

engine::Result<StoredTurn> ChatStore::addTurn(const NewTurn& turn) {
    return guarded(kNotKept, impl_->folder, [&]() -> engine::Result<StoredTurn> {
        SQLite::Database& db = impl_->db();
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(now());
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        StoredTurn stored{.chat = turn.chat, .prompt = {}, .answer = {}};
        if (stored.chat == 0) {
            Statement insert(db, "INSERT INTO chats(title, created_at, updated_at) VALUES (?1, ?2, ?2)");
            bindAll(insert, turn.title, time.toMSecsSinceEpoch());
            insert.exec();
            stored.chat = db.getLastInsertRowid();
            index(db, kChatsIn, "id = ?", stored.chat);
        }
        Statement leaf(db, "SELECT ifnull(leaf, 0) FROM chats WHERE id = ? AND deleted_at IS NULL");
        bindAll(leaf, stored.chat);
        if (!leaf.executeStep()) return noSuchChat(kNotKept);
        MessageRow& prompt = stored.prompt;
        prompt = {.parent = leaf.getColumn(0).getInt64(),
                  .role = QStringLiteral("user"),
                  .state = MessageState::Complete,
                  .parts = textParts(turn.prompt),
                  .created = time,
                  .model = {},
                  .statistics = {},
                  .error = {}};
        leaf.reset();
        prompt.id = impl_->insertMessage(stored.chat, prompt.parent, prompt);
        index(db, kMessagesIn, "m.id = ?", prompt.id);
        MessageRow& answer = stored.answer;
        answer = {.parent = prompt.id,
                  .role = QStringLiteral("assistant"),
                  .state = MessageState::Streaming,
                  .parts = {},
                  .created = time,
                  .model = turn.model,
                  .statistics = {},
                  .error = {}};
        answer.id = impl_->insertMessage(stored.chat, prompt.id, answer);
        Statement update(db, "UPDATE chats SET leaf = ?, updated_at = ? WHERE id = ?");
        bindAll(update, answer.id, time.toMSecsSinceEpoch(), stored.chat);
        update.exec();
        transaction.commit();
        impl_->streaming.insert(answer.id);
        return stored;
    });
}

engine::Status ChatStore::saveProgress(qint64 message, std::span<const MessagePart> parts, size_t first) {
    return guarded(kAnswerNotKept, impl_->folder, [&]() -> engine::Status {
        const CheaperSync cheaper(impl_->db());
        Transaction transaction(impl_->db(), TransactionBehavior::IMMEDIATE);
        Statement streams(impl_->db(), "SELECT 1 FROM messages WHERE id = ? AND state = 'streaming'");
        bindAll(streams, message);
        if (streams.executeStep()) insertParts(impl_->db(), message, parts, first);
        streams.reset();
        transaction.commit();
        return {};
    });
}

engine::Status ChatStore::finishAnswer(const MessageRow& answer) {
    return guarded(kAnswerNotKept, impl_->folder, [&]() -> engine::Status {
        SQLite::Database& db = impl_->db();
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        index(db, kMessagesOut, "m.id = ?", answer.id);
        Statement update(db, "UPDATE messages SET state = ?, statistics = ?, error = ? WHERE id = ?");
        bindAll(update, stateName(answer.state), statisticsJson(answer.statistics), errorJson(answer.error), answer.id);
        update.exec();
        Statement erase(db, "DELETE FROM parts WHERE message = ?");
        bindAll(erase, answer.id);
        erase.exec();
        insertParts(db, answer.id, answer.parts);
        index(db, kMessagesIn, "m.id = ?", answer.id);
        Statement touch(db, "UPDATE chats SET updated_at = ? WHERE id = (SELECT chat FROM messages WHERE id = ?)");
        bindAll(touch, now(), answer.id);
        touch.exec();
        transaction.commit();
        impl_->streaming.erase(answer.id);
        return {};
    });
}

engine::Status ChatStore::rename(qint64 chat, const QString& title) {
    return guarded(kNotRenamed, impl_->folder, [&]() -> engine::Status {
        SQLite::Database& db = impl_->db();
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        index(db, kChatsOut, "id = ?", chat);
        Statement update(db, "UPDATE chats SET title = ? WHERE id = ? AND deleted_at IS NULL");
        bindAll(update, title, chat);
        if (update.exec() == 0) return noSuchChat(kNotRenamed);
        index(db, kChatsIn, "id = ?", chat);
        transaction.commit();
        return {};
    });
}

engine::Status ChatStore::remove(qint64 chat) {
    return guarded(kNotRemoved, impl_->folder, [&]() -> engine::Status {
        bool found = false;
        try {
            found = impl_->setDeleted(chat, true);
        } catch (const SQLite::Exception& exception) {
            if (primaryCode(exception) != SQLITE_FULL || !letReserveGo(impl_->folder)) throw;
            found = impl_->setDeleted(chat, true);
        }
        if (!found) return noSuchChat(kNotRemoved);
        return {};
    });
}

engine::Status ChatStore::restore(qint64 chat) {
    return guarded(kNotRestored, impl_->folder, [&]() -> engine::Status {
        if (!impl_->setDeleted(chat, false)) return noSuchChat(kNotRestored);
        return {};
    });
}

engine::Result<qint64> ChatStore::purge(const QDateTime& then) {
    return guarded(kNotPurged, impl_->folder, [&]() -> engine::Result<qint64> {
        SQLite::Database& db = impl_->db();
        const qint64 before = then.toMSecsSinceEpoch();
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        index(db, kMessagesOut, "m.chat IN (SELECT id FROM chats WHERE deleted_at < ?)", before);
        index(db, kChatsOut, "deleted_at < ?", before);
        Statement erase(db, "DELETE FROM chats WHERE deleted_at < ?");
        bindAll(erase, before);
        const int erased = erase.exec();
        transaction.commit();
        return static_cast<qint64>(erased);
    });
}

} // namespace coterie::app
