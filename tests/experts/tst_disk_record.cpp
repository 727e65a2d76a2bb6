// SPDX-License-Identifier: Apache-2.0
// Measuring a disk and keeping the figures: structure, damage, failing reads. The speed of this machine's disk is not
// tested.
#include "base/hash.h"
#include "base/memory.h"
#include "experts/disk_record.h"
#include "support/damage.h"
#include "support/faulty_files.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

bool sensible(const DiskProfile& profile) {
    const int depth = profile.readDepth;
    return profile.measured() && depth >= 1 && depth <= 8 && (depth & (depth - 1)) == 0 &&
           std::isfinite(profile.bytesPerSecond) && profile.latencySeconds > 0 && profile.latencySeconds < 60;
}

bool same(const std::optional<DiskProfile>& a, const std::optional<DiskProfile>& b) {
    if (!a || !b) return !a && !b;
    return a->readDepth == b->readDepth && a->bytesPerSecond == b->bytesPerSecond &&
           a->latencySeconds == b->latencySeconds;
}

constexpr uint32_t kVersion = 3;

/// A record as the program writes it.
QByteArray record(uint32_t depth, double bytesPerSecond, double latency, const char* magic = "coterdsk",
                  uint32_t version = kVersion) {
    QByteArray bytes(40, '\0');
    const auto put = [&](size_t at, const auto& value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
    std::memcpy(bytes.data(), magic, 8);
    put(8, version);
    put(12, depth);
    put(16, bytesPerSecond);
    put(24, latency);
    Hash hash;
    hash.add(std::as_bytes(std::span(bytes.constData(), 32)));
    put(32, hash.value());
    return bytes;
}

} // namespace

