// SPDX-License-Identifier: Apache-2.0
// The tools that a model calls, in the real window by keys and pointer: the question before one is run, each of its
// answers, the settings that remember them, and a chat that nobody looks at. tests/app/chats/tst_tools.cpp tests what
// happens below.
#include "window_driver.h"

#include <QScopeGuard>
#include <QStyleHints>

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

namespace {

const char* const kQuestion = "The model asks to use: Calculator";
const QString kPermission = QStringLiteral("toolCalculator");

} // namespace

class WindowToolsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void toolsAreSwitchedOnInTheSettings();
    void eachToolIsAskedForAndRun_data();
    void eachToolIsAskedForAndRun();
    void aToolIsAllowedOnceByKey();
    void aToolIsAlwaysAllowedByPointer();
    void aDoubleClickAllowsOneCall();
    void aToolIsRefusedOnceAndForEver();
    void theQuestionIsStopped();
    void escRefusesOnce();
    void theQuestionStandsUnderTheVersionThatAsks();
    void aLoopEndsWithAMessage();
    void aToolAsksInTheBackground();
    void f3ResultsOfToolsAreShown();
    void f3ACallWithToolsOffSaysSo();
    void theReasonIsShownBelowEarlierAnswers();
    void s5RemarksStayWithTheirAnswer();
    void s13TheListMarksAChatThatWaits();
    void theMarkIsAtTheEndOfItsRow();
    void s7AMessageInPlaceOfAnAnswerEndsTheCall();

  private:
    /// Starts with a model that calls the calculator in each answer, and may.
    void startWithTools() {
        start("tools");
        app()->settings()->setValue(QStringLiteral("tools"), true);
        control_->allowAll();
    }
    void say(const QString& prompt) {
        press(Qt::Key_L, Qt::ControlModifier);
        type(prompt);
        press(Qt::Key_Return);
    }
    void ask(const QString& prompt) {
        say(prompt);
        QTRY_VERIFY(shows(kQuestion));
    }
    void search(const QString& words) {
        const auto field = [this] {
            return namedItem(window(), QStringLiteral("Search in settings"), QAccessible::EditableText);
        };
        QTRY_VERIFY(field());
        field()->forceActiveFocus(Qt::TabFocusReason);
        type(words);
    }
    /// Chooses an option of the setting with this name by a key.
    void choose(const char* setting, const char* option) {
        const auto matches = [option](QQuickItem* at) {
            return at->inherits("QQuickRadioButton") && at->property("text").toString() == QLatin1String(option);
        };
        QQuickItem* radio = nullptr;
        QTRY_VERIFY2((radio = findItem(namedItem(window(), QLatin1String(setting), QAccessible::Grouping), matches)),
                     setting);
        radio->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Space);
    }
    app::MessageModel& messages() const { return *app()->conversation()->messages(); }
    QString text(int row) const { return messages().index(row).data(app::MessageModel::TextRole).toString(); }
    bool ended(int count) const {
        return waitFor([&] { return messages().count() == count && !app()->conversation()->busy(); });
    }
    QString permission() const { return app()->settings()->value(kPermission).toString(); }
    /// The message that the model got last, which is a result.
    QString lastResult() const {
        const engine::Message last = control_->conversations().back().back();
        return last.parts.size() == 1 ? QString::fromStdString(last.parts.front().text) : QString();
    }
    QString focusName() const {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    }
};

void WindowToolsTest::toolsAreSwitchedOnInTheSettings() {
    start("tools");
    talk(QStringLiteral("Sum"));
    QVERIFY(!shows(kQuestion)); // no tool is offered before the user says so
    press(Qt::Key_Comma, Qt::ControlModifier);
    search(QStringLiteral("tools"));
    choose("Tools", "On");
    QTRY_VERIFY(app()->settings()->value(QStringLiteral("tools")).toBool());
    press(Qt::Key_Escape);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    ask(QStringLiteral("Again"));
}

