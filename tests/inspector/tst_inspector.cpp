// SPDX-License-Identifier: Apache-2.0
// The inspector over the whole program with a scripted engine: every view equals the trace that the script makes.
#include "app/app_bench.h"
#include "common/units.h"
#include "inspector/inspector.h"
#include "random_user.h"
#include "settings/settings.h"
#include "support/effort.h"
#include "support/english.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QtTest>

#include <SQLiteCpp/Database.h>

#include <array>
#include <map>
#include <set>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kPrompt = 5, kLayers = 4, kExperts = 32;

FakeScript story() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a ", "time ", "a ", "fox ", "was ", "here"};
    script.promptTokens = kPrompt;
    script.layers = kLayers;
    script.bytesFromDisk = uint64_t{10} << 20;
    return script;
}

struct Bench : AppBench {
    explicit Bench(const FakeScript& made = story()) : AppBench(made), script(made) {}
    Inspector& inspector() { return *app().inspector(); }
    FakeScript script;
};

/// Sends a prompt and waits for the answer's end.
bool answerTo(Bench& bench, const QString& prompt) {
    bench.control().allowAll();
    if (!bench.chat().send(prompt)) return false;
    return QTest::qWaitFor([&] { return bench.chat().busy(); }, kPatienceMs) &&
           QTest::qWaitFor([&] { return !bench.chat().busy(); }, kPatienceMs);
}

QStringList namesOf(const QVariantList& rows) {
    QStringList names;
    for (const QVariant& row : rows) names.append(row.toMap()["name"].toString());
    return names;
}

QString valueOf(const QVariantList& rows, const QString& name) {
    return rows.value(namesOf(rows).indexOf(name)).toMap()["value"].toString();
}

/// The number of an answer's tokens [from, to) that used each expert, by the script.
std::map<std::pair<int, int>, int> countsOf(const FakeScript& script, int from, int to) {
    std::map<std::pair<int, int>, int> counts;
    for (int p = from; p < to; ++p)
        for (int l = 0; l < kLayers; ++l)
            for (const engine::ExpertUse& use : fakeRoute(script, p, l).uses) ++counts[{l, use.expert}];
    return counts;
}

} // namespace

class TestInspector : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void nothingIsDoneWhileDisabled();
    void everyConditionSaysWhy();
    void f16AnAnswerThatTheProgramLeftSaysSo();
    void theGridIsTheTrace();
    void theSliderDrawsOnceAStep();
    void aChangeWhileDisabledIsShownLater();
    void placesAreThoseOfTheSession();
    void placesOfADenseModelAreItsLayers();
    void aBetterBudgetIsSetByOneClick();
    void anExpertNamesItsTokens();
    void aDifferenceIsThatOfTheShares();
    void anotherModelWithAsManyLayers_data();
    void anotherModelWithAsManyLayers();
    void aRecordThatCannotBeReadIsToldInWords_data();
    void aRecordThatCannotBeReadIsToldInWords();
    void aChatThatIsLeftShowsNothingStale();
    void itGrowsWhileTheAnswerIsWritten();
    void aModelWithoutExpertsShowsItsLayers();
    void theTraceIsSavedAsTheCommandLineWritesIt();
    void textsAreWhatTheFiguresSay();
    void n5LiveAndAfterwardsCountTheSame_data();
    void n5LiveAndAfterwardsCountTheSame();
    void n12AnAnswerOfAnotherModelIsNamed();
    void n14TheContextOfAnOldChatIsItsCount();
    void n13ReusedTokensNameNoConversation();
    void i5AnAnswerThatEndedShowsAnswer();
    void probabilitiesAreRecordedOnRequest();
    void randomSequences();
};

void TestInspector::nothingIsDoneWhileDisabled() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    QSignalSpy texts(inspector.timeline(), &AnswerTimeline::textChanged),
        positions(inspector.timeline(), &AnswerTimeline::positionChanged);
    QVERIFY(answerTo(bench, "Hello"));
    QCOMPARE(texts.count(), 0);
    QCOMPARE(positions.count(), 0);
    QCOMPARE(inspector.messageId(), qint64{0});
    QVERIFY(bench.chat().messages()->document(bench.chat().messages()->rows().back().id)->tokens().empty());
}

