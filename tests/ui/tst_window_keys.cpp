// SPDX-License-Identifier: Apache-2.0
// Shortcuts work wherever the focus is: each kind of item that takes the focus is clicked, then each command's keys are
// pressed, and the command must run.
#include "support/effort.h"
#include "window_driver.h"

#include <QClipboard>
#include <QPointer>
#include <QSet>
#include <QSignalSpy>

#include <map>

using namespace coterie;
using namespace coterie::tests;

class WindowKeysTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void b1EveryCommandRunsFromEveryKindOfItem();
    void n2TypingGoesToTheFieldFromEveryPlace();
    void aPageThatOpensHasTheFocus();
    void everyCommandRunsFromEveryPage_data();
    void everyCommandRunsFromEveryPage();
    void everyCommandRunsFromThePalette();
    void aTextKeepsCopyAndSelectAll();
    void messagesAreReachedAndCopiedByKey();
    void commandsThatMakeNoSenseDoNotRun();
    void tipsAndListNameTheSameKeys();

  private:
    static QString kindOf(const QQuickItem* item);
    static bool takesFocus(const QQuickItem* item);
    std::map<QString, QPointer<QQuickItem>> kinds() const;
    QQuickItem* firstOf(const QString& kind) const;
    bool runs(const app::Command& command, const QString& keys);
    bool focusIsUseful() const;
    void clickItem(QQuickItem* target) {
        QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier,
                          target->mapToScene(QRectF(0, 0, target->width(), target->height()).center()).toPoint());
    }
    void backToTheChat(qint64 chat);
    void makePossible(const app::Command& command);
    app::MessageActions& actions() { return *app()->conversation()->actions(); }
    void everyCommandRunsFrom(const QString& kind, qint64 chat, const std::function<void()>& show, int first = 0,
                              int step = 1);
    qint64 startWithAChat();
};

/// The name of an item's type in QML.
QString WindowKeysTest::kindOf(const QQuickItem* item) {
    const QString name = QString::fromLatin1(item->metaObject()->className());
    return name.section(QStringLiteral("_QML"), 0, 0).section(QStringLiteral("::"), -1);
}

/// Whether a visible, enabled item takes the focus when it is clicked or by Tab.
bool WindowKeysTest::takesFocus(const QQuickItem* item) {
    if (!item->isVisible() || !item->isEnabled() || item->width() <= 0 || item->height() <= 0) return false;
    return item->activeFocusOnTab() || item->property("activeFocusOnPress").toBool() ||
           (item->property("focusPolicy").toInt() & Qt::ClickFocus) == Qt::ClickFocus ||
           kindOf(item) == QLatin1String("ChatRow"); // its list gives it the focus
}

/// Returns one item of each kind that takes the focus.
std::map<QString, QPointer<QQuickItem>> WindowKeysTest::kinds() const {
    std::map<QString, QPointer<QQuickItem>> found;
    findItem(window()->contentItem(), [&](QQuickItem* at) {
        if (takesFocus(at)) found.emplace(kindOf(at), at);
        return false;
    });
    return found;
}

/// Returns the first item of this kind that takes the focus, or null if there is none.
QQuickItem* WindowKeysTest::firstOf(const QString& kind) const {
    return findItem(window()->contentItem(), [&](QQuickItem* at) { return kindOf(at) == kind && takesFocus(at); });
}

/// Presses the keys; returns whether the command ran, once.
bool WindowKeysTest::runs(const app::Command& command, const QString& keys) {
    const QSignalSpy ran(app()->commands(), &app::CommandList::ran);
    const QKeyCombination pressed = QKeySequence(keys, QKeySequence::PortableText)[0];
    QTest::keyClick(window(), pressed.key(), pressed.keyboardModifiers());
    return ran.count() == 1 && ran.first().first().toString() == command.id;
}

