// SPDX-License-Identifier: Apache-2.0
// Data that belongs to messages and is not shown as text: token records and traces of answers, and the bytes of
// attachments. ChatStore::records() and ChatReader::records() lead here; the rules of chat_reads.h hold here too.
//
// Records are compressed, which takes time: packedRecord() and get() of a long trace belong on a thread of their own,
// and then the store's thread writes only packed bytes. Room in the file that a removed record had is used again, but
// the file does not become smaller.
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

#include <QByteArray>

#include <optional>
#include <string>

namespace coterie::app {

struct Connection;

enum class RecordKind {
    Tokens, ///< the tokens of an answer, with their probabilities
    Trace,  ///< the experts that each token used
};

/// The name of the table that has the records of this kind.
std::string recordTable(RecordKind kind);

/// A compressed record, as the file holds it.
struct PackedRecord {
    int version = 0;
    QByteArray bytes;
};

/// Compresses a record. Any thread. BadInput if it is too long to be kept.
engine::Result<PackedRecord> packedRecord(const Record& record);

/// The records of one answer.
struct PackedRecords {
    std::optional<PackedRecord> tokens{};
    std::optional<PackedRecord> trace{};
};

class MessageRecords {
  public:
    /// The connection outlives this.
    explicit MessageRecords(Connection& connection) : connection_(connection) {}

    /// Returns nothing if the message has no such record.
    engine::Result<std::optional<Record>> get(RecordKind kind, qint64 message) const;
    /// Keeps these records of the message instead of all that it had: an answer keeps both of its records or none. Then
    /// removes those of the oldest answers until the rest takes at most `limit` bytes; records that are larger alone
    /// are not kept. Not synced. Returns the bytes that all records take now.
    engine::Result<qint64> put(qint64 message, const PackedRecords& records, qint64 limit);
    /// Removes the records of the oldest answers until the rest takes at most `limit` bytes. Returns the bytes that all
    /// records take now.
    engine::Result<qint64> trim(qint64 limit);
    /// Removes all records of both kinds. This works on a full disk too.
    engine::Status removeAll();
    /// Returns the compressed bytes of all records of both kinds.
    engine::Result<qint64> totalBytes() const;

    /// Returns the original bytes of the attachment that is the message's part with this index.
    engine::Result<QByteArray> attachment(const AttachmentKey& key) const;

  private:
    Connection& connection_;
};

} // namespace coterie::app
