// SPDX-License-Identifier: Apache-2.0
// See part_rows.h.
#include "store/part_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace coterie::app {

void insertParts(SQLite::Database& database, int64_t message, std::span<const MessagePart> parts, size_t first) {
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO parts(message, place, kind, text, meta) "
                                       "VALUES (?, ?, ?, ?, ?)");
    for (size_t i = first; i < parts.size(); ++i) {
        insert.bind(1, message);
        insert.bind(2, static_cast<int64_t>(i));
        insert.bind(3, partKindName(parts[i].kind).toStdString());
        insert.bind(4, parts[i].text.toStdString());
        insert.bind(5, partMeta(parts[i]).toStdString());
        insert.exec();
        insert.reset();
    }
}

MessagePart partFromRow(SQLite::Statement& row, int column) {
    const auto text = [&](int offset) { return QString::fromStdString(row.getColumn(column + offset).getString()); };
    MessagePart part;
    part.kind = partKindFrom(text(0)).value_or(PartKind::Text);
    part.text = text(1);
    readPartMeta(text(2), part);
    return part;
}

} // namespace coterie::app
