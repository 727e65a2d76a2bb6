// SPDX-License-Identifier: Apache-2.0
// Files that are attached to a message: reading them, keeping them with the draft, and sending them.
#include "app/app_bench.h"
#include "app/verify_ok.h"
#include "engine_link/attached_file.h"
#include "engine_link/pdf_text.h"

#include <QAbstractItemModelTester>
#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestAttachedFiles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { bench_ = std::make_unique<AppBench>(); }
    void cleanup() { bench_.reset(); }
    void textsAreReadInAnyEncoding_data();
    void textsAreReadInAnyEncoding();
    void otherFilesAreRefused_data();
    void otherFilesAreRefused();
    void aFileWithoutPermissionSaysSo();
    void theTextOfAPdfIsRead();
    void aPdfWithoutTextSaysSo();
    void aLockedPdfSaysSo();
    void aDamagedPdfSaysSo();
    void aFenceIsLongerThanThoseInTheFile();
    void filesStayWithTheDraft();
    void filesAreSentBeforeTheWords();
    void filesAloneCanBeSent();
    void theSameFileIsAttachedOnce();
    void aRemovedFileComesBackByUndo();
    void aFileOfASentNewChatStaysOut();
    void aMessageWaitsWithItsFiles();
    void aWaitingMessageGivesItsFilesBack();
    void aWaitingMessageMayBeFilesAlone();
    void unsentFilesAreExportedAndCopied();
    void filesThatDoNotFitAreRefused();
    void aNewChatTakesTheFilesAlong_data();
    void aNewChatTakesTheFilesAlong();
    void aMessageMovesToANewChatAndBack();
    void attachingAMovedFileIsNoStepOnceItIsSent();
    void aTemporaryChatKeepsItsFiles();
    void anEditedMessageKeepsItsFiles();
    void filesOfATemporaryChatAreKeptWithIt();
    void aFileThatIsReadForATemporaryChatEndsWithIt();
    void aFileThatIsReadForATemporaryChatIsKeptWithIt();
    void aFileThatIsReadForADeletedChatComesBackWithIt();
    void aFileThatIsReadAtTheEndIsThereAfterIt();
    void aLongPasteBecomesAFile();
    void forksAndDuplicatesHaveTheFiles();
    void exportedFilesComeBack_data();
    void exportedFilesComeBack();
    void markdownNamesTheFiles();

  private:
    void queueUp(const QString& words);
    void nearlyFill(bool temporary);
    void refuse(RefusedPrompt::From from);
    void sendWithFile();
    static bool isWhole(AppBench& bench, qint64 chat);
    QUrl exported(AppBench& bench, qint64 chat, ChatExchange::Format format);
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return file.fileName();
    }
    ComposerFiles& files() { return *bench_->chat().files(); }
    QString name(int row) { return files().index(row).data(ComposerFiles::NameRole).toString(); }
    QString detail(int row) { return files().index(row).data(ComposerFiles::DetailRole).toString(); }
    bool attach(const QString& path) {
        const int before = files().count();
        files().add({QUrl::fromLocalFile(path)});
        return QTest::qWaitFor([&] { return files().count() > before; }, kPatienceMs);
    }
    bool idle() {
        return QTest::qWaitFor([this] { return bench_->chat().messages()->count() > 0 && !bench_->chat().busy(); },
                               kPatienceMs);
    }
    std::string lastPrompt() { return bench_->control().conversations().back().back().parts.front().text; }

    QTemporaryDir folder_;
    std::unique_ptr<AppBench> bench_;
};

namespace {

constexpr char kPdfHead[] = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                            "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                            "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n";

/// Writes a PDF with these pages; an empty page has a line and no text.
QByteArray pdf(const QStringList& pages) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        QPainter painter(&writer);
        for (int i = 0; i < pages.size(); ++i) {
            if (i > 0) writer.newPage();
            if (pages[i].isEmpty())
                painter.drawLine(0, 0, 100, 100);
            else
                painter.drawText(QPoint(500, 1000), pages[i]);
        }
    }
    return buffer.data();
}

bool readsPdfs() {
    const auto text = textOfPdf(pdf({QStringLiteral("x")}), 100);
    return text || text.error().kind != engine::ErrorKind::Unsupported;
}

} // namespace

namespace {

const QByteArray kBytes("caf\xe9 One"); // the text is not these bytes
const std::string kPromptWithFile("File \"notes.md\":\n```\ncaf\xc3\xa9 One\n```\n\nRead");

/// Returns the files of each chat of an export.
QList<QByteArrayList> filesOf(const QUrl& exported) {
    QFile file(exported.toLocalFile());
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<QByteArrayList> all;
    for (const QJsonValue& chat : QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("chats")].toArray()) {
        all.emplaceBack();
        for (const QJsonValue& bytes : chat[QStringLiteral("files")].toArray())
            all.back().append(QByteArray::fromBase64(bytes.toString().toLatin1()));
    }
    return all;
}

