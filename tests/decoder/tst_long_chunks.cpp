// SPDX-License-Identifier: Apache-2.0
// Long prompts of models that are read from disk: longer chunks, in memory that expert slots lend, give the same bits
// and read each expert once per chunk.
#include "decoder/kv_cache.h"
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "decoder/workspace.h"
#include "experts/slot_layout.h"
#include "model/model_tensors.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kPart = 5, kLong = 17;

/// Options for a model that computes parts of 5 tokens and long chunks of 17, with so many slots more than it needs.
LoadOptions longChunks(FileSystem& files, const LoadOptions& options, uint64_t more) {
    const LoadedModel planned = mustLoad(files, {.kernels = options.kernels});
    const MemoryPlan& plan = planned.plan;
    const WorkspaceRequest arrays{.chunk = kPart,
                                  .context = plan.context,
                                  .threads = plan.threads,
                                  .regroupedRow = plan.regroupedRow,
                                  .forms = plan.forms};
    LoadOptions chosen = options;
    chosen.chunk = kPart;
    chosen.longChunk = kLong;
    const uint64_t rings =
        KvCache::longBytesNeeded(planned.shape, plan.keyValueFormat, plan.context, kPart, kLong).value();
    const uint64_t bytes = Workspace::longBytesNeeded(planned.shape, arrays, kLong).value() + rings;
    const std::vector<ExpertLayer> layers =
        expertLayers(planned.shape, findTensors(planned.shape, planned.file->header()).value());
    for (chosen.slots = plan.minimumSlots;; ++chosen.slots) {
        const SlotLayout layout = SlotLayout::of(layers).divided(SlotClasses::of(layers), chosen.slots);
        chosen.longSlots = layout.lastWith(bytes, chosen.slots);
        const uint64_t least = std::max(plan.minimumSlots, layout.least());
        if (chosen.slots == plan.totalExperts || chosen.slots >= least + chosen.longSlots + more) return chosen;
    }
}

} // namespace

class LongChunksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anyChunkTheSameBits_data();
    void anyChunkTheSameBits();
    void expertsAreReadOncePerChunk();
    void slotsComeBack();
    void memoryThatOthersNeed();
    void cancelWithinALayer();
    void aCancelledChunkLeavesTheRings();
};

void LongChunksTest::anyChunkTheSameBits_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies())
        if (family.options.layerEmbedding == 0) QTest::newRow(family.name) << withLargeExperts(family.options);
    TinyModelOptions regrouped = regroupedSmallThinker();
    regrouped.feedForward = 512;
    QTest::newRow("regrouped") << regrouped;
    TinyModelOptions wide = withLargeExperts({.architecture = "glm4moe", .layers = 3, .tied = false});
    wide.denseFeedForward = 4 * wide.feedForward; // as published ones: many times an expert's width
    QTest::newRow("wide dense layers") << wide;
    TinyModelOptions twoSizes = withLargeExperts({.architecture = "qwen3moe", .layers = 4, .tied = false});
    twoSizes.typeOf = downMatricesOfTwoFormats;
    QTest::newRow("slots of two sizes") << twoSizes;
}

/// A prompt in one chunk, in parts, in long chunks, and in long chunks after a few tokens: the rings of windows (8
/// positions and a chunk) are passed several times.
void LongChunksTest::anyChunkTheSameBits() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(60, options.vocabulary);
    const KernelTable* kernels = testedKernels().front();
    LoadedModel whole = mustLoad(files, {.kernels = kernels});
    const Logits want = mustRun(*whole.decoder, tokens);
    for (const bool grouping : {true, false}) {
        const LoadOptions chosen = longChunks(files, {.kernels = kernels, .shortcuts = {.grouping = grouping}}, 1);
        LoadedModel model = mustLoad(files, chosen);
        std::set<int64_t> steps;
        std::set<uint64_t> lent;
        int64_t before = 0;
        ForwardRequest request{.tokens = tokens};
        request.onProgress = [&](int64_t) {
            lent.insert(model.decoder->telemetry().slots.lent);
            const int64_t step = model.decoder->position() - std::exchange(before, model.decoder->position());
            if (step != 0) steps.insert(step);
        };
        QVERIFY(model.decoder->forward(request).ok());
        QCOMPARE(steps, (std::set<int64_t>{9, kLong})); // 60 = 3 x 17 + 9
        QCOMPARE(lent, std::set<uint64_t>{chosen.longSlots});
        for (const std::vector<size_t>& pieces : {std::vector<size_t>{}, {3, 1, 40}, {18, 6, 5}}) {
            model.decoder->rewind(0);
            QVERIFY(sameBits(mustRun(*model.decoder, tokens, pieces), want));
        }
    }
}

/// All experts are used by each chunk, and few fit: a longer chunk reads them less often.
void LongChunksTest::expertsAreReadOncePerChunk() {
    const TinyModelOptions options = withLargeExperts({.architecture = "qwen3moe", .layers = 4, .tied = false});
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(4 * kLong, options.vocabulary);
    LoadOptions chosen = longChunks(files, {.experts = {.prefetch = false}}, 0);
    const auto reads = [&] {
        LoadedModel model = mustLoad(files, chosen);
        mustRun(*model.decoder, tokens);
        return model.decoder->telemetry().counts.misses;
    };
    const uint64_t longer = reads();
    QVERIFY2(longer <= static_cast<uint64_t>(4 * options.layers * options.experts),
             qPrintable(QString::number(longer)));
    chosen.longChunk = kPart;
    const uint64_t shorter = reads();
    QVERIFY2(2 * longer < shorter, qPrintable(QString("%1 and %2").arg(longer).arg(shorter)));
}

