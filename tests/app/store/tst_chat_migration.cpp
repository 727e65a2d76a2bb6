// SPDX-License-Identifier: Apache-2.0
// Files of older versions become files of this one with not one character lost, and a process that is killed at any
// moment of that leaves the old file or the new one, whole. Files are compared by plain SQL, without the store.
#include "app/store/old_chats.h"
#include "app/verify_ok.h"
#include "store/chat_store.h"
#include "store/schema.h"
#include "support/effort.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

const int kKills = longTests() ? 50 : 12; ///< kills while each version migrates

QString chatsFile(const QTemporaryDir& folder) { return folder.filePath(QStringLiteral("chats.db")); }

SQLite::Database look(const QString& path) { return SQLite::Database(path.toStdString(), SQLite::OPEN_READWRITE); }

/// Spaces around the text of a part, which version 1 kept beside its tags, are no words.
PlainChats withoutOuterSpaces(PlainChats chats) {
    for (auto& [id, parts] : chats.parts)
        for (PlainPart& part : parts) part.text = QString::fromStdString(part.text).trimmed().toStdString();
    return chats;
}

QByteArray differenceOf(const PlainChats& found, const PlainChats& expected) {
    if (found.chats != expected.chats) return "the chats differ";
    if (found.messages != expected.messages) return "the messages differ";
    if (found.search != expected.search) return "the index differs";
    for (const auto& [id, parts] : expected.parts) {
        const auto there = found.parts.find(id);
        if (there == found.parts.end()) return "message " + QByteArray::number(qint64{id}) + " has no parts";
        if (there->second != parts) return "message " + QByteArray::number(qint64{id}) + " differs";
    }
    return found.parts.size() == expected.parts.size() ? QByteArray() : QByteArray("there are more parts");
}

} // namespace

class TestChatMigration : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyCharacterIsKept_data();
    void everyCharacterIsKept();
    void recordsSettingsAndDraftsAreKept_data();
    void recordsSettingsAndDraftsAreKept();
    void filesOfDraftsStayWithThem();
    void aKillLeavesOneWholeFile();

  private:
    int runHelper(const QTemporaryDir& folder, int killAt);
    void checkAfterKill(const QTemporaryDir& folder, int version, const QStringList& version1, const PlainChats& made);

    std::array<int, 10> foundVersions_{}; ///< how often a killed process left a file of each version
};

void TestChatMigration::everyCharacterIsKept_data() {
    QTest::addColumn<int>("version");
    QTest::newRow("version 1") << 1;
    QTest::newRow("version 2") << 2;
    QTest::newRow("version 3") << 3;
    QTest::newRow("version 4") << 4;
    QTest::newRow("version 5") << 5;
    QTest::newRow("version 6") << 6;
    QTest::newRow("version 7") << 7;
    QTest::newRow("version 8") << 8;
}

