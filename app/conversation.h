// SPDX-License-Identifier: Apache-2.0
// A chat as it is shown: its messages, the text that is being written to it, and how its answer goes on. Several can
// live at once; they share the store, the queue of answers and the engine. It holds the last messages of the path and
// reads earlier ones when the view asks for them. Lives on the GUI thread.
#pragma once

#include "chat_settings.h"
#include "engine_worker.h"
#include "error_info.h"
#include "generation.h"
#include "message_model.h"
#include "prompt_history.h"
#include "store/chat_store.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace coterie::app {

/// The parts of the program that all conversations share. They outlive the conversations.
struct ConversationParts {
    EngineWorker* worker = nullptr;
    Generation* generation = nullptr;
    const PromptHistory* history = nullptr;
    const Settings* settings = nullptr;
};

/// The model that answers.
struct AnsweringModel {
    bool ready = false;
    QString name{};
    bool canThink = false;  ///< its template supports thinking
    QJsonObject settings{}; ///< its layer of ChatSettings
};

class Conversation : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(qint64 chatId READ chatId NOTIFY chatChanged)
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(coterie::app::MessageModel* messages READ messages CONSTANT)
    Q_PROPERTY(bool moreBefore READ moreBefore NOTIFY moreBeforeChanged)
    Q_PROPERTY(State state READ state NOTIFY stateChanged)
    Q_PROPERTY(bool busy READ busy NOTIFY stateChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    Q_PROPERTY(int promptDone READ promptDone NOTIFY progressChanged)
    Q_PROPERTY(int promptTotal READ promptTotal NOTIFY progressChanged)
    Q_PROPERTY(double tokensPerSecond READ tokensPerSecond NOTIFY telemetryChanged)
    Q_PROPERTY(int contextUsed READ contextUsed NOTIFY telemetryChanged)
    Q_PROPERTY(int contextSize READ contextSize NOTIFY telemetryChanged)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
  public:
    enum State { // those of Generation, and Idle
        Waiting = Generation::Waiting,
        Reading = Generation::Reading,
        Writing = Generation::Writing,
        Stopping = Generation::Stopping,
        Idle, ///< no answer of this chat is unfinished
    };
    Q_ENUM(State)

    explicit Conversation(const ConversationParts& parts, QObject* parent = nullptr);
    /// Stores the draft.
    ~Conversation() override;

    /// If store is null, prompts are refused and error() is `reason`.
    void setStore(ChatStore* store, const ErrorInfo& reason);
    void setModel(const AnsweringModel& model);
    /// Stores the draft now.
    void keepDraft();

    qint64 chatId() const { return chatId_; }
    QString title() const { return title_; }
    MessageModel* messages() { return &messages_; }
    ChatSettings& settings() { return settings_; }
    /// Whether the path has messages before the first one in messages().
    bool moreBefore() const { return moreBefore_; }
    State state() const { return state_; }
    bool busy() const { return state_ != Idle; }
    bool canSend() const { return model_.ready && !busy(); }
    int promptDone() const { return promptDone_; }
    int promptTotal() const { return promptTotal_; }
    double tokensPerSecond() const { return tokensPerSecond_; }
    int contextUsed() const { return contextUsed_; }
    int contextSize() const { return contextSize_; }
    ErrorInfo error() const { return error_; }
    /// The text in the composer. The store keeps one for each chat, a moment after it changed.
    QString draft() const { return drafts_.value(chatId_, storedDraft_); }
    void setDraft(const QString& text);

    /// Sends the prompt. Returns false if it was refused and nothing was stored: the text should stay in the composer,
    /// and error() says why. A prompt that may be too long for the context is counted first: it is stored, or refused
    /// in the same way, a moment later. draft() is empty as soon as the prompt is in the database.
    Q_INVOKABLE bool send(const QString& text);
    /// Ends the answer within one token.
    Q_INVOKABLE void stop();
    Q_INVOKABLE void newChat();
    Q_INVOKABLE void openChat(qint64 chatId);
    /// Puts earlier messages before the first one.
    Q_INVOKABLE void readMoreBefore();
    /// Copies the message's text to the clipboard.
    Q_INVOKABLE void copyMessage(qint64 messageId);
    Q_INVOKABLE void dismissError();

    void applyRename(qint64 chatId, const QString& title);
    void applyRemoval(qint64 chatId);

  Q_SIGNALS:
    void chatChanged();
    void titleChanged();
    void moreBeforeChanged();
    void stateChanged();
    void canSendChanged();
    void progressChanged();
    void telemetryChanged();
    void errorChanged();
    void draftChanged();
    /// A prompt that had to be counted is in the database now.
    void accepted();
    /// A chat appeared, or its time or title changed in the store.
    void chatStored(qint64 chatId);

  private:
    /// A prompt whose tokens are being counted.
    struct Unsent {
        quint64 count = 0;
        qint64 chatId = 0;
        QString text;
    };

    bool mayAccept(const QString& text);
    bool surelyFits(const QString& text) const;
    ConversationSource source(qint64 last, const QString& prompt) const;
    qint64 leaf() const;
    bool store(const QString& text);
    void onCounted(quint64 count, qint64 tokens);
    void countTokens();
    void onGrew(qint64 message, const std::vector<PartPiece>& pieces);
    void onEnded(const MessageRow& answer);
    void readProgress();
    void readTelemetry();
    void overlayNewer(std::vector<MessageRow>& rows) const;
    void show(qint64 chatId, const QString& title, const ChatState& state, MessagePage page);
    void setMoreBefore(bool more);
    void setError(const ErrorInfo& error);

    const ConversationParts parts_;
    ChatStore* store_ = nullptr;
    ErrorInfo noStore_; ///< why there is no store
    ChatSettings settings_;
    AnsweringModel model_;
    MessageModel messages_;
    qint64 chatId_ = 0;
    QString title_;
    bool moreBefore_ = false;
    State state_ = Idle;
    qint64 answering_ = 0; ///< the unfinished answer of this chat
    std::optional<Unsent> unsent_;
    quint64 lastCount_ = 0; ///< the count for the gauge that is awaited
    int promptDone_ = 0, promptTotal_ = 0, contextUsed_ = 0, contextSize_ = 0;
    double tokensPerSecond_ = 0;
    ErrorInfo error_;
    QString storedDraft_;
    QHash<qint64, QString> drafts_; ///< drafts that the store doesn't have yet, by chat
    QTimer draftTimer_, telemetryTimer_;
};

} // namespace coterie::app