bool done(const ChatExchange& exchange) {
    return QTest::qWaitFor([&] { return !exchange.busy(); }, kPatienceMs) && exchange.state() == ChatExchange::Done;
}

} // namespace

void TestAttachedFiles::textsAreReadInAnyEncoding_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    const QString euro = QString::fromUtf8("1 \xe2\x82\xac\n2");
    const auto encoded = [&](QStringConverter::Encoding encoding) {
        QStringEncoder encoder(encoding, QStringConverter::Flag::WriteBom);
        return QByteArray(encoder.encode(euro));
    };
    QTest::newRow("UTF-8") << euro.toUtf8() << euro;
    QTest::newRow("UTF-8 with a mark") << encoded(QStringConverter::Utf8) << euro;
    QTest::newRow("UTF-16") << encoded(QStringConverter::Utf16LE) << euro;
    QTest::newRow("UTF-16, big end first") << encoded(QStringConverter::Utf16BE) << euro;
    QTest::newRow("UTF-32") << encoded(QStringConverter::Utf32LE) << euro;
    QTest::newRow("Latin-1") << QByteArray("caf\xe9") << QString::fromUtf8("caf\xc3\xa9");
    QTest::newRow("lines of Windows") << QByteArray("a\r\nb\r\n") << QStringLiteral("a\nb\n");
    QTest::newRow("lines of old Macs") << QByteArray("a\rb") << QStringLiteral("a\nb");
    QTest::newRow("colours of a terminal") << QByteArray("\x1b[1mx\x1b[0m") << QStringLiteral("\x1b[1mx\x1b[0m");
}

void TestAttachedFiles::textsAreReadInAnyEncoding() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    const auto file = readAttachedFile(write(QStringLiteral("a.csv"), bytes));
    VERIFY_OK(file);
    QCOMPARE(file->text, text);
    QCOMPARE(file->bytes, bytes);
    QCOMPARE(file->name, QStringLiteral("a.csv"));
    QCOMPARE(file->mediaType, QStringLiteral("text/csv"));
}

void TestAttachedFiles::otherFilesAreRefused_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("why");
    QTest::newRow("binary") << write(QStringLiteral("a.png"), QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16))
                            << "It is not a text file";
    QTest::newRow("NUL") << write(QStringLiteral("nul.txt"), QByteArray("a\0b", 3)) << "It is not a text file";
    QTest::newRow("control characters") << write(QStringLiteral("bell.txt"), QByteArray("a\x07\x01"))
                                        << "It is not a text file";
    QTest::newRow("half of UTF-16") << write(QStringLiteral("half.txt"), QByteArray("\xff\xfe\x00\xd8x\x00", 6))
                                    << "It is not a text file";
    QTest::newRow("empty") << write(QStringLiteral("empty.txt"), {}) << "It is empty";
    QTest::newRow("spaces") << write(QStringLiteral("spaces.txt"), " \n ") << "It is empty";
    QTest::newRow("long") << write(QStringLiteral("long.txt"), QByteArray(kLongestFileText + 1, 'x'))
                          << "It is longer than any model can read";
    QTest::newRow("gone") << folder_.filePath(QStringLiteral("gone.txt")) << "It is not there any more";
    QTest::newRow("folder") << folder_.path() << "It is a folder";
}

void TestAttachedFiles::otherFilesAreRefused() {
    QFETCH(QString, path);
    QFETCH(QString, why);
    const auto file = readAttachedFile(path);
    QVERIFY(!file);
    QCOMPARE(QString::fromStdString(file.error().why.english()), why);
    QVERIFY(file.error().what.english().find(QFileInfo(path).fileName().toStdString()) != std::string::npos);
}

void TestAttachedFiles::aFileWithoutPermissionSaysSo() {
    const QString path = write(QStringLiteral("secret.txt"), "x");
    QVERIFY(QFile::setPermissions(path, {}));
    if (QFile file(path); file.open(QIODevice::ReadOnly)) QSKIP("This user may read everywhere");
    QCOMPARE(readAttachedFile(path).error().action.english(), std::string("Check its permissions"));
}

void TestAttachedFiles::theTextOfAPdfIsRead() {
    if (!readsPdfs()) QSKIP("Built without Qt PDF");
    const auto file = readAttachedFile(
        write(QStringLiteral("two.pdf"), pdf({QStringLiteral("First page"), {}, QStringLiteral("Third page")})));
    VERIFY_OK(file);
    QCOMPARE(file->text, QStringLiteral("First page\n\nThird page"));
    QCOMPARE(file->mediaType, QStringLiteral("application/pdf"));
}

void TestAttachedFiles::aPdfWithoutTextSaysSo() {
    if (!readsPdfs()) QSKIP("Built without Qt PDF");
    const auto file = readAttachedFile(write(QStringLiteral("scan.pdf"), pdf({{}})));
    QCOMPARE(file.error().why.english(), std::string("Its pages have no text: they may be pictures"));
}

