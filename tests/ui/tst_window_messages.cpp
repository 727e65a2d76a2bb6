// SPDX-License-Identifier: Apache-2.0
// The actions on messages, in the real window by keys and pointer. tests/app/chats/tst_message_actions.cpp tests what
// happens below.
#include "text/message_text.h"
#include "window_driver.h"

#include <QClipboard>
#include <QStyleHints>

#include <functional>

Q_DECLARE_METATYPE(std::function<void()>)

using namespace coterie;
using namespace coterie::tests;

class WindowMessagesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void aPromptIsEditedInItsPlace();
    void theKeyEditsTheLastPrompt();
    void anAnswerIsEditedByItsButton();
    void anEditIsThereAfterAnotherChat();
    void anAnswerIsRegeneratedByItsButton();
    void versionsAreShownByKeysAndButtons();
    void anotherVersionKeepsTheReadersPlace();
    void theFocusStaysWithTheVersions();
    void deleteRemovesTheFocusedMessage();
    void theBarTakesBackADeletion();
    void aFieldKeepsItsOwnUndo();
    void aStoppedAnswerContinuesByKey();
    void n15AQuestionThatWasNotAnsweredSaysSo();
    void theMenuCopiesForksAndDeletes();
    void theMenuRegeneratesWithAnotherModel();
    void theMenuRegeneratesWithOtherSettings();
    void buttonsAreReachedByTab();
    void figuresOfTheLastAnswerAreAlwaysShown();
    void i17BothGapsAreEqual();
    void f4TypedTextGoesToTheComposer_data();
    void f4TypedTextGoesToTheComposer();
    void g4ADoubleClickOnMoreActionsChoosesNothing();
    void g4ADoubleClickOnSendSends();
    void f7UndoFromTheFieldNeedsABar();
    void f7UndoSaysWhatItUndid();
    void s8UndoFromTheFieldTakesBackTheChatsLastStep();
    void s8UndoFromTheFieldEndsWithTheNextMessage();
    void s14TheTipGivesWayToTheMenu();
    void f21AnEditedAnswerSaysSo();
    void figuresOfEarlierAnswersAreWhole_data();
    void figuresOfEarlierAnswersAreWhole();
    void f25FiguresAreOneText_data();
    void f25FiguresAreOneText();

  private:
    app::MessageActions& actions() const { return *app()->conversation()->actions(); }
    app::MessageModel& messages() const { return *app()->conversation()->messages(); }
    QString text(int row) const { return messages().index(row).data(app::MessageModel::TextRole).toString(); }
    int versions(int row) const { return messages().index(row).data(app::MessageModel::VersionsRole).toInt(); }
    int version(int row) const { return messages().index(row).data(app::MessageModel::VersionRole).toInt(); }
    QQuickItem* list() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    /// The item of the message in this row; null if it is not in view.
    QQuickItem* message(int row) const {
        QQuickItem* found = nullptr;
        QMetaObject::invokeMethod(list(), "itemAtIndex", Q_RETURN_ARG(QQuickItem*, found), Q_ARG(int, row));
        return found;
    }
    /// The control with this name in the message of this row.
    QQuickItem* part(int row, const QString& name) const {
        QQuickItem* found = nullptr;
        QQuickItem* in = message(row);
        for (QAccessibleInterface* node : accessibleNodes(window())) {
            auto* item = qobject_cast<QQuickItem*>(node->object());
            if (item && in && in->isAncestorOf(item) && node->text(QAccessible::Name) == name) found = item;
        }
        return found;
    }
    void clickPart(int row, const char* name) {
        QQuickItem* target = nullptr;
        QTRY_VERIFY2((target = part(row, QString::fromLatin1(name))), name);
        QTest::mouseMove(window(), middleOf(target)); // shows the buttons
        clickFound([&] { return part(row, QString::fromLatin1(name)); }, name);
    }
    /// Gives the focus to the text of the message in this row.
    void focusOnMessage(int row) {
        QQuickItem* text = findItem(message(row), [](QQuickItem* at) { return qobject_cast<app::MessageText*>(at); });
        QVERIFY(text);
        text->forceActiveFocus(Qt::TabFocusReason);
    }
    /// Whether the focus is in the message of this row.
    bool hasFocus(int row) const {
        return message(row) && window()->activeFocusItem() && message(row)->isAncestorOf(window()->activeFocusItem());
    }
    bool idle() {
        return waitFor([this] { return !app()->conversation()->busy(); });
    }
};

