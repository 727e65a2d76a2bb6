// SPDX-License-Identifier: Apache-2.0
// See undo_stack.h.
#include "common/undo_stack.h"

#include <utility>

namespace coterie::app {
namespace {

constexpr size_t kMostSteps = 500; // more than people go back; a step holds some hundred bytes

} // namespace

void UndoStack::push(Undoable step) {
    Q_ASSERT(!moving_); // undoing must not do new things
    undone_.clear();
    const bool offered = step.offered || !step.notice.isEmpty();
    const QString notice = step.notice;
    if (!step.key.isEmpty() && !done_.empty() && done_.back().key == step.key)
        done_.back().redo = std::move(step.redo);
    else
        done_.push_back(std::move(step));
    if (done_.size() > kMostSteps) done_.pop_front();
    Q_EMIT changed();
    offer(offered, notice);
}

void UndoStack::offer(bool offered, const QString& notice, bool undone) {
    offered_ = offered;
    notice_ = notice;
    wasUndone_ = undone;
    Q_EMIT offeredChanged();
}

void UndoStack::settle(qint64 chat) {
    const bool repeatable = !undone_.empty();
    undone_.clear(); // to repeat an older step would take away what was just sent
    const size_t dropped =
        std::erase_if(done_, [=](const Undoable& step) { return step.chat == chat && step.untilSent; });
    for (Undoable& step : done_)
        if (step.chat == chat) step.chat.reset();
    if (dropped == 0 && !repeatable) return;
    Q_EMIT changed();
    if (dropped > 0 || wasUndone_) endOffer(); // it may be about one of them
}

/// Returns whether any step was dropped.
bool UndoStack::popIdle() {
    const size_t before = done_.size();
    while (!done_.empty() && done_.back().stands && !done_.back().stands()) done_.pop_back();
    return done_.size() < before;
}

void UndoStack::dropIdle() {
    if (moving_ || !popIdle()) return;
    Q_EMIT changed();
    if (!wasUndone_) endOffer(); // it was about the latest step
}

bool UndoStack::undo() {
    const QString title = undoTitle();
    if (!move(done_, undone_, &Undoable::undo)) return false;
    offer(true, tr("Undone: %1").arg(title), true);
    Q_EMIT undid(title);
    return true;
}

bool UndoStack::redo() {
    const QString title = redoTitle();
    if (!move(undone_, done_, &Undoable::redo)) return false;
    offer(true, tr("Done again: %1").arg(title));
    Q_EMIT redid(title);
    return true;
}

bool UndoStack::move(Steps& from, Steps& to, std::function<engine::Status()> Undoable::*function) {
    if (from.empty() || moving_) return false;
    moving_ = true;
    const engine::Status status = (from.back().*function)();
    moving_ = false;
    if (status) to.push_back(std::move(from.back()));
    if (status || status.error().kind == engine::ErrorKind::NotFound) from.pop_back();
    popIdle();
    Q_EMIT changed();
    if (!status) Q_EMIT failed(ErrorInfo(status.error()));
    return static_cast<bool>(status);
}

} // namespace coterie::app
