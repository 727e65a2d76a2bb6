// SPDX-License-Identifier: Apache-2.0
// Opens chats.db safely: checks the file, backs it up before a migration, sets limits against a hostile file, and
// renames a damaged one. This code knows files and SQLite, but not what a message is.
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

/// Returns an error of three sentences for an SQLite exception. `what` is the first sentence; `folder` is the folder of
/// the file.
engine::Error storeError(const SQLite::Exception& exception, const engine::Sentence& what, const QString& folder);
engine::Error memoryError(const engine::Sentence& what);
engine::Error cancelledError(const engine::Sentence& what);

/// How long a connection waits for another program that writes to the file.
inline constexpr int kBusyTimeoutMs = 2000;

/// Returns SQLite's primary result code, the low byte of an extended one.
inline int primaryCode(const SQLite::Exception& exception) { return exception.getErrorCode() & 0xff; }

bool isFullDisk(const SQLite::Exception& exception);
/// Whether a write was refused because the database is open for reading only.
bool isRefusedWrite(const SQLite::Exception& exception);

/// Runs `body`, which returns a Result or a Status; an SQLite exception or std::bad_alloc becomes an error that begins
/// with `what`.
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
    std::optional<engine::Error> notice; ///< message for the user; if it is opened for reading only, the reason
    bool readOnly = false;
};

/// Opens folder/chats.db, creates it if it does not exist, and migrates it to the latest version of `migrations`. A
/// file of a newer version is opened for reading, if it has everything that this version reads, and never changed.
engine::Result<OpenedDatabase> openDatabase(const QString& folder, std::span<const Migration> migrations);

/// Creates a database in memory under this name, which openForReading() takes too while it is open. Nothing of it is
/// ever written to a disk. Its ids begin at kFirstTemporaryId.
engine::Result<std::unique_ptr<SQLite::Database>> openInMemory(const std::string& name);
/// Opens a second connection to it, which only reads.
engine::Result<std::unique_ptr<SQLite::Database>> openForReading(const std::string& name);

/// Opens a second connection, which only reads, to the file that openDatabase() has opened. readOnly: as it said there.
engine::Result<std::unique_ptr<SQLite::Database>> openForReading(const QString& folder, bool readOnly);

/// Opens another connection that writes to the file that openDatabase() has opened.
engine::Result<std::unique_ptr<SQLite::Database>> openForAdding(const QString& folder);

/// Writes the reserve: a file that is deleted when the disk is full, so that a chat can still be removed. Returns false
/// if there is no room for it.
bool keepReserve(const QString& folder);
/// Deletes the reserve; returns false if there was none.
bool letReserveGo(const QString& folder);

/// Runs `body`, and once more without the reserve if the disk is full. What it has written must not be committed then.
template <typename Body>
auto withReserve(const QString& folder, Body&& body) -> decltype(body()) {
    try {
        return body();
    } catch (const SQLite::Exception& exception) {
        if (!isFullDisk(exception) || !letReserveGo(folder)) throw;
    }
    return body();
}

} // namespace coterie::app
