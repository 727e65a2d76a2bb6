// SPDX-License-Identifier: Apache-2.0
// See draft_files.h. The bytes of a removed file stay until unused files are dropped, so that it can be put back.
#include "store/draft_files.h"

#include "store/connection.h"
#include "store/file_rows.h"
#include "store/part_rows.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Statement.h>

#include <algorithm>

namespace coterie::app {
namespace {

using SQLite::Statement;

constexpr char kNotRead[] = "The attached files can't be read";
constexpr char kNotAttached[] = "The file was not attached";
constexpr char kNotRemoved[] = "The file was not taken out";

// Without an id (0), SQLite gives the next one.
constexpr char kInsert[] =
    "INSERT OR REPLACE INTO draft_files(id, chat, text, meta, file, waiting) SELECT nullif(?1, 0), ?2, ?3, ?4, ?5, ?6 "
    "WHERE ?2 = 0 OR EXISTS (SELECT 1 FROM chats WHERE id = ?2 AND deleted_at IS NULL)";

/// Whether another file of these has the same content under the same name.
bool holdSame(const std::vector<DraftFile>& files, const DraftFile& file) {
    return std::any_of(files.begin(), files.end(), [&file](const DraftFile& each) {
        return each.id != file.id && each.file == file.file && each.part == file.part;
    });
}

int insert(SQLite::Database& db, const DraftFile& file) {
    return run(db, kInsert, file.id, file.chat, file.part.text, partMeta(file.part), file.file, file.waiting);
}

} // namespace

engine::Result<std::vector<DraftFile>> DraftFiles::list(qint64 chat, qint64 waiting) const {
    return onConnection(connection_, kNotRead, [&]() -> engine::Result<std::vector<DraftFile>> {
        Statement rows(connection_.db(),
                       "SELECT id, text, meta, file FROM draft_files WHERE chat = ? AND waiting = ? ORDER BY id");
        bindAll(rows, chat, waiting);
        std::vector<DraftFile> files;
        while (rows.executeStep()) {
            DraftFile& file = files.emplace_back();
            file.id = rows.getColumn(0).getInt64();
            file.chat = chat;
            file.part = {.kind = PartKind::Attachment, .text = textOf(rows.getColumn(1))};
            readPartMeta(textOf(rows.getColumn(2)), file.part);
            file.file = rows.getColumn(3).getInt64();
            file.waiting = waiting;
        }
        return files;
    });
}

engine::Result<bool> DraftFiles::has(qint64 chat, const NewFile& file) const {
    const auto files = list(chat);
    if (!files) return files.error();
    return std::any_of(files->begin(), files->end(),
                       [part = partOf(file)](const DraftFile& each) { return each.part == part; });
}

engine::Result<DraftFile> DraftFiles::add(qint64 chat, const NewFile& file) {
    if (engine::Status small = checkSize(file, kNotAttached); !small) return small.error();
    return inTransaction(connection_, kNotAttached, [&](SQLite::Database& db) -> engine::Result<DraftFile> {
        DraftFile added{.chat = chat, .part = partOf(file), .file = keepFile(db, file.bytes)};
        if (insert(db, added) == 0) return noSuchChat(kNotAttached);
        added.id = db.getLastInsertRowid();
        return added;
    });
}

engine::Result<std::vector<DraftFile>> DraftFiles::ofMessage(qint64 message) const {
    return onConnection(connection_, kNotRead, [&]() -> engine::Result<std::vector<DraftFile>> {
        Statement rows(connection_.db(), "SELECT p.kind, p.text, p.meta, a.file FROM attachments a JOIN parts p "
                                         "ON p.message = a.message AND p.place = a.place WHERE a.message = ? "
                                         "ORDER BY a.place");
        bindAll(rows, message);
        std::vector<DraftFile> files;
        while (rows.executeStep())
            files.push_back({.part = partFromRow(rows, 0), .file = rows.getColumn(3).getInt64()});
        return files;
    });
}

engine::Status DraftFiles::copyTo(qint64 chat, std::span<const DraftFile> files) {
    return inTransaction(connection_, kNotAttached, [&](SQLite::Database&) -> engine::Status {
        const auto there = list(chat);
        if (!there) return there.error();
        for (const DraftFile& file : files) {
            if (holdSame(*there, file)) continue;
            if (engine::Status copied = putBack({.chat = chat, .part = file.part, .file = file.file}); !copied)
                return copied;
        }
        return {};
    });
}

engine::Status DraftFiles::moveTo(qint64 chat, const DraftFile& file) {
    const auto there = list(chat);
    if (!there) return there.error();
    if (holdSame(*there, file)) return remove(file.id);
    return putBack({.id = file.id, .chat = chat, .part = file.part, .file = file.file});
}

engine::Status DraftFiles::putBack(const DraftFile& file) {
    return onConnection(connection_, kNotAttached, [&]() -> engine::Status {
        Statement content(connection_.db(), "SELECT 1 FROM files WHERE id = ?");
        bindAll(content, file.file);
        if (!content.executeStep())
            return engine::Error{engine::ErrorKind::NotFound, kNotAttached,
                                 "A chat with the same file was erased, and the file's content with it",
                                 "Attach the file again"};
        if (insert(connection_.db(), file) == 0) return noSuchChat(kNotAttached);
        return {};
    });
}

engine::Status DraftFiles::remove(qint64 id) {
    return onConnection(connection_, kNotRemoved, [&]() -> engine::Status {
        run(connection_.db(), "DELETE FROM draft_files WHERE id = ?", id);
        return {};
    });
}

} // namespace coterie::app
