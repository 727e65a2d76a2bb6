// SPDX-License-Identifier: Apache-2.0
// Embeddings by layer, whose table stays on disk: how many rows are read and when, which stay in memory, and reads that
// fail. Most of their arithmetic is in tst_oracle_agreement.cpp.
#include "decoder/embeddings/row_cache.h"
#include "decoder/embeddings/row_store.h"
#include "decoder/loaded_model.h"
#include "decoder/oracle_check.h"
#include "support/faulty_files.h"
#include "support/patience.h"

#include <QtTest>

#include <algorithm>
#include <atomic>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kOptions{
    .architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8, .sharedLayers = 3, .layerEmbedding = 32};
constexpr int64_t kRowBytes = 6 * 32 * 4;
constexpr int64_t kAll = 300; // the vocabulary

/// A model with all its layers in memory: what is read then are rows of the table.
struct Setup {
    MemoryFiles memory{makeTinyModel(kOptions).bytes};
    FaultyFiles files{memory};
    LoadedModel model;

    explicit Setup(int64_t cachedRows = kAll, LoadOptions options = {}, uint64_t alignment = 1) {
        options.cachedRows = cachedRows;
        files.pretendAlignment(alignment);
        model = mustLoad(files, options);
        mustRun(*model.decoder, {kWarm});
        model.decoder->rewind(0);
    }
    /// Returns how many reads a pass over these tokens makes.
    int64_t readsOf(const std::vector<int32_t>& tokens, const std::vector<size_t>& pieces = {}) {
        const int64_t before = files.reads();
        mustRun(*model.decoder, tokens, pieces);
        return files.reads() - before;
    }
    uint64_t bytesRead() const { return model.decoder->telemetry().counts.bytesRead; }

    static constexpr int32_t kWarm = 299;
};

std::vector<size_t> oneByOne(const std::vector<int32_t>& tokens) { return std::vector<size_t>(tokens.size(), 1); }

Logits rightLogits(const std::vector<int32_t>& tokens) {
    Setup s;
    return mustRun(*s.model.decoder, tokens, oneByOne(tokens));
}

/// Scalar kernels whose first norm, in the first layer, waits until the row of the token is being read.
struct WaitingKernels {
    static inline std::atomic<const FaultyFiles*> files{nullptr}; // null: nothing is waited for
    static inline std::atomic<int64_t> before{0};
    static inline std::atomic<bool> inVain{false};

    static void rmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
        if (const FaultyFiles* watched = files.exchange(nullptr))
            inVain = !QTest::qWaitFor([watched] { return watched->reads() > before; }, coterie::kPatienceMs);
        kernelTables().back()->rmsNorm(x, weight, n, epsilon, out);
    }
    static KernelTable table() {
        KernelTable table = *kernelTables().back();
        table.rmsNorm = rmsNorm;
        return table;
    }
};

} // namespace

class LayerEmbeddingsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void scalesShowWithALargeEpsilon();
    void aTokenReadsOneRow();
    void aChunkReadsEachRowOnce();
    void theLeastRecentlyUsedMakesRoom();
    void withoutRoomEachTokenReads();
    void aCacheOfRows();
    void rowsAreReadInTheOrderOfTheFile();
    void alignedReads_data();
    void alignedReads();
    void theRowIsReadWhileTheFirstLayerIsComputed();
    void chunksThreadsAndRoomChangeNothing();
    void aReadThatFailsOnceIsTriedAgain();
    void aFailedReadEndsThePass();
    void aPassThatIsStoppedLeavesNothing();
    void theTableIsNotInMemory();
    void rowsTakeWhatIsLeft();
};

/// Norms follow the factors 1 / sqrt(width) and 1 / sqrt(2), and hide them unless epsilon counts beside the values.
void LayerEmbeddingsTest::scalesShowWithALargeEpsilon() {
    TinyModelOptions options = kOptions;
    options.skipKey = "gemma4.attention.layer_norm_rms_epsilon";
    options.extraKeys = [&](GgufWriter& writer) { writer.f32(options.skipKey, 0.5f); };
    TinyModel tiny = makeTinyModel(options);
    tiny.oracle.epsilon = 0.5;
    MemoryFiles files(tiny.bytes);
    const std::vector<int32_t> tokens = randomTokens(12, options.vocabulary);
    const Logits got = mustRun(*mustLoad(files).decoder, tokens);
    const OracleRun want = runOracle(tiny.oracle, tokens);
    for (size_t i = 0; i < got.size(); ++i)
        QVERIFY(relativeError(got[i], want.logits[i]) < tolerance(options.type, tiny.oracle));
}

