// SPDX-License-Identifier: Apache-2.0
// The scalar models of the shaders for matrices against the scalar table of kernels. No device is needed.
//
// Tolerances are those of tests/kernels/tst_kernel_products.cpp. Prepared vectors, expanded rows and sums over neurons
// are the scalar table's to the bit; products differ by the order of their sums.
#include "kernels/kernel_test.h"
#include "lane_sums.h"
#include "products.h"
#include "samples.h"
#include "shader_names.h"

#include <array>
#include <bit>

using namespace coterie::engine;
namespace gpu = coterie::gpu;
using coterie::test::Guarded;
using coterie::test::kRoundoff;
using coterie::test::Prepared;
using coterie::test::Random;
using coterie::test::Weights;
using coterie::test::wholeBlocks;
using coterie::test::within;

namespace {

const KernelTable& scalar() { return *kernelTables().back(); }

double productBound(double magnitude, int64_t columns) {
    return (static_cast<double>(columns) / 8 + 8) * kRoundoff * magnitude;
}

/// The models read a matrix as whole words of 16 bytes; these are the bytes of one.
std::vector<std::byte> paddedBytes(const Matrix& w) {
    std::vector<std::byte> bytes(static_cast<size_t>(roundUp(static_cast<int64_t>(w.bytes()), 16)));
    std::memcpy(bytes.data(), w.data, w.bytes());
    return bytes;
}

std::vector<uint32_t> preparedByModel(const std::vector<float>& x) {
    const auto columns = static_cast<uint32_t>(x.size());
    const auto stride = static_cast<uint32_t>(scalar().preparedBytes(TensorType::Q8_0, columns) / 4);
    std::vector<uint32_t> out(stride, 0xcdcdcdcd);
    gpu::prepareBytes({x, {columns, 1, columns, stride}}, out);
    return out;
}

bool preparesLikeScalar(const std::vector<float>& x) {
    const std::vector<uint32_t> out = preparedByModel(x);
    alignas(64) std::array<std::byte, 8192> expected{};
    scalar().prepare(TensorType::Q8_0, x.data(), static_cast<int64_t>(x.size()), expected.data());
    return std::memcmp(out.data(), expected.data(), out.size() * 4) == 0;
}

std::vector<float> productsOf(const gpu::ProductCall& call, size_t outputs) {
    std::vector<float> out(outputs, -7.0f);
    gpu::product(call, out);
    return out;
}

bool sameFloats(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

} // namespace

class GpuProductModelsTest : public QObject {
    Q_OBJECT

    static bool checkShape(TensorType type, int64_t rows, int64_t columns, int64_t batch, Random& random) {
        const Weights w(type, rows, columns, random);
        Guarded<float> x(columns * batch), expected(rows * batch);
        for (int64_t i = 0; i < x.size(); ++i) x[i] = random.unit();
        Prepared prepared(scalar(), type, x, columns, batch);
        scalar().multiply(w.matrix(), 0, rows, prepared.token(0), prepared.stride(), batch, expected.data(), rows);
        const std::vector<std::byte> bytes = paddedBytes(w.matrix());
        gpu::ProductCall call;
        call.weights = {type, bytes};
        call.inputs = {prepared.token(0), prepared.stride() * static_cast<size_t>(batch)};
        call.push = {.rows = static_cast<uint32_t>(rows),
                     .columns = static_cast<uint32_t>(columns),
                     .vectors = static_cast<uint32_t>(batch),
                     .vectorsPerInput = 1,
                     .inputStride = static_cast<uint32_t>(prepared.stride() / 4),
                     .outStride = static_cast<uint32_t>(rows),
                     .outOffset = 0,
                     .matrixOffset = 0,
                     .biasOffset = 0,
                     .biasStride = 0};
        const std::vector<float> out = productsOf(call, static_cast<size_t>(rows * batch));
        bool good = true;
        for (int64_t i = 0; i < rows * batch; ++i) {
            double exact = 0, magnitude = 0;
            for (int64_t c = 0; c < columns; ++c) {
                const double value = prepared.value(i / rows, c);
                exact += w.value(i % rows, c) * value;
                magnitude += w.weight(i % rows, c).magnitude() * std::abs(value);
            }
            const double bound = productBound(magnitude, columns);
            good = good && within(out[static_cast<size_t>(i)], exact, bound, "product", i) &&
                   within(out[static_cast<size_t>(i)], expected[i], 2 * bound, "against scalar", i);
        }
        return good;
    }

