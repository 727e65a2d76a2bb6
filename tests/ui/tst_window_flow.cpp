// SPDX-License-Identifier: Apache-2.0
// The flow of a conversation in the real window, by keys and pointer: words are found in the chat, messages wait for
// their turn, and the context comes to its end.
#include "current_hit.h"
#include "store/chat_store.h"
#include "text/message_text.h"
#include "window_driver.h"

#include <QClipboard>

using namespace coterie;
using namespace coterie::tests;
using app::MessageText;

class WindowFlowTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void findInThisChat();
    void findInThisChatByPointer();
    void findInThisChatGoesToMessagesThatWereNotReadYet();
    void escapeClosesTheSearchBeforeItStopsTheAnswer();
    void n28AHitIsMarkedAndInView();
    void eachHitThatIsChosenIsTheCurrentOne();
    void aHitIsUnderNoButton_data();
    void aHitIsUnderNoButton();
    void aMessageWaitsForItsTurn();
    void aWaitingMessageIsEditedOrCancelled();
    void escLeavesTheEditOfAWaitingMessage();
    void aCancelledMessageWaitsAgainByUndo();
    void undoBringsAWaitingMessageBackOnce_data();
    void undoBringsAWaitingMessageBackOnce();
    void stoppedAnswersLeaveMessagesWaiting();
    void aQuestionWithoutAnAnswerIsAnswered_data();
    void aQuestionWithoutAnAnswerIsAnswered();
    void aHeldMessageSaysSoBesideAnotherAnswer();
    void tokensAreCountedWhileAPersonWrites();
    void theConversationGoesOnWithoutTheOldestTurns();
    void oneCardSaysWhatHasNoRoom();
    void theCardLeadsToWhatHelps();
    void theCardTakesAFileToANewChat();
    void f12EscapeClosesACardFirst();
    void f12EscapeClosesAnErrorBeforeItStopsTheAnswer();
    void anAnswerCutOffByTheEndSaysSo_data();
    void anAnswerCutOffByTheEndSaysSo();
    void f15TheViewStaysAtTheEnd();
    void hitsLeaveWhileOneIsBeingMade();
    void aLongEditKeepsTheFocus_data();
    void aLongEditKeepsTheFocus();

  private:
    /// Sends a message, and lets the answer begin.
    void begin() {
        press(Qt::Key_L, Qt::ControlModifier);
        type(QStringLiteral("Hello"));
        press(Qt::Key_Return);
        control_->allow(8 + 4);
        QTRY_VERIFY(app()->conversation()->state() == app::Conversation::Writing);
    }
    /// Starts the program. A message waits for its turn, and the answer before it is stopped.
    void stopTheAnswerBeforeAMessage() {
        start();
        begin();
        type(QStringLiteral("later"));
        press(Qt::Key_Return);
        press(Qt::Key_Escape);
        QTRY_VERIFY(idle());
        QTRY_VERIFY(shows("Not sent: the answer before it was stopped"));
    }
    /// The card about what has no room in the context; null if there is none in view.
    QQuickItem* card() const {
        return findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("NoRoomCard");
        });
    }
    /// Clicks a button of the card.
    void clickInCard(const char* name) {
        const auto find = [&] {
            return findItem(card(), [name](const QQuickItem* at) {
                return at->isVisible() && at->inherits("QQuickButton") &&
                       at->property("text").toString() == QLatin1String(name);
            });
        };
        clickFound(find, name);
    }
    bool idle() const { return !app()->conversation()->busy(); }
    int messages() const { return app()->conversation()->messages()->count(); }
    app::ChatFind* find() const { return app()->conversation()->find(); }
    QQuickItem* list() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    QString focusName() const {
        QAccessibleInterface* focus = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return focus ? focus->text(QAccessible::Name) : QString();
    }
    bool hitInView() const {
        const QRectF hit = currentHit(window());
        return !hit.isEmpty() && list()->mapRectToScene(QRectF(0, 0, list()->width(), list()->height())).contains(hit);
    }
    /// Fills the store with a chat of this many turns, and shows it. One prompt near its beginning has a lantern.
    void showLongChat(int turns) {
        fixture_->stop();
        {
            auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
            qint64 chat = 0;
            for (int i = 0; i < turns; ++i) {
                const QString prompt = i == 4 ? QStringLiteral("A lantern") : QStringLiteral("Prompt %1").arg(i);
                const auto turn = store.value()->addTurn(
                    {.chat = chat, .title = QStringLiteral("Long"), .prompt = prompt, .model = {}});
                chat = turn->chat;
                app::MessageRow answer = turn->answer;
                answer.state = app::MessageState::Complete;
                answer.parts =
                    app::textParts(QStringLiteral("The answer to prompt %1.\n\nIt has two paragraphs.").arg(i));
                QVERIFY(store.value()->finishAnswer(answer));
            }
        }
        QVERIFY(fixture_->start(model_));
        QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
        QTRY_VERIFY(app()->models()->state() == app::ModelController::Ready);
        app()->conversation()->openChat(1);
    }
};

