// SPDX-License-Identifier: Apache-2.0
// The real window over the scripted engine, used as people use it: by keys, the pointer and a dropped file.
// tst_main_window.cpp tests it with the real engine.
#include "window_driver.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QStyleHints>

#include <algorithm>

using namespace coterie;
using namespace coterie::tests;
using app::ChatListModel;
using app::Conversation;
using app::MessageModel;
using app::ModelController;

class WindowTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void firstStartOffersOneThing();
    void demoSaysWhatItIs();
    void demoSuggestionIsSent();
    void i20TheFifthChipOpensTheTour_data();
    void i20TheFifthChipOpensTheTour();
    void demoIsInTheMenu();
    void aMenuOpensAgainAndAgain();
    void demoGivesWayToAModel();
    void demoThatFailsLeavesTheFirstStart();
    void enterSends();
    void shiftEnterBreaksTheLine();
    void blankTextIsNotSent();
    void escapeStops();
    void sendButtonTurnsIntoStop();
    void thinkingIsSwitchedAtTheComposer();
    void notesAboutTheModelAreShown();
    void notesAboutAnAnswerAreShown();
    void withoutModelTheTextStays();
    void composerGrowsUpToALimit();
    void anAnswerElsewhereIsMarked();
    void renamesInPlace();
    void escapeLeavesTheTitle();
    void deletesWithUndo();
    void searches();
    void modelErrorShowsThreeParts();
    void n11TheHeaderFits_data();
    void n11TheHeaderFits();
    void answerErrorShowsThreeParts();
    void fullContextIsTold();
    void n29AFullContextIsNotStopped();
    void n29ThinkingIsSaidOnce();
    void shortcutsReachTheirPlaces();
    void shortcutsAreListed();
    void i15TheListsFooterHasWords();
    void settingsDoWhatTheyShow();
    void budgetIsForetoldAndUsed();
    void tooSmallABudgetIsSaid();
    void sliderMovesTheBudget();
    void offlineExplainsItself();
    void dropOpensAModel();
    void dropOfSomethingElseIsRefused();
    void everyControlHasNameAndRole_data();
    void everyControlHasNameAndRole();
    void tabReachesEveryControl();
    void hiddenWindowMeasuresNothing();
    void keepsItsPlace();

  private:
    QString role(int row, int role) const {
        const MessageModel* messages = app()->conversation()->messages();
        return messages->data(messages->index(row), role).toString();
    }
    QString chatTitle(int row) const {
        const ChatListModel* chats = app()->chats();
        return chats->data(chats->index(row), ChatListModel::TitleRole).toString();
    }
    QString focusName() const;
};

QString WindowTest::focusName() const {
    QAccessible::setActive(true);
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
    return node ? node->text(QAccessible::Name) : QString();
}

void WindowTest::firstStartOffersOneThing() {
    start("story", false);
    QVERIFY(item(QString::fromUtf8("Open a model\u2026")));
    QCOMPARE(focusName(), QString::fromUtf8("Open a model\u2026"));
    QVERIFY(!item(QStringLiteral("Message")));
    QVERIFY(!shownTexts().filter(QStringLiteral("never opens a network connection")).isEmpty());
    QVERIFY(!shownTexts().filter(QStringLiteral(".gguf")).isEmpty());
}

void WindowTest::demoSaysWhatItIs() {
    start("story", false, true);
    QVERIFY(item(QStringLiteral("Model: Demo model")));
    QCOMPARE(focusName(), QStringLiteral("Message"));
    QVERIFY(item(QString::fromUtf8("Open a model\u2026")));
    for (const char* words :
         {"comes with Coterie", "Mixture-of-Experts", ".gguf", "never opens a network connection"}) {
        QVERIFY2(!shownTexts().filter(QString::fromLatin1(words)).isEmpty(), words);
    }
    QVERIFY(!shownTexts().contains(QStringLiteral("Scripted"))); // this belongs to the page of other models
}

