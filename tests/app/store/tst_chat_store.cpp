// SPDX-License-Identifier: Apache-2.0
// The store on a real SQLite file: it returns what was saved, deleted chats can be restored, and searches find them.
#include "app/verify_ok.h"
#include "store/answer_ends.h"
#include "store/chat_store.h"
#include "store/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QtTest>

#include <array>

#include <sqlite3.h>

using namespace coterie;
using namespace coterie::app;

namespace {

/// The bytes of each file of a folder.
QMap<QString, QByteArray> filesOf(const QTemporaryDir& folder) {
    QMap<QString, QByteArray> files;
    for (const QString& name : QDir(folder.path()).entryList(QDir::Files | QDir::Hidden)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly)) files.insert(name, file.readAll());
    }
    return files;
}

} // namespace

class TestChatStore : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup();
    void keepsATurn();
    void keepsAnAnswerWithAllThatBelongsToIt();
    void anAnswerCutOffByADeathIsStopped();
    void messagesAreATree();
    void oddTextsComeBackUnchanged();
    void deletingIsSoft();
    void thePurgeTakesOldOnesAlone();
    void oneChatCanBeErased();
    void aLongChatCanBePurged();
    void newestFirst();
    void searchFindsTitlesAndMessages();
    void searchFollowsEveryChange();
    void searchTakesAnyText_data();
    void searchTakesAnyText();
    void unknownChatsAreErrors();
    void openingAgainKeepsEverything();
    void migratesWithABackup();
    void taggedAnswersBecomeParts_data();
    void taggedAnswersBecomeParts();
    void onlyTextIsSearched();
    void aGrowingAnswerIsKeptPartByPart();
    void anAnswerThatIsReadAnewHasNoOldParts();
    void aFailedMigrationChangesNothing();
    void aNewerFileIsOnlyRead_data();
    void aNewerFileIsOnlyRead();
    void aNewerFileThatLacksSomethingIsRefusedUntouched();
    void aForeignFileIsRefusedUntouched();
    void aFolderOnAServerIsRead();
    void tenThousandMessagesOpen();

  private:
    ChatStore& store() { return *store_; }
    void reopen();
    void makeLongChat(int count);
    void makeVersion1(const std::string& answer);
    StoredTurn addTurn(const QString& prompt, qint64 chat = 0, const QString& title = QStringLiteral("A title"));
    MessageRow finish(MessageRow answer, const QString& text);
    QList<qint64> find(const QString& words);
    QString file(const char* name = "chats.db") const { return folder_->filePath(QString::fromLatin1(name)); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<ChatStore> store_;
};

void TestChatStore::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    reopen();
    QVERIFY(store_);
}

void TestChatStore::cleanup() {
    store_.reset();
    folder_.reset();
}

void TestChatStore::reopen() {
    store_.reset();
    auto opened = ChatStore::open({.folder = folder_->path(), .migrations = {}});
    VERIFY_OK(opened);
    store_ = std::move(opened).value();
}

StoredTurn TestChatStore::addTurn(const QString& prompt, qint64 chat, const QString& title) {
    auto turn = store().addTurn({.chat = chat, .title = title, .prompt = prompt, .model = QStringLiteral("Guide")});
    return turn ? turn.value() : StoredTurn{};
}

MessageRow TestChatStore::finish(MessageRow answer, const QString& text) {
    answer.parts = textParts(text);
    answer.state = MessageState::Complete;
    const auto done = store().finishAnswer(answer);
    return done ? answer : MessageRow{};
}

QList<qint64> TestChatStore::find(const QString& words) {
    QList<qint64> ids;
    if (words.isEmpty()) {
        const auto rows = store().chats();
        for (const ChatRow& row : rows.value()) ids.append(row.id);
        return ids;
    }
    const auto found = store().search({.words = words});
    if (!found) return {-1};
    for (const SearchHit& hit : found->hits)
        if (!ids.contains(hit.chat)) ids.append(hit.chat);
    return ids;
}

