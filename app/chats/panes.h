// SPDX-License-Identifier: Apache-2.0
// The chats in view: one, or two side by side. One of them is active: keys, commands, the inspector and the settings of
// the chat concern it. No chat is in view twice: a chat that is opened while the other side shows it becomes the active
// one there. Lives on the GUI thread.
//
//     panes.openBeside(chat);   // both are in view, and this one is active
//     panes.close(panes.active());
#pragma once

#include "chats/conversation.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class Panes : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    /// Both conversations, always the same ones. Which of them are in view, and at which side, is said below.
    Q_PROPERTY(coterie::app::Conversation* first READ first CONSTANT)
    Q_PROPERTY(coterie::app::Conversation* second READ second CONSTANT)
    Q_PROPERTY(bool split READ split NOTIFY changed)
    Q_PROPERTY(coterie::app::Conversation* left READ left NOTIFY changed)
    Q_PROPERTY(coterie::app::Conversation* active READ active NOTIFY activeChanged)
  public:
    explicit Panes(const ConversationParts& parts, QObject* parent = nullptr);

    Conversation* first() { return &first_; }
    Conversation* second() { return &second_; }
    /// Whether both are in view.
    bool split() const { return split_; }
    /// The one at the left side, or the only one in view.
    Conversation* left() const { return left_; }
    Conversation* active() const { return active_; }
    /// The one in view that is not active; nullptr: there is none.
    Conversation* other() { return split_ ? besides(active_) : nullptr; }
    /// The conversation in view that shows this chat; nullptr: none does.
    Conversation* showing(qint64 chat);

    void setStore(ChatStore* store, const ErrorInfo& reason);
    void setTemporaryStore(ChatStore* store);
    void setModel(const AnsweringModel& model);
    /// Applies a new title, or the removal of a chat, wherever the chat is in view. A side whose chat was removed is
    /// closed if there are two.
    void applyRename(qint64 chat, const QString& title);
    void applyRemoval(qint64 chat);
    /// A deleted chat is there again: see Conversation::applyReturn(). A side that closed with it opens again, unless
    /// something else was opened since.
    void applyReturn(qint64 chat);
    /// Changes the text in the composer of this chat, whether the chat is in view or not.
    engine::Status changeDraft(qint64 chat, const PromptQueue::TextChange& change);

    /// Makes a conversation that is in view the active one; does nothing for nullptr.
    Q_INVOKABLE void activate(coterie::app::Conversation* conversation);
    /// Opens the chat in the active side, on the branch of the message if there is one: see
    /// Conversation::openMessage().
    Q_INVOKABLE void open(qint64 chat, qint64 message = 0);
    Q_INVOKABLE void newChat();
    Q_INVOKABLE void newTemporaryChat();
    /// Opens the chat in the side that is not active, and makes it active; chat 0: a new one. A second side appears at
    /// the right if there is none.
    Q_INVOKABLE void openBeside(qint64 chat);
    /// Shows a second side: a new chat, which becomes the active one; or, if the first side shows a new chat, the chat
    /// used last, while the new one stays active. Does nothing if there are two; failed() says if there is no chat to
    /// show.
    Q_INVOKABLE void openSecond();
    /// Closes one of two sides; does nothing if there is one, or for nullptr. If its temporary chat has messages, the
    /// user is asked first.
    Q_INVOKABLE void close(coterie::app::Conversation* conversation);
    /// Makes the other side active.
    Q_INVOKABLE void activateOther();
    /// Returns whether the window may close now: see Conversation::mayClose().
    Q_INVOKABLE bool mayClose();

  Q_SIGNALS:
    /// The sides have changed.
    void changed();
    void activeChanged();
    /// A message that had no room in its chat is in a new one.
    void messageTaken();
    /// A step in this chat was undone or repeated: it should be shown. 0: a new chat.
    void chatWanted(qint64 chat);
    /// Another chat is in view, or active.
    void chatsChanged();
    /// A chat in view has another message at its end, or at its beginning.
    void messagesChanged();
    /// Commands may have become possible or impossible.
    void commandsChanged();
    void closeAllowed();
    /// The user is asked whether a temporary chat may end, or no longer.
    void asksToLeaveChanged();
    void chatStored(qint64 chat);
    void callsFound(const coterie::app::Job& job);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    /// A side that closed because its chat was deleted.
    struct Closed {
        qint64 chat = 0; ///< 0: there is none
        bool atLeft = false;
        bool wasActive = false;
    };

    Conversation* besides(const Conversation* conversation) { return conversation == &first_ ? &second_ : &first_; }
    void connectConversation(Conversation* conversation);
    bool isShown(const Conversation* conversation) const { return split_ || conversation == left_; }
    void remove(Conversation* conversation);
    Conversation* writingTo(qint64 chat);
    void takeToNewChat(const TakenMessage& message);
    engine::Status moveToNewChat(const TakenMessage& message);
    engine::Status moveMessage(const TakenMessage& message, qint64 to);
    engine::Status moveInView(const TakenMessage& message, qint64 to);
    void reopen();

    UndoStack* const undo_; ///< nullptr: steps can't be undone
    Conversation first_, second_;
    Conversation* left_ = &first_;
    Conversation* active_ = &first_;
    ChatStore* store_ = nullptr;
    bool split_ = false;
    Closed closed_; ///< the latest one, if nothing else was opened since
};

} // namespace coterie::app
