// SPDX-License-Identifier: Apache-2.0
// See context_view.h.
#include "chats/context_view.h"

#include "chats/chat_edits.h"
#include "chats/conversation.h"
#include "common/isolated_name.h"
#include "store/chat_store.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kCountDelayMs = 300;             // after the last key
constexpr qint64 kNearTheEnd = 64;             // tokens; more than the marks around a message take
constexpr qsizetype kLongestDraft = 1 << 20;   // characters; a longer text is counted when it is sent
constexpr int kFreeShare = 2;                  // one part in so many of the context shall be free
constexpr qint64 kLeastFreeShare = 8;          // the same for the last turn, which is left out least gladly
const QString kShortest = QStringLiteral("x"); // the text of the shortest message

/// Returns the file that is the reason why this prompt has no room: the largest one, if it is longer than the words;
/// else null.
const MessagePart* reasonOf(const RefusedPrompt& prompt) {
    const auto shorter = [](const MessagePart& a, const MessagePart& b) { return a.text.size() < b.text.size(); };
    const auto largest = std::max_element(prompt.files.begin(), prompt.files.end(), shorter);
    return largest != prompt.files.end() && largest->text.size() > prompt.text.size() ? &*largest : nullptr;
}

} // namespace

ContextView::ContextView(Conversation* conversation, EngineWorker* worker, QObject* parent)
    : QObject(parent), conversation_(conversation), worker_(worker) {
    counting_.setSingleShot(true);
    counting_.setInterval(kCountDelayMs);
    connect(&counting_, &QTimer::timeout, this, &ContextView::countDraft);
    connect(worker_, &EngineWorker::counted, this, &ContextView::onCounted);
    connect(worker_, &EngineWorker::fitted, this, &ContextView::onFitted);
    connect(conversation_->messages(), &MessageModel::countChanged, this, &ContextView::followPath);
    connect(conversation_->messages(), &MessageModel::modelReset, this, &ContextView::followPath);
    connect(conversation_, &Conversation::draftChanged, this, &ContextView::countSoon);
    connect(conversation_, &Conversation::canSendChanged, this, &ContextView::countSoon);
    connect(conversation_->files(), &ComposerFiles::changed, this, &ContextView::countSoon);
    connect(conversation_, &Conversation::telemetryChanged, this, &ContextView::setFull);
    connect(conversation_, &Conversation::stateChanged, this, &ContextView::setFull);
    connect(conversation_->queue(), &QueuedPrompts::changed, this, &ContextView::setFull);
    connect(conversation_->actions(), &MessageActions::typed, this, &ContextView::setFull);
    connect(conversation_->actions(), &MessageActions::editedChanged, this, &ContextView::setFull);
}

void ContextView::show(qint64 leftOut) {
    drop();
    next_ = least_ = {};
    nextTo_ = 0;
    wantedFit_ = look_ = 0;
    full_ = stays_ = mayLeaveOut_ = false; // setFull() looks anew
    leftOut_ = leftOut;
    followPath();
    countSoon();
    setFull();
    Q_EMIT fullChanged(); // searching
}

/// Looks whether the last message that is left out is in the path that is shown now.
void ContextView::followPath() {
    const auto path = store_ && leftOut_ != 0 ? store_->path(conversation_->leaf())
                                              : engine::Result<std::vector<qint64>>(std::vector<qint64>());
    if (!path) Q_EMIT failed(ErrorInfo(path.error()));
    shortened_ = path && std::find(path->begin(), path->end(), leftOut_) != path->end();
    Q_EMIT leftOutChanged();
}

void ContextView::refuse(RefusedPrompt prompt) {
    if (refused_ && !prompt.dropped) prompt.dropped = refused_->dropped; // it was changed before this one
    refused_ = std::move(prompt);
    refusedSize_ = conversation_->contextSize();
    stays_ = false; // it is another one
    countLeast();
    setFull();
}

void ContextView::dismiss() {
    drop();
    setFull();
}

/// Lets go the prompt that was refused: it will not be done.
void ContextView::drop() {
    const std::optional<RefusedPrompt> refused = std::exchange(refused_, std::nullopt);
    if (refused && refused->dropped) refused->dropped();
}

/// Follows what a person does while the card is there: an answer by the model that is open, or a context of another
/// size, keeps that model. A message that has left the view is not answered again.
void ContextView::forgetDone() {
    if (!refused_) return;
    const int size = conversation_->contextSize();
    if (conversation_->busy() || (size > 0 && size != refusedSize_)) refused_->dropped = {};
    if (!refused_->isNew() && !conversation_->messages()->find(refused_->id)) drop();
}

