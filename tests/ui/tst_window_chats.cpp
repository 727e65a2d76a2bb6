// SPDX-License-Identifier: Apache-2.0
// The list of chats and what is done with whole chats, used by keys and pointer in the real window: pins, folders,
// order, selection, menus, dragging, the search of all chats, and the places where chats were left.
#include "store/chat_store.h"
#include "window_driver.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <utility>

using namespace coterie;
using namespace coterie::tests;
using app::ChatListModel;
using app::Conversation;

class WindowChatsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void chatsArePinnedByKeyAndMenu();
    void f14APinnedChatInAFolderIsSaidToStay();
    void foldersAreMadeAndRenamedInPlace();
    void foldersAreFoldedByKeyAndPointer();
    void f31TheMenuOfFoldersHasNoIdleLines();
    void chatsMoveToAFolderByMenu();
    void aChatIsDuplicated();
    void chatsAreDraggedIntoAFolder();
    void theListIsSorted();
    void severalChatsAreSelectedAndDeleted();
    void theModelNamesANewChat();
    void namesCanNotTurnSentences();
    void g19HomeAndEndGoThroughTheList();
    void theMenuOpensByPointerAndKey();
    void aChatIsExportedByPointerAndKey();
    void aSearchOpensTheHit();
    void aSearchOpensTheHitsBranch();
    void n9HeadingsStandOverTheirDays();
    void n10TheListBeginsAtTheOpenChat();
    void theWindowClosesWhileASearchHasWords();
    void thePlaceIsKept();
    void homeGoesToTheFirstMessage();
    void draftsAreKept();
    void n25ANewChatIsInView();
    void n25PageUpScrollsFromTheField();
    void n25ADraftGoesOnAtItsEnd();
    void anAnswerInTheBackgroundIsMarked();
    void aTemporaryChatIsMarkedAndGone();
    void aTemporaryChatIsKept();
    void theWindowAsksBeforeATemporaryChatIsLost();

  private:
    void makeChats(const QStringList& prompts);
    QStringList titles() const;
    QQuickItem* row(const QString& title) const { return namedItem(window(), title, QAccessible::ListItem); }
    void clickRow(const QString& title, Qt::MouseButton button = Qt::LeftButton,
                  Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void focusRow(const QString& title);
    void choose(const QString& name) { click(name, QAccessible::MenuItem); }
    QString focusName() const;
    static std::pair<int, double> topOf(QQuickItem* list);
    QQuickItem* conversationList() const { return namedItem(window(), QStringLiteral("Conversation")); }
};

void WindowChatsTest::makeChats(const QStringList& prompts) {
    for (const QString& prompt : prompts) {
        press(Qt::Key_N, Qt::ControlModifier);
        talk(prompt);
    }
    QTRY_COMPARE(app()->chats()->count(), static_cast<int>(prompts.size()));
}

QStringList WindowChatsTest::titles() const {
    QStringList all;
    const ChatListModel& chats = *app()->chats();
    for (int at = 0; at < chats.count(); ++at) all.append(chats.index(at).data(ChatListModel::TitleRole).toString());
    return all;
}

void WindowChatsTest::clickRow(const QString& title, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    QTRY_VERIFY2(row(title), qPrintable(title));
    QTest::mouseClick(window(), button, modifiers, middleOf(row(title)));
}

/// Returns the first row in view, and how many pixels of it are above the view.
std::pair<int, double> WindowChatsTest::topOf(QQuickItem* list) {
    const double y = list->property("contentY").toDouble();
    int row = -1;
    QMetaObject::invokeMethod(list, "indexAt", Q_RETURN_ARG(int, row), Q_ARG(double, 10), Q_ARG(double, y + 1));
    QQuickItem* item = nullptr;
    QMetaObject::invokeMethod(list, "itemAtIndex", Q_RETURN_ARG(QQuickItem*, item), Q_ARG(int, row));
    return {row, item ? y - item->y() : 0};
}

