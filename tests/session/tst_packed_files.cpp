// SPDX-License-Identifier: Apache-2.0
// Packed files: made, found again by the right model alone, made anew where stale, removed; and what is inside is the
// model.
#include "session/packed_files.h"

#include "base/memory.h"
#include "decoder/packing.h"
#include "kernels/regroup.h"
#include "session/opened_model.h"
#include "support/faulty_files.h"
#include "support/small_disk.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QtTest>

#include <array>

using namespace coterie::engine;
using namespace coterie::test;
using State = PackedFileStatus::State;

namespace {

/// Wide enough for down matrices to be regrouped.
TinyModelOptions sparse(uint64_t seed = 1) {
    TinyModelOptions options{.architecture = "smallthinker", .type = TensorType::Q4_0, .seed = seed};
    options.width = 256;
    options.heads = 8;
    options.experts = 4;
    return options;
}

QDateTime timeOf(const std::string& path) { return QFileInfo(QString::fromStdString(path)).lastModified(); }
void setTime(const std::string& path, const QDateTime& time) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadWrite) || !file.setFileTime(time, QFileDevice::FileModificationTime))
        qFatal("can't set the time");
}
void touch(const std::string& path) { setTime(path, timeOf(path).addSecs(-60)); }

void flipByte(const std::string& path, uint64_t at) {
    QFile file(QString::fromStdString(path));
    char byte = 0;
    const auto place = static_cast<qint64>(at);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(place) || file.read(&byte, 1) != 1 || !file.seek(place))
        qFatal("can't read");
    byte = static_cast<char>(byte ^ 16);
    if (file.write(&byte, 1) != 1) qFatal("can't write");
}

/// A model and a folder for packed ones that isn't there yet.
struct Place {
    ModelFolder folder;
    OpenOptions options;

    explicit Place(const TinyModelOptions& model = sparse(), const std::string& name = "a.gguf") {
        options.path = folder.save(model, name);
        options.packedFolder = folder.path("cache/packed");
    }
    QStringList names() const {
        return QDir(QString::fromStdString(options.packedFolder))
            .entryList(QDir::Files | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }
    Result<PackedFileStatus> pack() const { return packModel(options, {}); }
    /// A file of four bytes beside the packed ones.
    bool leave(const char* name, int secondsAgo) const {
        const QString path = QString::fromStdString(options.packedFolder) + "/" + name;
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write("half") != 4) return false;
        file.close();
        setTime(path.toStdString(), QDateTime::currentDateTime().addSecs(-secondsAgo));
        return true;
    }
    State state() const {
        const Result<PackedFileStatus> found = inspectPacked(options);
        if (!found) qFatal("%s", found.error().line().c_str());
        return found->state;
    }
};

/// Folders exist, and can't be listed.
class UnreadableFolders final : public FileSystem {
  public:
    Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
        return systemFiles().openForReading(path);
    }
    Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
        return systemFiles().createOutput(path);
    }
    Result<std::vector<FolderEntry>> listFiles(const std::string& folder) override {
        return Error{ErrorKind::Io, {"Can't read the folder %1", folder}, "A test made this call fail", "Nothing"};
    }
    Status removeFile(const std::string& path) override { return systemFiles().removeFile(path); }
};

