// SPDX-License-Identifier: Apache-2.0
// Export and import of our own format: nothing is lost or doubled, a damaged file harms nothing, and a failed export
// leaves nothing behind. Markdown for people.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "exchange/chat_export.h"
#include "exchange/chat_import.h"
#include "exchange/chat_json.h"
#include "exchange/json_pieces.h"
#include "exchange/markdown.h"
#include "random_chats.h"
#include "support/effort.h"
#include "support/faulty_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kChats = 200;
constexpr TreeWants kAll{.bin = true, .records = true};

bool goOn(double) { return true; }

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

engine::Result<ImportReport> import(StoreOnDisk& store, const QString& path, IfPresent present = IfPresent::Skip,
                                    const ExchangeProgress& progress = goOn) {
    const auto importer = store->openImporter();
    if (!importer) return importer.error();
    return importChats(*importer.value(), {.paths = {path}, .present = present}, progress);
}

QString soundness(const StoreOnDisk& store) {
    SQLite::Database db(store.file(), SQLite::OPEN_READWRITE);
    for (const char* check : {"PRAGMA integrity_check", "PRAGMA foreign_key_check"}) {
        SQLite::Statement rows(db, check);
        if (rows.executeStep() && rows.getColumn(0).getString() != "ok")
            return QString::fromStdString(rows.getColumn(0).getString());
    }
    try {
        db.exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
        db.exec("INSERT INTO chat_search(chat_search) VALUES ('integrity-check')");
    } catch (const SQLite::Exception& exception) {
        return QString::fromUtf8(exception.what());
    }
    return {};
}

} // namespace

class TestChatExchange : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theSecondExportHasTheSameBytes();
    void theBinAndRecordsAreWrittenOnlyIfAskedFor();
    void presetsInUseAreWritten();
    void aTreeComesBackAsItWas();
    void aChatIsNotDoubled();
    void aChatComesBackFromTheBin();
    void aCopyBesideIsTreatedAsTheChat();
    void layoutOfTheFileDoesNotMatter();
    void wrongChatsAreLeftOut();
    void longNamesAreCut();
    void aCutFileGivesWholeChats();
    void damageIsFoundAndHarmsNothing();
    void aFileThatChangesEndsNoOther();
    void aLaterVersionIsRefused();
    void otherFilesAreRefused();
    void aFailedExportLeavesNothing();
    void noFileIsReplacedUnasked();
    void workCanBeStopped();
    void largeExportsNeedLittleMemory();
    void markdownIsReadable();
    void markdownSaysHowAnAnswerEnded();
    void aFolderGetsAFileForEachChat();

  private:
    void fill(StoreOnDisk& store, int chats);
    QString exported(StoreOnDisk& store, const TreeWants& wants);

    QTemporaryDir folder_;
    int files_ = 0;
};

void TestChatExchange::fill(StoreOnDisk& store, int chats) {
    QVERIFY(store->folders().create(QStringLiteral("An empty folder")));
    RandomChats random(20261124);
    for (int i = 0; i < chats; ++i) VERIFY_OK(store->addChat(random.next(), IfPresent::Skip));
    QVERIFY(store->setDraft(0, QStringLiteral("not sent \u00e9")));
}

QString TestChatExchange::exported(StoreOnDisk& store, const TreeWants& wants) {
    const QString path = folder_.filePath(QStringLiteral("export%1.json").arg(++files_));
    const auto done = exportJson(*store, {.path = path, .tree = wants}, goOn);
    return done ? path : QString::fromStdString(done.error().line());
}

void TestChatExchange::theSecondExportHasTheSameBytes() {
    StoreOnDisk first;
    fill(first, kChats);
    for (const TreeWants& wants : {kAll, TreeWants{}}) {
        const QByteArray once = contents(exported(first, wants));
        QVERIFY(once.size() > 100000);
        QVERIFY(QJsonDocument::fromJson(once).isObject());
        QCOMPARE(contents(exported(first, wants)), once);
        StoreOnDisk second;
        const auto report = import(second, folder_.filePath(QStringLiteral("export%1.json").arg(files_)));
        VERIFY_OK(report);
        QVERIFY(!report->ended);
        QCOMPARE(report->added(), report->found);
        QCOMPARE(report->failed, 0);
        if (wants.bin) QCOMPARE(report->added(), kChats);
        QVERIFY(contents(exported(second, wants)) == once);
        QCOMPARE(soundness(second), QString());
        QCOMPARE(second->search({.words = QStringLiteral("quoted"), .most = 100000})->hits.size(),
                 first->search({.words = QStringLiteral("quoted"), .most = 100000})->hits.size());
    }
}