void TestAttachedFiles::aLockedPdfSaysSo() {
    if (!readsPdfs()) QSKIP("Built without Qt PDF");
    const QByteArray key(64, '1'); // 32 bytes that fit no empty password
    const QByteArray bytes = QByteArray(kPdfHead) + "4 0 obj<</Filter/Standard/V 1/R 2/P -4/O<" + key + ">/U<" + key +
                             ">>>endobj\ntrailer<</Root 1 0 R/Size 5/Encrypt 4 0 R/ID[<01><01>]>>\n%%EOF\n";
    const auto file = readAttachedFile(write(QStringLiteral("locked.pdf"), bytes));
    QCOMPARE(file.error().why.english(), std::string("It is locked with a password"));
}

void TestAttachedFiles::aDamagedPdfSaysSo() {
    if (!readsPdfs()) QSKIP("Built without Qt PDF");
    const QByteArray whole = pdf({QStringLiteral("First page")});
    for (const QByteArray& bytes :
         {QByteArray("%PDF-1.4\n"), whole.left(whole.size() / 3), QByteArray("%PDF-") + QByteArray(5000, '\0')})
        QVERIFY(!readAttachedFile(write(QStringLiteral("damaged.pdf"), bytes)));
}

void TestAttachedFiles::aFenceIsLongerThanThoseInTheFile() {
    const MessagePart part{
        .kind = PartKind::Attachment, .text = QStringLiteral("```\nx\n````"), .name = QStringLiteral("a\nb.md")};
    QCOMPARE(fileForModel(part), QStringLiteral("File \"a b.md\":\n`````\n```\nx\n````\n`````"));
}

void TestAttachedFiles::filesStayWithTheDraft() {
    const QAbstractItemModelTester tester(&files(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(attach(write(QStringLiteral("notes.md"), "One two")));
    QVERIFY(!detail(0).contains(QStringLiteral("token"))); // no model is open
    OPEN_MODEL(*bench_);
    QTRY_VERIFY(detail(0).contains(QStringLiteral("token")));
    bench_->restart();
    QCOMPARE(files().count(), 1);
    QCOMPARE(name(0), QStringLiteral("notes.md"));
    OPEN_MODEL(*bench_);
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")) && (bench_->control().allowAll(), idle()));
    QCOMPARE(files().count(), 0);
    bench_->chat().newChat();
    QCOMPARE(files().count(), 0);
}

void TestAttachedFiles::filesAreSentBeforeTheWords() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(attach(write(QStringLiteral("notes.md"), "One two")));
    QVERIFY(attach(write(QStringLiteral("b.txt"), "Three\n")));
    QVERIFY(bench_->chat().send(QStringLiteral("Read")) && idle());
    QCOMPARE(lastPrompt(),
             std::string("File \"notes.md\":\n```\nOne two\n```\n\nFile \"b.txt\":\n```\nThree\n```\n\nRead"));
    const QVariantList shown = bench_->chat().messages()->index(0).data(MessageModel::FilesRole).toList();
    QCOMPARE(shown.size(), 2);
    QCOMPARE(shown[0].toMap()[QStringLiteral("name")].toString(), QStringLiteral("notes.md"));
    QCOMPARE(shown[0].toMap()[QStringLiteral("text")].toString(), QStringLiteral("One two"));
}

void TestAttachedFiles::filesAloneCanBeSent() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(!bench_->chat().send(QString()));
    QVERIFY(attach(write(QStringLiteral("notes.md"), "One two")));
    QVERIFY(bench_->chat().send(QString()) && idle());
    QCOMPARE(bench_->chat().title(), QStringLiteral("notes.md"));
    QCOMPARE(lastPrompt(), std::string("File \"notes.md\":\n```\nOne two\n```"));
}

/// It took its tokens twice. Another text, or another name, is another file.
void TestAttachedFiles::theSameFileIsAttachedOnce() {
    const QString path = write(QStringLiteral("notes.md"), "One two");
    QVERIFY(attach(path));
    for (int i = 0; i < 2; ++i) {
        files().add({QUrl::fromLocalFile(path)});
        QCOMPARE(files().repeated(), QString());
        QTRY_COMPARE(files().repeated(), QStringLiteral("notes.md"));
        QCOMPARE(files().count(), 1);
    }
    QVERIFY(attach(write(QStringLiteral("b.md"), "One two")));
    QCOMPARE(files().repeated(), QString());
    QVERIFY(attach(write(QStringLiteral("notes.md"), "Three")));
    for (int left = 2; left >= 0; --left) { // no step is without an effect
        QVERIFY(bench_->app().undo()->undo());
        QCOMPARE(files().count(), left);
    }
    QVERIFY(attach(path)); // it is not there any more
}

void TestAttachedFiles::aRemovedFileComesBackByUndo() {
    QVERIFY(attach(write(QStringLiteral("a.txt"), "1")) && attach(write(QStringLiteral("b.txt"), "2")));
    files().remove(0);
    QCOMPARE(files().count(), 1);
    QCOMPARE(name(0), QStringLiteral("b.txt"));
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(name(0), QStringLiteral("a.txt"));
    QVERIFY(bench_->app().undo()->redo());
    QCOMPARE(files().count(), 1);
}