void TestInspector::everyConditionSaysWhy() {
    Bench bench;
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QCOMPARE(inspector.condition(), Inspector::NoModel);
    QVERIFY(inspector.conditionText().startsWith("No model is open."));
    inspector.grid()->setMode(ActivityGrid::Store);
    QCOMPARE(inspector.grid()->text(), QStringLiteral("No model is open."));
    bench.openModel();
    QCOMPARE(bench.models().state(), ModelController::Opening);
    QCOMPARE(inspector.condition(), Inspector::NoModel);
    QVERIFY2(inspector.conditionText().startsWith("A model is being opened."), qPrintable(inspector.conditionText()));
    QCOMPARE(inspector.grid()->text(), QStringLiteral("A model is being opened."));
    inspector.grid()->setMode(ActivityGrid::Reply);
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(inspector.condition(), Inspector::Nothing);
    QVERIFY(!inspector.conditionText().isEmpty());
    inspector.setEnabled(false);
    bench.app().settings()->tracesKept = false;
    QVERIFY(answerTo(bench, "Hello"));
    inspector.setEnabled(true);
    QTRY_COMPARE(inspector.condition(), Inspector::NotTraced);
    QVERIFY(inspector.conditionText().contains("settings"));
    QVERIFY(!inspector.conditionText().contains("because")); // an earlier answer may have been edited
    bench.app().settings()->tracesKept = true;
    QVERIFY(inspector.conditionText().contains("somebody edited it"));
    QVERIFY(inspector.conditionText().contains("while records were not kept"));
    QVERIFY(!inspector.conditionText().contains("the program ended"));
    QVERIFY(answerTo(bench, "Again"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QVERIFY(inspector.conditionText().isEmpty());
}

/// A program that ends in the middle of an answer leaves it stopped, without a record.
void TestInspector::f16AnAnswerThatTheProgramLeftSaysSo() {
    Bench bench;
    OPEN_MODEL(bench);
    bench.app().settings()->tracesKept = false; // so that this one has none either
    bench.control().allow(bench.script.promptTokens + 4);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(bench.lastText().contains("upon"));
    bench.chat().stop();
    QTRY_VERIFY(!bench.chat().busy());
    bench.app().settings()->tracesKept = true;
    bench.inspector().setEnabled(true);
    QTRY_COMPARE(bench.inspector().condition(), Inspector::NotTraced);
    QVERIFY2(bench.inspector().conditionText().contains("the program ended before it was kept"),
             qPrintable(bench.inspector().conditionText()));
}

void TestInspector::theGridIsTheTrace() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    const ExpertGrid& grid = *inspector.grid()->cells();
    QCOMPARE(inspector.timeline()->answerBegins(), kPrompt);
    QCOMPARE(inspector.timeline()->last(), kPrompt + 7);
    for (int p = inspector.timeline()->first(); p <= inspector.timeline()->last(); ++p) {
        inspector.timeline()->setPosition(p);
        QTRY_COMPARE(inspector.timeline()->position(), p);
        for (int l = 0; l < kLayers; ++l) {
            std::map<int, engine::ExpertUse> route;
            for (const engine::ExpertUse& use : fakeRoute(bench.script, p, l).uses) route[use.expert] = use;
            for (int e = 0; e < kExperts; ++e) {
                const double weight = route.contains(e) ? static_cast<double>(route[e].weight) : 0;
                QVERIFY(qAbs(grid.value(l, e) - weight) < 0.00001);
                QCOMPARE(grid.waited(l, e), route.contains(e) && !route[e].hit);
                QCOMPARE(grid.hit(l, e), route.contains(e) && route[e].hit);
            }
        }
    }
    inspector.grid()->setMode(ActivityGrid::Reply);
    const auto counts = countsOf(bench.script, kPrompt, kPrompt + 8);
    int most = 0;
    for (const auto& [cell, count] : counts) most = std::max(most, count);
    QCOMPARE(grid.most(), double(most));
    for (int l = 0; l < kLayers; ++l)
        for (int e = 0; e < kExperts; ++e)
            QCOMPARE(grid.value(l, e), double(counts.contains({l, e}) ? counts.at({l, e}) : 0));
    // A second answer of the same chat: both together.
    QVERIFY(answerTo(bench, "Again"));
    inspector.grid()->setMode(ActivityGrid::Chat);
    QTRY_VERIFY(inspector.grid()->text().contains("in this chat's 2 answer"));
    QCOMPARE(inspector.charts()->text(), QStringLiteral("From 2 answer(s) of this chat."));
    QTRY_COMPARE(inspector.charts()->coverage().rightText, QStringLiteral("token %1").arg(2 * 8));
    for (const auto& [cell, count] : counts) QCOMPARE(grid.value(cell.first, cell.second), 2.0 * count);
}

/// All views are drawn again for each position that is shown, so a slider must not show each one that it passes.
void TestInspector::theSliderDrawsOnceAStep() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    inspector.grid()->setMode(ActivityGrid::Now);
    const QSignalSpy drawn(inspector.grid()->cells(), &ExpertGrid::changed),
        texts(inspector.timeline(), &AnswerTimeline::textChanged);
    const int last = inspector.timeline()->first() + 49 % 8;
    for (int moved = 0; moved < 50; ++moved)
        inspector.timeline()->setPosition(inspector.timeline()->first() + moved % 8);
    QCOMPARE(drawn.count(), 1);
    QTRY_COMPARE(inspector.timeline()->position(), last);
    QCOMPARE(drawn.count(), 2);
    QCOMPARE(texts.count(), 2);
}

