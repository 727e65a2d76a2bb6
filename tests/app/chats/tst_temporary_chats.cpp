// SPDX-License-Identifier: Apache-2.0
// Temporary chats: they work as others do, and nothing of them ever reaches the disk: after they were used, and after
// the process was killed, every file of the data folder is searched for their words.
#include "app/app_bench.h"
#include "app/verify_ok.h"

#include <QDirIterator>
#include <QProcess>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

const QString kSecret = QStringLiteral("xylophonesecretword"); // one word also for the full-text index

/// Answers of nine words, one a token.
FakeScript nineWords() {
    FakeScript script = AppBench::words();
    script.pieces = {"One ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ", "nine"};
    script.wordTokens = true;
    return script;
}

/// Has a prompt answered in a new temporary chat.
bool talkInSecret(AppBench& bench) {
    bench.control().allowAll();
    bench.chat().newTemporaryChat();
    return bench.chat().send(kSecret) && QTest::qWaitFor([&] { return !bench.chat().busy(); }, kPatienceMs);
}

qint64 lastId(AppBench& bench) { return bench.chat().messages()->rows().back().id; }

/// Returns the files of the folder whose bytes contain the word, in any of the ways in which SQLite and Qt write text.
QStringList filesWith(const QString& folder, const QString& word) {
    QStringList found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray bytes = file.readAll();
        const QByteArray wide(reinterpret_cast<const char*>(word.utf16()), word.size() * 2);
        if (bytes.contains(word.toUtf8()) || bytes.contains(wide)) found.append(file.fileName());
    }
    return found;
}

} // namespace

class TestTemporaryChats : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aStoreInMemoryWorksLikeAFile();
    void idsSayWhichStoreHasAChat();
    void nothingReachesTheDisk();
    void nothingReachesTheDiskIfTheProcessIsKilled();
    void itIsGoneWhenItIsClosed();
    void itIsKeptOnRequest();
    void itIsKeptWhileItIsAnswered();
    void n1APromptStaysInTheKindOfChatInWhichItWasWritten_data();
    void n1APromptStaysInTheKindOfChatInWhichItWasWritten();
    void n1ItIsKeptWithAPromptThatIsBeingCounted();
    void anEmptyOneAsksNothing();
    void itsTokensAreKnown();
    void itsTokensAreKeptWithIt();
    void itsRecordsCanBeDeleted();
};

void TestTemporaryChats::aStoreInMemoryWorksLikeAFile() {
    auto opened = ChatStore::openTemporary();
    VERIFY_OK(opened);
    ChatStore& store = **opened;
    auto reader = store.openReader();
    VERIFY_OK(reader);
    const auto turn = store.addTurn({.chat = 0, .title = QStringLiteral("T"), .prompt = kSecret, .model = {}});
    VERIFY_OK(turn);
    MessageRow answer = turn->answer;
    answer.parts = textParts(QStringLiteral("An answer"));
    answer.state = MessageState::Complete;
    VERIFY_OK(store.finishAnswer(answer));
    const auto rows = (*reader)->messagesTo(answer.id); // another connection sees it
    VERIFY_OK(rows);
    QCOMPARE(rows->size(), size_t{2});
    QCOMPARE(rows->front().text(), kSecret);
    QCOMPARE((*reader)->search({.words = QStringLiteral("xylophonesec")})->hits.size(), size_t{1});
    VERIFY_OK(store.setDraft(turn->chat, QStringLiteral("a draft")));
    QCOMPARE(store.state(turn->chat)->draft, QStringLiteral("a draft"));
    VERIFY_OK(store.remove(turn->chat));
    VERIFY_OK(store.erase(turn->chat));
    QVERIFY((*reader)->chats()->empty());
    auto other = ChatStore::openTemporary();
    VERIFY_OK(other);
    QVERIFY((*other)->chats()->empty()); // each store is one of its own
}

