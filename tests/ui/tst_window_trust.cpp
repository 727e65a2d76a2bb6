// SPDX-License-Identifier: Apache-2.0
// Typed text goes where the person looks, and a wrong click loses nothing: the findings B2 to B13 of the first review
// of the window, and N2, N8 and N24 of the second one, each as steps that once went wrong.
#include "settings/settings.h"
#include "window_driver.h"

#include <QClipboard>
#include <QScopeGuard>
#include <QStyleHints>

#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <future>

using namespace coterie;
using namespace coterie::tests;
using app::ChatListModel;
using app::Conversation;
using app::MessageModel;
using app::ModelController;

class WindowTrustTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void b2KeysDoNotGoBehindThePage();
    void b3CopyAndSearchSeeNoThought();
    void b4ABadFileCostsNoModel();
    void b5APromptThatIsTooLongIsNotStored();
    void n1WhatIsTypedWhileTheFirstPromptIsSentStays();
    void n1TheFirstPromptIsSentIfAnotherChatIsOpened();
    void b6UndoLeavesTheFocusInTheList();
    void b8AnEndKeepsDraftsChatAndWindow();
    void aPressThatComesTooLateForStopSendsNothing();
    void b9TheContextIsCountedBesideAnAnswer();
    void b10WritingIsSaidAtTheFirstToken();
    void aLongPromptSaysHowLongItTakes();
    void b11ASearchIsComplete();
    void b12ThePackedFileSpeaksOfTheOpenModel();
    void b13EnterWhileBusyKeepsTheMessage();
    void n2TheFocusLeavesTheFirstLookWithIt_data();
    void n2TheFocusLeavesTheFirstLookWithIt();
    void s58TheFirstLookShowsItsFocus_data();
    void s58TheFirstLookShowsItsFocus();
    void n24TheFocusStaysInTheSettings();
    void f6EnterWhileOpeningIsQueued();
    void f6AQueueSaysThatTheModelWasNotOpened();
    void n8ARefusalGoesWithItsCause();
    void keysAmongTheHits();
    void delAmongTheHits();
    void aNewChatEndsTheSearch_data();
    void aNewChatEndsTheSearch();
    void commandsAreForTheChatOfTheHit();

  private:
    /// Opens a model that follows the script, and sends a message. The model waits to be allowed to go on.
    bool ask(const test::FakeScript& script) {
        fixture_ = std::make_unique<WindowFixture>(test::fakeFactory(script, control_));
        const QString model = QDir(fixture_->dataFolder()).filePath(QStringLiteral("model.gguf"));
        QFile file(model);
        if (!file.open(QIODevice::WriteOnly) || !fixture_->start(model)) return false;
        return QTest::qWaitFor([&] { return app()->models()->state() == ModelController::Ready; }, kPatienceMs) &&
               app()->conversation()->send(QStringLiteral("Hello"));
    }
    /// Starts with a model that is being opened until opened_ has a value.
    void startOpening() {
        opened_ = std::promise<void>();
        fixture_ = std::make_unique<WindowFixture>(
            [open = test::fakeFactory(*test::fakeScript("story"), control_),
             opened = opened_.get_future().share()](const engine::OpenOptions& options) {
                constexpr std::chrono::milliseconds kStep(5);
                while (opened.wait_for(kStep) != std::future_status::ready && options.onProgress(0.5)) {
                }
                return open(options);
            });
        model_ = QDir(fixture_->dataFolder()).filePath(QStringLiteral("model.gguf"));
        QFile file(model_);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(fixture_->start(model_));
        QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
        QCOMPARE(app()->models()->state(), ModelController::Opening);
    }
    /// Writes a message and presses Enter.
    void tryToSend(const QString& words) {
        press(Qt::Key_L, Qt::ControlModifier);
        type(words);
        press(Qt::Key_Return);
    }
    void openAgainFromTheSettings();

    std::promise<void> opened_;
};