class TestDiskRecord : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string large_, small_;

    std::string made(const char* name) const {
        QDir(folder_.path()).mkpath(name);
        return folder_.filePath(name).toStdString();
    }
    static QStringList filesIn(const std::string& folder) {
        return QDir(QString::fromStdString(folder)).entryList(QDir::Files | QDir::Hidden);
    }
    std::string fileOf(const char* name, qint64 size) const {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("can't write");
        for (const QByteArray piece(1 << 20, 'x'); file.size() < size;)
            if (file.write(piece.first(std::min<qsizetype>(piece.size(), size - file.size()))) <= 0)
                qFatal("can't write");
        return file.fileName().toStdString();
    }
    /// Plants `bytes` as the record of large_'s disk in a folder that has one.
    static void plant(const std::string& folder, const QByteArray& bytes) {
        QFile file(QString::fromStdString(folder) + "/" + filesIn(folder).front());
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("can't write");
    }
    std::optional<DiskProfile> knownIn(const std::string& folder) const {
        return DiskRecord(systemFiles(), folder, large_).known();
    }

  private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        large_ = fileOf("large", (qint64(9) << 20) + 12345);
        small_ = fileOf("small", (qint64(8) << 20) - 1);
    }

    void theSmallestDepthThatIsNearlyTheBest() {
        const std::vector<DepthRate> rising{{1, 100}, {2, 190}, {4, 285}, {8, 300}, {16, 299}};
        QCOMPARE(smallestNearBest(rising).depth, 4);
        QCOMPARE(smallestNearBest(rising).bytesPerSecond, 285.0);
        const std::vector<DepthRate> below{{1, 100}, {2, 284}, {4, 300}};
        QCOMPARE(smallestNearBest(below).depth, 4);
        const std::vector<DepthRate> flat{{1, 96}, {2, 100}, {4, 98}}, falling{{1, 100}, {2, 50}};
        QCOMPARE(smallestNearBest(flat).depth, 1);
        QCOMPARE(smallestNearBest(falling).depth, 1);
        QCOMPARE(smallestNearBest(std::span(rising).first(1)).depth, 1);
    }

    void measuring() {
        FaultyFiles files;
        files.pretendAlignment(65536); // the largest alignment that any system requires
        const Result<DiskProfile> measured = measureDisk(files, large_);
        QVERIFY2(measured.ok(), measured ? "" : measured.error().line().c_str());
        QVERIFY(sensible(measured.value()));
        QVERIFY(files.reads() >= 1); // a slower disk gets fewer reads
        QCOMPARE(files.bytesRead(), files.reads() * static_cast<int64_t>(kStreamedPiece));
        QCOMPARE(files.misaligned(), int64_t(0));
        const Result<DiskProfile> plain = measureDisk(systemFiles(), large_);
        QVERIFY(plain && sensible(plain.value()));
    }

    void withoutRoomNothingIsMeasured() {
        const std::string folder = made("no room");
        QVERIFY(!DiskRecord(systemFiles(), folder, large_).profile(kMeasuringBytes - 1).measured());
        QVERIFY(filesIn(folder).empty());
        QVERIFY(DiskRecord(systemFiles(), folder, large_).profile(kMeasuringBytes).measured());
        QVERIFY(DiskRecord(systemFiles(), folder, large_).profile(0).measured()); // kept from the run before
    }

    void smallFilesAreNotRead() {
        FaultyFiles files;
        const Result<DiskProfile> measured = measureDisk(files, small_);
        QVERIFY(measured && !measured->measured());
        QCOMPARE(measured->readDepth, 4);
        QCOMPARE(files.reads(), int64_t(0));
        const std::string folder = made("small files");
        QCOMPARE(DiskRecord(files, folder, small_).profile().readDepth, 4);
        QVERIFY(filesIn(folder).empty());
        QVERIFY(!measureDisk(files, small_ + " is not there"));
    }

    void readsThatFailAreErrors() {
        for (int64_t n = 1; n <= 8; ++n) {
            FaultyFiles files;
            n % 2 == 0 ? files.shortenReads(n / 2) : files.failCall(n);
            const Result<DiskProfile> measured = measureDisk(files, large_);
            QVERIFY(files.fired());
            QVERIFY(!measured);
            QCOMPARE(measured.error().kind, ErrorKind::Io);
        }
        FaultyFiles gone;
        gone.vanishAfterReads(5);
        const std::string folder = made("gone");
        DiskRecord record(gone, folder, large_);
        const DiskProfile profile = record.profile();
        QVERIFY(!profile.measured() && profile.readDepth == DiskProfile{}.readDepth);
        QVERIFY(filesIn(folder).empty());
        gone.heal();
        QVERIFY(sensible(record.profile())); // the failure was not kept
    }

    void oneRunMeasuresTheNextOnesKnow() {
        const std::string folder = made("kept");
        QVERIFY(!knownIn(folder));
        DiskRecord first(systemFiles(), folder, large_);
        const DiskProfile profile = first.profile();
        QVERIFY(sensible(profile) && same(first.known(), profile) && same(first.profile(), profile));
        QCOMPARE(filesIn(folder).size(), 1);
        FaultyFiles files;
        DiskRecord second(files, folder, large_);
        QVERIFY(same(second.known(), profile));
        const int64_t before = files.calls();
        QVERIFY(same(second.profile(), profile));
        QCOMPARE(files.calls(), before); // nothing was read
        // Another model on the same disk, whose file is too small to be measured.
        const auto opened = systemFiles().openForReading(large_);
        QVERIFY(opened);
        const bool named = opened.value()->disk() != 0;
        QCOMPARE(DiskRecord(systemFiles(), folder, small_).known().has_value(), named);
    }

    /// The disk would be measured at each start if the folder were not made.
    void aMissingFolderIsMade() {
        const std::string folder = folder_.path().toStdString() + "/none/there";
        const DiskProfile profile = DiskRecord(systemFiles(), folder, large_).profile();
        QVERIFY(sensible(profile));
        FaultyFiles files;
        DiskRecord second(files, folder, large_);
        const int64_t reads = files.reads();
        QVERIFY(same(second.profile(), profile));
        QCOMPARE(files.reads(), reads); // not measured again
    }

    void damageMeansNothingIsKnown() {
        const std::string folder = made("damaged");
        DiskRecord(systemFiles(), folder, large_).profile();
        const QByteArray whole = record(7, 3e9, 0.0002);
        plant(folder, whole);
        const std::optional<DiskProfile> known = knownIn(folder);
        QVERIFY(same(known, DiskProfile{.readDepth = 7, .bytesPerSecond = 3e9, .latencySeconds = 0.0002}));
        QCOMPARE(damageTaken(whole,
                             [&](const QByteArray& bytes) {
                                 plant(folder, bytes);
                                 return knownIn(folder).has_value();
                             }),
                 QString());
        DiskRecord again(systemFiles(), folder, large_);
        const DiskProfile profile = again.profile();
        QVERIFY(sensible(profile) && same(knownIn(folder), profile)); // measured and written anew
    }

    void figuresThatCanNotBe() {
        const std::string folder = made("impossible");
        DiskRecord(systemFiles(), folder, large_).profile();
        constexpr double infinite = std::numeric_limits<double>::infinity(), none = std::nan("");
        for (const QByteArray& bytes :
             {record(4, 0, 1), record(4, -1, 1), record(4, infinite, 1), record(4, none, 1), record(4, 1, -1),
              record(4, 1, infinite), record(4, 1, none), record(4, 1, 1, "coterhed"),
              record(4, 1, 1, "coterdsk", kVersion - 1), record(4, 1, 1, "coterdsk", kVersion + 1)}) {
            plant(folder, bytes);
            QVERIFY(!knownIn(folder));
        }
        for (const auto& [depth, expected] : {std::pair{0u, 1}, {64u, 64}, {65u, 64}, {0xffffffffu, 64}}) {
            plant(folder, record(depth, 1, 0));
            QVERIFY(knownIn(folder));
            QCOMPARE(knownIn(folder)->readDepth, expected);
        }
    }

    void aFolderThatTakesNothingIsNoError() {
        QVERIFY(sensible(DiskRecord(systemFiles(), "", large_).profile()));
        const std::string folder = made("refusing");
        const std::string nowhere = folder + "/large, which is not there";
        QVERIFY(!DiskRecord(systemFiles(), folder, nowhere).profile().measured());
        class NoOutput final : public FileSystem {
          public:
            Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
                return systemFiles().openForReading(path);
            }
            Result<std::unique_ptr<OutputFile>> createOutput(const std::string&) override {
                return Error{ErrorKind::Io, "Can't write", "The disk is full", "Nothing"};
            }
        } full;
        QVERIFY(sensible(DiskRecord(full, folder, large_).profile()));
        QVERIFY(filesIn(folder).empty());
    }
};

QTEST_GUILESS_MAIN(TestDiskRecord)
#include "tst_disk_record.moc"
