// SPDX-License-Identifier: Apache-2.0
// Prompts that wait while an answer is being written: sent in their order, held when an answer is stopped, and never
// lost.
#include "app/app_bench.h"
#include "common/language.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

QStringList promptsOf(const MessageModel& messages) {
    QStringList prompts;
    for (const MessageRow& row : messages.rows())
        if (row.role == engine::Role::User) prompts.append(row.text());
    return prompts;
}

QStringList waiting(const QueuedPrompts& queue) {
    QStringList texts;
    for (int row = 0; row < queue.rowCount(); ++row)
        texts.append(queue.index(row).data(QueuedPrompts::TextRole).toString());
    return texts;
}

const QString kAfter = QStringLiteral("Will be sent after this answer");
const QString kWaits = QStringLiteral("Not sent yet: it waits until you send it");

} // namespace

class TestPromptQueue : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        QVERIFY(useLanguage());
    }
    void promptsAreSentOneAfterTheOther();
    void aStoppedAnswerLeavesThemWaiting();
    void aFullContextLeavesThemWaiting();
    void theyAreKeptOverARestart();
    void oneIsEditedOrCancelled();
    void anEditIsLeft();
    void anEditEndsWhenItIsSent();
    void theyAreSentWhileAnotherChatIsShown();
    void onesWithoutRoomAreHeld();

  private:
    /// Begins an answer, and puts prompts into the queue.
    static void begin(AppBench& bench, const QStringList& texts) {
        OPEN_MODEL(bench);
        QVERIFY(bench.chat().send(QStringLiteral("First")));
        bench.control().allow(2);
        QTRY_COMPARE(bench.chat().state(), Conversation::Writing);
        for (const QString& text : texts) QVERIFY(bench.chat().queue()->add(text));
    }
};

void TestPromptQueue::promptsAreSentOneAfterTheOther() {
    AppBench bench;
    const QueuedPrompts& queue = *bench.chat().queue();
    const QAbstractItemModelTester tester(bench.chat().queue(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    begin(bench, {QStringLiteral("Second"), QStringLiteral("Third")});
    QVERIFY(!bench.chat().queue()->add(QStringLiteral("  ")));
    QCOMPARE(waiting(queue), QStringList({QStringLiteral("Second"), QStringLiteral("Third")}));
    QCOMPARE(queue.stateText(), kAfter);
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    QCOMPARE(bench.chat().messages()->count(), 2);
    bench.control().allow(3 + 1 + 1); // the first answer, and the beginning of the second
    QTRY_COMPARE(bench.chat().messages()->count(), 4);
    QCOMPARE(waiting(queue), QStringList(QStringLiteral("Third")));
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought"));
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().messages()->count(), 6);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(promptsOf(*bench.chat().messages()),
             QStringList({QStringLiteral("First"), QStringLiteral("Second"), QStringLiteral("Third")}));
    QCOMPARE(queue.count(), 0);
    bench.restart();
    QCOMPARE(bench.chat().queue()->count(), 0); // sent prompts do not wait any more
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought"));
}

void TestPromptQueue::aStoppedAnswerLeavesThemWaiting() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second"), QStringLiteral("Third")});
    QueuedPrompts& queue = *bench.chat().queue();
    bench.chat().stop();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY(queue.held());
    QCOMPARE(queue.stateText(), QStringLiteral("Not sent: the answer before it was stopped"));
    QCOMPARE(queue.count(), 2);
    QSignalSpy changed(&queue, &QueuedPrompts::changed);
    QVERIFY(bench.chat().send(QStringLiteral("Between"))); // whatever else is sent, they wait
    QTRY_VERIFY(bench.chat().busy());
    QVERIFY(!changed.isEmpty());
    QCOMPARE(queue.stateText(), kWaits); // the answer before it is another one now
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCoreApplication::processEvents();
    QCOMPARE(queue.stateText(), kWaits);
    QCOMPARE(queue.count(), 2);
    queue.sendNext();
    QTRY_COMPARE(bench.chat().messages()->count(), 8);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(queue.count(), 0);
    QCOMPARE(promptsOf(*bench.chat().messages()).mid(1),
             QStringList({QStringLiteral("Between"), QStringLiteral("Second"), QStringLiteral("Third")}));
}

void TestPromptQueue::aFullContextLeavesThemWaiting() {
    FakeScript script = AppBench::words();
    script.contextSize = 8; // the fake makes a token of each byte of "First"
    script.endless = true;
    AppBench bench(script);
    begin(bench, {QStringLiteral("Second")});
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().queue()->stateText(), QStringLiteral("Not sent. The context was full."));
    QCOMPARE(bench.chat().queue()->count(), 1);
}

void TestPromptQueue::theyAreKeptOverARestart() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second"), QStringLiteral("Third")});
    {
        QTemporaryDir copied; // as a kill would leave the folder now
        for (const QString& name : QDir(bench.folder()).entryList({QStringLiteral("chats.db*")}))
            QVERIFY(QFile::copy(QDir(bench.folder()).filePath(name), copied.filePath(name)));
        const auto store = ChatStore::open({.folder = copied.path(), .migrations = {}});
        QCOMPARE(store.value()->waiting().list(bench.chat().chatId())->size(), size_t{2});
    }
    bench.restart();
    QueuedPrompts& queue = *bench.chat().queue();
    QCOMPARE(waiting(queue), QStringList({QStringLiteral("Second"), QStringLiteral("Third")}));
    QVERIFY(queue.held());
    QCOMPARE(queue.stateText(), QStringLiteral("Not sent yet: the program was closed before"));
    bench.models().close();
    QTRY_VERIFY(bench.models().state() != ModelController::Ready);
    queue.sendNext();
    QTRY_VERIFY(queue.held());
    QCOMPARE(queue.stateText(), QStringLiteral("Not sent. No model is open."));
    OPEN_MODEL(bench);
    bench.control().allowAll();
    queue.sendNext();
    QTRY_COMPARE(bench.chat().messages()->count(), 6);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
}