/// It would come back into the composer of the next new chat, which nobody sees.
void TestAttachedFiles::aFileOfASentNewChatStaysOut() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(attach(write(QStringLiteral("a.txt"), "1")));
    files().remove(0);
    QVERIFY(!bench_->app().undo()->undoTitle().isEmpty());
    QVERIFY(bench_->chat().send(QStringLiteral("Hey")) && idle());
    QVERIFY(bench_->app().undo()->undoTitle().isEmpty());
}

/// The first answer waits for a step; the next message has a file, and another file is attached to the draft.
void TestAttachedFiles::queueUp(const QString& words) {
    OPEN_MODEL(*bench_);
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    QVERIFY(attach(write(QStringLiteral("a.txt"), "1")));
    QVERIFY(bench_->chat().queue()->add(words));
    QCOMPARE(files().count(), 0); // the message has it now
    QVERIFY(attach(write(QStringLiteral("b.txt"), "2")));
    QCOMPARE(bench_->chat().queue()->index(0).data(QueuedPrompts::FilesRole).toString(), QStringLiteral("a.txt"));
}

void TestAttachedFiles::aMessageWaitsWithItsFiles() {
    queueUp(QStringLiteral("Next"));
    bench_->restart(); // it is still there then
    QCOMPARE(bench_->chat().queue()->index(0).data(QueuedPrompts::FilesRole).toString(), QStringLiteral("a.txt"));
    QCOMPARE(files().count(), 1);
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    bench_->chat().queue()->sendNext();
    QTRY_COMPARE(bench_->chat().messages()->count(), 4);
    QVERIFY(idle());
    // The answer before may have been cut off without a word: then both prompts are one.
    QVERIFY2(lastPrompt().ends_with("File \"a.txt\":\n```\n1\n```\n\nNext"), lastPrompt().c_str());
    const QVariantList shown = bench_->chat().messages()->index(2).data(MessageModel::FilesRole).toList();
    QCOMPARE(shown.size(), 1);
    QCOMPARE(shown[0].toMap()[QStringLiteral("name")].toString(), QStringLiteral("a.txt"));
    QCOMPARE(bench_->chat().queue()->count(), 0);
    QCOMPARE(files().count(), 1); // the draft keeps its own
    QCOMPARE(name(0), QStringLiteral("b.txt"));
}

void TestAttachedFiles::aWaitingMessageGivesItsFilesBack() {
    queueUp(QStringLiteral("Next"));
    QueuedPrompts& queue = *bench_->chat().queue();
    queue.edit(0);
    QCOMPARE(bench_->chat().draft(), QStringLiteral("Next"));
    QCOMPARE(files().count(), 2);
    QCOMPARE(name(0), QStringLiteral("a.txt")); // before the later one
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(bench_->chat().draft(), QString());
    QCOMPARE(files().count(), 1);
    QCOMPARE(queue.index(0).data(QueuedPrompts::FilesRole).toString(), QStringLiteral("a.txt"));
    queue.remove(0);
    QCOMPARE(files().count(), 1);
    QCOMPARE(queue.count(), 0);
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(queue.index(0).data(QueuedPrompts::FilesRole).toString(), QStringLiteral("a.txt"));
    QVERIFY(bench_->app().undo()->redo());
    QCOMPARE(queue.count(), 0);
    QCOMPARE(files().count(), 1);
}

void TestAttachedFiles::aWaitingMessageMayBeFilesAlone() {
    queueUp(QString());
    QVERIFY(bench_->chat().queue()->add(QString())); // b.txt alone waits too
    QVERIFY(!bench_->chat().queue()->add(QString()));
    bench_->control().allowAll();
    QTRY_COMPARE(bench_->chat().messages()->count(), 6);
    QVERIFY(idle());
    QCOMPARE(lastPrompt(), std::string("File \"b.txt\":\n```\n2\n```"));
}

void TestAttachedFiles::unsentFilesAreExportedAndCopied() {
    queueUp(QStringLiteral("Next"));
    const qint64 chat = bench_->chat().chatId();
    const QUrl file = exported(*bench_, chat, ChatExchange::Json);
    AppBench other;
    other.app().exchange()->importFile(file);
    QVERIFY(done(*other.app().exchange()));
    const auto isThere = [](AppBench& bench, qint64 id) {
        bench.chat().openChat(id);
        return bench.chat().files()->count() == 1 &&
               bench.chat().files()->index(0).data(ComposerFiles::NameRole).toString() == QStringLiteral("b.txt") &&
               bench.chat().queue()->index(0).data(QueuedPrompts::FilesRole).toString() == QStringLiteral("a.txt");
    };
    QVERIFY(isThere(other, 1));
    QVERIFY(isThere(*bench_, bench_->app().chats()->duplicate(chat)));
    QVERIFY(isThere(*bench_, chat));
}