void WindowMessagesTest::aPromptIsEditedInItsPlace() {
    start();
    talk(QStringLiteral("Hello"));
    focusOnMessage(0);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(hasFocus(0));
    type(QStringLiteral(" there"));
    press(Qt::Key_Return, Qt::ShiftModifier);
    type(QStringLiteral("friend"));
    press(Qt::Key_Escape); // left: nothing is sent
    QTRY_VERIFY(actions().edited().isEmpty());
    QCOMPARE(text(0), QStringLiteral("Hello"));
    QVERIFY(hasFocus(0));
    press(Qt::Key_Z, Qt::ControlModifier); // the typed text comes back
    QTRY_VERIFY(hasFocus(0));
    press(Qt::Key_Return);
    QTRY_COMPARE(text(0), QStringLiteral("Hello there\nfriend"));
    QTRY_VERIFY(hasFocus(0));
    QVERIFY(idle());
    QCOMPARE(versions(0), 2);
    QCOMPARE(messages().count(), 2);
    QVERIFY(item(QStringLiteral("Message 2 of 2")));
    QCOMPARE(control_->conversations().back().back().parts[0].text, std::string("Hello there\nfriend"));
}

/// From the field, Ctrl+E edits the last prompt, not the answer below it; the focus chooses any other message.
void WindowMessagesTest::theKeyEditsTheLastPrompt() {
    start();
    talk(QStringLiteral("Hello"));
    talk(QStringLiteral("Again"));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(hasFocus(2));
    QCOMPARE(actions().edited(), QVariantList{messages().rows()[2].id});
    type(QStringLiteral("!"));
    press(Qt::Key_Return);
    QTRY_COMPARE(text(2), QStringLiteral("Again!"));
    QVERIFY(idle());
    focusOnMessage(3);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_COMPARE(actions().edited(), QVariantList{messages().rows()[3].id});
}

void WindowMessagesTest::anAnswerIsEditedByItsButton() {
    start();
    talk(QStringLiteral("Hello"));
    clickPart(1, "Edit answer");
    QTRY_COMPARE(actions().edited().size(), 1);
    QTRY_VERIFY(hasFocus(1));
    press(Qt::Key_Home, Qt::ControlModifier);
    clickPart(1, "Edit answer"); // leads back into the field
    QTRY_COMPARE(window()->activeFocusItem()->property("cursorPosition").toString(), QStringLiteral("0"));
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("Short"));
    clickPart(1, "Keep");
    QTRY_COMPARE(text(1), QStringLiteral("Short"));
    QTRY_VERIFY(hasFocus(1));
    QCOMPARE(versions(1), 2);
    QTRY_VERIFY(shows("Thoughts")); // parts that are not text stay
    clickPart(1, "Edit answer");
    QTRY_COMPARE(actions().edited().size(), 1);
    clickPart(1, "Cancel");
    QTRY_VERIFY(actions().edited().isEmpty());
    QCOMPARE(versions(1), 2);
}

void WindowMessagesTest::anEditIsThereAfterAnotherChat() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    clickPart(0, "Edit message");
    QTRY_VERIFY(hasFocus(0));
    type(QStringLiteral(" again"));
    press(Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(messages().count(), 0);
    app()->conversation()->openChat(chat);
    QQuickItem* field = nullptr;
    QTRY_VERIFY((field = part(0, QStringLiteral("Edit message"))));
    QTRY_VERIFY(part(0, QStringLiteral("Send")));
    QCOMPARE(actions().editText(actions().edited().front().toLongLong()), QStringLiteral("Hello again"));
    clickPart(0, "Send");
    QTRY_COMPARE(text(0), QStringLiteral("Hello again"));
}

void WindowMessagesTest::anAnswerIsRegeneratedByItsButton() {
    start();
    talk(QStringLiteral("Hello"));
    clickPart(1, "Regenerate");
    QTRY_COMPARE(versions(1), 2);
    QVERIFY(idle());
    QVERIFY(text(1).startsWith(QStringLiteral("Once upon")));
    QTRY_VERIFY(item(QStringLiteral("Answer 2 of 2")));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(versions(1), 3);
    QVERIFY(idle());
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 2);
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(version(1), 3);
}

