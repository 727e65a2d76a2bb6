// SPDX-License-Identifier: Apache-2.0
// Other sizes of the texts and of the window: with the size that there was before, everything is where it was, a reader
// who is at the end of a chat stays there, and the largest texts have room in the smallest window.
// tst_window_places.cpp checks the places at each size alone.
#include "current_hit.h"
#include "text_checks.h"
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

class WindowSizesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void theFirstPageIsAsBefore();
    void settingsThatWereSearchedAreAsBefore();
    void aReaderAtTheEndStaysThere_data();
    void aReaderAtTheEndStaysThere();
    void theFocusIsInViewOnAFirstPage_data();
    void theFocusIsInViewOnAFirstPage();
    void aNewChatBeginsAtTheTopOfItsPage();
    void theConversationKeepsThreeLines_data();
    void theConversationKeepsThreeLines();
    void largeTextsFitTheSmallestWindow_data();
    void largeTextsFitTheSmallestWindow();
    void aRowOfTheBinHasRoomForItsWords();
    void questionsFitTheSmallestWindow_data();
    void questionsFitTheSmallestWindow();
    void g9TheCrossOfACardStaysInView();
    void theQuestionOfATemporaryChatIsWhole_data();
    void theQuestionOfATemporaryChatIsWhole();
    void aBarHasTheWidthOfItsWords();
    void aFoundPlaceIsSeenInALowPane_data();
    void aFoundPlaceIsSeenInALowPane();
    void theFocusLeavesATitleThatGivesWay();
    void aCardWithoutAPlaceIsInAPopup_data();
    void aCardWithoutAPlaceIsInAPopup();
    void aCardIsDismissedInItsPopup();
    void eachPartHasALineOrNoPlace_data();
    void eachPartHasALineOrNoPlace();
    void onePartScrollsAtMost();
    void theFieldStaysInTheWindow_data();
    void theFieldStaysInTheWindow();
    void theListOfChatsKeepsItsRows();

  private:
    QQuickItem* byType(const char* type) const {
        return findItem(window()->contentItem(), [type](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith(type);
        });
    }
    static QRectF placeOf(const QQuickItem* of) { return of->mapRectToScene(QRectF(0, 0, of->width(), of->height())); }
    /// One line for each text that is shown on the page, with its place.
    QStringList places(const char* page) const {
        QStringList lines;
        if (const QQuickItem* const found = byType(page)) addPlaces(found, lines);
        return lines;
    }
    static void addPlaces(const QQuickItem* item, QStringList& lines) {
        if (!item->isVisible() || item->opacity() == 0) return;
        const QString text = item->property("text").toString().simplified();
        if (item->inherits("QQuickText") && !text.isEmpty()) {
            const QRectF at = placeOf(item);
            lines.append(QStringLiteral("%1 at %2, %3").arg(text).arg(at.x()).arg(at.y()));
        }
        for (const QQuickItem* child : item->childItems()) addPlaces(child, lines);
    }
    /// Waits until all texts are there again; the failure names the first difference.
    void compare(const QStringList& before, const char* page) {
        const auto same = [&] { return drawn() && places(page) == before; };
        if (QTest::qWaitFor(same, kSettleMs)) return;
        const QStringList now = places(page);
        QCOMPARE(now.size(), before.size());
        for (qsizetype i = 0; i < now.size(); ++i) QCOMPARE(now[i], before[i]);
    }
    void enlarge(int steps) {
        for (int i = 0; i < steps; ++i) {
            press(Qt::Key_Plus, Qt::ControlModifier);
            QVERIFY(drawn());
        }
    }
    void resize(int width, int height) {
        window()->resize(width, height);
        QTRY_COMPARE(window()->contentItem()->size(), QSizeF(width, height));
        QVERIFY(drawn());
    }
    /// The largest texts in the smallest window.
    void crowd() {
        app()->settings()->fontScale = 2;
        resize(640, 440);
    }
    /// Brings something between the conversation and the field for messages.
    void fill(const QByteArray& above, int waiting) {
        if (above == "queue") {
            press(Qt::Key_L, Qt::ControlModifier);
            type(QStringLiteral("Hello"));
            press(Qt::Key_Return);
            control_->allow(8 + 4);
            QTRY_VERIFY(app()->conversation()->state() == app::Conversation::Writing);
            for (int i = 0; i < waiting; ++i)
                QVERIFY(app()->conversation()->queue()->add(QStringLiteral("Message %1, which waits").arg(i)));
            QTRY_VERIFY(byType("PromptQueueView_QMLTYPE"));
            return;
        }
        control_->allowAll();
        if (above == "tool") {
            app()->settings()->setValue(QStringLiteral("tools"), true);
            app()->conversation()->send(QStringLiteral("Sum"));
            QTRY_VERIFY(item(QStringLiteral("Never")));
            return;
        }
        if (above == "strip") press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        talk(QStringLiteral("Hello"));
        if (above == "card") QTRY_VERIFY(app()->conversation()->context()->full());
        if (above == "strip") QTRY_VERIFY(byType("TemporaryStrip_QMLTYPE"));
    }
    /// The parts around the messages, as far as they have a place.
    QList<const QQuickItem*> partsInView() const {
        QList<const QQuickItem*> parts;
        findItem(window()->contentItem(), [&](const QQuickItem* at) {
            if (!at->isVisible() || at->height() <= 0) return false;
            for (const char* type :
                 {"FindBar_QMLTYPE", "TemporaryStrip_QMLTYPE", "ScrollBox_QMLTYPE", "PromptQueueView_QMLTYPE"})
                if (QByteArray(at->metaObject()->className()).startsWith(type)) parts.append(at);
            return false;
        });
        return parts;
    }
    /// Whether it has an area with more in it than is in view.
    static bool scrolls(QQuickItem* part) {
        return findItem(part, [](const QQuickItem* at) {
                   return at->isVisible() &&
                          QByteArray(at->metaObject()->className()).startsWith("ScrollArea_QMLTYPE") &&
                          at->property("contentHeight").toDouble() > at->height() + 1;
               }) != nullptr;
    }
    /// Opens a second chat, or shows what was said in the first one only.
    void talkIn(bool two, bool temporary) {
        talk(QStringLiteral("Hello"));
        if (two) press(Qt::Key_Backslash, Qt::ControlModifier);
        if (temporary) press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        if (two || temporary) talk(QStringLiteral("Again"));
        QCOMPARE(app()->panes()->split(), two);
        QCOMPARE(app()->conversation()->temporary(), temporary);
    }
    QRectF wholeWindow() const { return {QPointF(), QSizeF(window()->size())}; }

    // A text in a wrong place stays there, so a short wait is enough: a longer one only delays the failure.
    static constexpr int kSettleMs = 5000;

    const QString kHelp = QStringLiteral("No room: see what helps"); ///< stands for a card that has no place
};

