// SPDX-License-Identifier: Apache-2.0
// Which row of the list of chats, or which hit of a search, has the focus after chats were deleted, came back or were
// renamed.
#include "window_driver.h"

#include <QPointer>

using namespace coterie;
using namespace coterie::tests;

class WindowListFocusTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void theNeighbourOfDeletedChatsHasTheFocus_data();
    void theNeighbourOfDeletedChatsHasTheFocus();
    void aFolderThatComesBackHasTheFocus();
    void aHitThatComesBackHasTheFocus();
    void aHitThatIsRenamedKeepsTheFocus();
    void aHitThatIsBeingRenamedStays();
    void severalHitsAreDeletedTogether();
    void shiftAndAClickSelectHitsUpToIt();
    void aSelectedHitHasItsWordsMarked();
    void aHitThatLeavesDoesNothing();
    void enterInTheSearchOpensTheFirstHit();
    void otherWordsBeginAtTheFirstHit();
    void enterWaitsForTheHitsOfItsWords();
    void aClickElsewhereKeepsTheTitleAndTheFocus();
    void theRowWithTheFocusIsInView();
    void commandsReachAChatInAFoldedFolder();

  private:
    void makeChats(const QStringList& prompts) {
        for (const QString& prompt : prompts) {
            press(Qt::Key_N, Qt::ControlModifier);
            talk(prompt);
        }
        QTRY_COMPARE(app()->chats()->count(), static_cast<int>(prompts.size()));
    }
    /// Goes to the row with the keys of the list.
    void focusRow(const QString& title) {
        press(Qt::Key_K, Qt::ControlModifier);
        press(Qt::Key_Home);
        for (int i = 0; i < 20 && focusName() != title; ++i) press(Qt::Key_Down);
        QCOMPARE(focusName(), title);
    }
    QString focusName() const {
        QAccessible::setActive(true);
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    }
};

void WindowListFocusTest::theNeighbourOfDeletedChatsHasTheFocus_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("beside");
    QTest::addColumn<QString>("restored");
    const auto row = [](const char* name, const char* from, int key, int count, const char* beside,
                        const char* restored) {
        QTest::newRow(name) << QString::fromLatin1(from) << key << count << QString::fromLatin1(beside)
                            << QString::fromLatin1(restored);
    };
    row("one", "five", Qt::Key_Down, 1, "four", "five");
    row("downwards", "five", Qt::Key_Down, 3, "two", "five");
    row("upwards", "three", Qt::Key_Up, 3, "two", "five");
    row("the last ones", "two", Qt::Key_Down, 2, "three", "two");
}

/// The list is "six" to "one". Undo gives the focus to the first one that came back.
void WindowListFocusTest::theNeighbourOfDeletedChatsHasTheFocus() {
    QFETCH(const QString, from);
    QFETCH(const int, key);
    QFETCH(const int, count);
    QFETCH(const QString, beside);
    QFETCH(const QString, restored);
    start("words");
    makeChats({"one", "two", "three", "four", "five", "six"});
    focusRow(from);
    for (int i = 1; i < count; ++i) press(key, Qt::ShiftModifier);
    press(Qt::Key_Delete);
    QTRY_COMPARE(app()->chats()->count(), 6 - count);
    QTRY_COMPARE(focusName(), beside);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->count(), 6);
    QTRY_COMPARE(focusName(), restored);
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(app()->chats()->count(), 6 - count);
    QTRY_COMPARE(focusName(), beside);
}

