// SPDX-License-Identifier: Apache-2.0
// Properties that a forward pass keeps: the same bits for any split, number of threads, chunk or slots; rewinding;
// trace and counters. tst_interrupted_pass.cpp has those that do not reach their end.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "support/faulty_files.h"

#include <QtTest>

#include <deque>
#include <map>
#include <numeric>
#include <random>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kDense{.type = TensorType::Q8_0};
const TinyModelOptions kSparse{
    .architecture = "smallthinker", .type = TensorType::Q4_0, .layers = 5, .window = 8, .tied = false};

TinyModelOptions changed(TinyModelOptions options, bool transposedDown, TensorType type) {
    options.transposedDown = transposedDown;
    options.type = type;
    return options;
}

/// A model with more layers than slots. In a dense model each slot holds the weights of one layer.
TinyModelOptions withLayersToRead(const NamedOptions& family) {
    TinyModelOptions options = inFormat(family.options, TensorType::Q4_0);
    if (!isDense(options)) return options;
    options.layers = 16;
    return options;
}

struct RecordingTrace final : TraceSink {
    struct Layer {
        int64_t position;
        int layer;
        std::vector<ExpertUse> uses;
    };
    std::vector<Layer> layers;
    std::vector<std::pair<int64_t, int64_t>> tokens;
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double) override {
        layers.push_back({position, layer, {uses.begin(), uses.end()}});
    }
    void tokenDone(int64_t position, int64_t headRows, double) override { tokens.emplace_back(position, headRows); }
};

/// Lengths of pieces that cut a short prompt: every cut in the long form. In the short form the pieces of a cut have
/// one length, except the first and the last one, and each piece that a cut can have occurs.
std::vector<std::vector<size_t>> cutsOf(size_t tokens) {
    std::vector<std::vector<size_t>> all;
    if (longTests()) {
        for (unsigned cuts = 0; cuts < 1u << (tokens - 1); ++cuts) { // bit i: a cut after token i
            all.push_back({1});
            for (size_t i = 0; i + 1 < tokens; ++i)
                (cuts >> i & 1) ? all.back().push_back(1) : void(++all.back().back());
        }
        return all;
    }
    for (size_t length = 1; length <= tokens; ++length)
        for (size_t first = 1; first <= length; ++first) {
            all.push_back({first});
            for (size_t begin = first; begin < tokens; begin += length)
                all.back().push_back(std::min(length, tokens - begin));
        }
    return all;
}

/// Runs the tokens one by one, as in decoding.
Logits mustRunRouted(Decoder& decoder, const std::vector<int32_t>& tokens, const ApproximateRouting& routing,
                     TraceSink* trace = nullptr) {
    Logits all;
    for (const int32_t token : tokens) {
        const auto status = decoder.forward(
            {.tokens = {&token, 1},
             .onLogits = [&all](int64_t,
                                std::span<const float> logits) { all.emplace_back(logits.begin(), logits.end()); },
             .trace = trace,
             .routing = routing});
        if (!status) qFatal("%s", status.error().line().c_str());
    }
    return all;
}

const std::deque<SharedModel>& sharedModels() {
    static const std::deque<SharedModel> models = [] {
        std::deque<SharedModel> list;
        for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::Q8_0, TensorType::Q4_0}) {
            const std::string name = traits(type).name;
            list.emplace_back("llama " + name, changed(kDense, false, type));
            list.emplace_back("smallthinker " + name, changed(kSparse, false, type));
            list.emplace_back("smallthinker by neuron " + name, changed(kSparse, true, type));
        }
        for (const TensorType type : {TensorType::Q8_0, TensorType::Q4_0})
            list.emplace_back(std::string("smallthinker regrouped ") + traits(type).name,
                              inFormat(regroupedSmallThinker(), type));
        for (const NamedOptions& family : tinyFamilies())
            list.emplace_back(family.name, inFormat(family.options, TensorType::Q5_1));
        for (const TensorType type : supportedFormats())
            list.emplace_back(std::string("qwen3moe ") + traits(type).name,
                              inFormat({.architecture = "qwen3moe", .layers = 1, .experts = 4, .tied = false}, type));
        return list;
    }();
    return models;
}

/// Without prefetch every read ends before the next layer requests its experts, so the experts in memory do not depend
/// on timing.
constexpr ExpertStoreChoices kNoPrefetch{.prefetch = false};

} // namespace

class ForwardTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everySplitOfAShortPrompt_data() { models(); }
    void everySplitOfAShortPrompt();
    void batchSizesAndChunks_data() { models(); }
    void batchSizesAndChunks();
    void threadsChangeNothing_data() { models(); }
    void threadsChangeNothing();
    void threadsShareBlocksOfPositions_data();
    void threadsShareBlocksOfPositions();
    void everySplitInTwo_data();
    void everySplitInTwo();
    void fewSlotsChangeNothing();
    void storeChoicesChangeNoBit();
    void slotSizesChangeNoBit();
    void approximateRoutingIsForSingleTokens();
    void preferringWhatIsThereChangesNothingWhereAllIs();
    void preferringWhatIsThereMissesLess();
    void topWeightShareRunsFewerExperts();
    void denseLayersComeInTheirTurn();
    void denseLayersMakeRoomForTheNext();
    void sparsityChangesNoBit_data() { models(); }
    void sparsityChangesNoBit();
    void groupingChangesNoBit_data() { models(); }
    void groupingChangesNoBit();
    void rewindAndResume_data() { models(); }
    void rewindAndResume();
    void ringForgetsWhatItOverwrote_data();
    void ringForgetsWhatItOverwrote();
    void cacheStopsGrowingAtTheWindow();
    void embeddingRowsFromFileOrMemory();
    void logitsOnlyWhereWanted();
    void progressGrowsWithinAChunk();
    void traceTellsWhatTheRouterChose();
    void countersCount();
    void onlyReGluHasActiveNeurons();

  private:
    static void models();
};

/// Every model with the best table. The short form has some with each of the other tables: the kernels' own tests
/// compare one token with many for every table and format.
void ForwardTest::models() {
    QTest::addColumn<const SharedModel*>("made");
    QTest::addColumn<const KernelTable*>("kernels");
    const auto some = {"llama F16", "smallthinker by neuron Q4_0", "smallthinker regrouped Q8_0", "glm4moe",
                       "qwen3moe Q6_K"};
    for (const KernelTable* table : testedKernels()) {
        const bool all = table == testedKernels().front() || longTests();
        for (const SharedModel& model : sharedModels())
            if (all || std::ranges::find(some, model.name) != some.end())
                QTest::addRow("%s %s", model.name.c_str(), table->name) << &model << table;
    }
}

void ForwardTest::everySplitOfAShortPrompt() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(made->bytes());
    LoadedModel model = mustLoad(files, {.kernels = kernels});
    const std::vector<int32_t> tokens = randomTokens(7, made->options.vocabulary);
    const Logits oneByOne = mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
    for (const std::vector<size_t>& pieces : cutsOf(tokens.size())) {
        QCOMPARE(model.decoder->rewind(0), 0);
        QVERIFY2(sameBits(mustRun(*model.decoder, tokens, pieces), oneByOne),
                 qPrintable(QStringLiteral("%1 pieces, the first of %2").arg(pieces.size()).arg(pieces[0])));
    }
}

/// The prompt crosses many edges of a window of 8, and the ring wraps. tst_oracle_agreement.cpp tests 512 tokens at
/// once.
void ForwardTest::batchSizesAndChunks() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(made->bytes());
    const int64_t chunk = longTests() ? 64 : 24;
    const std::vector<int32_t> tokens = randomTokens(2 * chunk + chunk / 3, made->options.vocabulary);
    LoadedModel model = mustLoad(files, {.kernels = kernels, .chunk = chunk});
    const Logits oneByOne = mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
    for (const size_t batch : {size_t{2}, size_t{7}, static_cast<size_t>(chunk), tokens.size()}) {
        QCOMPARE(model.decoder->rewind(0), 0);
        QVERIFY2(sameBits(mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size() / batch, batch)), oneByOne),
                 qPrintable(QString::number(batch)));
    }
}

void ForwardTest::threadsChangeNothing() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(made->bytes());
    const std::vector<int32_t> tokens = randomTokens(40, made->options.vocabulary);
    const std::vector<size_t> pieces{20, 1, 1, 18};
    LoadedModel one = mustLoad(files, {.kernels = kernels, .threads = 1});
    const Logits want = mustRun(*one.decoder, tokens, pieces);
    for (const int threads : {2, 5}) {
        LoadedModel more = mustLoad(files, {.kernels = kernels, .threads = threads});
        QVERIFY2(sameBits(mustRun(*more.decoder, tokens, pieces), want), qPrintable(QString::number(threads)));
    }
}

void ForwardTest::threadsShareBlocksOfPositions_data() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::newRow("llama") << TinyModelOptions{.context = 1400};
    QTest::newRow("gpt-oss") << TinyModelOptions{
        .architecture = "gpt-oss", .layers = 2, .context = 1400, .window = 600, .tied = false};
}

