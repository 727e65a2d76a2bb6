// SPDX-License-Identifier: Apache-2.0
// A conversation from the prompt to the database and back, over a scripted engine: streaming, stopping, failing,
// switching chats.
#include "app/app_bench.h"
#include "common/language.h"
#include "support/small_disk.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestConversation : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(useLanguage()); // for the plurals
        QLocale::setDefault(QLocale::c());
    }
    void streamsAnAnswerAndKeepsIt();
    void whatCameFromDiskIsKeptWithTheAnswer();
    void lessExactAnswersAreAskedForAndMarked();
    void layersFromDiskAreNotCalledExperts();
    void thePromptIsKeptBeforeTheEngineStarts();
    void atMostThirtyUpdatesASecond();
    void stopsMidway();
    void aFailureKeepsTheTextSoFar();
    void aFullContextIsSaid();
    void n1WhatIsTypedWhileAPromptIsCountedStays();
    void n1ASecondPromptIsRefusedInWordsWhileOneIsCounted();
    void n1APromptOfAChatThatWasLeftIsSent();
    void n1TheFirstPromptOfANewChatThatWasLeftIsSent();
    void n1ANewChatThatWasLeftKeepsWhatIsNotSent_data();
    void n1ANewChatThatWasLeftKeepsWhatIsNotSent();
    void n1PromptsOfTwoChatsThatWaitAreBothSent();
    void n1APromptThatIsTakenBackWhileItIsCountedIsNotSent();
    void refusesWhatItCannotTake();
    void goesOnWhileAnotherChatIsLookedAt();
    void answersOfTwoChatsTakeTurns();
    void aWaitingAnswerCanBeStopped();
    void deletingTheChatEndsItsAnswer();
    void endingTheProgramKeepsTheAnswerSoFar();
    void theModelSeesTheWholeConversation();
    void anAnswerGoesBackAsItWasWritten();
    void aMessageHasNoEmptyLinesAroundIt();
    void aModelWithoutATemplateContinuesTheText();
    void titlesComeFromTheFirstWords();
    void draftsBelongToTheirChats();
    void copiesAMessage();
    void renamingReachesTheConversation();
    void theContextGaugeFollowsTheChat();
    void f13TheContextIsOneFigureHoweverOneCame();
    void aFullDiskLosesNothing();
    void aDraftThatCannotBeStoredHoldsUpNoOtherText();
    void aReadOnlyDiskKeepsTextsInMemory();
};

void TestConversation::streamsAnAnswerAndKeepsIt() {
    AppBench bench;
    const QAbstractItemModelTester messages(bench.chat().messages(),
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester chats(bench.app().chats(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(!bench.chat().canSend());
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().canSend());
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    QCOMPARE(bench.chat().state(), Conversation::Reading);
    QVERIFY(!bench.chat().canSend());
    QCOMPARE(bench.app().chats()->count(), 1);
    QVERIFY(bench.app().chats()->index(0).data(ChatListModel::CurrentRole).toBool());
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.chat().state(), Conversation::Writing);
    QCOMPARE(bench.lastState(), QStringLiteral("streaming"));
    QCOMPARE(bench.last(MessageModel::StatisticsRole), QString());
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.lastState(), QStringLiteral("complete"));
    QVERIFY(bench.last(MessageModel::StatisticsRole).contains(QStringLiteral("4 tokens")));
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    QCOMPARE(bench.chat().chatId(), chat); // the chat that was in view is shown again
    QCOMPARE(bench.chat().title(), QStringLiteral("Tell me a story"));
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.lastState(), QStringLiteral("complete"));
}

void TestConversation::whatCameFromDiskIsKeptWithTheAnswer() {
    QLocale::setDefault(QLocale::c());
    // Four tokens use 128 experts each; 16 of each 128 come from disk, which takes 40 MiB per token.
    FakeScript script = AppBench::words();
    script.layers = 32;
    script.bytesFromDisk = 40 << 20;
    AppBench bench(script);
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const QString told = QStringLiteral("13 % of experts from disk \u00b7 160 MiB \u00b7 <0.1 s waiting for the disk");
    QCOMPARE(bench.last(MessageModel::DiskRole), told);
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.last(MessageModel::DiskRole), told);
}