void TestChatMigration::everyCharacterIsKept() {
    QFETCH(int, version);
    QTemporaryDir folder;
    const PlainChats made = makeOldChats(chatsFile(folder).toStdString(), version);
    QVERIFY(made.parts.size() > 500);
    {
        const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
        VERIFY_OK(store);
        QVERIFY(!(*store)->notice());
        for (int chat = 1; chat <= kOldChats; ++chat) {
            const auto rows = (*store)->messages(chat);
            VERIFY_OK(rows);
            QCOMPARE((*store)->page(chat, 0, 1)->length, static_cast<qint64>(rows->size()));
        }
    }
    SQLite::Database db = look(chatsFile(folder));
    QCOMPARE(schemaVersion(db), schemaMigrations().back().to);
    QCOMPARE(db.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    QVERIFY(!SQLite::Statement(db, "PRAGMA foreign_key_check").executeStep());
    db.exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
    const PlainChats found = readPlain(db);
    const QByteArray difference =
        version == 1 ? differenceOf(withoutOuterSpaces(found), withoutOuterSpaces(made)) : differenceOf(found, made);
    QVERIFY2(difference.isEmpty(), difference.constData());
    QCOMPARE(db.execAndGet("SELECT count(DISTINCT uid) FROM chats WHERE length(uid) = 32").getInt(), kOldChats);
    QCOMPARE(db.execAndGet("SELECT count(*) FROM messages WHERE hidden <> 0 OR deleted_at IS NOT NULL OR depth <> "
                           "ifnull((SELECT p.depth + 1 FROM messages p WHERE p.id = messages.parent), 0)")
                 .getInt(),
             0);
}

void TestChatMigration::recordsSettingsAndDraftsAreKept_data() {
    QTest::addColumn<int>("version");
    for (int version = 3; version < schemaMigrations().back().to; ++version) // version 3 brought them
        QTest::newRow(qPrintable(QStringLiteral("version %1").arg(version))) << version;
}

void TestChatMigration::recordsSettingsAndDraftsAreKept() {
    QFETCH(int, version);
    QTemporaryDir folder;
    makeOldChats(chatsFile(folder).toStdString(), version);
    const auto kept = [](SQLite::Database& db) {
        QStringList rows;
        for (const char* query :
             {"SELECT 'tokens', message, version, created_at, size, hex(data) FROM token_records ORDER BY message",
              "SELECT 'trace', message, version, created_at, size, hex(data) FROM traces ORDER BY message",
              "SELECT 'chat', id, pinned, folder, settings, seen FROM chats ORDER BY id",
              "SELECT 'folder', id, name, key, place, '' FROM folders ORDER BY id",
              "SELECT 'draft', chat, text, '', '', '' FROM drafts ORDER BY chat"}) {
            for (SQLite::Statement row(db, query); row.executeStep();) {
                QString line;
                for (int i = 0; i < row.getColumnCount(); ++i)
                    line += QString::fromStdString(row.getColumn(i).getString()) + u'|';
                rows.append(line);
            }
        }
        return rows;
    };
    QStringList made;
    {
        SQLite::Database db = look(chatsFile(folder));
        db.exec(
            "INSERT INTO token_records VALUES (2, 1, 12, 4, x'01020304'); INSERT INTO traces VALUES (2, 1, 13, 2, "
            "x'0506'), (4, 1, 14, 1, x'07'); INSERT INTO folders(id, name, key, place) VALUES (3, 'Work', 'work', 0); "
            "UPDATE chats SET pinned = 1, folder = 3, settings = '{\"temperature\":0.3}', seen = 2 WHERE id = 1; "
            "INSERT INTO drafts VALUES (0, 'not sent'), (5, 'nor this')");
        made = kept(db);
        QCOMPARE(made.size(), 3 + kOldChats + 1 + 2);
    }
    {
        const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
        VERIFY_OK(store);
        QVERIFY(!(*store)->notice());
    }
    SQLite::Database db = look(chatsFile(folder));
    QCOMPARE(schemaVersion(db), schemaMigrations().back().to);
    QCOMPARE(kept(db), made);
}

void TestChatMigration::filesOfDraftsStayWithThem() {
    QTemporaryDir folder;
    makeOldChats(chatsFile(folder).toStdString(), 7);
    {
        SQLite::Database db = look(chatsFile(folder));
        db.exec("INSERT INTO files(id, hash, data) VALUES (1, x'00', x'31')");
        db.exec("INSERT INTO draft_files(id, chat, text, meta, file) VALUES (4, 3, 'text', '{\"name\":\"a.txt\"}', 1)");
        db.exec("INSERT INTO waiting_prompts(id, chat, text) VALUES (4, 3, 'next')"); // the ids are the same by chance
    }
    const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    VERIFY_OK(store);
    const auto files = (*store)->draftFiles().list(3);
    VERIFY_OK(files);
    QCOMPARE(files->size(), size_t{1});
    QCOMPARE(files->front().part.name, QStringLiteral("a.txt"));
    QVERIFY((*store)->waiting().list(3)->front().files.empty());
}

/// Migrates the file in another process, which dies at this write. Returns its number of writes if it lived.
int TestChatMigration::runHelper(const QTemporaryDir& folder, int killAt) {
    QProcess process;
    process.start(QStringLiteral(KILL_HELPER), {QStringLiteral("--migrate"), folder.path(), QString::number(killAt)});
    if (!process.waitForFinished(kPatienceMs)) return -1;
    if (process.exitStatus() == QProcess::CrashExit) return 0;
    const QByteArray output = process.readAllStandardOutput();
    return output.startsWith("W ") ? output.mid(2).trimmed().toInt() : -1;
}

void TestChatMigration::checkAfterKill(const QTemporaryDir& folder, int version, const QStringList& version1,
                                       const PlainChats& made) {
    {
        SQLite::Database db = look(chatsFile(folder));
        QCOMPARE(db.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
        const int now = schemaVersion(db);
        QVERIFY(now >= version && now <= schemaMigrations().back().to);
        ++foundVersions_[static_cast<size_t>(now)];
        const QByteArray difference = now == 1
                                          ? QByteArray(readVersion1(db) == version1 ? "" : "the old file was changed")
                                          : differenceOf(withoutOuterSpaces(readPlain(db)), made);
        QVERIFY2(difference.isEmpty(), difference.constData());
    }
    for (const QString& name : QDir(folder.path()).entryList({QStringLiteral("chats-before-*.db")})) {
        SQLite::Database backup = look(folder.filePath(name));
        QCOMPARE(backup.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
        QVERIFY(schemaVersion(backup) < schemaMigrations().back().to);
        QCOMPARE(backup.execAndGet("SELECT count(*) FROM messages").getInt(), static_cast<int>(made.messages.size()));
    }
    {
        const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
        VERIFY_OK(store);
        QVERIFY(!(*store)->notice());
    }
    SQLite::Database db = look(chatsFile(folder));
    QCOMPARE(schemaVersion(db), schemaMigrations().back().to);
    const QByteArray difference = differenceOf(withoutOuterSpaces(readPlain(db)), made);
    QVERIFY2(difference.isEmpty(), difference.constData());
}

void TestChatMigration::aKillLeavesOneWholeFile() {
    QRandomGenerator random(20261122);
    int killed = 0;
    for (const int version : {1, 2, 3}) {
        QTemporaryDir original, tried;
        const PlainChats made = withoutOuterSpaces(makeOldChats(chatsFile(original).toStdString(), version));
        QStringList version1;
        if (version == 1) {
            SQLite::Database db = look(chatsFile(original));
            version1 = readVersion1(db);
        }
        QVERIFY(QFile::copy(chatsFile(original), chatsFile(tried)));
        const int writes = runHelper(tried, 0);
        QVERIFY2(writes > 10, qPrintable(QString::number(writes)));
        for (int kill = 0; kill < kKills; ++kill) {
            QTemporaryDir folder;
            QVERIFY(QFile::copy(chatsFile(original), chatsFile(folder)));
            const int at = 1 + (writes * kill + random.bounded(writes)) / kKills; // spread over all writes
            QCOMPARE(runHelper(folder, at), 0);
            ++killed;
            checkAfterKill(folder, version, version1, made);
            if (QTest::currentTestFailed()) qInfo("killed at write %d of %d", at, writes);
            if (QTest::currentTestFailed()) return;
        }
    }
    int later = 0;
    for (size_t version = 4; version < foundVersions_.size(); ++version) later += foundVersions_[version];
    qInfo("%d kills; version 1 was left %d times, version 2 %d times, version 3 %d times, a later one %d times", killed,
          foundVersions_[1], foundVersions_[2], foundVersions_[3], later);
    QVERIFY(foundVersions_[1] > 0 && foundVersions_[2] > 0 && foundVersions_[3] > 0 && later > 0);
}

QTEST_GUILESS_MAIN(TestChatMigration)
#include "tst_chat_migration.moc"