void TestChatExchange::theBinAndRecordsAreWrittenOnlyIfAskedFor() {
    StoreOnDisk store;
    fill(store, 60);
    QVERIFY(store.number("SELECT count(*) FROM traces") > 0);
    const QByteArray plain = contents(exported(store, {}));
    QVERIFY(!plain.contains("\"removed\"") && !plain.contains("\"records\""));
    QVERIFY(contents(exported(store, {.bin = true})).contains("\"removed\""));
    QVERIFY(contents(exported(store, {.records = true})).contains("\"records\""));
}

/// All that there are can be given; those that no chat in the file names are not written.
void TestChatExchange::presetsInUseAreWritten() {
    StoreOnDisk store;
    const auto preset = [](const char* id, double heat) {
        return QJsonObject{{QStringLiteral("id"), QLatin1String(id)},
                           {QStringLiteral("name"), QStringLiteral("A \u00e9")},
                           {QStringLiteral("values"), QJsonObject{{QStringLiteral("temperature"), heat}}}};
    };
    const QJsonArray presets{preset("one", 0.5), preset("two", 1.0), preset("three", 1.5)};
    std::vector<qint64> chats;
    for (const char* id : {"three", "one", "one", "gone"}) {
        ChatTree tree{.title = QLatin1String(id), .created = 1, .updated = 1};
        tree.settings.insert(QStringLiteral("preset"), QLatin1String(id));
        const auto added = store->addChat(tree, IfPresent::Copy);
        VERIFY_OK(added);
        chats.push_back(added->chat);
    }
    const QString path = folder_.filePath(QStringLiteral("presets.json"));
    VERIFY_OK(exportJson(*store, {.path = path, .presets = presets}, goOn));
    StoreOnDisk second;
    auto report = import(second, path);
    VERIFY_OK(report);
    QCOMPARE(report->added(), 4);
    QCOMPARE(report->presets, (QJsonArray{presets[0], presets[2]}));
    VERIFY_OK(exportJson(*store, {.path = path, .chats = {chats[0]}, .presets = presets, .replace = true}, goOn));
    report = import(second, path);
    VERIFY_OK(report);
    QCOMPARE(report->presets, QJsonArray{presets[2]});
    VERIFY_OK(exportJson(*store, {.path = path, .chats = {chats[3]}, .presets = presets, .replace = true}, goOn));
    QVERIFY(!contents(path).contains("presets"));
}

void TestChatExchange::aTreeComesBackAsItWas() {
    StoreOnDisk store;
    RandomChats random(7);
    for (int i = 0; i < 50; ++i) {
        const ChatTree tree = random.next();
        const auto added = store->addChat(tree, IfPresent::Skip);
        VERIFY_OK(added);
        const auto again = store->tree(added->chat, kAll);
        VERIFY_OK(again);
        QVERIFY2(chatJson(again.value()) == chatJson(tree), chatJson(again.value()) + "\n" + chatJson(tree));
        const auto read = chatFromJson(QJsonDocument::fromJson(chatJson(tree)).object());
        VERIFY_OK(read);
        QVERIFY(read.value() == tree);
    }
}