void TestAttachedFiles::filesThatDoNotFitAreRefused() {
    FakeScript script = AppBench::words();
    script.contextSize = 64;
    bench_ = std::make_unique<AppBench>(script);
    OPEN_MODEL(*bench_);
    QVERIFY(attach(write(QStringLiteral("a.txt"), QByteArray(200, 'x'))));
    bench_->chat().setDraft(QStringLiteral("Read"));
    QVERIFY(bench_->chat().send(QStringLiteral("Read")));
    const ContextView& view = *bench_->chat().context();
    QTRY_VERIFY(view.words().contains(QStringLiteral("a.txt")));
    QTRY_VERIFY(view.offers(ContextView::RemoveFile)); // the shortest message is counted first
    QVERIFY(!view.offers(ContextView::ShortenMessage));
    QCOMPARE(files().count(), 1); // it can be taken out
    QCOMPARE(bench_->chat().draft(), QStringLiteral("Read"));
    QCOMPARE(bench_->chat().messages()->count(), 0);
}

/// Sends two prompts to a context of 400 tokens, in which a message of 100 letters with a file of 60 has no room then.
void TestAttachedFiles::nearlyFill(bool temporary) {
    FakeScript script = AppBench::words();
    script.contextSize = 400;
    bench_ = std::make_unique<AppBench>(script);
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    if (temporary) bench_->chat().newTemporaryChat();
    for (int i = 0; i < 2; ++i) {
        QVERIFY(bench_->chat().send(QString(120, QChar(u'a' + i))));
        QTRY_COMPARE(bench_->chat().messages()->count(), 2 * i + 2);
        QVERIFY(idle());
    }
}

/// Tries to send that message.
void TestAttachedFiles::refuse(RefusedPrompt::From from) {
    MessageActions& actions = *bench_->chat().actions();
    switch (from) {
    case RefusedPrompt::From::Queue:
        bench_->chat().queue()->sendNext();
        break;
    case RefusedPrompt::From::Edit: {
        const qint64 prompt = bench_->chat().messages()->rows()[4].id;
        actions.beginEdit(prompt);
        actions.setEditText(prompt, QString(100, u'z'));
        actions.keepEdit(prompt);
        break;
    }
    default:
        bench_->chat().setDraft(QString(100, u'z'));
        QVERIFY(bench_->chat().send(QString(100, u'z')));
    }
    QTRY_VERIFY(bench_->chat().context()->offers(ContextView::NewChat));
}

void TestAttachedFiles::aNewChatTakesTheFilesAlong_data() {
    QTest::addColumn<int>("from");
    QTest::newRow("the composer") << static_cast<int>(RefusedPrompt::From::Composer);
    QTest::newRow("a waiting message") << static_cast<int>(RefusedPrompt::From::Queue);
    QTest::newRow("an edited message") << static_cast<int>(RefusedPrompt::From::Edit);
}

void TestAttachedFiles::aNewChatTakesTheFilesAlong() {
    QFETCH(int, from);
    const auto where = static_cast<RefusedPrompt::From>(from);
    nearlyFill(false);
    QVERIFY(attach(write(QStringLiteral("a.txt"), QByteArray(60, 'x'))));
    if (where == RefusedPrompt::From::Queue) QVERIFY(bench_->chat().queue()->add(QString(100, u'z')));
    if (where == RefusedPrompt::From::Edit) {
        QVERIFY(bench_->chat().send(QStringLiteral("Read")));
        QTRY_COMPARE(bench_->chat().messages()->count(), 6);
        QVERIFY(idle());
    }
    const qint64 chat = bench_->chat().chatId();
    const bool moves = where == RefusedPrompt::From::Composer;
    for (int i = 0; i < 2; ++i) { // a file that is there already is not added again
        refuse(where);
        bench_->chat().context()->act(ContextView::NewChat);
        QCOMPARE(bench_->chat().chatId(), qint64{0});
        QCOMPARE(bench_->chat().draft(), QString(100, u'z'));
        QCOMPARE(files().count(), 1);
        QCOMPARE(name(0), QStringLiteral("a.txt"));
        if (moves && i == 0) QVERIFY(bench_->app().undo()->undo());
        bench_->chat().openChat(chat);
        QCOMPARE(files().count(), moves && i == 0 ? 1 : 0);
    }
    bench_->chat().newChat();
    QVERIFY(bench_->chat().send(bench_->chat().draft()));
    QTRY_COMPARE(bench_->chat().messages()->count(), 2);
    QVERIFY(idle());
    QCOMPARE(lastPrompt(), "File \"a.txt\":\n```\n" + std::string(60, 'x') + "\n```\n\n" + std::string(100, 'z'));
    bench_->chat().openChat(chat);
    QCOMPARE(files().count(), 0);
    if (where == RefusedPrompt::From::Queue)
        QCOMPARE(bench_->chat().queue()->index(0).data(QueuedPrompts::FilesRole).toString(), QStringLiteral("a.txt"));
}