/// Whether keys reach an item that a person sees.
bool WindowKeysTest::focusIsUseful() const {
    const QQuickItem* item = window()->activeFocusItem();
    if (!window()->isVisible()) return true; // the command has closed or hidden it
    return item && item != window()->contentItem() && item->isVisible() && item->isEnabled() && item->width() > 0;
}

void WindowKeysTest::backToTheChat(qint64 chat) {
    window()->show();
    for (int i = 0; i < 3; ++i) press(Qt::Key_Escape); // closes a dialog or a menu
    for (const QVariant& message : actions().edited()) actions().leaveEdit(message.toLongLong());
    for (bool more = true; more;) more = app()->undo()->undo(); // the messages are as they were
    app()->pages()->open(app::Pages::Chat);
    app()->settings()->sidebarShown = true;
    app()->settings()->activityShown = false;
    app()->settings()->fontScale = 1;
    if (app()->models()->state() == app::ModelController::None) app()->models()->open(model_);
    app()->panes()->close(app()->panes()->other());
    if (app()->conversation()->chatId() != chat) app()->conversation()->openChat(chat);
    QTRY_VERIFY(app()->models()->state() == app::ModelController::Ready);
    QTRY_VERIFY(item(QStringLiteral("Message")));
}

/// Puts the window into a state in which the command can run, so that only its keys are tested.
void WindowKeysTest::makePossible(const app::Command& command) {
    if (command.id.startsWith(QLatin1String("edit."))) { // something that can be undone, or was
        app()->undo()->push({.title = QStringLiteral("Step"),
                             .undo = [] { return engine::Status{}; },
                             .redo = [] { return engine::Status{}; },
                             .offered = true});
        if (command.id == QLatin1String("edit.redo")) QVERIFY(app()->undo()->undo());
        return;
    }
    if (command.id == QLatin1String("panes.other")) app()->panes()->openSecond();
    if (command.id == QLatin1String("find.next") || command.id == QLatin1String("find.previous"))
        app()->conversation()->find()->setActive(true);                            // they go through what is found
    if (command.id.startsWith(QLatin1String("message."))) actions().setFocused(0); // it acts on the last message
    if (command.id.endsWith(QLatin1String("Version"))) {                           // an answer that has two
        const qint64 answer = app()->conversation()->messages()->lastId();
        actions().beginEdit(answer);
        actions().setEditText(answer, actions().editText(answer) + QStringLiteral("."));
        actions().keepEdit(answer);
        if (command.id == QLatin1String("message.nextVersion")) actions().showVersion(actions().target(), -1);
        return;
    }
    const bool stops = command.id == QLatin1String("page.close") && app()->pages()->current() == app::Pages::Chat;
    if (command.id != QLatin1String("answer.stop") && !stops) return;
    QVERIFY(app()->conversation()->send(QStringLiteral("More")));
    QTRY_VERIFY(app()->conversation()->busy()); // a long conversation is counted first
}

/// Clicks an item of this kind at this place, and presses the keys of every command there; a larger step leaves some
/// of them out.
void WindowKeysTest::everyCommandRunsFrom(const QString& kind, qint64 chat, const std::function<void()>& show,
                                          int first, int step) {
    int number = 0;
    for (const app::Command& command : app()->commands()->all()) {
        if (command.local || number++ % step != first) continue;
        for (const QString& keys : command.keys) {
            const QString what = kind + QStringLiteral(": ") + keys + QStringLiteral(" ") + command.id;
            backToTheChat(chat);
            show();
            QQuickItem* target = nullptr;
            QTRY_VERIFY2((target = firstOf(kind)), qPrintable(what)); // a frame of a message is made when it is shown
            const app::Pages::Page page = app()->pages()->current();
            clickItem(target);
            if (app()->pages()->current() != page) show();                 // the first button of a page leads back
            if (kind == QLatin1String("ModelChip")) press(Qt::Key_Escape); // its menu has the keys while it is open
            // A click may have left the chat, for example on "New chat".
            if (app()->conversation()->chatId() != chat) app()->conversation()->openChat(chat);
            // Or it began an answer: in the middle of the list may be a button of a message.
            QTRY_VERIFY((app()->conversation()->stop(), !app()->conversation()->busy()));
            makePossible(command);
            QVERIFY2(runs(command, keys), qPrintable(what));
            QTRY_VERIFY2(focusIsUseful(), qPrintable(what)); // n2: not lost, and not at what is not shown
            app()->conversation()->find()->setActive(false);
            // A command that has a prompt answered may begin a moment later, after its tokens were counted.
            QTRY_VERIFY((app()->conversation()->stop(), !app()->conversation()->busy()));
        }
    }
}

