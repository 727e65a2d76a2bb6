// SPDX-License-Identifier: Apache-2.0
// Compares the engine's logits with those of a plain float64 decoder: every family, flavour and format, mixed formats,
// and batches up to 512 tokens, with every kernel table.
#include "decoder/oracle_check.h"
#include "decoder/tiny_families.h"
#include "fakes/second_backend.h"
#include "support/effort.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

class OracleAgreementTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void agrees_data();
    void agrees();
    void mixedFormats_data();
    void mixedFormats() { agrees(); }
    void eightBitCache_data();
    void eightBitCache();
    void longPrompts_data();
    void longPrompts();
    void tableHoldsEveryFamilyTested();
    void cleanupTestCase() { qInfo("worst difference: %.3f of the tolerance", worst_); }

  private:
    static void addVariants(const char* format, TensorType type);
    void compare(const std::vector<std::vector<float>>& got, const OracleRun& want, double allowed);
    double worst_ = 0; // as a share of what is allowed
};

void OracleAgreementTest::addVariants(const char* format, TensorType type) {
    const auto row = [&](const char* name, TinyModelOptions options) {
        options.type = type;
        QTest::addRow("%s %s", name, format) << options;
    };
    row("llama untied", {.tied = false});
    row("llama rope_freqs", {.ropeFactors = true});
    row("gpt-oss rope_freqs",
        {.architecture = "gpt-oss", .layers = 3, .window = 8, .tied = false, .ropeFactors = true});
    row("gemma2 rope_freqs", {.architecture = "gemma2", .layers = 3, .window = 8, .ropeFactors = true});
    row("gemma3 rope_freqs",
        {.architecture = "gemma3", .layers = 7, .window = 8, .ropeStretch = 8, .ropeFactors = true});
    row("llama biases", {.biases = true});
    row("llama no groups", {.heads = 2, .kvHeads = 2});
    row("llama yarn", {.yarnFactor = 4, .yarnContext = 128});
    const TinyModelOptions small{.architecture = "smallthinker", .layers = 5, .tied = false};
    const auto smallThinker = [&](const char* name, auto change) {
        TinyModelOptions options = small;
        change(options);
        row(name, options);
    };
    smallThinker("smallthinker without window", [](TinyModelOptions&) {});
    smallThinker("smallthinker no gating key", [](TinyModelOptions& o) { o.gating = ""; });
    smallThinker("smallthinker softmax", [](TinyModelOptions& o) { o.gating = "softmax"; });
    smallThinker("smallthinker tied", [](TinyModelOptions& o) { o.tied = true; });
    smallThinker("smallthinker predictor", [](TinyModelOptions& o) {
        o.transposedDown = true;
        o.window = 8;
        o.headPredictorRank = 4;
    });
    row("gpt-oss beyond the clamps",
        {.architecture = "gpt-oss", .layers = 3, .window = 8, .tied = false, .neuronBiases = 6});
    const auto glm = [&](const char* name, auto change) {
        TinyModelOptions options{
            .architecture = "glm4moe", .layers = 3, .sharedFeedForward = 96, .ropeDimensions = 16, .tied = false};
        change(options);
        row(name, options);
    };
    glm("glm4moe groups", [](TinyModelOptions& o) { o.groups = 4, o.groupsUsed = 2, o.expertsPerToken = 3; });
    glm("glm4moe softmax and groups",
        [](TinyModelOptions& o) { o.groups = 2, o.groupsUsed = 1, o.gating = "softmax"; });
    glm("glm4moe two shared experts", [](TinyModelOptions& o) { o.sharedFeedForward = 192; });
    glm("glm4moe no head norms", [](TinyModelOptions& o) { o.headNorms = false; });
    glm("glm4moe two dense layers", [](TinyModelOptions& o) { o.leadingDense = 2; });
    glm("glm4moe dense layers alone", [](TinyModelOptions& o) { o.leadingDense = 3; });
    glm("glm4moe no dense layer", [](TinyModelOptions& o) { o.leadingDense = 0; });
    glm("glm4moe draft layers", [](TinyModelOptions& o) { o.draftLayers = 2; });
    glm("glm4moe every value rotates", [](TinyModelOptions& o) { o.ropeDimensions = 0; });
    row("qwen35moe joined experts", {.architecture = "qwen35moe", .layers = 3, .joinedExperts = true, .tied = false});
    row("gemma4 experts apart", {.architecture = "gemma4",
                                 .layers = 4,
                                 .headDim = 64,
                                 .window = 8,
                                 .expertsBeside = true,
                                 .joinedExperts = false});
    row("lfm2 with a window", {.architecture = "lfm2", .layers = 4, .taps = 3, .window = 8});
    row("gpt-oss yarn",
        {.architecture = "gpt-oss", .layers = 3, .window = 8, .yarnFactor = 8, .yarnContext = 64, .tied = false});
}

