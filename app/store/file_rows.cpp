// SPDX-License-Identifier: Apache-2.0
// See file_rows.h.
#include "store/file_rows.h"

#include "store/connection.h"

#include <QCryptographicHash>

namespace coterie::app {

engine::Status checkSize(const NewFile& file, const engine::Sentence& what) {
    if (file.bytes.size() <= kLargestFile) return {};
    return engine::Error{
        engine::ErrorKind::BadInput,
        what,
        {"The file %1 has %2", file.name.toStdString(), engine::ByteCount{static_cast<uint64_t>(file.bytes.size())}},
        {"Attach a file of at most %1", engine::ByteCount{uint64_t{kLargestFile}}}};
}

MessagePart partOf(const NewFile& file) {
    return {.kind = PartKind::Attachment,
            .text = file.text,
            .name = file.name,
            .mediaType = file.mediaType,
            .size = file.bytes.size()};
}

qint64 keepFile(SQLite::Database& database, const QByteArray& bytes) {
    const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
    run(database, "INSERT OR IGNORE INTO files(hash, data) VALUES (?, ?)", hash, bytes);
    SQLite::Statement row(database, "SELECT id FROM files WHERE hash = ?");
    bindAll(row, hash);
    row.executeStep();
    return row.getColumn(0).getInt64();
}

void attach(SQLite::Database& database, qint64 message, size_t place, qint64 file) {
    run(database, "INSERT INTO attachments(message, place, file) VALUES (?, ?, ?)", message, static_cast<qint64>(place),
        file);
}

} // namespace coterie::app