qint64 WindowKeysTest::startWithAChat() {
    start();
    app()->conversation()->send(QStringLiteral("Hello")); // the answer has a thought, texts and code
    allowAnswer(*test::fakeScript("story"));
    app()->settings()->allSettings = true;
    return waitFor([this] { return !app()->conversation()->busy(); }) ? app()->conversation()->chatId() : 0;
}

void WindowKeysTest::b1EveryCommandRunsFromEveryKindOfItem() {
    const qint64 chat = startWithAChat();
    QVERIFY(chat != 0);
    QStringList names;
    for (const auto& [kind, first] : kinds()) names.append(kind);
    for (const char* kind :
         {"MessageBody", "TextArea", "InputField", "IconButton", "PushButton", "ChatRow", "ModelChip"})
        QVERIFY2(names.contains(QString::fromLatin1(kind)),
                 qPrintable(QStringLiteral("%1 not in %2").arg(QString::fromLatin1(kind), names.join(u' '))));
    // Items with text, and the list of chats, have keys of their own, which could take those of a command. In the short
    // form, buttons of each other kind get a fifth of the commands.
    const QStringList withKeys{"MessageBody", "TextArea", "InputField", "ChatRow"};
    for (qsizetype i = 0; i < names.size(); ++i) {
        const int step = test::longTests() || withKeys.contains(names[i]) ? 1 : 5;
        everyCommandRunsFrom(
            names[i], chat, [] {}, static_cast<int>(i) % step, step);
    }
}

void WindowKeysTest::everyCommandRunsFromEveryPage_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("page");
    QTest::addColumn<QStringList>("whole"); // kinds with keys of their own that no place before has
    QTest::addColumn<QStringList>("kinds"); // others that the conversation has not, or not as here
    QTest::newRow("models") << 0 << int(app::Pages::Models) << QStringList{} << QStringList{};
    QTest::newRow("settings") << 1 << int(app::Pages::Settings) << QStringList{"NumberField"}
                              << QStringList{"ValueSlider", "RadioButton", "TextArea"};
    QTest::newRow("settings of a chat") << 2 << int(app::Pages::ChatSettings) << QStringList{}
                                        << QStringList{"NumberField", "TextArea"};
    QTest::newRow("bin") << 3 << int(app::Pages::Bin) << QStringList{} << QStringList{};
    QTest::newRow("activity") << 4 << int(app::Pages::Activity) << QStringList{} << QStringList{};
    QTest::newRow("shortcuts") << 5 << int(app::Pages::Shortcuts) << QStringList{} << QStringList{};
    QTest::newRow("about") << 6 << int(app::Pages::About) << QStringList{} << QStringList{"InputField"};
    QTest::newRow("licences") << 7 << int(app::Pages::Licences) << QStringList{} << QStringList{};
}

