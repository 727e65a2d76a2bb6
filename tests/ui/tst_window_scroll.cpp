// SPDX-License-Identifier: Apache-2.0
// The wheel: a step has one length, a touchpad moves a chat by its pixels, a field leaves it to its page, and a card
// keeps it from the chat below. The button or the cursor that keys lead to comes into view. A reader who is at the end
// of a chat stays there while versions are deleted and come back. A chat that is opened makes what is in view, and no
// more.
#include "text/message_text.h"
#include "window_driver.h"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace coterie;
using namespace coterie::tests;

class WindowScrollTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void threeStepsOfTheWheelAreThreeSteps();
    void aTouchpadMovesTheChatByItsPixels();
    void theWheelOverACardMovesNothing();
    void aFieldLeavesTheWheelToItsPage();
    void theCursorOfALongPromptStaysInView();
    void theButtonsOfAMessageComeIntoView();
    void theButtonsOfALongEditComeIntoView();
    void aVersionThatComesBackKeepsTheEndInView();
    void aChatThatIsOpenedMakesItsEndOnly();

  private:
    QQuickItem* list() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    qreal place() const { return list()->property("contentY").toReal(); }
    /// Starts with a chat that is much longer than its view, at its end.
    void startLongChat() {
        start();
        window()->resize(900, 500);
        for (int i = 0; i < 5; ++i) talk(QStringLiteral("Hello"));
        QVERIFY(drawn() && drawn());
        QVERIFY(atEnd());
        QVERIFY(list()->property("contentHeight").toReal() > 3 * list()->height());
    }
    /// pixels: those of a touchpad; 0: it is the wheel of a mouse.
    void wheel(const QQuickItem* over, int angle, int pixels = 0) {
        const QPointF at = over->mapToScene(QPointF(over->width() / 2, over->height() * 3 / 4)); // cards are above it
        QWheelEvent event(at, window()->mapToGlobal(at), QPoint(0, pixels), QPoint(0, angle), Qt::NoButton,
                          Qt::NoModifier, pixels == 0 ? Qt::NoScrollPhase : Qt::ScrollUpdate, false);
        QCoreApplication::sendEvent(window(), &event);
    }
    bool atEnd() const { return list()->property("following").toBool() && list()->property("atEnd").toBool(); }
    static bool showsCursor(const QQuickItem* view, const QQuickItem* field) {
        const QRectF cursor = field->mapRectToScene(field->property("cursorRectangle").toRectF());
        const QRectF seen = view->mapRectToScene(QRectF(0, 0, view->width(), view->height()));
        return cursor.top() >= seen.top() && cursor.bottom() <= seen.bottom();
    }
    /// Whether all of an item of the list is in view there.
    bool inView(const QQuickItem* of) const {
        const QRectF view = list()->mapRectToScene(QRectF(0, 0, list()->width(), list()->height()));
        return view.contains(of->mapRectToScene(QRectF(0, 0, of->width(), of->height())));
    }
    /// The item of the message in this row; null if it is not in view.
    QQuickItem* message(int row) const {
        QQuickItem* found = nullptr;
        QMetaObject::invokeMethod(list(), "itemAtIndex", Q_RETURN_ARG(QQuickItem*, found), Q_ARG(int, row));
        return found;
    }
    int versions(int row) const {
        return app()->conversation()->messages()->index(row).data(app::MessageModel::VersionsRole).toInt();
    }
    QQuickItem* typed(const char* type) const {
        return findItem(window()->contentItem(), [type](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith(type);
        });
    }
};

/// Three quick steps went to the top of the chat: each added speed to the speed that the list had.
void WindowScrollTest::threeStepsOfTheWheelAreThreeSteps() {
    startLongChat();
    const qreal end = place();
    wheel(list(), 120);
    const qreal step = end - place();
    QVERIFY(step > 0 && step < list()->height() / 2);
    for (int i = 0; i < 3; ++i) wheel(list(), 120);
    QCOMPARE(place(), end - 4 * step);
    QVERIFY(drawn() && drawn() && drawn());
    QCOMPARE(place(), end - 4 * step); // nothing goes on by itself
    QVERIFY(!list()->property("following").toBool());
    for (int i = 0; i < 5; ++i) wheel(list(), -120);
    QVERIFY(atEnd()); // back at it
}

