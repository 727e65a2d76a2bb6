// SPDX-License-Identifier: Apache-2.0
// A decoder whose second backend holds some experts and stops at the others gives the same bits as the CPU alone,
// whichever experts are where. Chunks, cancels, rewinds and the trace are tested too.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "fakes/second_backend.h"
#include "support/faulty_files.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kSparse{.architecture = "smallthinker", .type = TensorType::Q8_0, .layers = 5, .tied = false};

LoadOptions onSecond(SecondBackendScript& script, LoadOptions options = {}) {
    options.decoder = [&script](const BackendOptions& made) {
        return std::make_unique<Decoder>(std::make_unique<SecondBackend>(script, made), made);
    };
    return options;
}

struct Trace final : TraceSink {
    struct Layer {
        int64_t position;
        int layer;
        std::vector<std::pair<int32_t, float>> experts;
        std::vector<int32_t> active;
        bool operator==(const Layer&) const = default;
    };
    std::vector<Layer> layers;
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double) override {
        Layer seen{.position = position, .layer = layer, .experts = {}, .active = {}};
        for (const ExpertUse& use : uses) {
            seen.experts.emplace_back(use.expert, use.weight);
            seen.active.push_back(use.activeNeurons);
        }
        layers.push_back(std::move(seen));
    }
    void tokenDone(int64_t, int64_t, double) override {}
    /// Returns the layers sorted by position, because layers of a range come together.
    std::vector<Layer> sorted() const {
        std::vector<Layer> all = layers;
        std::stable_sort(all.begin(), all.end(), [](const Layer& a, const Layer& b) {
            return a.layer != b.layer ? a.layer < b.layer : a.position < b.position;
        });
        return all;
    }
};

} // namespace

