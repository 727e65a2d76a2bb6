// SPDX-License-Identifier: Apache-2.0
// The timeline of the shown answer and the position in it: it follows the newest token of an answer that is being
// written, stays where the user moves it, or plays. In slow motion ten tokens a second are shown, also of an answer
// that took less than a second; otherwise it plays with the answer's real times, once to eight times as fast. A replay
// and a user who scrubs move it at most 30 times a second, because each move draws all views again. Positions are those
// of the trace. Lives on the GUI thread.
//
//     AnswerTimeline timeline(shown);
//     timeline.setEnabled(true);
//     timeline.restart();
//     timeline.setPlaying(true);
#pragma once

#include "inspector/shown_answer.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <optional>

namespace coterie::app {

class AnswerTimeline : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    Q_PROPERTY(int first READ first NOTIFY rangeChanged)
    Q_PROPERTY(int last READ last NOTIFY rangeChanged)
    Q_PROPERTY(int answerBegins READ answerBegins NOTIFY rangeChanged)
    Q_PROPERTY(int position READ position WRITE setPosition NOTIFY positionChanged)
    Q_PROPERTY(QString text READ text NOTIFY textChanged)
    Q_PROPERTY(bool following READ following NOTIFY positionChanged)
    Q_PROPERTY(bool playing READ playing WRITE setPlaying NOTIFY playingChanged)
    Q_PROPERTY(int speed READ speed WRITE setSpeed NOTIFY playingChanged)
  public:
    static constexpr int kSlowMotion = 0; ///< the speed at first

    /// shown outlives this object. now: milliseconds on any clock; nothing: the system's monotonic one.
    explicit AnswerTimeline(const ShownAnswer& shown, std::function<qint64()> now = {}, QObject* parent = nullptr);

    /// While it is off, the user cannot move the position and nothing plays. Off at first.
    void setEnabled(bool enabled);
    /// Another answer is shown. The position becomes the newest one.
    void restart();
    /// The answer has more positions.
    void grow();

    int first() const { return shown_.record() ? shown_.record()->first() : 0; }
    int last() const { return shown_.record() ? shown_.record()->last() : -1; }
    /// Position of the first token of the answer.
    int answerBegins() const { return shown_.record() ? shown_.record()->answerBegins() : 0; }
    /// The position that is shown. It is before first() at a word of the question that was not read again.
    int position() const { return position_; }
    /// The position that was chosen and that will be shown in a moment; else position().
    int chosen() const { return chosen_.value_or(position_); }
    /// The user chooses a position: emits aboutToMove(), then does as moveTo().
    void setPosition(int position);
    /// Stops following; goes on playing from there. Positions that are chosen within a thirtieth of a second replace
    /// each other: the first one is shown at once, and the last one when the time is over.
    void moveTo(int position);
    QString text() const; ///< "Token 12 of 80: \u201csea\u201d, after 1.42 s"
    /// The position moves with the newest token.
    bool following() const { return following_; }
    Q_INVOKABLE void follow();
    bool playing() const { return playing_; }
    /// At the end it begins again: with the answer's first token in slow motion, else with the first one of all.
    void setPlaying(bool playing);
    int speed() const { return speed_; } ///< kSlowMotion; 1, 2, 4 or 8: with the real times
    void setSpeed(int speed);            ///< others become the nearest below
    /// Moves to the chosen position, or to where the clock is now. The timer calls it.
    void tick();
    /// Has views read the position, and the first and last one of an answer that is being written. The positions of
    /// such an answer change so often that Inspector decides when.
    void refreshPosition();
    void refreshText() { Q_EMIT textChanged(); }

  Q_SIGNALS:
    void rangeChanged();
    void positionChanged();
    void textChanged();
    void playingChanged();
    /// The position is another one, or it follows no more, or again. Views learn it by positionChanged().
    void moved();
    /// follow() was called.
    void followed();
    void aboutToMove();
    /// A replay of an answer that can be replayed is about to begin.
    void aboutToPlay();

  private:
    const TracedAnswer& answer() const { return *shown_.record(); }
    void showAt(int position);
    void jumpTo(int position);
    void stop();
    void play();
    void startFrom(double seconds);
    double shownFrom(int position) const;
    int shownAt(double seconds) const;
    double end() const;
    double elapsed() const;

    const ShownAnswer& shown_;
    std::function<qint64()> now_;
    QTimer timer_; ///< runs while it plays, and for a step after each chosen position
    bool enabled_ = false;
    int position_ = -1, speed_ = kSlowMotion;
    std::optional<int> chosen_{}; ///< see chosen()
    bool following_ = true, playing_ = false;
    qint64 startedAt_ = 0;   ///< on the clock
    double startedFrom_ = 0; ///< seconds of the replay at that time
};

} // namespace coterie::app
