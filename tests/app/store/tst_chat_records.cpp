// SPDX-License-Identifier: Apache-2.0
// Data of chats and messages besides the words: folders, pins, settings, unsent text, the place that was read,
// attached files, token records and traces.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "store/packed_bytes.h"

#include <QRandomGenerator>
#include <QtEndian>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// Bytes that can't be compressed.
QByteArray noise(qsizetype size, quint32 seed) {
    QRandomGenerator random(seed);
    QByteArray bytes(size, Qt::Uninitialized);
    for (char& byte : bytes) byte = static_cast<char>(random.bounded(256));
    return bytes;
}

PackedRecord record(int version, const QByteArray& bytes) {
    return packedRecord({.version = version, .bytes = bytes}).value();
}

QStringList namesOf(const std::vector<FolderRow>& folders) {
    QStringList names;
    for (const FolderRow& folder : folders) names.append(folder.name);
    return names;
}

} // namespace

class TestChatRecords : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { store_ = std::make_unique<StoreOnDisk>(); }
    void cleanup() { store_.reset(); }
    void foldersKeepTheirOrder();
    void folderNamesDifferInMoreThanCase();
    void chatsMoveBetweenFolders();
    void pinsSettingsAndPlaces();
    void unsentTextIsKept();
    void editedTextIsKeptWithItsMessage();
    void filesComeBackUnchanged();
    void aFileIsStoredOnce();
    void filesOfADraftBelongToItsMessage();
    void filesOfADraftArePutBackAndErased();
    void erasingLeavesFilesToPutBack();
    void aReleasedPromptLeavesItsFilesInTheDraft();
    void fieldsOfPartsAreKept();
    void recordsComeBackUnchanged_data();
    void recordsComeBackUnchanged();
    void recordsAreReplacedAndRemoved();
    void theOldestTracesGoFirst();
    void aTraceAboveTheLimitReplacesNoOther();
    void bothKindsShareALimit();
    void aForkHasTheTokensAndTheModelsView();
    void recordsVanishWithTheirMessages();
    void damagedRecordsAreErrors();
    void theBinListsWhatWasDeleted();
    void unknownRowsAreErrors();

  private:
    std::unique_ptr<StoreOnDisk> store_;
    StoreOnDisk& store() { return *store_; }
};

void TestChatRecords::foldersKeepTheirOrder() {
    for (const char* name : {"Work", "Home", " Ideas  for  later "}) VERIFY_OK(store()->folders().create(name));
    QCOMPARE(namesOf(store()->folders().list().value()), (QStringList{"Work", "Home", "Ideas for later"}));
    const std::vector<FolderRow> list = store()->folders().list().value();
    VERIFY_OK(store()->folders().move(list[2].id, 0));
    VERIFY_OK(store()->folders().move(list[0].id, 99));
    VERIFY_OK(store()->folders().rename(list[1].id, "Garden"));
    store().reopen();
    QCOMPARE(namesOf(store()->folders().list().value()), (QStringList{"Ideas for later", "Garden", "Work"}));
}

void TestChatRecords::folderNamesDifferInMoreThanCase() {
    const auto first = store()->folders().create(QString::fromUtf8("\xc3\x9c"
                                                                   "bung"));
    VERIFY_OK(first);
    const auto second = store()->folders().create("Work");
    for (const char* name : {"\xc3\xbc"
                             "bung",
                             "U\xcc\x88"
                             "BUNG",
                             "", "  "})
        QCOMPARE(store()->folders().create(QString::fromUtf8(name)).error().kind, engine::ErrorKind::BadInput);
    QCOMPARE(store()
                 ->folders()
                 .rename(second->id, QString::fromUtf8("\xc3\x9c"
                                                       "BUNG"))
                 .error()
                 .kind,
             engine::ErrorKind::BadInput);
    VERIFY_OK(store()->folders().rename(second->id, "WORK"));
    QCOMPARE(store()->folders().list()->size(), size_t{2});
}

void TestChatRecords::chatsMoveBetweenFolders() {
    const StoredTurn turn = store().say("Hello", "x");
    const qint64 folder = store()->folders().create("Work")->id;
    VERIFY_OK(store()->setFolder(turn.chat, folder));
    QCOMPARE(store()->chat(turn.chat)->folder, folder);
    QCOMPARE(store()->chats()->at(0).folder, folder);
    VERIFY_OK(store()->setFolder(turn.chat, 0));
    QCOMPARE(store()->chat(turn.chat)->folder, qint64{0});
    VERIFY_OK(store()->setFolder(turn.chat, folder));
    VERIFY_OK(store()->folders().remove(folder));
    QCOMPARE(store()->chat(turn.chat)->folder, qint64{0});
    QCOMPARE(store()->setFolder(turn.chat, folder).error().kind, engine::ErrorKind::NotFound);
}

