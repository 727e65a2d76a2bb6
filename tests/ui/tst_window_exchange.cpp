// SPDX-License-Identifier: Apache-2.0
// Export and import in the window: the page says what is done, asks before a file is replaced, and shows what was
// imported. The file dialogs are not part of this: see tst_window_dialogs.cpp.
#include "shell/setting_editor.h"
#include "window_driver.h"

#include <QJsonDocument>

using namespace coterie;
using namespace coterie::tests;
using app::ChatExchange;
using app::Pages;

class WindowExchangeTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void allChatsGoIntoAFileAndComeBack();
    void chatsOfOtherProgramsAreShown_data();
    void chatsOfOtherProgramsAreShown();
    void aCallWithAResultAsksForNone_data();
    void aCallWithAResultAsksForNone();
    void chatsDroppedOnTheirPageAreImported();
    void aFolderOfChatsIsImported();
    void aFileIsReplacedAfterAQuestion();
    void theOpenChatBecomesMarkdown();
    void aChatIsExportedWhereItIsRead();
    void aQuestionCoversNoSearch();
    void allChatsBecomeMarkdown();
    void tracesAreExportedIfAskedFor();
    void whatWasLeftOutIsSaid();
    void aFileThatIsNoExportIsRefused();
    void aFileWithoutChatsSaysWhatToDo_data();
    void aFileWithoutChatsSaysWhatToDo();
    void wordsOfAnEarlierImportGo();
    void commandsFollowTheState();
    void undoEndsWithWhatAnImportBringsBack();
    void undoBeginsWithTheImport();
    void undoTakesFoldersOfTheImportAway();
    void undoEndsWithAFolderAndAPresetThatAreHereAgain();

  private:
    QUrl file(const char* name) const { return QUrl::fromLocalFile(places_.filePath(QLatin1String(name))); }
    QByteArray contents(const char* name) const {
        QFile at(places_.filePath(QLatin1String(name)));
        return at.open(QIODevice::ReadOnly) ? at.readAll() : QByteArray();
    }
    void write(const char* name, const QByteArray& bytes) const {
        QFile at(places_.filePath(QLatin1String(name)));
        QVERIFY(at.open(QIODevice::WriteOnly));
        at.write(bytes);
    }
    void openPage() {
        app()->pages()->open(Pages::Exchange);
        QTRY_VERIFY(item(QStringLiteral("Import chats\u2026")));
    }
    /// Imports a file with a chat "Good" and one without messages.
    void importOneOfTwo() {
        start();
        openPage();
        write("some.json", R"([{"mapping": {"a": {"message": {"author": {"role": "user"},
                                                              "content": {"parts": ["Hi"]}}}}, "title": "Good"},
                               {"mapping": {}, "title": "Empty one"}])");
        app()->exchange()->importFile(file("some.json"));
    }

    QTemporaryDir places_;
};

