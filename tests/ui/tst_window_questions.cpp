// SPDX-License-Identifier: Apache-2.0
// Questions of the window: Esc gives the safe answer and gives the focus back, and Enter chooses what has the focus.
// tst_window_tools.cpp has the question of a tool. Esc also ends everything that is open before it stops an answer.
#include "window_driver.h"

#include <algorithm>
#include <functional>
#include <vector>

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

class WindowQuestionsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void escKeepsEverythingInTheBin();
    void theQuestionOfTheBinEndsWithItsChats();
    void escKeepsARowOfTheBin();
    void theBinAsksOneQuestionAtATime();
    void aQuestionOfTheBinEndsWithThePage();
    void escStaysInATemporaryChat();
    void theQuestionOfATemporaryChatLeavesTheFocusToItsUser();
    void theQuestionOfATemporaryChatLeavesTheSearchOpen();
    void aButtonOfATemporaryChatIsAboutItsMessage();
    void aNewChatEndsTheSearchInAllChatsAfterTheQuestion();
    void enterAnswers_data();
    void enterAnswers();
    void escEndsWhatIsOpenBeforeTheAnswer_data();
    void escEndsWhatIsOpenBeforeTheAnswer();
    void g9EscClosesOneCardAtATime();
    void g9EscClosesTheCardOfAModelThatFailed();

  private:
    /// Something that Esc ends while an answer is being written.
    struct Opened {
        const char* name;
        std::function<void()> open;
        std::function<bool()> isOpen;
        bool temporary = false; ///< in a temporary chat
    };
    std::vector<Opened> openedInTheChat();
    std::vector<Opened> openedOverTheChat();
    std::vector<Opened> openedInTheList();
    std::vector<Opened> openedAroundIt();
    std::vector<Opened> everythingThatOpens() {
        std::vector<Opened> all = openedInTheChat();
        for (const std::vector<Opened>& more : {openedOverTheChat(), openedInTheList(), openedAroundIt()})
            all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    bool writes() const { return app()->conversation()->state() == app::Conversation::Writing; }
    void focusOnTheConversation() {
        QVERIFY(conversation());
        conversation()->forceActiveFocus(Qt::TabFocusReason);
    }
    void editAMessage() {
        const qint64 prompt = app()->conversation()->messages()->rows()[2].id;
        app()->conversation()->actions()->beginEdit(prompt);
        QTRY_COMPARE(focusName(), QStringLiteral("Edit message"));
    }
    void editAWaitingMessage() {
        type(QStringLiteral("later"));
        press(Qt::Key_Return);
        click(QStringLiteral("Edit the waiting message"));
        QTRY_VERIFY(app()->conversation()->queue()->editing());
    }
    void searchInAllChats() {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(QStringLiteral("hello"));
        QTRY_VERIFY(app()->search()->count() > 0);
    }
    /// Tries to open a model that is not there. A model that is open stays open.
    void openNoModel() {
        app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
        QTRY_VERIFY(item(QStringLiteral("Dismiss")));
    }
    /// Brings the card of an error of the program.
    void failToKeepSettings() {
        Q_EMIT app()->settings()->failed(app::ErrorInfo(QStringLiteral("Not kept"), QStringLiteral("The disk is full"),
                                                        QStringLiteral("Free some of it")));
    }
    void beginRenaming() {
        press(Qt::Key_F2);
        QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    }
    void beginTemporaryChat() {
        start();
        press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        talk(QStringLiteral("secret"));
    }
    QQuickItem* conversation() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    QString focusName() const {
        QAccessible::setActive(true);
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    }
};

/// A chat that came into the empty bin brought the question back.
void WindowQuestionsTest::theQuestionOfTheBinEndsWithItsChats() {
    start();
    fillTheBin();
    use("Empty the bin");
    QTRY_COMPARE(focusName(), QStringLiteral("Keep everything"));
    QVERIFY(app()->undo()->undo() && app()->undo()->undo());
    QTRY_COMPARE(app()->bin()->count(), 0);
    QVERIFY(drawn());
    QVERIFY(app()->undo()->redo());
    QTRY_COMPARE(app()->bin()->count(), 1);
    QTRY_VERIFY(item(QStringLiteral("Empty the bin")));
    QVERIFY(!item(QStringLiteral("Erase everything")));
}