/// It was in both chats, and could be sent in both. What was typed beside it stays.
void TestAttachedFiles::aMessageMovesToANewChatAndBack() {
    nearlyFill(false);
    QVERIFY(attach(write(QStringLiteral("a.txt"), QByteArray(60, 'x'))));
    refuse(RefusedPrompt::From::Composer);
    const qint64 chat = bench_->chat().chatId();
    const QString words(100, u'z'), gap(QStringLiteral("\n\n"));
    UndoStack& undo = *bench_->app().undo();
    const auto holds = [this](const QString& draft, int count) {
        return bench_->chat().draft() == draft && files().count() == count;
    };
    bench_->chat().context()->act(ContextView::NewChat);
    bench_->chat().setDraft(words + gap + QStringLiteral("More"));
    bench_->chat().openChat(chat);
    QVERIFY(holds(QString(), 0));
    bench_->chat().setDraft(QStringLiteral("Other"));
    bench_->chat().newChat();
    QVERIFY(undo.undo());
    QCOMPARE(bench_->chat().chatId(), chat); // it is shown where it is
    QVERIFY(holds(QStringLiteral("Other") + gap + words, 1));
    bench_->chat().newChat();
    QVERIFY(holds(QStringLiteral("More"), 0));
    bench_->chat().openChat(chat);
    QVERIFY(undo.redo());
    QCOMPARE(bench_->chat().chatId(), qint64{0});
    QVERIFY(holds(QStringLiteral("More") + gap + words, 1));
    bench_->restart();
    bench_->chat().newChat();
    QVERIFY(holds(QStringLiteral("More") + gap + words, 1)); // also if the new chat was left unsent
    bench_->chat().openChat(chat);
    QVERIFY(holds(QStringLiteral("Other"), 0));
}

/// Undo said that it took the file out of its first chat, where it was not.
void TestAttachedFiles::attachingAMovedFileIsNoStepOnceItIsSent() {
    nearlyFill(false);
    QVERIFY(attach(write(QStringLiteral("a.txt"), QByteArray(60, 'x'))));
    refuse(RefusedPrompt::From::Composer);
    UndoStack& undo = *bench_->app().undo();
    bench_->chat().context()->act(ContextView::NewChat);
    QVERIFY(undo.undo());
    QCOMPARE(undo.undoTitle(), QStringLiteral("Attach a.txt"));
    QVERIFY(undo.redo());
    QVERIFY(bench_->chat().send(bench_->chat().draft()));
    QTRY_COMPARE(bench_->chat().messages()->count(), 2);
    QVERIFY(idle());
    QVERIFY2(undo.undoTitle().isEmpty(), qPrintable(undo.undoTitle()));
}

/// The other chats are on the disk.
void TestAttachedFiles::aTemporaryChatKeepsItsFiles() {
    nearlyFill(true);
    QVERIFY(attach(write(QStringLiteral("a.txt"), QByteArray(60, 'x'))));
    refuse(RefusedPrompt::From::Composer);
    bench_->chat().context()->act(ContextView::NewChat);
    QVERIFY(bench_->chat().asksToLeave());
    bench_->chat().dropTemporary();
    QVERIFY(!bench_->chat().temporary());
    QCOMPARE(bench_->chat().chatId(), qint64{0});
    QCOMPARE(bench_->chat().draft(), QString());
    QCOMPARE(files().count(), 0);
    bench_->restart();
    QCOMPARE(files().count(), 0);
}

void TestAttachedFiles::anEditedMessageKeepsItsFiles() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(attach(write(QStringLiteral("a.txt"), "1")));
    QVERIFY(bench_->chat().send(QStringLiteral("Read")) && idle());
    MessageActions& actions = *bench_->chat().actions();
    const qint64 prompt = bench_->chat().messages()->rows().front().id;
    actions.beginEdit(prompt);
    actions.setEditText(prompt, QStringLiteral("Read again"));
    actions.keepEdit(prompt);
    QVERIFY(QTest::qWaitFor([&] { return actions.edited().isEmpty(); }, kPatienceMs) && idle());
    QCOMPARE(lastPrompt(), std::string("File \"a.txt\":\n```\n1\n```\n\nRead again"));
    QCOMPARE(bench_->chat().messages()->index(0).data(MessageModel::FilesRole).toList().size(), 1);
}

void TestAttachedFiles::filesOfATemporaryChatAreKeptWithIt() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    bench_->chat().newTemporaryChat();
    QVERIFY(attach(write(QStringLiteral("a.txt"), "1")));
    QVERIFY(bench_->chat().send(QStringLiteral("Read")) && idle());
    QVERIFY(attach(write(QStringLiteral("b.txt"), "2")));
    bench_->chat().keepTemporary();
    QTRY_VERIFY(!bench_->chat().temporary() && bench_->chat().chatId() != 0);
    QCOMPARE(bench_->chat().messages()->index(0).data(MessageModel::FilesRole).toList().size(), 1);
    QCOMPARE(files().count(), 1);
    QCOMPARE(name(0), QStringLiteral("b.txt"));
    bench_->chat().newTemporaryChat();
    QVERIFY(attach(write(QStringLiteral("c.txt"), "3")));
    bench_->chat().newChat();
    QVERIFY(bench_->chat().asksToLeave()); // the file would be lost
    bench_->chat().dropTemporary();
    QCOMPARE(files().count(), 0);
}

