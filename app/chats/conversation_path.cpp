// SPDX-License-Identifier: Apache-2.0
// The part of Conversation that follows the tree of messages: which path is shown, and answers that begin in it.
#include "chats/chat_edits.h"
#include "chats/conversation.h"

#include <algorithm>

namespace coterie::app {

/// Returns the files of a waiting prompt, or of the composer if it is 0.
std::vector<DraftFile> Conversation::filesOf(qint64 waiting) const {
    if (waiting == 0) return files_.rows();
    for (const WaitingPrompt& prompt : parts_.queue->prompts(chatId_))
        if (prompt.id == waiting) return prompt.files;
    return {};
}

void Conversation::followEdits() {
    connect(parts_.answers, &AnswerQueue::rewritten, this,
            [this](qint64 message, const std::vector<MessagePart>& parts) {
                if (message == messages_.lastId()) messages_.rewrite(parts);
            });
    connect(&actions_, &MessageActions::failed, this, &Conversation::setError);
    connect(&actions_, &MessageActions::typed, &draftTimer_, qOverload<>(&QTimer::start));
    if (!parts_.edits) return;
    connect(parts_.edits, &ChatEdits::pathChanged, this, [this](qint64 chat) {
        if (chat == chatId_) showPath();
    });
}

/// Reads the path anew. The first message that is shown stays the first one if it is still in the path.
void Conversation::showPath() {
    if (!store_ || chatId_ == 0) return;
    parts_.answers->flush(); // the rows below have the text that would be emitted later
    const auto state = store_->state(chatId_);
    if (!state) return setError(ErrorInfo(state.error()));
    int most = kPage;
    if (state->leaf != 0 && messages_.count() > 0) {
        const auto path = store_->path(state->leaf);
        if (!path) return setError(ErrorInfo(path.error()));
        const auto first = std::find(path->begin(), path->end(), messages_.rows().front().id);
        if (first != path->end()) most = static_cast<int>(path->end() - first);
    }
    auto page = store_->page(chatId_, 0, most);
    if (!page) return setError(ErrorInfo(page.error()));
    overlayNewer(page->rows);
    messages_.showPath(std::move(page->rows), std::move(page->siblings));
    setMoreBefore(page->first > 0);
    if (state->leftOut != context_.leftOut()) context_.show(state->leftOut);
    readProgress();
    countTokens();
    findCalls();
}

/// Finds calls that were lost with the program, which ended while it asked about them; those of another version once
/// it is shown.
void Conversation::findCalls() {
    if (!model_.ready || busy() || messages_.count() == 0) return;
    const MessageRow& last = messages_.rows().back();
    if (last.role != engine::Role::Assistant || last.state != MessageState::Complete) return;
    Job job{.answer = last, .systemPrompt = settings_.systemPrompt(), .options = options()};
    // Tools that were off when it was written stay not run, also if they are on now.
    if (last.statistics.asked == askedMark(job.systemPrompt, job.options.prompt)) Q_EMIT callsFound(job);
}

void Conversation::begin(Job job, const QString& systemPrompt) {
    setError({});
    parts_.answers->retryUnsaved();
    job.systemPrompt = systemPrompt;
    parts_.answers->add(std::move(job));
    Q_EMIT chatStored(chatId_);
}

} // namespace coterie::app
