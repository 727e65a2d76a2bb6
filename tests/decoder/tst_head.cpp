// SPDX-License-Identifier: Apache-2.0
// The head predictors, the file's and the derived one: which rows are computed, when all of them are, and that computed
// rows have the same bits as in the whole head.
#include "decoder/head_sketch.h"
#include "decoder/loaded_model.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Number of tokens: more rows than one piece of work has, and not a multiple of it.
constexpr int64_t kVocabulary = 700;

/// Each row is scored with its own logit: rows above 0 are the predicted ones.
TinyModelOptions predicting(bool tied) {
    TinyModelOptions options{.architecture = "smallthinker", .layers = 2, .window = 8, .tied = tied};
    options.vocabulary = kVocabulary;
    options.headPredictorRank = options.width;
    options.predictorIsHead = true;
    return options;
}

/// A head large enough for a sketch.
constexpr int64_t kManyTokens = int64_t{1} << 16;

/// Some columns have a mean far from 0, as in real heads. This mean is a part of every logit.
const std::string& modelWithALargeHead() {
    static const std::string bytes = [] {
        TinyModelOptions options{.type = TensorType::Q8_0, .layers = 1, .context = 1024, .tied = false};
        options.typeOf = [](const std::string& name) {
            return name == "output.weight" ? TensorType::F32 : TensorType::Q8_0;
        };
        options.vocabulary = kManyTokens;
        options.tokenizer = false;
        std::string made = makeTinyModel(options).bytes;
        MemoryFiles files(made);
        const gguf::Tensor head = *mustHave(ModelFile::open(files, "model"))->header().tensor("output.weight");
        for (uint64_t i = 0; i < head.elements(); ++i) {
            const uint64_t column = i % head.shape[0];
            if (column % 5 != 0) continue;
            char* at = made.data() + head.offset + i * sizeof(float);
            float value;
            std::memcpy(&value, at, sizeof value);
            value += column % 2 == 0 ? 0.5f : 0.3f;
            std::memcpy(at, &value, sizeof value);
        }
        return made;
    }();
    return bytes;
}

struct LastLogits {
    std::vector<float> values;
    uint64_t rows = 0; ///< number of rows that were computed
};

LastLogits lastLogits(Decoder& decoder, const std::vector<int32_t>& tokens, HeadRows head,
                      const std::vector<int32_t>& kept = {}, LogitsWanted wanted = LogitsWanted::Last,
                      int64_t best = 1) {
    LastLogits last;
    decoder.rewind(0);
    const uint64_t before = decoder.telemetry().counts.headRows;
    ForwardRequest request{.tokens = tokens, .wanted = wanted, .head = head, .keptRows = kept, .bestRows = best};
    request.onLogits = [&](int64_t, std::span<const float> logits) {
        last.values.assign(logits.begin(), logits.end());
    };
    const auto status = decoder.forward(request);
    if (!status) qFatal("%s", status.error().line().c_str());
    last.rows = decoder.telemetry().counts.headRows - before;
    return last;
}

/// The measurements of a model's sketch on the fastest kernels here, made once for all tests.
const HeadAgreement& measuredAgreement() {
    static const HeadAgreement measured = [] {
        MemoryFiles files(modelWithALargeHead());
        LoadedModel model = mustLoad(files, {.kernels = mustHave(chooseKernels("auto"))});
        for (uint64_t seed = 1; seed < 9 && !model.decoder->headAgreement().settled(); ++seed)
            lastLogits(*model.decoder, randomTokens(600, kManyTokens, seed), HeadRows::Predicted);
        return model.decoder->headAgreement();
    }();
    return measured;
}

