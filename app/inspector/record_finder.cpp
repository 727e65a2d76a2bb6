// SPDX-License-Identifier: Apache-2.0
// See record_finder.h.
#include "inspector/record_finder.h"

#include "engine_link/answer_prefix.h"

#include <algorithm>

namespace coterie::app {

RecordFinder::RecordFinder(RecordKeeper* keeper, QObject* parent) : QObject(parent), keeper_(keeper) {
    if (!keeper_) return;
    connect(keeper_, &RecordKeeper::found, this, [this](qint64 message, const AnswerRecord& record) {
        know(message, {.state = State::Found, .answer = std::make_shared<TracedAnswer>(record, expertsOfLayer_)});
    });
    connect(keeper_, &RecordKeeper::missing, this,
            [this](qint64 message) { know(message, {.state = State::Missing}); });
    connect(keeper_, &RecordKeeper::unreadable, this, [this](qint64 message, const ErrorInfo& error) {
        know(message, {.state = State::Unreadable, .error = error});
    });
}

void RecordFinder::want(qint64 message) {
    if (message == 0 || known_.contains(message)) return;
    if (!keeper_) return know(message, {.state = State::Missing});
    known_.insert(message, {.state = State::Finding});
    waiting_.push_front(message);
    if (finding_ == 0) next();
}

void RecordFinder::next() {
    finding_ = 0;
    if (waiting_.empty()) return;
    finding_ = waiting_.front();
    waiting_.pop_front();
    keeper_->find(finding_);
}

void RecordFinder::know(qint64 message, Known known) {
    // A result that was asked for before clear() or put() is not wanted any more, but it makes room for the next.
    const bool wanted = !keeper_ || state(message) == State::Finding;
    if (wanted) known_.insert(message, std::move(known));
    if (message == finding_) next();
    if (wanted) Q_EMIT changed(message);
}

RecordFinder::State RecordFinder::state(qint64 message) const {
    const auto known = known_.find(message);
    return known == known_.end() ? State::Unknown : known->state;
}

std::shared_ptr<TracedAnswer> RecordFinder::found(qint64 message) const { return known_.value(message).answer; }

std::shared_ptr<TracedAnswer> RecordFinder::found(const MessageRow& message) const {
    const auto known = known_.constFind(message.id);
    if (known == known_.constEnd() || !known->answer) return nullptr;
    const size_t tokens = tokensWithin(known->answer->tokens(), message.parts);
    if (tokens == known->answer->tokens().size()) return known->answer;
    if (!known->beginning || known->beginning->tokens().size() != tokens)
        known->beginning = known->answer->beginning(tokens);
    return known->beginning;
}

ErrorInfo RecordFinder::error(qint64 message) const { return known_.value(message).error; }

void RecordFinder::put(const std::shared_ptr<TracedAnswer>& answer) {
    known_.insert(answer->message(), {.state = State::Found, .answer = answer});
}

void RecordFinder::clear() {
    known_.clear();
    waiting_.clear();
}

} // namespace coterie::app
