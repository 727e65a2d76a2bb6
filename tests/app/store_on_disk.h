// SPDX-License-Identifier: Apache-2.0
// A store in a temporary folder, for tests that open it again or look into its file with plain SQL.
#pragma once

#include "store/chat_store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QTemporaryDir>

#include <memory>
#include <string>

namespace coterie::test {

class StoreOnDisk {
  public:
    StoreOnDisk() { reopen(); }

    app::ChatStore* operator->() { return store_.get(); }
    app::ChatStore& operator*() { return *store_; }
    explicit operator bool() const { return store_ != nullptr; }

    void close() { store_.reset(); }
    void reopen() {
        store_.reset();
        auto opened = app::ChatStore::open({.folder = folder_.path(), .migrations = {}});
        if (opened) store_ = std::move(opened).value();
    }
    QString path() const { return folder_.path(); }
    std::string file() const { return folder_.filePath(QStringLiteral("chats.db")).toStdString(); }
    /// Asks the file with plain SQL, also while the store is open.
    SQLite::Database look() const { return SQLite::Database(file(), SQLite::OPEN_READONLY); }
    qint64 number(const char* sql) const { return look().execAndGet(sql).getInt64(); }

    /// Adds a prompt and its complete answer.
    app::StoredTurn say(const QString& prompt, const QString& answer, qint64 chat = 0,
                        std::optional<qint64> parent = {}, const QString& title = QStringLiteral("A title")) {
        auto turn = store_->addTurn(
            {.chat = chat, .title = title, .prompt = prompt, .model = QStringLiteral("Guide"), .parent = parent});
        if (!turn) return {};
        turn->answer.parts = app::textParts(answer);
        turn->answer.state = app::MessageState::Complete;
        const auto done = store_->finishAnswer(turn->answer);
        return done ? turn.value() : app::StoredTurn{};
    }

  private:
    QTemporaryDir folder_;
    std::unique_ptr<app::ChatStore> store_;
};

} // namespace coterie::test