void TestChatExchange::aChatIsNotDoubled() {
    StoreOnDisk store;
    const StoredTurn turn = store.say(QStringLiteral("Hello"), QStringLiteral("Hi"));
    const QString before = exported(store, {});
    auto report = import(store, before);
    VERIFY_OK(report);
    QCOMPARE(report->present, 1);
    QCOMPARE(report->added(), 0);
    // The chat goes on: what was exported before is still all there.
    store.say(QStringLiteral("More"), QStringLiteral("Yes"), turn.chat);
    QCOMPARE(import(store, before)->present, 1);
    // Another computer has gone on in another way: both are kept, and the second time nothing is added.
    StoreOnDisk other;
    QCOMPARE(import(other, before)->added(), 1);
    other.say(QStringLiteral("Something else"), QStringLiteral("No"), other->chats()->front().id);
    const QString elsewhere = exported(other, {});
    report = import(store, elsewhere);
    QCOMPARE(report->beside, 1);
    QCOMPARE(store->chats()->size(), size_t{2});
    QCOMPARE(import(store, elsewhere)->present, 1);
    QCOMPARE(store->chats()->size(), size_t{2});
    QCOMPARE(import(store, before, IfPresent::Copy)->added(), 1);
    QCOMPARE(store->chats()->size(), size_t{3});
    QCOMPARE(soundness(store), QString());
}

void TestChatExchange::aChatComesBackFromTheBin() {
    StoreOnDisk store;
    const StoredTurn turn = store.say(QStringLiteral("Hello"), QStringLiteral("Hi"));
    const QString file = exported(store, {});
    QVERIFY(store->remove(turn.chat));
    QCOMPARE(import(store, file)->restored, 1);
    QCOMPARE(store->chats()->size(), size_t{1});
    QVERIFY(store->remove(turn.chat));
    QVERIFY(store->erase(turn.chat));
    QCOMPARE(import(store, file)->added(), 1);
    QCOMPARE(store->messages(store->chats()->front().id)->back().text(), QStringLiteral("Hi"));
}

/// Another computer has gone on in another way, so that its chat was added beside ours.
void TestChatExchange::aCopyBesideIsTreatedAsTheChat() {
    StoreOnDisk store, other;
    store.say(QStringLiteral("Hello"), QStringLiteral("Hi"));
    QCOMPARE(import(other, exported(store, {}))->added(), 1);
    const qint64 there = other->chats()->front().id;
    other.say(QStringLiteral("Something else"), QStringLiteral("No"), there);
    const QString elsewhere = exported(other, {});
    const auto report = import(store, elsewhere);
    QCOMPARE(report->beside, 1);
    const qint64 copy = report->chats.front();
    QVERIFY(store->remove(copy));
    QCOMPARE(import(store, elsewhere)->restored, 1);
    QCOMPARE(store->chats()->size(), size_t{2});
    // A message of it was erased, and so it has not all messages of the file any more.
    const qint64 last = store->messages(copy)->back().id;
    QVERIFY(store->removeMessage(last));
    QVERIFY(store->eraseMessage(last));
    QCOMPARE(import(store, elsewhere)->beside, 1);
    QCOMPARE(import(store, elsewhere)->present, 1);
    QCOMPARE(store->chats()->size(), size_t{3});
    QCOMPARE(soundness(store), QString());
}

/// A tool may have written the fields in another order, on many lines, with a mark before them.
void TestChatExchange::layoutOfTheFileDoesNotMatter() {
    StoreOnDisk first, second;
    fill(first, 20);
    const QByteArray once = contents(exported(first, kAll));
    const QString pretty = folder_.filePath(QStringLiteral("pretty.json"));
    write(pretty, "\xef\xbb\xbf" + QJsonDocument::fromJson(once).toJson(QJsonDocument::Indented));
    QVERIFY(contents(pretty).indexOf("\"chats\"") < contents(pretty).indexOf("\"version\""));
    VERIFY_OK(import(second, pretty));
    QCOMPARE(chatJson(second->tree(1, kAll).value()), chatJson(first->tree(1, kAll).value()));
    QCOMPARE(second->chatIds(true)->size(), first->chatIds(true)->size());
    QCOMPARE(second->state(0)->draft, first->state(0)->draft);
}

