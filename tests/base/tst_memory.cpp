// SPDX-License-Identifier: Apache-2.0
// Buffers and memory figures. Linux's figures come from folders that the test makes, so both kinds of cgroups are
// tested on any machine.
#include "base/memory.h"
#ifdef __linux__
#include "base/memory_linux.h"
#endif

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr uint64_t kMebibyte = 1 << 20;

#ifdef __linux__
int countMappings() {
    QFile maps("/proc/self/maps");
    return maps.open(QIODevice::ReadOnly) ? static_cast<int>(maps.readAll().count('\n')) : 0;
}
#endif

bool allAre(std::span<const std::byte> bytes, int value) {
    return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == std::byte(value); });
}

} // namespace

class TestMemory : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void write(const QString& path, const QByteArray& text) {
        const QString full = folder_.filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(full).path()));
        QFile file(full);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

#ifdef COTERIE_LINUX
    MemoryReading reading() const {
        return readLinuxMemory(folder_.filePath("proc").toStdString(), folder_.filePath("cgroup").toStdString());
    }
    void writeMachine() {
        write("proc/self/status", "Name:\tx\nVmPeak:\t 999 kB\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\nThreads:\t1\n");
        write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         100 kB\nMemAvailable:    8388608 kB\n");
    }
#endif

  private Q_SLOTS:
    void init() {
        QVERIFY(QDir(folder_.path()).removeRecursively());
        QVERIFY(QDir().mkpath(folder_.path()));
    }

    void buffersAreZeroedAndAligned() {
        auto buffer = Buffer::allocate(3 * kMebibyte + 5, "a test");
        QVERIFY(buffer);
        QCOMPARE(buffer->size(), 3 * kMebibyte + 5);
        QCOMPARE(reinterpret_cast<uintptr_t>(buffer->data()) % 4096, uintptr_t{0});
        QVERIFY(allAre(buffer->bytes(), 0));
        std::memset(buffer->data(), 1, buffer->size());
        QVERIFY(allAre(buffer->bytes(), 1));
    }

    void nothingIsANullPointer() {
        auto buffer = Buffer::allocate(0, "a test");
        QVERIFY(buffer);
        QVERIFY(buffer->data() == nullptr);
        QCOMPARE(buffer->size(), uint64_t{0});
        buffer->discard(0, 10);
    }

    void refusalsAreValues() {
        for (const uint64_t bytes : {~uint64_t{0}, uint64_t{1} << 63, uint64_t{1} << 60}) {
            const auto buffer = Buffer::allocate(bytes, "the KV cache");
            QVERIFY(!buffer);
            QCOMPARE(buffer.error().kind, ErrorKind::OutOfMemory);
            QVERIFY(buffer.error().what.english().find("the KV cache") != std::string::npos);
            QVERIFY(!buffer.error().why.empty() && !buffer.error().action.empty());
        }
    }

    void moving() {
        Buffer a = Buffer::allocate(100, "a test").value();
        std::byte* const data = a.data();
        Buffer b = std::move(a);
        QVERIFY(b.data() == data);
        Buffer c = Buffer::allocate(200, "a test").value();
        c = std::move(b);
        QVERIFY(c.data() == data);
        QCOMPARE(c.size(), uint64_t{100});
    }

    void discardedPagesReadAsZero() {
        auto made = Buffer::allocate(4 * kMebibyte, "a test");
        QVERIFY(made);
        Buffer buffer = std::move(made).value();
        std::memset(buffer.data(), 7, buffer.size());
        buffer.discard(kMebibyte + 1, kMebibyte);
        // The pages at both ends lie only partly inside, so they stay. The largest pages of any system have 64 KiB.
        QVERIFY(allAre(buffer.bytes().first(kMebibyte + 1), 7));
        QVERIFY(allAre(buffer.bytes().subspan(2 * kMebibyte + 1), 7));
        QVERIFY(allAre(buffer.bytes().subspan(kMebibyte + 65536, kMebibyte - 65536), 0));
        std::memset(buffer.data(), 9, buffer.size());
        QVERIFY(allAre(buffer.bytes(), 9));
        buffer.discard(3 * kMebibyte, ~uint64_t{0}); // to the end
        QVERIFY(allAre(buffer.bytes().first(3 * kMebibyte), 9));
        QVERIFY(allAre(buffer.bytes().subspan(3 * kMebibyte), 0));
        buffer.discard(~uint64_t{0}, 1);
        buffer.discard(0, 100); // no whole page
        QVERIFY(allAre(buffer.bytes().first(100), 9));
    }

    void figuresOfThisProcess() {
        const MemoryReading before = readMemory();
        if (before.resident == 0) QSKIP("this system gives no figures");
        QVERIFY(before.peakResident >= before.resident / 2); // the two are read one after the other
        QVERIFY(before.total > 0);
        QVERIFY(before.available <= before.total);
        auto buffer = Buffer::allocate(64 * kMebibyte, "a test");
        QVERIFY(buffer);
        QVERIFY(readMemory().resident < before.resident + 32 * kMebibyte); // nothing touched it
        std::memset(buffer->data(), 1, buffer->size());
        QVERIFY(readMemory().resident > before.resident + 48 * kMebibyte);
        QVERIFY(readMemory().peakResident > before.resident + 48 * kMebibyte);
        buffer->discard(0, buffer->size());
        QVERIFY(readMemory().resident < before.resident + 32 * kMebibyte);
    }

