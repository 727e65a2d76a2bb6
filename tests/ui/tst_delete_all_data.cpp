// SPDX-License-Identifier: Apache-2.0
// `coterie --delete-all-data` on the files that the real programs leave in a home folder, between files of others and
// links that lead out of it.
#include "support/small_disk.h"
#include "support/tiny_model.h"

#include <QDirIterator>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

using Files = QMap<QString, QByteArray>;

struct Run {
    int code = -1;
    QString out, err;
};

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool write(const QString& path, const QByteArray& bytes = "of somebody else") {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

/// Everything below the folder by its path: the bytes of files, the targets of links, and folders.
Files treeOf(const QString& folder) {
    Files found;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                      QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QFileInfo entry(each.next());
        const QString name = QDir(folder).relativeFilePath(entry.filePath());
        if (entry.isSymLink())
            found.insert(name, "link to " + entry.symLinkTarget().toUtf8());
        else
            found.insert(name, entry.isDir() ? QByteArray("folder") : "file " + bytesOf(entry.filePath()));
    }
    return found;
}

} // namespace

class TestDeleteAllData : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void whatIsNotAYesLeavesEverything_data();
    void whatIsNotAYesLeavesEverything();
    void aYesDeletesWhatTheProgramsLeft();
    void othersAndLinksStay();
    void anotherFolderIsDeletedAlone();
    void whileAWindowIsOpenItRefuses();
    void withoutDataThereIsNothingToDo();
    void aFileThatCannotBeDeletedIsNamed();
    void aModelBesideItIsAWrongCall();

  private:
    Run run(const QString& program, const QStringList& arguments, const QByteArray& input = {}) const;
    Run deleteAll(const QByteArray& answer, const QStringList& more = {}) const {
        return run(QStringLiteral(WINDOW), QStringList{QStringLiteral("--delete-all-data")} + more, answer);
    }
    /// Runs the programs, which leave all kinds of files.
    void use(const QStringList& dataDir = {}) const;
    QString home(const QString& name = {}) const { return folder_->filePath(QStringLiteral("home/") + name); }
    QString data(const QString& name = {}) const { return folder_->filePath(QStringLiteral("data/Coterie/") + name); }
    QString cache(const QString& name = {}) const { return folder_->filePath(QStringLiteral("cache/Coterie/") + name); }
    QProcessEnvironment environment() const;

    std::unique_ptr<QTemporaryDir> folder_;
};

void TestDeleteAllData::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    for (const char* name : {"home", "data", "cache", "run"}) QVERIFY(QDir(folder_->path()).mkdir(QLatin1String(name)));
}

QProcessEnvironment TestDeleteAllData::environment() const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), folder_->filePath(QStringLiteral("home")));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder_->filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder_->filePath(QStringLiteral("cache")));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder_->filePath(QStringLiteral("run")));
    environment.insert(QStringLiteral("QT_QUICK_BACKEND"), QStringLiteral("software"));
    return environment;
}

Run TestDeleteAllData::run(const QString& program, const QStringList& arguments, const QByteArray& input) const {
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(coterie::kPatienceMs) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

void TestDeleteAllData::use(const QStringList& dataDir) const {
    const QString model = home(QStringLiteral("model.gguf"));
    QVERIFY(coterie::test::saveTinyModel({.architecture = "smallthinker"}, model.toStdString()));
    const Run pack = run(QStringLiteral(CLI), QStringList{QStringLiteral("pack"), model} + dataDir);
    QVERIFY2(pack.code == 0, qPrintable(pack.err));
    const Run window = run(QStringLiteral(WINDOW),
                           QStringList{QStringLiteral("--screenshot"), home(QStringLiteral("window.png"))} + dataDir);
    QVERIFY2(window.code == 0, qPrintable(window.err));
}

void TestDeleteAllData::whatIsNotAYesLeavesEverything_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("no") << QByteArray("no\n");
    QTest::newRow("y alone") << QByteArray("y\n");
    QTest::newRow("an empty line") << QByteArray("\n");
    QTest::newRow("nobody there") << QByteArray();
    QTest::newRow("more than yes") << QByteArray("yes please\n");
    QTest::newRow("yes in the second line") << QByteArray("what?\nyes\n");
}

