// SPDX-License-Identifier: Apache-2.0
// Files that are attached to a message, in the real window by keys, pointer and drops.
// tests/app/engine_link/tst_attached_files.cpp tests what happens below.
#include "engine_link/pdf_text.h"
#include "fakes/noting_session.h"
#include "window_driver.h"

#include <QBuffer>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>

using namespace coterie;
using namespace coterie::tests;

class WindowFilesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void pastedFilesAreSentAndOpened();
    void theTextOfAPdfIsSent();
    void aChipIsTakenOutByKeys();
    void aChipIsTakenOutByPointer();
    void aFileThatIsAttachedAlreadyIsNamed();
    void droppedFilesAreAttached();
    void aLongTextIsPastedAsAFile();
    void aFileThatIsNoTextSaysSo();
    void g16ACardOfAFileGoes();
    void theCardOfAFileCoversNoMessage();
    void filesAreThereAfterARestart();
    void aMessageWaitsWithItsFiles();
    void forksAndDuplicatesShowTheFiles();
    void importedChatsShowTheFiles();
    void theGuideReadsTheFile();
    void s9UndoTakesTheFileBeforeTheWords();
    void s9ASentFileIsNoStepAnyMore();
    void s58ALongFileIsNamedAsTheReason();
    void theWordsOfALongEditAreTheReason();
    void filesWithoutAPlaceAreCounted();

  private:
    app::ComposerFiles& files() const { return *app()->conversation()->files(); }
    QUrl write(const QString& name, const QByteArray& bytes) {
        QFile file(QDir(fixture_->dataFolder()).filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return QUrl::fromLocalFile(file.fileName());
    }
    static QMimeData* mimeOf(const QUrl& url) {
        auto* data = new QMimeData;
        data->setUrls({url});
        return data;
    }
    /// Pastes the file into the composer, and waits for its chip.
    void attach(const QString& name, const QByteArray& bytes) {
        const int before = files().count();
        QGuiApplication::clipboard()->setMimeData(mimeOf(write(name, bytes)));
        press(Qt::Key_L, Qt::ControlModifier);
        press(Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(files().count(), before + 1);
    }
    /// Opens the file of the message by key, reads its text, and closes it.
    void readFileOfMessage(const char* name, const QString& text) {
        const QString shown = QStringLiteral("Text of ") + QLatin1String(name);
        use(name);
        QTRY_VERIFY(item(shown));
        QCOMPARE(item(shown)->property("text").toString(), text);
        use(name);
        QTRY_VERIFY(!item(shown));
    }
};

void WindowFilesTest::pastedFilesAreSentAndOpened() {
    start();
    attach(QStringLiteral("notes.md"), "The lantern is red.");
    QTRY_VERIFY(shows("notes.md, "));
    QTRY_VERIFY(shows("tokens with this message") || shows("token with this message")); // with the file
    talk(QStringLiteral("Read"));
    QCOMPARE(files().count(), 0);
    QVERIFY(control_->conversations().back().back().parts[0].text.find("The lantern is red.") != std::string::npos);
    QVERIFY(!item(QStringLiteral("Text of notes.md")));
    use("notes.md"); // the chip of the message
    QTRY_VERIFY(item(QStringLiteral("Text of notes.md")));
    QCOMPARE(item(QStringLiteral("Text of notes.md"))->property("text").toString(),
             QStringLiteral("The lantern is red."));
    click(QStringLiteral("notes.md"));
    QTRY_VERIFY(!item(QStringLiteral("Text of notes.md")));
}

void WindowFilesTest::theTextOfAPdfIsSent() {
    start();
    QBuffer pdf;
    pdf.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&pdf);
        QPainter painter(&writer);
        painter.drawText(QPoint(500, 1000), QStringLiteral("The lantern is red."));
    }
    const auto readable = app::textOfPdf(pdf.data(), 100);
    if (!readable && readable.error().kind == engine::ErrorKind::Unsupported) QSKIP("Built without Qt PDF");
    attach(QStringLiteral("lantern.pdf"), pdf.data());
    QTRY_VERIFY(shows("lantern.pdf, "));
    talk(QStringLiteral("Read"));
    QVERIFY(control_->conversations().back().back().parts[0].text.find("The lantern is red.") != std::string::npos);
    readFileOfMessage("lantern.pdf", QStringLiteral("The lantern is red."));
}

