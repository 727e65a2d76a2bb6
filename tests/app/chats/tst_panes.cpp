// SPDX-License-Identifier: Apache-2.0
// Two chats side by side, without a window: no chat is in view twice, each side sends its own messages, commands and
// the inspector follow the active side, and a restart shows both again.
#include "app/app_bench.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kSteps = 5; // an answer has a token of the prompt, and four words

/// Has a chat of its own answered in the active side, and returns it.
qint64 talk(AppBench& bench, const QString& prompt) {
    bench.control().allow(kSteps);
    bench.app().panes()->newChat();
    if (!bench.chat().send(prompt)) return 0;
    if (!QTest::qWaitFor([&] { return !bench.chat().busy(); }, kPatienceMs)) return 0;
    return bench.chat().chatId();
}

} // namespace

class TestPanes : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void oneSideAtFirst();
    void aSecondSideShowsANewChatOrTheLastOne();
    void aChatIsInViewOnce();
    void bothSidesAreAnswered();
    void whatIsInViewIsNoNews();
    void commandsConcernTheActiveSide();
    void theInspectorFollowsTheActiveSide();
    void aSideWhoseChatIsDeletedCloses();
    void f24UndoOpensTheDeletedChatAgain();
    void undoOpensTheDeletedChatsOfBothSidesAgain();
    void undoBringsBackTheWordsOfADeletedChat_data();
    void undoBringsBackTheWordsOfADeletedChat();
    void theOtherSideStaysWhenOneCloses();
    void aTemporaryChatAsksBeforeItsSideCloses();
    void theWindowAsksForEachTemporaryChat();
    void bothChatsAreThereAfterARestart();
    void aRestartWithoutTheActiveChatShowsANewOne();
    void aNewChatsDraftIsNeverInBothSides();
    void randomActionsKeepTheRules();
};

void TestPanes::oneSideAtFirst() {
    AppBench bench;
    Panes& panes = *bench.app().panes();
    QVERIFY(!panes.split());
    QCOMPARE(panes.active(), panes.first());
    QCOMPARE(panes.left(), panes.first());
    QVERIFY(!panes.other());
    const QSignalSpy refused(&panes, &Panes::failed);
    panes.openSecond(); // there is no other chat to show
    QVERIFY(!panes.split());
    QCOMPARE(refused.count(), 1);
    panes.close(panes.active()); // the only side stays
    QCOMPARE(panes.active(), panes.first());
    panes.activateOther();
    panes.activate(panes.second()); // it is not in view
    QCOMPARE(panes.active(), panes.first());
}

void TestPanes::aSecondSideShowsANewChatOrTheLastOne() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 chat = talk(bench, QStringLiteral("One"));
    QVERIFY(chat != 0);
    QSignalSpy changed(&bench.app(), &App::conversationChanged);
    panes.openSecond();
    QVERIFY(panes.split());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(bench.chat().chatId(), qint64{0});
    QCOMPARE(panes.left()->chatId(), chat);
    panes.close(panes.active());
    QCOMPARE(bench.chat().chatId(), chat);
    panes.newChat();
    panes.openSecond(); // beside a new chat: the chat used last, to look at
    QVERIFY(panes.split());
    QCOMPARE(panes.other()->chatId(), chat);
    QCOMPARE(bench.chat().chatId(), qint64{0});
    QCOMPARE(panes.left()->chatId(), qint64{0});
}

void TestPanes::aChatIsInViewOnce() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    panes.openBeside(two); // it can't be beside itself
    QVERIFY(!panes.split());
    panes.openBeside(one);
    QVERIFY(panes.split());
    QCOMPARE(panes.left()->chatId(), two);
    QCOMPARE(panes.active()->chatId(), one);
    panes.open(two); // it is at the other side
    QCOMPARE(panes.active(), panes.left());
    QCOMPARE(panes.other()->chatId(), one);
    panes.openBeside(two); // and is not opened again
    QCOMPARE(panes.active()->chatId(), two);
    QCOMPARE(panes.other()->chatId(), one);
    panes.newChat();
    QCOMPARE(panes.active()->chatId(), qint64{0});
    panes.activateOther();
    panes.newChat();
    QCOMPARE(panes.active(), panes.left()); // the new chat that is there
    QCOMPARE(panes.other()->chatId(), one);
}

