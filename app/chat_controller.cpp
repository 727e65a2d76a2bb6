// SPDX-License-Identifier: Apache-2.0
// This order loses no text: store the turn, show it, ask the engine. Text that arrives is kept in memory, shown at most
// 30 times a second, stored a few times a second, and stored finally when the answer ends.
#include "chat_controller.h"

#include "settings.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kShowIntervalMs = 34;  // 30 Hz at most
constexpr int kSaveIntervalMs = 400; // the limit is a second; the rest is for a busy machine
constexpr int kTelemetryIntervalMs = 250;
constexpr int kTitleLength = 48;              // about as many characters as the list shows
constexpr qsizetype kLargestPrompt = 8 << 20; // characters; more would not fit any context
constexpr int kTemplateTokens = 1024;         // more than what a chat template adds of its own

QString titleFor(const QString& prompt) {
    const QString line = prompt.simplified();
    if (line.size() <= kTitleLength) return line;
    const qsizetype space = line.lastIndexOf(u' ', kTitleLength);
    qsizetype end = space > kTitleLength / 2 ? space : kTitleLength;
    if (line[end - 1].isHighSurrogate()) --end;
    return line.left(end) + QChar(0x2026);
}

engine::Role roleOf(const MessageRow& row) {
    if (row.role == QStringLiteral("system")) return engine::Role::System;
    return row.role == QStringLiteral("assistant") ? engine::Role::Assistant : engine::Role::User;
}

/// Returns the conversation without empty answers. Prompts that follow each other become one, because templates expect
/// alternating turns.
std::vector<engine::Message> conversationOf(const std::vector<MessageRow>& rows, const QString& systemPrompt) {
    std::vector<engine::Message> conversation;
    if (!systemPrompt.isEmpty())
        conversation.push_back(engine::Message::text(engine::Role::System, systemPrompt.toStdString()));
    for (const MessageRow& row : rows) {
        const engine::Role role = roleOf(row);
        if (row.parts.empty()) continue;
        if (role == engine::Role::User && !conversation.empty() && conversation.back().role == role) {
            conversation.back().parts.front().text += "\n\n" + row.text().toStdString();
        } else {
            engine::Message& message = conversation.emplace_back(engine::Message{.role = role, .parts = {}});
            for (const MessagePart& part : row.parts) message.parts.push_back(enginePart(part));
        }
    }
    return conversation;
}

/// Sets the lossy options that the user allows. "never" gives 0, which is exact.
void allowApproximation(const Settings& settings, engine::GenerateOptions& options) {
    const auto allow = [](const QString& when, double share, float& value, engine::RoutingWhen& holds) {
        if (when == QStringLiteral("never")) return;
        value = static_cast<float>(share);
        holds = when == QStringLiteral("scarce") ? engine::RoutingWhen::Scarce : engine::RoutingWhen::Always;
    };
    allow(settings.preferCachedWhen(), settings.preferCached(), options.routing.preferCached, options.preferCachedWhen);
    allow(settings.sureWhen(), settings.sure(), options.routing.topWeightShare, options.topWeightShareWhen);
}

engine::GenerateOptions optionsFrom(const Settings& settings, bool canThink, bool demo) {
    engine::GenerateOptions options;
    if (canThink) options.prompt.thinking = demo ? settings.demoThinking() : settings.thinking();
    options.sampling.temperature = static_cast<float>(settings.temperature());
    options.sampling.topK = settings.topK();
    options.sampling.topP = static_cast<float>(settings.topP());
    options.sampling.minP = static_cast<float>(settings.minP());
    if (settings.maxTokens() > 0) options.maxTokens = settings.maxTokens();
    allowApproximation(settings, options);
    return options;
}

AnswerStatistics statisticsOf(const engine::GenerationStatistics& measured) {
    AnswerStatistics kept;
    kept.tokens = measured.generated;
    kept.firstTokenSeconds = measured.firstTokenSeconds;
    kept.tokensPerSecond = measured.decodeRate().value_or(kept.tokensPerSecond);
    if (measured.expertsFromDisk > 0) {
        kept.expertsFromDisk = static_cast<double>(measured.expertsFromDisk) /
                               static_cast<double>(measured.expertHits + measured.expertMisses);
        kept.dense = measured.dense;
        kept.diskBytes = static_cast<double>(measured.diskBytes);
        kept.waitSeconds = measured.ioWaitSeconds;
    }
    kept.lessExact = measured.exactness == engine::Exactness::Approximate;
    kept.choicesChanged = measured.changedShare().value_or(0);
    return kept;
}

