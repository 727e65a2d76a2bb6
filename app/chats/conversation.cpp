// SPDX-License-Identifier: Apache-2.0
// This order loses no text: the turn is stored, then shown, then given to the queue of answers.
#include "chats/conversation.h"

#include "chats/auto_titles.h"
#include "chats/tool_runner.h"
#include "common/undo_stack.h"
#include "engine_link/answer_prefix.h"
#include "engine_link/record_keeper.h"
#include "settings/settings.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kTelemetryIntervalMs = 250;
constexpr int kDraftIntervalMs = 500;
constexpr qsizetype kLargestPrompt = 8 << 20; // characters; more would not fit any context
constexpr int kTemplateTokens = 1024;         // more than what a chat template adds of its own
const QString kNewChatSettings = QStringLiteral("newChatSettings");

/// Returns what was typed behind the sent text while that was counted: the whole draft if it does not begin with it.
QString withoutSent(const QString& draft, const QString& sent) {
    return draft.startsWith(sent) ? draft.mid(sent.size()) : draft;
}

} // namespace

std::vector<engine::TokenRecord> ConversationParts::tokensOf(const ChatStore& store, qint64 message) const {
    return records ? records->tokens(store, message) : storedTokens(store, message);
}

std::optional<AnswerRecord> ConversationParts::recordOf(const ChatStore& store, qint64 message) const {
    return records ? records->record(store, message) : std::nullopt;
}

Conversation::Conversation(const ConversationParts& parts, QObject* parent)
    : QObject(parent), parts_(parts), settings_(parts.settings, parts.presets), find_(&messages_, parts.history),
      alternatives_(this, &parts_), files_(this, parts.worker), queue_(this), actions_(this, &parts_),
      context_(this, parts.worker) {
    draftTimer_.setSingleShot(true);
    draftTimer_.setInterval(kDraftIntervalMs);
    telemetryTimer_.setInterval(kTelemetryIntervalMs);
    placeTimer_.setSingleShot(true);
    placeTimer_.setInterval(kDraftIntervalMs);
    connect(&draftTimer_, &QTimer::timeout, this, &Conversation::keepDraft);
    connect(&placeTimer_, &QTimer::timeout, this, &Conversation::storePlace);
    connect(&telemetryTimer_, &QTimer::timeout, this, &Conversation::readTelemetry);
    queue_.setQueue(parts_.queue);
    context_.setEdits(parts_.edits);
    files_.setUndo(parts_.undo);
    connect(&files_, &ComposerFiles::failed, this, [this](const ErrorInfo& error) {
        fileError_ = error;
        setError(error);
    });
    connect(&files_, &ComposerFiles::changed, this, [this] {
        if (files_.reading() > 0) return;
        setRefusal({}); // another message, or no file is being read any more
        if (keeping_) QMetaObject::invokeMethod(this, &Conversation::keepTemporary, Qt::QueuedConnection);
    });
    connect(&files_, &ComposerFiles::added, this, [this] {
        if (error_ == fileError_) setError({}); // the file before it could not be attached
    });
    connect(&find_, &ChatFind::failed, this, &Conversation::setError);
    connect(&alternatives_, &TokenAlternatives::failed, this, &Conversation::setError);
    connect(&context_, &ContextView::failed, this, &Conversation::setError);
    connect(parts_.worker, &EngineWorker::counted, this, &Conversation::onCounted);
    connect(parts_.answers, &AnswerQueue::grew, this, &Conversation::onGrew);
    connect(parts_.answers, &AnswerQueue::ended, this, &Conversation::onEnded);
    connect(parts_.answers, &AnswerQueue::notStored, this, &Conversation::setError);
    connect(parts_.answers, &AnswerQueue::chatStored, this, &Conversation::chatStored);
    followEdits();
    // The system prompt is in the context too. It is counted when a person stops typing it.
    auto* const recount = new QTimer(this);
    recount->setSingleShot(true);
    recount->setInterval(kDraftIntervalMs);
    connect(recount, &QTimer::timeout, this, &Conversation::countTokens);
    connect(recount, &QTimer::timeout, &context_, &ContextView::countSoon);
    connect(&settings_, &ChatSettings::changed, this, [this, recount, before = settings_.systemPrompt()]() mutable {
        const QString now = settings_.systemPrompt();
        if (std::exchange(before, now) != now) recount->start();
    });
    connect(parts_.answers, &AnswerQueue::progressed, this, [this](qint64 chat) {
        if (chat == chatId_) readProgress();
    });
}

