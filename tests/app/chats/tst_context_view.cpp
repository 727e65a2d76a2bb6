// SPDX-License-Identifier: Apache-2.0
// The end of the context: tokens are counted while a person writes, a prompt without room is refused, and a full
// conversation goes on without its oldest turns, if a person says so.
#include "app/app_bench.h"
#include "common/language.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// The fake counts a token for each byte of the messages.
constexpr int kContext = 400;

FakeScript shortContext() {
    FakeScript script = AppBench::words();
    script.contextSize = kContext;
    return script;
}

/// An answer that ends only at the end of a context of 60 tokens; each of its tokens has twelve bytes.
FakeScript endlessAnswer() {
    FakeScript script = shortContext();
    script.contextSize = 60;
    script.pieces = {"Twelve bytes"};
    script.endless = true;
    return script;
}

/// Prompts that the engine was asked to answer last, without answers.
QStringList lastPrompts(AppBench& bench) {
    QStringList prompts;
    const std::vector<std::vector<engine::Message>> asked = bench.control().conversations();
    for (const engine::Message& message : asked.back())
        if (message.role == engine::Role::User)
            prompts.append(QString::fromStdString(engine::joinedText(message.parts)));
    return prompts;
}

} // namespace

class TestContextView : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        QVERIFY(useLanguage());
    }
    void tokensAreCountedWhileAPersonWrites();
    void tokensAreCountedWhileAnAnswerIsWritten();
    void theSystemPromptIsCountedWhenItChanges();
    void j2TheMessageIsCountedWithAnotherSystemPrompt();
    void aPromptWithoutRoomIsRefusedAndKept();
    void theOldestTurnsAreLeftOutOnRequestOnly();
    void aWaitingPromptWithoutRoomGoesOnAlike();
    void anEditWithoutRoomGoesOnAlike();
    void theFirstPromptOffersNothing();
    void whatIsLeftOutIsUndoneAndRedone();
    void undoingShowsItsChatAgain();
    void aFullAnswerIsLeftOutAsAWhole();
    void aMessageThatIsTooLongAloneIsSaid();
    void anotherAnswerWithoutRoomGoesOnAlike();
    void thePromptOfAPresetIsCounted();
    void anAnswerWithoutRoomIsNotContinued();
    void g6AnEmptyChatOffersNothing();
    void f13OneSumSaysWhatIsTooLong();
    void whatIsLeftOutSurvivesARestart();
    void otherBranchesAreSeenAsAWhole();

  private:
    static void talk(AppBench& bench, const QString& prompt) {
        bench.control().allowAll();
        const int before = bench.chat().messages()->count();
        bench.chat().setDraft(prompt);
        QVERIFY(bench.chat().send(prompt));
        QTRY_COMPARE(bench.chat().messages()->count(), before + 2);
        QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    }
    /// Sends four prompts of 60 letters: four turns have 4 * (60 + 16) tokens.
    static void talkFourTimes(AppBench& bench) {
        OPEN_MODEL(bench);
        for (int i = 0; i < 4; ++i) talk(bench, QString(60, QChar(u'a' + i)));
        QVERIFY(!bench.chat().context()->full());
    }
    /// The same, and sends a fifth prompt, which has no room.
    static void fill(AppBench& bench) {
        talkFourTimes(bench);
        bench.chat().setDraft(QString(100, u'z'));
        QVERIFY(bench.chat().send(bench.chat().draft())); // it is counted first
        QTRY_VERIFY(bench.chat().context()->full());
    }
};

void TestContextView::tokensAreCountedWhileAPersonWrites() {
    AppBench bench(shortContext());
    const ContextView& view = *bench.chat().context();
    bench.chat().setDraft(QStringLiteral("Hello"));
    OPEN_MODEL(bench);
    QTRY_COMPARE(view.draftTokens(), 5);
    bench.chat().setDraft(QStringLiteral("Hello you"));
    QTRY_COMPARE(view.draftTokens(), 9);
    QVERIFY(view.draftFits());
    talk(bench, QStringLiteral("Hello"));
    QCOMPARE(view.draftTokens(), 0); // nothing is written
    bench.chat().setDraft(QString(kContext, u'x'));
    QTRY_COMPARE(view.draftTokens(), 5 + 16 + kContext);
    QVERIFY(!view.draftFits());
}