/// Makes chat 1 with messages 1 to `count`, each the parent of the next, without using the store.
void TestChatStore::makeLongChat(int count) {
    store_.reset();
    {
        SQLite::Database db(file().toStdString(), SQLite::OPEN_READWRITE);
        SQLite::Statement insert(
            db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                "INSERT INTO messages(id, chat, parent, role, state, created_at) SELECT i, 1, nullif(i - 1, 0), "
                "iif(i % 2, 'user', 'assistant'), 'complete', i FROM n");
        insert.bind(1, count);
        db.exec("INSERT INTO chats(id, title, created_at, updated_at) VALUES (1, 'Long', 1, 1)");
        insert.exec();
        db.exec("INSERT INTO parts(message, place, kind, text) "
                "SELECT id, 0, 'text', 'Message number ' || id || hex(zeroblob(200)) FROM messages");
        db.exec("UPDATE chats SET leaf = " + std::to_string(count));
        db.exec("INSERT INTO chat_search(chat_search) VALUES ('rebuild')");
        db.exec("INSERT INTO message_search(message_search) VALUES ('rebuild')");
    }
    reopen();
}

/// Makes a file as version 1 of the program left it: one chat with a prompt and this answer.
void TestChatStore::makeVersion1(const std::string& answer) {
    store_.reset();
    QVERIFY(QFile::remove(file()));
    SQLite::Database db(file().toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(db, schemaMigrations().first(1));
    db.exec("INSERT INTO chats(id, title, created_at, updated_at) VALUES (1, 'Old', 1, 1)");
    SQLite::Statement insert(db, "INSERT INTO messages(id, chat, parent, role, state, text, created_at) VALUES "
                                 "(1, 1, NULL, 'user', 'complete', 'Hello from version one', 1), "
                                 "(2, 1, 1, 'assistant', 'complete', ?, 2)");
    insert.bind(1, answer);
    insert.exec();
    db.exec("UPDATE chats SET leaf = 2");
    db.exec("INSERT INTO chat_search(chat_search) VALUES ('rebuild')");
    db.exec("INSERT INTO message_search(message_search) VALUES ('rebuild')");
}

void TestChatStore::keepsATurn() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello there"));
    QVERIFY(turn.chat > 0);
    reopen();
    const auto rows = store().messages(turn.chat);
    VERIFY_OK(rows);
    QCOMPARE(rows.value().size(), size_t{2});
    QCOMPARE(rows.value()[0].text(), QStringLiteral("Hello there"));
    QCOMPARE(rows.value()[0].role, engine::Role::User);
    QCOMPARE(rows.value()[0].parent, qint64{0});
    QCOMPARE(rows.value()[1].parent, rows.value()[0].id);
    QCOMPARE(store().chats().value().at(0).title, QStringLiteral("A title"));
}

void TestChatStore::keepsAnAnswerWithAllThatBelongsToIt() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    MessageRow answer = turn.answer;
    answer.parts = textParts(QStringLiteral("Half an ans"));
    answer.state = MessageState::Failed;
    answer.statistics = {.tokensPerSecond = 12.5,
                         .firstTokenSeconds = 0.25,
                         .tokens = 3,
                         .expertsFromDisk = 0.125,
                         .dense = true,
                         .diskBytes = 1e12,
                         .waitSeconds = 0.5,
                         .lessExact = true,
                         .choicesChanged = 0.25};
    answer.notes = {QStringLiteral("A remark"), QStringLiteral("\"Another\"")};
    answer.error =
        ErrorInfo(QStringLiteral("It broke"), QStringLiteral("The disk went away"), QStringLiteral("Plug it in"));
    VERIFY_OK(store().finishAnswer(answer));
    reopen();
    const MessageRow kept = store().messages(turn.chat).value().at(1);
    QCOMPARE(kept.text(), answer.text());
    QCOMPARE(kept.state, MessageState::Failed);
    QCOMPARE(kept.model, QStringLiteral("Guide"));
    QVERIFY(kept.statistics == answer.statistics);
    QCOMPARE(kept.notes, answer.notes);
    QVERIFY(kept.error == answer.error);
}