void TestConversation::lessExactAnswersAreAskedForAndMarked() {
    using engine::RoutingWhen;
    QLocale::setDefault(QLocale::c());
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    const auto answered = [&bench] {
        const auto idle = [&bench] { return bench.chat().state() == Conversation::Idle; };
        const bool done = bench.chat().send(QStringLiteral("Hello")) && QTest::qWaitFor(idle, kPatienceMs);
        return done ? bench.control().options().back() : engine::GenerateOptions();
    };
    Settings* settings = bench.app().settings();
    settings->preferCached = 0.5; // the strength alone does not allow it
    QVERIFY(answered().routing.exact());
    QCOMPARE(bench.last(MessageModel::ExactnessRole), QString());

    settings->preferCachedWhen = QStringLiteral("scarce");
    settings->sureWhen = QStringLiteral("scarce");
    settings->sure = 0.75;
    const engine::GenerateOptions scarce = answered();
    QCOMPARE(scarce.routing.preferCached, 0.5f);
    QCOMPARE(scarce.routing.topWeightShare, 0.75f);
    QCOMPARE(scarce.preferCachedWhen, RoutingWhen::Scarce);
    QCOMPARE(scarce.topWeightShareWhen, RoutingWhen::Scarce);
    QCOMPARE(bench.last(MessageModel::ExactnessRole), QString()); // no resource was scarce

    settings->preferCachedWhen = QStringLiteral("never");
    settings->sureWhen = QStringLiteral("always");
    const engine::GenerateOptions always = answered();
    QCOMPARE(always.routing.preferCached, 0.0f);
    QCOMPARE(always.routing.topWeightShare, 0.75f);
    QCOMPARE(always.topWeightShareWhen, RoutingWhen::Always);
    const QString told = QStringLiteral("Less exact: 13 % of router choices used other or fewer experts");
    QCOMPARE(bench.last(MessageModel::ExactnessRole), told); // 6 of 48 choices
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.last(MessageModel::ExactnessRole), told);
}

/// A dense model reads every layer before its turn: no layer is missing, and many are read from disk.
void TestConversation::layersFromDiskAreNotCalledExperts() {
    QLocale::setDefault(QLocale::c());
    FakeScript script = AppBench::words();
    script.dense = true;
    script.layers = 30;
    script.bytesFromDisk = 720 << 20;
    AppBench bench(script);
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const QString told = QStringLiteral("40 % of layers from disk \u00b7 2.8 GiB \u00b7 <0.1 s waiting for the disk");
    QCOMPARE(bench.last(MessageModel::DiskRole), told);
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.last(MessageModel::DiskRole), told);
}

void TestConversation::thePromptIsKeptBeforeTheEngineStarts() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    // No step was allowed yet, so the file's content was written before the engine did anything.
    QTemporaryDir dead;
    for (const char* name : {"chats.db", "chats.db-wal"}) {
        const QString file = QString::fromLatin1(name);
        QVERIFY(QFile::copy(QDir(bench.folder()).filePath(file), dead.filePath(file)));
    }
    const auto store = ChatStore::open({.folder = dead.path(), .migrations = {}});
    QVERIFY(store.ok());
    const auto rows = store.value()->messages(bench.chat().chatId());
    QVERIFY(rows.ok());
    QCOMPARE(rows.value().at(0).text(), QStringLiteral("Hello"));
    QCOMPARE(rows.value().at(1).state, MessageState::Stopped);
}

/// Counts updates against the time that really passed: one at the start, then one every 33 ms, and one at the end.
void TestConversation::atMostThirtyUpdatesASecond() {
    FakeScript many = AppBench::words();
    many.pieces.assign(3000, "word ");
    AppBench bench(many);
    OPEN_MODEL(bench);
    QSignalSpy updates(bench.chat().messages(), &QAbstractItemModel::dataChanged);
    bench.control().allowAll();
    QElapsedTimer timer;
    timer.start();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY2(updates.count() <= 3 + timer.elapsed() / 33, qPrintable(QString::number(updates.count())));
    QCOMPARE(bench.lastText().size(), 3000 * 5);
}

void TestConversation::stopsMidway() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    bench.chat().stop();
    QCOMPARE(bench.chat().state(), Conversation::Stopping);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    QVERIFY(!bench.chat().error().valid());
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
}

