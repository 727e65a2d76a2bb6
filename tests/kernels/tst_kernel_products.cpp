// SPDX-License-Identifier: Apache-2.0
// Matrix products and rows: each table against a plain computation in double and against the scalar table.
//
// Tolerances. A sum of n rounded terms in any order is off by at most (n - 1) u sum|terms|, u = 2^-24, and each term
// carries its own roundings. Each of eight lanes takes columns / 8 terms; in an integer format a term is a whole block
// or a fraction of it (at most four terms for 32 values, minima included), so columns / 8 + 8 counts all roundings.
// Magnitudes count a weight's minimum apart from its product, because kernels sum them apart.
#include "emulated_amx.h"
#include "kernel_test.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kColumnCounts[] = {32, 64, 96, 160, 4096};
constexpr int64_t kBatches[] = {1, 2, 3, 4, 5, 7, 64};

void addTables() {
    addTableRows();
    if (const KernelTable* table = emulatedAmx()) QTest::newRow(table->name) << table;
}

void fillUnit(Guarded<float>& x, Random& random) {
    for (int64_t i = 0; i < x.size(); ++i) x[i] = random.unit();
}

double productBound(double magnitude, int64_t columns) {
    return (static_cast<double>(columns) / 8 + 8) * kRoundoff * magnitude;
}

/// Multiplies all of w with all of x.
void multiplyAll(const KernelTable& k, const Weights& w, Prepared& x, int64_t batch, Guarded<float>& out) {
    const int64_t rows = w.matrix().rows;
    k.multiply(w.matrix(), 0, rows, x.token(0), x.stride(), batch, out.data(), rows);
}

bool sameBits(const float* a, const float* b, int64_t n) {
    return std::memcmp(a, b, static_cast<size_t>(n) * sizeof(float)) == 0;
}

} // namespace

class KernelProductsTest : public QObject {
    Q_OBJECT

    /// Random weights at a random place that is aligned as little as kernels must bear.
    static Weights anywhere(TensorType type, int64_t rows, int64_t columns, Random& random) {
        const size_t skew = static_cast<size_t>(random.below(4)) * (type == TensorType::F32 ? 4 : 2);
        return {type, rows, columns, random, skew};
    }

    /// Compares the products of w with `batch` random tokens with double and with scalar.
    static bool checkProducts(const KernelTable& k, Weights& w, int64_t batch, Random& random) {
        const auto [type, rows, columns, data] = w.matrix();
        Guarded<float> x(columns * batch);
        fillUnit(x, random);
        Prepared prepared(k, type, x, columns, batch);
        Guarded<float> out(rows * batch, 4), scalarOut(rows * batch);
        multiplyAll(k, w, prepared, batch, out);
        multiplyAll(*kernelTables().back(), w, prepared, batch, scalarOut);
        const ExactProducts exact(w, prepared, batch);
        bool good = out.intact() && prepared.intact() && w.intact();
        for (int64_t t = 0; t < batch; ++t)
            for (int64_t r = 0; r < rows; ++r) {
                const Exact e = exact.at(r, t);
                const double bound = productBound(e.magnitude, columns);
                good = good && within(out[t * rows + r], e.product, bound, "product", t * rows + r);
                good = good &&
                       within(out[t * rows + r], scalarOut[t * rows + r], 2 * bound, "against scalar", t * rows + r);
            }
        return good;
    }