void WindowScrollTest::aTouchpadMovesTheChatByItsPixels() {
    startLongChat();
    const qreal end = place();
    for (int i = 0; i < 3; ++i) wheel(list(), 16, 37);
    QCOMPARE(place(), end - 3 * 37);
    QVERIFY(drawn() && drawn());
    QCOMPARE(place(), end - 3 * 37);
}

/// The card has nothing to scroll, or is at its end.
void WindowScrollTest::theWheelOverACardMovesNothing() {
    startLongChat();
    app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
    QTRY_VERIFY(item(QStringLiteral("Dismiss")));
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready); // the model that was open
    QVERIFY(drawn() && drawn());
    const QQuickItem* const card = typed("ErrorCard_QMLTYPE");
    QVERIFY(card);
    const qreal end = place();
    for (const int angle : {120, -120, 120}) wheel(card, angle);
    QVERIFY(drawn() && drawn());
    QCOMPARE(place(), end);
    wheel(list(), 120); // beside the card it moves the chat
    QVERIFY(place() < end);
}

/// The settings stopped as soon as the field of the system prompt was under the pointer.
void WindowScrollTest::aFieldLeavesTheWheelToItsPage() {
    start();
    window()->resize(900, 500);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("System prompt")));
    QQuickItem* const field = item(QStringLiteral("System prompt"));
    field->forceActiveFocus(Qt::TabFocusReason); // brings it into view
    QVERIFY(drawn() && drawn());
    const qreal before = field->mapToScene(QPointF()).y();
    wheel(field, -120);
    QVERIFY(drawn());
    QVERIFY(field->mapToScene(QPointF()).y() < before);
}