void TestChatStore::anAnswerCutOffByADeathIsStopped() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    VERIFY_OK(store().saveProgress(turn.answer.id, textParts(QStringLiteral("Once upon")), 0));
    QCOMPARE(store().messages(turn.chat).value().at(1).state, MessageState::Streaming);
    QVERIFY(find(QStringLiteral("upon")).isEmpty());
    reopen();
    const MessageRow kept = store().messages(turn.chat).value().at(1);
    QCOMPARE(kept.text(), QStringLiteral("Once upon"));
    QCOMPARE(kept.state, MessageState::Stopped);
    QVERIFY(kept.error == endedByClosing());
    QCOMPARE(find(QStringLiteral("upon")), QList<qint64>{turn.chat});
}

void TestChatStore::messagesAreATree() {
    const StoredTurn first = addTurn(QStringLiteral("One"));
    finish(first.answer, QStringLiteral("Two"));
    const StoredTurn second = addTurn(QStringLiteral("Three"), first.chat);
    finish(second.answer, QStringLiteral("Four"));
    QCOMPARE(second.prompt.parent, first.answer.id);
    store_.reset();
    {
        // Adds another branch below the first answer, as a later version will do.
        SQLite::Database db(file().toStdString(), SQLite::OPEN_READWRITE);
        db.exec("INSERT INTO messages(id, chat, parent, role, state, created_at) "
                "VALUES (9, 1, 2, 'user', 'complete', 1)");
        db.exec("INSERT INTO parts(message, place, kind, text) VALUES (9, 0, 'text', 'Other')");
        db.exec("UPDATE chats SET leaf = 9");
    }
    reopen();
    QStringList texts;
    const auto rows = store().messages(first.chat);
    for (const MessageRow& row : rows.value()) texts.append(row.text());
    QCOMPARE(texts, (QStringList{QStringLiteral("One"), QStringLiteral("Two"), QStringLiteral("Other")}));
}

void TestChatStore::oddTextsComeBackUnchanged() {
    QString odd = QString::fromUtf8("\xf0\x9f\x98\x80 '; DROP TABLE chats; -- \n\t\"%1\" \xd7\x90\xcc\x81");
    odd.append(QChar(u'\0')).append(QStringLiteral("after"));
    const StoredTurn turn = addTurn(odd, 0, odd);
    finish(turn.answer, odd);
    reopen();
    QCOMPARE(store().messages(turn.chat).value().at(0).text(), odd);
    QCOMPARE(store().messages(turn.chat).value().at(1).text(), odd);
    QCOMPARE(store().chat(turn.chat).value().title, odd);
}

void TestChatStore::deletingIsSoft() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    finish(turn.answer, QStringLiteral("World"));
    VERIFY_OK(store().remove(turn.chat));
    QVERIFY(store().chats().value().empty());
    QVERIFY(find(QStringLiteral("hello")).isEmpty());
    QVERIFY(!store().chat(turn.chat));
    QVERIFY(!store().addTurn({.chat = turn.chat, .title = {}, .prompt = QStringLiteral("More"), .model = {}}));
    reopen();
    VERIFY_OK(store().restore(turn.chat));
    QCOMPARE(find(QStringLiteral("world")), QList<qint64>{turn.chat});
    QCOMPARE(store().messages(turn.chat).value().size(), size_t{2});
}

void TestChatStore::thePurgeTakesOldOnesAlone() {
    const StoredTurn deleted = addTurn(QStringLiteral("Old secret"));
    const StoredTurn kept = addTurn(QStringLiteral("Stays"));
    VERIFY_OK(store().remove(deleted.chat));
    QCOMPARE(store().purge(QDateTime::currentDateTime().addDays(-30)).value(), qint64{0});
    VERIFY_OK(store().restore(deleted.chat));
    VERIFY_OK(store().remove(deleted.chat));
    QCOMPARE(store().purge(QDateTime::currentDateTime().addDays(1)).value(), qint64{1});
    QVERIFY(!store().restore(deleted.chat));
    QCOMPARE(find({}), QList<qint64>{kept.chat});
    SQLite::Database db(file().toStdString(), SQLite::OPEN_READONLY);
    QCOMPARE(db.execAndGet("SELECT count(*) FROM messages").getInt(), 2);
    QCOMPARE(db.execAndGet("SELECT count(*) FROM message_search WHERE message_search MATCH 'secret'").getInt(), 0);
}