void TestChatRecords::pinsSettingsAndPlaces() {
    const StoredTurn turn = store().say("Hello", "x");
    const QDateTime updated = store()->chat(turn.chat)->updated;
    VERIFY_OK(store()->setPinned(turn.chat, true));
    const QJsonObject settings{{"temperature", 0.5}, {"system", QString::fromUtf8("\xe2\x82\xac")}};
    VERIFY_OK(store()->setSettings(turn.chat, settings));
    VERIFY_OK(store()->setSeen(turn.chat, turn.prompt.id, 0.75));
    store().reopen();
    QVERIFY(store()->chat(turn.chat)->pinned);
    QVERIFY(store()->chats()->at(0).pinned);
    ChatState state = store()->state(turn.chat).value();
    QCOMPARE(state.settings, settings);
    QCOMPARE(state.seen, turn.prompt.id);
    QCOMPARE(state.seenOffset, 0.75);
    QCOMPARE(state.leaf, turn.answer.id);
    QCOMPARE(store()->chat(turn.chat)->updated, updated); // looking at a chat does not make it newer
    VERIFY_OK(store()->setPinned(turn.chat, false));
    VERIFY_OK(store()->setSettings(turn.chat, {}));
    VERIFY_OK(store()->removeMessage(turn.prompt.id));
    state = store()->state(turn.chat).value();
    QVERIFY(!store()->chat(turn.chat)->pinned && state.settings.isEmpty());
    QCOMPARE(state.seen, qint64{0}); // the message is hidden
}

void TestChatRecords::unsentTextIsKept() {
    const StoredTurn turn = store().say("Hello", "x");
    const QString odd = QString::fromUtf8("half a tho\xf0\x9f\x98\x80");
    VERIFY_OK(store()->setDraft(turn.chat, odd));
    VERIFY_OK(store()->setDraft(0, "not begun"));
    store().reopen();
    QCOMPARE(store()->state(turn.chat)->draft, odd);
    QCOMPARE(store()->state(0)->draft, QStringLiteral("not begun"));
    VERIFY_OK(store()->setDraft(0, {}));
    QVERIFY(store()->state(0)->draft.isEmpty());
    VERIFY_OK(store()->remove(turn.chat));
    QVERIFY(!store()->setDraft(turn.chat, "x"));
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    QCOMPARE(store().number("SELECT count(*) FROM drafts"), qint64{0});
}

void TestChatRecords::editedTextIsKeptWithItsMessage() {
    const StoredTurn turn = store().say("Hello", "x"), other = store().say("Other", "x");
    const qint64 prompt = turn.prompt.id;
    VERIFY_OK(store()->setEdit(prompt, "half a \u4f60"));
    VERIFY_OK(store()->setEdit(turn.answer.id, QString("")));
    VERIFY_OK(store()->setEdit(turn.answer.id, "y"));
    store().reopen();
    const QHash<qint64, QString> both{{prompt, "half a \u4f60"}, {turn.answer.id, "y"}};
    QCOMPARE(store()->edits(turn.chat).value(), both);
    QVERIFY(store()->edits(other.chat)->isEmpty());
    QCOMPARE(store()->message(prompt)->text(), QStringLiteral("Hello"));
    VERIFY_OK(store()->setEdit(turn.answer.id, std::nullopt));
    VERIFY_OK(store()->setEdit(turn.answer.id, std::nullopt));
    VERIFY_OK(store()->removeMessage(prompt));
    QVERIFY(store()->edits(turn.chat)->isEmpty()); // nobody sees the message
    VERIFY_OK(store()->restoreMessage(prompt));
    QCOMPARE(store()->edits(turn.chat)->keys(), QList<qint64>{prompt});
    VERIFY_OK(store()->removeMessage(prompt));
    VERIFY_OK(store()->eraseMessage(prompt));
    QCOMPARE(store().number("SELECT count(*) FROM edits"), qint64{0});
    const engine::Status gone = store()->setEdit(prompt, "x");
    QVERIFY(!gone && gone.error().kind == engine::ErrorKind::NotFound);
}