void TestInspector::aChangeWhileDisabledIsShownLater() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    inspector.setEnabled(false);
    inspector.tokens()->setMeasure(TokenMeasure::Misses);
    inspector.setEnabled(true);
    QCOMPARE(inspector.tokens()->strip().tokens.size(), size_t{8});
    QVERIFY(!bench.chat().messages()->document(inspector.messageId())->tints().empty());
}

void TestInspector::placesAreThoseOfTheSession() {
    using engine::ExpertState;
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    inspector.grid()->setMode(ActivityGrid::Store);
    const ExpertGrid& grid = *inspector.grid()->cells();
    QTRY_COMPARE(grid.kind(), ExpertGrid::Places);
    QCOMPARE(grid.layers(), kLayers);
    QCOMPARE(grid.experts(), kExperts);
    std::vector<ExpertState> places;
    for (int i = 0; i < kLayers * kExperts; ++i)
        places.push_back(std::array{ExpertState::InMemory, ExpertState::OnDisk, ExpertState::Arriving,
                                    ExpertState::OnDevice, ExpertState::OnDisk}[static_cast<size_t>(i % 5)]);
    bench.control().setExpertStates(places);
    QTRY_COMPARE(grid.value(0, 2), double(ExpertState::Arriving));
    int there = 0;
    for (int l = 0; l < kLayers; ++l) {
        for (int e = 0; e < kExperts; ++e) {
            const ExpertState place = places[static_cast<size_t>(l * kExperts + e)];
            QCOMPARE(grid.value(l, e), double(place));
            there += place == ExpertState::InMemory || place == ExpertState::OnDevice ? 1 : 0;
        }
    }
    QCOMPARE(grid.cellText(0, 0), QStringLiteral("Layer 0, expert 0: in memory"));
    QCOMPARE(grid.cellText(0, 2), QStringLiteral("Layer 0, expert 2: being read"));
    QCOMPARE(grid.cellText(0, 3), QStringLiteral("Layer 0, expert 3: in the GPU's memory"));
    QVERIFY2(inspector.grid()->text().startsWith(QStringLiteral("%1 of 128").arg(there)),
             qPrintable(inspector.grid()->text()));
    // An expert that arrives is seen without any other event.
    places[2] = ExpertState::InMemory;
    bench.control().setExpertStates(places);
    QTRY_COMPARE(grid.value(0, 2), double(ExpertState::InMemory));
    bench.models().close();
    QTRY_COMPARE(grid.layers(), 0);
}

void TestInspector::placesOfADenseModelAreItsLayers() {
    using engine::ExpertState;
    FakeScript dense = story();
    dense.dense = true;
    Bench bench(dense);
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    inspector.grid()->setMode(ActivityGrid::Store);
    const ExpertGrid& grid = *inspector.grid()->cells();
    bench.control().setExpertStates(
        {ExpertState::InMemory, ExpertState::OnDisk, ExpertState::Arriving, ExpertState::InMemory});
    QTRY_COMPARE(grid.value(2, 0), double(ExpertState::Arriving));
    QVERIFY(grid.dense());
    QCOMPARE(grid.layers(), kLayers);
    QCOMPARE(grid.cellText(0, 0), QStringLiteral("Layer 0: in memory"));
    QCOMPARE(grid.cellText(2, 0), QStringLiteral("Layer 2: being read"));
    QCOMPARE(inspector.grid()->text(), QStringLiteral("2 of 4 layer(s) are in memory now."));
}

