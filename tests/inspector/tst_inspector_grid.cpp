// SPDX-License-Identifier: Apache-2.0
// The choice of what the grid shows, alone: each mode from a record and from plain values.
#include "experts/expert_store.h"
#include "inspector/activity_grid.h"
#include "traced_record.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <map>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

struct Bench {
    explicit Bench(AnswerRecord record = makeRecord(), bool live = false)
        : shown(std::move(record), live),
          grid(shown.shown, {.token = [this] { return token; },
                             .compared = [this] { return compared; },
                             .notCompared = [this] { return notCompared; },
                             .chat = [this] { return chat; },
                             .unrecorded = [this] { return unrecorded; },
                             .model = [this] { return model; },
                             .layers = [this](bool ofOpenModel) { return ofOpenModel ? openLayers : layers; }}) {}
    void show(ActivityGrid::Mode mode) {
        grid.setMode(mode);
        grid.draw();
    }
    /// Uses of an expert by tokens [from, to).
    static int uses(int from, int to, int layer, int expert) {
        int uses = 0;
        for (int p = from; p < to; ++p)
            for (int rank = 0; rank < 2; ++rank) uses += expertOf(p, layer, rank) == expert ? 1 : 0;
        return uses;
    }

    ShownRecord shown;
    QString notCompared;
    ActivityGrid::Token token{.position = kPrompt};
    std::optional<AnswerComparison::Run> compared;
    ActivityGrid::ChatAnswers chat;
    bool unrecorded = false;
    std::optional<ActivityGrid::OpenModel> model;
    std::vector<engine::LayerInfo> layers{}, openLayers{};
    ActivityGrid grid;
};

constexpr int kEnd = kPrompt + kTokens - 1;

/// Whether a weight is the one that a record keeps for it: records keep 16 bits.
bool isWeight(double kept, double weight) { return std::abs(kept - weight) <= 0.5 / 65535; }

} // namespace

class TestInspectorGrid : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void nowIsTheRouteOfAToken();
    void aReusedWordHasNoRoute();
    void theReplyIsCounted();
    void f11TheChatIsCountedWithoutItsPrompts();
    void aComparisonTakesThePlaceOfTheView();
    void bothRunsOfAComparisonAreCounted();
    void placesAreBytesOfTheSession();
    void aTokenThatIsWrittenMarksItsPlaces();
    void aSelectionNeedsItsCell();
    void withoutARecordThereAreOnlyPlaces();
    void withoutARecordTheChatHasItsOthers();
};

void TestInspectorGrid::nowIsTheRouteOfAToken() {
    Bench bench;
    bench.show(ActivityGrid::Now);
    const ExpertGrid& cells = *bench.grid.cells();
    QCOMPARE(cells.kind(), ExpertGrid::Weights);
    for (int l = 0; l < kLayers; ++l) {
        QVERIFY(isWeight(cells.value(l, expertOf(kPrompt, l, 0)), 0.75));
        QVERIFY(isWeight(cells.value(l, expertOf(kPrompt, l, 1)), 0.25));
        QVERIFY(cells.hit(l, expertOf(kPrompt, l, 0))); // an even position
    }
    QVERIFY2(bench.grid.text().startsWith("The route of \u201ca0\u201d"), qPrintable(bench.grid.text()));
    bench.token = {.position = kPrompt + 1, .newest = true};
    bench.grid.draw();
    QVERIFY(cells.waited(0, expertOf(kPrompt + 1, 0, 0)));
    QVERIFY(bench.grid.text().startsWith("The route of \u201ca1\u201d")); // the answer has ended
    Bench live(makeRecord(), true);
    live.token.newest = true;
    live.show(ActivityGrid::Now);
    QVERIFY(live.grid.text().startsWith("The route of the newest token"));
}

