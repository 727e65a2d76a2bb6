// SPDX-License-Identifier: Apache-2.0
// Data that belongs to messages and is not shown as text: token records and traces of answers, and the bytes of
// attachments. ChatStore::records() and ChatReader::records() lead here; the rules of chat_reads.h hold here too.
//
// Records are compressed, which takes time: a long trace should not be written while a person waits. Room in the file
// that a removed record had is used again, but the file does not become smaller.
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

#include <QByteArray>

#include <optional>

namespace coterie::app {

struct Connection;

enum class RecordKind {
    Tokens, ///< the tokens of an answer, with their probabilities
    Trace,  ///< the experts that each token used
};

class MessageRecords {
  public:
    /// The connection outlives this.
    explicit MessageRecords(Connection& connection) : connection_(connection) {}

    /// Returns nothing if the message has no such record.
    engine::Result<std::optional<Record>> get(RecordKind kind, qint64 message) const;
    /// Keeps the record instead of an older one, then removes the oldest records of this kind until all together take
    /// at most `limit` bytes; a record that is larger alone is not kept. Returns the bytes that they take now.
    engine::Result<qint64> put(RecordKind kind, qint64 message, const Record& record, qint64 limit);
    engine::Status remove(RecordKind kind, qint64 message);
    engine::Status removeAll(RecordKind kind);
    /// Removes the oldest records until all together take at most `limit` bytes. Returns the bytes that they take now.
    engine::Result<qint64> trim(RecordKind kind, qint64 limit);
    /// Returns the compressed bytes of all records.
    engine::Result<qint64> totalBytes(RecordKind kind) const;

    /// Returns the original bytes of the attachment that is the message's part with this index.
    engine::Result<QByteArray> attachment(const AttachmentKey& key) const;

  private:
    Connection& connection_;
};

} // namespace coterie::app