void WindowExchangeTest::allChatsGoIntoAFileAndComeBack() {
    start();
    talk(QStringLiteral("First"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    openPage();
    app()->exchange()->exportAll(file("all.json"));
    QTRY_VERIFY(shows("2 chats were exported."));
    QVERIFY(QJsonDocument::fromJson(contents("all.json")).isObject());
    fixture_.reset();
    start();
    QCOMPARE(app()->chats()->count(), 0);
    openPage();
    app()->exchange()->importFile(file("all.json"));
    QTRY_VERIFY(shows("2 chats were imported."));
    QTRY_COMPARE(app()->chats()->count(), 2);
    QTRY_VERIFY(item(QStringLiteral("Close"))->hasActiveFocus());
    app()->exchange()->importFile(file("all.json"));
    QTRY_VERIFY(shows("2 chats were here already."));
    QVERIFY(shows("Nothing new was found.") && !shows("0 of 2 chats"));
    QCOMPARE(app()->chats()->count(), 2);
    use("Close");
    QTRY_VERIFY(!shows("were here already"));
    QTRY_VERIFY(item(QStringLiteral("Import chats\u2026"))->hasActiveFocus()); // the button that had it is gone
}

void WindowExchangeTest::chatsOfOtherProgramsAreShown_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("words");
    QTest::newRow("ChatGPT") << "chatgpt.json"
                             << "Sorting"
                             << "1, 3";
    QTest::newRow("LM Studio") << "lm_studio.conversation.json"
                               << "Rivers"
                               << "Longest river?";
    QTest::newRow("Jan") << "jan"
                         << "Tea"
                         << "plain";
    QTest::newRow("Jan's export") << "jan_export.json"
                                  << "Bread"
                                  << "Forty minutes.";
    QTest::newRow("llama.cpp's lines") << "llama_web.jsonl"
                                       << "Weather"
                                       << "It is 8 degrees warm.";
    QTest::newRow("llama.cpp") << "llama_web.json"
                               << "Stars"
                               << "Brightest star?";
}

void WindowExchangeTest::chatsOfOtherProgramsAreShown() {
    QFETCH(const QString, path);
    QFETCH(const QString, title);
    QFETCH(const QString, words);
    start();
    openPage();
    app()->exchange()->importFile(QUrl::fromLocalFile(QStringLiteral(SAMPLES "/") + path));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    clickFound([&] { return namedItem(window(), title, QAccessible::ListItem); }, qPrintable(title));
    QTRY_COMPARE(app()->conversation()->title(), title);
    QTRY_VERIFY(shows(qPrintable(words)));
    talk(QStringLiteral("Go on")); // it goes on like a chat of our own
    QVERIFY(control_->conversations().back().size() > 2);
}

void WindowExchangeTest::aCallWithAResultAsksForNone_data() {
    QTest::addColumn<QByteArray>("result");
    QTest::addColumn<bool>("asks");
    QTest::newRow("no result") << QByteArray() << true;
    QTest::newRow("a result") << QByteArray(R"(,
        "c": {"id": "c", "parent": "b", "children": [],
              "message": {"author": {"role": "tool", "name": "python"},
                          "content": {"content_type": "execution_output", "text": "3"}}})")
                              << false;
}

/// Calls of ChatGPT's tools come with their results.
void WindowExchangeTest::aCallWithAResultAsksForNone() {
    QFETCH(const QByteArray, result);
    QFETCH(const bool, asks);
    start();
    openPage();
    write("calls.json", R"([{"title": "Numbers", "mapping": {
        "a": {"id": "a", "parent": null, "children": ["b"],
              "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Count"]}}},
        "b": {"id": "b", "parent": "a", "children": [],
              "message": {"author": {"role": "assistant"}, "recipient": "python",
                          "content": {"content_type": "code", "language": "python", "text": "print 3"
}
}
})" + result + "}}]");
    app()->exchange()->importFile(file("calls.json"));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    press(Qt::Key_Escape);
    clickFound([&] { return namedItem(window(), QStringLiteral("Numbers"), QAccessible::ListItem); }, "Numbers");
    QTRY_VERIFY(shows("Tool call: python"));
    QVERIFY(drawn());
    QCOMPARE(shows("Coterie has no tool of this name."), asks);
}

void WindowExchangeTest::chatsDroppedOnTheirPageAreImported() {
    start();
    openPage();
    write("chats.json", R"([{"title": "Foxes", "mapping": {
        "a": {"id": "a", "parent": null, "children": ["b"], "message": null},
        "b": {"id": "b", "parent": "a", "children": [],
              "message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Tell me"]}}}}}])");
    QVERIFY(dropFile(places_.filePath(QStringLiteral("chats.json"))));
    QTRY_VERIFY(shows("Foxes")); // in the list of chats
    QCOMPARE(app()->pages()->current(), Pages::Exchange);
    QCOMPARE(app()->conversation()->files()->count(), 0);
}

