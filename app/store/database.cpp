// SPDX-License-Identifier: Apache-2.0
// Opens a database that can be trusted to keep chats.
#include "store/database.h"

#include "store/chat_rows.h"
#include "store/hit_ranges.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Statement.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <QUrl>

#include <sqlite3.h>

#include <algorithm>
#include <set>
#include <string>

namespace coterie::app {
namespace {

constexpr int kLongestValue = 64 << 20;             // bytes of one text; the limit of a prompt is much lower
constexpr qint64 kAlwaysCheckedBytes = 32 << 20;    // checking this many bytes takes a fraction of a second
constexpr qint64 kReserveBytes = 1 << 20;           // hundreds of pages: enough for any one deletion
constexpr int kReserveByte = 0x43;                  // not zero: a hole would reserve nothing
constexpr const char* kBesideLog = "?mode=ro";      // opens a file for reading that may have a -wal file beside it
constexpr const char* kUnchanging = "?immutable=1"; // opens a file for reading that no program changes

QString databasePath(const QString& folder) { return QDir(folder).filePath(QStringLiteral("chats.db")); }
QString reservePath(const QString& folder) { return QDir(folder).filePath(QStringLiteral("chats.reserve")); }

QString timeStamp() { return QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")); }

/// Returns an unused name: stem-<time>.db, with a number if the name of that second is taken.
QString freshPath(const QString& folder, const QString& stem) {
    const QString base = QDir(folder).filePath(stem + QLatin1Char('-') + timeStamp());
    QString path = base + QStringLiteral(".db");
    for (int i = 2; QFile::exists(path); ++i) path = base + QStringLiteral("-%1.db").arg(i);
    return path;
}

bool isDamage(const SQLite::Exception& exception) {
    return primaryCode(exception) == SQLITE_CORRUPT || primaryCode(exception) == SQLITE_NOTADB;
}

/// Sets limits, because a file may come from anywhere: its schema is not trusted, and no value in it may be huge.
void protect(SQLite::Database& database) {
    sqlite3* handle = database.getHandle();
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    // Until the file is known to be sound, closing leaves it and its -wal as they are.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 16);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 100);
    database.exec("PRAGMA cell_size_check = ON");
    database.exec("PRAGMA foreign_keys = ON");
    addHitRanges(database);
}

/// Returns the address of a file for SQLite, which takes //server/share as a path only: it refuses the name of a server
/// where Qt's addresses have it.
std::string addressOf(const QString& path) {
    if (!path.startsWith(QStringLiteral("//"))) return QUrl::fromLocalFile(path).toEncoded().toStdString();
    return "file://" + QUrl::toPercentEncoding(path, "/").toStdString();
}

/// Opens a file for reading. mode: the query of its address.
std::unique_ptr<SQLite::Database> connectForReading(const QString& path, const char* mode) {
    auto database = std::make_unique<SQLite::Database>(addressOf(path) + mode, SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                                                       kBusyTimeoutMs);
    protect(*database);
    database->execAndGet("PRAGMA user_version"); // the first access to the file
    return database;
}

/// Opens a file that no program writes to. If there is a log beside it, the latest messages are only in that; if there
/// is none, SQLite must not make one.
std::unique_ptr<SQLite::Database> connectToUnchanging(const QString& path) {
    if (QFileInfo(path + QStringLiteral("-wal")).size() > 0) {
        try {
            return connectForReading(path, kBesideLog);
        } catch (const SQLite::Exception&) {
            return connectForReading(path, kUnchanging); // the folder can't be written
        }
    }
    return connectForReading(path, kUnchanging);
}

/// Opens a database of SQLite's own file system in memory, which connections of one process share by its name.
std::unique_ptr<SQLite::Database> connectInMemory(const std::string& name, int flags) {
    auto database =
        std::make_unique<SQLite::Database>("file:/" + name + "?vfs=memdb", flags | SQLite::OPEN_URI, kBusyTimeoutMs);
    protect(*database);
    database->exec("PRAGMA temp_store = MEMORY"); // a query that sorts much must not use a file
    return database;
}

/// Returns every row of integrity_check; empty if the file is sound.
QStringList damageIn(SQLite::Database& database) {
    QStringList found;
    SQLite::Statement check(database, "PRAGMA integrity_check");
    while (check.executeStep()) {
        const QString row = QString::fromStdString(check.getColumn(0).getString());
        if (row != QStringLiteral("ok")) found.append(row);
    }
    return found;
}

void copyInto(SQLite::Database& copy, SQLite::Database& database) {
    SQLite::Backup backup(copy, "main", database, "main");
    const int done = backup.executeStep(-1);
    if (done != SQLITE_DONE) throw SQLite::Exception("the backup was not finished", done);
}

/// Removes backups that were not finished: a disk that is full, or a process that was killed, leaves one.
void removeHalfBackups(const QString& folder) {
    const QStringList names = QDir(folder).entryList({QStringLiteral("chats-before-v*.db.part*")}, QDir::Files);
    for (const QString& name : names) QFile::remove(QDir(folder).filePath(name));
}

/// Backs the database up. The backup API also reads the -wal file; a copy of the file would not.
void backUp(SQLite::Database& database, const QString& path) {
    const QString part = path + QStringLiteral(".part"), folder = QFileInfo(path).path();
    removeHalfBackups(folder);
    try {
        SQLite::Database copy(part.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        copyInto(copy, database);
    } catch (const SQLite::Exception&) {
        removeHalfBackups(folder); // it would take the room that is missing
        throw;
    }
    if (!QFile::rename(part, path)) throw SQLite::Exception("the backup can't get its name", SQLITE_IOERR);
}

/// A file of an older version that can't be written is migrated in memory. Nothing can be written there either.
void makeCurrent(std::unique_ptr<SQLite::Database>& database, std::span<const Migration> migrations) {
    if (schemaVersion(*database) >= migrations.back().to) return;
    auto copy = std::make_unique<SQLite::Database>(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    copyInto(*copy, *database);
    protect(*copy);
    migrate(*copy, migrations);
    copy->exec("PRAGMA query_only = ON");
    database = std::move(copy);
}

/// Returns the names of all columns of all tables and views, each behind the name of its table.
std::set<std::string> columnsOf(SQLite::Database& database) {
    std::set<std::string> columns;
    SQLite::Statement rows(database, "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                                     "WHERE t.type IN ('table', 'view')");
    while (rows.executeStep()) columns.insert(rows.getColumn(0).getString());
    return columns;
}

/// Returns whether everything that this version reads is also in a file of a newer version.
bool isReadable(SQLite::Database& database, std::span<const Migration> migrations) {
    SQLite::Database own(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(own, migrations);
    const std::set<std::string> there = columnsOf(database), needed = columnsOf(own);
    return std::includes(there.begin(), there.end(), needed.begin(), needed.end());
}

engine::Error newerVersionError(int version) {
    return {engine::ErrorKind::Unsupported,
            "The chats can't be opened",
            {"They were written by a newer version of Coterie (format %1)", version},
            "Install the newer version. The file was not changed"};
}

engine::Error newerVersionNotice(int version) {
    return {
        engine::ErrorKind::Unsupported,
        "New messages can't be kept",
        {"The chats were written by a newer version of Coterie (format %1), and this version only shows them", version},
        "Install the newer version. The file is not changed"};
}

engine::Error foreignFileError(const QString& path) {
    return {engine::ErrorKind::BadInput,
            "The chats can't be opened",
            {"%1 is a database of another program", path.toStdString()},
            "Move it away and start again"};
}

engine::Error damagedError(const QString& damage) {
    constexpr int kLongest = 200; // characters of SQLite's message, which may be long
    return {engine::ErrorKind::Damaged,
            "Earlier chats can't be read",
            {"Their file is damaged (%1)", damage.left(kLongest).toStdString()},
            "Restore the file chats.db from a copy, or move it away"};
}

class Opener {
  public:
    Opener(QString folder, std::span<const Migration> migrations)
        : folder_(std::move(folder)), path_(databasePath(folder_)), migrations_(migrations) {}

    engine::Result<OpenedDatabase> open();

  private:
    bool folderWritable() const;
    bool isNewer() const;
    engine::Result<OpenedDatabase> openForReading();
    engine::Result<OpenedDatabase> openForWriting();
    engine::Status prepare(SQLite::Database& database, bool check);
    engine::Status checkOrigin(SQLite::Database& database);
    engine::Result<OpenedDatabase> startAgain(engine::Error notice);
    engine::Error notWritable() const;

    QString folder_, path_;
    std::span<const Migration> migrations_;
};

bool Opener::folderWritable() const {
    return QFileInfo(folder_).isWritable() && (!QFile::exists(path_) || QFileInfo(path_).isWritable());
}

engine::Error Opener::notWritable() const {
    return {engine::ErrorKind::Io,
            "New messages can't be kept",
            {"The folder %1 can't be written", folder_.toStdString()},
            "Allow writing there, or start Coterie with another folder (--data-dir)"};
}

engine::Result<OpenedDatabase> Opener::open() {
    QDir().mkpath(folder_);
    if (isNewer()) return openForReading();
    if (!folderWritable()) {
        if (QFile::exists(path_)) return openForReading();
        return notWritable();
    }
    return openForWriting();
}

/// Whether the file is our own and of a newer version. Nothing writes to it before this is known.
bool Opener::isNewer() const {
    if (QFileInfo(path_).size() == 0) return false;
    try {
        const auto database = connectToUnchanging(path_);
        return database->execAndGet("PRAGMA application_id").getInt() == kApplicationId &&
               schemaVersion(*database) > migrations_.back().to;
    } catch (const SQLite::Exception&) {
        return false; // whoever opens it finds out why
    }
}

engine::Result<OpenedDatabase> Opener::openForReading() {
    try {
        OpenedDatabase opened;
        opened.database = connectToUnchanging(path_);
        const engine::Status origin = checkOrigin(*opened.database);
        if (!origin) return origin.error();
        const int version = schemaVersion(*opened.database);
        const bool newer = version > migrations_.back().to;
        if (newer && !isReadable(*opened.database, migrations_)) return newerVersionError(version);
        makeCurrent(opened.database, migrations_);
        opened.notice = newer ? newerVersionNotice(version) : notWritable();
        opened.readOnly = true;
        return opened;
    } catch (const SQLite::Exception&) {
        return notWritable();
    }
}

engine::Result<OpenedDatabase> Opener::openForWriting() {
    // A program that ended normally leaves no -wal file.
    const QFileInfo log(path_ + QStringLiteral("-wal"));
    const bool check = (log.exists() && log.size() > 0) || QFileInfo(path_).size() <= kAlwaysCheckedBytes;
    try {
        OpenedDatabase opened;
        opened.database = std::make_unique<SQLite::Database>(
            path_.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
        protect(*opened.database);
        const engine::Status prepared = prepare(*opened.database, check);
        if (prepared) return opened;
        if (prepared.error().kind != engine::ErrorKind::Damaged) return prepared.error();
        opened.database.reset();
        return startAgain(prepared.error());
    } catch (const SQLite::Exception& exception) {
        if (!isDamage(exception)) throw;
        return startAgain(damagedError(QString::fromUtf8(exception.what())));
    }
}

engine::Status Opener::checkOrigin(SQLite::Database& database) {
    const int tables = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    if (tables > 0 && application != kApplicationId) return foreignFileError(path_);
    return {};
}

/// After an error of the kind Damaged the caller renames the file.
engine::Status Opener::prepare(SQLite::Database& database, bool check) {
    const engine::Status origin = checkOrigin(database);
    if (!origin) return origin;
    if (check) {
        const QStringList damage = damageIn(database);
        if (!damage.isEmpty()) return damagedError(damage.join(QStringLiteral(", ")));
    }
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec("PRAGMA journal_size_limit = 4194304");
    const int version = schemaVersion(database);
    const int latest = migrations_.back().to;
    if (version > 0 && version < latest) {
        backUp(database, freshPath(folder_, QStringLiteral("chats-before-v%1").arg(latest)));
    }
    migrate(database, migrations_);
    sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    return {};
}

engine::Result<OpenedDatabase> Opener::startAgain(engine::Error notice) {
    const QString aside = freshPath(folder_, QStringLiteral("chats-damaged"));
    const engine::Error stuck{engine::ErrorKind::Io,
                              "The chats can't be opened",
                              {"The file %1 is damaged and can't be renamed", path_.toStdString()},
                              "Move it away and start again"};
    if (!QFile::rename(path_, aside)) return stuck;
    for (const char* suffix : {"-wal", "-shm"}) {
        const QString beside = path_ + QLatin1String(suffix);
        if (QFile::exists(beside) && !QFile::rename(beside, aside + QLatin1String(suffix))) return stuck;
    }
    OpenedDatabase opened;
    opened.database = std::make_unique<SQLite::Database>(path_.toStdString(),
                                                         SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    protect(*opened.database);
    const engine::Status prepared = prepare(*opened.database, false);
    if (!prepared) return prepared.error();
    notice.action = {"It was kept as %1, and new chats go into a new file", aside.toStdString()};
    opened.notice = std::move(notice);
    return opened;
}

} // namespace

engine::Error memoryError(const engine::Sentence& what) {
    return {engine::ErrorKind::OutOfMemory, what, "The system has no memory left",
            "Close other programs and try again"};
}

engine::Error cancelledError(const engine::Sentence& what) {
    return {engine::ErrorKind::Cancelled, what, "The work was stopped", "Start it again if it is still needed"};
}

bool isFullDisk(const SQLite::Exception& exception) { return primaryCode(exception) == SQLITE_FULL; }

bool isRefusedWrite(const SQLite::Exception& exception) { return primaryCode(exception) == SQLITE_READONLY; }

engine::Error storeError(const SQLite::Exception& exception, const engine::Sentence& what, const QString& folder) {
    using enum engine::ErrorKind;
    switch (primaryCode(exception)) {
    case SQLITE_FULL:
        return {Io,
                what,
                {"The disk with the folder %1 is full", folder.toStdString()},
                "Free some space on it and try again"};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return {Io,
                what,
                {"The folder %1 can't be written", folder.toStdString()},
                "Allow writing there, or start Coterie with another folder (--data-dir)"};
    case SQLITE_IOERR:
        return {Io,
                what,
                {"The disk with the folder %1 refuses to read or write", folder.toStdString()},
                "Check the disk and try again"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return {Damaged, what, "The file of chats is damaged",
                "Start Coterie again: it keeps the damaged file aside and begins a new one"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {Io, what, "Another program uses the file of chats", "Close it and try again"};
    case SQLITE_TOOBIG:
        return {BadInput, what, "The text is too long to be kept", "Use a shorter text"};
    case SQLITE_INTERRUPT:
        return cancelledError(what);
    case SQLITE_NOMEM:
        return memoryError(what);
    default:
        return {Internal,
                what,
                {"The database says: %1", exception.what()},
                "Start Coterie again, and report it if it happens again"};
    }
}

engine::Result<std::unique_ptr<SQLite::Database>> openForReading(const QString& folder, bool readOnly) {
    using Opened = engine::Result<std::unique_ptr<SQLite::Database>>;
    return guarded("The chats can't be opened", folder, [&]() -> Opened {
        const QString path = databasePath(folder);
        auto database = readOnly ? connectToUnchanging(path) : connectForReading(path, kBesideLog);
        makeCurrent(database, schemaMigrations());
        return database;
    });
}

engine::Result<std::unique_ptr<SQLite::Database>> openForAdding(const QString& folder) {
    using Opened = engine::Result<std::unique_ptr<SQLite::Database>>;
    return guarded("The chats can't be opened", folder, [&]() -> Opened {
        auto database = std::make_unique<SQLite::Database>(databasePath(folder).toStdString(), SQLite::OPEN_READWRITE,
                                                           kBusyTimeoutMs);
        protect(*database);
        database->exec("PRAGMA synchronous = FULL");
        return database;
    });
}

engine::Result<std::unique_ptr<SQLite::Database>> openInMemory(const std::string& name) {
    using Opened = engine::Result<std::unique_ptr<SQLite::Database>>;
    return guarded("The temporary chats can't be opened", {}, [&]() -> Opened {
        auto database = connectInMemory(name, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database->exec("PRAGMA journal_mode = MEMORY");
        migrate(*database, schemaMigrations());
        const std::string first = std::to_string(kFirstTemporaryId);
        for (const char* table : {"chats", "messages", "folders", "waiting_prompts", "draft_files"})
            database->exec("INSERT INTO sqlite_sequence(name, seq) VALUES ('" + std::string(table) + "', " + first +
                           ")");
        return database;
    });
}

engine::Result<std::unique_ptr<SQLite::Database>> openForReading(const std::string& name) {
    using Opened = engine::Result<std::unique_ptr<SQLite::Database>>;
    return guarded("The temporary chats can't be opened", {},
                   [&]() -> Opened { return connectInMemory(name, SQLite::OPEN_READONLY); });
}

bool keepReserve(const QString& folder) {
    QFile file(reservePath(folder));
    if (file.exists() && file.size() == kReserveBytes) return true;
    const QByteArray bytes(kReserveBytes, static_cast<char>(kReserveByte));
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush()) return true;
    file.remove();
    return false;
}

bool letReserveGo(const QString& folder) { return QFile::remove(reservePath(folder)); }

engine::Result<OpenedDatabase> openDatabase(const QString& folder, std::span<const Migration> migrations) {
    const auto tryOnce = [&] {
        return guarded("The chats can't be opened", folder,
                       [&]() -> engine::Result<OpenedDatabase> { return Opener(folder, migrations).open(); });
    };
    auto opened = tryOnce();
    // Even reading the chats needs some free space on the disk.
    const bool full = !opened && QStorageInfo(folder).bytesAvailable() < kReserveBytes;
    return full && letReserveGo(folder) ? tryOnce() : std::move(opened);
}

} // namespace coterie::app