void WindowListFocusTest::aFolderThatComesBackHasTheFocus() {
    start("words");
    makeChats({"one", "two"});
    app()->chats()->createFolder();
    focusRow(QStringLiteral("New folder"));
    press(Qt::Key_Delete);
    QTRY_COMPARE(focusName(), QStringLiteral("two"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("New folder"));
}

/// It is the last one: its chat has a hit before it, in the title.
void WindowListFocusTest::aHitThatComesBackHasTheFocus() {
    start("words");
    makeChats({"Pear one", "Pear two", "Pear three"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 6);
    for (int i = 0; i < 6; ++i) press(Qt::Key_Down);
    QVERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("Pear one"));
    const auto place = [this] { return middleOf(window()->activeFocusItem()); };
    const QPoint before = place();
    press(Qt::Key_Delete);
    QTRY_COMPARE(app()->search()->count(), 4);
    QVERIFY(focusName() != QStringLiteral("Pear one"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->search()->count(), 6);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear one"));
    QTRY_COMPARE(place(), before);
}

/// A title that was found is no hit any more: another chat's hit came to its place, and to the focus.
void WindowListFocusTest::aHitThatIsRenamedKeepsTheFocus() {
    start("words");
    makeChats({"Pear one", "Pear two", "Pear three"});
    const auto rename = [this](const QString& title) {
        press(Qt::Key_F2);
        QTRY_COMPARE(focusName(), QStringLiteral("New title"));
        type(title);
        press(Qt::Key_Return);
    };
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 6);
    for (int i = 0; i < 5; ++i) press(Qt::Key_Down); // three titles, then the messages, the newest first
    QTRY_COMPARE(focusName(), QStringLiteral("Pear two"));
    rename(QStringLiteral("Apple"));
    QTRY_COMPARE(app()->search()->count(), 5);
    QTRY_COMPARE(focusName(), QStringLiteral("Apple"));
    QCOMPARE(app()->search()->words(), QStringLiteral("pear"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->search()->count(), 6);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear two"));
    rename(QStringLiteral("Apple"));
    QTRY_COMPARE(app()->search()->count(), 5);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("apple"));
    QTRY_COMPARE(app()->search()->count(), 1);
    press(Qt::Key_Down);
    rename(QStringLiteral("Plum")); // no hit is left
    QTRY_COMPARE(app()->search()->count(), 0);
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    QCOMPARE(app()->search()->words(), QStringLiteral("apple"));
}

/// An answer that ended has all chats searched again: the row was replaced, and its title half typed.
void WindowListFocusTest::aHitThatIsBeingRenamedStays() {
    start("words");
    makeChats({"Pear one", "Pear two"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 4);
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear two"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("Qui"));
    app()->search()->refresh();
    for (int i = 0; i < 5; ++i) QVERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("nce"));
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->search()->count(), 3);
    QTRY_COMPARE(focusName(), QStringLiteral("Quince"));
}

/// Ctrl+click and Ctrl+Space opened the hit. The hits are three titles, then three messages, the newest first.
void WindowListFocusTest::severalHitsAreDeletedTogether() {
    start("words");
    makeChats({"Pear one", "Pear two", "Pear three", "Apple"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 6);
    QTRY_VERIFY(!app()->search()->searching()); // the last letter's hits replace those before
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear three"));
    press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(app()->chats()->selectedCount(), 1);
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear two"));
    QVERIFY(drawn());
    const auto ctrlClick = [this] {
        QTest::mouseClick(window(), Qt::LeftButton, Qt::ControlModifier, middleOf(window()->activeFocusItem()));
    };
    ctrlClick();
    QTRY_COMPARE(app()->chats()->selectedCount(), 2);
    ctrlClick(); // no longer
    QTRY_COMPARE(app()->chats()->selectedCount(), 1);
    press(Qt::Key_Escape); // ends the selection, not the search
    QCOMPARE(app()->chats()->selectedCount(), 0);
    QCOMPARE(app()->search()->count(), 6);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Apple")); // nothing was opened
    press(Qt::Key_Space, Qt::ControlModifier);
    press(Qt::Key_Up);
    press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(app()->chats()->selectedCount(), 2);
    press(Qt::Key_Delete);
    QTRY_COMPARE(app()->chats()->count(), 2);
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->count(), 4);
    QTRY_COMPARE(app()->search()->count(), 6);
    QTRY_VERIFY(focusName().startsWith(QStringLiteral("Pear")));
    press(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(app()->chats()->selectedCount(), 1);
    const QPoint at = middleOf(window()->activeFocusItem());
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("apple")); // a chat that is no hit any more is not selected, either
    QCOMPARE(app()->chats()->selectedCount(), 0);
    QTRY_COMPARE(app()->search()->count(), 2);
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ControlModifier, at);
    QTRY_COMPARE(app()->chats()->selectedCount(), 1);
    press(Qt::Key_Delete); // it is for what is selected, not for the field, which had the focus
    QTRY_COMPARE(app()->chats()->count(), 3);
}

