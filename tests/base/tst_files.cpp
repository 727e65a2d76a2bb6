// SPDX-License-Identifier: Apache-2.0
// Files: positions, sizes, names, failures, and the state after a failed write.
#include "base/files.h"
#include "support/faulty_files.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <thread>
#include <vector>

#ifndef Q_OS_WIN
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace coterie;
using namespace coterie::engine;

namespace {

std::string utf8(const QString& text) { return text.toStdString(); }

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

/// Lists everything in a folder, including hidden files.
QStringList namesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

std::string textAt(RandomAccessFile& file, uint64_t offset, size_t length) {
    std::string text(length, '?');
    const Status read = file.readAt(offset, std::as_writable_bytes(std::span(text)));
    return read ? text : "error: " + read.error().line();
}

bool hasThreeParts(const Error& error) { return !error.what.empty() && !error.why.empty() && !error.action.empty(); }

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString in(const QString& name) const { return folder_.filePath(name); }

  private Q_SLOTS:
    void init() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir(folder_.path()).removeRecursively());
        QVERIFY(QDir().mkpath(folder_.path()));
    }

    void readsAtPositions() {
        writeFile(in("a"), "0123456789");
        auto file = systemFiles().openForReading(utf8(in("a")));
        QVERIFY(file);
        QCOMPARE(file.value()->size(), uint64_t{10});
        QCOMPARE(file.value()->path(), utf8(in("a")));
        QCOMPARE(textAt(*file.value(), 7, 3), std::string("789"));
        QCOMPARE(textAt(*file.value(), 0, 4), std::string("0123"));
        QCOMPARE(textAt(*file.value(), 10, 0), std::string());
    }

    void tellsWhenAFileChanged() {
        const QString path = folder_.filePath("changed");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(1'234'567'890'000);
        QVERIFY(file.setFileTime(moment, QFileDevice::FileModificationTime));
        file.close();
        const auto opened = systemFiles().openForReading(path.toStdString());
        QVERIFY(opened);
        QCOMPARE(opened.value()->changedAt(), int64_t{1'234'567'890} * 1'000'000'000);
    }

    /// A file that is opened directly has the same content, or gives the same error.
    void directFilesAreTheSameFiles() {
        writeFile(in("a"), QByteArray(100'000, 'x'));
        const auto file = systemFiles().openForReading(utf8(in("a"))), direct = systemFiles().openDirect(utf8(in("a")));
        QVERIFY(file && direct);
        QCOMPARE(file.value()->alignment(), uint64_t{1});
        QCOMPARE(direct.value()->size(), file.value()->size());
        QCOMPARE(direct.value()->path(), file.value()->path());
        QCOMPARE(direct.value()->changedAt(), file.value()->changedAt());
        QCOMPARE(direct.value()->disk(), file.value()->disk());
        writeFile(in("b"), "another");
        const auto other = systemFiles().openForReading(utf8(in("b")));
        QVERIFY(other);
        QCOMPARE(other.value()->disk(), file.value()->disk());

        for (const std::string& path : {utf8(in("nothing")), utf8(folder_.path()), std::string(), std::string(1, '\0'),
                                        std::string(100000, 'x')}) {
            const auto refused = systemFiles().openForReading(path), refusedDirect = systemFiles().openDirect(path);
            QVERIFY(!refused && !refusedDirect);
            QCOMPARE(refusedDirect.error().line(), refused.error().line());
        }
    }

    void readsBeyondTheEndAreErrors() {
        writeFile(in("a"), "0123456789");
        auto file = systemFiles().openForReading(utf8(in("a")));
        QVERIFY(file);
        for (const uint64_t offset : {uint64_t{8}, uint64_t{10}, uint64_t{1} << 62, ~uint64_t{0}}) {
            std::array<std::byte, 3> bytes{};
            const Status read = file.value()->readAt(offset, bytes);
            QVERIFY(!read);
            QCOMPARE(read.error().kind, ErrorKind::Io);
            QVERIFY(read.error().what.english().find(utf8(in("a"))) != std::string::npos);
        }
    }

    void filesOverFourGibibytes() {
        const uint64_t offset = (uint64_t{5} << 30) + 12345;
        {
            QFile sparse(in("large"));
            QVERIFY(sparse.open(QIODevice::WriteOnly));
            if (!sparse.seek(static_cast<qint64>(offset)) || sparse.write("far away") != 8)
                QSKIP("no sparse files here");
            sparse.seek(offset & 0xffffffff);
            sparse.write("too near");
        }
        auto file = systemFiles().openForReading(utf8(in("large")));
        QVERIFY(file);
        QCOMPARE(file.value()->size(), offset + 8);
        QCOMPARE(textAt(*file.value(), offset, 8), std::string("far away"));
        QCOMPARE(textAt(*file.value(), offset - 4, 6), std::string("\0\0\0\0fa", 6));
    }

    void spacesAndForeignLettersInPaths() {
        const QString name = QString::fromUtf8("my m\xc3\xb6"
                                               "dels \xe6\xa8\xa1\xe5\x9e\x8b \xf0\x9f\xa6\x89");
        QVERIFY(QDir(folder_.path()).mkdir(name));
        const QString path = in(name + "/a b.gguf");
        QVERIFY(writeWholeFile(systemFiles(), utf8(path), "content"));
        QCOMPARE(contentOf(path), QByteArray("content"));
        QCOMPARE(namesIn(in(name)), QStringList{"a b.gguf"});
        const auto text = readWholeFile(systemFiles(), utf8(path), 100);
        QVERIFY(text);
        QCOMPARE(text.value(), std::string("content"));
    }

    void longPaths() {
        QString deep = folder_.path();
        for (int i = 0; i < 6; ++i)
            deep += "/" + QString(60, QChar('a' + i)); // 360 letters: over the old limit of Windows
        if (!QDir().mkpath(deep)) QSKIP("the system makes no such folder");
        QVERIFY(writeWholeFile(systemFiles(), utf8(deep + "/x"), "deep"));
        const auto text = readWholeFile(systemFiles(), utf8(deep + "/x"), 100);
        QVERIFY(text);
        QCOMPARE(text.value(), std::string("deep"));
    }

    void theLongestNameCanBeWritten() {
        const QString path = in(QString(255, 'n'));
        QVERIFY(writeWholeFile(systemFiles(), utf8(path), "x"));
        QCOMPARE(contentOf(path), QByteArray("x"));
    }

    void whatCannotBeOpened() {
        QVERIFY(QDir(folder_.path()).mkdir("folder"));
        const auto missing = systemFiles().openForReading(utf8(in("nothing")));
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ErrorKind::NotFound);
        QVERIFY(hasThreeParts(missing.error()));
        const auto folder = systemFiles().openForReading(utf8(in("folder")));
        QVERIFY(!folder);
        QCOMPARE(folder.error().kind, ErrorKind::BadInput);
        QVERIFY(hasThreeParts(folder.error()));
        QVERIFY(!systemFiles().openForReading(""));
        QVERIFY(!systemFiles().openForReading(std::string("a\0b", 3)));
        QVERIFY(!systemFiles().openForReading(std::string(100000, 'x')));
        QVERIFY(!systemFiles().createOutput(std::string("a\0b", 3)));
        QVERIFY(!systemFiles().createOutput(utf8(in("folder"))));
        QVERIFY(!systemFiles().createOutput(utf8(in("no/such/folder/file"))));
    }

    void pipesAndDevicesAreRefusedAtOnce() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone");
#else
        QCOMPARE(::mkfifo(utf8(in("pipe")).c_str(), 0600), 0);
        for (const std::string& path : {utf8(in("pipe")), std::string("/dev/null")}) {
            const auto file = systemFiles().openForReading(path); // must not wait for a writer
            QVERIFY(!file);
            QCOMPARE(file.error().kind, ErrorKind::BadInput);
            const auto output = systemFiles().createOutput(path);
            QVERIFY(!output);
            QCOMPARE(output.error().kind, ErrorKind::BadInput);
        }
#endif
    }

    void aFileThatShrinks() {
        writeFile(in("a"), QByteArray(10000, 'x'));
        auto file = systemFiles().openForReading(utf8(in("a")));
        QVERIFY(file);
        QVERIFY(QFile::resize(in("a"), 5000));
        for (const size_t count : {size_t{6000}, size_t{4000}}) { // the file has so many bytes no more, or still
            std::vector<std::byte> bytes(count);
            const Status read = file.value()->readAt(0, bytes);
            QVERIFY(!read);
            QCOMPARE(read.error().kind, ErrorKind::Io);
            QVERIFY(read.error().what.english().find(utf8(in("a"))) != std::string::npos);
        }
    }

    void aFileThatVanishesStaysReadable() {
        writeFile(in("a"), "still here");
        auto file = systemFiles().openForReading(utf8(in("a")));
        QVERIFY(file);
        QVERIFY(QFile::remove(in("a"))); // also on Windows: opened so that others may delete
        QCOMPARE(textAt(*file.value(), 0, 10), std::string("still here"));
    }

    void manyThreadsReadOneFile() {
        QByteArray content;
        for (int i = 0; i < 4096; ++i) content += QByteArray::number(100000 + i) + "\n"; // 7 bytes for each line
        writeFile(in("a"), content);
        auto file = systemFiles().openForReading(utf8(in("a")));
        QVERIFY(file);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
                for (int i = t; i < 4096; i += 8)
                    wrong += textAt(*file.value(), static_cast<uint64_t>(i) * 7, 6) != std::to_string(100000 + i);
            });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    void wholeFilesHaveALimit() {
        writeFile(in("a"), QByteArray(101, 'x'));
        QVERIFY(readWholeFile(systemFiles(), utf8(in("a")), 101));
        const auto tooLong = readWholeFile(systemFiles(), utf8(in("a")), 100);
        QVERIFY(!tooLong);
        QCOMPARE(tooLong.error().kind, ErrorKind::BadInput);
        QVERIFY(hasThreeParts(tooLong.error()));
    }

    void writingReplacesWholeFiles() {
        writeFile(in("a"), "old and longer");
        auto output = systemFiles().createOutput(utf8(in("a")));
        QVERIFY(output);
        QVERIFY(output.value()->append(std::as_bytes(std::span(std::string_view("ne")))));
        QCOMPARE(contentOf(in("a")), QByteArray("old and longer"));
        QVERIFY(output.value()->append(std::as_bytes(std::span(std::string_view("w")))));
        QVERIFY(output.value()->commit());
        QCOMPARE(contentOf(in("a")), QByteArray("new"));
        QVERIFY(!output.value()->append({}));
        QVERIFY(!output.value()->commit());
        output.value().reset();
        QCOMPARE(contentOf(in("a")), QByteArray("new"));
        QCOMPARE(namesIn(folder_.path()), QStringList{"a"});
    }

    void droppedOutputsLeaveNothing() {
        {
            auto output = systemFiles().createOutput(utf8(in("a")));
            QVERIFY(output);
            QVERIFY(output.value()->append(std::as_bytes(std::span(std::string_view("half")))));
            QCOMPARE(namesIn(folder_.path()).size(), 1);
        }
        QCOMPARE(namesIn(folder_.path()), QStringList());
    }

    void twoWritersOfOneFile() {
        auto first = systemFiles().createOutput(utf8(in("a")));
        auto second = systemFiles().createOutput(utf8(in("a")));
        QVERIFY(first && second);
        QVERIFY(first.value()->append(std::as_bytes(std::span(std::string_view("first")))));
        QVERIFY(second.value()->append(std::as_bytes(std::span(std::string_view("second")))));
        QVERIFY(second.value()->commit());
        QVERIFY(first.value()->commit());
        QCOMPARE(contentOf(in("a")), QByteArray("first"));
        QCOMPARE(namesIn(folder_.path()), QStringList{"a"});
    }

    void linksAndPermissionsStay() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone");