void WindowMessagesTest::versionsAreShownByKeysAndButtons() {
    start();
    talk(QStringLiteral("Hello"));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 2);
    QVERIFY(idle());
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Left, Qt::AltModifier); // from the composer: the last message
    QTRY_COMPARE(version(1), 1);
    QTRY_VERIFY(item(QStringLiteral("Answer 1 of 2")));
    QTRY_VERIFY(!part(1, QStringLiteral("Show the version before"))->isEnabled());
    clickPart(1, "Show the next version");
    QTRY_COMPARE(version(1), 2);
    QTRY_VERIFY(!part(1, QStringLiteral("Show the next version"))->isEnabled());
    talk(QStringLiteral("More"));
    focusOnMessage(1);
    press(Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE(messages().count(), 2);
    QCOMPARE(version(1), 1);
    press(Qt::Key_Right, Qt::AltModifier); // the focus went with it
    QTRY_COMPARE(messages().count(), 4);
}

void WindowMessagesTest::anotherVersionKeepsTheReadersPlace() {
    start();
    window()->resize(900, 500);
    for (int i = 0; i < 3; ++i) talk(QStringLiteral("Hello"));
    const qint64 answer = messages().index(3).data(app::MessageModel::MessageIdRole).toLongLong();
    actions().regenerate(answer); // the path ends there
    QVERIFY(idle());
    talk(QStringLiteral("More"));
    list()->forceActiveFocus();
    QTRY_VERIFY(list()->property("contentY").toReal() > 300);
    for (int keys = 0; !message(2) || message(2)->y() < list()->property("contentY").toReal(); ++keys) {
        QVERIFY(keys < 1000);
        press(Qt::Key_Up);
        QVERIFY(drawn());
    }
    const auto place = [this] { return message(2)->y() - list()->property("contentY").toReal(); };
    focusOnMessage(3); // the focus brings the message into view
    const qreal before = place();
    for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Left}) {
        press(key, Qt::AltModifier);
        QTRY_COMPARE(version(3), key == Qt::Key_Left ? 1 : 2);
        QTRY_COMPARE(place(), before);
        QVERIFY(hasFocus(3));
    }
}

void WindowMessagesTest::theFocusStaysWithTheVersions() {
    start();
    talk(QStringLiteral("Hello"));
    for (int i = 2; i <= 3; ++i) {
        press(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(version(1), i);
        QVERIFY(idle());
    }
    part(1, QStringLiteral("Show the version before"))->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Space);
    QTRY_COMPARE(version(1), 2);
    QCOMPARE(window()->activeFocusItem(), part(1, QStringLiteral("Show the version before")));
    press(Qt::Key_Space);
    QTRY_COMPARE(version(1), 1);
    QCOMPARE(window()->activeFocusItem(),
             part(1, QStringLiteral("Show the next version"))); // the other one leads nowhere
}

void WindowMessagesTest::deleteRemovesTheFocusedMessage() {
    start();
    talk(QStringLiteral("Hello"));
    talk(QStringLiteral("More"));
    focusOnMessage(2);
    press(Qt::Key_Delete);
    QTRY_COMPARE(messages().count(), 2);
    QTRY_VERIFY(shows("Deleted \"More\""));
    QVERIFY(hasFocus(1));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(messages().count(), 4);
    QTRY_VERIFY(!shows("Deleted \"More\""));
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(messages().count(), 2);
    focusOnMessage(0);
    press(Qt::Key_Delete);
    QTRY_COMPARE(messages().count(), 0);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(messages().count(), 2);
}

void WindowMessagesTest::theBarTakesBackADeletion() {
    start();
    talk(QStringLiteral("Hello"));
    press(Qt::Key_Delete, Qt::ControlModifier | Qt::ShiftModifier); // the last message
    QTRY_COMPARE(messages().count(), 1);
    click(QStringLiteral("Undo"));
    QTRY_COMPARE(messages().count(), 2);
    QTRY_VERIFY(!shows("Deleted \""));
}

