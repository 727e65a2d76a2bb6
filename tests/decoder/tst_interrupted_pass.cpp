// SPDX-License-Identifier: Apache-2.0
// Forward passes that do not reach their end: stopped at any place, with failing reads, or refused. Each keeps whole
// chunks, and goes on with the same bits.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "support/faulty_files.h"

#include <QtTest>

#include <atomic>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kDense{.type = TensorType::Q8_0};
const TinyModelOptions kSparse{
    .architecture = "smallthinker", .type = TensorType::Q4_0, .layers = 5, .window = 8, .tied = false};

/// Scalar kernels that set a flag when they compute the norm or the activation that a test names by its number. Every
/// layer has norms, and shared experts have activations alone.
struct CancellingKernels {
    static inline std::atomic<int64_t> left{0};
    static inline std::atomic<bool> cancel{false};

    static void rmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
        if (left.fetch_sub(1) == 1) cancel = true;
        kernelTables().back()->rmsNorm(x, weight, n, epsilon, out);
    }
    static void swiGlu(const float* gate, const float* up, int64_t n, float* out) {
        if (left.fetch_sub(1) == 1) cancel = true;
        kernelTables().back()->swiGlu(gate, up, n, out);
    }
    static KernelTable table() {
        KernelTable table = *kernelTables().back();
        table.rmsNorm = rmsNorm;
        table.swiGlu = swiGlu;
        return table;
    }
};

} // namespace

class InterruptedPassTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cancelAndResume();
    void cancelAnywhereAndResume_data();
    void cancelAnywhereAndResume();
    void contextFull();
    void tokenOutsideTheVocabulary();
    void failingReadsEndThePassAndNoMore_data();
    void failingReadsEndThePassAndNoMore();
    void uploadCanBeStopped();
    void aTraceWithoutMemory();
};

void InterruptedPassTest::cancelAndResume() {
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    LoadedModel model = mustLoad(files, {.chunk = 8});
    const std::vector<int32_t> tokens = randomTokens(30, kSparse.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens);
    for (const int64_t stopAt : {0, 8, 16, 24}) {
        QCOMPARE(model.decoder->rewind(0), 0);
        std::atomic<bool> cancel{stopAt == 0};
        ForwardRequest request{
            .tokens = tokens, .cancel = &cancel, .onProgress = [&](int64_t done) { cancel = done >= stopAt; }};
        const auto status = model.decoder->forward(request);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().kind, ErrorKind::Cancelled);
        QCOMPARE(model.decoder->position(), stopAt);
        const auto kept = static_cast<size_t>(stopAt);
        QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, kept, 30)), Logits(want.begin() + stopAt, want.end())));
    }
}

void InterruptedPassTest::cancelAnywhereAndResume_data() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::addColumn<bool>("inParts");
    for (const NamedOptions& family : tinyFamilies()) {
        QTest::newRow(family.name) << family.options << false;
        if (family.options.layerEmbedding != 0) continue;
        QTest::addRow("%s in parts", family.name) << withLargeExperts(family.options) << true;
    }
}

/// Cancels at each norm and activation of a prompt in two chunks, and so between all of its layers, and between the
/// parts of longer chunks. A chunk's tokens have their norms one after the other: in the short form each such row of
/// norms is met at least once.
void InterruptedPassTest::cancelAnywhereAndResume() {
    QFETCH(TinyModelOptions, options);
    QFETCH(bool, inParts);
    MemoryFiles files(makeTinyModel(options).bytes);
    const KernelTable kernels = CancellingKernels::table();
    LoadOptions choices{.kernels = &kernels, .threads = 1, .chunk = 6};
    if (inParts) {
        choices.chunk = 2;
        choices.longChunk = 6;
        choices.longSlots = 1;
    }
    LoadedModel model = mustLoad(files, choices);
    const std::vector<int32_t> tokens = randomTokens(11, options.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens);
    const int64_t step = longTests() ? 1 : 5; // the fewest tokens of a chunk
    int64_t stopped = 0;
    for (int64_t at = 1;; at += step) {
        QCOMPARE(model.decoder->rewind(0), 0);
        CancellingKernels::cancel = false;
        CancellingKernels::left = at;
        ForwardRequest request{.tokens = tokens, .cancel = &CancellingKernels::cancel};
        Logits last;
        request.wanted = LogitsWanted::Last;
        request.onLogits = [&](int64_t, std::span<const float> logits) {
            last.emplace_back(logits.begin(), logits.end());
        };
        const auto status = model.decoder->forward(request);
        if (!CancellingKernels::cancel) break;
        if (status) { // too late: the last layer had begun
            QVERIFY2(sameBits(last, {want.back()}), qPrintable(QString::number(at)));
            continue;
        }
        ++stopped;
        QCOMPARE(status.error().kind, ErrorKind::Cancelled);
        const auto kept = static_cast<size_t>(model.decoder->position());
        QVERIFY(kept == 0 || kept == 6);
        const Logits rest(want.begin() + static_cast<std::ptrdiff_t>(kept), want.end());
        QVERIFY2(sameBits(mustRun(*model.decoder, part(tokens, kept, 11)), rest), qPrintable(QString::number(at)));
    }
    QVERIFY(stopped * step > 11 * options.layers);
}

