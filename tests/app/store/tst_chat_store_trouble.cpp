// SPDX-License-Identifier: Apache-2.0
// The store in trouble: a full disk, a folder that can't be written, a damaged file, writes that fail one by one, and
// power that goes. Everything that was accepted must be there afterwards, and every refusal must say why in three
// sentences.
#include "app/store/faulty_disk.h"
#include "app/store/old_chats.h"
#include "app/verify_ok.h"
#include "store/chat_reader.h"
#include "store/chat_store.h"
#include "store/schema.h"
#include "support/small_disk.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>
#include <array>
#include <functional>

#include <sqlite3.h>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

engine::Result<std::unique_ptr<ChatStore>> openIn(const QString& folder) {
    return ChatStore::open({.folder = folder, .migrations = {}});
}

engine::Result<StoredTurn> addTurn(ChatStore& store, const QString& prompt, qint64 chat = 0) {
    return store.addTurn({.chat = chat, .title = QStringLiteral("Title"), .prompt = prompt, .model = {}});
}

QString chatsFile(const QString& folder) { return QDir(folder).filePath(QStringLiteral("chats.db")); }

bool sound(const QString& folder) {
    SQLite::Database db(chatsFile(folder).toStdString(), SQLite::OPEN_READWRITE);
    return db.execAndGet("PRAGMA integrity_check").getString() == "ok";
}

void overwrite(const QString& path, qint64 offset, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::ReadWrite) && file.seek(offset)) file.write(bytes);
}

/// The operations that the store reported as done.
struct Accepted {
    QStringList prompts;
    QString answer, title;
    bool removed = false;
    std::vector<std::function<bool(const ChatStore&)>> checks; ///< each is true if a thing is as it was promised
};

/// Uses the tree, folders, settings and records, and continues after each refusal.
void useTree(ChatStore& store, const StoredTurn& turn, Accepted& accepted) {
    const qint64 chat = turn.chat, prompt = turn.prompt.id;
    const auto expect = [&](const auto& done, std::function<bool(const ChatStore&)> check) {
        if (done) accepted.checks.push_back(std::move(check));
    };
    const QByteArray bytes(3000, 'b');
    const auto file = store.addTurn({.chat = chat,
                                     .title = {},
                                     .prompt = "Read",
                                     .model = {},
                                     .parent = prompt,
                                     .files = {{"f", "x", "t", bytes}}});
    if (file)
        expect(file, [bytes, id = file->prompt.id](const ChatStore& s) {
            const auto read = s.records().attachment({.message = id, .part = 1});
            return read && read.value() == bytes;
        });
    const auto version = store.addVersion(prompt, textParts("Other words"));
    if (version)
        expect(version, [id = version->id](const ChatStore& s) {
            const auto row = s.message(id);
            return row && row->text() == "Other words";
        });
    expect(store.setLeaf(chat, prompt), [=](const ChatStore& s) {
        const auto path = s.messages(chat);
        return path && std::ranges::count(path.value(), prompt, &MessageRow::id) == 1;
    });
    const auto folder = store.folders().create("Work");
    expect(folder, [](const ChatStore& s) { return s.folders().list() && s.folders().list()->size() == 1; });
    expect(store.setSettings(chat, {{"a", 1}}), [=](const ChatStore& s) {
        const auto state = s.state(chat);
        return state && state->settings.contains("a");
    });
    expect(store.setDraft(0, "unsent"), [](const ChatStore& s) { return s.state(0) && s.state(0)->draft == "unsent"; });
    expect(store.records().put(prompt, {.trace = packedRecord({1, bytes}).value()}, 1 << 20), [=](const ChatStore& s) {
        const auto record = s.records().get(RecordKind::Trace, prompt);
        return record && record->has_value() && record->value().bytes == bytes;
    });
    const qint64 answer = turn.answer.id;
    if (store.removeMessage(answer))
        expect(store.restoreMessage(answer), [=](const ChatStore& s) {
            const auto children = s.children(prompt);
            return children && std::ranges::count(children.value(), answer) == 1;
        });
}

const QString kImported = QStringLiteral("Imported");

/// A chat with a prompt and an answer.
ChatTree importedTree() {
    ChatTree tree{.uid = QStringLiteral("f3"), .title = kImported, .created = 1, .updated = 2, .leaf = 1};
    tree.messages.push_back({.role = engine::Role::User, .state = QStringLiteral("complete")});
    tree.messages.push_back({.parent = 0, .role = engine::Role::Assistant, .state = QStringLiteral("complete")});
    for (TreeMessage& message : tree.messages)
        message.parts.push_back({.text = QLatin1String(engine::roleName(message.role))});
    return tree;
}