  private Q_SLOTS:
    void multiply_data() { addTables(); }
    void multiply() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const TensorType type : supportedFormats())
            for (const int64_t some : kColumnCounts)
                for (int64_t rows = 1; rows <= 9; ++rows) {
                    const bool super = traits(type).blockElements == 256;
                    const int64_t columns = super && some < 4096 ? 8 * some : some;
                    Weights w = anywhere(type, rows, columns, random);
                    for (const int64_t batch : kBatches) {
                        if (columns > 160 && batch * rows > 64) continue; // the same tiles, and slow to check
                        QVERIFY2(checkProducts(*kernels, w, batch, random),
                                 qPrintable(QStringLiteral("%1 %2x%3 batch %4")
                                                .arg(traits(type).name)
                                                .arg(rows)
                                                .arg(columns)
                                                .arg(batch)));
                    }
                }
    }

    /// Tests rows and tokens around the sizes of tiles, and columns around those of unpacked panels.
    void multiplyAtTheEdgesOfTiles_data() { addTables(); }
    void multiplyAtTheEdgesOfTiles() {
        QFETCH(const KernelTable*, kernels);
        Random random(13);
        for (const TensorType type : supportedFormats())
            for (const int64_t some : {32, 512, 544})
                for (const int64_t rows : {15, 16, 17, 22, 33, 49}) {
                    const int64_t columns = wholeBlocks(type, some);
                    Weights w = anywhere(type, rows, columns, random);
                    for (const int64_t batch : {1, 7, 8, 9, 33}) {
                        if (columns > 32 && batch * rows > 300) continue;
                        QVERIFY2(checkProducts(*kernels, w, batch, random),
                                 qPrintable(QStringLiteral("%1 %2x%3 batch %4")
                                                .arg(traits(type).name)
                                                .arg(rows)
                                                .arg(columns)
                                                .arg(batch)));
                    }
                }
    }

    void multiplyAnyColumnsInFloatFormats_data() { addTables(); }
    void multiplyAnyColumnsInFloatFormats() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16})
            for (int64_t columns = 1; columns <= 41; ++columns)
                for (const int64_t rows : {1, 4, 6}) {
                    Weights w = anywhere(type, rows, columns, random);
                    for (const int64_t batch : {1, 4, 5}) QVERIFY(checkProducts(*kernels, w, batch, random));
                }
    }

    /// Quantising x costs at most half a step: largest / 254 for each value of the block.
    void quantisationStaysWithinItsBound_data() { addTables(); }
    void quantisationStaysWithinItsBound() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        for (const TensorType type : integerFormats())
            for (const int64_t some : kColumnCounts) {
                const int64_t rows = 5, columns = wholeBlocks(type, some);
                Weights w(type, rows, columns, random);
                Guarded<float> x(columns), out(rows);
                fillUnit(x, random);
                Prepared prepared(*kernels, type, x, columns, 1);
                multiplyAll(*kernels, w, prepared, 1, out);
                for (int64_t r = 0; r < rows; ++r) {
                    double exact = 0, magnitude = 0, bound = 0;
                    for (int64_t c = 0; c < columns; ++c) {
                        float largest = 0;
                        for (int64_t j = c / 32 * 32; j < c / 32 * 32 + 32; ++j)
                            largest = std::max(largest, std::abs(x[j]));
                        exact += w.value(r, c) * x[c];
                        magnitude += w.weight(r, c).magnitude() * (std::abs(x[c]) + largest / 254);
                        bound += std::abs(w.value(r, c)) * largest / 254 * (1 + 0x1p-12);
                    }
                    QVERIFY(within(out[r], exact, bound + 2 * productBound(magnitude, columns), "product", r));
                }
            }
    }

    void prepareGivesTheSameBytesEverywhere_data() { addTables(); }
    void prepareGivesTheSameBytesEverywhere() {
        QFETCH(const KernelTable*, kernels);
        const KernelTable& scalar = *kernelTables().back();
        Random random(4);
        for (const TensorType type : supportedFormats())
            for (const int64_t columns : kColumnCounts) {
                Guarded<float> x(columns, 4);
                for (int64_t i = 0; i < columns; ++i)
                    x[i] = std::ldexp(random.unit(), static_cast<int>(random.below(8)) - 4);
                for (int64_t i = 0; i < columns; i += 5)
                    x[i] = std::ldexp(static_cast<float>(random.below(255)) - 127.5f, -4); // ties
                Prepared prepared(*kernels, type, x, columns, 1), expected(scalar, type, x, columns, 1);
                QCOMPARE(prepared.stride() % 64, size_t(0));
                QCOMPARE(prepared.stride(), expected.stride());
                QVERIFY(std::memcmp(prepared.token(0), expected.token(0), prepared.stride()) == 0);
                QVERIFY(prepared.intact() && x.intact());
            }
    }

    void prepareExtremes_data() { addTables(); }
    void prepareExtremes() {
        QFETCH(const KernelTable*, kernels);
        constexpr float infinity = std::numeric_limits<float>::infinity();
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        struct Case {
            float odd; ///< one value among ones
            bool finite;
        };
        for (const Case c : {Case{0, true}, Case{-1, true}, Case{std::numeric_limits<float>::max(), true},
                             Case{0x1p-149f, true}, Case{infinity, false}, Case{-infinity, false}, Case{nan, false}}) {
            Guarded<float> x(64);
            for (int64_t i = 0; i < 64; ++i) x[i] = i < 32 ? 1.0f : 0.0f;
            x[7] = c.odd;
            x[40] = 0x1p-149f; // a block this small counts as zero
            Prepared prepared(*kernels, TensorType::Q8_0, x, 64, 1);
            for (int64_t i = 0; i < 64; ++i) QVERIFY(std::abs(prepared.quant(0, i)) <= 127);
            QCOMPARE(std::isfinite(prepared.value(0, 0)), c.finite);
            QCOMPARE(prepared.value(0, 40), 0.0);
            if (c.finite)
                QVERIFY(within(prepared.value(0, 7), c.odd, std::max(1.0f, std::abs(c.odd)) * (1.0 / 254 + 0x1p-20),
                               "x", 7));
        }
    }

    /// Compares products of rows that repeat one block with exact ones. Every byte is `fill`, except for the given
    /// factors.
    static bool checkBlocks(const KernelTable& k, TensorType type, int fill, int half, int exponent,
                            const Guarded<float>& x, int64_t columns, int64_t batch) {
        constexpr int64_t rows = 5;
        Random random(5);
        Weights w(type, rows, columns, random);
        std::vector<uint8_t> block(traits(type).blockBytes, static_cast<uint8_t>(fill));
        for (size_t number = 0; number < factorCount(type); ++number)
            setFactor(type, block.data(), number, static_cast<uint16_t>(half));
        if (type == TensorType::MXFP4) block[0] = static_cast<uint8_t>(exponent);
        w.setBlocks(block);
        Prepared prepared(k, type, x, columns, batch);
        Guarded<float> out(rows * batch);
        multiplyAll(k, w, prepared, batch, out);
        const ExactProducts exact(w, prepared, batch);
        bool good = true;
        for (int64_t i = 0; good && i < rows * batch; ++i) {
            const Exact e = exact.at(0, i / rows);
            // The smallest scales of MXFP4 are subnormal floats: their last place is 2^-149.
            const double bound =
                productBound(e.magnitude, columns) + 0x1p-149 * 12 * 127 * static_cast<double>(columns);
            good = std::isfinite(e.product) ? within(out[i], e.product, bound, traits(type).name, i)
                                            : !std::isfinite(out[i]);
        }
        return good;
    }

    /// Some instruction sets add two products in 16 bits: these sums must not overflow at the extremes.
    void cornersDontOverflow_data() { addTables(); }
    void cornersDontOverflow() {
        QFETCH(const KernelTable*, kernels);
        for (const TensorType type : integerFormats())
            for (const int fill : {0x00, 0xff, 0x88, 0x80, 0x7f, 0x81, 0x77, 0xf0, 0x0f})
                for (const float x0 : {1.0f, -1.0f})
                    for (const int64_t batch : {1, 4}) {
                        const int64_t columns = wholeBlocks(type, 160);
                        Guarded<float> x(columns * batch);
                        x.fill(x0);
                        QVERIFY(checkBlocks(*kernels, type, fill, 0x3c00, 127, x, columns, batch));
                    }
    }

    /// Zero, subnormal, infinite and undefined scales give exact products if there is a value, and never a crash.
    void oddScales_data() { addTables(); }
    void oddScales() {
        QFETCH(const KernelTable*, kernels);
        Random random(6);
        const int exponents[] = {0, 1, 2, 3, 100, 127, 200, 240};
        const int halves[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
        for (const TensorType type : supportedFormats())
            for (int i = 0; i < 8 && type != TensorType::F32 && type != TensorType::BF16; ++i) {
                const int64_t columns = wholeBlocks(type, 96);
                Guarded<float> x(columns);
                fillUnit(x, random);
                QVERIFY(checkBlocks(*kernels, type, 0x93, halves[i], exponents[i], x, columns, 1));
            }
    }

    void infiniteInputsShow_data() { addTables(); }
    void infiniteInputsShow() {
        QFETCH(const KernelTable*, kernels);
        Random random(7);
        for (const TensorType type : supportedFormats())
            for (const float odd : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
                const int64_t columns = wholeBlocks(type, 64);
                Weights w(type, 5, columns, random);
                Guarded<float> x(2 * columns), out(2 * 5);
                fillUnit(x, random);
                x[columns + 6] = odd; // the second token's
                Prepared prepared(*kernels, type, x, columns, 2);
                multiplyAll(*kernels, w, prepared, 2, out);
                for (int64_t r = 0; r < 5; ++r) QVERIFY(std::isfinite(out[r]) && !std::isfinite(out[5 + r]));
            }
    }

    /// Any split of rows and tokens gives the same bits.
    void splitsChangeNothing_data() { addTables(); }
    void splitsChangeNothing() {
        QFETCH(const KernelTable*, kernels);
        Random random(8);
        constexpr int64_t rows = 23, batch = 11, stride = rows + 3;
        for (const TensorType type : supportedFormats())
            for (const int64_t some : {32, 160, 1536}) {
                const int64_t columns = wholeBlocks(type, some);
                Weights w(type, rows, columns, random);
                Guarded<float> x(columns * batch);
                fillUnit(x, random);
                Prepared prepared(*kernels, type, x, columns, batch);
                Guarded<float> whole(stride * batch), pieces(stride * batch);
                whole.fill(-7);
                pieces.fill(-7); // the gap between rows and stride must stay as it is
                kernels->multiply(w.matrix(), 0, rows, prepared.token(0), prepared.stride(), batch, whole.data(),
                                  stride);
                for (int64_t r = 0; r < rows;) {
                    const int64_t end = std::min(rows, r + 1 + random.below(7));
                    for (int64_t t = 0; t < batch;) {
                        const int64_t count = std::min(batch - t, 1 + random.below(6));
                        kernels->multiply(w.matrix(), r, end, prepared.token(t), prepared.stride(), count,
                                          &pieces[t * stride], stride);
                        t += count;
                    }
                    r = end;
                }
                QVERIFY(sameBits(whole.data(), pieces.data(), whole.size()));
                QVERIFY(whole.intact() && pieces.intact());
                for (int64_t t = 0; t < batch; ++t) QCOMPARE(whole[t * stride + rows], -7.0f);
            }
    }

    /// Rows from anywhere, in any order, one of them twice, give the bits of multiply().
    void someRowsAreAsAll_data() { addTables(); }
    void someRowsAreAsAll() {
        QFETCH(const KernelTable*, kernels);
        Random random(15);
        constexpr int64_t rows = 23;
        for (const TensorType type : supportedFormats())
            for (const int64_t some : {32, 160, 1536, 33792}) {
                const int64_t columns = wholeBlocks(type, some);
                Weights w(type, rows, columns, random);
                Guarded<float> x(columns), all(rows), out(rows);
                fillUnit(x, random);
                Prepared prepared(*kernels, type, x, columns, 1);
                multiplyAll(*kernels, w, prepared, 1, all);
                for (const int64_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 20}) {
                    std::vector<int32_t> chosen;
                    for (int64_t k = 0; k < count; ++k) chosen.push_back(static_cast<int32_t>(random.below(rows)));
                    if (count > 1) chosen[1] = chosen[0];
                    if (count > 5) chosen[4] = std::min<int32_t>(rows - 1, chosen[3] + 1);
                    out.fill(-7);
                    kernels->multiplySome(w.matrix(), chosen.data(), count, prepared.token(0), out.data());
                    for (int64_t k = 0; k < count; ++k)
                        QVERIFY2(sameBits(&out[k], &all[chosen[static_cast<size_t>(k)]], 1), traits(type).name);
                    for (int64_t k = count; k < rows; ++k) QCOMPARE(out[k], -7.0f);
                    QVERIFY(out.intact());
                }
            }
    }

    /// Each of hundreds of tokens gets the same bits as it gets alone.
    void manyTokensAreAsOne_data() { addTables(); }
    void manyTokensAreAsOne() {
        QFETCH(const KernelTable*, kernels);
        Random random(14);
        constexpr int64_t rows = 35, batch = 301;
        for (const TensorType type : supportedFormats()) {
            const int64_t columns = wholeBlocks(type, 544);
            Weights w(type, rows, columns, random);
            Guarded<float> x(columns * batch), together(rows * batch), alone(rows * batch);
            fillUnit(x, random);
            Prepared prepared(*kernels, type, x, columns, batch);
            multiplyAll(*kernels, w, prepared, batch, together);
            for (int64_t t = 0; t < batch; ++t)
                kernels->multiply(w.matrix(), 0, rows, prepared.token(t), prepared.stride(), 1, &alone[t * rows], rows);
            QVERIFY2(sameBits(together.data(), alone.data(), rows * batch), traits(type).name);
            QVERIFY(together.intact() && alone.intact());
        }
    }

    void emptyRangesDoNothing_data() { addTables(); }
    void emptyRangesDoNothing() {
        QFETCH(const KernelTable*, kernels);
        Random random(9);
        Weights w(TensorType::Q4_0, 4, 32, random);
        Guarded<float> x(32), out(4);
        fillUnit(x, random);
        out.fill(3);
        Prepared prepared(*kernels, TensorType::Q4_0, x, 32, 1);
        kernels->multiply(w.matrix(), 2, 2, prepared.token(0), prepared.stride(), 1, out.data(), 4);
        kernels->multiply(w.matrix(), 0, 4, prepared.token(0), prepared.stride(), 0, out.data(), 4);
        kernels->addScaledRows(w.matrix(), nullptr, nullptr, 0, 0, 32, out.data());
        for (int64_t i = 0; i < 4; ++i) QCOMPARE(out[i], 3.0f);
        QVERIFY(out.intact());
    }

    void expandRow_data() { addTables(); }
    void expandRow() {
        QFETCH(const KernelTable*, kernels);
        Random random(10);
        for (const TensorType type : supportedFormats())
            for (const int64_t columns : {1, 7, 8, 31, 32, 33, 64, 96, 160, 256, 768, 4096}) {
                if (columns != wholeBlocks(type, columns)) continue;
                Weights w(type, 3, columns, random, 2 * (type != TensorType::F32));
                Guarded<float> out(columns, 4);
                for (int64_t r = 0; r < 3; ++r) {
                    kernels->expandRow(type, w.matrix().row(r), columns, out.data());
                    for (int64_t c = 0; c < columns; ++c) QCOMPARE(out[c], static_cast<float>(w.value(r, c)));
                }
                QVERIFY(out.intact() && w.intact());
            }
    }

    void addScaledRows_data() { addTables(); }
    void addScaledRows() {
        QFETCH(const KernelTable*, kernels);
        Random random(11);
        for (const TensorType type : supportedFormats())
            for (const int64_t columns : {33, 64, 160, 512})
                for (int64_t count = 0; count <= 9; ++count) {
                    if (columns != wholeBlocks(type, columns)) continue;
                    Weights w(type, 12, columns, random);
                    Guarded<int32_t> rows(count);
                    Guarded<float> scales(count), out(columns, 4), before(columns);
                    for (int64_t k = 0; k < count; ++k)
                        rows[k] = static_cast<int32_t>(random.below(12)), scales[k] = random.unit();
                    fillUnit(before, random);
                    std::copy_n(before.data(), columns, out.data());
                    kernels->addScaledRows(w.matrix(), rows.data(), scales.data(), count, 0, columns, out.data());
                    for (int64_t c = 0; c < columns; ++c) {
                        double exact = before[c], magnitude = std::abs(exact);
                        for (int64_t k = 0; k < count; ++k) {
                            exact += scales[k] * w.value(rows[k], c);
                            magnitude += std::abs(scales[k]) * w.weight(rows[k], c).magnitude();
                        }
                        // A term has at most three roundings, and adding it is one more.
                        QVERIFY(within(out[c], exact, static_cast<double>(count + 3) * kRoundoff * magnitude,
                                       traits(type).name, c));
                    }
                    QVERIFY(out.intact() && w.intact());
                }
    }

    void addScaledRowsInPieces_data() { addTables(); }
    void addScaledRowsInPieces() {
        QFETCH(const KernelTable*, kernels);
        Random random(12);
        constexpr int64_t count = 7;
        const int32_t rows[count] = {3, 0, 5, 5, 1, 2, 4};
        for (const TensorType type : supportedFormats()) {
            const int64_t columns = wholeBlocks(type, 160);
            Weights w(type, 6, columns, random);
            Guarded<float> scales(count), whole(columns), pieces(columns), singles(columns);
            fillUnit(scales, random);
            for (Guarded<float>* out : {&whole, &pieces, &singles}) out->fill(0.25f);
            kernels->addScaledRows(w.matrix(), rows, scales.data(), count, 0, columns, whole.data());
            for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{96, columns}, {0, 32}, {32, 96}}) {
                kernels->addScaledRows(w.matrix(), rows, scales.data(), 3, begin, end, pieces.data());
                kernels->addScaledRows(w.matrix(), rows + 3, scales.data() + 3, count - 3, begin, end, pieces.data());
            }
            for (int64_t k = 0; k < count; ++k)
                kernels->addScaledRows(w.matrix(), rows + k, &scales[k], 1, 0, columns, singles.data());
            QVERIFY(sameBits(whole.data(), pieces.data(), columns));
            QVERIFY(sameBits(whole.data(), singles.data(), columns));
        }
    }
};

QTEST_APPLESS_MAIN(KernelProductsTest)
#include "tst_kernel_products.moc"
