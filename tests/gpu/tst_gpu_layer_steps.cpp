// SPDX-License-Identifier: Apache-2.0
// The shaders between a layer's products against their scalar models, bit for bit. tst_gpu_layer_step_models.cpp
// compares the models with the CPU's functions.
#include "layer_step_runs.h"
#include "layer_step_samples.h"
#include "product_test.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

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

/// The same for words, of which an output that is not written has its bytes from before.
template <typename T>
bool same(const Status& done, const std::vector<T>& written, const std::vector<T>& expected) {
    const Status equal =
        done ? gpu::sameBytes("the shader", std::as_bytes(std::span(written)), std::as_bytes(std::span(expected)))
             : done;
    if (!equal) qWarning("%s", equal.error().line().c_str());
    return equal.ok();
}

template <typename T>
std::vector<T> unwritten(size_t count) {
    std::vector<T> values(count);
    std::memset(values.data(), static_cast<int>(kUnwritten & 0xff), count * sizeof(T));
    return values;
}

bool agrees(const gpu::NormSample& sample, bool shuffles, bool prepares) {
    std::vector<float> out(sample.x.size()), sums(sample.rows.empty() ? 0 : out.size()), model(out), modelSums(sums);
    std::vector<float> logits(sample.logits()), modelLogits(logits);
    std::vector<uint32_t> prepared(prepares ? sample.preparedWords() : 0), modelPrepared(prepared);
    norm(sample.call(), model, modelSums, modelPrepared, modelLogits);
    const Status done = runNorm(testDevice(), sample.call(), shuffles, out, sums, prepared, logits);
    return (prepares ? same(done, prepared, modelPrepared) : same(done, std::span(out), model)) &&
           same(done, std::span(sums), modelSums) && same(done, std::span(logits), modelLogits);
}

bool agrees(const gpu::HeadsSample& sample, bool shuffles) {
    std::vector<float> queries(sample.queries()), model(queries);
    std::vector<uint16_t> cache(sample.cacheWords()), modelCache = unwritten<uint16_t>(cache.size());
    finishHeads(sample.call(), model, modelCache);
    const Status done = runHeads(testDevice(), sample.call(), shuffles, queries, cache);
    return same(done, std::span(queries), model) && same(done, cache, modelCache);
}

/// The blocks of one token, and their sum: against their models, and the sum against attention in one workgroup.
bool blocksAgree(const gpu::AttentionSample& sample, bool shuffles) {
    std::vector<float> partials(sample.partials()), model = unwritten<float>(partials.size());
    attendBlocks(sample.call(), model);
    const Status blocks = runAttentionBlocks(testDevice(), sample.call(), shuffles, partials);
    const gpu::AttentionSumCall call = sample.sumCall(partials);
    std::vector<float> out(sample.queries.size()), modelOut(out), whole(out);
    std::vector<uint32_t> prepared(call.push.preparedStride), modelPrepared(prepared);
    sumBlocks(call, modelOut, modelPrepared);
    const Status sum = runAttentionSum(testDevice(), call, out, prepared);
    const Status attention = runAttention(testDevice(), sample.call(), shuffles, whole);
    return same(blocks, partials, model) && same(sum, std::span(out), modelOut) && same(sum, prepared, modelPrepared) &&
           same(attention, out, whole);
}

bool agrees(const gpu::ActivateSample& sample, bool prepares) {
    std::vector<float> out(sample.gates.size()), model(out);
    std::vector<uint32_t> counts(sample.rows()), modelCounts(counts);
    std::vector<uint32_t> prepared(prepares ? counts.size() * sample.preparedStride : 0), modelPrepared(prepared);
    activate(sample.call(), model, modelCounts, modelPrepared);
    const Status done = runActivate(testDevice(), sample.call(), out, counts, prepared);
    return same(done, std::span(out), model) && same(done, counts, modelCounts) && same(done, prepared, modelPrepared);
}

/// Norms, rotation and shape of some heads.
struct HeadsCase {
    uint32_t heads, kvHeads, headDim, dimensions;
    HeadNorm norm = HeadNorm::None;
    RopeKind kind = RopeKind::Neox;
    bool rotates = true, queries = true, keys = true; ///< which of them are normed
};
constexpr std::array<HeadsCase, 8> kHeadsCases = {{
    {4, 2, 64, 64},
    {4, 2, 64, 64, HeadNorm::EachHead, RopeKind::Norm},
    {3, 1, 96, 38, HeadNorm::WholeProjection},
    {2, 2, 128, 128, HeadNorm::EachHead, RopeKind::Norm, false},
    {4, 4, 128, 64, HeadNorm::WholeProjection, RopeKind::Norm, true, true, false},
    {4, 1, 64, 64, HeadNorm::EachHead, RopeKind::Neox, true, false, true},
    {6, 3, 128, 128, HeadNorm::None, RopeKind::Neox, false},
    {2, 1, 1056, 1056, HeadNorm::EachHead, RopeKind::Neox}, // more than one tile of shared memory
}};