/// The context spans several of attention's blocks of positions. The threads share the blocks for a lone token.
void ForwardTest::threadsShareBlocksOfPositions() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(1100, options.vocabulary);
    std::vector<size_t> pieces(102, 1); // lone tokens on both sides of the borders at 512 and 1024
    pieces[0] = 500;
    pieces[20] = 500;
    QCOMPARE(std::accumulate(pieces.begin(), pieces.end(), size_t{0}), tokens.size());
    const KernelTable* const best = testedKernels().front();
    LoadedModel one = mustLoad(files, {.kernels = best, .threads = 1});
    const Logits want = mustRun(*one.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
    for (const int threads : {1, 2, 5}) {
        LoadedModel more = mustLoad(files, {.kernels = best, .threads = threads});
        QVERIFY2(sameBits(mustRun(*more.decoder, tokens, pieces), want), qPrintable(QString::number(threads)));
    }
}

void ForwardTest::everySplitInTwo_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies())
        QTest::newRow(family.name) << inFormat(family.options, TensorType::Q8_0);
}

/// The prompt crosses a window of 8 twice and wraps its ring.
void ForwardTest::everySplitInTwo() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files, {.kernels = testedKernels().front(), .threads = 3, .chunk = 12});
    const std::vector<int32_t> tokens = randomTokens(24, options.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
    for (size_t split = 1; split < tokens.size(); ++split) {
        QCOMPARE(model.decoder->rewind(0), 0);
        QVERIFY2(sameBits(mustRun(*model.decoder, tokens, {split}), want), qPrintable(QString::number(split)));
    }
}

void ForwardTest::fewSlotsChangeNothing() {
    const KernelTable* const best = testedKernels().front();
    for (const NamedOptions& family : tinyFamilies()) {
        MemoryFiles files(makeTinyModel(withLayersToRead(family)).bytes);
        const std::vector<int32_t> tokens = randomTokens(60, family.options.vocabulary);
        const std::vector<size_t> pieces{1, 1, 33, 1, 1, 1};
        LoadedModel all = mustLoad(files, {.kernels = best});
        QCOMPARE(all.plan.slots, all.plan.totalExperts);
        const Logits want = mustRun(*all.decoder, tokens, pieces);
        const uint64_t least = all.shape.isDense() ? 1 : all.plan.minimumSlots;
        const uint64_t once = all.decoder->telemetry().counts.fromDisk(); // each expert that was asked for
        for (const uint64_t slots : {least, all.plan.minimumSlots, uint64_t{3}, uint64_t{7}, uint64_t{13}}) {
            LoadedModel few = mustLoad(files, {.kernels = best, .slots = slots});
            QVERIFY2(sameBits(mustRun(*few.decoder, tokens, pieces), want), qPrintable(QString::number(slots)));
            const DeviceTelemetry now = few.decoder->telemetry();
            QCOMPARE(now.slots.usable, slots);
            QVERIFY(now.slots.used <= slots);
            // How many are prefetched, and how many of them in vain, depends on time; requests do not.
            QVERIFY2(slots == least ? now.counts.fromDisk() > once : now.counts.fromDisk() >= once,
                     qPrintable(QStringLiteral("%1, %2 slots").arg(QString::fromLatin1(family.name)).arg(slots)));
        }
    }
}

