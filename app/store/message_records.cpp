// SPDX-License-Identifier: Apache-2.0
// See message_records.h. Both kinds of records have tables of the same shape.
#include "store/message_records.h"

#include "store/connection.h"
#include "store/packed_bytes.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Transaction.h>

#include <vector>

namespace coterie::app {
namespace {

using SQLite::Statement;
using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr char kNotKept[] = "The record of an answer was not kept";
constexpr char kNotRead[] = "The record of an answer can't be read";
constexpr char kNotRemoved[] = "Records of answers were not removed";
constexpr char kFileNotRead[] = "The attached file can't be read";

void removeFrom(SQLite::Database& database, RecordKind kind, qint64 message) {
    run(database, "DELETE FROM " + recordTable(kind) + " WHERE message = ?", message);
}

void insertInto(SQLite::Database& database, RecordKind kind, qint64 message, const PackedRecord& record) {
    run(database,
        "INSERT OR REPLACE INTO " + recordTable(kind) +
            "(message, version, created_at, size, data) VALUES (?, ?, ?, ?, ?)",
        message, static_cast<qint64>(record.version), nowMs(), static_cast<qint64>(record.bytes.size()), record.bytes);
}

constexpr RecordKind kKinds[] = {RecordKind::Tokens, RecordKind::Trace};

qint64 totalOfAll(SQLite::Database& database) {
    qint64 total = 0;
    for (const RecordKind kind : kKinds)
        total += database.execAndGet("SELECT ifnull(sum(size), 0) FROM " + recordTable(kind)).getInt64();
    return total;
}

/// Returns the messages whose records have no room below the limit: those that are older than what fits.
std::vector<qint64> messagesBeyond(SQLite::Database& database, qint64 limit) {
    Statement rows(database, "SELECT message FROM (SELECT message, sum(size) OVER (ORDER BY created_at DESC, message "
                             "DESC) AS newer FROM (SELECT message, max(created_at) AS created_at, sum(size) AS size "
                             "FROM (SELECT message, created_at, size FROM token_records UNION ALL "
                             "SELECT message, created_at, size FROM traces) GROUP BY message)) WHERE newer > ?");
    bindAll(rows, limit);
    std::vector<qint64> messages;
    while (rows.executeStep()) messages.push_back(rows.getColumn(0).getInt64());
    return messages;
}

/// Returns the bytes that are left.
qint64 trimAllTo(SQLite::Database& database, qint64 limit) {
    const qint64 total = totalOfAll(database);
    if (total <= limit) return total; // nearly always
    for (const qint64 message : messagesBeyond(database, limit))
        for (const RecordKind kind : kKinds) removeFrom(database, kind, message);
    return totalOfAll(database);
}

bool isThere(SQLite::Database& database, qint64 message) {
    Statement row(database, "SELECT 1 FROM messages WHERE id = ?");
    bindAll(row, message);
    return row.executeStep();
}

} // namespace

std::string recordTable(RecordKind kind) { return kind == RecordKind::Tokens ? "token_records" : "traces"; }

engine::Result<std::optional<Record>> MessageRecords::get(RecordKind kind, qint64 message) const {
    using Found = engine::Result<std::optional<Record>>;
    return onConnection(connection_, kNotRead, [&]() -> Found {
        Statement row(connection_.db(), "SELECT version, data FROM " + recordTable(kind) + " WHERE message = ?");
        bindAll(row, message);
        if (!row.executeStep()) return Found(std::nullopt);
        const std::optional<QByteArray> bytes = unpacked(bytesOf(row.getColumn(1)));
        if (!bytes)
            return engine::Error{engine::ErrorKind::Damaged, kNotRead, "Its bytes are damaged",
                                 "Write the answer again to get a new record"};
        return Found(Record{.version = row.getColumn(0).getInt(), .bytes = *bytes});
    });
}

engine::Result<PackedRecord> packedRecord(const Record& record) {
    if (record.bytes.size() > kLargestRecord)
        return engine::Error{engine::ErrorKind::BadInput, kNotKept, "It is too long",
                             "Go on: the answer itself is kept"};
    return PackedRecord{.version = record.version, .bytes = packed(record.bytes)};
}

engine::Result<qint64> MessageRecords::put(qint64 message, const PackedRecords& records, qint64 limit) {
    return onConnection(connection_, kNotKept, [&]() -> engine::Result<qint64> {
        SQLite::Database& db = connection_.db();
        const CheaperSync cheaper(db);
        Transaction transaction(db, TransactionBehavior::IMMEDIATE);
        if (!isThere(db, message)) return noSuchMessage(kNotKept);
        for (const RecordKind kind : kKinds) removeFrom(db, kind, message);
        const auto bytes = [](const std::optional<PackedRecord>& record) { return record ? record->bytes.size() : 0; };
        if (bytes(records.tokens) + bytes(records.trace) <= limit) {
            if (records.tokens) insertInto(db, RecordKind::Tokens, message, *records.tokens);
            if (records.trace) insertInto(db, RecordKind::Trace, message, *records.trace);
        }
        const qint64 total = trimAllTo(db, limit);
        transaction.commit();
        return total;
    });
}

engine::Result<qint64> MessageRecords::trim(qint64 limit) {
    return inTransaction(connection_, kNotRemoved,
                         [&](SQLite::Database& db) -> engine::Result<qint64> { return trimAllTo(db, limit); });
}

engine::Status MessageRecords::removeAll() {
    return onConnection(connection_, kNotRemoved, [&]() -> engine::Status {
        return withReserve(connection_.folder, [&]() -> engine::Status {
            Transaction transaction(connection_.db(), TransactionBehavior::IMMEDIATE);
            for (const RecordKind kind : kKinds) run(connection_.db(), "DELETE FROM " + recordTable(kind));
            transaction.commit();
            return {};
        });
    });
}

engine::Result<qint64> MessageRecords::totalBytes() const {
    return onConnection(connection_, kNotRead,
                        [&]() -> engine::Result<qint64> { return totalOfAll(connection_.db()); });
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
