// SPDX-License-Identifier: Apache-2.0
// See chat_edits.h. Nothing is erased by undoing: what a branch gained stays in the tree and can be shown again.
#include "chats/chat_edits.h"

#include <algorithm>
#include <memory>

namespace coterie::app {

ChatEdits::ChatEdits(AnswerQueue* answers, UndoStack* undo, QObject* parent)
    : QObject(parent), answers_(answers), undo_(undo) {}

engine::Error ChatEdits::closed() const {
    return {engine::ErrorKind::Io, "The chat was not changed", "The file of chats is not open", "Start Coterie again"};
}

qint64 ChatEdits::leafOf(qint64 chat) const {
    const auto state = storeOf(chat)->state(chat);
    return state ? state->leaf : 0;
}

engine::Status ChatEdits::showLeaf(qint64 chat, qint64 leaf) {
    if (leaf != 0) {
        const auto shown = storeOf(chat)->setLeaf(chat, leaf);
        if (!shown) return shown.error();
    }
    Q_EMIT chatWanted(chat);
    Q_EMIT pathChanged(chat);
    return {};
}

/// Opening a model would end an answer that is being written. The one that ends in `leaf` may end.
engine::Status ChatEdits::mayOpen(qint64 leaf, const ModelChange& models) const {
    if (models.before.isEmpty() || !answers_->busy() || answers_->writes(leaf)) return {};
    return engine::Error{engine::ErrorKind::Unsupported, "The other model was not opened",
                         "An answer is still being written", "Wait for it to end or stop it, then try again"};
}

/// Returns the first message that the branch has added if it goes on from the message that was shown last; else 0.
qint64 ChatEdits::addedBelow(qint64 before, qint64 leaf) const {
    const auto path = storeOf(leaf)->path(leaf);
    if (!path) return 0;
    const auto at = std::find(path->begin(), path->end(), before);
    return at == path->end() || at + 1 == path->end() ? 0 : *(at + 1);
}

/// Shows the branch that ended in `before` again. added: see addedBelow().
engine::Status ChatEdits::leaveBranch(qint64 chat, qint64 before, qint64 added) {
    if (added == 0) return showLeaf(chat, before);
    Q_EMIT chatWanted(chat);
    return removeNow(chat, added);
}

engine::Status ChatEdits::enterBranch(qint64 chat, qint64 leaf, qint64 added) {
    if (added == 0) return showLeaf(chat, leaf);
    Q_EMIT chatWanted(chat);
    return restoreNow(chat, added);
}

void ChatEdits::addBranch(const QString& title, qint64 chat, qint64 before, qint64 leaf, const ModelChange& models) {
    const qint64 added = addedBelow(before, leaf);
    undo_->push({.title = title,
                 .undo = [this, chat, before, leaf, added, models]() -> engine::Status {
                     if (engine::Status may = mayOpen(leaf, models); !may) return may;
                     answers_->stop(leaf);
                     if (engine::Status shown = leaveBranch(chat, before, added); !shown) return shown;
                     if (!models.before.isEmpty()) Q_EMIT modelWanted(models.after, models.before);
                     return {};
                 },
                 .redo = [this, chat, leaf, added, models]() -> engine::Status {
                     if (engine::Status may = mayOpen(leaf, models); !may) return may;
                     if (engine::Status shown = enterBranch(chat, leaf, added); !shown) return shown;
                     if (!models.before.isEmpty()) Q_EMIT modelWanted(models.before, models.after);
                     return {};
                 },
                 .chat = chat});
    Q_EMIT pathChanged(chat);
}

void ChatEdits::dropChange(const ModelChange& models) {
    if (!models.before.isEmpty() && !answers_->busy()) Q_EMIT modelWanted(models.after, models.before);
}

engine::Status ChatEdits::show(qint64 chat, qint64 message) {
    if (!store_) return closed();
    const qint64 before = leafOf(chat);
    const auto leaf = storeOf(chat)->setLeaf(chat, message);
    if (!leaf) return leaf.error();
    if (*leaf == before) return {};
    undo_->push({.title = tr("Show another version"),
                 .undo = [this, chat, before] { return showLeaf(chat, before); },
                 .redo = [this, chat, after = *leaf] { return showLeaf(chat, after); },
                 .key = QStringLiteral("version of chat %1").arg(chat),
                 .chat = chat,
                 .stands = [this, chat, before] { return leafOf(chat) != before; }});
    Q_EMIT pathChanged(chat);
    return {};
}

/// Ends the chat's answer if it is this message or follows it.
void ChatEdits::stopBelow(qint64 chat, qint64 message) {
    const auto job = answers_->progress(chat);
    const auto path =
        job ? storeOf(chat)->path(job->message) : engine::Result<std::vector<qint64>>(std::vector<qint64>{});
    if (path && std::find(path->begin(), path->end(), message) != path->end()) answers_->stop(job->message);
}

engine::Status ChatEdits::removeNow(qint64 chat, qint64 message) {
    stopBelow(chat, message);
    const auto leaf = storeOf(chat)->removeMessage(message);
    if (!leaf) return leaf.error();
    Q_EMIT pathChanged(chat);
    return {};
}

/// Takes the message back from the bin, and shows it.
engine::Status ChatEdits::restoreNow(qint64 chat, qint64 message) {
    const auto leaf = storeOf(chat)->restoreMessage(message);
    if (!leaf) return leaf.error();
    Q_EMIT pathChanged(chat);
    return {};
}

void ChatEdits::addRestored(qint64 chat, qint64 message, qint64 before) {
    undo_->push({.title = tr("Restore the message"),
                 .undo = [this, chat, message, before]() -> engine::Status {
                     engine::Status removed = removeNow(chat, message);
                     if (!removed || before == 0 || leafOf(chat) == before) return removed;
                     return showLeaf(chat, before);
                 },
                 .redo = [this, chat, message] { return restoreNow(chat, message); },
                 .chats = {chat}});
    Q_EMIT pathChanged(chat);
}

engine::Status ChatEdits::remove(qint64 chat, qint64 message) {
    if (!store_) return closed();
    const qint64 before = leafOf(chat);
    if (engine::Status removed = removeNow(chat, message); !removed) return removed;
    undo_->push({.title = tr("Delete the message"),
                 .undo = [this, chat, message, before]() -> engine::Status {
                     const auto leaf = storeOf(chat)->restoreMessage(message);
                     if (!leaf) return leaf.error();
                     return showLeaf(chat, before);
                 },
                 .redo =
                     [this, chat, message] {
                         Q_EMIT chatWanted(chat);
                         return removeNow(chat, message);
                     },
                 .offered = true,
                 .chat = chat,
                 .stands =
                     [this, message] {
                         const auto row = storeOf(message)->message(message);
                         return row ? row->removed.isValid() : row.error().kind != engine::ErrorKind::NotFound;
                     }});
    return {};
}

/// Gives the answer this text, state and figures.
engine::Status ChatEdits::setText(const MessageRow& answer) {
    answers_->abandon(answer.id);
    answers_->forgetWritten(answer.id);
    if (engine::Status stored = storeOf(answer.id)->finishAnswer(answer); !stored) return stored;
    Q_EMIT chatWanted(answer.chat);
    Q_EMIT pathChanged(answer.chat);
    return {};
}

engine::Status ChatEdits::resume(const MessageRow& answer) {
    if (!store_) return closed();
    if (engine::Status begun = storeOf(answer.id)->continueAnswer(answer.id); !begun) return begun;
    const auto after = std::make_shared<MessageRow>();
    undo_->push({.title = tr("Continue the answer"),
                 .undo = [this, answer, after]() -> engine::Status {
                     if (const MessageRow* newest = answers_->newest(answer.id)) {
                         *after = *newest;
                     } else if (auto stored = storeOf(answer.id)->message(answer.id)) {
                         *after = std::move(stored).value();
                     } else {
                         return stored.error();
                     }
                     if (after->state == MessageState::Streaming) after->state = MessageState::Stopped;
                     return setText(answer);
                 },
                 .redo = [this, after] { return setText(*after); },
                 .chat = answer.chat});
    return {};
}

engine::Status ChatEdits::leaveOutNow(qint64 chat, qint64 message) {
    if (engine::Status kept = storeOf(chat)->setLeftOut(chat, message); !kept) return kept;
    Q_EMIT chatWanted(chat);
    Q_EMIT pathChanged(chat);
    return {};
}

engine::Status ChatEdits::leaveOut(qint64 chat, qint64 message) {
    if (!store_) return closed();
    const auto state = storeOf(chat)->state(chat);
    if (!state) return state.error();
    if (engine::Status left = leaveOutNow(chat, message); !left) return left;
    undo_->push(
        {.title = message == 0 ? tr("Show the model the whole conversation") : tr("Continue without the oldest turns"),
         .undo = [this, chat, before = state->leftOut] { return leaveOutNow(chat, before); },
         .redo = [this, chat, message] { return leaveOutNow(chat, message); },
         .chat = chat});
    return {};
}

engine::Result<qint64> ChatEdits::fork(qint64 chat, qint64 message, const QString& title) {
    if (!store_) return closed();
    const auto made = storeOf(chat)->fork(message, title);
    if (!made) return made.error();
    undo_->push({.title = tr("Fork into a new chat"),
                 .undo = [this, chat, made = *made]() -> engine::Status {
                     if (engine::Status removed = storeOf(made)->remove(made); !removed) return removed;
                     Q_EMIT chatRemoved(made);
                     Q_EMIT chatWanted(chat);
                     return {};
                 },
                 .redo = [this, made = *made]() -> engine::Status {
                     if (engine::Status restored = storeOf(made)->restore(made); !restored) return restored;
                     Q_EMIT chatStored(made);
                     Q_EMIT chatWanted(made);
                     return {};
                 },
                 .chat = *made});
    Q_EMIT chatStored(*made);
    return made;
}

} // namespace coterie::app