void LayerEmbeddingsTest::aTokenReadsOneRow() {
    Setup s;
    const uint64_t before = s.bytesRead();
    QCOMPARE(s.readsOf({7}), 1);
    QCOMPARE(s.bytesRead() - before, static_cast<uint64_t>(kRowBytes));
    QCOMPARE(s.readsOf({7}), 0);
    QCOMPARE(s.readsOf({8}), 1);
    QCOMPARE(s.readsOf({7, 8, Setup::kWarm}, {1, 1}), 0);
    QCOMPARE(s.bytesRead() - before, static_cast<uint64_t>(2 * kRowBytes));
}

void LayerEmbeddingsTest::aChunkReadsEachRowOnce() {
    Setup s;
    QCOMPARE(s.readsOf({7}), 1);
    QCOMPARE(s.readsOf({7, 9, 9, 11, 7, 9}), 2);
    QCOMPARE(s.readsOf({11, 9, 7}), 0);
    const std::vector<int32_t> many = randomTokens(200, kAll);
    std::vector<int32_t> different = many;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    const auto known = std::count_if(different.begin(), different.end(), [](int32_t token) {
        return token == 7 || token == 9 || token == 11 || token == Setup::kWarm;
    });
    QCOMPARE(s.readsOf(many), static_cast<int64_t>(different.size()) - known);
}

void LayerEmbeddingsTest::theLeastRecentlyUsedMakesRoom() {
    Setup s(2);
    const std::vector<int32_t> tokens{1, 2, 1, 3, 1, 2};
    const std::vector<int64_t> reads{1, 1, 0, 1, 0, 1}; // 3 takes the place of 2, and 2 that of 3
    for (size_t i = 0; i < tokens.size(); ++i) QCOMPARE(s.readsOf({tokens[i]}), reads[i]);
    // Those of a chunk count one after the other: the last two different ones stay.
    QCOMPARE(s.readsOf({20, 21, 22, 20}), 3);
    QCOMPARE(s.readsOf({20, 22}, {1}), 0);
    QCOMPARE(s.readsOf({21}), 1);
}

void LayerEmbeddingsTest::withoutRoomEachTokenReads() {
    Setup s(0);
    QCOMPARE(s.readsOf({7, 7, 7}, {1, 1}), 3);
    QCOMPARE(s.readsOf({7, 7, 8}), 2);
}

void LayerEmbeddingsTest::aCacheOfRows() {
    std::vector<std::byte> room(3 * 4 + 3); // the rest is no room for a row
    RowCache cache(room, 4);
    const auto row = [](int value) { return std::vector<std::byte>(4, static_cast<std::byte>(value)); };
    for (int i = 0; i < 3; ++i) cache.insert(i, row(i).data());
    QVERIFY(cache.size() == 3 && cache.use(0) && !cache.use(7));
    cache.insert(7, row(7).data());
    QVERIFY(!cache.holds(1) && cache.find(1) == nullptr && cache.size() == 3);
    for (const int held : {0, 2, 7}) QVERIFY(std::equal(cache.find(held), cache.find(held) + 4, row(held).begin()));
    RowCache none({room.data(), 3}, 4);
    none.insert(1, row(1).data());
    QVERIFY(!none.holds(1) && none.size() == 0);
}

/// A disk that turns is fastest then. The reads go to the file one after the other.
void LayerEmbeddingsTest::rowsAreReadInTheOrderOfTheFile() {
    MemoryFiles files(makeTinyModel(kOptions).bytes);
    class Noting final : public FileSystem {
      public:
        explicit Noting(FileSystem& real) : real_(real) {}
        Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
            return real_.openForReading(path);
        }
        std::unique_ptr<AsyncReads> createReads(int) override {
            auto reads = std::make_unique<Reads>();
            reads->offsets = &offsets;
            return reads;
        }
        Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
            return real_.createOutput(path);
        }
        std::vector<uint64_t> offsets;

      private:
        struct Reads final : AsyncReads {
            const char* name() const override { return "noting"; }
            size_t depth() const override { return 4; }
            size_t inFlight() const override { return waiting.size(); }
            void submit(const ReadRequest& request) override { waiting.push_back(request); }
            std::span<ReadDone> collect(std::span<ReadDone> out) override {
                size_t count = 0;
                for (const ReadRequest& request : waiting) {
                    offsets->push_back(request.offset);
                    out[count++] = {request.id, request.file->readAt(request.offset, request.out)};
                }
                waiting.clear();
                return out.first(count);
            }
            void wake() override {}
            std::vector<ReadRequest> waiting;
            std::vector<uint64_t>* offsets = nullptr;
        };
        FileSystem& real_;
    };
    Noting noting(files);
    LoadedModel model = mustLoad(noting);
    const std::vector<int32_t> tokens{250, 3, 99, 3, 150, 4, 0, 299};
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), rightLogits(tokens)));
    QCOMPARE(noting.offsets.size(), size_t{7});
    QVERIFY(std::is_sorted(noting.offsets.begin(), noting.offsets.end()));
}