/// Opens the model again with another budget. The button for it, which had the focus, is gone then.
void WindowTrustTest::openAgainFromTheSettings() {
    const QString again = QStringLiteral("Open again with these settings");
    start("from-disk");
    press(Qt::Key_Comma, Qt::ControlModifier);
    click(QStringLiteral("Memory budget in GiB"));
    type(QStringLiteral("1"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(again));
    use(qPrintable(again));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QTRY_VERIFY(!item(again));
}

void WindowTrustTest::b2KeysDoNotGoBehindThePage() {
    openAgainFromTheSettings();
    type(QStringLiteral("secret"));
    press(Qt::Key_Return);
    QCOMPARE(app()->conversation()->messages()->count(), 0);
    QCOMPARE(app()->conversation()->draft(), QString());
    press(Qt::Key_Escape); // takes the words back: the focus was in the field before the button
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
    type(QStringLiteral("seen"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("seen"));
}

void WindowTrustTest::b3CopyAndSearchSeeNoThought() {
    start(); // its answer begins with a thought
    talk(QStringLiteral("Hello"));
    app()->conversation()->actions()->copyMarkdown(
        app()->conversation()->messages()->index(1).data(MessageModel::MessageIdRole).toLongLong());
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.startsWith(QStringLiteral("Once upon a time")));
    QVERIFY(!copied.contains(QStringLiteral("think")) && !copied.contains(QStringLiteral("The question is")));
    app()->search()->setWords(QStringLiteral("lighthouse counted"));
    QTRY_VERIFY(!app()->search()->searching());
    QCOMPARE(app()->search()->count(), 1);
    for (const char* hidden : {"think", "The question is"}) {
        app()->search()->setWords(QString::fromLatin1(hidden));
        QTRY_VERIFY(!app()->search()->searching());
        QCOMPARE(app()->search()->count(), 0);
    }
    for (const QString& text : shownTexts()) QVERIFY(!text.contains(QStringLiteral("<think>")));
}

void WindowTrustTest::b4ABadFileCostsNoModel() {
    start();
    talk(QStringLiteral("Hello"));
    const engine::Error why{engine::ErrorKind::BadInput, "The model can't be opened", "This is not a GGUF file",
                            "Choose another file"};
    fixture_->stop();
    fixture_->setEngine([why, good = test::fakeInspector(*test::fakeScript("story"))](
                            const engine::OpenOptions& options) -> engine::Result<engine::ModelInfo> {
        if (options.path.find("bad") != std::string::npos) return why;
        return good(options);
    });
    QVERIFY(fixture_->start(model_));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    const QString bad = QDir(fixture_->dataFolder()).filePath(QStringLiteral("bad.gguf"));
    QVERIFY(QFile::copy(model_, bad));
    app()->models()->open(bad);
    QTRY_VERIFY(app()->models()->error().valid());
    QCOMPARE(app()->models()->state(), ModelController::Ready);
    QCOMPARE(app()->models()->path(), QDir::toNativeSeparators(model_));
    for (const engine::Sentence* part : {&why.what, &why.why, &why.action})
        QTRY_VERIFY2(shows(qPrintable(app::shownText(*part))), part->english().c_str());
    QCOMPARE(app()->settings()->lastModel(), QDir::toNativeSeparators(model_));
    talk(QStringLiteral("Still here?")); // the model answers
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!app()->models()->error().valid());
    app()->models()->open(QStringLiteral("/nowhere/model.gguf"));
    QVERIFY(app()->models()->error().valid());
    QCOMPARE(app()->models()->state(), ModelController::Ready);
    talk(QStringLiteral("And now?"));
}

void WindowTrustTest::b5APromptThatIsTooLongIsNotStored() {
    start(); // the context has 4,096 tokens, and the fake counts one for each byte
    control_->allowAll();
    const QString longText(5000, u'x');
    app()->conversation()->setDraft(longText);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Return);
    const auto says = [this](const char* words) {
        return app()->conversation()->context()->words().contains(QString::fromLatin1(words));
    };
    QTRY_VERIFY(says("This message has no room"));
    QCOMPARE(app()->conversation()->messages()->count(), 0);
    QCOMPARE(app()->conversation()->draft(), longText);
    QVERIFY(says("905 tokens"));    // an answer has at least one
    const QString fits(3900, u'y'); // it must be counted, and fits
    app()->conversation()->setDraft(fits);
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    QTRY_COMPARE(app()->conversation()->draft(), QString());
    QVERIFY(!says("This message"));
}