#else
        writeFile(in("real"), "old");
        QVERIFY(QFile::setPermissions(in("real"), QFileDevice::ReadOwner | QFileDevice::WriteOwner));
        QVERIFY(QFile::link(in("real"), in("link")));
        QVERIFY(writeWholeFile(systemFiles(), utf8(in("link")), "new"));
        QVERIFY(QFileInfo(in("link")).isSymLink());
        QCOMPARE(contentOf(in("real")), QByteArray("new"));
        struct stat about {};
        QCOMPARE(::stat(utf8(in("real")).c_str(), &about), 0);
        QCOMPARE(about.st_mode & 0777, 0600u);
#endif
    }

    /// A link to a file that does not exist yet, or whose disk is away.
    void linksToNothingStay() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone");
#else
        QVERIFY(QDir(folder_.path()).mkdir("there"));
        QCOMPARE(::symlink("there/real", utf8(in("second")).c_str()), 0);
        QCOMPARE(::symlink("second", utf8(in("first")).c_str()), 0);
        QVERIFY(writeWholeFile(systemFiles(), utf8(in("first")), "new"));
        QVERIFY(QFileInfo(in("first")).isSymLink() && QFileInfo(in("second")).isSymLink());
        QCOMPARE(contentOf(in("there/real")), QByteArray("new"));
        QCOMPARE(::symlink(utf8(in("away/real")).c_str(), utf8(in("lost")).c_str()), 0);
        const Status written = writeWholeFile(systemFiles(), utf8(in("lost")), "new");
        QVERIFY(!written);
        QCOMPARE(written.error().kind, ErrorKind::NotFound);
        QVERIFY(QFileInfo(in("lost")).isSymLink());
