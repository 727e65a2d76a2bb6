// SPDX-License-Identifier: Apache-2.0
// Dialogs for files, with the dialog that Qt Quick shows where the desktop has none. It is used by keys, as a person
// does.
#include "window_driver.h"

#include <QScopeGuard>
#include <QStyleHints>

#include <utility>

using namespace coterie;
using namespace coterie::tests;
using app::ChatExchange;

class WindowDialogsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void f1AnotherNameIsSavedTo();
    void f1TheButtonSavesToAnotherName();
    void f1TheRecordIsSavedToAnotherName();
    void n3EachLineOfTheMenuAsksForItsFile();
    void f5TheFocusStaysInTheDialog_data();
    void f5TheFocusStaysInTheDialog();
    void s58TheFocusIsSeenAfterTheDialog();
    void f29TheNameSurvivesAnotherFolder();
    void f29TheLastFolderIsWhereTheNextDialogStarts();
    void aDialogOfModelsStartsWhereItEnded();
    void f29TheDialogHasTheColoursOfTheTheme();
    void aTypedFolderIsTheOneThatIsImported();
    void theDialogFitsTheSmallestWindow();
    void theDateOfAFileLeavesItsSizeAlone();
    void h7ATypedNameChoosesItsRow();
    void noTipLiesOverADialog_data();
    void noTipLiesOverADialog();
    void noHalfDestroyedControlIsShownAtTheEnd_data();
    void noHalfDestroyedControlIsShownAtTheEnd();

  private:
    /// The part of Qt Quick's dialog that has this name.
    QQuickItem* part(const char* name) const {
        return findItem(window()->contentItem(),
                        [name](QQuickItem* at) { return at->isVisible() && at->objectName() == QLatin1String(name); });
    }
    QQuickItem* nameField() const { return part("fileNameTextField"); }
    QQuickItem* list() const { return part("fileDialogListView"); }
    QString name() const { return nameField() ? nameField()->property("text").toString() : QString(); }
    QUrl folderInView() const { return list()->parent()->property("currentFolder").toUrl(); }
    /// The tip in view with these words; null: none.
    QQuickItem* tip(const QString& words) const {
        return findItem(window()->contentItem(), [&words](QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickPopupItem") &&
                   at->parent()->property("text").toString() == words;
        });
    }
    bool goTo(const QString& folder) const {
        return list()->parent()->setProperty("currentFolder", QUrl::fromLocalFile(folder));
    }
    /// Opens the dialog for the file of the chat in the test's own folder.
    void exportTheChat() {
        start();
        talk(QStringLiteral("Hello"));
        app()->exchange()->chooseFile(app()->conversation()->chatId(), ChatExchange::Json);
        QTRY_VERIFY(nameField() && nameField()->hasActiveFocus());
        QCOMPARE(name(), QStringLiteral("Hello.json"));
        QVERIFY(goTo(places_.path()));
        QTRY_COMPARE(name(), QStringLiteral("Hello.json"));
    }
    QString at(const char* file) const { return places_.filePath(QLatin1String(file)); }

    QTemporaryDir places_;
};

void WindowDialogsTest::f1AnotherNameIsSavedTo() {
    exportTheChat();
    nameField()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("mine"));
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("The chat was exported."));
    QVERIFY(QFile::exists(at("mine.json"))); // it got its ending
    QVERIFY(!nameField());
    QCOMPARE(app()->pages()->current(), app::Pages::Chat); // the reader stays there
}

void WindowDialogsTest::f1TheButtonSavesToAnotherName() {
    exportTheChat();
    nameField()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("other.json"));
    clickFound(
        [this] {
            return findItem(window()->contentItem(), [](QQuickItem* at) {
                return at->isVisible() && at->inherits("QQuickButton") &&
                       at->property("text").toString() == QStringLiteral("Save");
            });
        },
        "Save");
    QTRY_VERIFY(shows("The chat was exported."));
    QVERIFY(QFile::exists(at("other.json")));
}

