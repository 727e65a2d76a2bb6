// SPDX-License-Identifier: Apache-2.0
// See panes.h. A conversation that is not in view shows a new chat: nothing of it can be lost.
#include "chats/panes.h"

#include "common/undo_stack.h"

#include <utility>

namespace coterie::app {
namespace {

const QString kGap = QStringLiteral("\n\n"); // between the words of a composer and a message that comes to it

/// Adds the text behind the words of a composer, unless it is among them.
QString withMessage(const QString& draft, const QString& text) {
    if (draft.contains(text)) return draft;
    return draft.trimmed().isEmpty() ? text : draft + kGap + text;
}

/// Takes the text out again. Words that are others by now stay.
QString withoutMessage(const QString& draft, const QString& text) {
    if (draft == text) return {};
    if (text.isEmpty()) return draft;
    if (draft.startsWith(text + kGap)) return draft.mid(text.size() + kGap.size());
    return draft.endsWith(kGap + text) ? draft.chopped(kGap.size() + text.size()) : draft;
}

} // namespace

Panes::Panes(const ConversationParts& parts, QObject* parent)
    : QObject(parent), undo_(parts.undo), first_(parts), second_(parts) {
    connectConversation(&first_);
    connectConversation(&second_);
    connect(this, &Panes::changed, this, &Panes::chatsChanged);
    connect(this, &Panes::activeChanged, this, &Panes::chatsChanged);
    connect(this, &Panes::activeChanged, this, &Panes::commandsChanged);
}

void Panes::connectConversation(Conversation* conversation) {
    connect(conversation, &Conversation::chatChanged, this, &Panes::chatsChanged);
    connect(conversation, &Conversation::chatChanged, this, &Panes::commandsChanged);
    connect(conversation, &Conversation::stateChanged, this, &Panes::commandsChanged);
    connect(conversation, &Conversation::errorChanged, this, &Panes::commandsChanged);
    connect(conversation->context(), &ContextView::fullChanged, this, &Panes::commandsChanged);
    connect(conversation->context(), &ContextView::newChatWanted, this, [=, this](const TakenMessage& message) {
        activate(conversation);
        takeToNewChat(message);
    });
    connect(conversation->find(), &ChatFind::activeChanged, this, &Panes::commandsChanged);
    connect(conversation->alternatives(), &TokenAlternatives::changed, this, &Panes::commandsChanged);
    connect(conversation->alternatives(), &TokenAlternatives::modeChanged, this, &Panes::commandsChanged);
    connect(conversation->queue(), &QueuedPrompts::changed, this, &Panes::commandsChanged);
    connect(conversation->actions(), &MessageActions::changed, this, &Panes::commandsChanged);
    connect(conversation, &Conversation::closeAllowed, this, &Panes::closeAllowed);
    connect(conversation, &Conversation::asksToLeaveChanged, this, &Panes::asksToLeaveChanged);
    connect(conversation, &Conversation::chatStored, this, &Panes::chatStored);
    const MessageModel* const messages = conversation->messages();
    connect(messages, &MessageModel::modelReset, this, &Panes::messagesChanged);
    connect(messages, &MessageModel::countChanged, this, &Panes::messagesChanged);
    connect(messages, &MessageModel::pathChanged, this, &Panes::messagesChanged);
    connect(conversation, &Conversation::callsFound, this, &Panes::callsFound);
}

Conversation* Panes::showing(qint64 chat) {
    if (active_->chatId() == chat) return active_;
    return split_ && other()->chatId() == chat ? other() : nullptr;
}

/// Returns the conversation in view with the composer of this chat, or nullptr. A temporary chat that is new has the id
/// of the other new chat, and a composer of its own.
Conversation* Panes::writingTo(qint64 chat) {
    for (Conversation* const side : {active_, other()})
        if (side && side->chatId() == chat && !(chat == 0 && side->temporary())) return side;
    return nullptr;
}

void Panes::setStore(ChatStore* store, const ErrorInfo& reason) {
    store_ = store;
    first_.setStore(store, reason);
    second_.setStore(store, reason);
}

void Panes::setTemporaryStore(ChatStore* store) {
    first_.setTemporaryStore(store);
    second_.setTemporaryStore(store);
}

void Panes::setModel(const AnsweringModel& model) {
    first_.setModel(model);
    second_.setModel(model);
}

void Panes::applyRename(qint64 chat, const QString& title) {
    first_.applyRename(chat, title);
    second_.applyRename(chat, title);
}

void Panes::applyRemoval(qint64 chat) {
    Conversation* const shows = showing(chat);
    const Closed side{.chat = chat, .atLeft = shows == left_, .wasActive = shows == active_};
    first_.applyRemoval(chat);
    second_.applyRemoval(chat);
    if (!shows || !split_) return;
    remove(shows);
    closed_ = side;
}

void Panes::applyReturn(qint64 chat) {
    for (Conversation* const side : {&first_, &second_}) {
        side->keepDraft(); // its own may be in memory yet
        side->files()->keepLate(chat);
    }
    if (showing(chat)) return;
    if (chat == closed_.chat && !split_) return reopen();
    for (Conversation* const side : {active_, besides(active_)})
        if (isShown(side)) side->applyReturn(chat);
}

/// Shows a side again as it was, beside the one in view.
void Panes::reopen() {
    const Closed side = std::exchange(closed_, {});
    Conversation* const opened = besides(active_);
    left_ = side.atLeft ? opened : active_;
    split_ = true;
    Q_EMIT changed();
    opened->openChat(side.chat);
    if (side.wasActive) activate(opened);
}

engine::Status Panes::changeDraft(qint64 chat, const PromptQueue::TextChange& change) {
    if (Conversation* const shows = writingTo(chat)) {
        shows->setDraft(change(shows->draft()));
        shows->keepDraft();
        return {};
    }
    for (Conversation* const side : {&first_, &second_}) side->keepDraft(); // it may be in memory yet
    const auto state = store_->state(chat);
    if (!state) return state.error();
    return store_->setDraft(chat, change(state->draft));
}

void Panes::activate(Conversation* conversation) {
    if (!conversation || conversation == active_ || !isShown(conversation)) return;
    active_ = conversation;
    Q_EMIT activeChanged();
}

void Panes::activateOther() {
    if (split_) activate(other());
}

void Panes::open(qint64 chat, qint64 message) {
    closed_ = {};
    if (Conversation* const shows = showing(chat)) activate(shows);
    active_->openMessage(chat, message);
}

void Panes::newChat() {
    closed_ = {};
    if (split_ && other()->chatId() == 0 && !other()->temporary()) activate(other());
    active_->newChat();
}

/// Adds the message to what the new chat's composer has already.
void Panes::takeToNewChat(const TakenMessage& message) {
    newChat();
    const bool opened = active_->chatId() == 0 && !active_->temporary(); // else it asks about the temporary chat
    if (opened && message.chat != 0) {
        if (const engine::Status moved = moveToNewChat(message); !moved) Q_EMIT failed(ErrorInfo(moved.error()));
    } else if (opened) {
        active_->setDraft(withMessage(active_->draft(), message.text));
        active_->files()->take(message.files);
    }
    Q_EMIT messageTaken();
}

/// Moves a message from the composer of its chat, which is a step.
engine::Status Panes::moveToNewChat(const TakenMessage& message) {
    if (message.text.trimmed().isEmpty() && message.files.empty()) return {};
    if (engine::Status moved = moveMessage(message, 0); !moved || !undo_) return moved;
    undo_->push({.title = tr("Move the message to a new chat"),
                 .undo = [this, message] { return moveInView(message, message.chat); },
                 .redo = [this, message] { return moveInView(message, 0); },
                 .notice = tr("Moved the message to a new chat"),
                 .chat = qint64{0},
                 .draft = active_->draft(),
                 .untilSent = true,
                 .chats = {message.chat}});
    return {};
}

/// Moves a message between the composers of its chat and of the new one: that one has it before the other loses it.
engine::Status Panes::moveMessage(const TakenMessage& message, qint64 to) {
    const auto put = [&](const QString& draft) { return withMessage(draft, message.text); };
    const auto take = [&](const QString& draft) { return withoutMessage(draft, message.text); };
    if (engine::Status there = changeDraft(to, put); !there) return there;
    for (const DraftFile& file : message.files)
        if (engine::Status there = store_->draftFiles().moveTo(to, file); !there) return there;
    for (Conversation* const side : {&first_, &second_}) side->files()->refresh();
    return changeDraft(to == 0 ? message.chat : 0, take);
}

/// Does it as a step that is undone or repeated.
engine::Status Panes::moveInView(const TakenMessage& message, qint64 to) {
    engine::Status moved = moveMessage(message, to);
    if (moved) Q_EMIT chatWanted(to);
    return moved;
}

/// There is one temporary chat at a time.
void Panes::newTemporaryChat() {
    closed_ = {};
    if (split_ && other()->temporary()) activate(other());
    active_->newTemporaryChat();
}

void Panes::openBeside(qint64 chat) {
    closed_ = {};
    if (Conversation* const shows = showing(chat); shows && !(chat == 0 && shows->temporary())) {
        if (shows == active_ && !split_) return; // it can't be beside itself
        return activate(shows);
    }
    Conversation* const opened = besides(active_);
    if (!split_) {
        left_ = active_;
        split_ = true;
        Q_EMIT changed();
    }
    activate(opened);
    if (chat == 0)
        opened->newChat();
    else
        opened->openChat(chat);
}

void Panes::openSecond() {
    if (split_) return;
    if (active_->chatId() != 0 || active_->temporary()) return openBeside(0);
    const auto chats = store_ ? store_->chats() : engine::Result<std::vector<ChatRow>>(std::vector<ChatRow>());
    if (!chats || chats->empty()) {
        Q_EMIT failed(ErrorInfo(tr("No second chat was opened"), tr("This chat is new, and there is no other one"),
                                tr("Send a message here first, then try again")));
        return;
    }
    Conversation* const writing = active_; // a new chat is there to be written to
    openBeside(chats->front().id);
    activate(writing);
}

void Panes::close(Conversation* conversation) {
    if (!split_ || !conversation) return;
    if (conversation->temporary()) {
        activate(conversation); // it is the one that asks
        if (!conversation->mayLeave([=, this] { close(conversation); })) return;
    }
    remove(conversation);
}

/// Takes the conversation out of view; the other one stays.
void Panes::remove(Conversation* conversation) {
    Conversation* const stays = besides(conversation);
    conversation->find()->setActive(false); // its bar would stand above the next chat there
    conversation->newChat();
    split_ = false;
    left_ = stays;
    if (active_ != stays) {
        active_ = stays;
        Q_EMIT activeChanged();
    }
    Q_EMIT changed();
}

bool Panes::mayClose() {
    for (Conversation* const conversation : {active_, besides(active_)}) {
        if (!isShown(conversation) || conversation->mayClose()) continue;
        activate(conversation);
        return false;
    }
    return true;
}

} // namespace coterie::app