/// The budget that the replay names is set, the model opens with it, and the charts are about it from then on.
void TestInspector::aBetterBudgetIsSetByOneClick() {
    constexpr double kScarce = 380 << 20; // room for 8 experts besides everything else of the script's model
    Bench bench;
    bench.app().settings()->memoryBudget = kScarce;
    OPEN_MODEL(bench);
    QCOMPARE(bench.models().openInfo()->memory.slots, uint64_t{8});
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_VERIFY(inspector.charts()->betterBudget() > 0);
    const double better = inspector.charts()->betterBudget();
    QVERIFY(better > kScarce);
    QVERIFY(inspector.charts()->budgetText().contains(sizeText(better)));
    inspector.charts()->applyBetterBudget();
    QCOMPARE(double(bench.app().settings()->memoryBudget), better);
    QTRY_VERIFY(bench.models().openInfo() && bench.models().state() == ModelController::Ready);
    QCOMPARE(double(bench.models().openInfo()->memory.budget), better);
    const auto slots = double(bench.models().openInfo()->memory.slots);
    QVERIFY(slots > 8);
    QTRY_COMPARE(inspector.charts()->budgets().mark, std::min(slots, inspector.charts()->budgets().mostX));
    QVERIFY(inspector.charts()->betterBudget() != better); // it is the one in use now
}

void TestInspector::anExpertNamesItsTokens() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    const auto counts = countsOf(bench.script, kPrompt, kPrompt + 8);
    const std::vector<FakePiece> pieces = bench.script.pieces;
    for (const auto& [cell, count] : counts) {
        inspector.grid()->select(cell.first, cell.second);
        QVERIFY(inspector.tokens()->selectionText().contains(QString::number(count)));
        std::set<int> served;
        for (int p = kPrompt; p < kPrompt + 8; ++p)
            for (const engine::ExpertUse& use : fakeRoute(bench.script, p, cell.first).uses)
                if (use.expert == cell.second) served.insert(p - kPrompt);
        const TextDocument* document = bench.chat().messages()->document(inspector.messageId());
        QCOMPARE(document->tints().size(), served.size());
        int named = 0, asked = 0; // the question is one word, in the prompt's second token
        for (const engine::ExpertUse& use : fakeRoute(bench.script, 1, cell.first).uses)
            asked += use.expert == cell.second ? 1 : 0;
        for (const QVariant& token : inspector.tokens()->topTokens()) named += token.toMap()["count"].toInt();
        QCOMPARE(named, count + asked);
    }
    inspector.grid()->deselect();
    QVERIFY(bench.chat().messages()->document(inspector.messageId())->tints().empty());
    inspector.grid()->select(99, 0); // there is no such expert
    QCOMPARE(inspector.grid()->selectedLayer(), -1);
    // A click on a word shows its route.
    inspector.grid()->setMode(ActivityGrid::Reply);
    inspector.showToken(inspector.messageId(), 5);
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Now);
    QCOMPARE(inspector.timeline()->position(), kPrompt + 5);
    QVERIFY(inspector.timeline()->text().contains("fox"));
    QVERIFY(inspector.grid()->text().contains("fox"));
}