/// Empty where every block holds what the model does, put together by other means than those that made it.
std::string differenceIn(const PackedFileStatus& packed, const std::string& modelPath, bool regrouped) {
    const auto model = ModelFile::open(systemFiles(), modelPath);
    if (!model) return "no model";
    const Result<ModelShape> shape = readModelShape(model.value()->header());
    const Result<std::vector<ExpertLayer>> layers = layersForPacking(*shape, model.value()->header());
    const PackedFileKey key = PackedFileKey::of(*model.value(), *layers, kSlotLayout);
    Result<PackedFile> file = PackedFile::open(systemFiles(), packed.path, key, *layers);
    if (!file) return file.error().line();
    const std::unique_ptr<ExpertSource> source = createPackedSource(std::move(file).value(), *layers);
    for (size_t layer = 0; layer < layers->size(); ++layer) {
        const Result<Buffer> slot =
            Buffer::allocate(source->slotBytes(static_cast<int>(layer)), "There is no memory for a test");
        for (int expert = 0; expert < (*layers)[layer].experts; ++expert) {
            std::array<ReadExtent, kMostReadsPerExpert> reads;
            const int number = static_cast<int>(layer);
            if (source->extents(number, expert, slot->data(), reads) != 1) return "several reads";
            if (!reads[0].file->readAt(reads[0].offset, reads[0].to)) return "a block can't be read";
            const ExpertParts parts = source->parts(number, expert, slot->data(), true);
            if (parts.downArranged != regrouped) return "a down matrix is regrouped, or is not";
            const std::array at{parts.gate, parts.up, parts.down};
            for (size_t p = 0; p < at.size(); ++p) {
                const ExpertLayer::Matrix& part = *(*layers)[layer].matrices()[p];
                std::vector<std::byte> want(part.bytes), got(at[p], at[p] + part.bytes);
                if (!model.value()->read(*part.tensor, static_cast<uint64_t>(expert) * part.bytes, want))
                    return "the model can't be read";
                if (p == 2 && regrouped) {
                    if (got == want) return "a down matrix is as it was";
                    const Matrix matrix{*part.tensor->type, shape->width, shape->layer[0].feedForward.width, at[p]};
                    const uint64_t row = rowBytes(matrix.type, static_cast<uint64_t>(matrix.columns));
                    for (int64_t chunk = 0; chunk < matrix.rows; chunk += kBandRows)
                        restoreBand(matrix, chunk, got.data() + static_cast<uint64_t>(chunk) * row);
                }
                if (got != want) return "expert " + std::to_string(expert) + " differs";
            }
        }
    }
    return {};
}

} // namespace

