// SPDX-License-Identifier: Apache-2.0
// Nothing moves under the reader, and what the window knows is not hidden: findings of the second review (N8) and of
// the story that was played by hand (F2 to F40), each as steps that once went wrong.
#include "settings/settings.h"
#include "text/message_text.h"
#include "text_checks.h"
#include "window_driver.h"

#include <QPointer>

using namespace coterie;
using namespace coterie::tests;
using app::MessageModel;
using app::ModelController;

class WindowStillTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void n8NothingShifts_data();
    void n8NothingShifts();
    void f2AVanishedCardLeavesNoGap();
    void f33ACardOfAModelMovesNothing();
    void aCardLeavesTheFirstMessagesToTheReader();
    void f35TheContextHasItsNumber_data();
    void f35TheContextHasItsNumber();
    void s58TheContextHasItsNumberAtEveryWidth();
    void s58TheDraftsNumberIsWhole();
    void s58TheMarkGivesWay();
    void f39ThePaneBeginsAtItsTop();
    void f40ColoursOfTheTextMoveNothing();
    void f40AValueOfItsOwnMovesNoRow();
    void f40NoTipRepeatsItsButton();
    void aCutTitleHasATip();
    void aTipCoversNoWords();
    void aTipMakesRoomForABar();
    void aBarCoversNoWordsAtTheEnd_data();
    void aBarCoversNoWordsAtTheEnd();
    void aPageThatOpensShowsNoTip();
    void k17AClickOnAVersionShowsNoTip();
    void aTipLeavesWithItsControl();
    void aQuestionInTheBinMovesNoRow_data();
    void aQuestionInTheBinMovesNoRow();
    void f40TheUsualTextSizeHasAKey();
    void g11UnitsStayWithTheirNumbers();
    void earlierFiguresGoOnBesideTheText();
    void theNextMessageKeepsItsDistance();
    void theEndStaysInView_data();
    void theEndStaysInView();

  private:
    /// Sends a message, has another one wait, and stops the answer. The other one is sent by a click then.
    void sendAWaitingMessage() {
        control_->hold();
        press(Qt::Key_L, Qt::ControlModifier);
        type(QStringLiteral("Hello"));
        press(Qt::Key_Return);
        control_->allow(8 + 4);
        QTRY_COMPARE(app()->conversation()->state(), app::Conversation::Writing);
        type(QStringLiteral("later"));
        press(Qt::Key_Return);
        QTRY_VERIFY(item(QStringLiteral("Waiting message: later")));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!app()->conversation()->busy());
        const int before = app()->conversation()->messages()->count();
        control_->allowAll();
        click(QStringLiteral("Send now"));
        QTRY_COMPARE(app()->conversation()->messages()->count(), before + 2);
        QTRY_VERIFY(!app()->conversation()->busy());
    }
    /// Returns the places of the list, the field, and the texts of the messages.
    QList<QRectF> places() const {
        QList<QRectF> all;
        const auto add = [&](const QQuickItem* at) {
            all.append(at ? at->mapRectToScene(QRectF(0, 0, at->width(), at->height())) : QRectF());
        };
        add(namedItem(window(), QStringLiteral("Conversation"), QAccessible::List));
        add(item(QStringLiteral("Message")));
        findItem(window()->contentItem(), [&](QQuickItem* at) { // visits all
            if (at->isVisible() && qobject_cast<app::MessageText*>(at)) add(at);
            return false;
        });
        return all;
    }
    QQuickItem* typed(const char* type) const {
        return findItem(window()->contentItem(), [type](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith(type);
        });
    }
    /// The part of the pane or of a page that scrolls.
    QQuickItem* scroller(QQuickItem* in) const {
        return findItem(in, [](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ScrollColumn_QMLTYPE");
        });
    }
    /// Whether the status line shows how many tokens of the context are used.
    bool showsContext() const {
        const QString brief = QStringLiteral("%1 of 4,096").arg(app()->conversation()->contextUsed());
        return findItem(window()->contentItem(), [&](const QQuickItem* at) {
            const bool says = at->property("text").toString().startsWith(brief);
            return says && at->isVisible() && at->mapToScene(QPointF(at->width(), 0)).x() <= window()->width();
        });
    }
    /// The tip in view; null: none.
    QQuickItem* tipInView() const {
        return findItem(window()->contentItem(),
                        [](const QQuickItem* at) { return at->isVisible() && at->inherits("QQuickPopupItem"); });
    }
    /// The texts that the tip lies over.
    QStringList textsBelow(const QQuickItem* tip) const {
        QStringList below;
        const QRectF place = tip->mapRectToScene(QRectF(0, 0, tip->width(), tip->height()));
        findItem(window()->contentItem(), [&](QQuickItem* at) { // visits all
            const QString text = at->property("text").toString();
            const bool read = qobject_cast<app::MessageText*>(at) || (at->inherits("QQuickText") && !text.isEmpty());
            if (read && at->isVisible() && !tip->isAncestorOf(at) &&
                place.intersects(at->mapRectToScene(at->boundingRect())))
                below.append(text.isEmpty() ? QStringLiteral("a message") : text);
            return false;
        });
        return below;
    }
    /// The item of the message in this row; null if it is not in view.
    QQuickItem* message(int row) const {
        QQuickItem* found = nullptr;
        QMetaObject::invokeMethod(namedItem(window(), QStringLiteral("Conversation"), QAccessible::List), "itemAtIndex",
                                  Q_RETURN_ARG(QQuickItem*, found), Q_ARG(int, row));
        return found;
    }
    qreal topOf(const QString& name) const {
        const QQuickItem* at = item(name);
        return at ? at->mapToScene(QPointF(0, 0)).y() : -1;
    }
};

