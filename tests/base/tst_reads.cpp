// SPDX-License-Identifier: Apache-2.0
// Reads in flight and direct files: io_uring and threads return the file's bytes, each result once, and errors when
// something fails. Also the pieces of a positioned read.
#include "base/memory.h"
#include "base/read_pieces.h"
#include "base/reads.h"
#include "support/faulty_files.h"
#include "support/random.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#ifndef Q_OS_WIN
#include <sys/mman.h>
#endif

using namespace coterie;
using namespace coterie::engine;

namespace {

/// The system's files with reads on threads, even if the system has a queue.
class ThreadsOnly final : public FileSystem {
  public:
    Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
        return systemFiles().openForReading(path);
    }
    Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) override {
        return systemFiles().openDirect(path);
    }
    Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
        return systemFiles().createOutput(path);
    }
};

/// A file's byte at a position: no two neighbouring blocks are alike.
std::byte byteAt(uint64_t position) {
    uint64_t x = (position / 8 + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return static_cast<std::byte>(x >> position % 8 * 8);
}

QByteArray contentOf(size_t bytes) {
    QByteArray content(static_cast<qsizetype>(bytes), '\0');
    for (size_t i = 0; i < bytes; ++i) content[static_cast<qsizetype>(i)] = static_cast<char>(byteAt(i));
    return content;
}

/// Whether `bytes` are those at `offset` of a file of `size` bytes, up to its end.
bool isContent(std::span<const std::byte> bytes, uint64_t offset, uint64_t size) {
    for (size_t i = 0; i < bytes.size() && offset + i < size; ++i)
        if (bytes[i] != byteAt(offset + i)) return false;
    return true;
}

const QDateTime kLongAgo = QDateTime::fromSecsSinceEpoch(1'000'000'000);

/// Bytes that are in no file; a read of it waits until the gate is open.
class GatedFile final : public RandomAccessFile {
  public:
    uint64_t size() const override { return 1000; }
    const std::string& path() const override { return path_; }
    int64_t changedAt() const override { return 0; }
    Status readAt(uint64_t, std::span<std::byte> out) override {
        std::unique_lock lock(mutex_);
        ++inside_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
        std::fill(out.begin(), out.end(), std::byte{7});
        return {};
    }
    void waitForReaders(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return inside_ >= count; });
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

  private:
    std::string path_ = "gated";
    std::mutex mutex_;
    std::condition_variable changed_;
    int inside_ = 0;
    bool open_ = false;
};

/// A file with the properties that ReadPieces asks for.
class PaperFile final : public RandomAccessFile {
  public:
    PaperFile(uint64_t size, uint64_t alignment) : size_(size), alignment_(alignment) {}
    uint64_t size() const override { return size_; }
    uint64_t alignment() const override { return alignment_; }
    const std::string& path() const override { return path_; }
    int64_t changedAt() const override { return 0; }
    Status readAt(uint64_t, std::span<std::byte>) override { return {}; }

  private:
    uint64_t size_, alignment_;
    std::string path_ = "paper";
};

using Results = std::map<uint64_t, Status>;

/// All reads in flight, by id.
Results collectAll(AsyncReads& reads) {
    Results results;
    std::array<ReadDone, 3> done;
    while (reads.inFlight() > 0)
        for (ReadDone& read : reads.collect(done)) {
            if (results.contains(read.id)) qFatal("twice: %llu", static_cast<unsigned long long>(read.id));
            results.emplace(read.id, std::move(read.status));
        }
    return results;
}

} // namespace

class TestReads : public QObject {
    Q_OBJECT

    static constexpr uint64_t kSize = 3'000'000 + 1234;

    QTemporaryDir folder_;
    ThreadsOnly threadsOnly_;
    std::string path_;