Conversation::~Conversation() {
    keepDraft();
    storePlace();
}

void Conversation::setStore(ChatStore* store, const ErrorInfo& reason) {
    kept_ = store;
    noStore_ = reason;
    use(store);
    if (!store_) return;
    if (const auto state = store_->state(0)) storedDraft_ = state->draft;
    settings_.setLayer(ChatSettings::Chat, parts_.settings->value(kNewChatSettings).toObject());
    Q_EMIT draftChanged();
}

void Conversation::setModel(const AnsweringModel& model) {
    const bool changed = model.ready != model_.ready;
    if (changed || model.opening != model_.opening) setRefusal({});
    model_ = model;
    settings_.setLayer(ChatSettings::Model, model.settings);
    files_.countAgain();
    if (!changed) return;
    Q_EMIT canSendChanged();
    readTelemetry();
    countTokens();
    findCalls();
}

void Conversation::setDraft(const QString& text) {
    if (text == draft()) return;
    drafts_.insert(draftKey(), text);
    draftTimer_.start();
    setRefusal({});
    Q_EMIT draftChanged();
}

/// A text that can't be stored stays in memory, and is tried again with the next one. It must not hold up the others:
/// it may be too long for the disk, and they may not.
void Conversation::keepDraft() {
    draftTimer_.stop();
    if (!store_) return;
    for (auto draft = drafts_.begin(); draft != drafts_.end();) {
        const bool newTemporary = draft.key() == kNewTemporary;
        ChatStore* const store = newTemporary ? temporary_ : storeWith(draft.key());
        if (!store || store->readOnly()) {
            ++draft;
            continue;
        }
        if (const engine::Status kept = store->setDraft(newTemporary ? 0 : draft.key(), draft.value()); !kept) {
            // The chat may be in the bin: then its draft is kept when it comes back.
            if (kept.error().kind != engine::ErrorKind::NotFound) setError(ErrorInfo(kept.error()));
            ++draft;
            continue;
        }
        if (draft.key() == draftKey()) storedDraft_ = draft.value();
        draft = drafts_.erase(draft);
    }
    actions_.storeEdits();
}

/// `waiting` is the waiting prompt that it is, or 0.
bool Conversation::mayAccept(const QString& text, qint64 waiting) {
    if (text.trimmed().isEmpty() && filesOf(waiting).empty()) return false;
    if (!store_) {
        setError(noStore_);
        return false;
    }
    const Unsent* const counted = beingCounted();
    if (counted && counted->waiting == waiting && counted->text == text) return false; // it is on its way
    const ErrorInfo why = refusalOf(text, waiting);
    if (why.valid()) refuse(why, waiting);
    return !why.valid();
}

/// Returns why this prompt can't be sent now, or no error if it can.
ErrorInfo Conversation::refusalOf(const QString& text, qint64 waiting) const {
    const QString what = tr("The message was not sent");
    if (busy())
        return {what, tr("The answer before it is still being written"),
                tr("Wait for it to end or stop it, then send again")};
    if (model_.opening) return {what, tr("The model is still being opened"), tr("Wait a moment and send again")};
    if (!model_.ready) return {what, tr("No model is open"), tr("Open a model and send again")};
    if (beingCounted())
        return {what, tr("The message before it is still on its way"), tr("Wait a moment and send again")};
    if (waiting == 0 && files_.reading() > 0)
        return {what, tr("A file is still being read"), tr("Wait a moment and send again")};
    if (text.size() > kLargestPrompt)
        return {what, tr("It is longer than any model can read"), tr("Send it in shorter parts")};
    return {};
}

/// Says why a prompt is not sent: below the composer, or at the prompts that wait.
void Conversation::refuse(const ErrorInfo& why, qint64 waiting) {
    if (waiting == 0)
        setRefusal(why);
    else
        parts_.queue->hold(chatId_, tr("Not sent. %1.").arg(why.why));
}