void WindowTest::demoSuggestionIsSent() {
    const QStringList questions{QStringLiteral("What is an expert cache?"), QStringLiteral("How do I open a model?"),
                                QStringLiteral("What is 7 times 8?"),
                                QStringLiteral("Tell me a short story about a fox.")};
    start("story", false, true);
    for (const QString& question : questions) {
        app()->conversation()->newChat();
        click(question);
        QCOMPARE(app()->conversation()->messages()->count(), 2);
        QCOMPARE(role(0, MessageModel::TextRole), question);
        QCOMPARE(focusName(), QStringLiteral("Message"));
        QTRY_VERIFY(!item(QString::fromUtf8("Open a model\u2026")));
        control_->allowAll();
        QTRY_VERIFY(!app()->conversation()->busy());
        QCOMPARE(QString::fromStdString(engine::joinedText(control_->conversations().back().back().parts)), question);
    }
}

void WindowTest::i20TheFifthChipOpensTheTour_data() {
    QTest::addColumn<int>("width");
    QTest::newRow("as a pane") << 1180;
    QTest::newRow("as a page") << 640;
}

void WindowTest::i20TheFifthChipOpensTheTour() {
    QFETCH(int, width);
    start("story", false, true);
    window()->resize(width, 700);
    QTRY_COMPARE(window()->contentItem()->width(), width);
    const QString look = QStringLiteral("See the experts work");
    QTRY_VERIFY(item(look));
    // The cards are what the eye meets first; the way to another model is a quiet line.
    const QQuickItem* open = item(QString::fromUtf8("Open a model\u2026"));
    for (const QString& card : {look, QStringLiteral("What is an expert cache?")})
        QVERIFY(item(card)->height() > open->height() && item(card)->width() > open->width());
    click(look);
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(role(0, MessageModel::TextRole), QStringLiteral("Tell me a short story about a fox."));
    QTRY_VERIFY(shows("Step 1 of "));
    QTRY_COMPARE(focusName(), QStringLiteral("The first look goes on with the first word of this answer."));
    QVERIFY(app()->inspector()->enabled());
    QCOMPARE(app()->pages()->current() == app::Pages::Activity, width == 640);
    control_->allowAll();
    QTRY_COMPARE(focusName(), QStringLiteral("Next"));
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY(shows("Step 1 of "));
}

void WindowTest::demoIsInTheMenu() {
    const QString demo = QStringLiteral("Demo model"), close = QStringLiteral("Close Scripted"),
                  open = QString::fromUtf8("Open a model\u2026 (Ctrl+O)");
    const auto entry = [&](const QString& name) { return namedItem(window(), name, QAccessible::MenuItem); };
    start("story", true, true);
    click(QStringLiteral("Model: Scripted"));
    QTRY_VERIFY(entry(demo) && entry(close));
    click(demo);
    QTRY_VERIFY(item(QStringLiteral("Model: Demo model")));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QTRY_VERIFY(!entry(close));
    click(QStringLiteral("Model: Demo model"));
    QTRY_VERIFY(entry(open) && entry(QStringLiteral("All models (Ctrl+M)")));
    QVERIFY(!entry(demo) && !entry(close));
}

void WindowTest::aMenuOpensAgainAndAgain() {
    start("story", true, true);
    const auto entry = [&] { return namedItem(window(), QStringLiteral("Demo model"), QAccessible::MenuItem); };
    for (int i = 0; i < 30; ++i) {
        click(QStringLiteral("Model: Scripted"));
        QTRY_VERIFY(entry());
        window()->grabWindow(); // the icons are drawn again each time
        QTest::keyClick(window(), Qt::Key_Escape);
        QTRY_VERIFY(!entry());
        window()->grabWindow();
    }
}

void WindowTest::demoGivesWayToAModel() {
    start("story", false, true);
    QQuickItem* offer = item(QString::fromUtf8("Open a model\u2026"));
    QVERIFY(offer);
    offer->forceActiveFocus(Qt::TabFocusReason);
    app()->models()->open(model_);
    QTRY_VERIFY(item(QStringLiteral("Model: Scripted")));
    QTRY_COMPARE(focusName(), QStringLiteral("Message")); // the focus is not on the button, which is gone
    QVERIFY(shownTexts().contains(QStringLiteral("Write the first message below.")));
}

void WindowTest::demoThatFailsLeavesTheFirstStart() {
    start("open-failure", false, true);
    QCOMPARE(app()->models()->state(), ModelController::Failed);
    QVERIFY(shownTexts().contains(QStringLiteral("The demo model can't be opened")));
    QTRY_COMPARE(focusName(), QString::fromUtf8("Open a model\u2026"));
    QVERIFY(!item(QStringLiteral("What is an expert cache?")) && !item(QStringLiteral("Message")));
}