void TestPromptQueue::oneIsEditedOrCancelled() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second"), QStringLiteral("Third"), QStringLiteral("Fourth")});
    QueuedPrompts& queue = *bench.chat().queue();
    bench.chat().setDraft(QStringLiteral("Draft"));
    queue.edit(1);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Third\n\nDraft"));
    QCOMPARE(waiting(queue), QStringList({QStringLiteral("Second"), QStringLiteral("Fourth")}));
    queue.remove(0);
    QCOMPARE(waiting(queue), QStringList(QStringLiteral("Fourth")));
    QCOMPARE(bench.app().undo()->undoTitle(), QStringLiteral("Cancel the waiting message"));
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(waiting(queue), QStringList({QStringLiteral("Second"), QStringLiteral("Fourth")})); // at its old place
    QVERIFY(bench.app().undo()->redo());
    QCOMPARE(waiting(queue), QStringList(QStringLiteral("Fourth")));
    queue.remove(7);
    QCOMPARE(queue.count(), 1);
    for (int i = 0; i < 2; ++i) QVERIFY(bench.app().undo()->undo()); // the edit, too
    QCOMPARE(waiting(queue),
             QStringList({QStringLiteral("Second"), QStringLiteral("Third"), QStringLiteral("Fourth")}));
    QCOMPARE(bench.chat().draft(), QStringLiteral("Draft"));
    const qint64 chat = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(bench.app().undo()->redo()); // while another chat is in view
    QCOMPARE(bench.chat().draft(), QString());
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Third\n\nDraft"));
    QCOMPARE(waiting(queue), QStringList({QStringLiteral("Second"), QStringLiteral("Fourth")}));
    bench.chat().setDraft(QStringLiteral("Other words")); // in place of those of the prompt
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(bench.chat().draft(), QStringLiteral("Other words"));
    QCOMPARE(queue.count(), 3);
}

/// The answer has ended meanwhile: nothing is sent that the person has just taken back.
void TestPromptQueue::anEditIsLeft() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second"), QStringLiteral("Third")});
    QueuedPrompts& queue = *bench.chat().queue();
    QVERIFY(!queue.editing() && !queue.leaveEdit());
    const QStringList both{QStringLiteral("Second"), QStringLiteral("Third")};
    bench.chat().setDraft(QStringLiteral("Half"));
    queue.edit(1);
    queue.edit(0);
    QVERIFY(queue.editing());
    bench.chat().setDraft(QStringLiteral("Second, changed"));
    QVERIFY(queue.leaveEdit()); // the latest one
    QCOMPARE(waiting(queue), QStringList(QStringLiteral("Second")));
    QCOMPARE(bench.chat().draft(), QStringLiteral("Third\n\nHalf"));
    QVERIFY(queue.editing());
    QVERIFY(bench.app().undo()->undo()); // nothing that was typed is lost
    QCOMPARE(bench.chat().draft(), QStringLiteral("Second, changed"));
    QCOMPARE(queue.count(), 0);
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY(queue.leaveEdit() && queue.leaveEdit() && !queue.editing());
    QCOMPARE(waiting(queue), both);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half"));
    QVERIFY(queue.held());
    QCOMPARE(queue.stateText(), kWaits);
    QCOMPARE(bench.chat().messages()->count(), 2);
}

void TestPromptQueue::anEditEndsWhenItIsSent() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second")});
    QueuedPrompts& queue = *bench.chat().queue();
    queue.edit(0);
    QVERIFY(queue.add(bench.chat().draft())); // it waits again, as a new one
    bench.chat().setDraft(QString());
    QVERIFY(!queue.editing());
    queue.edit(0);
    QVERIFY(bench.app().undo()->undo());
    QVERIFY(!queue.editing());
    QVERIFY(bench.app().undo()->redo());
    QVERIFY(queue.editing());
    bench.chat().stop();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY(queue.editing());
    QVERIFY(bench.chat().send(bench.chat().draft()));
    QTRY_VERIFY(!queue.editing());
}

void TestPromptQueue::theyAreSentWhileAnotherChatIsShown() {
    AppBench bench;
    begin(bench, {QStringLiteral("Second")});
    const qint64 chat = bench.chat().chatId(), first = bench.chat().messages()->rows().back().id;
    bench.chat().newChat();
    QCOMPARE(bench.chat().queue()->count(), 0);
    bench.control().allow(3 + 1 + 1);
    const AnswerQueue& answers = *bench.app().answers();
    QTRY_VERIFY(answers.progress(chat) && answers.progress(chat)->message != first);
    QCOMPARE(bench.chat().messages()->count(), 0);
    bench.chat().openChat(chat); // its answer is shown as it grows
    QCOMPARE(bench.chat().messages()->count(), 4);
    QVERIFY(bench.chat().busy());
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
}

void TestPromptQueue::onesWithoutRoomAreHeld() {
    FakeScript script = AppBench::words();
    script.contextSize = 100;
    AppBench bench(script);
    begin(bench, {QString(200, u'x')});
    bench.control().allowAll();
    QueuedPrompts& queue = *bench.chat().queue();
    QTRY_COMPARE(queue.stateText(), QStringLiteral("Not sent: the conversation would be longer than the context"));
    QCOMPARE(queue.count(), 1);
    QCOMPARE(bench.chat().messages()->count(), 2);
}

QTEST_MAIN(TestPromptQueue)
#include "tst_prompt_queue.moc"