/// Whether what is done in several steps was done as a whole or not at all: no answer is complete without its text, and
/// no chat came in without its messages.
bool nothingIsHalfDone(const ChatStore& store, const std::vector<MessageRow>& answers) {
    const auto half = [](const MessageRow& row) {
        return row.state == MessageState::Complete && !row.text().startsWith("Answer") && row.text() != "assistant";
    };
    if (std::ranges::any_of(answers, half)) return false;
    const auto chats = store.chats();
    return chats && std::ranges::all_of(chats.value(), [&](const ChatRow& chat) {
               const auto path = store.messages(chat.id);
               return chat.title != kImported || (path && path->size() == 2 && path->front().text() == "user" &&
                                                  path->back().text() == "assistant");
           });
}

/// Does everything that a user does in a minute, and continues after each refusal.
Accepted useStore(ChatStore& store) {
    Accepted accepted;
    qint64 chat = 0;
    StoredTurn last;
    for (int i = 0; i < 2; ++i) {
        const QString prompt = QStringLiteral("Prompt %1").arg(i);
        auto turn = addTurn(store, prompt, chat);
        if (!turn) continue;
        accepted.prompts.append(prompt);
        chat = turn.value().chat;
        MessageRow answer = turn.value().answer;
        (void)store.saveProgress(answer.id, textParts(QStringLiteral("half")), 0);
        answer.parts = textParts(QStringLiteral("Answer %1").arg(i));
        answer.state = MessageState::Complete;
        if (store.finishAnswer(answer)) accepted.answer = answer.text();
        last = turn.value();
    }
    if (last.chat != 0) useTree(store, last, accepted);
    (void)store.addChat(importedTree(), IfPresent::Skip);
    if (store.rename(chat, QStringLiteral("Renamed"))) accepted.title = QStringLiteral("Renamed");
    if (store.remove(chat)) accepted.removed = !store.restore(chat);
    return accepted;
}

} // namespace

class TestChatStoreTrouble : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aFullDiskRefusesAndLosesNothing();
    void everyCallThatWritesRefusesOnAFullDisk();
    void deletingWorksOnAFullDisk();
    void deletingAMessageWorksOnAFullDisk();
    void openingWorksOnAFullDisk();
    void aRealFullDisk();
    void noHalfBackupTakesRoom();
    void aReadOnlyFolderShowsOldChats();
    void aReadOnlyFolderShowsChatsOfAnOlderVersion();
    void aReadOnlyFolderWithoutChatsIsAnError();
    void aDamagedFileIsSetAside_data();
    void aDamagedFileIsSetAside();
    void damageAfterADeathIsFoundToo();
    void flippedBitsNeverCrash();
    void everyFailingWriteKeepsWhatWasAccepted();
    void whatWasAcceptedSurvivesAPowerCut();
};

void TestChatStoreTrouble::aFullDiskRefusesAndLosesNothing() {
    QTemporaryDir folder;
    FaultyDisk disk;
    {
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        VERIFY_OK(addTurn(**store, QStringLiteral("Before")));
        disk.failAll(SQLITE_FULL);
        const auto refused = addTurn(**store, QStringLiteral("Refused"));
        QVERIFY(!refused);
        VERIFY_THREE_PARTS(refused.error());
        QVERIFY2(refused.error().why.english().find("full") != std::string::npos, refused.error().line().c_str());
        disk.failAll(0);
        VERIFY_OK(addTurn(**store, QStringLiteral("After")));
        QCOMPARE((*store)->chats().value().size(), size_t{2});
    }
    QVERIFY(sound(folder.path()));
}

