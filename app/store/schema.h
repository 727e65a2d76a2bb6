// SPDX-License-Identifier: Apache-2.0
// The tables of chats.db, as the steps that lead from each version to the next. A step that has been released never
// changes again.
#pragma once

#include "base/result.h"

#include <QString>

#include <span>

namespace SQLite {
class Database;
}

namespace coterie::app {

/// Leads from version `to - 1` to `to`; version 0 is an empty file. `convert`, if there is one, runs after `sql` and in
/// the same transaction: it does what SQL can't.
struct Migration {
    int to = 0;
    const char* sql = nullptr;
    void (*convert)(SQLite::Database& database) = nullptr;
};

/// Marks the file as ours ("Cote" in its header).
constexpr int kApplicationId = 0x436f7465;

/// The program's own migrations, in order.
std::span<const Migration> schemaMigrations();

/// The file's version. Throws what SQLite throws, as everything below the store does.
int schemaVersion(SQLite::Database& database);
/// Runs the steps after the file's version, each in a transaction of its own.
void migrate(SQLite::Database& database, std::span<const Migration> migrations);

} // namespace coterie::app