void TestAttachedFiles::aFileThatIsReadForATemporaryChatEndsWithIt() {
    files().add({QUrl::fromLocalFile(write(QStringLiteral("a.txt"), "1"))});
    bench_->chat().newTemporaryChat();
    QCOMPARE(files().reading(), 0); // it is for the chat before
    files().add({QUrl::fromLocalFile(write(QStringLiteral("secret.txt"), "2"))});
    QCOMPARE(files().reading(), 1);
    bench_->chat().newChat();
    QVERIFY(bench_->chat().asksToLeave());
    bench_->chat().dropTemporary();
    QCOMPARE(files().reading(), 1);
    files().add({QUrl::fromLocalFile(write(QStringLiteral("b.txt"), "3"))}); // it is read after the others
    QTRY_COMPARE(files().reading(), 0);
    QCOMPARE(files().count(), 2);
    QCOMPARE(name(0) + name(1), QStringLiteral("a.txtb.txt"));
    bench_->chat().newTemporaryChat();
    QCOMPARE(files().count(), 0);
    bench_->chat().newChat();
    QVERIFY(!bench_->chat().asksToLeave());
    QVERIFY(bench_->app().undo()->undo() && bench_->app().undo()->undo());
    QCOMPARE(files().count(), 0);
    QVERIFY(bench_->app().undo()->undoTitle().isEmpty());
}

void TestAttachedFiles::aFileThatIsReadForATemporaryChatIsKeptWithIt() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    bench_->chat().newTemporaryChat();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")) && idle());
    files().add({QUrl::fromLocalFile(write(QStringLiteral("a.txt"), "1"))});
    bench_->chat().keepTemporary();
    QTRY_VERIFY(!bench_->chat().temporary());
    QCOMPARE(bench_->chat().messages()->count(), 2);
    QCOMPARE(files().count(), 1);
    QCOMPARE(name(0), QStringLiteral("a.txt"));
}

void TestAttachedFiles::aFileThatIsReadForADeletedChatComesBackWithIt() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")) && idle());
    files().add({QUrl::fromLocalFile(write(QStringLiteral("a.txt"), "1"))});
    bench_->app().chats()->remove(bench_->chat().chatId());
    QVERIFY(attach(write(QStringLiteral("b.txt"), "2"))); // it is read after the other, for the new chat
    QCOMPARE(files().count(), 1);
    QVERIFY(!bench_->chat().error().valid());
    while (bench_->app().chats()->count() == 0) QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(bench_->chat().messages()->count(), 2);
    QCOMPARE(files().count(), 1);
    QCOMPARE(name(0), QStringLiteral("a.txt"));
    bench_->restart();
    QCOMPARE(files().count(), 1);
}

void TestAttachedFiles::aFileThatIsReadAtTheEndIsThereAfterIt() {
    files().add({QUrl::fromLocalFile(write(QStringLiteral("a.txt"), "1")),
                 QUrl::fromLocalFile(write(QStringLiteral("b.txt"), "2"))});
    QCOMPARE(files().reading(), 2);
    bench_->restart();
    QCOMPARE(files().count(), 2);
    QCOMPARE(name(0) + name(1), QStringLiteral("a.txtb.txt"));
}

void TestAttachedFiles::aLongPasteBecomesAFile() {
    QGuiApplication::clipboard()->setText(QString(kLongPaste, u'x'));
    QVERIFY(!files().paste());
    for (int i = 0; i < 2; ++i) {
        QGuiApplication::clipboard()->setText(QString(kLongPaste + 1, u'x'));
        QVERIFY(files().paste());
    }
    QCOMPARE(files().count(), 2);
    QCOMPARE(name(0), QStringLiteral("Pasted text.txt"));
    QCOMPARE(name(1), QStringLiteral("Pasted text 2.txt"));
    auto* data = new QMimeData; // the clipboard takes it
    data->setUrls({QUrl::fromLocalFile(write(QStringLiteral("a.txt"), "1"))});
    QGuiApplication::clipboard()->setMimeData(data);
    QVERIFY(files().paste());
    QTRY_COMPARE(files().count(), 3);
}

/// Sends a prompt with a file in a new chat, and waits for the answer.
void TestAttachedFiles::sendWithFile() {
    bench_->chat().newChat();
    QVERIFY(attach(write(QStringLiteral("notes.md"), kBytes)));
    QVERIFY(bench_->chat().send(QStringLiteral("Read")) && idle());
}