void TestInspectorGrid::aReusedWordHasNoRoute() {
    Bench bench(makeAskedRecord());
    bench.token = {.position = 1};
    bench.show(ActivityGrid::Now);
    QCOMPARE(bench.grid.text(),
             QStringLiteral("This token of the prompt was not read again: the model still had it in memory."));
    for (int layer = 0; layer < kLayers; ++layer)
        for (int expert = 0; expert < kExperts; ++expert) QCOMPARE(bench.grid.cells()->value(layer, expert), 0.0);
    bench.token = {.position = 3};
    bench.show(ActivityGrid::Now);
    QVERIFY2(bench.grid.text().startsWith(QStringLiteral("The route of \u201cit\u201d in the prompt: ")),
             qPrintable(bench.grid.text()));
    QVERIFY(bench.grid.cells()->value(0, expertOf(3, 0, 0)) > 0.7);
}

void TestInspectorGrid::theReplyIsCounted() {
    Bench bench;
    QCOMPARE(bench.grid.mode(), ActivityGrid::Reply);
    bench.grid.draw();
    for (int l = 0; l < kLayers; ++l)
        for (int e = 0; e < kExperts; ++e)
            QCOMPARE(bench.grid.cells()->value(l, e), double(Bench::uses(kPrompt, kEnd, l, e)));
    QCOMPARE(
        bench.grid.text(),
        QStringLiteral("How many of 8 of this answer's 9 token(s) used each expert. The model did not read the last "
                       "one."));
    // While it is written, the newest token is still to be read; and the model read all of one that ended by itself.
    Bench live(makeRecord(), true), ended(makeRecord(kTokens));
    for (Bench* const other : {&live, &ended}) other->grid.draw();
    QCOMPARE(live.grid.text(), QStringLiteral("How many of this answer's 8 token(s) used each expert."));
    QCOMPARE(ended.grid.text(), QStringLiteral("How many of this answer's 9 token(s) used each expert."));
    const int uses = Bench::uses(kPrompt, kEnd, 1, 3);
    QCOMPARE(bench.grid.cells()->cellText(1, 3), QStringLiteral("Layer 1, expert 3: %1 of 8 token(s)").arg(uses));
}

void TestInspectorGrid::f11TheChatIsCountedWithoutItsPrompts() {
    Bench bench;
    const auto other = std::make_shared<TracedAnswer>(makeRecord(2), std::vector<int64_t>{});
    bench.chat = {.records = {bench.shown.shown.record(), other}, .all = 3, .moreBefore = true};
    const QSignalSpy modes(&bench.grid, &ActivityGrid::modeChanged);
    bench.show(ActivityGrid::Chat);
    bench.show(ActivityGrid::Chat);
    QCOMPARE(modes.count(), 1);
    for (int e = 0; e < kExperts; ++e)
        QCOMPARE(bench.grid.cells()->value(2, e),
                 double(Bench::uses(kPrompt, kEnd, 2, e) + Bench::uses(kPrompt, kPrompt + 2, 2, e)));
    QVERIFY2(bench.grid.text().contains("2 of the latest 3 answer(s)"), qPrintable(bench.grid.text()));
}

void TestInspectorGrid::aComparisonTakesThePlaceOfTheView() {
    Bench bench;
    bench.compared = AnswerComparison::Run{bench.shown.record().prompt(), QStringLiteral("its prompt")};
    bench.show(ActivityGrid::Now);
    QCOMPARE(bench.grid.cells()->kind(), ExpertGrid::Difference);
    QVERIFY(bench.grid.text().startsWith("Compared with its prompt"));
    const double answer = Bench::uses(kPrompt, kEnd, 1, 3) / (8 * 2.0),
                 prompt = Bench::uses(kReused, kPrompt, 1, 3) / ((kPrompt - kReused) * 2.0);
    QVERIFY(qAbs(bench.grid.cells()->value(1, 3) - (answer - prompt)) < 1e-9);
    bench.compared.reset();
    bench.grid.draw();
    QCOMPARE(bench.grid.cells()->kind(), ExpertGrid::Weights);
    const QString view = bench.grid.text();
    bench.notCompared = QStringLiteral("Nothing is compared.");
    bench.grid.draw();
    QCOMPARE(bench.grid.text(), QStringLiteral("Nothing is compared. ") + view);
}