void TestChatExchange::wrongChatsAreLeftOut() {
    StoreOnDisk first, second;
    fill(first, kChats);
    QJsonObject file = QJsonDocument::fromJson(contents(exported(first, kAll))).object();
    QJsonArray chats = file.value(QLatin1String("chats")).toArray();
    const auto change = [&](int number, const char* key, const QJsonValue& value) {
        QJsonObject chat = chats.at(number).toObject();
        chat.insert(QLatin1String(key), value);
        chats.replace(number, chat);
    };
    const QJsonObject message{{QStringLiteral("role"), QStringLiteral("user")},
                              {QStringLiteral("state"), QStringLiteral("complete")},
                              {QStringLiteral("created"), QStringLiteral("2026-11-24T10:00:00.000Z")}};
    QJsonObject circle = message, unknown = message;
    circle.insert(QStringLiteral("parent"), 1);
    unknown.insert(QStringLiteral("role"), QStringLiteral("emperor"));
    change(3, "messages", QJsonArray{circle});
    change(50, "messages", QJsonArray{unknown});
    change(51, "messages", QJsonArray{message, 7});
    change(70, "files", QJsonArray{QStringLiteral("???")});
    change(71, "title", 12);
    change(90, "created", QStringLiteral("yesterday"));
    change(91, "leaf", 4000);
    chats.replace(100, QStringLiteral("no chat"));
    file.insert(QStringLiteral("chats"), chats);
    const QString path = folder_.filePath(QStringLiteral("wrong.json"));
    write(path, QJsonDocument(file).toJson());
    const auto report = import(second, path);
    VERIFY_OK(report);
    QCOMPARE(report->found, kChats);
    QCOMPARE(report->failed, 8);
    QCOMPARE(report->added(), kChats - 8);
    QCOMPARE(report->problems.size(), size_t{8});
    for (const ImportProblem& problem : report->problems) {
        VERIFY_THREE_PARTS(problem.error);
        QVERIFY2(QString::fromStdString(problem.error.line()).contains(QStringLiteral("line ")),
                 problem.error.line().c_str());
    }
    QVERIFY(report->problems[1].error.line().find("messages[0].role") != std::string::npos);
    QVERIFY(report->problems[2].error.line().find("messages[1]") != std::string::npos);
    QCOMPARE(second->chatIds(true)->size(), size_t{kChats - 8});
    QCOMPARE(soundness(second), QString());
}

void TestChatExchange::longNamesAreCut() {
    const QString path = folder_.filePath(QStringLiteral("long.json"));
    const QByteArray name(2000000, 'x'), time = "2026-11-30T12:00:00.000Z";
    write(path, R"({"format":"coterie-chats","version":1,"folders":["a)" + name + R"("],"chats":[{"title":"b)" + name +
                    R"(","folder":"c)" + name + R"(","created":")" + time + R"(","updated":")" + time +
                    R"(","leaf":1,"messages":[{"role":"assistant","state":"complete","created":")" + time +
                    R"(","model":"d)" + name + R"("}]}]})");
    StoreOnDisk store;
    VERIFY_OK(import(store, path));
    const ChatRow chat = store->chats()->front();
    QCOMPARE(chat.title.size(), kLongestName);
    QCOMPARE(store->messages(chat.id)->front().model.size(), kLongestName);
    const auto folders = store->folders().list();
    QCOMPARE(folders->size(), size_t{2});
    for (const FolderRow& folder : *folders) QCOMPARE(folder.name.size(), kLongestName);
}

void TestChatExchange::aCutFileGivesWholeChats() {
    StoreOnDisk first;
    fill(first, 12);
    const QByteArray whole = contents(exported(first, kAll));
    std::vector<QByteArray> all;
    const auto ids = first->chatIds(true);
    for (const qint64 chat : ids.value()) all.push_back(chatJson(first->tree(chat, kAll).value()));
    const QString path = folder_.filePath(QStringLiteral("cut.json"));
    for (qsizetype cut = 0; cut + 4 < whole.size(); cut += whole.size() / (longTests() ? 40 : 16)) {
        write(path, whole.left(cut));
        StoreOnDisk second;
        const auto report = import(second, path);
        const auto added = second->chatIds(true);
        QCOMPARE(added->size(), report ? static_cast<size_t>(report->added()) : size_t{0});
        for (size_t i = 0; i < added->size(); ++i)
            QCOMPARE(chatJson(second->tree(added.value()[i], kAll).value()), all[i]);
        const engine::Error& error = report ? *report->ended : report.error();
        VERIFY_THREE_PARTS(error);
        if (report) QVERIFY2(error.line().find("line ") != std::string::npos, error.line().c_str());
        QCOMPARE(soundness(second), QString());
    }
}