void WindowTest::enterSends() {
    start();
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    type(QStringLiteral("Hello there"));
    press(Qt::Key_Return);
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(role(0, MessageModel::TextRole), QStringLiteral("Hello there"));
    QCOMPARE(app()->conversation()->draft(), QString());
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QString());
    control_->allow(8 + 20); // the prompt, the story's thought and the beginning of its text
    QTRY_VERIFY(!role(1, MessageModel::TextRole).isEmpty());
    QCOMPARE(control_->conversations().size(), size_t(1));
    QCOMPARE(engine::joinedText(control_->conversations()[0].back().parts), std::string("Hello there"));
    control_->allowAll();
    QTRY_COMPARE(role(1, MessageModel::StateRole), QStringLiteral("complete"));
    const auto pieces = static_cast<int>(test::fakeScript("story")->pieces.size());
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY(app()->conversation()->contextUsed() >= 8 + pieces);
    QTRY_VERIFY(!shownTexts().filter(QStringLiteral("tok/s")).isEmpty());
    QTRY_COMPARE(chatTitle(0), QStringLiteral("Hello there"));
}

void WindowTest::shiftEnterBreaksTheLine() {
    start();
    type(QStringLiteral("One"));
    press(Qt::Key_Return, Qt::ShiftModifier);
    type(QStringLiteral("two"));
    QCOMPARE(app()->conversation()->messages()->count(), 0);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("One\ntwo"));
}

void WindowTest::blankTextIsNotSent() {
    start();
    press(Qt::Key_Return);
    type(QStringLiteral("   "));
    press(Qt::Key_Return);
    QCOMPARE(app()->conversation()->messages()->count(), 0);
    QVERIFY(!item(QStringLiteral("Send (Enter)"))->isEnabled());
}

void WindowTest::escapeStops() {
    start();
    type(QStringLiteral("Go"));
    press(Qt::Key_Return);
    control_->allow(8 + 20);
    QTRY_VERIFY(!role(1, MessageModel::TextRole).isEmpty());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->conversation()->busy());
    QCOMPARE(role(1, MessageModel::StateRole), QStringLiteral("stopped"));
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("Stopped")));
}

void WindowTest::sendButtonTurnsIntoStop() {
    QStyleHints* const hints = QGuiApplication::styleHints();
    const int interval = hints->mouseDoubleClickInterval();
    hints->setMouseDoubleClickInterval(0); // else the second press would count as one of a double click, and do nothing
    const auto restore = qScopeGuard([=] { hints->setMouseDoubleClickInterval(interval); });
    start();
    type(QStringLiteral("Go"));
    click(QStringLiteral("Send (Enter)"));
    QVERIFY(app()->conversation()->busy());
    click(QStringLiteral("Stop (Esc)"));
    QTRY_VERIFY(!app()->conversation()->busy());
    QCOMPARE(role(1, MessageModel::StateRole), QStringLiteral("stopped"));
    QTRY_VERIFY(item(QStringLiteral("Send (Enter)")));
}

void WindowTest::thinkingIsSwitchedAtTheComposer() {
    const QString on = QStringLiteral("The model thinks before it answers"),
                  off = QStringLiteral("The model answers without thinking first");
    start();
    talk(QStringLiteral("One"));
    click(on);
    QTRY_VERIFY(item(off));
    talk(QStringLiteral("Two"));
    item(off)->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QTRY_VERIFY(item(on));
    QVERIFY(app()->settings()->thinking());
    talk(QStringLiteral("Three"));
    QCOMPARE(control_->thinking(), (std::vector<std::optional<bool>>{true, false, true}));
    start("continues"); // a model without a template has no thinking to switch
    QVERIFY(!item(on) && !item(off));
    talk(QStringLiteral("Four"));
    QCOMPARE(control_->thinking().back(), std::nullopt);
}

void WindowTest::notesAboutTheModelAreShown() {
    start("notes");
    const QStringList texts = shownTexts();
    QVERIFY(std::any_of(texts.begin(), texts.end(),
                        [](const QString& text) { return text.contains(QStringLiteral("YaRN")); }));
}