void TestChatStoreTrouble::everyCallThatWritesRefusesOnAFullDisk() {
    QTemporaryDir folder;
    FaultyDisk disk;
    {
        auto opened = openIn(folder.path());
        VERIFY_OK(opened);
        ChatStore& store = **opened;
        const StoredTurn turn = addTurn(store, QStringLiteral("Before")).value();
        const StoredTurn gone = addTurn(store, QStringLiteral("Gone"), turn.chat).value();
        VERIFY_OK(store.removeMessage(gone.prompt.id));
        const qint64 work = store.folders().create("Work")->id;
        VERIFY_OK(store.records().put(turn.answer.id, {.trace = packedRecord({1, "bytes"}).value()}, 1000));
        disk.failAll(SQLITE_FULL);
        const auto refused = [](const auto& result) {
            return !result && missingParts(result.error()).isEmpty() &&
                   result.error().why.english().find("full") != std::string::npos;
        };
        QVERIFY(refused(store.addAnswer({.parent = turn.prompt.id, .model = {}})));
        QVERIFY(refused(store.addVersion(turn.prompt.id, textParts("x"))));
        QVERIFY(refused(
            store.addTurn({.chat = 0, .title = "T", .prompt = "x", .model = {}, .files = {{"f", "x", "t", "bytes"}}})));
        QVERIFY(refused(store.continueAnswer(turn.answer.id)));
        QVERIFY(refused(store.setLeaf(turn.chat, turn.prompt.id)));
        QVERIFY(refused(store.removeMessage(turn.answer.id)));
        QVERIFY(refused(store.restoreMessage(gone.prompt.id)));
        QVERIFY(refused(store.setPinned(turn.chat, true)));
        QVERIFY(refused(store.setFolder(turn.chat, work)));
        QVERIFY(refused(store.setSettings(turn.chat, {{"a", 1}})));
        QVERIFY(refused(store.setDraft(turn.chat, "x")));
        QVERIFY(refused(store.setSeen(turn.chat, turn.prompt.id, 1)));
        QVERIFY(refused(store.folders().create("Home")));
        QVERIFY(refused(store.folders().rename(work, "Home")));
        QVERIFY(refused(store.folders().remove(work)));
        QVERIFY(refused(store.records().put(turn.answer.id, {.trace = packedRecord({1, "x"}).value()}, 1000)));
        QVERIFY(refused(store.records().trim(0)));
        disk.failAll(0);
        QCOMPARE(store.messages(turn.chat)->size(), size_t{2});
        QCOMPARE(store.removedMessages()->size(), size_t{1});
        QCOMPARE(store.children(turn.prompt.id).value(), std::vector<qint64>{turn.answer.id});
        QVERIFY((store.folders().list().value() == std::vector<FolderRow>{{work, "Work"}}));
        QVERIFY((store.records().get(RecordKind::Trace, turn.answer.id)->value() == Record{1, "bytes"}));
        const ChatState expected{.draft = {}, .settings = {}, .leaf = turn.answer.id};
        QVERIFY(store.state(turn.chat).value() == expected);
        VERIFY_OK(store.addAnswer({.parent = turn.prompt.id, .model = {}}));
    }
    QVERIFY(sound(folder.path()));
}

void TestChatStoreTrouble::deletingWorksOnAFullDisk() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    auto store = openIn(disk->path());
    VERIFY_OK(store);
    const auto turn = addTurn(**store, QStringLiteral("Delete me"));
    VERIFY_OK(turn);
    disk->fill();
    // SQLite first uses the free room within its own files.
    while (addTurn(**store, QString(20000, u'x'))) {
    }
    QVERIFY(QFile::exists(QDir(disk->path()).filePath(QStringLiteral("chats.reserve"))));
    VERIFY_OK((*store)->remove(turn.value().chat));
    QVERIFY(!(*store)->chat(turn.value().chat));
    VERIFY_OK((*store)->restore(turn.value().chat));
}

void TestChatStoreTrouble::deletingAMessageWorksOnAFullDisk() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    auto store = openIn(disk->path());
    VERIFY_OK(store);
    qint64 chat = 0, first = 0;
    for (int i = 0; i < 30; ++i) {
        const auto turn = addTurn(**store, QStringLiteral("Delete me %1").arg(i), chat);
        VERIFY_OK(turn);
        chat = turn->chat;
        first = first == 0 ? turn->prompt.id : first;
    }
    disk->fill();
    while (addTurn(**store, QString(20000, u'x'))) {
    }
    VERIFY_OK((*store)->removeMessage(first));
    QVERIFY((*store)->messages(chat)->empty());
    QVERIFY((*store)->search({.words = QStringLiteral("delete")})->hits.empty());
}

void TestChatStoreTrouble::openingWorksOnAFullDisk() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    qint64 chat = 0;
    {
        auto store = openIn(disk->path());
        VERIFY_OK(store);
        chat = addTurn(**store, QStringLiteral("Hello")).value().chat;
    }
    disk->fill();
    auto store = openIn(disk->path());
    VERIFY_OK(store);
    QCOMPARE((*store)->messages(chat).value().at(0).text(), QStringLiteral("Hello"));
    VERIFY_OK((*store)->remove(chat));
}