class TestBackends : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// A device with memory of its own that holds the whole model takes nothing of main memory.
    void memoryOfAPlaceIsItsOwn() {
        MemoryFiles files(makeTinyModel(kSparse).bytes);
        const LoadedModel model = mustLoad(files);
        const DeviceTelemetry here = model.decoder->telemetry();
        QVERIFY(here.residentBytes > 0 && here.slots.bytesMost > 0 && here.device.total() == 0);
        MemoryPlan plan = model.plan;
        plan.device.name = "card:0";
        Decoder there(createCpuBackend({.kernels = *kernelTables().back()}));
        QVERIFY(there.prepare(model.shape, plan).ok() && there.upload(*model.file, {}).ok());
        const DeviceTelemetry card = there.telemetry();
        QCOMPARE(card.device.residentBytes, here.residentBytes);
        QVERIFY(card.residentBytes == 0 && card.keyValueBytes == 0 && card.scratchBytes == 0);
        QVERIFY(card.slots.bytesHeld == 0 && card.slots.bytesMost == 0);
        QCOMPARE(card.slots.usable, here.slots.usable);
    }

    void sameBitsWhereverExpertsAre_data() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const NamedOptions& family : tinyFamilies())
            for (const TensorType type : {TensorType::F32, TensorType::Q4_0})
                QTest::addRow("%s %s", family.name, traits(type).name) << inFormat(family.options, type);
        QTest::newRow("regrouped") << inFormat(regroupedSmallThinker(), TensorType::Q4_0);
    }
    void sameBitsWhereverExpertsAre() {
        QFETCH(TinyModelOptions, options);
        MemoryFiles files(makeTinyModel(options).bytes);
        const std::vector<int32_t> tokens = randomTokens(30, options.vocabulary);
        const Logits want = mustRun(*mustLoad(files).decoder, tokens);
        using Holds = std::function<bool(int, int)>;
        for (const Holds& holds :
             {Holds([](int, int) { return true; }), Holds([](int, int) { return false; }),
              Holds([](int layer, int e) { return (layer + e) % 2 == 0; }), Holds([](int, int e) { return e < 3; })}) {
            SecondBackendScript script{.holds = holds};
            LoadedModel model = mustLoad(files, onSecond(script, {.chunk = 16}));
            QVERIFY(sameBits(mustRun(*model.decoder, tokens, {20, 1, 1}), want));
            QVERIFY((script.ownRows > 0) == (holds(0, 0) || holds(0, 1)));
            QVERIFY(script.missingRows + script.ownRows > 0);
        }
    }

    void traceSaysTheSame() {
        MemoryFiles files(makeTinyModel(regroupedSmallThinker()).bytes);
        const std::vector<int32_t> tokens = randomTokens(12, regroupedSmallThinker().vocabulary);
        Trace want, got;
        (void)mustHave(logitsOf(*mustLoad(files).decoder, tokens, {8}, &want));
        SecondBackendScript script;
        (void)mustHave(logitsOf(*mustLoad(files, onSecond(script)).decoder, tokens, {8}, &got));
        QVERIFY(!want.layers.empty());
        QVERIFY(got.sorted() == want.sorted());
    }

    /// Each expert that the second place does not hold goes through the host's store, and no other does.
    void countsSayWhoComputed() {
        MemoryFiles files(makeTinyModel(kSparse).bytes);
        const std::vector<int32_t> tokens = randomTokens(16, kSparse.vocabulary);
        SecondBackendScript script;
        LoadedModel model = mustLoad(files, onSecond(script));
        (void)mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
        const int64_t rows = kSparse.layers * kSparse.expertsPerToken * static_cast<int64_t>(tokens.size());
        QCOMPARE(script.ownRows + script.missingRows, rows);
        const DeviceTelemetry now = model.decoder->telemetry();
        QCOMPARE(static_cast<int64_t>(now.counts.asked()), script.missingRows.load());
        QCOMPARE(static_cast<int64_t>(now.counts.choices), kSparse.layers * static_cast<int64_t>(tokens.size()));
        QVERIFY(now.counts.weightBytesRead > 0 && now.device.expertBytes > 0 && now.device.keyValueBytes > 0);
        QCOMPARE(now.keyValueBytes, uint64_t{0});
    }

    void aCancelKeepsWholeChunks() {
        MemoryFiles files(makeTinyModel(kSparse).bytes);
        const std::vector<int32_t> tokens = randomTokens(40, kSparse.vocabulary);
        const Logits want = mustRun(*mustLoad(files).decoder, tokens);
        SecondBackendScript script{.layersAtOnce = 1};
        LoadedModel model = mustLoad(files, onSecond(script, {.chunk = 16}));
        for (const int64_t at : {1, 5, 17, 25}) {
            model.decoder->rewind(0);
            std::atomic<bool> cancel{false};
            const auto stopped = model.decoder->forward(
                {.tokens = tokens, .cancel = &cancel, .onProgress = [&](int64_t done) { cancel = done >= at; }});
            QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
            const int64_t kept = model.decoder->position();
            QVERIFY(kept % 16 == 0 && kept <= at);
            const Logits rest = mustRun(*model.decoder, part(tokens, static_cast<size_t>(kept), tokens.size()));
            QVERIFY(sameBits(rest, Logits(want.begin() + kept, want.end())));
        }
    }

    void aRewindForgetsOnBothPlaces() {
        MemoryFiles files(makeTinyModel(kSparse).bytes);
        const std::vector<int32_t> tokens = randomTokens(24, kSparse.vocabulary);
        SecondBackendScript script;
        LoadedModel model = mustLoad(files, onSecond(script));
        const Logits want = mustRun(*model.decoder, tokens);
        QCOMPARE(model.decoder->rewind(10), 10);
        QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, 10, 24)), Logits(want.begin() + 10, want.end())));
    }

    /// If the host can't read the missing experts, there is an error, and afterwards everything goes on as before.
    void theHostsDiskIsGoneForAWhile() {
        MemoryFiles memory(makeTinyModel(kSparse).bytes);
        FaultyFiles files(memory);
        SecondBackendScript script;
        LoadedModel model = mustLoad(files, onSecond(script, {.slots = 4}));
        const std::vector<int32_t> tokens = randomTokens(12, kSparse.vocabulary);
        const Logits want = mustRun(*model.decoder, tokens);
        for (int64_t reads = 0; reads < 30; reads += 3) {
            model.decoder->rewind(0);
            files.vanishAfterReads(reads);
            const Result<Logits> got = logitsOf(*model.decoder, tokens, {5});
            QVERIFY(got ? sameBits(*got, want) : got.error().kind == ErrorKind::Io);
            QVERIFY(reads > 0 || !got);
            files.heal();
            model.decoder->rewind(0);
            QVERIFY(sameBits(mustRun(*model.decoder, tokens, {5}), want));
        }
    }
};

QTEST_APPLESS_MAIN(TestBackends)
#include "tst_backends.moc"