/// Returns the rows of the `count` highest logits.
std::vector<size_t> highest(const std::vector<float>& logits, size_t count) {
    std::vector<size_t> rows(logits.size());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                      [&](size_t a, size_t b) { return logits[a] > logits[b]; });
    rows.resize(count);
    return rows;
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
    void aPredictorThatExpectsNoRow();

    void aSketchGuessesItsOwnRowsRight();
    void aGuessIsOffByLittle();
    void aSketchIsMeasuredBeforeItIsUsed();
    void sketchedRowsHaveTheBitsOfAll_data();
    void sketchedRowsHaveTheBitsOfAll();
    void keptRowsAreComputedBesideSketchedOnes();
    void manyBestRowsMeanAllRows();
    void rowsThatSetTheLimitStay();
    void aSmallVocabularyIsMeasured();
    void aUselessSketchIsNotUsed();
    void theSketchHasItsPlaceInTheBudget();
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
    const LastLogits all = lastLogits(*model.decoder, tokens, HeadRows::All);
    const LastLogits some = lastLogits(*model.decoder, tokens, HeadRows::Predicted);
    QCOMPARE(all.rows, static_cast<uint64_t>(kVocabulary));
    float largest = 0;
    for (const float logit : all.values) largest = std::max(largest, std::abs(logit));
    uint64_t computed = 0;
    for (size_t i = 0; i < all.values.size(); ++i) {
        if (isComputed(some.values[i])) {
            ++computed;
            QCOMPARE(some.values[i], all.values[i]); // the same bits
        }
        // The predictor is the head rounded to half precision, so a logit near 0 may have the other sign there.
        if (std::abs(all.values[i]) > 0.01f * largest) QCOMPARE(isComputed(some.values[i]), all.values[i] > 0);
    }
    QCOMPARE(some.rows, computed);
    QVERIFY(computed > kVocabulary / 4 && computed < kVocabulary * 3 / 4);
}

void HeadTest::keptRowsAreComputedInAnyCase() {
    MemoryFiles files(makeTinyModel(predicting(false)).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(20, kVocabulary);
    const LastLogits all = lastLogits(*model.decoder, tokens, HeadRows::All);
    const LastLogits some = lastLogits(*model.decoder, tokens, HeadRows::Predicted);
    std::vector<int32_t> kept;
    for (int32_t i = 0; i < kVocabulary && kept.size() < 3; ++i)
        if (!isComputed(some.values[static_cast<size_t>(i)])) kept.push_back(i);
    kept.push_back(kVocabulary - 1);
    const LastLogits more = lastLogits(*model.decoder, tokens, HeadRows::Predicted, kept);
    for (const int32_t row : kept)
        QCOMPARE(more.values[static_cast<size_t>(row)], all.values[static_cast<size_t>(row)]);
    const bool lastWas = isComputed(some.values.back());
    QCOMPARE(more.rows, some.rows + (lastWas ? 3 : 4));
}

void HeadTest::severalPositionsHaveAllRows() {
    MemoryFiles files(makeTinyModel(predicting(false)).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(6, kVocabulary);
    const LastLogits each = lastLogits(*model.decoder, tokens, HeadRows::Predicted, {}, LogitsWanted::All);
    QCOMPARE(each.rows, static_cast<uint64_t>(6 * kVocabulary));
    QVERIFY(sameBits({each.values}, {lastLogits(*model.decoder, tokens, HeadRows::All).values}));
}

void HeadTest::withoutAPredictorAllRowsAreComputed() {
    TinyModelOptions options = predicting(true);
    options.headPredictorRank = 0;
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(6, kVocabulary);
    const LastLogits asked = lastLogits(*model.decoder, tokens, HeadRows::Predicted);
    QCOMPARE(asked.rows, static_cast<uint64_t>(kVocabulary));
    QVERIFY(sameBits({asked.values}, {lastLogits(*model.decoder, tokens, HeadRows::All).values}));
}

void HeadTest::anUnusablePredictorIsToldOf() {
    // The blocks have 32 values and the rows 5: no kernel takes such a row.
    TinyModelOptions options = predicting(true);
    options.predictorIsHead = false;
    options.headPredictorRank = 5;
    options.predictorType = TensorType::Q8_0;
    options.width = 64;
    options.vocabulary = 704; // rank * (width + vocabulary) is whole blocks
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = mustLoad(files);
    QCOMPARE(model.shape.headPredictorRank, 0);
    QVERIFY(!model.shape.notes.empty() && model.shape.notes.back().english().find("predictor") != std::string::npos);
    const LastLogits asked = lastLogits(*model.decoder, randomTokens(6, 704), HeadRows::Predicted);
    QCOMPARE(asked.rows, uint64_t{704});
}

/// Rows that are kept in any case, such as the end of an answer, must not be the only ones to choose from.
void HeadTest::aPredictorThatExpectsNoRow() {
    std::string bytes = makeTinyModel(predicting(false)).bytes;
    const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
    const gguf::Tensor* predictor = header->tensor("lm_head_profiler.weight");
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(predictor->offset), predictor->bytes, '\0');
    MemoryFiles files(std::move(bytes));
    LoadedModel model = mustLoad(files);
    const std::vector<int32_t> tokens = randomTokens(6, kVocabulary);
    const LastLogits asked = lastLogits(*model.decoder, tokens, HeadRows::Predicted, {2});
    QCOMPARE(asked.rows, static_cast<uint64_t>(kVocabulary));
    QVERIFY(sameBits({asked.values}, {lastLogits(*model.decoder, tokens, HeadRows::All).values}));
}

namespace {

/// Rows with a mean and deviations of their own in each column, as real heads have them.
struct MadeHead {
    static constexpr int64_t rows = 66000, columns = 64;
    MadeHead()
        : values(static_cast<size_t>(rows * columns)), pool(2),
          compute(*mustHave(chooseKernels("auto")), pool, counters) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        for (size_t i = 0; i < values.size(); ++i) {
            const size_t c = i % columns;
            values[i] = (c % 5 == 0 ? 3.0f : 0.0f) + normal(random) * (c % 7 == 0 ? 4.0f : 0.5f);
        }
        matrix = {TensorType::F32, rows, columns, reinterpret_cast<const std::byte*>(values.data())};
    }
    double product(int64_t row, const float* x) const {
        double sum = 0;
        for (int64_t c = 0; c < columns; ++c) sum += static_cast<double>(at(row)[c]) * x[c];
        return sum;
    }
    const float* at(int64_t row) const { return values.data() + row * columns; }

    std::vector<float> values;
    Matrix matrix;
    ThreadPool pool;
    Counters counters;
    Compute compute;
};

} // namespace

