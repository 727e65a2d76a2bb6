// SPDX-License-Identifier: Apache-2.0
// The measurement of a pass's steps: its bytes are those of the counters, its times add up, and no bit changes.
#include "decoder/loaded_model.h"
#include "decoder/step_meter.h"
#include "decoder/tiny_families.h"

#include <QtTest>

#include <chrono>
#include <numeric>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kPrompt = 12, kChunk = 5, kTokens = 3;

/// The figures that a meter and the counters give for a prompt and of a few tokens after it.
struct Measured {
    StepMeter::Reading prompt, tokens;
    uint64_t promptWeights = 0, tokenWeights = 0; ///< by the counters
    double elapsed = 0;                           ///< seconds
    Logits logits;
};

Measured measure(FileSystem& files, const std::vector<int32_t>& tokens, LoadOptions options) {
    StepMeter meter;
    options.kernels = testedKernels().front();
    options.chunk = kChunk;
    options.steps = &meter;
    LoadedModel model = mustLoad(files, options);
    const auto weights = [&model] { return model.decoder->telemetry().counts.weightBytesRead; };
    const auto begin = std::chrono::steady_clock::now();
    const StepMeter::Reading atStart = meter.read();
    const uint64_t weightsAtStart = weights();
    Measured measured;
    measured.logits = mustRun(*model.decoder, part(tokens, 0, kPrompt));
    const StepMeter::Reading atFirst = meter.read();
    measured.promptWeights = weights() - weightsAtStart;
    for (size_t t = kPrompt; t < tokens.size(); ++t)
        measured.logits.push_back(mustRun(*model.decoder, {tokens[t]}).front());
    measured.prompt = atFirst - atStart;
    measured.tokens = meter.read() - atFirst;
    measured.tokenWeights = weights() - weightsAtStart - measured.promptWeights;
    measured.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return measured;
}

/// Bytes of weights: attention reads keys and values, and guesses run later layers' routers.
uint64_t weightBytes(const StepMeter::Reading& reading) {
    const uint64_t all = std::accumulate(reading.steps.begin(), reading.steps.end(), uint64_t{0},
                                         [](uint64_t sum, const StepMeter::Use& use) { return sum + use.bytes; });
    return all - reading.of(Step::Attention).bytes - reading.of(Step::Guess).bytes;
}

} // namespace

class StepMeterTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aScopeTakesTheTimeOfTheOuterOne();
    void theBytesAreThoseOfTheCounters_data() { families(); }
    void theBytesAreThoseOfTheCounters();
    void aFamilyHasItsSteps_data() { families(); }
    void aFamilyHasItsSteps();
    void attentionReadsWhatATokenSees();
    void shutNeuronsAreNotRead();
    void waitingForTheDiskIsAStep();

  private:
    static void families() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const NamedOptions& family : tinyFamilies()) QTest::newRow(family.name) << family.options;
        QTest::newRow("regrouped") << regroupedSmallThinker();
    }
};

void StepMeterTest::aScopeTakesTheTimeOfTheOuterOne() {
    StepMeter meter;
    const auto spend = [] {
        const auto begin = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() == begin) {
        }
    };
    {
        const StepScope outer(&meter, Step::Gate);
        spend();
        const double before = meter.read().of(Step::Gate).seconds;
        {
            const StepScope inner(&meter, Step::Up);
            QCOMPARE(meter.current(), Step::Up);
            const double gate = meter.read().of(Step::Gate).seconds;
            QVERIFY(gate > before);
            spend();
            QCOMPARE(meter.read().of(Step::Gate).seconds, gate);
        }
        QCOMPARE(meter.current(), Step::Gate);
    }
    QCOMPARE(meter.current(), Step::None);
    const StepMeter::Reading reading = meter.read();
    QVERIFY(reading.of(Step::Up).seconds > 0);
    QCOMPARE(reading.seconds(), reading.of(Step::Gate).seconds + reading.of(Step::Up).seconds);
    QCOMPARE(reading.of(Step::Gate).turns, uint64_t{2}); // before the inner step and after it
    QCOMPARE(reading.of(Step::Up).turns, uint64_t{1});
    QCOMPARE(reading.of(Step::Down).turns, uint64_t{0});
    const StepScope nothing(nullptr, Step::Down); // without a meter
}