void TestContextView::tokensAreCountedWhileAnAnswerIsWritten() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    const ContextView& view = *bench.chat().context();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    bench.chat().setDraft(QStringLiteral("And then?"));
    QTRY_COMPARE(view.draftTokens(), 5 + 10 + 9);
    bench.chat().setDraft(QString(kContext, u'x'));
    QTRY_COMPARE(view.draftTokens(), 5 + 10 + kContext);
    QVERIFY(!view.draftFits());
    QVERIFY(!view.full()); // nothing was refused yet
    bench.chat().setDraft(QStringLiteral("And then?"));
    QTRY_VERIFY(view.draftFits());
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QTRY_COMPARE(view.draftTokens(), 5 + 16 + 9); // counted again
}

void TestContextView::theSystemPromptIsCountedWhenItChanges() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    talk(bench, QString(60, u'a'));
    bench.app().settings()->setValue(QStringLiteral("systemPrompt"), QString(20, u's'));
    QTRY_COMPARE(bench.chat().contextUsed(), 60 + 16 + 20);
    bench.app().settings()->setValue(QStringLiteral("systemPrompt"), QString());
    QTRY_COMPARE(bench.chat().contextUsed(), 60 + 16);
}

/// The message in the composer was counted with the former system prompt until somebody typed.
void TestContextView::j2TheMessageIsCountedWithAnotherSystemPrompt() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    const ContextView& view = *bench.chat().context();
    const auto setPrompt = [&](const QString& text) {
        bench.app().settings()->setValue(QStringLiteral("systemPrompt"), text);
    };
    talk(bench, QString(60, u'a'));
    const int words = 60 + 16 + 40;
    bench.chat().setDraft(QString(40, u'b'));
    QTRY_COMPARE(view.draftTokens(), words);
    const int longer = kContext - words + 5; // five tokens too many; a shorter message has room
    setPrompt(QString(longer, u's'));
    QTRY_COMPARE(view.draftTokens(), words + longer);
    QVERIFY(bench.chat().send(bench.chat().draft())); // it is counted first
    QTRY_VERIFY(view.full());
    setPrompt({});
    QTRY_COMPARE(view.draftTokens(), words);
    QTRY_VERIFY(!view.full()); // the card goes with its cause
}

void TestContextView::aPromptWithoutRoomIsRefusedAndKept() {
    AppBench bench(shortContext());
    fill(bench);
    QCOMPARE(bench.chat().messages()->count(), 8);
    QCOMPARE(bench.chat().draft(), QString(100, u'z'));
    const ContextView& view = *bench.chat().context();
    QVERIFY(!bench.chat().refusal().valid() && !bench.chat().error().valid()); // the card alone says it
    QCOMPARE(view.words(), QStringLiteral("This message has no room in the context. "
                                          "The conversation is 5 tokens too long with it."));
    QTRY_COMPARE(view.actions(), QVariantList({ContextView::LeaveOutOldest, ContextView::LargerContext,
                                               ContextView::ShortenMessage, ContextView::NewChat}));
    bench.chat().setDraft(QStringLiteral("Shorter")); // it may fit
    QVERIFY(!bench.chat().context()->full());
    bench.chat().setDraft(QString(100, u'z'));
    QVERIFY(bench.chat().context()->full());
}

void TestContextView::theOldestTurnsAreLeftOutOnRequestOnly() {
    AppBench bench(shortContext());
    fill(bench);
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    bench.chat().context()->leaveOutOldest();
    QVERIFY(bench.chat().context()->searching());
    // The prompt and one turn before it take 176 of the 200 tokens that may be used; two would take 252.
    QTRY_COMPARE(bench.chat().messages()->count(), 10); // the refused prompt was sent
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.chat().context()->leftOut(), bench.chat().messages()->rows()[5].id);
    QVERIFY(bench.chat().context()->shortened());
    QCOMPARE(lastPrompts(bench), QStringList({QString(60, u'd'), QString(100, u'z')}));
    QVERIFY(bench.chat().draft().isEmpty());
    QVERIFY(!bench.chat().context()->full());
    talk(bench, QStringLiteral("And later ones"));
    QCOMPARE(lastPrompts(bench).size(), 3);
}