/// The folder has files of all four programs, some with chats that can't be read.
void WindowExchangeTest::aFolderOfChatsIsImported() {
    start();
    openPage();
    QVERIFY(item(QStringLiteral("Import a folder\u2026")));
    app()->exchange()->importFile(QUrl::fromLocalFile(QStringLiteral(SAMPLES)));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    for (const char* title : {"Sorting", "Rivers", "Tea", "Stars"})
        QTRY_VERIFY2(namedItem(window(), QLatin1String(title), QAccessible::ListItem), title);
    QVERIFY(shows("chats were left out:"));
}

void WindowExchangeTest::aFileIsReplacedAfterAQuestion() {
    start();
    talk(QStringLiteral("Hello"));
    openPage();
    write("there.json", "mine");
    app()->exchange()->exportAll(file("there.json"));
    QTRY_VERIFY(shows("already. Replace it?"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    press(Qt::Key_Return);
    QTRY_VERIFY(!shows("Replace it?"));
    QCOMPARE(contents("there.json"), QByteArray("mine"));
    focusOn(QStringLiteral("Import chats\u2026"));
    app()->exchange()->exportAll(file("there.json"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    press(Qt::Key_Escape); // it answers the question, and leaves the page open
    QTRY_VERIFY(!shows("Replace it?"));
    QCOMPARE(contents("there.json"), QByteArray("mine"));
    QCOMPARE(app()->pages()->current(), Pages::Exchange);
    QTRY_VERIFY(item(QStringLiteral("Import chats\u2026"))->hasActiveFocus());
    app()->exchange()->exportAll(file("there.json"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    use("Replace the file");
    QTRY_VERIFY(shows("1 chat was exported."));
    QVERIFY(contents("there.json").contains("Hello"));
}

void WindowExchangeTest::theOpenChatBecomesMarkdown() {
    start();
    talk(QStringLiteral("Hello"));
    app()->exchange()->exportChat(app()->conversation()->chatId(), ChatExchange::Markdown, file("chat.md"));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    QVERIFY(contents("chat.md").startsWith("# Hello"));
    QCOMPARE(app()->exchange()->suggestedName(app()->conversation()->chatId(), ChatExchange::Markdown),
             QStringLiteral("Hello.md"));
    QCOMPARE(ChatExchange::fileName(QStringLiteral("About a fox.. "), {}), QStringLiteral("About a fox")); // F30
}

/// The page of the chat says the result, asks before a file is replaced, and shows an error.
void WindowExchangeTest::aChatIsExportedWhereItIsRead() {
    start();
    talk(QStringLiteral("Hello"));
    const auto exportChat = [this](const char* name) {
        app()->exchange()->exportChat(app()->conversation()->chatId(), ChatExchange::Json, file(name));
    };
    exportChat("one.json");
    QTRY_VERIFY(shows("The chat was exported. It is in "));
    click(QStringLiteral("Close"));
    QTRY_VERIFY(!shows("The chat was exported."));
    QVERIFY(item(QStringLiteral("Message"))->hasActiveFocus());
    write("one.json", "mine");
    exportChat("one.json");
    QTRY_VERIFY(shows("already. Replace it?"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    press(Qt::Key_Return);
    QTRY_VERIFY(!shows("Replace it?"));
    QCOMPARE(contents("one.json"), QByteArray("mine"));
    QVERIFY(item(QStringLiteral("Message"))->hasActiveFocus());
    exportChat("one.json");
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("Replace it?"));
    QCOMPARE(contents("one.json"), QByteArray("mine"));
    QVERIFY(item(QStringLiteral("Message"))->hasActiveFocus());
    exportChat("one.json");
    QTRY_VERIFY(item(QStringLiteral("Keep the file"))->hasActiveFocus());
    use("Replace the file");
    QTRY_VERIFY(shows("The chat was exported."));
    QVERIFY(contents("one.json").contains("Hello"));
    exportChat("no such folder/one.json");
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Failed);
    use("Dismiss");
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Idle);
    app()->exchange()->exportAll(file("every.json")); // this is said on its page alone
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    QVERIFY(drawn());
    QVERIFY(!shows("exported"));
    QCOMPARE(app()->pages()->current(), Pages::Chat);
}

/// In a low pane it lay over the bar of the search.
void WindowExchangeTest::aQuestionCoversNoSearch() {
    start();
    talk(QStringLiteral("Hello"));
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    press(Qt::Key_F, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    write("one.json", "mine");
    app()->exchange()->exportChat(app()->conversation()->chatId(), ChatExchange::Json, file("one.json"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file")) && item(QStringLiteral("Keep the file"))->hasActiveFocus());
    QVERIFY(drawn() && drawn());
    const auto found = [this](const char* type) {
        return findItem(window()->contentItem(), [type](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith(type);
        });
    };
    const auto seen = [](const QQuickItem* at) {
        QRectF place = at->mapRectToScene(QRectF(0, 0, at->width(), at->height()));
        for (const QQuickItem* up = at->parentItem(); up; up = up->parentItem())
            if (up->clip()) place &= up->mapRectToScene(QRectF(0, 0, up->width(), up->height()));
        return place;
    };
    const QQuickItem *const bar = found("FindBar_QMLTYPE"), *const question = found("ReplaceQuestion_QMLTYPE");
    QVERIFY(bar && question);
    QVERIFY(!seen(bar).intersects(seen(question)));
    const QQuickItem* const keep = item(QStringLiteral("Keep the file"));
    QVERIFY(seen(keep).height() >= keep->height() - 1 && seen(keep).top() >= seen(bar).bottom());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("Replace it?"));
    QCOMPARE(contents("one.json"), QByteArray("mine"));
}

void WindowExchangeTest::allChatsBecomeMarkdown() {
    start();
    talk(QStringLiteral("First: <tea>"));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    openPage();
    QVERIFY(item(QStringLiteral("Export as Markdown\u2026")));
    const QTemporaryDir folder;
    app()->exchange()->exportFolder(QUrl::fromLocalFile(folder.path()));
    QTRY_VERIFY(shows("2 chats were exported."));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name),
             QStringList({QStringLiteral("First tea.md"), QStringLiteral("Second.md")}));
    app()->exchange()->exportFolder(QUrl::fromLocalFile(folder.filePath(QStringLiteral("no such folder"))));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Failed);
}

void WindowExchangeTest::tracesAreExportedIfAskedFor() {
    start("from-disk");
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(app()->records()->bytes() > 0);
    openPage();
    const auto hasRecords = [this](const char* name) { return contents(name).contains("\"records\":[{"); };
    app()->exchange()->exportAll(file("without.json"));
    QTRY_VERIFY(shows("1 chat was exported."));
    QTRY_COMPARE(window()->activeFocusItem()->property("text").toString(), QStringLiteral("Close")); // gets it later
    QVERIFY(contents("without.json").contains("Hello") && !hasRecords("without.json"));
    const auto isInclude = [](QQuickItem* at) {
        return at->inherits("QQuickRadioButton") && at->property("text").toString() == QStringLiteral("Include");
    };
    QQuickItem* const include =
        findItem(namedItem(window(), QStringLiteral("Records of answers"), QAccessible::Grouping), isInclude);
    QVERIFY(include);
    include->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Space);
    QTRY_VERIFY(app()->exchange()->property("withRecords").toBool());
    app()->exchange()->exportAll(file("with.json"));
    QTRY_VERIFY(hasRecords("with.json"));
    QVERIFY(contents("with.json").size() > contents("without.json").size());
}

void WindowExchangeTest::whatWasLeftOutIsSaid() {
    importOneOfTwo();
    QTRY_VERIFY(shows("1 of 2 chats was imported."));
    QTRY_VERIFY(shows("Empty one: It has no messages"));
    QTRY_COMPARE(app()->chats()->count(), 1);
}

void WindowExchangeTest::aFileThatIsNoExportIsRefused() {
    start();
    openPage();
    write("other.json", "hello");
    app()->exchange()->importFile(file("other.json"));
    QTRY_VERIFY(shows("It is not a JSON file"));
    QCOMPARE(app()->exchange()->state(), ChatExchange::Failed);
    app()->exchange()->exportAll(QUrl::fromLocalFile(places_.filePath(QStringLiteral("no such folder/x.json"))));
    QTRY_VERIFY(!shows("It is not a JSON file"));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Failed);
    use("Dismiss");
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Idle);
}

void WindowExchangeTest::aFileWithoutChatsSaysWhatToDo_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("why");
    QTest::newRow("no bytes") << QByteArray() << QStringLiteral("The file is empty.");
    QTest::newRow("no chats") << QByteArray("[]") << QStringLiteral("There are no chats in the file.");
    QTest::newRow("no chats of ours") << QByteArray(R"({"format":"coterie-chats","version":1,"chats":[]})")
                                      << QStringLiteral("There are no chats in the file.");
}