void WindowFlowTest::findInThisChat() {
    start();
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_F, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Words to find in this chat"));
    type(QStringLiteral("number"));
    QTRY_COMPARE(find()->count(), 2);
    QTRY_VERIFY(hitInView());
    if (find()->current() == 2) press(Qt::Key_Return); // which one is next depends on what is in view
    QCOMPARE(find()->countText(), QStringLiteral("1 of 2"));
    QTRY_VERIFY(hitInView());
    press(Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(find()->countText(), QStringLiteral("2 of 2"));
    QTRY_VERIFY(hitInView());
    press(Qt::Key_L, Qt::ControlModifier); // F3 works from everywhere
    press(Qt::Key_F3);
    QCOMPARE(find()->countText(), QStringLiteral("1 of 2"));
    press(Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(find()->countText(), QStringLiteral("2 of 2"));
    QTRY_VERIFY(shows("2 of 2"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!item(QStringLiteral("Words to find in this chat")));
    QVERIFY(currentHit(window()).isEmpty());
    press(Qt::Key_F, Qt::ControlModifier); // the words are there again, ready to be replaced
    type(QStringLiteral("lighthouse"));
    QTRY_COMPARE(find()->count(), 4); // two in thoughts
    QTRY_VERIFY(hitInView());         // the thought was unfolded
    press(Qt::Key_Escape);
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowFlowTest::findInThisChatByPointer() {
    start();
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("keeper"));
    QTRY_VERIFY(!find()->searching() && find()->count() == 2); // those of the first letters alone are two, too
    if (find()->current() == 1) press(Qt::Key_Return);
    QCOMPARE(find()->countText(), QStringLiteral("2 of 2"));
    click(QStringLiteral("Find the place before (Shift+F3)"));
    QCOMPARE(find()->countText(), QStringLiteral("1 of 2"));
    click(QStringLiteral("Find the next place (F3)"));
    QCOMPARE(find()->countText(), QStringLiteral("2 of 2"));
    click(QStringLiteral("Close the search (Esc)"));
    QTRY_VERIFY(!item(QStringLiteral("Words to find in this chat")));
}

void WindowFlowTest::findInThisChatGoesToMessagesThatWereNotReadYet() {
    start();
    showLongChat(120);
    QTRY_VERIFY(list());
    QVERIFY(app()->conversation()->messages()->count() < 200);
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("lantern"));
    QTRY_COMPARE(find()->countText(), QStringLiteral("1 of 1"));
    QTRY_VERIFY(hitInView());
    press(Qt::Key_Escape);
    press(Qt::Key_J, Qt::ControlModifier);
    QTRY_VERIFY(shows("The answer to prompt 119."));
}

void WindowFlowTest::escapeClosesTheSearchBeforeItStopsTheAnswer() {
    start();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    control_->allow(8 + 30);
    QTRY_VERIFY(app()->conversation()->messages()->rows().back().text().contains(QStringLiteral("lighthouse")));
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("every morning"));
    QTRY_COMPARE(find()->countText(), QStringLiteral("Not found"));
    control_->allow(20); // the answer goes on
    QTRY_COMPARE(find()->countText(), QStringLiteral("1 of 1"));
    QTRY_VERIFY(hitInView());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!find()->active());
    QVERIFY(app()->conversation()->busy());
    press(Qt::Key_F, Qt::ControlModifier);
    press(Qt::Key_L, Qt::ControlModifier); // the search stays open without the focus
    press(Qt::Key_Escape);
    QTRY_VERIFY(!find()->active());
    QVERIFY(app()->conversation()->busy());
    press(Qt::Key_Escape);
    QTRY_VERIFY(app()->conversation()->state() == app::Conversation::Stopping || !app()->conversation()->busy());
}