/// In the direction in which a row differs from the mean its estimate is exact, except for the vector's rounding to 8
/// bits.
void HeadTest::aSketchGuessesItsOwnRowsRight() {
    const MadeHead head;
    HeadSketch sketch = mustHave(HeadSketch::derive(head.matrix, head.compute));
    std::vector<float> bound(MadeHead::rows), other(MadeHead::rows);
    for (const int64_t row : {int64_t{0}, int64_t{4097}, MadeHead::rows - 1}) {
        std::vector<float> x(MadeHead::columns);
        std::vector<double> mean(MadeHead::columns);
        for (int64_t r = 0; r < 4096; ++r)
            for (size_t c = 0; c < x.size(); ++c)
                mean[c] += static_cast<double>(head.at(r * MadeHead::rows / 4096)[c]) / 4096;
        double size = 0;
        for (size_t c = 0; c < x.size(); ++c) {
            x[c] = head.at(row)[c] - static_cast<float>(mean[c]);
            size += std::abs(static_cast<double>(x[c]) * (c % 7 == 0 ? 4 : 1));
        }
        const HeadSketch::State state = sketch.project(x.data());
        sketch.guess(head.compute, state, 0, row, row + 1, bound.data());
        const double exact = head.product(row, x.data()) - state.offset;
        QVERIFY2(std::abs(bound[static_cast<size_t>(row)] - exact) < 0.03 * std::abs(exact),
                 qPrintable(QString("%1 and %2").arg(double(bound[static_cast<size_t>(row)])).arg(exact)));
        // The margin is added in the row's unit.
        sketch.guess(head.compute, state, 2, row, row + 1, other.data());
        const float added = other[static_cast<size_t>(row)] - bound[static_cast<size_t>(row)];
        QVERIFY(std::abs(added - 2 * sketch.unit(state, row)) < 1e-3f * added);
    }
}

void HeadTest::aGuessIsOffByLittle() {
    const MadeHead head;
    HeadSketch sketch = mustHave(HeadSketch::derive(head.matrix, head.compute));
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    std::vector<float> x(MadeHead::columns), guess(MadeHead::rows);
    for (float& value : x) value = normal(random);
    const HeadSketch::State state = sketch.project(x.data());
    sketch.guess(head.compute, state, 0, 0, MadeHead::rows, guess.data());
    double squares = 0;
    for (int64_t row = 0; row < MadeHead::rows; ++row) {
        const double error = head.product(row, x.data()) - state.offset - guess[static_cast<size_t>(row)];
        squares += error * error / (static_cast<double>(sketch.unit(state, row)) * sketch.unit(state, row));
    }
    // For normal weights the square of the error is pi / 2 - 1 of the square of the estimate, and that is 1 in this
    // unit.
    const double size = std::sqrt(squares / MadeHead::rows);
    QVERIFY2(size > 0.5 && size < 0.9, qPrintable(QString::number(size)));
}