void WindowSizesTest::theFirstPageIsAsBefore() {
    start("story", false, true);
    resize(1300, 860);
    QTRY_VERIFY(shows("Try the demo model"));
    QVERIFY(drawn() && drawn());
    const QStringList before = places("DemoStart_QMLTYPE");
    enlarge(16);
    QCOMPARE(app()->settings()->fontScale(), 2.0);
    press(Qt::Key_0, Qt::ControlModifier);
    compare(before, "DemoStart_QMLTYPE");
}

/// A layout that gave up while all rows came back at once kept the sizes that they had then.
void WindowSizesTest::settingsThatWereSearchedAreAsBefore() {
    start("story", false, true);
    resize(1300, 860);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(shows("Search in settings"));
    QVERIFY(drawn() && drawn());
    const QStringList before = places("SettingsPage_QMLTYPE");
    type(QStringLiteral("dark"));
    for (const int key : {Qt::Key_Tab, Qt::Key_Tab, Qt::Key_Escape}) press(key);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    enlarge(12);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QVERIFY(drawn());
    press(Qt::Key_Escape); // empties the field
    QVERIFY(drawn() && drawn());
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    press(Qt::Key_M, Qt::ControlModifier);
    QVERIFY(drawn());
    press(Qt::Key_0, Qt::ControlModifier);
    QVERIFY(drawn());
    press(Qt::Key_Escape);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_COMPARE(app()->pages()->current(), Pages::Settings);
    compare(before, "SettingsPage_QMLTYPE");
}

void WindowSizesTest::aReaderAtTheEndStaysThere_data() {
    QTest::addColumn<bool>("texts");
    QTest::newRow("larger texts") << true;
    QTest::newRow("a smaller window") << false;
}

/// Moving through a chat that is all in view lets go of its end, but the reader still sees it.
void WindowSizesTest::aReaderAtTheEndStaysThere() {
    QFETCH(const bool, texts);
    start("words");
    resize(1300, 860);
    talk(QStringLiteral("Hello"));
    talk(QStringLiteral("Again"));
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    QVERIFY(list && list->property("contentHeight").toDouble() <= list->height());
    press(Qt::Key_PageUp);
    QTRY_VERIFY(!list->property("following").toBool());
    if (texts)
        enlarge(12);
    else
        resize(640, 440);
    QTRY_VERIFY(list->property("contentHeight").toDouble() > list->height());
    QTRY_VERIFY(list->property("atEnd").toBool());
    QVERIFY(drawn());
    QVERIFY(list->property("atEnd").toBool() && !item(QStringLiteral("Jump to latest")));
    press(Qt::Key_PageUp); // it is no longer the end that is read
    QTRY_VERIFY(!list->property("atEnd").toBool());
    resize(700, 500);
    QVERIFY(drawn());
    QVERIFY(!list->property("atEnd").toBool());
}