    /// One test row for each way of reading.
    static void readers() {
        QTest::addColumn<bool>("threads");
        QTest::newRow("threads") << true;
        QTest::newRow("the system's") << false;
    }
    static void readersAndFiles() {
        QTest::addColumn<bool>("threads");
        QTest::addColumn<bool>("direct");
        for (const bool threads : {true, false})
            for (const bool direct : {true, false})
                QTest::addRow("%s, %s", threads ? "threads" : "the system's", direct ? "direct" : "buffered")
                    << threads << direct;
    }
    FileSystem& reader() {
        QFETCH(bool, threads);
        if (threads) return threadsOnly_;
        return systemFiles();
    }
    /// Returns null if the row would repeat the other one.
    std::unique_ptr<AsyncReads> create(int depth) {
        QFETCH(bool, threads);
        auto reads = reader().createReads(depth);
        if (!threads && (!reads || std::string(reads->name()) != "io_uring")) return nullptr;
        return reads;
    }
#define CREATE(reads, depth)                                                                                           \
    const auto reads = create(depth);                                                                                  \
    if (!reads) QSKIP("no io_uring here")

    static Buffer bytes(uint64_t count) {
        auto buffer = Buffer::allocate(count, "a test");
        if (!buffer) qFatal("%s", buffer.error().line().c_str());
        return std::move(buffer).value();
    }
    std::string newFile(const char* name, const QByteArray& content) const {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("can't write");
        return file.fileName().toStdString();
    }
    static std::unique_ptr<RandomAccessFile> opened(FileSystem& files, const std::string& path, bool direct) {
        auto file = direct ? files.openDirect(path) : files.openForReading(path);
        if (!file) qFatal("%s", file.error().line().c_str());
        return std::move(file).value();
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        path_ = newFile("content", contentOf(kSize));
    }

    void randomReadsAreTheFile_data() {
        QTest::addColumn<bool>("threads");
        QTest::addColumn<bool>("direct");
        QTest::addColumn<int>("depth");
        for (const bool threads : {true, false})
            for (const bool direct : {true, false})
                for (const int depth : {1, 2, 5, 32})
                    QTest::addRow("%s, %s, %d", threads ? "threads" : "the system's", direct ? "direct" : "buffered",
                                  depth)
                        << threads << direct << depth;
    }
    void randomReadsAreTheFile() {
        QFETCH(bool, direct);
        QFETCH(int, depth);
        CREATE(reads, depth);
        QCOMPARE(reads->depth(), size_t(depth));
        const auto file = opened(reader(), path_, direct);
        const uint64_t step = file->alignment();
        constexpr uint64_t room = 256 << 10;
        const Buffer buffer = bytes(room * static_cast<uint64_t>(depth));
        test::Random random(7);
        struct Asked {
            uint64_t offset, length;
            size_t place;
        };
        std::map<uint64_t, Asked> asked;
        std::vector<size_t> places;
        for (size_t i = 0; i < size_t(depth); ++i) places.push_back(i);
        std::array<ReadDone, 4> done;
        constexpr uint64_t count = 300;
        for (uint64_t next = 0, collected = 0; collected < count;) {
            while (next < count && reads->inFlight() < reads->depth()) {
                uint64_t length = 1 + random.bits() % (next % 3 == 0 ? room : 5000);
                uint64_t offset = random.bits() % (kSize - length);
                if (next % 17 == 5) offset = kSize - length; // the end of the file
                length = std::min((length + step - 1) / step * step, room / step * step);
                offset = offset / step * step;
                const Asked one{offset, length, places.back()};
                places.pop_back();
                asked.emplace(next, one);
                reads->submit({.file = file.get(),
                               .offset = offset,
                               .out = buffer.bytes().subspan(one.place * room, length),
                               .id = next++});
            }
            for (const ReadDone& read : reads->collect(done)) {
                const auto found = asked.find(read.id);
                QVERIFY(found != asked.end()); // each read is reported once
                QVERIFY2(read.status.ok(), read.status ? "" : read.status.error().line().c_str());
                const Asked& one = found->second;
                QVERIFY(isContent(buffer.bytes().subspan(one.place * room, one.length), one.offset, kSize));
                places.push_back(one.place);
                asked.erase(found);
                ++collected;
            }
        }
        QCOMPARE(reads->inFlight(), size_t(0));
    }