MessageState stateFor(const GenerationOutcome& outcome) {
    if (outcome.error) return MessageState::Failed;
    const bool cut =
        outcome.reason == engine::FinishReason::Cancelled || outcome.reason == engine::FinishReason::ContextFull;
    return cut ? MessageState::Stopped : MessageState::Complete;
}

} // namespace

ChatController::ChatController(EngineWorker* worker, Settings* settings, QObject* parent)
    : QObject(parent), worker_(worker), settings_(settings) {
    showTimer_.setSingleShot(true);
    showTimer_.setInterval(kShowIntervalMs);
    saveTimer_.setInterval(kSaveIntervalMs);
    telemetryTimer_.setInterval(kTelemetryIntervalMs);
    connect(&showTimer_, &QTimer::timeout, this, &ChatController::showUnshown);
    connect(&saveTimer_, &QTimer::timeout, this, &ChatController::saveProgress);
    connect(&telemetryTimer_, &QTimer::timeout, this, &ChatController::readTelemetry);
    connect(worker_, &EngineWorker::promptProgress, this, &ChatController::onProgress);
    connect(worker_, &EngineWorker::begun, this, [this](quint64 request) {
        if (answer_ && answer_->request == request && state_ == Reading) setState(Writing);
    });
    connect(worker_, &EngineWorker::delta, this, &ChatController::onDelta);
    connect(worker_, &EngineWorker::finished, this, &ChatController::onFinished);
    connect(worker_, &EngineWorker::counted, this, &ChatController::onCounted);
}

ChatController::~ChatController() = default;

void ChatController::setStore(ChatStore* store, const ErrorInfo& reason) {
    store_ = store;
    noStore_ = reason;
}

void ChatController::setModel(bool ready, const QString& name, bool canThink, bool demo) {
    modelName_ = name;
    canThink_ = canThink;
    demo_ = demo;
    if (ready == modelReady_) return;
    modelReady_ = ready;
    Q_EMIT canSendChanged();
    readTelemetry();
    countTokens();
}

void ChatController::setDraft(const QString& text) {
    if (text == draft()) return;
    drafts_.insert(chatId_, text);
    Q_EMIT draftChanged();
}

bool ChatController::mayAccept(const QString& text) {
    if (text.trimmed().isEmpty()) return false;
    ErrorInfo refusal;
    if (!store_) {
        refusal = noStore_;
    } else if (unsent_) {
        return false; // it is being counted
    } else if (busy()) {
        refusal = ErrorInfo(tr("The message was not sent"), tr("Another answer is still being written"),
                            tr("Wait for it to end or stop it, then send again"));
    } else if (!modelReady_) {
        refusal = ErrorInfo(tr("The message was not sent"), tr("No model is open"), tr("Open a model and send again"));
    } else if (text.size() > kLargestPrompt) {
        refusal = ErrorInfo(tr("The message was not sent"), tr("It is longer than any model can read"),
                            tr("Send it in shorter parts"));
    } else {
        return true;
    }
    setError(refusal);
    return false;
}

bool ChatController::send(const QString& text) {
    if (!mayAccept(text)) return false;
    retryUnsaved();
    if (surelyFits(text)) return store(text);
    // A prompt that can't fit must not be stored: it would make each later answer of this chat fail.
    GenerateRequest request = nextRequest();
    request.conversation = conversationOf(withPrompt(text), settings_->systemPrompt());
    unsent_ = Unsent{.request = request.id, .chatId = chatId_, .text = text};
    worker_->count(request);
    return true;
}

/// Whether the conversation with this prompt is shorter than the context, whatever its tokens are: a token has at least
/// one byte.
bool ChatController::surelyFits(const QString& text) const {
    qsizetype bytes = text.toUtf8().size() + settings_->systemPrompt().toUtf8().size();
    for (const MessageRow& row : messages_.rows())
        for (const MessagePart& part : row.parts)
            bytes += part.text.toUtf8().size() + part.arguments.toUtf8().size() + part.code.toUtf8().size();
    return contextSize_ == 0 || bytes + kTemplateTokens <= contextSize_;
}

std::vector<MessageRow> ChatController::withPrompt(const QString& text) const {
    std::vector<MessageRow> rows = messages_.rows();
    MessageRow prompt;
    prompt.role = QStringLiteral("user");
    prompt.parts = textParts(text);
    rows.push_back(std::move(prompt));
    return rows;
}