class TestPackedFiles : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void packedOnceFoundAgain_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<bool>("transposed");
        QTest::addColumn<bool>("regrouped");
        QTest::newRow("mainline") << "smallthinker" << false << true;
        QTest::newRow("PowerInfer") << "smallthinker" << true << false;
        QTest::newRow("qwen3moe") << "qwen3moe" << false << false;
    }
    void packedOnceFoundAgain() {
        QFETCH(QString, architecture);
        QFETCH(bool, transposed);
        QFETCH(bool, regrouped);
        TinyModelOptions model = sparse();
        model.architecture = architecture.toStdString();
        model.transposedDown = transposed;
        const Place place(model);
        const Result<PackedFileStatus> before = inspectPacked(place.options);
        QVERIFY(before.ok());
        QCOMPARE(int(before->state), int(State::None));
        QCOMPARE(before->bytes, uint64_t(0));
        QVERIFY(!QFileInfo::exists(QString::fromStdString(place.options.packedFolder)));

        const Result<PackedFileStatus> packed = place.pack();
        QVERIFY2(packed.ok(), packed ? "" : packed.error().line().c_str());
        QCOMPARE(int(packed->state), int(State::Current));
        QCOMPARE(packed->path, before->path);
        QCOMPARE(packed->bytes, before->needed);
        QCOMPARE(qint64(packed->bytes), QFileInfo(QString::fromStdString(packed->path)).size());
        QCOMPARE(place.names().size(), 1);
        QVERIFY(place.names().front().endsWith(".experts"));
        QVERIFY(QFileInfo(QString::fromStdString(packed->path))
                    .fileName()
                    .startsWith(QFileInfo(QString::fromStdString(place.options.path)).completeBaseName()));
        QCOMPARE(differenceIn(packed.value(), place.options.path, regrouped), std::string());
        QVERIFY(checkPacked(place.options, {}).ok());

        // There is nothing to do a second time.
        const QDateTime made = timeOf(packed->path);
        QVERIFY(packModel(place.options, [](uint64_t, uint64_t) { return false; }).ok());
        QCOMPARE(timeOf(packed->path), made);
        const Result<std::vector<PackedFileEntry>> listed = listPacked(place.options);
        QVERIFY(listed.ok());
        QCOMPARE(listed->size(), size_t(1));
        QCOMPARE(listed->front().path, packed->path);
        QCOMPARE(listed->front().model, place.options.path);
        QCOMPARE(listed->front().bytes, packed->bytes);
        QCOMPARE(int(listed->front().state), int(PackedFileEntry::State::Current));
        QVERIFY(!listed->front().unused());
    }

    /// One of each kind, in one folder: what nobody reads goes, and nothing else.
    void unusedOnesAreToldAndRemoved() {
        using enum PackedFileEntry::State;
        const Place kept, stale(sparse(2), "b.gguf"), gone(sparse(3), "c.gguf"), damaged(sparse(4), "d.gguf"),
            notAModel(sparse(5), "e.gguf");
        std::vector<std::string> paths;
        uint64_t unused = 0;
        for (const Place* place : {&kept, &stale, &gone, &damaged, &notAModel}) {
            OpenOptions options = place->options;
            options.packedFolder = kept.options.packedFolder;
            const Result<PackedFileStatus> packed = packModel(options, {});
            QVERIFY(packed.ok());
            paths.push_back(packed->path);
            if (place != &kept) unused += packed->bytes;
        }
        touch(stale.options.path);
        QVERIFY(QFile::remove(QString::fromStdString(gone.options.path)));
        flipByte(paths[3], 40);
        QVERIFY(writeWholeFile(systemFiles(), notAModel.options.path, "not a model"));
        QVERIFY(kept.leave(".coterie-1-0.part", 2 * 3600));
        QVERIFY(kept.leave(".coterie-2-0.part", 60));
        unused += 4;

        OpenOptions options = kept.options;
        options.path.clear();
        const auto states = [&options] {
            std::vector<int> found;
            const Result<std::vector<PackedFileEntry>> listed = listPacked(options);
            if (!listed) qFatal("%s", listed.error().line().c_str());
            for (const PackedFileEntry& file : listed.value()) found.push_back(int(file.state));
            return found;
        };
        QCOMPARE(states(),
                 (std::vector<int>{int(Damaged), int(Current), int(Stale), int(Gone), int(Damaged), int(Stale)}));
        const Result<uint64_t> freed = removeUnusedPacked(options);
        QVERIFY2(freed.ok(), freed ? "" : freed.error().line().c_str());
        QCOMPARE(freed.value(), unused);
        QCOMPARE(states(), std::vector<int>{int(Current)});
        QCOMPARE(kept.names().size(), 2); // and what may still be written
        QCOMPARE(int(kept.state()), int(State::Current));
        QCOMPARE(removeUnusedPacked(options).value(), uint64_t(0));
        options.packedFolder += "/nowhere";
        QCOMPARE(states(), std::vector<int>());
        options.packedFolder.clear();
        QCOMPARE(listPacked(options).error().kind, ErrorKind::BadInput);
        QCOMPARE(removeUnusedPacked(options).error().kind, ErrorKind::BadInput);
    }

    /// A file knows where its model was; who names the model keeps it.
    void aMovedModelKeepsItsOwn() {
        Place place;
        QVERIFY(place.pack().ok());
        const auto state = [&place](const std::string& model) {
            OpenOptions options = place.options;
            options.path = model;
            const Result<std::vector<PackedFileEntry>> listed = listPacked(options);
            if (!listed || listed->size() != 1) qFatal("not one file");
            return listed->front().state;
        };
        QVERIFY(QDir(place.folder.folder()).mkpath("else"));
        const QString from = QString::fromStdString(place.options.path);
        const QString to = place.folder.folder() + "/else/" + QFileInfo(from).fileName();
        QVERIFY(QFile::rename(from, to));
        QCOMPARE(int(state({})), int(PackedFileEntry::State::Gone));
        place.options.path = to.toStdString();
        QCOMPARE(int(state(place.options.path)), int(PackedFileEntry::State::Current));
        QCOMPARE(removeUnusedPacked(place.options).value(), uint64_t(0));
        // A name with a slip in it must not cost the file that was meant.
        OpenOptions slip = place.options;
        slip.path += "x";
        QCOMPARE(removeUnusedPacked(slip).error().kind, ErrorKind::NotFound);
        QCOMPARE(int(place.state()), int(State::Current));
        // A model without experts has no file of its own, and the others can still be told.
        OpenOptions dense = place.options;
        dense.path = place.folder.save({}, "dense.gguf");
        QVERIFY(removeUnusedPacked(dense).value() > 0);
        QVERIFY(place.names().isEmpty());
    }

    void whatCanNotBePacked() {
        const auto kind = [](const OpenOptions& options) {
            const Result<PackedFileStatus> packed = packModel(options, {});
            const Result<PackedFileStatus> inspected = inspectPacked(options);
            if (packed || inspected || packed.error().kind != inspected.error().kind) qFatal("packed, or inspected");
            return packed.error().kind;
        };
        Place dense(TinyModelOptions{});
        QCOMPARE(kind(dense.options), ErrorKind::Unsupported);
        QVERIFY(!QFileInfo::exists(QString::fromStdString(dense.options.packedFolder)));
        OpenOptions options = Place().options;
        options.path += ".gone";
        QCOMPARE(kind(options), ErrorKind::NotFound);
        const Place place;
        options = place.options;
        options.packedFolder.clear();
        QCOMPARE(kind(options), ErrorKind::BadInput);
        QCOMPARE(removePacked(options).error().kind, ErrorKind::BadInput);
        QCOMPARE(checkPacked(place.options, {}).error().kind, ErrorKind::NotFound);
    }

    void aChangedModelIsPackedAnew() {
        const Place place;
        const Result<PackedFileStatus> first = place.pack();
        QVERIFY(first.ok());
        touch(place.options.path);
        const Result<PackedFileStatus> stale = inspectPacked(place.options);
        QVERIFY(stale.ok());
        QCOMPARE(int(stale->state), int(State::Stale));
        QCOMPARE(stale->bytes, first->bytes);
        QVERIFY(stale->path != first->path);
        QCOMPARE(checkPacked(place.options, {}).error().kind, ErrorKind::NotFound);
        const Result<PackedFileStatus> second = place.pack();
        QVERIFY(second.ok());
        QCOMPARE(int(second->state), int(State::Current));
        QCOMPARE(second->bytes, first->bytes); // only the new file counts
        QCOMPARE(place.names().size(), 1);
        QCOMPARE(differenceIn(second.value(), place.options.path, true), std::string());

        // Another model in its place.
        QVERIFY(saveTinyModel(sparse(2), place.options.path));
        QCOMPARE(int(place.state()), int(State::Stale));
        const Result<PackedFileStatus> third = place.pack();
        QVERIFY(third.ok());
        QCOMPARE(place.names().size(), 1);
        QCOMPARE(differenceIn(third.value(), place.options.path, true), std::string());
    }

    void aDamagedFileIsPackedAnew() {
        const Place place;
        const Result<PackedFileStatus> packed = place.pack();
        QVERIFY(packed.ok());
        flipByte(packed->path, 40); // in the header
        QCOMPARE(int(place.state()), int(State::Stale));
        QCOMPARE(inspectPacked(place.options)->bytes, packed->bytes);
        QCOMPARE(checkPacked(place.options, {}).error().kind, ErrorKind::BadInput);
        QCOMPARE(listPacked(place.options)->front().model, std::string());
        QCOMPARE(int(listPacked(place.options)->front().state), int(PackedFileEntry::State::Damaged));
        QVERIFY(place.pack().ok());
        QCOMPARE(int(place.state()), int(State::Current));
        flipByte(packed->path, packed->bytes - packed->bytes / 3); // in a block, where only a check sees it
        QCOMPARE(int(place.state()), int(State::Current));
        QCOMPARE(checkPacked(place.options, {}).error().kind, ErrorKind::BadInput);
    }

    /// Models of one name in two folders are two models.
    void modelsOfOneNameAreKeptApart() {
        const Place one;
        Place two(sparse(3));
        two.options.packedFolder = one.options.packedFolder;
        QVERIFY(one.pack().ok() && two.pack().ok());
        QCOMPARE(one.names().size(), 2);
        touch(two.options.path);
        QVERIFY(two.pack().ok());
        QCOMPARE(one.names().size(), 2);
        QCOMPARE(int(one.state()), int(State::Current));
        QVERIFY(removePacked(two.options).value() > 0);
        QCOMPARE(int(one.state()), int(State::Current));
        QCOMPARE(int(two.state()), int(State::None));
    }

    void aModelMayMove() {
        Place place;
        QVERIFY(place.pack().ok());
        const std::string from = place.options.path;
        QVERIFY(QDir(place.folder.folder()).mkpath("else"));
        place.options.path = place.folder.folder().toStdString() + "/else/" +
                             QFileInfo(QString::fromStdString(from)).fileName().toStdString();
        QVERIFY(QFile::rename(QString::fromStdString(from), QString::fromStdString(place.options.path)));
        QCOMPARE(int(place.state()), int(State::Current));
        QVERIFY(removePacked(place.options).value() > 0);
        QVERIFY(place.names().isEmpty());
    }

    void anyShardOpensTheSameFile() {
        TinyModelOptions model = sparse();
        model.shards = 3;
        Place place(model);
        const std::string whole = place.options.path;
        std::vector<std::string> paths;
        for (int shard = 1; shard <= 3; ++shard) {
            place.options.path = shardPath(whole, shard, 3);
            const Result<PackedFileStatus> packed = place.pack();
            QVERIFY2(packed.ok(), packed ? "" : packed.error().line().c_str());
            paths.push_back(packed->path);
        }
        QCOMPARE(place.names().size(), 1);
        QCOMPARE(paths.front(), paths.back());
        QVERIFY(!place.names().front().contains("-of-"));
        touch(shardPath(whole, 3, 3));
        QCOMPARE(int(place.state()), int(State::Stale));
        place.options.path = shardPath(whole, 2, 3);
        QVERIFY(place.pack().ok());
        QCOMPARE(place.names().size(), 1);
    }

    void removingTakesWhatIsThere() {
        Place place;
        QCOMPARE(removePacked(place.options).value(), uint64_t(0));
        const Result<PackedFileStatus> packed = place.pack();
        QCOMPARE(removePacked(place.options).value(), packed->bytes);
        QVERIFY(place.names().isEmpty());
        QVERIFY(place.pack().ok());
        touch(place.options.path);
        QCOMPARE(removePacked(place.options).value(), packed->bytes); // stale
        QVERIFY(place.names().isEmpty());
        QVERIFY(place.pack().ok());
        flipByte(inspectPacked(place.options)->path, 40);
        QCOMPARE(removePacked(place.options).value(), packed->bytes); // damaged
        QVERIFY(place.names().isEmpty());
        QVERIFY(place.pack().ok());
        QVERIFY(QFile::remove(QString::fromStdString(place.options.path)));
        QCOMPARE(removePacked(place.options).value(), packed->bytes); // without its model
        QVERIFY(place.names().isEmpty());
        QCOMPARE(removePacked(place.options).error().kind, ErrorKind::NotFound);
    }

    void noRoomIsToldBeforeAnythingIsWritten() {
        const auto disk = SmallDisk::make(64 << 10);
        if (!disk) QSKIP("a small disk can't be mounted here");
        Place place;
        place.options.packedFolder = disk->path().toStdString();
        bool began = false;
        const Result<PackedFileStatus> packed =
            packModel(place.options, [&](uint64_t, uint64_t) { return began = true; });
        QVERIFY(!began);
        QVERIFY(!packed);
        QCOMPARE(packed.error().kind, ErrorKind::Io);
        QVERIFY2(packed.error().line().find("MiB") != std::string::npos, packed.error().line().c_str());
        QVERIFY(place.names().isEmpty());
    }

    void aStoppedOneLeavesNothing() {
        const Place place;
        uint64_t all = 0, calls = 0;
        const Result<PackedFileStatus> stopped = packModel(place.options, [&](uint64_t done, uint64_t total) {
            all = total;
            ++calls;
            return done < total / 2;
        });
        QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
        QVERIFY(all > 0 && calls > 2);
        QVERIFY(place.names().isEmpty());
        QCOMPARE(int(place.state()), int(State::None));
    }

    /// A process that was killed leaves a file as large as the model; one that still writes is left alone.
    void whatWasAbandonedIsRemoved() {
        const Place place;
        QVERIFY(place.pack().ok());
        QVERIFY(place.leave(".coterie-1-0.part", 2 * 3600) && place.leave(".coterie-2-0.part", 60) &&
                place.leave(".other-3-0.part", 2 * 3600) && place.leave("notes.txt", 2 * 3600));
        QVERIFY(place.pack().ok());
        QCOMPARE(place.names().size(), 4);
        QVERIFY(!place.names().contains(".coterie-1-0.part"));
        QVERIFY(removePacked(place.options).value() > 0);
        QCOMPARE(place.names(), (QStringList{".coterie-2-0.part", ".other-3-0.part", "notes.txt"}));
    }

    void longNamesAreCut() {
        std::string name;
        for (int i = 0; i < 110; ++i) name += "\xC3\xB6"; // two bytes each: 235 bytes are still a file's name
        const Place place(sparse(), "x" + name + ".gguf");
        QVERIFY(!place.options.path.empty());
        const Result<PackedFileStatus> packed = place.pack();
        QVERIFY2(packed.ok(), packed ? "" : packed.error().line().c_str());
        QVERIFY(!place.names().front().contains(QChar(QChar::ReplacementCharacter)));
        QVERIFY(place.names().front().toUtf8().size() < 160);
    }

    /// A folder that can't be read is not an empty one: nothing in it may be taken for unused or for missing.
    void aFolderThatCanNotBeReadIsAnError() {
        Place place;
        QVERIFY(place.pack().ok());
        QVERIFY(place.leave(".coterie-1-0.part", 2 * 3600) && place.leave("damaged.experts", 60));
        OpenOptions anyModel = place.options;
        anyModel.path.clear();
        UnreadableFolders files;
        for (OpenOptions* options : {&place.options, &anyModel}) {
            options->files = &files;
            const auto listed = listPacked(*options);
            QVERIFY(!listed);
            QCOMPARE(listed.error().kind, ErrorKind::Io);
            QVERIFY(!removeUnusedPacked(*options));
        }
        QVERIFY(!removePacked(place.options));
        QCOMPARE(place.names().size(), 3);
        place.options.files = nullptr;
        QVERIFY(removeUnusedPacked(place.options).ok());
        QCOMPARE(place.names().size(), 1);
    }

    /// The system's own refusal, half-way through a folder or at its start.
    void theSystemsRefusalIsAnError() {
        const ModelFolder folder;
        const std::string file = folder.path("a file, and no folder");
        QVERIFY(writeWholeFile(systemFiles(), file, "text").ok());
        const auto listed = systemFiles().listFiles(file);
        QVERIFY(!listed);
        QVERIFY2(listed.error().line().find(file) != std::string::npos, listed.error().line().c_str());
        QVERIFY(systemFiles().listFiles(folder.path("nowhere")).value().empty());
    }

    void everyCallMayFail() {
        for (int64_t call = 1;; ++call) {
            Place place;
            FaultyFiles files;
            place.options.files = &files;
            files.failCall(call);
            const Result<PackedFileStatus> packed = place.pack();
            const bool failed = files.fired();
            files.heal();
            QCOMPARE(place.names().size(), packed.ok() ? 1 : 0);
            QCOMPARE(int(place.state()), int(packed ? State::Current : State::None));
            if (!failed) break;
            QVERIFY(call < 1000);
        }
    }
};

QTEST_APPLESS_MAIN(TestPackedFiles)
#include "tst_packed_files.moc"