/// A card that the window had at its start takes no place of the conversation, neither while it is there nor
/// afterwards.
void WindowStillTest::f2AVanishedCardLeavesNoGap() {
    start();
    talk(QStringLiteral("Hello"));
    const auto top = [this] {
        const QQuickItem* list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
        return list ? list->mapToScene(QPointF(0, 0)).y() : -1;
    };
    QVERIFY(drawn());
    const qreal without = top();
    fixture_->stop();
    QFile file(model_);
    QVERIFY(file.remove());
    QVERIFY(fixture_->start(model_));
    QTRY_COMPARE(app()->models()->state(), ModelController::Missing);
    QTRY_VERIFY(item(QStringLiteral("Try again")));
    QVERIFY(drawn());
    QCOMPARE(top(), without);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    click(QStringLiteral("Try again"));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QTRY_VERIFY(!item(QStringLiteral("Try again")));
    QVERIFY(drawn());
    QCOMPARE(top(), without);
}

/// Whoever reads keeps the place while a card says that a model can't be opened, and can put the card away.
void WindowStillTest::f33ACardOfAModelMovesNothing() {
    start();
    talk(QStringLiteral("Hello"));
    QVERIFY(drawn() && drawn());
    const QList<QRectF> before = places();
    app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
    QQuickItem* close = nullptr;
    QTRY_VERIFY((close = item(QStringLiteral("Dismiss"))));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready); // the model that was open
    QVERIFY(drawn() && drawn());
    QCOMPARE(places(), before);
    QVERIFY(before.front().contains(middleOf(close)));
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!item(QStringLiteral("Dismiss")));
    QCOMPARE(places(), before);

    app()->models()->close();
    app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
    QTRY_COMPARE(app()->models()->state(), ModelController::Missing);
    QTRY_VERIFY(item(QStringLiteral("Try again")));
    QVERIFY(drawn() && drawn());
    QCOMPARE(places().front(), before.front());
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!item(QStringLiteral("Try again")));
    app()->models()->open(
        QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf"))); // it comes again with its cause
    QTRY_VERIFY(item(QStringLiteral("Try again")));
}