void TestChatStore::oneChatCanBeErased() {
    const StoredTurn deleted = addTurn(QStringLiteral("Old secret"));
    const StoredTurn other = addTurn(QStringLiteral("Other"));
    const StoredTurn kept = addTurn(QStringLiteral("Stays"));
    QVERIFY(!store().erase(kept.chat)); // it is not in the bin
    VERIFY_OK(store().remove(deleted.chat));
    VERIFY_OK(store().remove(other.chat));
    VERIFY_OK(store().erase(deleted.chat));
    QVERIFY(!store().erase(deleted.chat));
    QVERIFY(!store().restore(deleted.chat));
    VERIFY_OK(store().restore(other.chat));
    QCOMPARE(find({}), (QList<qint64>{kept.chat, other.chat}));
    SQLite::Database db(file().toStdString(), SQLite::OPEN_READONLY);
    QCOMPARE(db.execAndGet("SELECT count(*) FROM messages").getInt(), 4);
    QCOMPARE(db.execAndGet("SELECT count(*) FROM message_search WHERE message_search MATCH 'secret'").getInt(), 0);
}

/// A chain of parents must not nest cascades: SQLite stops at a depth of one thousand.
void TestChatStore::aLongChatCanBePurged() {
    makeLongChat(3000);
    VERIFY_OK(store().remove(1));
    const auto purged = store().purge(QDateTime::currentDateTime().addDays(1));
    VERIFY_OK(purged);
    QCOMPARE(purged.value(), qint64{1});
    QVERIFY(store().messages(1).value().empty());
}

void TestChatStore::newestFirst() {
    const StoredTurn first = addTurn(QStringLiteral("One"));
    const StoredTurn second = addTurn(QStringLiteral("Two"));
    QCOMPARE(find({}), (QList<qint64>{second.chat, first.chat}));
    // The chat has the time of its newest message, which may be a millisecond after the prompt's.
    QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > second.answer.created.toMSecsSinceEpoch());
    finish(first.answer, QStringLiteral("Late"));
    QCOMPARE(find({}), (QList<qint64>{first.chat, second.chat}));
}

void TestChatStore::searchFindsTitlesAndMessages() {
    const StoredTurn bread = addTurn(QStringLiteral("How long does dough rise?"), 0, QStringLiteral("Baking bread"));
    finish(bread.answer, QString::fromUtf8("About two hours in a warm kitchen, says the caf\xc3\xa9."));
    const StoredTurn ships = addTurn(QStringLiteral("Name three ships"), 0, QStringLiteral("Ships"));
    QCOMPARE(find(QStringLiteral("bread")), QList<qint64>{bread.chat});
    QCOMPARE(find(QStringLiteral("DOUGH")), QList<qint64>{bread.chat});
    QCOMPARE(find(QStringLiteral("kitchen warm")), QList<qint64>{bread.chat});
    QCOMPARE(find(QStringLiteral("cafe")), QList<qint64>{bread.chat});
    QCOMPARE(find(QStringLiteral("thr")), QList<qint64>{ships.chat});
    QVERIFY(find(QStringLiteral("thr ships")).isEmpty());
    const QString snippet = store().search({.words = QStringLiteral("warm")})->hits.at(0).snippet;
    QVERIFY2(snippet.contains(QStringLiteral("warm kitchen")), qPrintable(snippet));
}

void TestChatStore::searchFollowsEveryChange() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"), 0, QStringLiteral("Apples"));
    VERIFY_OK(store().rename(turn.chat, QStringLiteral("Pears")));
    QVERIFY(find(QStringLiteral("apples")).isEmpty());
    QCOMPARE(find(QStringLiteral("pears")), QList<qint64>{turn.chat});
    MessageRow answer = finish(turn.answer, QStringLiteral("first wording"));
    QCOMPARE(find(QStringLiteral("first")), QList<qint64>{turn.chat});
    finish(answer, QStringLiteral("second wording"));
    QVERIFY(find(QStringLiteral("first")).isEmpty());
    QCOMPARE(find(QStringLiteral("second")), QList<qint64>{turn.chat});
    store_.reset();
    SQLite::Database db(file().toStdString(), SQLite::OPEN_READWRITE);
    db.exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
    db.exec("INSERT INTO chat_search(chat_search) VALUES ('integrity-check')");
}