void WindowToolsTest::eachToolIsAskedForAndRun_data() {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("result"); // a regular expression
    QTest::newRow("calculator") << "{\"expression\": \"6*7\"}"
                                << "Calculator"
                                << "^42$";
    QTest::newRow("current_time") << "{}"
                                  << "Current time"
                                  << "^[A-Z][a-z]+day, \\d{4}-\\d{2}-\\d{2} ";
    QTest::newRow("read_file") << "{\"name\": \"notes.txt\"}"
                               << "Read an attached file"
                               << "^The lantern is red\\.$";
    QTest::newRow("search_chats") << "{\"words\": \"harbour\"}"
                                  << "Search my chats"
                                  << "chat \"harbour\"";
}

/// Each result goes back to the model, which goes on.
void WindowToolsTest::eachToolIsAskedForAndRun() {
    QFETCH(QString, arguments);
    QFETCH(QString, title);
    QFETCH(QString, result);
    test::FakeScript script = *test::fakeScript("tools");
    script.pieces.back() = engine::ToolCall{.name = QTest::currentDataTag(), .arguments = arguments.toStdString()};
    startWith(script);
    app()->settings()->setValue(QStringLiteral("tools"), true);
    control_->allowAll();
    QFile notes(QDir(fixture_->dataFolder()).filePath(QStringLiteral("notes.txt")));
    QVERIFY(notes.open(QIODevice::WriteOnly) && notes.write("The lantern is red.") > 0);
    notes.close();
    app()->conversation()->files()->add({QUrl::fromLocalFile(notes.fileName())});
    QTRY_COMPARE(app()->conversation()->files()->count(), 1);
    say(QStringLiteral("harbour"));
    QTRY_VERIFY(shows(qPrintable(QStringLiteral("The model asks to use: ") + title)));
    use("Allow once");
    QVERIFY(ended(4));
    QVERIFY2(QRegularExpression(result).match(lastResult()).hasMatch(), qPrintable(lastResult()));
    QCOMPARE(text(3), QStringLiteral("It is 14."));
}

void WindowToolsTest::aToolIsAllowedOnceByKey() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    QTRY_VERIFY(item(QStringLiteral("Allow once")));
    QCOMPARE(focusName(), QStringLiteral("Message")); // the question takes no focus from a person who writes
    for (int i = 0; i < 10 && focusName() != QStringLiteral("Allow once"); ++i) press(Qt::Key_Backtab);
    QCOMPARE(focusName(), QStringLiteral("Allow once"));
    press(Qt::Key_Return);
    QVERIFY(ended(4));
    QCOMPARE(text(3), QStringLiteral("It is 14."));
    QTRY_VERIFY(!shows(kQuestion));
    QCOMPARE(focusName(), QStringLiteral("Message")); // the button that had it is gone
    QCOMPARE(lastResult(), QStringLiteral("14"));
    QCOMPARE(permission(), QStringLiteral("ask"));
    ask(QStringLiteral("Again"));
}

void WindowToolsTest::aToolIsAlwaysAllowedByPointer() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    click(QStringLiteral("Always allow"));
    QVERIFY(ended(4));
    QCOMPARE(permission(), QStringLiteral("always"));
    say(QStringLiteral("Again"));
    QVERIFY(ended(8)); // without a question
    press(Qt::Key_Comma, Qt::ControlModifier);
    search(QStringLiteral("calculator"));
    choose("Calculator", "Ask");
    QTRY_COMPARE(permission(), QStringLiteral("ask"));
}