/// The bits are the same for any number of slots, eviction policy and read depth, with and without prefetch, past the
/// page cache and through it. In the short form a family has one of the policies, and each policy several families.
void ForwardTest::storeChoicesChangeNoBit() {
    std::mt19937 random(17);
    size_t number = 0;
    const KernelTable* const best = testedKernels().front();
    for (const NamedOptions& family : tinyFamilies()) {
        MemoryFiles files(makeTinyModel(withLayersToRead(family)).bytes);
        FaultyFiles aligned(files);
        aligned.pretendAlignment(directAlignment());
        const std::vector<int32_t> tokens = randomTokens(60, family.options.vocabulary);
        const std::vector<size_t> pieces{1, 1, 1, 1, 33, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        LoadedModel all = mustLoad(files, {.kernels = best});
        const Logits want = mustRun(*all.decoder, tokens, pieces);
        const std::vector policies{EvictionKind::ExpectedUse, EvictionKind::LeastRecentlyUsed,
                                   EvictionKind::LeastFrequentlyUsed};
        for (const EvictionKind eviction : longTests() ? policies : std::vector{policies[number++ % policies.size()]})
            for (int i = 0; i < 4; ++i) {
                const uint64_t least = all.plan.minimumSlots;
                const ExpertStoreChoices choices{.eviction = eviction,
                                                 .prefetch = i != 1,
                                                 .direct = i != 2,
                                                 .readDepth = static_cast<int>(random() % 5)};
                const uint64_t slots = i == 3 ? least : least + random() % (all.plan.totalExperts - least);
                LoadedModel few = mustLoad(aligned, {.kernels = best, .slots = slots, .experts = choices});
                QVERIFY2(sameBits(mustRun(*few.decoder, tokens, pieces), want),
                         qPrintable(QString("%1 with %2 slots, %3").arg(family.name).arg(slots).arg(i)));
            }
    }
}

/// Experts of two sizes: the bits are the same with slots of one size, with slots of both, and with all in memory, also
/// while memory is given back.
void ForwardTest::slotSizesChangeNoBit() {
    TinyModelOptions options{.architecture = "qwen3moe", .layers = 6, .tied = false};
    options.typeOf = downMatricesOfTwoFormats;
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(60, options.vocabulary);
    const std::vector<size_t> pieces{1, 1, 1, 1, 33, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const KernelTable* const best = testedKernels().front();
    LoadedModel all = mustLoad(files, {.kernels = best});
    QCOMPARE(all.plan.smallSlots(), uint64_t{3 * 8});
    QCOMPARE(all.plan.slots, uint64_t{6 * 8});
    const Logits want = mustRun(*all.decoder, tokens, pieces);
    for (const uint64_t slots : {all.plan.minimumSlots, uint64_t{4}, uint64_t{9}, uint64_t{16}, uint64_t{31}})
        for (const bool prefetch : {true, false}) {
            const ExpertStoreChoices choices{.prefetch = prefetch};
            LoadedModel few = mustLoad(files, {.kernels = best, .slots = slots, .experts = choices});
            const bool divided = few.decoder->telemetry().slots.bytesEach < all.plan.slotBytes;
            QCOMPARE(divided, slots >= 4);
            QVERIFY2(sameBits(mustRun(*few.decoder, tokens, pieces), want), qPrintable(QString::number(slots)));
            few.decoder->limitSlots(slots / 2);
            QCOMPARE(few.decoder->rewind(0), 0);
            QVERIFY2(sameBits(mustRun(*few.decoder, tokens, pieces), want), qPrintable(QString::number(slots)));
            QVERIFY(few.decoder->telemetry().slots.used <= std::max<uint64_t>(slots / 2, divided ? 4 : 2));
        }
}

/// A prompt is not approximated, even if its last chunk is a lone token; nor is a request without approximate routing.
void ForwardTest::approximateRoutingIsForSingleTokens() {
    for (const NamedOptions& family : tinyFamilies()) {
        MemoryFiles files(makeTinyModel(family.options).bytes);
        const std::vector<int32_t> tokens = randomTokens(9, family.options.vocabulary);
        LoadedModel model = mustLoad(files, {.chunk = 4, .slots = 4, .experts = kNoPrefetch});
        const Logits want = mustRun(*model.decoder, tokens);
        QCOMPARE(model.decoder->rewind(0), 0);
        Logits got;
        const int64_t beforeLast = 8;
        const ForwardRequest prompt{
            .tokens = tokens,
            .wanted = LogitsWanted::All,
            .onLogits = [&got](int64_t,
                               std::span<const float> logits) { got.emplace_back(logits.begin(), logits.end()); },
            .keepAt = {&beforeLast, 1},
            .routing = {.preferCached = 1, .topWeightShare = 0.1f}};
        QVERIFY(model.decoder->forward(prompt).ok());
        QVERIFY2(sameBits(got, want), family.name);
        QCOMPARE(model.decoder->telemetry().counts.choicesChanged, uint64_t{0});
        // A dense layer has no experts to choose from. The choice for a lone token changes, but only for this request.
        QCOMPARE(model.decoder->rewind(8), 8);
        const Logits approximate = mustRunRouted(*model.decoder, {tokens[8]}, prompt.routing);
        QVERIFY2(sameBits(approximate, {want[8]}) == model.shape.isDense(), family.name);
        const DeviceTelemetry told = model.decoder->telemetry();
        QCOMPARE(told.counts.choicesChanged > 0, !model.shape.isDense());
        QVERIFY(told.counts.choicesChanged <= told.counts.choices);
        QCOMPARE(model.decoder->rewind(8), 8);
        QVERIFY2(sameBits(mustRunRouted(*model.decoder, {tokens[8]}, {}), {want[8]}), family.name);
    }
}

void ForwardTest::preferringWhatIsThereChangesNothingWhereAllIs() {
    TinyModelOptions options = kSparse;
    options.experts = 4;
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files, {.experts = kNoPrefetch});
    mustRun(*model.decoder, randomTokens(200, kSparse.vocabulary, 3));
    QCOMPARE(model.decoder->telemetry().slots.used, model.plan.totalExperts);
    model.decoder->rewind(0);
    const std::vector<int32_t> tokens = randomTokens(20, kSparse.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens, std::vector<size_t>(20, 1));
    model.decoder->rewind(0);
    QVERIFY(sameBits(mustRunRouted(*model.decoder, tokens, {.preferCached = 0.7f}), want));
    QCOMPARE(model.decoder->telemetry().counts.choicesChanged, uint64_t{0});
}

void ForwardTest::preferringWhatIsThereMissesLess() {
    const std::vector<int32_t> tokens = randomTokens(60, kSparse.vocabulary);
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    const auto missesAt = [&](float strength) {
        LoadedModel model = mustLoad(files, {.slots = 15, .experts = kNoPrefetch}); // 15 of 40 experts; a token uses 10
        RecordingTrace trace;
        mustRunRouted(*model.decoder, tokens, {.preferCached = strength}, &trace);
        for (const RecordingTrace::Layer& layer : trace.layers)
            if (layer.uses.size() != 2 || layer.uses[0].weight < layer.uses[1].weight) qFatal("not two, best first");
        const Counts statistics = model.decoder->telemetry().counts;
        return statistics.hits + statistics.misses == 600 ? statistics.misses : ~uint64_t{0};
    };
    const uint64_t exact = missesAt(0), some = missesAt(0.3f), all = missesAt(1);
    QVERIFY2(all < some && some < exact, qPrintable(QString("%1 %2 %3").arg(all).arg(some).arg(exact)));
}

void ForwardTest::topWeightShareRunsFewerExperts() {
    TinyModelOptions options = kSparse;
    options.expertsPerToken = 4;
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(12, options.vocabulary);
    for (const bool grouping : {true, false}) {
        LoadedModel exactly = mustLoad(files, {.shortcuts = {.grouping = grouping}, .experts = kNoPrefetch});
        LoadedModel all = mustLoad(files, {.shortcuts = {.grouping = grouping}, .experts = kNoPrefetch});
        const Logits want = mustRunRouted(*exactly.decoder, tokens, {});
        QVERIFY(sameBits(mustRunRouted(*all.decoder, tokens, {.topWeightShare = 1}), want));
        LoadedModel few = mustLoad(files, {.shortcuts = {.grouping = grouping}, .experts = kNoPrefetch});
        RecordingTrace trace;
        QVERIFY(!sameBits(mustRunRouted(*few.decoder, tokens, {.topWeightShare = 0.6f}, &trace), want));
        uint64_t uses = 0;
        for (const RecordingTrace::Layer& layer : trace.layers) {
            uses += layer.uses.size();
            float sum = 0;
            for (const ExpertUse& use : layer.uses) sum += use.weight;
            QVERIFY(!layer.uses.empty() && std::abs(sum - 1) < 1e-6f);
        }
        const DeviceTelemetry a = exactly.decoder->telemetry(), b = few.decoder->telemetry();
        QVERIFY(uses < 12 * 5 * 4);
        QCOMPARE(b.counts.hits + b.counts.misses, uses);
        QCOMPARE(b.counts.neurons, uses * 96);
        QVERIFY(b.counts.weightBytesRead < a.counts.weightBytesRead && b.counts.bytesRead <= a.counts.bytesRead);
        few.decoder->rewind(0);
        QVERIFY(sameBits(mustRun(*few.decoder, tokens, {5}), want)); // a prompt uses all experts
    }
}

/// The next layer is always known, so each layer is prefetched before its turn; from the second token on the first
/// layer, too.
void ForwardTest::denseLayersComeInTheirTurn() {
    const TinyModelOptions options{.type = TensorType::Q8_0, .layers = 12};
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(60, options.vocabulary);
    for (const uint64_t slots : {1u, 2u, 3u, 6u, 11u, 12u}) {
        LoadedModel model = mustLoad(files, {.slots = slots});
        mustRun(*model.decoder, tokens, std::vector<size_t>(30, 1)); // the other 30 tokens are one chunk
        const Counts statistics = model.decoder->telemetry().counts;
        QVERIFY2(statistics.misses == 1, qPrintable(QString("%1 slots, %2 misses, %3 guessed")
                                                        .arg(slots)
                                                        .arg(statistics.misses)
                                                        .arg(statistics.prefetched)));
        QCOMPARE(statistics.hits, uint64_t{31 * 12 - 1});
        QVERIFY(statistics.prefetched <= 32 * 12); // at most once for each turn; some of them for the next token
        // Experts that were read count as read from disk, except those whose turn has not come.
        const uint64_t bytes = uint64_t(options.width) * uint64_t(options.feedForward) * 3 / 32 * 34;
        const uint64_t fromDisk = statistics.fromDisk(), read = statistics.bytesRead / bytes;
        QVERIFY2(fromDisk <= read && read <= fromDisk + 13, qPrintable(QString("%1 of %2").arg(fromDisk).arg(read)));
        if (slots == 12) QCOMPARE(statistics.prefetched, uint64_t{11});
    }
}

/// Without prefetch the layer that was just used is evicted: its turn is the farthest away. No policy has more hits.
void ForwardTest::denseLayersMakeRoomForTheNext() {
    const TinyModelOptions options{.type = TensorType::Q8_0, .layers = 12};
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    for (const uint64_t slots : {2u, 6u, 11u}) {
        LoadedModel model = mustLoad(files, {.slots = slots, .experts = {.prefetch = false}});
        mustRun(*model.decoder, tokens, std::vector<size_t>(40, 1));
        const Counts statistics = model.decoder->telemetry().counts;
        QCOMPARE(statistics.hits + statistics.misses, uint64_t{40 * 12});
        const uint64_t most = 40 * 12 * (slots - 1) / 11;
        QVERIFY2(statistics.hits <= most && statistics.hits + 24 > most, qPrintable(QString::number(statistics.hits)));
    }
}

/// Without sparsity nothing is skipped: the kernels read more if neurons can be inactive, and the answer is the same.
void ForwardTest::sparsityChangesNoBit() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(made->bytes());
    const std::vector<int32_t> tokens = randomTokens(30, made->options.vocabulary);
    const std::vector<size_t> pieces{20, 1, 1, 1, 7};
    LoadedModel with = mustLoad(files, {.kernels = kernels});
    LoadedModel without = mustLoad(files, {.kernels = kernels, .shortcuts = {.sparsity = false}});
    QVERIFY(sameBits(mustRun(*without.decoder, tokens, pieces), mustRun(*with.decoder, tokens, pieces)));
    const DeviceTelemetry a = with.decoder->telemetry(), b = without.decoder->telemetry();
    if (with.shape.activation == Activation::ReGlu)
        QVERIFY(b.counts.weightBytesRead > a.counts.weightBytesRead);
    else
        QCOMPARE(b.counts.weightBytesRead, a.counts.weightBytesRead);
    QCOMPARE(b.counts.activeNeurons, a.counts.activeNeurons);
    QCOMPARE(b.counts.neurons, a.counts.neurons);
}