/// Opens the chat. Returns whether its prompt shows the file, and a new answer to it gets the file's text.
bool TestAttachedFiles::isWhole(AppBench& bench, qint64 chat) {
    bench.chat().openChat(chat);
    if (bench.chat().messages()->count() != 2) return false;
    const QVariantList shown = bench.chat().messages()->index(0).data(MessageModel::FilesRole).toList();
    if (shown.size() != 1 || shown[0].toMap()[QStringLiteral("name")].toString() != QStringLiteral("notes.md") ||
        shown[0].toMap()[QStringLiteral("text")].toString() != QString::fromLatin1(kBytes))
        return false;
    const size_t before = bench.control().conversations().size();
    bench.chat().actions()->regenerate(bench.chat().messages()->lastId());
    const auto answered = [&] { return !bench.chat().busy() && bench.control().conversations().size() > before; };
    return QTest::qWaitFor(answered, kPatienceMs) &&
           bench.control().conversations().back().back().parts.front().text == kPromptWithFile;
}

/// Exports a chat, or all chats if it is 0. Returns the file, or an invalid address if that failed.
QUrl TestAttachedFiles::exported(AppBench& bench, qint64 chat, ChatExchange::Format format) {
    static int files = 0;
    const QUrl file = QUrl::fromLocalFile(folder_.filePath(QStringLiteral("export %1").arg(++files)));
    if (chat == 0)
        bench.app().exchange()->exportAll(file);
    else
        bench.app().exchange()->exportChat(chat, format, file);
    return done(*bench.app().exchange()) ? file : QUrl();
}

void TestAttachedFiles::forksAndDuplicatesHaveTheFiles() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    sendWithFile();
    const qint64 first = bench_->chat().chatId();
    bench_->chat().actions()->fork(bench_->chat().messages()->lastId());
    const qint64 fork = bench_->chat().chatId();
    QVERIFY(fork != first);
    QVERIFY(isWhole(*bench_, fork));
    const qint64 copy = bench_->app().chats()->duplicate(first);
    QVERIFY(isWhole(*bench_, copy));
    bench_->app().chats()->remove(first);
    bench_->app().bin()->setListing(true);
    bench_->app().bin()->eraseAll();
    bench_->restart(); // files that no message has are dropped when the program starts
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    QCOMPARE(bench_->app().chats()->count(), 2); // the first one is erased
    QVERIFY(isWhole(*bench_, fork));
    QVERIFY(isWhole(*bench_, copy));
    QCOMPARE(filesOf(exported(*bench_, 0, ChatExchange::Json)), QList<QByteArrayList>({{kBytes}, {kBytes}}));
}

void TestAttachedFiles::exportedFilesComeBack_data() {
    QTest::addColumn<bool>("all");
    QTest::newRow("one chat") << false;
    QTest::newRow("all chats") << true;
}

void TestAttachedFiles::exportedFilesComeBack() {
    QFETCH(bool, all);
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    for (int i = 0; i < 2; ++i) sendWithFile(); // both chats have the same bytes
    const qsizetype chats = all ? 2 : 1;
    const QUrl file = exported(*bench_, all ? 0 : bench_->chat().chatId(), ChatExchange::Json);
    QCOMPARE(filesOf(file), QList<QByteArrayList>(chats, {kBytes}));
    AppBench other;
    OPEN_MODEL(other);
    other.control().allowAll();
    other.app().exchange()->importFile(file);
    QVERIFY(done(*other.app().exchange()));
    QTRY_COMPARE(other.app().chats()->count(), static_cast<int>(chats));
    for (int row = 0; row < other.app().chats()->count(); ++row)
        QVERIFY(isWhole(other, other.app().chats()->index(row).data(ChatListModel::ChatIdRole).toLongLong()));
    QCOMPARE(filesOf(exported(other, 0, ChatExchange::Json)), QList<QByteArrayList>(chats, {kBytes}));
}

void TestAttachedFiles::markdownNamesTheFiles() {
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
    sendWithFile();
    const qint64 chat = bench_->chat().chatId(), prompt = bench_->chat().messages()->rows().front().id;
    const auto times = [&](ChatExchange::Format format, const char* words) {
        QFile file(exported(*bench_, chat, format).toLocalFile());
        return file.open(QIODevice::ReadOnly) ? file.readAll().count(words) : -1;
    };
    QCOMPARE(times(ChatExchange::Markdown, "Attached file: notes.md"), 1);
    MessageActions& actions = *bench_->chat().actions();
    actions.beginEdit(prompt);
    actions.setEditText(prompt, QStringLiteral("Read again"));
    actions.keepEdit(prompt);
    QVERIFY(QTest::qWaitFor([&] { return actions.edited().isEmpty(); }, kPatienceMs) && idle());
    QCOMPARE(times(ChatExchange::Markdown, "Attached file: notes.md"), 1); // the branch that is shown
    QCOMPARE(times(ChatExchange::MarkdownWithBranches, "Attached file: notes.md"), 2);
    QCOMPARE(times(ChatExchange::MarkdownWithBranches, "Read again"), 1);
}

QTEST_MAIN(TestAttachedFiles)
#include "tst_attached_files.moc"
