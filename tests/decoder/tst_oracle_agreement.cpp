// SPDX-License-Identifier: Apache-2.0
// The engine's logits beside those of a plain float64 decoder: every family, flavour and format, with every kernel
// table.
#include "decoder/loaded_model.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// The oracle mirrors the KV cache's half precision and the 8-bit inputs of integer formats. What is left are floats
/// against doubles, and the inputs that float
/// rounding moves to the next of 127 steps, which the layers after amplify.
bool isInteger(TensorType type) { return type == TensorType::Q8_0 || type == TensorType::Q4_0; }
double tolerance(TensorType type) { return isInteger(type) ? 0.03 : 0.001; }
/// The same as a difference of router logits, which have a deviation of 2.
double choiceTolerance(TensorType type) { return 4 * tolerance(type); }

struct ChoiceRecorder final : TraceSink {
    OracleChoices choices;
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double) override {
        const auto at = static_cast<size_t>(position), l = static_cast<size_t>(layer);
        choices.resize(std::max(choices.size(), at + 1));
        choices[at].resize(std::max(choices[at].size(), l + 1));
        for (const ExpertUse& use : uses) choices[at][l].push_back(use.expert);
    }
    void tokenDone(int64_t, int64_t) override {}
};

} // namespace

class OracleAgreementTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void agrees_data();
    void agrees();
    void tableHoldsEveryFamilyTested();
    void cleanupTestCase() { qInfo("worst difference: %.3f of the tolerance", worst_); }

  private:
    static void addFamilies(const char* format, TensorType type);
    double worst_ = 0; // as a share of the tolerance
};

void OracleAgreementTest::addFamilies(const char* format, TensorType type) {
    const auto row = [&](const char* name, TinyModelOptions options) {
        options.type = type;
        for (const KernelTable* table : kernelTables())
            if (table->runsHere()) QTest::addRow("%s %s %s", name, format, table->name) << options << table;
    };
    row("llama", {});
    row("llama untied", {.tied = false});
    row("llama rope_freqs", {.ropeFactors = true});
    row("llama biases", {.biases = true});
    row("llama no groups", {.heads = 2, .kvHeads = 2});
    const TinyModelOptions small{.architecture = "smallthinker", .layers = 5, .tied = false};
    const auto smallThinker = [&](const char* name, auto change) {
        TinyModelOptions options = small;
        change(options);
        row(name, options);
    };
    smallThinker("smallthinker sigmoid", [](TinyModelOptions&) {});
    smallThinker("smallthinker no gating key", [](TinyModelOptions& o) { o.gating = ""; });
    smallThinker("smallthinker softmax", [](TinyModelOptions& o) { o.gating = "softmax"; });
    smallThinker("smallthinker window", [](TinyModelOptions& o) { o.window = 8; });
    smallThinker("smallthinker tied", [](TinyModelOptions& o) { o.tied = true; });
    smallThinker("smallthinker by neuron", [](TinyModelOptions& o) { o.transposedDown = true; });
    smallThinker("smallthinker by neuron, window, predictor", [](TinyModelOptions& o) {
        o.transposedDown = true;
        o.window = 8;
        o.headPredictorRank = 4;
    });
    row("smollm3", {.architecture = "smollm3", .layers = 5});
    row("qwen2", {.architecture = "qwen2"});
    row("qwen3", {.architecture = "qwen3"});
    row("qwen3moe", {.architecture = "qwen3moe", .tied = false});
    row("olmoe", {.architecture = "olmoe", .kvHeads = 4, .tied = false});
    row("qwen2moe", {.architecture = "qwen2moe", .tied = false});
    row("gpt-oss", {.architecture = "gpt-oss", .layers = 3, .window = 8, .tied = false});
    row("gpt-oss yarn",
        {.architecture = "gpt-oss", .layers = 3, .window = 8, .yarnFactor = 8, .yarnContext = 64, .tied = false});
    row("llama yarn", {.yarnFactor = 4, .yarnContext = 128});
}

void OracleAgreementTest::agrees_data() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::addColumn<const KernelTable*>("kernels");
    addFamilies("F32", TensorType::F32);
    addFamilies("F16", TensorType::F16);
    addFamilies("BF16", TensorType::BF16);
    addFamilies("Q8_0", TensorType::Q8_0);
    addFamilies("Q4_0", TensorType::Q4_0);
}

void OracleAgreementTest::agrees() {
    QFETCH(TinyModelOptions, options);
    QFETCH(const KernelTable*, kernels);
    const std::vector<int32_t> tokens = randomTokens(30, options.vocabulary); // beyond three windows of 8
    const TinyModel tiny = makeTinyModel(options);
    MemoryFiles files(tiny.bytes);
    auto model = loadModel(files, {.kernels = kernels});
    QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
    ChoiceRecorder trace;
    auto got = logitsOf(*model->device, tokens, {}, &trace);
    QVERIFY2(got.ok(), got ? "" : got.error().line().c_str());

    const OracleRun want = runOracle(tiny.oracle, tokens, tiny.oracle.experts == 0 ? nullptr : &trace.choices);
    QVERIFY2(want.worstChoice <= choiceTolerance(options.type), qPrintable(QString::number(want.worstChoice)));
    QCOMPARE(got->size(), want.logits.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
        const double error = relativeError(got.value()[i], want.logits[i]);
        worst_ = std::max(worst_, error / tolerance(options.type));
        QVERIFY2(error < tolerance(options.type), qPrintable(QString("position %1: %2").arg(i).arg(error)));
    }
}

void OracleAgreementTest::tableHoldsEveryFamilyTested() {
    QStringList names;
    for (const Architecture* architecture : architectures()) names << architecture->name;
    names.sort();
    QCOMPARE(names, QStringList({"gpt-oss", "llama", "olmoe", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "smallthinker",
                                 "smollm3"}));
}

QTEST_APPLESS_MAIN(OracleAgreementTest)
#include "tst_oracle_agreement.moc"