void WindowTest::notesAboutAnAnswerAreShown() {
    start("device-lost");
    talk(QStringLiteral("Go"));
    const QString note = QStringLiteral("The device vulkan:0 stopped working. The device cpu is used instead.");
    QTRY_VERIFY(shownTexts().filter(note).size() == 1);
    QCOMPARE(role(1, MessageModel::StateRole), QStringLiteral("complete"));
}

void WindowTest::withoutModelTheTextStays() {
    start();
    talk(QStringLiteral("Hello"));
    app()->models()->close();
    QTRY_COMPARE(app()->models()->state(), ModelController::None);
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("More"));
    press(Qt::Key_Return);
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    QCOMPARE(item(QStringLiteral("Message"))->property("text").toString(), QStringLiteral("More"));
}

void WindowTest::composerGrowsUpToALimit() {
    start();
    QQuickItem* composer = item(QStringLiteral("Message"));
    QVERIFY(composer);
    QQuickItem* view = composer->parentItem()->parentItem();
    const qreal oneLine = view->height();
    for (int i = 0; i < 4; ++i) press(Qt::Key_Return, Qt::ShiftModifier);
    QTRY_VERIFY(view->height() > oneLine);
    for (int i = 0; i < 40; ++i) press(Qt::Key_Return, Qt::ShiftModifier);
    QTRY_VERIFY(composer->height() > view->height());
    QVERIFY(view->height() < window()->height() / 2);
}

void WindowTest::anAnswerElsewhereIsMarked() {
    start();
    type(QStringLiteral("Go"));
    press(Qt::Key_Return);
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Go"), QAccessible::ListItem));
    const auto told = [&] {
        QQuickItem* row = namedItem(window(), QStringLiteral("Go"), QAccessible::ListItem);
        return QAccessible::queryAccessibleInterface(row)->text(QAccessible::Description);
    };
    QCOMPARE(told(), QStringLiteral("An answer is being written"));
    QVERIFY(!item(QStringLiteral("Stop (Esc)"))); // the button belongs to the chat in view
    control_->allowAll();
    QTRY_COMPARE(told(), QStringLiteral("New answer"));
}

void WindowTest::renamesInPlace() {
    start();
    talk(QStringLiteral("First words"));
    press(Qt::Key_K, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("First words"));
    press(Qt::Key_F2);
    QTRY_COMPARE(focusName(), QStringLiteral("New title"));
    type(QStringLiteral("Better"));
    press(Qt::Key_Return);
    QTRY_COMPARE(chatTitle(0), QStringLiteral("Better"));
    QCOMPARE(app()->conversation()->title(), QStringLiteral("Better"));
    QTRY_COMPARE(focusName(), QStringLiteral("Better"));
}