/// The first prompt of a chat that does not exist yet is counted, while the person goes on typing.
void WindowTrustTest::n1WhatIsTypedWhileTheFirstPromptIsSentStays() {
    start(); // a context of 4,096 tokens of a byte each
    control_->allowAll();
    const QString prompt(3900, u'y');
    QGuiApplication::clipboard()->setText(prompt);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->draft(), prompt);
    press(Qt::Key_Return);
    type(QStringLiteral("and more"));
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(app()->conversation()->messages()->rows().front().text(), prompt);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("and more"));
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("and more"));
    type(QStringLiteral(" words"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("and more words"));
}

void WindowTrustTest::n1TheFirstPromptIsSentIfAnotherChatIsOpened() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 hello = app()->conversation()->chatId();
    const QString prompt(3900, u'y');
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->chatId(), 0);
    app()->conversation()->setDraft(prompt);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Return);
    app()->panes()->open(hello);
    QTRY_COMPARE(app()->chats()->count(), 2);
    QTRY_VERIFY(!app()->answers()->busy());
    QCOMPARE(app()->conversation()->chatId(), hello);
    click(app()->chats()->index(0).data(ChatListModel::TitleRole).toString());
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(app()->conversation()->messages()->rows().front().text(), prompt);
    QCOMPARE(app()->conversation()->draft(), QString());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->chatId(), 0);
    QCOMPARE(app()->conversation()->draft(), QString());
}

void WindowTrustTest::b6UndoLeavesTheFocusInTheList() {
    start();
    talk(QStringLiteral("First"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Down);
    press(Qt::Key_Delete);
    QCOMPARE(app()->chats()->count(), 1);
    use("Undo");
    QCOMPARE(app()->chats()->count(), 2);
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    press(Qt::Key_Return); // opens the chat that came back
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("First"));
}

void WindowTrustTest::b8AnEndKeepsDraftsChatAndWindow() {
    start();
    talk(QStringLiteral("First"));
    type(QStringLiteral("half a thought"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    press(Qt::Key_N, Qt::ControlModifier);
    type(QStringLiteral("a beginning")); // the draft of a chat that is not stored yet
    click(QStringLiteral("First"));
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("First"));
    window()->showMaximized();
    QTRY_COMPARE(window()->visibility(), QWindow::Maximized);
    press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!window()->isVisible());
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("First"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("half a thought"));
    QTRY_COMPARE(window()->visibility(), QWindow::Maximized);
    press(Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("a beginning"));
}

/// The answer had just ended, and the button's press sent what was typed meanwhile.
void WindowTrustTest::aPressThatComesTooLateForStopSendsNothing() {
    QStyleHints& hints = *QGuiApplication::styleHints();
    const auto back = qScopeGuard(
        [&hints, interval = hints.mouseDoubleClickInterval()] { hints.setMouseDoubleClickInterval(interval); });
    hints.setMouseDoubleClickInterval(kPatienceMs); // however long the pictures take
    start();
    tryToSend(QStringLiteral("Hello"));
    QTRY_VERIFY(control_->waits());
    type(QStringLiteral("half a"));
    QPoint place;
    QTRY_VERIFY(keepsPlace([this] { return item(QStringLiteral("Stop (Esc)")); }, place));
    const auto clickThere = [&] { QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, place); };
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy());
    clickThere();
    QVERIFY(drawn());
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("half a"));
    hints.setMouseDoubleClickInterval(0); // a press that is meant
    QVERIFY(drawn());
    clickThere();
    QTRY_COMPARE(app()->conversation()->messages()->count(), 4);
}