void OracleAgreementTest::agrees_data() {
    QTest::addColumn<TinyModelOptions>("options");
    // Every family in the exact format. Of the other formats, which no family computes in a way of its own, the short
    // form takes each with every eighth family, and each family with every eighth format.
    constexpr size_t kEighth = 8;
    size_t format = 0;
    for (const TensorType type : supportedFormats()) {
        size_t number = format++;
        for (const NamedOptions& family : tinyFamilies())
            if (type == TensorType::F32 || longTests() || number++ % kEighth == 0)
                QTest::addRow("%s %s", family.name, traits(type).name) << inFormat(family.options, type);
    }
    for (const TensorType type : {TensorType::Q4_0, TensorType::Q8_0})
        QTest::addRow("smallthinker regrouped %s", traits(type).name) << inFormat(regroupedSmallThinker(), type);
    for (const TensorType type : {TensorType::F32, TensorType::Q8_0}) addVariants(traits(type).name, type);
}

/// allowed: the largest difference as a share of the logits' norm.
void OracleAgreementTest::compare(const std::vector<std::vector<float>>& got, const OracleRun& want, double allowed) {
    QVERIFY2(want.worstChoice <= choiceTolerance(allowed), qPrintable(QString::number(want.worstChoice)));
    QCOMPARE(got.size(), want.logits.size());
    for (size_t i = 0; i < got.size(); ++i) {
        const double error = relativeError(got[i], want.logits[i]);
        worst_ = std::max(worst_, error / allowed);
        QVERIFY2(error < allowed, qPrintable(QString("position %1: %2").arg(i).arg(error)));
    }
}

void OracleAgreementTest::agrees() {
    QFETCH(TinyModelOptions, options);
    const std::vector<int32_t> tokens = randomTokens(20, options.vocabulary); // beyond two windows of 8
    const TinyModel tiny = makeTinyModel(options);
    MemoryFiles files(tiny.bytes);
    Oracle oracle(tiny.oracle, tokens);
    for (const KernelTable* table : testedKernels()) {
        SecondBackendScript script;
        const auto second = [&script](const BackendOptions& made) {
            return std::make_unique<Decoder>(std::make_unique<SecondBackend>(script, made), made);
        };
        const bool best = table == testedKernels().front(); // the second backend computes with the same kernels
        for (const bool onSecond : best ? std::vector{false, true} : std::vector{false}) {
            LoadOptions load{.kernels = table};
            if (onSecond) load.decoder = second;
            auto model = loadModel(files, load);
            QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
            ChoiceRecorder trace;
            auto got = logitsOf(*model->decoder, tokens, {}, &trace);
            QVERIFY2(got.ok(), got ? "" : got.error().line().c_str());
            compare(got.value(), oracle.with(trace.choices), tolerance(options.type, tiny.oracle));
            if (QTest::currentTestFailed())
                qInfo("with the kernels %s, on %s", table->name, onSecond ? "both" : "the CPU");
        }
        QVERIFY(!best || (script.ownRows > 0 && script.missingRows > 0)); // both places have computed
    }
}

void OracleAgreementTest::mixedFormats_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies()) {
        TinyModelOptions options = inFormat(family.options, TensorType::Q4_K);
        options.typeOf = mixedType;
        QTest::newRow(family.name) << options;
        options.typeOf = fewBitsType;
        QTest::addRow("%s, few bits", family.name) << options;
    }
}

void OracleAgreementTest::eightBitCache_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies()) QTest::newRow(family.name) << family.options;
}

/// The weights have full precision, so that only the cache rounds.
void OracleAgreementTest::eightBitCache() {
    QFETCH(TinyModelOptions, options);
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    TinyModel tiny = makeTinyModel(options);
    tiny.oracle.cache = OracleCache::EightBits;
    MemoryFiles files(tiny.bytes);
    Oracle oracle(tiny.oracle, tokens);
    for (const KernelTable* table : testedKernels()) {
        auto model = loadModel(files, {.kernels = table, .keyValueFormat = TensorType::Q8_0});
        QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
        ChoiceRecorder trace;
        const auto whole = logitsOf(*model->decoder, tokens, {}, &trace);
        QVERIFY2(whole.ok(), whole ? "" : whole.error().line().c_str());
        compare(whole.value(), oracle.with(trace.choices), tolerance(TensorType::Q8_0, tiny.oracle));
        QCOMPARE(model->decoder->rewind(0), 0);
        const auto oneByOne = logitsOf(*model->decoder, tokens, std::vector<size_t>(tokens.size(), 1));
        QVERIFY(oneByOne.ok() && oneByOne.value() == whole.value());
    }
}