void WindowTest::escapeLeavesTheTitle() {
    start();
    talk(QStringLiteral("First words"));
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_F2);
    type(QStringLiteral("Worse"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(focusName(), QStringLiteral("First words"));
    QCOMPARE(chatTitle(0), QStringLiteral("First words"));
}

void WindowTest::deletesWithUndo() {
    start();
    talk(QStringLiteral("One"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Two"));
    QTRY_COMPARE(app()->chats()->count(), 2);
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QTRY_COMPARE(app()->chats()->count(), 1);
    QTRY_VERIFY(item(QStringLiteral("Undo")));
    QVERIFY(!shownTexts().filter(QStringLiteral("Deleted")).isEmpty());
    click(QStringLiteral("Undo"));
    QTRY_COMPARE(app()->chats()->count(), 2);
    QTRY_VERIFY(!item(QStringLiteral("Undo")));
}

void WindowTest::searches() {
    start();
    talk(QStringLiteral("Apples and pears"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Bread"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    type(QStringLiteral("pears"));
    QTRY_COMPARE(app()->search()->count(), 2); // the title and the message
    QTRY_VERIFY(shows("2 places found"));
    type(QStringLiteral("zzz"));
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("No chat contains these words.")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(item(QStringLiteral("Bread")));
    QCOMPARE(app()->chats()->count(), 2);
}

void WindowTest::modelErrorShowsThreeParts() {
    start("open-failure");
    const auto error = *test::fakeScript("open-failure")->openFailure;
    QTRY_COMPARE(app()->models()->state(), ModelController::Failed);
    for (const engine::Sentence* part : {&error.what, &error.why, &error.action}) {
        QVERIFY2(shows(qPrintable(app::shownText(*part))), part->english().c_str());
    }
    QVERIFY(item(QStringLiteral("Try again")));
}

void WindowTest::answerErrorShowsThreeParts() {
    start("disk-lost");
    talk(QStringLiteral("Go"));
    const auto error = test::fakeScript("disk-lost")->failure;
    QCOMPARE(role(1, MessageModel::StateRole), QStringLiteral("failed"));
    for (const engine::Sentence* part : {&error.what, &error.why, &error.action}) {
        QTRY_VERIFY2(shows(qPrintable(app::shownText(*part))), part->english().c_str());
    }
    QVERIFY2(!role(1, MessageModel::TextRole).isEmpty(), "what had come stays");
}

void WindowTest::fullContextIsTold() {
    start("context-full");
    talk(QStringLiteral("Go"));
    QCOMPARE(role(1, MessageModel::StateRole), QStringLiteral("stopped"));
    QTRY_VERIFY(shows("The context was full."));
    QCOMPARE(app()->conversation()->contextUsed(), app()->conversation()->contextSize());
    QTRY_COMPARE(shownTexts().filter(QStringLiteral("too long for a next message")).size(), 1); // above the composer
}

void WindowTest::shortcutsReachTheirPlaces() {
    start();
    talk(QStringLiteral("One"));
    press(Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(app()->conversation()->chatId(), 0);
    QCOMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(focusName(), QStringLiteral("Search in all chats"));
    press(Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Memory budget in GiB")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!item(QStringLiteral("Memory budget in GiB")));
    const double before = app()->settings()->fontScale();
    press(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(app()->settings()->fontScale() > before);
    press(Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(app()->settings()->fontScale(), before);
}

void WindowTest::shortcutsAreListed() {
    start();
    press(Qt::Key_F1);
    for (const char* line : {"New chat: Ctrl+N", "Open a model: Ctrl+O", "Search in all chats: Ctrl+Shift+F",
                             "Settings: Ctrl+,", "Rename the chat in the list: F2", "Delete the chat in the list: Del",
                             "Stop the answer: Ctrl+.", "Write a message: Ctrl+L"}) {
        QTRY_VERIFY2(shownTexts().contains(QString::fromLatin1(line)), line);
    }
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shownTexts().contains(QStringLiteral("Keyboard shortcuts")));
}

void WindowTest::settingsDoWhatTheyShow() {
    start();
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Theme")));
    QVERIFY(!item(QStringLiteral("Compact")) && !item(QStringLiteral("Min-p"))); // rarer settings are one click away
    click(QStringLiteral("Dark"));
    QCOMPARE(app()->settings()->theme(), QStringLiteral("dark"));
    QTRY_VERIFY(window()->color().lightness() < 64);
    click(QStringLiteral("Light"));
    QTRY_VERIFY(window()->color().lightness() > 192);
    click(QStringLiteral("Memory budget in GiB"));
    type(QStringLiteral("2.5"));
    press(Qt::Key_Return);
    QCOMPARE(app()->settings()->memoryBudget(), 2.5 * 1024 * 1024 * 1024);
    use("Show all settings");
    QVERIFY(app()->settings()->allSettings());
    focusOn(QStringLiteral("Memory budget in GiB")); // the page scrolls back
    click(QStringLiteral("Compact"));
    QCOMPARE(app()->settings()->keyValueFormat(), QStringLiteral("q8_0"));
    click(QStringLiteral("Exact"));
    QCOMPARE(app()->settings()->keyValueFormat(), QStringLiteral("f16"));
}

void WindowTest::budgetIsForetoldAndUsed() {
    const QString again = QStringLiteral("Open again with these settings");
    start("from-disk");
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("470 of 1,024 experts")));
    QVERIFY(shownTexts().contains(QStringLiteral("Scripted in 1.5 GiB (chosen automatically)")));
    QVERIFY(!item(again));
    click(QStringLiteral("Memory budget in GiB"));
    type(QStringLiteral("1"));
    press(Qt::Key_Return);
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("265 of 1,024 experts")));
    QVERIFY(!shownTexts().filter(QStringLiteral("2.1 times")).isEmpty());
    QCOMPARE(app()->memory()->budget(), 1536.0 * 1024 * 1024); // the open model keeps its budget
    QTRY_VERIFY(item(again));
    item(again)->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QTRY_VERIFY(!item(again));
    press(Qt::Key_Escape); // nothing is measured while nothing shows it
    QTRY_COMPARE(app()->memory()->budget(), 1024.0 * 1024 * 1024);
}

void WindowTest::tooSmallABudgetIsSaid() {
    const QString allow = QStringLiteral("Allow 352 MiB"),
                  says = QStringLiteral("The budget is too small: Scripted needs at least 352 MiB");
    start("from-disk");
    press(Qt::Key_Comma, Qt::ControlModifier);
    click(QStringLiteral("Memory budget in GiB"));
    type(QStringLiteral("0.3"));
    press(Qt::Key_Return);
    QTRY_VERIFY(shownTexts().contains(says));
    QVERIFY(!item(QStringLiteral("Open again with these settings")));
    QCOMPARE(app()->models()->state(), ModelController::Ready);
    item(allow)->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QCOMPARE(app()->settings()->memoryBudget(), 352.0 * 1024 * 1024);
    QTRY_VERIFY(!shownTexts().contains(says));
    QTRY_VERIFY(item(QStringLiteral("Open again with these settings"))->isEnabled());
    app()->commands()->run(QStringLiteral("edit.undo"));
    QTRY_VERIFY(shownTexts().contains(says));
}

void WindowTest::sliderMovesTheBudget() {
    start("from-disk");
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(app()->forecast()->least() > 0);
    QQuickItem* slider = nullptr;
    QTRY_VERIFY((slider = item(QStringLiteral("Memory budget, slider"))));
    QCOMPARE(slider->property("value").toDouble(), 1.5); // the automatic budget
    QCOMPARE(slider->property("from").toDouble(), 0.35);
    QVERIFY(!item(QStringLiteral("Let Coterie choose"))->isEnabled());
    slider->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Right);
    QCOMPARE(app()->settings()->memoryBudget(), 1.625 * 1024 * 1024 * 1024);
    for (int i = 0; i < 12; ++i) press(Qt::Key_Left); // the slider stops at its end
    QCOMPARE(app()->settings()->memoryBudget(), 0.35 * 1024 * 1024 * 1024);
    QTRY_COMPARE(app()->forecast()->state(), app::MemoryForecast::Fits);
    press(Qt::Key_Right); // whole steps above it
    QCOMPARE(app()->settings()->memoryBudget(), 0.5 * 1024 * 1024 * 1024);
    click(QStringLiteral("Let Coterie choose"));
    QCOMPARE(app()->settings()->memoryBudget(), 0.0);
}

void WindowTest::offlineExplainsItself() {
    start("story", false);
    click(QStringLiteral("Offline"));
    QQuickItem* command = nullptr;
    QTRY_VERIFY((command = item(QStringLiteral("Command that lists network connections"))));
    QVERIFY(!command->property("text").toString().isEmpty());
    QVERIFY(command->width() > window()->width() / 4);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!item(QStringLiteral("Command that lists network connections")));
}

void WindowTest::dropOpensAModel() {
    start("story", false);
    QVERIFY(dropFile(model_));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QVERIFY(item(QStringLiteral("Message")));
}

/// It is no model, so it would be attached to the message; the window says why it can't be.
void WindowTest::dropOfSomethingElseIsRefused() {
    start("story", false);
    QVERIFY(dropFile(QStringLiteral("/nowhere/picture.png")));
    QTRY_VERIFY(shows("picture.png"));
    QCOMPARE(app()->models()->state(), ModelController::None);
}

void WindowTest::everyControlHasNameAndRole_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("first start") << 0 << 0 << QByteArray("story");
    QTest::newRow("demo model") << -1 << 0 << QByteArray("story");
    QTest::newRow("conversation") << int(Qt::Key_L) << int(Qt::ControlModifier) << QByteArray("story");
    QTest::newRow("settings") << int(Qt::Key_Comma) << int(Qt::ControlModifier) << QByteArray("story");
    QTest::newRow("settings of a large model")
        << int(Qt::Key_Comma) << int(Qt::ControlModifier) << QByteArray("from-disk");
    QTest::newRow("models") << int(Qt::Key_M) << int(Qt::ControlModifier) << QByteArray("story");
    QTest::newRow("activity") << int(Qt::Key_I) << int(Qt::ControlModifier) << QByteArray("from-disk");
    QTest::newRow("palette") << int(Qt::Key_P) << int(Qt::ControlModifier | Qt::ShiftModifier) << QByteArray("story");
    QTest::newRow("shortcuts") << int(Qt::Key_F1) << 0 << QByteArray("story");
}

void WindowTest::everyControlHasNameAndRole() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QByteArray, script);
    start(script.constData(), key > 0, key < 0);
    if (key > 0) {
        app()->settings()->allSettings = true;
        talk(QStringLiteral("Hello"));
        press(key, Qt::KeyboardModifiers(modifiers));
    }
    int controls = 0;
    QAccessible::setActive(true);
    const std::function<void(QQuickItem*)> walk = [&](QQuickItem* at) {
        if (!at->isVisible()) return;
        if (at->activeFocusOnTab() || at->inherits("QQuickAbstractButton")) {
            ++controls;
            QAccessibleInterface* node = QAccessible::queryAccessibleInterface(at);
            const QByteArray what = QByteArray(at->metaObject()->className());
            QVERIFY2(node, what.constData());
            QVERIFY2(!node->text(QAccessible::Name).isEmpty(), what.constData());
            QVERIFY2(node->role() != QAccessible::NoRole && node->role() != QAccessible::Client, what.constData());
        }
        for (QQuickItem* child : at->childItems()) walk(child);
    };
    walk(window()->contentItem()->parentItem() ? window()->contentItem()->parentItem() : window()->contentItem());
    QVERIFY(controls >= 6);
}