/// Without grouping each token reads its own experts (in a dense layer all tokens read the same ones). Only the tokens
/// of a prompt can share reads.
void ForwardTest::groupingChangesNoBit() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(made->bytes());
    const std::vector<int32_t> tokens = randomTokens(30, made->options.vocabulary);
    LoadedModel with = mustLoad(files, {.kernels = kernels});
    for (const uint64_t slots : {with.plan.slots, std::min(with.plan.slots, uint64_t{3})}) {
        LoadedModel grouped = mustLoad(files, {.kernels = kernels});
        LoadedModel apart = mustLoad(files, {.kernels = kernels, .slots = slots, .shortcuts = {.grouping = false}});
        RecordingTrace one, other;
        const Logits want = mustHave(logitsOf(*grouped.decoder, tokens, {30}, &one));
        QVERIFY(sameBits(mustHave(logitsOf(*apart.decoder, tokens, {30}, &other)), want));
        const DeviceTelemetry a = grouped.decoder->telemetry(), b = apart.decoder->telemetry();
        QVERIFY(b.counts.weightBytesRead > a.counts.weightBytesRead);
        QCOMPARE(b.counts.activeNeurons, a.counts.activeNeurons);
        QCOMPARE(one.layers.size(), other.layers.size());
        for (size_t i = 0; i < one.layers.size(); ++i)
            for (size_t k = 0; k < one.layers[i].uses.size(); ++k) {
                QCOMPARE(other.layers[i].uses[k].expert, one.layers[i].uses[k].expert);
                QCOMPARE(other.layers[i].uses[k].activeNeurons, one.layers[i].uses[k].activeNeurons);
            }
        mustRun(*grouped.decoder, {tokens[0]});
        mustRun(*apart.decoder, {tokens[0]});
        const uint64_t readGrouped = grouped.decoder->telemetry().counts.weightBytesRead - a.counts.weightBytesRead,
                       readApart = apart.decoder->telemetry().counts.weightBytesRead - b.counts.weightBytesRead;
        if (slots == with.plan.slots)
            QCOMPARE(readApart, readGrouped);
        else
            QVERIFY(readApart >= readGrouped); // all columns of an expert that just arrived are read
    }
}