void TestChatExchange::damageIsFoundAndHarmsNothing() {
    StoreOnDisk first;
    fill(first, 8);
    const QByteArray whole = contents(exported(first, kAll));
    RandomChats random(99);
    const QString path = folder_.filePath(QStringLiteral("damaged.json"));
    StoreOnDisk second;
    for (int round = 0; round < (kSanitized ? 60 : longTests() ? 400 : 150); ++round) {
        QByteArray bytes = whole;
        for (int i = 1 + random.below(5); i > 0; --i)
            bytes[random.below(static_cast<int>(bytes.size()))] = static_cast<char>(random.below(256));
        write(path, bytes);
        const auto report = import(second, path);
        if (!report) VERIFY_THREE_PARTS(report.error());
        if (report)
            for (const ImportProblem& problem : report->problems) VERIFY_THREE_PARTS(problem.error);
    }
    QCOMPARE(soundness(second), QString());
}

void TestChatExchange::aFileThatChangesEndsNoOther() {
    StoreOnDisk first, second, store;
    for (const char letter : {'a', 'b'}) // more than is read at once
        first.say(QStringLiteral("Long"), QString(1 << 20, QLatin1Char(letter)));
    second.say(QStringLiteral("Short"), QStringLiteral("Yes"));
    const QStringList paths{exported(first, {}), exported(second, {})};
    const auto importer = store->openImporter();
    VERIFY_OK(importer);
    bool changed = false;
    const ExchangeProgress change = [&](double) {
        if (changed || store->chats()->empty()) return true;
        QFile file(paths[0]);
        changed = file.open(QIODevice::Append) && file.write(" ") == 1;
        return changed;
    };
    const auto report = importChats(**importer, {.paths = paths}, change);
    VERIFY_OK(report);
    QVERIFY(!report->ended);
    QCOMPARE(report->added(), 2);
    QCOMPARE(report->problems.size(), size_t{1});
    QCOMPARE(report->problems[0].title, QFileInfo(paths[0]).fileName());
    QVERIFY(report->problems[0].error.kind == engine::ErrorKind::Io);
}

void TestChatExchange::aLaterVersionIsRefused() {
    StoreOnDisk store;
    const QString path = folder_.filePath(QStringLiteral("later.json"));
    write(path, "{\"format\":\"coterie-chats\",\"version\":2,\"folders\":[\"A\"],\"chats\":[{}]}");
    const auto report = import(store, path);
    QVERIFY(!report);
    QCOMPARE(report.error().kind, engine::ErrorKind::Unsupported);
    VERIFY_THREE_PARTS(report.error());
    QVERIFY(store->folders().list()->empty());
}

void TestChatExchange::otherFilesAreRefused() {
    StoreOnDisk store;
    const QString path = folder_.filePath(QStringLiteral("other.json"));
    const QByteArray deep(2000, '[');
    for (const QByteArray& bytes :
         {QByteArray(), QByteArray("   \n"), QByteArray("hello"), QByteArray("{}"), QByteArray("[]"), QByteArray("[1]"),
          QByteArray("{\"a\":1}"), QByteArray("{\"a\" 1}"), QByteArray("[[[["), deep, QByteArray("PK\x03\x04"),
          QByteArray("{\"format\":\"coterie-chats\",\"version\":\"1\",\"chats\":[]}"), QByteArray("\"text\""),
          QByteArray("[{\"a\":1}]"), QByteArray("{\"format\":\"coterie-chats\",\"version\":1,\"chats\":[}")}) {
        write(path, bytes);
        const auto report = import(store, path);
        QVERIFY2(!report, bytes.left(60));
        VERIFY_THREE_PARTS(report.error());
    }
    const auto whyOf = [&](const QByteArray& bytes) {
        write(path, bytes);
        return import(store, path).error().why.english();
    };
    for (const char* bytes : {"", "  \n", "\xef\xbb\xbf"}) QCOMPARE(whyOf(bytes), std::string("The file is empty"));
    for (const char* bytes : {"[]", "{}", R"({"format":"coterie-chats","version":1,"chats":[],"folders":[]})"})
        QCOMPARE(whyOf(bytes), std::string("There are no chats in the file"));
    QVERIFY(!import(store, folder_.filePath(QStringLiteral("missing.json"))));
    QVERIFY(store->chatIds(true)->empty());
}