/// Beside the difference stand both runs, in one scale: the same colour is the same share of a run's tokens.
void TestInspectorGrid::bothRunsOfAComparisonAreCounted() {
    Bench bench;
    const ExpertGrid &answer = *bench.grid.answerCells(), &compared = *bench.grid.comparedCells();
    bench.show(ActivityGrid::Reply);
    QCOMPARE(answer.layers() + compared.layers(), 0);
    QVERIFY(bench.grid.comparedTitle().isEmpty() && bench.grid.comparedText().isEmpty());
    const TracedAnswer other(makeRecord(3), {}); // another number of tokens
    bench.compared = AnswerComparison::Run{other.answer(), QStringLiteral("the other"), QStringLiteral("The other")};
    bench.grid.draw();
    QCOMPARE(bench.grid.comparedTitle(), QStringLiteral("The other"));
    int most[2] = {0, 0};
    for (int l = 0; l < kLayers; ++l) {
        for (int e = 0; e < kExperts; ++e) {
            const int first = Bench::uses(kPrompt, kEnd, l, e), second = Bench::uses(kPrompt, kPrompt + 3, l, e);
            QCOMPARE(answer.value(l, e), double(first));
            QCOMPARE(compared.value(l, e), double(second));
            QCOMPARE(compared.cellText(l, e),
                     QStringLiteral("Layer %1, expert %2: %3 of 3 token(s)").arg(l).arg(e).arg(second));
            most[0] = std::max(most[0], first);
            most[1] = std::max(most[1], second);
        }
    }
    QCOMPARE(answer.kind(), ExpertGrid::Counts);
    const double share = std::max(most[0] / 8.0, most[1] / 3.0);
    QVERIFY(std::abs(answer.most() - 8 * share) < 1e-9 && std::abs(compared.most() - 3 * share) < 1e-9);
    QVERIFY2(bench.grid.comparedText().contains(QStringLiteral("%1 %").arg(std::lround(share * 100))),
             qPrintable(bench.grid.comparedText()));
    bench.show(ActivityGrid::Store); // the places of the open model hide the comparison
    QCOMPARE(answer.layers() + compared.layers(), 0);
    bench.show(ActivityGrid::Reply);
    QCOMPARE(answer.layers(), kLayers);
    bench.compared.reset();
    bench.grid.draw();
    QCOMPARE(answer.layers() + compared.layers(), 0);
    QCOMPARE(bench.grid.comparedTitle(), QStringLiteral("The other")); // the next answer is compared with it, too
}

void TestInspectorGrid::placesAreBytesOfTheSession() {
    using engine::ExpertState;
    Bench bench;
    bench.show(ActivityGrid::Store);
    QCOMPARE(bench.grid.cells()->layers(), 0);
    QCOMPARE(bench.grid.text(), QStringLiteral("No model is open."));
    std::vector<uint8_t> places;
    for (int i = 0; i < 6; ++i) places.push_back(static_cast<uint8_t>(i % 4));
    bench.model = ActivityGrid::OpenModel{.expertsOfLayer = {2, 4}, .places = places, .name = "Other"};
    bench.grid.draw();
    QCOMPARE(bench.grid.cells()->content().places, places);
    QVERIFY(bench.grid.cells()->content().values.empty());
    QCOMPARE(bench.grid.cells()->value(1, 0), double(ExpertState::InMemory));
    QCOMPARE(bench.grid.cells()->cellText(1, 1), QStringLiteral("Layer 1, expert 1: in the GPU's memory"));
    QVERIFY(bench.grid.cells()->content().waited.empty()); // the answer is another model's, and has ended
    bench.openLayers = {{engine::LayerMixer::DeltaRule}, {engine::LayerMixer::Attention}};
    bench.grid.draw();
    QVERIFY(bench.grid.cells()->recurrent());
    bench.show(ActivityGrid::Reply); // nothing is known of the layers of the answer's model
    QVERIFY(!bench.grid.cells()->recurrent());
    bench.show(ActivityGrid::Store);
    bench.model->strange = true;
    bench.grid.draw();
    QVERIFY2(bench.grid.text().startsWith("The open model is"), qPrintable(bench.grid.text()));
    QVERIFY(bench.grid.text().contains("Other"));
}