void HeadTest::aSketchIsMeasuredBeforeItIsUsed() {
    MemoryFiles files(modelWithALargeHead());
    LoadedModel model = mustLoad(files, {.kernels = mustHave(chooseKernels("auto"))});
    const LastLogits first = lastLogits(*model.decoder, randomTokens(21, kManyTokens), HeadRows::Predicted);
    QCOMPARE(first.rows, static_cast<uint64_t>(kManyTokens));
    QCOMPARE(model.decoder->headAgreement().calibration, 6); // the last token, and a quarter of the tokens before it
    lastLogits(*model.decoder, randomTokens(21, kManyTokens), HeadRows::All);
    QCOMPARE(model.decoder->headAgreement().calibration, 6);

    const HeadAgreement& measured = measuredAgreement();
    QVERIFY(measured.settled() && measured.good());
    QCOMPARE(measured.calibration, HeadAgreement::kCalibrationStates);
    QCOMPARE(measured.validation, HeadAgreement::kValidationStates);
    QVERIFY2(measured.margin > 1 && measured.margin < 6, qPrintable(QString::number(double(measured.margin))));
    QVERIFY2(measured.rowShare() < 0.3, qPrintable(QString::number(measured.rowShare())));
}

void HeadTest::sketchedRowsHaveTheBitsOfAll_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<const KernelTable*>("kernels");
    for (const KernelTable* table : kernelTables())
        for (const int threads : {1, 3})
            if (table->runsHere()) QTest::addRow("%s %d", table->name, threads) << threads << table;
}

void HeadTest::sketchedRowsHaveTheBitsOfAll() {
    QFETCH(int, threads);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(modelWithALargeHead());
    LoadedModel model = mustLoad(files, {.kernels = kernels, .threads = threads, .headAgreement = measuredAgreement()});
    uint64_t fewer = 0;
    for (uint64_t seed = 100; seed < 105; ++seed)
        for (const size_t best : {size_t{1}, size_t{40}}) {
            const std::vector<int32_t> tokens = randomTokens(9, kManyTokens, seed);
            const LastLogits all = lastLogits(*model.decoder, tokens, HeadRows::All);
            const LastLogits some = lastLogits(*model.decoder, tokens, HeadRows::Predicted, {}, LogitsWanted::Last,
                                               static_cast<int64_t>(best));
            uint64_t computed = 0;
            for (size_t i = 0; i < all.values.size(); ++i)
                if (isComputed(some.values[i])) {
                    ++computed;
                    QCOMPARE(some.values[i], all.values[i]); // the same bits
                }
            QCOMPARE(some.rows, computed);
            for (const size_t row : highest(all.values, best)) QVERIFY(isComputed(some.values[row]));
            if (best == 1)
                fewer = computed;
            else
                QVERIFY(computed > fewer); // a lower limit, which more rows reach
            const int64_t most = best == 1 ? kManyTokens / 4 : kManyTokens * 3 / 4;
            QVERIFY2(static_cast<int64_t>(computed) < most, qPrintable(QString::number(computed)));
        }
}

void HeadTest::keptRowsAreComputedBesideSketchedOnes() {
    MemoryFiles files(modelWithALargeHead());
    LoadedModel model = mustLoad(files, {.headAgreement = measuredAgreement()});
    const std::vector<int32_t> tokens = randomTokens(5, kManyTokens);
    const LastLogits all = lastLogits(*model.decoder, tokens, HeadRows::All);
    const LastLogits some = lastLogits(*model.decoder, tokens, HeadRows::Predicted);
    std::vector<int32_t> kept;
    for (int32_t i = 0; i < kManyTokens && kept.size() < 3; ++i)
        if (!isComputed(some.values[static_cast<size_t>(i)])) kept.push_back(i);
    const LastLogits more = lastLogits(*model.decoder, tokens, HeadRows::Predicted, kept);
    for (const int32_t row : kept)
        QCOMPARE(more.values[static_cast<size_t>(row)], all.values[static_cast<size_t>(row)]);
    QCOMPARE(more.rows, some.rows + 3);
}

void HeadTest::manyBestRowsMeanAllRows() {
    MemoryFiles files(modelWithALargeHead());
    LoadedModel model = mustLoad(files, {.headAgreement = measuredAgreement()});
    const LastLogits asked = lastLogits(*model.decoder, randomTokens(5, kManyTokens), HeadRows::Predicted, {},
                                        LogitsWanted::Last, kManyTokens / 8);
    QCOMPARE(asked.rows, static_cast<uint64_t>(kManyTokens));
}