void TestChatExchange::aFailedExportLeavesNothing() {
    StoreOnDisk store;
    fill(store, 5);
    const QString place = folder_.filePath(QStringLiteral("place"));
    QVERIFY(QDir().mkpath(place));
    const QString path = place + QStringLiteral("/chats.json");
    write(path, "an older file");
    int failures = 0;
    for (int nth = 1;; ++nth) {
        FaultyFiles files;
        files.failCall(nth);
        const auto done = exportJson(*store, {.path = path, .replace = true, .files = &files}, goOn);
        if (!files.fired()) break;
        ++failures;
        QVERIFY(!done);
        VERIFY_THREE_PARTS(done.error());
        QCOMPARE(contents(path), QByteArray("an older file"));
        QCOMPARE(QDir(place).entryList(QDir::Files).size(), 1);
    }
    QVERIFY(failures >= 8);
    QVERIFY(contents(path).startsWith("{\n\"format\""));
}

void TestChatExchange::noFileIsReplacedUnasked() {
    StoreOnDisk store;
    fill(store, 2);
    const QString path = folder_.filePath(QStringLiteral("there.json"));
    write(path, "mine");
    QVERIFY(!exportJson(*store, {.path = path}, goOn));
    QVERIFY(!exportMarkdown(*store, {.path = path, .chat = 1}));
    QCOMPARE(contents(path), QByteArray("mine"));
    VERIFY_OK(exportJson(*store, {.path = path, .replace = true}, goOn));
    QVERIFY(contents(path) != "mine");
}

void TestChatExchange::workCanBeStopped() {
    StoreOnDisk store, other;
    fill(store, 30);
    const QString path = folder_.filePath(QStringLiteral("stopped.json"));
    int calls = 0;
    const auto third = [&](double) { return ++calls < 3; };
    const auto done = exportJson(*store, {.path = path}, third);
    QVERIFY(!done);
    QCOMPARE(done.error().kind, engine::ErrorKind::Cancelled);
    QVERIFY(!QFile::exists(path));
    const QString whole = exported(store, kAll);
    calls = -5;
    const auto report = import(other, whole, IfPresent::Skip, third);
    VERIFY_OK(report);
    QVERIFY(report->ended && report->ended->kind == engine::ErrorKind::Cancelled);
    QVERIFY(report->added() > 0 && report->added() < 30);
    QCOMPARE(other->chatIds(true)->size(), static_cast<size_t>(report->added()));
    // The import of the whole file goes on where it was stopped.
    const auto rest = import(other, whole);
    QCOMPARE(rest->present, report->added());
    QVERIFY(contents(exported(other, kAll)) == contents(whole));
}

/// One chat at a time is in memory, whatever the size of the file.
void TestChatExchange::largeExportsNeedLittleMemory() {
    constexpr int kLarge = 40;
    const qsizetype kFile = longTests() ? 4 << 20 : 1 << 20;
    const auto peak = []() -> qint64 { // kB, since it was reset
        for (const QByteArray& line : contents(QStringLiteral("/proc/self/status")).split('\n'))
            if (line.startsWith("VmHWM:")) return line.mid(6).simplified().split(' ').first().toLongLong();
        return 0;
    };
    QFile reset(QStringLiteral("/proc/self/clear_refs"));
    if (kSanitized || !reset.open(QIODevice::WriteOnly) || peak() == 0) QSKIP("the peak of memory can't be measured");
    StoreOnDisk store, other;
    for (int i = 0; i < kLarge; ++i) {
        ChatTree tree{.title = QStringLiteral("Large"), .created = 1, .updated = 1};
        tree.messages.push_back({.role = engine::Role::User, .state = QStringLiteral("complete"), .created = i});
        tree.messages.front().parts.push_back({.kind = PartKind::Attachment, .file = 0});
        tree.files.push_back(QByteArray(kFile, static_cast<char>('a' + i % 20)) + QByteArray::number(i));
        VERIFY_OK(store->addChat(tree, IfPresent::Skip));
    }
    reset.write("5\n");
    reset.flush();
    const qint64 before = peak();
    const QString path = exported(store, {});
    VERIFY_OK(import(other, path));
    const qint64 grown = (peak() - before) / 1024;
    qInfo("a file of %lld MiB took %lld MiB of memory", QFileInfo(path).size() >> 20, grown);
    QVERIFY(QFileInfo(path).size() > kLarge * kFile);
    QVERIFY2(grown < 26 * (kFile >> 20) + 6, QByteArray::number(grown)); // some copies of one chat
}

