// SPDX-License-Identifier: Apache-2.0
// The shaders for matrices against their scalar models, bit for bit: what a product can be asked for, in some formats,
// and neurons, prepare_bytes, expand_row and neuron_sum. tst_gpu_products.cpp has products of every format.
#include "layer_step_runs.h"
#include "layer_step_samples.h"
#include "product_test.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

using namespace coterie::test;

namespace {

/// Whether the neurons and the counts are those of the model.
bool agrees(const gpu::NeuronsCall& call, const gpu::NeuronsSample& sizes, const gpu::ProductTuning& tuning) {
    std::vector<float> out(sizes.floats()), model(out.size(), std::bit_cast<float>(kUnwritten));
    std::vector<uint32_t> words(sizes.words()), modelWords(words.size(), kUnwritten);
    std::vector<uint32_t> counts(sizes.counts()), modelCounts(counts.size(), kUnwritten);
    neurons(call, model, modelWords, modelCounts);
    const Status done = runNeurons(testDevice(), call, tuning, out, words, counts);
    const Status equal = done ? gpu::sameBits("neurons", out, model) : done;
    if (!equal) qWarning("%s", equal.error().line().c_str());
    return equal.ok() && words == modelWords && counts == modelCounts;
}

bool agrees(const gpu::NeuronsSample& sample, const gpu::ProductTuning& tuning) {
    return agrees(sample.call(), sample, tuning);
}

} // namespace

class GpuMatricesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }
    void cleanup() { QCOMPARE(validationMessages(), 0); }

    /// Listed rows, a bias, and an expert for each vector, of which one has no matrix here.
    void choicesOfACall_data() {
        constexpr std::array types = {TensorType::F32, TensorType::Q4_K, TensorType::Q6_K, TensorType::MXFP4};
        addFormatRows(types);
    }
    void choicesOfACall() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        const gpu::ProductSample sample(type, 32, wholeBlocks(type, 64), 6, 5);
        const std::array<uint32_t, 5> rows = {9, 0, 15, 9, 3};
        const std::array<uint32_t, 6> expertOf = {1, 0, 2, 0, 1, 1};
        const auto matrixBytes = static_cast<uint32_t>(16 * rowBytes(type, sample.columns));
        const std::array<uint32_t, 3> placeOf = {matrixBytes, 0, gpu::kNoMatrix};
        const std::vector<float> bias = gpu::Samples(6).units(64);
        gpu::ProductCall call = sample.call();
        call.weights = {type, sample.weights, expertOf, placeOf};
        call.rowOf = rows;
        call.bias = bias;
        call.push.rows = 5;
        call.push.vectorsPerInput = 2;
        call.push.biasOffset = 3;
        call.push.biasStride = 16;
        call.push.outStride = 9;
        call.push.outOffset = 2;
        QVERIFY(agrees(call, {.lanes = 64}, 64));
        QVERIFY(agrees(call, {.lanes = 64, .rows = 2, .vectors = 2}, 64)); // vectors with different matrices together

        gpu::ProductCall range = sample.call(); // rows 3 to 8
        range.push.rows = 6;
        range.push.matrixOffset = static_cast<uint32_t>(3 * rowBytes(type, sample.columns));
        QVERIFY(agrees(range, {.lanes = 32}, sample.outputs()));
    }

    /// No tuning changes a bit. Formats of each way in which values are unpacked.
    void tuningsChangeNothing_data() {
        constexpr std::array types = {TensorType::F16, TensorType::Q5_1, TensorType::Q3_K};
        addFormatRows(types);
    }
    void tuningsChangeNothing() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        const gpu::ProductSample sample(type, 11, wholeBlocks(type, 1312), 4, 9);
        for (const gpu::ProductTuning& tuning :
             {gpu::ProductTuning{.lanes = 256}, gpu::ProductTuning{.lanes = 96, .rows = 3},
              gpu::ProductTuning{.lanes = 32, .vectors = 3}, gpu::ProductTuning{.lanes = 128, .shuffles = false}})
            QVERIFY(agrees(sample.call(), tuning, sample.outputs()));
    }

    /// As floats and as bytes, whole groups and a part of one.
    void neurons_data() { addFormatRows(gpu::shaderFormats()); }
    void neurons() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const uint32_t some : {32u, 1056u}) {
            const uint32_t columns = wholeBlocks(type, some);
            for (const uint32_t count : {1u, 32u, 70u}) {
                const gpu::NeuronsSample sample(type, Activation::SwiGlu, false, count, columns, 2, count);
                QVERIFY(agrees(sample, {.lanes = 32}));
            }
            for (const uint32_t count : {32u, 96u}) {
                const gpu::NeuronsSample sample(type, Activation::ReGlu, true, count, columns, 2, count);
                QVERIFY(agrees(sample, {.lanes = 128, .rows = 2, .shuffles = false}));
            }
        }
    }

    /// The ups of neurons whose gate is shut are not read: of the half that is open each row is read once.
    void upsOfOpenNeurons() {
        const gpu::NeuronsSample sample(TensorType::Q4_0, Activation::ReGlu, false, 96, 256, 3, 11);
        const gpu::NeuronsCall call = sample.call();
        std::vector<float> out(sample.floats());
        std::vector<uint32_t> counts(sample.counts());
        QVERIFY(runNeurons(testDevice(), call, {.lanes = 128, .rows = 2}, out, {}, counts).ok());
        for (uint32_t v = 0; v < 3; ++v) {
            const std::span<const float> row = std::span(out).subspan(v * call.push.outStride, 96);
            const std::span<const uint32_t> read =
                std::span(counts).subspan(call.push.countsOffset + v * call.push.countsStride, 3);
            const auto open = static_cast<uint32_t>(std::ranges::count_if(row, [](float each) { return each != 0; }));
            QCOMPARE(std::accumulate(read.begin(), read.end(), 0u), open);
            QVERIFY(open > 20 && open < 76);
        }
    }

    /// Experts, of which one has no matrix here, with biases, and each formula with each way of dividing the work.
    void neuronsOfExperts_data() { addFormatRows(std::array{TensorType::F32, TensorType::Q4_K, TensorType::MXFP4}); }
    void neuronsOfExperts() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const Activation kind : {Activation::SwiGlu, Activation::ReGlu, Activation::ClampedSwiGlu})
            for (const gpu::ProductTuning& tuning :
                 {gpu::ProductTuning{.lanes = 64, .rows = 2}, gpu::ProductTuning{.lanes = 128, .rows = 4}}) {
                const uint32_t columns = wholeBlocks(type, 64);
                gpu::NeuronsSample sample(type, kind, true, 64, columns, 6, 5);
                const gpu::ProductSample both(type, 2 * sample.product.rows, columns, 1, 6); // matrices of two experts
                const std::array<uint32_t, 6> expertOf = {1, 0, 2, 0, 1, 1};
                const auto matrixBytes = static_cast<uint32_t>(sample.product.rows * rowBytes(type, columns));
                const std::array<uint32_t, 3> placeOf = {matrixBytes, 0, gpu::kNoMatrix};
                sample.bias = gpu::Samples(6).units(size_t{3} * sample.product.rows);
                gpu::NeuronsCall call = sample.call();
                call.weights = {type, both.weights, expertOf, placeOf};
                call.push.vectorsPerInput = 2;
                QVERIFY(agrees(call, sample, tuning));
            }
    }

    void preparedVectors() {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        for (const uint32_t columns : {32u, 544u, 4096u}) {
            constexpr uint32_t vectors = 3;
            const uint32_t inputStride = columns + 7;
            std::vector<float> x = gpu::Samples(columns).ties(size_t{columns} * vectors);
            x.resize(size_t{inputStride} * vectors);
            // The first blocks of the second vector: limits of what counts as zero, and of what is finite.
            const std::array<float, 8> odd = {0x1p-100f, 0x1.fffffep-101f, 0x1p-149f, 0x1.fffffep127f,
                                              infinity,  -infinity,        nan,       0.0f};
            for (size_t b = 0; b < odd.size() && b < columns / 32; ++b) {
                std::fill_n(x.begin() + inputStride + static_cast<int64_t>(32 * b), 32, 0.0f);
                x[inputStride + 32 * b + 3 * b] = odd[b];
            }
            const auto stride = static_cast<uint32_t>(preparedBytes(VectorForm::Bytes, columns) / 4 + 16);
            const gpu::PrepareCall call{x, {columns, vectors, inputStride, stride}};
            std::vector<uint32_t> out(size_t{stride} * vectors), model(out.size(), kUnwritten);
            prepareBytes(call, model);
            const Status done = runPrepare(testDevice(), call, out);
            QVERIFY2(done.ok(), done.ok() ? "" : done.error().line().c_str());
            for (size_t i = 0; i < out.size(); ++i) QCOMPARE(out[i], model[i]);
        }
    }

    void expandedRows_data() { addFormatRows(gpu::shaderFormats()); }
    void expandedRows() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const uint32_t some : {32u, 75u, 2304u}) {
            const uint32_t columns = wholeBlocks(type, some), outStride = columns + 3;
            const gpu::ProductSample sample(type, 32, columns, 1, some);
            const std::array<uint32_t, 3> rows = {15, 0, 7};
            const auto halfBytes = static_cast<uint32_t>(16 * rowBytes(type, columns));
            const gpu::ExpandCall call{{type, sample.weights}, rows, {columns, 3, outStride, halfBytes}};
            std::vector<float> out(3 * size_t{outStride}), model(out.size(), std::bit_cast<float>(kUnwritten));
            expandRows(call, model);
            QVERIFY(runExpand(testDevice(), call, out).ok());
            QVERIFY2(gpu::sameBits("expand_row", out, model).ok(), traits(type).name);
        }
    }

    void sumsOverNeurons_data() { addFormatRows(gpu::shaderFormats()); }
    void sumsOverNeurons() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const uint32_t some : {32u, 75u, 512u})
            for (const bool experts : {false, true}) {
                if (experts && type != TensorType::Q4_0 && type != TensorType::Q5_K) continue; // a pipeline each
                const uint32_t columns = wholeBlocks(type, some), vectors = 3, neurons = 16, outStride = columns + 5;
                const gpu::ProductSample sample(type, 2 * neurons, columns, 1, some);
                std::vector<float> activations = gpu::Samples(some).units(size_t{neurons + 1} * vectors);
                for (size_t i = 0; i < activations.size(); i += 3) activations[i] = i % 2 == 0 ? 0.0f : -0.0f;
                const auto matrixBytes = static_cast<uint32_t>(neurons * rowBytes(type, columns));
                const std::array<uint32_t, 3> expertOf = {2, 1, 0}, placeOf = {0, gpu::kNoMatrix, matrixBytes};
                gpu::NeuronSumCall call{{type, sample.weights}, activations, {}};
                if (experts) call.weights = {type, sample.weights, expertOf, placeOf};
                call.push = {neurons, columns, vectors, neurons + 1, outStride, experts ? 0 : matrixBytes};
                std::vector<float> out(size_t{outStride} * vectors);
                std::vector<float> model(out.size(), std::bit_cast<float>(kUnwritten));
                sumNeurons(call, model);
                QVERIFY(runNeuronSum(testDevice(), call, out).ok());
                QVERIFY2(gpu::sameBits("neuron_sum", out, model).ok(), traits(type).name);
            }
    }
};

QTEST_APPLESS_MAIN(GpuMatricesTest)
#include "tst_gpu_matrices.moc"
