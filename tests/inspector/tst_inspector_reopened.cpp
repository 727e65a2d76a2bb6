// SPDX-License-Identifier: Apache-2.0
// A chat that is opened again after the program has ended: its record, each position of it, and its replay with the
// times that were recorded, by a clock of the test.
#include "app/app_bench.h"
#include "inspector/inspector.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kPrompt = 5, kTokens = 8, kLayers = 4, kPositions = kPrompt + kTokens;

FakeScript story() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a ", "time ", "a ", "fox ", "was ", "here"};
    script.promptTokens = kPrompt;
    script.layers = kLayers;
    return script;
}

/// Seconds from the call until the pass at this position ended, by the script: the prompt's tokens share the time until
/// the first token evenly, and nothing was drawn after the last pass.
double secondsOf(int position) {
    if (position < kPrompt - 1) return fakeSeconds(0) * (position + 1) / kPrompt;
    if (position < kPositions - 1) return fakeSeconds(position - (kPrompt - 1));
    return fakeSeconds(kTokens - 1) + kFakeTokenSeconds;
}

} // namespace

class TestInspectorReopened : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup() { bench_.reset(); }
    void itHasItsRecord();
    void everyPositionIsItsRoute();
    void aReplayHasTheRecordedTimes_data();
    void aReplayHasTheRecordedTimes();
    void itPlaysToItsEnd();

  private:
    Inspector& inspector() { return *bench_->app().inspector(); }

    std::unique_ptr<AppBench> bench_;
};

/// Writes an answer, ends the program, and opens the chat again. No model is open.
void TestInspectorReopened::init() {
    bench_ = std::make_unique<AppBench>(story());
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench_->lastText(), QStringLiteral("Once upon a time a fox was here"));
    QTRY_VERIFY(!bench_->chat().busy());
    const qint64 chat = bench_->chat().chatId();
    bench_->restart();
    QTRY_COMPARE(bench_->models().state(), ModelController::Ready);
    bench_->models().close();
    inspector().setEnabled(true);
    bench_->chat().openChat(chat);
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
}

void TestInspectorReopened::itHasItsRecord() {
    QCOMPARE(inspector().timeline()->first(), 0);
    QCOMPARE(inspector().timeline()->answerBegins(), kPrompt);
    QCOMPARE(inspector().timeline()->last(), kPositions - 1);
    QCOMPARE(inspector().messageId(), bench_->chat().messages()->rows().back().id);
    QCOMPARE(inspector().answerHeading(), QStringLiteral("This answer, by Scripted"));
    QTRY_VERIFY(!inspector().charts()->coverage().empty());
    QVERIFY(inspector().charts()->budgetText().contains("Open the model"));
}

void TestInspectorReopened::everyPositionIsItsRoute() {
    const ExpertGrid& grid = *inspector().grid()->cells();
    for (int position = 0; position < kPositions; ++position) {
        inspector().timeline()->setPosition(position);
        QTRY_COMPARE(inspector().timeline()->position(), position);
        for (int layer = 0; layer < kLayers; ++layer) {
            double sum = 0, wanted = 0;
            for (const engine::ExpertUse& use : fakeRoute(story(), position, layer).uses) {
                const auto weight = static_cast<double>(use.weight);
                QVERIFY(std::abs(grid.value(layer, use.expert) - weight) < 0.00001);
                wanted += weight;
            }
            for (int expert = 0; expert < grid.experts(); ++expert) sum += grid.value(layer, expert);
            QVERIFY(std::abs(sum - wanted) < 0.0001); // no other expert
        }
        if (position >= kPrompt) {
            const std::string word = story().pieces[static_cast<size_t>(position - kPrompt)].text;
            QVERIFY(inspector().timeline()->text().contains(QString::fromStdString(word).trimmed()));
        }
    }
}

void TestInspectorReopened::aReplayHasTheRecordedTimes_data() {
    QTest::addColumn<int>("speed");
    for (const int speed : {1, 2, 4, 8}) QTest::addRow("%dx", speed) << speed;
}

/// Each position is shown at the time at which its pass had ended, and the whole replay takes as long as the answer
/// did, within 5 %.
void TestInspectorReopened::aReplayHasTheRecordedTimes() {
    QFETCH(int, speed);
    constexpr double kStep = 0.001; // a step of the clock, in seconds
    qint64 now = 100000;
    AnswerTimeline timeline(inspector().shown(), [&now] { return now; });
    timeline.setEnabled(true);
    timeline.restart();
    timeline.setSpeed(speed);
    std::vector<double> shownAt(kPositions, -1);
    const qint64 begun = now;
    const auto look = [&] {
        double& at = shownAt[static_cast<size_t>(timeline.position())];
        if (at < 0) at = static_cast<double>(now - begun) / 1000;
    };
    timeline.setPlaying(true);
    look();
    while (timeline.playing()) {
        QVERIFY2(now - begun < 10000, "the replay does not end");
        ++now;
        timeline.tick();
        look();
    }
    QCOMPARE(shownAt.front(), 0.0); // shown while it is computed
    for (int position = 1; position < kPositions; ++position) {
        const double late = shownAt[static_cast<size_t>(position)] - secondsOf(position) / speed;
        if (speed > 1 && shownAt[static_cast<size_t>(position)] < 0) continue; // two within a step of the clock
        QVERIFY2(late > -kStep && late < 2 * kStep,
                 qPrintable(QStringLiteral("position %1: %2 s late").arg(position).arg(late)));
    }
    const double took = static_cast<double>(now - begun) / 1000, real = secondsOf(kPositions - 1) / speed;
    QVERIFY2(std::abs(took - real) <= std::max(0.05 * real, 2 * kStep), qPrintable(QString::number(took / real)));
}

/// The program's own timeline, with its own clock.
void TestInspectorReopened::itPlaysToItsEnd() {
    inspector().timeline()->setSpeed(8);
    inspector().timeline()->setPlaying(true);
    QVERIFY(inspector().timeline()->position() < kPositions - 1);
    QTRY_VERIFY(!inspector().timeline()->playing());
    QCOMPARE(inspector().timeline()->position(), kPositions - 1);
}

QTEST_MAIN(TestInspectorReopened)
#include "tst_inspector_reopened.moc"