/// A hit of the search in all chats, in the middle of a message that is much higher than the window.
void WindowFlowTest::n28AHitIsMarkedAndInView() {
    start();
    fixture_->stop();
    {
        const QString lines = QStringLiteral("A line of many.\n\n").repeated(100);
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        const auto turn = store.value()->addTurn(
            {.chat = 0, .title = QStringLiteral("Long"), .prompt = QStringLiteral("Tell me"), .model = {}});
        app::MessageRow answer = turn->answer;
        answer.state = app::MessageState::Complete;
        answer.parts = app::textParts(lines + QStringLiteral("Here is a zebra.\n\n") + lines);
        QVERIFY(store.value()->finishAnswer(answer));
    }
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("zebra"));
    QTRY_COMPARE(app()->search()->count(), 1);
    press(Qt::Key_Return); // the first hit
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Long"));
    QTRY_VERIFY(hitInView());
}

/// The bar of the search in the chat, which the first hit opens, said "2 of 2" also after the other hit was chosen.
void WindowFlowTest::eachHitThatIsChosenIsTheCurrentOne() {
    start();
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("number"));
    QTRY_VERIFY(!app()->search()->searching() && app()->search()->count() == 2); // one in each answer
    const auto check = [this](int row) {
        const auto hit = app()->search()->index(row).data(app::ChatSearchModel::MessageIdRole).toLongLong();
        const bool later = app()->conversation()->messages()->lastId() == hit;
        QTRY_COMPARE(find()->countText(), later ? QStringLiteral("2 of 2") : QStringLiteral("1 of 2"));
        QTRY_VERIFY(hitInView());
    };
    press(Qt::Key_Return);
    check(0);
    for (const int key : {Qt::Key_Down, Qt::Key_Up}) {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_Down); // to the hit that was chosen before
        press(key);
        press(Qt::Key_Return);
        check(key == Qt::Key_Down ? 1 : 0);
    }
}

void WindowFlowTest::aHitIsUnderNoButton_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<QSize>("size");
    QTest::newRow("the largest texts in the smallest window") << 2.0 << QSize(640, 440);
    QTest::newRow("the smallest window") << 1.0 << QSize(640, 440);
    QTest::newRow("a usual window") << 1.0 << QSize(900, 700);
}

/// The button that leads to the end of the chat lay over the words.
void WindowFlowTest::aHitIsUnderNoButton() {
    QFETCH(const double, scale);
    QFETCH(const QSize, size);
    start();
    app()->settings()->fontScale = scale;
    window()->resize(size);
    for (int i = 0; i < 4; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("lighthouse"));
    QTRY_VERIFY(!find()->searching() && find()->count() == 8);
    for (int hits = 0; hits < find()->count(); ++hits) {
        press(Qt::Key_Return);
        QVERIFY(drawn() && drawn());
        QTRY_VERIFY(hitInView());
        const QQuickItem* const button = item(QStringLiteral("Jump to latest"));
        QVERIFY2(!button || !button->mapRectToScene(QRectF(0, 0, button->width(), button->height()))
                                 .intersects(currentHit(window())),
                 qPrintable(find()->countText()));
    }
}

