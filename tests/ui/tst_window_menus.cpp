// SPDX-License-Identifier: Apache-2.0
// A menu leaves in view what it was opened from, so that a second click there does not choose a line.
#include "text/message_text.h"
#include "window_driver.h"

#include <QClipboard>
#include <QScopeGuard>
#include <QStyleHints>

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

class WindowMenusTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void aMenuLeavesItsButtonInView_data();
    void aMenuLeavesItsButtonInView();
    void aMenuOfARowLeavesTheRowInView_data();
    void aMenuOfARowLeavesTheRowInView();
    void aMenuOpensBesideThePointer_data();
    void aMenuOpensBesideThePointer();
    void aMenuOfAMessageOpensBesideThePointer_data();
    void aMenuOfAMessageOpensBesideThePointer();
    void theSelectedTextIsCopied_data();
    void theSelectedTextIsCopied();
    void theKeyOpensTheMenuOfSeveralMessages_data();
    void theKeyOpensTheMenuOfSeveralMessages();
    void aMenuByKeyOpensBesideTheRow();
    void aHitHasTheMenuOfItsChat_data();
    void aHitHasTheMenuOfItsChat();
    void theMenuOfAHitDeletesItsChat();
    void theKeyLeavesTheFirstLineInView_data();
    void theKeyLeavesTheFirstLineInView();
    void theKeyLeavesTheSelectedTextInView_data();
    void theKeyLeavesTheSelectedTextInView();
    void theMenuOfAnAnswerFitsALowWindow();
    void theLinesOfAChoiceBeginAlike();
    void aPointerThatRestsChoosesNoLine();
    void k15APointerThatRestsMarksNoCommand();
    void keysLeadToBothEndsOfAMenu();

  private:
    /// The keys that open a menu.
    static void addKeys() {
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("menu key") << int(Qt::Key_Menu) << Qt::KeyboardModifiers(Qt::NoModifier);
        QTest::newRow("Shift+F10") << int(Qt::Key_F10) << Qt::KeyboardModifiers(Qt::ShiftModifier);
    }
    /// The text of a message, which is in view.
    app::MessageText* textOf(int row) const {
        const QVariant document = app()->conversation()->messages()->index(row).data(app::MessageModel::DocumentRole);
        QQuickItem* const found = findItem(window()->contentItem(), [&](QQuickItem* item) {
            const auto* const shown = qobject_cast<app::MessageText*>(item);
            return shown && shown->document() == document.value<app::TextDocument*>();
        });
        return qobject_cast<app::MessageText*>(found);
    }
    QQuickItem* menu() const {
        return findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickPopupItem") &&
                   QAccessible::queryAccessibleInterface(const_cast<QQuickItem*>(at))->role() == QAccessible::PopupMenu;
        });
    }
    static QRectF placeOf(const QQuickItem* of) { return of->mapRectToScene(QRectF(0, 0, of->width(), of->height())); }
    /// Waits until the menu is open and keeps its place.
    void waitForMenu() {
        QPoint place;
        QTRY_VERIFY(keepsPlace([this] { return menu(); }, place));
    }
    /// Selects from the first message on to this point of the window.
    void selectTo(const QPoint& to) {
        const QPoint from = textOf(0)->mapToScene(QPointF(1, 8)).toPoint();
        QTest::mousePress(window(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 10; ++step) QTest::mouseMove(window(), from + (to - from) * step / 10);
        QTest::mouseRelease(window(), Qt::LeftButton, {}, to);
    }
    /// Makes chats "1" and so on.
    void makeChats(int chats) {
        for (int i = 1; i <= chats; ++i) {
            press(Qt::Key_N, Qt::ControlModifier);
            talk(QString::number(i));
        }
        drawn();
    }
    /// Makes chats "Pear" and "Bread", and goes to the second hit for the first one, which is its message.
    void goToAHit() {
        start("words");
        window()->resize(1200, 800);
        for (const char* prompt : {"Pear", "Bread"}) {
            press(Qt::Key_N, Qt::ControlModifier);
            talk(QString::fromLatin1(prompt));
        }
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(QStringLiteral("pear"));
        QTRY_COMPARE(app()->search()->count(), 2);
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        QVERIFY(drawn() && drawn());
    }
    /// The rows of these chats that are whole in view.
    QList<QQuickItem*> rowsInView(int chats) const {
        const QQuickItem* const list = namedItem(window(), QStringLiteral("Chats"), QAccessible::List);
        QList<QQuickItem*> rows;
        for (int i = 1; list && i <= chats; ++i) {
            QQuickItem* const row = namedItem(window(), QString::number(i), QAccessible::ListItem);
            if (row && placeOf(list).contains(placeOf(row))) rows.append(row);
        }
        return rows;
    }
    /// Makes such chats and returns the lowest row that is whole in view.
    QQuickItem* lowestRow(int chats) {
        makeChats(chats);
        QQuickItem* lowest = nullptr;
        for (QQuickItem* const row : rowsInView(chats))
            if (!lowest || placeOf(row).top() > placeOf(lowest).top()) lowest = row;
        return lowest;
    }
};