void WindowTest::tabReachesEveryControl() {
    start();
    talk(QStringLiteral("Hello"));
    QStringList seen;
    const QQuickItem* first = window()->activeFocusItem();
    for (int i = 0; i < 60; ++i) {
        seen.append(focusName());
        QVERIFY2(!seen.last().isEmpty(), qPrintable(seen.join(QStringLiteral(" > "))));
        press(Qt::Key_Tab);
        if (window()->activeFocusItem() == first) break;
    }
    QCOMPARE(window()->activeFocusItem(), first);
    for (const char* name : {"Message", "Search in all chats", "New chat", "Hello", "Settings (Ctrl+,)",
                             "Keyboard shortcuts (F1)", "Offline", "Model: Scripted", "Conversation", "Copy message"}) {
        QVERIFY2(seen.contains(QString::fromLatin1(name)),
                 qPrintable(
                     QStringLiteral("%1 not in %2").arg(QString::fromLatin1(name), seen.join(QStringLiteral(" > ")))));
    }
    QVERIFY(!seen.filter(QStringLiteral("Memory: ")).isEmpty());
    QVERIFY(seen.contains(QStringLiteral("Experts from memory")));
    // Backwards the order is the same, except for the list itself: Qt goes from its first control straight to the one
    // before the list.
    seen.removeAll(QStringLiteral("Conversation"));
    QStringList back;
    for (qsizetype i = 0; i < seen.size(); ++i) {
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        back.prepend(focusName());
    }
    QCOMPARE(back.join(QStringLiteral(" > ")), seen.join(QStringLiteral(" > ")));
}