/// Goes to the row with the keys of the list.
void WindowChatsTest::focusRow(const QString& title) {
    press(Qt::Key_K, Qt::ControlModifier);
    for (int i = 0; i < 20; ++i) press(Qt::Key_Up);
    for (int i = 0; i < 20 && focusName() != title; ++i) press(Qt::Key_Down);
    QCOMPARE(focusName(), title);
}

QString WindowChatsTest::focusName() const {
    QAccessible::setActive(true);
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
    return node ? node->text(QAccessible::Name) : QString();
}

void WindowChatsTest::chatsArePinnedByKeyAndMenu() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
    focusRow(QStringLiteral("one"));
    press(Qt::Key_P, Qt::ControlModifier);
    QTRY_COMPARE(titles(), (QStringList{"one", "three", "two"}));
    QTRY_VERIFY(shows("Pinned"));
    clickRow(QStringLiteral("one"), Qt::RightButton);
    choose(QStringLiteral("Unpin"));
    QTRY_VERIFY(!shows("Pinned"));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("three")); // a menu opens no chat
    QTRY_COMPARE(titles(), (QStringList{"three", "two", "one"}));
    press(Qt::Key_L, Qt::ControlModifier); // from elsewhere, the key means the chat in view
    press(Qt::Key_P, Qt::ControlModifier);
    QTRY_COMPARE(titles(), (QStringList{"three", "two", "one"}));
    QVERIFY(app()->chats()->isPinned(app()->conversation()->chatId()));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(!app()->chats()->isPinned(app()->conversation()->chatId()));
}

void WindowChatsTest::f14APinnedChatInAFolderIsSaidToStay() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    const qint64 folder = app()->chats()->createFolder();
    const qint64 chat = app()->conversation()->chatId();
    app()->chats()->moveToFolder(chat, folder);
    QTRY_VERIFY(shows("Moved \"two\" to New folder"));
    QVERIFY(!shows("Pinned chats stay"));
    app()->chats()->moveToFolder(chat, 0);
    app()->chats()->setPinned(chat, true);
    app()->chats()->moveToFolder(chat, folder);
    QTRY_VERIFY(shows("Moved \"two\" to New folder. Pinned chats stay under Pinned"));
}

void WindowChatsTest::foldersAreMadeAndRenamedInPlace() {
    start();
    makeChats({QStringLiteral("one")});
    click(QStringLiteral("Order and folders"));
    choose(QStringLiteral("New folder"));
    QTRY_COMPARE(focusName(), QStringLiteral("New title")); // its name is asked for at once
    type(QStringLiteral("Cooking"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"Cooking", "one"}));
    QTRY_COMPARE(focusName(), QStringLiteral("Cooking"));
    press(Qt::Key_F2);
    type(QStringLiteral("Baking"));
    press(Qt::Key_Escape);
    QCOMPARE(titles(), (QStringList{"Cooking", "one"}));
    press(Qt::Key_F2);
    type(QStringLiteral("Baking"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"Baking", "one"}));
    QVERIFY(app()->commands()->run(QStringLiteral("chat.folder")));
    type(QStringLiteral("Ships"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"Baking", "Ships", "one"}));
    press(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(titles(), (QStringList{"Ships", "Baking", "one"}));
    QTRY_COMPARE(focusName(), QStringLiteral("Ships"));
    press(Qt::Key_Delete);
    QTRY_COMPARE(titles(), (QStringList{"Baking", "one"}));
    use("Undo");
    QTRY_COMPARE(titles(), (QStringList{"Ships", "Baking", "one"}));
}

void WindowChatsTest::foldersAreFoldedByKeyAndPointer() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->moveToFolder(app()->conversation()->chatId(), folder);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "two", "one"}));
    clickRow(QStringLiteral("New folder"));
    QTRY_COMPARE(titles(), (QStringList{"New folder", "one"}));
    focusRow(QStringLiteral("New folder"));
    press(Qt::Key_Right);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "two", "one"}));
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("two"));
    press(Qt::Key_Left); // to its folder
    QTRY_COMPARE(focusName(), QStringLiteral("New folder"));
    press(Qt::Key_Left);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "one"}));
}