void TestContextView::aWaitingPromptWithoutRoomGoesOnAlike() {
    AppBench bench(shortContext());
    talkFourTimes(bench);
    const ContextView& view = *bench.chat().context();
    QueuedPrompts& queue = *bench.chat().queue();
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    QVERIFY(queue.add(QString(100, u'z')));
    queue.sendNext();
    QTRY_COMPARE(queue.stateText(), QStringLiteral("Not sent: the conversation would be longer than the context"));
    QVERIFY(view.full());
    bench.chat().setDraft(QStringLiteral("Half a thought more"));
    QVERIFY(view.full()); // whatever the composer has
    const qint64 chat = bench.chat().chatId();
    bench.chat().newChat();
    QVERIFY(!view.full());
    bench.chat().openChat(chat);
    queue.sendNext();
    QTRY_VERIFY(view.full());
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().messages()->count(), 10);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(view.leftOut(), bench.chat().messages()->rows()[5].id);
    QCOMPARE(lastPrompts(bench), QStringList({QString(60, u'd'), QString(100, u'z')}));
    QCOMPARE(queue.count(), 0);
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought more"));
    QVERIFY(!view.full());
    QVERIFY(queue.add(QString(300, u'y')));
    queue.sendNext();
    QTRY_VERIFY(view.full());
    queue.remove(0);
    QVERIFY(!view.full()); // it waits no longer
}

void TestContextView::anEditWithoutRoomGoesOnAlike() {
    AppBench bench(shortContext());
    talkFourTimes(bench);
    const ContextView& view = *bench.chat().context();
    MessageActions& actions = *bench.chat().actions();
    const qint64 prompt = bench.chat().messages()->rows()[6].id, last = bench.chat().messages()->rows()[5].id;
    const QString words(200, u'z');
    actions.beginEdit(prompt);
    actions.setEditText(prompt, words);
    actions.keepEdit(prompt);
    QTRY_VERIFY(view.full());
    QVERIFY(view.words().startsWith(QStringLiteral("The edited message has no room in the context. ")));
    QVERIFY(!bench.chat().error().valid());
    actions.setEditText(prompt, QStringLiteral("Shorter"));
    QVERIFY(!view.full()); // it may fit
    actions.setEditText(prompt, words);
    QVERIFY(view.full());
    bench.chat().context()->leaveOutOldest();
    QTRY_VERIFY(!bench.chat().messages()->find(prompt)); // another version is in its place
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.chat().messages()->count(), 8);
    QCOMPARE(view.leftOut(), last);
    QCOMPARE(lastPrompts(bench), QStringList(words)); // with the turn before it, it would have 276 of 200 tokens
    QVERIFY(!view.full());
    QVERIFY(!bench.chat().error().valid());
    QVERIFY(actions.edited().isEmpty());
}

/// No turn is before it.
void TestContextView::theFirstPromptOffersNothing() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    talk(bench, QStringLiteral("Hello"));
    MessageActions& actions = *bench.chat().actions();
    const qint64 prompt = bench.chat().messages()->rows()[0].id;
    actions.beginEdit(prompt);
    actions.setEditText(prompt, QString(kContext, u'z'));
    actions.keepEdit(prompt);
    const ContextView& view = *bench.chat().context();
    QTRY_VERIFY(view.full());
    QCOMPARE(view.words(), QStringLiteral("The edited message has no room in the context. It is 1 token too long."));
    QVERIFY(!view.offers(ContextView::LeaveOutOldest) && !view.offers(ContextView::NewChat));
    QTRY_VERIFY(view.offers(ContextView::ShortenMessage) && view.offers(ContextView::LargerContext));
}

void TestContextView::whatIsLeftOutIsUndoneAndRedone() {
    AppBench bench(shortContext());
    fill(bench);
    const qint64 last = bench.chat().messages()->rows()[5].id;
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().messages()->count(), 10);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(bench.app().undo()->undoTitle(), QStringLiteral("Continue without the oldest turns"));
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    QTRY_COMPARE(bench.chat().contextUsed(), kContext); // all of it has no room
    QVERIFY(bench.app().undo()->redo());
    QCOMPARE(bench.chat().context()->leftOut(), last);
    QTRY_COMPARE(bench.chat().contextUsed(), 2 * 16 + 60 + 100);
    bench.chat().context()->leaveOutNothing();
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    QVERIFY(bench.app().undo()->undo());
    QCOMPARE(bench.chat().context()->leftOut(), last);
}

/// Also from a temporary chat, whose store knows nothing of the other one.
void TestContextView::undoingShowsItsChatAgain() {
    AppBench bench(shortContext());
    fill(bench);
    const qint64 chat = bench.chat().chatId(), last = bench.chat().messages()->rows()[5].id;
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().messages()->count(), 10);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    bench.app().panes()->newTemporaryChat();
    QVERIFY(bench.chat().temporary());
    QVERIFY2(bench.app().undo()->undo(), qPrintable(bench.app().error().what));
    QCOMPARE(bench.chat().chatId(), chat);
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    bench.app().panes()->newChat();
    QVERIFY(bench.app().undo()->redo());
    QCOMPARE(bench.chat().chatId(), chat);
    QCOMPARE(bench.chat().context()->leftOut(), last);
}

