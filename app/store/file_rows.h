// SPDX-License-Identifier: Apache-2.0
// Rows of the tables `files` and `attachments`: the bytes of attached files. Throws what SQLite throws.
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

#include <QByteArray>

namespace SQLite {
class Database;
}

namespace coterie::app {

/// Bytes of one attachment. A value in the file has at most 64 MiB (database.cpp), its row included.
inline constexpr qsizetype kLargestFile = (qsizetype{64} << 20) - 4096;

/// Returns BadInput if the file has more bytes; `what` is the first sentence.
engine::Status checkSize(const NewFile& file, const engine::Sentence& what);
/// Returns the part of a message that has this file.
MessagePart partOf(const NewFile& file);
/// Returns the id of the file with these bytes; keeps them if there is none yet.
qint64 keepFile(SQLite::Database& database, const QByteArray& bytes);
/// Says that the part of a message with this index has this file.
void attach(SQLite::Database& database, qint64 message, size_t place, qint64 file);

} // namespace coterie::app