void WindowChatsTest::chatsMoveToAFolderByMenu() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    app()->chats()->createFolder();
    focusRow(QStringLiteral("one"));
    press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    choose(QStringLiteral("New folder"));
    QTRY_COMPARE(titles(), (QStringList{"New folder", "one", "two"}));
    use("Undo");
    QTRY_COMPARE(titles(), (QStringList{"New folder", "two", "one"}));
    clickRow(QStringLiteral("two"), Qt::RightButton);
    choose(QString::fromUtf8("Move to folder\u2026"));
    choose(QString::fromUtf8("New folder\u2026"));
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("Ships"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "Ships", "two", "one"}));
}

/// It has a line and "No folder" only if there is something behind them, and the keys begin at its first entry.
void WindowChatsTest::f31TheMenuOfFoldersHasNoIdleLines() {
    start();
    makeChats({QStringLiteral("one")});
    const auto separators = [this] {
        int count = 0;
        for (QAccessibleInterface* node : accessibleNodes(window())) count += node->role() == QAccessible::Separator;
        return count;
    };
    const int before = separators();
    const auto openMenu = [this] {
        focusRow(QStringLiteral("one"));
        press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(item(QString::fromUtf8("New folder\u2026")));
    };
    openMenu();
    QVERIFY(!item(QStringLiteral("No folder")));
    QCOMPARE(separators(), before);
    press(Qt::Key_Space);
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("Ships"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"Ships", "one"}));
    openMenu();
    QVERIFY(item(QStringLiteral("No folder")));
    QCOMPARE(separators(), before + 1);
    choose(QStringLiteral("No folder"));
    openMenu();
    QVERIFY(!item(QStringLiteral("No folder")));
}

void WindowChatsTest::aChatIsDuplicated() {
    start();
    makeChats({QStringLiteral("one")});
    clickRow(QStringLiteral("one"), Qt::RightButton);
    choose(QStringLiteral("Duplicate"));
    QTRY_COMPARE(app()->chats()->count(), 2);
    QTRY_COMPARE(focusName(), QStringLiteral("one (copy)"));
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("one (copy)"));
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(app()->chats()->count(), 3);
}

void WindowChatsTest::chatsAreDraggedIntoAFolder() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    app()->chats()->createFolder();
    QTRY_VERIFY(row(QStringLiteral("one")) && row(QStringLiteral("New folder")));
    const auto drag = [&](const QString& from, const QString& to) {
        QPoint begin, end;
        QTRY_VERIFY(keepsPlace([&] { return row(from); }, begin));
        QTRY_VERIFY(keepsPlace([&] { return row(to); }, end));
        QTest::mousePress(window(), Qt::LeftButton, Qt::NoModifier, begin);
        for (int step = 1; step <= 8; ++step) QTest::mouseMove(window(), begin + (end - begin) * step / 8);
        QTest::mouseRelease(window(), Qt::LeftButton, Qt::NoModifier, end);
    };
    drag(QStringLiteral("one"), QStringLiteral("New folder"));
    QTRY_COMPARE(titles(), (QStringList{"New folder", "one", "two"}));
    QTRY_VERIFY(row(QStringLiteral("two")));
    drag(QStringLiteral("one"), QStringLiteral("two"));
    QTRY_COMPARE(titles(), (QStringList{"New folder", "two", "one"}));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("two")); // dragging opens nothing
}

void WindowChatsTest::theListIsSorted() {
    start();
    makeChats({QStringLiteral("pears"), QStringLiteral("apples"), QStringLiteral("bread")});
    click(QStringLiteral("Order and folders"));
    choose(QStringLiteral("Sort by title"));
    QTRY_COMPARE(titles(), (QStringList{"apples", "bread", "pears"}));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QCOMPARE(titles(), (QStringList{"apples", "bread", "pears"})); // it stays so
    click(QStringLiteral("Order and folders"));
    choose(QStringLiteral("Sort by last use"));
    QTRY_COMPARE(titles(), (QStringList{"bread", "apples", "pears"}));
}