  private Q_SLOTS:
    /// Every significand of 24 bits, both ways, against the processor's division.
    void quotientsAreRounded() {
        const float divisor = static_cast<float>(gpu::k127Significand);
        for (uint32_t significand = 1u << 23; significand < 1u << 24; ++significand) {
            const float value = static_cast<float>(significand);
            if (gpu::quotientBits(significand, gpu::k127Significand) != std::bit_cast<uint32_t>(value / divisor) ||
                gpu::quotientBits(gpu::k127Significand, significand) != std::bit_cast<uint32_t>(divisor / value))
                QFAIL(qPrintable(QStringLiteral("significand %1").arg(significand)));
        }
    }

    void lanesAreAddedInPairs() {
        const std::array<float, 8> v = {0x1p24f, 1, 1, 0x1p-3f, -0x1p24f, 3, 5, 1};
        const float expected = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
        QCOMPARE(gpu::sumOverLanes(v), expected);
    }

    void prepareGivesTheScalarTablesBytes() {
        Random random(4);
        for (const size_t columns : {32u, 64u, 96u, 160u, 544u, 4096u})
            for (int turn = 0; turn < 20; ++turn) {
                std::vector<float> x(columns);
                for (float& value : x)
                    value = std::ldexp(random.unit(), static_cast<int>(random.below(1 + 10 * turn)) - 5 * turn);
                QVERIFY(preparesLikeScalar(x));
                QVERIFY(preparesLikeScalar(gpu::Samples(random.bits()).ties(columns)));
            }
    }

    void prepareExtremes() {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        const float limit = 0x1p-100f; // kQuantisedSmallest
        for (const float odd : {0.0f, -1.0f, std::numeric_limits<float>::max(), 0x1p-149f, infinity, -infinity, nan})
            for (const float others : {1.0f, 0.0f, limit, std::nextafter(limit, 0.0f), std::nextafter(limit, 1.0f),
                                       0x1p-126f, 0x1p100f, 127.0f}) {
                std::vector<float> x(96, others);
                x[7] = odd;
                x[40] = -odd;
                QVERIFY(preparesLikeScalar(x));
            }
    }