void WindowSizesTest::theFocusIsInViewOnAFirstPage_data() {
    QTest::addColumn<bool>("guide");
    QTest::newRow("no model") << false;
    QTest::newRow("the demo model") << true;
}

void WindowSizesTest::theFocusIsInViewOnAFirstPage() {
    QFETCH(const bool, guide);
    start("story", false, guide);
    resize(640, 440);
    const QQuickItem* page = nullptr;
    QTRY_VERIFY((page = byType(guide ? "DemoStart_QMLTYPE" : "FirstStart_QMLTYPE")));
    QVERIFY(drawn());
    int visited = 0;
    for (int tabs = 0; tabs < 60; ++tabs) {
        press(Qt::Key_Tab);
        const QQuickItem* const focus = window()->activeFocusItem();
        QVERIFY(focus);
        if (!page->isAncestorOf(focus)) continue;
        ++visited;
        QVERIFY2(placeOf(page).contains(placeOf(focus)), qPrintable(focus->property("text").toString()));
    }
    QVERIFY(visited > 0);
}

void WindowSizesTest::aNewChatBeginsAtTheTopOfItsPage() {
    start("story", false, true);
    resize(640, 440);
    QTRY_VERIFY(byType("DemoStart_QMLTYPE"));
    QVERIFY(drawn());
    const auto title = [this] {
        const QQuickItem* const found = item(QStringLiteral("Try the demo model"));
        return found ? placeOf(found).top() : -1;
    };
    const double top = title();
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_End);
    QTRY_VERIFY(title() < top);
    talk(QStringLiteral("Hello"));
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(byType("DemoStart_QMLTYPE"));
    QTRY_COMPARE(title(), top);
}

void WindowSizesTest::theConversationKeepsThreeLines_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("draft");
    for (const char* script : {"story", "from-disk"}) {
        QTest::addRow("%s, no text", script) << QByteArray(script) << QString();
        QTest::addRow("%s, a line", script) << QByteArray(script) << QStringLiteral("words");
        QTest::addRow("%s, many lines", script) << QByteArray(script) << QStringLiteral("words\n").repeated(30);
    }
}

void WindowSizesTest::theConversationKeepsThreeLines() {
    QFETCH(const QByteArray, script);
    QFETCH(const QString, draft);
    constexpr double kThreeLines = 3 * 1.5 * 15 * 2; // Style.bodyLine, Style.bodySize
    start(script.constData());
    crowd();
    talk(QStringLiteral("Hello"));
    app()->conversation()->setDraft(draft);
    QVERIFY(drawn() && drawn());
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    const QQuickItem* const field = namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText);
    QVERIFY(list && field);
    QVERIFY2(list->height() > kThreeLines - 2, qPrintable(QString::number(list->height())));
    const QQuickItem* const view = field->parentItem()->parentItem(); // a long text scrolls in it
    QVERIFY(wholeWindow().contains(placeOf(view)) && placeOf(view).height() >= 15 * 2);
    QCOMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
}

void WindowSizesTest::largeTextsFitTheSmallestWindow_data() {
    QTest::addColumn<int>("page");
    QTest::newRow("models") << int(Pages::Models);
    QTest::newRow("settings") << int(Pages::Settings);
    QTest::newRow("settings of the chat") << int(Pages::ChatSettings);
    QTest::newRow("bin") << int(Pages::Bin);
    QTest::newRow("activity") << int(Pages::Activity);
}

void WindowSizesTest::largeTextsFitTheSmallestWindow() {
    QFETCH(const int, page);
    start("from-disk");
    talk(QStringLiteral("Two"));
    app()->chats()->remove(app()->conversation()->chatId());
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Hello"));
    app()->settings()->allSettings = true;
    crowd();
    app()->pages()->open(static_cast<Pages::Page>(page));
    QVERIFY(drawn() && drawn());
    QTRY_COMPARE(textFindings(window()), QStringList());
    if (page != Pages::Bin) return;
    for (const char* question : {"Erase Two", "Empty the bin"}) {
        use(question);
        QVERIFY(drawn() && drawn());
        QTRY_COMPARE(textFindings(window()), QStringList());
    }
}

