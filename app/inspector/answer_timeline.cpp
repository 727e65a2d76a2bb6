// SPDX-License-Identifier: Apache-2.0
// See answer_timeline.h. The place is computed from the clock at each step, so steps that come late do not add up.
#include "inspector/answer_timeline.h"

#include "inspector/inspector_texts.h"

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

AnswerTimeline::AnswerTimeline(const ShownAnswer& shown, std::function<qint64()> now, QObject* parent)
    : QObject(parent), shown_(shown), now_(now ? std::move(now) : monotonicMs) {
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &AnswerTimeline::tick);
}

void AnswerTimeline::setEnabled(bool enabled) {
    enabled_ = enabled;
    if (!enabled) setPlaying(false);
}

void AnswerTimeline::restart() {
    stop();
    following_ = true;
    position_ = shown_.hasPositions() ? answer().last() : -1;
    Q_EMIT rangeChanged();
    Q_EMIT moved();
}

void AnswerTimeline::grow() {
    if (shown_.record() && following_) showAt(answer().last());
}

void AnswerTimeline::setPosition(int position) {
    if (!enabled_) return;
    Q_EMIT aboutToMove();
    moveTo(position);
}

void AnswerTimeline::moveTo(int position) {
    if (!shown_.hasPositions()) return;
    // Words of the question may not have been read again: they have a place before the first position.
    const int least = std::min(answer().first(), answer().questionBegins());
    const int at = std::clamp(position, least, answer().last());
    if (timer_.isActive()) {
        chosen_ = at;
        return;
    }
    following_ = false;
    timer_.start(kStepMs);
    jumpTo(at);
}

/// Shows this position, which was chosen; it may be the one that is shown already.
void AnswerTimeline::jumpTo(int position) {
    chosen_.reset();
    if (playing_) startFrom(shownFrom(position));
    position_ = position;
    Q_EMIT moved();
}

QString AnswerTimeline::text() const {
    return shown_.record() ? positionSentence(answer(), position_, shown_.nameAt(position_)) : QString();
}

void AnswerTimeline::follow() {
    if (shown_.record()) restart();
    Q_EMIT followed();
}

/// Ends a replay, and forgets what was chosen.
void AnswerTimeline::stop() {
    setPlaying(false);
    timer_.stop();
    chosen_.reset();
}

void AnswerTimeline::setPlaying(bool playing) {
    if (playing && !enabled_) return;
    if (playing && shown_.hasPositions()) Q_EMIT aboutToPlay();
    if (playing == playing_ || (playing && !shown_.hasPositions())) return;
    playing_ = playing;
    if (playing) {
        play();
    } else if (!chosen_) {
        timer_.stop();
    }
    Q_EMIT playingChanged();
    if (playing) Q_EMIT moved(); // it does not follow any more
}

void AnswerTimeline::refreshPosition() {
    if (shown_.live()) Q_EMIT rangeChanged();
    Q_EMIT positionChanged();
}

/// Begins to play at the chosen position or where it is.
void AnswerTimeline::play() {
    following_ = false;
    if (chosen_) showAt(*std::exchange(chosen_, std::nullopt));
    const bool slow = speed_ == kSlowMotion;
    if (position_ >= answer().last())
        showAt(slow ? std::clamp(answer().answerBegins(), answer().first(), answer().last()) : answer().first());
    startFrom(shownFrom(position_));
    timer_.start(kStepMs);
}

void AnswerTimeline::setSpeed(int speed) {
    const int allowed = speed >= 8 ? 8 : speed >= 4 ? 4 : speed >= 2 ? 2 : speed >= 1 ? 1 : kSlowMotion;
    if (allowed == speed_) return;
    const double now = playing() ? elapsed() : 0;
    const bool sameTimes = allowed != kSlowMotion && speed_ != kSlowMotion;
    speed_ = allowed;
    if (playing()) startFrom(sameTimes ? now : shownFrom(position_));
    Q_EMIT playingChanged();
}

void AnswerTimeline::startFrom(double seconds) {
    startedAt_ = now_();
    startedFrom_ = seconds;
}

/// Seconds of the replay at which this position is shown.
double AnswerTimeline::shownFrom(int position) const {
    if (speed_ == kSlowMotion) return (position - answer().first()) / kTokensPerSecond;
    // The first position is shown while it is computed, so that a whole replay takes as long as the answer did.
    return position == answer().first() ? 0 : answer().timeOf(position);
}

/// The position that is shown at this time of the replay.
int AnswerTimeline::shownAt(double seconds) const {
    if (speed_ != kSlowMotion) return answer().positionAt(seconds);
    return std::min(answer().last(), answer().first() + static_cast<int>(seconds * kTokensPerSecond));
}

/// Seconds of the replay at which it ends.
double AnswerTimeline::end() const {
    return speed_ == kSlowMotion ? shownFrom(answer().last() + 1) : answer().timeOf(answer().last());
}

/// Seconds of the replay until now.
double AnswerTimeline::elapsed() const {
    return startedFrom_ + static_cast<double>(now_() - startedAt_) / 1000 * std::max(1, speed_);
}

void AnswerTimeline::tick() {
    if (chosen_) {
        timer_.start(kStepMs); // the last step of a replay may have been shorter
        return jumpTo(*chosen_);
    }
    if (!playing_) return timer_.stop();
    if (!shown_.hasPositions()) return setPlaying(false);
    const double seconds = elapsed();
    showAt(std::max(position_, shownAt(seconds)));
    const double left = end() - seconds;
    if (left <= 0) return setPlaying(false);
    // The last step is shorter, so that a short answer ends when it should too.
    timer_.setInterval(std::clamp(static_cast<int>(std::ceil(left * 1000 / std::max(1, speed_))), 1, kStepMs));
}

void AnswerTimeline::showAt(int position) {
    if (position == position_) return;
    position_ = position;
    Q_EMIT moved();
}

} // namespace coterie::app
