// SPDX-License-Identifier: Apache-2.0
// The shaders between a layer's products against their scalar models, bit for bit. tst_gpu_layer_step_models.cpp
// compares the models with the CPU's functions.
#include "layer_step_runs.h"
#include "layer_step_samples.h"
#include "product_test.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

using namespace coterie::test;

namespace {

/// With and without subgroup shuffles.
constexpr std::array<bool, 2> kBoth = {true, false};

/// Whether the run succeeded and both arrays have the same bits; says what differs.
bool same(const Status& done, std::span<const float> written, std::span<const float> expected) {
    const Status equal = done ? gpu::sameBits("the shader", written, expected) : done;
    if (!equal) qWarning("%s", equal.error().line().c_str());
    return equal.ok();
}

bool agrees(const gpu::AttentionSample& sample, bool shuffles) {
    std::vector<float> out(sample.queries.size()), model(out.size());
    attend(sample.call(), model);
    return same(runAttention(testDevice(), sample.call(), shuffles, out), out, model);
}

bool agrees(const gpu::RouteSample& sample, bool shuffles) {
    std::vector<uint32_t> experts(sample.choices()), modelExperts(experts.size());
    std::vector<float> weights(sample.choices()), modelWeights(weights.size());
    route(sample.call(), modelExperts, modelWeights);
    const Status done = runRoute(testDevice(), sample.call(), shuffles, experts, weights);
    return same(done, weights, modelWeights) && experts == modelExperts;
}

} // namespace

class GpuLayerStepsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        COTERIE_NEEDS_DEVICE();
        if (wantedSubgroup() != 0) QCOMPARE(testDevice().abilities().subgroupSize, wantedSubgroup());
    }
    void cleanup() { QCOMPARE(validationMessages(), 0); }

    void norms() {
        for (const bool shuffles : kBoth)
            for (const bool adds : kBoth)
                for (const uint32_t width : {1u, 64u, 129u, 2560u}) {
                    const gpu::NormSample sample(3, width, adds, width);
                    std::vector<float> out(sample.x.size()), sums(adds ? out.size() : 0), model(out.size()),
                        modelSums(sums.size());
                    norm(sample.call(), model, modelSums);
                    const Status done = runNorm(testDevice(), sample.call(), shuffles, out, sums);
                    QVERIFY(same(done, out, model));
                    QVERIFY(same(done, sums, modelSums));
                }
    }

    void rotations() {
        for (const RopeKind kind : {RopeKind::Norm, RopeKind::Neox})
            for (const gpu::RopePush shape : {gpu::RopePush{.heads = 1, .headDim = 2, .dimensions = 2},
                                              gpu::RopePush{.heads = 3, .headDim = 64, .dimensions = 64},
                                              gpu::RopePush{.heads = 5, .headDim = 128, .dimensions = 38}}) {
                const gpu::RopeSample sample(kind, 4, shape, shape.headDim);
                std::vector<float> out(sample.heads.size()), model(out.size());
                rope(sample.call(), model);
                QVERIFY(same(runRope(testDevice(), sample.call(), out), out, model));
            }
    }

    void keptRows_data() { addFormatRows(std::array{TensorType::F16, TensorType::Q8_0}); }
    void keptRows() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        constexpr float infinity = std::numeric_limits<float>::infinity();
        // Halves that are subnormal, zero, half way between two others, too large, infinite and undefined.
        constexpr std::array<float, 16> odd = {
            0x1p-24f, -0x1p-25f,    0x1.000002p-25f, 0x1.8p-24f,
            0x1p-14f, 0x1.ffcp-15f, 0x1.002p0f,      0x1.006p0f,
            65504,    65519.996f,   65520,           -70000,
            infinity, -infinity,    0x1p-140f,       std::bit_cast<float>(0x7fa00000u)};
        const gpu::KeepPush shape{.heads = 2, .headDim = 64, .position = 6, .capacity = 7, .offset = 34};
        gpu::KeepSample sample(type, 5, shape, 3);
        for (size_t i = 0; i < odd.size(); ++i) sample.rows[i * 40] = odd[i];
        std::vector<uint16_t> out(sample.cacheWords()), model(out.size(), 0xcdcd);
        keepRows(sample.call(), model);
        QVERIFY(runKeepRows(testDevice(), sample.call(), out).ok());
        QCOMPARE(out, model);
    }

    void attention_data() { addFormatRows(std::array{TensorType::F16, TensorType::Q8_0}); }
    void attention() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        gpu::AttentionPush shape{};
        shape.heads = 6;
        shape.group = 3;
        for (const bool shuffles : kBoth)
            for (const bool sinks : kBoth)
                for (const uint32_t headDim : {32u, 96u})
                    for (const auto& [position, window] :
                         {std::array{0u, 0u}, {62u, 0u}, {200u, 0u}, {200u, 130u}, {200u, 1u}, {5u, 64u}}) {
                        shape.headDim = headDim;
                        shape.position = position;
                        shape.window = window;
                        shape.capacity = window == 0 ? position + 3 : window + 3; // a ring
                        const gpu::AttentionSample sample(type, 3, shape, sinks, position + headDim);
                        QVERIFY(agrees(sample, shuffles));
                    }
    }

    /// A token's bits don't depend on the tokens that are computed with it.
    void tokensTogetherAndAlone() {
        gpu::AttentionPush shape{};
        shape.heads = 4;
        shape.group = 2;
        shape.headDim = 64;
        shape.position = 120;
        shape.capacity = 140;
        const gpu::AttentionSample sample(TensorType::F16, 9, shape, false, 11);
        std::vector<float> together(sample.queries.size());
        QVERIFY(runAttention(testDevice(), sample.call(), true, together).ok());
        const size_t row = size_t{shape.heads} * shape.headDim;
        for (uint32_t token = 0; token < 9; ++token) {
            gpu::AttentionCall one = sample.call();
            one.queries = one.queries.subspan(token * row, row);
            one.push.position += token;
            std::vector<float> alone(row);
            const Status done = runAttention(testDevice(), one, true, alone);
            QVERIFY(same(done, alone, std::span(together).subspan(token * row, row)));
        }
    }

    void routes_data() {
        QTest::addColumn<bool>("sigmoid");
        QTest::addColumn<bool>("normalised");
        QTest::addColumn<bool>("bias");
        QTest::newRow("softmax of all") << false << false << false;
        QTest::newRow("softmax of the chosen") << false << true << false;
        QTest::newRow("sigmoids") << true << false << false;
        QTest::newRow("normalised sigmoids with a bias") << true << true << true;
        QTest::newRow("softmax with a bias") << false << true << true;
    }
    void routes() {
        QFETCH(bool, sigmoid);
        QFETCH(bool, normalised);
        QFETCH(bool, bias);
        for (const auto& [experts, chosen, groups, used] :
             {std::array{8u, 1u, 1u, 1u}, {60u, 4u, 1u, 1u}, {160u, 8u, 8u, 3u}, {8u, 8u, 8u, 8u}})
            for (const bool shuffles : kBoth) {
                const gpu::RouteCall shape{.experts = experts,
                                           .chosen = chosen,
                                           .gating = sigmoid ? Gating::Sigmoid : Gating::Softmax,
                                           .normalised = normalised,
                                           .logits = {},
                                           .bias = {},
                                           .push = {.groups = groups, .groupsUsed = used, .biasOffset = 3}};
                gpu::RouteSample sample(7, shape, bias, experts);
                QVERIFY(agrees(sample, shuffles));
                // Ties, in the logits and, where they saturate, in their sigmoids.
                for (size_t e = 0; e < sample.logits.size(); ++e) sample.logits[e] = std::floor(sample.logits[e] / 4);
                QVERIFY(agrees(sample, shuffles));
                for (float& logit : sample.logits) logit += 40;
                QVERIFY(agrees(sample, shuffles));
            }
    }

    void neurons() {
        for (const Activation kind : {Activation::SwiGlu, Activation::ReGlu, Activation::ClampedSwiGlu})
            for (const uint32_t count : {1u, 130u, 768u}) {
                gpu::ActivateSample sample(kind, 3, count, count);
                sample.gates[0] = -200;
                sample.gates[sample.gates.size() / 2] = 200;
                sample.gates.back() = -0.0f;
                std::vector<float> out(sample.gates.size()), model(out.size());
                std::vector<uint32_t> counts(sample.rows()), modelCounts(counts.size());
                activate(sample.call(), model, modelCounts);
                QVERIFY(same(runActivate(testDevice(), sample.call(), out, counts), out, model));
                QCOMPARE(counts, modelCounts);
            }
    }

    void weightedSums() {
        for (const gpu::RowWeights kind : {gpu::RowWeights::Ones, gpu::RowWeights::Given, gpu::RowWeights::Sigmoids})
            for (const uint32_t rows : {1u, 6u})
                for (const uint32_t width : {1u, 200u}) {
                    const gpu::WeightedSumSample sample(kind, 3, rows, width, width);
                    std::vector<float> out(sample.x.size()), model(out.size());
                    weightedSum(sample.call(), model);
                    QVERIFY(same(runWeightedSum(testDevice(), sample.call(), out), out, model));
                }
    }
};

QTEST_APPLESS_MAIN(GpuLayerStepsTest)
#include "tst_gpu_layer_steps.moc"