bool ContextView::draftFits() const { return conversation_->contextSize() == 0 || tooMany(draftTokens_) <= 0; }

qint64 ContextView::tooMany(qint64 tokens) const { return tokens - (conversation_->contextSize() - 1); }

/// Counts the conversation with the shortest next message, if that may have no room.
void ContextView::countNext() {
    const qint64 counted = conversation_->countedTokens();
    if (std::exchange(nextTo_, counted) == counted) return;
    next_ = {};
    if (counted > 0 && tooMany(counted + kNearTheEnd) > 0)
        next_.wanted =
            worker_->count(conversation_->source(conversation_->leaf(), kShortest), conversation_->options());
    countLeast();
}

/// Counts the conversation with the shortest message that a person can make of the refused one. The files of an edited
/// message stay with it.
void ContextView::countLeast() {
    least_ = {};
    if (!refused_ || !refused_->isNew()) return;
    const bool edited = refused_->from == RefusedPrompt::From::Edit;
    least_.wanted = worker_->count(edited ? conversation_->source(refused_->last, kShortest, refused_->files)
                                          : conversation_->source(conversation_->leaf(), kShortest),
                                   conversation_->options());
}

void ContextView::setFull() {
    forgetDone();
    countNext();
    const bool noRoom = conversation_->contextSize() > 0 && !conversation_->busy() &&
                        conversation_->messages()->count() > 0 && tooMany(next_.tokens) > 0;
    const bool stays = refusedStays(), full = noRoom || stays;
    if (full != full_ || stays != stays_) {
        full_ = full;
        stays_ = stays;
        mayLeaveOut_ = false;
        look_ = 0;
        look();
    }
    const QString words = wordsNow();
    const QVariantList actions = actionsNow();
    if (words == words_ && actions == actions_) return;
    words_ = words;
    actions_ = actions;
    Q_EMIT fullChanged();
}

/// Finds out whether leaving out the oldest turns would help.
void ContextView::look() {
    if (full_ && edits_) look_ = worker_->fit(fitRequest());
}

/// Whether what was refused is still to be done, and has no room yet.
bool ContextView::refusedStays() const {
    const int size = conversation_->contextSize();
    if (!refused_ || size == 0 || conversation_->busy()) return false;
    if (refused_->from == RefusedPrompt::From::Composer) {
        const bool known = draftTokens_ > 0 || size == refusedSize_;
        const bool fitsNow = draftTokens_ > 0 && draftFits(); // a file was taken out, or the context has become longer
        return known && !fitsNow && conversation_->written() && refused_->text == conversation_->draft();
    }
    return size == refusedSize_ && isThere(*refused_);
}

/// Whether this prompt, which is not the composer's, is still there.
bool ContextView::isThere(const RefusedPrompt& prompt) const {
    if (prompt.from == RefusedPrompt::From::Queue) return conversation_->queue()->firstId() == prompt.id;
    if (!conversation_->messages()->find(prompt.id)) return false;
    const bool edited = prompt.from == RefusedPrompt::From::Edit;
    return !edited || conversation_->actions()->editText(prompt.id) == prompt.text;
}

/// The count waits until a person stops typing. A text that was sent or erased needs none. While an answer is written,
/// the next message is counted with the answer so far, and again when the answer has ended.
void ContextView::countSoon() {
    const QString draft = conversation_->draft();
    if (!conversation_->written() || draft.size() > kLongestDraft || !conversation_->model().ready) {
        counting_.stop();
        wantedCount_ = 0;
        setDraftTokens(0);
    } else {
        counting_.start();
    }
    setFull(); // another text than the refused one may fit
}

void ContextView::countDraft() {
    countAgain_ = wantedCount_ != 0; // one count at a time
    if (countAgain_) return;
    wantedCount_ = worker_->count(conversation_->draftSource(), conversation_->options());
}

void ContextView::onCounted(quint64 count, qint64 tokens) {
    for (Shortest* const shortest : {&next_, &least_}) {
        if (count != shortest->wanted) continue;
        *shortest = {.wanted = 0, .tokens = std::max<qint64>(tokens, 0)};
        return setFull();
    }
    if (count != wantedCount_) return;
    wantedCount_ = 0;
    setDraftTokens(tokens > 0 ? static_cast<int>(tokens) : 0);
    if (refusedStays() && refused_->from == RefusedPrompt::From::Composer) look(); // its files may be others now
    if (std::exchange(countAgain_, false)) countDraft();
}