void LayerEmbeddingsTest::alignedReads_data() {
    QTest::addColumn<uint64_t>("alignment");
    for (const uint64_t alignment : {512, 4096, 65536}) QTest::addRow("%d", static_cast<int>(alignment)) << alignment;
}

/// A row is read with the rest of its blocks; with large blocks it is read through the page cache.
void LayerEmbeddingsTest::alignedReads() {
    QFETCH(uint64_t, alignment);
    std::vector<int32_t> tokens(kAll); // the last row ends near the file's end
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(i);
    Setup s(0, {}, alignment);
    QVERIFY(sameBits(mustRun(*s.model.decoder, tokens), rightLogits(tokens)));
    QCOMPARE(s.files.misaligned(), 0);
    for (int32_t token = 0; token < 20; ++token) {
        const int64_t before = s.files.bytesRead();
        QCOMPARE(s.readsOf({token}), 1);
        const int64_t read = s.files.bytesRead() - before;
        QVERIFY(read >= kRowBytes && read <= static_cast<int64_t>(s.model.plan.rowRead));
        QCOMPARE(read % (alignment <= 4096 ? static_cast<int64_t>(alignment) : kRowBytes), 0);
    }
}

void LayerEmbeddingsTest::theRowIsReadWhileTheFirstLayerIsComputed() {
    const KernelTable kernels = WaitingKernels::table();
    Setup s(kAll, {.kernels = &kernels});
    WaitingKernels::before = s.files.reads();
    WaitingKernels::files = &s.files;
    QCOMPARE(s.readsOf({7}), 1);
    QVERIFY(WaitingKernels::files == nullptr && !WaitingKernels::inVain);
}

void LayerEmbeddingsTest::chunksThreadsAndRoomChangeNothing() {
    const std::vector<int32_t> tokens = randomTokens(70, 40); // some come again
    const Logits want = rightLogits(tokens);
    for (const int threads : {1, 2, 3, 4})
        for (const int64_t room : {int64_t{0}, int64_t{3}, kAll}) {
            Setup s(room, {.threads = threads});
            for (const size_t chunk : {1, 7, 64}) {
                QCOMPARE(s.model.decoder->rewind(0), 0);
                const std::vector<size_t> pieces(tokens.size() / chunk + 1, chunk);
                QVERIFY(sameBits(mustRun(*s.model.decoder, tokens, pieces), want));
            }
        }
}

void LayerEmbeddingsTest::aReadThatFailsOnceIsTriedAgain() {
    const std::vector<int32_t> tokens = randomTokens(12, kAll);
    const Logits want = rightLogits(tokens);
    for (int64_t n = 1; n <= 5; ++n) {
        Setup s;
        s.files.failCall(n);
        QVERIFY(sameBits(mustRun(*s.model.decoder, tokens), want));
        QVERIFY(s.files.fired());
    }
}

/// The pass ends with the file's error, at the last whole chunk, and the next one goes on from there.
void LayerEmbeddingsTest::aFailedReadEndsThePass() {
    const std::vector<int32_t> tokens = randomTokens(12, kAll);
    const Logits want = rightLogits(tokens);
    for (const size_t chunk : {1, 5}) {
        Setup s(3, {.chunk = static_cast<int64_t>(chunk)});
        for (int64_t reads = 0; reads < 8; ++reads) {
            QCOMPARE(s.model.decoder->rewind(0), 0);
            s.files.vanishAfterReads(reads);
            const Result<Logits> lost = logitsOf(*s.model.decoder, tokens);
            QVERIFY(!lost && lost.error().kind == ErrorKind::Io);
            QVERIFY2(lost.error().line().find("model") != std::string::npos, lost.error().line().c_str());
            s.files.heal();
            const auto done = static_cast<size_t>(s.model.decoder->position());
            QVERIFY(done % chunk == 0 && done < tokens.size());
            const Logits rest = mustRun(*s.model.decoder, part(tokens, done, tokens.size()));
            QVERIFY(sameBits(rest, Logits(want.begin() + static_cast<std::ptrdiff_t>(done), want.end())));
        }
    }
}

