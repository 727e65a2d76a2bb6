// SPDX-License-Identifier: Apache-2.0
// The store and an import write to the same file: the store waits for as long as a chat is added, and an import lets
// the store go first (store/write_turns.h).
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "store/chat_importer.h"
#include "store/write_turns.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include <sqlite3.h>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kLittlePatienceMs = 5;

/// A file with the connections of a store and of others.
class SharedFile {
  public:
    explicit SharedFile(int patienceMs) : turns(patienceMs), store(open()), other(open()) {
        store.exec("PRAGMA journal_mode = WAL");
        store.exec("CREATE TABLE numbers (number INTEGER)");
        turns.take(store);
        other.exec("BEGIN IMMEDIATE");
        other.exec("INSERT INTO numbers VALUES (1)");
    }

    /// Writes with the store's connection on a thread. Returns SQLite's result.
    std::future<int> write() {
        return std::async(std::launch::async, [this] { return store.tryExec("INSERT INTO numbers VALUES (2)"); });
    }

  private:
    SQLite::Database open() const {
        return {folder_.filePath(QStringLiteral("numbers.db")).toStdString(),
                SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    }

    QTemporaryDir folder_;

  public:
    WriteTurns turns;
    SQLite::Database store, other; ///< other: has begun to write
};

ChatTree chatNamed(const QString& uid) {
    ChatTree tree{.uid = uid, .title = uid, .created = 1, .updated = 2, .leaf = 0};
    tree.messages.push_back({.role = engine::Role::User, .state = QStringLiteral("complete")});
    tree.messages.back().parts.push_back({.text = QStringLiteral("Hello")});
    return tree;
}

} // namespace

class TestWriteTurns : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theStoreWaitsForAnImport();
    void theStoreWaitsForOthersForAWhile();
    void anImportWaitsForTheStore();
    void bothGoOn();
};

void TestWriteTurns::theStoreWaitsForAnImport() {
    SharedFile file(kLittlePatienceMs);
    auto turn = std::make_unique<WriteTurns::Import>(file.turns);
    std::future<int> written = file.write();
    // Longer than it would wait for another program.
    const bool waited = QTest::qWaitFor([&] { return file.turns.refusals() > 3; });
    file.other.exec("COMMIT");
    turn.reset();
    QCOMPARE(written.get(), SQLITE_OK);
    QVERIFY(waited);
}

void TestWriteTurns::theStoreWaitsForOthersForAWhile() {
    SharedFile file(kLittlePatienceMs);
    QCOMPARE(file.write().get(), SQLITE_BUSY);
    QCOMPARE(file.turns.refusals(), 2);
    const WriteTurns::Import turn(file.turns); // nobody waits any more
    file.other.exec("COMMIT");
    QCOMPARE(file.write().get(), SQLITE_OK);
}

void TestWriteTurns::anImportWaitsForTheStore() {
    SharedFile file(kPatienceMs);
    std::future<int> written = file.write();
    bool waited = QTest::qWaitFor([&] { return file.turns.refusals() > 0; });
    std::atomic<bool> begun{false};
    std::future<void> import = std::async(std::launch::async, [&] {
        const WriteTurns::Import turn(file.turns);
        begun = true;
    });
    const int64_t seen = file.turns.refusals();
    waited = QTest::qWaitFor([&] { return file.turns.refusals() > seen + 5; }) && waited;
    const bool early = begun;
    file.other.exec("COMMIT");
    QCOMPARE(written.get(), SQLITE_OK);
    import.get();
    QVERIFY(waited && begun && !early);
}

void TestWriteTurns::bothGoOn() {
    constexpr int kChats = 100;
    StoreOnDisk store;
    const qint64 chat = store.say(QStringLiteral("Hello"), QStringLiteral("Hi")).chat;
    auto importer = store->openImporter();
    VERIFY_OK(importer);
    std::atomic<int> done{0};
    std::future<int> added = std::async(std::launch::async, [&] {
        int count = 0;
        for (int i = 0; i < kChats; ++i, ++done)
            if (importer.value()->addChat(chatNamed(QString::number(i)), IfPresent::Skip)) ++count;
        return count;
    });
    bool kept = true;
    for (int seen = 0; done < kChats; std::this_thread::yield())
        if (seen != done) { // the import begins the next chat now
            seen = done;
            kept = store->rename(chat, QString::number(seen)).ok() && kept;
        }
    QCOMPARE(added.get(), kChats);
    QVERIFY(kept);
    QCOMPARE(store->chats()->size(), size_t{kChats + 1});
}

QTEST_GUILESS_MAIN(TestWriteTurns)
#include "tst_write_turns.moc"