void WindowTrustTest::b9TheContextIsCountedBesideAnAnswer() {
    start();
    const test::FakeScript script = *test::fakeScript("story");
    control_->allow(script.promptTokens + static_cast<int64_t>(script.pieces.size())); // one answer
    QVERIFY(app()->conversation()->send(QStringLiteral("First")));
    QTRY_VERIFY(!app()->conversation()->busy());
    const qint64 first = app()->conversation()->chatId();
    app()->conversation()->newChat();
    app()->conversation()->openChat(first);
    QTRY_VERIFY(app()->conversation()->contextUsed() > 0);
    const int used = app()->conversation()->contextUsed();

    press(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(app()->conversation()->send(QStringLiteral("Second")));
    const qint64 second = app()->conversation()->chatId();
    QTRY_COMPARE(app()->conversation()->state(), Conversation::Reading); // no step more is allowed
    click(QStringLiteral("First"));
    QTRY_COMPARE(app()->conversation()->chatId(), first);
    QTRY_COMPARE(app()->conversation()->contextUsed(), used);
    QVERIFY(shows(qPrintable(QStringLiteral("Context: %1 of").arg(used))));
    QVERIFY(app()->answers()->progress(second)); // it is still being answered
}

void WindowTrustTest::b10WritingIsSaidAtTheFirstToken() {
    test::FakeScript script = *test::fakeScript("story");
    script.pieces.insert(script.pieces.begin(), test::FakePiece("")); // a token without a text of its own
    QVERIFY(ask(script));
    control_->allow(script.promptTokens);
    QTRY_COMPARE(app()->conversation()->promptDone(), static_cast<int>(script.promptTokens));
    QCOMPARE(app()->conversation()->state(), Conversation::Reading);
    control_->allow(1);
    QTRY_COMPARE(app()->conversation()->state(), Conversation::Writing);
    QVERIFY(shows("Writing"));
}

void WindowTrustTest::aLongPromptSaysHowLongItTakes() {
    test::FakeScript script = *test::fakeScript("story");
    script.promptTokens = 6400; // 1/32 s each
    QVERIFY(ask(script));
    control_->allow(320);
    QTRY_VERIFY(shows("Reading 320 of 6,400 tokens, about 4 min left"));
    control_->allow(3200);
    QTRY_VERIFY(shows("Reading 3,520 of 6,400 tokens, about 2 min left"));
    control_->allow(2880 - 48);
    QTRY_VERIFY(shows("Reading 6,352 of 6,400 tokens, less than half a minute left"));
    control_->allow(40);
    QTRY_VERIFY(shows("Reading 6,392 of 6,400 tokens"));
}

void WindowTrustTest::b11ASearchIsComplete() {
    constexpr int kChats = 2100, kTurns = 2;
    start();
    {
        // Each message of each chat has the word, so that the hits in messages are more than the old limit by far.
        SQLite::Database chats(QDir(fixture_->dataFolder()).filePath("chats.db").toStdString(), SQLite::OPEN_READWRITE);
        SQLite::Transaction all(chats);
        SQLite::Statement chat(chats,
                               "INSERT INTO chats(id, title, created_at, updated_at) VALUES (?1, 'A talk', 1, ?1)");
        SQLite::Statement message(chats, "INSERT INTO messages(id, chat, role, state, created_at) "
                                         "VALUES (?, ?, 'user', 'complete', 1)");
        SQLite::Statement part(chats, "INSERT INTO parts(message, place, kind, text) VALUES (?, 0, 'text', ?)");
        SQLite::Statement index(chats, "INSERT INTO message_search(rowid, text) VALUES (?, ?)");
        const auto run = [](SQLite::Statement& statement, const auto&... values) {
            int place = 0;
            (statement.bind(++place, values), ...);
            statement.exec();
            statement.reset();
        };
        for (int id = 1; id <= kChats; ++id) {
            run(chat, id);
            for (int turn = 0; turn < kTurns; ++turn) {
                const int at = id * kTurns + turn;
                run(message, at, id);
                run(part, at, "a lighthouse");
                run(index, at, "a lighthouse");
            }
        }
        all.commit();
    }
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("lighthouse"));
    QTRY_VERIFY(shows("More than 100 places found")); // Qt's views ask for the second page as soon as they have one
    app::ChatSearchModel& search = *app()->search();
    while (search.more()) { // as the view does when the last hit comes into view
        const int before = search.count();
        search.fetchMore({});
        QTRY_VERIFY(search.count() > before || !search.more());
    }
    QCOMPARE(search.count(), kChats * kTurns);
    QSet<qint64> found;
    for (int row = 0; row < search.count(); ++row)
        found.insert(search.index(row).data(app::ChatSearchModel::ChatIdRole).toLongLong());
    QCOMPARE(found.size(), kChats);
    QTRY_VERIFY(shows("4,200 places found"));
    type(QStringLiteral(" nowhere"));
    QTRY_VERIFY(shows("No chat contains these words."));
    QVERIFY(!shows("found"));
}

