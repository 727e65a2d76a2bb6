// SPDX-License-Identifier: Apache-2.0
// Rows of the table `parts`: the parts of messages in chats.db. Throws what SQLite throws, as everything below the
// store does.
#pragma once

#include "store/message_part.h"

#include <cstdint>
#include <span>

namespace SQLite {
class Database;
class Statement;
} // namespace SQLite

namespace coterie::app {

/// Writes the parts from index `first` on; a row with the same index is replaced.
void insertParts(SQLite::Database& database, int64_t message, std::span<const MessagePart> parts, size_t first = 0);
/// Reads a part from three columns in this order: kind, text, meta. `column` is the first one's number.
MessagePart partFromRow(SQLite::Statement& row, int column);

} // namespace coterie::app