void ForwardTest::rewindAndResume() {
    QFETCH(const SharedModel*, made);
    QFETCH(const KernelTable*, kernels);
    TinyModelOptions options = made->options;
    const bool hasWindow = options.window != 0;
    if (hasWindow) options.window = 64; // no position is ever overwritten
    MemoryFiles files(hasWindow ? makeTinyModel(options).bytes : made->bytes());
    LoadedModel model = mustLoad(files, {.kernels = kernels});
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary),
                               others = randomTokens(9, options.vocabulary, 99);
    const Logits want = mustRun(*model.decoder, tokens);
    if (hasStates(options)) { // without a copy a state begins anew
        QCOMPARE(model.decoder->rewind(25), 0);
        const int64_t position = 25;
        QVERIFY(model.decoder->forward({.tokens = tokens, .keepAt = {&position, 1}}).ok());
    }
    QCOMPARE(model.decoder->rewind(25), 25);
    mustRun(*model.decoder, others);
    QCOMPARE(model.decoder->position(), 34);
    QCOMPARE(model.decoder->rewind(100), 34); // nothing to forget
    QCOMPARE(model.decoder->rewind(25), 25);
    QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, 25, 40)), Logits(want.begin() + 25, want.end())));
}

void ForwardTest::ringForgetsWhatItOverwrote_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies())
        if (family.options.window != 0) QTest::newRow(family.name) << family.options;
}