void WindowMenusTest::aMenuLeavesItsButtonInView_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<QString>("button");
    QTest::addColumn<int>("height");
    for (const int height : {480, 640, 800, 1000}) {
        for (const char* button : {"Order and folders", "More actions", "Model: Scripted"})
            QTest::addRow("%s at %d", button, height) << int(Pages::Chat) << QString::fromLatin1(button) << height;
        QTest::addRow("presets at %d", height)
            << int(Pages::ChatSettings) << QStringLiteral("Preset: No preset") << height;
    }
}

void WindowMenusTest::aMenuLeavesItsButtonInView() {
    QFETCH(const int, page);
    QFETCH(const QString, button);
    QFETCH(const int, height);
    start("words");
    window()->resize(1200, height);
    talk(QStringLiteral("Hello"));
    app()->pages()->open(static_cast<Pages::Page>(page));
    const auto lowest = [&] { // a question has such a button as its answer has
        QQuickItem* found = nullptr;
        for (QAccessibleInterface* node : accessibleNodes(window())) {
            auto* const at = qobject_cast<QQuickItem*>(node->object());
            if (node->text(QAccessible::Name) == button && at && (!found || middleOf(at).y() > middleOf(found).y()))
                found = at;
        }
        return found;
    };
    clickFound(lowest, qPrintable(button));
    waitForMenu();
    QVERIFY(menu());
    QVERIFY(!placeOf(menu()).intersects(placeOf(lowest())));
    const QRectF inside(0, 0, window()->width(), window()->height());
    QVERIFY(inside.contains(placeOf(menu())));
    if (placeOf(lowest()).bottom() + menu()->height() + 12 < height) // the gap and the margin
        QVERIFY(placeOf(menu()).top() >= placeOf(lowest()).bottom());
}

void WindowMenusTest::aMenuOfARowLeavesTheRowInView_data() {
    QTest::addColumn<bool>("toMove");
    QTest::newRow("its menu") << false;
    QTest::newRow("folders") << true;
}

void WindowMenusTest::aMenuOfARowLeavesTheRowInView() {
    QFETCH(const bool, toMove);
    start("words");
    window()->resize(1200, 640);
    QQuickItem* const row = lowestRow(12);
    QVERIFY(row && placeOf(row).bottom() > 400);
    row->forceActiveFocus(Qt::TabFocusReason);
    if (toMove)
        press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    else
        press(Qt::Key_Menu);
    waitForMenu();
    QVERIFY(menu());
    QVERIFY(!placeOf(menu()).intersects(placeOf(row)));
}

void WindowMenusTest::aMenuOpensBesideThePointer_data() {
    QTest::addColumn<bool>("byButton");
    QTest::newRow("right button") << false;
    QTest::newRow("button of the row") << true;
}

void WindowMenusTest::aMenuOpensBesideThePointer() {
    QFETCH(const bool, byButton);
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->useHoverEffects()] { hints->setUseHoverEffects(was); });
    hints->setUseHoverEffects(true); // as on a desktop: a row shows its button under the pointer
    start("words");
    window()->resize(1200, 640);
    QQuickItem* const row = lowestRow(12);
    QVERIFY(row);
    QPoint at = middleOf(row);
    QTest::mouseMove(window(), at - QPoint(1, 1));
    QTest::mouseMove(window(), at);
    if (byButton) {
        QTRY_VERIFY(item(QStringLiteral("More")));
        at = middleOf(item(QStringLiteral("More")));
    }
    QTest::mouseClick(window(), byButton ? Qt::LeftButton : Qt::RightButton, {}, at);
    waitForMenu();
    QVERIFY(menu());
    QVERIFY(!placeOf(menu()).contains(at));
}