/// Each page has the keys, and its own kinds of items too. In the short form, most kinds get a third of them, and the
/// button, which is on every page, gets an eighth on each of the eight.
void WindowKeysTest::everyCommandRunsFromEveryPage() {
    QFETCH(int, row);
    QFETCH(int, page);
    QFETCH(QStringList, whole);
    QFETCH(QStringList, kinds);
    const qint64 chat = startWithAChat();
    QVERIFY(chat != 0);
    app()->settings()->sidebarShown = false;
    const auto show = [&] {
        app()->settings()->sidebarShown = false; // so that the first item of the kind is one of the page
        app()->pages()->open(static_cast<app::Pages::Page>(page));
        QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    };
    for (const QString& kind : whole) everyCommandRunsFrom(kind, chat, show);
    const int step = test::longTests() ? 1 : 3;
    for (const QString& kind : kinds) everyCommandRunsFrom(kind, chat, show, page % step, step);
    const int pages = test::longTests() ? 1 : 8;
    everyCommandRunsFrom(QStringLiteral("IconButton"), chat, show, row % pages, pages);
}

void WindowKeysTest::everyCommandRunsFromThePalette() {
    const qint64 chat = startWithAChat();
    QVERIFY(chat != 0);
    for (const app::Command& command : app()->commands()->all()) {
        if (command.local) continue;
        for (const QString& keys : command.keys) {
            backToTheChat(chat);
            app()->pages()->setPalette(true);
            QTRY_VERIFY(item(QStringLiteral("Find a command")));
            QVERIFY(item(QStringLiteral("Find a command"))->hasActiveFocus());
            makePossible(command);
            const QString what = keys + QStringLiteral(" ") + command.id;
            QVERIFY2(runs(command, keys), qPrintable(what));
            if (app()->conversation()->busy()) app()->conversation()->stop();
            QTRY_VERIFY(!app()->conversation()->busy());
        }
    }
}

void WindowKeysTest::aTextKeepsCopyAndSelectAll() {
    start();
    talk(QStringLiteral("Hello"));
    QQuickItem* text = namedItem(window(), QStringLiteral("Hello"), QAccessible::StaticText);
    QVERIFY(text);
    clickItem(text);
    QVERIFY(text->hasActiveFocus());
    press(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(text->property("selectedText").toString(), QStringLiteral("Hello"));
    QGuiApplication::clipboard()->clear();
    press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Hello"));
}

/// With the keyboard alone, every message and block is reached, read and copied, from the last one to the first.
void WindowKeysTest::messagesAreReachedAndCopiedByKey() {
    start();
    for (int i = 0; i < 4; ++i) talk(QStringLiteral("Question %1").arg(i));
    press(Qt::Key_L, Qt::ControlModifier);
    QStringList read;
    for (int i = 0; i < 4 * 5; ++i) {
        press(Qt::Key_Up, Qt::AltModifier);
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        QVERIFY(node && node->textInterface());
        int begin = 0, end = 0;
        node->textInterface()->selection(0, &begin, &end);
        QGuiApplication::clipboard()->clear();
        press(Qt::Key_C, Qt::ControlModifier);
        read.prepend(QGuiApplication::clipboard()->text());
        QCOMPARE(node->textInterface()->text(begin, end), read.first());
        const QRect place = node->textInterface()->characterRect(begin);
        QVERIFY(window()->geometry().contains(place)); // the list shows what is read
    }
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(read[5 * i], QStringLiteral("Question %1").arg(i));
        QVERIFY(read[5 * i + 1].startsWith(QStringLiteral("Once upon a time")));
        QCOMPARE(read[5 * i + 2], QStringLiteral("Its light turned like this:"));
        QVERIFY(read[5 * i + 3].startsWith(QStringLiteral("def turn(angle):")));
    }
    press(Qt::Key_Up, Qt::AltModifier); // there is nothing before the first one
    QVERIFY(window()->activeFocusItem()->property("selectedText").toString() == QStringLiteral("Question 0"));
    press(Qt::Key_Down, Qt::AltModifier);
    QVERIFY(window()->activeFocusItem()->property("selectedText").toString().startsWith(QStringLiteral("Once")));
}

void WindowKeysTest::commandsThatMakeNoSenseDoNotRun() {
    start();
    const QSignalSpy ran(app()->commands(), &app::CommandList::ran);
    QVERIFY(!app()->commands()->run(QStringLiteral("answer.stop")));
    QVERIFY(!app()->commands()->run(QStringLiteral("page.close")));
    QVERIFY(!app()->commands()->run(QStringLiteral("no.such")));
    QVERIFY(!app()->commands()->run(QStringLiteral("message.send"))); // the composer's own
    QCOMPARE(ran.count(), 0);
}

