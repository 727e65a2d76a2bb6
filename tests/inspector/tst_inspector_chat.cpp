// SPDX-License-Identifier: Apache-2.0
// The answers of a chat added up, over the whole program with a scripted engine: which ones are added, and that grid
// and charts follow when an answer comes or goes.
#include "app/app_bench.h"
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "support/english.h"

#include <QtTest>

#include <map>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kTokens = 4; // number of tokens of each answer

FakeScript story(const char* name) {
    FakeScript script = AppBench::words();
    script.name = name;
    script.layers = 4;
    return script;
}

bool answerTo(AppBench& bench, const char* prompt) {
    bench.control().allowAll();
    if (!bench.chat().send(QLatin1String(prompt))) return false;
    return QTest::qWaitFor([&] { return bench.chat().busy(); }, kPatienceMs) &&
           QTest::qWaitFor([&] { return !bench.chat().busy(); }, kPatienceMs);
}

QString tokens(int count) { return QStringLiteral("token %1").arg(count); }

} // namespace

class TestInspectorChat : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void anotherModelsAnswersAreNotAdded();
    void chartsFollowTheAnswers();
    void anAnswerWithoutARecordShowsTheOthers();
    void anotherChatIsCountedWhole();
    void recordsThatAreRemovedAreNotShown();
    void aNewAnswerIsShownOnce();
};

/// The experts of two models have different tasks, also if both have as many of them.
void TestInspectorChat::anotherModelsAnswersAreNotAdded() {
    const QTemporaryDir folder;
    qint64 chat = 0;
    {
        AppBench bench(story("One"), folder.path());
        OPEN_MODEL(bench);
        QVERIFY(answerTo(bench, "Hello"));
        chat = bench.chat().chatId();
    }
    AppBench bench(story("Another"), folder.path());
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    bench.chat().openChat(chat);
    for (const char* prompt : {"Again", "And again"}) QVERIFY(answerTo(bench, prompt));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    inspector.grid()->setMode(ActivityGrid::Chat);
    QTRY_VERIFY2(inspector.grid()->text().endsWith("in 2 of this chat's 3 answer(s)."),
                 qPrintable(inspector.grid()->text()));
    QVERIFY2(inspector.grid()->text().startsWith("How many of 8 token(s)"), qPrintable(inspector.grid()->text()));
    QTRY_VERIFY(inspector.charts()->measured());
    QCOMPARE(inspector.charts()->text(), QStringLiteral("From 2 answer(s) of this chat."));
    QTRY_COMPARE(inspector.charts()->coverage().rightText, tokens(2 * kTokens));
    inspector.showMessage(bench.chat().messages()->rows()[1].id);
    QTRY_COMPARE(inspector.answerHeading(), QStringLiteral("This answer, by One"));
    QTRY_VERIFY2(inspector.grid()->text().endsWith("in 1 of this chat's 3 answer(s)."),
                 qPrintable(inspector.grid()->text()));
}

void TestInspectorChat::chartsFollowTheAnswers() {
    AppBench bench(story("One"));
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    inspector.showMessage(inspector.messageId());
    inspector.grid()->setMode(ActivityGrid::Chat);
    const auto charted = [&] { return inspector.charts()->coverage().rightText; };
    QTRY_COMPARE(charted(), tokens(kTokens));
    const qint64 first = inspector.messageId();
    bench.control().hold();
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    QTRY_VERIFY(inspector.messageId() > first);
    inspector.showMessage(first); // the new answer is not shown
    bench.control().allowAll();
    QTRY_COMPARE(charted(), tokens(2 * kTokens));
    QCOMPARE(inspector.charts()->text(), QStringLiteral("From 2 answer(s) of this chat."));
    bench.chat().actions()->remove(bench.chat().messages()->rows()[2].id); // the prompt, and its answer with it
    QTRY_COMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(inspector.charts()->text(), QStringLiteral("From 1 answer(s) of this chat."));
    QTRY_COMPARE(charted(), tokens(kTokens));
}