/// It is stopped before its first layer, while its row is read.
void LayerEmbeddingsTest::aPassThatIsStoppedLeavesNothing() {
    const std::vector<int32_t> tokens = randomTokens(12, kAll), others = randomTokens(9, kAll, 5);
    Setup s(0);
    const std::atomic<bool> cancel{true};
    for (const bool fails : {false, true}) {
        s.files.slowReads(1);
        if (fails) s.files.vanishAfterReads(0);
        QCOMPARE(s.model.decoder->forward({.tokens = others, .cancel = &cancel}).error().kind, ErrorKind::Cancelled);
        if (!fails) s.files.heal();
        const Result<Logits> got = logitsOf(*s.model.decoder, tokens);
        QCOMPARE(got.ok(), !fails);
        s.files.heal();
        QCOMPARE(s.model.decoder->rewind(0), 0);
        QVERIFY(sameBits(mustRun(*s.model.decoder, tokens), rightLogits(tokens)));
        QCOMPARE(s.model.decoder->rewind(0), 0);
    }
}

void LayerEmbeddingsTest::theTableIsNotInMemory() {
    Setup s(3);
    const MemoryPlan& plan = s.model.plan;
    QCOMPARE(plan.rowTable, static_cast<uint64_t>(kAll * kRowBytes));
    TinyModelOptions wider = kOptions;
    wider.vocabulary += 100; // rows of the embedding, which is the head too
    MemoryFiles more(makeTinyModel(wider).bytes);
    QCOMPARE(mustLoad(more).plan.resident - plan.resident, uint64_t{100 * 64 * 4});
    mustRun(*s.model.decoder, {1, 2, 3, 4, 5, 6, 7});
    mustRun(*s.model.decoder, {8});
    const DeviceTelemetry t = s.model.decoder->telemetry();
    QVERIFY(t.residentBytes < plan.resident + 65536); // whole pages
    QCOMPARE(t.embeddingRowBytes, 7 * plan.rowRead + static_cast<uint64_t>(3 * kRowBytes));
}

/// Rows never take memory that a layer could have.
void LayerEmbeddingsTest::rowsTakeWhatIsLeft() {
    TinyModelOptions options = kOptions;
    options.context = 64;
    options.feedForward = 4096; // layers that are larger than all rows
    options.weights = false;
    const std::string bytes = makeTinyModel(options).bytes;
    const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
    const auto shape = readModelShape(header.value());
    const auto planned = [&](uint64_t budget) {
        return planMemory(shape.value(), header.value(), {.budget = budget, .context = 64, .held = 8 << 20});
    };
    const MemoryPlan whole = planned(uint64_t{1} << 30).value();
    QVERIFY(whole.slots == whole.totalExperts && whole.cachedRows == kAll);
    const gguf::Tensor& table = *header->tensor("per_layer_token_embd.weight");
    QCOMPARE(whole.embeddingRows, RowStore::bytesNeeded(table, {.chunk = whole.chunk, .cached = kAll}).value());
    bool none = false, some = false, all = false;
    uint64_t slots = 0;
    for (uint64_t budget = whole.minimumTotal; budget < whole.total() + (1 << 20); budget += 16 << 10) {
        const auto plan = planned(budget);
        QVERIFY(plan.ok() && plan->total() <= budget && plan->slots >= slots);
        slots = plan->slots;
        none |= plan->cachedRows == 0;
        some |= plan->cachedRows > 0 && plan->cachedRows < kAll;
        all |= plan->cachedRows == kAll;
    }
    QVERIFY(none && some && all && slots == whole.totalExperts);
    QVERIFY(!planned(whole.minimumTotal - (1 << 20)).ok());
    QVERIFY(planned(whole.comfortableTotal)->cachedRows == kAll);
}

QTEST_GUILESS_MAIN(LayerEmbeddingsTest)
#include "tst_layer_embeddings.moc"