void WindowMenusTest::aMenuOfAMessageOpensBesideThePointer_data() {
    QTest::addColumn<int>("row");
    QTest::newRow("a prompt") << 0;
    QTest::newRow("an answer") << 1;
}

void WindowMenusTest::aMenuOfAMessageOpensBesideThePointer() {
    QFETCH(int, row);
    start("words");
    talk(QStringLiteral("Hello"));
    const app::MessageText* const text = textOf(row);
    QVERIFY(text);
    const QPoint at = text->mapToScene(QPointF(8, 8)).toPoint();
    QTest::mouseDClick(window(), Qt::LeftButton, {}, at);
    const QString word = text->selectedText();
    QVERIFY(!word.isEmpty());
    QTest::mouseClick(window(), Qt::RightButton, {}, at);
    waitForMenu();
    QVERIFY(menu());
    QVERIFY(!placeOf(menu()).contains(at));
    QCOMPARE(text->selectedText(), word);
}

void WindowMenusTest::theSelectedTextIsCopied_data() {
    QTest::addColumn<bool>("across");
    QTest::newRow("of one message") << false;
    QTest::newRow("across two messages") << true;
}

void WindowMenusTest::theSelectedTextIsCopied() {
    QFETCH(const bool, across);
    start("words");
    talk(QStringLiteral("Hello again"));
    const app::MessageText* const text = textOf(1);
    QVERIFY(text && textOf(0));
    const QPoint at = text->mapToScene(QPointF(8, 8)).toPoint();
    QTest::mouseClick(window(), Qt::RightButton, {}, at);
    waitForMenu();
    QVERIFY(menu() && !item(QStringLiteral("Copy the selected text"))); // nothing is selected
    press(Qt::Key_Escape);
    QTRY_VERIFY(!menu());
    if (across)
        selectTo(at);
    else
        QTest::mouseDClick(window(), Qt::LeftButton, {}, at);
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    QTest::mouseClick(window(), Qt::RightButton, {}, at);
    click(QStringLiteral("Copy the selected text"));
    QTRY_VERIFY(QGuiApplication::clipboard()->text() != QStringLiteral("before"));
    const QString copied = QGuiApplication::clipboard()->text();
    QCOMPARE(copied.startsWith(QStringLiteral("Hello again\n\n")), across);
    if (!across) QCOMPARE(copied, text->selectedText());
}

void WindowMenusTest::theKeyOpensTheMenuOfSeveralMessages_data() { addKeys(); }

/// The selection over both messages has the focus, and neither of them has.
void WindowMenusTest::theKeyOpensTheMenuOfSeveralMessages() {
    QFETCH(const int, key);
    QFETCH(const Qt::KeyboardModifiers, modifiers);
    start("words");
    talk(QStringLiteral("Hello again"));
    QVERIFY(textOf(0) && textOf(1));
    selectTo(textOf(1)->mapToScene(QPointF(40, 8)).toPoint());
    const QString end = textOf(1)->selectedText();
    QVERIFY(!end.isEmpty());
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    press(key, modifiers);
    waitForMenu();
    QVERIFY(menu());
    for (const QRectF& line : textOf(1)->layout().rectangles(textOf(1)->selectedRange()))
        QVERIFY(!placeOf(menu()).intersects(textOf(1)->mapRectToScene(line)));
    click(QStringLiteral("Copy the selected text"));
    QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Hello again\n\n") + end);
}

void WindowMenusTest::theKeyLeavesTheFirstLineInView_data() { addKeys(); }

void WindowMenusTest::theKeyLeavesTheFirstLineInView() {
    QFETCH(const int, key);
    QFETCH(const Qt::KeyboardModifiers, modifiers);
    start("words");
    talk(QStringLiteral("Hello"));
    app::MessageText* const text = textOf(1);
    QVERIFY(text);
    text->forceActiveFocus(Qt::TabFocusReason);
    press(key, modifiers);
    waitForMenu();
    QVERIFY(menu());
    const QRectF line(text->mapToScene({0, 0}), QSizeF(text->width(), 16));
    QVERIFY(!placeOf(menu()).intersects(line));
}

