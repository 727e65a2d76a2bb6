// SPDX-License-Identifier: Apache-2.0
// The comparison of an answer alone: which runs are possible, and which one was chosen.
#include "inspector/answer_comparison.h"
#include "traced_record.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

QList<int> valuesOf(const QVariantList& options) {
    QList<int> values;
    for (const QVariant& option : options) values.append(option.toMap()[QStringLiteral("value")].toInt());
    return values;
}

/// An answer of a model with one layer of four experts.
std::shared_ptr<TracedAnswer> ofAnotherModel() {
    AnswerRecord other = makeRecord();
    auto log = engine::TraceLog::create({.layers = 1, .experts = 4, .expertsPerToken = 2, .neurons = 10}, 16);
    log.value()->answerBegins(0, 1);
    const engine::ExpertUse use[] = {{.expert = 1, .weight = 1}};
    log.value()->layerDone(0, 0, use, 0);
    log.value()->tokenDone(0, 1, 0.1);
    other.trace = std::move(log).value();
    return std::make_shared<TracedAnswer>(other, std::vector<int64_t>{});
}

} // namespace

class TestInspectorComparison : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void nothingIsComparedAtFirst();
    void thePromptIsARun();
    void theAnswerBeforeIsARunOnceItIsFound();
    void aKeptAnswerIsNamedByItsWords();
    void aKeptAnswerIsNotComparedWithItself();
    void aNameCutsNoCharacter();
    void anAnswerThatIsWrittenIsNotKept();
    void anotherModelIsNotCompared();
    void whatCannotBeComparedSaysWhy();
    void nothingIsComparedWithNothing();
};

void TestInspectorComparison::nothingIsComparedAtFirst() {
    ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    QCOMPARE(comparison.against(), AnswerComparison::None);
    QVERIFY(!comparison.run());
    QVERIFY(comparison.options().isEmpty());
    const QSignalSpy options(&comparison, &AnswerComparison::optionsChanged);
    comparison.refresh();
    comparison.refresh(); // the same ones
    QCOMPARE(options.count(), 1);
    QCOMPARE(valuesOf(comparison.options()), (QList<int>{AnswerComparison::None, AnswerComparison::Prompt}));
    shown.shown.setRecord(nullptr, false);
    comparison.refresh();
    QCOMPARE(comparison.options().size(), 1); // nothing, which is chosen
}

void TestInspectorComparison::thePromptIsARun() {
    const ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    const QSignalSpy changes(&comparison, &AnswerComparison::againstChanged);
    comparison.setAgainst(AnswerComparison::Prompt);
    comparison.setAgainst(AnswerComparison::Prompt);
    QCOMPARE(changes.count(), 1);
    const auto run = comparison.run();
    QVERIFY(run);
    // The others were in memory from an earlier answer.
    QCOMPARE(run->name, QStringLiteral("the 4 token(s) of its prompt that the model read"));
    QCOMPARE(run->title, QStringLiteral("Its prompt (4 token(s) read)"));
    QCOMPARE(run->usage.tokens(), uint64_t{kPrompt - kReused});
    uint64_t uses = 0;
    for (int p = kReused; p < kPrompt; ++p)
        for (int rank = 0; rank < 2; ++rank) uses += expertOf(p, 1, rank) == 3 ? 1 : 0;
    QCOMPARE(run->usage.usesOf(1, 3), uses);
}

void TestInspectorComparison::theAnswerBeforeIsARunOnceItIsFound() {
    const ShownRecord shown;
    AnswerComparison::Before before;
    AnswerComparison comparison(shown.shown, [&] { return before; });
    comparison.refresh();
    QVERIFY(!valuesOf(comparison.options()).contains(AnswerComparison::Previous));
    before.exists = true;
    comparison.refresh();
    QVERIFY(valuesOf(comparison.options()).contains(AnswerComparison::Previous));
    comparison.setAgainst(AnswerComparison::Previous);
    QVERIFY(!comparison.run()); // its record is being read
    before.record = std::make_shared<TracedAnswer>(makeRecord(3), std::vector<int64_t>{});
    QVERIFY(comparison.run());
    QCOMPARE(comparison.run()->usage.tokens(), uint64_t{3});
    QCOMPARE(comparison.run()->name, QStringLiteral("the answer before it"));
}

void TestInspectorComparison::aKeptAnswerIsNamedByItsWords() {
    ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    QVERIFY(!comparison.kept());
    comparison.keep();
    QVERIFY(comparison.kept());
    QVERIFY(!valuesOf(comparison.options()).contains(AnswerComparison::Kept)); // it is shown
    shown.shown.setMessage(8);
    shown.shown.setRecord(std::make_shared<TracedAnswer>(makeRecord(4), std::vector<int64_t>{}), false);
    comparison.refresh();
    QVERIFY(!comparison.kept());
    comparison.setAgainst(AnswerComparison::Kept);
    const QString name = QStringLiteral("the answer \u201ca0 a1 a2 a3 a4 a5 a6 a7\u2026\u201d, which you kept");
    QCOMPARE(comparison.run()->name, name);
    QCOMPARE(comparison.run()->usage.tokens(), uint64_t{kTokens - 1});
    comparison.keep(); // the shown one in place of it, which can't be compared with itself
    QCOMPARE(comparison.against(), AnswerComparison::None);
}

