// SPDX-License-Identifier: Apache-2.0
// Answers that are regenerated with another model in the real window: which models the menu offers, what undo and redo
// do with the open one, and which one is open if the answer is not begun. Also the menu's way to the chat's settings.
#include "text/message_text.h"
#include "window_driver.h"

#include <algorithm>

using namespace coterie;
using namespace coterie::tests;

class WindowRegenerateTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void undoGoesBackToTheModelBefore();
    void undoKeepsAModelThatWasOpenedSince();
    void theDemoModelIsOffered();
    void theMenuLeadsToTheSettingsOfTheChat();
    void f4ARefusedAnswerLeavesTheModelBefore_data();
    void f4ARefusedAnswerLeavesTheModelBefore();
    void f4AModelOpenedForNothingGoesAgain();

  private:
    QQuickItem* list() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    int answer(app::MessageModel::Roles role) const {
        return app()->conversation()->messages()->index(1).data(role).toInt();
    }
    int versions() const { return answer(app::MessageModel::VersionsRole); }
    int version() const { return answer(app::MessageModel::VersionRole); }
    /// Whether this model is open, and answers.
    bool isOpen(const QString& path) const {
        return app()->models()->state() == app::ModelController::Ready && app()->models()->path() == path;
    }
    /// Makes another model's file beside the first one.
    QString copyModel(const char* name) const {
        const QString path = QDir(fixture_->dataFolder()).filePath(QLatin1String(name));
        return QFile::copy(model_, path) ? path : QString();
    }
    /// Opens the menu that regenerates the answer in this row.
    void openOtherWays(int row) {
        QQuickItem* message = nullptr;
        QMetaObject::invokeMethod(list(), "itemAtIndex", Q_RETURN_ARG(QQuickItem*, message), Q_ARG(int, row));
        QQuickItem* const text = findItem(message, [](QQuickItem* at) { return qobject_cast<app::MessageText*>(at); });
        QVERIFY(text);
        text->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Menu);
        click(QStringLiteral("Regenerate differently\u2026"), QAccessible::MenuItem);
    }
    /// Chooses this line of that menu.
    void choose(const char* line, int row) {
        openOtherWays(row);
        click(QString::fromUtf8(line), QAccessible::MenuItem);
    }
    /// Regenerates the first answer with this line of the menu, and waits for the whole answer.
    void regenerate(const char* line) {
        const int before = std::max(versions(), 1);
        choose(line, 1);
        QTRY_COMPARE(versions(), before + 1);
        QTRY_VERIFY(!app()->conversation()->busy());
    }
    /// Presses the keys of undo, or of redo, beside the fields.
    void undo(Qt::KeyboardModifiers more = Qt::NoModifier) {
        list()->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Z, Qt::ControlModifier | more);
    }
};

void WindowRegenerateTest::undoGoesBackToTheModelBefore() {
    start();
    talk(QStringLiteral("Hello"));
    const QString other = copyModel("other.gguf");
    app()->models()->open(other);
    QTRY_VERIFY(isOpen(other));
    regenerate("With model");
    QVERIFY(isOpen(model_));
    for (int i = 0; i < 2; ++i) {
        undo();
        QTRY_COMPARE(version(), 1);
        QTRY_VERIFY(isOpen(other));
        undo(Qt::ShiftModifier); // redo
        QTRY_COMPARE(version(), 2);
        QTRY_VERIFY(isOpen(model_));
    }
    QCOMPARE(versions(), 2); // nothing was answered again
}

void WindowRegenerateTest::undoKeepsAModelThatWasOpenedSince() {
    start();
    talk(QStringLiteral("Hello"));
    const QString other = copyModel("other.gguf"), third = copyModel("third.gguf");
    app()->models()->open(other);
    QTRY_VERIFY(isOpen(other));
    regenerate("With model");
    app()->models()->open(third);
    QTRY_VERIFY(isOpen(third));
    undo();
    QTRY_COMPARE(version(), 1);
    QVERIFY(isOpen(third));
}

/// It is in no list of recent files.
void WindowRegenerateTest::theDemoModelIsOffered() {
    start("story", true, true);
    QTRY_VERIFY(isOpen(model_));
    talk(QStringLiteral("Hello"));
    regenerate("With Demo model");
    QVERIFY(app()->models()->demo());
    undo();
    QTRY_COMPARE(version(), 1);
    QTRY_VERIFY(isOpen(model_));
    QVERIFY(!app()->models()->demo());
}