void StepMeterTest::theBytesAreThoseOfTheCounters() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(kPrompt + kTokens, options.vocabulary);
    const Measured measured = measure(files, tokens, {});
    QCOMPARE(measured.prompt.passes, uint64_t{3}); // 5 + 5 + 2
    QCOMPARE(measured.tokens.passes, static_cast<uint64_t>(kTokens));
    QVERIFY(measured.promptWeights > 0 && measured.tokenWeights > 0);
    QCOMPARE(weightBytes(measured.prompt), measured.promptWeights);
    QCOMPARE(weightBytes(measured.tokens), measured.tokenWeights);
    const double seconds = measured.prompt.seconds() + measured.tokens.seconds();
    QVERIFY(seconds > 0 && seconds <= measured.elapsed);
    LoadedModel plain = mustLoad(files, {.kernels = testedKernels().front(), .chunk = kChunk});
    QVERIFY(sameBits(measured.logits, mustRun(*plain.decoder, tokens)));
}

void StepMeterTest::aFamilyHasItsSteps() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    const ModelShape shape = mustLoad(files).shape;
    const Measured measured = measure(files, randomTokens(kPrompt + kTokens, options.vocabulary), {});
    const auto any = [&shape](auto&& has) { return std::any_of(shape.layer.begin(), shape.layer.end(), has); };
    const bool recurs = any([](const LayerShape& layer) { return layer.mixer != Mixer::Attention; });
    const bool attends = any([](const LayerShape& layer) { return layer.mixer == Mixer::Attention; });
    for (const StepMeter::Reading& reading : {measured.prompt, measured.tokens}) {
        for (const Step step :
             {Step::Embedding, Step::Projections, Step::Output, Step::Gate, Step::Up, Step::Down, Step::Head}) {
            QVERIFY2(reading.of(step).bytes > 0, qPrintable(QString::number(static_cast<int>(step))));
            QVERIFY(reading.of(step).turns > 0);
        }
        QCOMPARE(reading.of(Step::Router).bytes > 0, !shape.isDense());
        QCOMPARE(reading.of(Step::Attention).bytes > 0, attends);
        QCOMPARE(reading.of(Step::State).turns > 0, recurs);
        QCOMPARE(reading.of(Step::LayerEmbeddings).bytes > 0, shape.layerEmbedding != 0);
    }
    QVERIFY(measured.prompt.of(Step::Barriers).turns > 0); // tokens of a chunk are shared by two threads
}

/// Each token reads the keys and values of itself and of those before it, in F16.
void StepMeterTest::attentionReadsWhatATokenSees() {
    const TinyModelOptions options{.architecture = "qwen3"};
    MemoryFiles files(makeTinyModel(options).bytes);
    const ModelShape shape = mustLoad(files).shape;
    const Measured measured = measure(files, randomTokens(kPrompt + kTokens, options.vocabulary), {});
    uint64_t positions = 0;
    for (int64_t t = kPrompt; t < kPrompt + kTokens; ++t) positions += static_cast<uint64_t>(t + 1);
    uint64_t each = 0;
    for (const LayerShape& layer : shape.layer)
        each += static_cast<uint64_t>(2 * layer.attention.keyWidth()) * sizeof(uint16_t);
    QCOMPARE(measured.tokens.of(Step::Attention).bytes, positions * each);
}

void StepMeterTest::shutNeuronsAreNotRead() {
    const TinyModelOptions options{.architecture = "smallthinker", .layers = 5, .window = 8, .tied = false};
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(kPrompt + kTokens, options.vocabulary);
    const StepMeter::Reading sparse = measure(files, tokens, {}).tokens;
    const StepMeter::Reading whole = measure(files, tokens, {.shortcuts = {.sparsity = false}}).tokens;
    QCOMPARE(whole.of(Step::Up).bytes, whole.of(Step::Gate).bytes);
    QCOMPARE(sparse.of(Step::Gate).bytes, whole.of(Step::Gate).bytes);
    QVERIFY(sparse.of(Step::Up).bytes < whole.of(Step::Up).bytes);
}

void StepMeterTest::waitingForTheDiskIsAStep() {
    const TinyModelOptions options{.architecture = "qwen3moe", .layers = 4, .tied = false};
    MemoryFiles files(makeTinyModel(options).bytes);
    const uint64_t least = mustLoad(files).plan.minimumSlots;
    const Measured measured = measure(files, randomTokens(kPrompt + kTokens, options.vocabulary),
                                      {.slots = least, .experts = {.prefetch = false}});
    QVERIFY(measured.prompt.of(Step::Disk).turns > 0);
    QVERIFY(measured.tokens.of(Step::Store).turns > 0);
    QCOMPARE(measured.tokens.of(Step::Disk).bytes, uint64_t{0}); // no weights are read while it waits
}

QTEST_GUILESS_MAIN(StepMeterTest)
#include "tst_step_meter.moc"