void ChatController::onCounted(quint64 request, qint64 tokens) {
    if (unsent_ && request == unsent_->request) {
        const Unsent unsent = *std::exchange(unsent_, std::nullopt);
        const qint64 most = contextSize_ - 1; // an answer has at least one token
        if (unsent.chatId != chatId_ || !mayAccept(unsent.text)) return;
        if (tokens > most)
            return setError(ErrorInfo(tr("The message was not sent"),
                                      tr("With it the conversation has %n tokens, and the context holds %1", nullptr,
                                         static_cast<int>(tokens))
                                          .arg(QLocale().toString(contextSize_)),
                                      tr("Shorten the message, start a new chat, or allow a longer context")));
        if (store(unsent.text)) Q_EMIT accepted();
    } else if (request == lastCount_ && tokens >= 0) {
        contextUsed_ = static_cast<int>(tokens);
        Q_EMIT telemetryChanged();
    }
}

/// Stores the prompt and has it answered.
bool ChatController::store(const QString& text) {
    auto stored = store_->addTurn({.chat = chatId_, .title = titleFor(text), .prompt = text, .model = modelName_});
    if (!stored) {
        setError(ErrorInfo(stored.error()));
        return false;
    }
    const StoredTurn& turn = stored.value();
    setError({});
    drafts_.remove(chatId_);
    if (chatId_ == 0) {
        chatId_ = turn.chat;
        title_ = titleFor(text);
        Q_EMIT chatChanged();
        Q_EMIT titleChanged();
    }
    Q_EMIT draftChanged();
    messages_.append({turn.prompt, turn.answer});
    const GenerateRequest request = nextRequest();
    answer_ = Answer{.request = request.id, .chatId = chatId_, .row = turn.answer, .unshown = {}};
    promptDone_ = promptTotal_ = 0;
    Q_EMIT progressChanged();
    setState(Reading);
    saveTimer_.start();
    telemetryTimer_.start();
    worker_->generate(request);
    Q_EMIT chatStored(chatId_);
    return true;
}

GenerateRequest ChatController::nextRequest() {
    GenerateRequest request;
    request.id = ++lastRequest_;
    request.conversation = conversationOf(messages_.rows(), settings_->systemPrompt());
    request.options = optionsFrom(*settings_, canThink_, demo_);
    return request;
}

void ChatController::countTokens() {
    lastCount_ = 0;
    if (answerInView()) return;
    contextUsed_ = 0;
    Q_EMIT telemetryChanged();
    if (!modelReady_ || messages_.count() == 0) return;
    const GenerateRequest request = nextRequest();
    lastCount_ = request.id;
    worker_->count(request);
}

void ChatController::stop() {
    if (!answer_ || state_ == Stopping) return;
    setState(Stopping);
    worker_->cancel(answer_->request);
}

void ChatController::newChat() { show(0, {}, {}); }

void ChatController::openChat(qint64 chatId) {
    if (!store_ || chatId == 0) return;
    const auto chat = store_->chat(chatId);
    auto rows = store_->messages(chatId);
    if (!chat || !rows) {
        setError(ErrorInfo(chat ? rows.error() : chat.error()));
        return;
    }
    overlayUnsaved(rows.value());
    show(chatId, chat.value().title, std::move(rows).value());
}

/// Replaces rows from the store with newer ones from memory: the answer being written, and finished answers that the
/// store refused.
void ChatController::overlayUnsaved(std::vector<MessageRow>& rows) const {
    for (MessageRow& row : rows) {
        if (answer_ && row.id == answer_->row.id) row = answer_->row;
        const auto kept = std::find_if(unsaved_.begin(), unsaved_.end(),
                                       [&](const MessageRow& unsaved) { return unsaved.id == row.id; });
        if (kept != unsaved_.end()) row = *kept;
    }
}

void ChatController::show(qint64 chatId, const QString& title, std::vector<MessageRow> rows) {
    if (answer_) answer_->unshown.clear(); // if its rows are shown, they have all the text already
    messages_.reset(std::move(rows));
    setError({});
    const bool moved = chatId != chatId_;
    chatId_ = chatId;
    if (title != title_) {
        title_ = title;
        Q_EMIT titleChanged();
    }
    if (moved) {
        Q_EMIT chatChanged();
        Q_EMIT draftChanged();
    }
    countTokens();
}

void ChatController::copyMessage(qint64 messageId) {
    const MessageRow* row = messages_.find(messageId);
    if (row && qobject_cast<QGuiApplication*>(QCoreApplication::instance())) {
        QGuiApplication::clipboard()->setText(row->text());
    }
}

void ChatController::dismissError() { setError({}); }

