// SPDX-License-Identifier: Apache-2.0
// The inspector while an answer begins, over the whole program with a scripted engine that waits for each step.
#include "app/app_bench.h"
#include "inspector/inspector.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kPrompt = 5;

FakeScript story() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a ", "time"};
    script.promptTokens = kPrompt;
    script.layers = 4;
    return script;
}

} // namespace

class TestInspectorLive : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anAnswerThatBeginsIsNotCalledUnrecorded() {
        AppBench bench(story());
        OPEN_MODEL(bench);
        Inspector& inspector = *bench.app().inspector();
        inspector.setEnabled(true);
        int untraced = 0;
        connect(&inspector, &Inspector::conditionChanged, this,
                [&] { untraced += inspector.condition() == Inspector::NotTraced; });
        QVERIFY(bench.chat().send("Hello"));
        QVERIFY(inspector.live()); // before the engine's thread has begun
        QCOMPARE(inspector.condition(), Inspector::Nothing);
        bench.control().allow(kPrompt + 1);
        QTRY_COMPARE(inspector.condition(), Inspector::Ready);
        bench.chat().newChat();
        QVERIFY(bench.chat().send("Another"));
        QVERIFY(inspector.live());
        QVERIFY2(inspector.conditionText().contains("waits"), qPrintable(inspector.conditionText()));
        bench.control().allowAll();
        QTRY_VERIFY(inspector.condition() == Inspector::Ready && !inspector.live());
        QCOMPARE(untraced, 0);
    }
};

QTEST_MAIN(TestInspectorLive)
#include "tst_inspector_live.moc"