void TestChatRecords::filesComeBackUnchanged() {
    const QByteArray bytes = noise(300000, 1);
    const auto turn = store()->addTurn(
        {.chat = 0,
         .title = "T",
         .prompt = "Read",
         .model = {},
         .files = {{"a.pdf", "application/pdf", "words of a", bytes}, {"empty", "text/plain", {}, {}}}});
    VERIFY_OK(turn);
    store().reopen();
    const MessageRow prompt = store()->message(turn->prompt.id).value();
    QCOMPARE(prompt.parts.size(), size_t{3});
    QVERIFY(prompt.parts == turn->prompt.parts);
    QCOMPARE(prompt.parts[1].kind, PartKind::Attachment);
    QCOMPARE(prompt.parts[1].name, QStringLiteral("a.pdf"));
    QCOMPARE(prompt.parts[1].mediaType, QStringLiteral("application/pdf"));
    QCOMPARE(prompt.parts[1].size, qint64{300000});
    QCOMPARE(prompt.parts[1].text, QStringLiteral("words of a"));
    QCOMPARE(prompt.text(), QStringLiteral("Read"));
    QCOMPARE(enginePart(prompt.parts[1]).text, std::string("File \"a.pdf\":\n```\nwords of a\n```"));
    QVERIFY(store()->records().attachment({.message = prompt.id, .part = 1}).value() == bytes);
    QVERIFY(store()->records().attachment({.message = prompt.id, .part = 2})->isEmpty());
    QCOMPARE(store()->records().attachment({.message = prompt.id, .part = 0}).error().kind,
             engine::ErrorKind::NotFound);
    const auto refused = store()->addTurn({.chat = 0,
                                           .title = "T",
                                           .prompt = "Huge",
                                           .model = {},
                                           .files = {{"huge", "x/y", {}, QByteArray(64 << 20, 'x')}}});
    QCOMPARE(refused.error().kind, engine::ErrorKind::BadInput);
    VERIFY_THREE_PARTS(refused.error());
    QCOMPARE(store()->chats()->size(), size_t{1});
}

void TestChatRecords::aFileIsStoredOnce() {
    const QByteArray bytes = noise(1000, 2);
    for (int i = 0; i < 3; ++i)
        VERIFY_OK(store()->addTurn(
            {.chat = 0, .title = "T", .prompt = "Read", .model = {}, .files = {{"a", "b/c", "t", bytes}}}));
    QCOMPARE(store().number("SELECT count(*) FROM files"), qint64{1});
    VERIFY_OK(store()->remove(1));
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    QVERIFY(store()->records().attachment({.message = 3, .part = 1}).value() == bytes);
    VERIFY_OK(store()->remove(2));
    VERIFY_OK(store()->remove(3));
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    QCOMPARE(store().number("SELECT count(*) FROM files"), qint64{0});
}

void TestChatRecords::filesOfADraftBelongToItsMessage() {
    const QByteArray bytes = noise(5000, 3);
    const NewFile notes{.name = "notes.md", .mediaType = "text/markdown", .text = "One", .bytes = bytes};
    VERIFY_OK(store()->draftFiles().add(0, notes));
    VERIFY_OK(
        store()->draftFiles().add(0, {.name = "b.txt", .mediaType = "text/plain", .text = "Two", .bytes = "Two"}));
    store().reopen();
    const std::vector<DraftFile> files = store()->draftFiles().list(0).value();
    QCOMPARE(files.size(), size_t{2});
    QCOMPARE(files[0].part.name, QStringLiteral("notes.md"));
    QCOMPARE(files[0].part.size, qint64{5000});
    const auto turn = store()->addTurn(
        {.chat = 0, .title = "Files", .prompt = "Read", .model = "m", .draftFiles = {files[0].id, files[1].id}});
    VERIFY_OK(turn);
    QCOMPARE(turn->prompt.parts.size(), size_t{3});
    QCOMPARE(turn->prompt.parts[1], files[0].part);
    QVERIFY(store()->draftFiles().list(0)->empty());
    QCOMPARE(store()->records().attachment({.message = turn->prompt.id, .part = 1}).value(), bytes);
    QCOMPARE(
        store()
            ->addTurn({.chat = turn->chat, .title = {}, .prompt = "Again", .model = "m", .draftFiles = {files[0].id}})
            .error()
            .kind,
        engine::ErrorKind::NotFound);
}