/// Beside its buttons, the words had room for a few letters on a line.
void WindowSizesTest::aRowOfTheBinHasRoomForItsWords() {
    start();
    talk(QStringLiteral("Two"));
    app()->chats()->remove(app()->conversation()->chatId());
    app()->pages()->open(Pages::Bin);
    const auto words = [this] {
        return findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && at->property("text").toString().startsWith(QStringLiteral("Chat, deleted today"));
        });
    };
    const QString restore = QStringLiteral("Restore Two");
    QTRY_VERIFY(words() && item(restore));
    QVERIFY(drawn() && drawn());
    QVERIFY(placeOf(words()).right() < placeOf(item(restore)).left());
    crowd();
    QVERIFY(drawn() && drawn());
    QVERIFY(placeOf(words()).bottom() <= placeOf(item(restore)).top());
    QVERIFY(placeOf(words()).width() > 400);
}

void WindowSizesTest::questionsFitTheSmallestWindow_data() {
    QTest::addColumn<bool>("tool");
    QTest::newRow("a temporary chat") << false;
    QTest::newRow("a tool") << true;
}

/// Each button comes into view with the focus. The field for messages stays there, or gives way to the question.
void WindowSizesTest::questionsFitTheSmallestWindow() {
    QFETCH(const bool, tool);
    start(tool ? "tools" : "story");
    crowd();
    control_->allowAll();
    if (tool) {
        app()->settings()->setValue(QStringLiteral("tools"), true);
        app()->conversation()->send(QStringLiteral("Sum"));
    } else {
        press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        talk(QStringLiteral("secret"));
        press(Qt::Key_N, Qt::ControlModifier);
    }
    const QStringList buttons = tool ? QStringList{"Allow once", "Always allow", "Not now", "Never", "Stop"}
                                     : QStringList{"Keep this chat", "Delete it", "Stay here"};
    QTRY_VERIFY(item(buttons.constLast()));
    const QQuickItem* const field = namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText);
    QVERIFY(field || !tool);
    for (const QString& button : buttons) {
        focusOn(button);
        QVERIFY(drawn() && drawn());
        const QQuickItem* const found = item(button);
        QVERIFY2(found && found->hasActiveFocus(), qPrintable(button));
        QVERIFY2(wholeWindow().contains(placeOf(found)), qPrintable(button));
        QVERIFY2(!field || !placeOf(found).intersects(placeOf(field)), qPrintable(button));
    }
    QVERIFY(!field || wholeWindow().contains(placeOf(field)));
    QTRY_COMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
}

/// The card is higher than its place here: whoever had read it to its end had to scroll back to close it.
void WindowSizesTest::g9TheCrossOfACardStaysInView() {
    start();
    talk(QStringLiteral("Hello"));
    crowd();
    app()->models()->open(QDir(fixture_->dataFolder()).filePath(QStringLiteral("none.gguf")));
    const QString cross = QStringLiteral("Dismiss");
    QTRY_VERIFY(item(cross));
    QVERIFY(drawn() && drawn());
    QQuickItem* area = item(cross);
    while (area && !area->inherits("QQuickFlickable")) area = area->parentItem();
    QVERIFY(area);
    const double hidden = area->property("contentHeight").toDouble() - area->height();
    QVERIFY2(hidden > 0, qPrintable(QString::number(hidden)));
    for (const double share : {0.0, 0.5, 1.0}) {
        QVERIFY(area->setProperty("contentY", share * hidden));
        QVERIFY(drawn());
        QVERIFY2(placeOf(area).contains(placeOf(item(cross))), qPrintable(QString::number(share)));
    }
    item(cross)->forceActiveFocus(Qt::TabFocusReason);
    QVERIFY(drawn() && drawn());
    QCOMPARE(area->property("contentY").toDouble(), hidden); // nothing moves for a button that is in view
    click(cross);
    QTRY_VERIFY(!item(cross));
}

void WindowSizesTest::theQuestionOfATemporaryChatIsWhole_data() {
    QTest::addColumn<QByteArray>("beside");
    QTest::addColumn<int>("key");
    QTest::newRow("a new chat") << QByteArray() << int(Qt::Key_N);
    QTest::newRow("the end of the program") << QByteArray() << int(Qt::Key_Q);
    QTest::newRow("beside a card") << QByteArray("card") << int(Qt::Key_N);
    QTest::newRow("beside the search") << QByteArray("search") << int(Qt::Key_Q);
}

