// SPDX-License-Identifier: Apache-2.0
// See queued_prompts.h. The list is short: it is read again as a whole, and only the rows that differ are replaced.
#include "chats/queued_prompts.h"

#include "chats/conversation.h"

#include <algorithm>

namespace coterie::app {

QueuedPrompts::QueuedPrompts(Conversation* conversation, QObject* parent)
    : RowList(parent), conversation_(conversation) {
    connect(conversation_, &Conversation::chatChanged, this, &QueuedPrompts::refresh);
    connect(conversation_, &Conversation::stateChanged, this, &QueuedPrompts::changed); // stateText() may differ
}

void QueuedPrompts::setQueue(PromptQueue* queue) {
    if (queue_) disconnect(queue_, nullptr, this, nullptr);
    queue_ = queue;
    if (queue_)
        connect(queue_, &PromptQueue::changed, this, [this](qint64 chat) {
            if (chat != conversation_->chatId()) return;
            refresh();
            conversation_->files()->refresh(); // a prompt takes them from the composer, or gives them back
        });
    refresh();
}

void QueuedPrompts::refresh() {
    const std::vector<WaitingPrompt> now =
        queue_ ? queue_->prompts(conversation_->chatId()) : std::vector<WaitingPrompt>();
    const auto [before, after] = std::mismatch(rows_.begin(), rows_.end(), now.begin(), now.end());
    const auto first = static_cast<int>(before - rows_.begin());
    if (before != rows_.end()) {
        beginRemoveRows({}, first, count() - 1);
        rows_.erase(before, rows_.end());
        endRemoveRows();
    }
    if (after != now.end()) {
        beginInsertRows({}, first, static_cast<int>(now.size()) - 1);
        rows_.insert(rows_.end(), after, now.end());
        endInsertRows();
    }
    Q_EMIT changed();
}

bool QueuedPrompts::add(const QString& text) {
    if (!queue_ || !conversation_->mayWait()) return false;
    const bool added = conversation_->chatId() == 0
                           ? conversation_->waitInNewChat(text)
                           : queue_->add(conversation_->chatId(), text, conversation_->files()->ids());
    if (added) conversation_->stay();
    return added;
}

void QueuedPrompts::remove(int row) {
    if (row >= 0 && row < count())
        queue_->remove(WaitingPrompt(rows_[static_cast<size_t>(row)]), conversation_->draft());
}

void QueuedPrompts::edit(int row) {
    if (row >= 0 && row < count()) queue_->edit(WaitingPrompt(rows_[static_cast<size_t>(row)]));
}

bool QueuedPrompts::leaveEdit() {
    if (!editing()) return false;
    queue_->leaveEdit(conversation_->chatId());
    return true;
}

void QueuedPrompts::sendNext() {
    if (queue_ && count() > 0) queue_->sendNext(conversation_->chatId());
}

bool QueuedPrompts::held() const { return queue_ && queue_->held(conversation_->chatId()); }

bool QueuedPrompts::editing() const { return queue_ && queue_->editing(conversation_->chatId()); }

QString QueuedPrompts::stateText() const { return queue_ ? queue_->state(conversation_->chatId()) : QString(); }

QVariant QueuedPrompts::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const WaitingPrompt& prompt = rows_[static_cast<size_t>(index.row())];
    if (role == TextRole || role == Qt::DisplayRole) return prompt.text;
    if (role != FilesRole) return {};
    QStringList names;
    for (const DraftFile& file : prompt.files) names.append(file.part.name);
    return names.join(QStringLiteral(", "));
}

} // namespace coterie::app