void TestTemporaryChats::idsSayWhichStoreHasAChat() {
    auto store = ChatStore::openTemporary();
    VERIFY_OK(store);
    const auto turn = (*store)->addTurn({.chat = 0, .title = QStringLiteral("T"), .prompt = kSecret, .model = {}});
    VERIFY_OK(turn);
    QVERIFY(isTemporary(turn->chat) && isTemporary(turn->prompt.id) && isTemporary(turn->answer.id));
    QCOMPARE(static_cast<qint64>(static_cast<double>(turn->answer.id)), turn->answer.id); // as QML holds it
    // The composer remembers files of both stores by their ids: a file has no other one's number of tokens.
    const auto file =
        (*store)->draftFiles().add(turn->chat, {.name = "a", .mediaType = "t", .text = "b", .bytes = "b"});
    VERIFY_OK(file);
    const auto waiting = (*store)->waiting().add(turn->chat, kSecret, {});
    VERIFY_OK(waiting);
    const auto folder = (*store)->folders().create(QStringLiteral("Work"));
    VERIFY_OK(folder);
    QVERIFY(isTemporary(file->id) && isTemporary(waiting->id) && isTemporary(folder->id));
    QVERIFY(!isTemporary(1) && !isTemporary(0));
}

void TestTemporaryChats::nothingReachesTheDisk() {
    FakeScript script = AppBench::words();
    script.pieces = {"answer-secret ", "and ", "more"};
    QTemporaryDir folder;
    AppBench bench(script, folder.path());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("an ordinary prompt"))); // the search below finds what is there
    QTRY_VERIFY(!bench.chat().busy());
    QVERIFY(!filesWith(folder.path(), QStringLiteral("ordinary prompt")).isEmpty());
    QVERIFY(!filesWith(folder.path(), QStringLiteral("answer-secret")).isEmpty());
    bench.app().chats()->remove(bench.chat().chatId());
    QTRY_VERIFY(bench.app().records()->bytes() > 0);
    const double records = bench.app().records()->bytes();
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().temporary());
    const QJsonObject settings{{QStringLiteral("systemPrompt"), QString(QStringLiteral("Know ") + kSecret)}};
    QVERIFY(bench.chat().setOwnSettings(0, settings).ok());
    for (int i = 0; i < 3; ++i) {
        QVERIFY(bench.chat().send(kSecret + QStringLiteral(" number %1").arg(i)));
        QTRY_COMPARE(bench.chat().messages()->count(), 2 * i + 2);
        QTRY_VERIFY(!bench.chat().busy());
    }
    QCOMPARE(bench.lastText(), QStringLiteral("answer-secret and more"));
    QVERIFY(bench.control().conversations().back().size() == 6); // the engine got the whole chat
    bench.chat().setDraft(QStringLiteral("half a ") + kSecret);
    bench.chat().keepDraft();
    bench.chat().keepPlace(bench.chat().messages()->rows().front().id, 0.5);
    bench.app().settings()->flush();
    QCOMPARE(filesWith(folder.path(), kSecret), QStringList());
    QCOMPARE(bench.app().chats()->count(), 0);
    QCOMPARE(bench.app().records()->bytes(), records);
    bench.stop();
    QCOMPARE(filesWith(folder.path(), kSecret), QStringList());
    const QString numbers = QString::number(kFirstTemporaryId).chopped(3); // all ids of the chat begin so
    QCOMPARE(filesWith(folder.path(), numbers), QStringList());
}

void TestTemporaryChats::nothingReachesTheDiskIfTheProcessIsKilled() {
    QTemporaryDir folder;
    for (int kill = 0; kill < 5; ++kill) {
        QProcess process;
        process.start(QStringLiteral(KILL_HELPER), {QStringLiteral("--temporary"), folder.path(), kSecret});
        QVERIFY(process.waitForStarted(kPatienceMs));
        QByteArray said;
        while (!said.contains("Z") && process.waitForReadyRead(kPatienceMs)) said += process.readAllStandardOutput();
        QVERIFY2(said.contains("Z"), said.constData()); // it has answered, and writes the next answer
        process.kill();
        QVERIFY(process.waitForFinished(kPatienceMs));
        QCOMPARE(filesWith(folder.path(), kSecret), QStringList());
    }
    QVERIFY(!filesWith(folder.path(), QStringLiteral("SQLite format 3")).isEmpty()); // the folder was used
}