void TestChatRecords::filesOfADraftArePutBackAndErased() {
    const StoredTurn turn = store().say("Hello", "x");
    const NewFile file{.name = "a.txt", .mediaType = "text/plain", .text = "One", .bytes = "One"};
    const DraftFile first = store()->draftFiles().add(turn.chat, file).value();
    VERIFY_OK(store()->draftFiles().add(turn.chat, file));
    VERIFY_OK(store()->draftFiles().remove(first.id));
    QCOMPARE(store()->draftFiles().list(turn.chat)->size(), size_t{1});
    VERIFY_OK(store()->draftFiles().putBack(first));
    QCOMPARE(store()->draftFiles().list(turn.chat)->front(), first);
    VERIFY_OK(store()->remove(turn.chat));
    QCOMPARE(store()->draftFiles().add(turn.chat, file).error().kind, engine::ErrorKind::NotFound);
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    QVERIFY(store()->draftFiles().list(turn.chat)->empty());
}

/// Erasing chats leaves the files that undo may put back. A file that an erased chat had, too, is gone: then a waiting
/// prompt comes back without it.
void TestChatRecords::erasingLeavesFilesToPutBack() {
    const auto erased = [this](const StoredTurn& turn) {
        return store()->remove(turn.chat) && store()->erase(turn.chat);
    };
    const NewFile file{.name = "a.txt", .mediaType = "text/plain", .text = "One", .bytes = "One"};
    const StoredTurn kept = store().say("Hello", "x");
    const DraftFile own = store()->draftFiles().add(kept.chat, file).value();
    VERIFY_OK(store()->draftFiles().remove(own.id));
    QVERIFY(erased(store().say("Other", "y")));
    VERIFY_OK(store()->draftFiles().putBack(own));
    QCOMPARE(store()->draftFiles().list(kept.chat)->front(), own);

    const StoredTurn other = store().say("With the same file", "z");
    const DraftFile same = store()->draftFiles().add(other.chat, file).value();
    QCOMPARE(same.file, own.file);
    const WaitingPrompt prompt = store()->waiting().add(kept.chat, QStringLiteral("Next"), std::array{own.id}).value();
    VERIFY_OK(store()->waiting().remove(prompt.id));
    QVERIFY(erased(other));
    VERIFY_OK(store()->waiting().putBack(prompt));
    QCOMPARE(store()->draftFiles().putBack(own).error().kind, engine::ErrorKind::NotFound);
    const auto waiting = store()->waiting().list(kept.chat);
    QVERIFY(waiting && waiting->size() == 1 && waiting->front().text == prompt.text && waiting->front().files.empty());
}

/// A waiting prompt that is written again in the composer. Its number and that of its file differ.
void TestChatRecords::aReleasedPromptLeavesItsFilesInTheDraft() {
    const StoredTurn turn = store().say("Hello", "x");
    const auto add = [&](const char* name) {
        return store()->draftFiles().add(turn.chat,
                                         {.name = name, .mediaType = "text/plain", .text = name, .bytes = name});
    };
    const DraftFile drafts = add("a.txt").value(), waits = add("b.txt").value();
    const WaitingPrompt prompt =
        store()->waiting().add(turn.chat, QStringLiteral("Next"), std::array{waits.id}).value();
    QVERIFY(prompt.id != waits.id);
    QCOMPARE(store()->draftFiles().list(turn.chat)->size(), size_t{1});
    VERIFY_OK(store()->waiting().release(prompt.id));
    QVERIFY(store()->waiting().list(turn.chat)->empty());
    QVERIFY(store()->draftFiles().list(turn.chat).value() == (std::vector{drafts, waits}));
}

void TestChatRecords::fieldsOfPartsAreKept() {
    const auto turn = store()->addTurn({.chat = 0, .title = "T", .prompt = "p", .model = {}});
    MessageRow answer = turn->answer;
    answer.parts = {{.kind = PartKind::Thought, .text = "Hm", .seconds = 2.25},
                    {.kind = PartKind::ToolCall, .text = "<call>", .tool = "f", .arguments = "{}", .code = "f()"},
                    {.kind = PartKind::ToolResult, .text = "r", .tool = "f"}};
    VERIFY_OK(store()->finishAnswer(answer));
    store().reopen();
    QVERIFY(store()->message(answer.id)->parts == answer.parts);
}