void WindowQuestionsTest::escKeepsEverythingInTheBin() {
    start();
    fillTheBin();
    for (const char* focused : {"Keep everything", "Erase everything"}) {
        use("Empty the bin");
        QTRY_COMPARE(focusName(), QStringLiteral("Keep everything"));
        focusOn(QString::fromLatin1(focused));
        press(Qt::Key_Escape);
        QTRY_COMPARE(focusName(), QStringLiteral("Empty the bin"));
        QVERIFY(!item(QStringLiteral("Erase everything")));
        QCOMPARE(app()->pages()->current(), Pages::Bin);
        QCOMPARE(app()->bin()->count(), 2);
    }
    press(Qt::Key_Escape); // without a question it closes the page, as before
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
}

void WindowQuestionsTest::escKeepsARowOfTheBin() {
    start();
    fillTheBin();
    for (const char* focused : {"Keep", "Erase for good", "Restore Two"}) {
        use("Erase One");
        QTRY_COMPARE(focusName(), QStringLiteral("Keep"));
        focusOn(QString::fromLatin1(focused));
        press(Qt::Key_Escape);
        QTRY_COMPARE(focusName(), QStringLiteral("Erase One"));
        QVERIFY(!item(QStringLiteral("Erase for good")));
        QCOMPARE(app()->pages()->current(), Pages::Bin);
        QCOMPARE(app()->bin()->count(), 2);
    }
}

/// With two questions open, nobody could tell which one Esc answers.
void WindowQuestionsTest::theBinAsksOneQuestionAtATime() {
    start();
    fillTheBin();
    use("Erase One");
    QTRY_VERIFY(item(QStringLiteral("Erase for good")));
    use("Erase Two");
    QTRY_VERIFY(item(QStringLiteral("Erase One"))); // it asks no longer
    QVERIFY(!item(QStringLiteral("Erase Two")) && item(QStringLiteral("Erase for good")));
    use("Empty the bin");
    QTRY_VERIFY(!item(QStringLiteral("Erase for good")));
    QVERIFY(item(QStringLiteral("Erase everything")));
    QCOMPARE(app()->bin()->count(), 2);
}

void WindowQuestionsTest::aQuestionOfTheBinEndsWithThePage() {
    start();
    fillTheBin();
    use("Erase One");
    QTRY_VERIFY(item(QStringLiteral("Erase for good")));
    app()->pages()->open(Pages::Chat);
    app()->pages()->open(Pages::Bin);
    QTRY_VERIFY(item(QStringLiteral("Erase One")));
    QVERIFY(!item(QStringLiteral("Erase for good")));
}

void WindowQuestionsTest::escStaysInATemporaryChat() {
    beginTemporaryChat();
    for (const char* focused : {"Keep this chat", "Delete it", "Stay here"}) {
        QVERIFY(conversation());
        conversation()->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Q, Qt::ControlModifier);
        QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
        focusOn(QString::fromLatin1(focused));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!item(QStringLiteral("Delete it")));
        QTRY_COMPARE(window()->activeFocusItem(), conversation());
        QVERIFY(window()->isVisible());
        QVERIFY(app()->conversation()->temporary());
        QCOMPARE(app()->conversation()->messages()->count(), 2);
    }
}

void WindowQuestionsTest::theQuestionOfATemporaryChatLeavesTheFocusToItsUser() {
    beginTemporaryChat();
    conversation()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_Escape); // the question is answered from here, too
    QTRY_VERIFY(!item(QStringLiteral("Delete it")));
    QVERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("Message"));
    QVERIFY(window()->isVisible() && app()->conversation()->temporary());
}

/// The command for a new chat had closed the search, although the chat stayed.
void WindowQuestionsTest::theQuestionOfATemporaryChatLeavesTheSearchOpen() {
    beginTemporaryChat();
    const auto finds = [this] { return app()->conversation()->find()->active(); };
    press(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(finds());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->conversation()->asksToLeave());
    QVERIFY(drawn());
    QVERIFY(finds());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!finds());
    QVERIFY(app()->conversation()->temporary());
    press(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(finds());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Delete it")));
    click(QStringLiteral("Delete it"));
    QTRY_VERIFY(!app()->conversation()->temporary());
    QTRY_VERIFY(!finds()); // a new chat has nothing to be found
}

/// Ids of temporary chats are large, and QML hands them back as they are.
void WindowQuestionsTest::aButtonOfATemporaryChatIsAboutItsMessage() {
    beginTemporaryChat();
    click(QStringLiteral("Edit message"), QAccessible::Button);
    QTRY_COMPARE(app()->conversation()->actions()->edited().size(), 1);
    QCOMPARE(app()->conversation()->actions()->edited().front().toLongLong(),
             app()->conversation()->messages()->index(0).data(app::MessageModel::MessageIdRole).toLongLong());
}