void WindowExchangeTest::aFileWithoutChatsSaysWhatToDo() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, why);
    start();
    openPage();
    write("none.json", bytes);
    app()->exchange()->importFile(file("none.json"));
    QTRY_VERIFY(shows("The chats were not imported"));
    QVERIFY(shows(qPrintable(why)));
    QVERIFY(shows("Choose another file, or export your chats once more."));
    QVERIFY(!shows("0 chats"));
    write("none.json", R"({"format":"coterie-chats","version":1,"chats":[],"folders":["Ships"]})");
    app()->exchange()->importFile(file("none.json"));
    QTRY_VERIFY(shows("No chats were found. Everything else was imported."));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Ships"), QAccessible::ListItem));
}

void WindowExchangeTest::wordsOfAnEarlierImportGo() {
    importOneOfTwo();
    QTRY_VERIFY(shows("1 of 2 chats was imported.") && shows("Empty one: It has no messages"));
    app()->exchange()->setStore(nullptr); // the next import can't begin
    app()->exchange()->importFile(file("some.json"));
    QTRY_VERIFY(shows("Chats can't be exported or imported"));
    QTRY_VERIFY(!shows("1 of 2 chats was imported.") && !shows("Empty one"));
    app()->exchange()->dismiss();
}

void WindowExchangeTest::commandsFollowTheState() {
    start();
    const auto enabled = [this](const char* id) {
        for (const app::Command& command : app()->commands()->all())
            if (command.id == QLatin1String(id)) return !command.enabled || command.enabled();
        return false;
    };
    QVERIFY(!enabled("chat.exportJson") && !enabled("chat.exportMarkdown"));
    QVERIFY(enabled("chats.export") && enabled("chats.exportMarkdown") && enabled("chats.import") &&
            enabled("page.exchange"));
    talk(QStringLiteral("Hello"));
    QVERIFY(enabled("chat.exportJson") && enabled("chat.exportBranches"));
}