void TestChatRecords::recordsComeBackUnchanged_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a byte") << QByteArray(1, '\0');
    QTest::newRow("a piece") << QByteArray(256 << 10, 'a');
    QTest::newRow("a piece and a byte") << QByteArray((256 << 10) + 1, 'a');
    QTest::newRow("noise") << noise(700000, 3);
}

void TestChatRecords::recordsComeBackUnchanged() {
    QFETCH(QByteArray, bytes);
    const StoredTurn turn = store().say("Hello", "x");
    const PackedRecord packed = packedRecord({.version = 7, .bytes = bytes}).value();
    for (const RecordKind kind : {RecordKind::Tokens, RecordKind::Trace})
        QVERIFY(!store()->records().get(kind, turn.answer.id)->has_value());
    VERIFY_OK(store()->records().put(turn.answer.id, {.tokens = packed, .trace = packed}, 2 << 20));
    for (const RecordKind kind : {RecordKind::Tokens, RecordKind::Trace})
        QVERIFY((store()->records().get(kind, turn.answer.id)->value() == Record{.version = 7, .bytes = bytes}));
    if (bytes == QByteArray(256 << 10, 'a')) QVERIFY(store()->records().totalBytes().value() < 4000);
}

void TestChatRecords::recordsAreReplacedAndRemoved() {
    const StoredTurn turn = store().say("Hello", "x");
    MessageRecords& records = store()->records();
    VERIFY_OK(records.put(turn.answer.id, {.tokens = record(1, "first"), .trace = record(1, "trace")}, 1000));
    VERIFY_OK(records.put(turn.answer.id, {.tokens = record(2, "second")}, 1000));
    QVERIFY((records.get(RecordKind::Tokens, turn.answer.id)->value() == Record{2, "second"}));
    QVERIFY(!records.get(RecordKind::Trace, turn.answer.id)->has_value());
    VERIFY_OK(records.put(turn.answer.id, {.trace = record(1, "trace")}, 1000));
    QVERIFY(!records.get(RecordKind::Tokens, turn.answer.id)->has_value());
    QVERIFY(records.get(RecordKind::Trace, turn.answer.id)->has_value());
    VERIFY_OK(records.removeAll());
    QCOMPARE(records.totalBytes().value(), qint64{0});
    QCOMPARE(records.put(99, {.trace = record(1, "x")}, 10).error().kind, engine::ErrorKind::NotFound);
}

void TestChatRecords::theOldestTracesGoFirst() {
    MessageRecords& records = store()->records();
    std::vector<qint64> messages;
    qint64 total = 0, one = 0;
    for (quint32 i = 0; i < 10; ++i) {
        messages.push_back(store().say("Hello", "x").answer.id);
        total = records.put(messages.back(), {.trace = record(1, noise(10000, i))}, 1 << 30).value();
        if (i == 0) one = total;
    }
    QCOMPARE(records.totalBytes().value(), total);
    QVERIFY(total >= 100000);
    const auto kept = [&] {
        QString places;
        for (const qint64 message : messages)
            places += records.get(RecordKind::Trace, message)->has_value() ? u'1' : u'0';
        return places;
    };
    const qint64 limit = total - one - one / 2;
    const qint64 left = records.trim(limit).value();
    QVERIFY(left <= limit);
    QCOMPARE(kept(), QStringLiteral("0011111111"));
    messages.push_back(store().say("Hello", "x").answer.id);
    QVERIFY(records.put(messages.back(), {.trace = record(1, noise(20000, 99))}, limit).value() <= limit);
    QCOMPARE(kept(), QStringLiteral("00001111111"));
    QCOMPARE(records.trim(0).value(), qint64{0});
    QCOMPARE(kept(), QStringLiteral("00000000000"));
}

void TestChatRecords::aTraceAboveTheLimitReplacesNoOther() {
    MessageRecords& records = store()->records();
    const StoredTurn one = store().say("Hello", "x"), two = store().say("Hello", "x");
    VERIFY_OK(records.put(one.answer.id, {.trace = record(1, noise(1000, 1))}, 5000));
    VERIFY_OK(records.put(two.answer.id, {.trace = record(1, noise(1000, 2))}, 5000));
    VERIFY_OK(records.put(two.answer.id, {.trace = record(1, noise(9000, 3))}, 5000));
    QVERIFY(records.get(RecordKind::Trace, one.answer.id)->has_value());
    QVERIFY(!records.get(RecordKind::Trace, two.answer.id)->has_value());
}