/// The card covered the first messages of every chat until somebody put it away.
void WindowStillTest::aCardLeavesTheFirstMessagesToTheReader() {
    start();
    for (int i = 0; i < 4; ++i) talk(QStringLiteral("Hello"));
    app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
    QTRY_VERIFY(item(QStringLiteral("Dismiss")));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready); // the model that was open
    QVERIFY(drawn() && drawn());
    const QQuickItem* const card = typed("ErrorCard_QMLTYPE");
    QVERIFY(card);
    namedItem(window(), QStringLiteral("Conversation"), QAccessible::List)->forceActiveFocus();
    press(Qt::Key_Home);
    QTRY_VERIFY(message(0));
    QTRY_COMPARE(textsBelow(card), QStringList());
    QVERIFY(card->mapToScene(QPointF(0, card->height())).y() <= message(0)->mapToScene(QPointF(0, 0)).y());

    press(Qt::Key_N, Qt::ControlModifier); // another chat begins below the card
    talk(QStringLiteral("Hello"));
    QVERIFY(drawn() && drawn());
    QVERIFY(card->isVisible());
    QTRY_COMPARE(textsBelow(card), QStringList());
    const QList<QRectF> before = places();
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!item(QStringLiteral("Dismiss")));
    QVERIFY(drawn() && drawn());
    QCOMPARE(places(), before);
}

void WindowStillTest::n8NothingShifts_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("usual") << QSize(1180, 780) << 1.0;
    QTest::newRow("a refusal of several lines") << QSize(640, 700) << 2.0;
}

void WindowStillTest::n8NothingShifts() {
    QFETCH(const QSize, size);
    QFETCH(const double, scale);
    start();
    window()->resize(size);
    app()->settings()->fontScale = scale;
    talk(QStringLiteral("Hello"));
    app()->models()->close();
    QTRY_COMPARE(app()->models()->state(), ModelController::None);
    QVERIFY(drawn() && drawn());
    const QList<QRectF> before = places();
    QVERIFY(before.size() >= 3); // with the answer, and the prompt where there is room for both
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    const QQuickItem* refusal = nullptr;
    QTRY_VERIFY((refusal = findItem(window()->contentItem(), [](const QQuickItem* at) {
                     return at->isVisible() && at->property("text").toString().startsWith(QStringLiteral("Not sent."));
                 })));
    QCOMPARE(refusal->property("lineCount").toInt() > 1, scale > 1);
    QVERIFY(drawn() && drawn());
    QCOMPARE(places(), before);
    const app::MessageModel& messages = *app()->conversation()->messages();
    app()->conversation()->actions()->regenerate(messages.index(1).data(MessageModel::MessageIdRole).toLongLong());
    QQuickItem* close = nullptr;
    QTRY_VERIFY((close = item(QStringLiteral("Dismiss"))));
    QVERIFY(drawn() && drawn());
    QCOMPARE(places(), before);
    QVERIFY(before.front().contains(middleOf(close))); // the card lies over the list
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!item(QStringLiteral("Dismiss")));
    QCOMPARE(places(), before);
}

void WindowStillTest::f35TheContextHasItsNumber_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("pane");
    QTest::addColumn<double>("scale");
    QTest::addColumn<QByteArray>("script");
    const QByteArray story("story"), fromDisk("from-disk");
    QTest::newRow("beside the pane") << QSize(1180, 780) << true << 1.0 << story;
    QTest::newRow("beside the pane, wide") << QSize(1400, 900) << true << 1.0 << story;
    QTest::newRow("narrow") << QSize(640, 700) << false << 1.0 << story;
    QTest::newRow("s12: large text") << QSize(1000, 700) << false << 1.6 << story;
    QTest::newRow("s12: large text, narrow") << QSize(640, 700) << false << 1.6 << story;
    QTest::newRow("s12: largest text, narrow") << QSize(640, 700) << false << 2.0 << story;
    QTest::newRow("s12: large text beside the pane") << QSize(1600, 900) << true << 1.6 << story;
    QTest::newRow("s58: largest text beside the list") << QSize(1000, 640) << false << 2.0 << story;
    QTest::newRow("s58: largest text beside the list, from disk") << QSize(1000, 640) << false << 2.0 << fromDisk;
    QTest::newRow("s58: largest text, least room beside the list") << QSize(900, 640) << false << 2.0 << fromDisk;
}