/// A chat's title comes from pasted text as well. It stays as it is; the sentences around it are safe.
/// The fake answers the question for a title as any other: with its story.
void WindowChatsTest::theModelNamesANewChat() {
    start("words");
    app()->settings()->autoTitles = true;
    control_->allowAll();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("hello"));
    press(Qt::Key_Return);
    QTRY_VERIFY(titles().value(0).startsWith(QStringLiteral("Once upon a time")));
    QTRY_VERIFY(window()->title().startsWith(QStringLiteral("Once upon a time")));
    press(Qt::Key_K, Qt::ControlModifier); // a title of the user's own stays
    press(Qt::Key_F2);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("mine"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), QStringList{"mine"});
    talk(QStringLiteral("more"));
    QTRY_VERIFY(!app()->answers()->busy());
    QCOMPARE(titles(), QStringList{"mine"});
}

void WindowChatsTest::namesCanNotTurnSentences() {
    start();
    const QString title = QStringLiteral("look \u202Egpj.scr"),
                  inSentence = QStringLiteral("\u2068") + title + QChar(0x2069);
    makeChats({QStringLiteral("look")}); // the test can't press keys for such characters
    app()->chats()->rename(app()->conversation()->chatId(), title);
    QTRY_COMPARE(titles(), QStringList{title});
    QTRY_COMPARE(window()->title(), inSentence + QStringLiteral(" - Coterie"));
    clickRow(title, Qt::RightButton);
    choose(QStringLiteral("Delete"));
    QTRY_VERIFY(shows(QStringLiteral("Deleted \"%1\"").arg(inSentence).toUtf8().constData()));
}

void WindowChatsTest::severalChatsAreSelectedAndDeleted() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three"), QStringLiteral("four")});
    clickRow(QStringLiteral("four"));
    clickRow(QStringLiteral("two"), Qt::LeftButton, Qt::ShiftModifier);
    QTRY_COMPARE(app()->chats()->selectedCount(), 3);
    clickRow(QStringLiteral("three"), Qt::LeftButton, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->selectedCount(), 2);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("four")); // selecting opens nothing
    clickRow(QStringLiteral("two"), Qt::RightButton);
    choose(QStringLiteral("Delete 2 chats"));
    QTRY_COMPARE(titles(), (QStringList{"three", "one"}));
    use("Undo");
    QTRY_COMPARE(titles(), (QStringList{"four", "three", "two", "one"}));
    focusRow(QStringLiteral("four"));
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(app()->chats()->selectedCount(), 3);
    press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(app()->chats()->selectedCount(), 2);
    press(Qt::Key_Escape);
    QCOMPARE(app()->chats()->selectedCount(), 0);
}

void WindowChatsTest::g19HomeAndEndGoThroughTheList() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
    focusRow(QStringLiteral("two"));
    press(Qt::Key_End);
    QTRY_COMPARE(focusName(), QStringLiteral("one"));
    press(Qt::Key_Home);
    QTRY_COMPARE(focusName(), QStringLiteral("three"));
    press(Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(app()->chats()->selectedCount(), 3);
}

void WindowChatsTest::theMenuOpensByPointerAndKey() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    focusRow(QStringLiteral("one"));
    press(Qt::Key_Menu);
    choose(QStringLiteral("Rename"));
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("uno"));
    press(Qt::Key_Return);
    QTRY_COMPARE(titles(), (QStringList{"two", "uno"}));
    QTRY_COMPARE(focusName(), QStringLiteral("uno"));
    press(Qt::Key_F10, Qt::ShiftModifier);
    QTRY_VERIFY(item(QStringLiteral("Delete")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!item(QStringLiteral("Delete")));
    clickRow(QStringLiteral("uno"), Qt::RightButton);
    choose(QStringLiteral("Delete"));
    QTRY_COMPARE(titles(), QStringList{"two"});
}

