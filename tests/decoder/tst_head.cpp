// SPDX-License-Identifier: Apache-2.0
// The head predictor: which rows are computed, that those have the bits of the whole head, and when all of them are.
#include "decoder/loaded_model.h"

#include <QtTest>

#include <cmath>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// More rows than one piece of work, and no whole number of pieces.
constexpr int64_t kVocabulary = 700;

/// Each row is scored with its own logit: rows above 0 are the predicted ones.
TinyModelOptions predicting(bool tied) {
    TinyModelOptions options{.architecture = "smallthinker", .layers = 2, .window = 8, .tied = tied};
    options.vocabulary = kVocabulary;
    options.headPredictorRank = options.width;
    options.predictorIsHead = true;
    return options;
}

struct LastLogits {
    std::vector<float> values;
    uint64_t rows = 0; ///< counted
};

LastLogits lastLogits(Device& device, const std::vector<int32_t>& tokens, HeadRows head,
                      const std::vector<int32_t>& kept = {}, LogitsWanted wanted = LogitsWanted::Last) {
    LastLogits last;
    device.rewind(0);
    const uint64_t before = device.telemetry().headRows;
    ForwardRequest request{.tokens = tokens, .wanted = wanted, .head = head, .keptRows = kept};
    request.onLogits = [&](int64_t, std::span<const float> logits) {
        last.values.assign(logits.begin(), logits.end());
    };
    const Status status = device.forward(request);
    if (!status) qFatal("%s", status.error().line().c_str());
    last.rows = device.telemetry().headRows - before;
    return last;
}

bool isComputed(float logit) { return logit != -std::numeric_limits<float>::infinity(); }

} // namespace

class HeadTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void predictedRowsHaveTheBitsOfAll_data();
    void predictedRowsHaveTheBitsOfAll();
    void keptRowsAreComputedInAnyCase();
    void severalPositionsHaveAllRows();
    void withoutAPredictorAllRowsAreComputed();
    void anUnusablePredictorIsToldOf();
};

void HeadTest::predictedRowsHaveTheBitsOfAll_data() {
    QTest::addColumn<bool>("tied");
    QTest::addColumn<int>("threads");
    QTest::addColumn<const KernelTable*>("kernels");
    for (const KernelTable* table : kernelTables())
        for (const bool tied : {false, true})
            for (const int threads : {1, 3})
                if (table->runsHere())
                    QTest::addRow("%s %s %d", table->name, tied ? "tied" : "untied", threads)
                        << tied << threads << table;
}

void HeadTest::predictedRowsHaveTheBitsOfAll() {
    QFETCH(bool, tied);
    QFETCH(int, threads);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(makeTinyModel(predicting(tied)).bytes);
    LoadedModel model = mustLoad(files, {.kernels = kernels, .threads = threads});
    const std::vector<int32_t> tokens = randomTokens(20, kVocabulary);
    const LastLogits all = lastLogits(*model.device, tokens, HeadRows::All);
    const LastLogits some = lastLogits(*model.device, tokens, HeadRows::Predicted);
    QCOMPARE(all.rows, static_cast<uint64_t>(kVocabulary));
    float largest = 0;
    for (const float logit : all.values) largest = std::max(largest, std::abs(logit));
    uint64_t computed = 0;
    for (size_t i = 0; i < all.values.size(); ++i) {
        if (isComputed(some.values[i])) {
            ++computed;
            QCOMPARE(some.values[i], all.values[i]); // the bits
        }
        // The predictor is the head rounded to half precision: near 0 it may be of another mind.
        if (std::abs(all.values[i]) > 0.01f * largest) QCOMPARE(isComputed(some.values[i]), all.values[i] > 0);
    }
    QCOMPARE(some.rows, computed);
    QVERIFY(computed > kVocabulary / 4 && computed < kVocabulary * 3 / 4);
}

void HeadTest::keptRowsAreComputedInAnyCase() {
    MemoryFiles files(makeTinyModel(predicting(false)).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(20, kVocabulary);
    const LastLogits all = lastLogits(*model.device, tokens, HeadRows::All);
    const LastLogits some = lastLogits(*model.device, tokens, HeadRows::Predicted);
    std::vector<int32_t> kept;
    for (int32_t i = 0; i < kVocabulary && kept.size() < 3; ++i)
        if (!isComputed(some.values[static_cast<size_t>(i)])) kept.push_back(i);
    kept.push_back(kVocabulary - 1);
    const LastLogits more = lastLogits(*model.device, tokens, HeadRows::Predicted, kept);
    for (const int32_t row : kept)
        QCOMPARE(more.values[static_cast<size_t>(row)], all.values[static_cast<size_t>(row)]);
    const bool lastWas = isComputed(some.values.back());
    QCOMPARE(more.rows, some.rows + (lastWas ? 3 : 4));
}

void HeadTest::severalPositionsHaveAllRows() {
    MemoryFiles files(makeTinyModel(predicting(false)).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(6, kVocabulary);
    const LastLogits each = lastLogits(*model.device, tokens, HeadRows::Predicted, {}, LogitsWanted::All);
    QCOMPARE(each.rows, static_cast<uint64_t>(6 * kVocabulary));
    QVERIFY(sameBits({each.values}, {lastLogits(*model.device, tokens, HeadRows::All).values}));
}

void HeadTest::withoutAPredictorAllRowsAreComputed() {
    TinyModelOptions options = predicting(true);
    options.headPredictorRank = 0;
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(6, kVocabulary);
    const LastLogits asked = lastLogits(*model.device, tokens, HeadRows::Predicted);
    QCOMPARE(asked.rows, static_cast<uint64_t>(kVocabulary));
    QVERIFY(sameBits({asked.values}, {lastLogits(*model.device, tokens, HeadRows::All).values}));
}

void HeadTest::anUnusablePredictorIsToldOf() {
    // Blocks of 32 values, and rows of 5: no kernel takes such a row.
    TinyModelOptions options = predicting(true);
    options.predictorIsHead = false;
    options.headPredictorRank = 5;
    options.predictorType = TensorType::Q8_0;
    options.width = 64;
    options.vocabulary = 704; // rank * (width + vocabulary) is whole blocks
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files);
    QCOMPARE(model.shape.headPredictorRank, 0);
    QVERIFY(!model.shape.notes.empty() && model.shape.notes.back().find("predictor") != std::string::npos);
    const LastLogits asked = lastLogits(*model.device, randomTokens(6, 704), HeadRows::Predicted);
    QCOMPARE(asked.rows, uint64_t{704});
}

QTEST_APPLESS_MAIN(HeadTest)
#include "tst_head.moc"