void ForwardTest::ringForgetsWhatItOverwrote() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);   // window 8
    LoadedModel model = mustLoad(files, {.chunk = 4}); // ring of 12
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens);
    // The ring holds [28, 40); a token at 35 looks back to 28, one at 34 to 27.
    QCOMPARE(model.decoder->rewind(35), 35);
    QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, 35, 40)), Logits(want.begin() + 35, want.end())));
    QCOMPARE(model.decoder->rewind(34), 0);
    QVERIFY(sameBits(mustRun(*model.decoder, tokens), want));
    // Within the first ring nothing is lost.
    QCOMPARE(model.decoder->rewind(0), 0);
    mustRun(*model.decoder, part(tokens, 0, 12));
    QCOMPARE(model.decoder->rewind(3), 3);
    QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, 3, 12)), Logits(want.begin() + 3, want.begin() + 12)));
}

void ForwardTest::cacheStopsGrowingAtTheWindow() {
    TinyModelOptions options = kSparse;
    options.layers = 4; // one that sees everything, three with a window
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files, {.chunk = 16});
    const uint64_t perPosition =
        static_cast<uint64_t>(model.shape.layer[0].attention.keyWidth()) * 2 * 2; // keys and values in halves
    const auto at = [&](int64_t end) {
        mustRun(*model.decoder, randomTokens(end - model.decoder->position(), options.vocabulary));
        return model.decoder->telemetry().keyValueBytes;
    };
    QCOMPARE(at(24), perPosition * 24 * 4);
    QCOMPARE(at(100), perPosition * (100 + 3 * 24));
    QCOMPARE(at(300), perPosition * (300 + 3 * 24));
    QVERIFY(model.plan.keyValue >= model.decoder->telemetry().keyValueBytes);
}

void ForwardTest::embeddingRowsFromFileOrMemory() {
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    const std::vector<int32_t> tokens = randomTokens(12, kSparse.vocabulary);
    LoadedModel kept = mustLoad(files);
    QVERIFY(kept.plan.embeddingKept);
    LoadedModel read = mustLoad(files);
    read.plan.embeddingKept = false;
    read.decoder = std::make_unique<Decoder>(createCpuBackend({.kernels = *kernelTables().back()}));
    QVERIFY(read.decoder->prepare(read.shape, read.plan).ok());
    QVERIFY(read.decoder->upload(*read.file, {}).ok());
    QVERIFY(read.decoder->telemetry().residentBytes < kept.decoder->telemetry().residentBytes);
    QVERIFY(sameBits(mustRun(*read.decoder, tokens), mustRun(*kept.decoder, tokens)));
}

void ForwardTest::logitsOnlyWhereWanted() {
    MemoryFiles files(makeTinyModel(kDense).bytes);
    LoadedModel model = mustLoad(files, {.chunk = 8});
    const std::vector<int32_t> tokens = randomTokens(21, kDense.vocabulary);
    const Logits all = mustRun(*model.decoder, tokens);
    std::map<int64_t, std::vector<float>> got;
    ForwardRequest request{.tokens = tokens, .onLogits = [&](int64_t i, std::span<const float> logits) {
                               got[i].assign(logits.begin(), logits.end());
                           }};
    for (const LogitsWanted wanted : {LogitsWanted::None, LogitsWanted::Last}) {
        model.decoder->rewind(0);
        got.clear();
        request.wanted = wanted;
        QVERIFY(model.decoder->forward(request).ok());
        QCOMPARE(got.size(), size_t{wanted == LogitsWanted::Last});
    }
    QVERIFY(sameBits({got.at(20)}, {all[20]}));
}