void WindowChatsTest::aChatIsExportedByPointerAndKey() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    const qint64 chat = app()->chats()->index(1).data(ChatListModel::ChatIdRole).toLongLong();
    QSignalSpy files(app()->exchange(), &app::ChatExchange::fileWanted); // the window opens the system's dialog
    clickRow(QStringLiteral("one"), Qt::RightButton);
    choose(QStringLiteral("Export as Markdown\u2026"));
    QTRY_COMPARE(files.count(), 1);
    QCOMPARE(files[0][0].toLongLong(), chat);
    QCOMPARE(files[0][1].value<app::ChatExchange::Format>(), app::ChatExchange::Markdown);
    QTRY_VERIFY(shows("File name"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("File name"));
    focusRow(QStringLiteral("one"));
    press(Qt::Key_Menu);
    QTRY_VERIFY(item(QStringLiteral("Export as JSON\u2026")));
    QQuickItem* line = item(QStringLiteral("Export as JSON\u2026"));
    for (int i = 0; i < 10 && !line->property("highlighted").toBool(); ++i) press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(files.count(), 2);
    QCOMPARE(files[1][0].toLongLong(), chat);
    QCOMPARE(files[1][1].value<app::ChatExchange::Format>(), app::ChatExchange::Json);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("two")); // the chat in view stays
}

void WindowChatsTest::aSearchOpensTheHit() {
    start();
    makeChats({QStringLiteral("Apples and pears"), QStringLiteral("Bread")});
    const qint64 wanted = app()->chats()->index(1).data(ChatListModel::ChatIdRole).toLongLong();
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pears"));
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Down);
    press(Qt::Key_Down); // the second one is the message
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->chatId(), wanted);
    QVERIFY(app()->conversation()->placeMarked());
    QCOMPARE(app()->conversation()->placeRow(), 0);
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowChatsTest::aSearchOpensTheHitsBranch() {
    start();
    makeChats({QStringLiteral("Apples")});
    const qint64 chat = app()->conversation()->chatId();
    const qint64 prompt = app()->conversation()->messages()->rows()[0].id;
    {
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        QVERIFY(store.ok());
        QVERIFY((*store)->addVersion(prompt, app::textParts(QStringLiteral("Plums instead"))).ok());
    }
    app()->conversation()->openChat(chat);
    QCOMPARE(app()->conversation()->messages()->count(), 1); // the other version has no answer
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("lighthouse counted"));
    QTRY_COMPARE(app()->search()->count(), 1);
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(app()->conversation()->messages()->rows()[0].id, prompt);
    QCOMPARE(app()->conversation()->placeRow(), 1);
}

void WindowChatsTest::theWindowClosesWhileASearchHasWords() {
    start();
    makeChats({QStringLiteral("Apples"), QStringLiteral("Pears")});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("apples"));
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!window()->isVisible());
    fixture_.reset(); // rows that a hidden list left behind once crashed here
}

void WindowChatsTest::thePlaceIsKept() {
    start();
    for (int i = 0; i < 8; ++i) talk(QStringLiteral("Question %1").arg(i));
    const qint64 chat = app()->conversation()->chatId();
    QQuickItem* list = conversationList();
    QVERIFY(list);
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home);
    for (int i = 0; i < 3; ++i) press(Qt::Key_PageDown);
    const auto [row, pixels] = topOf(list);
    QVERIFY(row > 0 && !list->property("following").toBool());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 0);
    app()->conversation()->openChat(chat);
    QTRY_COMPARE(topOf(list).first, row);
    QVERIFY(qAbs(topOf(list).second - pixels) <= 2);
    QVERIFY(!list->property("following").toBool());
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_PageUp); // another place, and then a restart
    const auto second = topOf(list);
    QVERIFY(second.first < row || second.second < pixels);
    press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!window()->isVisible());
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    QTRY_VERIFY((list = conversationList()));
    QTRY_COMPARE(topOf(list).first, second.first);
    QVERIFY(qAbs(topOf(list).second - second.second) <= 2);
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_End);
    press(Qt::Key_N, Qt::ControlModifier);
    app()->conversation()->openChat(chat);
    QTRY_VERIFY(list->property("atEnd").toBool()); // the end is a place too
}

