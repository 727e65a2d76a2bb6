// SPDX-License-Identifier: Apache-2.0
// The timeline of an answer alone: its position, and its replay with a clock of the test.
#include "inspector/answer_timeline.h"
#include "traced_record.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <vector>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestInspectorTimeline : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aReplayTakesAsLongAsTheAnswer_data();
    void aReplayTakesAsLongAsTheAnswer();
    void n6SlowMotionShowsTenTokensASecond();
    void aWordThatWasNotReadAgainHasAPlace();
    void theSliderStopsFollowing();
    void theSliderMovesOnceAStep();
    void aSliderDuringAReplayIsPartOfItsSteps();
    void viewsReadWhenTheyAreAskedTo();
    void theUserIsAnnounced();
};

void TestInspectorTimeline::aReplayTakesAsLongAsTheAnswer_data() {
    QTest::addColumn<int>("speed");
    for (const int speed : {1, 2, 4, 8}) QTest::addRow("%dx", speed) << speed;
}

void TestInspectorTimeline::aReplayTakesAsLongAsTheAnswer() {
    QFETCH(int, speed);
    const ShownRecord shown;
    const TracedAnswer& answer = shown.record();
    qint64 now = 5000;
    AnswerTimeline timeline(shown.shown, [&now] { return now; });
    timeline.setEnabled(true);
    timeline.restart();
    QVERIFY(timeline.following());
    QCOMPARE(timeline.position(), answer.last());
    timeline.setSpeed(speed);
    timeline.setPlaying(true); // at the end: from the beginning
    QCOMPARE(timeline.position(), answer.first());
    const qint64 begun = now;
    while (timeline.playing()) {
        QVERIFY2(now - begun < 10000, "the replay does not end");
        now += 7;
        timeline.tick();
        // The position is the one that was reached at that time of the answer.
        const double seconds = static_cast<double>(now - begun) / 1000 * speed;
        QCOMPARE(timeline.position(), answer.positionAt(seconds));
    }
    QCOMPARE(timeline.position(), answer.last());
    const double took = static_cast<double>(now - begun) / 1000 * speed, real = answer.timeOf(answer.last());
    QVERIFY2(qAbs(took - real) <= std::max(0.05 * real, 0.007 * speed), qPrintable(QString::number(took / real)));
}

/// An answer that took a few milliseconds, as the demo model's do, is shown token by token.
void TestInspectorTimeline::n6SlowMotionShowsTenTokensASecond() {
    AnswerRecord record = makeRecord();
    for (size_t i = 0; i < record.tokens.size(); ++i) record.tokens[i].seconds = 0.001 * static_cast<double>(i + 1);
    const ShownRecord shown(record);
    const TracedAnswer& answer = shown.record();
    qint64 now = 5000;
    AnswerTimeline timeline(shown.shown, [&now] { return now; });
    timeline.setEnabled(true);
    timeline.restart();
    std::vector<int> moves;
    connect(&timeline, &AnswerTimeline::moved, this, [&] {
        if (moves.empty() || moves.back() != timeline.position()) moves.push_back(timeline.position());
    });
    timeline.setPlaying(true);
    QCOMPARE(timeline.position(), kPrompt); // not with the prompt
    const qint64 begun = now;
    while (timeline.playing()) {
        QVERIFY2(now - begun < 10000, "the replay does not end");
        now += 33;
        timeline.tick();
    }
    std::vector<int> all;
    for (int position = kPrompt; position <= answer.last(); ++position) all.push_back(position);
    QCOMPARE(moves, all);
    const auto took = static_cast<double>(now - begun) / 1000;
    QVERIFY2(qAbs(took - static_cast<double>(all.size()) / 10) < 0.05, qPrintable(QString::number(took)));
    // Changed to real time on the way, it goes on from the same position.
    timeline.setPosition(kPrompt + 2);
    timeline.setPlaying(true);
    timeline.setSpeed(1);
    QCOMPARE(timeline.position(), kPrompt + 2);
    now += 1;
    timeline.tick();
    QVERIFY(timeline.position() <= kPrompt + 3);
}

void TestInspectorTimeline::theSliderStopsFollowing() {
    ShownRecord shown;
    const TracedAnswer& answer = shown.record();
    AnswerTimeline timeline(shown.shown);
    timeline.setEnabled(true);
    timeline.restart();
    timeline.setPosition(kPrompt);
    QVERIFY(!timeline.following());
    timeline.grow();
    QCOMPARE(timeline.position(), kPrompt);
    timeline.setPosition(10000);
    timeline.tick();
    QCOMPARE(timeline.position(), answer.last());
    timeline.setPosition(0);
    timeline.tick();
    QCOMPARE(timeline.position(), answer.first());
    timeline.follow();
    QVERIFY(timeline.following());
    QCOMPARE(timeline.position(), answer.last());
    shown.shown.setRecord(nullptr, false);
    timeline.restart();
    QCOMPARE(timeline.position(), -1);
    timeline.setPlaying(true);
    QVERIFY(!timeline.playing());
}

