// SPDX-License-Identifier: Apache-2.0
// Steps whose conversation is counted before they are done, over a scripted engine and a real database: what a person
// types, leaves or undoes before the count is known.
#include "app/app_bench.h"
#include "common/language.h"

#include <QtTest>

#include <memory>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestCountedSteps : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); }
    void init();
    void cleanup() { bench_.reset(); }

    void anEditThatChangesIsNotSent();
    void anEditThatIsSentAgainHasItsLatestText();
    void anEditThatIsLeftIsNotSent();
    void anAnswerThatWasUndoneIsNotContinued();

  private:
    Conversation& chat() { return bench_->chat(); }
    MessageActions& actions() { return *chat().actions(); }
    qint64 id(int row) { return chat().messages()->rows()[static_cast<size_t>(row)].id; }
    QString text(int row) { return chat().messages()->index(row).data(MessageModel::TextRole).toString(); }
    bool idle(int messages) {
        return QTest::qWaitFor([&] { return chat().messages()->count() == messages && !chat().busy(); }, kPatienceMs);
    }
    /// Sends the prompt and waits for its answer.
    bool talk(const QString& prompt) {
        const int before = chat().messages()->count();
        return chat().send(prompt) && idle(before + 2);
    }
    /// Waits until everything was counted that is to be counted so far.
    bool allCounted() {
        chat().countTokens();
        return QTest::qWaitFor([this] { return chat().contextUsed() > 0; }, kPatienceMs);
    }

    std::unique_ptr<AppBench> bench_;
};

/// The context is so small that every prompt may be too long: it is counted.
void TestCountedSteps::init() {
    FakeScript script = AppBench::words();
    script.contextSize = 200;
    bench_ = std::make_unique<AppBench>(script);
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
}

void TestCountedSteps::anEditThatChangesIsNotSent() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two"));
    actions().keepEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two and more"));
    QVERIFY(allCounted());
    QVERIFY(!chat().busy() && text(0) == QStringLiteral("One"));
    QCOMPARE(actions().editText(id(0)), QStringLiteral("Two and more"));
    QVERIFY(!chat().error().valid());
    actions().keepEdit(id(0));
    QTRY_COMPARE(text(0), QStringLiteral("Two and more"));
    QVERIFY(actions().edited().isEmpty());
}

/// Its first text is being counted then.
void TestCountedSteps::anEditThatIsSentAgainHasItsLatestText() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 prompt = id(0);
    actions().beginEdit(prompt);
    for (const auto& words : {QStringLiteral("Two"), QStringLiteral("Two and more")}) {
        actions().setEditText(prompt, words);
        actions().keepEdit(prompt);
    }
    QTRY_COMPARE(text(0), QStringLiteral("Two and more"));
    QVERIFY(idle(2) && actions().edited().isEmpty());
    QCOMPARE(chat().messages()->siblings(id(0)).ids.size(), size_t{2});
}

void TestCountedSteps::anEditThatIsLeftIsNotSent() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two"));
    actions().keepEdit(id(0));
    actions().leaveEdit(id(0));
    QVERIFY(allCounted());
    QVERIFY(!chat().busy() && !chat().error().valid());
    QCOMPARE(text(0), QStringLiteral("One"));
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(actions().editText(id(0)), QStringLiteral("Two"));
}

/// It has fewer words than those that were counted.
void TestCountedSteps::anAnswerThatWasUndoneIsNotContinued() {
    bench_->control().hold();
    QVERIFY(chat().send(QStringLiteral("One")));
    bench_->control().allow(1 + 1);
    QTRY_VERIFY(chat().messages()->count() == 2 && text(1) == QStringLiteral("Once "));
    chat().stop();
    QVERIFY(idle(2));
    bench_->control().allowAll();
    actions().continueAnswer(id(1));
    QTRY_COMPARE(text(1), QStringLiteral("Once upon a time"));
    QVERIFY(idle(2));
    actions().continueAnswer(id(1));
    QVERIFY(bench_->app().undo()->undo());
    QVERIFY(allCounted());
    QVERIFY(!chat().busy());
    QCOMPARE(text(1), QStringLiteral("Once "));
    QVERIFY(bench_->app().undo()->redo());
    QCOMPARE(text(1), QStringLiteral("Once upon a time"));
}

QTEST_MAIN(TestCountedSteps)
#include "tst_counted_steps.moc"
