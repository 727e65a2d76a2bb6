// SPDX-License-Identifier: Apache-2.0
// The part of Conversation that knows which place of a chat is read: it is kept with the chat and shown again when the
// chat is opened, and a search opens a chat at one of its messages.
#include "chats/conversation.h"

#include <algorithm>

namespace coterie::app {

void Conversation::keepPlace(qint64 messageId, double share) {
    const Place place{.message = messageId, .share = share};
    if (chatId_ == 0 || place == seen_) return;
    seen_ = place;
    placeTimer_.start();
}

void Conversation::storePlace() {
    if (!placeTimer_.isActive()) return;
    placeTimer_.stop();
    if (!store_ || store_->readOnly()) return;
    const engine::Status kept = store_->setSeen(chatId_, seen_.message, seen_.share);
    if (!kept && kept.error().kind != engine::ErrorKind::NotFound) setError(ErrorInfo(kept.error()));
}

/// Asks the view to show this place of the chat. Earlier messages are read until its message is there.
void Conversation::goTo(const Place& place, bool marked) {
    readBackTo(place.message);
    const MessageRow* row = messages_.find(place.message);
    placeRow_ = row ? static_cast<int>(row - messages_.rows().data()) : -1;
    placeShare_ = place.share;
    placeMarked_ = marked;
    if (row) Q_EMIT placeWanted();
}

void Conversation::openMessage(qint64 chatId, qint64 messageId) {
    if (!store_ || !mayLeave([=, this] { openMessage(chatId, messageId); })) return;
    if (messageId == 0) return openChat(chatId);
    const auto state = store_->state(chatId);
    const auto path = state ? store_->path(state->leaf) : engine::Result<std::vector<qint64>>(state.error());
    if (!path) return setError(ErrorInfo(path.error()));
    if (std::find(path->begin(), path->end(), messageId) == path->end()) {
        const auto leaf = store_->setLeaf(chatId, messageId);
        if (!leaf) return setError(ErrorInfo(leaf.error()));
    }
    openChat(chatId);
    if (chatId_ == chatId) goTo({.message = messageId, .share = 0}, true);
}

} // namespace coterie::app