void TestPanes::bothSidesAreAnswered() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    QVERIFY(talk(bench, QStringLiteral("One")) != 0);
    panes.openSecond();
    Conversation *const left = panes.left(), *const right = panes.active();
    bench.control().allowAll();
    QVERIFY(right->send(QStringLiteral("Right")));
    QVERIFY(left->send(QStringLiteral("Left")));
    QTRY_VERIFY(!left->busy() && !right->busy());
    QCOMPARE(left->messages()->count(), 4);
    QCOMPARE(right->messages()->count(), 2);
    for (const Conversation* side : {left, right}) {
        const MessageRow& answer = const_cast<Conversation*>(side)->messages()->rows().back();
        QCOMPARE(answer.text(), QStringLiteral("Once upon a time"));
        QCOMPARE(answer.chat, side->chatId());
    }
}

void TestPanes::whatIsInViewIsNoNews() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    const auto unread = [&](qint64 chat) {
        const ChatListModel& chats = *bench.app().chats();
        return chats.index(chats.rowOf(chat)).data(ChatListModel::UnreadRole).toBool();
    };
    panes.openBeside(one);
    bench.control().allow(kSteps);
    QVERIFY(panes.other()->send(QStringLiteral("Again")));
    QTRY_VERIFY(!panes.other()->busy());
    QVERIFY(!unread(two)); // it was in view, although not active
    QVERIFY(bench.app().news()->text().isEmpty());
    QVERIFY(panes.other()->send(QStringLiteral("Once more"))); // it waits for its first step
    panes.close(panes.other());
    QVERIFY(!panes.split());
    bench.control().allowAll();
    QTRY_VERIFY(unread(two));
    panes.openBeside(two);
    QVERIFY(!unread(two));
}

void TestPanes::commandsConcernTheActiveSide() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    CommandList& commands = *bench.app().commands();
    QVERIFY(!commands.run(QStringLiteral("panes.other")));
    QVERIFY(talk(bench, QStringLiteral("One")) != 0);
    QVERIFY(commands.run(QStringLiteral("panes.split")));
    QVERIFY(panes.split());
    QVERIFY(!commands.run(QStringLiteral("message.regenerate"))); // the new chat has no message
    panes.activateOther();
    bench.control().allow(kSteps);
    QVERIFY(commands.run(QStringLiteral("message.regenerate")));
    QTRY_VERIFY(!panes.active()->busy());
    QCOMPARE(panes.active()->messages()->siblings(panes.active()->messages()->lastId()).ids.size(), size_t{2});
    QVERIFY(panes.active()->send(QStringLiteral("More"))); // it waits for its first step
    QTRY_VERIFY(panes.active()->busy());
    panes.activateOther();
    QVERIFY(!commands.run(QStringLiteral("answer.stop"))); // the answer is at the other side
    panes.activateOther();
    QVERIFY(commands.run(QStringLiteral("answer.stop")));
    bench.control().allowAll();
    QTRY_VERIFY(!panes.active()->busy());
    QVERIFY(commands.run(QStringLiteral("panes.split")));
    QVERIFY(!panes.split());
}

void TestPanes::theInspectorFollowsTheActiveSide() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    const qint64 one = talk(bench, QStringLiteral("One"));
    const qint64 first = panes.active()->messages()->lastId();
    QVERIFY(talk(bench, QStringLiteral("Two")) != 0);
    const qint64 second = panes.active()->messages()->lastId();
    QVERIFY(first != second);
    QCOMPARE(inspector.messageId(), second);
    panes.openBeside(one);
    QCOMPARE(inspector.messageId(), first);
    panes.activateOther();
    QCOMPARE(inspector.messageId(), second);
    panes.close(panes.active());
    QCOMPARE(inspector.messageId(), first);
}

void TestPanes::aSideWhoseChatIsDeletedCloses() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    panes.openBeside(one);
    bench.app().chats()->remove(two);
    QVERIFY(!panes.split());
    QCOMPARE(panes.active()->chatId(), one);
    bench.app().chats()->remove(one); // the only side shows a new chat
    QVERIFY(!panes.split());
    QCOMPARE(panes.active()->chatId(), qint64{0});
}

void TestPanes::f24UndoOpensTheDeletedChatAgain() {
    AppBench bench;
    OPEN_MODEL(bench);
    const qint64 first = talk(bench, QStringLiteral("One")), second = talk(bench, QStringLiteral("Two"));
    Panes& panes = *bench.app().panes();
    bench.app().chats()->remove(second);
    QCOMPARE(panes.active()->chatId(), qint64{0});
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(panes.active()->chatId(), second);
    QVERIFY(bench.app().undo()->redo());
    panes.open(first); // another one was opened since
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(panes.active()->chatId(), first);
    panes.open(second);
    bench.app().chats()->remove(second);
    panes.newChat(); // wanted for itself
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(panes.active()->chatId(), qint64{0});
}

