// SPDX-License-Identifier: Apache-2.0
// A model whose experts are read again and again, on a disk in trouble and in memory that shrinks. It gives the right
// answer or an error that names the file, never a wrong answer, and afterwards it works as before.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "support/faulty_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <optional>
#include <random>
#include <thread>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kOptions{
    .architecture = "smallthinker", .type = TensorType::Q4_0, .layers = 5, .window = 8, .tied = false};
constexpr uint64_t kSlots = 5; // for the experts of 5 layers

/// A file on the disk, opened past the page cache, and the right answer.
struct Setup {
    QTemporaryDir folder;
    FaultyFiles files;
    std::string path = folder.filePath("model.gguf").toStdString();
    std::vector<int32_t> tokens = randomTokens(6, kOptions.vocabulary);
    Logits want;
    std::optional<LoadedModel> model;

    bool open(const LoadOptions& options = {.slots = kSlots}) {
        const std::string bytes = makeTinyModel(kOptions).bytes;
        if (!writeWholeFile(systemFiles(), path, bytes)) return false;
        MemoryFiles memory(bytes);
        LoadedModel plain = mustLoad(memory);
        want = mustHave(logitsOf(*plain.decoder, tokens, ones()));
        auto loaded = loadModel(files, options, path);
        if (!loaded) return false;
        model = std::move(loaded).value();
        return true;
    }
    std::vector<size_t> ones() const { return std::vector<size_t>(tokens.size(), 1); }
    /// Runs from an empty cache, token by token.
    Result<Logits> run() {
        model->decoder->rewind(0);
        return logitsOf(*model->decoder, tokens, ones());
    }
    bool isRight(const Result<Logits>& got) const { return got && sameBits(got.value(), want); }
    bool namesTheFile(const Result<Logits>& got) const {
        return !got && got.error().kind == ErrorKind::Io && got.error().line().find(path) != std::string::npos;
    }
};

} // namespace

class StoreTroubleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// The 1st, 2nd, ... read fails once. It is tried again, and the answer is right.
    void eachReadFailsOnce() {
        Setup s;
        QVERIFY(s.open());
        int64_t failing = 1;
        for (;; ++failing) {
            s.files.failCall(failing);
            const int64_t before = s.files.reads();
            QVERIFY2(s.isRight(s.run()), qPrintable(QString::number(failing)));
            const bool beyond = s.files.reads() - before < failing;
            s.files.heal();
            if (beyond) break;
        }
        QVERIFY(s.files.fired() && failing > 20);
    }

    /// From the 1st, 2nd, ... read on, two reads come up short. The result is an error, or both reads were tried again.
    void eachPairOfReadsComesShort() {
        Setup s;
        QVERIFY(s.open({.slots = kSlots, .experts = {.readDepth = 1}}));
        int errors = 0;
        for (int64_t failing = 1;; ++failing) {
            s.files.shortenReads(failing, 2);
            const int64_t before = s.files.reads();
            const Result<Logits> got = s.run();
            const bool beyond = s.files.reads() - before < failing;
            s.files.heal();
            QVERIFY(s.isRight(got) || s.namesTheFile(got));
            errors += !got;
            QVERIFY2(s.isRight(s.run()), qPrintable(QString::number(failing)));
            if (beyond) break;
        }
        QVERIFY(errors > 20);
    }

    void theDiskIsGoneForAWhile() {
        Setup s;
        QVERIFY(s.open());
        for (int64_t reads = 0; reads < 40; reads += 3) {
            s.files.vanishAfterReads(reads);
            const Result<Logits> got = s.run();
            QVERIFY(s.isRight(got) || s.namesTheFile(got));
            QVERIFY(reads > 0 || !got);
            s.files.heal();
            QVERIFY(s.isRight(s.run()));
        }
    }

    void aSlowDisk() {
        Setup s;
        QVERIFY(s.open());
        s.files.slowReads(2);
        QVERIFY(s.isRight(s.run()));
        QVERIFY(s.model->decoder->telemetry().counts.waitSeconds > 0);
    }

    /// A file that became shorter after it was opened gives an error that names it.
    void theModelIsCutShort() {
        Setup s;
        QVERIFY(s.open());
        QFile file(QString::fromStdString(s.path));
        const qint64 size = file.size();
        QVERIFY(file.resize(size / 2));
        QVERIFY(s.namesTheFile(s.run()));
        QVERIFY(s.namesTheFile(s.run()));
    }

    /// Another file gets the model's name: reads go on in the file that was opened.
    void theModelIsReplaced() {
#ifdef Q_OS_WIN
        QSKIP("a file that is open can't be replaced there");
#endif
        Setup s;
        QVERIFY(s.open());
        QVERIFY(writeWholeFile(systemFiles(), s.path, std::string(size_t{1} << 20, '\0')));
        QVERIFY(s.isRight(s.run()));
    }

    /// The file is replaced between the reads of its header and of its first expert.
    void theModelIsReplacedWhileItIsOpened() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.gguf").toStdString();
        QVERIFY(writeWholeFile(systemFiles(), path, makeTinyModel(kOptions).bytes));
        auto opened = ModelFile::open(systemFiles(), path);
        QVERIFY(opened);
#ifndef Q_OS_WIN
        QVERIFY(writeWholeFile(systemFiles(), path, std::string(size_t{1} << 20, '\0')));
        const auto direct = opened.value()->openDirect();
        QVERIFY(!direct);
        QVERIFY(direct.error().kind == ErrorKind::Io && direct.error().line().find(path) != std::string::npos);
#endif
    }

    /// Another thread takes slots and gives them back all the time.
    void memoryComesAndGoes() {
        Setup s;
        QVERIFY(s.open({.slots = 30}));
        Decoder& decoder = *s.model->decoder;
        const uint64_t least = s.model->plan.minimumSlots;
        std::atomic<bool> stop{false};
        std::thread other([&] {
            std::mt19937 random(3);
            while (!stop) {
                decoder.limitSlots(random() % 40);
                for (unsigned pause = random() % 300; pause > 0; --pause) std::this_thread::yield();
            }
        });
        int wrong = 0;
        for (int i = 0; i < 30; ++i) wrong += !s.isRight(s.run());
        stop = true;
        other.join();
        QCOMPARE(wrong, 0);
        decoder.limitSlots(0);
        QCOMPARE(decoder.telemetry().slots.usable, least);
        QTRY_VERIFY(decoder.telemetry().slots.used <= least); // prefetched experts may still arrive
        QVERIFY(s.isRight(s.run()));
        decoder.limitSlots(30);
        QVERIFY(s.isRight(s.run()));
        QVERIFY(decoder.telemetry().slots.used > least);
    }
};

QTEST_GUILESS_MAIN(StoreTroubleTest)
#include "tst_store_trouble.moc"