/// The second press was for the question about the next call, which nobody had read.
void WindowToolsTest::aDoubleClickAllowsOneCall() {
    QStyleHints& hints = *QGuiApplication::styleHints();
    const auto back = qScopeGuard(
        [&hints, interval = hints.mouseDoubleClickInterval()] { hints.setMouseDoubleClickInterval(interval); });
    hints.setMouseDoubleClickInterval(kPatienceMs); // however long the pictures take
    test::FakeScript script = *test::fakeScript("tools");
    script.pieces.push_back(script.pieces.back());
    startWith(script);
    app()->settings()->setValue(QStringLiteral("tools"), true);
    control_->allowAll();
    ask(QStringLiteral("Sum"));
    QPoint place;
    QTRY_VERIFY(keepsPlace([this] { return item(QStringLiteral("Allow once")); }, place));
    const auto clickThere = [&] { QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, place); };
    QSignalSpy asked(app()->tools(), &app::ToolRunner::changed);
    clickThere();
    QTRY_VERIFY(asked.size() >= 2 && app()->tools()->asking()); // it runs, then the next one asks
    QVERIFY(drawn());
    clickThere();
    QVERIFY(drawn());
    QVERIFY(app()->tools()->asking() && !app()->conversation()->busy());
    hints.setMouseDoubleClickInterval(0); // a press of its own
    QVERIFY(drawn());
    clickThere();
    QVERIFY(ended(4));
}

void WindowToolsTest::aToolIsRefusedOnceAndForEver() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    click(QStringLiteral("Not now"));
    QVERIFY(ended(4));
    QCOMPARE(lastResult(), QStringLiteral("The user does not allow this call."));
    QCOMPARE(permission(), QStringLiteral("ask"));
    ask(QStringLiteral("Again"));
    use("Never");
    QVERIFY(ended(8));
    QCOMPARE(permission(), QStringLiteral("never"));
    say(QStringLiteral("Once more"));
    QVERIFY(ended(12)); // without a question
    QCOMPARE(lastResult(), QStringLiteral("The user does not allow this tool."));
}

void WindowToolsTest::theQuestionIsStopped() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    use("Stop");
    QTRY_VERIFY(!shows(kQuestion));
    QCOMPARE(messages().count(), 2);
    QVERIFY(!app()->conversation()->busy());
    QCOMPARE(focusName(), QStringLiteral("Message"));
    ask(QStringLiteral("Again")); // the chat goes on
}

/// It does what "Not now" does: the tool asks again the next time.
void WindowToolsTest::escRefusesOnce() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    press(Qt::Key_Escape);
    QVERIFY(ended(4));
    QCOMPARE(lastResult(), QStringLiteral("The user does not allow this call."));
    QTRY_VERIFY(!shows(kQuestion));
    ask(QStringLiteral("Again"));
    focusOn(QStringLiteral("Always allow"));
    press(Qt::Key_Escape);
    QVERIFY(ended(8));
    QCOMPARE(lastResult(), QStringLiteral("The user does not allow this call."));
    QCOMPARE(permission(), QStringLiteral("ask"));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

/// Its buttons would answer a call that is not in view.
void WindowToolsTest::theQuestionStandsUnderTheVersionThatAsks() {
    const char* const off = "The model called a tool, which was not run because tools are switched off.";
    start("tools");
    talk(QStringLiteral("Seven"));
    app()->settings()->setValue(QStringLiteral("tools"), true);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(shows(kQuestion));
    QTRY_VERIFY(!shows(off));
    for (int i = 0; i < 2; ++i) {
        press(Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY(shows(off));
        QTRY_VERIFY(!shows(kQuestion));
        press(Qt::Key_Right, Qt::AltModifier);
        QTRY_VERIFY(shows(kQuestion));
        QTRY_VERIFY(!shows(off));
    }
    use("Allow once");
    QVERIFY(ended(4));
    QCOMPARE(lastResult(), QStringLiteral("14"));
    QVERIFY(!shows(kQuestion));
}

void WindowToolsTest::aLoopEndsWithAMessage() {
    test::FakeScript script = *test::fakeScript("tools");
    script.afterTools = script.pieces;
    fixture_ = std::make_unique<WindowFixture>(test::fakeFactory(script, control_));
    QFile model(QDir(fixture_->dataFolder()).filePath(QStringLiteral("model.gguf")));
    QVERIFY(model.open(QIODevice::WriteOnly));
    QVERIFY(fixture_->start(model.fileName()));
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready);
    control_->allowAll();
    app()->settings()->setValue(QStringLiteral("tools"), true);
    app()->settings()->setValue(kPermission, QStringLiteral("always"));
    say(QStringLiteral("Loop"));
    QTRY_VERIFY(shows("The model has called tools 8 times without an answer"));
    QVERIFY(!app()->conversation()->busy());
}