void TestTemporaryChats::itIsGoneWhenItIsClosed() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("kept")));
    QTRY_VERIFY(!bench.chat().busy());
    const qint64 kept = bench.chat().chatId();
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().send(kSecret));
    QTRY_VERIFY(!bench.chat().busy());
    bench.chat().openChat(kept);
    QVERIFY(bench.chat().asksToLeave()); // it asks once, and nothing happens until then
    QVERIFY(bench.chat().temporary());
    QCOMPARE(bench.chat().messages()->count(), 2);
    bench.chat().stay();
    QVERIFY(!bench.chat().asksToLeave() && bench.chat().temporary());
    bench.chat().openChat(kept);
    bench.chat().dropTemporary();
    QVERIFY(!bench.chat().asksToLeave() && !bench.chat().temporary());
    QCOMPARE(bench.chat().chatId(), kept); // it goes on to where the user wanted
    bench.chat().newTemporaryChat();
    QCOMPARE(bench.chat().messages()->count(), 0);
    QSignalSpy allowed(&bench.chat(), &Conversation::closeAllowed);
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().send(kSecret));
    QVERIFY(!bench.chat().mayClose()); // also while it is answered
    bench.chat().dropTemporary();
    QCOMPARE(allowed.count(), 1);
    QTRY_VERIFY(!bench.app().answers()->busy());
}

void TestTemporaryChats::itIsKeptOnRequest() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().send(kSecret));
    QTRY_VERIFY(!bench.chat().busy());
    bench.chat().setDraft(QStringLiteral("half"));
    bench.chat().keepTemporary();
    QVERIFY(!bench.chat().temporary() && !isTemporary(bench.chat().chatId()));
    QCOMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.chat().draft(), QStringLiteral("half"));
    QCOMPARE(bench.app().chats()->count(), 1);
    QVERIFY(!filesWith(bench.folder(), kSecret).isEmpty());
}

void TestTemporaryChats::itIsKeptWhileItIsAnswered() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().send(kSecret));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    bench.chat().keepTemporary(); // the answer is stopped first, and its words so far are kept
    QTRY_VERIFY(!bench.chat().temporary());
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QCOMPARE(bench.lastState(), QStringLiteral("stopped"));
    QCOMPARE(bench.app().chats()->count(), 1);
}

/// A prompt of an empty chat is being counted, because the context is small, while the other kind of chat is opened.
void TestTemporaryChats::n1APromptStaysInTheKindOfChatInWhichItWasWritten_data() {
    QTest::addColumn<bool>("temporary");
    QTest::newRow("it was temporary and is erased") << true;
    QTest::newRow("it was not, and is sent") << false;
}

void TestTemporaryChats::n1APromptStaysInTheKindOfChatInWhichItWasWritten() {
    QFETCH(bool, temporary);
    FakeScript script = AppBench::words();
    script.contextSize = 200;
    QTemporaryDir folder;
    AppBench bench(script, folder.path());
    OPEN_MODEL(bench);
    bench.control().allowAll();
    if (temporary) bench.chat().newTemporaryChat();
    bench.chat().setDraft(kSecret);
    QVERIFY(bench.chat().send(kSecret));
    if (temporary) {
        bench.chat().newChat();
        QVERIFY(bench.chat().asksToLeave());
        bench.chat().dropTemporary();
        QVERIFY(bench.chat().send(QStringLiteral("ordinary"))); // it is counted after the other one
    } else {
        bench.chat().newTemporaryChat();
    }
    QTRY_COMPARE(bench.app().chats()->count(), 1);
    QTRY_VERIFY(!bench.app().answers()->busy());
    QCOMPARE(bench.chat().temporary(), !temporary);
    QCOMPARE(bench.chat().messages()->count(), temporary ? 2 : 0);
    QCOMPARE(bench.chat().draft(), QString());
    QCOMPARE(filesWith(folder.path(), kSecret).isEmpty(), temporary);
}

void TestTemporaryChats::n1ItIsKeptWithAPromptThatIsBeingCounted() {
    FakeScript script = AppBench::words();
    script.contextSize = 200;
    AppBench bench(script);
    OPEN_MODEL(bench);
    bench.control().allow(1); // the answer is stopped before it is complete
    bench.chat().newTemporaryChat();
    bench.chat().setDraft(kSecret);
    QVERIFY(bench.chat().send(kSecret));
    bench.chat().keepTemporary();
    QTRY_VERIFY(!bench.chat().temporary());
    QCOMPARE(bench.app().chats()->count(), 1);
    QCOMPARE(bench.chat().messages()->count(), 2);
    QCOMPARE(bench.chat().messages()->rows().front().text(), kSecret);
    QCOMPARE(bench.chat().draft(), QString());
}

