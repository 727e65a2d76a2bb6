// SPDX-License-Identifier: Apache-2.0
// This order loses no text: the turn is stored, then shown, then given to the queue of answers.
#include "conversation.h"

#include "settings.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>

namespace coterie::app {
namespace {

constexpr int kTelemetryIntervalMs = 250;
constexpr int kDraftIntervalMs = 500;
constexpr int kPage = 50;                     // messages that are read at once
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

} // namespace

Conversation::Conversation(const ConversationParts& parts, QObject* parent)
    : QObject(parent), parts_(parts), settings_(parts.settings) {
    draftTimer_.setSingleShot(true);
    draftTimer_.setInterval(kDraftIntervalMs);
    telemetryTimer_.setInterval(kTelemetryIntervalMs);
    connect(&draftTimer_, &QTimer::timeout, this, &Conversation::keepDraft);
    connect(&telemetryTimer_, &QTimer::timeout, this, &Conversation::readTelemetry);
    connect(parts_.worker, &EngineWorker::counted, this, &Conversation::onCounted);
    connect(parts_.generation, &Generation::grew, this, &Conversation::onGrew);
    connect(parts_.generation, &Generation::ended, this, &Conversation::onEnded);
    connect(parts_.generation, &Generation::notStored, this, &Conversation::setError);
    connect(parts_.generation, &Generation::chatStored, this, &Conversation::chatStored);
    connect(parts_.generation, &Generation::progressed, this, [this](qint64 chat) {
        if (chat == chatId_) readProgress();
    });
}

Conversation::~Conversation() { keepDraft(); }

void Conversation::setStore(ChatStore* store, const ErrorInfo& reason) {
    store_ = store;
    noStore_ = reason;
    if (!store_) return;
    if (const auto state = store_->state(0)) storedDraft_ = state->draft;
    Q_EMIT draftChanged();
}

void Conversation::setModel(const AnsweringModel& model) {
    const bool changed = model.ready != model_.ready;
    model_ = model;
    settings_.setLayer(ChatSettings::Model, model.settings);
    if (!changed) return;
    Q_EMIT canSendChanged();
    readTelemetry();
    countTokens();
}

void Conversation::setDraft(const QString& text) {
    if (text == draft()) return;
    drafts_.insert(chatId_, text);
    draftTimer_.start();
    Q_EMIT draftChanged();
}

void Conversation::keepDraft() {
    draftTimer_.stop();
    if (!store_ || store_->readOnly()) return;
    for (auto draft = drafts_.begin(); draft != drafts_.end();) {
        const engine::Status kept = store_->setDraft(draft.key(), draft.value());
        if (!kept) return setError(ErrorInfo(kept.error()));
        if (draft.key() == chatId_) storedDraft_ = draft.value();
        draft = drafts_.erase(draft);
    }
}

bool Conversation::mayAccept(const QString& text) {
    if (text.trimmed().isEmpty()) return false;
    ErrorInfo refusal;
    if (!store_) {
        refusal = noStore_;
    } else if (unsent_) {
        return false; // it is being counted
    } else if (busy()) {
        refusal = ErrorInfo(tr("The message was not sent"), tr("The answer before it is still being written"),
                            tr("Wait for it to end or stop it, then send again"));
    } else if (!model_.ready) {
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

bool Conversation::send(const QString& text) {
    if (!mayAccept(text)) return false;
    parts_.generation->retryUnsaved();
    if (surelyFits(text)) return store(text);
    // A prompt that can't fit must not be stored: it would make each later answer of this chat fail.
    const quint64 count = parts_.worker->count(source(leaf(), text), settings_.options(model_.canThink));
    unsent_ = Unsent{.count = count, .chatId = chatId_, .text = text};
    return true;
}

/// Whether the conversation with this prompt is shorter than the context, whatever its tokens are: a token has at least
/// one byte.
bool Conversation::surelyFits(const QString& text) const {
    if (contextSize_ == 0) return true;
    if (moreBefore_) return false;
    qsizetype bytes = text.toUtf8().size() + settings_.systemPrompt().toUtf8().size();
    for (const MessageRow& row : messages_.rows())
        for (const MessagePart& part : row.parts)
            bytes += part.text.toUtf8().size() + part.arguments.toUtf8().size() + part.code.toUtf8().size();
    return bytes + kTemplateTokens <= contextSize_;
}

qint64 Conversation::leaf() const { return messages_.count() == 0 ? 0 : messages_.rows().back().id; }

ConversationSource Conversation::source(qint64 last, const QString& prompt) const {
    return parts_.history->upTo(
        last, {.systemPrompt = settings_.systemPrompt(), .newer = parts_.generation->unsaved(), .prompt = prompt});
}

void Conversation::onCounted(quint64 count, qint64 tokens) {
    if (unsent_ && count == unsent_->count) {
        const Unsent unsent = *std::exchange(unsent_, std::nullopt);
        const qint64 most = contextSize_ - 1; // an answer has at least one token
        if (unsent.chatId != chatId_ || !mayAccept(unsent.text)) return;
        if (tokens > most)
            return setError(ErrorInfo(tr("The message was not sent"),
                                      tr("With it the conversation has %Ln token(s), and the context holds %1", nullptr,
                                         static_cast<int>(tokens))
                                          .arg(QLocale().toString(contextSize_)),
                                      tr("Shorten the message, start a new chat, or allow a longer context")));
        if (store(unsent.text)) Q_EMIT accepted();
    } else if (count == lastCount_ && tokens >= 0) {
        contextUsed_ = static_cast<int>(tokens);
        Q_EMIT telemetryChanged();
    }
}

/// Stores the prompt and has it answered.
bool Conversation::store(const QString& text) {
    auto stored = store_->addTurn({.chat = chatId_, .title = titleFor(text), .prompt = text, .model = model_.name});
    if (!stored) {
        setError(ErrorInfo(stored.error()));
        return false;
    }
    const StoredTurn& turn = stored.value();
    setError({});
    drafts_.insert(chatId_, QString()); // the text is sent
    keepDraft();
    if (chatId_ == 0) {
        chatId_ = turn.chat;
        storedDraft_.clear();
        title_ = titleFor(text);
        Q_EMIT chatChanged();
        Q_EMIT titleChanged();
    }
    Q_EMIT draftChanged();
    messages_.append({turn.prompt, turn.answer});
    parts_.generation->add({.answer = turn.answer,
                            .systemPrompt = settings_.systemPrompt(),
                            .options = settings_.options(model_.canThink)});
    Q_EMIT chatStored(chatId_);
    return true;
}

void Conversation::countTokens() {
    lastCount_ = 0;
    if (answering_ != 0 && state_ != Waiting) return; // the engine tells
    contextUsed_ = 0;
    Q_EMIT telemetryChanged();
    if (!model_.ready || messages_.count() == 0) return;
    lastCount_ = parts_.worker->count(source(leaf(), {}), settings_.options(model_.canThink));
}

void Conversation::stop() { parts_.generation->stopChat(chatId_); }

void Conversation::newChat() {
    const auto state = store_ ? store_->state(0) : engine::Result<ChatState>(ChatState{});
    show(0, {}, state ? *state : ChatState{}, {});
}

void Conversation::openChat(qint64 chatId) {
    if (!store_ || chatId == 0) return;
    keepDraft();
    parts_.generation->flush(); // the rows below have the text that would be told later
    const auto chat = store_->chat(chatId);
    const auto state = store_->state(chatId);
    auto page = store_->page(chatId, 0, kPage);
    if (!chat || !state || !page) {
        setError(ErrorInfo(!chat ? chat.error() : !state ? state.error() : page.error()));
        return;
    }
    overlayNewer(page->rows);
    show(chatId, chat->title, *state, std::move(page).value());
}

/// Replaces rows from the store with newer ones from memory: the answer being written, and finished answers that the
/// store refused.
void Conversation::overlayNewer(std::vector<MessageRow>& rows) const {
    for (MessageRow& row : rows)
        if (const MessageRow* newer = parts_.generation->newest(row.id)) row = *newer;
}

void Conversation::show(qint64 chatId, const QString& title, const ChatState& state, MessagePage page) {
    const bool moved = chatId != chatId_;
    chatId_ = chatId;
    storedDraft_ = state.draft;
    settings_.setLayer(ChatSettings::Chat, state.settings);
    messages_.reset(std::move(page.rows));
    setMoreBefore(page.first > 0);
    setError({});
    if (title != title_) {
        title_ = title;
        Q_EMIT titleChanged();
    }
    if (moved) {
        Q_EMIT chatChanged();
        Q_EMIT draftChanged();
    }
    readProgress();
    countTokens();
}

void Conversation::readMoreBefore() {
    if (!moreBefore_) return;
    auto page = store_->page(chatId_, messages_.rows().front().id, kPage);
    if (!page) return setError(ErrorInfo(page.error()));
    overlayNewer(page->rows);
    messages_.prepend(std::move(page->rows));
    setMoreBefore(page->first > 0);
}

void Conversation::setMoreBefore(bool more) {
    if (more == moreBefore_) return;
    moreBefore_ = more;
    Q_EMIT moreBeforeChanged();
}

void Conversation::copyMessage(qint64 messageId) {
    const MessageRow* row = messages_.find(messageId);
    if (row && qobject_cast<QGuiApplication*>(QCoreApplication::instance())) {
        QGuiApplication::clipboard()->setText(row->text());
    }
}

void Conversation::dismissError() { setError({}); }

void Conversation::applyRename(qint64 chatId, const QString& title) {
    if (chatId != chatId_ || title == title_) return;
    title_ = title;
    Q_EMIT titleChanged();
}

void Conversation::applyRemoval(qint64 chatId) {
    drafts_.remove(chatId);
    if (chatId == chatId_) newChat();
}

void Conversation::onGrew(qint64 message, const std::vector<PartPiece>& pieces) {
    if (message == answering_) messages_.appendPieces(pieces);
}

void Conversation::onEnded(const MessageRow& answer) {
    if (answer.id != answering_) return;
    messages_.finish(answer);
    readTelemetry(); // while the answer is in view: how full the context is now
    if (answer.error.valid()) setError(answer.error);
}

/// Reads from the queue how far this chat's answer is.
void Conversation::readProgress() {
    const auto job = parts_.generation->progress(chatId_);
    answering_ = job ? job->message : 0;
    promptDone_ = job ? static_cast<int>(job->promptDone) : 0;
    promptTotal_ = job ? static_cast<int>(job->promptTotal) : 0;
    Q_EMIT progressChanged();
    const State state = job ? static_cast<State>(job->state) : Idle;
    if (state == state_) return;
    state_ = state;
    if (busy())
        telemetryTimer_.start();
    else
        telemetryTimer_.stop();
    readTelemetry();
    Q_EMIT stateChanged();
    Q_EMIT canSendChanged();
}

void Conversation::readTelemetry() {
    const auto telemetry = parts_.worker->telemetry();
    const bool mine = answering_ != 0 && state_ != Waiting; // the engine is at work on this chat
    tokensPerSecond_ = telemetry && mine ? telemetry->tokensPerSecond : 0;
    contextSize_ = telemetry ? static_cast<int>(telemetry->contextSize) : 0;
    if (telemetry && mine) contextUsed_ = static_cast<int>(telemetry->contextUsed);
    Q_EMIT telemetryChanged();
}

void Conversation::setError(const ErrorInfo& error) {
    if (error == error_) return;
    error_ = error;
    Q_EMIT errorChanged();
}

} // namespace coterie::app