/// A low window has no room for the menu above the row or below it.
void WindowMenusTest::aMenuByKeyOpensBesideTheRow() {
    start("words");
    window()->resize(640, 440);
    makeChats(8);
    press(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(drawn() && drawn());
    const QList<QQuickItem*> rows = rowsInView(8);
    QVERIFY(rows.size() > 2);
    for (QQuickItem* const row : rows) {
        row->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Menu);
        waitForMenu();
        QVERIFY(menu());
        QVERIFY(!placeOf(menu()).intersects(placeOf(row)));
        QVERIFY(QRectF(0, 0, window()->width(), window()->height()).contains(placeOf(menu())));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!menu());
    }
}

void WindowMenusTest::theKeyLeavesTheSelectedTextInView_data() {
    QTest::addColumn<int>("height");
    QTest::newRow("with room below") << 1000;
    QTest::newRow("without") << 640;
}

void WindowMenusTest::theKeyLeavesTheSelectedTextInView() {
    QFETCH(const int, height);
    start("words");
    window()->resize(1300, height);
    talk(QStringLiteral("Hello"));
    press(Qt::Key_Up, Qt::AltModifier);
    const app::MessageText* const text = textOf(1);
    QVERIFY(text && text->hasActiveFocus());
    QVERIFY(!text->selectedText().isEmpty());
    press(Qt::Key_Menu);
    waitForMenu();
    QVERIFY(menu());
    for (const QRectF& line : text->layout().rectangles(text->selectedRange()))
        QVERIFY(!placeOf(menu()).intersects(text->mapRectToScene(line)));
    QVERIFY(QRectF(0, 0, window()->width(), window()->height()).contains(placeOf(menu())));
}

/// All of its lines are in view. Those for other ways to regenerate it are in a menu that opens in its place.
void WindowMenusTest::aHitHasTheMenuOfItsChat_data() {
    addKeys();
    QTest::newRow("right button") << 0 << Qt::KeyboardModifiers(Qt::NoModifier);
}

/// The menu opens the chat at the hit.
void WindowMenusTest::aHitHasTheMenuOfItsChat() {
    QFETCH(const int, key);
    QFETCH(const Qt::KeyboardModifiers, modifiers);
    goToAHit();
    const qint64 inView = app()->conversation()->chatId();
    QQuickItem* const hit = window()->activeFocusItem();
    QVERIFY(hit && QByteArray(hit->metaObject()->className()).startsWith("ChatHitRow"));
    if (key == 0)
        QTest::mouseClick(window(), Qt::RightButton, {}, middleOf(hit));
    else
        press(key, modifiers);
    waitForMenu();
    QVERIFY(menu());
    if (key == 0)
        QVERIFY(!placeOf(menu()).contains(middleOf(hit)));
    else
        QVERIFY(!placeOf(menu()).intersects(placeOf(hit)));
    QCOMPARE(app()->conversation()->chatId(), inView); // the right button alone opens no chat
    click(QStringLiteral("Open side by side"));
    QTRY_VERIFY(app()->panes()->split());
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Pear"));
    QCOMPARE(app()->conversation()->placeRow(), 0);
    QVERIFY(app()->conversation()->placeMarked());
}

void WindowMenusTest::theMenuOfAHitDeletesItsChat() {
    goToAHit();
    press(Qt::Key_Menu);
    waitForMenu();
    click(QStringLiteral("Delete"));
    QTRY_COMPARE(app()->search()->count(), 0);
    QCOMPARE(app()->chats()->count(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Bread"));
}

void WindowMenusTest::theMenuOfAnAnswerFitsALowWindow() {
    start("words");
    window()->resize(640, 440);
    talk(QStringLiteral("Hello"));
    const auto allInView = [this] {
        const QQuickItem* const lines =
            findItem(menu(), [](const QQuickItem* at) { return at->inherits("QQuickListView"); });
        return lines && lines->property("contentHeight").toReal() <= lines->height() + 1;
    };
    textOf(1)->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Menu);
    waitForMenu();
    QVERIFY(menu() && allInView());
    click(QStringLiteral("Regenerate differently\u2026"));
    QTRY_VERIFY(item(QStringLiteral("More varied")));
    waitForMenu();
    QVERIFY(menu() && allInView());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!menu());
    QTRY_VERIFY(textOf(1)->hasActiveFocus()); // as before the menus
}

