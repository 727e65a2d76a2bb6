// SPDX-License-Identifier: Apache-2.0
// Packed files: every block is as a slot holds it, a file of another model is never accepted, and nothing is left
// behind if writing ends early.
#include "experts/packed_file.h"

#include "base/hash.h"
#include "base/memory.h"
#include "experts/expert_store.h"
#include "experts/slot_layout.h"
#include "support/faulty_files.h"
#include "support/gguf_writer.h"
#include "support/small_disk.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace coterie;
using namespace coterie::engine;
using test::GgufWriter;

namespace {

constexpr int kLayerCount = 3, kExpertCount = 5;
constexpr const char* kPartNames[] = {"gate", "up", "down"};
constexpr std::string_view kLayoutName = "reversed-1";

/// Bytes of one expert's gate, up and down. They differ between layers, as in files of mixed formats.
uint64_t partBytes(int layer, size_t part) { return 224 - 64 * static_cast<uint64_t>(layer) + (part == 2 ? 44 : 0); }

std::string tensorName(int layer, size_t part) {
    return "blk." + std::to_string(layer) + ".ffn_" + kPartNames[part] + "_exps.weight";
}

/// The value of byte `index` of an expert's part.
char expected(int layer, size_t part, int expert, uint64_t index) {
    return static_cast<char>(layer * 89 + static_cast<int>(part) * 31 + expert * 7 + static_cast<int>(index % 251) * 3 +
                             1);
}

/// A model in `shards` files, its layers, and where its packed file goes.
struct Setup {
    QTemporaryDir folder;
    test::FaultyFiles files;
    std::unique_ptr<ModelFile> model;
    std::vector<ExpertLayer> layers;
    PackedFileKey key;
    int shards;

    explicit Setup(int modelShards = 1, const char* name = "one") : shards(modelShards) {
        writeModel(name);
        if (!openModel()) qFatal("the model can't be opened");
    }

    std::string packedPath() const { return folder.filePath("packed.experts").toStdString(); }
    std::string modelPath(int shard) const {
        const QString number = QString("-%1-of-%2").arg(shard + 1, 5, 10, QChar('0')).arg(shards, 5, 10, QChar('0'));
        return folder.filePath("experts" + (shards > 1 ? number : QString()) + ".gguf").toStdString();
    }
    void writeModel(const char* name) const {
        std::vector<GgufWriter> writers(static_cast<size_t>(shards));
        int tensors = 0;
        for (GgufWriter& writer : writers) writer.string("general.name", name);
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (size_t part = 0; part < 3; ++part) {
                std::string data;
                for (int expert = 0; expert < kExpertCount; ++expert)
                    for (uint64_t i = 0; i < partBytes(layer, part); ++i) data += expected(layer, part, expert, i);
                writers[static_cast<size_t>(tensors++ % shards)].tensor(
                    tensorName(layer, part), {partBytes(layer, part) / 4, 1, kExpertCount}, 0, data);
            }
        for (int shard = 0; shard < shards; ++shard) {
            GgufWriter& writer = writers[static_cast<size_t>(shard)];
            if (shards > 1)
                writer.u16("split.no", static_cast<uint16_t>(shard))
                    .u16("split.count", static_cast<uint16_t>(shards))
                    .i32("split.tensors.count", tensors);
            if (!writeWholeFile(systemFiles(), modelPath(shard), writer.bytes())) qFatal("the model can't be written");
        }
    }
    bool openModel() {
        auto opened = ModelFile::open(files, modelPath(0));
        if (!opened) return false;
        model = std::move(opened).value();
        layers.clear();
        for (int layer = 0; layer < kLayerCount; ++layer) {
            const auto matrix = [&](size_t part) {
                return ExpertLayer::Matrix{model->header().tensor(tensorName(layer, part)), partBytes(layer, part)};
            };
            ExpertLayer described{.gate = matrix(0), .up = matrix(1), .down = matrix(2), .experts = kExpertCount};
            described.arrangeDown = [bytes = partBytes(layer, 2)](const std::byte* read, std::byte* down) {
                std::memmove(down, read, bytes);
                std::reverse(down, down + bytes);
            };
            layers.push_back(std::move(described));
        }
        key = PackedFileKey::of(*model, layers, kLayoutName);
        return true;
    }