#endif
    }

    void aReadOnlyFolder() {
#ifdef Q_OS_WIN
        QSKIP("folders have no such permission on Windows");
#else
        QVERIFY(QDir(folder_.path()).mkdir("closed"));
        writeFile(in("closed/a"), "old");
        QCOMPARE(::chmod(utf8(folder_.path()).c_str(), 0755), 0);
        QCOMPARE(::chmod(utf8(in("closed")).c_str(), 0555), 0);
        // The superuser may write anywhere, so the test gives this right up for a moment.
        constexpr uid_t nobody = 65534;
        const bool superuser = ::geteuid() == 0;
        if (superuser) QCOMPARE(::seteuid(nobody), 0);
        const Status written = writeWholeFile(systemFiles(), utf8(in("closed/a")), "new");
        if (superuser) QCOMPARE(::seteuid(0), 0);
        QCOMPARE(::chmod(utf8(in("closed")).c_str(), 0755), 0);
        QVERIFY(!written);
        QCOMPARE(written.error().kind, ErrorKind::Io);
        QVERIFY(hasThreeParts(written.error()));
        QCOMPARE(contentOf(in("closed/a")), QByteArray("old"));
        QCOMPARE(namesIn(in("closed")), QStringList{"a"});
#endif
    }

    /// The system takes part of the bytes and then no more, as a full disk does.
    void noMoreSpace() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone");