void TestConversation::aFailureKeepsTheTextSoFar() {
    FakeScript failing = AppBench::words();
    failing.failAfter = 2;
    failing.failure = {engine::ErrorKind::Io, "The answer broke off", "The disk went away", "Connect it"};
    AppBench bench(failing);
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("failed"));
    QCOMPARE(bench.last(MessageModel::ErrorWhyRole), QStringLiteral("The disk went away"));
    QCOMPARE(bench.chat().error().action, QStringLiteral("Connect it"));
    // The file is still there: the model is not Missing, and the user can continue.
    QCOMPARE(bench.models().state(), ModelController::Ready);
    QVERIFY(bench.chat().canSend());
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.last(MessageModel::ErrorWhyRole), QStringLiteral("The disk went away"));
}

void TestConversation::aFullContextIsSaid() {
    FakeScript small = AppBench::words();
    small.promptTokens = 5; // as many as the fake counts in "Hello"
    small.contextSize = 7;
    AppBench bench(small);
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().messages()->count(), 2);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    QVERIFY(bench.last(MessageModel::ErrorWhyRole).contains(QStringLiteral("context")));
}

/// Its prompt is counted, because the context is so small that it may not fit.
FakeScript countedPrompts() {
    FakeScript small = AppBench::words();
    small.contextSize = 200;
    return small;
}

/// Sends a prompt in a chat without messages and waits for the whole answer.
bool haveAnAnswer(AppBench& bench) {
    Conversation& chat = bench.chat();
    return chat.send(QStringLiteral("Hello")) &&
           QTest::qWaitFor([&] { return chat.messages()->count() == 2 && !chat.busy(); }, kPatienceMs);
}

void TestConversation::n1WhatIsTypedWhileAPromptIsCountedStays() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().setDraft(QStringLiteral("Hello"));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QCOMPARE(bench.chat().messages()->count(), 0); // it is being counted
    bench.chat().setDraft(QStringLiteral("Hello and more"));
    QTRY_COMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.chat().draft(), QStringLiteral(" and more"));
    QTRY_VERIFY(!bench.chat().busy());
    QVERIFY(bench.chat().send(QStringLiteral("Again"))); // another text than the draft
    QTRY_COMPARE(bench.chat().messages()->count(), 4);
    QCOMPARE(bench.chat().draft(), QStringLiteral(" and more"));
}

void TestConversation::n1ASecondPromptIsRefusedInWordsWhileOneIsCounted() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().setDraft(QStringLiteral("Hello"));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QVERIFY(!bench.chat().send(QStringLiteral("Hello"))); // Enter was pressed twice
    QVERIFY(!bench.chat().refusal().valid());
    bench.chat().setDraft(QStringLiteral("Hello and more"));
    QVERIFY(!bench.chat().send(QStringLiteral("Hello and more")));
    QVERIFY(bench.chat().refusal().why.contains(QStringLiteral("on its way")));
    QTRY_COMPARE(bench.chat().messages()->count(), 2);
    QVERIFY(!bench.chat().refusal().valid()); // its cause is gone
    QCOMPARE(bench.chat().draft(), QStringLiteral(" and more"));
}

void TestConversation::n1APromptOfAChatThatWasLeftIsSent() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(haveAnAnswer(bench));
    const qint64 first = bench.chat().chatId();
    QSignalSpy ended(bench.app().answers(), &AnswerQueue::ended);
    bench.chat().setDraft(QStringLiteral("Again"));
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    bench.chat().newChat();
    QCOMPARE(bench.chat().messages()->count(), 0);
    QTRY_COMPARE(ended.count(), 1);
    bench.chat().openChat(first);
    QCOMPARE(bench.chat().messages()->count(), 4);
    QCOMPARE(bench.lastState(), QStringLiteral("complete"));
    QCOMPARE(bench.chat().draft(), QString());
}