void WindowFilesTest::aChipIsTakenOutByKeys() {
    start();
    attach(QStringLiteral("a.txt"), "1");
    attach(QStringLiteral("b.txt"), "2");
    use("Take out a.txt");
    QTRY_COMPARE(files().count(), 1);
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Message"))); // one can go on writing
    focusOn(QStringLiteral("Take out b.txt"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(files().count(), 2);
}

void WindowFilesTest::aChipIsTakenOutByPointer() {
    start();
    attach(QStringLiteral("a.txt"), "1");
    click(QStringLiteral("Take out a.txt"));
    QTRY_COMPARE(files().count(), 0);
    QTRY_VERIFY(!shows("a.txt"));
}

void WindowFilesTest::aFileThatIsAttachedAlreadyIsNamed() {
    start();
    attach(QStringLiteral("a.txt"), "1");
    press(Qt::Key_V, Qt::ControlModifier);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("a.txt is already attached."), QAccessible::AlertMessage));
    QCOMPARE(files().count(), 1);
    use("Take out a.txt");
    QTRY_VERIFY(!shows("is already attached"));
}

void WindowFilesTest::droppedFilesAreAttached() {
    start();
    const std::unique_ptr<QMimeData> data(mimeOf(write(QStringLiteral("a.txt"), "1")));
    const QPoint at(window()->width() / 2, window()->height() / 2);
    QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window(), &enter);
    QTRY_VERIFY(shows("Drop the files to attach them"));
    QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window(), &drop);
    QTRY_COMPARE(files().count(), 1);
    QTRY_VERIFY(!shows("Drop the files to attach them"));
}

void WindowFilesTest::aLongTextIsPastedAsAFile() {
    start();
    QGuiApplication::clipboard()->setText(QString(9000, u'x'));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(files().count(), 1);
    QTRY_VERIFY(shows("Pasted text.txt, "));
    QGuiApplication::clipboard()->setText(QStringLiteral("short"));
    press(Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("short"));
}

void WindowFilesTest::aFileThatIsNoTextSaysSo() {
    start();
    QGuiApplication::clipboard()->setMimeData(mimeOf(write(QStringLiteral("a.png"), QByteArray(100, '\0'))));
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_V, Qt::ControlModifier);
    QTRY_VERIFY(shows("The file a.png was not attached"));
    QCOMPARE(files().count(), 0);
}

void WindowFilesTest::g16ACardOfAFileGoes() {
    start();
    const auto fail = [this] {
        files().add({write(QStringLiteral("a.png"), QByteArray(100, '\0'))});
        QTRY_VERIFY(shows("The file a.png was not attached"));
    };
    fail();
    attach(QStringLiteral("a.txt"), "text"); // another one was attached
    QTRY_VERIFY(!shows("The file a.png was not attached"));
    fail();
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("The file a.png was not attached"));
}

/// It lay over the first message.
void WindowFilesTest::theCardOfAFileCoversNoMessage() {
    start();
    talk(QStringLiteral("Hello"));
    files().add({write(QStringLiteral("a.png"), QByteArray(100, '\0'))});
    const QString what = QStringLiteral("The file a.png was not attached");
    const auto place = [](const QQuickItem* at) {
        return at ? at->mapRectToScene(QRectF(0, 0, at->width(), at->height())) : QRectF();
    };
    QTRY_VERIFY(namedItem(window(), what, QAccessible::AlertMessage));
    QVERIFY(drawn() && drawn());
    const QRectF card = place(namedItem(window(), what, QAccessible::AlertMessage));
    const QRectF messages = place(namedItem(window(), QStringLiteral("Conversation"), QAccessible::List));
    QVERIFY(card.top() >= messages.bottom());
    QVERIFY(card.bottom() <= place(item(QStringLiteral("Message"))).top());
    click(QStringLiteral("Dismiss"));
    QTRY_VERIFY(!shows("The file a.png was not attached"));
}

void WindowFilesTest::filesAreThereAfterARestart() {
    start();
    attach(QStringLiteral("a.txt"), "1");
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QTRY_VERIFY(shows("a.txt, "));
}