void WindowTrustTest::b12ThePackedFileSpeaksOfTheOpenModel() {
    start(); // all experts fit, so that nothing is read
    app()->settings()->allSettings = true;
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(shows("nothing is read from disk while this model answers"));
    app()->settings()->memoryBudget = 512.0 * 1024 * 1024;
    QTRY_VERIFY(shows("With the settings that the model was opened with, nothing is read from disk"));
    QVERIFY(!shows("nothing is read from disk while this model answers"));
}

void WindowTrustTest::b13EnterWhileBusyKeepsTheMessage() {
    start();
    QVERIFY(app()->conversation()->send(QStringLiteral("Hello")));
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("More"));
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("Will be sent after this answer"));
    QTRY_VERIFY(item(QStringLiteral("Waiting message: More")));
    QVERIFY(app()->conversation()->draft().isEmpty());
    QCOMPARE(app()->conversation()->messages()->count(), 2);
}

void WindowTrustTest::n2TheFocusLeavesTheFirstLookWithIt_data() {
    QTest::addColumn<int>("steps");
    QTest::newRow("ended") << 0;
    QTest::newRow("read to its end") << 5;
}

/// The button that ends the first look goes with it: the next words are a message.
void WindowTrustTest::n2TheFocusLeavesTheFirstLookWithIt() {
    QFETCH(int, steps);
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    use("Take a first look");
    for (int step = 0; step < steps; ++step) use("Next");
    use(steps == 0 ? "End" : "Done");
    QTRY_VERIFY(item(QStringLiteral("Take a first look")));
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    type(QStringLiteral("again"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("again"));
}

void WindowTrustTest::s58TheFirstLookShowsItsFocus_data() {
    QTest::addColumn<bool>("byKeys");
    QTest::newRow("by keys") << true;
    QTest::newRow("by the pointer") << false;
}

/// The button for the next step has a ring in all steps, although the card moves in the window, and so has the one that
/// begins the look again. After a click nothing has one.
void WindowTrustTest::s58TheFirstLookShowsItsFocus() {
    QFETCH(bool, byKeys);
    start();
    app()->settings()->activityShown = true;
    window()->resize(1400, 900);
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(app()->inspector()->condition(), app::Inspector::Ready);
    const auto ringed = [this](const char* name) {
        const QQuickItem* at = item(QString::fromLatin1(name));
        return at && at->hasActiveFocus() && at->property("visualFocus").toBool();
    };
    const auto go = [&](const char* name) {
        byKeys ? press(Qt::Key_Return) : click(QString::fromLatin1(name), QAccessible::Button);
    };
    if (byKeys) focusOn(QStringLiteral("Take a first look"));
    go("Take a first look");
    for (int step = 1; step < 6; ++step) {
        QTRY_VERIFY(shows(qPrintable(QStringLiteral("Step %1 of 6").arg(step))));
        QVERIFY(drawn() && drawn());
        QCOMPARE(ringed("Next"), byKeys);
        go("Next");
    }
    QTRY_VERIFY(item(QStringLiteral("Done")));
    QCOMPARE(ringed("Done"), byKeys);
    go("Done");
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Take a first look")));
    QCOMPARE(ringed("Take a first look"), byKeys);
}

void WindowTrustTest::n24TheFocusStaysInTheSettings() {
    openAgainFromTheSettings();
    const QQuickItem* const before = item(QStringLiteral("Context in tokens")); // the control before the button
    QTRY_COMPARE(window()->activeFocusItem(), before);
    press(Qt::Key_Tab); // the keys go on from there
    QVERIFY(window()->activeFocusItem() != before);
    QVERIFY(window()->activeFocusItem()->isVisible());
    QCOMPARE(app()->pages()->current(), app::Pages::Settings);
}

/// Two messages that are written while the model is opened, the first of a new chat, are sent when it is open.
void WindowTrustTest::f6EnterWhileOpeningIsQueued() {
    control_->allowAll();
    startOpening();
    tryToSend(QStringLiteral("First"));
    QTRY_VERIFY(shows("Will be sent when the model is open"));
    QVERIFY(!shows("Not sent.") && !shows("Send now"));
    QVERIFY(app()->conversation()->draft().isEmpty());
    QVERIFY(app()->conversation()->chatId() != 0);
    QCOMPARE(app()->chats()->rowCount(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("First"));
    tryToSend(QStringLiteral("Second"));
    QTRY_VERIFY(item(QStringLiteral("Waiting message: Second")));
    QCOMPARE(app()->conversation()->messages()->count(), 0);
    opened_.set_value();
    QTRY_COMPARE(app()->conversation()->messages()->count(), 4);
    QTRY_VERIFY(!app()->conversation()->busy());
    QCOMPARE(app()->conversation()->messages()->rows()[0].text(), QStringLiteral("First"));
    QCOMPARE(app()->conversation()->messages()->rows()[2].text(), QStringLiteral("Second"));
    QVERIFY(!shows("Waiting message"));
}

void WindowTrustTest::f6AQueueSaysThatTheModelWasNotOpened() {
    startOpening();
    tryToSend(QStringLiteral("Hello"));
    QTRY_VERIFY(item(QStringLiteral("Waiting message: Hello")));
    app()->models()->cancelOpening();
    QTRY_COMPARE(app()->models()->state(), ModelController::None);
    QTRY_VERIFY(shows("Not sent: no model is open"));
    QVERIFY(item(QStringLiteral("Waiting message: Hello")));
    opened_.set_value();
}

void WindowTrustTest::n8ARefusalGoesWithItsCause() {
    start();
    tryToSend(QStringLiteral("Hello"));
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);

    QVERIFY(!app()->conversation()->send(QStringLiteral("Too early"))); // as no key does it
    QTRY_VERIFY(shows("Not sent. The answer before it is still being written. "));
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy());
    QTRY_VERIFY(!shows("Not sent."));

    app()->models()->close();
    QTRY_COMPARE(app()->models()->state(), ModelController::None);
    tryToSend(QStringLiteral("You"));
    QTRY_VERIFY(shows("Not sent. No model is open. "));
    press(Qt::Key_Backspace); // another text
    QTRY_VERIFY(!shows("Not sent."));
}

