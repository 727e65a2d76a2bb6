// SPDX-License-Identifier: Apache-2.0
// Two chats side by side in the real window, by keys and pointer: how a second one is opened, where words go, which one
// is active, and what happens in a narrow window.
#include "settings/settings.h"
#include "text_checks.h"
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;
using app::Panes;

namespace {

const QString kField = QStringLiteral("Message"); // the composer's name

} // namespace

class WindowPanesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void aSecondChatByKey();
    void s11ANewChatKeepsTheCursor();
    void aSecondChatFromAPage();
    void aSecondChatByButton();
    void aChatOfTheListBesideTheOther();
    void wordsGoToTheActiveChat();
    void aPressMakesAChatActive();
    void theFocusMakesAChatActive();
    void eachSideHasItsErrors();
    void aSideIsClosed();
    void aSideIsClosedWithItsSearch();
    void aFileGoesToTheSideWhereItIsDropped();
    void inANarrowWindowOneIsShown();
    void thePaneLeavesRoomForTwo();
    void theFirstPageFitsBesideAChat_data();
    void theFirstPageFitsBesideAChat();
    void aTemporaryChatAsksInItsSide();
    void theWindowEndsWithTwo();

  private:
    Panes& panes() const { return *app()->panes(); }
    /// The composers in view, from left to right.
    QList<QQuickItem*> composers() const;
    void clickIn(const QQuickItem* item) {
        QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, middleOf(item));
    }
    void split() {
        talk(QStringLiteral("left"));
        press(Qt::Key_Backslash, Qt::ControlModifier);
        QTRY_COMPARE(composers().size(), 2);
    }

    static constexpr int kSettleMs = 5000; ///< a text in a wrong place stays there
};

QList<QQuickItem*> WindowPanesTest::composers() const {
    QList<QQuickItem*> found;
    for (QAccessibleInterface* node : accessibleNodes(window())) {
        if (node->role() != QAccessible::EditableText || node->text(QAccessible::Name) != kField) continue;
        found.append(qobject_cast<QQuickItem*>(node->object()));
    }
    std::sort(found.begin(), found.end(),
              [](const QQuickItem* a, const QQuickItem* b) { return a->mapToScene({}).x() < b->mapToScene({}).x(); });
    return found;
}