void TestContextView::aFullAnswerIsLeftOutAsAWhole() {
    AppBench bench(endlessAnswer());
    OPEN_MODEL(bench);
    talk(bench, QStringLiteral("Hello"));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    QTRY_VERIFY(bench.chat().context()->full());
    QCOMPARE(bench.chat().contextUsed(), 60);
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().context()->leftOut(), bench.chat().messages()->rows()[1].id);
    QVERIFY(!bench.chat().context()->full());
    QCOMPARE(bench.chat().messages()->count(), 2); // nothing was sent
    talk(bench, QStringLiteral("Go on"));
    QCOMPARE(lastPrompts(bench), QStringList({QStringLiteral("Go on")}));
}

void TestContextView::aMessageThatIsTooLongAloneIsSaid() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    talk(bench, QStringLiteral("Hello"));
    bench.chat().setDraft(QString(kContext, u'z'));
    QVERIFY(bench.chat().send(bench.chat().draft()));
    QTRY_VERIFY(bench.chat().context()->full());
    bench.chat().context()->leaveOutOldest();
    const ContextView& view = *bench.chat().context();
    QTRY_VERIFY(!view.searching());
    QVERIFY(!view.offers(ContextView::LeaveOutOldest) && !view.offers(ContextView::NewChat));
    QTRY_VERIFY(view.offers(ContextView::ShortenMessage));
    QVERIFY(!bench.chat().error().valid()); // the card has said it already
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    QCOMPARE(bench.chat().draft().size(), kContext);
}

/// The system prompt has become longer since the answer before.
void TestContextView::anotherAnswerWithoutRoomGoesOnAlike() {
    AppBench bench(shortContext());
    talkFourTimes(bench);
    talk(bench, QString(90, u'e'));
    bench.app().settings()->setValue(QStringLiteral("systemPrompt"), QString(20, u's'));
    ContextView& view = *bench.chat().context();
    const size_t asked = bench.control().conversations().size();
    bench.chat().setDraft(QStringLiteral("Half a thought"));
    const auto refuse = [&] {
        bench.chat().actions()->regenerate(bench.chat().messages()->lastId());
        QTRY_COMPARE(view.words(), QStringLiteral("Another answer has no room in the context. "
                                                  "The conversation is 15 tokens too long."));
    };
    refuse();
    QCOMPARE(bench.chat().messages()->count(), 10);
    QVERIFY(!bench.chat().busy() && !bench.chat().error().valid());
    QVERIFY(bench.app().undo()->undoTitle().isEmpty()); // nothing was stored
    QVERIFY(view.dismissable());
    view.dismiss();
    QVERIFY(!view.words().startsWith(QStringLiteral("Another answer")));
    refuse();
    QTRY_VERIFY(view.offers(ContextView::LeaveOutOldest));
    view.act(ContextView::LeaveOutOldest);
    QTRY_COMPARE(bench.control().conversations().size(), asked + 1);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(lastPrompts(bench), QStringList({QString(60, u'd'), QString(90, u'e')}));
    QCOMPARE(bench.chat().messages()->count(), 10); // another version of the last answer
    QCOMPARE(bench.chat().draft(), QStringLiteral("Half a thought"));
    QTRY_VERIFY(!view.full());
}

/// It is the system prompt of one answer, in place of the chat's. The last turn alone has room with it.
void TestContextView::thePromptOfAPresetIsCounted() {
    AppBench bench(shortContext());
    talkFourTimes(bench);
    const auto regenerate = [&](int letters) {
        const QString name = QStringLiteral("%1 letters").arg(letters);
        const QJsonObject values{{QStringLiteral("systemPrompt"), QString(letters, u'p')}};
        bench.chat().actions()->regenerateAs(bench.chat().messages()->lastId(),
                                             bench.app().presets()->add(name, values));
    };
    const auto asked = [&] { return bench.control().conversations().size(); };
    const size_t before = asked();
    ContextView& view = *bench.chat().context();
    regenerate(300);
    QTRY_COMPARE(view.words(), QStringLiteral("Another answer has no room in the context. "
                                              "The conversation is 189 tokens too long."));
    QCOMPARE(asked(), before);
    QVERIFY(bench.app().undo()->undoTitle().isEmpty()); // nothing was stored
    QTRY_VERIFY(view.offers(ContextView::LeaveOutOldest));
    view.act(ContextView::LeaveOutOldest);
    QTRY_COMPARE(asked(), before + 1);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(lastPrompts(bench), QStringList(QString(60, u'd')));
    bench.app().undo()->undo(); // the answer
    bench.app().undo()->undo(); // the turns that were left out
    QVERIFY(bench.chat().setOwnSettings(bench.chat().chatId(), {{QStringLiteral("systemPrompt"), QString(300, u's')}}));
    regenerate(20);
    QTRY_COMPARE(asked(), before + 2);
    QCOMPARE(lastPrompts(bench).size(), 4);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
}