void TestChatRecords::bothKindsShareALimit() {
    MessageRecords& records = store()->records();
    const auto bytes = [](qsizetype size, quint32 seed) { return record(1, noise(size, seed)); };
    std::vector<qint64> messages;
    qint64 total = 0, one = 0;
    for (quint32 i = 0; i < 6; ++i) {
        messages.push_back(store().say("Hello", "x").answer.id);
        total =
            records.put(messages.back(), {.tokens = bytes(2000, i), .trace = bytes(10000, i + 100)}, 1 << 30).value();
        if (i == 0) one = total;
    }
    QVERIFY(one > 12000 && one < 13000);
    QCOMPARE(records.totalBytes().value(), total);
    const auto kept = [&] {
        QString places;
        for (const qint64 message : messages) {
            const bool tokens = records.get(RecordKind::Tokens, message)->has_value();
            const bool trace = records.get(RecordKind::Trace, message)->has_value();
            places += tokens != trace ? u'?' : trace ? u'1' : u'0';
        }
        return places;
    };
    QVERIFY(records.trim(4 * one + one / 2).value() <= 4 * one + one / 2);
    QCOMPARE(kept(), QStringLiteral("001111"));
    messages.push_back(store().say("Hello", "x").answer.id);
    total = records.put(messages.back(), {.tokens = bytes(9000, 7), .trace = bytes(12000, 8)}, 4 * one).value();
    QVERIFY(total <= 4 * one);
    QCOMPARE(kept(), QStringLiteral("0000111"));
    // Records that are larger than the limit alone are not kept, and replace no others.
    messages.push_back(store().say("Hello", "x").answer.id);
    QCOMPARE(records.put(messages.back(), {.tokens = bytes(30000, 9), .trace = bytes(30000, 9)}, 4 * one).value(),
             total);
    QCOMPARE(kept(), QStringLiteral("00001110"));
    // New records of a message replace all that it had.
    VERIFY_OK(records.put(messages[5], {.trace = bytes(500, 1)}, 4 * one));
    QVERIFY(!records.get(RecordKind::Tokens, messages[5])->has_value());
    QVERIFY((records.get(RecordKind::Trace, messages[5])->value() == Record{.version = 1, .bytes = noise(500, 1)}));
    QCOMPARE(records.put(99, {}, 10).error().kind, engine::ErrorKind::NotFound);
    VERIFY_OK(records.removeAll());
    QCOMPARE(records.totalBytes().value(), qint64{0});
    QCOMPARE(packedRecord({.version = 1, .bytes = QByteArray(kLargestRecord + 1, 'a')}).error().kind,
             engine::ErrorKind::BadInput);
}

void TestChatRecords::aForkHasTheTokensAndTheModelsView() {
    const StoredTurn first = store().say("One", "1");
    const StoredTurn second = store().say("Two", "2", first.chat);
    VERIFY_OK(store()->records().put(second.answer.id, {.tokens = record(2, "tokens"), .trace = record(1, "trace")},
                                     1 << 20));
    VERIFY_OK(store()->setLeftOut(first.chat, first.answer.id));
    const auto fork = store()->fork(second.answer.id, "Fork");
    VERIFY_OK(fork);
    const std::vector<MessageRow> rows = store()->messages(*fork).value();
    QCOMPARE(rows.size(), size_t{4});
    QCOMPARE(store()->state(*fork)->leftOut, rows[1].id);
    const auto tokens = store()->records().get(RecordKind::Tokens, rows[3].id);
    QVERIFY(tokens && *tokens);
    QCOMPARE((*tokens)->bytes, QByteArray("tokens"));
    QVERIFY(!*store()->records().get(RecordKind::Trace, rows[3].id)); // it is large
    const auto shorter = store()->fork(first.prompt.id, "Before that place");
    VERIFY_OK(shorter);
    QCOMPARE(store()->state(*shorter)->leftOut, qint64{0});
}