/// Its area showed two of three answers and not a word of the question.
void WindowSizesTest::theQuestionOfATemporaryChatIsWhole() {
    QFETCH(const QByteArray, beside);
    QFETCH(const int, key);
    start(beside == "card" ? "context-full" : "story");
    crowd();
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    talk(QStringLiteral("secret"));
    if (beside == "card") QTRY_VERIFY(item(kHelp));
    if (beside == "search") press(Qt::Key_F, Qt::ControlModifier);
    QVERIFY(drawn());
    const QQuickItem* const before = window()->activeFocusItem();
    press(key, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Stay here")));
    QVERIFY(drawn() && drawn());
    QQuickItem* const strip = byType("TemporaryStrip_QMLTYPE");
    const QQuickItem* const words = findItem(strip, [](const QQuickItem* at) {
        return at->inherits("QQuickText") &&
               at->property("text").toString().startsWith(QStringLiteral("Keep it among"));
    });
    QVERIFY(strip && words);
    const QRectF room = placeOf(strip).adjusted(-1, -1, 1, 1);
    QVERIFY(wholeWindow().contains(placeOf(strip)));
    QVERIFY(room.contains(placeOf(words)));
    for (const char* name : {"Keep this chat", "Delete it", "Stay here"}) {
        const QQuickItem* const button = item(QString::fromLatin1(name));
        QVERIFY2(button && room.contains(placeOf(button)), name);
        QVERIFY2(placeOf(button).top() >= placeOf(words).bottom(), name);
    }
    QVERIFY(window()->activeFocusItem() == item(QStringLiteral("Keep this chat")));
    const auto field = [this] { return namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText); };
    QVERIFY(!field()); // the question has its room: the field would lie over the last line of the window
    for (const QQuickItem* part : partsInView())
        QVERIFY2(part == strip || !placeOf(part).intersects(placeOf(strip)), part->metaObject()->className());
    QTRY_COMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
    press(Qt::Key_L, Qt::ControlModifier); // a field that is not shown gets no words
    QVERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    click(QStringLiteral("Stay here"));
    QTRY_VERIFY(!item(QStringLiteral("Delete it")));
    QTRY_VERIFY(window()->activeFocusItem() == before && before->isVisible());
    QVERIFY(field());
}

/// The bar that is in view while the texts get larger kept the width of the smaller ones, and broke its words.
void WindowSizesTest::aBarHasTheWidthOfItsWords() {
    constexpr double kOneLine = 72 + 2 * 4; // Style.noticeHeight with the largest texts
    start();
    talk(QStringLiteral("Hello"));
    enlarge(10);
    QCOMPARE(app()->settings()->fontScale(), 2.0);
    QTRY_VERIFY(byType("UndoBar_QMLTYPE"));
    QVERIFY(drawn() && drawn());
    QCOMPARE(placeOf(byType("UndoBar_QMLTYPE")).height(), kOneLine);
}

void WindowSizesTest::aFoundPlaceIsSeenInALowPane_data() {
    QTest::addColumn<bool>("two");
    QTest::addColumn<bool>("temporary");
    QTest::newRow("one chat") << false << false;
    QTest::newRow("two chats") << true << false;
    QTest::newRow("a temporary chat") << false << true;
    QTest::newRow("a temporary chat beside another one") << true << true;
}

/// The bar of the search stood at the edge of the field: no line of the chat was left, and the bar of undo lay over the
/// count.
void WindowSizesTest::aFoundPlaceIsSeenInALowPane() {
    QFETCH(const bool, two);
    QFETCH(const bool, temporary);
    constexpr double kLine = 1.5 * 15 * 2; // Style.bodyLine, Style.bodySize
    start();
    talkIn(two, temporary);
    crowd();
    const QQuickItem* const title = byType("PaneTitle_QMLTYPE");
    const QQuickItem* const status = byType("StatusLine_QMLTYPE");
    QVERIFY(status && !title == !two);
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("keeper"));
    QTRY_VERIFY(!app()->conversation()->find()->searching() && app()->conversation()->find()->count() > 0);
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    QQuickItem* const bar = byType("FindBar_QMLTYPE");
    QVERIFY(list && bar);
    const auto seen = [&] {
        const QRectF hit = currentHit(window());
        return !hit.isEmpty() && placeOf(list).contains(hit) && placeOf(list).height() >= 2 * kLine;
    };
    for (int i = 0; i < 3; ++i) {
        press(Qt::Key_F3);
        QVERIFY(drawn());
        QTRY_VERIFY(seen());
    }
    QVERIFY(!status->isVisible() && (!title || !title->isVisible()));
    QVERIFY(placeOf(list).top() >= placeOf(bar).bottom() - 1);
    QCOMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());

    press(Qt::Key_Minus, Qt::ControlModifier); // brings the bar of undo
    QTRY_VERIFY(byType("UndoBar_QMLTYPE"));
    QVERIFY(drawn() && drawn());
    const QRectF undo = placeOf(byType("UndoBar_QMLTYPE"));
    QVERIFY(!undo.intersects(placeOf(bar)) && wholeWindow().contains(undo));
    press(Qt::Key_F3);
    QVERIFY(drawn());
    QTRY_VERIFY(seen() && !currentHit(window()).intersects(undo));
    press(Qt::Key_Escape);
    QTRY_VERIFY(status->isVisible() && (!title || title->isVisible()));
}