void TestInspector::aDifferenceIsThatOfTheShares() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    inspector.comparison()->setAgainst(AnswerComparison::Prompt);
    const ExpertGrid& grid = *inspector.grid()->cells();
    QCOMPARE(grid.kind(), ExpertGrid::Difference);
    const auto before = countsOf(bench.script, 0, kPrompt), after = countsOf(bench.script, kPrompt, kPrompt + 8);
    double largest = 0;
    for (int l = 0; l < kLayers; ++l) {
        for (int e = 0; e < kExperts; ++e) {
            const auto count = [&](const auto& counts) {
                return double(counts.contains({l, e}) ? counts.at({l, e}) : 0);
            };
            const double expected = count(after) / (8 * 4) - count(before) / (kPrompt * 4);
            QVERIFY(qAbs(grid.value(l, e) - expected) < 1e-9);
            largest = std::max(largest, qAbs(expected));
        }
    }
    QCOMPARE(grid.most(), largest);
    QVERIFY(inspector.grid()->text().contains("its prompt"));
    // N20: the sentence, the cell and the legend name a difference alike.
    const QRegularExpression unit(QStringLiteral("\\d points (more|less)"));
    QVERIFY2(inspector.grid()->text().contains(unit), qPrintable(inspector.grid()->text()));
    int named = 0;
    for (int e = 0; e < kExperts; ++e) named += grid.cellText(0, e).contains(unit) ? 1 : 0;
    QVERIFY(named > 0);
    QCOMPARE(ExpertGrid::pointsText(0.34), QStringLiteral("34 points more"));
    QCOMPARE(ExpertGrid::pointsText(-0.031), QStringLiteral("3.1 points less"));
    QCOMPARE(inspector.comparison()->options().size(), 2); // nothing, and its prompt
    inspector.comparison()->keep();
    QVERIFY(answerTo(bench, "Again"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QCOMPARE(inspector.comparison()->options().size(), 4);
    inspector.comparison()->setAgainst(AnswerComparison::Kept); // the scripted engine routes each answer alike
    for (int e = 0; e < kExperts; ++e) QCOMPARE(grid.value(0, e), 0.0);
    const QString kept = QStringLiteral("answer \u201cOnce upon a time a fox\u2026\u201d, which you kept");
    QVERIFY2(inspector.grid()->text().contains(kept), qPrintable(inspector.grid()->text()));
    QVERIFY(inspector.comparison()->options().back().toMap()["text"].toString().contains(kept));
    inspector.comparison()->keep(); // the shown one, which can't be compared with itself
    QCOMPARE(inspector.comparison()->against(), AnswerComparison::None);
    QCOMPARE(grid.kind(), ExpertGrid::Counts);
    QCOMPARE(inspector.comparison()->options().size(), 3);
}

void TestInspector::anotherModelWithAsManyLayers_data() {
    QTest::addColumn<bool>("writerIsDense");
    QTest::addColumn<bool>("openIsDense");
    QTest::addColumn<int64_t>("openExperts");
    QTest::newRow("dense model open") << false << true << int64_t{1};
    QTest::newRow("answer of a dense model") << true << false << int64_t{kExperts};
    QTest::newRow("fewer experts open") << false << false << int64_t{8};
}

/// An old answer is drawn with the experts of the model that wrote it, not with those of the model that is open.
void TestInspector::anotherModelWithAsManyLayers() {
    QFETCH(bool, writerIsDense);
    QFETCH(bool, openIsDense);
    QFETCH(int64_t, openExperts);
    const QTemporaryDir folder;
    FakeScript writer = story();
    writer.dense = writerIsDense;
    qint64 chat = 0;
    {
        AppBench bench(writer, folder.path());
        OPEN_MODEL(bench);
        bench.control().allowAll();
        QVERIFY(bench.chat().send("Hello"));
        QTRY_COMPARE(bench.last(MessageModel::TextRole), QStringLiteral("Once upon a time a fox was here"));
        QTRY_VERIFY(!bench.chat().busy());
        chat = bench.chat().chatId();
    }
    FakeScript other = story();
    other.dense = openIsDense;
    other.experts = openExperts;
    AppBench bench(other, folder.path());
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    bench.chat().openChat(chat);
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QCOMPARE(inspector.grid()->cells()->dense(), writerIsDense);
    QCOMPARE(inspector.grid()->cells()->experts(), writerIsDense ? 1 : kExperts);
    if (writerIsDense) return; // the grid shows how long its layers waited
    inspector.timeline()->setPosition(kPrompt + 1);
    for (int layer = 0; layer < kLayers; ++layer)
        for (const engine::ExpertUse& use : fakeRoute(writer, kPrompt + 1, layer).uses)
            QVERIFY(qAbs(inspector.grid()->cells()->value(layer, use.expert) - static_cast<double>(use.weight)) <
                    0.00001);
}

void TestInspector::aRecordThatCannotBeReadIsToldInWords_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("reason");
    QTest::newRow("damaged") << "UPDATE traces SET data = x'00000005ffffffffff'"
                             << "damaged";
    QTest::newRow("of a later version") << "UPDATE traces SET version = 2"
                                        << "later version";
}

void TestInspector::aRecordThatCannotBeReadIsToldInWords() {
    QFETCH(QString, sql);
    QFETCH(QString, reason);
    Bench bench;
    OPEN_MODEL(bench);
    QVERIFY(answerTo(bench, "Hello"));
    const qint64 chat = bench.chat().chatId();
    const QString text = bench.lastText();
    bench.stop();
    SQLite::Database(QDir(bench.folder()).filePath("chats.db").toStdString(), SQLite::OPEN_READWRITE)
        .exec(sql.toStdString());
    bench.start();
    bench.inspector().setEnabled(true);
    bench.chat().openChat(chat);
    QTRY_COMPARE(bench.inspector().condition(), Inspector::Unreadable);
    QVERIFY2(bench.inspector().conditionText().contains(reason), qPrintable(bench.inspector().conditionText()));
    QVERIFY(!bench.inspector().shown().record());
    QCOMPARE(bench.lastText(), text); // the chat stays
}

