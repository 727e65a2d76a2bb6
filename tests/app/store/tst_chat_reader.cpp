// SPDX-License-Identifier: Apache-2.0
// A reader on a thread of its own, beside the store that writes: it sees what was committed and nothing half done, it
// never makes the writer wait, and its queries can be cancelled.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "store/chat_reader.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestChatReader : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { store_ = std::make_unique<StoreOnDisk>(); }
    void cleanup() { store_.reset(); }
    void seesWhatWasCommitted();
    void readsWhileTheStoreWrites();
    void aRunningQueryIsCancelled();
    void noCancelIsLostAndNoneMeetsALaterJob();
    void aGrowingAnswerIsStillBeingWritten();

  private:
    void makeSlowSearch();

    std::unique_ptr<StoreOnDisk> store_;
    StoreOnDisk& store() { return *store_; }
};

void TestChatReader::seesWhatWasCommitted() {
    const auto reader = store()->openReader();
    VERIFY_OK(reader);
    QVERIFY((*reader)->chats()->empty());
    const StoredTurn turn = store().say("Hello", "World");
    const qint64 folder = store()->folders().create("Work")->id;
    VERIFY_OK(store()->setFolder(turn.chat, folder));
    VERIFY_OK(store()->records().put(turn.answer.id, {.trace = packedRecord({1, "trace"}).value()}, 1000));
    QCOMPARE((*reader)->chat(turn.chat)->folder, folder);
    QCOMPARE((*reader)->messages(turn.chat)->size(), size_t{2});
    QCOMPARE((*reader)->folders().list()->size(), size_t{1});
    QCOMPARE((*reader)->records().get(RecordKind::Trace, turn.answer.id)->value().bytes, QByteArray("trace"));
    QCOMPARE((*reader)->search({.words = "world"})->hits.size(), size_t{1});
}

/// A turn is added in one transaction, an answer indexed in another, a message deleted in a third: a reader never sees
/// half of one, also if its call makes several queries.
void TestChatReader::readsWhileTheStoreWrites() {
    const StoredTurn turn = store().say("Hello", "treasure");
    const StoredTurn other = store().say("Now here", "now gone");
    auto opened = store()->openReader();
    VERIFY_OK(opened);
    std::atomic<bool> done = false;
    std::atomic<int> rounds = 0, wrong = 0;
    std::thread thread([&, reader = std::move(*opened)] {
        while (!done) {
            const auto found = reader->search({.words = "treasure"});
            const auto page = reader->page(turn.chat, 0, 7);
            const bool right = found && found->hits.size() == 1 && found->hits[0].snippet.startsWith("treasure") &&
                               page && page->length % 2 == 0 &&
                               page->first + static_cast<qint64>(page->rows.size()) == page->length;
            if (!right) ++wrong;
            const auto shown = reader->page(other.chat, 0, 7);
            if (!shown || std::ranges::count(shown->siblings, -1, &Siblings::index) > 0) ++wrong;
            ++rounds;
        }
    });
    MessageRow answer = turn.answer;
    int failed = 0;
    for (int i = 0; i < 100 || rounds < 200; ++i) {
        if (!store()->removeMessage(other.answer.id) || !store()->restoreMessage(other.answer.id)) ++failed;
        if (store().say("more", "words", turn.chat).chat == 0) ++failed;
        answer.parts = textParts(QStringLiteral("treasure %1").arg(i));
        if (!store()->finishAnswer(answer)) ++failed;
    }
    done = true;
    thread.join();
    QCOMPARE(failed, 0);
    QCOMPARE(wrong, 0);
}

/// Makes searches for "word" slow: a hundred thousand messages have it.
void TestChatReader::makeSlowSearch() {
    const StoredTurn turn = store().say("Hello", "x");
    SQLite::Database db(store().file(), SQLite::OPEN_READWRITE);
    SQLite::Transaction transaction(db);
    db.exec("WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
            "INSERT INTO messages(id, chat, role, state, created_at) SELECT i, " +
            std::to_string(turn.chat) + ", 'user', 'complete', 1 FROM n");
    db.exec("INSERT INTO parts(message, place, kind, text) SELECT id, 0, 'text', 'word' FROM messages WHERE id >= 10");
    db.exec("INSERT INTO message_search(message_search) VALUES ('rebuild')");
    transaction.commit();
}

/// The thread does nothing but query, so that one is nearly always running when it is cancelled.
void TestChatReader::aRunningQueryIsCancelled() {
    makeSlowSearch();
    const auto reader = store()->openReader();
    VERIFY_OK(reader);
    constexpr int kRounds = 20;
    const SearchRequest everything{.words = "word", .most = std::numeric_limits<int>::max()};
    int late = 0; // queries that ran when they were cancelled, and went on to their end
    for (int i = 0; i < kRounds; ++i) {
        std::atomic<bool> cancelling = false;
        std::atomic<int> queries = 0;
        engine::ErrorKind kind = engine::ErrorKind::Internal;
        std::thread thread([&] {
            for (;; ++queries) {
                const auto found = (*reader)->search(everything);
                if (!found) return (void)(kind = found.error().kind);
                if (cancelling) ++late;
            }
        });
        while (queries == 0) std::this_thread::yield();
        cancelling = true;
        const quint64 job = (*reader)->cancel();
        thread.join();
        QCOMPARE(kind, engine::ErrorKind::Cancelled);
        (*reader)->begin(job);
    }
    QVERIFY2(late < kRounds / 2, qPrintable(QString::number(late)));
    QVERIFY(!(*reader)->search(everything)->hits.empty()); // the last job may run to its end
}

void TestChatReader::noCancelIsLostAndNoneMeetsALaterJob() {
    store().say("Hello", "x");
    const auto reader = store()->openReader();
    VERIFY_OK(reader);
    const quint64 first = (*reader)->cancel(), second = (*reader)->cancel();
    (*reader)->begin(first); // was cancelled before it began
    const auto refused = (*reader)->chats();
    QCOMPARE(refused.error().kind, engine::ErrorKind::Cancelled);
    VERIFY_THREE_PARTS(refused.error());
    QVERIFY(!(*reader)->folders().list() && !(*reader)->records().totalBytes());
    (*reader)->begin(second);
    VERIFY_OK((*reader)->chats());
    VERIFY_OK(store()->chats());
}

void TestChatReader::aGrowingAnswerIsStillBeingWritten() {
    const auto turn = store()->addTurn({.chat = 0, .title = "T", .prompt = "Hello", .model = {}});
    VERIFY_OK(turn);
    {
        const auto reader = store()->openReader();
        VERIFY_OK(reader);
        QCOMPARE((*reader)->message(turn->answer.id)->state, MessageState::Streaming);
        VERIFY_OK(store()->finishAnswer(turn->answer));
        VERIFY_OK(store()->continueAnswer(turn->answer.id));
        QCOMPARE((*reader)->message(turn->answer.id)->state, MessageState::Streaming);
    }
    store().reopen();
    const auto reader = store()->openReader();
    QCOMPARE((*reader)->message(turn->answer.id)->state, MessageState::Stopped);
}

QTEST_GUILESS_MAIN(TestChatReader)
#include "tst_chat_reader.moc"