/// Nothing that is typed there goes to the model: letters go on with the search, a new name is the chat's.
void WindowTrustTest::keysAmongTheHits() {
    const auto focusName = [this] {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    };
    const auto wordsIn = [this](const char* field) { return item(QLatin1String(field))->property("text").toString(); };
    start();
    talk(QStringLiteral("Apples and pears"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Bread"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Return); // opens the first one, and the search in the chat with it
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Apples and pears"));
    type(QStringLiteral("s"));
    QCOMPARE(focusName(), QStringLiteral("Search in all chats"));
    QCOMPARE(wordsIn("Search in all chats"), QStringLiteral("pears"));
    QCOMPARE(wordsIn("Message"), QString());
    QTRY_VERIFY(!app()->search()->searching());
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Apples and pears"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(focusName(), QStringLiteral("Apples and pears"));
    QVERIFY(!app()->search()->words().isEmpty()); // the key ended no more than the field
    press(Qt::Key_F2);
    type(QStringLiteral("Fruit and pears"));
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Fruit and pears"));
    QTRY_COMPARE(focusName(), QStringLiteral("Fruit and pears")); // the hit has the new title
    QCOMPARE(wordsIn("Message"), QString());
    const bool found = app()->conversation()->find()->active();
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->search()->words(), QString());
    QTRY_COMPARE(focusName(), QStringLiteral("Fruit and pears")); // the list's row
    QCOMPARE(app()->conversation()->find()->active(), found);
}

/// It deletes the chat of the hit as it does in the list, and nothing that is not in view. The other hits stay.
void WindowTrustTest::delAmongTheHits() {
    const auto focusName = [this] {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    };
    start();
    for (const char* words : {"Pears first", "Bread", "Pears second", "Pears third"}) {
        press(Qt::Key_N, Qt::ControlModifier);
        talk(QLatin1String(words));
    }
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Space, Qt::ControlModifier); // the third one is selected
    for (int i = 0; i < 2; ++i) press(Qt::Key_Down);
    press(Qt::Key_Space, Qt::ControlModifier); // and the one about bread
    QCOMPARE(app()->chats()->selectedCount(), 2);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pears"));
    QTRY_COMPARE(app()->search()->count(), 6); // three titles, three messages
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Pears second"));
    press(Qt::Key_Delete);
    QCOMPARE(app()->search()->count(), 4);
    QCOMPARE(focusName(), QStringLiteral("Pears first")); // the next one
    QTRY_VERIFY(shows("Deleted \""));
    QTRY_VERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("Pears first"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->search()->count(), 6);
    QCOMPARE(focusName(), QStringLiteral("Pears second"));
    press(Qt::Key_Up);
    QCOMPARE(focusName(), QStringLiteral("Pears third"));
    press(Qt::Key_Delete); // it is the chat in view, and was selected
    QCOMPARE(app()->search()->count(), 4);
    QCOMPARE(app()->conversation()->chatId(), 0);
    QCOMPARE(focusName(), QStringLiteral("Pears second"));
    press(Qt::Key_Delete);
    press(Qt::Key_Delete);
    QCOMPARE(app()->search()->count(), 0);
    QTRY_VERIFY(shows("No chat contains these words."));
    press(Qt::Key_Z, Qt::ControlModifier); // also without a hit
    QTRY_COMPARE(app()->search()->count(), 2);
    QCOMPARE(focusName(), QStringLiteral("Pears first"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->chats()->count(), 2);
}

void WindowTrustTest::aNewChatEndsTheSearch_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("temporary");
    QTest::addColumn<QByteArray>("from");
    for (const int width : {1180, 640}) {
        for (const bool temporary : {false, true}) {
            for (const char* from : {"the field", "a hit", "an opened hit"}) {
                const QString name = QStringLiteral("%1 px, %2").arg(width).arg(QLatin1String(from));
                QTest::newRow(qPrintable(temporary ? name + QStringLiteral(", temporary") : name))
                    << width << temporary << QByteArray(from);
            }
        }
    }
}