void TestChatStoreTrouble::aRealFullDisk() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    {
        auto store = openIn(disk->path());
        VERIFY_OK(store);
        const auto turn = addTurn(**store, QStringLiteral("Hello"));
        VERIFY_OK(turn);
        disk->fill();
        QStringList accepted;
        engine::Error refusal;
        for (int i = 0; i < 2000; ++i) {
            const QString prompt = QString(1000, u'a') + QString::number(i);
            const auto more = addTurn(**store, prompt, turn.value().chat);
            if (!more) {
                refusal = more.error();
                break;
            }
            accepted.append(prompt);
        }
        VERIFY_THREE_PARTS(refusal);
        QVERIFY2(refusal.why.english().find("full") != std::string::npos, refusal.line().c_str());
        disk->release();
        VERIFY_OK(addTurn(**store, QStringLiteral("Again"), turn.value().chat));
        accepted.append(QStringLiteral("Again"));
        QStringList kept;
        const auto rows = (*store)->messages(turn.value().chat);
        for (const MessageRow& row : rows.value()) {
            if (row.role == engine::Role::User) kept.append(row.text());
        }
        QCOMPARE(kept.mid(1), accepted);
    }
    QVERIFY(sound(disk->path()));
}

/// Chats of an older version are backed up before they are migrated.
void TestChatStoreTrouble::noHalfBackupTakesRoom() {
    const auto halfBackups = [](const QTemporaryDir& folder) {
        return QDir(folder.path()).entryList({QStringLiteral("*.part*")});
    };
    const QTemporaryDir first, second;
    for (const QTemporaryDir* folder : {&first, &second}) makeOldChats(chatsFile(folder->path()).toStdString(), 8);
    FaultyDisk disk;
    for (int64_t nth = 1; nth == 1 || disk.failed(); nth *= 2) {
        disk.failAt(nth, SQLITE_FULL);
        const bool opened = static_cast<bool>(openIn(first.path()));
        QCOMPARE(halfBackups(first), QStringList());
        QVERIFY(opened || disk.failed());
    }
    disk.failAt(0, 0);
    VERIFY_OK(openIn(first.path()));
    // A process was killed while it wrote one.
    overwrite(second.filePath(QStringLiteral("chats-before-v9-20261130-120000.db.part")), 0, "half");
    VERIFY_OK(openIn(second.path()));
    QCOMPARE(halfBackups(second), QStringList());
    QCOMPARE(QDir(second.path()).entryList({QStringLiteral("chats-before-*.db")}).size(), 1);
}

void TestChatStoreTrouble::aReadOnlyFolderShowsOldChats() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    qint64 chat = 0;
    {
        auto store = openIn(disk->path());
        VERIFY_OK(store);
        chat = addTurn(**store, QStringLiteral("Hello")).value().chat;
    }
    QVERIFY(disk->setReadOnly(true));
    {
        auto store = openIn(disk->path());
        VERIFY_OK(store);
        QVERIFY((*store)->readOnly());
        QVERIFY((*store)->notice());
        VERIFY_THREE_PARTS(*(*store)->notice());
        QCOMPARE((*store)->messages(chat).value().at(0).text(), QStringLiteral("Hello"));
        QVERIFY(!(*store)->search({.words = QStringLiteral("hello")})->hits.empty());
        const auto refused = addTurn(**store, QStringLiteral("More"), chat);
        QVERIFY(!refused);
        VERIFY_THREE_PARTS(refused.error());
    }
    QVERIFY(disk->setReadOnly(false));
    auto store = openIn(disk->path());
    VERIFY_OK(store);
    VERIFY_OK(addTurn(**store, QStringLiteral("More"), chat));
}