void TestChatRecords::recordsVanishWithTheirMessages() {
    const StoredTurn one = store().say("one", "x"), two = store().say("two", "x"), three = store().say("three", "x");
    for (const StoredTurn& turn : {one, two, three})
        VERIFY_OK(
            store()->records().put(turn.answer.id, {.tokens = record(1, "bytes"), .trace = record(1, "bytes")}, 1000));
    VERIFY_OK(store()->remove(one.chat));
    VERIFY_OK(store()->removeMessage(two.answer.id));
    QCOMPARE(store().number("SELECT count(*) FROM traces"), qint64{3}); // they can be restored
    VERIFY_OK(store()->erase(one.chat));
    QCOMPARE(store().number("SELECT count(*) FROM traces"), qint64{2});
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    for (const RecordKind kind : {RecordKind::Tokens, RecordKind::Trace}) {
        QVERIFY(!store()->records().get(kind, one.answer.id)->has_value());
        QVERIFY(!store()->records().get(kind, two.answer.id)->has_value());
        QVERIFY(store()->records().get(kind, three.answer.id)->has_value());
    }
}

void TestChatRecords::damagedRecordsAreErrors() {
    const QByteArray whole = packed(QByteArray("some bytes").repeated(50000));
    QCOMPARE(unpacked(whole).value().size(), qsizetype{500000});
    for (qsizetype cut = 1; cut < whole.size(); cut += 7) {
        const auto back = unpacked(whole.left(cut));
        QVERIFY(!back || back->size() == (256 << 10)); // a cut between two pieces is not seen
    }
    QByteArray lying = packed(QByteArray(100, 'a'));
    qToBigEndian<quint32>(0xfffffff0, lying.data() + 4); // the size that Qt would reserve
    QVERIFY(!unpacked(lying));
    const QByteArray bomb = qCompress(QByteArray(64 << 20, '\0'));
    QByteArray piece(4, '\0');
    qToBigEndian<quint32>(static_cast<quint32>(bomb.size()), piece.data());
    QVERIFY(!unpacked(piece + bomb));
    const StoredTurn turn = store().say("Hello", "x");
    VERIFY_OK(store()->records().put(turn.answer.id, {.trace = record(1, "bytes")}, 1000));
    SQLite::Database(store().file(), SQLite::OPEN_READWRITE).exec("UPDATE traces SET data = x'00000005ffffffffff'");
    const auto damaged = store()->records().get(RecordKind::Trace, turn.answer.id);
    QCOMPARE(damaged.error().kind, engine::ErrorKind::Damaged);
    VERIFY_THREE_PARTS(damaged.error());
}

void TestChatRecords::theBinListsWhatWasDeleted() {
    const StoredTurn one = store().say("one", "x"), two = store().say("two", "x"), three = store().say("three", "x");
    VERIFY_OK(store()->remove(two.chat));
    QTRY_VERIFY(QDateTime::currentDateTime() > store()->removedChats()->at(0).removed);
    VERIFY_OK(store()->remove(one.chat));
    VERIFY_OK(store()->removeMessage(three.answer.id));
    const auto bin = store()->removedChats();
    QCOMPARE(bin->size(), size_t{2});
    QCOMPARE(bin->at(0).id, one.chat);
    QVERIFY(bin->at(0).removed.isValid());
    QCOMPARE(store()->removedMessages()->size(), size_t{1});
    VERIFY_OK(store()->remove(three.chat));
    QVERIFY(store()->removedMessages()->empty());
    VERIFY_OK(store()->restore(three.chat));
    QCOMPARE(store()->removedMessages()->at(0).id, three.answer.id);
}

void TestChatRecords::unknownRowsAreErrors() {
    const auto notFound = [](const auto& result) {
        return !result && result.error().kind == engine::ErrorKind::NotFound;
    };
    QVERIFY(notFound(store()->setPinned(77, true)));
    QVERIFY(notFound(store()->setFolder(77, 0)));
    QVERIFY(notFound(store()->setSettings(77, {})));
    QVERIFY(notFound(store()->setSeen(77, 0, 0)));
    QVERIFY(notFound(store()->setDraft(77, "x")));
    QVERIFY(notFound(store()->state(77)));
    QVERIFY(notFound(store()->folders().rename(77, "x")));
    QVERIFY(notFound(store()->folders().move(77, 0)));
    QVERIFY(notFound(store()->folders().remove(77)));
    QVERIFY(notFound(store()->addTurn(
        {.chat = 0, .title = "T", .prompt = "x", .model = {}, .sameFiles = {{.message = 77, .part = 1}}})));
    QVERIFY(store()->chats()->empty());
}

QTEST_GUILESS_MAIN(TestChatRecords)
#include "tst_chat_records.moc"