/// In a state whose guesses are lower than the margin allows for, the rows that were computed first stay as far as they
/// reach the limit: they are the best ones that are known.
void HeadTest::rowsThatSetTheLimitStay() {
    MemoryFiles files(modelWithALargeHead());
    HeadAgreement tooLow = measuredAgreement();
    tooLow.margin = -20;
    LoadedModel model = mustLoad(files, {.headAgreement = tooLow});
    const std::vector<int32_t> tokens = randomTokens(9, kManyTokens);
    const LastLogits all = lastLogits(*model.decoder, tokens, HeadRows::All);
    for (const int64_t best : {1, 40}) {
        const LastLogits some = lastLogits(*model.decoder, tokens, HeadRows::Predicted, {2}, LogitsWanted::Last, best);
        const auto computed = static_cast<uint64_t>(std::count_if(some.values.begin(), some.values.end(), isComputed));
        QCOMPARE(some.rows, computed);
        QVERIFY2(computed > static_cast<uint64_t>(best), qPrintable(QString::number(computed))); // and the kept row
        for (size_t i = 0; i < all.values.size(); ++i)
            if (isComputed(some.values[i])) QCOMPARE(some.values[i], all.values[i]);
    }
}

/// A wide model with so few tokens that there are fewer blocks of rows than candidates are taken.
void HeadTest::aSmallVocabularyIsMeasured() {
    constexpr int64_t tokens = 1100;
    MemoryFiles files(
        makeTinyModel({.type = TensorType::Q8_0, .layers = 1, .width = 4096, .vocabulary = tokens, .context = 1024})
            .bytes);
    LoadedModel model = mustLoad(files, {.kernels = mustHave(chooseKernels("auto"))});
    QVERIFY(model.plan.headSketch != 0);
    for (uint64_t seed = 1; seed < 9 && !model.decoder->headAgreement().settled(); ++seed)
        lastLogits(*model.decoder, randomTokens(600, tokens, seed), HeadRows::Predicted);
    QVERIFY(model.decoder->headAgreement().settled());
    const std::vector<int32_t> prompt = randomTokens(9, tokens);
    const LastLogits asked = lastLogits(*model.decoder, prompt, HeadRows::Predicted);
    QCOMPARE(asked.rows, static_cast<uint64_t>(tokens));
    QVERIFY(sameBits({asked.values}, {lastLogits(*model.decoder, prompt, HeadRows::All).values}));
}

void HeadTest::aUselessSketchIsNotUsed() {
    MemoryFiles files(modelWithALargeHead());
    HeadAgreement misses = measuredAgreement(), computesMost = misses;
    misses.agreeing = misses.validation * 99 / 100;
    computesMost.rowShares = 0.9 * static_cast<double>(computesMost.validation);
    for (const HeadAgreement& measured : {misses, computesMost}) {
        QVERIFY(!measured.good());
        LoadedModel model = mustLoad(files, {.headAgreement = measured});
        const LastLogits asked = lastLogits(*model.decoder, randomTokens(5, kManyTokens), HeadRows::Predicted);
        QCOMPARE(asked.rows, static_cast<uint64_t>(kManyTokens));
    }
}

void HeadTest::theSketchHasItsPlaceInTheBudget() {
    MemoryFiles files(modelWithALargeHead());
    const LoadedModel model = mustLoad(files);
    const uint64_t sketch = model.plan.headSketch;
    QVERIFY(sketch >= kManyTokens * kSignSpan / 8 && sketch < kManyTokens * kSignSpan / 4);
    MemoryRequest request{.budget = uint64_t{4} << 30, .context = 64, .held = 1 << 20};
    const auto plan = [&] { return mustHave(planMemory(model.shape, model.file->header(), request)); };
    const MemoryPlan with = plan();
    QCOMPARE(with.headSketch, sketch);
    QCOMPARE(model.decoder->telemetry().residentBytes, model.plan.resident);
    request.headSketch = false;
    const MemoryPlan without = plan();
    QCOMPARE(without.headSketch, uint64_t{0});
    QCOMPARE(with.resident - without.resident, sketch);
    request.headSketch = true;
    request.budget = with.total();
    QCOMPARE(plan().headSketch, sketch);
    request.budget = with.total() - 1;
    const MemoryPlan tight = plan();
    QVERIFY(with.embeddingKept && !tight.embeddingKept); // the embedding gives way first
    QCOMPARE(tight.headSketch, sketch);
    request.budget = tight.total() - 1;
    QCOMPARE(plan().headSketch, uint64_t{0});
}

QTEST_APPLESS_MAIN(HeadTest)
#include "tst_head.moc"
