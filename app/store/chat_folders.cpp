// SPDX-License-Identifier: Apache-2.0
// See chat_folders.h.
#include "store/chat_folders.h"

#include "store/connection.h"
#include "store/store_errors.h"

#include <algorithm>

namespace coterie::app {
namespace {

using SQLite::Statement;

constexpr char kNotRead[] = "The folders can't be read";
constexpr char kNotKept[] = "The folder was not changed";

std::vector<FolderRow> foldersIn(SQLite::Database& database) {
    Statement rows(database, "SELECT id, name, folded FROM folders ORDER BY place, id");
    std::vector<FolderRow> list;
    while (rows.executeStep())
        list.push_back({.id = rows.getColumn(0).getInt64(),
                        .name = textOf(rows.getColumn(1)),
                        .folded = rows.getColumn(2).getInt() != 0});
    return list;
}

/// Moves the folder to this index. Returns false if it is not there.
bool moveIn(SQLite::Database& database, qint64 folder, qsizetype index) {
    std::vector<FolderRow> list = foldersIn(database);
    const auto found = std::find_if(list.begin(), list.end(), [=](const FolderRow& f) { return f.id == folder; });
    if (found == list.end()) return false;
    const FolderRow moved = *found;
    list.erase(found);
    list.insert(list.begin() + std::clamp<qsizetype>(index, 0, static_cast<qsizetype>(list.size())), moved);
    for (size_t i = 0; i < list.size(); ++i)
        run(database, "UPDATE folders SET place = ? WHERE id = ?", static_cast<qint64>(i), list[i].id);
    return true;
}

/// Returns an error if a folder may not have this name. folder: 0 for a new one.
engine::Status mayHaveName(SQLite::Database& database, qint64 folder, const QString& name) {
    if (name.isEmpty()) return engine::Error{engine::ErrorKind::BadInput, kNotKept, "It has no name", "Write a name"};
    Statement row(database, "SELECT 1 FROM folders WHERE key = ? AND id <> ?");
    bindAll(row, folderKey(name), folder);
    if (row.executeStep())
        return engine::Error{engine::ErrorKind::BadInput, kNotKept, "Another folder has this name",
                             "Choose another name"};
    return {};
}

} // namespace

QString folderKey(const QString& name) { return name.normalized(QString::NormalizationForm_KC).toCaseFolded(); }

engine::Result<std::vector<FolderRow>> ChatFolders::list() const {
    return onConnection(connection_, kNotRead,
                        [&]() -> engine::Result<std::vector<FolderRow>> { return foldersIn(connection_.db()); });
}

engine::Result<FolderRow> ChatFolders::create(const QString& name) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Result<FolderRow> {
        const QString clean = name.simplified();
        if (engine::Status allowed = mayHaveName(db, 0, clean); !allowed) return allowed.error();
        run(db, "INSERT INTO folders(name, key, place) SELECT ?, ?, ifnull(max(place) + 1, 0) FROM folders", clean,
            folderKey(clean));
        const FolderRow folder{.id = db.getLastInsertRowid(), .name = clean};
        return folder;
    });
}

engine::Status ChatFolders::rename(qint64 folder, const QString& name) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Status {
        const QString clean = name.simplified();
        if (engine::Status allowed = mayHaveName(db, folder, clean); !allowed) return allowed;
        if (run(db, "UPDATE folders SET name = ?, key = ? WHERE id = ?", clean, folderKey(clean), folder) == 0)
            return noSuchFolder(kNotKept);
        return {};
    });
}

engine::Status ChatFolders::setFolded(qint64 folder, bool folded) {
    return onConnection(connection_, kNotKept, [&]() -> engine::Status {
        const CheaperSync cheaper(connection_.db());
        if (run(connection_.db(), "UPDATE folders SET folded = ? WHERE id = ?", qint64{folded}, folder) == 0)
            return noSuchFolder(kNotKept);
        return {};
    });
}

engine::Status ChatFolders::move(qint64 folder, qsizetype index) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Status {
        if (!moveIn(db, folder, index)) return noSuchFolder(kNotKept);
        return {};
    });
}

engine::Status ChatFolders::restore(const FolderRow& folder, qsizetype index, std::span<const qint64> chats) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Status {
        if (engine::Status allowed = mayHaveName(db, folder.id, folder.name); !allowed) return allowed;
        run(db, "INSERT INTO folders(id, name, key, place, folded) VALUES (?, ?, ?, 0, ?)", folder.id, folder.name,
            folderKey(folder.name), qint64{folder.folded});
        moveIn(db, folder.id, index);
        for (const qint64 chat : chats)
            run(db, "UPDATE chats SET folder = ? WHERE id = ? AND folder IS NULL", folder.id, chat);
        return {};
    });
}

engine::Status ChatFolders::remove(qint64 folder) {
    return onConnection(connection_, kNotKept, [&]() -> engine::Status {
        if (run(connection_.db(), "DELETE FROM folders WHERE id = ?", folder) == 0) return noSuchFolder(kNotKept);
        return {};
    });
}

} // namespace coterie::app