void TestChatExchange::markdownIsReadable() {
    QLocale::setDefault(QLocale::c());
    ChatTree tree{.title = QStringLiteral("A *title*"), .created = 1, .updated = 1};
    const auto add = [&](qsizetype parent, engine::Role role, std::vector<TreePart> parts) {
        tree.messages.push_back({.parent = parent,
                                 .role = role,
                                 .state = QStringLiteral("complete"),
                                 .created = 1,
                                 .model = QLatin1String(role == engine::Role::Assistant ? "Guide" : ""),
                                 .parts = std::move(parts)});
    };
    add(-1, engine::Role::User,
        {{.text = QStringLiteral("Hello")},
         treePart({.kind = PartKind::Attachment, .text = "1,2\n```\n", .name = "a.csv"}),
         treePart({.kind = PartKind::Attachment, .name = "b.pdf"})});
    add(0, engine::Role::Assistant,
        {{.kind = PartKind::Thought, .text = QStringLiteral("Hm.\n\nWell.")},
         treePart({.kind = PartKind::ToolCall, .tool = "time", .arguments = "{}"}),
         {.kind = PartKind::ToolResult, .text = QStringLiteral("```")},
         {.text = QStringLiteral("Hi\n\n```cpp\nint x;\n```")}});
    add(0, engine::Role::Assistant, {{.text = QStringLiteral("Another answer")}});
    tree.leaf = 1;
    tree.settings = QJsonObject{{QStringLiteral("preset"), QStringLiteral("5d1c")},
                                {QStringLiteral("stopTexts"), QJsonArray{QStringLiteral("#"), QStringLiteral("end")}},
                                {QStringLiteral("systemPrompt"), QStringLiteral("Be brief.")},
                                {QStringLiteral("temperature"), 0.5},
                                {QStringLiteral("thinking"), true}};
    const QJsonArray presets{
        QJsonObject{{QStringLiteral("id"), QStringLiteral("5d1c")}, {QStringLiteral("name"), QStringLiteral("Poems")}}};
    StoreOnDisk store;
    const auto added = store->addChat(tree, IfPresent::Skip);
    VERIFY_OK(added);
    const QString path = folder_.filePath(QStringLiteral("chat.md"));
    VERIFY_OK(exportMarkdown(*store, {.path = path, .chat = added->chat, .presets = presets}));
    const QString date = QLocale().toString(QDateTime::fromMSecsSinceEpoch(1), QLocale::ShortFormat);
    const QString shown =
        QStringLiteral("# A \\*title\\*\n\n%1\n\nSettings of this chat:\n\n- preset: Poems\n"
                       "- stopTexts: \\[\"\\#\",\"end\"\\]\n- temperature: 0.5\n- thinking: true\n\n"
                       "> **System prompt**\n>\n> Be brief.\n\n"
                       "## You, %1\n\nHello\n\nAttached file: a.csv\n\n````\n1,2\n```\n````\n\n"
                       "Attached file: b.pdf\n\n"
                       "## Guide, %1\n\n> **Thought**\n>\n> Hm.\n>\n> Well.\n\n"
                       "The model called `time`:\n\n```json\n{}\n```\n\nResult:\n\n````\n```\n````\n\n"
                       "Hi\n\n```cpp\nint x;\n```\n")
            .arg(date);
    QCOMPARE(QString::fromUtf8(contents(path)), shown);
    VERIFY_OK(exportMarkdown(*store, {.path = path, .chat = added->chat, .branches = true, .replace = true}));
    const QString all = QString::fromUtf8(contents(path));
    QVERIFY(all.contains(QStringLiteral("## Message 2, after message 1: Guide, ")));
    QVERIFY(all.contains(QStringLiteral("## Message 3, after message 1: Guide, ")));
    QVERIFY(all.contains(QStringLiteral("Another answer")));
}

