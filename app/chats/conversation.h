// SPDX-License-Identifier: Apache-2.0
// A chat as it is shown: its messages, the text that is being written to it, and how its answer goes on. Several can
// live at once; they share the store, the queue of answers and the engine. It holds the last messages of the path and
// reads earlier ones when the view asks for them. Lives on the GUI thread.
#pragma once

#include "chats/chat_find.h"
#include "chats/composer_files.h"
#include "chats/context_view.h"
#include "chats/message_actions.h"
#include "chats/message_model.h"
#include "chats/queued_prompts.h"
#include "chats/token_alternatives.h"
#include "common/error_info.h"
#include "engine_link/answer_queue.h"
#include "engine_link/engine_worker.h"
#include "engine_link/prompt_history.h"
#include "engine_link/prompt_queue.h"
#include "settings/chat_settings.h"
#include "store/chat_store.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <utility>
#include <vector>

namespace coterie::app {

class ChatEdits;
class RecordKeeper;
class ToolRunner;
class UndoStack;
struct Undoable;

/// The parts of the program that all conversations share. They outlive the conversations.
struct ConversationParts {
    EngineWorker* worker = nullptr;
    AnswerQueue* answers = nullptr;
    const PromptHistory* history = nullptr;
    Settings* settings = nullptr;
    const Presets* presets = nullptr;
    PromptQueue* queue = nullptr;      ///< without it, no prompt waits
    UndoStack* undo = nullptr;         ///< without it, steps can't be undone
    ChatEdits* edits = nullptr;        ///< without it, messages can't be changed
    RecordKeeper* records = nullptr;   ///< without it, records are known once they are stored
    const ToolRunner* tools = nullptr; ///< without it, no tool waits for the user