#else
        writeFile(in("a"), "old");
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small{100000, before.rlim_max};
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const Status written = writeWholeFile(systemFiles(), utf8(in("a")), std::string(150000, 'x'));
        const Status fits = writeWholeFile(systemFiles(), utf8(in("b")), std::string(100000, 'x'));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!written);
        QCOMPARE(written.error().kind, ErrorKind::Io);
        QVERIFY(hasThreeParts(written.error()));
        QVERIFY(fits);
        QCOMPARE(contentOf(in("a")), QByteArray("old"));
        QCOMPARE(contentOf(in("b")).size(), 100000);
        QCOMPARE(namesIn(folder_.path()), (QStringList{"a", "b"}));
#endif
    }

    /// Lets the 1st, 2nd, 3rd ... call fail until a run completes. Afterwards either the old file or the new one is
    /// there, and nothing else.
    void everyCallFailsOnce() {
        int runs = 0;
        for (bool completed = false; !completed; ++runs) {
            writeFile(in("a"), "old");
            {
                test::FaultyFiles files;
                files.failCall(runs + 1);
                const Status written = writeWholeFile(files, utf8(in("a")), "new");
                completed = !files.fired();
                QCOMPARE(written.ok(), completed);
            }
            QCOMPARE(contentOf(in("a")), QByteArray(completed ? "new" : "old"));
            QCOMPARE(namesIn(folder_.path()), QStringList{"a"});
        }
        QCOMPARE(runs, 4); // create, append, commit, and the run without a failure
        runs = 0;
        for (bool completed = false; !completed; ++runs) {
            test::FaultyFiles files;
            files.failCall(runs + 1);
            const auto text = readWholeFile(files, utf8(in("a")), 100);
            completed = !files.fired();
            QCOMPARE(text.ok(), completed);
        }
        QCOMPARE(runs, 3);
    }

    void theFaultyFilesThemselves() {
        writeFile(in("a"), "0123456789");
        test::FaultyFiles files;
        auto file = files.openForReading(utf8(in("a")));
        QVERIFY(file);
        files.vanishAfterReads(1);
        QCOMPARE(textAt(*file.value(), 0, 2), std::string("01"));
        QVERIFY(textAt(*file.value(), 0, 2).starts_with("error"));
        QVERIFY(textAt(*file.value(), 0, 2).starts_with("error"));
        files.heal();
        QCOMPARE(textAt(*file.value(), 0, 2), std::string("01"));
        files.shortenReads(2);
        QCOMPARE(textAt(*file.value(), 0, 2), std::string("01"));
        std::string text = "????";
        QVERIFY(!file.value()->readAt(0, std::as_writable_bytes(std::span(text))));
        QCOMPARE(text, std::string("01??"));
        QCOMPARE(textAt(*file.value(), 0, 2), std::string("01"));
        QCOMPARE(files.reads(), int64_t{7});
        QCOMPARE(files.bytesRead(), int64_t{8});
    }
};

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_files.moc"
