// SPDX-License-Identifier: Apache-2.0
// An SQL function for full-text queries: hit_ranges(table) returns the places of a hit in the first column, as a BLOB
// of two int32 for each: its first byte and the byte after its last. SQLite's own highlight() puts marks into the text
// instead, which look like the same characters in it, and ends at a NUL.
#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <vector>

namespace coterie::app {

struct ByteRange {
    int32_t begin = 0;
    int32_t end = 0;
};

/// Makes the function known to this connection.
void addHitRanges(SQLite::Database& database);
std::vector<ByteRange> hitRangesOf(const SQLite::Column& column);

} // namespace coterie::app