    void noDepthNoReads() {
        QVERIFY(!createThreadedReads(0));
        QVERIFY(!systemFiles().createReads(0));
    }

    void wakingIsNeverLost_data() { readers(); }
    void wakingIsNeverLost() {
        CREATE(reads, 2);
        std::array<ReadDone, 2> done;
        reads->wake(); // woken before collect()
        QVERIFY(reads->collect(done).empty());
        std::thread other([&] { reads->wake(); });
        QVERIFY(reads->collect(done).empty());
        other.join();
        // The threads proceed in step: a lost wake would let one of the two wait for ever.
        std::mutex mutex;
        std::condition_variable changed;
        int returned = 0;
        constexpr int rounds = 2000;
        std::thread waker([&] {
            for (int i = 0; i < rounds; ++i) {
                reads->wake();
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return returned > i; });
            }
        });
        for (int i = 0; i < rounds; ++i) {
            reads->collect(done);
            const std::lock_guard lock(mutex);
            ++returned;
            changed.notify_all();
        }
        waker.join();
    }

    /// Reads that the ring cannot do go beside it, as many as may be in flight.
    void nobodyWaitsForAFileThatHangs_data() { readers(); }
    void nobodyWaitsForAFileThatHangs() {
        CREATE(reads, 3);
        GatedFile gated;
        const auto file = opened(reader(), path_, false);
        const Buffer buffer = bytes(3000);
        const auto part = [&](size_t i) { return buffer.bytes().subspan(i * 1000, 1000); };
        reads->submit({.file = &gated, .offset = 0, .out = part(0), .id = 10});
        reads->submit({.file = &gated, .offset = 0, .out = part(1), .id = 11});
        gated.waitForReaders(2);
        std::array<ReadDone, 3> done;
        reads->wake();
        QVERIFY(reads->collect(done).empty());
        QCOMPARE(reads->inFlight(), size_t(2));
        reads->submit({.file = file.get(), .offset = 77, .out = part(2), .id = 12});
        const auto first = reads->collect(done);
        QCOMPARE(first.size(), size_t(1));
        QCOMPARE(first[0].id, uint64_t(12));
        QVERIFY(isContent(part(2), 77, kSize));
        gated.open();
        const Results rest = collectAll(*reads);
        QVERIFY(rest.size() == 2 && rest.at(10) && rest.at(11));
        QVERIFY(part(0)[999] == std::byte{7} && part(1)[0] == std::byte{7});
    }

    void theThreadThatSubmittedMayEnd_data() { readers(); }
    void theThreadThatSubmittedMayEnd() {
        CREATE(reads, 16);
        constexpr uint64_t length = 64 << 10;
        for (int round = 0; round < 20; ++round) {
            const auto file = opened(reader(), path_, round % 2 == 0);
            const Buffer buffer = bytes(length * 16);
            std::thread([&] {
                for (uint64_t i = 0; i < 16; ++i)
                    reads->submit({.file = file.get(),
                                   .offset = i * length,
                                   .out = buffer.bytes().subspan(i * length, length),
                                   .id = i});
            }).join();
            for (const auto& [id, status] : collectAll(*reads)) QVERIFY(status);
            QVERIFY(isContent(buffer.bytes(), 0, kSize));
        }
    }

    void destroyedItWaits_data() { readers(); }
    void destroyedItWaits() {
        FileSystem& files = reader();
        const auto file = opened(files, path_, true);
        constexpr uint64_t length = 128 << 10;
        for (int round = 0; round < 10; ++round) {
            const Buffer buffer = bytes(length * 8);
            {
                CREATE(reads, 8);
                for (uint64_t i = 0; i < 8; ++i)
                    reads->submit({.file = file.get(),
                                   .offset = i * length,
                                   .out = buffer.bytes().subspan(i * length, length),
                                   .id = i});
            }
            QVERIFY(isContent(buffer.bytes(), 0, kSize)); // all of it came
        }
        test::FaultyFiles slow(files);
        slow.slowReads(20);
        const auto slowFile = opened(slow, path_, false);
        const Buffer buffer = bytes(4000);
        {
            const auto reads = slow.createReads(4);
            for (uint64_t i = 0; i < 4; ++i)
                reads->submit({.file = slowFile.get(),
                               .offset = i * 1000,
                               .out = buffer.bytes().subspan(i * 1000, 1000),
                               .id = i});
        }
        QVERIFY(isContent(buffer.bytes(), 0, kSize));
    }

    void directFilesAndTheirEnds() {
        for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{511}, uint64_t{4096}, uint64_t{70000}}) {
            const std::string path = newFile("end", contentOf(size));
            const auto file = opened(systemFiles(), path, true);
            const uint64_t step = file->alignment();
            QVERIFY(step >= 1 && step <= directAlignment() && (step & (step - 1)) == 0);
            QCOMPARE(file->size(), size);
            const uint64_t padded = (size + step - 1) / step * step;
            const Buffer buffer = bytes(padded + 2 * step);
            QVERIFY(file->readAt(0, buffer.bytes().first(padded)));
            QVERIFY(isContent(buffer.bytes().first(padded), 0, size));
            QVERIFY(file->readAt(0, {}));
            for (const uint64_t offset : {uint64_t{0}, padded, padded + step, uint64_t{1} << 62}) {
                const uint64_t length = offset == 0 ? padded + step : step; // one step beyond the end
                const Status beyond = file->readAt(offset, buffer.bytes().first(length));
                QVERIFY(!beyond);
                QCOMPARE(beyond.error().kind, ErrorKind::Io);
                QVERIFY(beyond.error().what.english().find(path) != std::string::npos);
            }
        }
    }

    void misalignedReadsAreErrors_data() { readers(); }
    void misalignedReadsAreErrors() {
        CREATE(reads, 3);
        const auto file = opened(reader(), path_, true);
        const uint64_t step = file->alignment();
        if (step == 1) QSKIP("direct files take any read here");
        const Buffer buffer = bytes(4 * step);
        const auto all = buffer.bytes();
        reads->submit({.file = file.get(), .offset = 1, .out = all.first(step), .id = 0});
        reads->submit({.file = file.get(), .offset = 0, .out = all.first(step + 1), .id = 1});
        reads->submit({.file = file.get(), .offset = 0, .out = all.subspan(1, step), .id = 2});
        const Results results = collectAll(*reads);
        QCOMPARE(results.size(), size_t(3));
        for (const auto& [id, status] : results) {
            QVERIFY(!status);
            QCOMPARE(status.error().kind, ErrorKind::Internal);
        }
        QVERIFY(file->readAt(0, all.first(step)));
    }

    void aFileThatShrinks_data() { readersAndFiles(); }
    void aFileThatShrinks() {
        QFETCH(bool, direct);
        CREATE(reads, 4);
        for (const qint64 left : {100'000, 65'536, 4096, 10, 0}) {
            const std::string path = newFile("shrinking", contentOf(200'000));
            const auto file = opened(reader(), path, direct);
            const uint64_t step = directAlignment();
            const uint64_t end = 200'000 / step * step;
            const Buffer buffer = bytes(uint64_t{4} << 18);
            const auto part = [&](uint64_t i, uint64_t length) { return buffer.bytes().subspan(i << 18, length); };
            QVERIFY(QFile::resize(QString::fromStdString(path), left));
            const uint64_t whole = static_cast<uint64_t>(left) / step * step;
            reads->submit({.file = file.get(), .offset = 0, .out = part(0, whole), .id = 0});
            reads->submit({.file = file.get(), .offset = 0, .out = part(1, whole + step), .id = 1}); // across the end
            reads->submit({.file = file.get(), .offset = 0, .out = part(2, end), .id = 2});
            reads->submit({.file = file.get(), .offset = end - step, .out = part(3, step), .id = 3}); // beyond
            const Results results = collectAll(*reads);
            if (whole > 0) QVERIFY(!results.at(0)); // its bytes are there, but the file is not the one that was opened
            for (const uint64_t id : {uint64_t{1}, uint64_t{2}, uint64_t{3}}) {
                QVERIFY2(!results.at(id), qPrintable(QString("%1 of %2").arg(id).arg(left)));
                QCOMPARE(results.at(id).error().kind, ErrorKind::Io);
                QVERIFY(results.at(id).error().what.english().find(path) != std::string::npos);
            }
        }
    }

    void aFileThatIsChanged_data() { readersAndFiles(); }
    void aFileThatIsChanged() {
        QFETCH(bool, direct);
        CREATE(reads, 4);
        const Buffer buffer = bytes(16384);
        const auto readFrom = [&](RandomAccessFile& file) {
            reads->submit({.file = &file, .offset = 0, .out = buffer.bytes(), .id = 1});
            return collectAll(*reads).at(1);
        };
        enum Change { OtherBytes, MoreBytes, OtherTime };
        for (const Change change : {OtherBytes, MoreBytes, OtherTime}) {
            const std::string path = newFile("changing", contentOf(100'000));
            const auto file = opened(reader(), path, direct);
            QVERIFY(readFrom(*file));
            QFile other(QString::fromStdString(path));
            QVERIFY(other.open(QIODevice::ReadWrite));
            const auto write = [&] {
                if (change == OtherTime) return other.setFileTime(kLongAgo, QFileDevice::FileModificationTime);
                return other.seek(change == MoreBytes ? 100'000 : 50'000) && other.write("other") == 5 && other.flush();
            };
            QTRY_VERIFY(write() && !readFrom(*file)); // a file's time may go in steps of milliseconds
            const Status changed = readFrom(*file);
            QCOMPARE(changed.error().kind, ErrorKind::Io);
            QVERIFY(changed.error().what.english().find(path) != std::string::npos);
            QVERIFY(!file->readAt(0, buffer.bytes())); // without a queue, too
            QVERIFY(readFrom(*opened(reader(), path, direct)));
        }
    }

    void whatTheSystemRefuses_data() { readers(); }
    void whatTheSystemRefuses() {
#ifdef Q_OS_WIN
        QSKIP("POSIX alone");
#else
        CREATE(reads, 1);
        const auto file = opened(reader(), path_, false);
        void* const closed = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(closed != MAP_FAILED);
        reads->submit({.file = file.get(), .offset = 0, .out = {static_cast<std::byte*>(closed), 4096}, .id = 1});
        const Results results = collectAll(*reads);
        ::munmap(closed, 4096);
        QVERIFY(!results.at(1));
        QCOMPARE(results.at(1).error().kind, ErrorKind::Io);
        QVERIFY(!results.at(1).error().why.empty());
        const Buffer buffer = bytes(10);
        reads->submit({.file = file.get(), .offset = 5, .out = buffer.bytes(), .id = 2}); // and the reads go on
        QVERIFY(collectAll(*reads).at(2));
        QVERIFY(isContent(buffer.bytes(), 5, kSize));
#endif
    }

    /// The Nth read fails, and no other read that is in flight with it fails.
    void theNthReadFails_data() { readers(); }
    void theNthReadFails() {
        CREATE(whoever, 1);
        constexpr uint64_t count = 6, length = 4096;
        for (const bool shorter : {false, true})
            for (uint64_t n = 1; n <= count + 1; ++n) {
                test::FaultyFiles files(reader());
                const auto file = opened(files, path_, false);
                const auto reads = files.createReads(3);
                QCOMPARE(files.calls(), int64_t(1));
                shorter ? files.shortenReads(int64_t(n)) : files.failCall(int64_t(n));
                const Buffer buffer = bytes(count * length);
                Results results;
                for (uint64_t i = 0; i < count; i += 3) {
                    for (uint64_t k = i; k < i + 3; ++k)
                        reads->submit({.file = file.get(),
                                       .offset = k * length,
                                       .out = buffer.bytes().subspan(k * length, length),
                                       .id = k + 1});
                    results.merge(collectAll(*reads));
                }
                QCOMPARE(files.fired(), n <= count);
                QCOMPARE(files.reads(), int64_t(count));
                QCOMPARE(files.calls(), int64_t(count + 1));
                QCOMPARE(results.size(), size_t(count));
                for (const auto& [id, status] : results) {
                    QCOMPARE(status.ok(), id != n);
                    const auto part = buffer.bytes().subspan((id - 1) * length, length);
                    QVERIFY(isContent(id != n   ? part
                                      : shorter ? part.first(length / 2)
                                                : part.first(0),
                                      (id - 1) * length, kSize));
                    if (id == n) QVERIFY(part.back() == std::byte{0});
                }
            }
    }

    void pretendedAlignment_data() { readers(); }
    void pretendedAlignment() {
        CREATE(whoever, 1);
        test::FaultyFiles files(reader());
        files.pretendAlignment(4096);
        const auto file = opened(files, path_, true);
        QCOMPARE(file->alignment(), uint64_t(4096));
        QCOMPARE(opened(files, path_, false)->alignment(), uint64_t(1));
        const auto reads = files.createReads(4);
        const Buffer buffer = bytes(4 * 8192);
        const auto part = [&](size_t i, size_t from, size_t length) {
            return buffer.bytes().subspan(i * 8192 + from, length);
        };
        const uint64_t last = kSize / 4096 * 4096;
        reads->submit({.file = file.get(), .offset = last, .out = part(0, 0, 4096), .id = 0});
        reads->submit({.file = file.get(), .offset = last, .out = part(1, 0, 8192), .id = 1});
        reads->submit({.file = file.get(), .offset = 512, .out = part(2, 0, 4096), .id = 2});
        reads->submit({.file = file.get(), .offset = 0, .out = part(3, 512, 4096), .id = 3});
        const Results results = collectAll(*reads);
        QVERIFY(results.at(0) && !results.at(1) && !results.at(2) && !results.at(3));
        QVERIFY(isContent(part(0, 0, 4096), last, kSize));
        QVERIFY(part(0, 4095, 1)[0] == std::byte{0xdb});
        QCOMPARE(files.misaligned(), int64_t(3));
    }

    void readsInPieces() {
        const Buffer buffer = bytes((uint64_t{1} << 30) + 4096); // nothing touches it
        const auto all = buffer.bytes();
        const PaperFile any(uint64_t{9} << 30, 1), aligned((uint64_t{2} << 30) + 100, 4096);

        ReadPieces large(any, 5, all.first((size_t{1} << 30) + 7));
        QVERIFY(large.check() && !large.done());
        QCOMPARE(large.length(), size_t{1} << 30);
        QVERIFY(large.advance(3)); // cut short
        QCOMPARE(large.offset(), uint64_t(8));
        QVERIFY(large.data() == all.data() + 3);
        QVERIFY(large.advance(size_t{1} << 30));
        QCOMPARE(large.length(), size_t(4));
        QVERIFY(!large.done() && large.advance(4) && large.done());
        QVERIFY(ReadPieces(any, 0, {}).done());

        // Beyond the end of an aligned file by less than 4096; the last block comes cut short.
        ReadPieces tail(aligned, uint64_t{1} << 30, all.first((size_t{1} << 30) + 4096));
        QVERIFY(tail.check() && tail.advance(size_t{1} << 30) && !tail.done());
        QCOMPARE(tail.length(), size_t(4096));
        QVERIFY(tail.advance(100) && tail.done());
        // Also in the middle: the rest of a block is read again.
        ReadPieces again(aligned, 0, all.first(3 * 4096));
        QVERIFY(again.advance(4096 + 512) && !again.done());
        QCOMPARE(again.offset(), uint64_t(4096));
        QCOMPARE(again.length(), size_t(2 * 4096));
        // Less than a block, or nothing: the file has ended.
        for (const size_t got : {size_t(512), size_t(0)}) {
            ReadPieces ended = again;
            const Status status = ended.advance(got);
            QVERIFY(!status);
            QCOMPARE(status.error().kind, ErrorKind::Io);
        }
        QVERIFY(!ReadPieces(any, 5, all.first(1)).advance(0));
    }
};

QTEST_GUILESS_MAIN(TestReads)
#include "tst_reads.moc"