void TestDeleteAllData::whatIsNotAYesLeavesEverything() {
    QFETCH(QByteArray, answer);
    use();
    if (QTest::currentTestFailed()) return;
    const Files before = treeOf(folder_->path());
    const Run asked = deleteAll(answer);
    QCOMPARE(asked.code, 0);
    QVERIFY2(asked.out.endsWith(QStringLiteral("Type yes to delete them: Nothing was deleted.\n")),
             qPrintable(asked.out));
    QCOMPARE(asked.err, QString());
    QCOMPARE(treeOf(folder_->path()), before);
}

void TestDeleteAllData::aYesDeletesWhatTheProgramsLeft() {
    use();
    if (QTest::currentTestFailed()) return;
    // Files that are left in trouble or after an update: the names are those of the store, the settings and the engine.
    for (const char* name :
         {"chats.db-wal", "chats.db-shm", "chats-before-v9-20260101-101010.db",
          "chats-before-v9-20260101-101010-2.db.part", "chats-before-v9-20260101-101010-2.db.part-journal",
          "chats-damaged-20260101-101010.db", "chats-damaged-20260101-101010.db-wal", "settings.json.bad",
          ".coterie-12-3.part", "disk-0123456789abcdef", "head-0123456789abcdef", "heat-0123456789abcdef"})
        QVERIFY(write(data(QString::fromLatin1(name))));
    QVERIFY(write(cache(QStringLiteral("packed/.coterie-12-3.part"))));
    QVERIFY(write(cache(QStringLiteral("qmlcache/0123.qmlc"))));
    QVERIFY(write(cache(QStringLiteral("qtpipelinecache-x86_64-little_endian-lp64/qqpc_opengl"))));
    const Files before = treeOf(folder_->path());
    const Run done = deleteAll("yes\n");
    QVERIFY2(done.code == 0, qPrintable(done.err));
    QVERIFY2(done.out.endsWith(QStringLiteral("Everything in the list was deleted.\n")), qPrintable(done.out));
    const QStringList left{QStringLiteral("cache"),
                           QStringLiteral("data"),
                           QStringLiteral("home"),
                           QStringLiteral("home/model.gguf"),
                           QStringLiteral("home/window.png"),
                           QStringLiteral("run")};
    const QStringList stays = treeOf(folder_->path()).keys();
    for (const QString& name : before.keys()) {
        const bool ours = name.contains(QStringLiteral("/Coterie"));
        QVERIFY2(stays.contains(name) != ours, qPrintable(name));
        if (!ours || before[name] == "folder") continue;
        const QString listed = name.section(u'/', 0, name.startsWith(QStringLiteral("cache/Coterie/q")) ? 2 : -1);
        QVERIFY2(done.out.contains(listed + QStringLiteral("  (")), qPrintable(name));
    }
    for (const QString& name : left) QVERIFY2(stays.contains(name), qPrintable(name));
    QVERIFY(before.size() > 20);
}

void TestDeleteAllData::othersAndLinksStay() {
    use();
    if (QTest::currentTestFailed()) return;
    const QString outside = folder_->filePath(QStringLiteral("outside"));
    for (const char* name : {"chats.db", "packed/a-01.experts", "cache/0123.qmlc"})
        QVERIFY(write(outside + u'/' + QString::fromLatin1(name)));
    QStringList others;
    for (const char* name : {"notes.txt", "chats.db.mine", "my chats.db", "chats-before-v9-mine.db", "settings.json~",
                             "disk-of-mine", "folder/chats.db", "packed/a-01.experts"})
        others.append(data(QString::fromLatin1(name)));
    others.append({cache(QStringLiteral("packed/model.gguf")), cache(QStringLiteral("other/0123.qmlc"))});
    for (const QString& name : others) QVERIFY(write(name));
    const QStringList links{data(QStringLiteral("chats-damaged-20260101-101010.db")),
                            cache(QStringLiteral("qmlcache/deep")), cache(QStringLiteral("qtshadercache-linked")),
                            cache(QStringLiteral("packed/b-02.experts"))};
    QVERIFY(QDir().mkpath(cache(QStringLiteral("qmlcache"))));
    for (const QString& link : links)
        QVERIFY(
            QFile::link(outside + (link.endsWith(QStringLiteral(".db"))        ? QStringLiteral("/chats.db")
                                   : link.endsWith(QStringLiteral(".experts")) ? QStringLiteral("/packed/a-01.experts")
                                                                               : QStringLiteral("/cache")),
                        link));
    const Files outer = treeOf(outside);
    const Run done = deleteAll("Yes\r\n");
    QVERIFY2(done.code == 0, qPrintable(done.err));
    QCOMPARE(treeOf(outside), outer);
    for (const QString& name : others) QVERIFY2(bytesOf(name) == "of somebody else", qPrintable(name));
    for (const QString& link : links) {
        QVERIFY2(QFileInfo(link).isSymLink(), qPrintable(link));
        QVERIFY2(done.out.contains(QStringLiteral("This is a link, and stays: ") + link), qPrintable(link));
    }
    QVERIFY(!QFile::exists(data(QStringLiteral("chats.db"))));
}

