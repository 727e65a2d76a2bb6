// SPDX-License-Identifier: Apache-2.0
// The pages, the pane of the model's activity, and the command palette, by keys and pointer: each leads somewhere, does
// what it says, and gives the focus back.
#include "text_checks.h"
#include "window_driver.h"

#include <QSignalSpy>

using namespace coterie;
using namespace coterie::tests;
using app::ModelController;
using app::Pages;

class WindowPagesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void escapeGoesBackPageByPage();
    void modelsSayWhatIsOpen();
    void g5KeysChooseNoHiddenLine();
    void g13AChosenModelClosesTheMenu();
    void modelsListThoseBefore();
    void modelsThatFailSayWhy();
    void deletedChatsComeBackFromTheBin();
    void deletedMessagesComeBackFromTheBin();
    void theBinErasesAfterAQuestion();
    void theBinIsEmptied();
    void activityOpensAndIsRemembered();
    void theMemoryOfACardIsNamed();
    void activityIsAPageWhereThereIsNoRoom();
    void panesFollowTheWidth_data();
    void panesFollowTheWidth();
    void escapeClosesWhatIsOnTop();
    void escapeClearsTheSearch();
    void edgesAreDragged();
    void paletteFindsAndRuns();
    void s10ACommandsOwnNameCountsMost_data();
    void s10ACommandsOwnNameCountsMost();
    void s15ThePaletteFindsSettings();
    void k1TheSearchInSettingsFindsPages();
    void paletteGivesTheFocusBack();
    void paletteShowsWhatCannotRun();
    void thePaletteBeginsAtWhatCanRun();
    void rowsLeaveThePaletteWhileOneIsBeingMade();
    void paletteOpensAboveAPage();
    void buttonsSayTheirKeys();
    void aboutTellsTheOriginAndLeadsToTheLicences();
    void n23DownGoesToTheNextChoice();
    void n23NoMenuLineIsCut();
    void keysScrollAPageWithoutControls_data();
    void keysScrollAPageWithoutControls();
    void keysOfATextFieldDoNotScrollThePage();
    void theActivityPageUsesItsWidth_data();
    void theActivityPageUsesItsWidth();
    void keysScrollThePageOfAnEmptyChat_data();
    void keysScrollThePageOfAnEmptyChat();
    void notesAboutAModelAreSentences();

  private:
    bool atPage(Pages::Page page) const { return app()->pages()->current() == page; }
    QQuickItem* byType(const char* type) const {
        return findItem(window()->contentItem(), [type](QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith(type);
        });
    }
    /// The part of a page that scrolls; null if there is no page.
    static QQuickItem* bodyOf(QQuickItem* page, const char* type = "ScrollColumn_QMLTYPE") {
        return findItem(page,
                        [type](QQuickItem* at) { return QByteArray(at->metaObject()->className()).startsWith(type); });
    }
    QString focusName() const {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return node ? node->text(QAccessible::Name) : QString();
    }
    /// Presses the keys of the command palette.
    void openPalette() {
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(focusName(), QStringLiteral("Find a command"));
    }
};

