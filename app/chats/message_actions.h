// SPDX-License-Identifier: Apache-2.0
// The actions on a message of a conversation: copy, edit, answer again, continue, delete, fork, and go through its
// versions. Everything that changes a chat can be undone (chat_edits.h). If something can't be done, failed() says why.
// Texts that are being edited are kept until they are sent or left, also while another chat is shown and when the
// program ends; those of a temporary chat stay in memory. Lives on the GUI thread.
//
//     actions.beginEdit(message);
//     actions.setEditText(message, words);
//     actions.keepEdit(message);
#pragma once

#include "chats/refused_prompt.h"
#include "common/error_info.h"
#include "engine_link/answer_queue.h"
#include "store/chat_store.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace coterie::app {

class ChatSettings;
class Conversation;
struct ConversationParts;
struct ModelChange;

class MessageActions : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Conversation has one")
    /// The message that has the focus, set by the view; 0: none. Commands act on it, or else on the last message,
    /// except the one to edit: see editTarget().
    Q_PROPERTY(qint64 focused READ focused WRITE setFocused NOTIFY focusedChanged)
    /// Ids of the messages that are being edited; some may be of other chats.
    Q_PROPERTY(QVariantList edited READ edited NOTIFY editedChanged)
    /// First words of the message that was deleted last, while Undo is offered for it.
    Q_PROPERTY(QString removedTitle READ removedTitle NOTIFY removedChanged)
  public:
    /// Both outlive this object.
    MessageActions(Conversation* conversation, const ConversationParts* parts, QObject* parent = nullptr);

    void setStore(ChatStore* store) { store_ = store; }
    /// Stores the texts that are being edited now; setEditText() emits typed(), so that this is called soon.
    void storeEdits();
    /// Tells how the opening of a model ended: an answer may wait for it. ready: it is open; else `why` may say why
    /// not.
    void modelOpened(bool ready, const QString& path, const ErrorInfo& why);

    qint64 focused() const { return focused_; }
    void setFocused(qint64 message);
    QVariantList edited() const;
    QString removedTitle() const { return removedTitle_; }

    /// The message that commands act on; 0: there is none.
    qint64 target() const;
    /// The message that the command to edit acts on: the one that has the focus, or else the last prompt.
    qint64 editTarget() const;
    Q_INVOKABLE bool canContinue(qint64 message) const;
    /// Whether the message has a version so many places further.
    bool canShow(qint64 message, int step) const;

    /// Whether the message is an answer, whose tokens may have alternatives and probabilities.
    bool hasTokens(qint64 message) const;
    /// Asks the view for the alternatives of the answer's tokens: see TokenAlternatives.
    Q_INVOKABLE void showAlternatives(qint64 message) { Q_EMIT alternativesWanted(message); }
    /// Colours the answer's words by their probability, or no longer.
    Q_INVOKABLE void toggleTint(qint64 message);

    /// Copies the message's source, as the model or the user wrote it.
    Q_INVOKABLE void copyMarkdown(qint64 message);
    /// Copies the text as it is shown.
    Q_INVOKABLE void copyPlain(qint64 message);

    /// One that is being edited already is brought into view again.
    Q_INVOKABLE void beginEdit(qint64 message);
    Q_INVOKABLE QString editText(qint64 message) const { return edits_.value(message); }
    Q_INVOKABLE void setEditText(qint64 message, const QString& text);
    /// Ends the edit: an answer gets another version, a prompt is sent as a new branch. If that is refused, or as long
    /// as the prompt is being counted, the text stays. If it changes meanwhile, or the edit is left, nothing is sent.
    Q_INVOKABLE void keepEdit(qint64 message);
    /// Ends the edit without keeping it. Undo brings the text back.
    Q_INVOKABLE void leaveEdit(qint64 message);

    /// Writes another answer in place of this one, or to this prompt. If it may have no room in the context, its
    /// conversation is counted first: ContextView says so if it has none, and nothing is stored.
    Q_INVOKABLE void regenerate(qint64 message);
    /// The same with a temperature that is higher or lower by this.
    Q_INVOKABLE void regenerateWarmer(qint64 message, double degrees);
    /// The same with the values of a preset in place of the chat's, for this answer only.
    Q_INVOKABLE void regenerateAs(qint64 message, const QString& preset);
    /// Opens the model at this path, then does the same. Undo goes back to the model that was open before, and so does
    /// everything that keeps the answer from being begun.
    Q_INVOKABLE void regenerateWith(qint64 message, const QString& modelPath);
    /// Begins an answer in the same way: prompt.begin() does it. `refused` says that it was not begun, if that is so
    /// for another reason. more: tokens besides those of the conversation.
    void beginCounted(const QString& refused, RefusedPrompt prompt, ConversationSource conversation, qint64 more);
    /// Continues the answer, which must be the last message, from where it ends. It is counted in the same way.
    Q_INVOKABLE void continueAnswer(qint64 message);
    /// Shows the version that is so many places further.
    Q_INVOKABLE void showVersion(qint64 message, int step);
    /// Deletes the message with what follows.
    Q_INVOKABLE void remove(qint64 message);
    /// Ends the offer of Undo.
    Q_INVOKABLE void forgetRemoved();
    /// Copies the path to this message into a new chat, and opens it.
    Q_INVOKABLE void fork(qint64 message);

  Q_SIGNALS:
    void focusedChanged();
    void editedChanged();
    void typed();
    void removedChanged();
    /// Some actions may have become possible or impossible.
    void changed();
    /// An answer was begun: the view should follow it.
    void begun();
    /// The message should be in view, with its field if it is being edited.
    void placeWanted(qint64 message);
    /// The view should show the alternatives of this answer's tokens, and move the focus there.
    void alternativesWanted(qint64 message);
    void modelWanted(const QString& path);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    /// A step whose conversation is being counted: nothing is stored before it is known to have room.
    struct Counted {
        quint64 count = 0;
        QString refused{};      ///< the first sentence if it can't be done for another reason
        RefusedPrompt prompt{}; ///< its begin() does the step
        qint64 more = 0;        ///< tokens besides those that are counted

        /// It is not done.
        void drop() const {
            if (prompt.dropped) prompt.dropped();
        }
    };

    bool refuses(const QString& what);
    const MessageRow* find(qint64 message) const;
    void countFirst(Counted step, ConversationSource conversation);
    bool answerAgain(qint64 message, const ChatSettings& settings, double warmer, const ModelChange& models);
    bool writeAgain(qint64 prompt, Job job, const ModelChange& models);
    void dropChange(const ModelChange& models);
    void resume(const MessageRow& before, Job job);
    void dropFrom(int first);
    void takeBack(qint64 message);
    void sendEdit(const MessageRow& prompt, const QString& text);
    void onCounted(quint64 count, qint64 tokens);
    void addTurn(const MessageRow& prompt, const QString& text);
    void keepVersion(const MessageRow& answer, const QString& text);
    void putEdit(qint64 message, const QString& text);
    void endEdit(qint64 message);
    void storeEdit(qint64 message, const std::optional<QString>& text);
    void readEdits();
    Job beginJob(const MessageRow& answer) const;
    bool addPrefix(Job& job);
    void copy(const QString& text);

    Conversation* conversation_;
    const ConversationParts* parts_;
    ChatStore* store_ = nullptr;
    qint64 focused_ = 0;
    QHash<qint64, QString> edits_; ///< texts that are being edited, by message
    QSet<qint64> unstored_;        ///< those of them that the store doesn't have yet
    std::optional<Counted> counted_;
    QString removedTitle_;
    qint64 waiting_ = 0;                ///< the message that is answered again when the model of this path is open
    QString wantedModel_, modelBefore_; ///< its path, and that of the model that was open
};

} // namespace coterie::app
