// SPDX-License-Identifier: Apache-2.0
// See context_view.h.
#include "chats/context_view.h"

#include "chats/chat_edits.h"
#include "chats/conversation.h"
#include "store/chat_store.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kCountDelayMs = 300;           // after the last key
constexpr int kLeastRoom = 16;               // tokens of the shortest turn, with its marks
constexpr qsizetype kLongestDraft = 1 << 20; // characters; a longer text is counted when it is sent
constexpr int kFreeShare = 2;                // one part in so many of the context shall be free
constexpr qint64 kLeastFreeShare = 8;        // the same for the last turn, which is left out least gladly

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
    refused_.reset();
    wantedFit_ = 0;
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
    refused_ = std::move(prompt);
    refusedSize_ = conversation_->contextSize();
    setFull();
}

bool ContextView::draftFits() const {
    const int size = conversation_->contextSize();
    return size == 0 || draftTokens_ < size; // an answer has at least one token
}

void ContextView::setFull() {
    const int size = conversation_->contextSize();
    const bool noRoom = size > 0 && !conversation_->busy() && conversation_->messages()->count() > 0 &&
                        conversation_->contextUsed() > size - kLeastRoom;
    const bool full = noRoom || refusedStays();
    if (std::exchange(full_, full) != full) Q_EMIT fullChanged();
}

/// Whether the refused prompt is still the one to be sent, has no room yet, and follows turns that can be left out.
bool ContextView::refusedStays() const {
    if (!refused_ || conversation_->messages()->count() == 0) return false;
    if (refused_->from == RefusedPrompt::From::Composer) {
        const bool fitsNow = draftTokens_ > 0 && draftFits(); // a file was taken out, or the context has become longer
        return !fitsNow && conversation_->written() && refused_->text == conversation_->draft();
    }
    return !conversation_->busy() && conversation_->contextSize() == refusedSize_ && mayFollow(*refused_);
}

/// Whether this prompt, which is not the composer's, is still there and would follow some message.
bool ContextView::mayFollow(const RefusedPrompt& prompt) const {
    if (prompt.from == RefusedPrompt::From::Queue) return conversation_->queue()->firstId() == prompt.id;
    const MessageRow* edited = conversation_->messages()->find(prompt.id);
    return edited && edited->parent != 0 && conversation_->actions()->editText(prompt.id) == prompt.text;
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
    if (count != wantedCount_) return;
    wantedCount_ = 0;
    setDraftTokens(tokens > 0 ? static_cast<int>(tokens) : 0);
    if (std::exchange(countAgain_, false)) countDraft();
}

void ContextView::setDraftTokens(int tokens) {
    if (std::exchange(draftTokens_, tokens) == tokens) return;
    Q_EMIT draftTokensChanged();
    setFull();
}

/// The prompt that still has no room, with the files that it has now; an empty one if there is none.
RefusedPrompt ContextView::refusedNow() const {
    RefusedPrompt prompt = refusedStays() ? *refused_ : RefusedPrompt();
    if (refusedStays() && prompt.from == RefusedPrompt::From::Composer) prompt.files = conversation_->files()->parts();
    return prompt;
}

/// An edited message keeps its files: only a new one can go without them.
QString ContextView::adviceFor(const RefusedPrompt& prompt) {
    if (prompt.files.empty()) return tr("Shorten the message, or allow a longer context in the settings");
    return prompt.from == RefusedPrompt::From::Edit
               ? tr("Shorten the message, send a new one without its files, or allow a longer context in the settings")
               : tr("Take a file out, shorten the message, or allow a longer context in the settings");
}

void ContextView::leaveOutOldest() {
    if (!full_ || searching()) return;
    const qint64 size = conversation_->contextSize();
    const bool sends = refusedStays();
    RefusedPrompt prompt = refusedNow();
    const bool edit = prompt.from == RefusedPrompt::From::Edit;
    const qint64 last = edit ? conversation_->messages()->find(prompt.id)->parent : conversation_->leaf();
    wantedFit_ = worker_->fit({.rows = conversation_->rowSource(last, prompt.text, std::move(prompt.files)),
                               .systemPrompt = conversation_->settings().systemPrompt(),
                               .options = conversation_->options(),
                               .most = size - size / kFreeShare,
                               .mostOfLast = sends ? size - 1 : size - size / kLeastFreeShare,
                               .mayBeEmpty = !sends});
    Q_EMIT fullChanged();
}

void ContextView::onFitted(const Fit& fit) {
    if (fit.number != wantedFit_) return;
    wantedFit_ = 0;
    Q_EMIT fullChanged();
    if (fit.error) return Q_EMIT failed(ErrorInfo(*fit.error));
    if (!fit.fits)
        return Q_EMIT failed(ErrorInfo(tr("The conversation can't go on like this"),
                                       tr("The message alone is longer than the context"), adviceFor(refusedNow())));
    const std::optional<RefusedPrompt> prompt = refusedStays() ? refused_ : std::nullopt;
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
        conversation_->dismissError(); // it said that there is no room
        conversation_->actions()->keepEdit(prompt.id);
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
