// SPDX-License-Identifier: Apache-2.0
// See playback.h. The place is computed from the clock at each step, so steps that come late do not add up.
#include "inspector/playback.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kStepMs = 33;             // 30 steps a second
constexpr double kTokensPerSecond = 10; // in slow motion: a calm reader follows word and route

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
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Playback::tick);
}

void Playback::setAnswer(const TracedAnswer* answer) {
    answer_ = answer;
    setPlaying(false);
    timer_.stop();
    chosen_.reset();
    following_ = true;
    position_ = answer_ && !answer_->empty() ? answer_->last() : -1;
    Q_EMIT positionChanged();
}

void Playback::grow() {
    if (answer_ && following_) moveTo(answer_->last());
}

void Playback::setPosition(int position) {
    if (!answer_ || answer_->empty()) return;
    const int at = std::clamp(position, answer_->first(), answer_->last());
    if (timer_.isActive()) {
        chosen_ = at;
        return;
    }
    following_ = false;
    timer_.start(kStepMs);
    jumpTo(at);
}

/// Shows this position, which was chosen; it may be the one that is shown already.
void Playback::jumpTo(int position) {
    chosen_.reset();
    if (playing_) startFrom(shownFrom(position));
    position_ = position;
    Q_EMIT positionChanged();
}

void Playback::follow() {
    if (!answer_) return;
    setPlaying(false);
    timer_.stop();
    chosen_.reset();
    following_ = true;
    position_ = answer_->empty() ? -1 : answer_->last();
    Q_EMIT positionChanged();
}

void Playback::setPlaying(bool playing) {
    if (playing == playing_) return;
    if (playing && (!answer_ || answer_->empty())) return;
    playing_ = playing;
    if (playing) {
        play();
    } else if (!chosen_) {
        timer_.stop();
    }
    Q_EMIT playingChanged();
    if (playing) Q_EMIT positionChanged(); // it does not follow any more
}

/// Begins to play at the chosen position or where it is.
void Playback::play() {
    following_ = false;
    if (chosen_) moveTo(*std::exchange(chosen_, std::nullopt));
    const bool slow = speed_ == kSlowMotion;
    if (position_ >= answer_->last())
        moveTo(slow ? std::clamp(answer_->answerBegins(), answer_->first(), answer_->last()) : answer_->first());
    startFrom(shownFrom(position_));
    timer_.start(kStepMs);
}

void Playback::setSpeed(int speed) {
    const int allowed = speed >= 8 ? 8 : speed >= 4 ? 4 : speed >= 2 ? 2 : speed >= 1 ? 1 : kSlowMotion;
    if (allowed == speed_) return;
    const double now = playing() ? elapsed() : 0;
    const bool sameTimes = allowed != kSlowMotion && speed_ != kSlowMotion;
    speed_ = allowed;
    if (playing()) startFrom(sameTimes ? now : shownFrom(position_));
    Q_EMIT playingChanged();
}

void Playback::startFrom(double seconds) {
    startedAt_ = now_();
    startedFrom_ = seconds;
}

/// Seconds of the replay at which this position is shown.
double Playback::shownFrom(int position) const {
    if (speed_ == kSlowMotion) return (position - answer_->first()) / kTokensPerSecond;
    // The first position is shown while it is computed, so that a whole replay takes as long as the answer did.
    return position == answer_->first() ? 0 : answer_->timeOf(position);
}

/// The position that is shown at this time of the replay.
int Playback::shownAt(double seconds) const {
    if (speed_ != kSlowMotion) return answer_->positionAt(seconds);
    return std::min(answer_->last(), answer_->first() + static_cast<int>(seconds * kTokensPerSecond));
}

/// Seconds of the replay at which it ends.
double Playback::end() const {
    return speed_ == kSlowMotion ? shownFrom(answer_->last() + 1) : answer_->timeOf(answer_->last());
}

/// Seconds of the replay until now.
double Playback::elapsed() const {
    return startedFrom_ + static_cast<double>(now_() - startedAt_) / 1000 * std::max(1, speed_);
}

void Playback::tick() {
    if (chosen_) {
        timer_.start(kStepMs); // the last step of a replay may have been shorter
        return jumpTo(*chosen_);
    }
    if (!playing_) return timer_.stop();
    if (!answer_ || answer_->empty()) return setPlaying(false);
    const double seconds = elapsed();
    moveTo(std::max(position_, shownAt(seconds)));
    const double left = end() - seconds;
    if (left <= 0) return setPlaying(false);
    // The last step is shorter, so that a short answer ends when it should too.
    timer_.setInterval(std::clamp(static_cast<int>(std::ceil(left * 1000 / std::max(1, speed_))), 1, kStepMs));
}

void Playback::moveTo(int position) {
    if (position == position_) return;
    position_ = position;
    Q_EMIT positionChanged();
}

} // namespace coterie::app