/// The inspector uses the same dialog, and says what it saved.
void WindowDialogsTest::f1TheRecordIsSavedToAnotherName() {
    start("from-disk");
    talk(QStringLiteral("Hello"));
    window()->resize(1400, 900);
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(app()->inspector()->condition(), app::Inspector::Ready);
    QQuickItem* menu = nullptr;
    QTRY_VERIFY((menu = findItem(window()->contentItem(), [](QQuickItem* at) {
                     return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ExportMenu");
                 })));
    QVERIFY(QMetaObject::invokeMethod(menu, "choose", Q_ARG(QString, QStringLiteral("csv"))));
    QTRY_VERIFY(nameField() && nameField()->hasActiveFocus());
    QVERIFY(goTo(places_.path()));
    QTRY_COMPARE(name(), QStringLiteral("Hello.csv"));
    nameField()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("rec2.csv"));
    press(Qt::Key_Return);
    QTRY_VERIFY(QFile::exists(at("rec2.csv")));
    QTRY_VERIFY(shows("Saved: rec2.csv"));
}

/// Each has a name of its own, so that all five can stand in one folder.
void WindowDialogsTest::n3EachLineOfTheMenuAsksForItsFile() {
    start("from-disk");
    talk(QStringLiteral("Hello"));
    window()->resize(1400, 900);
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(app()->inspector()->condition(), app::Inspector::Ready);
    for (const auto& [line, file] : {std::pair("Save the grid as a picture\u2026", "Hello.png"),
                                     {"Save the tokens as a picture\u2026", "Hello - tokens.png"},
                                     {"Save figures and charts as a picture\u2026", "Hello - figures.png"},
                                     {"Save the record as CSV\u2026", "Hello.csv"},
                                     {"Save the record as JSON\u2026", "Hello.json"}}) {
        use("Save or copy");
        click(QString::fromUtf8(line), QAccessible::MenuItem);
        QTRY_VERIFY2(nameField() && nameField()->hasActiveFocus(), line);
        QTRY_COMPARE(name(), QString::fromLatin1(file));
        press(Qt::Key_Escape);
        QTRY_VERIFY2(!nameField(), line);
    }
}

void WindowDialogsTest::f5TheFocusStaysInTheDialog_data() {
    QTest::addColumn<QString>("command");
    for (const char* id :
         {"model.open", "message.attach", "chats.import", "chats.importFolder", "chats.export", "chats.exportMarkdown"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

/// The field of the path gives the focus to the window, which is behind the dialog.
void WindowDialogsTest::f5TheFocusStaysInTheDialog() {
    QFETCH(const QString, command);
    start();
    QVERIFY(QDir(places_.path()).mkpath(QStringLiteral("folder")));
    app()->commands()->run(command);
    QQuickItem* files = nullptr;
    QTRY_VERIFY((files = list() ? list() : part("folderDialogListView")));
    QTRY_VERIFY(window()->activeFocusItem());
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_A, Qt::ControlModifier);
    QTRY_VERIFY(window()->activeFocusItem()->inherits("QQuickTextField"));
    type(places_.filePath(QStringLiteral("folder")));
    press(Qt::Key_Return);
    QTRY_VERIFY(drawn());
    press(Qt::Key_Down);
    type(QStringLiteral("x"));
    QCOMPARE(app()->conversation()->draft(), QString());
    const auto inDialog = [&] {
        for (QQuickItem* at = window()->activeFocusItem(); at; at = at->parentItem())
            if (at->inherits("QQuickPopupItem")) return true;
        return false;
    };
    QTRY_VERIFY(inDialog());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!list() && !part("folderDialogListView"));
    QTRY_VERIFY(!inDialog());
}

/// Esc leads back to the button that opened the dialog, which shows its ring.
void WindowDialogsTest::s58TheFocusIsSeenAfterTheDialog() {
    start("story", false);
    const QString opener = QString::fromUtf8("Open a model\u2026");
    focusOn(opener);
    press(Qt::Key_Return);
    QTRY_VERIFY(list() && window()->activeFocusItem() != item(opener));
    QVERIFY(drawn());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!list());
    QTRY_COMPARE(window()->activeFocusItem(), item(opener));
    QVERIFY(item(opener)->property("visualFocus").toBool());
}

void WindowDialogsTest::f29TheNameSurvivesAnotherFolder() {
    QVERIFY(QDir(places_.path()).mkpath(QStringLiteral("folder")) &&
            QDir(places_.path()).mkpath(QStringLiteral("deep/er")));
    exportTheChat();
    QVERIFY(goTo(places_.filePath(QStringLiteral("deep"))));
    QTRY_VERIFY(drawn());
    QTRY_COMPARE(name(), QStringLiteral("Hello.json"));
    nameField()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QTRY_VERIFY(QFile::exists(at("deep/Hello.json")));
}

