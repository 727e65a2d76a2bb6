// SPDX-License-Identifier: Apache-2.0
// Prompts that were written while an answer is being written, or while a model is being opened: each is sent when the
// model is open and the answers before it are complete. The store keeps them, so that a crash loses none. If an answer
// is stopped or fails, or the model can't be opened, the prompts after it wait until a person sends them; so do those
// that are left from an earlier start of the program.
//
//     queue.add(chat, QStringLiteral("And then?"));
//     queue.sendNext(chat); // also if it is held
//
// Lives on the GUI thread. A conversation shows the prompts of its chat: see QueuedPrompts.
#pragma once

#include "common/error_info.h"
#include "engine_link/answer_queue.h"
#include "store/waiting_prompts.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

#include <functional>
#include <vector>

namespace coterie::app {

class ChatStore;
class UndoStack;

class PromptQueue : public QObject {
    Q_OBJECT
  public:
    /// Sends a prompt of the chat; returns whether it was taken. It may be stored, or refused, a moment later: sent()
    /// or hold() follows then.
    using Sender = std::function<bool(const WaitingPrompt& prompt)>;
    using TextChange = std::function<QString(const QString& text)>;
    /// Changes the text in the composer of the chat, whether the chat is in view or not.
    using DraftChanger = std::function<engine::Status(qint64 chat, const TextChange& change)>;

    /// All of them outlive this object.
    PromptQueue(AnswerQueue* answers, Sender sender, DraftChanger drafts, QObject* parent = nullptr);

    void setStore(ChatStore* store);
    /// The store of temporary chats: see isTemporary().
    void setTemporaryStore(ChatStore* store) { temporary_ = store; }
    /// Steps are pushed there; it outlives this object. Without it, none are.
    void setUndo(UndoStack* undo) { undo_ = undo; }

    /// Keeps the prompt behind the others of the chat, with these files of the draft (DraftFile::id). Returns false if
    /// the store refused it: failed() says why.
    bool add(qint64 chat, const QString& text, const std::vector<qint64>& files = {});
    /// The same for a chat that does not exist yet: it is stored without messages. Returns the chat; 0: it was refused.
    qint64 addToNewChat(bool temporary, const QString& title, const QString& text,
                        const std::vector<qint64>& files = {});
    /// Reports the model that answers. The prompts are sent when it has been opened.
    void setModel(bool ready, bool opening);
    /// Takes the prompt out. draft: the text in the composer then, see Undoable::draft.
    void remove(const WaitingPrompt& prompt, const QString& draft);
    /// Moves the prompt's text and files into the draft, before what is there. The prompt is being edited until it is
    /// sent, put into the queue again, or leaveEdit() is called.
    void edit(const WaitingPrompt& prompt);
    /// Whether a prompt of the chat is being edited.
    bool editing(qint64 chat) const { return edits_.contains(chat); }
    /// Ends the edit that began last: the prompt waits again as it was, and the draft is what it was before. Undo
    /// brings back what was typed.
    void leaveEdit(qint64 chat);
    /// The draft of the chat was sent or put into the queue: nothing of it is being edited.
    void endEdits(qint64 chat);
    /// Sends the chat's first prompt now, or after the answer that is being written, and the others after it.
    void sendNext(qint64 chat);
    /// The chat's prompts wait until a person sends them. why: a sentence for the user.
    void hold(qint64 chat, const QString& why);
    /// A prompt was sent: it is no longer in the store.
    void sent(qint64 chat);

    const std::vector<WaitingPrompt>& prompts(qint64 chat);
    /// Says when the prompts of the chat are sent, or why they are not.
    QString state(qint64 chat) const;
    bool held(qint64 chat) const { return !flowing_.contains(chat); }

  Q_SIGNALS:
    /// The chat's prompts, or their state, have changed.
    void changed(qint64 chat);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    /// A prompt whose text is in the draft.
    struct Edit {
        WaitingPrompt prompt;
        QString before; ///< the draft before it
    };

    ChatStore* storeOf(qint64 chat) const { return isTemporary(chat) ? temporary_ : store_; }
    qint64 added(const engine::Result<WaitingPrompt>& prompt);
    void onEnded(const MessageRow& answer);
    void sendSoon(qint64 chat);
    void read(qint64 chat);
    engine::Status reread(qint64 chat, engine::Status status);
    engine::Result<QString> moveToDraft(const WaitingPrompt& prompt);
    engine::Status moveBack(const WaitingPrompt& prompt);
    engine::Status waitAgain(const WaitingPrompt& prompt);
    engine::Status goOnEditing(const Edit& edit, const QString& draft);

    AnswerQueue* answers_;
    Sender sender_;
    DraftChanger drafts_;
    ChatStore* store_ = nullptr;
    ChatStore* temporary_ = nullptr;
    UndoStack* undo_ = nullptr;
    QHash<qint64, std::vector<WaitingPrompt>> prompts_; ///< as the store has them, by chat
    QHash<qint64, std::vector<Edit>> edits_;            ///< by chat, the latest last; no chat has an empty list
    QSet<qint64> flowing_;       ///< chats whose prompts are sent by themselves; the others are held
    QHash<qint64, QString> why_; ///< why they are
    bool opening_ = false;       ///< a model is being opened: nothing is sent
};

} // namespace coterie::app