void WindowMessagesTest::aFieldKeepsItsOwnUndo() {
    start();
    talk(QStringLiteral("Hello"));
    app()->commands()->run(QStringLiteral("message.delete"));
    QTRY_COMPARE(messages().count(), 1);
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("abc"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(app()->conversation()->draft() != QStringLiteral("abc"));
    QCOMPARE(messages().count(), 1);
    while (!app()->conversation()->draft().isEmpty()) press(Qt::Key_Z, Qt::ControlModifier);
    press(Qt::Key_Z, Qt::ControlModifier); // nothing is left of it: the chat's latest step is next
    QTRY_COMPARE(messages().count(), 2);
    talk(QStringLiteral("More")); // the field is empty and has nothing to undo after a message was sent
    app()->commands()->run(QStringLiteral("message.delete"));
    QTRY_COMPARE(messages().count(), 3);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(messages().count(), 4);
}

void WindowMessagesTest::aStoppedAnswerContinuesByKey() {
    start();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    const test::FakeScript story = *test::fakeScript("story");
    control_->allow(story.promptTokens + 20);
    QTRY_VERIFY(text(1).startsWith(QStringLiteral("Once upon")));
    press(Qt::Key_Escape);
    QVERIFY(idle());
    QTRY_VERIFY(shows("Stopped"));
    control_->allowAll();
    press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(text(1).endsWith(QStringLiteral("no ship was lost.")));
    QVERIFY(idle());
    QCOMPARE(text(1).count(QStringLiteral("Once upon")), 1);
    QTRY_VERIFY(!shows("Stopped"));
}

void WindowMessagesTest::theMenuCopiesForksAndDeletes() {
    start();
    talk(QStringLiteral("Hello"));
    const auto choose = [this](const char* name) {
        clickPart(1, "More actions");
        click(QString::fromLatin1(name));
    };
    choose("Copy as plain text");
    QTRY_VERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Once upon")));
    QVERIFY(!QGuiApplication::clipboard()->text().contains(QStringLiteral("```")));
    clickPart(1, "Copy message");
    QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("```python")));
    const qint64 chat = app()->conversation()->chatId();
    choose("Fork into a new chat");
    QTRY_VERIFY(app()->conversation()->chatId() != chat);
    QCOMPARE(messages().count(), 2);
    QTRY_VERIFY(shows("Fork of Hello"));
    choose("Delete with what follows");
    QTRY_COMPARE(messages().count(), 1);
    // The same menu by the right button.
    QTest::mouseClick(window(), Qt::RightButton, {},
                      message(0)->mapToScene(QPointF(message(0)->width() / 2, message(0)->height() / 2)).toPoint());
    click(QStringLiteral("Edit"));
    QTRY_COMPARE(actions().edited().size(), 1);
}

void WindowMessagesTest::theMenuRegeneratesWithAnotherModel() {
    start();
    talk(QStringLiteral("Hello"));
    const QString other = QDir(fixture_->dataFolder()).filePath(QStringLiteral("other.gguf"));
    QVERIFY(QFile::copy(model_, other));
    app()->models()->open(other);
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready);
    clickPart(1, "More actions");
    click(QStringLiteral("Regenerate differently\u2026"));
    click(QStringLiteral("With model"));
    QTRY_COMPARE(versions(1), 2);
    QVERIFY(idle());
    QCOMPARE(app()->models()->path(), model_);
    QVERIFY(text(1).startsWith(QStringLiteral("Once upon")));
}

void WindowMessagesTest::theMenuRegeneratesWithOtherSettings() {
    start();
    talk(QStringLiteral("Hello"));
    const auto regenerate = [this](const char* line) {
        const int before = versions(1);
        clickPart(1, "More actions");
        click(QStringLiteral("Regenerate differently\u2026"));
        click(QString::fromLatin1(line));
        QTRY_COMPARE(versions(1), std::max(before, 1) + 1);
        QVERIFY(idle());
    };
    const auto temperature = [this] { return control_->options().back().sampling.temperature; };
    regenerate("More varied");
    QCOMPARE(temperature(), 1.1F);
    regenerate("More predictable");
    QCOMPARE(temperature(), 0.5F);
    regenerate("With the preset Precise");
    QCOMPARE(temperature(), 0.2F);
    QVERIFY(!app()->conversation()->settings().own()); // the next answer is written as before
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(versions(1), 5);
    QVERIFY(idle());
    QCOMPARE(temperature(), 0.8F);
    press(Qt::Key_Z, Qt::ControlModifier);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 3);
}

