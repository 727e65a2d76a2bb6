// SPDX-License-Identifier: Apache-2.0
// The conversation in the window: stores the prompt, asks the engine, and streams the answer into the message model and
// the store. At most one answer is written at a time; it continues while the user looks at another chat. Lives on the
// GUI thread.
#pragma once

#include "engine_worker.h"
#include "error_info.h"
#include "message_model.h"
#include "store/chat_store.h"

#include <QHash>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace coterie::app {

class Settings;

class ChatController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(qint64 chatId READ chatId NOTIFY chatChanged)
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(coterie::app::MessageModel* messages READ messages CONSTANT)
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
    enum State {
        Idle,
        Reading,  ///< the engine reads the prompt
        Writing,  ///< the engine writes the answer
        Stopping, ///< stop() was called; at most one more token follows
    };
    Q_ENUM(State)

    /// `worker` and `settings` outlive this object.
    ChatController(EngineWorker* worker, Settings* settings, QObject* parent = nullptr);
    ~ChatController() override;

    /// If store is null, prompts are refused and error() is `reason`.
    void setStore(ChatStore* store, const ErrorInfo& reason);
    /// Says whether a model is ready, and its name. canThink: its template supports thinking. demo: it is the bundled
    /// demo model, which has its own setting for thinking.
    void setModel(bool ready, const QString& name, bool canThink, bool demo);
    /// Saves the running answer so far as a stopped one, without waiting for the engine. Call it when the program ends.
    void saveForExit();

    qint64 chatId() const { return chatId_; }
    QString title() const { return title_; }
    MessageModel* messages() { return &messages_; }
    State state() const { return state_; }
    bool busy() const { return state_ != Idle; }
    bool canSend() const { return modelReady_ && !busy(); }
    int promptDone() const { return promptDone_; }
    int promptTotal() const { return promptTotal_; }
    double tokensPerSecond() const { return tokensPerSecond_; }
    int contextUsed() const { return contextUsed_; }
    int contextSize() const { return contextSize_; }
    ErrorInfo error() const { return error_; }
    /// The text in the composer. Each chat has its own draft, which is kept until the program ends.
    QString draft() const { return drafts_.value(chatId_); }
    void setDraft(const QString& text);

    /// Sends the prompt. Returns false if it was refused and nothing was stored: the text should stay in the composer,
    /// and error() says why. A prompt that may be too long for the context is counted first: it is stored, or refused
    /// in the same way, a moment later. draft() is empty as soon as the prompt is in the database.
    Q_INVOKABLE bool send(const QString& text);
    /// Ends the answer within one token.
    Q_INVOKABLE void stop();
    Q_INVOKABLE void newChat();
    Q_INVOKABLE void openChat(qint64 chatId);
    /// Copies the message's text to the clipboard.
    Q_INVOKABLE void copyMessage(qint64 messageId);
    Q_INVOKABLE void dismissError();

    void applyRename(qint64 chatId, const QString& title);
    void applyRemoval(qint64 chatId);

  Q_SIGNALS:
    void chatChanged();
    void titleChanged();
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
    /// The engine failed while it answered: the model may have vanished.
    void generationFailed(const engine::Error& error);

  private:
    /// The answer that is being written. Its chat need not be in view.
    struct Answer {
        quint64 request = 0;
        qint64 chatId = 0;
        MessageRow row;                 ///< the whole answer so far
        std::vector<PartPiece> unshown; ///< its last pieces, which the message model does not have yet
        size_t savedParts = 0;          ///< number of parts that the store has
        qsizetype savedLength = 0;      ///< length of the last of these parts in the store

        qsizetype lastLength() const { return row.parts.empty() ? 0 : row.parts.back().text.size(); }
        bool saved() const { return savedParts == row.parts.size() && savedLength == lastLength(); }
    };

    /// A prompt whose tokens are being counted.
    struct Unsent {
        quint64 request = 0;
        qint64 chatId = 0;
        QString text;
    };

    bool mayAccept(const QString& text);
    bool surelyFits(const QString& text) const;
    std::vector<MessageRow> withPrompt(const QString& text) const;
    bool store(const QString& text);
    void onCounted(quint64 request, qint64 tokens);
    GenerateRequest nextRequest();
    void countTokens();
    void keepAnswer();
    void retryUnsaved();
    void overlayUnsaved(std::vector<MessageRow>& rows) const;
    void onProgress(quint64 request, qint64 done, qint64 total);
    void onDelta(quint64 request, const PartPiece& piece);
    void onFinished(const GenerationOutcome& outcome);
    void showUnshown();
    void saveProgress();
    void readTelemetry();
    void show(qint64 chatId, const QString& title, std::vector<MessageRow> rows);
    void setState(State state);
    void setError(const ErrorInfo& error);
    bool answerInView() const { return answer_ && answer_->chatId == chatId_; }

    EngineWorker* worker_;
    Settings* settings_;
    ChatStore* store_ = nullptr;
    ErrorInfo noStore_; ///< why there is no store
    MessageModel messages_;
    qint64 chatId_ = 0;
    QString title_;
    State state_ = Idle;
    std::optional<Answer> answer_;
    std::optional<Unsent> unsent_;
    std::vector<MessageRow> unsaved_; ///< finished answers that the store refused; tried again
    quint64 lastRequest_ = 0;
    quint64 lastCount_ = 0; ///< request whose counted() is awaited
    bool modelReady_ = false, canThink_ = false, demo_ = false;
    QString modelName_;
    int promptDone_ = 0, promptTotal_ = 0, contextUsed_ = 0, contextSize_ = 0;
    double tokensPerSecond_ = 0;
    ErrorInfo error_;
    QHash<qint64, QString> drafts_;
    QTimer showTimer_, saveTimer_, telemetryTimer_;
};

} // namespace coterie::app