void TestInspectorGrid::aTokenThatIsWrittenMarksItsPlaces() {
    Bench bench(makeRecord(), true);
    const std::vector<int64_t> experts = bench.shown.record().expertsOfLayer();
    const auto all = static_cast<size_t>(kLayers * kExperts);
    bench.model = ActivityGrid::OpenModel{.expertsOfLayer = experts, .places = std::vector<uint8_t>(all, 2)};
    bench.show(ActivityGrid::Store);
    const int last = bench.shown.record().last();
    QCOMPARE(last % 2, 1); // its first expert was waited for
    QVERIFY(bench.grid.cells()->waited(1, expertOf(last, 1, 0)));
    QVERIFY(bench.grid.cells()->hit(1, expertOf(last, 1, 1)));
    QCOMPARE(bench.grid.cells()->content().token, last);
}

void TestInspectorGrid::aSelectionNeedsItsCell() {
    Bench bench;
    bench.grid.draw();
    const QSignalSpy selections(&bench.grid, &ActivityGrid::selectionChanged);
    bench.grid.select(99, 0);
    QCOMPARE(bench.grid.selectedLayer(), -1);
    bench.grid.select(1, 3);
    QCOMPARE(bench.grid.selectedLayer(), 1);
    QCOMPARE(bench.grid.selectedExpert(), 3);
    bench.show(ActivityGrid::Store); // without a model there are no cells
    QCOMPARE(bench.grid.selectedLayer(), -1);
    QCOMPARE(selections.count(), 2);
    bench.grid.deselect();
    QCOMPARE(selections.count(), 2);
}

void TestInspectorGrid::withoutARecordThereAreOnlyPlaces() {
    Bench bench;
    bench.grid.draw();
    bench.shown.shown.setRecord(nullptr, false);
    for (const auto mode : {ActivityGrid::Now, ActivityGrid::Reply, ActivityGrid::Chat}) {
        bench.show(mode);
        QCOMPARE(bench.grid.cells()->layers(), 0);
        QVERIFY(bench.grid.text().isEmpty());
    }
    bench.model = ActivityGrid::OpenModel{.expertsOfLayer = {4}, .places = {0, 2, 2, 1}};
    bench.show(ActivityGrid::Store);
    QCOMPARE(bench.grid.text(), QStringLiteral("2 of 4 expert(s) are in memory now."));
}

void TestInspectorGrid::withoutARecordTheChatHasItsOthers() {
    Bench bench;
    bench.shown.shown.setRecord(nullptr, false);
    bench.unrecorded = true;
    for (const auto mode : {ActivityGrid::Now, ActivityGrid::Reply}) {
        bench.show(mode);
        QCOMPARE(bench.grid.cells()->layers(), 0);
        QVERIFY(bench.grid.text().startsWith("Without a record"));
    }
    bench.chat.finding = true;
    bench.show(ActivityGrid::Chat);
    QCOMPARE(bench.grid.text(), QStringLiteral("The records of this chat's answers are being read."));
    bench.chat = {.records = {std::make_shared<TracedAnswer>(makeRecord(2), std::vector<int64_t>{})},
                  .all = 2,
                  .model = QStringLiteral("One")};
    bench.grid.draw();
    for (int e = 0; e < kExperts; ++e)
        QCOMPARE(bench.grid.cells()->value(2, e), double(Bench::uses(kPrompt, kPrompt + 2, 2, e)));
    QCOMPARE(bench.grid.text(), QStringLiteral("How many of 2 token(s) used each expert, in 1 of this chat's 2 "
                                               "answer(s). They were written by One."));
}

QTEST_MAIN(TestInspectorGrid)
#include "tst_inspector_grid.moc"