/// The question is told like the end of an answer, which it is not.
void WindowToolsTest::aToolAsksInTheBackground() {
    start("tools");
    app()->settings()->setValue(QStringLiteral("tools"), true);
    say(QStringLiteral("Sum"));
    QTRY_COMPARE(messages().count(), 2);
    press(Qt::Key_N, Qt::ControlModifier);
    const test::FakeScript script = *test::fakeScript("tools");
    control_->allow(script.promptTokens + static_cast<int64_t>(script.pieces.size())); // the first answer
    QTRY_VERIFY(shows("The model asks to use a tool in \"Sum\""));
    QVERIFY(!shows("The answer in"));
    QVERIFY(!shows(kQuestion)); // it is in its own chat
    use("Show");
    QTRY_VERIFY(shows(kQuestion));
    QTRY_VERIFY(!shows("asks to use a tool in"));
    press(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!shows("asks to use a tool in")); // it was seen
    app()->conversation()->openChat(app()->chats()->index(0).data(app::ChatListModel::ChatIdRole).toLongLong());
    use("Always allow");
    press(Qt::Key_N, Qt::ControlModifier);
    control_->allowAll();
    QTRY_VERIFY(shows("The answer in \"Sum\" is complete"));
}

/// As the words on the screen: a part without text would leave a gap.
void WindowToolsTest::f3ResultsOfToolsAreShown() {
    const auto shown = [this](int row) { return messages().textAt(row)->text(); };
    startWithTools();
    ask(QStringLiteral("Sum"));
    use("Allow once");
    QVERIFY(ended(4));
    QCOMPARE(shown(2), QStringLiteral("14"));
    QTRY_VERIFY(shows("Result of calculator"));
    app()->conversation()->actions()->beginEdit(messages().rows()[2].id);
    QVERIFY(app()->conversation()->actions()->edited().isEmpty());
    ask(QStringLiteral("Again"));
    use("Not now");
    QVERIFY(ended(8));
    QCOMPARE(shown(6), QStringLiteral("The user does not allow this call."));
    const qint64 chat = app()->conversation()->chatId(); // the same when the store is read
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    app()->panes()->open(chat);
    QCOMPARE(shown(2), QStringLiteral("14"));
}

void WindowToolsTest::f3ACallWithToolsOffSaysSo() {
    start("tools");
    talk(QStringLiteral("Sum"));
    QTRY_VERIFY(shows("The model called a tool, which was not run because tools are switched off."));
}

/// Without the pointer over them: a call that was not run would stand there bare.
void WindowToolsTest::theReasonIsShownBelowEarlierAnswers() {
    const auto reasons = [this] {
        int seen = 0;
        findItem(window()->contentItem(), [&](QQuickItem* at) { // visits all
            const QString text = at->property("text").toString();
            if (at->isVisible() && at->opacity() == 1 && text.contains(QStringLiteral("which was not run because")))
                ++seen;
            return false;
        });
        return seen;
    };
    start("tools");
    talk(QStringLiteral("Sum"));
    QTRY_COMPARE(reasons(), 1);
    talk(QStringLiteral("Again"));
    QTRY_COMPARE(reasons(), 2);
    QCOMPARE(shownTexts().filter(QStringLiteral("which was not run because")).size(), 2); // each is spoken once
}