void WindowTest::hiddenWindowMeasuresNothing() {
    start();
    QVERIFY(app()->memory()->enabled() && app()->experts()->enabled());
    QVERIFY(!app()->forecast()->enabled());
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(app()->forecast()->enabled());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->forecast()->enabled());
    window()->hide();
    QTRY_VERIFY(!app()->memory()->enabled() && !app()->experts()->enabled());
    window()->show();
    QTRY_VERIFY(app()->memory()->enabled() && app()->experts()->enabled());
    window()->resize(640, 440); // there is no room for the gauge of experts, and it has nothing to show
    QTRY_VERIFY(!app()->experts()->enabled());
    QVERIFY(app()->memory()->enabled());
}

void WindowTest::keepsItsPlace() {
    start();
    window()->setGeometry(20, 30, 700, 500);
    QTRY_COMPARE(window()->width(), 700);
    QVERIFY(window()->close());
    fixture_->stop();
    QVERIFY(fixture_->start());
    QTRY_COMPARE(window()->size(), QSize(700, 500));
}

void WindowTest::n29AFullContextIsNotStopped() {
    start("context-full");
    talk(QStringLiteral("Go"));
    QTRY_VERIFY(shows("The context is full."));
    QVERIFY(drawn());
    QVERIFY(!shownTexts().contains(QStringLiteral("Stopped"))); // nobody stopped it
}

