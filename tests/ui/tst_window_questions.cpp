// SPDX-License-Identifier: Apache-2.0
// Questions of the window: Esc gives the safe answer and gives the focus back, and Enter chooses what has the focus.
// tst_window_tools.cpp has the question of a tool.
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

class WindowQuestionsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void escKeepsEverythingInTheBin();
    void escKeepsARowOfTheBin();
    void theBinAsksOneQuestionAtATime();
    void aQuestionOfTheBinEndsWithThePage();
    void escStaysInATemporaryChat();
    void theQuestionOfATemporaryChatLeavesTheFocusToItsUser();
    void enterAnswers_data();
    void enterAnswers();

  private:
    /// Deletes chats "One" and "Two", and opens the bin.
    void fillTheBin() {
        start();
        for (const char* title : {"One", "Two"}) {
            press(Qt::Key_N, Qt::ControlModifier);
            talk(QString::fromLatin1(title));
            app()->chats()->remove(app()->conversation()->chatId());
        }
        app()->pages()->open(Pages::Bin);
        QTRY_COMPARE(app()->bin()->count(), 2);
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

void WindowQuestionsTest::escKeepsEverythingInTheBin() {
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

void WindowQuestionsTest::enterAnswers_data() {
    QTest::addColumn<int>("key");
    QTest::newRow("Return") << int(Qt::Key_Return);
    QTest::newRow("Enter of the number pad") << int(Qt::Key_Enter);
}

void WindowQuestionsTest::enterAnswers() {
    QFETCH(const int, key);
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

int main(int argc, char** argv) { return runWindowTest<WindowQuestionsTest>(argc, argv); }

#include "tst_window_questions.moc"