/// Each view says what it has, or why it has nothing: "Chat" has the answers that have records.
void TestInspectorChat::anAnswerWithoutARecordShowsTheOthers() {
    AppBench bench(story("One"));
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    ActivityGrid& grid = *inspector.grid();
    const auto answerUnrecorded = [&] {
        inspector.setEnabled(false); // nobody looks, either
        bench.app().settings()->tracesKept = false;
        const bool answered = answerTo(bench, "Unseen");
        bench.app().settings()->tracesKept = true;
        inspector.setEnabled(true);
        return answered;
    };
    QVERIFY(answerUnrecorded());
    grid.setMode(ActivityGrid::Chat);
    QTRY_COMPARE(inspector.condition(), Inspector::NotTraced);
    QTRY_COMPARE(grid.text(), QStringLiteral("This chat has no other answer that could be counted."));
    QCOMPARE(grid.cells()->layers(), 0);
    QVERIFY(answerTo(bench, "Seen"));
    QTRY_COMPARE(inspector.condition(), Inspector::Ready);
    QTRY_VERIFY2(grid.text().endsWith("in 1 of this chat's 2 answer(s)."), qPrintable(grid.text()));
    QVERIFY(answerUnrecorded());
    QTRY_COMPARE(inspector.condition(), Inspector::NotTraced);
    QTRY_COMPARE(grid.text(),
                 QStringLiteral("How many of %1 token(s) used each expert, in 1 of this chat's 3 answer(s). They were "
                                "written by One.")
                     .arg(kTokens));
    QCOMPARE(grid.cells()->layers(), 4);
    const std::map<ActivityGrid::Mode, QString> others{
        {ActivityGrid::Now, QStringLiteral("Without a record there is no token to show.")},
        {ActivityGrid::Reply, QStringLiteral("Without a record there is nothing to count.")}};
    for (const auto& [mode, words] : others) {
        grid.setMode(mode);
        QCOMPARE(grid.text(), words);
        QCOMPARE(grid.cells()->layers(), 0);
    }
    grid.setMode(ActivityGrid::Chat);
    QCOMPARE(grid.cells()->layers(), 4);
}

/// The view stays when another chat is opened. The records of that one's answers are read then.
void TestInspectorChat::anotherChatIsCountedWhole() {
    AppBench bench(story("One"));
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    for (const char* prompt : {"Hello", "Again"}) QVERIFY(answerTo(bench, prompt));
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(answerTo(bench, "Another"));
    inspector.grid()->setMode(ActivityGrid::Chat);
    QTRY_VERIFY(inspector.grid()->text().endsWith("in this chat's 1 answer(s)."));
    bench.chat().openChat(first);
    QTRY_VERIFY2(inspector.grid()->text().endsWith("in this chat's 2 answer(s)."),
                 qPrintable(inspector.grid()->text()));
    QTRY_COMPARE(inspector.charts()->coverage().rightText, tokens(2 * kTokens));
}

void TestInspectorChat::recordsThatAreRemovedAreNotShown() {
    AppBench bench(story("One"));
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    for (const char* prompt : {"Hello", "Again"}) QVERIFY(answerTo(bench, prompt));
    inspector.grid()->setMode(ActivityGrid::Chat);
    QTRY_VERIFY(inspector.grid()->text().endsWith("in this chat's 2 answer(s)."));
    bench.app().records()->removeAll();
    QTRY_COMPARE(inspector.condition(), Inspector::NotTraced);
    QTRY_COMPARE(inspector.grid()->text(), QStringLiteral("This chat has no other answer that could be counted."));
    QVERIFY(inspector.files()->exportCsv(QUrl::fromLocalFile(QStringLiteral("none.csv"))).valid());
}

/// Whoever looks at an older answer and sends a message sees the new one; an older one that is chosen then stays.
void TestInspectorChat::aNewAnswerIsShownOnce() {
    AppBench bench(story("One"));
    OPEN_MODEL(bench);
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    QVERIFY(answerTo(bench, "Hello"));
    const qint64 first = inspector.messageId();
    inspector.showMessage(first);
    bench.control().hold();
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    QTRY_VERIFY(inspector.messageId() > first);
    const qint64 second = inspector.messageId();
    inspector.showMessage(first);
    bench.control().allowAll();
    QTRY_VERIFY(!bench.chat().busy());
    QCOMPARE(inspector.messageId(), first);
    bench.chat().actions()->regenerate(second);
    QTRY_VERIFY(inspector.messageId() > second);
}

QTEST_MAIN(TestInspectorChat)
#include "tst_inspector_chat.moc"
