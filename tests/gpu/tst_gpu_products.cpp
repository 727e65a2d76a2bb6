// SPDX-License-Identifier: Apache-2.0
// product.comp of every format against its scalar model, bit for bit. tst_gpu_product_models.cpp compares the model
// with the kernels.
//
// A pipeline takes the software driver up to half a second to compile, and a dispatch of this size a millisecond. So
// there are few specialisations and many shapes.
#include "product_test.h"
#include "support/quant_oracle.h"

#include <array>
#include <limits>

using namespace coterie::test;

namespace {

/// One lane team alone; and several of them, which go over the rows in a loop, without shuffles.
constexpr gpu::ProductTuning kAlone = {.lanes = 32};
constexpr gpu::ProductTuning kTogether = {.lanes = 64, .rows = 2, .vectors = 2, .shuffles = false, .groups = 1};

/// Every block of the sample becomes this one.
void setBlocks(gpu::ProductSample& sample, const std::vector<uint8_t>& block) {
    const size_t bytes = sample.rows * rowBytes(sample.type, sample.columns);
    for (size_t i = 0; i < bytes; ++i) sample.weights[i] = static_cast<std::byte>(block[i % block.size()]);
}

} // namespace

class GpuProductsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        COTERIE_NEEDS_DEVICE();
        if (wantedSubgroup() != 0) QCOMPARE(testDevice().abilities().subgroupSize, wantedSubgroup());
    }
    void cleanup() { QCOMPARE(validationMessages(), 0); }

    void everyShape_data() { addFormatRows(gpu::shaderFormats()); }
    void everyShape() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        std::vector<uint32_t> columnCounts = {wholeBlocks(type, 32), wholeBlocks(type, 1056), wholeBlocks(type, 2080)};
        if (vectorForm(type) == VectorForm::Floats) columnCounts.insert(columnCounts.end(), {1, 37, 1055});
        for (const uint32_t columns : columnCounts)
            for (const uint32_t rows : {1u, 7u})
                for (const uint32_t vectors : {1u, 2u, 5u}) {
                    const gpu::ProductSample sample(type, rows, columns, vectors, columns + rows + vectors);
                    QVERIFY(agrees(sample.call(), kAlone, sample.outputs()));
                    QVERIFY(agrees(sample.call(), kTogether, sample.outputs()));
                }
    }

    /// Zero, subnormal, infinite and undefined factors, and blocks of equal bits.
    void oddBlocks_data() { addFormatRows(gpu::shaderFormats()); }
    void oddBlocks() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        const bool small = type == TensorType::F32 || type == TensorType::BF16 || type == TensorType::MXFP4;
        if (small && !keepsSmallNumbers()) QSKIP("These blocks have numbers that this device takes for 0");
        const std::array<int, 8> halves = {0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
        const std::array<uint8_t, 8> exponents = {0, 1, 2, 3, 100, 127, 200, 255};
        gpu::ProductSample sample(type, 3, wholeBlocks(type, 96), 2, 6);
        for (const int fill : {0x00, 0xff, 0x93, 0x80, 0x7f})
            for (size_t i = 0; i < halves.size(); ++i) {
                std::vector<uint8_t> block(traits(type).blockBytes, static_cast<uint8_t>(fill));
                for (size_t number = 0; number < factorCount(type); ++number)
                    setFactor(type, block.data(), number, static_cast<uint16_t>(halves[i]));
                if (type == TensorType::MXFP4) block[0] = exponents[i];
                setBlocks(sample, block);
                QVERIFY(agrees(sample.call(), kAlone, sample.outputs()));
            }
    }

    /// Vectors of zeros, with an infinity, with a NaN, and too small to be more than zeros.
    void oddVectors_data() { addFormatRows(gpu::shaderFormats()); }
    void oddVectors() {
        QFETCH(int, format);
        const auto type = static_cast<TensorType>(format);
        const uint32_t columns = wholeBlocks(type, 96);
        gpu::ProductSample sample(type, 5, columns, 5, 7);
        std::vector<float> x = gpu::Samples(8).units(size_t{columns} * 5);
        std::fill_n(x.begin(), columns, 0.0f);
        std::fill_n(x.begin() + columns, 32, 0x1p-120f);
        x[2 * columns + 6] = std::numeric_limits<float>::infinity();
        x[3 * columns + 41] = std::numeric_limits<float>::quiet_NaN();
        sample.inputs = gpu::PreparedInputs(type, x, columns);
        QVERIFY(agrees(sample.call(), kAlone, sample.outputs()));
    }
};

QTEST_APPLESS_MAIN(GpuProductsTest)
#include "tst_gpu_products.moc"