    Status write(const PackedFileProgress& progress = {}) {
        return writePackedFile(files, packedPath(), *model, layers, key, progress);
    }
    Result<PackedFile> open() { return PackedFile::open(files, packedPath(), key, layers); }
    /// Returns the kind of error that opening gives, or nothing if the file opens.
    std::optional<ErrorKind> refusal() {
        const Result<PackedFile> file = open();
        return file ? std::nullopt : std::optional(file.error().kind);
    }
    QStringList names() const {
        QStringList names = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
        names.removeIf([](const QString& name) { return name.endsWith(".gguf"); });
        return names;
    }
};

/// The bytes of that expert's part, arranged.
std::string partOf(int layer, size_t part, int expert) {
    std::string bytes(partBytes(layer, part), '\0');
    for (uint64_t i = 0; i < bytes.size(); ++i) bytes[i] = expected(layer, part, expert, i);
    if (part == 2) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

/// The first `size` bytes of its block.
std::string blockOf(int layer, int expert, uint64_t size) {
    std::string block;
    for (size_t part = 0; part < 3; ++part) {
        block.resize((block.size() + 63) / 64 * 64, '\0');
        block += partOf(layer, part, expert);
    }
    block.resize(size, '\0');
    return block;
}

QByteArray bytesOf(const std::string& path) {
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void setBytes(const std::string& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("can't write");
}
QDateTime timeOf(const std::string& path) { return QFileInfo(QString::fromStdString(path)).lastModified(); }
void setTime(const std::string& path, const QDateTime& time) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadWrite) || !file.setFileTime(time, QFileDevice::FileModificationTime))
        qFatal("can't set the time");
}

template <typename T>
T numberAt(const QByteArray& bytes, qsizetype at) {
    T number;
    std::memcpy(&number, bytes.constData() + at, sizeof number);
    return number;
}
template <typename T>
void setNumber(QByteArray& bytes, qsizetype at, T number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
}

// Offsets of the header's numbers, see packed_file.h.
constexpr qsizetype kVersionAt = 8, kHeaderBytesAt = 16, kKeyAt = 24, kFileBytesAt = 56, kAlignmentAt = 64,
                    kLayersAt = 68, kPathBytesAt = 72, pathAt = 80;

/// The file with its checksum corrected.
void sealHeader(QByteArray& bytes) {
    const auto end = static_cast<qsizetype>(numberAt<uint64_t>(bytes, kHeaderBytesAt)) - 8;
    Hash hash;
    hash.add(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(end))));
    setNumber(bytes, end, hash.value());
}

} // namespace