void WindowPagesTest::escapeGoesBackPageByPage() {
    start();
    press(Qt::Key_M, Qt::ControlModifier);
    QVERIFY(atPage(Pages::Models));
    use("Memory settings");
    QTRY_VERIFY(atPage(Pages::Settings));
    QTRY_VERIFY(item(QStringLiteral("Back")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(atPage(Pages::Models));
    QTRY_COMPARE(focusName(), QStringLiteral("Memory settings")); // the button that had it before
    use("Back to the conversation");
    QTRY_VERIFY(atPage(Pages::Chat));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowPagesTest::modelsSayWhatIsOpen() {
    start("from-disk", true, true);
    click(QStringLiteral("Model: Scripted"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("All models (Ctrl+M)"), QAccessible::MenuItem));
    click(QStringLiteral("All models (Ctrl+M)"));
    QTRY_VERIFY(atPage(Pages::Models));
    for (const char* words :
         {"Size on disk: 640 MiB", "Quantisation: Q4_0", "Layers: 32", "Experts in a layer: 32, of"})
        QTRY_VERIFY2(shows(words), words);
    QVERIFY(shows("model.gguf") && shows("In use"));
    use("Open the demo model");
    QTRY_COMPARE(app()->models()->name(), QStringLiteral("Demo model"));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QVERIFY(!item(QStringLiteral("Open the demo model")) && !item(QStringLiteral("Close this model")));
    QVERIFY(!shownTexts().filter(QStringLiteral("guide")).size()); // its path is of no use to people
    use("Open model");                                             // the one before
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QCOMPARE(app()->models()->path(), QDir::toNativeSeparators(model_));
}

/// Up and Down go to the lines of a menu that are in view.
void WindowPagesTest::g5KeysChooseNoHiddenLine() {
    start("story", false, true); // the demo model, which is not closed from the menu
    focusOn(QStringLiteral("Model: Demo model"));
    press(Qt::Key_Return);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("All models (Ctrl+M)"), QAccessible::MenuItem));
    for (int downs = 0; downs < 6; ++downs) {
        press(Qt::Key_Down);
        QVERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    }
    QCOMPARE(focusName(), QStringLiteral("All models (Ctrl+M)"));
    press(Qt::Key_Escape);
}

void WindowPagesTest::g13AChosenModelClosesTheMenu() {
    start();
    const QString other = QDir(fixture_->dataFolder()).filePath(QStringLiteral("other.gguf"));
    QVERIFY(QFile::copy(model_, other));
    app()->models()->open(other);
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    click(QStringLiteral("Model: Scripted"));
    click(QStringLiteral("model"), QAccessible::MenuItem);
    QTRY_COMPARE(app()->models()->path(), QDir::toNativeSeparators(model_));
    QTRY_VERIFY(!namedItem(window(), QStringLiteral("All models (Ctrl+M)"), QAccessible::MenuItem));
}

void WindowPagesTest::modelsListThoseBefore() {
    start();
    const QString gone = QDir(fixture_->dataFolder()).filePath(QStringLiteral("gone.gguf"));
    QVERIFY(QFile::copy(model_, gone));
    app()->models()->open(gone);
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    app()->models()->open(model_);
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QVERIFY(QFile::remove(gone));
    press(Qt::Key_M, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Forget gone")));
    QVERIFY(shows("The file is not there any more.") && !item(QStringLiteral("Open gone")));
    use("Forget gone");
    QTRY_VERIFY(!item(QStringLiteral("Forget gone")));
    QCOMPARE(app()->models()->recent().size(), 1);
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    use("Close this model");
    QTRY_VERIFY(shows("No model is open"));
    use("Remove model from this list");
    QTRY_VERIFY(shows("Models that you open will be listed here."));
}

void WindowPagesTest::modelsThatFailSayWhy() {
    start("open-failure");
    press(Qt::Key_M, Qt::ControlModifier);
    const auto error = *test::fakeScript("open-failure")->openFailure;
    for (const engine::Sentence* part : {&error.what, &error.why, &error.action})
        QTRY_VERIFY2(shows(qPrintable(app::shownText(*part))), part->english().c_str());
    QVERIFY(item(QStringLiteral("Try again")));
    QVERIFY(!item(QStringLiteral("Memory settings")));
}

void WindowPagesTest::deletedChatsComeBackFromTheBin() {
    start();
    talk(QStringLiteral("First"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Delete);
    click(QStringLiteral("Bin"));
    QTRY_VERIFY(shows("Chat, deleted today, 30 days left"));
    QVERIFY(shows("stay here for 30 days"));
    use("Restore Second");
    QTRY_VERIFY(shows("The bin is empty."));
    QCOMPARE(app()->chats()->count(), 2);
    QVERIFY(!app()->chats()->undoAvailable()); // it is restored already
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Restore the chat"));
    QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->isVisible());
    app()->chats()->remove(app()->chats()->data(app()->chats()->index(0), app::ChatListModel::ChatIdRole).toLongLong());
    QTRY_VERIFY(shows("Chat, deleted today")); // also while the page is open
    QVERIFY(app()->undo()->undo());
    QTRY_VERIFY(shows("The bin is empty."));
}

void WindowPagesTest::deletedMessagesComeBackFromTheBin() {
    start();
    talk(QStringLiteral("Stays"));
    talk(QStringLiteral("Goes away"));
    const qint64 chat = app()->conversation()->chatId();
    const qint64 prompt = app()->conversation()->messages()->rows()[2].id;
    {
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        QVERIFY(store.ok() && store.value()->removeMessage(prompt).ok());
    }
    app()->conversation()->openChat(chat);
    QCOMPARE(app()->conversation()->messages()->count(), 2);
    app()->pages()->open(Pages::Bin);
    QTRY_VERIFY(shows("Your message in \"Stays\", deleted today"));
    use("Restore Goes away");
    QTRY_VERIFY(shows("The bin is empty."));
    QCOMPARE(app()->conversation()->messages()->count(), 4);
}

void WindowPagesTest::theBinErasesAfterAQuestion() {
    start();
    fillTheBin();
    use("Erase One");
    QTRY_COMPARE(focusName(), QStringLiteral("Keep")); // the harmless one
    press(Qt::Key_Return);
    QTRY_COMPARE(focusName(), QStringLiteral("Erase One"));
    QCOMPARE(app()->bin()->count(), 2);
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Erase for good")));
    use("Erase for good");
    QTRY_COMPARE(app()->bin()->count(), 1);
    QTRY_COMPARE(focusName(), QStringLiteral("Restore Two"));
    QVERIFY(!app()->chats()->undoAvailable());
}

void WindowPagesTest::theBinIsEmptied() {
    start();
    fillTheBin();
    use("Empty the bin");
    QTRY_COMPARE(focusName(), QStringLiteral("Keep everything"));
    press(Qt::Key_Return);
    QCOMPARE(app()->bin()->count(), 2);
    QTRY_COMPARE(focusName(), QStringLiteral("Empty the bin"));
    press(Qt::Key_Return);
    use("Erase everything");
    QTRY_VERIFY(shows("The bin is empty."));
    QCOMPARE(app()->bin()->count(), 0);
}

void WindowPagesTest::theMemoryOfACardIsNamed() {
    test::FakeScript script = *test::fakeScript("from-disk");
    script.cardBytes = uint64_t{11} << 29; // 5.5 GiB
    startWith(script);
    window()->resize(1400, 800);
    click(QStringLiteral("Model activity (Ctrl+I)"));
    QTRY_VERIFY(shows("The graphics processor holds 5.5 GiB of the model in memory of its own."));
}

void WindowPagesTest::activityOpensAndIsRemembered() {
    start("from-disk");
    window()->resize(1400, 800);
    QVERIFY(!shows("470 of 1,024 experts are in memory."));
    click(QStringLiteral("Model activity (Ctrl+I)"));
    QTRY_VERIFY(shows("470 of 1,024 experts are in memory."));
    QVERIFY(app()->settings()->activityShown());
    QVERIFY(shows("Coterie itself") && shows("Coterie may use 1.5 GiB"));
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(!shows("470 of 1,024 experts are in memory.")); // it belongs to the conversation
    QTRY_VERIFY(!app()->experts()->enabled() && !app()->memory()->enabled());
    press(Qt::Key_Escape);
    QTRY_VERIFY(shows("470 of 1,024 experts are in memory."));
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    window()->resize(1400, 800);
    QTRY_VERIFY(byType("ActivityPane_QMLTYPE"));
    use("Close this pane (Ctrl+I)");
    QTRY_VERIFY(!byType("ActivityPane_QMLTYPE"));
    QVERIFY(!app()->settings()->activityShown());
    QTRY_COMPARE(focusName(), QStringLiteral("Message")); // the button that had the focus is gone
}

void WindowPagesTest::activityIsAPageWhereThereIsNoRoom() {
    start("from-disk");
    window()->resize(640, 480);
    QTRY_COMPARE(window()->width(), 640);
    press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(atPage(Pages::Activity));
    QTRY_VERIFY(shows("470 of 1,024 experts are in memory."));
    QVERIFY(app()->experts()->enabled() && app()->memory()->enabled());
    press(Qt::Key_I, Qt::ControlModifier);
    QVERIFY(atPage(Pages::Chat));
    press(Qt::Key_I, Qt::ControlModifier);
    window()->resize(1400, 800); // there is room now
    QTRY_VERIFY(byType("ActivityPane_QMLTYPE"));
    QVERIFY(atPage(Pages::Chat));
    window()->resize(700, 480);
    QTRY_VERIFY(!byType("ActivityPane_QMLTYPE"));
}

void WindowPagesTest::panesFollowTheWidth_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("list");
    QTest::addColumn<bool>("listWithPane");
    QTest::addColumn<bool>("pane");
    QTest::newRow("one") << 640 << false << false << false;
    QTest::newRow("still one") << 899 << false << false << false;
    QTest::newRow("two") << 900 << true << false << true;
    QTest::newRow("still two") << 1099 << true << false << true;
    QTest::newRow("three") << 1100 << true << true << true;
    QTest::newRow("a new window") << 1180 << true << true << true; // Style.windowWidth
}

void WindowPagesTest::panesFollowTheWidth() {
    QFETCH(int, width);
    QFETCH(bool, list);
    QFETCH(bool, listWithPane);
    QFETCH(bool, pane);
    start();
    window()->resize(width, 600);
    QTRY_COMPARE(window()->width(), width);
    QTRY_COMPARE(byType("Sidebar_QMLTYPE") != nullptr, list);
    press(Qt::Key_B, Qt::ControlModifier); // folds it, or opens it over the rest
    QTRY_COMPARE(byType("Sidebar_QMLTYPE") != nullptr, !list);
    press(Qt::Key_B, Qt::ControlModifier);
    app()->settings()->activityShown = true;
    QTRY_COMPARE(byType("ActivityPane_QMLTYPE") != nullptr, pane);
    QTRY_COMPARE(byType("Sidebar_QMLTYPE") != nullptr, listWithPane);
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier); // the search is always in reach
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
    QTRY_COMPARE(byType("Sidebar_QMLTYPE") != nullptr, listWithPane);
    const QQuickItem* chat = byType("ConversationPage_QMLTYPE");
    QVERIFY(chat && chat->width() >= 320);
}

