// SPDX-License-Identifier: Apache-2.0
// See waiting_prompts.h.
#include "store/waiting_prompts.h"

#include "store/connection.h"
#include "store/message_rows.h"
#include "store/store_errors.h"

#include <SQLiteCpp/Statement.h>

namespace coterie::app {
namespace {

using SQLite::Statement;

constexpr char kNotRead[] = "The waiting messages can't be read";
constexpr char kNotKept[] = "The message was not kept";
constexpr char kNotRemoved[] = "The message was not taken out";

// Without an id (0), SQLite gives the next one.
constexpr char kOfChat[] =
    "SELECT nullif(?1, 0), ?2, ?3 WHERE EXISTS (SELECT 1 FROM chats WHERE id = ?2 AND deleted_at IS NULL)";

/// Adds the prompt within a transaction. Its files are taken from the draft of the chat `from`.
engine::Result<WaitingPrompt> addWith(Connection& connection, WaitingPrompt prompt, qint64 from,
                                      std::span<const qint64> files) {
    SQLite::Database& db = connection.db();
    if (run(db, std::string("INSERT INTO waiting_prompts(id, chat, text) ") + kOfChat, qint64{0}, prompt.chat,
            prompt.text) == 0)
        return noSuchChat(kNotKept);
    prompt.id = db.getLastInsertRowid();
    for (const qint64 file : files)
        if (run(db, "UPDATE draft_files SET waiting = ?, chat = ? WHERE id = ? AND chat = ? AND waiting = 0", prompt.id,
                prompt.chat, file, from) == 0)
            return engine::Error{engine::ErrorKind::NotFound, kNotKept, "An attached file is not there any more",
                                 "Attach the file again"};
    auto taken = DraftFiles(connection).list(prompt.chat, prompt.id);
    if (!taken) return taken.error();
    prompt.files = std::move(taken).value();
    return prompt;
}

} // namespace

engine::Result<std::vector<WaitingPrompt>> WaitingPrompts::list(qint64 chat) const {
    return onConnection(connection_, kNotRead, [&]() -> engine::Result<std::vector<WaitingPrompt>> {
        Statement rows(connection_.db(), "SELECT id, text FROM waiting_prompts WHERE chat = ? ORDER BY id");
        bindAll(rows, chat);
        std::vector<WaitingPrompt> list;
        while (rows.executeStep())
            list.push_back({.id = rows.getColumn(0).getInt64(), .chat = chat, .text = textOf(rows.getColumn(1))});
        for (WaitingPrompt& prompt : list) {
            auto files = DraftFiles(connection_).list(chat, prompt.id);
            if (!files) return files.error();
            prompt.files = std::move(files).value();
        }
        return list;
    });
}

engine::Result<WaitingPrompt> WaitingPrompts::add(qint64 chat, const QString& text, std::span<const qint64> files) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database&) -> engine::Result<WaitingPrompt> {
        return addWith(connection_, {.chat = chat, .text = text}, chat, files);
    });
}

engine::Result<WaitingPrompt> WaitingPrompts::addToNewChat(const QString& title, const QString& text,
                                                           std::span<const qint64> files) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Result<WaitingPrompt> {
        return addWith(connection_, {.chat = newChat(db, title), .text = text}, 0, files);
    });
}

engine::Status WaitingPrompts::putBack(const WaitingPrompt& prompt) {
    return inTransaction(connection_, kNotKept, [&](SQLite::Database& db) -> engine::Status {
        if (run(db, std::string("INSERT OR IGNORE INTO waiting_prompts(id, chat, text) ") + kOfChat, prompt.id,
                prompt.chat, prompt.text) == 0)
            return noSuchChat(kNotKept);
        for (const DraftFile& file : prompt.files)
            // A file whose content was erased stays out: the text is worth more.
            if (engine::Status back = DraftFiles(connection_).putBack(file);
                !back && back.error().kind != engine::ErrorKind::NotFound)
                return back;
        return {};
    });
}

engine::Status WaitingPrompts::remove(qint64 prompt) {
    return inTransaction(connection_, kNotRemoved, [&](SQLite::Database& db) -> engine::Status {
        run(db, "DELETE FROM draft_files WHERE waiting = ?", prompt);
        run(db, "DELETE FROM waiting_prompts WHERE id = ?", prompt);
        return {};
    });
}

engine::Status WaitingPrompts::release(qint64 prompt) {
    return inTransaction(connection_, kNotRemoved, [&](SQLite::Database& db) -> engine::Status {
        run(db, "UPDATE draft_files SET waiting = 0 WHERE waiting = ?", prompt);
        run(db, "DELETE FROM waiting_prompts WHERE id = ?", prompt);
        return {};
    });
}

} // namespace coterie::app
