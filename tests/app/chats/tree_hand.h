// SPDX-License-Identifier: Apache-2.0
// Does the operations of random_trees.h as the program does them: in a store, with the list of chats, the changes of
// trees and the steps that can be undone. No model is open; the test itself writes the answers.
//
//     TreeHand hand(folder);
//     const QString failure = hand.apply(next); // empty: it was done
#pragma once

#include "app/chats/random_trees.h"
#include "chats/chat_edits.h"
#include "chats/chat_list_model.h"
#include "engine_link/prompt_history.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QObject>

#include <memory>

namespace coterie::test {

class TreeHand : public QObject {
  public:
    /// Opens the store in this folder. Exports are written there too.
    explicit TreeHand(const QString& folder);

    explicit operator bool() const { return store_ != nullptr; }
    app::ChatStore& store() { return *store_; }
    /// Does the operation. Returns an empty text, or the reason why it failed. An undo or redo may fail, because its
    /// data may be gone: see moved().
    QString apply(const Operation& operation);
    /// Whether the latest undo or redo was done.
    bool moved() const { return moved_; }
    /// Compares the latest steps that can be undone and repeated with those of the model, after the operation. Returns
    /// the difference; empty: there is none.
    QString stepsDiffer(const PlainModel& model);

  private:
    QString applyToChat(const Operation& operation, qint64 id);
    QString applyToMessage(const Operation& operation, qint64 id);
    QString send(const Operation& operation);
    QString finish(const Operation& operation, qint64 message);
    QString regenerate(qint64 chat, qint64 prompt);
    QString edit(const Operation& operation, qint64 chat, qint64 message);
    QString continueAnswer(qint64 message);
    QString restore(qint64 chat, qint64 message);
    QString restoreChat(qint64 chat);
    QString move(qint64 chat, const QString& folder);
    QString import(int file);
    QString forgetErased(const engine::Status& erased);
    QString stepDiffers(const app::Undoable* step, const std::deque<PlainStep>& expected, const PlainModel& model);
    qint64 leafOf(qint64 chat) const;
    qint64 chatId(int chat);
    qint64 messageId(qint64 chat, int message);
    QString fileOf(int number) const { return folder_ + QStringLiteral("/chat-%1.json").arg(number); }

    const QString folder_;
    std::unique_ptr<app::ChatStore> store_;
    std::unique_ptr<SQLite::Database> look_;
    app::EngineWorker worker_;
    app::PromptHistory history_;
    app::AnswerQueue answers_{&worker_, &history_};
    app::UndoStack undo_;
    app::ChatEdits edits_{&answers_, &undo_};
    app::ChatListModel chats_;
    bool moved_ = false;
    QString failure_; ///< the latest error of the list of chats
};

} // namespace coterie::test