/// The list of chats over a page is what Esc closes, and not the page below it; a page that it opens is seen.
void WindowPagesTest::escapeClosesWhatIsOnTop() {
    start();
    talk(QStringLiteral("Hello"));
    window()->resize(640, 600);
    QTRY_VERIFY(!byType("Sidebar_QMLTYPE"));
    press(Qt::Key_F1);
    press(Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY(byType("Sidebar_QMLTYPE"));
    QTRY_VERIFY(byType("Sidebar_QMLTYPE")->isAncestorOf(window()->activeFocusItem()));
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("hello"));
    press(Qt::Key_Escape); // clears the search
    QTRY_COMPARE(app()->search()->words(), QString());
    QVERIFY(byType("Sidebar_QMLTYPE"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!byType("Sidebar_QMLTYPE"));
    QCOMPARE(app()->pages()->current(), Pages::Shortcuts);
    QTRY_COMPARE(focusName(), QStringLiteral("Back to the conversation"));
    press(Qt::Key_B, Qt::ControlModifier);
    click(QStringLiteral("Settings (Ctrl+,)"));
    QTRY_COMPARE(app()->pages()->current(), Pages::Settings);
    QTRY_VERIFY(!byType("Sidebar_QMLTYPE"));
}

/// Esc clears the search, also while the words that were found stand out in the chat.
void WindowPagesTest::escapeClearsTheSearch() {
    start();
    talk(QStringLiteral("Hello"));
    press(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(app()->conversation()->find()->active());
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    type(QStringLiteral("hello"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->search()->words(), QString());
    QVERIFY(app()->conversation()->find()->active());
    QCOMPARE(focusName(), QStringLiteral("Search in all chats"));
}

void WindowPagesTest::edgesAreDragged() {
    start();
    window()->resize(1400, 800);
    app()->settings()->activityShown = true;
    QQuickItem* pane = nullptr;
    QTRY_VERIFY((pane = byType("ActivityPane_QMLTYPE")) && window()->width() == 1400);
    const auto drag = [&](const QPoint& from, int by) {
        QTest::mousePress(window(), Qt::LeftButton, Qt::NoModifier, from);
        QTest::mouseMove(window(), from + QPoint(by / 2, 0));
        QTest::mouseMove(window(), from + QPoint(by, 0));
        QTest::mouseRelease(window(), Qt::LeftButton, Qt::NoModifier, from + QPoint(by, 0));
    };
    QTRY_COMPARE(pane->mapToScene(QPointF(pane->width(), 0)).toPoint().x(), 1400);
    const int before = static_cast<int>(pane->width());
    drag({1400 - before, 400}, -60);
    QTRY_COMPARE(static_cast<int>(pane->width()), before + 60);
    QCOMPARE(static_cast<int>(app()->settings()->activityWidth()), before + 60);
    drag({1400 - before - 60, 400}, 400);
    QTRY_VERIFY(pane->width() >= 200 && pane->width() < before); // it has a least width
}

void WindowPagesTest::paletteFindsAndRuns() {
    start();
    openPalette();
    type(QStringLiteral("about"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("About Coterie"), QAccessible::ListItem));
    press(Qt::Key_Return);
    QTRY_VERIFY(atPage(Pages::About));
    QVERIFY(!app()->pages()->palette());
    openPalette();
    QVERIFY(namedItem(window(), QStringLiteral("New chat: Ctrl+N"), QAccessible::ListItem)); // the words are gone
    for (int i = 0; i < 3; ++i) press(Qt::Key_Down);
    press(Qt::Key_Up);
    press(Qt::Key_Return); // the third one
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    openPalette();
    type(QStringLiteral("no such thing"));
    QTRY_VERIFY(shows("No command contains these words."));
    press(Qt::Key_Return); // does nothing
    QVERIFY(app()->pages()->palette());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->pages()->palette());
    openPalette();
    type(QStringLiteral("keyboard")); // brings the command into view
    click(QStringLiteral("Keyboard shortcuts: F1 or Ctrl+/"));
    QTRY_VERIFY(atPage(Pages::Shortcuts));
}

void WindowPagesTest::s10ACommandsOwnNameCountsMost_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("first");
    const auto row = [](const char* words, const char* first) {
        QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(first);
    };
    row("import chats", "Import chats");
    row("import", "Import chats"); // the group of its neighbours has the word, too
    row("Chats import", "Import chats");
    row("export import", "Export and import");
    row("chats new", "New chat");
    row("settings", "Settings");
}

void WindowPagesTest::s10ACommandsOwnNameCountsMost() {
    QFETCH(QString, words);
    QFETCH(QString, first);
    start();
    openPalette();
    type(words);
    QQuickItem* list = namedItem(window(), QStringLiteral("Commands"), QAccessible::List);
    QVERIFY(list);
    const auto* chosen = list->property("currentItem").value<QQuickItem*>();
    QVERIFY(chosen);
    QCOMPARE(chosen->property("text").toString(), first);
}

void WindowPagesTest::s15ThePaletteFindsSettings() {
    start();
    openPalette();
    type(QStringLiteral("theme"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Settings: theme: Ctrl+,"), QAccessible::ListItem));
    press(Qt::Key_Return);
    QTRY_VERIFY(atPage(Pages::Settings));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Theme"), QAccessible::Grouping));
    QCOMPARE(item(QStringLiteral("Search in settings"))->property("text").toString(), QStringLiteral("theme"));
    openPalette();
    type(QStringLiteral("settings")); // its own name searches for nothing
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Settings: Ctrl+,"), QAccessible::ListItem));
}

/// "import" found the least important experts, but not the page.
void WindowPagesTest::k1TheSearchInSettingsFindsPages() {
    const QString search = QStringLiteral("Search in settings");
    start();
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_COMPARE(focusName(), search);
    press(Qt::Key_Return); // does nothing
    type(QStringLiteral("import"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Export and import"), QAccessible::Button));
    const QQuickItem* const setting = item(QStringLiteral("Leave out the least important experts"));
    QVERIFY(!setting || middleOf(setting).y() > middleOf(item(QStringLiteral("Export and import"))).y());
    press(Qt::Key_Return);
    QTRY_VERIFY(atPage(Pages::Exchange));
    press(Qt::Key_Escape);
    QTRY_VERIFY(atPage(Pages::Settings));
    QTRY_COMPARE(focusName(), search);
    type(QStringLiteral("keys")); // in place of the words before
    QTRY_VERIFY(!item(QStringLiteral("Export and import")));
    click(QStringLiteral("Keyboard shortcuts"), QAccessible::Button);
    QTRY_VERIFY(atPage(Pages::Shortcuts));
}

void WindowPagesTest::aboutTellsTheOriginAndLeadsToTheLicences() {
    start();
    app()->pages()->open(Pages::About);
    QTRY_VERIFY(shows("Coterie 1.2.3"));
    QVERIFY(shows("Built from source, commit 0123456789ab"));
    click(QStringLiteral("Licences"));
    QTRY_VERIFY(atPage(Pages::Licences));
    const QString words = QStringLiteral("May you do good and not evil.");
    const auto inText = [&](const QString& part) {
        return findItem(window()->contentItem(), [&](QQuickItem* at) {
            return at->isVisible() && at->property("text").toString().contains(part);
        });
    };
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Coterie: Apache-2.0"), QAccessible::Button));
    QVERIFY(!inText(words));
    click(QStringLiteral("SQLite: Public domain"));
    QTRY_VERIFY(inText(words));
    click(QStringLiteral("SQLite: Public domain"));
    QTRY_VERIFY(!inText(words));
    press(Qt::Key_Escape);
    QTRY_VERIFY(atPage(Pages::About));
}

void WindowPagesTest::paletteGivesTheFocusBack() {
    start();
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    openPalette();
    type(QStringLiteral("x"));
    press(Qt::Key_Tab); // the focus stays in it
    QCOMPARE(focusName(), QStringLiteral("Find a command"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    QVERIFY(app()->search()->words().isEmpty()); // nothing was typed behind the palette
    openPalette();
    QTest::mouseClick(window(), Qt::LeftButton, Qt::NoModifier, {window()->width() - 20, window()->height() - 20});
    QTRY_VERIFY(!app()->pages()->palette());
    QTRY_COMPARE(focusName(), QStringLiteral("Search in all chats"));
    openPalette();
    press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!app()->pages()->palette());
}

void WindowPagesTest::paletteShowsWhatCannotRun() {
    const QString stop = QStringLiteral("Stop the answer: Ctrl+.");
    start();
    openPalette();
    type(QStringLiteral("stop the answer"));
    QQuickItem* row = nullptr;
    QTRY_VERIFY((row = namedItem(window(), stop, QAccessible::ListItem)));
    QVERIFY(!row->isEnabled());
    const QSignalSpy ran(app()->commands(), &app::CommandList::ran);
    press(Qt::Key_Return);
    QCOMPARE(ran.count(), 0);
    QVERIFY(app()->pages()->palette());
    QVERIFY(app()->conversation()->send(QStringLiteral("Hello")));
    QTRY_VERIFY((row = namedItem(window(), stop, QAccessible::ListItem)) && row->isEnabled());
    press(Qt::Key_Return);
    QTRY_VERIFY(!app()->conversation()->busy());
}

void WindowPagesTest::thePaletteBeginsAtWhatCanRun() {
    start();
    talk(QStringLiteral("Hello"));
    openPalette();
    const auto chosen = [this] {
        const QQuickItem* const list = namedItem(window(), QStringLiteral("Commands"), QAccessible::List);
        return list->property("currentItem").value<QQuickItem*>();
    };
    QVERIFY(chosen() && chosen()->isEnabled());
    type(QStringLiteral("answer")); // "Stop the answer" is the first one of the list
    QTRY_VERIFY(chosen() && chosen()->property("text").toString().contains(QStringLiteral("the answer")));
    QVERIFY(chosen()->isEnabled());
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("undo")); // nothing can be undone: the key does not run what is only near to it
    QTRY_VERIFY(chosen() && chosen()->property("text").toString() == QStringLiteral("Undo"));
    QVERIFY(!chosen()->isEnabled());
}

/// Qt 6.4 warns when rows leave a list that is making one that is not in view yet.
void WindowPagesTest::rowsLeaveThePaletteWhileOneIsBeingMade() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("DelegateModel")));
    start();
    for (int events = 0; events < 20; ++events) {
        openPalette();
        for (int i = 0; i < events; ++i) QCoreApplication::processEvents();
        type(QStringLiteral("import"));
        QVERIFY(drawn());
        press(Qt::Key_Escape);
        QTRY_VERIFY(!app()->pages()->palette());
    }
}

void WindowPagesTest::paletteOpensAboveAPage() {
    start();
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(atPage(Pages::Settings));
    openPalette();
    press(Qt::Key_Escape); // closes the palette, not the page
    QTRY_VERIFY(!app()->pages()->palette());
    QVERIFY(atPage(Pages::Settings));
    openPalette();
    press(Qt::Key_N, Qt::ControlModifier); // other shortcuts work, and close it
    QTRY_VERIFY(!app()->pages()->palette());
    QVERIFY(atPage(Pages::Chat));
    QTRY_COMPARE(focusName(), QStringLiteral("Message"));
}

void WindowPagesTest::buttonsSayTheirKeys() {
    start();
    for (const char* name : {"Settings (Ctrl+,)", "Keyboard shortcuts (F1)", "Bin", "Hide the list of chats (Ctrl+B)",
                             "Model activity (Ctrl+I)", "Send (Enter)", "New chat"})
        QVERIFY2(item(QString::fromLatin1(name)), name);
}

/// A menu of choices begins at the current one.
void WindowPagesTest::n23DownGoesToTheNextChoice() {
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(app()->inspector()->condition(), app::Inspector::Ready);
    app()->inspector()->tokens()->setMeasure(app::TokenMeasure::Entropy);
    use("Colour the text by: Doubt");
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Active neurons"), QAccessible::MenuItem));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->inspector()->tokens()->measure(), app::TokenMeasure::Time); // the one after it
}

void WindowPagesTest::n23NoMenuLineIsCut() {
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    use("Save or copy");
    QQuickItem* entry = nullptr;
    QTRY_VERIFY((entry = findItem(window()->contentItem(),
                                  [](QQuickItem* at) { return at->isVisible() && at->inherits("QQuickMenuItem"); })));
    QVERIFY(drawn() && drawn());
    int lines = 0;
    findItem(entry->parentItem(), [&](QQuickItem* at) { // visits all
        if (!at->inherits("QQuickText") || !at->isVisible()) return false;
        ++lines;
        if (at->property("truncated").toBool())
            QTest::qFail(qPrintable(at->property("text").toString()), __FILE__, __LINE__);
        return false;
    });
    QVERIFY(lines >= 4);
}

void WindowPagesTest::keysScrollAPageWithoutControls_data() {
    QTest::addColumn<Pages::Page>("page");
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("shortcuts") << Pages::Shortcuts << QByteArray("ShortcutsPage_QMLTYPE");
    QTest::newRow("licences") << Pages::Licences << QByteArray("LicencesPage_QMLTYPE");
    QTest::newRow("about") << Pages::About << QByteArray("AboutPage_QMLTYPE");
}

/// A page is read to its end by keys alone: only its button "Back" and the like take the focus.
void WindowPagesTest::keysScrollAPageWithoutControls() {
    QFETCH(Pages::Page, page);
    QFETCH(QByteArray, type);
    start();
    app()->settings()->fontScale = 2; // none of them has room for all
    window()->resize(900, 480);
    app()->pages()->open(page);
    QTRY_COMPARE(focusName(), QStringLiteral("Back to the conversation"));
    QQuickItem* body = nullptr;
    QTRY_VERIFY((body = bodyOf(byType(type))) && drawn());
    const auto place = [&] { return body->property("contentY").toDouble(); };
    const double end = body->property("contentHeight").toDouble() - body->height();
    QVERIFY(end > 0 && place() == 0);
    press(Qt::Key_Down);
    const double step = place();
    QVERIFY(step > 0 && step <= end);
    press(Qt::Key_Up);
    QCOMPARE(place(), 0.0);
    press(Qt::Key_PageDown);
    QVERIFY(place() >= step && place() < body->height()); // the last line is still in view
    press(Qt::Key_End);
    QCOMPARE(place(), end);
    press(Qt::Key_PageDown); // there is nothing after it
    QCOMPARE(place(), end);
    press(Qt::Key_PageUp);
    QVERIFY(place() < end);
    press(Qt::Key_Home);
    QCOMPARE(place(), 0.0);
    QCOMPARE(focusName(), QStringLiteral("Back to the conversation"));
}

/// Up at the first line of a text field is no wish to scroll: the cursor would leave the view.
void WindowPagesTest::keysOfATextFieldDoNotScrollThePage() {
    start();
    press(Qt::Key_Comma, Qt::ControlModifier);
    QQuickItem* body = nullptr;
    QTRY_VERIFY((body = bodyOf(byType("SettingsPage_QMLTYPE"))) && drawn());
    focusOn(QStringLiteral("Search in settings"));
    const double before = body->property("contentY").toDouble();
    for (const int key : {Qt::Key_Down, Qt::Key_Up, Qt::Key_Home, Qt::Key_End}) press(key);
    QCOMPARE(body->property("contentY").toDouble(), before);
    press(Qt::Key_PageDown); // means nothing in a line of text
    QVERIFY(body->property("contentY").toDouble() > before);
}

void WindowPagesTest::theActivityPageUsesItsWidth_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("text");
    for (const int width : {640, 900, 1400, 1600, 2200})
        for (const double text : {1.0, 2.0}) QTest::addRow("%d px, text %.0f %%", width, text * 100) << width << text;
}

/// The text is at the left of the grid and has a heading, the figures have what is left, and no text is in a wrong
/// place.
void WindowPagesTest::theActivityPageUsesItsWidth() {
    QFETCH(int, width);
    QFETCH(double, text);
    start("fast");
    talk(QStringLiteral("Hello"));
    app()->settings()->fontScale = text;
    window()->resize(width, 900);
    press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    QQuickItem *view = nullptr, *grid = nullptr, *figures = nullptr;
    QTRY_VERIFY((view = byType("ActivityView_QMLTYPE")) && (grid = byType("ExpertsView_QMLTYPE")) &&
                (figures = byType("AnswerFigures_QMLTYPE")));
    QTRY_VERIFY2(textFindings(window()).isEmpty(), qPrintable(textFindings(window()).join(u'\n')));
    const double page = byType("ActivityPage_QMLTYPE")->width(); // Style.qml: twoColumns, threeColumns, pageWidth
    const int most = page >= 1300 * text ? 3 : page >= 800 * text ? 2 : 1;
    QVERIFY(width < 1600 || text > 1 || most == 3);
    QCOMPARE(view->width(), std::min(page - 2 * 24, most * 640.0 * text));
    QList<int> columns; // those of the answer's text, if it is there, the grid and the figures
    for (const QQuickItem* part : {item(QStringLiteral("Text of the answer")), grid, figures})
        if (part) columns.append(qRound(part->mapToItem(view, QPointF()).x() * most / view->width()));
    QCOMPARE(columns, most == 3 ? QList<int>({0, 1, 2}) : most == 2 ? QList<int>({0, 1, 0}) : QList<int>({0, 0}));
}

void WindowPagesTest::keysScrollThePageOfAnEmptyChat_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<bool>("model");
    QTest::addColumn<bool>("guide");
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("no model") << QByteArray("story") << false << false << QByteArray("FirstStart_QMLTYPE");
    QTest::newRow("the demo model") << QByteArray("story") << false << true << QByteArray("DemoStart_QMLTYPE");
    QTest::newRow("notes about a model") << QByteArray("notes") << true << false << QByteArray("ModelStart_QMLTYPE");
}