/// Home goes to the chat's first message, although only its latest ones were read when it was opened.
void WindowChatsTest::homeGoesToTheFirstMessage() {
    start();
    fixture_->stop();
    qint64 chat = 0;
    {
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        QVERIFY(store);
        for (int i = 0; i < 80; ++i) {
            const auto turn =
                store.value()->addTurn({.chat = chat,
                                        .title = QStringLiteral("Long"),
                                        .prompt = QStringLiteral("Question %1. ").arg(i).repeated(1 + i % 9 * 20),
                                        .model = {}});
            QVERIFY(turn);
            chat = turn->chat;
            app::MessageRow answer = turn->answer;
            answer.state = app::MessageState::Complete;
            answer.parts = app::textParts(QStringLiteral("Answer %1.\n\n").arg(i).repeated(1 + i % 7 * 6));
            QVERIFY(store.value()->finishAnswer(answer));
        }
    }
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    app()->conversation()->openChat(chat);
    QQuickItem* list = nullptr;
    QTRY_VERIFY((list = conversationList()) && app()->conversation()->messages()->count() > 0 && drawn());
    QVERIFY(app()->conversation()->moreBefore());
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home);
    QVERIFY(drawn() && drawn()); // nothing moves it away from there
    QVERIFY(!app()->conversation()->moreBefore());
    QCOMPARE(app()->conversation()->messages()->count(), 160);
    const auto atFirst = [&] { // a margin is above it
        QQuickItem* first = nullptr;
        QMetaObject::invokeMethod(list, "itemAtIndex", Q_RETURN_ARG(QQuickItem*, first), Q_ARG(int, 0));
        return first && list->property("contentY").toDouble() == first->y() - list->property("topMargin").toDouble();
    };
    QVERIFY(atFirst());
    press(Qt::Key_End);
    QTRY_VERIFY(list->property("atEnd").toBool());
    press(Qt::Key_Home); // all are read by now
    QVERIFY(drawn() && drawn());
    QVERIFY(atFirst());
}

void WindowChatsTest::draftsAreKept() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("half a thought"));
    clickRow(QStringLiteral("one"));
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("one"));
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QString());
    type(QStringLiteral("another"));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QTRY_VERIFY(item(QStringLiteral("Message")));
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("another"));
    clickRow(QStringLiteral("two"));
    QTRY_COMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("half a thought"));
}