/// The words stay for whoever stays in the temporary chat, and for the hit that is opened in its place.
void WindowQuestionsTest::aNewChatEndsTheSearchInAllChatsAfterTheQuestion() {
    start();
    talk(QStringLiteral("hello"));
    const qint64 kept = app()->conversation()->chatId();
    const auto begin = [this] {
        press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        talk(QStringLiteral("secret"));
        searchInAllChats();
    };
    const auto words = [this] { return app()->search()->words(); };
    begin();
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    click(QStringLiteral("Stay here"));
    QTRY_VERIFY(!app()->conversation()->asksToLeave());
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    click(QStringLiteral("Delete it"));
    QTRY_COMPARE(app()->conversation()->chatId(), kept);
    QVERIFY(drawn());
    QCOMPARE(words(), QStringLiteral("hello"));
    begin();
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    click(QStringLiteral("Delete it"));
    QTRY_VERIFY(!app()->conversation()->temporary());
    QTRY_COMPARE(words(), QString());
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowQuestionsTest::enterAnswers_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("Return") << int(Qt::Key_Return);
    QTest::newRow("Enter of the number pad") << int(Qt::Key_Enter);
}

void WindowQuestionsTest::enterAnswers() {
    QFETCH(const int, key);
    start();
    fillTheBin();
    focusOn(QStringLiteral("Erase One"));
    press(key);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep"));
    press(key);
    QTRY_COMPARE(focusName(), QStringLiteral("Erase One"));
    QCOMPARE(app()->bin()->count(), 2);
    press(key);
    focusOn(QStringLiteral("Erase for good"));
    press(key);
    QTRY_COMPARE(app()->bin()->count(), 1);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    focusOn(QStringLiteral("Model: Scripted"));
    press(key);
    QTRY_VERIFY(item(QStringLiteral("All models (Ctrl+M)"))); // the button's menu
}

std::vector<WindowQuestionsTest::Opened> WindowQuestionsTest::openedInTheChat() {
    const auto finds = [this] { return app()->conversation()->find()->active(); };
    const auto edits = [this] { return !app()->conversation()->actions()->edited().isEmpty(); };
    const auto editsWaiting = [this] { return app()->conversation()->queue()->editing(); };
    const auto alternatives = [this] { return app()->conversation()->alternatives(); };
    const auto answer = [this] { return app()->conversation()->messages()->rows()[1].id; };
    return {
        {"the search in the chat", [this] { press(Qt::Key_F, Qt::ControlModifier); }, finds},
        {"the search in the chat, from the field",
         [this] {
             press(Qt::Key_F, Qt::ControlModifier);
             press(Qt::Key_L, Qt::ControlModifier);
         },
         finds},
        {"other words, from the field", [=] { alternatives()->show(answer(), 0); },
         [=] { return alternatives()->state() != app::TokenAlternatives::Closed; }},
        {"clicks that show other words", [=] { alternatives()->setMode(answer()); },
         [=] { return alternatives()->mode() != 0; }},
        {"the edit of a message", [this] { editAMessage(); }, edits},
        {"the edit of a message, from its button",
         [this] {
             editAMessage();
             focusOn(QStringLiteral("Cancel"));
         },
         edits},
        {"the edit of a waiting message", [this] { editAWaitingMessage(); }, editsWaiting},
        {"the edit of a waiting message, from the messages",
         [this] {
             editAWaitingMessage();
             focusOnTheConversation();
         },
         editsWaiting},
    };
}

std::vector<WindowQuestionsTest::Opened> WindowQuestionsTest::openedOverTheChat() {
    const auto exportToNoFolder = [this] {
        const QString file = QDir(fixture_->dataFolder()).filePath(QStringLiteral("none/chat.json"));
        app()->exchange()->exportChat(app()->conversation()->chatId(), app::ChatExchange::Json,
                                      QUrl::fromLocalFile(file));
    };
    return {
        {"the card of a model that can't be opened", [this] { openNoModel(); },
         [this] { return app()->models()->errorShown(); }},
        {"the card of an error of the program", [this] { failToKeepSettings(); },
         [this] { return app()->error().valid(); }},
        {"the card of an export that failed", exportToNoFolder, [this] { return app()->exchange()->failedAlone(); }},
    };
}

