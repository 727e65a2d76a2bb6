// SPDX-License-Identifier: Apache-2.0
// See chat_importer.h.
#include "store/chat_importer.h"

#include "store/connection.h"
#include "store/tree_rows.h"

namespace coterie::app {
namespace {

constexpr char kNotAdded[] = "The chat was not added";
constexpr char kFoldersNotAdded[] = "The folders were not added";
constexpr char kDraftNotKept[] = "The unsent text was not kept";

} // namespace

ChatImporter::ChatImporter(std::unique_ptr<Connection> connection) : ChatReads(std::move(connection)) {}
ChatImporter::~ChatImporter() = default;

engine::Result<AddedChat> addChatTo(Connection& connection, const ChatTree& tree, IfPresent present) {
    return onConnection(connection, kNotAdded, [&]() -> engine::Result<AddedChat> {
        if (auto checked = checkTree(tree); !checked) return checked.error(); // it takes long: nobody waits for it
        SQLite::Transaction transaction(connection.db(), SQLite::TransactionBehavior::IMMEDIATE);
        const AddedChat added = addTree(connection, tree, present);
        transaction.commit();
        return added;
    });
}

engine::Result<AddedChat> ChatImporter::addChat(const ChatTree& tree, IfPresent present) {
    const WriteTurns::Import turn(*connection().turns);
    return addChatTo(connection(), tree, present);
}

engine::Status ChatImporter::addFolders(const QStringList& names) {
    return inTransaction(connection(), kFoldersNotAdded, [&](SQLite::Database& db) -> engine::Status {
        coterie::app::addFolders(db, names);
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
