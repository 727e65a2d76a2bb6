// SPDX-License-Identifier: Apache-2.0
// A connection to chats.db, and helpers for its statements. The classes of the store share one; nothing outside the
// store uses it. Everything here throws what SQLite throws.
#pragma once

#include "base/mutex.h"
#include "store/database.h"
#include "store/write_turns.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

namespace coterie::app {

/// The unfinished answers that this process writes; others in that state were cut off. Any thread may ask.
class StreamingAnswers {
  public:
    void add(qint64 message);
    void remove(qint64 message);
    bool contains(qint64 message) const;

  private:
    mutable engine::Mutex mutex_;
    std::unordered_set<qint64> messages_ COTERIE_GUARDED_BY(mutex_);
};

struct Connection {
    QString folder;                        ///< the folder of chats.db
    std::string name;                      ///< name of a database in memory; empty: it is a file
    std::optional<engine::Error> onlyRead; ///< reason why nothing can be written; nothing: it can
    std::shared_ptr<WriteTurns> turns;     ///< null: the database is in memory
    std::unique_ptr<SQLite::Database> database;
    std::shared_ptr<StreamingAnswers> streaming;
    std::atomic<quint64> firstJob{0}; ///< jobs before this one are cancelled; any thread may raise it
    quint64 job = 0;                  ///< the job that runs now

    SQLite::Database& db() { return *database; }
    bool cancelled() const { return job < firstJob.load(); }
    /// Returns the error of a call that would write: `what` did not happen. Call it only if onlyRead is set.
    engine::Error onlyReadError(const engine::Sentence& what) const {
        return {onlyRead->kind, what, onlyRead->why, onlyRead->action};
    }
};

/// Runs `body` as guarded() does, unless the connection's job is cancelled.
template <typename Body>
auto onConnection(const Connection& connection, const engine::Sentence& what, Body&& body) -> decltype(body()) {
    if (connection.cancelled()) return cancelledError(what);
    return guarded(what, connection.folder, [&] {
        try {
            return body();
        } catch (const SQLite::Exception& exception) {
            if (!connection.onlyRead || !isRefusedWrite(exception)) throw;
        }
        return decltype(body())(connection.onlyReadError(what));
    });
}

/// Runs `body` as onConnection() does, in a transaction that is committed if `body` returns no error.
template <typename Body>
auto inTransaction(Connection& connection, const engine::Sentence& what, const Body& body)
    -> decltype(body(connection.db())) {
    return onConnection(connection, what, [&] {
        SQLite::Transaction transaction(connection.db(), SQLite::TransactionBehavior::IMMEDIATE);
        auto result = body(connection.db());
        if (result) transaction.commit();
        return result;
    });
}

inline void put(SQLite::Statement& statement, int place, qint64 value) {
    statement.bind(place, static_cast<int64_t>(value));
}
inline void put(SQLite::Statement& statement, int place, double value) { statement.bind(place, value); }
inline void put(SQLite::Statement& statement, int place, const std::string& value) { statement.bind(place, value); }
inline void put(SQLite::Statement& statement, int place, const QString& value) {
    statement.bind(place, value.toStdString());
}
/// The bytes are not copied: they must live until the statement has run.
inline void put(SQLite::Statement& statement, int place, const QByteArray& value) {
    statement.bindNoCopy(place, static_cast<const void*>(value.constData()), static_cast<int>(value.size()));
}

/// Binds the values to ?1, ?2, ...
template <typename... Values>
void bindAll(SQLite::Statement& statement, const Values&... values) {
    int place = 0;
    (put(statement, ++place, values), ...);
}

/// Runs a statement that returns no rows; returns the number of rows that it changed.
template <typename... Values>
int run(SQLite::Database& database, const std::string& sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    bindAll(statement, values...);
    return statement.exec();
}

inline QString textOf(const SQLite::Column& column) { return QString::fromStdString(column.getString()); }
inline QByteArray bytesOf(const SQLite::Column& column) {
    return {static_cast<const char*>(column.getBlob()), column.getBytes()};
}
/// Returns the local time; null if the column is NULL.
inline QDateTime timeOf(const SQLite::Column& column) {
    return column.isNull() ? QDateTime() : QDateTime::fromMSecsSinceEpoch(column.getInt64());
}
inline qint64 nowMs() { return QDateTime::currentMSecsSinceEpoch(); }

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

} // namespace coterie::app