/// A slider reports each pixel that it passes. The views draw one position a step, and always the last one.
void TestInspectorTimeline::theSliderMovesOnceAStep() {
    const ShownRecord shown;
    const TracedAnswer& answer = shown.record();
    AnswerTimeline timeline(shown.shown);
    timeline.setEnabled(true);
    timeline.restart();
    const QSignalSpy moves(&timeline, &AnswerTimeline::moved);
    for (int i = 0; i < 100; ++i) timeline.setPosition(kReused + i % 10);
    QCOMPARE(moves.count(), 1);
    QCOMPARE(timeline.position(), kReused); // the first one
    QCOMPARE(timeline.chosen(), kReused + 9);
    timeline.tick(); // as the timer does
    QCOMPARE(moves.count(), 2);
    QCOMPARE(timeline.position(), kReused + 9); // the last one
    timeline.setPosition(kPrompt);
    QCOMPARE(moves.count(), 2); // the step after it has begun
    timeline.tick();
    QCOMPARE(moves.count(), 3);
    timeline.tick();
    timeline.tick(); // it rests
    QCOMPARE(moves.count(), 3);
    timeline.setPosition(kPrompt + 1);
    QCOMPARE(moves.count(), 4); // at once
    // Without a call of the test: the timer shows the end, and nothing moves after it.
    timeline.setPosition(kPrompt + 2);
    timeline.setPosition(kPrompt + 3);
    QTRY_COMPARE(timeline.position(), kPrompt + 3);
    QCOMPARE(moves.count(), 5);
    // Another answer, or the newest token, is not overtaken by a position that was chosen before.
    timeline.setPosition(kPrompt);
    timeline.setPosition(kPrompt + 1);
    timeline.follow();
    timeline.tick();
    QCOMPARE(timeline.position(), answer.last());
    QVERIFY(timeline.following());
}

void TestInspectorTimeline::aSliderDuringAReplayIsPartOfItsSteps() {
    const ShownRecord shown;
    qint64 now = 5000;
    AnswerTimeline timeline(shown.shown, [&now] { return now; });
    timeline.setEnabled(true);
    timeline.restart();
    timeline.setPlaying(true); // in slow motion
    QSignalSpy moves(&timeline, &AnswerTimeline::moved);
    for (int i = 0; i < 10; ++i) timeline.setPosition(kPrompt + i % 4);
    QCOMPARE(moves.count(), 0);
    timeline.tick();
    QCOMPARE(moves.count(), 1);
    QCOMPARE(timeline.position(), kPrompt + 1); // 9 % 4
    now += 100;
    timeline.tick(); // it goes on from there
    QCOMPARE(timeline.position(), kPrompt + 2);
    timeline.setPosition(kPrompt + 5);
    timeline.setPlaying(false); // the end position is shown all the same
    QTRY_COMPARE(timeline.position(), kPrompt + 5);
    timeline.setPosition(kPrompt + 1);
    timeline.setPosition(kPrompt + 3);
    timeline.setPlaying(true); // from the position that was chosen last
    QCOMPARE(timeline.position(), kPrompt + 3);
}

/// Views learn the position when they are to read it, the first and last one only while these change.
void TestInspectorTimeline::viewsReadWhenTheyAreAskedTo() {
    ShownRecord shown(makeRecord(4), true);
    AnswerTimeline timeline(shown.shown);
    timeline.setEnabled(true);
    timeline.restart();
    const QSignalSpy ranges(&timeline, &AnswerTimeline::rangeChanged),
        positions(&timeline, &AnswerTimeline::positionChanged), texts(&timeline, &AnswerTimeline::textChanged);
    timeline.moveTo(kPrompt);
    QCOMPARE(positions.count(), 0);
    timeline.refreshPosition();
    QCOMPARE(positions.count(), 1);
    QCOMPARE(ranges.count(), 1);
    timeline.refreshText();
    QCOMPARE(texts.count(), 1);
    QVERIFY2(timeline.text().startsWith("Token 1 of 9: \u201ca0\u201d, after"), qPrintable(timeline.text()));
    shown.shown.setRecord(shown.shown.record(), false); // it has ended
    timeline.refreshPosition();
    QCOMPARE(ranges.count(), 1);
    QCOMPARE(timeline.first(), kReused);
    QCOMPARE(timeline.answerBegins(), kPrompt);
    QCOMPARE(timeline.last(), kPrompt + 3);
}

/// Whoever draws the grid hears of it before the position moves, and a closed inspector stays where it is.
void TestInspectorTimeline::theUserIsAnnounced() {
    const ShownRecord shown;
    AnswerTimeline timeline(shown.shown);
    timeline.restart();
    const QSignalSpy moves(&timeline, &AnswerTimeline::aboutToMove), plays(&timeline, &AnswerTimeline::aboutToPlay);
    timeline.setPosition(kPrompt);
    timeline.setPlaying(true);
    QVERIFY(!timeline.playing());
    QCOMPARE(timeline.position(), timeline.last());
    timeline.setEnabled(true);
    int before = -1;
    connect(&timeline, &AnswerTimeline::aboutToMove, this, [&] { before = timeline.position(); });
    timeline.setPosition(kPrompt);
    QCOMPARE(before, timeline.last());
    QCOMPARE(timeline.position(), kPrompt);
    timeline.moveTo(kPrompt + 1); // not the user
    timeline.setPlaying(true);
    QCOMPARE(moves.count(), 1);
    QCOMPARE(plays.count(), 1);
    timeline.setEnabled(false);
    QVERIFY(!timeline.playing());
}

/// It is before the first position, where only words of the question are.
void TestInspectorTimeline::aWordThatWasNotReadAgainHasAPlace() {
    const ShownRecord asked(makeAskedRecord()), plain;
    for (const ShownRecord* shown : {&asked, &plain}) {
        const int least = shown == &asked ? 1 : kReused;
        AnswerTimeline timeline(shown->shown);
        timeline.setEnabled(true);
        timeline.restart();
        QCOMPARE(timeline.first(), int{kReused});
        timeline.moveTo(0);
        QCOMPARE(timeline.position(), least);
        QCOMPARE(timeline.text().contains("not read again"), shown == &asked);
        timeline.setPlaying(true); // from there on
        QVERIFY(timeline.playing());
        QCOMPARE(timeline.position(), least);
    }
}

QTEST_MAIN(TestInspectorTimeline)
#include "tst_inspector_timeline.moc"
