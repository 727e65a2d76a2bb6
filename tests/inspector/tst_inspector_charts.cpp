// SPDX-License-Identifier: Apache-2.0
// The figures and charts of an answer alone: computed once it has ended, for the room and the answers that it is given.
#include "inspector/answer_charts.h"
#include "traced_record.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

QStringList namesOf(const QVariantList& rows) {
    QStringList names;
    for (const QVariant& row : rows) names.append(row.toMap()[QStringLiteral("name")].toString());
    return names;
}

} // namespace

class TestInspectorCharts : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void anAnswerThatHasEndedIsMeasured();
    void nothingIsComputedWhileItIsWrittenOrOff();
    void anotherAnswerForgetsTheCharts();
    void theChatIsAddedUp();
    void otherRoomIsComputedAgain();
    void whatTheEngineCountedCounts();
    void theOpenModelHasFiguresOfItsOwn();
    void anAnswerThatIsWrittenHasNotEnded();
};

void TestInspectorCharts::anAnswerThatHasEndedIsMeasured() {
    const ShownRecord shown;
    AnswerCharts charts(shown.shown, {});
    charts.setEnabled(true);
    QVERIFY(!charts.measured());
    QSignalSpy changes(&charts, &AnswerCharts::chartsChanged);
    charts.compute();
    QVERIFY(charts.coverage().empty());
    QTRY_VERIFY(charts.measured());
    QCOMPARE(changes.count(), 1);
    QVERIFY(!charts.coverage().empty() && !charts.balance().empty() && !charts.neurons().empty());
    QCOMPARE(charts.text(), QStringLiteral("From this answer."));
    charts.computeMissing(); // they are there
    QVERIFY(charts.measured());
}

void TestInspectorCharts::nothingIsComputedWhileItIsWrittenOrOff() {
    ShownRecord shown(makeRecord(), true);
    AnswerCharts charts(shown.shown, {});
    charts.setEnabled(true);
    const QSignalSpy changes(&charts, &AnswerCharts::chartsChanged);
    charts.compute();
    shown.shown.setRecord(shown.shown.record(), false);
    charts.setEnabled(false);
    charts.compute();
    charts.setEnabled(true);
    charts.compute();
    charts.setEnabled(false); // ends it
    QVERIFY(!charts.measured());
    charts.setEnabled(true);
    charts.computeMissing();
    QTRY_VERIFY(charts.measured());
    QCOMPARE(changes.count(), 1);
}

void TestInspectorCharts::anotherAnswerForgetsTheCharts() {
    ShownRecord shown;
    AnswerCharts charts(shown.shown, {});
    charts.setEnabled(true);
    charts.compute();
    QTRY_VERIFY(charts.measured());
    shown.shown.setRecord(nullptr, false);
    charts.restart();
    QVERIFY(!charts.measured() && charts.coverage().empty() && charts.text().isEmpty());
    QVERIFY(charts.figures().isEmpty() && charts.remarks().isEmpty());
}

void TestInspectorCharts::theChatIsAddedUp() {
    const ShownRecord shown;
    const auto other = std::make_shared<TracedAnswer>(makeRecord(2), std::vector<int64_t>{});
    AnswerCharts charts(shown.shown, {.answers = [&] { return std::vector{shown.shown.record(), other}; }});
    charts.setEnabled(true);
    charts.compute();
    QTRY_VERIFY(charts.measured());
    QCOMPARE(charts.coverage().rightText, QStringLiteral("token 8")); // f11: without its prompt, as in the grid
    charts.setOfChat(true);
    QTRY_VERIFY(charts.measured());
    QCOMPARE(charts.coverage().rightText, QStringLiteral("token 10"));
    QCOMPARE(charts.text(), QStringLiteral("From 2 answer(s) of this chat."));
}

void TestInspectorCharts::otherRoomIsComputedAgain() {
    const ShownRecord shown;
    FigureRequest room;
    AnswerCharts charts(shown.shown, {.room = [&] { return room; }});
    charts.setEnabled(true);
    charts.compute();
    QTRY_VERIFY(charts.measured());
    QVERIFY(charts.budgetText().contains("Open the model that wrote this answer"));
    charts.computeForRoom(); // the same
    QVERIFY(charts.measured());
    room = {.slots = 3, .slotBytes = 1 << 20, .budget = 1 << 25, .machine = uint64_t{1} << 32};
    charts.computeForRoom();
    QVERIFY(!charts.measured());
    QTRY_VERIFY(charts.measured());
    QVERIFY(charts.betterBudget() > room.budget);
    const QSignalSpy wanted(&charts, &AnswerCharts::budgetWanted);
    charts.applyBetterBudget();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toDouble(), charts.betterBudget());
}

void TestInspectorCharts::whatTheEngineCountedCounts() {
    const ShownRecord shown;
    AnswerFacts counted;
    AnswerCharts charts(shown.shown, {.counted = [&] { return counted; }});
    // Half of the positions missed one of their two experts in each layer.
    QVERIFY2(charts.sentence().startsWith("75 % of expert reads came from memory"), qPrintable(charts.sentence()));
    QVERIFY(!namesOf(charts.figures()).contains(QStringLiteral("Speed")));
    counted.fromMemory = 0.5;
    counted.tokensPerSecond = 12;
    QVERIFY(charts.sentence().startsWith("50 %"));
    QVERIFY(!namesOf(charts.figures()).contains(QStringLiteral("Speed"))); // views keep the list until they read again
    const QSignalSpy figures(&charts, &AnswerCharts::figuresChanged);
    charts.refreshFigures();
    QCOMPARE(figures.count(), 1);
    QVERIFY(namesOf(charts.figures()).contains(QStringLiteral("Speed")));
}

void TestInspectorCharts::theOpenModelHasFiguresOfItsOwn() {
    const ShownRecord shown;
    std::optional<AnswerCharts::OpenModel> model;
    AnswerCharts charts(shown.shown, {.model = [&] { return model; }});
    QVERIFY(charts.modelHeading().isEmpty() && charts.modelFigures().isEmpty());
    model = {.name = "Demo", .facts = {.budget = 1 << 30, .contextUsed = 10, .contextSize = 4096}};
    QVERIFY2(charts.modelHeading().startsWith("Open model: "), qPrintable(charts.modelHeading()));
    QCOMPARE(namesOf(charts.modelFigures()), (QStringList{"Memory budget", "Context"}));
    QVERIFY(!namesOf(charts.figures()).contains(QStringLiteral("Context")));
}

/// Its newest token has no pass yet, like the last one of an answer that has ended.
void TestInspectorCharts::anAnswerThatIsWrittenHasNotEnded() {
    ShownRecord shown(makeRecord(), true);
    QCOMPARE(shown.record().answer().tokens() + 1, static_cast<uint64_t>(kTokens));
    const AnswerCharts charts(shown.shown, {});
    const auto remarks = [&] { return charts.remarks().join(u'\n'); };
    QVERIFY(!remarks().isEmpty());
    QVERIFY2(!remarks().contains("The answer ended before"), qPrintable(remarks()));
    shown.shown.setRecord(shown.shown.record(), false);
    QVERIFY2(remarks().contains("The answer ended before"), qPrintable(remarks()));
}

QTEST_MAIN(TestInspectorCharts)
#include "tst_inspector_charts.moc"
