// SPDX-License-Identifier: Apache-2.0
// The part of Conversation about temporary chats. They are in a store of their own, in memory: while one is shown,
// store_ is that store. It is erased when another chat is opened; if that would lose something, the user is asked
// first.
#include "chats/conversation.h"

#include "common/undo_stack.h"
#include "engine_link/record_keeper.h"

namespace coterie::app {
namespace {

/// Erases the chat that was shown, and those that were made from it. Errors have no cure: the store ends with the
/// program.
void eraseAll(ChatStore& store) {
    (void)store.setDraft(0, {});
    if (const auto files = store.draftFiles().list(0))
        for (const DraftFile& file : *files) (void)store.draftFiles().remove(file.id);
    if (const auto chats = store.chats())
        for (const ChatRow& chat : *chats) (void)store.remove(chat.id);
    (void)store.purge(QDateTime::currentDateTime().addDays(1));
}

} // namespace

void Conversation::newTemporaryChat() {
    if (!temporary_) return;
    if (!mayLeave([this] { newTemporaryChat(); })) return;
    keepDraft();
    storePlace();
    use(temporary_);
    show(0, {}, {}, {});
    Q_EMIT temporaryChanged();
}

bool Conversation::mayLeave(std::function<void()> then) {
    if (!temporary()) return true;
    if (messages_.count() == 0 && draft().isEmpty() && files_.count() == 0 && files_.reading() == 0) {
        endTemporary();
        return true;
    }
    leave_ = std::move(then);
    Q_EMIT asksToLeaveChanged();
    return false;
}

bool Conversation::mayClose() {
    return mayLeave([this] { Q_EMIT closeAllowed(); });
}

/// Everything that this conversation does is done in this store from now on.
void Conversation::use(ChatStore* store) {
    store_ = store;
    context_.setStore(store);
    files_.setStore(store);
    files_.refresh();
    alternatives_.setStore(store);
    actions_.setStore(store);
}

/// Erases the temporary chat, and goes on with the store of the other chats.
void Conversation::endTemporary() {
    const qint64 chat = chatId_;
    keeping_ = false;
    parts_.answers->stopChat(chat);
    drafts_.remove(draftKey());
    std::erase_if(unsent_, [this](const Unsent& unsent) { return unsent.store == temporary_; });
    files_.dropReading(temporary_);
    placeTimer_.stop();
    eraseAll(*temporary_);
    use(kept_);
    if (parts_.undo) parts_.undo->dropChats(isTemporary);
    const auto state = store_->state(0);
    show(0, {}, state ? *state : ChatState{}, {});
    Q_EMIT temporaryChanged();
}

/// Ends the question, and does what led to it.
void Conversation::leaveNow(qint64 openInstead) {
    const std::function<void()> then = std::exchange(leave_, {});
    if (then) Q_EMIT asksToLeaveChanged();
    if (then)
        then();
    else if (openInstead != 0)
        openChat(openInstead);
}

void Conversation::keepTemporary() {
    if (!temporary()) return;
    if (busy() || beingCounted() || files_.reading() > 0) { // its last words and files must be in the store
        keeping_ = true;
        return stop();
    }
    keeping_ = false;
    if (chatId_ == 0) return;
    keepDraft();
    if (parts_.records) parts_.records->storeAll(); // the one of its last answer may still be packed
    const auto tree = temporary_->tree(chatId_, {.records = true});
    const auto added = tree ? kept_->addChat(*tree, IfPresent::Copy) : engine::Result<AddedChat>(tree.error());
    if (!added) return setError(ErrorInfo(added.error())); // the chat stays as it is
    endTemporary();
    Q_EMIT chatStored(added->chat);
    leaveNow(added->chat);
}

void Conversation::dropTemporary() {
    if (!temporary()) return;
    endTemporary();
    leaveNow(0);
}

void Conversation::stay() {
    if (!leave_) return;
    leave_ = {};
    Q_EMIT asksToLeaveChanged();
}

} // namespace coterie::app
