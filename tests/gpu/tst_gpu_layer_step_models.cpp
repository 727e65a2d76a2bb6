// SPDX-License-Identifier: Apache-2.0
// The scalar models of the shaders between a layer's products, against the standard library, the scalar kernels, the
// CPU's router, and attention in float64 that is written here once more. No device is needed.
#include "decoder/router.h"
#include "elementary.h"
#include "kernels/blocks.h"
#include "layer_step_samples.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

using namespace coterie::engine;
namespace gpu = coterie::gpu;

namespace {

const KernelTable& scalar() { return *chooseKernels("scalar").value(); }

double relativeError(float found, double expected) {
    return std::abs(static_cast<double>(found) - expected) / std::abs(expected);
}

double largestDifference(std::span<const float> found, std::span<const float> expected) {
    double largest = 0;
    for (size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
    return largest;
}

double cachedValue(TensorType type, const std::byte* row, size_t c) {
    if (type == TensorType::F16) return static_cast<double>(floatFromHalf(loadAs<uint16_t>(row + 2 * c)));
    const std::byte* block = row + c / 32 * 34;
    return static_cast<double>(floatFromHalf(loadAs<uint16_t>(block))) *
           static_cast<double>(loadAs<int8_t>(block + 2 + c % 32));
}

/// softmax(scores) . values of one head of one token, by the definition.
std::vector<double> attention(const gpu::AttentionCall& call, size_t token, size_t head) {
    const gpu::AttentionPush& push = call.push;
    const size_t rowSize = rowBytes(call.type, push.headDim);
    const auto row = [&](size_t offset, size_t position) {
        return &call.cache[offset + (head / push.group * push.capacity + position % push.capacity) * rowSize];
    };
    const float* query = &call.queries[(token * push.heads + head) * push.headDim];
    const size_t last = call.step.position + token;
    std::vector<double> sums(push.headDim);
    double total = call.sinks.empty() ? 0 : std::exp(static_cast<double>(call.sinks[push.sinksOffset + head]));
    for (size_t p = push.window == 0 || last < push.window ? 0 : last - push.window + 1; p <= last; ++p) {
        double score = 0;
        for (size_t c = 0; c < push.headDim; ++c)
            score += static_cast<double>(query[c]) * cachedValue(call.type, row(push.keysOffset, p), c);
        const double weight = std::exp(score / std::sqrt(static_cast<double>(push.headDim)));
        total += weight;
        for (size_t c = 0; c < push.headDim; ++c)
            sums[c] += weight * cachedValue(call.type, row(push.valuesOffset, p), c);
    }
    for (double& sum : sums) sum /= total;
    return sums;
}

/// Norms and rotates the queries and keys in a row, [4, 2, 2] heads of 64 values.
void finishWithKernels(const gpu::HeadsSample& sample, size_t token, std::vector<float>& row) {
    const gpu::HeadsPush& push = sample.shape.push;
    const bool each = sample.shape.norm == HeadNorm::EachHead;
    const auto finish = [&](size_t first, size_t heads, const std::vector<float>& weight) {
        float* values = &row[first * 64];
        const int64_t width = each ? 64 : static_cast<int64_t>(heads) * 64;
        for (size_t i = 0; !weight.empty() && i < (each ? heads : 1); ++i)
            scalar().rmsNorm(values + i * 64, weight.data(), width, push.epsilon, values + i * 64);
        for (size_t i = 0; sample.shape.rotates && i < heads; ++i)
            scalar().rope(sample.shape.kind, values + i * 64, push.dimensions, &sample.cosSin[token * push.dimensions]);
    };
    finish(0, 4, sample.queryNorm);
    finish(4, 2, sample.keyNorm);
}

} // namespace

class GpuLayerStepModelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Every exponent and a thousand significands.
    void quotientsAndRoots() {
        gpu::Samples samples(1);
        double reciprocals = 0, roots = 0;
        for (int exponent = -99; exponent < 100; ++exponent)
            for (int i = 0; i < 1000; ++i) {
                const float x = std::ldexp(1.5f + samples.unit() / 2, exponent);
                reciprocals = std::max(reciprocals, relativeError(gpu::reciprocal(x), 1 / static_cast<double>(x)));
                roots = std::max(roots, relativeError(gpu::inverseRoot(x), 1 / std::sqrt(static_cast<double>(x))));
            }
        QVERIFY2(reciprocals < 0x1p-22, qPrintable(QString::number(std::log2(reciprocals))));
        QVERIFY2(roots < 0x1p-21, qPrintable(QString::number(std::log2(roots))));
    }