/// Everything that the menu has no line for is changed there, and the key writes the answer again. The line is the last
/// one, below the models.
void WindowRegenerateTest::theMenuLeadsToTheSettingsOfTheChat() {
    const char* const line = "Change the settings of this chat\u2026";
    start();
    talk(QStringLiteral("Hello"));
    const QString other = copyModel("other.gguf");
    app()->models()->open(other);
    QTRY_VERIFY(isOpen(other));
    choose(line, 1);
    QTRY_COMPARE(app()->pages()->current(), app::Pages::ChatSettings);
    QCOMPARE(std::max(versions(), 1), 1); // nothing is answered yet
    const auto field = [this] { return namedItem(window(), QStringLiteral("Temperature"), QAccessible::EditableText); };
    QTRY_VERIFY(field());
    field()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("0.3"));
    press(Qt::Key_Tab);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(versions(), 2);
    QTRY_VERIFY(!app()->conversation()->busy());
    QCOMPARE(control_->options().back().sampling.temperature, 0.3F);
    QVERIFY(app()->conversation()->settings().own()); // the other chats keep theirs
    list()->forceActiveFocus(Qt::TabFocusReason);
    openOtherWays(1);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("With model"), QAccessible::MenuItem) &&
                namedItem(window(), QString::fromUtf8(line), QAccessible::MenuItem));
    const auto top = [this](const QString& name) {
        return namedItem(window(), name, QAccessible::MenuItem)->mapToScene({}).y();
    };
    QVERIFY(drawn() && drawn());
    QVERIFY(top(QString::fromUtf8(line)) > top(QStringLiteral("With model")));
    press(Qt::Key_Escape);
}

void WindowRegenerateTest::f4ARefusedAnswerLeavesTheModelBefore_data() {
    QTest::addColumn<QString>("way");
    QTest::newRow("the card's cross") << QStringLiteral("Dismiss");
    QTest::newRow("the Esc key") << QStringLiteral("Esc");
    QTest::newRow("a new chat") << QStringLiteral("New chat");
    QTest::newRow("another chat") << QString();
}

/// The demo model has a context of 40 tokens here, and the other one 4,000: its answer is refused.
void WindowRegenerateTest::f4ARefusedAnswerLeavesTheModelBefore() {
    QFETCH(const QString, way);
    start("context-full", true, true);
    app()->settings()->setValue(QStringLiteral("contextTokens"), 4000);
    app()->models()->reopen();
    QTRY_COMPARE(app()->conversation()->contextSize(), 4000);
    QTRY_VERIFY(isOpen(model_));
    talk(QStringLiteral("Hi"));
    talk(QString(30, u'a'));
    const qint64 chat = app()->conversation()->chatId();
    choose("With Demo model", 3);
    QTRY_VERIFY(shows("Another answer has no room in the context."));
    QVERIFY(app()->models()->demo());
    if (way.isEmpty())
        app()->conversation()->newChat();
    else if (way == QStringLiteral("Esc"))
        press(Qt::Key_Escape);
    else
        click(way, QAccessible::Button);
    QTRY_VERIFY(isOpen(model_));
    QVERIFY(!app()->models()->demo());
    QTRY_VERIFY(!shows("Another answer has no room"));
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    if (way == QStringLiteral("Dismiss")) QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Message")));
    app()->conversation()->openChat(chat);
    QCOMPARE(app()->conversation()->messages()->count(), 4);
    QVERIFY(app()->undo()->undoTitle().isEmpty()); // nothing was stored
}

/// The chat is left while the other model is being opened, so no answer waits for it any more.
void WindowRegenerateTest::f4AModelOpenedForNothingGoesAgain() {
    start();
    talk(QStringLiteral("Hello"));
    const QString other = copyModel("other.gguf");
    app()->conversation()->actions()->regenerateWith(app()->conversation()->messages()->lastId(), other);
    app()->conversation()->newChat();
    QVERIFY(!isOpen(model_));
    QTRY_VERIFY(isOpen(model_));
    QVERIFY(app()->settings()->recentModels().contains(QDir::toNativeSeparators(other))); // it was open
}

int main(int argc, char** argv) { return runWindowTest<WindowRegenerateTest>(argc, argv); }
#include "tst_window_regenerate.moc"