void WindowKeysTest::tipsAndListNameTheSameKeys() {
    start();
    QVERIFY(item(QStringLiteral("Settings (Ctrl+,)")) && item(QStringLiteral("Keyboard shortcuts (F1)")));
    press(Qt::Key_F1);
    for (const app::Command& command : app()->commands()->all()) {
        if (command.keys.isEmpty()) continue;
        QStringList shown;
        for (const QString& keys : command.keys) shown.append(QKeySequence(keys).toString(QKeySequence::NativeText));
        const QString line = command.title + QStringLiteral(": ") + shown.join(QStringLiteral(" or "));
        QTRY_VERIFY2(shownTexts().contains(line), qPrintable(line));
    }
    QStringList keys;
    for (const app::Command& command : app()->commands()->all())
        if (!command.local) keys += command.keys; // the focused item tells what a local key does
    QCOMPARE(QSet<QString>(keys.begin(), keys.end()).size(), keys.size()); // no two commands share keys
}

/// In the list of chats, which stays in view, the next Del would delete a chat.
void WindowKeysTest::aPageThatOpensHasTheFocus() {
    const qint64 chat = startWithAChat();
    QVERIFY(chat != 0);
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Settings);
    const auto inPage = [this] {
        for (const QQuickItem* at = window()->activeFocusItem(); at; at = at->parentItem())
            if (QByteArray(at->metaObject()->className()).startsWith("SettingsPage")) return true;
        return false;
    };
    QTRY_VERIFY(inPage());
    const int chats = app()->chats()->count();
    press(Qt::Key_Delete);
    QCOMPARE(app()->chats()->count(), chats);
}

/// Whatever had the focus, and wherever it was in between: the keys for writing lead to the text, not to a button
/// beside it.
void WindowKeysTest::n2TypingGoesToTheFieldFromEveryPlace() {
    const qint64 chat = startWithAChat();
    QVERIFY(chat != 0);
    const bool thinking = app()->settings()->thinking();
    const std::vector<std::function<void()>> detours{
        [] {},
        [&] { press(Qt::Key_K, Qt::ControlModifier); },
        [&] {
            press(Qt::Key_Comma, Qt::ControlModifier);
            QTRY_COMPARE(app()->pages()->current(), app::Pages::Settings);
            press(Qt::Key_Escape);
            QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
        },
        [&] {
            app()->pages()->setPalette(true);
            QTRY_VERIFY(item(QStringLiteral("Find a command")));
            press(Qt::Key_Escape);
            QTRY_VERIFY(!item(QStringLiteral("Find a command")));
        },
    };
    const auto writes = [&](int key) {
        press(key, Qt::ControlModifier);
        QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Message")));
        type(QStringLiteral("Go"));
        QCOMPARE(app()->conversation()->draft(), QStringLiteral("Go"));
        app()->conversation()->setDraft({});
    };
    const QString attach = app()->commands()->tip(QStringLiteral("Attach files"), QStringLiteral("message.attach"));
    for (const QString& button : {QStringLiteral("The model thinks before it answers"), attach}) {
        for (const auto& detour : detours) {
            for (const int key : {Qt::Key_L, Qt::Key_N}) {
                focusOn(button);
                detour();
                writes(key);
            }
        }
    }
    app()->conversation()->openChat(chat);
    for (const auto& [kind, target] : kinds()) {
        if (target) target->forceActiveFocus(Qt::TabFocusReason);
        writes(Qt::Key_L);
    }
    QCOMPARE(app()->settings()->thinking(), thinking);
}

int main(int argc, char** argv) { return runWindowTest<WindowKeysTest>(argc, argv); }

#include "tst_window_keys.moc"
