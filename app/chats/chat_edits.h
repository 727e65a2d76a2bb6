// SPDX-License-Identifier: Apache-2.0
// Changes of the trees of messages that can be undone. Every conversation shares this object: it writes to the store,
// pushes the step, and tells all views of the chat. Undoing works by ids alone, so it also works while no view shows
// the chat. Lives on the GUI thread.
//
//     auto removed = edits.remove(chat, message);
//     if (!removed) return setError(ErrorInfo(removed.error()));
#pragma once

#include "common/undo_stack.h"
#include "engine_link/answer_queue.h"
#include "store/chat_store.h"

#include <QObject>
#include <QString>

namespace coterie::app {

/// The paths of the models that were open before a step and after it; empty: the step opened none.
struct ModelChange {
    QString before{}, after{};
};

class ChatEdits : public QObject {
    Q_OBJECT
  public:
    /// Both outlive this object.
    ChatEdits(AnswerQueue* answers, UndoStack* undo, QObject* parent = nullptr);

    void setStore(ChatStore* store) { store_ = store; }
    /// The store of temporary chats: see isTemporary().
    void setTemporaryStore(ChatStore* store) { temporary_ = store; }

    /// A branch that ends in `leaf` was added, and is shown in place of one that ended in `before`. If it goes on from
    /// there, undoing deletes what was added: it would be shown with the message before it. If another model was opened
    /// for it, undoing goes back to the one before, and redoing opens the other one again.
    void addBranch(const QString& title, qint64 chat, qint64 before, qint64 leaf, const ModelChange& models = {});
    /// Goes back to the model before, whose change was for a branch that was not added. A model stays if it is writing
    /// an answer, or if a person has opened another one since.
    void dropChange(const ModelChange& models);
    /// Shows the branch of this message. Steps through the branches of a chat count as one.
    engine::Status show(qint64 chat, qint64 message);
    /// Deletes the message with what follows. An answer that is being written there ends.
    engine::Status remove(qint64 chat, qint64 message);
    /// The message, which came back from the bin, can go there again by undoing. before: the chat's leaf at that time.
    void addRestored(qint64 chat, qint64 message, qint64 before);
    /// Makes an answer one that is being written again. Undoing takes back what is written from now on.
    engine::Status resume(const MessageRow& answer);
    /// The model sees the chat from the message after this one on; 0: it sees all of it.
    engine::Status leaveOut(qint64 chat, qint64 message);
    /// Copies the path to this message into a new chat, which is returned.
    engine::Result<qint64> fork(qint64 chat, qint64 message, const QString& title);

  Q_SIGNALS:
    /// The path that the chat shows has changed, or the text of a message in it, or what the model sees of it.
    void pathChanged(qint64 chat);
    /// Something was undone or repeated in this chat: it should be in view, unless a page is.
    void chatWanted(qint64 chat);
    /// The model at this path should be open in place of the other one, if that is open.
    void modelWanted(const QString& instead, const QString& path);
    /// A chat was added or came back.
    void chatStored(qint64 chat);
    void chatRemoved(qint64 chat);

  private:
    engine::Status showLeaf(qint64 chat, qint64 leaf);
    engine::Status mayOpen(qint64 leaf, const ModelChange& models) const;
    engine::Status removeNow(qint64 chat, qint64 message);
    engine::Status restoreNow(qint64 chat, qint64 message);
    qint64 addedBelow(qint64 before, qint64 leaf) const;
    engine::Status leaveBranch(qint64 chat, qint64 before, qint64 added);
    engine::Status enterBranch(qint64 chat, qint64 leaf, qint64 added);
    engine::Status setText(const MessageRow& answer);
    engine::Status leaveOutNow(qint64 chat, qint64 message);
    void stopBelow(qint64 chat, qint64 message);
    qint64 leafOf(qint64 chat) const;
    engine::Error closed() const;
    ChatStore* storeOf(qint64 id) const { return isTemporary(id) ? temporary_ : store_; }

    AnswerQueue* answers_;
    UndoStack* undo_;
    ChatStore* store_ = nullptr;
    ChatStore* temporary_ = nullptr;
};

} // namespace coterie::app