    void productsAreNearTheScalarTables() {
        Random random(1);
        for (const TensorType type : gpu::shaderFormats())
            for (const int64_t some : {32, 64, 96, 160, 992, 1056, 2080, 4096})
                for (const int64_t batch : {1, 2, 5}) {
                    const bool super = traits(type).blockElements == 256;
                    const int64_t columns = super && some < 512 ? 8 * some : wholeBlocks(type, some);
                    if (columns > 1100 && batch > 1) continue;
                    QVERIFY2(checkShape(type, 3, columns, batch, random), traits(type).name);
                }
        for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16})
            for (int64_t columns = 1; columns <= 41; ++columns) QVERIFY(checkShape(type, 2, columns, 2, random));
    }

    /// Each choice of a call against plain calls that say the same.
    void choicesOfACall_data() {
        QTest::addColumn<int>("format");
        for (const TensorType type : gpu::shaderFormats()) QTest::newRow(traits(type).name) << static_cast<int>(type);
    }
    void choicesOfACall() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        const auto columns = static_cast<uint32_t>(wholeBlocks(type, 64));
        const gpu::ProductSample sample(type, 16, columns, 6,
                                        5); // 16 rows: every half begins at a multiple of 16 bytes
        const std::vector<float> whole = productsOf(sample.call(), sample.outputs());

        const std::array<uint32_t, 3> rows = {9, 0, 9};
        gpu::ProductCall listed = sample.call();
        listed.rowOf = rows;
        listed.push.rows = 3;
        const std::vector<float> bias = gpu::Samples(6).units(32);
        gpu::ProductCall experts = sample.call();
        const auto matrixBytes = static_cast<uint32_t>(8 * rowBytes(type, columns));
        const std::array<uint32_t, 6> expertOf = {1, 0, 2, 0, 1, 1};
        const std::array<uint32_t, 3> placeOf = {matrixBytes, 0, gpu::kNoMatrix};
        experts.weights = {type, sample.weights, expertOf, placeOf};
        experts.bias = bias;
        experts.push.rows = 8;
        experts.push.vectorsPerInput = 2;
        experts.push.biasOffset = 3;
        experts.push.biasStride = 8;
        experts.push.outOffset = 1;
        const std::vector<float> listedOut = productsOf(listed, sample.outputs());
        const std::vector<float> expertsOut = productsOf(experts, sample.outputs());
        for (size_t v = 0; v < 6; ++v) {
            for (size_t k = 0; k < 3; ++k) QCOMPARE(listedOut[16 * v + k], whole[16 * v + rows[k]]);
            for (size_t k = 0; k < 8; ++k) {
                const size_t row = k + (expertOf[v] == 0 ? 8 : 0);
                const float expected = whole[16 * (v / 2) + row] + bias[3 + 8 * expertOf[v] + k];
                QCOMPARE(expertsOut[1 + 16 * v + k], expertOf[v] == 2 ? -7.0f : expected);
            }
        }
    }

    void expandedRowsAreTheScalarTables() {
        for (const TensorType type : gpu::shaderFormats())
            for (const int64_t some : {1, 33, 96, 256, 768}) {
                const auto columns = static_cast<uint32_t>(wholeBlocks(type, some));
                const gpu::ProductSample sample(type, 3, columns, 1, 7);
                const std::array<uint32_t, 2> rows = {2, 0};
                std::vector<float> out(2 * columns), expected(columns);
                gpu::expandRows({{type, sample.weights}, rows, {columns, 2, columns, 0}}, out);
                for (size_t v = 0; v < 2; ++v) {
                    const std::byte* row = sample.weights.data() + rows[v] * rowBytes(type, columns);
                    scalar().expandRow(type, row, columns, expected.data());
                    QVERIFY2(sameFloats(std::span(out).subspan(v * columns, columns), expected), traits(type).name);
                }
            }
    }

    void sumsOverNeuronsAreTheScalarTables() {
        for (const TensorType type : gpu::shaderFormats())
            for (const int64_t some : {33, 64, 160, 512}) {
                constexpr uint32_t neurons = 9;
                const auto columns = static_cast<uint32_t>(wholeBlocks(type, some));
                const gpu::ProductSample sample(type, neurons, columns, 1, 8);
                std::vector<float> activations = gpu::Samples(9).units(neurons), out(columns, -7.0f), expected(columns);
                activations[3] = 0;
                std::array<int32_t, neurons> rows{};
                for (int32_t k = 0; k < static_cast<int32_t>(neurons); ++k) rows[static_cast<size_t>(k)] = k;
                gpu::sumNeurons({{type, sample.weights}, activations, {neurons, columns, 1, neurons, columns, 0}}, out);
                const Matrix w{type, neurons, columns, sample.weights.data()};
                scalar().addScaledRows(w, rows.data(), activations.data(), neurons, 0, columns, expected.data());
                QVERIFY2(sameFloats(out, expected), traits(type).name);
            }
    }

    /// A row of a neuron that is not active is not read: it holds NaN here.
    void silentNeuronsAreNotRead() {
        std::vector<float> weights(64, 1.0f);
        for (size_t c = 0; c < 32; ++c) weights[c] = std::numeric_limits<float>::quiet_NaN();
        const std::array<float, 2> activations = {-0.0f, 2.0f};
        std::vector<float> out(32);
        gpu::sumNeurons({{TensorType::F32, std::as_bytes(std::span(weights))}, activations, {2, 32, 1, 2, 32, 0}}, out);
        for (const float value : out) QCOMPARE(value, 2.0f);
    }

    /// An infinity or NaN in a vector makes each product with it NaN or infinite, and no other vector's.
    void infiniteInputsShow() {
        for (const TensorType type : gpu::shaderFormats())
            for (const float odd : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
                const auto columns = static_cast<uint32_t>(wholeBlocks(type, 64));
                gpu::ProductSample sample(type, 5, columns, 2, 7);
                std::vector<float> x = gpu::Samples(10).units(size_t{columns} * 2);
                x[columns + 6] = odd;
                sample.inputs = gpu::PreparedInputs(type, x, columns);
                const std::vector<float> out = productsOf(sample.call(), sample.outputs());
                for (size_t r = 0; r < 5; ++r) QVERIFY(std::isfinite(out[r]) && !std::isfinite(out[5 + r]));
            }
    }
};

QTEST_APPLESS_MAIN(GpuProductModelsTest)
#include "tst_gpu_product_models.moc"