void TestChatStore::searchTakesAnyText_data() {
    QTest::addColumn<QString>("words");
    for (const char* words : {"\"", "\"\"", "a\"b", "*", "a*", "AND", "OR NOT", "(", "col:x", "^x", "{", "NEAR(a b)",
                              "-", "'", ";", "\\", " ", "?1"}) {
        QTest::newRow(words) << QString::fromUtf8(words);
    }
}

void TestChatStore::searchTakesAnyText() {
    QFETCH(QString, words);
    addTurn(QStringLiteral("Hello"));
    VERIFY_OK(store().search({.words = words}));
}

void TestChatStore::unknownChatsAreErrors() {
    QCOMPARE(store().rename(77, QStringLiteral("x")).error().kind, engine::ErrorKind::NotFound);
    QCOMPARE(store().remove(77).error().kind, engine::ErrorKind::NotFound);
    QCOMPARE(store().restore(77).error().kind, engine::ErrorKind::NotFound);
    QCOMPARE(store().chat(77).error().kind, engine::ErrorKind::NotFound);
    QVERIFY(store().messages(77).value().empty());
}

void TestChatStore::openingAgainKeepsEverything() {
    for (int i = 0; i < 3; ++i) finish(addTurn(QStringLiteral("Prompt %1").arg(i)).answer, QStringLiteral("x"));
    for (int i = 0; i < 3; ++i) {
        reopen();
        QVERIFY(!store().notice());
        QCOMPARE(store().chats().value().size(), size_t{3});
    }
    QCOMPARE(QDir(folder_->path()).entryList({QStringLiteral("chats-*")}).size(), 0);
}

void TestChatStore::migratesWithABackup() {
    makeVersion1("Hello");
    {
        auto opened = ChatStore::open({.folder = folder_->path(), .migrations = {}});
        VERIFY_OK(opened);
        QCOMPARE(opened.value()->messages(1).value().at(0).text(), QStringLiteral("Hello from version one"));
    }
    SQLite::Database now(file().toStdString(), SQLite::OPEN_READONLY);
    const int latest = schemaMigrations().back().to;
    QCOMPARE(schemaVersion(now), latest);
    QCOMPARE(now.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    const QStringList backups = QDir(folder_->path()).entryList({QStringLiteral("chats-before-v%1-*").arg(latest)});
    QCOMPARE(backups.size(), 1);
    SQLite::Database before(file(backups[0].toLatin1().constData()).toStdString(), SQLite::OPEN_READONLY);
    QCOMPARE(schemaVersion(before), 1);
    QCOMPARE(before.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    QCOMPARE(before.execAndGet("SELECT text FROM messages WHERE role = 'user'").getString(),
             std::string("Hello from version one"));
}

void TestChatStore::taggedAnswersBecomeParts_data() {
    QTest::addColumn<QString>("tagged");
    QTest::addColumn<std::vector<MessagePart>>("parts");
    const auto row = [](const char* name, const char* tagged, const std::vector<MessagePart>& parts) {
        QTest::newRow(name) << QString::fromUtf8(tagged) << parts;
    };
    row("text", "Hello", {{.kind = PartKind::Text, .text = "Hello"}});
    row("nothing", "", {});
    row("thought", "<think>\nHm.\n</think>\n\nYes",
        {{.kind = PartKind::Thought, .text = "Hm."}, {.kind = PartKind::Text, .text = "Yes"}});
    row("call", "I look.\n\n<tool_call>\n{\"name\":\"get_time\",\"arguments\":{\"zone\":\"UTC\"}}\n</tool_call>\n",
        {{.kind = PartKind::Text, .text = "I look."},
         {.kind = PartKind::ToolCall, .tool = "get_time", .arguments = "{\"zone\":\"UTC\"}"}});
    row("code", "<tool_call>\n{\"name\":\"python\",\"arguments\":{\"code\":\"print(1)\"}}\n</tool_call>\n",
        {{.kind = PartKind::ToolCall, .code = "print(1)"}});
    row("tag in mid-line", "I <think> so", {{.kind = PartKind::Text, .text = "I <think> so"}});
}

void TestChatStore::taggedAnswersBecomeParts() {
    QFETCH(QString, tagged);
    QFETCH(std::vector<MessagePart>, parts);
    makeVersion1(tagged.toStdString());
    reopen();
    std::vector<MessagePart> kept = store().messages(1).value().at(1).parts;
    for (MessagePart& part : kept) part.text = part.text.trimmed(); // version 1 kept empty lines around tags
    QVERIFY(kept == parts);
    QCOMPARE(find(QStringLiteral("version")), QList<qint64>{1});
}

void TestChatStore::onlyTextIsSearched() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    MessageRow answer = turn.answer;
    answer.state = MessageState::Complete;
    answer.parts = {{.kind = PartKind::Thought, .text = "secret musings"},
                    {.kind = PartKind::Text, .text = "spoken words"},
                    {.kind = PartKind::ToolCall, .tool = "clock", .arguments = "{\"zone\":\"lisbon\"}"},
                    {.kind = PartKind::ToolResult, .text = "midnight", .tool = "clock"},
                    {.kind = PartKind::Text, .text = "more words"}};
    VERIFY_OK(store().finishAnswer(answer));
    reopen();
    QVERIFY(store().messages(turn.chat).value().at(1).parts == answer.parts);
    QCOMPARE(find(QStringLiteral("spoken more")), QList<qint64>{turn.chat});
    for (const char* word : {"secret", "clock", "lisbon", "midnight"})
        QVERIFY2(find(QString::fromLatin1(word)).isEmpty(), word);
}

void TestChatStore::aGrowingAnswerIsKeptPartByPart() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    std::vector<MessagePart> parts{{.kind = PartKind::Thought, .text = "Hm"}};
    VERIFY_OK(store().saveProgress(turn.answer.id, parts, 0));
    parts[0].text += QStringLiteral("m");
    parts.push_back({.kind = PartKind::Text, .text = "Once"});
    VERIFY_OK(store().saveProgress(turn.answer.id, parts, 0));
    parts[1].text += QStringLiteral(" upon");
    VERIFY_OK(store().saveProgress(turn.answer.id, parts, 1));
    reopen();
    QVERIFY(store().messages(turn.chat).value().at(1).parts == parts);
}