bool Conversation::mayWait() {
    if (files_.reading() == 0) return true;
    setRefusal(ErrorInfo(tr("The message was not put into the queue"), tr("A file is still being read"),
                         tr("Wait a moment and send again")));
    return false;
}

bool Conversation::send(const QString& text) {
    const bool accepted = submit(text, 0);
    if (accepted) stay();
    return accepted;
}

bool Conversation::sendWaiting(const WaitingPrompt& prompt) {
    if (prompt.chat != chatId_) return false;
    if (beingCounted()) return true; // a chat has one prompt counted at a time: this one's turn comes after it
    return submit(prompt.text, prompt.id);
}

/// Returns the prompt of the chat in view that is being counted, or null.
const Conversation::Unsent* Conversation::beingCounted() const {
    const auto found = std::find_if(unsent_.begin(), unsent_.end(), [this](const Unsent& unsent) {
        return unsent.chatId == chatId_ && unsent.store == store_;
    });
    return found == unsent_.end() ? nullptr : &*found;
}

/// Returns this text as a prompt of the chat in view; `waiting` is the waiting prompt that it is, or 0.
Conversation::Unsent Conversation::unsentOf(const QString& text, qint64 waiting) const {
    return {.store = store_,
            .chatId = chatId_,
            .text = text,
            .waiting = waiting,
            .files = filesOf(waiting),
            .systemPrompt = settings_.systemPrompt(),
            .options = options()};
}

QString Conversation::Unsent::title() const {
    return titleFor(text.trimmed().isEmpty() && !files.empty() ? files.front().part.name : text);
}

/// Whether it is not sent any more: it was a waiting prompt and waits no longer, or all that it had was taken out.
bool Conversation::cancelled(const Unsent& unsent) const {
    if (unsent.waiting == 0) return unsent.text.trimmed().isEmpty() && unsent.files.empty();
    const std::vector<WaitingPrompt>& waiting = parts_.queue->prompts(unsent.chatId);
    return std::none_of(waiting.begin(), waiting.end(),
                        [&](const WaitingPrompt& prompt) { return prompt.id == unsent.waiting; });
}

/// Sends a prompt; `waiting` is the waiting prompt that it is, or 0.
bool Conversation::submit(const QString& text, qint64 waiting) {
    if (!mayAccept(text, waiting)) return false;
    parts_.answers->retryUnsaved();
    Unsent unsent = unsentOf(text, waiting);
    if (surelyFits(text, partsOf(unsent.files))) return store(unsent);
    // A prompt that can't fit must not be stored: it would make each later answer of this chat fail.
    count(std::move(unsent));
    return true;
}

/// Counts the prompt behind the path in view; onCounted() sends it.
void Conversation::count(Unsent unsent) {
    unsent.last = leaf();
    unsent.count = parts_.worker->count(source(unsent.last, unsent.text, partsOf(unsent.files)), unsent.options);
    unsent_.push_back(std::move(unsent));
}

/// A token has at least one byte.
bool Conversation::surelyFits(const QString& text, const std::vector<MessagePart>& files) const {
    if (contextSize_ == 0) return true;
    if (moreBefore_) return false;
    const qsizetype bytes =
        text.toUtf8().size() + settings_.systemPrompt().toUtf8().size() + promptBytes(files) + messages_.promptBytes();
    return bytes + kTemplateTokens <= contextSize_;
}

QString Conversation::sentText(const QString& typed) const {
    if (model_.continuesText) return typed;
    qsizetype begin = 0, end = typed.size();
    while (end > 0 && typed[end - 1].isSpace()) --end;
    for (qsizetype i = 0; i < end && typed[i].isSpace(); ++i)
        if (typed[i] == u'\n') begin = i + 1;
    return typed.mid(begin, end - begin);
}

qint64 Conversation::leaf() const { return messages_.count() == 0 ? 0 : messages_.rows().back().id; }

