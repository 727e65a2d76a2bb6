// SPDX-License-Identifier: Apache-2.0
// See message_records.h. Both kinds of records have tables of the same shape.
#include "store/message_records.h"

#include "store/connection.h"
#include "store/packed_bytes.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Transaction.h>

namespace coterie::app {
namespace {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr char kNotKept[] = "The record of an answer was not kept";
constexpr char kNotRead[] = "The record of an answer can't be read";
constexpr char kNotRemoved[] = "Records of answers were not removed";
constexpr char kFileNotRead[] = "The attached file can't be read";

std::string tableOf(RecordKind kind) { return kind == RecordKind::Tokens ? "token_records" : "traces"; }

qint64 totalOf(SQLite::Database& database, RecordKind kind) {
    return database.execAndGet("SELECT ifnull(sum(size), 0) FROM " + tableOf(kind)).getInt64();
}

void trimTo(SQLite::Database& database, RecordKind kind, qint64 limit) {
    const std::string table = tableOf(kind);
    run(database,
        "DELETE FROM " + table +
            " WHERE message IN (SELECT message FROM (SELECT message, sum(size) OVER "
            "(ORDER BY created_at DESC, message DESC) AS newer FROM " +
            table + ") WHERE newer > ?)",
        limit);
}

bool isThere(SQLite::Database& database, qint64 message) {
    Statement row(database, "SELECT 1 FROM messages WHERE id = ?");
    bindAll(row, message);
    return row.executeStep();
}

} // namespace

engine::Result<std::optional<Record>> MessageRecords::get(RecordKind kind, qint64 message) const {
    using Found = engine::Result<std::optional<Record>>;
    return onConnection(connection_, kNotRead, [&]() -> Found {
        Statement row(connection_.db(), "SELECT version, data FROM " + tableOf(kind) + " WHERE message = ?");
        bindAll(row, message);
        if (!row.executeStep()) return Found(std::nullopt);
        const std::optional<QByteArray> bytes = unpacked(bytesOf(row.getColumn(1)));
        if (!bytes)
            return engine::Error{engine::ErrorKind::Damaged, kNotRead, "Its bytes are damaged",
                                 "Write the answer again to get a new record"};
        return Found(Record{.version = row.getColumn(0).getInt(), .bytes = *bytes});
    });
}

engine::Result<qint64> MessageRecords::put(RecordKind kind, qint64 message, const Record& record, qint64 limit) {
    return onConnection(connection_, kNotKept, [&]() -> engine::Result<qint64> {
        if (record.bytes.size() > kLargestRecord)
            return engine::Error{engine::ErrorKind::BadInput, kNotKept, "It is too long",
                                 "Go on: the answer itself is kept"};
        SQLite::Database& db = connection_.db();
        const QByteArray data = packed(record.bytes);
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        if (!isThere(db, message)) return noSuchMessage(kNotKept);
        if (data.size() > limit)
            run(db, "DELETE FROM " + tableOf(kind) + " WHERE message = ?", message);
        else
            run(db,
                "INSERT OR REPLACE INTO " + tableOf(kind) +
                    "(message, version, created_at, size, data) VALUES (?, ?, ?, ?, ?)",
                message, static_cast<qint64>(record.version), nowMs(), static_cast<qint64>(data.size()), data);
        trimTo(db, kind, limit);
        const qint64 total = totalOf(db, kind);
        transaction.commit();
        return total;
    });
}

engine::Status MessageRecords::remove(RecordKind kind, qint64 message) {
    return onConnection(connection_, kNotRemoved, [&]() -> engine::Status {
        run(connection_.db(), "DELETE FROM " + tableOf(kind) + " WHERE message = ?", message);
        return {};
    });
}

engine::Status MessageRecords::removeAll(RecordKind kind) {
    return onConnection(connection_, kNotRemoved, [&]() -> engine::Status {
        run(connection_.db(), "DELETE FROM " + tableOf(kind));
        return {};
    });
}

engine::Result<qint64> MessageRecords::trim(RecordKind kind, qint64 limit) {
    return onConnection(connection_, kNotRemoved, [&]() -> engine::Result<qint64> {
        Transaction transaction(connection_.db(), TransactionBehavior::IMMEDIATE);
        trimTo(connection_.db(), kind, limit);
        const qint64 total = totalOf(connection_.db(), kind);
        transaction.commit();
        return total;
    });
}

engine::Result<qint64> MessageRecords::totalBytes(RecordKind kind) const {
    return onConnection(connection_, kNotRead,
                        [&]() -> engine::Result<qint64> { return totalOf(connection_.db(), kind); });
}

engine::Result<QByteArray> MessageRecords::attachment(const AttachmentKey& key) const {
    return onConnection(connection_, kFileNotRead, [&]() -> engine::Result<QByteArray> {
        Statement row(connection_.db(), "SELECT f.data FROM attachments a JOIN files f ON f.id = a.file "
                                        "WHERE a.message = ? AND a.place = ?");
        bindAll(row, key.message, static_cast<qint64>(key.part));
        if (!row.executeStep())
            return engine::Error{engine::ErrorKind::NotFound, kFileNotRead, "It is not there any more",
                                 "Attach the file again"};
        return bytesOf(row.getColumn(0));
    });
}

} // namespace coterie::app