void WindowToolsTest::s5RemarksStayWithTheirAnswer() {
    const char* const off = "The model called a tool, which was not run because tools are switched off.";
    start("tools");
    talk(QStringLiteral("Sum"));
    const qint64 chat = app()->conversation()->chatId();
    QTRY_VERIFY(shows(off));
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(!shows(off));
    app()->conversation()->openChat(chat);
    QTRY_VERIFY(shows(off));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    app()->panes()->open(chat);
    QTRY_VERIFY(shows(off));
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier); // a fork has it, too
    QTRY_VERIFY(app()->conversation()->chatId() != chat);
    QTRY_VERIFY(shows(off));
}

void WindowToolsTest::s13TheListMarksAChatThatWaits() {
    const auto row = [this] { return namedItem(window(), QStringLiteral("Sum"), QAccessible::ListItem); };
    const auto asks = [&] {
        QAccessibleInterface* node = row() ? QAccessible::queryAccessibleInterface(row()) : nullptr;
        const QQuickItem* mark = row() ? findItem(row(),
                                                  [](const QQuickItem* at) {
                                                      return at->isVisible() && at->property("name").toString() ==
                                                                                    QStringLiteral("question");
                                                  })
                                       : nullptr;
        return mark && node && node->text(QAccessible::Description) == QStringLiteral("The model asks to use a tool");
    };
    startWithTools();
    ask(QStringLiteral("Sum"));
    QTRY_VERIFY(asks());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(!shows(kQuestion));
    QVERIFY(asks());
    app()->conversation()->openChat(app()->chats()->index(0).data(app::ChatListModel::ChatIdRole).toLongLong());
    use("Not now");
    QVERIFY(ended(4));
    QVERIFY(row());
    QTRY_VERIFY(!asks());
}

/// The mark of a chat whose model asks is where the dot of a running answer is, whatever the title's length.
void WindowToolsTest::theMarkIsAtTheEndOfItsRow() {
    startWithTools();
    ask(QStringLiteral("Sum"));
    QQuickItem* row = nullptr;
    QTRY_VERIFY((row = namedItem(window(), QStringLiteral("Sum"), QAccessible::ListItem)));
    const auto mark = [&] {
        return findItem(row, [](const QQuickItem* at) {
            return at->isVisible() && at->property("name").toString() == QStringLiteral("question");
        });
    };
    QTRY_VERIFY(mark() && drawn());
    const QRectF place = mark()->mapRectToItem(row, QRectF(0, 0, mark()->width(), mark()->height()));
    QVERIFY2(place.right() > row->width() - 2 * place.width() && place.right() <= row->width(),
             qPrintable(QStringLiteral("%1 of %2").arg(place.right()).arg(row->width())));
    QVERIFY(qAbs(place.center().y() - row->height() / 2) <= 1);
}

void WindowToolsTest::s7AMessageInPlaceOfAnAnswerEndsTheCall() {
    const char* const instead = "The user wrote a message instead: this call was not run.";
    startWithTools();
    ask(QStringLiteral("Sum"));
    say(QStringLiteral("And now?"));
    QVERIFY(ended(5)); // the results are a message of their own
    QTRY_VERIFY(shows(instead));
    const std::vector<engine::Message> asked = control_->conversations().back();
    QCOMPARE(asked.size(), size_t{4});
    QCOMPARE(asked[2].role, engine::Role::Tool);
    QCOMPARE(asked[2].parts.front().text, std::string(instead));
    QCOMPARE(asked[3].parts.front().text, std::string("And now?"));
    QTRY_VERIFY(shows(kQuestion)); // about the new call
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_N, Qt::ControlModifier);
    app()->conversation()->openChat(chat);
    QTRY_VERIFY(shows(instead)); // it was stored
}

int main(int argc, char** argv) { return runWindowTest<WindowToolsTest>(argc, argv); }
#include "tst_window_tools.moc"