/// There is room for a short form of the number where the sentence has none.
void WindowStillTest::f35TheContextHasItsNumber() {
    QFETCH(QSize, size);
    QFETCH(bool, pane);
    QFETCH(double, scale);
    QFETCH(QByteArray, script);
    start(script.constData());
    talk(QStringLiteral("Hello"));
    app()->settings()->fontScale = scale;
    window()->resize(size);
    app()->settings()->activityShown = pane;
    QTRY_COMPARE(typed("ActivityPane_QMLTYPE") != nullptr, pane);
    QTRY_VERIFY(app()->conversation()->contextUsed() > 0 && showsContext());
    QVERIFY(drawn());
    QCOMPARE(textFindings(window()), QStringList());
}

void WindowStillTest::s58TheContextHasItsNumberAtEveryWidth() {
    start();
    talk(QStringLiteral("Hello"));
    app()->settings()->fontScale = 2;
    constexpr int kLeast = 640, kMost = 1800, kStep = 40;
    for (int width = kLeast; width <= kMost; width += kStep) {
        window()->resize(width, 640);
        QTRY_VERIFY2(app()->conversation()->contextUsed() > 0 && showsContext(), qPrintable(QString::number(width)));
    }
}

/// "18 of 2,048 tokens" was 1,818: the line began left of the page, and its first figures were hidden.
void WindowStillTest::s58TheDraftsNumberIsWhole() {
    start();
    app()->settings()->fontScale = 2;
    window()->resize(1000, 640);
    app()->conversation()->setDraft(QString(1818, QChar(u'x')));
    const auto shown = [this]() -> const QQuickItem* {
        return findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && at->property("text").toString().startsWith(QStringLiteral("1,818 of 4,096"));
        });
    };
    const auto fits = [&] {
        const QQuickItem* line = shown();
        return line && line->x() >= 0 && line->x() + line->width() <= line->parentItem()->width();
    };
    QTRY_VERIFY(fits());
    QVERIFY(shows("1,818 of 4,096 tokens with this message")); // to a screen reader
    window()->resize(1400, 640);
    QTRY_VERIFY(shown()->property("text").toString().endsWith(QStringLiteral("with this message")) && fits());
}

/// The first page of a chat is higher than its room beside a long draft: the mark lay over the name of the model.
void WindowStillTest::s58TheMarkGivesWay() {
    start();
    app()->settings()->fontScale = 2;
    window()->resize(1000, 640);
    const auto mark = [this] { return typed("CoterieMark_QMLTYPE"); };
    const auto inView = [this](const QQuickItem* at) { // in what scrolls
        const QQuickItem* view = at;
        while (view && !view->inherits("QQuickFlickable")) view = view->parentItem();
        return view && view->clip() && view->height() > 0 && view->property("contentHeight").toReal() >= at->height();
    };
    QTRY_VERIFY(mark());
    app()->conversation()->setDraft(QString(1818, QChar(u'x')));
    QTRY_VERIFY(!mark());
    QVERIFY(inView(item(QStringLiteral("Write the first message below."))));
    QVERIFY(drawn());
    QCOMPARE(textFindings(window()), QStringList());
    app()->conversation()->setDraft(QString());
    QTRY_VERIFY(mark());
}

void WindowStillTest::f39ThePaneBeginsAtItsTop() {
    start();
    talk(QStringLiteral("Hello"));
    app()->settings()->activityShown = true;
    QTRY_VERIFY(typed("ActivityPane_QMLTYPE"));
    QQuickItem* const scrolls = scroller(typed("ActivityPane_QMLTYPE"));
    QVERIFY(scrolls);
    const auto scrollDown = [&] {
        const qreal most = scrolls->property("contentHeight").toReal() - scrolls->height();
        return most > 50 && scrolls->setProperty("contentY", most);
    };
    QTRY_VERIFY(scrollDown());
    app()->models()->close();
    app()->models()->open(model_);
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QTRY_COMPARE(scrolls->property("contentY").toReal(), 0.0);

    click(QStringLiteral("Take a first look"));
    for (int step = 0; step < 5; ++step) click(QStringLiteral("Next"));
    QTRY_VERIFY(item(QStringLiteral("Done")));
    QTRY_VERIFY(scrollDown());
    use("Done");
    QTRY_VERIFY(!item(QStringLiteral("Done")));
    QTRY_COMPARE(scrolls->property("contentY").toReal(), 0.0);
}