void WindowDialogsTest::f29TheLastFolderIsWhereTheNextDialogStarts() {
    exportTheChat();
    nameField()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QTRY_VERIFY(QFile::exists(at("Hello.json")));
    QTRY_VERIFY(!app()->exchange()->busy()); // the file is there a moment before
    app()->commands()->run(QStringLiteral("chats.import"));
    QTRY_VERIFY(list());
    QCOMPARE(folderInView(), QUrl::fromLocalFile(places_.path()));
}

/// It has a folder of its own, that of the last model, and went back there from a file that was refused.
void WindowDialogsTest::aDialogOfModelsStartsWhereItEnded() {
    const QString folder = places_.filePath(QStringLiteral("models")), file = folder + QStringLiteral("/broken.gguf");
    QVERIFY(QDir().mkpath(folder));
    QFile broken(file);
    QVERIFY(broken.open(QIODevice::WriteOnly));
    start("open-failure");
    const auto open = [this] {
        app()->commands()->run(QStringLiteral("model.open"));
        QTRY_VERIFY(list());
        QTRY_VERIFY(drawn());
    };
    open();
    QVERIFY(folderInView() != QUrl::fromLocalFile(folder));
    QVERIFY(goTo(folder));
    QTRY_VERIFY(drawn());
    QVERIFY(list()->parent()->setProperty("selectedFile", QUrl::fromLocalFile(file)));
    QVERIFY(QMetaObject::invokeMethod(list()->parent(), "accept"));
    QTRY_COMPARE(app()->models()->path(), QDir::toNativeSeparators(file));
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Failed);
    open();
    QCOMPARE(folderInView(), QUrl::fromLocalFile(folder));
    QVERIFY(goTo(places_.path()));
    QTRY_VERIFY(drawn());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!list());
    open();
    QCOMPARE(folderInView(), QUrl::fromLocalFile(places_.path()));
}

/// It has a folder of its own, whose row Qt selects.
void WindowDialogsTest::aTypedFolderIsTheOneThatIsImported() {
    const QString folder = places_.filePath(QStringLiteral("chats"));
    for (const char* chat : {"Outer", "within/Inner"}) {
        const QFileInfo at(folder + u'/' + QLatin1String(chat) + QStringLiteral(".json"));
        QVERIFY(QDir().mkpath(at.path()));
        QFile file(at.filePath());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral(R"([{"mapping": {"a": {"message": {"author": {"role": "user"},
                                     "content": {"parts": ["Hi"]}}}}, "title": "%1"}])")
                       .arg(at.completeBaseName())
                       .toUtf8());
    }
    const auto open = [this, &folder] {
        app()->commands()->run(QStringLiteral("chats.importFolder"));
        QTRY_VERIFY(part("folderDialogListView"));
        const QObject* const dialog = part("folderDialogListView")->parent();
        press(Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(window()->activeFocusItem() && window()->activeFocusItem()->inherits("QQuickTextField"));
        press(Qt::Key_A, Qt::ControlModifier);
        type(folder);
        press(Qt::Key_Return);
        QTRY_COMPARE(dialog->property("currentFolder").toUrl(), QUrl::fromLocalFile(folder));
        QTRY_COMPARE(part("folderDialogListView")->property("count").toInt(), 1);
        QTRY_COMPARE(dialog->property("selectedFolder").toUrl(), QUrl::fromLocalFile(folder));
        QTRY_COMPARE(part("folderDialogListView")->property("currentIndex").toInt(), -1);
        QVERIFY(drawn());
    };
    const auto accept = [this] {
        clickFound(
            [this] {
                return findItem(window()->contentItem(), [](QQuickItem* at) {
                    return at->isVisible() && at->inherits("QQuickButton") &&
                           at->property("text").toString() == QStringLiteral("Open");
                });
            },
            "Open");
        QTRY_COMPARE(app()->exchange()->state(), ChatExchange::Done);
        QTRY_VERIFY(!part("folderDialogListView"));
    };
    const auto imported = [this](const char* title) {
        return namedItem(window(), QLatin1String(title), QAccessible::ListItem) != nullptr;
    };
    start();
    open();
    QQuickItem* const list = part("folderDialogListView");
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Down); // a row that a person chooses is taken
    accept();
    QTRY_VERIFY(imported("Inner"));
    QVERIFY(!imported("Outer"));
    open();
    accept();
    QTRY_VERIFY(imported("Outer"));
}

