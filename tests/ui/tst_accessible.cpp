// SPDX-License-Identifier: Apache-2.0
// The window for people who use a screen reader: alerts are sent when something happened, controls do what a screen
// reader asks them to do, and the lists tell what is selected. coterie-screenshots --check accessible looks at every
// page and state; at_spi.py has a real client.
#include "look/announcer.h"
#include "window_checks.h"
#include "window_driver.h"

#include <QAccessibleActionInterface>
#include <QSignalSpy>

using namespace coterie;
using namespace coterie::tests;

class AccessibleTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void cleanup() {
        announced_.reset();
        WindowDriver::cleanup();
    }

    void theEndOfAnAnswerIsAnnounced();
    void anErrorIsAnnouncedOnce();
    void anOldErrorIsNotAnnounced();
    void aDeletedChatIsAnnounced();
    void eachQuestionOfAToolIsAnnounced();
    void pressingDoesWhatAClickDoes();
    void slidersGoByTheirSteps();
    void theListTellsItsSelection();
    void untranslatedPartsAreFound_data();
    void untranslatedPartsAreFound();

  private:
    void begin(const char* script = "story") {
        start(script);
        listen();
    }
    void listen() {
        const int type = qmlTypeId("Coterie.App.Look", 1, 0, "Announcer");
        auto* announcer = qmlEngine(window())->singletonInstance<app::Announcer*>(type);
        QVERIFY(announcer);
        announced_ = std::make_unique<QSignalSpy>(announcer, &app::Announcer::announced);
    }
    /// How often an alert of this name was announced.
    qsizetype count(const QString& name) const {
        return std::count_if(announced_->begin(), announced_->end(),
                             [&](const QVariantList& alert) { return alert.at(0) == name; });
    }
    QAccessibleInterface* node(const QString& name) const {
        QQuickItem* found = item(name);
        return found ? QAccessible::queryAccessibleInterface(found) : nullptr;
    }
    /// Does what a screen reader does for a user who presses the control.
    void pressAs(const QString& name, const QString& action = QAccessibleActionInterface::pressAction()) {
        QAccessibleInterface* found = nullptr;
        QTRY_VERIFY2((found = node(name)), qPrintable(name));
        QVERIFY2(found->actionInterface()->actionNames().contains(action), qPrintable(name));
        found->actionInterface()->doAction(action);
    }

    std::unique_ptr<QSignalSpy> announced_;
};

void AccessibleTest::theEndOfAnAnswerIsAnnounced() {
    const QString ended = QStringLiteral("The answer has ended");
    begin();
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(count(ended), 1);
    QCOMPARE(count(QStringLiteral("The model is answering")), 1);
}

void AccessibleTest::anErrorIsAnnouncedOnce() {
    const QString what = QStringLiteral("The answer broke off");
    begin("disk-lost");
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(count(what), 1);
    QVERIFY(announced_->last().at(1).toString().contains(QStringLiteral("can no longer be read. Connect its disk")));
    QVERIFY(drawn());
    QCOMPARE(count(what), 1);
}

void AccessibleTest::anOldErrorIsNotAnnounced() {
    begin("disk-lost");
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(count(QStringLiteral("The answer broke off")), 1);
    announced_->clear();
    const qint64 chat = app()->conversation()->chatId();
    app()->conversation()->newChat();
    app()->conversation()->openChat(chat);
    QTRY_VERIFY(shows("The answer broke off"));
    QVERIFY(drawn());
    QCOMPARE(count(QStringLiteral("The answer broke off")), 0);
}

void AccessibleTest::aDeletedChatIsAnnounced() {
    begin();
    talk(QStringLiteral("Hello"));
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QTRY_COMPARE(count(QStringLiteral("Deleted \"Hello\"")), 1);
}