/// It stands in place of the messages, so that keys scroll it wherever the focus is, also in the empty message field.
void WindowPagesTest::keysScrollThePageOfAnEmptyChat() {
    QFETCH(QByteArray, script);
    QFETCH(bool, model);
    QFETCH(bool, guide);
    QFETCH(QByteArray, type);
    start(script.constData(), model, guide);
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    QQuickItem* body = nullptr;
    QTRY_VERIFY((body = bodyOf(byType(type), "ScrollArea_QMLTYPE")) && drawn());
    press(Qt::Key_L, Qt::ControlModifier);
    const auto place = [&] { return body->property("contentY").toDouble(); };
    const auto end = [&] { return body->property("contentHeight").toDouble() - body->height(); };
    QTRY_VERIFY(end() > 0);
    QCOMPARE(place(), 0.0);
    press(Qt::Key_Down);
    QVERIFY(place() > 0);
    press(Qt::Key_Up);
    QCOMPARE(place(), 0.0);
    press(Qt::Key_PageDown);
    QVERIFY(place() > 0 && place() < body->height());
    press(Qt::Key_PageUp);
    QCOMPARE(place(), 0.0);
    press(Qt::Key_End);
    QCOMPARE(place(), end());
    press(Qt::Key_Home);
    QCOMPARE(place(), 0.0);
    if (!item(QStringLiteral("Message"))) return;
    QTest::keyClick(window(), 'x'); // from now on, lines belong to the field's cursor
    for (const int key : {Qt::Key_Down, Qt::Key_End}) press(key);
    QCOMPARE(place(), 0.0);
    press(Qt::Key_PageDown);
    QVERIFY(place() > 0);
}

void WindowPagesTest::notesAboutAModelAreSentences() {
    start("notes");
    const QStringList notes = app()->models()->notes();
    QVERIFY(!notes.isEmpty());
    for (const QString& note : notes) {
        QVERIFY2(note.endsWith(u'.') && !note.endsWith(QStringLiteral("..")), qPrintable(note));
        QTRY_VERIFY2(shownTexts().contains(note), qPrintable(note));
    }
}

int main(int argc, char** argv) { return runWindowTest<WindowPagesTest>(argc, argv); }

#include "tst_window_pages.moc"