/// Returns the rows that are newer than the store's, with the answer that is being written.
std::vector<MessageRow> Conversation::newerRows() const {
    std::vector<MessageRow> rows = parts_.answers->unsaved();
    const MessageRow* written = answering_ != 0 ? parts_.answers->newest(answering_) : nullptr;
    if (written && written->state == MessageState::Streaming) rows.push_back(*written);
    return rows;
}

ConversationSource Conversation::sourceWith(const QString& systemPrompt, qint64 last, const QString& prompt,
                                            std::vector<MessagePart> files) const {
    return parts_.history->upTo(last, {.systemPrompt = systemPrompt,
                                       .newer = newerRows(),
                                       .prompt = sentText(prompt),
                                       .files = std::move(files),
                                       .results = resultsBefore(last)});
}

RowSource Conversation::rowSource(qint64 last, const QString& prompt, std::vector<MessagePart> files) const {
    return parts_.history->rowsTo(last, {.systemPrompt = {},
                                         .newer = parts_.answers->unsaved(),
                                         .prompt = sentText(prompt),
                                         .files = std::move(files)});
}

void Conversation::onCounted(quint64 count, qint64 tokens) {
    const auto awaited =
        std::find_if(unsent_.begin(), unsent_.end(), [=](const Unsent& unsent) { return unsent.count == count; });
    if (awaited != unsent_.end()) {
        Unsent unsent = std::move(*awaited);
        unsent_.erase(awaited);
        sendCounted(std::move(unsent), tokens);
    } else if (count == lastCount_ && tokens >= 0 && !engineReports()) {
        countedTokens_ = tokens;
        contextUsed_ = static_cast<int>(std::min<qint64>(tokens, contextSize_));
        Q_EMIT telemetryChanged();
    }
}

/// Takes those files out of the prompt that were taken out of its draft while it was counted.
void Conversation::dropTakenOut(Unsent& unsent) const {
    const auto there = unsent.store->draftFiles().list(unsent.chatId, unsent.waiting);
    if (!there) return; // storing the prompt fails, too, and says why
    std::erase_if(unsent.files, [&](const DraftFile& file) {
        return std::none_of(there->begin(), there->end(), [&](const DraftFile& each) { return each.id == file.id; });
    });
}

void Conversation::sendCounted(Unsent unsent, qint64 tokens) {
    dropTakenOut(unsent);
    if (cancelled(unsent)) return;
    if (unsent.chatId != chatId_ || unsent.store != store_) return sendElsewhere(unsent, tokens);
    const bool waits = model_.opening && parts_.queue, may = !waits && mayAccept(unsent.text, unsent.waiting);
    if (waits) {
        sendWhenOpen(unsent);
    } else if (may && unsent.last != leaf()) { // another path is shown now, which may be longer
        unsent.systemPrompt = settings_.systemPrompt();
        count(std::move(unsent));
    } else if (context_.tooMany(tokens) > 0 && may) {
        refuseTooLong(unsent, tokens);
    } else if (may && store(unsent) && unsent.waiting == 0) {
        Q_EMIT accepted();
    }
    if (keeping_) keepTemporary();
}

/// Another model is being opened since the prompt was counted, and counts it in its own way: the prompt waits for it.
void Conversation::sendWhenOpen(const Unsent& unsent) {
    if (unsent.waiting != 0) return; // it waits already
    const QString typed = withoutSent(draft(), unsent.text);
    const bool waits =
        chatId_ == 0 ? waitInNewChat(unsent) : parts_.queue->add(chatId_, unsent.text, idsOf(unsent.files));
    if (waits) setDraft(typed);
}