/// The model that continues an answer may take its thought for text, so that one part is left.
void TestChatStore::anAnswerThatIsReadAnewHasNoOldParts() {
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    const std::vector<MessagePart> before{{.kind = PartKind::Thought, .text = "Hm"}, {.text = "Once"}};
    VERIFY_OK(store().saveProgress(turn.answer.id, before, 0));
    const std::vector<MessagePart> now{{.text = "Hm. Once upon"}};
    VERIFY_OK(store().saveProgress(turn.answer.id, now, 0));
    reopen();
    QVERIFY(store().messages(turn.chat).value().at(1).parts == now);
}

void TestChatStore::aFailedMigrationChangesNothing() {
    makeVersion1("Hello");
    const std::array<Migration, 2> broken{
        {schemaMigrations()[0],
         {2, schemaMigrations()[1].sql, [](SQLite::Database& db) { db.exec("ALTER TABLE nothing ADD COLUMN x"); }}}};
    const auto refused = ChatStore::open({.folder = folder_->path(), .migrations = broken});
    QVERIFY(!refused);
    QVERIFY(!refused.error().what.empty() && !refused.error().why.empty() && !refused.error().action.empty());
    {
        SQLite::Database db(file().toStdString(), SQLite::OPEN_READONLY);
        QCOMPARE(schemaVersion(db), 1);
        QCOMPARE(db.execAndGet("SELECT text FROM messages WHERE id = 2").getString(), std::string("Hello"));
    }
    reopen();
    QCOMPARE(store().messages(1).value().at(1).text(), QStringLiteral("Hello"));
}

void TestChatStore::aNewerFileIsOnlyRead_data() {
    QTest::addColumn<bool>("killed");
    QTest::newRow("closed") << false;
    QTest::newRow("with a log that the newer version left") << true;
}

