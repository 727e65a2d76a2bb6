// SPDX-License-Identifier: Apache-2.0
// The answers of a chat added up, over the whole program with a scripted engine: which ones are added, and that grid
// and charts follow when an answer comes or goes.
#include "app/app_bench.h"
#include "inspector/inspector.h"
#include "support/english.h"

#include <QtTest>

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