void WindowTest::n29ThinkingIsSaidOnce() {
    start();
    type(QStringLiteral("Go"));
    press(Qt::Key_Return);
    control_->allow(8 + 5); // the prompt, and the beginning of the story's thought
    QTRY_COMPARE(app()->conversation()->state(), Conversation::Writing);
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("Thinking")));
    QVERIFY(drawn());
    QTRY_VERIFY(!shownTexts().contains(QStringLiteral("Writing")));
    control_->allow(15); // the beginning of its text
    QTRY_VERIFY(shownTexts().contains(QStringLiteral("Writing")));
    QTRY_VERIFY(!shownTexts().contains(QStringLiteral("Thinking")));
}

void WindowTest::n11TheHeaderFits_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("text");
    QTest::addColumn<bool>("pane");
    for (const int width : {640, 900, 1200}) {
        for (const double text : {1.0, 1.6, 2.0}) {
            for (const bool pane : {false, true}) {
                const QString name = QStringLiteral("%1 px, text %2").arg(width).arg(text);
                QTest::newRow(qPrintable(pane ? name + QStringLiteral(", pane") : name)) << width << text << pane;
            }
        }
    }
}

/// The window becomes as narrow as this while it is in use.
void WindowTest::n11TheHeaderFits() {
    QFETCH(int, width);
    QFETCH(double, text);
    QFETCH(bool, pane);
    start();
    window()->resize(1500, 700);
    app()->settings()->activityShown = pane;
    app()->settings()->fontScale = text;
    QVERIFY(drawn());
    window()->resize(width, 700);
    QTRY_COMPARE(window()->contentItem()->width(), width);
    QVERIFY(drawn() && drawn());
    const auto place = [](const QQuickItem* of) { return of->mapRectToScene(QRectF(0, 0, of->width(), of->height())); };
    QQuickItem* const chip = item(QStringLiteral("Model: Scripted"));
    QVERIFY(chip);
    const QQuickItem* const header = chip->parentItem();
    QVERIFY(place(header).contains(place(chip)));
    findItem(chip, [&](QQuickItem* at) { // visits all
        if (at->inherits("QQuickText") && at->isVisible() && at->width() > 0 && !place(chip).contains(place(at)))
            QTest::qFail("a text is outside the chip", __FILE__, __LINE__);
        return false;
    });
    for (QAccessibleInterface* node : accessibleNodes(window())) {
        const auto* button = qobject_cast<QQuickItem*>(node->object());
        if (!button || button == chip || !header->isAncestorOf(button) || chip->isAncestorOf(button)) continue;
        const QByteArray name = node->text(QAccessible::Name).toUtf8();
        QVERIFY2(place(header).contains(place(button)), name.constData());
        QVERIFY2(!place(chip).intersects(place(button)), name.constData());
    }
    // The pane and the list of chats give way to the chat if the texts are large.
    const bool paneDocked = pane && width >= std::max(900.0, (360 + 240) * text);
    const bool docked = width >= (paneDocked ? std::max(1100.0, (360 + 240 + 200) * text) : 900);
    const QList<QQuickItem*> parts = header->childItems();
    const bool offered = std::any_of(parts.begin(), parts.end(), [](QQuickItem* at) {
        return at->isVisible() && at->property("text").toString().startsWith(QStringLiteral("Show the list of chats"));
    });
    QCOMPARE(offered, !docked);
}

void WindowTest::i15TheListsFooterHasWords() {
    start();
    const std::pair<const char*, const char*> words[]{
        {"Settings (Ctrl+,)", "Settings"}, {"Bin", "Bin"}, {"Keyboard shortcuts (F1)", "Shortcuts"}};
    for (const auto& [name, word] : words) {
        QQuickItem* const button = item(QString::fromLatin1(name));
        QVERIFY2(button, name);
        const QQuickItem* const text = findItem(button, [](QQuickItem* at) { return at->inherits("QQuickText"); });
        QVERIFY2(text && text->isVisible(), name);
        QCOMPARE(text->property("text").toString(), QString::fromLatin1(word));
        QCOMPARE(text->property("lineCount").toInt(), 1);
    }
    click(QStringLiteral("Bin"));
    QTRY_COMPARE(app()->pages()->current(), app::Pages::Bin);
}

int main(int argc, char** argv) { return runWindowTest<WindowTest>(argc, argv); }

#include "tst_window.moc"