/// The chat was left while its prompt was counted: the prompt is sent without this view. If that is not possible, a new
/// one is the draft of a new chat, where it was written.
void Conversation::sendElsewhere(const Unsent& unsent, qint64 tokens) {
    if (!parts_.queue) return;
    const bool tooMany = context_.tooMany(tokens) > 0;
    if (unsent.waiting != 0) {
        if (parts_.answers->progress(unsent.chatId)) return; // the end of that answer sends it
        if (model_.opening) return;                          // it is sent when the model is open
        if (!model_.ready) return parts_.queue->hold(unsent.chatId, tr("Not sent. %1.").arg(tr("No model is open")));
        return tooMany ? refuseTooLong(unsent, tokens) : storeElsewhere(unsent);
    }
    if (unsent.chatId == 0) {
        const QString what = tr("The message to the new chat was not sent");
        if (!model_.ready)
            return setError(ErrorInfo(what, tr("No model is open"), tr("Open a model and send it from the new chat")));
        if (!tooMany) return storeElsewhere(unsent);
        return setError(ErrorInfo(what, tr("It has no room in the context"),
                                  tr("Go back to the new chat and send it again to see what helps")));
    }
    if (!parts_.queue->add(unsent.chatId, unsent.text, idsOf(unsent.files))) return;
    cutDraft(unsent, unsent.chatId);
    parts_.queue->sendNext(unsent.chatId);
}

/// Takes the text that was sent out of the draft of its chat, which is not in view. What was typed behind it becomes
/// the draft of `chat`, which is the same chat, or the one that a new chat is now.
void Conversation::cutDraft(const Unsent& sent, qint64 chat) {
    keepDraft();
    const auto state = sent.store->state(sent.chatId);
    if (!state) return setError(ErrorInfo(state.error()));
    engine::Status kept = sent.store->setDraft(chat, withoutSent(state->draft, sent.text));
    if (kept && chat != sent.chatId) kept = sent.store->setDraft(sent.chatId, {});
    if (!kept) setError(ErrorInfo(kept.error()));
}

/// The card above the composer says that the prompt has no room in the context, and what helps.
void Conversation::refuseTooLong(const Unsent& unsent, qint64 tokens) {
    using From = RefusedPrompt::From;
    if (unsent.waiting != 0)
        parts_.queue->hold(unsent.chatId, tr("Not sent: the conversation would be longer than the context"));
    if (unsent.chatId == chatId_ && unsent.store == store_)
        context_.refuse({.from = unsent.waiting != 0 ? From::Queue : From::Composer,
                         .id = unsent.waiting,
                         .last = leaf(),
                         .text = unsent.text,
                         .files = partsOf(unsent.files),
                         .tokens = tokens});
}

/// Returns what a prompt after this message says to the tools that wait for the user.
std::vector<MessagePart> Conversation::resultsBefore(qint64 message) const {
    return parts_.tools ? parts_.tools->resultsInstead(message) : std::vector<MessagePart>();
}

/// Stores the prompt with an answer that has no words yet. If that fails, it says so.
engine::Result<StoredTurn> Conversation::addTurn(const Unsent& unsent) {
    const auto state = unsent.store->state(unsent.chatId);
    auto stored = unsent.store->addTurn({.chat = unsent.chatId,
                                         .title = unsent.title(),
                                         .prompt = sentText(unsent.text),
                                         .model = model_.name,
                                         .draftFiles = idsOf(unsent.files),
                                         .waiting = unsent.waiting,
                                         .results = resultsBefore(state ? state->leaf : 0)});
    if (!stored) {
        const ErrorInfo error(stored.error());
        setError(error);
        if (unsent.waiting != 0) parts_.queue->hold(unsent.chatId, tr("Not sent. %1.").arg(error.why));
        return stored;
    }
    if (parts_.undo) parts_.undo->settle(unsent.chatId);
    if (parts_.queue && unsent.waiting == 0) parts_.queue->endEdits(unsent.chatId);
    return stored;
}

/// Stores a prompt of the chat in view and has it answered.
bool Conversation::store(const Unsent& unsent) {
    const auto stored = addTurn(unsent);
    if (!stored) return false;
    const QString typed = withoutSent(draft(), unsent.text);
    setError({});
    setRefusal({});
    if (unsent.waiting == 0) {
        drafts_.insert(draftKey(), chatId_ == 0 ? QString() : typed);
        keepDraft();
    } else {
        parts_.queue->sent(chatId_);
    }
    if (chatId_ == 0) {
        becomeChat(stored->chat, unsent.title());
        if (unsent.waiting == 0) setDraft(typed);
    }
    files_.refresh();
    Q_EMIT draftChanged();
    if (stored->results) messages_.append({*stored->results});
    messages_.append({stored->prompt, stored->answer});
    beginAnswer(unsent, *stored);
    return true;
}