void WindowSizesTest::theFocusLeavesATitleThatGivesWay() {
    start();
    talkIn(true, false);
    resize(640, 440);
    press(Qt::Key_F, Qt::ControlModifier);
    QQuickItem* const title = byType("PaneTitle_QMLTYPE");
    QVERIFY(title);
    QQuickItem* const button =
        findItem(title, [](const QQuickItem* at) { return at->isVisible() && at->inherits("QQuickButton"); });
    QVERIFY(button);
    button->forceActiveFocus(Qt::TabFocusReason);
    QVERIFY(button->hasActiveFocus());
    crowd();
    QTRY_VERIFY(!title->isVisible());
    QTRY_VERIFY(window()->activeFocusItem() == item(QStringLiteral("Words to find in this chat")));
}

void WindowSizesTest::aCardWithoutAPlaceIsInAPopup_data() {
    QTest::addColumn<bool>("two");
    QTest::addColumn<bool>("temporary");
    QTest::addColumn<QSize>("size");
    const QSize least(640, 440), more(640, 560);
    QTest::newRow("one chat") << false << false << least;
    QTest::newRow("one chat in a higher window") << false << false << more;
    QTest::newRow("two chats") << true << false << least;
    QTest::newRow("a temporary chat beside another one") << true << true << least;
    QTest::newRow("the same in a higher window") << true << true << more;
}

/// It was cut in the middle of a sentence, without its buttons, or was not there at all: Enter did nothing then.
void WindowSizesTest::aCardWithoutAPlaceIsInAPopup() {
    QFETCH(const bool, two);
    QFETCH(const bool, temporary);
    QFETCH(const QSize, size);
    start("context-full");
    talkIn(two, temporary);
    QTRY_VERIFY(app()->conversation()->context()->offers(app::ContextView::LeaveOutOldest));
    QTRY_VERIFY(byType("NoRoomCard_QMLTYPE") && !item(kHelp)); // it has a place in a usual window
    app()->settings()->fontScale = 2;
    resize(size.width(), size.height());
    QTRY_VERIFY(item(kHelp));
    QVERIFY(drawn() && drawn());
    QVERIFY(!byType("NoRoomCard_QMLTYPE") && wholeWindow().contains(placeOf(item(kHelp))));
    press(Qt::Key_L, Qt::ControlModifier);
    QQuickItem* const field = window()->activeFocusItem();
    type(QStringLiteral("And then?"));
    QTRY_VERIFY(!app()->conversation()->context()->draftFits());
    QVERIFY(drawn() && drawn());
    QCOMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
    const auto shown = [this] {
        const QQuickItem* const card = byType("NoRoomCard_QMLTYPE");
        return card && wholeWindow().contains(placeOf(card));
    };
    press(Qt::Key_Return);
    QTRY_VERIFY(shown());
    QVERIFY(drawn() && drawn());
    QVERIFY(shows("The context is full. The conversation is"));
    QCOMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shown());
    QTRY_VERIFY(window()->activeFocusItem() == field);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("And then?"));

    for (int tabs = 0; tabs < 20 && window()->activeFocusItem() != item(kHelp); ++tabs) press(Qt::Key_Tab);
    QVERIFY(window()->activeFocusItem() == item(kHelp));
    press(Qt::Key_Return);
    QTRY_VERIFY(shown());
    press(Qt::Key_Tab);
    QTRY_VERIFY(window()->activeFocusItem() == item(QStringLiteral("Continue without the oldest turns")));
    press(Qt::Key_Return);
    QTRY_VERIFY(!app()->conversation()->context()->full());
    QTRY_VERIFY(!shown() && !item(kHelp));
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
}