void WindowStillTest::f40ColoursOfTheTextMoveNothing() {
    start();
    talk(QStringLiteral("Hello"));
    app()->settings()->activityShown = true;
    const QString below = QStringLiteral("Keep for comparison");
    QTRY_VERIFY(item(below));
    QVERIFY(drawn() && drawn());
    const qreal before = topOf(below);
    app()->inspector()->tokens()->setMeasure(app::TokenMeasure::Time);
    QTRY_VERIFY(shows("the longer the token took"));
    QVERIFY(drawn() && drawn());
    QCOMPARE(topOf(below), before);
}

void WindowStillTest::f40AValueOfItsOwnMovesNoRow() {
    start();
    talk(QStringLiteral("Hello"));
    app()->commands()->run(QStringLiteral("chat.settings"));
    const QString first = QStringLiteral("Temperature"), next = QStringLiteral("Longest answer");
    QTRY_VERIFY(item(first) && item(next));
    QVERIFY(drawn() && drawn());
    const qreal before = topOf(next);
    const auto source = [this] { return shownTexts().count(QStringLiteral("Default")); };
    const qsizetype defaults = source();
    click(first, QAccessible::EditableText);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("0.5"));
    press(Qt::Key_Return);
    QTRY_COMPARE(source(), defaults - 1); // it has a value of its own now
    QVERIFY(drawn() && drawn());
    QCOMPARE(topOf(next), before);
}

/// A tip says more than the words of its button: at the lower left, the key of a page that has one.
void WindowStillTest::f40NoTipRepeatsItsButton() {
    start();
    QQuickItem* shown = nullptr;
    focusOn(QStringLiteral("Settings (Ctrl+,)"));
    QTRY_VERIFY((shown = findItem(window()->contentItem(),
                                  [](QQuickItem* at) { return at->isVisible() && at->inherits("QQuickPopupItem"); })));
    const QPointer<QObject> tip = shown->parent(); // the window has one tip for all buttons
    QCOMPARE(tip->property("text").toString(), QStringLiteral("Settings (Ctrl+,)"));
    focusOn(QStringLiteral("Bin"));
    QVERIFY(tip && tip->property("text").toString() != QStringLiteral("Bin"));
}

/// The whole title of a chat can be read in the list and among the hits of a search.
void WindowStillTest::aCutTitleHasATip() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    const QString title = QStringLiteral("A title that is longer than any line of the list of chats can be");
    app()->chats()->rename(chat, title);
    const auto tip = [this] {
        const QQuickItem* const shown = findItem(
            window()->contentItem(), [](QQuickItem* at) { return at->isVisible() && at->inherits("QQuickPopupItem"); });
        return shown ? shown->parent()->property("text").toString() : QString();
    };
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(tip(), title);
    app()->chats()->rename(chat, QStringLiteral("Short"));
    QTRY_COMPARE(tip(), QString());
    app()->chats()->rename(chat, title);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("longer"));
    QTRY_COMPARE(app()->search()->count(), 1);
    press(Qt::Key_Down); // to the hit
    QTRY_COMPARE(tip(), title);
}

/// It stood above the button, over the words of the answer that the button had just brought. Something is on each side
/// of the button: the answer's figures, below it, matter least.
void WindowStillTest::aTipCoversNoWords() {
    start("words"); // a short answer, with room below
    talk(QStringLiteral("Hello"));
    const app::MessageModel& messages = *app()->conversation()->messages();
    app()->conversation()->actions()->regenerate(messages.index(1).data(MessageModel::MessageIdRole).toLongLong());
    const QString before = QStringLiteral("Show the version before");
    QTRY_VERIFY(item(before));
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY(drawn() && drawn());
    focusOn(before);
    QTRY_VERIFY(tipInView());
    QCOMPARE(tipInView()->parent()->property("text").toString(), before);
    QVERIFY(!textsBelow(tipInView()).contains(QStringLiteral("a message")));
}