void TestChatStoreTrouble::aReadOnlyFolderShowsChatsOfAnOlderVersion() {
    const auto disk = SmallDisk::make(8 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    for (const int version : {1, 2}) {
        QFile::remove(chatsFile(disk->path()));
        makeOldChats(chatsFile(disk->path()).toStdString(), version);
        QVERIFY(disk->setReadOnly(true));
        {
            auto store = openIn(disk->path());
            VERIFY_OK(store);
            QVERIFY((*store)->readOnly());
            const auto reader = (*store)->openReader();
            VERIFY_OK(reader);
            for (const ChatReads* reads :
                 {static_cast<ChatReads*>(store->get()), static_cast<ChatReads*>(reader->get())}) {
                QCOMPARE(reads->chats()->size(), static_cast<size_t>(kOldChats - kOldChats / 20)); // 1 of 20 is deleted
                QVERIFY(!reads->search({.words = "question"})->hits.empty());
                QVERIFY(!reads->messages(1)->empty());
            }
            const auto refused = addTurn(**store, QStringLiteral("More"), 1);
            QVERIFY(!refused);
            VERIFY_THREE_PARTS(refused.error());
        }
        QVERIFY(disk->setReadOnly(false));
        SQLite::Database db(chatsFile(disk->path()).toStdString(), SQLite::OPEN_READONLY);
        QCOMPARE(schemaVersion(db), version);
    }
}

void TestChatStoreTrouble::aReadOnlyFolderWithoutChatsIsAnError() {
    const auto disk = SmallDisk::make(1 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    QVERIFY(disk->setReadOnly(true));
    const auto refused = openIn(disk->path());
    QVERIFY(!refused);
    VERIFY_THREE_PARTS(refused.error());
    const auto inside = openIn(QDir(disk->path()).filePath(QStringLiteral("deeper/still")));
    QVERIFY(!inside);
    VERIFY_THREE_PARTS(inside.error());
}

void TestChatStoreTrouble::aDamagedFileIsSetAside_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("not a database") << 0;
    QTest::newRow("pages overwritten") << 1;
    QTest::newRow("cut in half") << 2;
}

void TestChatStoreTrouble::aDamagedFileIsSetAside() {
    QFETCH(int, kind);
    QTemporaryDir folder;
    {
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        for (int i = 0; i < 40; ++i) VERIFY_OK(addTurn(**store, QString(500, QChar(u'a' + i % 26))));
    }
    const QString path = chatsFile(folder.path());
    const qint64 size = QFileInfo(path).size();
    if (kind == 0) overwrite(path, 0, QByteArray(4096, 'x'));
    if (kind == 1) overwrite(path, size / 2 / 4096 * 4096, QByteArray(8192, '\xa5'));
    if (kind == 2) QVERIFY(QFile::resize(path, size / 2));
    QFile damaged(path);
    QVERIFY(damaged.open(QIODevice::ReadOnly));
    const QByteArray bytes = damaged.readAll();
    damaged.close();

    auto store = openIn(folder.path());
    VERIFY_OK(store);
    QVERIFY((*store)->notice());
    VERIFY_THREE_PARTS(*(*store)->notice());
    QVERIFY((*store)->chats().value().empty());
    VERIFY_OK(addTurn(**store, QStringLiteral("A new start")));
    const QStringList aside = QDir(folder.path()).entryList({QStringLiteral("chats-damaged-*.db")});
    QCOMPARE(aside.size(), 1);
    QVERIFY((*store)->notice()->action.english().find(aside[0].toStdString()) != std::string::npos);
    QFile kept(folder.filePath(aside[0]));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), bytes);
}

/// A process that died leaves a -wal file. The whole file is checked then, and both are set aside together.
void TestChatStoreTrouble::damageAfterADeathIsFoundToo() {
    QTemporaryDir folder, dead;
    {
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        for (int i = 0; i < 40; ++i) VERIFY_OK(addTurn(**store, QString(500, QChar(u'a' + i % 26))));
    }
    {
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        VERIFY_OK(addTurn(**store, QStringLiteral("In the log")));
        for (const char* name : {"chats.db", "chats.db-wal"}) {
            const QString file = QString::fromLatin1(name);
            QVERIFY(QFile::copy(folder.filePath(file), dead.filePath(file)));
        }
    }
    overwrite(dead.filePath(QStringLiteral("chats.db")), 4096 * 12, QByteArray(8192, '\xa5'));
    auto store = openIn(dead.path());
    VERIFY_OK(store);
    QVERIFY((*store)->notice());
    QCOMPARE(QDir(dead.path()).entryList({QStringLiteral("chats-damaged-*.db")}).size(), 1);
    QCOMPARE(QDir(dead.path()).entryList({QStringLiteral("chats-damaged-*.db-wal")}).size(), 1);
}

void TestChatStoreTrouble::flippedBitsNeverCrash() {
    QTemporaryDir folder;
    {
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        for (int i = 0; i < 5; ++i) VERIFY_OK(addTurn(**store, QStringLiteral("Prompt %1").arg(i)));
    }
    QFile original(chatsFile(folder.path()));
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray bytes = original.readAll();
    QRandomGenerator random(20260101);
    for (int i = 0; i < 100; ++i) {
        QTemporaryDir copy;
        QByteArray flipped = bytes;
        for (int n = 0; n < 4; ++n) {
            const auto at = static_cast<qsizetype>(random.bounded(static_cast<quint32>(flipped.size())));
            flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.bounded(8)));
        }
        QFile file(chatsFile(copy.path()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(flipped) == flipped.size());
        file.close();
        auto store = openIn(copy.path());
        if (!store) {
            VERIFY_THREE_PARTS(store.error());
            continue;
        }
        (void)(*store)->search({.words = QStringLiteral("prompt")});
        for (qint64 chat = 1; chat <= 5; ++chat) (void)(*store)->messages(chat);
        (void)addTurn(**store, QStringLiteral("More"));
    }
}

