// SPDX-License-Identifier: Apache-2.0
// The position on the timeline of an answer: it follows the newest token of an answer that is being written, stays
// where the user moves it, or plays. In slow motion ten tokens a second are shown, also of an answer that took less
// than a second; otherwise it plays with the answer's real times, once to eight times as fast. A replay and a user who
// scrubs move it at most 30 times a second, because each move draws all views again. Lives on the GUI thread.
#pragma once

#include "inspector/traced_answer.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace coterie::app {

class Playback : public QObject {
    Q_OBJECT
  public:
    static constexpr int kSlowMotion = 0; ///< the speed at first

    /// now: milliseconds on any clock; nothing: the system's monotonic one.
    explicit Playback(std::function<qint64()> now = {}, QObject* parent = nullptr);

    /// Shows this answer from now on; nullptr: none. The answer must live until another one is set. The position
    /// becomes the newest one.
    void setAnswer(const TracedAnswer* answer);
    /// The answer has more positions.
    void grow();

    /// The position that is shown.
    int position() const { return position_; }
    /// The position that setPosition() chose and that will be shown in a moment; else position().
    int chosen() const { return chosen_.value_or(position_); }
    /// Stops following; goes on playing from there. Positions that are chosen within a thirtieth of a second replace
    /// each other: the first one is shown at once, and the last one when the time is over.
    void setPosition(int position);
    bool following() const { return following_; }
    void follow();
    bool playing() const { return playing_; }
    /// At the end it begins again: with the answer's first token in slow motion, else with the first one of all.
    void setPlaying(bool playing);
    int speed() const { return speed_; }
    void setSpeed(int speed); ///< kSlowMotion, 1, 2, 4 or 8; others become the nearest below
    /// Moves to the chosen position, or to where the clock is now. The timer calls it.
    void tick();

  Q_SIGNALS:
    void positionChanged();
    void playingChanged();

  private:
    void moveTo(int position);
    void jumpTo(int position);
    void play();
    void startFrom(double seconds);
    double shownFrom(int position) const;
    int shownAt(double seconds) const;
    double end() const;
    double elapsed() const;

    std::function<qint64()> now_;
    QTimer timer_; ///< runs while it plays, and for a step after each chosen position
    const TracedAnswer* answer_ = nullptr;
    int position_ = -1, speed_ = kSlowMotion;
    std::optional<int> chosen_{}; ///< see chosen()
    bool following_ = true, playing_ = false;
    qint64 startedAt_ = 0;   ///< on the clock
    double startedFrom_ = 0; ///< seconds of the replay at that time
};

} // namespace coterie::app