/// A record that was read again, because the chat was left, is of the same answer.
void TestInspectorComparison::aKeptAnswerIsNotComparedWithItself() {
    ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    comparison.keep();
    shown.shown.setRecord(std::make_shared<TracedAnswer>(makeRecord(), std::vector<int64_t>{}), false);
    comparison.refresh();
    QVERIFY(comparison.kept());
    QVERIFY(!valuesOf(comparison.options()).contains(AnswerComparison::Kept));
}

/// The name of an answer is its beginning, which ends with a whole character.
void TestInspectorComparison::aNameCutsNoCharacter() {
    ShownRecord shown;
    const QString smile = QString::fromUtf8("\xF0\x9F\x98\x80");
    shown.parts = textParts(u'a' + smile.repeated(20));
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    comparison.keep();
    shown.shown.setMessage(8);
    shown.shown.setRecord(std::make_shared<TracedAnswer>(makeRecord(4), std::vector<int64_t>{}), false);
    comparison.setAgainst(AnswerComparison::Kept);
    const QString begin = u'a' + smile.repeated(5);
    QCOMPARE(comparison.run()->name, QStringLiteral("the answer \u201c%1\u2026\u201d, which you kept").arg(begin));
}

void TestInspectorComparison::anAnswerThatIsWrittenIsNotKept() {
    const ShownRecord shown(makeRecord(3), true);
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    comparison.keep();
    QVERIFY(!comparison.kept());
}

void TestInspectorComparison::anotherModelIsNotCompared() {
    ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    comparison.keep();
    shown.shown.setRecord(ofAnotherModel(), false);
    comparison.refresh();
    QVERIFY(!valuesOf(comparison.options()).contains(AnswerComparison::Kept));
    comparison.setAgainst(AnswerComparison::Kept);
    QVERIFY(!comparison.run());
}

/// The choice stays, so that the grid has to say that it shows no difference.
void TestInspectorComparison::whatCannotBeComparedSaysWhy() {
    const ShownRecord shown;
    AnswerComparison::Before before{.exists = true};
    AnswerComparison comparison(shown.shown, [&] { return before; });
    QVERIFY(comparison.obstacle().isEmpty()); // nothing was chosen
    comparison.setAgainst(AnswerComparison::Prompt);
    QVERIFY(comparison.obstacle().isEmpty());
    comparison.setAgainst(AnswerComparison::Previous);
    QVERIFY(comparison.obstacle().isEmpty()); // its record is being read
    before.missing = true;
    comparison.refresh();
    QVERIFY(valuesOf(comparison.options()).contains(AnswerComparison::Previous)); // it is chosen
    QCOMPARE(comparison.obstacle(), QStringLiteral("The answer before it has no record, so nothing is compared."));
    before = {.exists = true, .record = ofAnotherModel()};
    QVERIFY(!comparison.run());
    QCOMPARE(comparison.obstacle(),
             QStringLiteral("Another model wrote the answer before it, so nothing is compared."));
    before.record = std::make_shared<TracedAnswer>(makeRecord(), std::vector<int64_t>{});
    QVERIFY(comparison.run() && comparison.obstacle().isEmpty());
    before = {.exists = true, .missing = true};
    comparison.setAgainst(AnswerComparison::None);
    comparison.refresh();
    QVERIFY(!valuesOf(comparison.options()).contains(AnswerComparison::Previous)); // it would show nothing
    comparison.setAgainst(AnswerComparison::Previous);
    before = {};
    QCOMPARE(comparison.obstacle(), QStringLiteral("There is no answer before it to compare with."));
    before = {.exists = true, .above = true};
    QVERIFY2(comparison.obstacle().contains("further up in the chat"), qPrintable(comparison.obstacle()));
}

/// The kept answer may be shown again, and the beginning of a long answer's record may be lost.
void TestInspectorComparison::nothingIsComparedWithNothing() {
    ShownRecord shown;
    AnswerComparison comparison(shown.shown, [] { return AnswerComparison::Before{}; });
    comparison.keep();
    comparison.setAgainst(AnswerComparison::Kept);
    QVERIFY(!comparison.run());
    QCOMPARE(comparison.obstacle(), QStringLiteral("This is the answer that you kept, so nothing is compared."));
    auto log = makeLog(0);
    for (int64_t p = kPrompt; p < kPrompt + 64; ++p) addToken(*log, p); // it has room for 64
    shown.shown.setRecord(
        std::make_shared<TracedAnswer>(AnswerRecord{.message = 8, .trace = log}, std::vector<int64_t>{}), false);
    comparison.setAgainst(AnswerComparison::Prompt);
    QVERIFY(!comparison.run());
    QCOMPARE(comparison.obstacle(), QStringLiteral("The record has no token of its prompt, so nothing is compared."));
}

QTEST_MAIN(TestInspectorComparison)
#include "tst_inspector_comparison.moc"