/// The first words go into the new chat, and the list of chats is in view again, with the new chat in it.
void WindowTrustTest::aNewChatEndsTheSearch() {
    QFETCH(int, width);
    QFETCH(bool, temporary);
    QFETCH(QByteArray, from);
    start();
    talk(QStringLiteral("Apples and pears"));
    window()->resize(width, 700);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 2);
    if (from != "the field") press(Qt::Key_Down);
    if (from == "an opened hit") {
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QTRY_VERIFY(app()->conversation()->find()->active());
    }
    press(Qt::Key_N, temporary ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);
    type(QStringLiteral("Bread"));
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("Bread"));
    QCOMPARE(app()->search()->words(), QString());
    QVERIFY(!app()->conversation()->find()->active());
    QCOMPARE(app()->conversation()->temporary(), temporary);
    control_->allowAll();
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    QTRY_VERIFY(!app()->conversation()->busy());
    if (temporary) return;
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Bread"));
    const auto row = [this] { return namedItem(window(), QStringLiteral("Bread"), QAccessible::ListItem); };
    QTRY_VERIFY(row() && row() == window()->activeFocusItem());
}

/// The chat in view is another one.
void WindowTrustTest::commandsAreForTheChatOfTheHit() {
    start();
    for (const char* words : {"Pears", "Bread"}) {
        press(Qt::Key_N, Qt::ControlModifier);
        talk(QLatin1String(words));
    }
    const auto chat = [this](const char* title) {
        app::ChatListModel& chats = *app()->chats();
        for (int row = 0; row < chats.count(); ++row) {
            const QModelIndex at = chats.index(row);
            if (at.data(app::ChatListModel::TitleRole).toString() == QLatin1String(title))
                return at.data(app::ChatListModel::ChatIdRole).toLongLong();
        }
        return qint64{0};
    };
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pears"));
    QTRY_VERIFY(app()->search()->count() > 0);
    press(Qt::Key_Down);
    press(Qt::Key_P, Qt::ControlModifier);
    QTRY_VERIFY(app()->chats()->isPinned(chat("Pears")));
    QVERIFY(!app()->chats()->isPinned(chat("Bread")));
    press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(chat("Pears (copy)") != 0);
    QCOMPARE(app()->search()->words(), QString()); // the copy is in the list, and has the focus
    const auto copy = [this] { return namedItem(window(), QStringLiteral("Pears (copy)"), QAccessible::ListItem); };
    QTRY_VERIFY(copy() && copy() == window()->activeFocusItem());
}

int main(int argc, char** argv) { return runWindowTest<WindowTrustTest>(argc, argv); }

#include "tst_window_trust.moc"