/// The memory is lent for the prompt alone: the first token after it has all slots, and so has a model at rest.
void LongChunksTest::slotsComeBack() {
    const TinyModelOptions options = withLargeExperts({.architecture = "smallthinker", .layers = 5, .window = 8});
    MemoryFiles files(makeTinyModel(options).bytes);
    const LoadOptions chosen = longChunks(files, {}, 2);
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    LoadedModel model = mustLoad(files, chosen);
    const auto lent = [&] { return model.decoder->telemetry().slots.lent; };
    for (const bool rests : {true, false}) {
        model.decoder->rewind(0);
        mustRun(*model.decoder, tokens);
        QCOMPARE(lent(), chosen.longSlots);
        if (rests)
            model.decoder->fillWhileIdle();
        else
            mustRun(*model.decoder, {7});
        QCOMPARE(lent(), uint64_t{0});
    }
}

/// If a session has given slots back to the system, a prompt is read in chunks of the usual length.
void LongChunksTest::memoryThatOthersNeed() {
    const TinyModelOptions options = withLargeExperts({.architecture = "qwen3moe", .layers = 4, .tied = false});
    MemoryFiles files(makeTinyModel(options).bytes);
    const LoadOptions chosen = longChunks(files, {}, 3);
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    LoadedModel whole = mustLoad(files);
    const Logits want = mustRun(*whole.decoder, tokens);
    LoadedModel model = mustLoad(files, chosen);
    model.decoder->limitSlots(chosen.slots - 1);
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), want));
    QCOMPARE(model.decoder->telemetry().slots.lent, uint64_t{0});
    model.decoder->limitSlots(chosen.slots);
    model.decoder->rewind(0);
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), want));
    QCOMPARE(model.decoder->telemetry().slots.lent, chosen.longSlots);
}

/// A layer of a long chunk takes seconds on a real model: a request that is cancelled within it does not wait for its
/// end.
void LongChunksTest::cancelWithinALayer() {
    const TinyModelOptions options = withLargeExperts({}); // dense: a layer is one expert, in four parts
    MemoryFiles files(makeTinyModel(options).bytes);
    static std::atomic<int64_t> left;
    static std::atomic<bool> cancel;
    KernelTable kernels = *kernelTables().back();
    kernels.swiGlu = [](const float* gate, const float* up, int64_t n, float* out) {
        if (left.fetch_sub(1) == 1) cancel = true;
        kernelTables().back()->swiGlu(gate, up, n, out);
    };
    LoadOptions chosen = longChunks(files, {.kernels = &kernels, .threads = 1}, 0);
    LoadedModel model = mustLoad(files, chosen);
    const std::vector<int32_t> tokens = randomTokens(kLong, options.vocabulary);
    left = 1; // within the first part of the first layer
    cancel = false;
    const auto status = model.decoder->forward({.tokens = tokens, .cancel = &cancel});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().kind, ErrorKind::Cancelled);
    QCOMPARE(model.decoder->position(), 0);
    QCOMPARE(model.decoder->telemetry().slots.lent, chosen.longSlots); // it was a long chunk
    const int64_t calls = 1 - left; // those of one part: its tokens, each for some blocks of neurons
    left = int64_t{1} << 40;
    cancel = false;
    LoadedModel whole = mustLoad(files, {.threads = 1});
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), mustRun(*whole.decoder, tokens)));
    const int64_t all = (int64_t{1} << 40) - left;
    QVERIFY2(calls * 12 < all, qPrintable(QString("%1 of %2").arg(calls).arg(all))); // 4 layers with 4 parts each
}

/// The conversation goes on from the tokens before a long chunk that was cancelled, and back from there.
void LongChunksTest::aCancelledChunkLeavesTheRings() {
    const TinyModelOptions options = withLargeExperts({.architecture = "smallthinker", .layers = 5, .window = 8});
    MemoryFiles files(makeTinyModel(options).bytes);
    const LoadOptions chosen = longChunks(files, {}, 2);
    const std::vector<int32_t> tokens = randomTokens(60, options.vocabulary);
    LoadedModel whole = mustLoad(files);
    const Logits want = mustRun(*whole.decoder, tokens);
    LoadedModel model = mustLoad(files, chosen);
    mustRun(*model.decoder, part(tokens, 0, 30));
    for (const int64_t layers : {1, 2, 4}) {
        std::atomic<bool> cancel = false;
        int64_t reported = 0;
        ForwardRequest request{.tokens = std::span(tokens).subspan(30, kLong), .cancel = &cancel};
        request.onProgress = [&](int64_t) { cancel = ++reported == layers; };
        QVERIFY(!model.decoder->forward(request).ok());
        QCOMPARE(model.decoder->position(), 30);
        for (const size_t from : {size_t{30}, size_t{29}}) {
            QCOMPARE(model.decoder->rewind(static_cast<int64_t>(from)), static_cast<int64_t>(from));
            const Logits next = mustRun(*model.decoder, part(tokens, from, 32), {1, 1, 1});
            QVERIFY(sameBits(next, Logits(want.begin() + static_cast<std::ptrdiff_t>(from), want.begin() + 32)));
        }
        QCOMPARE(model.decoder->rewind(30), 30);
    }
}

QTEST_GUILESS_MAIN(LongChunksTest)
#include "tst_long_chunks.moc"