void WindowPanesTest::aSecondChatByKey() {
    start();
    QCOMPARE(composers().size(), 1);
    press(Qt::Key_Backslash, Qt::ControlModifier); // there is no other chat
    QTRY_VERIFY(shows("No second chat was opened"));
    QCOMPARE(composers().size(), 1);
    split();
    QCOMPARE(window()->activeFocusItem(), composers()[1]); // the new chat has the focus
    talk(QStringLiteral("right"));
    QCOMPARE(panes().left()->title(), QStringLiteral("left"));
    QCOMPARE(panes().active()->title(), QStringLiteral("right"));
    press(Qt::Key_F6);
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
    QTRY_COMPARE(window()->title(), QStringLiteral("left - Coterie"));
    press(Qt::Key_Backslash, Qt::ControlModifier); // closes the one with the focus
    QTRY_COMPARE(composers().size(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("right"));
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
    QTRY_COMPARE(window()->title(), QStringLiteral("right - Coterie"));
}

/// The next words are for the new chat, not for the old one that came into view.
void WindowPanesTest::s11ANewChatKeepsTheCursor() {
    start();
    talk(QStringLiteral("old"));
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 0);
    press(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_COMPARE(composers().size(), 2);
    QVERIFY(drawn());
    type(QStringLiteral("question"));
    press(Qt::Key_Return);
    QTRY_COMPARE(panes().left()->title(), QStringLiteral("question"));
    QCOMPARE(panes().other()->title(), QStringLiteral("old"));
    QCOMPARE(panes().other()->messages()->count(), 2);
    QCOMPARE(window()->activeFocusItem(), composers()[0]);
}

/// The page is closed: what is typed next goes to the chat that is seen.
void WindowPanesTest::aSecondChatFromAPage() {
    start();
    talk(QStringLiteral("left"));
    for (const app::Pages::Page page : {app::Pages::Exchange, app::Pages::Settings}) {
        app()->pages()->open(page); // the second time while two chats are open: they stay
        press(Qt::Key_Backslash, Qt::ControlModifier);
        QTRY_COMPARE(app()->pages()->current(), app::Pages::Chat);
        QTRY_COMPARE(composers().size(), 2);
        QTRY_COMPARE(window()->activeFocusItem(), composers()[1]);
        type(QStringLiteral("a"));
    }
    QCOMPARE(composers()[1]->property("text").toString(), QStringLiteral("aa"));
    QCOMPARE(composers()[0]->property("text").toString(), QString());
}

void WindowPanesTest::aSecondChatByButton() {
    start();
    talk(QStringLiteral("left"));
    click(QStringLiteral("Show a second chat (Ctrl+\\)"));
    QTRY_COMPARE(composers().size(), 2);
    QTRY_VERIFY(window()->activeFocusItem() == composers()[1]);
    click(QStringLiteral("Close this side (Ctrl+\\)"));
    QTRY_COMPARE(composers().size(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("left"));
}

void WindowPanesTest::aChatOfTheListBesideTheOther() {
    start();
    for (const char* prompt : {"one", "two"}) {
        press(Qt::Key_N, Qt::ControlModifier);
        talk(QString::fromLatin1(prompt));
    }
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Down);
    press(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(composers().size(), 2);
    QCOMPARE(panes().left()->title(), QStringLiteral("two"));
    QCOMPARE(panes().active()->title(), QStringLiteral("one"));
    QTRY_COMPARE(window()->activeFocusItem(), composers()[1]);
    press(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_COMPARE(composers().size(), 1);
    // The same by the menu of a row.
    QQuickItem* const row = namedItem(window(), QStringLiteral("one"), QAccessible::ListItem);
    QVERIFY(row);
    QTest::mouseClick(window(), Qt::RightButton, Qt::NoModifier, middleOf(row));
    click(QStringLiteral("Open side by side"), QAccessible::MenuItem);
    QTRY_COMPARE(composers().size(), 2);
    QCOMPARE(panes().active()->title(), QStringLiteral("one"));
    // A click on a chat that is in view makes it active and opens nothing twice.
    clickFound([this] { return namedItem(window(), QStringLiteral("two"), QAccessible::ListItem); }, "two");
    QTRY_COMPARE(panes().active()->title(), QStringLiteral("two"));
    QCOMPARE(panes().other()->title(), QStringLiteral("one"));
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
}

void WindowPanesTest::wordsGoToTheActiveChat() {
    start();
    split();
    type(QStringLiteral("to the right"));
    clickIn(composers()[0]);
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
    QCOMPARE(panes().active(), panes().left());
    type(QStringLiteral("to the left"));
    QCOMPARE(panes().left()->draft(), QStringLiteral("to the left"));
    QCOMPARE(panes().other()->draft(), QStringLiteral("to the right"));
    press(Qt::Key_Return);
    QTRY_COMPARE(panes().left()->messages()->count(), 4);
    QCOMPARE(panes().other()->messages()->count(), 0);
    QTRY_VERIFY(!panes().left()->busy());
}

void WindowPanesTest::aPressMakesAChatActive() {
    start();
    split();
    talk(QStringLiteral("right"));
    // A press on the empty part of the left side, on no control.
    const QQuickItem* const left = composers()[0];
    const QPoint free = left->mapToScene({left->width() / 2, -120}).toPoint();
    QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, free);
    QTRY_COMPARE(panes().active(), panes().left());
    QTRY_VERIFY(window()->activeFocusItem() && composers()[0] == window()->activeFocusItem());
    press(Qt::Key_F, Qt::ControlModifier); // finds in the left chat
    QTRY_VERIFY(panes().left()->find()->active());
    QVERIFY(!panes().other()->find()->active());
}

/// The Tab key leads from one side to the other.
void WindowPanesTest::theFocusMakesAChatActive() {
    start();
    split();
    QVERIFY(panes().active() != panes().left());
    for (int at = 0; at < 60 && panes().active() != panes().left(); ++at) press(Qt::Key_Tab);
    QCOMPARE(panes().active(), panes().left());
    QTRY_COMPARE(window()->title(), QStringLiteral("left - Coterie"));
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
}

void WindowPanesTest::eachSideHasItsErrors() {
    start("story", false); // no model is open
    app()->panes()->openBeside(0);
    QVERIFY(!panes().split()); // the only chat is a new one already
    start();
    split();
    app()->models()->close();
    QTRY_VERIFY(!panes().active()->canSend());
    QVERIFY(!panes().left()->send(QStringLiteral("x")));
    QTRY_VERIFY(shows("Not sent. No model is open. Open a model and send again."));
    QVERIFY(panes().left()->refusal().valid());
    QVERIFY(!panes().active()->refusal().valid());
}

void WindowPanesTest::aSideIsClosed() {
    start();
    split();
    talk(QStringLiteral("right"));
    // The button of the side that is not active.
    click(QStringLiteral("Close this chat's side"));
    QTRY_COMPARE(composers().size(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("right"));
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
    type(QStringLiteral("still here"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("still here"));
}

/// The bar of the search stood above the next chat at that side.
void WindowPanesTest::aSideIsClosedWithItsSearch() {
    start();
    split();
    talk(QStringLiteral("right"));
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("right"));
    QTRY_VERIFY(panes().active()->find()->active());
    press(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_COMPARE(composers().size(), 1);
    press(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_COMPARE(composers().size(), 2);
    QCOMPARE(panes().active()->messages()->count(), 0);
    QVERIFY(!panes().active()->find()->active());
}

/// It went to the message of the other chat.
void WindowPanesTest::aFileGoesToTheSideWhereItIsDropped() {
    start();
    window()->resize(1300, 700);
    split();
    QFile notes(QDir(fixture_->dataFolder()).filePath(QStringLiteral("notes.txt")));
    QVERIFY(notes.open(QIODevice::WriteOnly) && notes.write("Notes") > 0);
    notes.close();
    QVERIFY(drawn());
    app::Conversation* const right = panes().active();
    const QPoint at = middleOf(composers()[0]) - QPoint(0, 150); // over the messages at the left
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(notes.fileName())});
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window(), &enter);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window(), &drop);
    QTRY_COMPARE(panes().left()->files()->count(), 1);
    QCOMPARE(right->files()->count(), 0);
    QCOMPARE(panes().active(), panes().left());
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
}

void WindowPanesTest::inANarrowWindowOneIsShown() {
    start();
    split();
    type(QStringLiteral("right"));
    window()->resize(window()->minimumWidth(), window()->height());
    QTRY_COMPARE(composers().size(), 1);
    QCOMPARE(composers()[0]->property("text").toString(), QStringLiteral("right"));
    click(QStringLiteral("Show the other chat (F6)"));
    QTRY_COMPARE(panes().active(), panes().left());
    QTRY_COMPARE(composers().size(), 1);
    QTRY_COMPARE(window()->activeFocusItem(), composers()[0]);
    QCOMPARE(composers()[0]->property("text").toString(), QString());
    press(Qt::Key_F6);
    QTRY_COMPARE(composers()[0]->property("text").toString(), QStringLiteral("right"));
    window()->resize(1180, window()->height());
    QTRY_COMPARE(composers().size(), 2);
}

/// The list of chats gives way to the second chat when the pane of the model's activity opens.
void WindowPanesTest::thePaneLeavesRoomForTwo() {
    start();
    split();
    window()->resize(1180, window()->height());
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Close this pane (Ctrl+I)")));
    QTRY_COMPARE(composers().size(), 2);
    QVERIFY(item(QStringLiteral("Show the list of chats (Ctrl+B)")));
}

void WindowPanesTest::theFirstPageFitsBesideAChat_data() {
    QTest::addColumn<double>("scale");
    for (const double scale : {1.0, 1.25, 1.6, 2.0}) QTest::addRow("text %.0f %%", scale * 100) << scale;
}

/// The page of the demo model in half of a window has all lines of its texts, however it got its width.
void WindowPanesTest::theFirstPageFitsBesideAChat() {
    QFETCH(double, scale);
    start("story", false, true);
    split();
    app()->settings()->fontScale = scale;
    QTRY_VERIFY(shows("Try the demo model"));
    const auto check = [this](const QString& where) {
        QVERIFY(drawn());
        if (!QTest::qWaitFor([this] { return textFindings(window()).isEmpty(); }, kSettleMs))
            QFAIL(qPrintable(where + u'\n' + textFindings(window()).join(u'\n')));
    };
    for (const int width : {1180, 1400, 1000, 1180, 1100, 1260}) {
        window()->resize(width, 780);
        QTRY_COMPARE(window()->width(), width);
        for (const char* pane : {"opened", "closed"}) {
            press(Qt::Key_I, Qt::ControlModifier);
            check(QStringLiteral("%1 px, pane %2").arg(width).arg(QString::fromLatin1(pane)));
            if (QTest::currentTestFailed()) return;
        }
    }
}

void WindowPanesTest::aTemporaryChatAsksInItsSide() {
    start();
    split();
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    talk(QStringLiteral("secret"));
    press(Qt::Key_Backslash, Qt::ControlModifier);
    QTRY_VERIFY(shows("This temporary chat ends"));
    QVERIFY(panes().split());
    click(QStringLiteral("Delete it"));
    QTRY_COMPARE(composers().size(), 1);
    QCOMPARE(app()->conversation()->title(), QStringLiteral("left"));
}

void WindowPanesTest::theWindowEndsWithTwo() {
    start();
    split();
    talk(QStringLiteral("right"));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    QTRY_COMPARE(composers().size(), 2);
    QCOMPARE(panes().left()->title(), QStringLiteral("left"));
    QCOMPARE(panes().active()->title(), QStringLiteral("right"));
    QTRY_COMPARE(window()->activeFocusItem(), composers()[1]);
}

int main(int argc, char** argv) { return runWindowTest<WindowPanesTest>(argc, argv); }
#include "tst_window_panes.moc"