void InterruptedPassTest::contextFull() {
    MemoryFiles files(makeTinyModel(kDense).bytes);
    LoadedModel model = mustLoad(files, {.context = 20});
    const std::vector<int32_t> tokens = randomTokens(21, kDense.vocabulary);
    const auto tooLong = model.decoder->forward({.tokens = tokens});
    QVERIFY(!tooLong.ok());
    QCOMPARE(tooLong.error().kind, ErrorKind::ContextFull);
    QCOMPARE(model.decoder->position(), 0);
    mustRun(*model.decoder, part(tokens, 0, 20)); // exactly full
    QCOMPARE(model.decoder->forward({.tokens = std::span(tokens).first(1)}).error().kind, ErrorKind::ContextFull);
    QVERIFY(model.decoder->forward({}).ok()); // nothing always fits
}

void InterruptedPassTest::tokenOutsideTheVocabulary() {
    MemoryFiles files(makeTinyModel(kDense).bytes);
    LoadedModel model = mustLoad(files);
    for (const int32_t token : {-1, 300, 1 << 30}) {
        const std::vector<int32_t> tokens{1, token};
        const auto status = model.decoder->forward({.tokens = tokens});
        QVERIFY(!status.ok());
        QCOMPARE(status.error().kind, ErrorKind::BadInput);
        QCOMPARE(model.decoder->position(), 0);
    }
}

void InterruptedPassTest::failingReadsEndThePassAndNoMore_data() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::newRow("experts") << kSparse;
    TinyModelOptions dense = kDense;
    dense.layers = 8;
    QTest::newRow("dense") << dense;
}

/// The disk goes away after the first read, the second, and so on. Each time there is an Io error, and the logits are
/// the same when the disk is back.
void InterruptedPassTest::failingReadsEndThePassAndNoMore() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles memory(makeTinyModel(options).bytes);
    FaultyFiles files(memory);
    LoadedModel model = mustLoad(files, {.slots = 3});
    const std::vector<int32_t> tokens = randomTokens(6, options.vocabulary);
    const std::vector<size_t> pieces{4, 1, 1};
    const Logits want = mustRun(*model.decoder, tokens, pieces);
    int failures = 0;
    for (int64_t n = 0;; n += 7) {
        model.decoder->rewind(0);
        files.vanishAfterReads(n);
        const auto broken = logitsOf(*model.decoder, tokens, pieces);
        files.heal();
        if (broken.ok()) break;
        ++failures;
        QCOMPARE(broken.error().kind, ErrorKind::Io);
        const int64_t kept = model.decoder->position(); // whole chunks: the chunks before the error stay
        QVERIFY(kept == 0 || kept == 4 || kept == 5);
        QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, static_cast<size_t>(kept), 6)),
                         Logits(want.begin() + kept, want.end())));
    }
    QVERIFY(failures > 5);
}

void InterruptedPassTest::uploadCanBeStopped() {
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    LoadedModel model = mustLoad(files);
    const auto decoder = std::make_unique<Decoder>(createCpuBackend({.kernels = *kernelTables().back()}));
    QVERIFY(decoder->prepare(model.shape, model.plan).ok());
    const std::vector<int32_t> tokens{1};
    QCOMPARE(decoder->forward({.tokens = tokens}).error().kind, ErrorKind::Internal); // before upload
    QCOMPARE(decoder->upload(*model.file, [](uint64_t, uint64_t) { return false; }).error().kind, ErrorKind::Cancelled);
    uint64_t last = 0, whole = 0;
    QVERIFY(
        decoder->upload(*model.file, [&](uint64_t done, uint64_t total) { return last = done, whole = total, true; })
            .ok());
    QVERIFY(last == whole && whole > 0);
    QVERIFY(decoder->forward({.tokens = tokens}).ok());
}

/// A trace that finds no memory ends the request after its chunk was computed. Decoder and backend agree on whether the
/// chunk counts, so that the conversation can begin anew.
void InterruptedPassTest::aTraceWithoutMemory() {
    struct Full final : TraceSink {
        void layerDone(int64_t, int, std::span<const ExpertUse>, double) override {}
        void tokenDone(int64_t, int64_t, double) override { throw std::bad_alloc(); }
    } full;
    const TinyModelOptions options{.architecture = "qwen35", .layers = 3, .ropeDimensions = 8};
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files, {.chunk = 8});
    const std::vector<int32_t> tokens = randomTokens(8, options.vocabulary);
    const auto status = model.decoder->forward({.tokens = tokens, .trace = &full});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().kind, ErrorKind::OutOfMemory);
    model.decoder->rewind(0);
    LoadedModel fresh = mustLoad(files, {.chunk = 8});
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), mustRun(*fresh.decoder, tokens)));
}

QTEST_APPLESS_MAIN(InterruptedPassTest)
#include "tst_interrupted_pass.moc"