void TestConversation::n1TheFirstPromptOfANewChatThatWasLeftIsSent() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(haveAnAnswer(bench));
    const qint64 first = bench.chat().chatId();
    QSignalSpy ended(bench.app().answers(), &AnswerQueue::ended);
    bench.chat().newChat();
    const QJsonObject own{{QStringLiteral("systemPrompt"), QStringLiteral("Be brief")}};
    QVERIFY(bench.chat().setOwnSettings(0, own).ok());
    bench.chat().setDraft(QStringLiteral("Again"));
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    bench.chat().setDraft(QStringLiteral("Again, and more"));
    bench.chat().openChat(first); // the new chat does not exist yet
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(bench.chat().chatId(), first);
    QCOMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.app().chats()->count(), 2);
    const std::vector<engine::Message> asked = bench.control().conversations().back();
    QCOMPARE(asked.size(), size_t{2});
    QCOMPARE(engine::joinedText(asked.front().parts), std::string("Be brief"));
    const qint64 second = ended.front().front().value<MessageRow>().chat;
    bench.chat().openChat(second);
    QCOMPARE(bench.chat().title(), QStringLiteral("Again"));
    QCOMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.chat().draft(), QStringLiteral(", and more"));
    QCOMPARE(bench.chat().ownSettings(second).value(), own);
    bench.chat().newChat();
    QCOMPARE(bench.chat().draft(), QString());
    QCOMPARE(bench.chat().ownSettings(0).value(), QJsonObject());
}

void TestConversation::n1ANewChatThatWasLeftKeepsWhatIsNotSent_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<bool>("closed");
    QTest::newRow("it is too long") << QString(300, u'x') << false;
    QTest::newRow("the model was closed") << QStringLiteral("Again") << true;
}

void TestConversation::n1ANewChatThatWasLeftKeepsWhatIsNotSent() {
    QFETCH(QString, prompt);
    QFETCH(bool, closed);
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(haveAnAnswer(bench));
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    bench.chat().setDraft(prompt);
    QVERIFY(bench.chat().send(prompt));
    bench.chat().openChat(first);
    if (closed) bench.models().close();
    QTRY_VERIFY(bench.chat().error().valid());
    QVERIFY2(bench.chat().error().what.contains(QStringLiteral("not sent")), qPrintable(bench.chat().error().what));
    QCOMPARE(bench.app().chats()->count(), 1);
    bench.chat().newChat();
    QCOMPARE(bench.chat().draft(), prompt);
}

/// Both are counted in the background at the same time.
void TestConversation::n1PromptsOfTwoChatsThatWaitAreBothSent() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QList<qint64> chats;
    for (int i = 0; i < 2; ++i) {
        bench.chat().newChat();
        QVERIFY(haveAnAnswer(bench));
        chats.append(bench.chat().chatId());
    }
    bench.chat().newChat();
    QSignalSpy ended(bench.app().answers(), &AnswerQueue::ended);
    for (const qint64 chat : chats) QVERIFY(bench.app().queue()->add(chat, QStringLiteral("Again")));
    for (const qint64 chat : chats) bench.app().queue()->sendNext(chat);
    QTRY_COMPARE(ended.count(), 2);
    for (const qint64 chat : chats) {
        QCOMPARE(bench.app().queue()->prompts(chat).size(), size_t{0});
        bench.chat().openChat(chat);
        QCOMPARE(bench.chat().messages()->count(), 4);
        QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    }
}

void TestConversation::n1APromptThatIsTakenBackWhileItIsCountedIsNotSent() {
    AppBench bench(countedPrompts());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(haveAnAnswer(bench));
    const qint64 chat = bench.chat().chatId();
    QVERIFY(bench.app().queue()->add(chat, QStringLiteral("Again")));
    const WaitingPrompt waiting = bench.app().queue()->prompts(chat).front();
    QVERIFY(bench.chat().sendWaiting(waiting));
    bench.app().queue()->remove(waiting, {});
    bench.chat().countTokens(); // this is counted after the prompt
    QTRY_VERIFY(bench.chat().contextUsed() > 0);
    QVERIFY(bench.app().queue()->prompts(chat).empty());
    QCOMPARE(bench.chat().messages()->count(), 2);
}

void TestConversation::refusesWhatItCannotTake() {
    AppBench bench;
    QVERIFY(!bench.chat().send(QStringLiteral("No model yet")));
    QVERIFY(bench.chat().refusal().valid());
    OPEN_MODEL(bench);
    QVERIFY(!bench.chat().send(QStringLiteral("  \n ")));
    QVERIFY(!bench.chat().send(QString(9 << 20, u'x')));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QVERIFY(!bench.chat().refusal().valid());
    QVERIFY(!bench.chat().send(QStringLiteral("Too early")));
    QVERIFY(!bench.chat().refusal().why.isEmpty());
    QCOMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.app().chats()->count(), 1);
}