/// The new chat in view exists from now on.
void Conversation::becomeChat(qint64 chat, const QString& title) {
    chatId_ = chat;
    storedDraft_.clear();
    files_.giveTo(chat, store_);
    keepNewSettings(chatId_, settings_.layer(ChatSettings::Chat));
    title_ = title;
    Q_EMIT chatChanged();
    Q_EMIT titleChanged();
}

bool Conversation::waitInNewChat(const QString& text) { return waitInNewChat(unsentOf(text, 0)); }

bool Conversation::waitInNewChat(const Unsent& first) {
    const qint64 chat = parts_.queue->addToNewChat(temporary(), first.title(), first.text, idsOf(first.files));
    if (chat == 0) return false;
    if (parts_.undo) parts_.undo->settle(0);
    drafts_.insert(draftKey(), QString());
    keepDraft();
    becomeChat(chat, first.title());
    Q_EMIT draftChanged();
    Q_EMIT chatStored(chat);
    return true;
}

/// The same for a waiting prompt, or the first one of a new chat, when another chat is in view.
void Conversation::storeElsewhere(const Unsent& unsent) {
    const auto stored = addTurn(unsent);
    if (!stored) return;
    if (unsent.waiting != 0) {
        parts_.queue->sent(stored->chat);
    } else {
        cutDraft(unsent, stored->chat);
        files_.giveTo(stored->chat, unsent.store);
        keepNewSettings(stored->chat, parts_.settings->value(kNewChatSettings).toObject());
    }
    beginAnswer(unsent, *stored);
}

void Conversation::beginAnswer(const Unsent& unsent, const StoredTurn& turn) {
    parts_.answers->add({.answer = turn.answer, .systemPrompt = unsent.systemPrompt, .options = unsent.options});
    Q_EMIT chatStored(turn.chat);
}

engine::Result<QJsonObject> Conversation::ownSettings(qint64 chat) const {
    if (chat == chatId_) return settings_.layer(ChatSettings::Chat);
    if (chat == 0) return parts_.settings->value(kNewChatSettings).toObject();
    const auto state = storeWith(chat)->state(chat);
    if (!state) return state.error();
    return state->settings;
}

engine::Status Conversation::setOwnSettings(qint64 chat, const QJsonObject& values) {
    if (chat == 0) {
        if (!temporary()) parts_.settings->setValue(kNewChatSettings, values); // it is in a file
    } else if (engine::Status stored = storeWith(chat)->setSettings(chat, values); !stored) {
        return stored;
    }
    if (chat == chatId_) settings_.setLayer(ChatSettings::Chat, values);
    return {};
}

/// The chat exists now: the settings that were chosen for it become its own.
void Conversation::keepNewSettings(qint64 chat, const QJsonObject& values) {
    if (values.isEmpty()) return;
    if (const engine::Status kept = setOwnSettings(chat, values); !kept) return setError(ErrorInfo(kept.error()));
    if (!isTemporary(chat)) parts_.settings->setValue(kNewChatSettings, QJsonObject());
}

void Conversation::setThinking(bool on) {
    const QString key = QStringLiteral("thinking");
    const ChatSettings::Layer from = settings_.layerOf(key);
    const ChatSettings::Layer layer = from == ChatSettings::Preset ? ChatSettings::Chat : from;
    const auto write = [this, key, layer, chat = chatId_,
                        model = model_.settingsKey](const QJsonValue& value) -> engine::Status {
        if (layer == ChatSettings::Program) {
            parts_.settings->setValue(key, value);
            return {};
        }
        const bool ofModel = layer == ChatSettings::Model;
        auto values = ofModel ? engine::Result<QJsonObject>(parts_.settings->modelSettings(model)) : ownSettings(chat);
        if (!values) return values.error();
        values->insert(key, value); // undefined: removes it
        if (!ofModel) return setOwnSettings(chat, *values);
        parts_.settings->setModelSettings(model, *values);
        return {};
    };
    const QJsonValue before =
        layer == ChatSettings::Program ? parts_.settings->value(key) : settings_.layer(layer).value(key);
    if (before == QJsonValue(on)) return;
    if (const engine::Status kept = write(on); !kept) return setError(ErrorInfo(kept.error()));
    if (!parts_.undo) return;
    Undoable step{.title = on ? tr("Let the model think") : tr("Let the model answer without thinking"),
                  .undo = [write, before] { return write(before); },
                  .redo = [write, on] { return write(on); },
                  .chat = chatId_};
    if (layer == ChatSettings::Chat) claim(step);
    parts_.undo->push(std::move(step));
}

