// SPDX-License-Identifier: Apache-2.0
// See chat_reads.h. Every public function has an onConnection() body, so it throws nothing.
#include "store/chat_reads.h"

#include "store/chat_search.h"
#include "store/message_rows.h"
#include "store/store_errors.h"
#include "store/tree_rows.h"

#include <SQLiteCpp/Transaction.h>

namespace coterie::app {
namespace {

using SQLite::Statement;
using SQLite::Transaction;

constexpr char kNotRead[] = "The chats can't be read";
constexpr char kChatColumns[] = "SELECT id, title, updated_at, pinned, ifnull(folder, 0), deleted_at, created_at, "
                                "unread FROM chats WHERE ";

ChatRow chatFrom(Statement& row) {
    return {.id = row.getColumn(0).getInt64(),
            .title = textOf(row.getColumn(1)),
            .updated = timeOf(row.getColumn(2)),
            .pinned = row.getColumn(3).getInt() != 0,
            .folder = row.getColumn(4).getInt64(),
            .removed = timeOf(row.getColumn(5)),
            .created = timeOf(row.getColumn(6)),
            .unread = row.getColumn(7).getInt() != 0};
}

std::vector<ChatRow> chatsFrom(SQLite::Database& database, const char* where) {
    Statement rows(database, std::string(kChatColumns) + where);
    std::vector<ChatRow> list;
    while (rows.executeStep()) list.push_back(chatFrom(rows));
    return list;
}

QString draftOf(SQLite::Database& database, qint64 chat) {
    Statement row(database, "SELECT text FROM drafts WHERE chat = ?");
    bindAll(row, chat);
    return row.executeStep() ? textOf(row.getColumn(0)) : QString();
}

qint64 depthOf(SQLite::Database& database, qint64 message) {
    Statement row(database, "SELECT depth FROM messages WHERE id = ?");
    bindAll(row, message);
    return row.executeStep() ? row.getColumn(0).getInt64() : -1;
}

} // namespace

ChatReads::ChatReads(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)), folders_(*connection_), records_(*connection_), waiting_(*connection_),
      draftFiles_(*connection_) {}

ChatReads::~ChatReads() = default;

engine::Result<std::vector<ChatRow>> ChatReads::chats() const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<ChatRow>> {
        return chatsFrom(connection().db(), "deleted_at IS NULL ORDER BY updated_at DESC, id DESC");
    });
}

engine::Result<std::vector<ChatRow>> ChatReads::removedChats() const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<ChatRow>> {
        return chatsFrom(connection().db(), "deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC");
    });
}

engine::Result<ChatRow> ChatReads::chat(qint64 chat) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<ChatRow> {
        Statement row(connection().db(), std::string(kChatColumns) + "id = ? AND deleted_at IS NULL");
        bindAll(row, chat);
        if (!row.executeStep()) return noSuchChat(kNotRead);
        return chatFrom(row);
    });
}

engine::Result<ChatState> ChatReads::state(qint64 chat) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<ChatState> {
        const Transaction snapshot(connection().db());
        ChatState state;
        state.draft = draftOf(connection().db(), chat);
        if (chat == 0) return state;
        Statement row(connection().db(), "SELECT settings, seen, seen_offset, ifnull(leaf, 0), left_out FROM chats "
                                         "WHERE id = ? AND deleted_at IS NULL");
        bindAll(row, chat);
        if (!row.executeStep()) return noSuchChat(kNotRead);
        state.settings = objectOf(row.getColumn(0));
        state.leaf = row.getColumn(3).getInt64();
        state.leftOut = row.getColumn(4).getInt64();
        const auto seen = positionOf(connection().db(), row.getColumn(1).getInt64());
        if (!seen || seen->chat != chat) return state;
        state.seen = row.getColumn(1).getInt64();
        state.seenOffset = row.getColumn(2).getDouble();
        return state;
    });
}