/// One side closed with its chat, and only the other chat was in view again.
void TestPanes::undoOpensTheDeletedChatsOfBothSidesAgain() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    ChatListModel& chats = *bench.app().chats();
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    for (const bool leftIsActive : {false, true}) {
        panes.open(two);
        panes.openBeside(one);
        if (leftIsActive) panes.activateOther();
        const qint64 active = panes.active()->chatId(), other = panes.other()->chatId();
        chats.toggleChat(one);
        chats.toggleChat(two);
        QVERIFY(chats.remove(one));
        QVERIFY(!panes.split());
        QCOMPARE(panes.active()->chatId(), qint64{0});
        QVERIFY(bench.app().undo()->undo());
        QVERIFY(panes.split());
        QCOMPARE(panes.left()->chatId(), two);
        QCOMPARE(panes.active()->chatId(), active);
        QCOMPARE(panes.other()->chatId(), other);
        QVERIFY(bench.app().undo()->redo());
        QVERIFY(!panes.split());
        panes.newChat(); // wanted for itself
        QVERIFY(bench.app().undo()->undo());
        QVERIFY(!panes.split());
        QCOMPARE(panes.active()->chatId(), qint64{0});
    }
}

void TestPanes::undoBringsBackTheWordsOfADeletedChat_data() {
    QTest::addColumn<bool>("beside");
    QTest::newRow("in the only side") << false;
    QTest::newRow("at the other side, when it is opened there") << true;
}

/// They were not stored yet when it was deleted.
void TestPanes::undoBringsBackTheWordsOfADeletedChat() {
    QFETCH(bool, beside);
    AppBench bench;
    OPEN_MODEL(bench);
    const qint64 chat = talk(bench, QStringLiteral("One"));
    QVERIFY(chat != 0);
    const QString words = QStringLiteral("Half a thought");
    bench.chat().setDraft(words);
    QVERIFY(bench.app().chats()->remove(chat));
    QCOMPARE(bench.chat().chatId(), qint64{0});
    QCOMPARE(bench.chat().draft(), QString());
    bench.chat().setDraft(QStringLiteral("Others"));
    bench.chat().keepDraft();
    QVERIFY(!bench.chat().error().valid());
    if (beside) QVERIFY(talk(bench, QStringLiteral("Others")) != 0); // it does not come back into view by itself
    QVERIFY(bench.app().undo()->undo());
    if (beside) bench.app().panes()->openBeside(chat);
    QCOMPARE(bench.chat().chatId(), chat);
    QCOMPARE(bench.chat().draft(), words);
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().draft(), words);
}

void TestPanes::theOtherSideStaysWhenOneCloses() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    panes.openBeside(one);
    panes.close(panes.left());
    QVERIFY(!panes.split());
    QCOMPARE(panes.active()->chatId(), one);
    QCOMPARE(panes.left(), panes.active());
    panes.openBeside(two); // the new side is at the right, whichever object it is
    QCOMPARE(panes.left()->chatId(), one);
    QCOMPARE(panes.active()->chatId(), two);
}

void TestPanes::aTemporaryChatAsksBeforeItsSideCloses() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One"));
    panes.openSecond();
    panes.newTemporaryChat();
    QVERIFY(panes.active()->temporary());
    bench.control().allow(kSteps);
    QVERIFY(panes.active()->send(QStringLiteral("Secret")));
    QTRY_VERIFY(!panes.active()->busy());
    panes.activateOther();
    panes.newTemporaryChat(); // there is one at a time
    QVERIFY(panes.active()->temporary());
    QCOMPARE(panes.active()->messages()->count(), 2);
    QVERIFY(!panes.other()->temporary());
    Conversation* const secret = panes.active();
    panes.activateOther();
    panes.close(secret);
    QVERIFY(panes.split());
    QCOMPARE(panes.active(), secret);
    QVERIFY(secret->asksToLeave());
    secret->stay();
    QVERIFY(panes.split());
    panes.close(secret);
    secret->dropTemporary();
    QVERIFY(!panes.split());
    QCOMPARE(panes.active()->chatId(), one);
    QVERIFY(!panes.active()->temporary());
}

void TestPanes::theWindowAsksForEachTemporaryChat() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    QVERIFY(talk(bench, QStringLiteral("One")) != 0);
    panes.openSecond();
    panes.newTemporaryChat();
    bench.control().allow(kSteps);
    QVERIFY(panes.active()->send(QStringLiteral("Secret")));
    QTRY_VERIFY(!panes.active()->busy());
    panes.activateOther();
    QSignalSpy allowed(&panes, &Panes::closeAllowed);
    QVERIFY(!panes.mayClose());
    QVERIFY(panes.active()->temporary()); // the user sees what is asked
    panes.active()->dropTemporary();
    QCOMPARE(allowed.count(), 1);
    QVERIFY(panes.mayClose());
}

