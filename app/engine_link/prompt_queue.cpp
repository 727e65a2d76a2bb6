// SPDX-License-Identifier: Apache-2.0
// See prompt_queue.h.
#include "engine_link/prompt_queue.h"

#include "common/undo_stack.h"
#include "store/chat_store.h"
#include "tools/tool_box.h"

#include <algorithm>

namespace coterie::app {
namespace {

/// Whether the model goes on when a tool has been run.
bool waitsForTool(const MessageRow& answer) {
    return std::any_of(answer.parts.begin(), answer.parts.end(), [](const MessagePart& part) {
        return part.kind == PartKind::ToolCall && !toolPermissionKey(part.tool).isEmpty();
    });
}

/// Says why the prompts after this answer, which has no proper end, are not sent by themselves.
QString whyHeld(const MessageRow& answer) {
    if (answer.state == MessageState::Failed) return PromptQueue::tr("Not sent: the answer before it failed");
    return answer.stoppedByUser() ? PromptQueue::tr("Not sent: the answer before it was stopped")
                                  : PromptQueue::tr("Not sent. %1.").arg(answer.error.why);
}

/// The words at prompts that are held without a cause that still stands.
QString waitsForAPerson() { return PromptQueue::tr("Not sent yet: it waits until you send it"); }

const QString kGap = QStringLiteral("\n\n"); // between the text of a prompt and the draft behind it

QString withPrompt(const QString& prompt, const QString& draft) {
    QStringList texts;
    for (const QString& text : {prompt, draft})
        if (!text.trimmed().isEmpty()) texts.append(text);
    return texts.join(kGap);
}

/// Takes the text of the prompt out of the draft. A draft that begins with other words stays as it is.
QString withoutPrompt(const QString& prompt, const QString& draft) {
    if (!draft.startsWith(prompt)) return draft;
    const QString rest = draft.mid(prompt.size());
    return rest.startsWith(kGap) ? rest.mid(kGap.size()) : rest;
}

} // namespace

PromptQueue::PromptQueue(AnswerQueue* answers, Sender sender, DraftChanger drafts, QObject* parent)
    : QObject(parent), answers_(answers), sender_(std::move(sender)), drafts_(std::move(drafts)) {
    connect(answers_, &AnswerQueue::ended, this, &PromptQueue::onEnded);
}

void PromptQueue::setStore(ChatStore* store) {
    store_ = store;
    prompts_.clear();
}

const std::vector<WaitingPrompt>& PromptQueue::prompts(qint64 chat) {
    if (!prompts_.contains(chat)) read(chat);
    return prompts_[chat];
}

void PromptQueue::read(qint64 chat) {
    prompts_[chat] = {};
    if (chat == 0 || !storeOf(chat)) return;
    auto list = storeOf(chat)->waiting().list(chat);
    if (!list) return Q_EMIT failed(ErrorInfo(list.error()));
    prompts_[chat] = std::move(list).value();
}

QString PromptQueue::state(qint64 chat) const {
    if (!held(chat)) return opening_ ? tr("Will be sent when the model is open") : tr("Will be sent after this answer");
    if (answers_->progress(chat)) return waitsForAPerson(); // whatever came of the answer before this one
    return why_.value(chat, tr("Not sent yet: the program was closed before"));
}

bool PromptQueue::add(qint64 chat, const QString& text, const std::vector<qint64>& files) {
    if (!storeOf(chat) || (text.trimmed().isEmpty() && files.empty())) return false;
    return added(storeOf(chat)->waiting().add(chat, text, files)) != 0;
}

qint64 PromptQueue::addToNewChat(bool temporary, const QString& title, const QString& text,
                                 const std::vector<qint64>& files) {
    ChatStore* const store = temporary ? temporary_ : store_;
    if (!store || (text.trimmed().isEmpty() && files.empty())) return 0;
    return added(store->waiting().addToNewChat(title, text, files));
}

/// Returns the chat of the prompt, which is sent in its turn; 0: the store refused it.
qint64 PromptQueue::added(const engine::Result<WaitingPrompt>& prompt) {
    if (!prompt) {
        Q_EMIT failed(ErrorInfo(prompt.error()));
        return 0;
    }
    if (undo_) undo_->settle(prompt->chat);
    edits_.remove(prompt->chat);
    flowing_.insert(prompt->chat); // whoever writes the next prompt wants those before it to be sent
    read(prompt->chat);
    Q_EMIT changed(prompt->chat);
    return prompt->chat;
}

void PromptQueue::setModel(bool ready, bool opening) {
    const bool opened = opening_ && !opening;
    if (opening == opening_) return;
    opening_ = opening;
    for (const qint64 chat : QSet<qint64>(flowing_)) {
        if (prompts(chat).empty()) continue;
        if (opened && ready)
            sendSoon(chat);
        else if (opened)
            hold(chat, tr("Not sent: no model is open"));
        Q_EMIT changed(chat);
    }
}

/// Shows that one of the chat's prompts came or went. Returns the status of that.
engine::Status PromptQueue::reread(qint64 chat, engine::Status status) {
    read(chat);
    Q_EMIT changed(chat);
    return status;
}

void PromptQueue::remove(const WaitingPrompt& prompt, const QString& draft) {
    const auto take = [this, prompt] { return reread(prompt.chat, storeOf(prompt.chat)->waiting().remove(prompt.id)); };
    const engine::Status removed = take();
    if (!removed) return Q_EMIT failed(ErrorInfo(removed.error()));
    if (!undo_) return;
    undo_->push(
        {.title = tr("Cancel the waiting message"),
         .undo = [this, prompt] { return reread(prompt.chat, storeOf(prompt.chat)->waiting().putBack(prompt)); },
         .redo = take,
         .notice = tr("Cancelled the waiting message"),
         .chat = prompt.chat,
         .draft = draft});
}

void PromptQueue::edit(const WaitingPrompt& prompt) {
    const auto moved = moveToDraft(prompt);
    if (!moved) return Q_EMIT failed(ErrorInfo(moved.error()));
    if (!undo_) return;
    undo_->push({.title = tr("Edit the waiting message"),
                 .undo = [this, prompt] { return moveBack(prompt); },
                 .redo = [this, prompt]() -> engine::Status {
                     const auto again = moveToDraft(prompt);
                     return again ? engine::Status() : engine::Status(again.error());
                 },
                 .notice = tr("The waiting message is in the composer"),
                 .chat = prompt.chat,
                 .draft = moved.value(),
                 .untilSent = true});
}

/// Returns the draft. It has the prompt's text before the queue loses it.
engine::Result<QString> PromptQueue::moveToDraft(const WaitingPrompt& prompt) {
    Edit edit{.prompt = prompt, .before = {}};
    QString draft;
    const engine::Status written = drafts_(prompt.chat, [&](const QString& text) -> QString {
        edit.before = text;
        return draft = withPrompt(prompt.text, text);
    });
    if (!written) return written.error();
    const engine::Status released = storeOf(prompt.chat)->waiting().release(prompt.id);
    if (released) edits_[prompt.chat].push_back(std::move(edit));
    if (engine::Status shown = reread(prompt.chat, released); !shown) return shown.error();
    return draft;
}

/// Lets the prompt wait again: its text is in the queue before the draft loses it.
engine::Status PromptQueue::moveBack(const WaitingPrompt& prompt) {
    if (engine::Status back = waitAgain(prompt); !back) return back;
    return drafts_(prompt.chat, [&](const QString& text) { return withoutPrompt(prompt.text, text); });
}

/// Puts a prompt that was being edited back into the queue as it was. If the answer before it has ended meanwhile, a
/// person says when it is sent.
engine::Status PromptQueue::waitAgain(const WaitingPrompt& prompt) {
    const qint64 chat = prompt.chat;
    engine::Status back = storeOf(chat)->waiting().putBack(prompt);
    if (const auto edits = edits_.find(chat); back && edits != edits_.end()) {
        std::erase_if(*edits, [&](const Edit& edit) { return edit.prompt.id == prompt.id; });
        if (edits->empty()) edits_.erase(edits);
    }
    if (back && !held(chat) && !opening_ && !answers_->progress(chat)) {
        flowing_.remove(chat);
        why_.insert(chat, waitsForAPerson());
    }
    return reread(chat, std::move(back));
}

void PromptQueue::leaveEdit(qint64 chat) {
    if (!editing(chat)) return;
    const Edit edit = edits_[chat].back();
    engine::Status left = waitAgain(edit.prompt);
    QString typed;
    if (left)
        left = drafts_(chat, [&](const QString& text) {
            typed = text;
            return edit.before;
        });
    if (!left) return Q_EMIT failed(ErrorInfo(left.error()));
    if (!undo_) return;
    const auto leave = [this, edit, typed]() -> engine::Status {
        if (engine::Status back = waitAgain(edit.prompt); !back) return back;
        return drafts_(edit.prompt.chat, [&](const QString& text) {
            return text == typed ? edit.before : withoutPrompt(edit.prompt.text, text);
        });
    };
    undo_->push({.title = tr("Leave the waiting message as it was"),
                 .undo = [this, edit, typed] { return goOnEditing(edit, typed); },
                 .redo = leave,
                 .notice = tr("The waiting message is as it was"),
                 .chat = chat,
                 .draft = edit.before,
                 .untilSent = true});
}

/// Has the prompt edited again, with this draft, which stands before what was typed since.
engine::Status PromptQueue::goOnEditing(const Edit& edit, const QString& draft) {
    const qint64 chat = edit.prompt.chat;
    if (engine::Status written =
            drafts_(chat, [&](const QString& text) { return text == edit.before ? draft : withPrompt(draft, text); });
        !written)
        return written;
    engine::Status released = storeOf(chat)->waiting().release(edit.prompt.id);
    if (released) edits_[chat].push_back(edit);
    return reread(chat, std::move(released));
}

void PromptQueue::endEdits(qint64 chat) {
    if (edits_.remove(chat)) Q_EMIT changed(chat);
}

void PromptQueue::sendNext(qint64 chat) {
    flowing_.insert(chat);
    sendSoon(chat);
    Q_EMIT changed(chat);
}

void PromptQueue::sent(qint64 chat) {
    read(chat);
    Q_EMIT changed(chat);
}

void PromptQueue::hold(qint64 chat, const QString& why) {
    flowing_.remove(chat);
    why_.insert(chat, why);
    Q_EMIT changed(chat);
}

void PromptQueue::onEnded(const MessageRow& answer) {
    if (held(answer.chat)) {
        if (answer.state == MessageState::Complete && !prompts(answer.chat).empty())
            hold(answer.chat, waitsForAPerson());
        return;
    }
    if (answer.state == MessageState::Complete && waitsForTool(answer)) return;
    if (answer.state == MessageState::Complete) return sendSoon(answer.chat);
    if (prompts(answer.chat).empty()) return;
    hold(answer.chat, whyHeld(answer));
}

/// Sends when all others have seen that the answer has ended.
void PromptQueue::sendSoon(qint64 chat) {
    QMetaObject::invokeMethod(
        this,
        [this, chat] {
            if (opening_ || held(chat) || prompts(chat).empty() || answers_->progress(chat)) return;
            if (!sender_(prompts(chat).front()) && !held(chat)) hold(chat, tr("Not sent: the chat can't be opened"));
        },
        Qt::QueuedConnection);
}

} // namespace coterie::app