void ContextView::setDraftTokens(int tokens) {
    if (std::exchange(draftTokens_, tokens) == tokens) return;
    Q_EMIT draftTokensChanged();
    setFull();
}

/// The prompt that still has no room, with the files that it has now; an empty one if there is none.
RefusedPrompt ContextView::refusedNow() const {
    if (!refusedStays()) return {};
    RefusedPrompt prompt = *refused_;
    if (prompt.from == RefusedPrompt::From::Composer) prompt.files = conversation_->files()->parts();
    return prompt;
}

/// Tokens that are too many for what the card is about: the prompt that has no room, or any next message.
qint64 ContextView::tooManyNow() const {
    if (!refusedStays()) return tooMany(next_.tokens);
    const bool counted = refused_->from == RefusedPrompt::From::Composer && draftTokens_ > 0;
    return tooMany(counted ? draftTokens_ : refused_->tokens);
}

QString ContextView::wordsNow() const {
    if (!full_) return {};
    const auto many = static_cast<int>(tooManyNow());
    if (!refusedStays())
        return tr("The context is full. The conversation is %Ln token(s) too long for a next message.", nullptr, many);
    using From = RefusedPrompt::From;
    const RefusedPrompt prompt = refusedNow();
    const QString what = prompt.from == From::Composer ? tr("This message has no room in the context.")
                         : prompt.from == From::Queue  ? tr("The waiting message has no room in the context.")
                         : prompt.from == From::Edit   ? tr("The edited message has no room in the context.")
                         : prompt.from == From::Again  ? tr("Another answer has no room in the context.")
                         : prompt.from == From::Branch ? tr("A branch at this word has no room in the context.")
                                                       : tr("The answer has no room to go on.");
    QString why = prompt.isNew() ? tr("The conversation is %Ln token(s) too long with it.", nullptr, many)
                                 : tr("The conversation is %Ln token(s) too long.", nullptr, many);
    if (const MessagePart* const file = reasonOf(prompt))
        why = tr("The conversation is %Ln token(s) too long with the file %1.", nullptr, many)
                  .arg(isolatedName(file->name));
    else if (prompt.isNew() && prompt.last == 0)
        why = tr("It is %Ln token(s) too long.", nullptr, many);
    return what + u' ' + why;
}

QVariantList ContextView::actionsNow() const {
    if (!full_) return {};
    const RefusedPrompt prompt = refusedNow();
    const bool shorterFits = refusedStays() && least_.tokens > 0 && tooMany(least_.tokens) <= 0;
    QVariantList list;
    if (mayLeaveOut_) list.append(static_cast<int>(LeaveOutOldest));
    if (conversation_->model().longestContext >= conversation_->contextSize() + std::max<qint64>(tooManyNow(), 1))
        list.append(static_cast<int>(LargerContext));
    if (shorterFits) {
        const bool file = prompt.from == RefusedPrompt::From::Composer && reasonOf(prompt);
        list.append(static_cast<int>(file ? RemoveFile : ShortenMessage));
    }
    if (mayLeaveOut_ && conversation_->messages()->count() > 0) list.append(static_cast<int>(NewChat));
    return list;
}

bool ContextView::offers(Action action) const { return actions_.contains(static_cast<int>(action)); }

QString ContextView::actionText(Action action) const {
    switch (action) {
    case LeaveOutOldest:
        return tr("Continue without the oldest turns");
    case LargerContext:
        return tr("Larger context");
    case ShortenMessage:
        return tr("Shorten the message");
    case RemoveFile:
        return tr("Remove the file");
    case NewChat:
        break;
    }
    return tr("New chat");
}

void ContextView::act(Action action) {
    if (!offers(action)) return;
    switch (action) {
    case LeaveOutOldest:
        return leaveOutOldest();
    case LargerContext:
        return showContextSetting();
    case ShortenMessage:
        return shorten();
    case RemoveFile:
        return removeLargest();
    case NewChat:
        return beginNewChat();
    }
}

void ContextView::showContextSetting() { Q_EMIT settingWanted(QStringLiteral("contextTokens")); }