/// The click opened the hit. The hits are three titles, then three messages.
void WindowListFocusTest::shiftAndAClickSelectHitsUpToIt() {
    start("words");
    makeChats({"Pear one", "Pear two", "Pear three", "Apple"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 6);
    QTRY_VERIFY(!app()->search()->searching());
    QList<QPoint> places;
    for (int i = 0; i < 3; ++i) {
        press(Qt::Key_Down);
        QVERIFY(drawn());
        places.append(middleOf(window()->activeFocusItem()));
    }
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear three"));
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, places[2]);
    QTRY_COMPARE(app()->chats()->selectedCount(), 3);
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, places[1]); // it still began at the first one
    QTRY_COMPARE(app()->chats()->selectedCount(), 2);
    QCOMPARE(focusName(), QStringLiteral("Pear two"));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Apple")); // nothing was opened
    press(Qt::Key_Delete);
    QTRY_COMPARE(app()->chats()->count(), 2);
}

/// The ground of the words was that of the selected row.
void WindowListFocusTest::aSelectedHitHasItsWordsMarked() {
    start("words");
    makeChats({"Pear"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 2);
    press(Qt::Key_Down);
    press(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->selectedCount(), 1);
    QQuickItem* const row = window()->activeFocusItem();
    const QQuickItem* const title = findItem(
        row, [](const QQuickItem* at) { return at->isVisible() && at->inherits("coterie::app::MarkedTextItem"); });
    QVERIFY(title);
    const auto ground = [row] { return row->property("background").value<QQuickItem*>()->property("color"); };
    const QVariant selected = ground();
    QVERIFY(title->property("markGround").value<QColor>() != selected.value<QColor>());
    press(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(ground() != selected);
    QCOMPARE(title->property("markGround").value<QColor>(), selected.value<QColor>()); // as in any other row
}

/// Its row is still there for a moment, but has no chat any more.
void WindowListFocusTest::aHitThatLeavesDoesNothing() {
    start("words");
    makeChats({"Pear", "Apple"});
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pear"));
    QTRY_COMPARE(app()->search()->count(), 2);
    QTRY_VERIFY(!app()->search()->searching());
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear"));
    const QPointer<QQuickItem> row = window()->activeFocusItem();
    int asked = 0;
    const QObject here;
    connect(app()->search(), &QAbstractItemModel::rowsRemoved, &here, [&] {
        for (const char* const name : {"openWanted", "toggleWanted", "removeWanted"})
            if (row && QMetaObject::invokeMethod(row.data(), name)) ++asked;
        if (row && QMetaObject::invokeMethod(row.data(), "startRenaming")) ++asked;
    });
    app()->search()->forget(app()->search()->index(0).data(app::ChatSearchModel::ChatIdRole).toLongLong());
    QVERIFY(asked >= 4);
    QVERIFY(drawn());
    QCOMPARE(app()->chats()->count(), 2);
    QCOMPARE(app()->chats()->selectedCount(), 0);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Apple"));
}

void WindowListFocusTest::enterInTheSearchOpensTheFirstHit() {
    start("words");
    makeChats({"Pear", "Bread"});
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        press(Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(app()->conversation()->chatId() == 0);
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(QStringLiteral("pear"));
        QTRY_COMPARE(app()->search()->count(), 2);
        press(key);
        QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Pear"));
    }
}

/// The same words lead back to the hit that had the focus.
void WindowListFocusTest::otherWordsBeginAtTheFirstHit() {
    start("words");
    makeChats({"Pear one", "Pear two", "Plum one", "Plum two"});
    const auto search = [this](const char* words) {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(QString::fromLatin1(words));
        QTRY_COMPARE(app()->search()->words(), QString::fromLatin1(words));
        QTRY_VERIFY(!app()->search()->searching());
        QCOMPARE(app()->search()->count(), 4);
        QVERIFY(drawn());
    };
    const auto row = [this] {
        return namedItem(window(), QStringLiteral("Hits"), QAccessible::List)->property("currentIndex").toInt();
    };
    search("pear");
    for (int i = 0; i < 3; ++i) press(Qt::Key_Down);
    QCOMPARE(row(), 2);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    press(Qt::Key_Down);
    QCOMPARE(row(), 2);
    search("plum");
    press(Qt::Key_Down);
    QCOMPARE(row(), 0);
}

/// The hits were still those of the letters before.
void WindowListFocusTest::enterWaitsForTheHitsOfItsWords() {
    start("words");
    makeChats({"Pear", "Peach"});
    press(Qt::Key_N, Qt::ControlModifier);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("pea"));
    QTRY_COMPARE(app()->search()->count(), 4);
    QTRY_VERIFY(!app()->search()->searching());
    type(QStringLiteral("r"));
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->search()->count(), 2);
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Pear"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier); // Esc takes it back
    type(QStringLiteral("peach"));
    press(Qt::Key_Return);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->search()->searching());
    QVERIFY(drawn());
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Pear"));
}