void TestConversation::goesOnWhileAnotherChatIsLookedAt() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allow(5);
    QVERIFY(bench.chat().send(QStringLiteral("First")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    QCOMPARE(bench.chat().messages()->count(), 0);
    QVERIFY(bench.chat().send(QStringLiteral("Second")));
    const qint64 second = bench.chat().chatId();
    QVERIFY(first != second);
    bench.control().allow(1 + 1);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once "));
    bench.chat().openChat(first);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QVERIFY(!bench.chat().busy());
    QVERIFY(bench.app().answers()->busy());
    bench.control().allow(2);
    AnswerQueue& answers = *bench.app().answers();
    const qint64 answer = answers.progress(second)->message;
    QTRY_COMPARE(answers.newest(answer)->text(), QStringLiteral("Once upon a "));
    answers.flush(); // a conversation that shows it has it now
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    bench.chat().openChat(second);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a "));
    QCOMPARE(bench.lastState(), QStringLiteral("streaming"));
    bench.chat().openChat(first);
    bench.control().allowAll();
    QTRY_VERIFY(!bench.app().answers()->busy());
    QCOMPARE(bench.chat().messages()->count(), 2);
    bench.chat().openChat(second);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.lastState(), QStringLiteral("complete"));
}

void TestConversation::answersOfTwoChatsTakeTurns() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("First")));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(bench.chat().canSend());
    QVERIFY(bench.chat().send(QStringLiteral("Second")));
    const qint64 second = bench.chat().chatId();
    QCOMPARE(bench.chat().state(), Conversation::Waiting);
    QVERIFY(!bench.chat().send(QStringLiteral("Third"))); // its own answer comes first
    QCOMPARE(bench.control().conversations().size(), size_t{1});
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.control().conversations().size(), size_t{2});
    bench.restart();
    for (const qint64 chat : {first, second}) {
        bench.chat().openChat(chat);
        QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
        QCOMPARE(bench.lastState(), QStringLiteral("complete"));
    }
}

void TestConversation::aWaitingAnswerCanBeStopped() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("First")));
    const qint64 first = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(bench.chat().send(QStringLiteral("Second")));
    QCOMPARE(bench.chat().state(), Conversation::Waiting);
    bench.chat().stop();
    QCOMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    bench.control().allowAll();
    bench.chat().openChat(first);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastState(), QStringLiteral("complete"));
    QCOMPARE(bench.control().conversations().size(), size_t{1});
}

void TestConversation::deletingTheChatEndsItsAnswer() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    const qint64 chat = bench.chat().chatId();
    bench.app().chats()->remove(chat);
    QCOMPARE(bench.chat().chatId(), qint64{0});
    QCOMPARE(bench.chat().messages()->count(), 0);
    QTRY_VERIFY(!bench.app().answers()->busy());
    QVERIFY(bench.app().undo()->undo());
    bench.chat().openChat(chat);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
}

void TestConversation::endingTheProgramKeepsTheAnswerSoFar() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.control().allow(1 + 3);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon a "));
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
}

void TestConversation::theModelSeesTheWholeConversation() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.app().settings()->systemPrompt = QStringLiteral("Be kind");
    for (const char* prompt : {"One", "Two"}) {
        QVERIFY(bench.chat().send(QString::fromLatin1(prompt)));
        QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    }
    const auto asked = bench.control().conversations();
    QCOMPARE(asked.size(), size_t{2});
    QCOMPARE(asked[1].size(), size_t{4});
    QCOMPARE(asked[1][0].role, engine::Role::System);
    QCOMPARE(engine::joinedText(asked[1][0].parts), std::string("Be kind"));
    QCOMPARE(engine::joinedText(asked[1][1].parts), std::string("One"));
    QCOMPARE(asked[1][2].role, engine::Role::Assistant);
    QCOMPARE(engine::joinedText(asked[1][2].parts), std::string("Once upon a time"));
    QCOMPARE(engine::joinedText(asked[1][3].parts), std::string("Two"));
}