void TestInspector::aChatThatIsLeftShowsNothingStale() {
    Bench bench;
    OPEN_MODEL(bench);
    QVERIFY(answerTo(bench, "Hello"));
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(answerTo(bench, "Another"));
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true); // begins to read the record
    bench.chat().openChat(first);
    const qint64 shown = bench.chat().messages()->rows().back().id;
    QCOMPARE(inspector.messageId(), shown);
    QVERIFY(!inspector.shown().record() || inspector.shown().record()->message() == shown);
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QCOMPARE(inspector.shown().record()->message(), shown);
    bench.chat().newChat();
    QCOMPARE(inspector.condition(), Inspector::Nothing);
    QCOMPARE(inspector.grid()->cells()->layers(), 0);
    QVERIFY(!inspector.shown().record());
}

void TestInspector::itGrowsWhileTheAnswerIsWritten() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(bench.chat().send("Hello"));
    bench.control().allow(kPrompt + 3);
    QTRY_COMPARE(inspector.timeline()->last(), kPrompt + 1); // the third token has no pass yet
    QVERIFY(inspector.live());
    QVERIFY(inspector.timeline()->following());
    QCOMPARE(inspector.timeline()->position(), kPrompt + 1);
    inspector.timeline()->setPosition(kPrompt);
    bench.control().allow(2);
    QTRY_COMPARE(inspector.timeline()->last(), kPrompt + 3);
    QCOMPARE(inspector.timeline()->position(), kPrompt); // the reader's place
    bench.chat().stop();
    bench.control().allowAll();
    QTRY_VERIFY(!bench.chat().busy());
    QTRY_VERIFY(!inspector.live());
    QCOMPARE(inspector.timeline()->position(), kPrompt);
    QCOMPARE(inspector.condition(), Inspector::Ready);
}

void TestInspector::aModelWithoutExpertsShowsItsLayers() {
    FakeScript dense = story();
    dense.dense = true;
    dense.bytesFromDisk = 0;
    Bench bench(dense);
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QVERIFY(inspector.grid()->cells()->dense());
    QCOMPARE(inspector.grid()->cells()->layers(), kLayers);
    QVERIFY(inspector.charts()->remarks().join(' ').contains("no experts"));
    QVERIFY(inspector.charts()->sentence().contains("layer"));
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Now); // counts would be the same for every layer
    QCOMPARE(inspector.grid()->cells()->kind(), ExpertGrid::Waits);
    QCOMPARE(inspector.grid()->cells()->cellText(2, 0), QStringLiteral("Layer 2: did not wait"));
    QCOMPARE(inspector.grid()->cells()->scaleEnds(), (QStringList{"did not wait", "waited"})); // f38: both have a name
    QVERIFY(inspector.charts()->coverage().empty() && inspector.charts()->budgetText().isEmpty());
    inspector.grid()->setMode(ActivityGrid::Reply);
    QCOMPARE(inspector.grid()->cells()->value(2, 0), 8.0);
}

void TestInspector::theTraceIsSavedAsTheCommandLineWritesIt() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QTemporaryDir folder;
    const auto file = [&](const char* name) { return QUrl::fromLocalFile(folder.filePath(name)); };
    QVERIFY(inspector.files()->exportCsv(file("none.csv")).valid()); // there is no record yet
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QVERIFY(!inspector.files()->exportCsv(file("trace.csv")).valid());
    QFile csv(folder.filePath("trace.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.front(),
             "position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows,seconds");
    QCOMPARE(lines.size(), 1 + (kPrompt + 8) * kLayers * 4);
    int at = 1;
    for (int p = 0; p < kPrompt + 8; ++p) {
        for (int l = 0; l < kLayers; ++l) {
            for (const engine::ExpertUse& use : fakeRoute(bench.script, p, l).uses) {
                const QList<QByteArray> fields = lines[at++].split(',');
                QCOMPARE(fields[0].toInt(), p);
                QCOMPARE(fields[3].toInt(), p < kPrompt ? 1 : 0);
                QCOMPARE(fields[4].toInt(), l);
                QCOMPARE(fields[6].toInt(), use.expert);
                QVERIFY(qAbs(fields[7].toDouble() - static_cast<double>(use.weight)) < 0.00002);
                QCOMPARE(fields[8].toInt(), use.hit ? 1 : 0);
                QCOMPARE(fields[9].toInt(), use.activeNeurons);
            }
        }
    }
    QVERIFY(!inspector.files()->exportJson(file("trace.json")).valid());
    QVERIFY(!inspector.files()->exportPng(file("grid.png")).valid());
    QVERIFY(!QImage(folder.filePath("grid.png")).isNull());
    QVERIFY(inspector.files()->exportCsv(file("none/trace.csv")).valid());
    QVERIFY(inspector.files()->exportPng(file("none/grid.png")).valid());
    inspector.files()->copySummary();
    QVERIFY(QGuiApplication::clipboard()->text().contains(inspector.charts()->sentence()));
}