/// The second one differs from the one that was answered in what the tool is given.
void AccessibleTest::eachQuestionOfAToolIsAnnounced() {
    const QString question = QStringLiteral("The model asks to use: Calculator");
    test::FakeScript script = *test::fakeScript("tools");
    script.pieces.emplace_back(engine::ToolCall{.name = "calculator", .arguments = R"json({"expression": "1+1"})json"});
    startWith(script);
    listen();
    app()->settings()->setValue(QStringLiteral("tools"), true);
    control_->allowAll();
    QVERIFY(app()->conversation()->send(QStringLiteral("Sum")));
    QTRY_COMPARE(count(question), 1);
    pressAs(QStringLiteral("Not now"));
    QTRY_COMPARE(count(question), 2);
    QVERIFY(announced_->last().at(1).toString().contains(QStringLiteral("1+1")));
}

void AccessibleTest::pressingDoesWhatAClickDoes() {
    start();
    talk(QStringLiteral("Hello"));
    pressAs(QStringLiteral("Offline"));
    QTRY_COMPARE(app()->pages()->current(), app::Pages::About);
    pressAs(QStringLiteral("Back to the conversation")); // a button with an icon
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
    pressAs(QStringLiteral("New chat"));
    QCOMPARE(app()->conversation()->chatId(), 0);
    pressAs(QStringLiteral("Hello")); // a chat of the list
    QVERIFY(app()->conversation()->chatId() > 0);
    const bool thinking = app()->settings()->thinking();
    pressAs(QStringLiteral("The model thinks before it answers"), QAccessibleActionInterface::toggleAction());
    QCOMPARE(app()->settings()->thinking(), !thinking);
    QVERIFY(!item(QStringLiteral("Send (Enter)"))->isEnabled());
    pressAs(QStringLiteral("Send (Enter)"));
    QVERIFY(!app()->conversation()->busy());
    pressAs(QStringLiteral("Model: Scripted"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Close Scripted"), QAccessible::MenuItem));
    pressAs(QStringLiteral("Close Scripted"));
    QTRY_COMPARE(app()->models()->state(), app::ModelController::None);
    press(Qt::Key_Comma, Qt::ControlModifier);
    pressAs(QStringLiteral("Dark"));
    QTRY_COMPARE(app()->settings()->theme(), QStringLiteral("dark"));
}

void AccessibleTest::slidersGoByTheirSteps() {
    start();
    press(Qt::Key_Comma, Qt::ControlModifier);
    pressAs(QStringLiteral("Text size in percent"), QAccessibleActionInterface::increaseAction());
    QTRY_COMPARE(app()->settings()->fontScale(), 1.1);
    pressAs(QStringLiteral("Text size in percent"), QAccessibleActionInterface::decreaseAction());
    QTRY_COMPARE(app()->settings()->fontScale(), 1.0);
}

void AccessibleTest::theListTellsItsSelection() {
    start();
    talk(QStringLiteral("First"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    const auto state = [&](const char* name) {
        return QAccessible::queryAccessibleInterface(
                   namedItem(window(), QString::fromLatin1(name), QAccessible::ListItem))
            ->state();
    };
    QTRY_VERIFY(state("Second").selected && !state("First").selected);
    QVERIFY(state("First").selectable && state("First").focusable && !state("First").focused);
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(state("First").focused != state("Second").focused);
    pressAs(QStringLiteral("First"));
    QTRY_VERIFY(state("First").selected && !state("Second").selected);
}

void AccessibleTest::untranslatedPartsAreFound_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("parts");
    QTest::newRow("translated") << QString::fromUtf8("\u27e6Hello\u27e7") << QStringList();
    QTest::newRow("nested") << QString::fromUtf8("\u27e6Free \u27e61 GiB\u27e7\u27e7 - 12") << QStringList();
    QTest::newRow("not translated") << QStringLiteral("Hello") << QStringList{QStringLiteral("Hello")};
    QTest::newRow("in part") << QString::fromUtf8("\u27e6One\u27e7, two") << QStringList{QStringLiteral(", two")};
}

void AccessibleTest::untranslatedPartsAreFound() {
    QFETCH(QString, text);
    QFETCH(QStringList, parts);
    QCOMPARE(untranslatedParts(text), parts);
}

int main(int argc, char** argv) { return runWindowTest<AccessibleTest>(argc, argv); }

#include "tst_accessible.moc"
