// SPDX-License-Identifier: Apache-2.0
// The part of a conversation that the model sees, and how much of the context it fills. Nothing is ever left out by
// itself: when the conversation fills the context, a person may choose to go on without its oldest turns. The last
// message that is left out is kept with the chat; every later prompt begins after it (PromptHistory), until that is
// undone.
//
//     if (view.full()) view.leaveOutOldest(); // leftOut() is another message a moment later
//
// Lives on the GUI thread; tokens are counted on the counting thread.
#pragma once

#include "common/error_info.h"
#include "engine_link/engine_worker.h"
#include "store/message_part.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <optional>
#include <vector>

namespace coterie::app {

class ChatEdits;
class ChatStore;
class Conversation;

/// A prompt that has no room in the context.
struct RefusedPrompt {
    enum class From { Composer, Queue, Edit };
    From from = From::Composer;
    qint64 id = 0; ///< the waiting prompt, or the message that is being edited
    QString text{};
    std::vector<MessagePart> files{}; ///< those of the composer are read when they are needed
};

class ContextView : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(qint64 leftOut READ leftOut NOTIFY leftOutChanged)
    Q_PROPERTY(bool shortened READ shortened NOTIFY leftOutChanged)
    Q_PROPERTY(bool full READ full NOTIFY fullChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY fullChanged)
    Q_PROPERTY(int draftTokens READ draftTokens NOTIFY draftTokensChanged)
    Q_PROPERTY(bool draftFits READ draftFits NOTIFY draftTokensChanged)
  public:
    /// Both outlive this object.
    ContextView(Conversation* conversation, EngineWorker* worker, QObject* parent = nullptr);

    /// Changes what is left out; it outlives this object. Without it, nothing is.
    void setEdits(ChatEdits* edits) { edits_ = edits; }
    void setStore(ChatStore* store) { store_ = store; }
    /// The conversation shows another chat, or another state of it.
    void show(qint64 leftOut);
    /// This prompt of the chat in view was refused because the conversation is too long with it.
    void refuse(RefusedPrompt prompt);

    /// Says what to do about a prompt that has no room.
    static QString adviceFor(const RefusedPrompt& prompt);

    /// The last message that the model does not see; 0: it sees all. Its branch may be another one than the shown one:
    /// then the model sees all of this one.
    qint64 leftOut() const { return leftOut_; }
    /// Whether that is so for the shown path.
    bool shortened() const { return shortened_; }
    /// Whether the next prompt, or the one that was refused, has no room.
    bool full() const { return full_; }
    /// The turns that fit are being looked for.
    bool searching() const { return wantedFit_ != 0; }
    /// Tokens of the conversation with the text in the composer, also while an answer is written; 0: they are not
    /// known.
    int draftTokens() const { return draftTokens_; }
    bool draftFits() const;

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
    void failed(const coterie::app::ErrorInfo& error);

  private:
    void onCounted(quint64 count, qint64 tokens);
    void onFitted(const Fit& fit);
    void followPath();
    void countSoon();
    void countDraft();
    void setDraftTokens(int tokens);
    void setFull();
    bool refusedStays() const;
    RefusedPrompt refusedNow() const;
    bool mayFollow(const RefusedPrompt& prompt) const;
    void send(const RefusedPrompt& prompt);
    void change(qint64 leftOut);

    Conversation* conversation_;
    EngineWorker* worker_;
    ChatStore* store_ = nullptr;
    ChatEdits* edits_ = nullptr;
    qint64 leftOut_ = 0;
    bool shortened_ = false, full_ = false;
    std::optional<RefusedPrompt> refused_; ///< the prompt that had no room
    int refusedSize_ = 0;                  ///< size of the context then
    int draftTokens_ = 0;
    quint64 wantedCount_ = 0, wantedFit_ = 0; ///< the count and the search that are awaited; 0: none
    bool countAgain_ = false;                 ///< the text has changed since that count began
    QTimer counting_;
};

} // namespace coterie::app