/// The prompts are longer than the largest batch, which is compared with the oracle; smaller batches must give the same
/// bits. Some contexts, windows and rings span several of attention's blocks of positions.
void OracleAgreementTest::longPrompts_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const NamedOptions& family : tinyFamilies()) {
        TinyModelOptions options = family.options;
        options.type = std::string_view(family.name).starts_with("q") ? TensorType::F16 : TensorType::Q8_0;
        options.context = 640;
        QTest::newRow(family.name) << options;
    }
    QTest::newRow("qwen2moe with a wide shared expert") << TinyModelOptions{
        .architecture = "qwen2moe", .layers = 1, .sharedFeedForward = 512, .context = 640, .tied = false};
    const auto blocks = [](const char* name, TinyModelOptions options) {
        options.context = 1700;
        QTest::newRow(name) << options;
    };
    blocks("llama, blocks of positions", {});
    blocks("llama, blocks, no groups", {.heads = 2, .kvHeads = 2});
    blocks("llama, blocks, many heads", {.heads = 5, .kvHeads = 1});
    blocks("smallthinker, blocks", {.architecture = "smallthinker", .layers = 2, .window = 700, .tied = false});
    TinyModelOptions sparse = inFormat(regroupedSmallThinker(), TensorType::Q4_0);
    sparse.context = 640;
    QTest::newRow("smallthinker, regrouped") << sparse;
    blocks("gpt-oss, blocks", {.architecture = "gpt-oss", .layers = 2, .window = 600, .tied = false});
}

void OracleAgreementTest::longPrompts() {
    QFETCH(TinyModelOptions, options);
    const bool spansBlocks = options.context > 1024;
    // In the short form the prompts that span blocks have the largest batch of all. No family computes it in its own
    // way.
    const size_t largest = spansBlocks || longTests() ? 512 : 136;
    const size_t blocks = longTests() ? 3 : 2; // whole blocks of positions, in a context that spans several
    const size_t count = spansBlocks ? blocks * largest + 70 : largest + 8;
    const std::vector<int32_t> tokens = randomTokens(static_cast<int64_t>(count), options.vocabulary);
    const TinyModel tiny = makeTinyModel(options);
    MemoryFiles files(tiny.bytes);
    Oracle oracle(tiny.oracle, tokens);
    for (const KernelTable* table : testedKernels()) {
        // In the short form the other tables have the contexts that span several blocks.
        if (table != testedKernels().front() && !spansBlocks && !longTests()) continue;
        auto model = loadModel(files, {.kernels = table, .chunk = static_cast<int64_t>(largest)});
        QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
        ChoiceRecorder trace;
        const auto whole = logitsOf(*model->decoder, tokens, {largest}, &trace);
        QVERIFY2(whole.ok(), whole ? "" : whole.error().line().c_str());
        // The worst of hundreds of positions is worse than that of a few.
        compare(whole.value(), oracle.with(trace.choices), 2 * tolerance(options.type, tiny.oracle));
        // Most sizes are for the best table alone: the kernels' own tests have odd numbers of tokens for each table,
        // and tst_forward.cpp gives the scalar one lone tokens.
        const bool best = table == testedKernels().front();
        for (const size_t batch : best          ? std::vector<size_t>{1, 2, 7, 64}
                                  : longTests() ? std::vector<size_t>{1, 64}
                                                : std::vector<size_t>{64}) {
            QCOMPARE(model->decoder->rewind(0), 0);
            const auto same = logitsOf(*model->decoder, tokens, std::vector<size_t>(tokens.size() / batch, batch));
            QVERIFY2(same.ok() && same.value() == whole.value(), qPrintable(QString::number(batch)));
        }
    }
}

void OracleAgreementTest::tableHoldsEveryFamilyTested() {
    QStringList known, tested;
    for (const Architecture* architecture : architectures()) known << architecture->name;
    for (const NamedOptions& family : tinyFamilies()) tested << QString::fromStdString(family.options.architecture);
    tested.removeDuplicates();
    known.sort();
    tested.sort();
    QCOMPARE(tested, known);
}

QTEST_APPLESS_MAIN(OracleAgreementTest)
#include "tst_oracle_agreement.moc"