/// "Undo" of the deletion would do nothing, and say that it did something.
void WindowExchangeTest::undoEndsWithWhatAnImportBringsBack() {
    start();
    talk(QStringLiteral("First"));
    openPage();
    app()->exchange()->exportAll(file("back.json"));
    QTRY_VERIFY(shows("1 chat was exported."));
    press(Qt::Key_K, Qt::ControlModifier);
    press(Qt::Key_Delete);
    QTRY_VERIFY(shows("Deleted \"First\"") && item(QStringLiteral("Undo")));
    app()->exchange()->importFile(file("back.json"));
    QTRY_VERIFY(shows("1 of them was taken back from the bin."));
    QVERIFY(!app()->chats()->undoAvailable()); // now: the bar would go later by itself
    QVERIFY(drawn());
    QVERIFY(!shows("Deleted \"First\"") && !item(QStringLiteral("Undo")));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(shows("Undone: Import 1 chat"));
    QCOMPARE(app()->chats()->count(), 0);
    press(Qt::Key_Z, Qt::ControlModifier); // now the deletion
    QTRY_COMPARE(app()->chats()->count(), 1);
}

void WindowExchangeTest::undoBeginsWithTheImport() {
    start();
    talk(QStringLiteral("First"));
    const qint64 first = app()->conversation()->chatId();
    openPage();
    app()->exchange()->exportAll(file("kept.json"));
    QTRY_VERIFY(shows("1 chat was exported."));
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Second"));
    app()->chats()->remove(first);
    app()->chats()->remove(app()->conversation()->chatId());
    QTRY_VERIFY(shows("Deleted \"Second\""));
    openPage();
    app()->exchange()->importFile(file("kept.json"));
    QTRY_COMPARE(app()->chats()->count(), 1);
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    QTRY_VERIFY(!shows("Deleted \"Second\"")); // undoing means the import now
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(shows("Undone: Import 1 chat"));
    QCOMPARE(app()->chats()->count(), 0);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->count(), 1);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->chats()->count(), 2);
}