/// It was there before the bar, and lay over its button.
void WindowStillTest::aTipMakesRoomForABar() {
    start();
    app()->settings()->fontScale = 2;
    window()->resize(640, 600);
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    type(QStringLiteral("words"));
    focusOn(QStringLiteral("Send (Enter)"));
    QTRY_VERIFY(tipInView());
    app()->undo()->undo();
    QTRY_VERIFY(item(QStringLiteral("Redo")));
    QVERIFY(drawn() && drawn());
    const auto place = [](const QQuickItem* of) { return of->mapRectToScene(QRectF(0, 0, of->width(), of->height())); };
    QTRY_VERIFY(tipInView());
    QVERIFY(!place(tipInView()).intersects(place(item(QStringLiteral("Redo")))));
}

void WindowStillTest::aBarCoversNoWordsAtTheEnd_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("still");
    QTest::newRow("usual texts") << QSize(900, 700) << 1.0 << true;
    QTest::newRow("the smallest window") << QSize(640, 440) << 1.0 << true;
    QTest::newRow("large texts") << QSize(1400, 900) << 2.0 << true;
    QTest::newRow("large texts in a low window") << QSize(640, 520) << 2.0 << false; // no room is kept there
}

/// The room for the bar is there before the bar, so that nothing moves when it appears.
void WindowStillTest::aBarCoversNoWordsAtTheEnd() {
    QFETCH(const QSize, size);
    QFETCH(const double, scale);
    QFETCH(const bool, still);
    start();
    window()->resize(size);
    app()->settings()->fontScale = scale;
    for (int i = 0; i < 4; ++i) talk(QStringLiteral("Hello"));
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    QTRY_VERIFY(list->property("contentHeight").toReal() > list->height());
    QTRY_VERIFY(list->property("atEnd").toBool());
    QVERIFY(drawn() && drawn());
    const QList<QRectF> before = places();
    app()->undo()->undo();
    const QQuickItem* bar = nullptr;
    QTRY_VERIFY((bar = typed("UndoBar_QMLTYPE")));
    QVERIFY(drawn() && drawn());
    QTRY_VERIFY(list->property("atEnd").toBool());
    if (still) QCOMPARE(places(), before);
    QCOMPARE(textsBelow(bar), QStringList());
}

/// The focus comes to the button that goes back: its tip covered the heading below, though nobody had asked for it.
void WindowStillTest::aPageThatOpensShowsNoTip() {
    start();
    talk(QStringLiteral("Hello"));
    focusOn(QStringLiteral("Settings (Ctrl+,)"));
    QTRY_VERIFY(tipInView());
    const QPointer<QObject> tip = tipInView()->parent(); // the window has one tip for all buttons
    const auto control = [&tip] { return tip->property("parent").value<QQuickItem*>(); };
    press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    const QString back = QStringLiteral("Back to the conversation");
    QTRY_VERIFY(item(back) && item(back)->hasActiveFocus());
    QVERIFY(drawn());
    QVERIFY(tip && control() != item(back));
    press(Qt::Key_Tab);
    QVERIFY(!item(back)->hasActiveFocus());
    press(Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(item(back)->hasActiveFocus());
    QTRY_VERIFY(tipInView()); // a person came here
    QCOMPARE(control(), item(back));
}

/// After a click on ">" that leads to the last version, the focus goes to "<". Its tip lay over the figures.
void WindowStillTest::k17AClickOnAVersionShowsNoTip() {
    const QString before = QStringLiteral("Show the version before"), next = QStringLiteral("Show the next version");
    start("words");
    talk(QStringLiteral("Hello"));
    const app::MessageModel& messages = *app()->conversation()->messages();
    app()->conversation()->actions()->regenerate(messages.index(1).data(MessageModel::MessageIdRole).toLongLong());
    QTRY_VERIFY(item(before));
    QTRY_VERIFY(!app()->conversation()->busy());
    focusOn(QStringLiteral("Settings (Ctrl+,)"));
    QTRY_VERIFY(tipInView());
    const QPointer<QObject> tip = tipInView()->parent(); // the window has one tip for all buttons
    const auto control = [&tip] { return tip->property("parent").value<QQuickItem*>(); };
    click(before);
    QTRY_VERIFY(item(next)->isEnabled() && item(next)->hasActiveFocus());
    click(next);
    QTRY_VERIFY(item(before)->hasActiveFocus());
    QVERIFY(drawn());
    QVERIFY(tip && control() != item(before));
    press(Qt::Key_Backtab, Qt::ShiftModifier);
    press(Qt::Key_Tab);
    QVERIFY(item(before)->hasActiveFocus());
    QTRY_COMPARE(control(), item(before)); // a person came here
    press(Qt::Key_Space);
    QTRY_VERIFY(item(next)->hasActiveFocus());
    QTRY_COMPARE(control(), item(next)); // and goes on by keys
}

void WindowStillTest::aTipLeavesWithItsControl() {
    start();
    window()->resize(640, 440);
    app()->settings()->theme = QStringLiteral("dark");
    app()->pages()->open(app::Pages::Settings);
    focusOn(QStringLiteral("Reset Theme to its default"));
    QTRY_VERIFY(tipInView());
    press(Qt::Key_PageDown);
    press(Qt::Key_PageDown);
    QTRY_VERIFY(!tipInView());
}

void WindowStillTest::aQuestionInTheBinMovesNoRow_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("usual") << QSize(1300, 860) << 1.0;
    QTest::newRow("large text, narrow") << QSize(640, 860) << 2.0;
}