void WindowFlowTest::aMessageWaitsForItsTurn() {
    start();
    begin();
    type(QStringLiteral("And then?"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Waiting message: And then?")));
    QVERIFY(shows("Will be sent after this answer"));
    QVERIFY(app()->conversation()->draft().isEmpty());
    type(QStringLiteral("By pointer"));
    click(app()->commands()->tip(QStringLiteral("Send after this answer"), QStringLiteral("message.send")));
    QTRY_VERIFY(item(QStringLiteral("Waiting message: By pointer")));
    QCOMPARE(messages(), 2);
    type(QStringLiteral("half"));
    control_->allowAll();
    QTRY_COMPARE(messages(), 6);
    QTRY_VERIFY(idle());
    QVERIFY(!shows("Waiting message"));
    QVERIFY(shows("You: By pointer"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("half"));
}

void WindowFlowTest::aWaitingMessageIsEditedOrCancelled() {
    start();
    begin();
    for (const char* text : {"first", "second"}) {
        type(QString::fromLatin1(text));
        press(Qt::Key_Return);
    }
    QTRY_VERIFY(item(QStringLiteral("Waiting message: second")));
    click(QStringLiteral("Edit the waiting message")); // the first one
    QTRY_VERIFY(!item(QStringLiteral("Waiting message: first")));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("first"));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    use("Cancel the waiting message");
    QTRY_VERIFY(!shows("Waiting message"));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QVERIFY(app()->undo()->undo());
    QTRY_VERIFY(item(QStringLiteral("Waiting message: second")));
}

/// Esc stopped the answer, and the message was nowhere but in the composer.
void WindowFlowTest::escLeavesTheEditOfAWaitingMessage() {
    const QString waiting = QStringLiteral("Waiting message: later"), typed = QStringLiteral("later\n\nmore, now");
    start();
    begin();
    type(QStringLiteral("later"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(waiting));
    type(QStringLiteral("more"));
    click(QStringLiteral("Edit the waiting message"));
    QTRY_VERIFY(!item(waiting));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    type(QStringLiteral(", now"));
    QCOMPARE(app()->conversation()->draft(), typed);
    const auto leave = [&] {
        press(Qt::Key_Escape);
        QTRY_VERIFY(item(waiting));
        QCOMPARE(app()->conversation()->draft(), QStringLiteral("more"));
        QCOMPARE(focusName(), QStringLiteral("Message"));
        QCOMPARE(app()->conversation()->state(), app::Conversation::Writing);
    };
    leave();
    QVERIFY(shows("Will be sent after this answer"));
    press(Qt::Key_Z, Qt::ControlModifier); // nothing that was typed is lost
    QTRY_VERIFY(!item(waiting));
    QCOMPARE(app()->conversation()->draft(), typed);
    leave();
    press(Qt::Key_Escape); // nothing smaller is left
    QTRY_VERIFY(idle());
    QVERIFY(item(waiting));
}

/// The composer is empty, as it was when the message was cancelled: Ctrl+Z is about that, not about words that were
/// sent long ago.
void WindowFlowTest::aCancelledMessageWaitsAgainByUndo() {
    start();
    begin();
    type(QStringLiteral("second"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Waiting message: second")));
    click(QStringLiteral("Cancel the waiting message"));
    QTRY_VERIFY(!shows("Waiting message"));
    QTRY_VERIFY(item(QStringLiteral("Cancelled the waiting message")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Waiting message: second")));
    QVERIFY(app()->conversation()->draft().isEmpty());
    QTRY_VERIFY(!item(QStringLiteral("Cancelled the waiting message")));
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!shows("Waiting message:"));
    type(QStringLiteral("third"));
    press(Qt::Key_Z, Qt::ControlModifier); // the words that were typed since
    QTRY_VERIFY(app()->conversation()->draft().size() < 5);
    QVERIFY(!item(QStringLiteral("Waiting message: second")));
}

void WindowFlowTest::undoBringsAWaitingMessageBackOnce_data() {
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("draft"); // after its press
    QTest::addColumn<bool>("elsewhere");
    const QString edit = QStringLiteral("Edit the waiting message"), moved = QStringLiteral("second\n\nmore");
    const QString cancel = QStringLiteral("Cancel the waiting message"), typed = QStringLiteral("more");
    QTest::newRow("edited, from the field") << edit << moved << false;
    QTest::newRow("edited, from the messages") << edit << moved << true;
    QTest::newRow("cancelled, from the field") << cancel << typed << false;
    QTest::newRow("cancelled, from the messages") << cancel << typed << true;
}

/// The field could undo the words that were put into the queue, and an edit left its words in the field.
void WindowFlowTest::undoBringsAWaitingMessageBackOnce() {
    QFETCH(const QString, button);
    QFETCH(const QString, draft);
    QFETCH(const bool, elsewhere);
    const QString waiting = QStringLiteral("Waiting message: second");
    const auto key = [&](Qt::KeyboardModifiers more) {
        if (elsewhere) list()->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Z, Qt::ControlModifier | more);
    };
    const auto undo = [&] {
        key(Qt::NoModifier);
        QTRY_VERIFY(item(waiting));
        QCOMPARE(app()->conversation()->draft(), QStringLiteral("more"));
    };
    start();
    begin();
    type(QStringLiteral("second"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(waiting));
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(app()->conversation()->draft(), QString());
    type(QStringLiteral("more"));
    click(button);
    QTRY_VERIFY(!item(waiting));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(app()->conversation()->draft(), draft);
    undo();
    key(Qt::ShiftModifier); // redo
    QTRY_VERIFY(!item(waiting));
    QCOMPARE(app()->conversation()->draft(), draft);
    undo();
    key(Qt::NoModifier); // nothing of it is left to undo
    QVERIFY(item(waiting));
    QVERIFY(!app()->conversation()->draft().contains(QStringLiteral("second")));
}

void WindowFlowTest::aQuestionWithoutAnAnswerIsAnswered_data() {
    QTest::addColumn<bool>("byMenu");
    QTest::newRow("by its button") << false;
    QTest::newRow("from its menu") << true;
}

/// A question whose answer was deleted. One that was imported looks alike.
void WindowFlowTest::aQuestionWithoutAnAnswerIsAnswered() {
    QFETCH(const bool, byMenu);
    start();
    talk(QStringLiteral("Hello"));
    QVERIFY(!item(QStringLiteral("Answer now")));
    press(Qt::Key_Delete, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(messages(), 1);
    QTRY_VERIFY(item(QStringLiteral("Answer now")));
    if (byMenu) {
        click(QStringLiteral("More actions"));
        click(QStringLiteral("Answer"), QAccessible::MenuItem);
    } else {
        use("Answer now");
    }
    QTRY_COMPARE(messages(), 2);
    QTRY_VERIFY(idle());
    QVERIFY(!item(QStringLiteral("Answer now")));
    if (!byMenu) QCOMPARE(focusName(), QStringLiteral("Hello")); // the button is gone
    click(QStringLiteral("More actions")); // the buttons of the question, which has its answer now
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Edit"), QAccessible::MenuItem));
    QVERIFY(!namedItem(window(), QStringLiteral("Answer"), QAccessible::MenuItem));
}

void WindowFlowTest::stoppedAnswersLeaveMessagesWaiting() {
    stopTheAnswerBeforeAMessage();
    QVERIFY(item(QStringLiteral("Waiting message: later")));
    control_->allowAll();
    click(QStringLiteral("Send now"));
    QTRY_COMPARE(messages(), 4);
    QTRY_VERIFY(idle());
    QVERIFY(!shows("Waiting message"));
}

/// It said "the answer before it was stopped" when that answer was written again, and "Send now" when it could not be.
void WindowFlowTest::aHeldMessageSaysSoBesideAnotherAnswer() {
    stopTheAnswerBeforeAMessage();
    QTRY_VERIFY(item(QStringLiteral("Send now")));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(!idle());
    QTRY_VERIFY(shows("Not sent yet: it waits until you send it") && item(QStringLiteral("Send next")));
    QVERIFY(!shows("Not sent: ") && !item(QStringLiteral("Send now")));
    control_->allowAll();
    QTRY_VERIFY(idle());
    QTRY_VERIFY(item(QStringLiteral("Send now")));
    QVERIFY(shows("Not sent yet: it waits until you send it"));
    click(QStringLiteral("Send now"));
    QTRY_COMPARE(messages(), 4);
}

void WindowFlowTest::tokensAreCountedWhileAPersonWrites() {
    start("context-full");
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("5 of 40 tokens with this message"));
    press(Qt::Key_Backspace);
    QTRY_VERIFY(shows("4 of 40 tokens with this message"));
    type(QString(40, QChar(u'x')));
    QTRY_VERIFY(shows("44 of 40 tokens with this message"));
    press(Qt::Key_Return); // it is refused, and stays
    QTRY_VERIFY(shows("This message has no room in the context. It is 5 tokens too long."));
    QVERIFY(!shows("Not sent.")); // it is said once
    QCOMPARE(app()->conversation()->draft().size(), 44);
    QCOMPARE(messages(), 0);
}

void WindowFlowTest::theConversationGoesOnWithoutTheOldestTurns() {
    start("context-full");
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("The context is full."));
    QVERIFY(!shows("The model sees the conversation from here")); // never by itself
    click(QStringLiteral("Continue without the oldest turns"));
    QTRY_VERIFY(shows("The model sees the conversation from here"));
    QTRY_VERIFY(!shows("The context is full")); // f33: it has room again
    QVERIFY(shows("The context was full."));    // the answer still says why it ends
    QVERIFY(!shownTexts().contains(QStringLiteral("Stopped")));
    QTRY_VERIFY(shows("Context: 0 of 40 tokens"));
    QTRY_VERIFY(shows("Context (shortened)") || item(QStringLiteral("Context: 0 of 40 tokens")));
    click(QStringLiteral("Show the model the whole conversation"));
    QTRY_VERIFY(!shows("The model sees the conversation from here"));
    QVERIFY(app()->undo()->undo());
    QTRY_VERIFY(shows("The model sees the conversation from here"));
    talk(QStringLiteral("Go on"));
    QCOMPARE(control_->conversations().back().size(), size_t{1}); // without the turn before
}

/// Each case once had a place and an advice of its own: a red card, a line, a strip.
void WindowFlowTest::oneCardSaysWhatHasNoRoom() {
    start("context-full");
    talk(QStringLiteral("Hello"));
    app::MessageActions& actions = *app()->conversation()->actions();
    const qint64 prompt = app()->conversation()->messages()->rows()[0].id;
    const qint64 answer = app()->conversation()->messages()->rows()[1].id;
    QPointF corner;
    const auto check = [&](const char* words) {
        QTRY_VERIFY2(shows(words), words);
        QVERIFY(drawn() && drawn());
        QVERIFY(card());
        const QPointF now = card()->mapRectToScene(QRectF(0, 0, card()->width(), card()->height())).bottomLeft();
        if (corner.isNull()) corner = now;
        QCOMPARE(now, corner);
        QVERIFY(!app()->conversation()->error().valid() && !app()->conversation()->refusal().valid());
        QCOMPARE(messages(), 2);
        QVERIFY(idle());
    };
    check("The context is full. ");
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("And then?"));
    press(Qt::Key_Return);
    check("This message has no room in the context. ");
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then?"));
    press(Qt::Key_Backspace); // another text may have room
    check("The context is full. ");
    const qint64 counted = app()->conversation()->countedTokens();
    app()->settings()->setValue(QStringLiteral("systemPrompt"), QString(60, u's'));
    QTRY_COMPARE(app()->conversation()->countedTokens(), counted + 60);
    press(Qt::Key_R, Qt::ControlModifier);
    check("Another answer has no room in the context. ");
    click(QStringLiteral("Dismiss"));
    check("The context is full. ");
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Message"))); // the button is gone, the card is not
    actions.continueAnswer(answer);
    check("The answer has no room to go on. ");
    actions.beginEdit(prompt);
    actions.setEditText(prompt, QStringLiteral("Good morning"));
    actions.keepEdit(prompt);
    check("The edited message has no room in the context. ");
    QCOMPARE(actions.editText(prompt), QStringLiteral("Good morning"));
    QCOMPARE(control_->conversations().size(), size_t{1});
}

void WindowFlowTest::theCardLeadsToWhatHelps() {
    start("context-full");
    window()->resize(900, 500);
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    app()->conversation()->setDraft(QStringLiteral("And then?"));
    clickInCard("Larger context");
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Settings);
    QTRY_COMPARE(focusName(), QStringLiteral("Context in tokens")); // the new size can be typed at once
    QVERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("Context in tokens"));
    QVERIFY(!item(QStringLiteral("Clear the search"))); // the setting stands among the others
    const auto placeOf = [](const QQuickItem* of) {
        return of->mapRectToScene(QRectF(0, 0, of->width(), of->height()));
    };
    const QQuickItem* const heading = item(QStringLiteral("Memory (applies when a model is opened)"));
    const QQuickItem* view = window()->activeFocusItem();
    while (view && !view->inherits("QQuickFlickable")) view = view->parentItem();
    QVERIFY(heading && view);
    QTRY_VERIFY(placeOf(view).contains(placeOf(heading))); // it says when the value applies
    QVERIFY(placeOf(view).contains(placeOf(window()->activeFocusItem())));
    app()->pages()->close();
    clickInCard("New chat");
    QTRY_COMPARE(app()->conversation()->chatId(), qint64{0});
    QTRY_VERIFY(!card());
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then?"));
    QTRY_VERIFY(shows("Moved the message to a new chat"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then?"));
    app()->conversation()->newChat();
    QCOMPARE(app()->conversation()->draft(), QString()); // it is in one composer at a time
    app()->conversation()->setDraft(QStringLiteral("A thought"));
    app()->conversation()->openChat(chat);
    app()->conversation()->setDraft(QStringLiteral("What else?"));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("This message has no room in the context."));
    clickInCard("New chat");
    QTRY_COMPARE(app()->conversation()->chatId(), qint64{0});
    QTRY_COMPARE(app()->conversation()->draft(), QStringLiteral("A thought\n\nWhat else?")); // nothing is lost here
    app()->conversation()->openChat(chat);
    QCOMPARE(app()->conversation()->draft(), QString());
}

void WindowFlowTest::theCardTakesAFileToANewChat() {
    start("context-full");
    talk(QStringLiteral("Hello"));
    QFile file(QDir(fixture_->dataFolder()).filePath(QStringLiteral("a.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("1") == 1);
    file.close();
    app()->conversation()->files()->add({QUrl::fromLocalFile(file.fileName())});
    QTRY_COMPARE(app()->conversation()->files()->count(), 1);
    app()->conversation()->setDraft(QStringLiteral("And then?"));
    clickInCard("New chat");
    QTRY_COMPARE(app()->conversation()->chatId(), qint64{0});
    QTRY_VERIFY(item(QStringLiteral("Take out a.txt")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then?"));
}

/// The search is open, too, but the focus is in the composer.
void WindowFlowTest::f12EscapeClosesACardFirst() {
    start("context-full");
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(app()->conversation()->countedTokens() > 0);
    const qint64 counted = app()->conversation()->countedTokens();
    app()->settings()->setValue(QStringLiteral("systemPrompt"), QString(60, u's'));
    QTRY_COMPARE(app()->conversation()->countedTokens(), counted + 60);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(shows("Another answer has no room in the context."));
    press(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(find()->active());
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("And"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("Another answer has no room"));
    QCOMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And"));
    QVERIFY(find()->active());
    QVERIFY(shows("The context is full.")); // this card says how things are: it can't be closed
    press(Qt::Key_Escape);
    QTRY_VERIFY(!find()->active());
}

void WindowFlowTest::f12EscapeClosesAnErrorBeforeItStopsTheAnswer() {
    start();
    begin();
    app()->conversation()->files()->add({QUrl::fromLocalFile(fixture_->dataFolder() + QStringLiteral("/none.txt"))});
    QTRY_VERIFY(app()->conversation()->error().valid());
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_Escape);
    QVERIFY(!app()->conversation()->error().valid());
    QVERIFY(app()->conversation()->state() == app::Conversation::Writing);
    press(Qt::Key_Escape);
    QTRY_VERIFY(idle());
}

void WindowFlowTest::anAnswerCutOffByTheEndSaysSo_data() {
    QTest::addColumn<bool>("killed");
    QTest::newRow("the window was closed") << false;
    QTest::newRow("the program was killed") << true;
}

/// It does not say that the user has stopped it.
void WindowFlowTest::anAnswerCutOffByTheEndSaysSo() {
    QFETCH(const bool, killed);
    start();
    if (!killed) begin();
    qint64 chat = app()->conversation()->chatId();
    fixture_->stop();
    if (killed) { // a killed program leaves this in the store
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        const auto turn = store.value()->addTurn(
            {.chat = 0, .title = QStringLiteral("Tell me"), .prompt = QStringLiteral("Tell me"), .model = {}});
        QVERIFY(store.value()->saveProgress(turn->answer.id, app::textParts(QStringLiteral("Once upon")), 0));
        chat = turn->chat;
    }
    QVERIFY(fixture_->start(model_));
    app()->panes()->open(chat);
    QTRY_VERIFY(shows("Coterie was closed before this answer was complete."));
    QVERIFY(!shownTexts().contains(QStringLiteral("Stopped")));
}

/// The line that says where the model's view begins stands at the end of the chat: whoever is there sees all of it.
void WindowFlowTest::f15TheViewStaysAtTheEnd() {
    start("context-full");
    window()->resize(900, 480);
    talk(QStringLiteral("Hello"));
    const QQuickItem* list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    QTRY_VERIFY(list->property("contentHeight").toReal() > list->height());
    QTRY_VERIFY(list->property("atEnd").toBool());
    click(QStringLiteral("Continue without the oldest turns"));
    QTRY_VERIFY(item(QStringLiteral("The model sees the conversation from here")));
    QVERIFY(drawn() && drawn());
    QTRY_VERIFY(list->property("atEnd").toBool());
    QVERIFY(!item(QStringLiteral("Jump to latest")));
}

/// Qt 6.4 warns when all rows leave a list that is making one that is not in view yet.
void WindowFlowTest::hitsLeaveWhileOneIsBeingMade() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("DelegateModel")));
    start("words");
    QStringList chats;
    for (int i = 0; i < 60; ++i)
        chats.append(QStringLiteral(R"({"title": "Chat %1", "mapping": {"a": {"message": {
            "author": {"role": "user"}, "content": {"parts": ["Rivers"]}}}}})")
                         .arg(i));
    QFile file(QDir(fixture_->dataFolder()).filePath(QStringLiteral("chats.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write('[' + chats.join(u',').toUtf8() + ']');
    file.close();
    app()->exchange()->importFile(QUrl::fromLocalFile(file.fileName()));
    QTRY_COMPARE(app()->chats()->count(), static_cast<int>(chats.size()));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    for (int events = 0; events < 20; ++events) {
        type(QStringLiteral("rivers"));
        QTRY_VERIFY(app()->search()->count() > 0);
        for (int i = 0; i < events; ++i) QCoreApplication::processEvents();
        type(QStringLiteral("x"));
        QTRY_COMPARE(app()->search()->count(), 0);
        QVERIFY(drawn());
        press(Qt::Key_Escape);
    }
}

void WindowFlowTest::aLongEditKeepsTheFocus_data() {
    QTest::addColumn<int>("row");
    QTest::newRow("a prompt") << 6;
    QTest::newRow("an answer") << 7;
}

/// The list is at its end, and the message is in view: it would go on to the end as the field grows, and take the field
/// out of view, and with it the focus.
void WindowFlowTest::aLongEditKeepsTheFocus() {
    QFETCH(const int, row);
    start("words");
    window()->resize(640, 440);
    for (const char* const prompt : {"One", "Two", "Three", "Four", "Five"}) talk(QString::fromLatin1(prompt));
    const qint64 message = app()->conversation()->messages()->rows()[static_cast<size_t>(row)].id;
    app()->conversation()->actions()->beginEdit(message);
    QTRY_VERIFY(focusName().startsWith(QStringLiteral("Edit ")));
    const QString field = focusName();
    QString lines;
    for (int i = 0; i < 30; ++i) lines += QStringLiteral("A line\n");
    QGuiApplication::clipboard()->setText(lines);
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    for (int i = 0; i < 3; ++i) QVERIFY(drawn());
    QCOMPARE(focusName(), field);
    press(Qt::Key_X);
    QCOMPARE(app()->conversation()->actions()->editText(message), lines + u'x');
    QCOMPARE(app()->conversation()->draft(), QString());
}

int main(int argc, char** argv) { return runWindowTest<WindowFlowTest>(argc, argv); }

#include "tst_window_flow.moc"