void WindowFilesTest::aMessageWaitsWithItsFiles() {
    start();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    QTRY_VERIFY(app()->conversation()->busy());
    attach(QStringLiteral("notes.md"), "The lantern is red.");
    type(QStringLiteral("Next"));
    press(Qt::Key_Return); // an answer is being written: it waits
    QTRY_VERIFY(item(QStringLiteral("Waiting message: Next. Files: notes.md")));
    QTRY_VERIFY(!item(QStringLiteral("Take out notes.md"))); // the composer is free again
    use("Edit the waiting message");
    QTRY_VERIFY(item(QStringLiteral("Take out notes.md")));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("Next"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Waiting message: Next. Files: notes.md")));
    control_->allowAll();
    QTRY_COMPARE(app()->conversation()->messages()->count(), 4);
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY(control_->conversations().back().back().parts[0].text.find("The lantern is red.") != std::string::npos);
    readFileOfMessage("notes.md", QStringLiteral("The lantern is red."));
}

void WindowFilesTest::forksAndDuplicatesShowTheFiles() {
    start();
    attach(QStringLiteral("notes.md"), "The lantern is red.");
    talk(QStringLiteral("Read"));
    const qint64 first = app()->conversation()->chatId();
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(app()->conversation()->chatId() != first);
    readFileOfMessage("notes.md", QStringLiteral("The lantern is red."));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(control_->conversations().size(), size_t{2});
    QCOMPARE(control_->conversations().back().back().parts[0].text, control_->conversations()[0].back().parts[0].text);
    QTRY_VERIFY(!app()->conversation()->busy());
    press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(app()->chats()->count(), 3);
    const int row = app()->chats()->touchedRow();
    app()->conversation()->openChat(app()->chats()->index(row).data(app::ChatListModel::ChatIdRole).toLongLong());
    readFileOfMessage("notes.md", QStringLiteral("The lantern is red."));
}

void WindowFilesTest::importedChatsShowTheFiles() {
    const QTemporaryDir places;
    const QUrl all = QUrl::fromLocalFile(places.filePath(QStringLiteral("all.json")));
    start();
    attach(QStringLiteral("notes.md"), "The lantern is red.");
    talk(QStringLiteral("Read"));
    app()->exchange()->exportAll(all);
    QTRY_COMPARE(app()->exchange()->state(), app::ChatExchange::Done);
    fixture_.reset();
    start();
    app()->exchange()->importFile(all);
    QTRY_COMPARE(app()->chats()->count(), 1);
    app()->conversation()->openChat(1);
    readFileOfMessage("notes.md", QStringLiteral("The lantern is red."));
    talk(QStringLiteral("More"));
    const std::vector<engine::Message> asked = control_->conversations().back();
    QVERIFY(asked.front().parts[0].text.find("The lantern is red.") != std::string::npos);
}

/// The bundled model itself: the engine counts as many tokens of the prompt as the file and the words have.
void WindowFilesTest::theGuideReadsTheFile() {
    const QString guide = QStringLiteral(GUIDE);
    if (!QFile::exists(guide)) QSKIP("this build has no demo model");
    test::Notes notes;
    fixture_ = std::make_unique<WindowFixture>(test::notingFactory(notes));
    fixture_->setGuide(guide);
    QVERIFY(fixture_->start());
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    QTRY_VERIFY(app()->models()->state() == app::ModelController::Ready);
    app()->settings()->maxTokens = 3;
    const auto ask = [this] {
        press(Qt::Key_L, Qt::ControlModifier);
        type(QStringLiteral("Hello"));
        press(Qt::Key_Return);
        QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
        QTRY_VERIFY(!app()->conversation()->busy());
    };
    ask();
    const qint64 alone = notes.last().statistics.promptTokens;
    press(Qt::Key_N, Qt::ControlModifier);
    const QByteArray text("The lantern on the hill is red, and the boat in the harbour is called Marigold.");
    attach(QStringLiteral("notes.md"), text);
    type(QStringLiteral("Hello"));
    press(Qt::Key_A, Qt::ControlModifier);
    QTRY_VERIFY(app()->conversation()->context()->draftTokens() > alone);
    QTRY_VERIFY(shows("tokens with this message"));
    const qint64 promised = app()->conversation()->context()->draftTokens();
    ask();
    const test::Note read = notes.last();
    QCOMPARE(read.statistics.promptTokens, promised); // as the window said before
    const auto tokenizer = engine::openTokenizer(guide.toStdString());
    QVERIFY(tokenizer.ok());
    const auto tokens = [&](const std::string& words) {
        return static_cast<qint64>(tokenizer.value()->encode(words, false).size());
    };
    const std::string whole = "File \"notes.md\":\n```\n" + text.toStdString() + "\n```\n\nHello";
    QCOMPARE(read.conversation.back().parts[0].text, whole);
    QCOMPARE(read.statistics.promptTokens - alone, tokens(whole) - tokens("Hello"));
    QVERIFY(tokens(text.toStdString()) > 15);
}

void WindowFilesTest::s9UndoTakesTheFileBeforeTheWords() {
    start();
    const QString words = QStringLiteral("hello there");
    press(Qt::Key_L, Qt::ControlModifier);
    type(words);
    QGuiApplication::clipboard()->setText(QString(11000, u'x'));
    press(Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(files().count(), 1);
    for (int i = 0; i < 2; ++i) {
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(files().count(), 0);
        QTRY_VERIFY(shows("Undone: Attach Pasted text.txt"));
        QCOMPARE(app()->conversation()->draft(), words);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(files().count(), 1);
        QCOMPARE(app()->conversation()->draft(), words);
    }
    type(QStringLiteral("!")); // the latest step is undone first
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(app()->conversation()->draft() != words + QStringLiteral("!"));
    QCOMPARE(files().count(), 1);
    use("Take out Pasted text.txt");
    QTRY_COMPARE(files().count(), 0);
    const QString left = app()->conversation()->draft();
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(files().count(), 1);
    QCOMPARE(app()->conversation()->draft(), left);
}

void WindowFilesTest::s9ASentFileIsNoStepAnyMore() {
    start();
    attach(QStringLiteral("a.txt"), "1");
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Attach a.txt"));
    press(Qt::Key_Z, Qt::ControlModifier); // the field is empty
    QTRY_COMPARE(files().count(), 0);
    attach(QStringLiteral("a.txt"), "1");
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    QTRY_VERIFY(app()->conversation()->busy());
    QVERIFY(app()->undo()->undoTitle().isEmpty());
    attach(QStringLiteral("b.txt"), "2");
    type(QStringLiteral("Next"));
    press(Qt::Key_Return); // it waits
    QTRY_VERIFY(item(QStringLiteral("Waiting message: Next. Files: b.txt")));
    QVERIFY(app()->undo()->undoTitle().isEmpty());
    press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(drawn());
    QVERIFY(item(QStringLiteral("Waiting message: Next. Files: b.txt")));
    control_->allowAll();
    QTRY_COMPARE(app()->conversation()->messages()->count(), 4);
    QTRY_VERIFY(!app()->conversation()->busy());
}

void WindowFilesTest::s58ALongFileIsNamedAsTheReason() {
    start("context-full");
    attach(QStringLiteral("b.txt"), "x");
    attach(QStringLiteral("long.txt"), QByteArray(60, 'x'));
    type(QStringLiteral("Read"));
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("too long with the file long.txt."));
    QCOMPARE(files().count(), 2); // they stay
    click(QStringLiteral("Remove the file"));
    QTRY_COMPARE(files().count(), 1);
    QVERIFY(item(QStringLiteral("Take out b.txt")));
    QTRY_VERIFY(item(QStringLiteral("Message"))->hasActiveFocus());
    QTRY_VERIFY(!shows("long.txt."));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("Read"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(files().count(), 2);
}

/// The files of a message are sent again when it was edited. They are short here, so that its words are the reason.
void WindowFilesTest::theWordsOfALongEditAreTheReason() {
    start("context-full");
    attach(QStringLiteral("short.txt"), "x");
    talk(QStringLiteral("Read"));
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Edit message")));
    type(QString(60, u'x'));
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("The edited message has no room in the context. It is "));
    QVERIFY(!shows("with the file"));
    click(QStringLiteral("Shorten the message"));
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Edit message"))); // the text is still there
    press(Qt::Key_Backspace);
    QTRY_VERIFY(!shows("The edited message"));
}

/// Nobody saw that the next message has a file.
void WindowFilesTest::filesWithoutAPlaceAreCounted() {
    start("words");
    talk(QStringLiteral("Hello"));
    press(Qt::Key_Backslash, Qt::ControlModifier);
    talk(QStringLiteral("Again"));
    attach(QStringLiteral("notes.txt"), "x");
    QTRY_VERIFY(item(QStringLiteral("Take out notes.txt")));
    QVERIFY(!shows("1 file"));
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    QTRY_COMPARE(window()->contentItem()->size(), QSizeF(640, 440));
    QVERIFY(drawn() && drawn());
    QVERIFY(!item(QStringLiteral("Take out notes.txt")));
    QVERIFY(shows("1 file"));
}

int main(int argc, char** argv) { return runWindowTest<WindowFilesTest>(argc, argv); }
#include "tst_window_files.moc"