    void powersOfE() {
        gpu::Samples samples(2);
        double powers = 0, sigmoids = 0;
        for (int i = 0; i < 300000; ++i) {
            const float x = samples.unit() * 72 - 8; // from -80 to 64
            powers = std::max(powers, relativeError(gpu::exponential(x), std::exp(static_cast<double>(x))));
            sigmoids = std::max(sigmoids, relativeError(gpu::sigmoid(-x), 1 / (1 + std::exp(static_cast<double>(x)))));
        }
        QVERIFY2(powers < 0x1p-21, qPrintable(QString::number(std::log2(powers))));
        QVERIFY2(sigmoids < 0x1p-20, qPrintable(QString::number(std::log2(sigmoids))));
        constexpr float infinity = std::numeric_limits<float>::infinity();
        QCOMPARE(gpu::exponential(0), 1.0f);
        QCOMPARE(gpu::exponential(-infinity), 0.0f);
        QCOMPARE(gpu::exponential(infinity), gpu::exponential(64));
        QVERIFY(std::isnan(gpu::exponential(std::numeric_limits<float>::quiet_NaN())));
        QVERIFY(gpu::exponential(-86) > std::numeric_limits<float>::min());
    }

    /// Many devices take numbers below 2^-126 for 0. So do processors that are told to.
    void noStepIsTooSmallForADevice() {
#ifndef __SSE__
        QSKIP("This processor is not told so by the same instruction");
#else
        gpu::Samples samples(3);
        std::vector<float> powers, quotients;
        for (int i = 0; i < 100000; ++i) {
            powers.push_back(samples.unit() * 300);
            quotients.push_back(std::ldexp(1.5f + samples.unit() / 2, i % 200 - 100));
        }
        const auto all = [&] {
            std::vector<float> results;
            for (const float x : powers) results.insert(results.end(), {gpu::exponential(x), gpu::sigmoid(x)});
            for (const float x : quotients) results.insert(results.end(), {gpu::reciprocal(x), gpu::inverseRoot(x)});
            return results;
        };
        const std::vector<float> kept = all();
        constexpr unsigned kSmallIsZero = 0x8040; // results and operands
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | kSmallIsZero);
        const std::vector<float> flushed = all();
        _mm_setcsr(before);
        QVERIFY(std::memcmp(kept.data(), flushed.data(), kept.size() * sizeof(float)) == 0);
#endif
    }

    void normsAreThoseOfTheKernels() {
        for (const uint32_t width : {1u, 64u, 2560u}) {
            const gpu::NormSample sample(1, width, 0, gpu::RowWeights::Ones, width);
            std::vector<float> model(width), kernel(width);
            norm(sample.call(), model, {});
            scalar().rmsNorm(sample.x.data(), sample.weight.data() + 1, width, 1e-6f, kernel.data());
            QVERIFY(largestDifference(model, kernel) < 1e-6);
        }
    }

    void preparedNormsAreThoseOfTheKernels() {
        const gpu::NormSample sample(2, 1056, 2, gpu::RowWeights::Given, 6);
        std::vector<float> model(sample.x.size()), sums(model);
        std::vector<uint32_t> prepared(sample.preparedWords());
        norm(sample.call(), model, sums, prepared);
        const auto bytes = static_cast<size_t>(scalar().preparedBytes(TensorType::Q8_0, 1056));
        std::vector<std::byte> kernel(bytes);
        for (size_t v = 0; v < 2; ++v) {
            scalar().prepare(TensorType::Q8_0, &model[v * 1056], 1056, kernel.data());
            QVERIFY(std::memcmp(kernel.data(), &prepared[v * sample.push.preparedStride], bytes) == 0);
        }
    }

    void aNormAddsFirst() {
        gpu::NormSample sample(2, 65, 1, gpu::RowWeights::Ones, 5);
        sample.push.scale = 1;
        std::vector<float> model(sample.x.size()), sums(model.size()), again(model.size());
        norm(sample.call(), model, sums);
        for (size_t i = 0; i < sums.size(); ++i) QCOMPARE(sums[i], sample.x[i] + sample.rows[i]);
        gpu::NormCall plain = sample.call();
        plain.x = sums;
        plain.rows = {};
        norm(plain, again, {});
        QCOMPARE(model, again);
    }

    /// Queries, keys and values of some tokens go through the kernels one after the other.
    void headsAreThoseOfTheKernels() {
        for (const HeadNorm norm : {HeadNorm::None, HeadNorm::EachHead, HeadNorm::WholeProjection})
            for (const bool rotates : {true, false}) {
                gpu::HeadsCall shape{
                    .rotates = rotates, .norm = norm, .rows = {}, .cosSin = {}, .step = {5}, .push = {}};
                shape.push.heads = 4;
                shape.push.kvHeads = 2;
                shape.push.headDim = 64;
                shape.push.dimensions = 48;
                shape.push.capacity = 6;
                const gpu::HeadsSample sample(3, shape, 8);
                std::vector<float> queries(sample.queries());
                std::vector<uint16_t> cache(sample.cacheWords());
                finishHeads(sample.call(), queries, cache);
                for (size_t token = 0; token < 3; ++token) {
                    std::vector<float> row(&sample.rows[token * sample.shape.push.rowStride],
                                           &sample.rows[token * sample.shape.push.rowStride] + size_t{8} * 64);
                    finishWithKernels(sample, token, row);
                    QVERIFY(largestDifference(std::span(queries).subspan(token * 256, 256), std::span(row).first(256)) <
                            1e-5);
                    for (size_t i = 256; i < row.size(); ++i) {
                        const size_t head = i / 64 % 2, place = head * 6 + (5 + token) % 6;
                        const bool key = i < 384;
                        const size_t offset = key ? sample.shape.push.keysOffset : sample.shape.push.valuesOffset;
                        const float kept = floatFromHalf(cache[offset / 2 + place * 64 + i % 64]);
                        QVERIFY(std::abs(kept - row[i]) <= 0x1p-10f * std::abs(row[i]) + 1e-5f);
                    }
                }
            }
    }

    void attentionIsThatOfTheDefinition() {
        gpu::AttentionPush shape{};
        shape.heads = 4;
        shape.group = 2;
        shape.headDim = 64;
        for (const TensorType type : {TensorType::F16, TensorType::Q8_0})
            for (const bool sinks : {false, true})
                for (const auto& [position, window] : {std::array{0u, 0u}, {300u, 0u}, {300u, 70u}}) {
                    shape.window = window;
                    shape.capacity = window == 0 ? position + 2 : window + 2;
                    const gpu::AttentionSample sample(type, 2, {position}, shape, sinks, position + 1);
                    std::vector<float> model(sample.queries.size());
                    attend(sample.call(), model);
                    for (size_t row = 0; row < 8; ++row) {
                        const std::vector<double> exact = attention(sample.call(), row / 4, row % 4);
                        for (size_t c = 0; c < 64; ++c)
                            QVERIFY(std::abs(static_cast<double>(model[row * 64 + c]) - exact[c]) <
                                    1e-4 * (1 + std::abs(exact[c])));
                    }
                }
    }

    void blocksAddUpToAttention() {
        gpu::AttentionPush shape{};
        shape.heads = 4;
        shape.group = 2;
        shape.headDim = 64;
        for (const bool sinks : {false, true})
            for (const auto& [position, window] : {std::array{0u, 0u}, {64u, 0u}, {300u, 70u}, {2000u, 0u}}) {
                shape.window = window;
                shape.capacity = window == 0 ? position + 1 : window;
                const gpu::AttentionSample sample(TensorType::F16, 1, {position}, shape, sinks, position + 2);
                std::vector<float> whole(sample.queries.size()), sum(whole), partials(sample.partials());
                attend(sample.call(), whole);
                attendBlocks(sample.call(), partials);
                sumBlocks(sample.sumCall(partials), sum);
                QCOMPARE(sum, whole);
            }
    }

    void routesAreThoseOfTheRouter() {
        for (const auto& [experts, chosen, groups, used] :
             {std::array{8u, 2u, 1u, 1u}, {64u, 6u, 1u, 1u}, {160u, 8u, 8u, 3u}})
            for (const Gating gating : {Gating::Softmax, Gating::Sigmoid})
                for (const bool normalised : {false, true})
                    for (const bool bias : {false, true}) {
                        const gpu::RouteCall shape{.experts = experts,
                                                   .chosen = chosen,
                                                   .gating = gating,
                                                   .normalised = normalised,
                                                   .logits = {},
                                                   .bias = {},
                                                   .logitBias = {},
                                                   .push = {.groups = groups, .groupsUsed = used, .biasOffset = 0}};
                        const gpu::RouteSample sample(50, shape, bias, experts + chosen);
                        std::vector<uint32_t> expertOf(sample.choices());
                        std::vector<float> weightOf(sample.choices());
                        route(sample.call(), expertOf, weightOf);
                        const RouterShape router{.gating = gating,
                                                 .normalised = normalised,
                                                 .scale = 1,
                                                 .groups = groups,
                                                 .groupsUsed = used};
                        std::vector<float> scratch(experts);
                        std::vector<Choice> choices(chosen);
                        for (size_t token = 0; token < 50; ++token) {
                            const std::span logits = std::span(sample.logits).subspan(token * experts, experts);
                            const auto scores =
                                selectionScores(router, logits, bias ? sample.bias.data() : nullptr, scratch);
                            chooseExperts(router, logits, scores, choices);
                            for (size_t rank = 0; rank < chosen; ++rank) {
                                QCOMPARE(static_cast<int32_t>(expertOf[token * chosen + rank]), choices[rank].expert);
                                QVERIFY(relativeError(weightOf[token * chosen + rank],
                                                      static_cast<double>(choices[rank].weight)) < 1e-5);
                            }
                        }
                    }
    }

    void neuronsAreThoseOfTheFormulas() {
        const auto closed = [](double x) { return 1 / (1 + std::exp(-x)); };
        for (const Activation kind : {Activation::SwiGlu, Activation::ReGlu, Activation::ClampedSwiGlu}) {
            const gpu::ActivateSample sample(kind, 2, 500, 9);
            std::vector<float> model(sample.gates.size());
            std::vector<uint32_t> counts(2);
            activate(sample.call(), model, counts);
            uint32_t open = 0;
            for (size_t i = 0; i < model.size(); ++i) {
                const double g = static_cast<double>(sample.gates[i]), u = static_cast<double>(sample.ups[i]);
                const double least = std::min(g, 7.0);
                const double exact = kind == Activation::SwiGlu ? g * closed(g) * u
                                     : kind == Activation::ReGlu
                                         ? std::max(g, 0.0) * u
                                         : least * closed(1.702 * least) * (std::clamp(u, -7.0, 7.0) + 1);
                QVERIFY(std::abs(static_cast<double>(model[i]) - exact) < 2e-6 * (1 + std::abs(exact)));
                open += kind != Activation::ReGlu || g > 0 ? 1 : 0;
            }
            QCOMPARE(counts[0] + counts[1], open);
        }
    }

    void gatesAndUpsMayLieInOneBuffer() {
        gpu::ActivateSample sample(Activation::ReGlu, 3, 96, 9);
        std::vector<float> apart(sample.gates.size()), together(apart);
        std::vector<uint32_t> counts(3), countsTogether(3);
        activate(sample.call(), apart, counts);
        sample.join();
        activate(sample.call(), together, countsTogether);
        QCOMPARE(together, apart);
        QCOMPARE(countsTogether, counts);
    }

    void sumsAreThoseOfTheRows() {
        for (const gpu::RowWeights kind : {gpu::RowWeights::Ones, gpu::RowWeights::Given, gpu::RowWeights::Sigmoids}) {
            const gpu::WeightedSumSample sample(kind, 2, 3, 70, 4);
            std::vector<float> model(sample.x.size());
            weightedSum(sample.call(), model);
            for (size_t i = 0; i < model.size(); ++i) {
                double exact = static_cast<double>(sample.x[i]);
                for (size_t k = 0; k < 3; ++k) {
                    const size_t row = i / 70 * 3 + k;
                    const double given = sample.weights.empty() ? 1 : static_cast<double>(sample.weights[row]);
                    const double weight = kind == gpu::RowWeights::Sigmoids ? 1 / (1 + std::exp(-given)) : given;
                    exact += 0.75 * weight * static_cast<double>(sample.rows[row * 70 + i % 70]);
                }
                QVERIFY(std::abs(static_cast<double>(model[i]) - exact) < 1e-6);
            }
        }
    }
};

QTEST_APPLESS_MAIN(GpuLayerStepModelsTest)
#include "tst_gpu_layer_step_models.moc"