void WindowMessagesTest::buttonsAreReachedByTab() {
    start();
    talk(QStringLiteral("Hello"));
    focusOnMessage(0);
    QStringList names;
    for (int i = 0; i < 30 && !names.contains(QStringLiteral("Regenerate")); ++i) {
        press(Qt::Key_Tab);
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        names.append(node ? node->text(QAccessible::Name) : QString());
    }
    for (const char* name : {"Copy message", "Edit message", "More actions", "Edit answer", "Regenerate"})
        QVERIFY2(names.contains(QString::fromLatin1(name)), qPrintable(names.join(u'|')));
}

void WindowMessagesTest::figuresOfTheLastAnswerAreAlwaysShown() {
    start();
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    const auto figures = [this](int row) {
        return findItem(message(row), [](QQuickItem* at) {
            return at->property("text").toString().startsWith(QStringLiteral("Scripted \u00b7")) && at->isVisible();
        });
    };
    QTRY_VERIFY(figures(3));
    QVERIFY(shows(" tok/s") && shows(" of memory") && shows("hit rate"));
    QTest::mouseMove(window(), QPoint(2, 2));
    QTRY_COMPARE(figures(3)->opacity(), 1.0);
    list()->forceActiveFocus();
    press(Qt::Key_Home);
    QTRY_VERIFY(figures(1));
    const qreal height = message(1)->height();
    QTRY_COMPARE(figures(1)->opacity(), 0.0);
    focusOnMessage(1);
    QTRY_COMPARE(figures(1)->opacity(), 1.0);
    QVERIFY(figures(1)->property("text").toString().contains(QStringLiteral("hit rate")));
    QCOMPARE(message(1)->height(), height); // nothing moves
}

/// The program ended after a prompt was stored and before its answer began.
void WindowMessagesTest::n15AQuestionThatWasNotAnsweredSaysSo() {
    start();
    const QString folder = fixture_->dataFolder();
    fixture_->stop();
    qint64 chat = 0;
    {
        auto store = app::ChatStore::open({.folder = folder, .migrations = {}});
        QVERIFY(store.ok());
        chat =
            (*store)
                ->addTurn({.chat = 0, .title = QStringLiteral("Why?"), .prompt = QStringLiteral("Why?"), .model = {}})
                .value()
                .chat;
    }
    QVERIFY(fixture_->start(model_));
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready);
    app()->panes()->open(chat);
    QTRY_VERIFY(shows("Not answered"));
    QVERIFY(!shows("Stopped"));
    control_->allowAll();
    click(QStringLiteral("Answer now"));
    QTRY_VERIFY(text(1).startsWith(QStringLiteral("Once upon")));
    QTRY_VERIFY(idle());
    QTRY_VERIFY(!shows("Not answered") && !item(QStringLiteral("Answer now")));
}

/// From a prompt to its answer, and from that answer to the next prompt.
void WindowMessagesTest::i17BothGapsAreEqual() {
    start();
    window()->resize(900, 1400); // all of it is in view
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    QTRY_VERIFY(message(0) && message(1) && message(2));
    const auto place = [this](int row) { // the place of the bubble, or of the answer's text
        const QQuickItem* at =
            findItem(message(row), [](QQuickItem* in) { return qobject_cast<app::MessageText*>(in); });
        const QQuickItem* whole = at->parentItem();
        return whole->mapRectToItem(list(), QRectF(0, 0, whole->width(), whole->height()));
    };
    QTRY_COMPARE(place(1).top() - place(0).bottom(), place(2).top() - place(1).bottom());
}