void WindowStillTest::aQuestionInTheBinMovesNoRow() {
    QFETCH(const QSize, size);
    QFETCH(const double, scale);
    start();
    window()->resize(size);
    app()->settings()->fontScale = scale;
    fillTheBin();
    const QString below = QStringLiteral("Restore One");
    QTRY_VERIFY(item(below));
    QVERIFY(drawn() && drawn());
    const qreal before = topOf(below);
    use("Empty the bin");
    QTRY_VERIFY(item(QStringLiteral("Keep everything")));
    QVERIFY(drawn() && drawn());
    QCOMPARE(topOf(below), before);
    if (scale <= 1) QCOMPARE(topOf(QStringLiteral("Keep everything")), topOf(QStringLiteral("Erase everything")));
    use("Keep everything");
    use("Erase Two");
    QTRY_VERIFY(item(QStringLiteral("Erase for good")));
    QVERIFY(drawn() && drawn());
    QCOMPARE(topOf(below), before);
}

void WindowStillTest::f40TheUsualTextSizeHasAKey() {
    start();
    for (int i = 0; i < 3; ++i) press(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(app()->settings()->fontScale() > 1.1);
    press(Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(app()->settings()->fontScale(), 1.0);
}

/// A line of figures that breaks does so between two figures.
void WindowStillTest::g11UnitsStayWithTheirNumbers() {
    start();
    talk(QStringLiteral("Hello"));
    window()->resize(640, 700);
    app()->settings()->fontScale = 1.6;
    const QQuickItem* figures = nullptr;
    QTRY_VERIFY((figures = findItem(window()->contentItem(), [](const QQuickItem* at) {
                     return at->isVisible() && at->property("lineCount").toInt() > 1 &&
                            at->property("text").toString().contains(QStringLiteral("tok/"));
                 })));
    const QString text = figures->property("text").toString();
    QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("[0-9] [^\u00b7]"))), qPrintable(text));
    QVERIFY(shows(" tokens \u00b7 ")); // a screen reader gets plain spaces
}