void WindowMenusTest::theLinesOfAChoiceBeginAlike() {
    start("words");
    press(Qt::Key_N, Qt::ControlModifier);
    click(QStringLiteral("Order and folders"));
    waitForMenu();
    QList<qreal> begins;
    for (const char* const line : {"Sort by last use", "Sort by title", "Sort by creation"}) {
        const QQuickItem* const words = findItem(window()->contentItem(), [line](const QQuickItem* at) {
            return at->inherits("QQuickText") && at->property("text").toString() == QLatin1String(line);
        });
        QVERIFY2(words, line);
        begins.append(placeOf(words).left());
    }
    QCOMPARE(begins, QList<qreal>(3, begins.first()));
}

void WindowMenusTest::aPointerThatRestsChoosesNoLine() {
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->useHoverEffects()] { hints->setUseHoverEffects(was); });
    hints->setUseHoverEffects(true);
    start("words");
    talk(QStringLiteral("Hello"));
    const auto openByKey = [this] {
        textOf(1)->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Menu);
        waitForMenu();
    };
    const auto highlighted = [this](const char* line) {
        return item(QString::fromUtf8(line))->property("highlighted");
    };
    openByKey();
    const QPoint fork = middleOf(item(QStringLiteral("Fork into a new chat")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!menu());
    QTest::mouseMove(window(), fork);
    openByKey();
    press(Qt::Key_Down);
    QVERIFY(drawn());
    QCOMPARE(highlighted("Copy as plain text"), true);
    QCOMPARE(highlighted("Fork into a new chat"), false);
    for (int x = 1; x <= 3; ++x) QTest::mouseMove(window(), fork + QPoint(x, 0));
    QTRY_COMPARE(highlighted("Fork into a new chat"), true);
}

/// The row below the pointer looked as if it were the one that Enter runs.
void WindowMenusTest::k15APointerThatRestsMarksNoCommand() {
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->useHoverEffects()] { hints->setUseHoverEffects(was); });
    hints->setUseHoverEffects(true);
    start("words");
    const QString chats = QStringLiteral("New temporary chat: Ctrl+Shift+N");
    const auto openPalette = [&] {
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(namedItem(window(), chats, QAccessible::ListItem));
        QVERIFY(drawn() && drawn());
    };
    const auto marked = [&] {
        const auto* const row = namedItem(window(), chats, QAccessible::ListItem);
        const auto* const ground = row ? row->property("background").value<QQuickItem*>() : nullptr;
        return ground && ground->property("color").value<QColor>().alpha() > 0;
    };
    openPalette();
    const QPoint row = middleOf(namedItem(window(), chats, QAccessible::ListItem));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->pages()->palette());
    QTest::mouseMove(window(), row);
    QVERIFY(drawn()); // the move is over
    openPalette();
    QVERIFY(!marked());
    for (int x = 1; x <= 3; ++x) QTest::mouseMove(window(), row + QPoint(x, 0));
    QTRY_VERIFY(marked());
    press(Qt::Key_Down); // the keys choose again: to this row, and to the next one
    press(Qt::Key_Down);
    QTRY_VERIFY(!marked());
}

void WindowMenusTest::keysLeadToBothEndsOfAMenu() {
    start("words");
    talk(QStringLiteral("Hello"));
    const auto isChosen = [this](const char* line) {
        const QQuickItem* const found = item(QString::fromUtf8(line));
        return found && found->property("highlighted").toBool();
    };
    const char* const first = "Copy as plain text";
    const char* const last = "Delete with what follows"; // the lowest line for a prompt
    for (const auto& [key, chosen] :
         {std::pair(Qt::Key_Up, last), {Qt::Key_End, last}, {Qt::Key_Home, first}, {Qt::Key_Down, first}}) {
        textOf(0)->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Menu);
        waitForMenu();
        press(key);
        QTRY_VERIFY2(isChosen(chosen), qPrintable(QString::number(key)));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!menu());
    }
}

int main(int argc, char** argv) { return runWindowTest<WindowMenusTest>(argc, argv); }

#include "tst_window_menus.moc"