/// The newer version has columns and tables of its own, as later versions will have.
void TestChatStore::aNewerFileIsOnlyRead() {
    QFETCH(bool, killed);
    const StoredTurn turn = addTurn(QStringLiteral("Hello"));
    store_.reset();
    {
        SQLite::Database db(file().toStdString(), SQLite::OPEN_READWRITE);
        db.exec("PRAGMA wal_autocheckpoint = 0");
        db.exec("ALTER TABLE messages ADD COLUMN mood TEXT NOT NULL DEFAULT ''; CREATE TABLE moods(x); "
                "PRAGMA user_version = 99");
        if (killed) sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    }
    const auto before = filesOf(*folder_);
    QCOMPARE(before.value(QStringLiteral("chats.db-wal")).isEmpty(), !killed);
    {
        const auto opened = ChatStore::open({.folder = folder_->path(), .migrations = {}});
        VERIFY_OK(opened);
        ChatStore& store = **opened;
        QVERIFY(store.readOnly());
        QVERIFY(store.notice());
        QVERIFY2(store.notice()->why.english().find("newer version of Coterie (format 99)") != std::string::npos,
                 store.notice()->line().c_str());
        QCOMPARE(store.messages(turn.chat).value().at(0).text(), QStringLiteral("Hello"));
        QCOMPARE(store.search({.words = QStringLiteral("hello")})->hits.size(), size_t{1});
        const auto reader = store.openReader();
        VERIFY_OK(reader);
        QCOMPARE((*reader)->chats()->size(), size_t{1});
        const engine::Status renamed = store.rename(turn.chat, QStringLiteral("Other"));
        QVERIFY(!renamed);
        QCOMPARE(renamed.error().why, store.notice()->why);
        const auto added =
            store.addTurn({.chat = turn.chat, .title = {}, .prompt = QStringLiteral("More"), .model = {}});
        QVERIFY(!added);
        QCOMPARE(added.error().why, store.notice()->why);
        const auto importer = store.openImporter();
        QVERIFY(!importer);
        QCOMPARE(importer.error().why, store.notice()->why);
    }
    auto after = filesOf(*folder_);
    if (killed) after.insert(QStringLiteral("chats.db-shm"), before.value(QStringLiteral("chats.db-shm"))); // an index
    QCOMPARE(after.keys(), before.keys());
    for (const QString& name : before.keys()) QVERIFY2(after[name] == before[name], qPrintable(name));
}

void TestChatStore::aNewerFileThatLacksSomethingIsRefusedUntouched() {
    addTurn(QStringLiteral("Hello"));
    store_.reset();
    SQLite::Database(file().toStdString(), SQLite::OPEN_READWRITE)
        .exec("ALTER TABLE edits RENAME COLUMN text TO words; PRAGMA user_version = 99");
    const auto before = filesOf(*folder_);
    const auto refused = ChatStore::open({.folder = folder_->path(), .migrations = {}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, engine::ErrorKind::Unsupported);
    QVERIFY(refused.error().why.english().find("99") != std::string::npos);
    QCOMPARE(filesOf(*folder_), before);
}

void TestChatStore::aForeignFileIsRefusedUntouched() {
    store_.reset();
    QVERIFY(QFile::remove(file()));
    SQLite::Database(file().toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE x(y)");
    const auto refused = ChatStore::open({.folder = folder_->path(), .migrations = {}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, engine::ErrorKind::BadInput);
    SQLite::Database db(file().toStdString(), SQLite::OPEN_READONLY);
    QVERIFY(db.tableExists("x"));
}

/// Windows names such a folder //server/share. On other systems two slashes at the start mean the same as one.
void TestChatStore::aFolderOnAServerIsRead() {
    addTurn(QStringLiteral("Hello"));
    store_.reset();
    const auto opened = ChatStore::open({.folder = QLatin1Char('/') + folder_->path(), .migrations = {}});
    VERIFY_OK(opened);
    const auto reader = (*opened)->openReader();
    VERIFY_OK(reader);
    QCOMPARE((*reader)->chats()->size(), size_t{1});
}

void TestChatStore::tenThousandMessagesOpen() {
    makeLongChat(10000);
    QElapsedTimer timer;
    timer.start();
    const auto rows = store().messages(1);
    qInfo("10,000 messages read in %lld ms", timer.elapsed());
    VERIFY_OK(rows);
    QCOMPARE(rows.value().size(), size_t{10000});
    QCOMPARE(rows.value().front().id, qint64{1});
    QCOMPARE(rows.value().back().id, qint64{10000});
}

QTEST_GUILESS_MAIN(TestChatStore)
#include "tst_chat_store.moc"