void WindowSizesTest::aCardIsDismissedInItsPopup() {
    start("context-full");
    talk(QStringLiteral("Hello"));
    crowd();
    QTRY_VERIFY(app()->conversation()->countedTokens() > 0);
    const qint64 counted = app()->conversation()->countedTokens();
    app()->settings()->setValue(QStringLiteral("systemPrompt"), QString(60, u's'));
    QTRY_COMPARE(app()->conversation()->countedTokens(), counted + 60);
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(app()->conversation()->context()->dismissable());
    click(kHelp);
    QTRY_VERIFY(shows("Another answer has no room in the context."));
    QVERIFY(drawn() && drawn());
    QVERIFY(wholeWindow().contains(placeOf(byType("NoRoomCard_QMLTYPE"))));
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!byType("NoRoomCard_QMLTYPE") && item(kHelp)); // the context is still full
    QVERIFY(!app()->conversation()->context()->dismissable());
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
}

void WindowSizesTest::eachPartHasALineOrNoPlace_data() {
    QTest::addColumn<QByteArray>("above");
    QTest::addColumn<bool>("search");
    QTest::addColumn<QByteArray>("shown"); // the most important part
    QTest::newRow("a card") << QByteArray("card") << false << QByteArray("NoRoomButton_QMLTYPE");
    QTest::newRow("waiting messages") << QByteArray("queue") << false << QByteArray("PromptQueueView_QMLTYPE");
    QTest::newRow("a card and the search") << QByteArray("card") << true << QByteArray("FindBar_QMLTYPE");
    QTest::newRow("waiting messages and the search") << QByteArray("queue") << true << QByteArray("FindBar_QMLTYPE");
}

/// In a temporary chat, which has a line of its own: the parts had less than one line of a button each, and a card lay
/// over the edge of the search.
void WindowSizesTest::eachPartHasALineOrNoPlace() {
    QFETCH(const QByteArray, above);
    QFETCH(const bool, search);
    QFETCH(const QByteArray, shown);
    constexpr double kLine = 72; // Style.control with the largest texts
    start(above == "card" ? "context-full" : "story");
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    fill(above, 3);
    crowd();
    if (search) press(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(byType(shown.constData()));
    QVERIFY(drawn() && drawn());
    const QQuickItem* const field = namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText);
    QVERIFY(field);
    const QRectF view = placeOf(field->parentItem()->parentItem()); // a long text scrolls in it
    const QList<const QQuickItem*> parts = partsInView();
    QVERIFY(!parts.isEmpty());
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QRectF place = placeOf(parts[i]);
        const char* const name = parts[i]->metaObject()->className();
        QVERIFY2(place.height() >= kLine && wholeWindow().contains(place), name);
        QVERIFY2(!place.intersects(view), name);
        for (qsizetype j = 0; j < i; ++j) QVERIFY2(!place.intersects(placeOf(parts[j])), name);
    }
    const QQuickItem* const mark = item(QStringLiteral("Temporary")); // it stands for the strip that says so
    QVERIFY(!mark == (item(QStringLiteral("Keep this chat")) != nullptr));
    if (mark) {
        QVERIFY(wholeWindow().contains(placeOf(mark)));
        QTest::mouseMove(window(), middleOf(mark) - QPoint(1, 1)); // a move to where the pointer is already is none
        QTest::mouseMove(window(), middleOf(mark));
        QTRY_VERIFY(findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickPopupItem") &&
                   at->parent()->property("text").toString() == QStringLiteral("Temporary");
        }));
    }
    if (above != "queue") return;
    const bool inView = namedItem(window(), QStringLiteral("Waiting messages"), QAccessible::List) != nullptr;
    QCOMPARE(shows("3 messages waiting"), !inView);
    QCOMPARE(inView, !search);
}

/// Several low areas above the field each had a bar of its own, and none had the height to be read.
void WindowSizesTest::onePartScrollsAtMost() {
    start("tools");
    app()->settings()->fontScale = 1.5;
    resize(800, 600);
    press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    fill("tool", 0);
    QVERIFY(app()->conversation()->temporary());
    for (int i = 0; i < 3; ++i)
        QVERIFY(app()->conversation()->queue()->add(QStringLiteral("Message %1, which waits").arg(i)));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Waiting messages"), QAccessible::List) ||
                shows("3 messages waiting"));
    QVERIFY(drawn() && drawn());
    QStringList scrolling;
    for (const char* type : {"TemporaryStrip_QMLTYPE", "ToolRequest_QMLTYPE", "PromptQueueView_QMLTYPE"}) {
        QQuickItem* const part = byType(type);
        if (part && part->height() > 0 && scrolls(part)) scrolling.append(QString::fromLatin1(type));
    }
    QVERIFY2(scrolling.size() <= 1, qPrintable(scrolling.join(QLatin1Char('\n'))));
    const QQuickItem* const question = byType("ToolRequest_QMLTYPE"); // the most important one
    QVERIFY(question && question->height() > 0 && wholeWindow().contains(placeOf(question)));
    QCOMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
}