void TestChatStoreTrouble::everyFailingWriteKeepsWhatWasAccepted() {
    const std::array<int, 3> codes{SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC};
    bool failed = true;
    int nth = 0;
    while (failed) {
        QTemporaryDir folder;
        FaultyDisk disk;
        Accepted accepted;
        ++nth;
        disk.failAt(nth, codes[static_cast<size_t>(nth) % codes.size()]);
        if (auto store = openIn(folder.path())) {
            accepted = useStore(**store);
        } else {
            VERIFY_THREE_PARTS(store.error());
        }
        failed = disk.failed();
        disk.failAt(0, 0);
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        QVERIFY2(!(*store)->notice(), qPrintable(QStringLiteral("write %1").arg(nth)));
        QStringList prompts, answers;
        std::vector<MessageRow> answerRows;
        const auto chats = (*store)->chats();
        for (const ChatRow& chat : chats.value())
            if (!accepted.title.isEmpty() && chat.title != kImported) QCOMPARE(chat.title, accepted.title);
        constexpr qint64 kMessages = 40; // more than useStore() makes, on all branches
        for (qint64 id = 1; id < kMessages; ++id)
            if (const auto row = (*store)->message(id)) {
                (row->role == engine::Role::User ? prompts : answers).append(row->text());
                if (row->role == engine::Role::Assistant) answerRows.push_back(row.value());
            }
        QVERIFY2(nothingIsHalfDone(**store, answerRows), qPrintable(QStringLiteral("write %1").arg(nth)));
        if (accepted.removed) continue;
        // A commit whose sync failed may still be in the file: the file may have more than was promised, but never
        // less.
        for (const QString& prompt : accepted.prompts) QVERIFY2(prompts.contains(prompt), qPrintable(prompt));
        if (!accepted.answer.isEmpty()) QVERIFY(answers.contains(accepted.answer));
        for (size_t i = 0; i < accepted.checks.size(); ++i)
            QVERIFY2(accepted.checks[i](**store), qPrintable(QStringLiteral("write %1, check %2").arg(nth).arg(i)));
        store->reset();
        QVERIFY(sound(folder.path()));
    }
    qInfo("%d writes failed one by one", nth - 1);
    QVERIFY(nth > 20);
}

void TestChatStoreTrouble::whatWasAcceptedSurvivesAPowerCut() {
    for (int turns = 1; turns <= 6; ++turns) {
        QTemporaryDir folder;
        FaultyDisk disk;
        qint64 chat = 0;
        {
            auto store = openIn(folder.path());
            VERIFY_OK(store);
            for (int i = 0; i < turns; ++i) {
                auto turn = addTurn(**store, QStringLiteral("Prompt %1").arg(i), chat);
                VERIFY_OK(turn);
                chat = turn.value().chat;
                VERIFY_OK((*store)->saveProgress(turn.value().answer.id, textParts(QStringLiteral("half")), 0));
                MessageRow answer = turn.value().answer;
                answer.parts = textParts(QStringLiteral("Answer %1").arg(i));
                if (i + 1 < turns) VERIFY_OK((*store)->finishAnswer(answer));
            }
            disk.cutPower();
        }
        disk.powerOn();
        auto store = openIn(folder.path());
        VERIFY_OK(store);
        QVERIFY(!(*store)->notice());
        const auto rows = (*store)->messages(chat);
        VERIFY_OK(rows);
        QCOMPARE(rows.value().size(), static_cast<size_t>(turns) * 2);
        for (int i = 0; i < turns; ++i) {
            const auto at = static_cast<size_t>(i) * 2;
            QCOMPARE(rows.value()[at].text(), QStringLiteral("Prompt %1").arg(i));
            if (i + 1 < turns) QCOMPARE(rows.value()[at + 1].text(), QStringLiteral("Answer %1").arg(i));
        }
    }
}

QTEST_GUILESS_MAIN(TestChatStoreTrouble)
#include "tst_chat_store_trouble.moc"