void Conversation::claim(Undoable& step) const {
    step.chat = chatId_;
    step.untilSent = chatId_ == 0;
    if (chatId_ == 0 && temporary()) step.chats = {kFirstTemporaryId};
}

void Conversation::countTokens() {
    lastCount_ = 0;
    if (engineReports()) return;
    contextUsed_ = 0;
    countedTokens_ = 0;
    Q_EMIT telemetryChanged();
    countToLeaf();
}

void Conversation::countToLeaf() {
    if (!model_.ready || messages_.count() == 0) return;
    lastCount_ = parts_.worker->count(source(leaf(), {}), options());
}

void Conversation::stop() { parts_.answers->stopChat(chatId_); }

void Conversation::newChat() {
    if (!mayLeave([this] { newChat(); })) return;
    keepDraft(); // the other conversation may show the chat next
    const auto state = store_ ? store_->state(0) : engine::Result<ChatState>(ChatState{});
    show(0, {}, state ? *state : ChatState{}, {});
}

void Conversation::openChat(qint64 chatId) {
    if (!store_ || chatId == 0) return;
    if (!isTemporary(chatId) && !mayLeave([=, this] { openChat(chatId); })) return;
    keepDraft();
    parts_.answers->flush(); // the rows below have the text that would be emitted later
    const auto chat = store_->chat(chatId);
    const auto state = store_->state(chatId);
    auto page = store_->page(chatId, 0, kPage);
    if (!chat || !state || !page) {
        setError(ErrorInfo(!chat ? chat.error() : !state ? state.error() : page.error()));
        return;
    }
    overlayNewer(page->rows);
    show(chatId, chat->title, *state, std::move(page).value());
    if (seen_.message != 0) goTo(seen_, false);
}

/// Replaces rows from the store with newer ones from memory: the answer being written, and finished answers that the
/// store refused.
void Conversation::overlayNewer(std::vector<MessageRow>& rows) const {
    for (MessageRow& row : rows)
        if (const MessageRow* newer = parts_.answers->newest(row.id)) row = *newer;
}

void Conversation::show(qint64 chatId, const QString& title, const ChatState& state, MessagePage page) {
    const bool moved = chatId != chatId_;
    const QString draftBefore = draft();
    if (moved) Q_EMIT leaving();
    storePlace();
    chatId_ = chatId;
    removedChat_ = 0;
    seen_ = {.message = state.seen, .share = state.seenOffset};
    placeRow_ = -1;
    storedDraft_ = state.draft;
    settings_.setLayer(ChatSettings::Chat,
                       chatId == 0 ? parts_.settings->value(kNewChatSettings).toObject() : state.settings);
    messages_.reset(std::move(page.rows), std::move(page.siblings));
    setMoreBefore(page.first > 0);
    setError({});
    setRefusal({});
    if (title != title_) {
        title_ = title;
        Q_EMIT titleChanged();
    }
    if (moved) Q_EMIT chatChanged();
    if (moved || draft() != draftBefore) Q_EMIT draftChanged();
    readProgress();
    context_.show(state.leftOut);
    countTokens();
    findCalls();
}

/// The pages become larger, so that a message far above takes few of them.
void Conversation::readBackTo(qint64 messageId) {
    for (int most = kPage; moreBefore_ && !messages_.find(messageId); most *= 2) {
        const int before = messages_.count();
        readBefore(most);
        if (messages_.count() == before) return; // the store refused; error() says why
    }
}

