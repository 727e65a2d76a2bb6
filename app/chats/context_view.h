// SPDX-License-Identifier: Apache-2.0
// The part of a conversation that the model sees, and how much of the context it fills. Nothing is ever left out by
// itself: when the conversation fills the context, a person may choose to go on without its oldest turns. The last
// message that is left out is kept with the chat; every later prompt begins after it (PromptHistory), until that is
// undone. It also decides what the card above the composer says and offers when something has no room in the context:
// the next message, one that was sent or edited, or an answer that is written again or continued.
//
//     if (view.offers(ContextView::LeaveOutOldest)) view.act(ContextView::LeaveOutOldest); // words() says why
//
// Lives on the GUI thread; tokens are counted on the counting thread.
#pragma once

#include "chats/refused_prompt.h"
#include "common/error_info.h"
#include "engine_link/engine_worker.h"
#include "store/draft_files.h"
#include "store/message_part.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>
#include <vector>

namespace coterie::app {

class ChatEdits;
class ChatStore;
class Conversation;

/// A message that goes to a new chat.
struct TakenMessage {
    qint64 chat = 0; ///< its words and files leave the composer of this chat; 0: it stays where it is, too
    QString text{};
    std::vector<DraftFile> files{};
};

class ContextView : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(qint64 leftOut READ leftOut NOTIFY leftOutChanged)
    Q_PROPERTY(bool shortened READ shortened NOTIFY leftOutChanged)
    Q_PROPERTY(bool full READ full NOTIFY fullChanged)
    Q_PROPERTY(QString words READ words NOTIFY fullChanged)
    Q_PROPERTY(QVariantList actions READ actions NOTIFY fullChanged)
    Q_PROPERTY(bool dismissable READ dismissable NOTIFY fullChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY fullChanged)
    Q_PROPERTY(int draftTokens READ draftTokens NOTIFY draftTokensChanged)
    Q_PROPERTY(bool draftFits READ draftFits NOTIFY draftTokensChanged)
  public:
    /// A step that a person can take if something has no room.
    enum Action {
        LeaveOutOldest, ///< continue without the oldest turns, and do what had no room
        LargerContext,  ///< go to the setting for the size of the context
        ShortenMessage, ///< go to the field with its text
        RemoveFile,     ///< take the largest file out of the composer
        NewChat,        ///< go to a new chat with the message that has no room, and its files: see newChatWanted()
    };
    Q_ENUM(Action)

    /// Both outlive this object.
    ContextView(Conversation* conversation, EngineWorker* worker, QObject* parent = nullptr);

    /// Changes what is left out; it outlives this object. Without it, nothing is.
    void setEdits(ChatEdits* edits) { edits_ = edits; }
    void setStore(ChatStore* store) { store_ = store; }
    /// The conversation shows another chat, or another state of it.
    void show(qint64 leftOut);
    /// This prompt of the chat in view was refused because the conversation is too long with it.
    void refuse(RefusedPrompt prompt);
    /// Counts the message in the composer after a moment: it has changed, or what the model reads with it.
    void countSoon();

    /// The last message that the model does not see; 0: it sees all. Its branch may be another one than the shown one:
    /// then the model sees all of this one.
    qint64 leftOut() const { return leftOut_; }
    /// Whether that is so for the shown path.
    bool shortened() const { return shortened_; }
    /// Whether the next prompt, or what was refused, has no room.
    bool full() const { return full_; }
    /// Says what has no room, and how many tokens are too many; empty unless full().
    QString words() const { return words_; }
    /// The actions that help now, as numbers of Action.
    QVariantList actions() const { return actions_; }
    Q_INVOKABLE bool offers(coterie::app::ContextView::Action action) const;
    Q_INVOKABLE QString actionText(coterie::app::ContextView::Action action) const;
    Q_INVOKABLE void act(coterie::app::ContextView::Action action);
    /// Whether it is about a step that a person may drop: nothing that was typed waits for it.
    bool dismissable() const { return refusedStays() && !refused_->isNew(); }
    /// Drops it, with what was changed for it: see RefusedPrompt::dropped.
    Q_INVOKABLE void dismiss();
    /// The turns that fit are being looked for.
    bool searching() const { return wantedFit_ != 0; }
    /// Tokens of the conversation with the text in the composer, also while an answer is written; 0: they are not
    /// known.
    int draftTokens() const { return draftTokens_; }
    bool draftFits() const;
    /// Returns by how many tokens a conversation of this length is too long: the context needs room for it and at least
    /// one token of an answer. It has room if this is 0 or less.
    qint64 tooMany(qint64 tokens) const;

    /// Leaves out as few of the oldest turns as needed so that half of the context is free; the last turn stays if it
    /// leaves some room. A prompt that was refused is then sent, if it is still in the composer, in its field or the
    /// next one that waits.
    Q_INVOKABLE void leaveOutOldest();
    /// Shows the model the whole conversation again.
    Q_INVOKABLE void leaveOutNothing();

  Q_SIGNALS:
    void leftOutChanged();
    void fullChanged();
    void draftTokensChanged();
    /// The setting with this key should be shown, with the focus in its control.
    void settingWanted(const QString& key);
    /// The composer's field should have the focus.
    void fieldWanted();
    /// A new chat should be opened, with this message in its composer. A waiting or an edited message is copied there.
    void newChatWanted(const coterie::app::TakenMessage& message);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    /// A conversation with the shortest message.
    struct Shortest {
        quint64 wanted = 0; ///< the count that is awaited; 0: none
        qint64 tokens = 0;  ///< 0: they are not known
    };

    void onCounted(quint64 count, qint64 tokens);
    void onFitted(const Fit& fit);
    void followPath();
    void countDraft();
    void countNext();
    void countLeast();
    void setDraftTokens(int tokens);
    void setFull();
    void look();
    bool refusedStays() const;
    void drop();
    void forgetDone();
    RefusedPrompt refusedNow() const;
    FitRequest fitRequest() const;
    qint64 tooManyNow() const;
    QString wordsNow() const;
    QVariantList actionsNow() const;
    void showContextSetting();
    engine::Result<TakenMessage> messageToTake() const;
    void beginNewChat();
    void shorten();
    void removeLargest();
    bool isThere(const RefusedPrompt& prompt) const;
    void send(const RefusedPrompt& prompt);
    void change(qint64 leftOut);

    Conversation* conversation_;
    EngineWorker* worker_;
    ChatStore* store_ = nullptr;
    ChatEdits* edits_ = nullptr;
    qint64 leftOut_ = 0;
    bool shortened_ = false, full_ = false;
    bool stays_ = false;       ///< full_ is about refused_
    bool mayLeaveOut_ = false; ///< there is room without the oldest turns
    QString words_;
    QVariantList actions_;
    std::optional<RefusedPrompt> refused_; ///< the prompt that had no room
    int refusedSize_ = 0;                  ///< size of the context then
    int draftTokens_ = 0;
    Shortest next_;                           ///< the conversation with a next message
    qint64 nextTo_ = 0;                       ///< its own tokens then
    Shortest least_;                          ///< the refused prompt, made as short as it may be
    quint64 wantedCount_ = 0, wantedFit_ = 0; ///< the count and the search that are awaited; 0: none
    quint64 look_ = 0;                        ///< the search for mayLeaveOut_ that is awaited
    bool countAgain_ = false;                 ///< the text has changed since that count began
    QTimer counting_;
};

} // namespace coterie::app
