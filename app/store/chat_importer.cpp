// SPDX-License-Identifier: Apache-2.0
// See chat_importer.h.
#include "store/chat_importer.h"

#include "store/connection.h"
#include "store/tree_rows.h"

#include <SQLiteCpp/Transaction.h>

namespace coterie::app {
namespace {

using SQLite::Transaction;
using SQLite::TransactionBehavior;

constexpr char kNotAdded[] = "The chat was not added";
constexpr char kFoldersNotAdded[] = "The folders were not added";
constexpr char kDraftNotKept[] = "The unsent text was not kept";

} // namespace

ChatImporter::ChatImporter(std::unique_ptr<Connection> connection) : ChatReads(std::move(connection)) {}
ChatImporter::~ChatImporter() = default;

engine::Result<AddedChat> addChatTo(Connection& connection, const ChatTree& tree, IfPresent present) {
    return onConnection(connection, kNotAdded, [&]() -> engine::Result<AddedChat> {
        if (auto checked = checkTree(tree); !checked) return checked.error();
        Transaction transaction(connection.db(), TransactionBehavior::IMMEDIATE);
        const AddedChat added = addTree(connection, tree, present);
        transaction.commit();
        return added;
    });
}

engine::Result<AddedChat> ChatImporter::addChat(const ChatTree& tree, IfPresent present) {
    return addChatTo(connection(), tree, present);
}

engine::Status ChatImporter::addFolders(const QStringList& names) {
    return onConnection(connection(), kFoldersNotAdded, [&]() -> engine::Status {
        Transaction transaction(connection().db(), TransactionBehavior::IMMEDIATE);
        coterie::app::addFolders(connection().db(), names);
        transaction.commit();
        return {};
    });
}

engine::Status ChatImporter::keepDraft(const QString& text) {
    return onConnection(connection(), kDraftNotKept, [&]() -> engine::Status {
        run(connection().db(), "INSERT OR IGNORE INTO drafts(chat, text) VALUES (0, ?)", text);
        return {};
    });
}

} // namespace coterie::app