void TestTemporaryChats::anEmptyOneAsksNothing() {
    AppBench bench;
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().temporary());
    bench.chat().newChat();
    QVERIFY(!bench.chat().temporary() && !bench.chat().asksToLeave());
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().mayClose());
    bench.chat().setDraft(QStringLiteral("something"));
    bench.chat().newTemporaryChat();
    bench.chat().setDraft(QStringLiteral("something"));
    QVERIFY(!bench.chat().mayClose()); // nothing that was typed is lost without a question
}

/// Alternatives, the inspector and an answer that goes on work as in other chats, and the disk has nothing of it.
void TestTemporaryChats::itsTokensAreKnown() {
    QTemporaryDir folder;
    AppBench bench(nineWords(), folder.path());
    OPEN_MODEL(bench);
    bench.chat().newTemporaryChat();
    QVERIFY(bench.chat().send(kSecret));
    bench.control().allow(1 + 4);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("One two three four "));
    bench.chat().stop();
    bench.control().allowAll();
    QTRY_VERIFY(!bench.chat().busy());
    const qint64 stopped = lastId(bench);
    const qsizetype words = bench.lastText().simplified().count(u' ') + 1;
    bench.app().answers()->forgetWritten(stopped); // only the record knows the tokens now
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_VERIFY((alternatives.show(stopped, 2), alternatives.state() != TokenAlternatives::Unavailable));
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QVERIFY(alternatives.count() >= 9);
    QSignalSpy found(bench.app().records(), &RecordKeeper::found);
    bench.app().records()->find(stopped);
    QTRY_COMPARE(found.count(), 1);
    QCOMPARE(found.front()[1].value<AnswerRecord>().tokens.size(), static_cast<size_t>(words));

    bench.chat().actions()->continueAnswer(stopped);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("One two three four five six seven eight nine"));
    QTRY_VERIFY(!bench.chat().busy());
    QCOMPARE(bench.control().options().back().prefix.size(), static_cast<size_t>(words));
    QVERIFY(bench.chat().send(kSecret));
    QTRY_COMPARE(bench.chat().messages()->count(), 4);
    QTRY_VERIFY(!bench.chat().busy());
    QTRY_VERIFY((alternatives.show(lastId(bench), 2), alternatives.state() != TokenAlternatives::Unavailable));
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    alternatives.choose(5);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("One two eight nine"));
    QCOMPARE(bench.app().records()->bytes(), 0.0); // the file has none
    bench.stop();
    QCOMPARE(filesWith(folder.path(), kSecret), QStringList());
    const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    VERIFY_OK(store);
    QCOMPARE((*store)->records().totalBytes().value(), qint64{0});
}

void TestTemporaryChats::itsTokensAreKeptWithIt() {
    AppBench bench(nineWords());
    OPEN_MODEL(bench);
    QVERIFY(talkInSecret(bench));
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    bench.chat().keepTemporary(); // at once: its record may still be packed
    QVERIFY(!isTemporary(lastId(bench)));
    alternatives.show(lastId(bench), 3);
    QTRY_COMPARE(alternatives.state(), TokenAlternatives::Ready);
    QVERIFY(bench.app().records()->bytes() > 0); // they count from now on
}

void TestTemporaryChats::itsRecordsCanBeDeleted() {
    AppBench bench(nineWords());
    OPEN_MODEL(bench);
    QVERIFY(talkInSecret(bench));
    bench.app().answers()->forgetWritten(lastId(bench));
    TokenAlternatives& alternatives = *bench.chat().alternatives();
    QTRY_VERIFY(alternatives.prepare(lastId(bench)));
    bench.app().records()->removeAll();
    QVERIFY(!alternatives.prepare(lastId(bench)));
}

QTEST_GUILESS_MAIN(TestTemporaryChats)
#include "tst_temporary_chats.moc"
