// SPDX-License-Identifier: Apache-2.0
// The part of PlainModel (random_trees.h) that undoes and repeats steps. Nothing is erased by that: a message that a
// step has added stays in the tree, and a chat that an import has added is in the bin.
#include "app/chats/random_trees.h"

#include <algorithm>
#include <utility>

namespace coterie::test {
namespace {

constexpr size_t kMostSteps = 500; // as UndoStack keeps

/// The chats without all that was added from this operation on.
std::vector<PlainChat> before(int number, std::vector<PlainChat> chats) {
    std::erase_if(chats, [=](const PlainChat& chat) { return chat.key >= number; });
    for (PlainChat& chat : chats) {
        std::erase_if(chat.messages, [=](const PlainMessage& message) { return message.id / 2 >= number; });
        for (PlainMessage& message : chat.messages) message.writing = false; // an undone answer was cut off
    }
    return chats;
}

} // namespace

PlainChat* PlainModel::find(int key) {
    const auto found = std::find_if(chats.begin(), chats.end(), [=](const PlainChat& chat) { return chat.key == key; });
    return found == chats.end() ? nullptr : &*found;
}

/// Steps through the branches of a chat count as one if nothing else comes between them.
void PlainModel::push(PlainStep step) {
    undone.clear();
    const bool joins = fresh_ && step.kind == Operation::Show && !done.empty() && done.back().kind == Operation::Show &&
                       done.back().chat == step.chat;
    if (joins) {
        done.back().message = step.message;
        done.back().last = step.last;
        done.back().chatsAfter = std::move(step.chatsAfter);
        return dropIdle();
    }
    done.push_back(std::move(step));
    fresh_ = true;
    if (done.size() > kMostSteps) done.pop_front();
}

bool PlainModel::move(bool undo) {
    std::deque<PlainStep>& from = undo ? done : undone;
    moved = false;
    broken.clear();
    if (from.empty()) return false;
    PlainStep step = std::move(from.back());
    from.pop_back();
    fresh_ = false;
    moved = take(step, undo);
    if (moved) {
        compare(step, undo);
        (undo ? undone : done).push_back(std::move(step));
    } else {
        forgetSnapshots(); // a part of it may have been done
    }
    dropIdle();
    return moved;
}

/// If nothing but steps came since, the chats are as they were, except for what was added to them.
void PlainModel::compare(const PlainStep& step, bool undo) {
    const auto& then = undo ? step.chatsBefore : step.chatsAfter;
    if (!then) return;
    ++compared;
    const int number = undo ? step.first : step.last + 1;
    if (before(number, chats) != before(number, *then))
        broken = QStringLiteral("step %1 of kind %2 was %3, and the chats are not as they were then")
                     .arg(step.first)
                     .arg(static_cast<int>(step.kind))
                     .arg(QLatin1String(undo ? "undone" : "repeated"));
}

/// Undoes or repeats the step. Returns false if something that it needs is gone.
bool PlainModel::take(PlainStep& step, bool undo) {
    using enum Operation::Kind;
    PlainChat* const chat = find(step.chat);
    if (!chat) return false;
    const auto setDeleted = [chat](bool deleted) {
        if (deleted && chat->deleted) return false;
        chat->deleted = deleted;
        return true;
    };
    switch (step.kind) {
    case DeleteChat:
        return setDeleted(!undo);
    case RestoreChat:
    case Import:
        return setDeleted(undo);
    case Rename:
        if (!chat->deleted) chat->title = undo ? step.textBefore : step.textAfter;
        return !chat->deleted;
    case Move:
        if (!chat->deleted) chat->folder = undo ? step.textBefore : step.textAfter;
        return !chat->deleted;
    case Pin:
        if (!chat->deleted) chat->pinned = step.flag != undo;
        return !chat->deleted;
    default:
        return takeMessage(step, *chat, undo);
    }
}

bool PlainModel::takeMessage(PlainStep& step, PlainChat& chat, bool undo) {
    using enum Operation::Kind;
    switch (step.kind) {
    case Delete:
        return undo ? restoreAgain(chat, step.message) && showAgain(chat, step.before)
                    : removeAgain(chat, step.message);
    case Restore:
        return undo ? removeAgain(chat, step.message) && showAgain(chat, step.before)
                    : restoreAgain(chat, step.message);
    case Continue:
        return continueAgain(step, chat, undo);
    default: // a branch that was added or shown
        if (step.follows) return undo ? removeAgain(chat, step.message) : restoreAgain(chat, step.message);
        return showAgain(chat, undo ? step.before : step.message);
    }
}

bool PlainModel::removeAgain(PlainChat& chat, int id) {
    const int message = chat.indexOf(id);
    if (chat.deleted || message < 0 || chat.hidden(message)) return false;
    remove(chat, message);
    return true;
}

bool PlainModel::restoreAgain(PlainChat& chat, int id) {
    const int message = chat.indexOf(id);
    if (chat.deleted || message < 0 || !chat.messages[static_cast<size_t>(message)].deleted) return false;
    restore(chat, message);
    return true;
}

bool PlainModel::showAgain(PlainChat& chat, int id) {
    if (id < 0) return true;
    const int message = chat.indexOf(id);
    if (chat.deleted || message < 0 || chat.hidden(message)) return false;
    chat.leaf = chat.newestBelow(message);
    return true;
}

/// The answer gets back the text that it had. What was written since then comes again, as that of a stopped answer if
/// it was not finished.
bool PlainModel::continueAgain(PlainStep& step, PlainChat& chat, bool undo) {
    const int index = chat.indexOf(step.message);
    if (index < 0) return !undo; // an answer that was erased stays erased
    PlainMessage& message = chat.messages[static_cast<size_t>(index)];
    if (undo) step.wasAfter = message;
    const PlainMessage& wanted = undo ? step.wasBefore : step.wasAfter;
    message.text = wanted.text;
    message.finished = wanted.finished;
    message.writing = false;
    return true;
}

/// Whether what was done is still so; steps that can be taken back in another way have this.
bool PlainModel::stands(const PlainStep& step) const {
    const auto found =
        std::find_if(chats.begin(), chats.end(), [&](const PlainChat& one) { return one.key == step.chat; });
    const PlainChat* const chat = found == chats.end() ? nullptr : &*found;
    switch (step.kind) {
    case Operation::Show:
        return (!chat || chat->deleted ? -1 : chat->idOf(chat->leaf)) != step.before;
    case Operation::DeleteChat:
        return chat && chat->deleted;
    case Operation::Delete: {
        const int message = chat ? chat->indexOf(step.message) : -1;
        return message >= 0 && chat->messages[static_cast<size_t>(message)].deleted;
    }
    default:
        return true;
    }
}

void PlainModel::dropIdle() {
    while (!done.empty() && !stands(done.back())) {
        done.pop_back();
        fresh_ = false;
    }
}

/// The chat was erased.
void PlainModel::dropChat(int key) {
    const auto lost = [=](const PlainStep& step) { return step.chat == key; };
    if (std::erase_if(done, lost) + std::erase_if(undone, lost) > 0) fresh_ = false;
}

void PlainModel::forgetSnapshots() {
    for (std::deque<PlainStep>* const steps : {&done, &undone})
        for (PlainStep& step : *steps) {
            step.chatsBefore.reset();
            step.chatsAfter.reset();
        }
}

} // namespace coterie::test