void TestDeleteAllData::anotherFolderIsDeletedAlone() {
    use();
    if (QTest::currentTestFailed()) return;
    const Files before = treeOf(folder_->path());
    const QStringList there{QStringLiteral("--data-dir"), home(QStringLiteral("m\u00f6 del"))};
    use(there);
    if (QTest::currentTestFailed()) return;
    QVERIFY(QFile::exists(home(QStringLiteral("m\u00f6 del/chats.db"))));
    const Run done = deleteAll("yes\n", there);
    QVERIFY2(done.code == 0, qPrintable(done.err));
    const Files after = treeOf(folder_->path());
    QCOMPARE(after.keys(), before.keys());
    QCOMPARE(after[QStringLiteral("data/Coterie/chats.db")], before[QStringLiteral("data/Coterie/chats.db")]);
}

void TestDeleteAllData::whileAWindowIsOpenItRefuses() {
    QProcess window;
    window.setProcessEnvironment(environment());
    window.start(QStringLiteral(WINDOW), QStringList());
    QVERIFY(window.waitForStarted(coterie::kPatienceMs));
    const auto listens = [&] {
        return !QDir(folder_->filePath(QStringLiteral("run")))
                    .entryList({QStringLiteral("coterie-*")}, QDir::System)
                    .isEmpty();
    };
    QTRY_VERIFY(listens());
    const Run refused = deleteAll("yes\n");
    QCOMPARE(refused.code, 1);
    QCOMPARE(refused.out, QString());
    QVERIFY2(refused.err.startsWith(QStringLiteral("error: Nothing was deleted; ")) && refused.err.count(u'\n') == 1,
             qPrintable(refused.err));
    QVERIFY(QFile::exists(data(QStringLiteral("chats.db"))));
    QCOMPARE(window.state(), QProcess::Running);
    window.kill(); // its lock is left behind, and belongs to nobody
    QVERIFY(window.waitForFinished(coterie::kPatienceMs));
    QVERIFY(QFile::exists(data(QStringLiteral("lock"))));
    QCOMPARE(deleteAll("yes\n").code, 0);
    QVERIFY(!QFileInfo::exists(data()));
}

void TestDeleteAllData::withoutDataThereIsNothingToDo() {
    const Files before = treeOf(folder_->path());
    const Run nothing = deleteAll("yes\n");
    QCOMPARE(nothing.code, 0);
    QCOMPARE(nothing.out, QStringLiteral("There is nothing to delete.\n"));
    QCOMPARE(treeOf(folder_->path()), before);
}

void TestDeleteAllData::aFileThatCannotBeDeletedIsNamed() {
    const auto disk = coterie::test::SmallDisk::make(1 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    const QString chats = QDir(disk->path()).filePath(QStringLiteral("chats.db"));
    QVERIFY(write(chats));
    QVERIFY(disk->setReadOnly(true));
    const Run stuck = deleteAll("yes\n", {QStringLiteral("--data-dir"), disk->path()});
    QVERIFY(disk->setReadOnly(false));
    QCOMPARE(stuck.code, 1);
    QVERIFY2(stuck.err.contains(chats) && stuck.err.startsWith(QStringLiteral("error: Not everything was deleted; ")),
             qPrintable(stuck.err));
    QCOMPARE(bytesOf(chats), QByteArray("of somebody else"));
}

void TestDeleteAllData::aModelBesideItIsAWrongCall() {
    use();
    if (QTest::currentTestFailed()) return;
    const Files before = treeOf(folder_->path());
    QCOMPARE(deleteAll("yes\n", {home(QStringLiteral("model.gguf"))}).code, 2);
    QCOMPARE(treeOf(folder_->path()), before);
}

QTEST_GUILESS_MAIN(TestDeleteAllData)
#include "tst_delete_all_data.moc"