void WindowMessagesTest::f4TypedTextGoesToTheComposer_data() {
    QTest::addColumn<std::function<void()>>("act");
    using Act = std::function<void()>;
    const auto twoVersions = [this] {
        press(Qt::Key_R, Qt::ControlModifier);
        QTRY_COMPARE(versions(1), 2);
        QVERIFY(idle());
    };
    QTest::newRow("regenerate by mouse") << Act([this] {
        clickPart(1, "Regenerate");
        QTRY_COMPARE(versions(1), 2);
    });
    QTest::newRow("show another version") << Act([=, this] {
        twoVersions();
        clickPart(1, "Show the version before");
        QTRY_COMPARE(version(1), 1);
    });
    QTest::newRow("edit a question") << Act([this] {
        clickPart(0, "Edit message");
        QTRY_VERIFY(hasFocus(0));
        type(QStringLiteral("!"));
        press(Qt::Key_Return);
        QTRY_COMPARE(versions(0), 2);
    });
    QTest::newRow("edit an answer") << Act([this] {
        clickPart(1, "Edit answer");
        QTRY_VERIFY(hasFocus(1));
        type(QStringLiteral("!"));
        press(Qt::Key_Return);
        QTRY_COMPARE(versions(1), 2);
    });
    QTest::newRow("choose an alternative") << Act([this] {
        press(Qt::Key_T, Qt::ControlModifier);
        const QString alternative = QStringLiteral("Alternatives");
        QTRY_VERIFY(namedItem(window(), alternative, QAccessible::List));
        QTRY_COMPARE(app()->conversation()->alternatives()->state(), app::TokenAlternatives::Ready);
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QTRY_COMPARE(versions(1), 2);
    });
    QTest::newRow("delete with what follows") << Act([this] {
        clickPart(1, "More actions");
        click(QStringLiteral("Delete with what follows"));
        QTRY_COMPARE(messages().count(), 1);
    });
    QTest::newRow("g3: continue the answer") << Act([this] {
        clickPart(1, "More actions");
        click(QStringLiteral("Continue the answer"));
        QTRY_COMPARE(control_->conversations().size(), size_t{2});
    });
    QTest::newRow("open a model from the menu") << Act([this] {
        focusOn(QStringLiteral("Model: Scripted"));
        press(Qt::Key_Return);
        QTRY_VERIFY(namedItem(window(), QStringLiteral("Close Scripted"), QAccessible::MenuItem));
        const auto chosen = [this] {
            QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
            return node && node->text(QAccessible::Name) == QStringLiteral("Close Scripted");
        };
        for (int downs = 0; downs < 10 && !chosen(); ++downs) press(Qt::Key_Down);
        QVERIFY(chosen());
        press(Qt::Key_Return);
        QTRY_COMPARE(app()->models()->state(), app::ModelController::None);
        QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Message"))); // Space does not open it again
    });
    QTest::newRow("leave the menu of models") << Act([this] {
        focusOn(QStringLiteral("Model: Scripted"));
        press(Qt::Key_Return);
        QTRY_VERIFY(namedItem(window(), QStringLiteral("Close Scripted"), QAccessible::MenuItem));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!namedItem(window(), QStringLiteral("Close Scripted"), QAccessible::MenuItem));
    });
    QTest::newRow("leave the bin") << Act([this] {
        click(app()->commands()->tip({}, QStringLiteral("page.bin")));
        QTRY_COMPARE(app()->pages()->current(), app::Pages::Bin);
        press(Qt::Key_Escape);
        QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
    });
}

/// Whatever was done last, a letter that no control has a use for is the beginning of the next message.
void WindowMessagesTest::f4TypedTextGoesToTheComposer() {
    QFETCH(std::function<void()>, act);
    start("words");
    talk(QStringLiteral("Hello"));
    act();
    if (QTest::currentTestFailed()) return;
    QVERIFY(idle());
    type(QStringLiteral("And then"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then"));
    QCOMPARE(window()->activeFocusItem(), item(QStringLiteral("Message")));
}

/// The menu does not lie over the button that opened it, also if there is no room below.
void WindowMessagesTest::g4ADoubleClickOnMoreActionsChoosesNothing() {
    start("words");
    talk(QStringLiteral("Hello"));
    window()->resize(900, 560);
    clickPart(1, "More actions");
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Edit"), QAccessible::MenuItem));
    const QQuickItem* const menu = findItem(window()->contentItem(), [](const QQuickItem* at) {
        return at->isVisible() && at->inherits("QQuickPopupItem");
    });
    QVERIFY(menu);
    const QQuickItem* const button = part(1, QStringLiteral("More actions"));
    QVERIFY(button);
    QVERIFY(drawn());
    QVERIFY(!menu->mapRectToScene(QRectF(0, 0, menu->width(), menu->height())).contains(middleOf(button)));
}

void WindowMessagesTest::g4ADoubleClickOnSendSends() {
    start();
    type(QStringLiteral("Hello"));
    const QQuickItem* const button =
        item(app()->commands()->tip(QStringLiteral("Send"), QStringLiteral("message.send")));
    QVERIFY(button);
    const QPoint place = middleOf(button);
    QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, place);
    QVERIFY(app()->conversation()->busy());
    QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, place); // it stops the answer from now on
    QVERIFY(app()->conversation()->state() != app::Conversation::Stopping);
    control_->allowAll();
    QVERIFY(idle());
    QCOMPARE(messages().index(1).data(app::MessageModel::StateRole).toString(), QStringLiteral("complete"));
}