/// The message that has no room here, for a new chat. A temporary chat keeps it with its files: nothing of that is
/// written to the disk.
engine::Result<TakenMessage> ContextView::messageToTake() const {
    using From = RefusedPrompt::From;
    if (conversation_->temporary() || dismissable()) return TakenMessage{};
    if (!refusedStays() || refused_->from == From::Composer)
        return TakenMessage{
            .chat = conversation_->chatId(), .text = conversation_->draft(), .files = conversation_->filesOf(0)};
    if (refused_->from == From::Queue)
        return TakenMessage{.text = refused_->text, .files = conversation_->filesOf(refused_->id)};
    auto files = store_->draftFiles().ofMessage(refused_->id);
    if (!files) return files.error();
    return TakenMessage{.text = refused_->text, .files = std::move(files).value()};
}

void ContextView::beginNewChat() {
    const engine::Result<TakenMessage> taken = messageToTake();
    if (!taken) return Q_EMIT failed(ErrorInfo(taken.error()));
    if (dismissable()) dismiss();
    Q_EMIT newChatWanted(*taken);
}

/// Leads to the field with the text; a waiting prompt comes into the composer.
void ContextView::shorten() {
    if (!refusedStays()) return;
    const RefusedPrompt prompt = refusedNow();
    if (prompt.from == RefusedPrompt::From::Edit) return Q_EMIT conversation_->actions()->placeWanted(prompt.id);
    if (prompt.from == RefusedPrompt::From::Queue) conversation_->queue()->edit(0);
    Q_EMIT fieldWanted();
}

void ContextView::removeLargest() {
    const RefusedPrompt prompt = refusedNow();
    const MessagePart* const file = reasonOf(prompt);
    if (!file) return;
    conversation_->files()->remove(static_cast<int>(file - prompt.files.data()));
    Q_EMIT fieldWanted();
}

/// Asks which turns must be left out so that there is room.
FitRequest ContextView::fitRequest() const {
    const qint64 size = conversation_->contextSize();
    const bool sends = refusedStays();
    const RefusedPrompt prompt = refusedNow();
    const bool known =
        sends && prompt.from != RefusedPrompt::From::Composer && prompt.from != RefusedPrompt::From::Queue;
    const qint64 last = known ? prompt.last : conversation_->leaf();
    return {.rows = prompt.isNew() ? conversation_->rowSource(last, prompt.text, prompt.files)
                                   : conversation_->rowSource(last, {}),
            .systemPrompt = prompt.once ? prompt.once->systemPrompt : conversation_->settings().systemPrompt(),
            .options = prompt.once ? prompt.once->options : conversation_->options(),
            .most = size - size / kFreeShare,
            .mostOfLast = sends ? size - 1 : size - size / kLeastFreeShare,
            .mayBeEmpty = !sends};
}

void ContextView::leaveOutOldest() {
    if (!full_ || searching()) return;
    wantedFit_ = worker_->fit(fitRequest());
    Q_EMIT fullChanged();
}

void ContextView::onFitted(const Fit& fit) {
    if (look_ != 0 && fit.number == look_) {
        look_ = 0;
        mayLeaveOut_ = !fit.error && fit.fits;
        return setFull();
    }
    if (fit.number != wantedFit_) return;
    wantedFit_ = 0;
    Q_EMIT fullChanged();
    if (fit.error) return Q_EMIT failed(ErrorInfo(*fit.error));
    if (!fit.fits) { // another system prompt may have come since it was offered
        mayLeaveOut_ = false;
        return setFull();
    }
    // It is done now: the change, which shows the conversation anew, must not drop it.
    const std::optional<RefusedPrompt> prompt = refusedStays() ? std::exchange(refused_, std::nullopt) : std::nullopt;
    change(fit.leftOut);
    if (prompt) send(*prompt);
}

/// Sends a prompt that was refused, now that it has room.
void ContextView::send(const RefusedPrompt& prompt) {
    switch (prompt.from) {
    case RefusedPrompt::From::Composer:
        conversation_->send(prompt.text);
        break;
    case RefusedPrompt::From::Queue:
        conversation_->queue()->sendNext();
        break;
    case RefusedPrompt::From::Edit:
        conversation_->actions()->keepEdit(prompt.id);
        break;
    case RefusedPrompt::From::Again:
    case RefusedPrompt::From::Continue:
    case RefusedPrompt::From::Branch:
        prompt.begin();
        break;
    }
}

void ContextView::leaveOutNothing() { change(0); }

void ContextView::change(qint64 leftOut) {
    if (leftOut == leftOut_ || !edits_) return;
    const engine::Status changed = edits_->leaveOut(conversation_->chatId(), leftOut);
    if (!changed) Q_EMIT failed(ErrorInfo(changed.error()));
}

} // namespace coterie::app