/// With the largest texts its buttons were outside of the window.
void WindowDialogsTest::theDialogFitsTheSmallestWindow() {
    exportTheChat();
    press(Qt::Key_Escape);
    QTRY_VERIFY(!nameField());
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    QTRY_COMPARE(window()->contentItem()->size(), QSizeF(640, 440));
    QVERIFY(drawn());
    app()->exchange()->chooseFile(app()->conversation()->chatId(), ChatExchange::Json);
    QTRY_VERIFY(nameField() && nameField()->hasActiveFocus());
    QVERIFY(drawn() && drawn());
    const QRectF whole(0, 0, 640, 440);
    const auto inWindow = [&](const QQuickItem* at) {
        return at && whole.contains(at->mapRectToScene(QRectF(0, 0, at->width(), at->height())));
    };
    const QQuickItem* const save = findItem(window()->contentItem(), [](const QQuickItem* at) {
        return at->isVisible() && at->inherits("QQuickButton") &&
               at->property("text").toString() == QStringLiteral("Save");
    });
    QTRY_VERIFY(inWindow(save) && inWindow(nameField()) && inWindow(list()));
    QVERIFY(list()->height() > 0);
}

/// Both stood in the width of the field of filters, which is narrow beside large buttons.
void WindowDialogsTest::theDateOfAFileLeavesItsSizeAlone() {
    const QString folder = places_.filePath(QStringLiteral("sizes"));
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QStringLiteral("/chat.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(200000));
    start();
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    QTRY_COMPARE(window()->contentItem()->size(), QSizeF(640, 440));
    app()->commands()->run(QStringLiteral("chats.import"));
    QTRY_VERIFY(list());
    QVERIFY(goTo(folder));
    const auto texts = [this] { // the name, the size and the date of the first file
        QList<const QQuickItem*> all;
        findItem(part("fileDialogDelegate0"), [&all](const QQuickItem* at) {
            if (at->isVisible() && at->inherits("QQuickText")) all.append(at);
            return false;
        });
        return all;
    };
    const auto placeOf = [](const QQuickItem* at) {
        return at->mapRectToScene(QRectF(0, 0, at->width(), at->height()));
    };
    const auto apart = [&] {
        const QList<const QQuickItem*> all = texts();
        return all.size() == 3 && all[0]->property("text").toString() == QStringLiteral("chat.json") &&
               placeOf(all[1]).right() < placeOf(all[2]).left() &&
               placeOf(all[2]).right() < list()->mapToScene(QPointF(list()->width(), 0)).x();
    };
    QTRY_VERIFY(apart());
    window()->resize(800, 600);
    QTRY_COMPARE(window()->contentItem()->size(), QSizeF(800, 600));
    QTRY_VERIFY(drawn() && apart());
}

/// The keys did nothing, and Enter took the row that was current before.
void WindowDialogsTest::h7ATypedNameChoosesItsRow() {
    for (const char* folder : {"alpha", "beta"}) QVERIFY(QDir(places_.path()).mkpath(QLatin1String(folder)));
    for (const char* path : {"beta/one.txt", "beta/Open.txt", "beta/oval.txt"}) {
        QFile file(at(path));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("words") > 0);
    }
    start();
    app()->commands()->run(QStringLiteral("message.attach"));
    QTRY_VERIFY(list());
    QVERIFY(goTo(places_.path()));
    const auto nameIn = [](const QQuickItem* row) { return row ? row->property("fileName").toString() : QString(); };
    const auto current = [&] {
        return nameIn(list() ? list()->property("currentItem").value<QQuickItem*>() : nullptr);
    };
    QTRY_COMPARE(nameIn(part("fileDialogDelegate1")), QStringLiteral("beta"));
    QTRY_VERIFY(list()->hasActiveFocus());
    type(QStringLiteral("be"));
    QCOMPARE(current(), QStringLiteral("beta"));
    press(Qt::Key_Return);
    QTRY_COMPARE(folderInView(), QUrl::fromLocalFile(at("beta")));
    QTRY_COMPARE(nameIn(part("fileDialogDelegate2")), QStringLiteral("oval.txt"));
    QTRY_VERIFY(list()->hasActiveFocus());
    const QString before = current();
    type(QStringLiteral("xy")); // there is no such file
    press(Qt::Key_Return);
    QVERIFY(drawn() && drawn());
    QVERIFY(list());
    QCOMPARE(current(), before);
    press(Qt::Key_Down); // goes on by keys, and another name begins
    QVERIFY(current() != before);
    type(QStringLiteral("ov"));
    QCOMPARE(current(), QStringLiteral("oval.txt"));
    press(Qt::Key_Return);
    QTRY_VERIFY(!list());
    QTRY_COMPARE(app()->conversation()->files()->count(), 1);
    QCOMPARE(app()->conversation()->files()->index(0).data(app::ComposerFiles::NameRole).toString(),
             QStringLiteral("oval.txt"));
}