/// The row took the focus back, and the next key, such as Del, was about its chat.
void WindowListFocusTest::aClickElsewhereKeepsTheTitleAndTheFocus() {
    start("words");
    makeChats({"Pear", "Apple"});
    const auto renameAndGo = [this](const QString& title) {
        press(Qt::Key_F2);
        QTRY_COMPARE(focusName(), QStringLiteral("New title"));
        type(title);
        click(QStringLiteral("Message"), QAccessible::EditableText);
        QVERIFY(drawn());
        QCOMPARE(focusName(), QStringLiteral("Message"));
    };
    focusRow(QStringLiteral("Pear"));
    renameAndGo(QStringLiteral("Plum"));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the chat"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("plum"));
    QTRY_COMPARE(app()->search()->count(), 1);
    QTRY_VERIFY(!app()->search()->searching());
    press(Qt::Key_Down);
    QTRY_COMPARE(focusName(), QStringLiteral("Plum"));
    renameAndGo(QStringLiteral("Quince"));
    QTRY_COMPARE(app()->search()->count(), 0);
    QVERIFY(drawn());
    QCOMPARE(focusName(), QStringLiteral("Message"));
}

/// The next key, such as Del, is about this row. A new chat has none of its own.
void WindowListFocusTest::theRowWithTheFocusIsInView() {
    start();
    window()->resize(1000, 440);
    QStringList prompts;
    for (int i = 0; i < 14; ++i) prompts.append(QStringLiteral("Chat %1").arg(i));
    makeChats(prompts);
    press(Qt::Key_N, Qt::ControlModifier);
    QQuickItem* const list = namedItem(window(), QStringLiteral("Chats"), QAccessible::List);
    QVERIFY(list);
    for (const double end : {0.0, 1.0}) {
        press(Qt::Key_L, Qt::ControlModifier);
        list->setProperty("contentY", end * (list->property("contentHeight").toDouble() - list->height()));
        QVERIFY(drawn());
        press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(drawn());
        QVERIFY(focusName().startsWith(QStringLiteral("Chat")));
        const QQuickItem* const row = window()->activeFocusItem();
        QVERIFY(list->mapRectToScene(QRectF(0, 0, list->width(), list->height()))
                    .contains(row->mapRectToScene(QRectF(0, 0, row->width(), row->height())).center()));
    }
}

/// They did nothing there.
void WindowListFocusTest::commandsReachAChatInAFoldedFolder() {
    start("words");
    makeChats({"Pear", "Apple"});
    app::ChatListModel& chats = *app()->chats();
    const qint64 pear = chats.index(1).data(app::ChatListModel::ChatIdRole).toLongLong(), folder = chats.createFolder();
    chats.moveToFolder(pear, folder);
    app()->panes()->open(pear);
    chats.setFolded(folder, true);
    QCOMPARE(chats.rowOf(pear), -1);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Pear (copy)")); // the next key, such as F2 or Del, is about it
    press(Qt::Key_L, Qt::ControlModifier);
    chats.setFolded(folder, true);
    press(Qt::Key_P, Qt::ControlModifier);
    QVERIFY(chats.isPinned(pear));
}

int main(int argc, char** argv) { return runWindowTest<WindowListFocusTest>(argc, argv); }

#include "tst_window_list_focus.moc"
