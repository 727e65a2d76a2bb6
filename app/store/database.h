// SPDX-License-Identifier: Apache-2.0
// Opens chats.db with all that makes it safe: checks, backup before a migration, limits against a hostile file, a
// damaged file set aside. Knows files and SQLite, nothing of what a message is.
#pragma once

#include "store/schema.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <QString>

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace coterie::app {

/// What SQLite refused, in three sentences; `what` is the first. `folder` is where the file lies.
engine::Error storeError(const SQLite::Exception& exception, const engine::Sentence& what, const QString& folder);
engine::Error memoryError(const engine::Sentence& what);

/// SQLite's primary result code: what is left of an extended one.
inline int primaryCode(const SQLite::Exception& exception) { return exception.getErrorCode() & 0xff; }

/// Runs `body`, which returns a Result or a Status; what it throws becomes an error that begins with `what`.
template <typename Body>
auto guarded(const engine::Sentence& what, const QString& folder, Body&& body) -> decltype(body()) {
    try {
        return body();
    } catch (const SQLite::Exception& exception) {
        return storeError(exception, what, folder);
    } catch (const std::bad_alloc&) {
        return memoryError(what);
    }
}

struct OpenedDatabase {
    std::unique_ptr<SQLite::Database> database;
    std::optional<engine::Error> notice; ///< what the user should know
    bool readOnly = false;
};

/// folder/chats.db, made where it is missing, brought to the latest of `migrations`.
engine::Result<OpenedDatabase> openDatabase(const QString& folder, std::span<const Migration> migrations);

/// The bytes kept aside so that deleting works on a full disk. False where there is no room for them.
bool keepReserve(const QString& folder);
/// Gives them back to the disk; false where there was nothing to give.
bool letReserveGo(const QString& folder);

} // namespace coterie::app
