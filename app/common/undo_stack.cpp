// SPDX-License-Identifier: Apache-2.0
// See undo_stack.h.
#include "common/undo_stack.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr size_t kMostSteps = 500; // more than people go back; a step holds some hundred bytes

} // namespace

void UndoStack::push(Undoable step) {
    if (moving_) return;
    undone_.clear();
    if (join(step)) return;
    const bool offered = step.offered || !step.notice.isEmpty();
    const QString notice = step.notice;
    if (step.chats.isEmpty() && step.chat.value_or(0) != 0) step.chats = {*step.chat};
    done_.push_back(std::move(step));
    fresh_ = true;
    if (done_.size() > kMostSteps) done_.pop_front();
    Q_EMIT changed();
    offer(offered, notice);
}

/// Makes it a part of the latest step, whose bar begins its time again, if both count as one. Returns whether they do.
bool UndoStack::join(Undoable& step) {
    if (!fresh_ || step.key.isEmpty() || done_.empty() || done_.back().key != step.key) return false;
    done_.back().redo = std::move(step.redo);
    const bool nothingLeft = popIdle(); // it led back to where the first one began
    Q_EMIT changed();
    if (nothingLeft)
        endOffer();
    else if (offered_)
        Q_EMIT offeredChanged();
    return true;
}

void UndoStack::offer(bool offered, const QString& notice, bool offersRedo) {
    offered_ = offered;
    notice_ = notice;
    offersRedo_ = offersRedo;
    Q_EMIT offeredChanged();
}

void UndoStack::endOffer() {
    fresh_ = false;
    offer(false, {});
}

void UndoStack::offerLatest(bool repeats) {
    if (!repeats) dropIdle(); // undoing what it names would change nothing
    const QString title = repeats ? redoTitle() : undoTitle();
    if (title.isEmpty()) return;
    offer(true, repeats ? tr("Undone last: %1").arg(title) : tr("Done last: %1").arg(title), repeats);
}

void UndoStack::settle(qint64 chat) {
    const bool repeatable = !undone_.empty();
    fresh_ = false;
    undone_.clear(); // to repeat an older step would take away what was just sent
    const size_t dropped =
        std::erase_if(done_, [=](const Undoable& step) { return step.chat == chat && step.untilSent; });
    for (Undoable& step : done_)
        if (step.chat == chat) step.chat.reset();
    const bool idle = popIdle(); // steps of another chat, whose message moved to this one and was sent here
    if (dropped == 0 && !idle && !repeatable) return;
    Q_EMIT changed();
    if (dropped > 0 || idle || offersRedo_) endOffer(); // it may be about one of them
}

/// Returns whether any step was dropped.
bool UndoStack::popIdle() {
    const size_t before = done_.size();
    while (!done_.empty() && done_.back().stands && !done_.back().stands()) done_.pop_back();
    if (done_.size() == before) return false;
    fresh_ = false;
    return true;
}

void UndoStack::dropIdle() {
    if (moving_ || !popIdle()) return;
    Q_EMIT changed();
    if (!offersRedo_) endOffer(); // it was about the latest step
}

void UndoStack::dropChats(const std::function<bool(qint64)>& gone) {
    const auto lost = [&](const Undoable& step) {
        return !step.chats.isEmpty() && std::all_of(step.chats.begin(), step.chats.end(), gone);
    };
    const Steps& shown = offersRedo_ ? undone_ : done_;
    const bool ends = !shown.empty() && lost(shown.back());
    if (std::erase_if(done_, lost) + std::erase_if(undone_, lost) == 0) return;
    fresh_ = false;
    const bool idle = !moving_ && popIdle();
    Q_EMIT changed();
    if (ends || (idle && !offersRedo_)) endOffer();
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
    Undoable step = std::move(from.back()); // it may drop others as it runs
    from.pop_back();
    moving_ = true;
    fresh_ = false;
    const engine::Status status = (step.*function)();
    moving_ = false;
    const bool gone = !status && status.error().kind == engine::ErrorKind::NotFound;
    if (status)
        to.push_back(std::move(step));
    else if (!gone)
        from.push_back(std::move(step));
    popIdle();
    Q_EMIT changed();
    if (gone) endOffer(); // the bar names a step that can't be tried again
    if (!status) Q_EMIT failed(ErrorInfo(status.error()));
    return static_cast<bool>(status);
}

} // namespace coterie::app