/// Each of five layers adds its share of a chunk's tokens. A chunk's end is reported once the KV cache holds it.
void ForwardTest::progressGrowsWithinAChunk() {
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    LoadedModel model = mustLoad(files, {.chunk = 8});
    const std::vector<int32_t> tokens = randomTokens(20, kSparse.vocabulary);
    std::vector<int64_t> told, held;
    const auto listen = [&](int64_t done) {
        told.push_back(done);
        held.push_back(model.decoder->position());
    };
    QVERIFY(model.decoder->forward({.tokens = tokens, .onProgress = listen}).ok());
    QCOMPARE(told, std::vector<int64_t>({1, 3, 4, 6, 8, 9, 11, 12, 14, 16, 17, 18, 19, 20}));
    QCOMPARE(held, std::vector<int64_t>({0, 0, 0, 0, 8, 8, 8, 8, 8, 16, 16, 16, 16, 20}));
    told.clear();
    QVERIFY(model.decoder->forward({.tokens = std::span(tokens).first(1), .onProgress = listen}).ok());
    QCOMPARE(told, std::vector<int64_t>({1}));
}

void ForwardTest::traceTellsWhatTheRouterChose() {
    TinyModelOptions options = kSparse;
    options.type = TensorType::F32;
    const TinyModel tiny = makeTinyModel(options);
    const std::vector<int32_t> tokens = randomTokens(9, options.vocabulary);
    const OracleRun want = runOracle(tiny.oracle, tokens);
    MemoryFiles files(tiny.bytes);
    LoadedModel model = mustLoad(files, {.chunk = 4});
    RecordingTrace trace;
    QVERIFY(
        model.decoder->forward({.tokens = tokens, .onLogits = [](int64_t, std::span<const float>) {}, .trace = &trace})
            .ok());
    QCOMPARE(trace.layers.size(), tokens.size() * 5);
    bool missed = false, hit = false;
    for (const RecordingTrace::Layer& layer : trace.layers) {
        float sum = 0;
        const std::vector<int>& experts =
            want.experts[static_cast<size_t>(layer.position)][static_cast<size_t>(layer.layer)];
        QCOMPARE(layer.uses.size(), experts.size());
        for (size_t i = 0; i < experts.size(); ++i) {
            QCOMPARE(layer.uses[i].expert, experts[i]);
            QVERIFY(layer.uses[i].activeNeurons > 0 && layer.uses[i].activeNeurons < options.feedForward);
            sum += layer.uses[i].weight;
            (layer.uses[i].hit ? hit : missed) = true;
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
    }
    QVERIFY(hit && missed);
    QCOMPARE(trace.tokens.size(), tokens.size());
    for (int64_t i = 0; i < 9; ++i)
        QCOMPARE(trace.tokens[static_cast<size_t>(i)], std::make_pair(i, i == 8 ? options.vocabulary : int64_t{0}));
}

void ForwardTest::countersCount() {
    MemoryFiles files(makeTinyModel(kSparse).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(10, kSparse.vocabulary);
    mustRun(*model.decoder, tokens, std::vector<size_t>(10, 1));
    const DeviceTelemetry t = model.decoder->telemetry();
    QCOMPARE(t.position, 10);
    QCOMPARE(t.counts.neurons, uint64_t{10 * 5 * 2 * 96});
    QVERIFY(t.counts.activeNeurons > t.counts.neurons / 4 && t.counts.activeNeurons < t.counts.neurons * 3 / 4);
    QCOMPARE(t.counts.headRows, uint64_t{10 * 300});
    QCOMPARE(t.counts.hits + t.counts.misses, uint64_t{10 * 5 * 2});
    QVERIFY(t.counts.misses <= model.plan.totalExperts);
    QVERIFY(t.counts.weightBytesRead > 10 * t.residentBytes / 2);
    QVERIFY(t.scratchBytes <= model.plan.scratch && t.residentBytes <= model.plan.resident);
}

/// Activations that make no neuron inactive report no active neurons.
void ForwardTest::onlyReGluHasActiveNeurons() {
    for (const NamedOptions& family : tinyFamilies()) {
        MemoryFiles files(makeTinyModel(family.options).bytes);
        LoadedModel model = mustLoad(files);
        RecordingTrace trace;
        const std::vector<int32_t> tokens = randomTokens(5, family.options.vocabulary);
        QVERIFY(logitsOf(*model.decoder, tokens, {4, 1}, &trace).ok());
        const bool sparse = model.shape.activation == Activation::ReGlu;
        QCOMPARE(trace.layers.size(), 5 * model.shape.layer.size()); // a dense layer is its one expert
        for (const RecordingTrace::Layer& layer : trace.layers)
            for (const ExpertUse& use : layer.uses) QVERIFY2((use.activeNeurons > 0) == sparse, family.name);
        QVERIFY2((model.decoder->telemetry().counts.neurons > 0) == sparse, family.name);
        QVERIFY2((model.decoder->telemetry().counts.activeNeurons > 0) == sparse, family.name);
    }
}

QTEST_APPLESS_MAIN(ForwardTest)
#include "tst_forward.moc"