/// Follows text through the view, the store and the next prompt: text that looks like a tag stays text, and code stays
/// code.
void TestConversation::anAnswerGoesBackAsItWasWritten() {
    using engine::PartKind;
    const engine::ToolCall call{.name = "get_time", .arguments = "{\"zone\": \"UTC\"}"}, code{.code = "print(1)"};
    const std::vector<engine::Part> parts{
        {.kind = PartKind::Thought, .text = "Hm </think> no\n"},
        {.kind = PartKind::Text, .text = "So\n<think>no thought\n<tool_call>\n{\"name\": \"f\"}\n</tool_call>"},
        {.kind = PartKind::ToolCall, .call = call},
        {.kind = PartKind::ToolCall, .call = code},
    };
    FakeScript script = AppBench::words();
    script.pieces = {FakePiece("Hm </think> ", PartKind::Thought),
                     FakePiece("no\n", PartKind::Thought),
                     FakePiece("So\n<think>no thought\n<tool_"),
                     FakePiece("call>\n{\"name\": \"f\"}\n</tool_call>"),
                     FakePiece(call),
                     FakePiece(code)};
    AppBench bench(script);
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("One")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.lastText(), QString::fromStdString(parts[1].text));
    const qint64 chat = bench.chat().chatId();
    bench.restart();
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().openChat(chat);
    QVERIFY(bench.chat().send(QStringLiteral("Two")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const auto asked = bench.control().conversations();
    QCOMPARE(asked.size(), size_t{1});
    QCOMPARE(asked[0].size(), size_t{3});
    QVERIFY(asked[0][1].parts == parts);
}

void TestConversation::aMessageHasNoEmptyLinesAroundIt() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral(" \n\n    if x:\n\n        y\n \n")));
    const MessageModel& messages = *bench.chat().messages();
    QCOMPARE(messages.rows()[0].text(), QStringLiteral("    if x:\n\n        y"));
    QVERIFY(bench.chat().draft().isEmpty());
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    bench.chat().actions()->beginEdit(messages.rows()[0].id);
    bench.chat().actions()->setEditText(messages.rows()[0].id, QStringLiteral("Hello \n"));
    bench.chat().actions()->keepEdit(messages.rows()[0].id);
    QTRY_COMPARE(messages.rows()[0].text(), QStringLiteral("Hello"));
}

void TestConversation::aModelWithoutATemplateContinuesTheText() {
    FakeScript plain = AppBench::words();
    plain.turns = engine::Turns::Plain;
    AppBench bench(plain);
    OPEN_MODEL(bench);
    QVERIFY(bench.models().continuesText());
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("It was ")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(engine::joinedText(bench.control().conversations().at(0).at(0).parts), std::string("It was "));
}

void TestConversation::titlesComeFromTheFirstWords() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(
        QStringLiteral("  Why is\nthe sky so blue in the evening, and what is it that makes it red  ")));
    QCOMPARE(bench.chat().title(), QString::fromUtf8("Why is the sky so blue in the evening, and what\xe2\x80\xa6"));
    QCOMPARE(bench.app().chats()->index(0).data(ChatListModel::TitleRole).toString(), bench.chat().title());
}

void TestConversation::draftsBelongToTheirChats() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().setDraft(QStringLiteral("First"));
    QVERIFY(bench.chat().send(bench.chat().draft()));
    QCOMPARE(bench.chat().draft(), QString());
    const qint64 chat = bench.chat().chatId();
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    bench.chat().newChat();
    QCOMPARE(bench.chat().draft(), QString());
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought"));
}

void TestConversation::copiesAMessage() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Copy this")));
    bench.chat().actions()->copyMarkdown(
        bench.chat().messages()->index(0).data(MessageModel::MessageIdRole).toLongLong());
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Copy this"));
}

void TestConversation::renamingReachesTheConversation() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.app().chats()->rename(bench.chat().chatId(), QStringLiteral("Greetings"));
    QCOMPARE(bench.chat().title(), QStringLiteral("Greetings"));
}

void TestConversation::theContextGaugeFollowsTheChat() {
    AppBench bench;
    OPEN_MODEL(bench);
    QCOMPARE(bench.chat().contextSize(), 4096);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 chat = bench.chat().chatId();
    bench.chat().newChat();
    QCOMPARE(bench.chat().contextUsed(), 0);
    bench.chat().openChat(chat);
    // The fake counts bytes: "Hello" and "Once upon a time".
    QTRY_COMPARE(bench.chat().contextUsed(), 5 + 16);
}

