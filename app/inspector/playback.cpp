// SPDX-License-Identifier: Apache-2.0
// See playback.h. The place is computed from the clock at each step, so steps that come late do not add up.
#include "inspector/playback.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr int kStepMs = 33; // 30 steps a second

qint64 monotonicMs() {
    static const QElapsedTimer clock = [] {
        QElapsedTimer started;
        started.start();
        return started;
    }();
    return clock.elapsed();
}

} // namespace

Playback::Playback(std::function<qint64()> now, QObject* parent)
    : QObject(parent), now_(now ? std::move(now) : monotonicMs) {
    timer_.setInterval(kStepMs);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Playback::tick);
}

void Playback::setAnswer(const TracedAnswer* answer) {
    answer_ = answer;
    setPlaying(false);
    following_ = true;
    position_ = answer_ && !answer_->empty() ? answer_->last() : -1;
    Q_EMIT positionChanged();
}

void Playback::grow() {
    if (answer_ && following_) moveTo(answer_->last());
}

void Playback::setPosition(int position) {
    if (!answer_ || answer_->empty()) return;
    following_ = false;
    const int at = std::clamp(position, answer_->first(), answer_->last());
    if (playing()) startFrom(answer_->timeOf(at));
    position_ = at;
    Q_EMIT positionChanged();
}

void Playback::follow() {
    if (!answer_) return;
    setPlaying(false);
    following_ = true;
    position_ = answer_->empty() ? -1 : answer_->last();
    Q_EMIT positionChanged();
}

void Playback::setPlaying(bool playing) {
    if (playing == timer_.isActive()) return;
    if (!playing) {
        timer_.stop();
        Q_EMIT playingChanged();
        return;
    }
    if (!answer_ || answer_->empty()) return;
    following_ = false;
    const bool atEnd = position_ >= answer_->last();
    if (atEnd) moveTo(answer_->first());
    // The first position is shown while it is computed, so that a whole replay takes as long as the answer did.
    startFrom(atEnd || position_ == answer_->first() ? 0 : answer_->timeOf(position_));
    timer_.start();
    Q_EMIT playingChanged();
    Q_EMIT positionChanged();
}

void Playback::setSpeed(int speed) {
    const int allowed = speed >= 8 ? 8 : speed >= 4 ? 4 : speed >= 2 ? 2 : 1;
    if (allowed == speed_) return;
    if (playing()) startFrom(startedFrom_ + static_cast<double>(now_() - startedAt_) / 1000 * speed_);
    speed_ = allowed;
    Q_EMIT playingChanged();
}

void Playback::startFrom(double seconds) {
    startedAt_ = now_();
    startedFrom_ = seconds;
}

void Playback::tick() {
    if (!answer_ || answer_->empty()) return setPlaying(false);
    const double seconds = startedFrom_ + static_cast<double>(now_() - startedAt_) / 1000 * speed_;
    moveTo(std::max(position_, answer_->positionAt(seconds)));
    const double left = answer_->timeOf(answer_->last()) - seconds;
    if (left <= 0) return setPlaying(false);
    // The last step is shorter, so that a short answer ends when it should too.
    timer_.setInterval(std::clamp(static_cast<int>(std::ceil(left * 1000 / speed_)), 1, kStepMs));
}

void Playback::moveTo(int position) {
    if (position == position_) return;
    position_ = position;
    Q_EMIT positionChanged();
}

} // namespace coterie::app