    /// The tokens of an answer's record; none if they are not known.
    std::vector<engine::TokenRecord> tokensOf(const ChatStore& store, qint64 message) const;
    /// Its whole record; nothing if it is not known. See RecordKeeper::record().
    std::optional<AnswerRecord> recordOf(const ChatStore& store, qint64 message) const;
};

/// The model that answers.
struct AnsweringModel {
    bool ready = false;
    bool opening = false; ///< it will be ready in a moment
    QString name{};
    QString path{};
    qint64 longestContext = 0;  ///< the size of a context that it may be opened with; 0: the size can't be chosen
    bool canThink = false;      ///< its template supports thinking
    bool continuesText = false; ///< it has no template: what it writes stands right behind the prompt
    QString settingsKey{};      ///< names it in Settings::modelSettings()
    QJsonObject settings{};     ///< its layer of ChatSettings
};

class Conversation : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Panes has them")
    Q_PROPERTY(qint64 chatId READ chatId NOTIFY chatChanged)
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(coterie::app::MessageModel* messages READ messages CONSTANT)
    Q_PROPERTY(coterie::app::TokenAlternatives* alternatives READ alternatives CONSTANT)
    Q_PROPERTY(coterie::app::ChatFind* find READ find CONSTANT)
    Q_PROPERTY(coterie::app::ContextView* context READ context CONSTANT)
    Q_PROPERTY(coterie::app::ComposerFiles* files READ files CONSTANT)
    Q_PROPERTY(coterie::app::QueuedPrompts* queue READ queue CONSTANT)
    Q_PROPERTY(coterie::app::MessageActions* actions READ actions CONSTANT)
    Q_PROPERTY(bool moreBefore READ moreBefore NOTIFY moreBeforeChanged)
    Q_PROPERTY(coterie::app::AnswerQueue::State state READ state NOTIFY stateChanged)
    Q_PROPERTY(bool busy READ busy NOTIFY stateChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    Q_PROPERTY(int promptDone READ promptDone NOTIFY progressChanged)
    Q_PROPERTY(int promptTotal READ promptTotal NOTIFY progressChanged)
    Q_PROPERTY(double promptSecondsLeft READ promptSecondsLeft NOTIFY progressChanged)
    Q_PROPERTY(double tokensPerSecond READ tokensPerSecond NOTIFY telemetryChanged)
    Q_PROPERTY(int contextUsed READ contextUsed NOTIFY telemetryChanged)
    Q_PROPERTY(int contextSize READ contextSize NOTIFY telemetryChanged)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(bool errorOfFile READ errorOfFile NOTIFY errorChanged)
    Q_PROPERTY(coterie::app::ErrorInfo refusal READ refusal NOTIFY refusalChanged)
    Q_PROPERTY(coterie::app::ChatSettings* settings READ answerSettings CONSTANT)
    Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
    Q_PROPERTY(bool temporary READ temporary NOTIFY temporaryChanged)
    Q_PROPERTY(bool asksToLeave READ asksToLeave NOTIFY asksToLeaveChanged)
    Q_PROPERTY(int placeRow READ placeRow NOTIFY placeWanted)
    Q_PROPERTY(double placeShare READ placeShare NOTIFY placeWanted)
    Q_PROPERTY(bool placeMarked READ placeMarked NOTIFY placeWanted)
  public:
    using State = AnswerQueue::State;
    using enum AnswerQueue::State;

    explicit Conversation(const ConversationParts& parts, QObject* parent = nullptr);
    /// Stores the draft and the texts that are being edited.
    ~Conversation() override;

    /// If store is null, prompts are refused and error() is `reason`.
    void setStore(ChatStore* store, const ErrorInfo& reason);
    /// The store of temporary chats: see isTemporary(). Without it there are none.
    void setTemporaryStore(ChatStore* store) { temporary_ = store; }
    void setModel(const AnsweringModel& model);
    /// Stores the draft and the texts that are being edited now.
    void keepDraft();

    qint64 chatId() const { return chatId_; }
    QString title() const { return title_; }
    MessageModel* messages() { return &messages_; }
    ChatFind* find() { return &find_; }
    TokenAlternatives* alternatives() { return &alternatives_; }
    ContextView* context() { return &context_; }
    ComposerFiles* files() { return &files_; }
    QueuedPrompts* queue() { return &queue_; }
    MessageActions* actions() { return &actions_; }
    const AnsweringModel& model() const { return model_; }
    ChatSettings& settings() { return settings_; }
    ChatSettings* answerSettings() { return &settings_; }
    /// Whether the path has messages before the first one in messages().
    bool moreBefore() const { return moreBefore_; }
    State state() const { return state_; }
    bool busy() const { return state_ != Idle; }
    bool canSend() const { return model_.ready && !busy(); }
    int promptDone() const { return promptDone_; }
    int promptTotal() const { return promptTotal_; }
    /// An estimate of the time until the prompt is read; below 0: there is none yet.
    double promptSecondsLeft() const { return promptSecondsLeft_; }
    double tokensPerSecond() const { return tokensPerSecond_; }
    /// The tokens in the context: the engine's position while it writes an answer of this chat, else those that the
    /// model would read before the next answer, counted; no more than contextSize().
    int contextUsed() const { return contextUsed_; }
    int contextSize() const { return contextSize_; }
    /// The tokens of the conversation when they were counted last; 0: they are not known.
    qint64 countedTokens() const { return countedTokens_; }
    ErrorInfo error() const { return error_; }
    /// Whether error() is about a file that was to be attached.
    bool errorOfFile() const { return error_.valid() && error_ == fileError_; }
    /// Why the text in the composer was not sent. It is over when its cause is: another text, another model, another
    /// chat, or the end of an answer.
    ErrorInfo refusal() const { return refusal_; }
    /// The text in the composer. The store keeps one for each chat, a moment after it changed.
    QString draft() const { return drafts_.value(draftKey(), storedDraft_); }
    void setDraft(const QString& text);
    /// Whether the chat in view is a temporary one: nothing of it is written to the disk.
    bool temporary() const { return temporary_ && store_ == temporary_; }
    /// Whether the user wants to leave a temporary chat that has messages, a draft or files, also one that is being
    /// read: keepTemporary(), dropTemporary() or stay() answers.
    bool asksToLeave() const { return leave_ != nullptr; }
    /// Returns whether the window may close now. If not, the user is asked, and closeAllowed() may follow.
    Q_INVOKABLE bool mayClose();
    /// Returns true if nothing is lost when the chat in view is left; a temporary one has ended then. Otherwise the
    /// user is asked, and `then` may be called later.
    bool mayLeave(std::function<void()> then);
    /// The message to show when placeWanted() is emitted; -1: the end of the chat.
    int placeRow() const { return placeRow_; }
    /// How far the top of the view is in that message, as a share of its height.
    double placeShare() const { return placeShare_; }
    /// Whether the reader looks for this message, so that it should stand out.
    bool placeMarked() const { return placeMarked_; }

    /// Sends the prompt. Returns false if it was refused and nothing was stored: the text should stay in the composer,
    /// and refusal() says why, or error() if the store failed. A prompt that may be too long for the context is counted
    /// first: it is stored a moment later, or context() says that it has no room. draft() is empty as soon as the
    /// prompt is in the database.
    Q_INVOKABLE bool send(const QString& text);
    /// Returns the settings of this chat alone; chat 0 stands for a chat that does not exist yet.
    engine::Result<QJsonObject> ownSettings(qint64 chat) const;
    /// Replaces them. Those of a chat that does not exist yet are kept until its first message.
    engine::Status setOwnSettings(qint64 chat, const QJsonObject& values);
    /// Switches thinking on or off where its value comes from; the chat keeps a value of its own in place of that of a
    /// preset.
    Q_INVOKABLE void setThinking(bool on);
    /// Makes it a step about this chat's own settings. Those of a new chat are its own once a message was sent.
    void claim(Undoable& step) const;
    /// Sends a prompt that has waited for its turn, in the same way; the draft stays. If it is refused, the queue holds
    /// the chat's prompts.
    bool sendWaiting(const WaitingPrompt& prompt);
    /// Ends the answer within one token.
    Q_INVOKABLE void stop();
    Q_INVOKABLE void newChat();
    Q_INVOKABLE void openChat(qint64 chatId);
    Q_INVOKABLE void newTemporaryChat();
    /// Moves the temporary chat to the others; an answer that is being written is stopped. A moment later if a file is
    /// being read for it.
    Q_INVOKABLE void keepTemporary();
    /// Erases it.
    Q_INVOKABLE void dropTemporary();
    Q_INVOKABLE void stay();
    /// Opens the chat on the branch of this message, and asks the view to show it. Message 0: as openChat().
    Q_INVOKABLE void openMessage(qint64 chatId, qint64 messageId);
    /// Keeps the place that is read: the message at the top of the view, and how far the view has gone into it. Message
    /// 0: the end. The store has it a moment later.
    Q_INVOKABLE void keepPlace(qint64 messageId, double share);
    /// Puts earlier messages before the first one.
    Q_INVOKABLE void readMoreBefore() { readBefore(0); }
    /// Puts earlier messages before the first one until this one, which is in the path, is among them; with 0, all.
    Q_INVOKABLE void readBackTo(qint64 messageId);
    Q_INVOKABLE void dismissError();
    /// Whether the chat has a card that a person may close: about what has no room in the context, or an error. The
    /// error of an answer has none: it stands below the answer.
    bool hasCard() const;
    /// Closes it; one of two.
    void closeCard();

    /// The last message of the path; 0: there is none.
    qint64 leaf() const;
    /// The options of the next answer.
    engine::GenerateOptions options() const { return settings_.options(model_.canThink); }
    /// The conversation up to this message, as the model sees it, with a prompt that is not stored yet.
    ConversationSource source(qint64 last, const QString& prompt, std::vector<MessagePart> files = {}) const {
        return sourceWith(settings_.systemPrompt(), last, prompt, std::move(files));
    }
    /// The same with this system prompt in place of the chat's.
    ConversationSource sourceWith(const QString& systemPrompt, qint64 last, const QString& prompt,
                                  std::vector<MessagePart> files = {}) const;
    /// The conversation up to the leaf, with the text in the composer and its files.
    ConversationSource draftSource() const { return source(leaf(), draft(), files_.parts()); }
    /// All rows up to this message, also those that the model does not see, with such a prompt.
    RowSource rowSource(qint64 last, const QString& prompt, std::vector<MessagePart> files = {}) const;
    /// Whether the conversation with this prompt is shorter than the context, whatever its tokens are.
    bool surelyFits(const QString& text, const std::vector<MessagePart>& files) const;
    /// The text of a message as it is stored and as the model reads it: without empty lines around it, and without
    /// spaces at its end. The first line keeps its spaces, which code needs. A text that the model continues stays as
    /// it is.
    QString sentText(const QString& typed) const;
    /// Whether the composer has something to send.
    bool written() const { return !draft().trimmed().isEmpty() || files_.count() > 0; }
    /// The files of this waiting prompt; 0: those of the composer.
    std::vector<DraftFile> filesOf(qint64 waiting) const;
    /// Returns whether the text in the composer may wait for its turn; refusal() says why not.
    bool mayWait();
    /// Has the text wait in the chat in view, which does not exist yet and is made for it. Returns false if the store
    /// refused it.
    bool waitInNewChat(const QString& text);
    /// Counts the tokens of the conversation for the gauge.
    void countTokens();
    /// Has an answer written that the store has already, with this system prompt.
    void begin(Job job, const QString& systemPrompt);
    /// The same with that of this chat.
    void begin(Job job) { begin(std::move(job), settings_.systemPrompt()); }

    void applyRename(qint64 chatId, const QString& title);
    void applyRemoval(qint64 chatId);
    /// The chat is there again: if it was in view when it was deleted, and no other one since, it is in view again.
    void applyReturn(qint64 chatId);

  Q_SIGNALS:
    void chatChanged();
    void titleChanged();
    void moreBeforeChanged();
    void stateChanged();
    void canSendChanged();
    void progressChanged();
    void telemetryChanged();
    void errorChanged();
    void refusalChanged();
    void draftChanged();
    /// Another chat will be shown: the view should call keepPlace() now.
    void leaving();
    void temporaryChanged();
    void asksToLeaveChanged();
    void closeAllowed();
    void placeWanted();
    /// A prompt that had to be counted is in the database now.
    void accepted();
    /// A chat appeared, or its time or title changed in the store.
    void chatStored(qint64 chatId);
    /// The last answer of the chat that is shown now may call tools that were not run: see ToolRunner::takeUp().
    void callsFound(const coterie::app::Job& job);

  private:
    /// A prompt on its way into the store, with what its answer needs: while its tokens are counted, the view may go on
    /// to another chat. What comes to the composer or changes in the settings meanwhile is for the next message.
    struct Unsent {
        ChatStore* store = nullptr; ///< the one with its chat
        qint64 chatId = 0;          ///< 0: the chat does not exist yet
        QString text;
        qint64 waiting = 0;             ///< the waiting prompt that this is; 0: none
        std::vector<DraftFile> files{}; ///< the draft's files that it takes
        QString systemPrompt{};
        engine::GenerateOptions options{};
        quint64 count = 0; ///< the count that is awaited
        qint64 last = 0;   ///< the message before it then

        /// The title that its chat gets if it does not exist yet.
        QString title() const;
    };

    /// A place in a chat: see keepPlace().
    struct Place {
        qint64 message = 0;
        double share = 0;
        bool operator==(const Place& other) const = default;
    };

    std::vector<MessageRow> newerRows() const;
    bool mayAccept(const QString& text, qint64 waiting);
    ErrorInfo refusalOf(const QString& text, qint64 waiting) const;
    Unsent unsentOf(const QString& text, qint64 waiting) const;
    const Unsent* beingCounted() const;
    bool cancelled(const Unsent& unsent) const;
    void dropTakenOut(Unsent& unsent) const;
    bool submit(const QString& text, qint64 waiting);
    void count(Unsent unsent);
    void refuse(const ErrorInfo& why, qint64 waiting);
    void sendWhenOpen(const Unsent& unsent);
    bool waitInNewChat(const Unsent& first);
    void sendElsewhere(const Unsent& unsent, qint64 tokens);
    void refuseTooLong(const Unsent& unsent, qint64 tokens);
    std::vector<MessagePart> resultsBefore(qint64 message) const;
    engine::Result<StoredTurn> addTurn(const Unsent& unsent);
    bool store(const Unsent& unsent);
    void becomeChat(qint64 chat, const QString& title);
    void storeElsewhere(const Unsent& unsent);
    void beginAnswer(const Unsent& unsent, const StoredTurn& turn);
    void cutDraft(const Unsent& sent, qint64 chat);
    void onCounted(quint64 count, qint64 tokens);
    void sendCounted(Unsent unsent, qint64 tokens);
    ChatStore* storeWith(qint64 chat) const { return isTemporary(chat) ? temporary_ : kept_; }
    /// The chat in view, as a key of drafts_.
    qint64 draftKey() const { return chatId_ == 0 && temporary() ? kNewTemporary : chatId_; }
    void keepNewSettings(qint64 chat, const QJsonObject& values);
    void followLeaf();
    void followEdits();
    void showPath();
    void findCalls();
    void onGrew(qint64 message, const std::vector<PartPiece>& pieces);
    void onEnded(const MessageRow& answer);
    void readProgress();
    /// Whether the engine is at work on this chat.
    bool engineReports() const { return answering_ != 0 && state_ != Waiting; }
    void countToLeaf();
    void readTelemetry();
    void overlayNewer(std::vector<MessageRow>& rows) const;
    void show(qint64 chatId, const QString& title, const ChatState& state, MessagePage page);
    void readBefore(int most);
    void setMoreBefore(bool more);
    void storePlace();
    void use(ChatStore* store);
    void endTemporary();
    void leaveNow(qint64 openInstead);
    void goTo(const Place& place, bool marked);
    void setError(const ErrorInfo& error);
    void setRefusal(const ErrorInfo& why);

    static constexpr int kPage = 50;            ///< messages that are read at once
    static constexpr qint64 kNewTemporary = -1; ///< a temporary chat that does not exist yet, in drafts_

    const ConversationParts parts_;
    ChatStore* store_ = nullptr; ///< the one with the chat in view: kept_ or temporary_
    ChatStore* kept_ = nullptr;
    ChatStore* temporary_ = nullptr;
    std::function<void()> leave_; ///< runs once the user has left the temporary chat
    bool keeping_ = false;        ///< it is kept as soon as its answer has stopped
    ErrorInfo noStore_;           ///< why there is no store
    ChatSettings settings_;
    AnsweringModel model_;
    MessageModel messages_;
    ChatFind find_;
    TokenAlternatives alternatives_;
    ComposerFiles files_;
    QueuedPrompts queue_;
    MessageActions actions_;
    ContextView context_;
    qint64 chatId_ = 0;
    qint64 removedChat_ = 0; ///< it was in view, and was deleted; a new chat stands in its place
    QString title_;
    bool moreBefore_ = false;
    State state_ = Idle;
    qint64 answering_ = 0;       ///< the unfinished answer of this chat
    std::vector<Unsent> unsent_; ///< prompts whose tokens are being counted; one for each chat at most
    quint64 lastCount_ = 0;      ///< the count for the gauge that is awaited
    qint64 countedTokens_ = 0;
    double promptSecondsLeft_ = -1;
    int promptDone_ = 0, promptTotal_ = 0, contextUsed_ = 0, contextSize_ = 0;
    double tokensPerSecond_ = 0;
    ErrorInfo error_, refusal_;
    ErrorInfo fileError_; ///< the last one of a file
    QString storedDraft_;
    QHash<qint64, QString> drafts_; ///< drafts that the store doesn't have yet, by chat; some chats may be in the bin
    Place seen_;                    ///< as the store has it, or will have it when placeTimer_ ends
    int placeRow_ = -1;
    double placeShare_ = 0;
    bool placeMarked_ = false;
    QTimer draftTimer_, placeTimer_, telemetryTimer_;
};

} // namespace coterie::app