/// An answer that has just ended, one that is opened again and a fork of it have the same words in the context.
void TestConversation::f13TheContextIsOneFigureHoweverOneCame() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(haveAnAnswer(bench));
    const qint64 chat = bench.chat().chatId();
    const qint64 answer = bench.chat().leaf();
    const int ended = 5 + 16; // bytes, as the fake counts; while it writes, it reports other numbers
    QTRY_COMPARE(bench.chat().contextUsed(), ended);
    bench.chat().newChat();
    bench.chat().openChat(chat);
    QTRY_VERIFY(bench.chat().contextUsed() > 0);
    QCOMPARE(bench.chat().contextUsed(), ended);
    bench.chat().actions()->fork(answer);
    QTRY_VERIFY(bench.chat().chatId() != chat && bench.chat().contextUsed() > 0);
    QCOMPARE(bench.chat().contextUsed(), ended);
}

void TestConversation::aFullDiskLosesNothing() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    FakeScript large = AppBench::words();
    large.pieces.assign(400, std::string(1000, 'x'));
    large.contextSize = int64_t{1} << 30;
    AppBench bench(large, disk->path());
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    disk->fill();
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY2(bench.chat().error().why.contains(QStringLiteral("full")), qPrintable(bench.chat().error().why));
    QCOMPARE(bench.lastText().size(), 400 * 1000);
    bench.chat().setDraft(QString(100000, u'y'));
    QVERIFY(!bench.chat().send(bench.chat().draft()));
    QCOMPARE(bench.chat().draft().size(), 100000);
    const qint64 chat = bench.chat().chatId();
    bench.chat().newChat();
    bench.chat().openChat(chat);
    QCOMPARE(bench.lastText().size(), 400 * 1000);
    disk->release();
    // The program repeats the write by itself; after that it accepts the next prompt.
    bool sent = false;
    QTRY_VERIFY(sent || (sent = bench.chat().send(QStringLiteral("More"))));
    bench.restart();
    bench.chat().openChat(chat);
    const QModelIndex answer = bench.chat().messages()->index(1);
    QCOMPARE(answer.data(MessageModel::TextRole).toString().size(), 400 * 1000);
    QCOMPARE(answer.data(MessageModel::StateRole).toString(), QStringLiteral("complete"));
}

/// The draft is longer than the disk, and the other texts are not.
void TestConversation::aDraftThatCannotBeStoredHoldsUpNoOtherText() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    AppBench bench(AppBench::words(), disk->path());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench.chat().busy());
    const qint64 chat = bench.chat().chatId(), prompt = bench.chat().messages()->rows().front().id;
    bench.chat().newChat();
    bench.chat().setDraft(QString(6 << 20, u'y'));
    bench.chat().keepDraft();
    QVERIFY2(bench.chat().error().why.contains(QStringLiteral("full")), qPrintable(bench.chat().error().why));
    bench.chat().openChat(chat);
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    bench.chat().actions()->beginEdit(prompt);
    bench.chat().actions()->setEditText(prompt, QStringLiteral("Hello again"));
    bench.chat().keepDraft();
    {
        const auto other = ChatStore::open({.folder = disk->path(), .migrations = {}});
        QVERIFY(bool(other));
        QCOMPARE((*other)->state(chat)->draft, QStringLiteral("Half a thought"));
        QCOMPARE((*other)->edits(chat)->value(prompt), QStringLiteral("Hello again"));
    }
    bench.chat().newTemporaryChat(); // the text that has no room stays where it was written
    QCOMPARE(bench.chat().draft(), QString());
    bench.chat().newChat();
    QCOMPARE(bench.chat().draft().size(), 6 << 20);
}

void TestConversation::aReadOnlyDiskKeepsTextsInMemory() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    AppBench bench(AppBench::words(), disk->path());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench.chat().busy());
    const qint64 chat = bench.chat().chatId(), prompt = bench.chat().messages()->rows().front().id;
    bench.stop();
    QVERIFY(disk->setReadOnly(true));
    bench.start();
    bench.chat().openChat(chat);
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    bench.chat().actions()->beginEdit(prompt);
    bench.chat().actions()->setEditText(prompt, QStringLiteral("Hello again"));
    bench.chat().newTemporaryChat();
    bench.chat().keepDraft();
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought"));
    QCOMPARE(bench.chat().actions()->editText(prompt), QStringLiteral("Hello again"));
    bench.stop();
    QVERIFY(disk->setReadOnly(false));
}

QTEST_MAIN(TestConversation)
#include "tst_conversation.moc"