void Conversation::readBefore(int most) {
    if (!moreBefore_) return;
    auto page = store_->page(chatId_, messages_.rows().front().id, most > 0 ? most : kPage);
    if (!page) return setError(ErrorInfo(page.error()));
    overlayNewer(page->rows);
    messages_.prepend(std::move(page->rows), std::move(page->siblings));
    setMoreBefore(page->first > 0);
}

void Conversation::setMoreBefore(bool more) {
    if (more == moreBefore_) return;
    moreBefore_ = more;
    Q_EMIT moreBeforeChanged();
}

void Conversation::dismissError() { setError({}); }

bool Conversation::hasCard() const {
    const bool below = messages_.count() > 0 && messages_.rows().back().error.what == error_.what;
    return context_.dismissable() || (error_.valid() && !below);
}

void Conversation::closeCard() {
    if (context_.dismissable())
        context_.dismiss();
    else
        dismissError();
}

void Conversation::applyRename(qint64 chatId, const QString& title) {
    if (chatId != chatId_ || title == title_) return;
    title_ = title;
    Q_EMIT titleChanged();
}

void Conversation::applyRemoval(qint64 chatId) {
    if (chatId != chatId_) return;
    newChat();
    removedChat_ = chatId;
}

void Conversation::applyReturn(qint64 chatId) {
    if (chatId == removedChat_ && chatId_ == 0 && !temporary()) openChat(chatId);
}

void Conversation::onGrew(qint64 message, const std::vector<PartPiece>& pieces) {
    // Another branch of the chat may be shown.
    if (message == answering_ && message == messages_.lastId()) messages_.appendPieces(pieces);
}

void Conversation::onEnded(const MessageRow& answer) {
    if (answer.id == messages_.lastId()) messages_.finish(answer);
    if (answer.id != answering_) return;
    readTelemetry(); // while the answer is in view: how full the context is now
    countToLeaf();   // so that it is the number that the chat has whenever it is opened again
    if (answer.state == MessageState::Failed) setError(answer.error);
}

/// Reads from the queue how far this chat's answer is.
void Conversation::readProgress() {
    const auto job = parts_.answers->progress(chatId_);
    answering_ = job ? job->message : 0;
    promptDone_ = job ? static_cast<int>(job->promptDone) : 0;
    promptTotal_ = job ? static_cast<int>(job->promptTotal) : 0;
    promptSecondsLeft_ = job ? job->promptSecondsLeft : -1;
    followLeaf();
    Q_EMIT progressChanged();
    const State state = job ? job->state : Idle;
    if (state == state_) return;
    if (state == Idle || state_ == Idle) setRefusal({});
    state_ = state;
    if (busy())
        telemetryTimer_.start();
    else
        telemetryTimer_.stop();
    readTelemetry();
    Q_EMIT stateChanged();
    Q_EMIT canSendChanged();
    // Later: the answer that ended may call tools, which are not known yet.
    if (!busy()) QMetaObject::invokeMethod(this, &Conversation::findCalls, Qt::QueuedConnection);
    if (keeping_ && !busy()) QMetaObject::invokeMethod(this, &Conversation::keepTemporary, Qt::QueuedConnection);
}

/// Shows the turn that is being answered if somebody else added it: the queue of prompts, or the results of tools.
void Conversation::followLeaf() {
    if (answering_ == 0 || !store_ || messages_.find(answering_)) return;
    const auto state = store_->state(chatId_);
    if (state && state->leaf == answering_) showPath();
}

void Conversation::readTelemetry() {
    const auto telemetry = parts_.worker->telemetry();
    const bool mine = engineReports();
    tokensPerSecond_ = telemetry && mine ? telemetry->tokensPerSecond : 0;
    contextSize_ = telemetry ? static_cast<int>(telemetry->contextSize) : 0;
    if (telemetry && mine) contextUsed_ = static_cast<int>(telemetry->position);
    Q_EMIT telemetryChanged();
}

void Conversation::setError(const ErrorInfo& error) {
    if (error == error_) return;
    error_ = error;
    Q_EMIT errorChanged();
}

void Conversation::setRefusal(const ErrorInfo& why) {
    if (why == refusal_) return;
    refusal_ = why;
    Q_EMIT refusalChanged();
}

} // namespace coterie::app