void TestChatExchange::markdownSaysHowAnAnswerEnded() {
    const auto lastLine = [](const char* state, const QJsonObject& error) {
        ChatTree tree{.title = QStringLiteral("Title"), .created = 1, .updated = 1, .leaf = 0};
        tree.messages.push_back({.role = engine::Role::Assistant,
                                 .state = QLatin1String(state),
                                 .created = 1,
                                 .error = error,
                                 .parts = {{.text = QStringLiteral("Once")}}});
        return markdownOf(tree, false).trimmed().split(u'\n').back();
    };
    const QJsonObject full{{QStringLiteral("what"), QStringLiteral("The answer ends here")},
                           {QStringLiteral("why"), QStringLiteral("The context was full")}};
    QCOMPARE(lastLine("complete", {}), QStringLiteral("Once"));
    QCOMPARE(lastLine("stopped", {}), QStringLiteral("*Stopped here.*"));
    QCOMPARE(lastLine("stopped", full), QStringLiteral("*Ended here. The context was full.*"));
    QCOMPARE(lastLine("failed", full), QStringLiteral("*Failed: The answer ends here.*"));
}

void TestChatExchange::aFolderGetsAFileForEachChat() {
    StoreOnDisk store;
    const auto add = [&](const char* title, int answers) {
        ChatTree tree{.title = QLatin1String(title), .created = 1, .updated = 1};
        const auto message = [&](qsizetype parent, engine::Role role, const QString& text) {
            tree.messages.push_back({.parent = parent,
                                     .role = role,
                                     .state = QStringLiteral("complete"),
                                     .created = 1,
                                     .parts = {{.text = text}}});
        };
        message(-1, engine::Role::User, QStringLiteral("Hello"));
        for (int i = 0; i < answers; ++i) message(0, engine::Role::Assistant, QStringLiteral("Answer %1").arg(i));
        tree.leaf = answers;
        const auto added = store->addChat(tree, IfPresent::Copy);
        return added ? added->chat : 0;
    };
    QVERIFY(add("Tea", 1) && add("tea", 1) && add("Tea", 2));
    VERIFY_OK(store->remove(add("Deleted", 1)));
    const QTemporaryDir folder;
    write(folder.filePath(QStringLiteral("Tea.md")), "mine");
    const MarkdownFolderOrder order{.folder = folder.path(), .name = [](const QString& title) { return title; }};
    const auto written = exportMarkdownFolder(*store, order, goOn);
    VERIFY_OK(written);
    QCOMPARE(written.value(), 3);
    const QStringList names = QDir(folder.path()).entryList(QDir::Files, QDir::Name);
    QCOMPARE(names.size(), 4);
    QCOMPARE(contents(folder.filePath(QStringLiteral("Tea.md"))), QByteArray("mine"));
    const QByteArray one = contents(folder.filePath(QStringLiteral("Tea 2.md")));
    QVERIFY2(one.startsWith("# Tea\n") && one.contains("Answer 0") && !one.contains("Message 2"), one);
    const QByteArray branches = contents(folder.filePath(QStringLiteral("Tea 3.md")));
    QVERIFY2(branches.contains("Answer 0") && branches.contains("## Message 3, after message 1"), branches);

    int files = 0;
    const auto stopped = exportMarkdownFolder(*store, order, [&](double) { return ++files < 2; });
    QVERIFY(!stopped && stopped.error().kind == engine::ErrorKind::Cancelled);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 5); // the whole one stays
    const QString nowhere = folder.filePath(QStringLiteral("nowhere"));
    QVERIFY(!exportMarkdownFolder(*store, {.folder = nowhere, .name = order.name}, goOn));
    QVERIFY(!QFileInfo::exists(nowhere));
}

QTEST_GUILESS_MAIN(TestChatExchange)
#include "tst_chat_exchange.moc"