/// An empty field is no place to undo changes of the list of chats that are long past: they are offered.
void WindowMessagesTest::f7UndoFromTheFieldNeedsABar() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    QVERIFY(folder != 0);
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    talk(QStringLiteral("Hello"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the folder"));
    QVERIFY(!shows("Undone"));
}

void WindowMessagesTest::f7UndoSaysWhatItUndid() {
    start();
    talk(QStringLiteral("Hello"));
    app()->commands()->run(QStringLiteral("message.delete"));
    QTRY_COMPARE(messages().count(), 1);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Z, Qt::ControlModifier); // the bar of the deletion is in view
    QTRY_COMPARE(messages().count(), 2);
    QTRY_VERIFY(shows("Undone: Delete the message"));
    click(QStringLiteral("Redo"));
    QTRY_COMPARE(messages().count(), 1);
    QTRY_VERIFY(shows("Done again: Delete the message"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(messages().count(), 2);
}

/// The step is not long past, and a bar says what was undone.
void WindowMessagesTest::s8UndoFromTheFieldTakesBackTheChatsLastStep() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 2);
    QVERIFY(idle());
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 1);
    QTRY_VERIFY(shows("Undone: Regenerate the answer"));
    app()->undo()->endOffer(); // the bar goes after a while
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(version(1), 2);
    app()->undo()->endOffer();
    press(Qt::Key_N, Qt::ControlModifier); // in another chat it is not in view
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(shows("Done last: Regenerate the answer")); // it is offered
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Regenerate the answer"));
    app()->undo()->endOffer();
    app()->conversation()->openChat(chat);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier); // a search does not mean it either
    QVERIFY(window()->activeFocusItem() != item(QStringLiteral("Message")));
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(drawn());
    QCOMPARE(version(1), 2);
}

/// A step from before a message was sent is long past: undoing it would hide that message.
void WindowMessagesTest::s8UndoFromTheFieldEndsWithTheNextMessage() {
    start();
    talk(QStringLiteral("Hello"));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(version(1), 2);
    QVERIFY(idle());
    talk(QStringLiteral("More"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(drawn());
    QCOMPARE(messages().count(), 4);
    QCOMPARE(version(1), 2);
    app()->commands()->run(QStringLiteral("edit.undo")); // it can be undone all the same
    QTRY_COMPARE(messages().count(), 2);
    QCOMPARE(version(1), 1);
}

void WindowMessagesTest::s14TheTipGivesWayToTheMenu() {
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->useHoverEffects()] { hints->setUseHoverEffects(was); });
    hints->setUseHoverEffects(true); // as on a desktop: the pointer alone shows a tip
    start();
    talk(QStringLiteral("Hello"));
    QQuickItem* button = nullptr;
    QTRY_VERIFY((button = part(1, QStringLiteral("More actions"))));
    const auto tip = [this] { // the item of the popup that stands over the button
        return findItem(window()->contentItem(), [](QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickPopupItem") &&
                   at->parent()->property("text").toString() == QStringLiteral("More actions");
        });
    };
    QTest::mouseMove(window(), middleOf(button));
    QTRY_VERIFY(tip());
    clickPart(1, "More actions");
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Edit"), QAccessible::MenuItem));
    QTRY_VERIFY(!tip());
    QVERIFY(drawn());
    QVERIFY(!tip());
}