/// A field that was scrolled to its end took the page to a place above itself when it got the focus.
void WindowScrollTest::theCursorOfALongPromptStaysInView() {
    start();
    app()->settings()->setValue(QStringLiteral("systemPrompt"), QStringLiteral("A line\n").repeated(40));
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    press(Qt::Key_Comma, Qt::ControlModifier);
    const auto prompt = [this] {
        return namedItem(window(), QStringLiteral("System prompt"), QAccessible::EditableText);
    };
    QTRY_VERIFY(prompt());
    QQuickItem* const field = prompt();
    const QQuickItem* const page = typed("ScrollColumn_QMLTYPE");
    QVERIFY(page);
    const auto cursorInView = [field, page] { return showsCursor(page, field); };
    field->forceActiveFocus(Qt::TabFocusReason);
    QVERIFY(drawn() && drawn());
    for (const int key : {Qt::Key_End, Qt::Key_Home, Qt::Key_End}) {
        press(key, Qt::ControlModifier);
        QVERIFY(drawn() && drawn());
        QTRY_VERIFY(cursorInView());
    }
    press(Qt::Key_Tab);
    QVERIFY(drawn() && drawn());
    QVERIFY(!field->hasActiveFocus());
    press(Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(drawn() && drawn());
    QVERIFY(field->hasActiveFocus());
    QTRY_VERIFY(cursorInView());
}

/// Shift+Tab led from what is below the chat to a button of a message that was out of view.
void WindowScrollTest::theButtonsOfAMessageComeIntoView() {
    startLongChat();
    press(Qt::Key_PageUp);
    press(Qt::Key_PageUp);
    QTRY_VERIFY(!list()->property("atEnd").toBool());
    press(Qt::Key_L, Qt::ControlModifier);
    QVERIFY(drawn());
    int visited = 0;
    for (int tabs = 0; tabs < 30; ++tabs) {
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(drawn() && drawn());
        const QQuickItem* const focus = window()->activeFocusItem();
        if (!list()->isAncestorOf(focus) || !focus->inherits("QQuickButton")) continue;
        ++visited;
        QVERIFY2(inView(focus), qPrintable(focus->property("text").toString()));
    }
    QVERIFY(visited > 3);
}

/// Tab led from the field to buttons below it that were out of view.
void WindowScrollTest::theButtonsOfALongEditComeIntoView() {
    startLongChat();
    const qint64 message = app()->conversation()->messages()->rows()[0].id;
    app()->conversation()->actions()->beginEdit(message);
    QQuickItem* field = nullptr;
    QTRY_VERIFY((field = namedItem(window(), QStringLiteral("Edit message"), QAccessible::EditableText)));
    QTRY_VERIFY(field->hasActiveFocus());
    QVERIFY(field->setProperty("text", QStringLiteral("A line\n").repeated(60)));
    QVERIFY(drawn() && drawn());
    QVERIFY(field->height() > list()->height());
    press(Qt::Key_Home, Qt::ControlModifier);
    QVERIFY(drawn() && drawn());
    for (const char* name : {"Cancel", "Send"}) {
        press(Qt::Key_Tab);
        QVERIFY(drawn() && drawn());
        const QQuickItem* const focus = window()->activeFocusItem();
        QCOMPARE(focus->property("text").toString(), QString::fromLatin1(name));
        QVERIFY2(inView(focus), name);
    }
    for (int i = 0; i < 2; ++i) press(Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(drawn() && drawn());
    QVERIFY(field->hasActiveFocus());
    QVERIFY(showsCursor(list(), field));
}

/// The focus, which goes to the other version, brought the top of that into view.
void WindowScrollTest::aVersionThatComesBackKeepsTheEndInView() {
    start();
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    talk(QStringLiteral("Hello"));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(versions(1), 2);
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY(drawn() && drawn());
    QVERIFY(message(1) && message(1)->height() > list()->height());
    QQuickItem* const text = findItem(message(1), [](QQuickItem* at) { return qobject_cast<app::MessageText*>(at); });
    QVERIFY(text);
    text->forceActiveFocus(Qt::MouseFocusReason); // a click on the words at the end
    QVERIFY(drawn());
    QVERIFY(atEnd());
    press(Qt::Key_Delete);
    QTRY_VERIFY(versions(1) < 2);
    QVERIFY(drawn() && drawn());
    QVERIFY(atEnd());
    QVERIFY(message(1)->isAncestorOf(window()->activeFocusItem()));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(versions(1), 2);
    QVERIFY(drawn() && drawn());
    QVERIFY(atEnd());
    QVERIFY(message(1)->isAncestorOf(window()->activeFocusItem()));
}

/// The list made a whole view of the first messages before it went to the last ones.
void WindowScrollTest::aChatThatIsOpenedMakesItsEndOnly() {
    startLongChat();
    for (int i = 0; i < 2; ++i) { // also after a view without messages
        app::Conversation& chat = *app()->conversation();
        const qint64 id = chat.chatId();
        chat.newChat();
        QVERIFY(drawn() && drawn());
        const QSignalSpy made(chat.messages(), &app::MessageModel::documentMade);
        chat.openChat(id);
        QTRY_VERIFY(item(QStringLiteral("Copy message")));
        QVERIFY(drawn());
        QVERIFY(atEnd());
        const int rows = chat.messages()->count();
        int items = 0;
        for (int row = 0; row < rows; ++row) items += message(row) ? 1 : 0;
        QVERIFY(items > 0 && items <= rows / 2);
        QVERIFY2(made.count() <= items + 1, qPrintable(QStringLiteral("%1 for %2").arg(made.count()).arg(items)));
    }
}

int main(int argc, char** argv) { return runWindowTest<WindowScrollTest>(argc, argv); }

#include "tst_window_scroll.moc"