void TestPanes::bothChatsAreThereAfterARestart() {
    AppBench bench;
    OPEN_MODEL(bench);
    const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
    bench.app().panes()->openBeside(one); // two, one*
    bench.restart();
    Panes* panes = bench.app().panes();
    QVERIFY(panes->split());
    QCOMPARE(panes->left()->chatId(), two);
    QCOMPARE(panes->active()->chatId(), one);
    panes->activateOther(); // two*, one
    bench.restart();
    panes = bench.app().panes();
    QCOMPARE(panes->left()->chatId(), two);
    QCOMPARE(panes->active()->chatId(), two);
    QCOMPARE(panes->other()->chatId(), one);
    panes->close(panes->active());
    bench.restart();
    QVERIFY(!bench.app().panes()->split());
    QCOMPARE(bench.chat().chatId(), one);
    bench.app().panes()->openBeside(two);
    bench.app().chats()->remove(two);
    bench.restart();
    QVERIFY(!bench.app().panes()->split());
}

/// The active chat of the last run is gone, for example with a database from a backup.
void TestPanes::aRestartWithoutTheActiveChatShowsANewOne() {
    for (const bool left : {false, true}) {
        AppBench bench;
        OPEN_MODEL(bench);
        const qint64 one = talk(bench, QStringLiteral("One")), two = talk(bench, QStringLiteral("Two"));
        bench.app().panes()->openBeside(one);
        if (!left) bench.app().panes()->activateOther();
        const qint64 gone = bench.chat().chatId(), stays = gone == one ? two : one;
        bench.stop();
        auto store = ChatStore::open({.folder = bench.folder(), .migrations = {}});
        QVERIFY(store && (*store)->remove(gone));
        store->reset();
        bench.start();
        QCOMPARE(bench.chat().chatId(), qint64{0});
        QVERIFY(bench.app().panes()->split());
        QCOMPARE(bench.app().panes()->other()->chatId(), stays);
    }
}

void TestPanes::aNewChatsDraftIsNeverInBothSides() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    const qint64 one = talk(bench, QStringLiteral("One"));
    panes.newChat();
    panes.active()->setDraft(QStringLiteral("half a thought"));
    panes.openBeside(one);
    QCOMPARE(panes.other()->draft(), QStringLiteral("half a thought"));
    panes.close(panes.other()); // a new chat closes with its draft kept
    QVERIFY(!panes.split());
    QSignalSpy told(panes.active() == panes.first() ? panes.second() : panes.first(), &Conversation::draftChanged);
    panes.openSecond();
    QCOMPARE(panes.active()->draft(), QStringLiteral("half a thought"));
    panes.active()->setDraft(QStringLiteral("a whole thought"));
    panes.close(panes.active());
    panes.newChat(); // the other object shows the new chat now
    QCOMPARE(panes.active()->draft(), QStringLiteral("a whole thought"));
}

/// After each of many actions: no chat is in view twice, the active side is in view, and the tools' chats are those in
/// view.
void TestPanes::randomActionsKeepTheRules() {
    AppBench bench;
    OPEN_MODEL(bench);
    Panes& panes = *bench.app().panes();
    std::vector<qint64> chats;
    for (int at = 0; at < 4; ++at) chats.push_back(talk(bench, QString::number(at)));
    QRandomGenerator random(7);
    int splits = 0;
    for (int step = 0; step < 3000; ++step) {
        const qint64 chat = chats[random.bounded(static_cast<quint32>(chats.size()))];
        switch (random.bounded(9)) {
        case 0:
            panes.open(chat);
            break;
        case 1:
            panes.openBeside(chat);
            break;
        case 2:
            panes.newChat();
            break;
        case 3:
            panes.openSecond();
            break;
        case 4:
            panes.close(random.bounded(2) ? panes.active() : panes.other());
            break;
        case 5:
            panes.activateOther();
            break;
        case 6:
            panes.newTemporaryChat();
            break;
        case 7:
            panes.activate(random.bounded(2) ? panes.first() : panes.second());
            break;
        case 8:
            panes.openBeside(0);
            break;
        }
        splits += panes.split();
        QVERIFY(panes.split() || panes.active() == panes.left());
        QCOMPARE(panes.other() != nullptr, panes.split());
        if (!panes.split()) continue;
        QVERIFY(panes.other() != panes.active());
        const bool bothNew = panes.active()->chatId() == 0 && panes.other()->chatId() == 0;
        if (bothNew) QVERIFY(panes.active()->temporary() != panes.other()->temporary());
        if (!bothNew) QVERIFY(panes.active()->chatId() != panes.other()->chatId());
    }
    QVERIFY(splits > 500);
}

QTEST_MAIN(TestPanes)
#include "tst_panes.moc"