void ChatController::applyRename(qint64 chatId, const QString& title) {
    if (chatId != chatId_ || title == title_) return;
    title_ = title;
    Q_EMIT titleChanged();
}

void ChatController::applyRemoval(qint64 chatId) {
    if (answer_ && answer_->chatId == chatId) stop();
    if (chatId == chatId_) newChat();
}

void ChatController::onProgress(quint64 request, qint64 done, qint64 total) {
    if (!answer_ || answer_->request != request) return;
    promptDone_ = static_cast<int>(done);
    promptTotal_ = static_cast<int>(total);
    Q_EMIT progressChanged();
}

void ChatController::onDelta(quint64 request, const PartPiece& piece) {
    if (!answer_ || answer_->request != request) return;
    if (state_ == Reading) setState(Writing);
    addPiece(answer_->row.parts, piece);
    if (!answer_->unshown.empty() && answer_->unshown.back().index == piece.index)
        answer_->unshown.back().part.text += piece.part.text;
    else
        answer_->unshown.push_back(piece);
    if (!showTimer_.isActive()) showUnshown();
}

void ChatController::showUnshown() {
    if (!answerInView() || answer_->unshown.empty()) return;
    messages_.appendPieces(std::exchange(answer_->unshown, {}));
    showTimer_.start();
}

void ChatController::saveProgress() {
    retryUnsaved();
    if (!answer_) {
        if (unsaved_.empty()) saveTimer_.stop();
        return;
    }
    if (answer_->saved()) return;
    const size_t first = answer_->savedParts == 0 ? 0 : answer_->savedParts - 1; // the last one may have grown
    const engine::Status saved = store_->saveProgress(answer_->row.id, answer_->row.parts, first);
    if (saved) {
        answer_->savedParts = answer_->row.parts.size();
        answer_->savedLength = answer_->lastLength();
    } else {
        setError(ErrorInfo(saved.error()));
    }
}

void ChatController::onFinished(const GenerationOutcome& outcome) {
    if (!answer_ || answer_->request != outcome.id) return;
    showTimer_.stop();
    showUnshown();
    showTimer_.stop();
    MessageRow& row = answer_->row;
    row.state = stateFor(outcome);
    row.statistics = statisticsOf(outcome.statistics);
    for (const engine::Sentence& note : outcome.notes) row.notes.append(shownText(note));
    if (outcome.error) {
        row.error = ErrorInfo(*outcome.error);
    } else if (outcome.reason == engine::FinishReason::ContextFull) {
        row.error = ErrorInfo(tr("The answer ends here"), tr("The context is full"),
                              tr("Start a new chat, or allow a longer context in the settings"));
    }
    if (answerInView()) messages_.finish(row);
    readTelemetry(); // while the answer is in view: how full the context is now
    keepAnswer();
    telemetryTimer_.stop();
    setState(Idle);
    readTelemetry();
    if (outcome.error) Q_EMIT generationFailed(*outcome.error);
}

/// The answer has ended: stores it, or keeps it to try again.
void ChatController::keepAnswer() {
    const Answer answer = *std::exchange(answer_, std::nullopt);
    unsaved_.push_back(answer.row);
    if (answer.row.error.valid() && answer.chatId == chatId_) setError(answer.row.error);
    retryUnsaved();
    if (unsaved_.empty()) saveTimer_.stop();
    Q_EMIT chatStored(answer.chatId);
}

void ChatController::retryUnsaved() {
    while (!unsaved_.empty()) {
        const engine::Status saved = store_->finishAnswer(unsaved_.front());
        if (!saved) {
            setError(ErrorInfo(saved.error()));
            return;
        }
        unsaved_.erase(unsaved_.begin());
    }
}

void ChatController::saveForExit() {
    if (!answer_) return;
    worker_->cancel(answer_->request);
    answer_->row.state = MessageState::Stopped;
    keepAnswer();
}

void ChatController::readTelemetry() {
    const auto telemetry = worker_->telemetry();
    tokensPerSecond_ = telemetry && busy() ? telemetry->tokensPerSecond : 0;
    contextSize_ = telemetry ? static_cast<int>(telemetry->contextSize) : 0;
    if (telemetry && answerInView()) contextUsed_ = static_cast<int>(telemetry->contextUsed);
    Q_EMIT telemetryChanged();
}

void ChatController::setState(State state) {
    if (state == state_) return;
    state_ = state;
    Q_EMIT stateChanged();
    Q_EMIT canSendChanged();
}

void ChatController::setError(const ErrorInfo& error) {
    if (error == error_) return;
    error_ = error;
    Q_EMIT errorChanged();
}

} // namespace coterie::app