void WindowChatsTest::anAnswerInTheBackgroundIsMarked() {
    start();
    QVERIFY(app()->conversation()->send(QStringLiteral("two")));
    QTRY_COMPARE(app()->conversation()->state(), Conversation::Reading);
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_N, Qt::ControlModifier);
    const auto description = [&] {
        QQuickItem* at = row(QStringLiteral("two"));
        QAccessibleInterface* node = at ? QAccessible::queryAccessibleInterface(at) : nullptr;
        return node ? node->text(QAccessible::Description) : QString();
    };
    QTRY_COMPARE(description(), QStringLiteral("An answer is being written"));
    control_->allowAll();
    QTRY_COMPARE(description(), QStringLiteral("New answer"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("The answer in \"two\" is complete"), QAccessible::AlertMessage));
    use("Show");
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QTRY_COMPARE(description(), QString());
    QVERIFY(!item(QStringLiteral("Show")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowChatsTest::aTemporaryChatIsMarkedAndGone() {
    start();
    makeChats({QStringLiteral("kept")});
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(item(QStringLiteral("Temporary chat")));
    QAccessibleInterface* strip = QAccessible::queryAccessibleInterface(item(QStringLiteral("Temporary chat")));
    QVERIFY(strip->text(QAccessible::Description).startsWith(QStringLiteral("Nothing of it is written to the disk")));
    QCOMPARE(focusName(), QStringLiteral("Message"));
    QVERIFY(!item(QStringLiteral("Temporary"))); // one mark is enough: the other one is for a strip without a place
    talk(QStringLiteral("secret"));
    QCOMPARE(titles(), QStringList{"kept"});                        // it is in no list
    QVERIFY(!window()->title().contains(QStringLiteral("secret"))); // the system lists windows
    clickRow(QStringLiteral("kept"));
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat")); // it asks
    QVERIFY(app()->conversation()->temporary());
    click(QStringLiteral("Stay here"));
    QTRY_VERIFY(!item(QStringLiteral("Delete it")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message")); // the button is gone
    QVERIFY(app()->conversation()->temporary());
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Delete it")));
    talk(QStringLiteral("more")); // who goes on writing stays
    QTRY_VERIFY(!item(QStringLiteral("Delete it")));
    clickRow(QStringLiteral("kept"));
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_N, Qt::ControlModifier); // the question is seen again
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    click(QStringLiteral("Stay here"));
    clickRow(QStringLiteral("kept"));
    click(QStringLiteral("Delete it"));
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("kept"));
    QTRY_VERIFY(!item(QStringLiteral("Temporary chat")) && !item(QStringLiteral("Temporary")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(titles(), QStringList{"kept"});
}

void WindowChatsTest::aTemporaryChatIsKept() {
    start();
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    talk(QStringLiteral("worth it"));
    click(QStringLiteral("Keep this chat"));
    QTRY_COMPARE(titles(), QStringList{"worth it"});
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("worth it"));
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    QVERIFY(!item(QStringLiteral("Temporary chat")));
}

void WindowChatsTest::theWindowAsksBeforeATemporaryChatIsLost() {
    start();
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    talk(QStringLiteral("secret"));
    press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Keep this chat"));
    QVERIFY(window()->isVisible());
    click(QStringLiteral("Delete it"));
    QTRY_VERIFY(!window()->isVisible()); // it closes as it was asked to
}

void WindowChatsTest::n25ANewChatIsInView() {
    start();
    makeChats({QStringLiteral("one")});
    for (int i = 0; i < 40; ++i) QVERIFY(app()->chats()->duplicate(app()->conversation()->chatId()));
    QQuickItem* const list = item(QStringLiteral("Chats"));
    QVERIFY(list);
    QVERIFY(drawn());
    QMetaObject::invokeMethod(list, "positionViewAtEnd");
    const double scrolled = list->property("contentY").toDouble();
    QVERIFY(scrolled > list->height());
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("fresh"));
    const auto inView = [&] {
        const QQuickItem* const fresh = row(QStringLiteral("fresh"));
        return fresh && QRectF(0, 0, list->width(), list->height())
                            .contains(fresh->mapRectToItem(list, QRectF(0, 0, 1, fresh->height())));
    };
    QTRY_VERIFY(inView());
}

void WindowChatsTest::n25PageUpScrollsFromTheField() {
    start();
    makeChats({QStringLiteral("one")});
    for (int i = 0; i < 3; ++i) talk(QStringLiteral("more"));
    QQuickItem* const list = conversationList();
    const auto top = [&] { return list->property("contentY").toDouble(); };
    // The figures below an answer can appear after it has ended: the end is asked for each time.
    const auto end = [&] { return list->property("endY").toDouble(); };
    QTRY_VERIFY(list->property("atEnd").toBool());
    QVERIFY(drawn());
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("short")); // a text that is in view has no pages of its own
    press(Qt::Key_PageUp);
    QVERIFY(top() < end());
    press(Qt::Key_PageDown);
    QTRY_COMPARE(top(), end());
    type(QStringLiteral("er"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("shorter")); // the focus is still in the field
    for (int i = 0; i < 60; ++i) press(Qt::Key_Return, Qt::ShiftModifier);
    press(Qt::Key_PageUp); // this one scrolls the text, or nothing
    QCOMPARE(top(), end());
}

void WindowChatsTest::n25ADraftGoesOnAtItsEnd() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("two")});
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("half a thought"));
    clickRow(QStringLiteral("one"));
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("one"));
    clickRow(QStringLiteral("two"));
    QTRY_COMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("half a thought"));
    type(QStringLiteral(" more"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("half a thought more"));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QTRY_VERIFY(item(QStringLiteral("Message")));
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("!"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("half a thought more!"));
}