class TestPackedFile : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void blocksAreWhatSlotsHold_data() {
        QTest::addColumn<int>("shards");
        QTest::newRow("one file") << 1;
        QTest::newRow("three files") << 3;
    }
    void blocksAreWhatSlotsHold() {
        QFETCH(int, shards);
        Setup s(shards);
        QCOMPARE(s.model->shards(), size_t(shards));
        QVERIFY(s.write());
        s.files.pretendAlignment(directAlignment());
        const Result<PackedFile> file = s.open();
        QVERIFY(file.ok());
        const uint64_t alignment = file->alignment();
        QCOMPARE(alignment, std::max<uint64_t>(4096, directAlignment()));
        uint64_t end = 0;
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (int expert = 0; expert < kExpertCount; ++expert) {
                const uint64_t bytes = file->bytes(layer), offset = file->offset(layer, expert);
                QCOMPARE(bytes % alignment, uint64_t(0));
                QCOMPARE(offset % alignment, uint64_t(0));
                QVERIFY(bytes >= s.layers[static_cast<size_t>(layer)].packedOffsets().end);
                QVERIFY(offset >= end);
                end = offset + bytes;
                const Result<Buffer> block = Buffer::allocate(bytes, "a test");
                QVERIFY(block.ok() && file->file().readAt(offset, block->bytes()));
                QVERIFY(std::memcmp(block->data(), blockOf(layer, expert, bytes).data(), bytes) == 0);
            }
        QCOMPARE(file->file().size(), end);
        QCOMPARE(packedFileBytes(*s.model, s.layers), end);
        QVERIFY(checkPackedFile(file.value(), *s.model, s.layers, {}));
        QCOMPARE(s.files.misaligned(), int64_t(0));
        const Result<PackedFileCard> card = PackedFileCard::read(systemFiles(), s.packedPath());
        QVERIFY(card.ok() && card->key == s.key && card->model == s.modelPath(0) && card->bytes == end);
        QCOMPARE(s.names(), QStringList{"packed.experts"});
    }

    /// A tensor that holds two matrices of each expert: the model's own source and a packed file give the same halves.
    void twoMatricesInOneTensor() {
        Setup s;
        for (int layer = 0; layer < kLayerCount; ++layer) {
            ExpertLayer& described = s.layers[static_cast<size_t>(layer)];
            const uint64_t both = partBytes(layer, 0);
            described.up = {described.gate.tensor, both / 2, both / 2, both};
            described.gate = {described.gate.tensor, both / 2, 0, both};
            described.arrangeDown = {};
        }
        s.key = PackedFileKey::of(*s.model, s.layers, kLayoutName);
        QVERIFY(s.write());
        Result<PackedFile> file = s.open();
        QVERIFY(file.ok() && checkPackedFile(file.value(), *s.model, s.layers, {}));
        const auto packed = createPackedSource(std::move(file).value(), s.layers);
        const auto own = createTensorSource(*s.model, s.layers, false);
        QVERIFY(own.ok());
        for (const ExpertSource* source : {packed.get(), own->get()})
            for (int layer = 0; layer < kLayerCount; ++layer)
                for (int expert = 0; expert < kExpertCount; ++expert) {
                    const Result<Buffer> slot = Buffer::allocate(source->slotBytes(layer), "a test");
                    QVERIFY(slot.ok());
                    std::array<ReadExtent, kMostReadsPerExpert> reads;
                    const size_t count = source->extents(layer, expert, slot->data(), reads);
                    for (size_t i = 0; i < count; ++i) QVERIFY(reads[i].file->readAt(reads[i].offset, reads[i].to));
                    const ExpertParts parts = source->parts(layer, expert, slot->data(), true);
                    const std::string both = partOf(layer, 0, expert);
                    QVERIFY(std::memcmp(parts.gate, both.data(), both.size() / 2) == 0);
                    QVERIFY(std::memcmp(parts.up, both.data() + both.size() / 2, both.size() / 2) == 0);
                }
    }

    /// The source of a packed file: one read fills a slot, and a slot of this size would do for the model's own file,
    /// too.
    void oneReadFillsASlot() {
        Setup s(3);
        s.layers.insert(s.layers.begin() + 1, ExpertLayer{}); // a layer without experts has no blocks
        s.key = PackedFileKey::of(*s.model, s.layers, kLayoutName);
        QVERIFY(s.write());
        s.files.pretendAlignment(directAlignment());
        Result<PackedFile> file = s.open();
        QVERIFY(file.ok());
        const std::unique_ptr<ExpertSource> packed = createPackedSource(std::move(file).value(), s.layers);
        const Result<std::unique_ptr<ExpertSource>> apart = createTensorSource(*s.model, s.layers, true);
        QVERIFY(apart.ok());
        QCOMPARE(packed->experts(), (std::vector<int>{kExpertCount, 0, kExpertCount, kExpertCount}));
        // A slot planned for the model's file has room for a block, unless nothing needs to be aligned.
        for (const int layer : {0, 2, 3}) {
            QVERIFY(directAlignment() == 1 || packed->slotBytes(layer) <= apart.value()->slotBytes(layer));
            QCOMPARE(packed->slotBytes(layer) % std::max<uint64_t>(64, directAlignment()), uint64_t(0));
        }
        QCOMPARE(packed->slotBytes(1), uint64_t{0});
        const Result<Buffer> slot = Buffer::allocate(packed->slotBytes(0), "a test"); // layer 0 has the largest experts
        QVERIFY(slot.ok());
        for (const int layer : {0, 2, 3})
            for (int expert = 0; expert < kExpertCount; ++expert) {
                std::array<ReadExtent, kMostReadsPerExpert> reads;
                QCOMPARE(packed->extents(layer, expert, slot->data(), reads), size_t(1));
                QCOMPARE(reads[0].to.data(), slot->data());
                QVERIFY(reads[0].to.size() <= slot->size());
                QVERIFY(reads[0].file->readAt(reads[0].offset, reads[0].to));
                packed->arrange(layer, expert, slot->data());
                const ExpertParts parts = packed->parts(layer, expert, slot->data(), true);
                QVERIFY(parts.downArranged);
                const std::array at{parts.gate, parts.up, parts.down};
                for (size_t part = 0; part < at.size(); ++part) {
                    const std::string want = partOf(layer == 0 ? 0 : layer - 1, part, expert);
                    QCOMPARE(reinterpret_cast<uintptr_t>(at[part]) % 64, uintptr_t(0));
                    QVERIFY(std::memcmp(at[part], want.data(), want.size()) == 0);
                }
            }
        QCOMPARE(s.files.misaligned(), int64_t(0));
    }

    /// Blocks are smaller than the slots that a plan counts with, so a loan is asked for in bytes. Which layers have
    /// small slots is the plan's choice, even where blocks have one size.
    void loansHaveTheBytesThatWereAskedFor() {
        Setup s;
        QVERIFY(s.write());
        const SlotClasses two{.division = SlotDivision({.use = std::vector<double>(5), .atOnce = 2},
                                                       {.use = std::vector<double>(10), .atOnce = 2}),
                              .small = {0, 1, 1}};
        for (const SlotClasses& classes : {SlotClasses{}, two}) {
            Result<PackedFile> file = s.open();
            QVERIFY(file.ok());
            const auto store =
                ExpertStore::create(createPackedSource(std::move(file).value(), s.layers), s.files.createReads(2),
                                    {.slots = 12, .minimumSlots = 2, .classes = classes});
            QVERIFY(store.ok());
            const uint64_t planned = s.layers[0].slotBytes();
            QVERIFY(directAlignment() == 1 || store.value()->slotUse().bytesEach < planned);
            QVERIFY(store.value()->slotUse().bytesMost <= SlotLayout::of(s.layers).divided(classes, 12).arenaBytes(12));
            for (const uint64_t bytes : {uint64_t{1}, planned, planned + 1}) {
                QVERIFY(store.value()->lend(bytes).size() >= bytes);
                store.value()->endLoan();
            }
            for (const int layer : {0, 1, 2})
                QCOMPARE(store.value()->usableSlots(layer), uint64_t{classes.small.empty() ? 12U
                                                                     : layer == 0          ? 4U
                                                                                           : 8U});
        }
    }

    void noFileIsNotFound() {
        Setup s;
        QCOMPARE(s.refusal(), ErrorKind::NotFound);
        QVERIFY(!PackedFileCard::read(systemFiles(), s.packedPath()));
    }

    void anotherModelIsRefused() {
        Setup s;
        const QDateTime time = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        const auto refused = [&](const QDateTime& changed) {
            setTime(s.modelPath(0), changed);
            return !s.openModel() || s.refusal() == ErrorKind::BadInput;
        };
        setTime(s.modelPath(0), time);
        QVERIFY(s.openModel() && s.write());
        QVERIFY(!refused(time));
        QVERIFY(refused(time.addMSecs(-1)));
        s.writeModel("two"); // the file is as long as before
        QVERIFY(refused(time));
        s.writeModel("one");
        QVERIFY(!refused(time));
        setBytes(s.modelPath(0), bytesOf(s.modelPath(0)) + "more");
        QVERIFY(refused(time));
    }

    void anotherLayoutIsRefused() {
        Setup s;
        QVERIFY(s.write());
        const std::vector<ExpertLayer> layers = s.layers;
        const auto refused = [&](std::string_view layout) {
            s.key = PackedFileKey::of(*s.model, s.layers, layout);
            const std::optional<ErrorKind> kind = s.refusal();
            s.layers = layers;
            return kind == ErrorKind::BadInput;
        };
        QVERIFY(!refused(kLayoutName));
        QVERIFY(refused("reversed-2"));
        s.layers[1].arrangeDown = {};
        QVERIFY(refused(kLayoutName));
        s.layers[2].gate.bytes -= 1;
        QVERIFY(refused(kLayoutName));
        s.layers[0].experts -= 1;
        QVERIFY(refused(kLayoutName));
        s.layers.pop_back();
        QVERIFY(refused(kLayoutName));
        std::swap(s.layers[0].gate.tensor, s.layers[0].up.tensor);
        QVERIFY(refused(kLayoutName));
        QVERIFY(!refused(kLayoutName));
    }

    /// Any of several files of the model may have changed.
    void eachPartOfTheModelCounts() {
        for (int part = 0; part < 3; ++part) {
            Setup s(3);
            QVERIFY(s.write());
            setTime(s.modelPath(part), timeOf(s.modelPath(part)).addSecs(-5));
            QVERIFY(s.openModel());
            QCOMPARE(s.refusal(), ErrorKind::BadInput);
        }
    }

    void everyByteOfTheHeaderCounts() {
        Setup s;
        QVERIFY(s.write());
        const QByteArray whole = bytesOf(s.packedPath());
        const auto header = static_cast<qsizetype>(numberAt<uint64_t>(whole, kHeaderBytesAt));
        QVERIFY(header > pathAt && header < whole.size());
        for (qsizetype i = 0; i < header; ++i)
            for (const char wrong : {'\x01', '\x80', '\xff'}) {
                QByteArray changed = whole;
                changed[i] = static_cast<char>(changed[i] ^ wrong);
                setBytes(s.packedPath(), changed);
                QCOMPARE(s.refusal(), ErrorKind::BadInput);
                QVERIFY(!PackedFileCard::read(systemFiles(), s.packedPath()));
            }
        setBytes(s.packedPath(), whole);
        QCOMPARE(s.refusal(), std::nullopt);
    }

    void everyLengthButTheRightOneIsRefused() {
        Setup s;
        QVERIFY(s.write());
        const QByteArray whole = bytesOf(s.packedPath());
        const auto refused = [&](const QByteArray& bytes) {
            setBytes(s.packedPath(), bytes);
            s.files.pretendAlignment(1);
            const std::optional<ErrorKind> kind = s.refusal();
            s.files.pretendAlignment(4096);
            return kind == ErrorKind::BadInput && s.refusal() == ErrorKind::BadInput;
        };
        const auto header = static_cast<qsizetype>(numberAt<uint64_t>(whole, kHeaderBytesAt));
        for (qsizetype length = 0; length <= header + 1; ++length) QVERIFY(refused(whole.first(length)));
        for (qsizetype length = 4096; length < whole.size(); length += 4096) QVERIFY(refused(whole.first(length)));
        QVERIFY(refused(whole.first(whole.size() - 1)));
        QVERIFY(refused(whole + '\0'));
        QVERIFY(refused(whole + whole));
        QVERIFY(!refused(whole));
    }

    /// Wrong numbers with a right checksum.
    void liesAreRefused() {
        Setup s;
        QVERIFY(s.write());
        const QByteArray whole = bytesOf(s.packedPath());
        const auto refused = [&](const QByteArray& bytes) {
            setBytes(s.packedPath(), bytes);
            return s.refusal() == ErrorKind::BadInput;
        };
        const auto lies = [&]<typename T>(qsizetype at, T number) {
            QByteArray changed = whole;
            setNumber(changed, at, number);
            if (at != kHeaderBytesAt) sealHeader(changed);
            return refused(changed);
        };
        QByteArray sealed = whole;
        sealHeader(sealed);
        QCOMPARE(sealed, whole); // so the errors below come from the wrong numbers
        for (const uint32_t number : {0u, 2u, 0x01000000u, 0xffffffffu}) QVERIFY(lies(kVersionAt, number));
        for (const uint64_t number : {uint64_t(0), uint64_t(80), uint64_t(88), uint64_t(4096), uint64_t(whole.size()),
                                      uint64_t(1) << 40, ~uint64_t(0)})
            QVERIFY(lies(kHeaderBytesAt, number));
        for (const uint64_t number : {uint64_t(0), uint64_t(4096), ~uint64_t(0)}) {
            QVERIFY(lies(kFileBytesAt, number));
            for (qsizetype field = 0; field < 4; ++field) QVERIFY(lies(kKeyAt + 8 * field, number));
        }
        for (const uint32_t number : {0u, 1u, 3u, 512u, 8192u, 65536u, 0x80000000u, 0xffffffffu})
            QVERIFY(number == numberAt<uint32_t>(whole, kAlignmentAt) || lies(kAlignmentAt, number));
        for (const uint32_t number : {0u, 1u, 2u, 4u, 0x10000000u, 0xffffffffu}) QVERIFY(lies(kLayersAt, number));
        for (const uint32_t number : {0u, 1u, 0x7fffffffu, 0xfffffff0u, 0xffffffffu})
            QVERIFY(lies(kPathBytesAt, number));
        QByteArray longer = whole + QByteArray(4096, '\0'); // as long as the header says, and longer than its blocks
        setNumber(longer, kFileBytesAt, static_cast<uint64_t>(longer.size()));
        sealHeader(longer);
        QVERIFY(refused(longer));
        const qsizetype entries = pathAt + numberAt<uint32_t>(whole, kPathBytesAt);
        for (qsizetype number = 0; number < 2 * kLayerCount; ++number)
            for (const uint64_t value : {uint64_t(0), uint64_t(4), uint64_t(1) << 62, ~uint64_t(0)})
                QVERIFY(lies(entries + 8 * number, value));
        QVERIFY(!refused(whole));
    }

    void aCheckNamesTheExpert() {
        Setup s;
        QVERIFY(s.write());
        const QByteArray whole = bytesOf(s.packedPath());
        const uint64_t offset = s.open()->offset(1, 3), bytes = s.open()->bytes(1);
        for (const uint64_t at : {uint64_t(0), uint64_t(5), uint64_t(300), bytes - 1}) {
            QByteArray changed = whole;
            const auto place = static_cast<qsizetype>(offset + at);
            changed[place] = static_cast<char>(changed[place] ^ 4);
            setBytes(s.packedPath(), changed);
            const Result<PackedFile> file = s.open(); // only a check looks at blocks
            QVERIFY(file.ok());
            const Status checked = checkPackedFile(file.value(), *s.model, s.layers, {});
            QVERIFY(!checked);
            QCOMPARE(checked.error().kind, ErrorKind::BadInput);
            QVERIFY2(checked.error().line().find("Expert 3 of layer 1 ") != std::string::npos,
                     checked.error().line().c_str());
        }
        setBytes(s.packedPath(), whole);
        const Status stopped =
            checkPackedFile(s.open().value(), *s.model, s.layers, [](uint64_t done, uint64_t) { return done == 0; });
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    }

    void progressCountsUpAndMayStop() {
        Setup s;
        std::vector<uint64_t> told;
        uint64_t all = 0;
        QVERIFY(s.write([&](uint64_t done, uint64_t total) {
            told.push_back(done);
            all = total;
            return true;
        }));
        QCOMPARE(told.size(), size_t(kLayerCount * kExpertCount + 1));
        QCOMPARE(told.front(), uint64_t(0));
        QCOMPARE(told.back(), all);
        QVERIFY(std::is_sorted(told.begin(), told.end()));
        const QByteArray before = bytesOf(s.packedPath());
        for (const bool there : {true, false}) {
            if (!there) QVERIFY(QFile::remove(QString::fromStdString(s.packedPath())));
            for (const uint64_t stopAt : told) {
                const Status stopped = s.write([&](uint64_t done, uint64_t) { return done < stopAt; });
                QVERIFY(!stopped);
                QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
                QCOMPARE(s.names().size(), there ? 1 : 0);
                QCOMPARE(bytesOf(s.packedPath()), there ? before : QByteArray());
            }
        }
    }

    void aFullDiskIsAnErrorAndLeavesNothing() {
        const auto disk = test::SmallDisk::make(40 << 10);
        if (!disk) QSKIP("a small disk can't be mounted here");
        Setup s;
        const std::string path = disk->path().toStdString() + "/packed.experts";
        const Status written = writePackedFile(systemFiles(), path, *s.model, s.layers, s.key, {});
        QVERIFY(!written);
        QCOMPARE(written.error().kind, ErrorKind::Io);
        QVERIFY2(written.error().line().find(path) != std::string::npos, written.error().line().c_str());
        QVERIFY(QDir(disk->path()).isEmpty(QDir::Files | QDir::Hidden));
    }

    /// The 1st, 2nd, ... call fails: each time there is an error, and there is a whole file or none.
    void everyCallMayFail() {
        bool there = false;
        for (int64_t call = 1;; ++call) {
            Setup s;
            s.files.failCall(call);
            const Status written = s.write();
            const bool failed = s.files.fired();
            s.files.heal();
            QCOMPARE(!written, failed);
            there = !s.names().empty();
            QCOMPARE(there, written.ok());
            if (written) {
                QCOMPARE(s.refusal(), std::nullopt);
                break;
            }
            QCOMPARE(written.error().kind, ErrorKind::Io);
            QVERIFY(call < 1000);
        }
        QVERIFY(there);
        Setup s;
        QVERIFY(s.write());
        for (int64_t call = 1;; ++call) {
            s.files.failCall(call);
            const Result<PackedFile> file = s.open();
            const Status checked = file ? checkPackedFile(file.value(), *s.model, s.layers, {}) : Status(file.error());
            const bool finished = checked.ok();
            s.files.heal();
            if (finished) break;
            QCOMPARE(checked.error().kind, ErrorKind::Io);
            QVERIFY(call < 1000);
        }
        s.files.shortenReads(1);
        QCOMPARE(s.refusal(), ErrorKind::Io);
    }
};

QTEST_APPLESS_MAIN(TestPackedFile)
#include "tst_packed_file.moc"