gpu::HeadsSample headsSample(TensorType type, const HeadsCase& of, uint32_t tokens) {
    gpu::HeadsCall shape{.type = type,
                         .kind = of.kind,
                         .rotates = of.rotates,
                         .norm = of.norm,
                         .rows = {},
                         .cosSin = {},
                         .step = {6},
                         .push = {}};
    shape.push.heads = of.heads;
    shape.push.kvHeads = of.kvHeads;
    shape.push.headDim = of.headDim;
    shape.push.dimensions = of.dimensions;
    shape.push.capacity = 7; // the second token wraps around
    gpu::HeadsSample sample(tokens, shape, of.headDim + tokens);
    if (!of.queries) sample.queryNorm.clear();
    if (!of.keys) sample.keyNorm.clear();
    return sample;
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
        using enum gpu::RowWeights;
        for (const bool shuffles : kBoth)
            for (const auto& [rows, kind] :
                 {std::pair{0u, Ones}, {1u, Ones}, {6u, Ones}, {1u, Sigmoids}, {3u, Sigmoids}, {8u, Given}})
                for (const uint32_t width : {1u, 32u, 64u, 129u, 544u, 1024u, 2560u}) {
                    const gpu::NormSample sample(3, width, rows, kind, width + rows);
                    QVERIFY(agrees(sample, shuffles, false));
                    if (width % 32 == 0) QVERIFY(agrees(sample, shuffles, true));
                }
    }

    /// Blocks of zeros, with an infinity and with a NaN.
    void oddNorms() {
        gpu::NormSample sample(3, 128, 1, gpu::RowWeights::Given, 5);
        std::fill_n(sample.x.begin(), 128, 0.0f);
        std::fill_n(sample.rows.begin(), 128, 0.0f);
        sample.x[128 + 40] = std::numeric_limits<float>::infinity();
        sample.rows[256 + 70] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(agrees(sample, true, true));
        QVERIFY(agrees(sample, true, false));
    }

    /// A norm with a router, which reads the vectors before or after the norm.
    void normsWithARouter_data() { addFormatRows(std::array{TensorType::F32, TensorType::F16, TensorType::BF16}); }
    void normsWithARouter() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const bool shuffles : kBoth) {
            if (!shuffles && type != TensorType::F32) continue; // a pipeline each
            for (const uint32_t experts : {1u, 8u, 21u}) {
                for (const uint32_t width : {1u, 70u, 1120u, 2560u}) {
                    gpu::NormSample sample(3, width, 3, gpu::RowWeights::Given, width);
                    sample.addRouter(type, experts, false, experts);
                    QVERIFY(agrees(sample, shuffles, false));
                }
                for (const uint32_t width : {32u, 1024u, 1120u}) {
                    gpu::NormSample sample(3, width, 0, gpu::RowWeights::Ones, width);
                    sample.addRouter(type, experts, true, experts);
                    QVERIFY(agrees(sample, shuffles, true));
                }
            }
        }
    }

    void oddKeysAndValues_data() { addFormatRows(std::array{TensorType::F16, TensorType::Q8_0}); }
    void oddKeysAndValues() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        constexpr float infinity = std::numeric_limits<float>::infinity();
        // Halves that are subnormal, zero, half way between two others, too large, infinite and undefined.
        constexpr std::array<float, 16> odd = {
            0x1p-24f, -0x1p-25f,    0x1.000002p-25f, 0x1.8p-24f,
            0x1p-14f, 0x1.ffcp-15f, 0x1.002p0f,      0x1.006p0f,
            65504,    65519.996f,   65520,           -70000,
            infinity, -infinity,    0x1p-140f,       std::bit_cast<float>(0x7fa00000u)};
        gpu::HeadsSample sample = headsSample(type, {2, 2, 64, 64, HeadNorm::None, RopeKind::Neox, false}, 5);
        for (size_t i = 0; i < odd.size(); ++i) sample.rows[i * 96 + 128 + i % 8] = odd[i]; // keys and values
        std::vector<float> queries(sample.queries());
        std::vector<uint16_t> out(sample.cacheWords()), model = unwritten<uint16_t>(out.size());
        finishHeads(sample.call(), queries, model);
        QVERIFY(runHeads(testDevice(), sample.call(), true, queries, out).ok());
        QCOMPARE(out, model);
    }

    void heads_data() { addFormatRows(std::array{TensorType::F16, TensorType::Q8_0}); }
    void heads() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        for (const bool shuffles : kBoth)
            for (const HeadsCase& each : kHeadsCases)
                for (const uint32_t tokens : {1u, 5u}) QVERIFY(agrees(headsSample(type, each, tokens), shuffles));
        // No whole block, which F16 allows.
        if (type == TensorType::F16)
            QVERIFY(agrees(headsSample(type, {4, 2, 80, 80, HeadNorm::EachHead, RopeKind::Norm}, 3), true));
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
                        shape.window = window;
                        shape.capacity = window == 0 ? position + 3 : window + 3; // a ring
                        const gpu::AttentionSample sample(type, 3, {position}, shape, sinks, position + headDim);
                        QVERIFY(agrees(sample, shuffles));
                    }
    }

    void attentionInBlocks_data() { addFormatRows(std::array{TensorType::F16, TensorType::Q8_0}); }
    void attentionInBlocks() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        gpu::AttentionPush shape{};
        shape.heads = 4;
        shape.group = 2;
        shape.sinksOffset = 3;
        for (const bool shuffles : kBoth)
            for (const bool sinks : kBoth)
                for (const uint32_t headDim : {64u, 80u, 128u})
                    for (const auto& [position, window] :
                         {std::array{0u, 0u}, {63u, 0u}, {64u, 0u}, {200u, 130u}, {200u, 1u}, {191u, 64u}, {5u, 64u}}) {
                        if (headDim % traits(type).blockElements != 0) continue;
                        shape.headDim = headDim;
                        shape.window = window;
                        shape.capacity = window == 0 ? position + 3 : window + 3; // a ring
                        const gpu::AttentionSample sample(type, 1, {position}, shape, sinks, position + headDim);
                        QVERIFY(blocksAgree(sample, shuffles));
                    }
    }

    void attentionInManyBlocks() {
        gpu::AttentionPush shape{};
        shape.heads = 2;
        shape.group = 2;
        shape.headDim = 64;
        shape.capacity = 2560;
        for (uint32_t blocks = 1; blocks <= 40; blocks += 3) {
            const gpu::AttentionSample sample(TensorType::F16, 1, {64 * blocks - 1 - blocks % 2}, shape,
                                              blocks % 2 == 0, blocks);
            QVERIFY(blocksAgree(sample, true));
        }
        shape.headDim = 1056; // more than one tile of shared memory
        QVERIFY(blocksAgree({TensorType::Q8_0, 1, {70}, shape, true, 1}, true));
    }

    /// A token's bits don't depend on the tokens that are computed with it.
    void tokensTogetherAndAlone() {
        gpu::AttentionPush shape{};
        shape.heads = 4;
        shape.group = 2;
        shape.headDim = 64;
        shape.capacity = 140;
        const gpu::AttentionSample sample(TensorType::F16, 9, {120}, shape, false, 11);
        std::vector<float> together(sample.queries.size());
        QVERIFY(runAttention(testDevice(), sample.call(), true, together).ok());
        const size_t row = size_t{shape.heads} * shape.headDim;
        for (uint32_t token = 0; token < 9; ++token) {
            gpu::AttentionCall one = sample.call();
            one.queries = one.queries.subspan(token * row, row);
            one.step.position += token;
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
                                           .logitBias = {},
                                           .push = {.groups = groups, .groupsUsed = used, .biasOffset = 3}};
                gpu::RouteSample sample(7, shape, bias, experts);
                QVERIFY(agrees(sample, shuffles));
                gpu::RouteSample biased = sample;
                biased.logitBias = gpu::Samples(experts).units(experts);
                QVERIFY(agrees(biased, shuffles));
                // Ties, in the logits and, where they saturate, in their sigmoids.
                for (size_t e = 0; e < sample.logits.size(); ++e) sample.logits[e] = std::floor(sample.logits[e] / 4);
                QVERIFY(agrees(sample, shuffles));
                for (float& logit : sample.logits) logit += 40;
                QVERIFY(agrees(sample, shuffles));
            }
    }

    void neurons() {
        for (const Activation kind : {Activation::SwiGlu, Activation::ReGlu, Activation::ClampedSwiGlu})
            for (const uint32_t count : {1u, 130u, 768u, 1056u}) {
                gpu::ActivateSample sample(kind, 3, count, count);
                sample.gates[0] = -200;
                sample.gates[sample.gates.size() / 2] = 200;
                sample.gates.back() = -0.0f;
                QVERIFY(agrees(sample, false));
                sample.join();
                QVERIFY(agrees(sample, false));
                if (count % 32 == 0) QVERIFY(agrees(sample, true));
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