/// Its prompt and its 59 tokens fill the context, and no turn is before them.
void TestContextView::anAnswerWithoutRoomIsNotContinued() {
    AppBench bench(endlessAnswer());
    OPEN_MODEL(bench);
    talk(bench, QStringLiteral("Hello"));
    const ContextView& view = *bench.chat().context();
    const QString text = bench.lastText();
    bench.chat().actions()->continueAnswer(bench.chat().messages()->lastId());
    QTRY_COMPARE(view.words(),
                 QStringLiteral("The answer has no room to go on. The conversation is 5 tokens too long."));
    QTRY_COMPARE(view.actions(), QVariantList{ContextView::LargerContext});
    QCOMPARE(bench.lastText(), text);
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    QVERIFY(bench.app().undo()->undoTitle().isEmpty());
}

/// There are no turns whose room it could have.
void TestContextView::g6AnEmptyChatOffersNothing() {
    AppBench bench(shortContext());
    OPEN_MODEL(bench);
    bench.chat().setDraft(QString(kContext, u'z'));
    QVERIFY(bench.chat().send(bench.chat().draft()));
    const ContextView& view = *bench.chat().context();
    QTRY_VERIFY(view.full());
    QCOMPARE(view.words(), QStringLiteral("This message has no room in the context. It is 1 token too long."));
    QVERIFY(!view.offers(ContextView::LeaveOutOldest) && !view.offers(ContextView::NewChat)); // s15: this is one
}

/// The conversation of 410 tokens has no room for any message: a shorter one would not help.
void TestContextView::f13OneSumSaysWhatIsTooLong() {
    AppBench bench(shortContext());
    talkFourTimes(bench);
    talk(bench, QString(90, u'e'));
    const ContextView& view = *bench.chat().context();
    QTRY_COMPARE(view.words(), QStringLiteral("The context is full. The conversation is 12 tokens too long for a next "
                                              "message."));
    bench.chat().setDraft(QStringLiteral("sixsix"));
    QVERIFY(bench.chat().send(bench.chat().draft()));
    QTRY_COMPARE(view.words(), QStringLiteral("This message has no room in the context. "
                                              "The conversation is 17 tokens too long with it."));
    QTRY_VERIFY(view.offers(ContextView::LeaveOutOldest)); // a shorter message was counted before
    QVERIFY(!view.offers(ContextView::ShortenMessage));
}

void TestContextView::whatIsLeftOutSurvivesARestart() {
    AppBench bench(shortContext());
    fill(bench);
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().messages()->count(), 10);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 last = bench.chat().context()->leftOut(), chat = bench.chat().chatId();
    bench.restart();
    QCOMPARE(bench.chat().context()->leftOut(), last);
    QVERIFY(bench.chat().context()->shortened());
    OPEN_MODEL(bench);
    QTRY_COMPARE(bench.chat().contextUsed(), 2 * 16 + 60 + 100);
    talk(bench, QStringLiteral("Still here"));
    QCOMPARE(lastPrompts(bench).size(), 3);
    bench.chat().newChat();
    QCOMPARE(bench.chat().context()->leftOut(), qint64{0});
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().context()->leftOut(), last);
}

void TestContextView::otherBranchesAreSeenAsAWhole() {
    AppBench bench(shortContext());
    fill(bench);
    bench.chat().context()->leaveOutOldest();
    QTRY_COMPARE(bench.chat().messages()->count(), 10);
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    const qint64 chat = bench.chat().chatId(), first = bench.chat().messages()->rows()[1].id;
    bench.stop();
    {
        auto store = ChatStore::open({.folder = bench.folder(), .migrations = {}});
        QVERIFY(store.value()->addTurn(
            {.chat = chat, .title = {}, .prompt = QStringLiteral("Beside"), .model = {}, .parent = first}));
    }
    bench.start();
    OPEN_MODEL(bench);
    QCOMPARE(bench.chat().messages()->count(), 4);
    QVERIFY(bench.chat().context()->leftOut() != 0);
    QVERIFY(!bench.chat().context()->shortened());
    talk(bench, QStringLiteral("Hello"));
    QCOMPARE(lastPrompts(bench).front(), QString(60, u'a'));
}

QTEST_MAIN(TestContextView)
#include "tst_context_view.moc"