void WindowSizesTest::theFieldStaysInTheWindow_data() {
    QTest::addColumn<QByteArray>("above");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("waiting");
    const QSize least(640, 440), more(800, 600);
    QTest::newRow("a card") << QByteArray("card") << least << 0;
    QTest::newRow("a temporary chat") << QByteArray("strip") << least << 0;
    QTest::newRow("the question of a tool") << QByteArray("tool") << least << 0;
    QTest::newRow("five waiting messages") << QByteArray("queue") << least << 5;
    QTest::newRow("nine waiting messages") << QByteArray("queue") << more << 9;
}

/// Cards, questions and waiting messages pushed the field out of the window, or left no line of the conversation.
void WindowSizesTest::theFieldStaysInTheWindow() {
    QFETCH(const QByteArray, above);
    QFETCH(const QSize, size);
    QFETCH(const int, waiting);
    constexpr double kMoreThanALine = 60; // a line of the largest texts has 45 pixels
    start(above == "card" ? "context-full" : above == "tool" ? "tools" : "story");
    app()->settings()->fontScale = 2;
    resize(size.width(), size.height());
    fill(above, waiting);
    QVERIFY(drawn() && drawn());
    const QQuickItem* const list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
    const QQuickItem* const field = namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText);
    QQuickItem* const composer = byType("Composer_QMLTYPE");
    QVERIFY(list && field && composer);
    QVERIFY2(list->height() > kMoreThanALine, qPrintable(QString::number(list->height())));
    QVERIFY(placeOf(list).bottom() <= placeOf(composer).top() + 1);
    QVERIFY(wholeWindow().contains(placeOf(composer)));
    const QQuickItem* const view = field->parentItem()->parentItem(); // a long text scrolls in it
    QVERIFY(wholeWindow().contains(placeOf(view)) && placeOf(view).height() >= 15 * 2);
    const QQuickItem* const button = findItem(composer, [](const QQuickItem* at) {
        return at->isVisible() && at->property("filled").toBool();
    }); // Send or Stop
    QVERIFY(button && wholeWindow().contains(placeOf(button)));
    if (above == "card") QVERIFY(item(kHelp) && wholeWindow().contains(placeOf(item(kHelp))));
    if (above != "queue") return;
    QVERIFY(scrolls(composer));
    QList<QQuickItem*> cancels; // each comes into view with the focus
    findItem(composer, [&](QQuickItem* at) {
        const bool cancel = at->property("text").toString() == QStringLiteral("Cancel the waiting message");
        if (cancel && at->inherits("QQuickButton")) cancels.append(at);
        return false;
    });
    QCOMPARE(cancels.size(), waiting);
    for (QQuickItem* cancel : cancels) {
        cancel->forceActiveFocus(Qt::TabFocusReason);
        QVERIFY(drawn());
        QVERIFY(placeOf(cancel).top() >= placeOf(composer).top() - 1);
        QVERIFY(placeOf(cancel).bottom() <= placeOf(view).top() + 1);
    }
}

/// The list had one row beside the buttons around it, and a notice took that.
void WindowSizesTest::theListOfChatsKeepsItsRows() {
    constexpr double kTwoRows = 2 * 72; // Style.control with the largest texts
    start();
    talk(QStringLiteral("A title that takes several lines of the notice"));
    const qint64 first = app()->conversation()->chatId();
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Two"));
    crowd();
    press(Qt::Key_B, Qt::ControlModifier);
    const auto list = [this] { return namedItem(window(), QStringLiteral("Chats"), QAccessible::List); };
    QTRY_VERIFY(list());
    QVERIFY(drawn() && drawn());
    QVERIFY2(list()->height() >= kTwoRows, qPrintable(QString::number(list()->height())));
    const QRectF before = placeOf(list());
    QVERIFY(app()->chats()->remove(first));
    const QQuickItem* undo = nullptr;
    QTRY_VERIFY((undo = item(QStringLiteral("Undo"))));
    QVERIFY(drawn() && drawn());
    QVERIFY2(list()->height() >= kTwoRows, qPrintable(QString::number(list()->height())));
    QCOMPARE(placeOf(list()).top(), before.top());
    QVERIFY(wholeWindow().contains(placeOf(undo)) && placeOf(undo).top() >= placeOf(list()).bottom());
    QTRY_COMPARE(textFindings(window()).join(QLatin1Char('\n')), QString());
}

int main(int argc, char** argv) { return runWindowTest<WindowSizesTest>(argc, argv); }

#include "tst_window_sizes.moc"