std::vector<WindowQuestionsTest::Opened> WindowQuestionsTest::openedInTheList() {
    const auto searches = [this] { return !app()->search()->words().isEmpty(); };
    const auto renames = [this] { return focusName() == QStringLiteral("New title"); };
    return {
        {"a selection of chats",
         [this] {
             press(Qt::Key_K, Qt::ControlModifier);
             press(Qt::Key_Space, Qt::ControlModifier);
         },
         [this] { return app()->chats()->selectedCount() > 0; }},
        {"the title of a chat",
         [this] {
             press(Qt::Key_K, Qt::ControlModifier);
             beginRenaming();
         },
         renames},
        {"the menu of a chat",
         [this] {
             press(Qt::Key_K, Qt::ControlModifier);
             press(Qt::Key_F10, Qt::ShiftModifier);
             QTRY_VERIFY(item(QStringLiteral("Delete")));
         },
         [this] { return item(QStringLiteral("Delete")) != nullptr; }},
        {"the words of a search", [this] { searchInAllChats(); }, searches},
        {"the hits of a search",
         [this] {
             searchInAllChats();
             press(Qt::Key_Down);
         },
         searches},
        {"the title of a hit",
         [this] {
             searchInAllChats();
             press(Qt::Key_Down);
             beginRenaming();
         },
         renames},
    };
}

std::vector<WindowQuestionsTest::Opened> WindowQuestionsTest::openedAroundIt() {
    return {
        {"the commands", [this] { press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier); },
         [this] { return app()->pages()->palette(); }},
        {"a page", [this] { press(Qt::Key_M, Qt::ControlModifier); },
         [this] { return app()->pages()->current() != Pages::Chat; }},
        {"the question of a temporary chat", [this] { press(Qt::Key_N, Qt::ControlModifier); },
         [this] { return app()->conversation()->asksToLeave(); }, true},
        {"the list of chats over the page",
         [this] {
             window()->resize(640, 600);
             QTRY_VERIFY(!item(QStringLiteral("Chats")));
             press(Qt::Key_B, Qt::ControlModifier);
         },
         [this] { return app()->pages()->chatsOver(); }},
    };
}

void WindowQuestionsTest::escEndsWhatIsOpenBeforeTheAnswer_data() {
    QTest::addColumn<QString>("opened");
    for (const Opened& opened : everythingThatOpens()) QTest::newRow(opened.name) << QString::fromLatin1(opened.name);
}

/// Esc ends one thing, and the smallest one first: an answer that is stopped can't be taken up where it was.
void WindowQuestionsTest::escEndsWhatIsOpenBeforeTheAnswer() {
    QFETCH(const QString, opened);
    const std::vector<Opened> all = everythingThatOpens();
    const auto found = std::ranges::find_if(all, [&](const Opened& at) { return QLatin1String(at.name) == opened; });
    QVERIFY(found != all.end());
    start();
    if (found->temporary) press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    talk(QStringLiteral("Hello"));
    control_->hold();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Again"));
    press(Qt::Key_Return);
    control_->allow(8 + 4);
    QTRY_VERIFY(writes());
    found->open();
    QTRY_VERIFY(found->isOpen());
    QVERIFY(drawn());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!found->isOpen());
    QVERIFY(drawn());
    QVERIFY(writes());
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->conversation()->busy());
}

void WindowQuestionsTest::g9EscClosesOneCardAtATime() {
    start();
    talk(QStringLiteral("Hello"));
    openNoModel();
    failToKeepSettings();
    QTRY_VERIFY(shows("Not kept") && shows("The model's file isn't there"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("Not kept"));
    QVERIFY(shows("The model's file isn't there"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("The model's file isn't there") && !item(QStringLiteral("Dismiss")));
    QCOMPARE(app()->models()->state(), app::ModelController::Ready);
}

/// Its page still says why, and the next attempt brings the card again.
void WindowQuestionsTest::g9EscClosesTheCardOfAModelThatFailed() {
    start("story", false);
    const QString again = QStringLiteral("Try again");
    for (int time = 0; time < 2; ++time) {
        openNoModel();
        QTRY_VERIFY(item(again));
        QCOMPARE(app()->models()->state(), app::ModelController::Missing);
        press(Qt::Key_Escape);
        QTRY_VERIFY(!item(again));
        QVERIFY(app()->models()->error().valid());
    }
}

int main(int argc, char** argv) { return runWindowTest<WindowQuestionsTest>(argc, argv); }

#include "tst_window_questions.moc"