void TestInspector::textsAreWhatTheFiguresSay() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QVERIFY2(inspector.charts()->sentence().contains("came from memory"), qPrintable(inspector.charts()->sentence()));
    QStringList names;
    for (const QVariant& row : inspector.charts()->figures()) {
        const QVariantMap figure = row.toMap();
        names.append(figure["name"].toString());
        QVERIFY(!figure["value"].toString().isEmpty());
        QVERIFY(figure["about"].toString().endsWith('.'));
    }
    for (const char* name : {"From memory", "Read from disk", "Head rows", "Active neurons"})
        QVERIFY2(names.contains(QLatin1String(name)), name);
    QCOMPARE(namesOf(inspector.charts()->modelFigures()), (QStringList{"Memory budget", "Context"}));
    QTRY_VERIFY(!inspector.charts()->balance().empty());
    QCOMPARE(inspector.tokens()->measures().size(), 7);
    inspector.tokens()->setMeasure(TokenMeasure::Misses);
    QVERIFY(!inspector.tokens()->measureText().isEmpty());
    QCOMPARE(inspector.tokens()->strip().tokens.size(), size_t{8});
    QCOMPARE(inspector.tokens()->strip().tokens.at(5).words, QStringLiteral("fox "));
}

/// The tokens that were kept may come from another chat, which begins alike.
void TestInspector::n13ReusedTokensNameNoConversation() {
    FakeScript script = story();
    script.promptReused = 3;
    Bench bench(script);
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello")); // the first message of a new chat
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    const QString remarks = inspector.charts()->remarks().join(' ');
    QVERIFY2(remarks.contains("3 token(s) of the prompt were not read again"), qPrintable(remarks));
    QVERIFY2(!remarks.contains("conversation"), qPrintable(remarks));
}

void TestInspector::n5LiveAndAfterwardsCountTheSame_data() {
    QTest::addColumn<QString>("script");
    QTest::newRow("every read is a prefetch") << QStringLiteral("dense-from-disk");
    QTest::newRow("every read was missing") << QStringLiteral("from-disk");
}

/// The share from memory means the same while an answer is written, afterwards, and in the gauges.
void TestInspector::n5LiveAndAfterwardsCountTheSame() {
    QFETCH(QString, script);
    Bench bench(*fakeScript(script.toStdString()));
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(bench.chat().send("Hello"));
    bench.control().allow(bench.script.promptTokens + 4);
    const auto share = [&] { return valueOf(inspector.charts()->figures(), "From memory"); };
    QTRY_VERIFY(inspector.live() && !share().isEmpty());
    const QString live = share();
    QVERIFY2(inspector.charts()->sentence().startsWith(live), qPrintable(inspector.charts()->sentence()));
    bench.app().experts()->sample(1);
    QCOMPARE(live, shareText(bench.app().experts()->wholeFromMemory()));
    bench.chat().stop();
    bench.control().allowAll();
    QTRY_VERIFY(!inspector.live());
    QCOMPARE(share(), live);
    QVERIFY2(inspector.charts()->sentence().startsWith(live), qPrintable(inspector.charts()->sentence()));
}

/// Nothing that is said of an answer changes when another model is opened.
void TestInspector::n12AnAnswerOfAnotherModelIsNamed() {
    const QTemporaryDir folder;
    QStringList said;
    qint64 chat = 0;
    const auto ofAnswer = [](Inspector& inspector) {
        return QStringList{inspector.answerHeading(), inspector.charts()->sentence(), inspector.grid()->text()} +
               namesOf(inspector.charts()->figures());
    };
    {
        AppBench bench(story(), folder.path());
        OPEN_MODEL(bench);
        bench.app().inspector()->setEnabled(true);
        bench.control().allowAll();
        QVERIFY(bench.chat().send("Hello"));
        QTRY_VERIFY(!bench.chat().busy() && bench.app().inspector()->condition() == Inspector::Ready);
        chat = bench.chat().chatId();
        said = ofAnswer(*bench.app().inspector());
        QCOMPARE(said.front(), QStringLiteral("This answer, by Scripted"));
    }
    FakeScript other = story();
    other.name = "Other";
    other.layers = 12;
    AppBench bench(other, folder.path());
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    bench.chat().openChat(chat);
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QCOMPARE(ofAnswer(inspector), said);
    QCOMPARE(inspector.charts()->modelHeading(), QStringLiteral("Open model: Other"));
    QVERIFY(!namesOf(inspector.charts()->figures()).contains("Memory budget"));
    QVERIFY(!namesOf(inspector.charts()->figures()).contains("Context"));
    inspector.grid()->setMode(ActivityGrid::Store); // shows the open model
    QVERIFY2(inspector.grid()->text().contains("The open model is Other"), qPrintable(inspector.grid()->text()));
}