engine::Result<QHash<qint64, QString>> ChatReads::edits(qint64 chat) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<QHash<qint64, QString>> {
        Statement row(connection().db(), "SELECT e.message, e.text FROM edits e JOIN messages m ON m.id = e.message "
                                         "WHERE m.chat = ? AND m.hidden = 0");
        bindAll(row, chat);
        QHash<qint64, QString> texts;
        while (row.executeStep())
            texts.insert(row.getColumn(0).getInt64(), QString::fromStdString(row.getColumn(1).getString()));
        return texts;
    });
}

engine::Result<std::vector<MessageRow>> ChatReads::messages(qint64 chat) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<MessageRow>> {
        const Transaction snapshot(connection().db());
        return readPath(connection(), leafOf(connection().db(), chat), -1);
    });
}

engine::Result<std::vector<MessageRow>> ChatReads::messagesTo(qint64 message) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<MessageRow>> {
        const Transaction snapshot(connection().db());
        return readPath(connection(), message, -1);
    });
}

engine::Result<MessagePage> ChatReads::page(qint64 chat, qint64 before, int most) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<MessagePage> {
        SQLite::Database& db = connection().db();
        const Transaction snapshot(db);
        const qint64 leaf = leafOf(db, chat);
        qint64 last = leaf;
        if (before != 0) {
            const auto position = positionOf(db, before);
            if (!position || position->chat != chat) return noSuchMessage(kNotRead);
            last = position->parent;
        }
        MessagePage page;
        page.length = depthOf(db, leaf) + 1;
        page.rows = readPath(connection(), last, std::max(most, 0));
        page.first = page.rows.empty() ? 0 : depthOf(db, page.rows.front().id);
        for (const MessageRow& row : page.rows) page.siblings.push_back(siblingsOf(db, row.chat, row.parent, row.id));
        return page;
    });
}

engine::Result<MessageRow> ChatReads::message(qint64 message) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<MessageRow> {
        const Transaction snapshot(connection().db());
        std::optional<MessageRow> row = readMessage(connection(), message);
        if (!row) return noSuchMessage(kNotRead);
        return std::move(*row);
    });
}

engine::Result<std::vector<qint64>> ChatReads::path(qint64 message) const {
    return onConnection(connection(), kNotRead,
                        [&]() -> engine::Result<std::vector<qint64>> { return pathTo(connection().db(), message); });
}

engine::Result<std::vector<qint64>> ChatReads::children(qint64 message) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<qint64>> {
        if (message == 0) return std::vector<qint64>{};
        return siblingsOf(connection().db(), 0, message, 0).ids;
    });
}

engine::Result<Siblings> ChatReads::siblings(qint64 message) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<Siblings> {
        const Transaction snapshot(connection().db());
        const auto position = positionOf(connection().db(), message);
        if (!position) return noSuchMessage(kNotRead);
        return siblingsOf(connection().db(), position->chat, position->parent, message);
    });
}

engine::Result<std::vector<MessageRow>> ChatReads::removedMessages() const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<std::vector<MessageRow>> {
        const Transaction snapshot(connection().db());
        return readMessages(connection(), "JOIN chats c ON c.id = m.chat WHERE m.deleted_at IS NOT NULL "
                                          "AND c.deleted_at IS NULL ORDER BY m.deleted_at DESC, m.id DESC");
    });
}

engine::Result<std::vector<qint64>> ChatReads::chatIds(bool bin) const {
    return onConnection(connection(), kNotRead,
                        [&]() -> engine::Result<std::vector<qint64>> { return allChats(connection().db(), bin); });
}

engine::Result<ChatTree> ChatReads::tree(qint64 chat, const TreeWants& wants) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<ChatTree> {
        const Transaction snapshot(connection().db());
        std::optional<ChatTree> tree = readTree(connection(), chat, wants);
        if (!tree) return noSuchChat(kNotRead);
        return std::move(*tree);
    });
}

engine::Result<SearchPage> ChatReads::search(const SearchRequest& request) const {
    return onConnection(connection(), kNotRead, [&]() -> engine::Result<SearchPage> {
        const Transaction snapshot(connection().db());
        return searchPage(connection().db(), request);
    });
}

} // namespace coterie::app