/// In a wide window nothing is beside the text: the figures of an answer that is not the last one are whole there.
void WindowStillTest::earlierFiguresGoOnBesideTheText() {
    start("from-disk");
    window()->resize(2600, 900);
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    QQuickItem* text = nullptr;
    QTRY_VERIFY((text = findItem(message(1), [](QQuickItem* at) { return qobject_cast<app::MessageText*>(at); })));
    text->forceActiveFocus(Qt::TabFocusReason); // shows them
    QQuickItem* figures = nullptr;
    QTRY_VERIFY((figures = findItem(message(1), [](QQuickItem* at) {
                     return at->inherits("QQuickText") && at->isVisible() &&
                            at->property("text").toString().startsWith(QStringLiteral("Scripted"));
                 })));
    QTRY_COMPARE(figures->opacity(), 1.0);
    const QString all = QAccessible::queryAccessibleInterface(figures)->text(QAccessible::Name);
    QVERIFY(all.contains(QStringLiteral("waiting for the disk")));
    QCOMPARE(figures->property("text").toString(), all);
    QVERIFY(figures->implicitWidth() > figures->parentItem()->width()); // they would be cut beside the buttons
}

/// It was 4 px below the buttons and figures of the answer before it.
void WindowStillTest::theNextMessageKeepsItsDistance() {
    constexpr qreal kUsual = 16; // Style.large, which the latest answer keeps below
    start();
    window()->resize(900, 1400); // all of it is in view
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    const auto placeIn = [this](int row, const std::function<bool(QQuickItem*)>& matches) {
        const QQuickItem* const found = findItem(message(row), matches);
        return found ? found->mapRectToScene(QRectF(0, 0, found->width(), found->height())) : QRectF();
    };
    const auto distance = [&] {
        const QRectF buttons = placeIn(1, [](QQuickItem* at) {
            return at->isVisible() && at->property("text").toString() == QStringLiteral("More actions");
        });
        const QRectF bubble =
            placeIn(2, [](QQuickItem* at) { return at->isVisible() && at->inherits("QQuickRectangle"); });
        return buttons.isEmpty() || bubble.isEmpty() ? -1 : bubble.top() - buttons.bottom();
    };
    QTRY_COMPARE(distance(), kUsual);
}

void WindowStillTest::theEndStaysInView_data() {
    QTest::addColumn<QString>("change");
    for (const char* change : {"another version", "undo", "a card", "a waiting message"})
        QTest::newRow(change) << QString::fromLatin1(change);
}

/// Whoever is at the end stays there when the last answer grows, when the view gets lower, and when messages come. The
/// list kept the last prompt in its place instead, and let go of its end.
void WindowStillTest::theEndStaysInView() {
    QFETCH(const QString, change);
    start();
    window()->resize(900, 560);
    for (int i = 0; i < 3; ++i) talk(QStringLiteral("Hello"));
    app::MessageActions& actions = *app()->conversation()->actions();
    const app::MessageModel& messages = *app()->conversation()->messages();
    const qint64 answer = messages.lastId();
    actions.beginEdit(answer);
    actions.setEditText(answer, QStringLiteral("Short"));
    actions.keepEdit(answer);
    QTRY_VERIFY(messages.lastId() != answer);
    press(Qt::Key_J, Qt::ControlModifier);
    press(Qt::Key_L, Qt::ControlModifier);
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    const auto atEnd = [list] { return list->property("atEnd").toBool(); };
    QVERIFY(drawn() && drawn());
    QTRY_VERIFY(atEnd());
    QVERIFY(list->property("contentHeight").toReal() > list->height());
    if (change == QStringLiteral("undo")) {
        QVERIFY(app()->undo()->undo());
    } else {
        press(Qt::Key_Left, Qt::AltModifier);
    }
    QTRY_COMPARE(messages.lastId(), answer);
    QVERIFY(drawn() && drawn());
    QTRY_VERIFY(atEnd());
    if (change == QStringLiteral("a card")) {
        app()->settings()->setValue(QStringLiteral("systemPrompt"), QString(5000, u's'));
        press(Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(shows("Another answer has no room in the context. "));
    } else if (change == QStringLiteral("a waiting message")) {
        sendAWaitingMessage();
    }
    QVERIFY(drawn() && drawn());
    QTRY_VERIFY(atEnd());
    QVERIFY(!item(QStringLiteral("Jump to latest")));
}

int main(int argc, char** argv) { return runWindowTest<WindowStillTest>(argc, argv); }

#include "tst_window_still.moc"