void TestInspector::n14TheContextOfAnOldChatIsItsCount() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    const qint64 chat = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(answerTo(bench, "A longer question of another chat"));
    QString shown; // as a view has it, which reads the figures when they change
    connect(inspector.charts(), &AnswerCharts::modelFiguresChanged, &inspector,
            [&] { shown = valueOf(inspector.charts()->modelFigures(), "Context"); });
    bench.chat().openChat(chat);
    const qsizetype tokens = QStringLiteral("HelloOnce upon a time a fox was here").size(); // the fake's are bytes
    QTRY_COMPARE(bench.chat().contextUsed(), static_cast<int>(tokens));
    QTRY_COMPARE(shown, QStringLiteral("%1 of 4,096 tokens").arg(tokens));
}

/// Improvement 5: the whole answer after an answer, a route at a click on a word and while an answer is written.
void TestInspector::i5AnAnswerThatEndedShowsAnswer() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(bench.chat().send("Hello"));
    bench.control().allow(kPrompt + 3);
    QTRY_COMPARE(inspector.timeline()->last(), kPrompt + 1);
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Now);
    QCOMPARE(inspector.grid()->cells()->kind(), ExpertGrid::Weights);
    bench.control().allowAll();
    QTRY_VERIFY(!inspector.live());
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Reply);
    QCOMPARE(inspector.grid()->cells()->kind(), ExpertGrid::Counts);
    inspector.showToken(inspector.messageId(), 5);
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Now);
    inspector.grid()->setMode(ActivityGrid::Chat); // a mode that is about more than this answer stays
    QVERIFY(answerTo(bench, "Again"));
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Chat);
    inspector.grid()->setMode(ActivityGrid::Reply);
    inspector.timeline()->setPosition(kPrompt + 1); // the slider
    QCOMPARE(inspector.grid()->mode(), ActivityGrid::Now);
}

void TestInspector::probabilitiesAreRecordedOnRequest() {
    Bench bench;
    OPEN_MODEL(bench);
    Inspector& inspector = bench.inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QVERIFY(!bench.control().options().back().details.probabilities);
    inspector.tokens()->setMeasure(TokenMeasure::Probability);
    QVERIFY(inspector.tokens()->measureText().startsWith("This answer has no probabilities"));
    QVERIFY(answerTo(bench, "Again"));
    QVERIFY(bench.control().options().back().details.probabilities);
    QTRY_VERIFY(!inspector.tokens()->measureText().startsWith("This answer has no probabilities"));
    const TextDocument* document = bench.chat().messages()->document(inspector.messageId());
    QVERIFY(!document->tints().empty());
    inspector.setEnabled(false);
    QVERIFY(document->tints().empty());
    QVERIFY(answerTo(bench, "Once more"));
    QVERIFY(!bench.control().options().back().details.probabilities);
}

/// Random users: whatever they do, everything that is shown is the shown message's. COTERIE_SEQUENCES sets their
/// number, COTERIE_SEED what they do.
void TestInspector::randomSequences() {
    const int all = sequences(longTests() ? 10000 : 60);
    const quint32 seed = sequenceSeed(16);
    FakeScript script = story();
    script.numbered = true;
    Bench bench(script);
    OPEN_MODEL(bench);
    RandomUser user(bench.app(), bench.control(), bench.folder(), script, seed);
    QVERIFY(user.ready());
    int shown = 0;
    for (int step = 0; step < all * 6; ++step) {
        user.step();
        if (step % 2 == 0) QTRY_VERIFY(user.engineRests()); // else it writes while the user goes on
        QCoreApplication::processEvents();
        const QString fault = user.fault();
        QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("COTERIE_SEED=%1, step %2: ").arg(seed).arg(step) + fault));
        shown += user.shows() ? 1 : 0;
    }
    bench.control().allowAll();
    QVERIFY2(shown > all / 2, qPrintable(QString::number(shown))); // the sequences did show records
}

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
