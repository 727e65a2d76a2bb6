// SPDX-License-Identifier: Apache-2.0
#include "store/chat_store.h"

namespace coterie::app {
struct ChatStore::Inside {
    std::optional<engine::Error> notice;
};
struct Migration {};
namespace {
engine::Error unsupported() {
    return {engine::ErrorKind::Unsupported, "Chats are not stored yet", "The database is being written", "Wait"};
}
} // namespace
ChatStore::ChatStore(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
ChatStore::~ChatStore() = default;
engine::Result<std::unique_ptr<ChatStore>> ChatStore::open(const StoreOptions&) { return unsupported(); }
const std::optional<engine::Error>& ChatStore::notice() const { return inside_->notice; }
bool ChatStore::readOnly() const { return false; }
engine::Result<std::vector<ChatRow>> ChatStore::chats(const QString&) const { return unsupported(); }
engine::Result<ChatRow> ChatStore::chat(qint64) const { return unsupported(); }
engine::Result<std::vector<MessageRow>> ChatStore::messages(qint64) const { return unsupported(); }
engine::Result<StoredTurn> ChatStore::addTurn(const NewTurn&) { return unsupported(); }
engine::Status ChatStore::saveProgress(qint64, const QString&) { return unsupported(); }
engine::Status ChatStore::finishAnswer(const MessageRow&) { return unsupported(); }
engine::Status ChatStore::rename(qint64, const QString&) { return unsupported(); }
engine::Status ChatStore::remove(qint64) { return unsupported(); }
engine::Status ChatStore::restore(qint64) { return unsupported(); }
engine::Result<qint64> ChatStore::purge(const QDateTime&) { return unsupported(); }
} // namespace coterie::app