/// LM Studio's folders become folders. One that was there before the import stays.
void WindowExchangeTest::undoTakesFoldersOfTheImportAway() {
    start();
    openPage();
    const auto chat = [this](const char* name, const char* title) {
        QDir().mkpath(QFileInfo(file(name).toLocalFile()).path());
        write(name, QByteArray(R"({"name": "TITLE", "messages": [{"versions": [{"role": "user", "content": [
                                   {"type": "text", "text": "When?"}, {"type": "file", "name": "map.pdf"}]}]}]})")
                        .replace("TITLE", title));
    };
    chat("conversations/Work/a.conversation.json", "Plans");
    chat("conversations/Home/b.conversation.json", "Meals");
    app::ChatListModel* const chats = app()->chats();
    chats->renameFolder(chats->createFolder(), QStringLiteral("home"));
    app()->exchange()->importFile(file("conversations"));
    QTRY_VERIFY(shows("2 chats were imported.") && shows("A note is in the place of each."));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Work"), QAccessible::ListItem));
    QCOMPARE(chats->folderCount(), 2);
    QCOMPARE(chats->count(), 4);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(shows("Undone: Import 2 chats"));
    QCOMPARE(chats->folderCount(), 1);
    QCOMPARE(chats->count(), 1);
    press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(chats->count(), 4);
    QCOMPARE(chats->folderCount(), 2);
    for (int row = 0; row < chats->count(); ++row) {
        const QModelIndex at = chats->index(row, 0);
        QVERIFY(at.data(app::ChatListModel::ChatIdRole).toLongLong() == 0 ||
                at.data(app::ChatListModel::InFolderRole).toBool());
    }
}

void WindowExchangeTest::undoEndsWithAFolderAndAPresetThatAreHereAgain() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Ships"));
    talk(QStringLiteral("First"));
    app()->chats()->moveToFolder(app()->conversation()->chatId(), folder);
    app::SettingEditor editor;
    editor.setApp(app());
    editor.setConversation(app()->conversation());
    editor.setLayer(app::ChatSettings::Preset);
    editor.newPreset();
    const QString preset = editor.preset();
    editor.setChatPreset(preset);
    openPage();
    app()->exchange()->exportAll(file("again.json"));
    QTRY_VERIFY(shows("1 chat was exported."));
    QVERIFY(contents("again.json").contains(preset.toUtf8()));
    app()->chats()->removeFolder(folder);
    editor.removePreset();
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Delete the preset My preset"));
    app()->exchange()->importFile(file("again.json"));
    QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
    QVERIFY(app()->presets()->contains(preset));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Choose the preset of the chat"));
}

int main(int argc, char** argv) { return runWindowTest<WindowExchangeTest>(argc, argv); }
#include "tst_window_exchange.moc"
