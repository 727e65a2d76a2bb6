// SPDX-License-Identifier: Apache-2.0
// The prompts that wait in the chat which a conversation shows, as a list for the window. The prompts themselves are
// PromptQueue's. Lives on the GUI thread.
#pragma once

#include "common/row_list.h"
#include "engine_link/prompt_queue.h"

#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class Conversation;

class QueuedPrompts : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(bool held READ held NOTIFY changed)
    Q_PROPERTY(bool editing READ editing NOTIFY changed)
    Q_PROPERTY(QString stateText READ stateText NOTIFY changed)
  public:
    enum Roles {
        TextRole = Qt::UserRole + 1, ///< text
        FilesRole,                   ///< files: their names, on one line
    };
    Q_ENUM(Roles)

    /// The conversation outlives this object.
    explicit QueuedPrompts(Conversation* conversation, QObject* parent = nullptr);
    /// Without a queue, the list is empty and add() refuses. It outlives this object, or is taken away before.
    void setQueue(PromptQueue* queue);

    /// Keeps the text, with the files of the composer, until the answer that is being written is complete, or the model
    /// that is being opened is open. Returns false if it was refused: the text should stay in the composer.
    Q_INVOKABLE bool add(const QString& text);
    /// Takes the prompt out. Undo puts it back.
    Q_INVOKABLE void remove(int row);
    /// Moves the prompt's text and files into the composer, before what is there. Undo moves them back.
    Q_INVOKABLE void edit(int row);
    /// Ends the latest edit: the prompt waits again as it was, and the composer has what was there before. Returns
    /// false if there is none.
    Q_INVOKABLE bool leaveEdit();
    /// Sends the first prompt now, and the others after it.
    Q_INVOKABLE void sendNext();

    int count() const override { return static_cast<int>(rows_.size()); }
    /// Id of the prompt that is sent next; 0: none waits.
    qint64 firstId() const { return rows_.empty() ? 0 : rows_.front().id; }
    bool held() const;         ///< nothing is sent until a person says so
    bool editing() const;      ///< the composer has the text of a prompt that was here: leaveEdit() ends that
    QString stateText() const; ///< "Will be sent after this answer"

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    void changed();

  private:
    void refresh();

    Conversation* conversation_;
    PromptQueue* queue_ = nullptr;
    std::vector<WaitingPrompt> rows_;
};

} // namespace coterie::app