void WindowDialogsTest::noTipLiesOverADialog_data() {
    QTest::addColumn<QString>("command");
    for (const char* id : {"model.open", "chats.export", "chats.exportMarkdown"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

void WindowDialogsTest::noTipLiesOverADialog() {
    QFETCH(const QString, command);
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->useHoverEffects()] { hints->setUseHoverEffects(was); });
    hints->setUseHoverEffects(true); // as on a desktop: the pointer alone shows a tip
    start();
    talk(QStringLiteral("Hello"));
    const QString words =
        app()->commands()->tip(QStringLiteral("Settings of this chat"), QStringLiteral("chat.settings"));
    QTRY_VERIFY(item(words));
    const QPoint at = middleOf(item(words));
    QTest::mouseMove(window(), at - QPoint(1, 1)); // it may be at the other place already, which would be no move
    QTest::mouseMove(window(), at);
    QTRY_VERIFY(tip(words));
    app()->commands()->run(command);
    QTRY_VERIFY(list() || part("folderDialogListView"));
    QTRY_VERIFY(!tip(words));
    QVERIFY(drawn() && drawn());
    QVERIFY(!tip(words));
}

void WindowDialogsTest::f29TheDialogHasTheColoursOfTheTheme() {
    start();
    for (const char* theme : {"dark", "light"}) {
        app()->settings()->theme = QString::fromLatin1(theme);
        app()->commands()->run(QStringLiteral("chats.import"));
        QTRY_VERIFY(list());
        QTRY_VERIFY(drawn());
        const QImage picture = window()->grabWindow();
        const QPointF corner = list()->mapToScene(QPointF(list()->width() / 2, list()->height() - 2));
        const QQuickItem* path = findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickFolderBreadcrumbBar");
        });
        QVERIFY(path);
        const QPointF pathEnd = path->mapToScene(QPointF(path->width() - 4, path->height() / 2)); // g8
        for (const QPointF place : {corner, pathEnd}) {
            const int light = picture.pixelColor((place * picture.devicePixelRatio()).toPoint()).lightness();
            QVERIFY2(qstrcmp(theme, "dark") == 0 ? light < 80 : light > 200, qPrintable(QString::number(light)));
        }
        press(Qt::Key_Escape);
        QTRY_VERIFY(!list());
    }
}

void WindowDialogsTest::noHalfDestroyedControlIsShownAtTheEnd_data() {
    QTest::addColumn<QString>("command");
    for (const char* id : {"chats.import", "chats.importFolder", "chats.export"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

/// If a screen reader were connected, Qt would ask such a control for its role, and the program would crash.
void WindowDialogsTest::noHalfDestroyedControlIsShownAtTheEnd() {
    QFETCH(const QString, command);
    start();
    for (int time = 0; time < 2; ++time) {
        app()->commands()->run(command);
        QTRY_VERIFY(list() || part("folderDialogListView"));
        QTRY_VERIFY(drawn());
        press(Qt::Key_Escape);
        QTRY_VERIFY(!list() && !part("folderDialogListView"));
    }
    QStringList halves;
    for (QQuickItem* at : window()->findChildren<QQuickItem*>()) {
        if (!at->inherits("QQuickControl")) continue;
        connect(at, &QQuickItem::visibleChanged, this, [at, &halves, name = at->metaObject()->className()] {
            if (!at->inherits("QQuickControl")) halves.append(QString::fromLatin1(name));
        });
    }
    fixture_.reset();
    QCOMPARE(halves, QStringList());
}

int main(int argc, char** argv) { return runWindowTest<WindowDialogsTest>(argc, argv); }
#include "tst_window_dialogs.moc"
