// SPDX-License-Identifier: Apache-2.0
// Batches that are read in the background: every byte, more reads than can be in flight, and reads that fail.
#include "base/batch_reader.h"
#include "support/faulty_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie::engine;
using coterie::test::FaultyFiles;

namespace {

constexpr size_t kPiece = 1000, kPieces = 50;

/// A file of pieces, each filled with its number, and a batch that reads all of them.
struct Setup {
    QTemporaryDir folder;
    FaultyFiles files;
    std::string path = folder.filePath("pieces").toStdString();
    std::unique_ptr<RandomAccessFile> file;
    std::vector<std::byte> bytes;
    std::vector<ReadRequest> batch;
    std::unique_ptr<BatchReader> reader;

    explicit Setup(int depth) : bytes(kPiece * kPieces) {
        QFile out(QString::fromStdString(path));
        if (!out.open(QIODevice::WriteOnly)) qFatal("can't write");
        for (size_t i = 0; i < kPieces; ++i) out.write(QByteArray(kPiece, static_cast<char>(i + 1)));
        out.close();
        file = std::move(files.openForReading(path)).value();
        for (size_t i = 0; i < kPieces; ++i)
            batch.push_back(
                {.file = file.get(), .offset = i * kPiece, .out = std::span(bytes).subspan(i * kPiece, kPiece)});
        reader = std::make_unique<BatchReader>(files.createReads(depth), kPieces);
    }
    Status read(size_t count = kPieces) {
        std::fill(bytes.begin(), bytes.end(), std::byte{0});
        reader->start(std::span(batch).first(count));
        return reader->wait();
    }
    bool isRead(size_t count = kPieces) const {
        for (size_t i = 0; i < count * kPiece; ++i)
            if (bytes[i] != static_cast<std::byte>(i / kPiece + 1)) return false;
        return true;
    }
};

} // namespace

class BatchReaderTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyPieceIsRead() {
        for (const int depth : {1, 3, 64}) {
            Setup s(depth);
            QVERIFY(s.reader->running());
            for (const size_t count : {kPieces, size_t{1}, size_t{7}, kPieces}) {
                const int64_t before = s.files.reads();
                QVERIFY(s.read(count).ok() && s.isRead(count));
                QCOMPARE(s.files.reads() - before, static_cast<int64_t>(count));
            }
        }
    }

    /// The reads go on while their caller does something else: it waits for them without asking the reader.
    void itReadsByItself() {
        Setup s(4);
        s.reader->start(s.batch);
        QTRY_COMPARE(s.files.reads(), static_cast<int64_t>(kPieces));
        QVERIFY(s.reader->wait().ok() && s.isRead());
    }

    void withoutABatchThereIsNothingToWaitFor() {
        Setup s(4);
        QVERIFY(s.reader->wait().ok());
        QVERIFY(s.read().ok() && s.reader->wait().ok());
    }

    void aReadThatFailsOnceIsTriedAgain() {
        Setup s(4);
        for (int64_t n = 1; n <= static_cast<int64_t>(kPieces); ++n) {
            s.files.failCall(n);
            const int64_t before = s.files.reads();
            QVERIFY(s.read().ok() && s.isRead());
            QCOMPARE(s.files.reads() - before, static_cast<int64_t>(kPieces) + 1);
        }
        QVERIFY(s.files.fired());
    }

    void aReadThatFailsTwiceEndsTheBatch() {
        Setup s(4);
        s.files.vanishAfterReads(10);
        const int64_t before = s.files.reads();
        const Status lost = s.read();
        QVERIFY(!lost && lost.error().kind == ErrorKind::Io);
        QVERIFY(s.files.reads() - before < static_cast<int64_t>(kPieces));
        s.files.heal();
        QVERIFY(s.read().ok() && s.isRead());
    }

    void destroyedItWaits() {
        Setup s(4);
        s.files.slowReads(2);
        s.reader->start(s.batch);
        s.reader.reset(); // the bytes that it reads into go next
        QVERIFY(s.files.reads() < static_cast<int64_t>(kPieces));
    }

    void withoutReadsItDoesNotRun() { QVERIFY(!BatchReader(nullptr, 1).running()); }
};

QTEST_APPLESS_MAIN(BatchReaderTest)
#include "tst_batch_reader.moc"