#ifdef COTERIE_LINUX
    /// An arena whose slots come and go: a slot that was given back is released and reads as zero, and the mapping
    /// stays one. (With a mapping for each hole, a large arena would reach the system's limit and lose its large
    /// pages.)
    void givenBackOverAndOver() {
        constexpr uint64_t arenaBytes = 128 * kMebibyte, slotBytes = 2 * kMebibyte - 8192;
        constexpr uint64_t count = arenaBytes / slotBytes;
        Buffer arena = Buffer::allocate(arenaBytes, "a test", Buffer::Pages::Large).value();
        const auto slot = [&](uint64_t i) { return arena.bytes().subspan(i * slotBytes, slotBytes); };
        const int mappings = countMappings();
        for (int round = 0; round < 3; ++round) {
            std::memset(arena.data(), 5, arenaBytes);
            const uint64_t full = readMemory().resident;
            for (uint64_t i = 0; i < count; i += 2) arena.discard(i * slotBytes, slotBytes);
            QVERIFY(full - readMemory().resident > arenaBytes / 2 - 8 * kMebibyte);
            for (uint64_t i = 0; i < count; ++i) QVERIFY(allAre(slot(i), i % 2 == 0 ? 0 : 5));
        }
        QVERIFY2(countMappings() <= mappings + 4, qPrintable(QString::number(countMappings() - mappings)));
    }

    void freedMemoryGoesBack() {
        std::vector<std::vector<char>> small(2048);
        for (auto& piece : small) piece.assign(32768, 1); // too small to be a mapping of its own
        const uint64_t full = readMemory().resident;
        // The last piece stays, so that the allocator cannot shrink its heap from the end.
        for (size_t i = 0; i + 1 < small.size(); ++i) std::vector<char>().swap(small[i]);
        releaseFreedMemory();
#ifdef __GLIBC__
        QVERIFY(full - readMemory().resident > 48 * kMebibyte);
#endif
    }

    void aMachineWithoutCgroups() {
        writeMachine();
        const MemoryReading now = reading();
        QCOMPARE(now.resident, 1 * kMebibyte);
        QCOMPARE(now.peakResident, 2 * kMebibyte);
        QCOMPARE(now.total, 16384 * kMebibyte);
        QCOMPARE(now.available, 8192 * kMebibyte);
    }

    void noFilesAtAll() {
        const MemoryReading now = reading();
        QCOMPARE(now.resident, uint64_t{0});
        QCOMPARE(now.total, uint64_t{0});
        QCOMPARE(now.available, uint64_t{0});
    }

    void version2LimitsOfAParent() {
        writeMachine();
        write("proc/self/cgroup", "0::/user.slice/app.scope\n");
        write("cgroup/user.slice/app.scope/memory.max", "max\n");
        write("cgroup/user.slice/app.scope/memory.current", "1000\n");
        write("cgroup/user.slice/memory.max", "1073741824\n");
        write("cgroup/user.slice/memory.current", "734003200\n"); // 700 MiB, of which files:
        write("cgroup/user.slice/memory.stat", "anon 1\ninactive_file 209715200\nactive_file 104857600\n"); // 300 MiB
        QCOMPARE(reading().total, 1024 * kMebibyte);
        QCOMPARE(reading().available, 624 * kMebibyte);
    }

    /// The group may take 1 GiB, but other groups have left little of its parent's 2 GiB.
    void version2AParentWithLessRoom() {
        writeMachine();
        write("proc/self/cgroup", "0::/pod/box\n");
        write("cgroup/pod/box/memory.max", "1073741824\n");
        write("cgroup/pod/box/memory.current", "104857600\n");
        write("cgroup/pod/memory.max", "2147483648\n");
        write("cgroup/pod/memory.current", "1992294400\n"); // 1900 MiB
        QCOMPARE(reading().total, 1024 * kMebibyte);
        QCOMPARE(reading().available, 148 * kMebibyte);
    }

    void version1InAContainer() {
        writeMachine();
        // The group's own folder is outside the container; the root stands for it.
        write("proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n1:name=systemd:/x\n");
        write("cgroup/memory/memory.limit_in_bytes", "2147483648\n");
        write("cgroup/memory/memory.usage_in_bytes", "1073741824\n");
        write("cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file 0\ntotal_active_file 0\n");
        QCOMPARE(reading().total, 2048 * kMebibyte);
        QCOMPARE(reading().available, 1024 * kMebibyte);
    }

    void version1WithoutALimit() {
        writeMachine();
        write("proc/self/cgroup", "4:hugetlb,memory:/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        QCOMPARE(reading().total, 16384 * kMebibyte);
        QCOMPARE(reading().available, 8192 * kMebibyte);
    }

    void aGroupThatIsFull() {
        writeMachine();
        write("proc/self/cgroup", "0::/\nnonsense\n:\n");
        write("cgroup/memory.max", "1048576");
        write("cgroup/memory.current", "2097152");
        QCOMPARE(reading().total, 1 * kMebibyte);
        QCOMPARE(reading().available, uint64_t{0});
    }
#endif
};

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