/// Every heading in view names the day of the row below it, also after a search and a scroll, when it is used again.
void WindowChatsTest::n9HeadingsStandOverTheirDays() {
    constexpr int kInSection = 25; // more than are in view: headings go out of view, and are used again
    constexpr int kStep = 5;
    const QList<int> days{0, -1, -3, -10};
    const int chatCount = kInSection * static_cast<int>(days.size());
    start();
    const QString file = QDir(fixture_->dataFolder()).filePath(QStringLiteral("chats.db"));
    fixture_->stop();
    {
        SQLite::Database chats(file.toStdString(), SQLite::OPEN_READWRITE);
        SQLite::Statement add(chats, "INSERT INTO chats(id, title, created_at, updated_at) VALUES (?1, ?2, 1, ?3)");
        const QDateTime now = QDateTime::currentDateTime();
        for (int id = 1; id <= chatCount; ++id) {
            add.bind(1, id);
            add.bind(2, "Chat " + std::to_string(id));
            add.bind(3, static_cast<int64_t>(now.addDays(days[(id - 1) / kInSection]).toMSecsSinceEpoch() - id));
            add.exec();
            add.reset();
        }
    }
    QVERIFY(fixture_->start(model_));
    QTRY_COMPARE(app()->chats()->count(), chatCount);
    QQuickItem* list = nullptr;
    const auto headingsAreTrue = [&] {
        int seen = 0;
        const QMap<QString, QString> titles{
            {"today", "Today"}, {"week", "This week"}, {"older", "Older"}, {"yesterday", "Yesterday"}};
        const QList<QQuickItem*> items = list->property("contentItem").value<QQuickItem*>()->childItems();
        for (const QQuickItem* heading : items) {
            if (!QByteArray(heading->metaObject()->className()).startsWith("ChatSection") || !heading->isVisible())
                continue;
            for (QQuickItem* below : items) {
                const bool follows = qAbs(below->y() - heading->y() - heading->height()) < 1;
                if (!follows || !QByteArray(below->metaObject()->className()).startsWith("ChatRow")) continue;
                const int at = below->property("index").toInt();
                const QString day = app()->chats()->index(at).data(ChatListModel::SectionRole).toString();
                if (heading->property("text").toString() != titles.value(day)) return false;
                ++seen;
            }
        }
        return seen > 0;
    };
    const auto look = [&] {
        QTRY_VERIFY((list = item(QStringLiteral("Chats"))));
        QList<int> rows; // in steps within the view: after a jump, it is chance which heading is used again
        for (int row = 0; row < chatCount; row += kStep) rows.append(row);
        for (int row = chatCount - kStep; row >= 0; row -= kStep) rows.append(row);
        for (const int row : std::as_const(rows)) {
            QMetaObject::invokeMethod(list, "positionViewAtIndex", Q_ARG(int, row), Q_ARG(int, 0)); // as the first one
            QVERIFY(drawn());
            QTRY_VERIFY2(headingsAreTrue(), qPrintable(QString::number(row)));
        }
    };
    look();
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("zebra"));
    QTRY_VERIFY(shows("No chat contains these words.")); // the list of chats has no rows now
    press(Qt::Key_Escape);
    look();
}

void WindowChatsTest::n10TheListBeginsAtTheOpenChat() {
    start();
    makeChats({QStringLiteral("one"), QStringLiteral("pears"), QStringLiteral("three"), QStringLiteral("four")});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pears"));
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Return); // the first hit
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("pears"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    press(Qt::Key_Escape);
    QTRY_VERIFY(row(QStringLiteral("four")));
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("pears"));
    // The same if the chat is in a folded folder.
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->moveToFolder(app()->conversation()->chatId(), folder);
    app()->chats()->setFolded(folder, true);
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "four", "three", "one"}));
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("pears"));
    press(Qt::Key_Delete);
    QTRY_COMPARE(titles(), (QStringList{"New folder", "four", "three", "one"}));
}

int main(int argc, char** argv) { return runWindowTest<WindowChatsTest>(argc, argv); }

#include "tst_window_chats.moc"