void WindowMessagesTest::f21AnEditedAnswerSaysSo() {
    start();
    talk(QStringLiteral("Hello"));
    QVERIFY(!shows("Scripted, edited"));
    clickPart(1, "Edit answer");
    QTRY_VERIFY(hasFocus(1));
    type(QStringLiteral("!"));
    press(Qt::Key_Return);
    QTRY_COMPARE(versions(1), 2);
    QTRY_VERIFY(shows("Scripted, edited"));
    press(Qt::Key_Left, Qt::AltModifier);
    QTRY_VERIFY(!shows("Scripted, edited"));
}

void WindowMessagesTest::figuresOfEarlierAnswersAreWhole_data() {
    QTest::addColumn<int>("width");
    for (int width = 640; width <= 1500; width += 60) QTest::addRow("%d", width) << width;
}

/// Figures without room are left out: "hit rate 1..." could be any number.
void WindowMessagesTest::figuresOfEarlierAnswersAreWhole() {
    QFETCH(int, width);
    const QString dot = QStringLiteral(" \u00b7 ");
    start();
    window()->resize(width, 800);
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    focusOnMessage(1); // shows them
    QVERIFY(drawn() && drawn());
    QQuickItem* line = nullptr;
    QTRY_VERIFY((line = findItem(message(1), [](QQuickItem* at) {
                     return at->inherits("QQuickText") && at->isVisible() &&
                            at->property("text").toString().startsWith(QStringLiteral("Scripted"));
                 })));
    QTRY_COMPARE(line->opacity(), 1.0);
    QVERIFY(!line->property("truncated").toBool());
    const QStringList all = QAccessible::queryAccessibleInterface(line)->text(QAccessible::Name).split(dot);
    QStringList shown = line->property("text").toString().split(dot);
    if (shown.back() == QString(QChar(0x2026))) shown.removeLast();
    QVERIFY(!shown.isEmpty());
    QCOMPARE(shown, all.first(shown.size()));
    QVERIFY(all.back().startsWith(QStringLiteral("hit rate")) && all.back().endsWith(u'%'));
}

void WindowMessagesTest::f25FiguresAreOneText_data() {
    QTest::addColumn<int>("width");
    for (const int width : {640, 760, 900, 1180, 1500}) QTest::addRow("%d", width) << width;
}

/// Beside the buttons in one line, or all of them below: never a column of words beside the buttons, nor two halves.
void WindowMessagesTest::f25FiguresAreOneText() {
    QFETCH(int, width);
    start();
    window()->resize(width, 800);
    talk(QStringLiteral("Hello"));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(versions(1), 2);
    QVERIFY(idle());
    QVERIFY(drawn() && drawn());
    const auto wordsOf = [](const QQuickItem* at) { // within a figure, lines do not break at a space
        return at->property("text").toString().replace(QChar::Nbsp, QChar::Space);
    };
    QList<QQuickItem*> found;
    findItem(message(1), [&](QQuickItem* at) { // visits all
        const QString words = wordsOf(at);
        if (at->isVisible() && at->inherits("QQuickText") &&
            (words.contains(QStringLiteral("Scripted \u00b7")) || words.contains(QStringLiteral("hit rate"))))
            found.append(at);
        return false;
    });
    QCOMPARE(found.size(), 1);
    const QQuickItem* figures = found.front();
    QVERIFY(wordsOf(figures).contains(QStringLiteral("hit rate")));
    const QQuickItem* buttons = part(1, QStringLiteral("More actions"));
    const bool beside = middleOf(figures).y() < buttons->mapToScene(QPointF(0, buttons->height())).y();
    if (beside)
        QCOMPARE(figures->property("lineCount").toInt(), 1);
    else
        QCOMPARE(figures->width(), figures->parentItem()->width());
    const QStringList lines = figures->property("text").toString().split(u'\n');
    QCOMPARE(figures->property("lineCount").toInt(), lines.size()); // they end where the program says, without a dot
    for (const QString& line : lines)
        QVERIFY(!line.trimmed().startsWith(QChar(0xb7)) && !line.trimmed().endsWith(QChar(0xb7)));
}

int main(int argc, char** argv) { return runWindowTest<WindowMessagesTest>(argc, argv); }

#include "tst_window_messages.moc"
